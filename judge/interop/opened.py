"""Opens whatever holds conversations: a run's folder, a file of trajectories, or another benchmark's record."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Protocol

from toolgym.judge.evaluation.made_with import benchmark_of
from toolgym.judge.evaluation.run_folder import RunFolder
from toolgym.judge.interop.reading import read_file, title
from toolgym.judge.interop.replay import Importer, choose_domain
from toolgym.judge.published.file import ENDING, read_results
from toolgym.sandbox.kit.errors import BadInput
from toolgym.sandbox.runtime.trajectory import Trajectory, read_trajectories


@dataclass(frozen=True)
class OpenedRun:
    """The conversations of one run.

    Attributes:
        name: the one given, or that of the folder or file.
        path: where they are.
        trajectories: the conversations; infrastructure failures among them only where a file holds them.
        failures: infrastructure failures that a run's folder keeps apart.
        settings: what run.json says; empty where there is none.
        skipped: how many records could not be read, or have no honest score.
        benchmark: which version of another benchmark was played or recorded; empty for worlds of our own.
    """

    name: str
    path: Path
    trajectories: tuple[Trajectory, ...]
    failures: tuple[Trajectory, ...] = ()
    settings: dict[str, Any] = field(default_factory=dict)
    skipped: int = 0
    benchmark: str = ""


def open_run(named: str, *, env: str | None, data: str) -> OpenedRun:
    """The conversations of a path, which may be preceded by a name: `people=results.json`.

    Args:
        named: a run's folder, a file of trajectories, a results file (whose claims are not checked here), or recorded
            runs of tau-bench or tau2-bench.
        env: the environment of recorded runs, where they do not tell.
        data: the body of data that recorded runs were played on.

    Raises:
        BadInput: there is nothing of the sort there.
    """
    name, found, path = named.partition("=")
    if not found or Path(named).exists():
        name, path = "", named
    opened = _open(Path(path), env, data)
    return replace(opened, name=name or opened.name)


def run_of(folder: RunFolder, *, bare: bool = False) -> OpenedRun:
    """The conversations of a run's folder, or of one that holds conversations alone; `bare`: without what was said."""
    settings = folder.settings() if folder.settings_file.is_file() else {}
    found, failed = tuple(folder.trajectories(bare=bare)), tuple(folder.failures())
    played_on = benchmark_of(settings.get("made_with") or {})
    benchmark = (settings.get("imported") or {}).get("version") or played_on
    return OpenedRun(folder.path.resolve().name, folder.path, found, failed, settings, benchmark=benchmark)


class _Named(Protocol):
    @property
    def name(self) -> str: ...


def named_apart(runs: Sequence[_Named]) -> None:
    """Check that every run has a name of its own.

    Raises:
        BadInput: two are called alike.
    """
    names = [run.name for run in runs]
    twice = next((name for name in names if names.count(name) > 1), None)
    if twice is not None:
        raise BadInput(f"Two runs are called {twice!r}; give names of your own, as in scripted={twice} people=FILE.")


def is_ours(path: Path) -> bool:
    """Whether conversations are in a form of toolgym's own, which `toolgym show` reads."""
    return path.is_dir() or path.suffix == ".jsonl" or path.name.endswith(ENDING)


def _open(path: Path, env: str | None, data: str) -> OpenedRun:
    folder = RunFolder(path)
    if folder.settings_file.is_file() or folder.trajectories_file.is_file():
        return run_of(folder)
    if path.is_file() and path.name.endswith(ENDING):
        header, episodes = read_results(path)
        settings = header.settings | {"made_with": header.made_with}
        played = tuple(episode.trajectory for episode in episodes)
        return OpenedRun(path.name.removesuffix(ENDING), path, played, settings=settings)
    if path.is_file() and path.suffix == ".jsonl":
        return OpenedRun(path.stem, path, tuple(read_trajectories(path)))
    return _recorded(path, env, data)


def _recorded(path: Path, env: str | None, data: str) -> OpenedRun:
    content = read_file(path)
    if not content.episodes:
        raise BadInput(f"{path} holds no episode that can be read.")
    importer = Importer(content, choose_domain(content, env), data)
    found = tuple(importer.trajectories())
    benchmark = content.version or importer.version
    return OpenedRun(title(path), path, found, skipped=len(content.unreadable), benchmark=benchmark)
