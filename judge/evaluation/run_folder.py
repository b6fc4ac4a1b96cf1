"""A run folder: where an evaluation keeps its settings, trajectories, failures, scores and summary.

Trajectories are appended and flushed as they end, so that a killed run loses at most the line being written; at the
end the file is put into task order, so that two runs of the same seed are equal whatever the concurrency.
"""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Iterable, Set
from contextlib import suppress
from pathlib import Path
from typing import Any

from pydantic_core import from_json

from toolgym.judge.evaluation.folder_lock import mark_running
from toolgym.judge.evaluation.made_with import MadeWith, gone_on_with
from toolgym.sandbox.kit import format_1
from toolgym.sandbox.kit.errors import BadInput, writing
from toolgym.sandbox.kit.masking import masked
from toolgym.sandbox.kit.text import read_lines
from toolgym.sandbox.runtime import foreign_domain, registry
from toolgym.sandbox.runtime.trajectory import Trajectory, parse_line, read_trajectories

Key = tuple[str, int]
"""Task id and trial."""
GROWING = frozenset({"tasks", "trials"})
"""Settings that say how much of a run is wanted: what is there already stays what it is."""
BESIDE = frozenset({"circumstances", "made_with", "wanted"})
"""What run.json holds beside the settings that decide a run's results."""


class RunFolder:
    """The files of one run.

    Attributes:
        path: the folder.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self.settings_file = path / "run.json"
        self.trajectories_file = path / "trajectories.jsonl"
        self.failures_file = path / "failures.jsonl"
        self.scores_file = path / "scores.jsonl"
        self.answers_file = path / "judge-answers.jsonl"
        self.summary_file = path / "summary.json"
        self.report_file = path / "report.html"
        self.index_file = path / "episodes.json"
        foreign_domain.take_up(path)

    def open(
        self,
        settings: dict[str, Any],
        circumstances: dict[str, Any] | None = None,
        wanted: Set[Key] | None = None,
        made_with: MadeWith | None = None,
    ) -> Set[Key]:
        """Create the folder, or go on in one that holds the same settings; a run may grow by tasks and trials.

        While this object lives, the folder is marked as one that is being written to.

        Args:
            settings: what decides the results.
            circumstances: how the run was made, kept for the record under that name; may differ on going on.
            wanted: what the run consists of now; None where that is not known beforehand.
            made_with: versions and digests, kept under that name; a run is not resumed in another world.

        Returns:
            Of what is wanted, what is finished.

        Raises:
            BadInput: the folder holds a run with other settings, of another world or of more conversations, cannot be
                one, or another process writes to it.
        """
        settings = json.loads(masked(json.dumps(settings)))  # as they are kept, and compared when it is resumed
        before: dict[str, Any] = {}
        if self.settings_file.is_file():
            before = self.settings()
            self._require_same(before, settings, frozenset() if wanted is None else GROWING)
            circumstances = before.get("circumstances", circumstances)
        self._create()
        mark_running(self, self.path)
        for file in (self.trajectories_file, self.failures_file):
            self._drop_torn_line(file)
        finished = frozenset() if wanted is None else self._require_whole(wanted)
        if made_with is not None and finished:
            made_with = gone_on_with(before.get("made_with"), made_with)
        count = None if wanted is None else len(wanted)
        beside = {"circumstances": circumstances, "made_with": made_with, "wanted": count}
        write_json(self.settings_file, settings | {name: value for name, value in beside.items() if value})
        return finished

    def _create(self) -> None:
        try:
            self.path.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            file = isinstance(error, FileExistsError | NotADirectoryError)
            why = "a file is in that place" if file else f"none can be made there ({error.strerror})"
            raise BadInput(f"{self.path} cannot be a run's folder: {why}. Name another one with --out.") from None

    def _require_same(self, before: dict[str, Any], settings: dict[str, Any], growing: Set[str]) -> None:
        old, new = _comparable(before), _comparable(settings)
        changed = sorted(name for name in {*old, *new} - growing if old.get(name) != new.get(name))
        if changed:
            name = changed[0]
            raise BadInput(
                f"{self.path} holds a run with other settings ({name}: {old.get(name)!r}, now "
                f"{new.get(name)!r}); choose another folder with --out, or remove that one."
            )

    def _require_whole(self, wanted: Set[Key]) -> Set[Key]:
        """What is finished; resuming a part of a run is refused, as its numbers would be of all that is there."""
        finished = self.finished()
        others = {*finished, *((failure.task.id, failure.trial) for failure in self._failed())} - wanted
        if others:
            raise BadInput(
                f"{self.path} holds a run of more conversations than these ({len(others)} others); a run can grow by "
                "tasks and trials, not shrink. Choose another folder with --out, or remove that one."
            )
        return finished

    def settings(self) -> dict[str, Any]:
        """The settings the run was made with."""
        if not self.settings_file.is_file():
            raise BadInput(f"{self.path} is not a run folder: it has no run.json.")
        try:  # not json.loads, whose RecursionError for great depth no reader of damaged files expects
            loaded = from_json(self.settings_file.read_bytes())
        except ValueError:
            loaded = None
        if not isinstance(loaded, dict):
            raise BadInput(f"{self.settings_file} is damaged: it holds no JSON object. Give another folder.")
        return format_1.read_run(loaded)

    def trajectories(self, *, bare: bool = False) -> list[Trajectory]:
        """The finished trajectories; `bare`: without what was said and called."""
        if not self.trajectories_file.is_file():
            raise BadInput(f"{self.path} has no trajectories; is it the folder of a run?")
        return list(read_trajectories(self.trajectories_file, bare=bare))

    def scores(self) -> dict[Key, dict[str, Any]]:
        """The lines of scores.jsonl by task and trial; empty where nothing is scored."""
        if not self.scores_file.is_file():
            return {}
        found: dict[Key, dict[str, Any]] = {}
        for number, line in read_lines(self.scores_file):
            try:
                item = from_json(line)
                found[item["task"], item["trial"]] = item
            except (ValueError, LookupError, TypeError):
                raise BadInput(
                    f"{self.scores_file}, line {number} is damaged; `toolgym judge {self.path}` writes it anew."
                ) from None
        return found

    def score(self, task: str, trial: int) -> dict[str, Any]:
        """One line of scores.jsonl, found without reading the others as JSON; empty where there is none."""
        named = [json.dumps(task, ensure_ascii=ascii_only).encode() for ascii_only in (True, False)]
        with suppress(FileNotFoundError, ValueError, LookupError), self.scores_file.open("rb") as file:
            for line in file:
                if any(name in line for name in named):
                    item: dict[str, Any] = from_json(line)
                    if item["task"] == task and item["trial"] == trial:
                        return item
        return {}

    def finished(self) -> set[Key]:
        """Which trials are done."""
        if not self.trajectories_file.is_file():
            return set()
        return {(trajectory.task.id, trajectory.trial) for trajectory in self.trajectories()}

    def add(self, trajectory: Trajectory) -> None:
        """Append a finished trajectory, or an infrastructure failure to its own file, and flush it."""
        failed = trajectory.termination == "infrastructure_error"
        path = self.failures_file if failed else self.trajectories_file
        with writing(path), path.open("a", encoding="utf-8", newline="\n") as file:
            file.write(trajectory.to_line() + "\n")
            file.flush()

    def sort(self, order: Callable[[Key], Any]) -> list[Trajectory]:
        """Put the trajectories in a fixed order, each trial once, and return them."""
        by_key: dict[Key, Trajectory] = {}
        for trajectory in self.trajectories():
            by_key.setdefault((trajectory.task.id, trajectory.trial), trajectory)
        done = [by_key[key] for key in sorted(by_key, key=order)]
        write_lines(self.trajectories_file, (trajectory.to_line() for trajectory in done))
        return done

    def failures(self) -> list[Trajectory]:
        """Infrastructure failures that no later attempt made good."""
        every = self._failed()
        done = self.finished() if every else set()
        open_failures = {(t.task.id, t.trial): t for t in every if (t.task.id, t.trial) not in done}
        return list(open_failures.values())

    def attempts(self) -> list[Trajectory]:
        """All that was ever played here: the finished trajectories and every failure."""
        return [*(self.trajectories() if self.trajectories_file.is_file() else ()), *self._failed()]

    def _failed(self) -> list[Trajectory]:
        if not self.failures_file.is_file():
            return []
        lines = read_lines(self.failures_file)
        return [parse_line(line, str(self.failures_file)) for _, line in lines if line.endswith("\n")]

    @staticmethod
    def _drop_torn_line(path: Path) -> None:
        """Remove a last line that a kill cut short."""
        if not path.is_file():
            return
        content = path.read_bytes()
        if content and not content.endswith(b"\n"):
            path.write_bytes(content[: content.rfind(b"\n") + 1])


def _comparable(settings: dict[str, Any]) -> dict[str, Any]:
    """What decides a run's results; an environment by its id, whichever of its names was given."""
    kept = {name: value for name, value in settings.items() if name not in BESIDE}
    if isinstance(kept.get("env"), str):  # a training run names several
        kept["env"] = registry.full_id(kept["env"], kept.get("data", "own"))
    return kept


def write_json(path: Path, value: Any) -> None:
    """Write a JSON file, keys masked, so that a reader sees the old or the new one, never half of it."""
    write_lines(path, [masked(json.dumps(finite(value), indent=2, ensure_ascii=False))])


def finite(value: Any) -> Any:
    """The value with null where a number is not one: JSON has no nan."""
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    if isinstance(value, dict):
        return {key: finite(item) for key, item in value.items()}
    return [finite(item) for item in value] if isinstance(value, list) else value


def write_lines(path: Path, lines: Iterable[str]) -> None:
    """Replace a file by these lines in one step."""
    fresh = path.with_name(path.name + ".new")
    with writing(path):
        try:
            with fresh.open("w", encoding="utf-8", newline="\n") as file:
                for line in lines:
                    file.write(line + "\n")
            fresh.replace(path)
        except OSError:
            fresh.unlink(missing_ok=True)  # half a file would only fill the disk further
            raise
