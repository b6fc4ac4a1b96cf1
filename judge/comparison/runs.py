"""What is compared: the outcomes of two runs by task, once it is known that they were played on the same data."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any, Literal

from toolgym.judge.benchmarks.contract import is_foreign
from toolgym.judge.evaluation.made_with import recorded_number
from toolgym.judge.evaluation.metrics import Outcomes
from toolgym.judge.evaluation.run_folder import BESIDE, Key, RunFolder
from toolgym.judge.evaluation.summary import judge_all
from toolgym.judge.interop.opened import OpenedRun
from toolgym.judge.scoring.verifier import Basis
from toolgym.sandbox.kit.errors import BadInput
from toolgym.sandbox.kit.task import Task
from toolgym.sandbox.runtime.approval import Consent

Measure = Literal["clean", "pass"]
MEASURES: Mapping[Measure, str] = {"clean": "clean pass", "pass": "pass^1"}
_RIGHT = {"id", "domain", "data", "owner", "now", "setup", "gold", "returns", "answer", "assertions", "communicate"}
"""What makes two tasks the same: the rows they play in and what a right run comes to. Wording and tools may differ."""
_POPULATION = ("env", "data", "split")
_AGREED: Mapping[Consent, str] = {"words": "in words", "call": "call by call"}


@dataclass(frozen=True)
class Episode:
    """One conversation of a run: its task, and what it came to."""

    task: Task
    trial: int
    passed: bool
    clean: bool

    def came_to(self, measure: Measure) -> bool:
        """Whether it succeeded by a measure."""
        return self.clean if measure == "clean" else self.passed


@dataclass(frozen=True)
class Side:
    """One run of a comparison.

    Attributes:
        run: what was opened.
        basis: what success compares.
        known: whether episodes passed, and passed cleanly, by task and trial, where it need not be found out again.
    """

    run: OpenedRun
    basis: Basis
    known: Mapping[Key, tuple[bool, bool]] = field(default_factory=dict)

    @property
    def name(self) -> str:
        """What tables call it."""
        return self.run.name

    @property
    def path(self) -> Path:
        """Where its conversations are."""
        return self.run.path

    @cached_property
    def episodes(self) -> dict[str, list[Episode]]:
        """Its finished conversations by task, infrastructure failures left out."""
        found: dict[str, list[Episode]] = {}
        foreign = any(is_foreign(trajectory.task) for trajectory in self.run.trajectories)
        for episode in self._scored() if foreign else self._judged():
            found.setdefault(key_of(episode.task), []).append(episode)
        return found

    def _judged(self) -> Iterator[Episode]:
        unknown = [t for t in self.run.trajectories if (t.task.id, t.trial) not in self.known]
        found = {
            **self.known,
            **{
                (t.task.id, t.trial): (
                    verdict.passed(self.basis),
                    verdict.passed(self.basis) and verdict.well_conducted,
                )
                for t, verdict in judge_all(unknown)
            },
        }
        for t in self.run.trajectories:
            yield Episode(t.task, t.trial, *found[t.task.id, t.trial])

    def _scored(self) -> Iterator[Episode]:
        """Rows of a benchmark, by what its own checker said when they were played; what it could not score left out."""
        scores = RunFolder(self.path).scores()
        for trajectory in self.run.trajectories:
            passed = scores.get((trajectory.task.id, trajectory.trial), {}).get("passed")
            if passed is not None:
                yield Episode(trajectory.task, trajectory.trial, passed, passed)

    @property
    def consent(self) -> Consent:
        """How its user agreed to changes."""
        return self.run.trajectories[0].consent

    def task(self, key: str) -> Task:
        """One of its tasks."""
        return self.episodes[key][0].task

    @property
    def left_out(self) -> int:
        """Infrastructure failures, and records that could not be read."""
        judged = sum(map(len, self.episodes.values()))
        return len(self.run.trajectories) - judged + len(self.run.failures) + self.run.skipped

    def outcomes(self, measure: Measure, within: Iterable[str]) -> Outcomes:
        """By task, what each trial came to."""
        return {key: [episode.came_to(measure) for episode in self.episodes[key]] for key in within}


def key_of(task: Task) -> str:
    """A task's name among those of all worlds and bodies of data."""
    return f"{task.domain} {task.data} {task.id}"


def side(run: OpenedRun, basis: Basis | None, known: Mapping[Key, tuple[bool, bool]] | None = None) -> Side:
    """A run, ready to be compared; `known`: what its scores say, where they are of the same basis.

    Raises:
        BadInput: it holds nothing that can be judged, or one conversation twice.
    """
    found = Side(run, basis or run.settings.get("basis", "state"), known or {})
    if not found.episodes:
        raise BadInput(f"{run.path} holds no finished conversation, so there is nothing to compare.")
    for episodes in found.episodes.values():
        trials = [episode.trial for episode in episodes]
        if len(set(trials)) < len(trials):
            raise BadInput(f"{run.path} holds a trial of {episodes[0].task.id} twice; each may count once.")
    return found


@dataclass(frozen=True)
class Shared:
    """What two runs have in common.

    Attributes:
        tasks: those that are compared; none where the runs have other tasks of the same population.
        moved: ids of tasks that ask for something else in the other run.
    """

    tasks: list[str]
    moved: list[str]


def shared_tasks(first: Side, second: Side) -> Shared:
    """The tasks that both runs have.

    Raises:
        BadInput: the runs were played on different data or with another consent, so that a difference says nothing
            about who played.
    """
    shared = [key for key in first.episodes if key in second.episodes]
    moved = [key for key in shared if _right(first.task(key)) != _right(second.task(key))]
    if 2 * len(moved) > len(shared):
        raise BadInput(
            f"{len(moved)} of {len(shared)} shared tasks, such as {first.task(moved[0]).id}, ask for something else "
            f"in {first.name} than in {second.name}: the runs were played on different versions of the data, and "
            "cannot be compared."
        )
    if first.consent != second.consent:
        raise BadInput(
            f"The user agreed to changes {_AGREED[first.consent]} in {first.name} and {_AGREED[second.consent]} in "
            f"{second.name}: scores under the two are not comparable. Play one again with --consent {first.consent}."
        )
    ours, theirs = ((each.run.settings.get("made_with") or {}).get("rows", {}) for each in (first, second))
    rows = [name for name in ours if name in theirs and ours[name] != theirs[name]]
    if rows:
        raise BadInput(f"The rows of {rows[0]} are not the same in {first.name} and {second.name}; play one again.")
    if not shared and _population(first) != _population(second):
        words = (" ".join(filter(None, _population(each))) for each in (first, second))
        raise BadInput(
            f"{first.name} and {second.name} have no task in common ({', '.join(words)}): a difference between them "
            "would be one of tasks. Play both on the same split."
        )
    return Shared([key for key in shared if key not in moved], [first.task(key).id for key in moved])


def _right(task: Task) -> str:
    return task.model_dump_json(include=_RIGHT)


def _population(side: Side) -> tuple[str, ...]:
    """Whose tasks they are: environment, data and split; of a plain file the worlds and splits of its tasks."""
    settings = side.run.settings
    if all(name in settings for name in _POPULATION):
        return tuple(str(settings[name]) for name in _POPULATION)
    found = {(task.domain, task.data, task.split) for task in map(side.task, side.episodes)}
    return tuple(" ".join(each) for each in sorted(found))


def differing_settings(first: Side, second: Side) -> dict[str, tuple[Any, Any]]:
    """The settings that decide results and are not the same, where both runs tell theirs."""
    ours, theirs = first.run.settings, second.run.settings
    versions = (first.run.benchmark, second.run.benchmark)
    benchmark = {"benchmark": versions} if all(versions) and versions[0] != versions[1] else {}
    if not ours or not theirs or ("imported" in ours) != ("imported" in theirs):
        return dict(benchmark)  # another benchmark's settings have other names
    names = [name for name in dict.fromkeys([*ours, *theirs]) if name not in BESIDE]
    found = {name: (ours.get(name), theirs.get(name)) for name in names if ours.get(name) != theirs.get(name)}
    made = [each.get("made_with") or {} for each in (ours, theirs)]
    if all(each.get("user") == "scripted" for each in (ours, theirs)) and len(set(map(recorded_number, made))) > 1:
        found["user"] = (f"scripted {recorded_number(made[0])}", f"scripted {recorded_number(made[1])}")
    told = [each.get("prompts", {}) for each in made]
    if any(told[0][name] != told[1].get(name, told[0][name]) for name in told[0]):
        found["prompts"] = ("policy and tools", "another policy or other tools")
    return benchmark | found
