"""Checks a results file: whether its episodes come to what it claims, and are the whole of what it says was played."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from toolgym.judge.evaluation.made_with import (
    in_words,
    recorded_number,
    rows_digest,
    tasks_digest,
    toolgym_version,
    user_number,
)
from toolgym.judge.evaluation.settings import EvalSettings
from toolgym.judge.published.differences import CUT, differences
from toolgym.judge.published.file import Claim, Episode, Header, claim_of, read_results, scores_of, without_place
from toolgym.judge.published.replay import Replay, calls_again, settings_of
from toolgym.sandbox.kit.errors import BadInput, ToolgymError
from toolgym.sandbox.kit.task import Task
from toolgym.sandbox.runtime import registry
from toolgym.sandbox.runtime.trajectory import Trajectory


@dataclass
class Findings:
    """What a check found.

    Attributes:
        header: the file's first line.
        problems: what does not agree, a sentence each; none where the file is verified.
        notes: what is true of the file and a reader should know.
        unchecked: what no check of a file can tell.
        episodes: how many were played again.
        calls: how many tool calls were made for that.
        scores: recomputed.
    """

    header: Header
    problems: list[str] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    unchecked: list[str] = field(default_factory=list)
    episodes: int = 0
    calls: int = 0
    scores: dict[str, Any] = field(default_factory=dict)

    @property
    def verified(self) -> bool:
        """Whether everything that can be checked agrees."""
        return not self.problems


def check(path: Path, data: str | None = None, progress: Callable[[int], None] = lambda done: None) -> Findings:
    """Play a results file again and compare.

    Args:
        path: the file.
        data: where its data are here, such as tau2:PATH or own:FILE; None where they are installed.
        progress: told how many episodes are done.

    Raises:
        BadInput: it is no results file, it is damaged, or its data are not here.
    """
    header, lines = read_results(path)
    found = Findings(header)
    episodes = [_placed(episode, data) for episode in lines]
    if "imported" in header.settings:
        _check_imported(episodes, found, progress)
    else:
        _check_run(episodes, found, data, progress)
    _check_scores(found)
    return found


def _placed(episode: Episode, data: str | None) -> Episode:
    """An episode whose data are where the reader says: a file is not to name a place of this machine."""
    task = episode.trajectory.task
    if registry.is_benchmark(task.domain):
        raise BadInput(f"{_name(episode)} is of {task.domain}, which names a folder; such a file is not checked.")
    kind, found, _ = task.data.partition(":")
    if not found:
        return episode
    if data is None or data.partition(":")[0] != kind:
        raise BadInput(f"It was played on {task.data}; say where that is here: --data {kind}:PATH.")
    here = episode.trajectory.model_copy(update={"task": task.model_copy(update={"data": data})})
    return replace(episode, trajectory=here)


# --- a run of ours ---


def _check_run(episodes: Sequence[Episode], found: Findings, data: str | None, progress: Callable[[int], None]) -> None:
    settings = settings_of(found.header.settings, data)
    _require_data(settings, data, episodes)
    spoken = settings.modality == "speech"
    number = recorded_number(found.header.made_with)
    own = [episode.trajectory.task for episode in episodes] if settings.data.startswith("own:") and not data else None
    try:
        replay = Replay(settings, tasks=_distinct(own) if own is not None else None, number=number)
    except ToolgymError as error:
        raise BadInput(f"The data that it was played on are not here: {error}") from None
    tasks = {task.id: task for task in replay.tasks}
    _check_world(replay.tasks, found)
    _check_whole(episodes, tasks, settings.trials, found)
    _say_selection(settings, tasks, found, own=own is not None)
    _say_settings(settings, found)
    if settings.user == "scripted" and not (settings.alone or replay.user_speaks):
        here = user_number("scripted")
        found.notes.append(f"It was played with the scripted user {number}, and this toolgym has number {here}.")
    _check_names(episodes, found)
    claims: list[tuple[str, Claim | None]] = []
    for done, episode in enumerate(episodes, start=1):
        task = tasks.get(episode.trajectory.task.id)
        if task is not None:
            claims.append((task.id, _judged(episode, _again(replay, task, episode, found, spoken=spoken), found)))
        progress(done)
    found.scores = scores_of(claims)
    _say_unchecked(found, agent=not replay.agent_speaks, user=not replay.user_speaks and not settings.alone)
    if spoken:
        found.unchecked.append("what was said aloud: sound is not in the file, so the words are taken as recorded")


def _require_data(settings: EvalSettings, given: str | None, episodes: Sequence[Episode]) -> None:
    """Refuse what cannot be checked without a folder or a file of the reader's."""
    if not episodes:
        raise BadInput("The file holds no episode.")
    kind, found, _ = settings.data.partition(":")
    changed = settings.perturb is not None or settings.canary or settings.auth == "profile"
    if found and given is None and (kind != "own" or changed):
        raise BadInput(f"It was played on {settings.data}; say where that is here: --data {kind}:PATH.")


def _distinct(tasks: Sequence[Task]) -> list[Task]:
    return list({task.id: task for task in tasks}.values())


def _check_world(tasks: Sequence[Task], found: Findings) -> None:
    """The rows and tasks here against those it was made with."""
    made = found.header.made_with
    if not made:
        found.notes.append("The run does not tell what it was made with, so its data version is not compared.")
        return
    worlds = {(task.domain, task.data) for task in tasks}
    here = {f"{domain} ({data.partition(':')[0]})": rows_digest(domain, data) for domain, data in worlds}
    other = [name for name, digest in here.items() if made.get("rows", {}).get(name, digest) != digest]
    versions = f"made with toolgym {', '.join(map(str, made.get('toolgym', ['?'])))}, checked with {toolgym_version()}"
    if other:
        found.problems.append(f"The rows of {other[0]} it was played on are not here ({versions}).")
    if made.get("tasks") != tasks_digest(tasks):
        found.problems.append(f"The tasks it says it was played on are not those here ({versions}).")
    if toolgym_version() not in made.get("toolgym", ()):
        found.notes.append(f"Another toolgym checks it than made it: {versions}.")


def _check_whole(episodes: Sequence[Episode], tasks: Mapping[str, Task], trials: int, found: Findings) -> None:
    """Every task and trial once: nothing dropped, doubled or brought in."""
    seen: set[tuple[str, int]] = set()
    for episode in episodes:
        key = (episode.trajectory.task.id, episode.trajectory.trial)
        if key in seen:
            found.problems.append(f"{_name(episode)} is there twice.")
        elif key[0] not in tasks or not 0 <= key[1] < trials:
            found.problems.append(f"{_name(episode)} is none of what was played: {len(tasks)} tasks, {trials} trials.")
        seen.add(key)
    missing = [(task, trial) for task in tasks for trial in range(trials) if (task, trial) not in seen]
    if missing:
        first = f"{missing[0][0]} (trial {missing[0][1]})"
        found.problems.append(f"{len(missing)} of {len(tasks) * trials} episodes are missing, such as {first}.")


def _say_selection(settings: EvalSettings, tasks: Mapping[str, Task], found: Findings, *, own: bool) -> None:
    if own:
        found.notes.append(
            f"Its tasks ({without_place(settings.data)}) are the file's own, of no published split: --data own:FILE "
            "compares them with yours."
        )
    elif settings.tasks or settings.depth is not None:
        by_number = len(settings.tasks) == 1 and settings.tasks[0] not in tasks
        which = f"the first {len(tasks)} tasks" if by_number else f"{len(tasks)} tasks that were chosen"
        found.notes.append(f"It is about {which} of the split {settings.split!r}, not about all of it.")


_PRINTED = frozenset({"env", "agent", "agent_model", "user", "user_model", "data", "split", "tasks"})
"""Settings that are said anyway."""


def _say_settings(settings: EvalSettings, found: Findings) -> None:
    """What was not as usual, since a score means something else under it."""
    unusual = []
    for name, value in settings.identity().items():
        usual = EvalSettings.model_fields[name].get_default(call_default_factory=True)
        if name not in _PRINTED and value != usual and name in found.header.settings:
            unusual.append(f"{name} {value}")
    if unusual:
        found.notes.append(f"Its settings are not the usual ones in {', '.join(unusual)}.")


def _check_names(episodes: Sequence[Episode], found: Findings) -> None:
    """Every episode by the players that the settings name."""
    for role in ("agent", "user"):
        player, model = (str(found.header.settings.get(name) or "") for name in (role, f"{role}_model"))
        named = {getattr(episode.trajectory, role) for episode in episodes}
        strangers = sorted(named - {player, f"{player}:{model}", "none"})
        if strangers:
            found.problems.append(f"The settings name the {role} {player}, episodes name {strangers[0]!r}.")


def _again(replay: Replay, task: Task, episode: Episode, found: Findings, *, spoken: bool) -> Trajectory | None:
    """The episode played again; None where it was cut by broken infrastructure or cannot be played."""
    recorded = episode.trajectory
    if recorded.termination == "infrastructure_error":
        if episode.claim is not None:
            found.problems.append(f"{_name(episode)} was cut by broken infrastructure, and a score is claimed for it.")
        return None
    if spoken:
        return _calls_compared(replay.played(task), episode, found)
    again = replay.play(task, recorded, scripted=replay.agent_speaks)
    found.episodes, found.calls = found.episodes + 1, found.calls + len(again.calls)
    difference = next(differences(recorded, again, users_notes=replay.user_speaks), None)
    if difference is not None:
        found.problems.append(f"{_name(episode)}: {difference}.")
    return again


def _judged(episode: Episode, again: Trajectory | None, found: Findings) -> Claim | None:
    """What the episode comes to, held against what is claimed."""
    if again is None:
        return None
    if again.fault is not None:  # the record goes on otherwise, or the clock ended it: judged as far as it came
        again = again.model_copy(update={"fault": None, "termination": _ending(episode.trajectory)})
    right = claim_of(again, found.header.basis)
    if right != episode.claim:
        found.problems.append(f"{_name(episode)}: claimed {_words(episode.claim)}, comes to {_words(right)}.")
    return right


def _ending(recorded: Trajectory) -> Any:
    """The recorded ending where no replay comes to it, otherwise one that never passes."""
    return recorded.termination if recorded.termination in CUT else "max_turns"


def _words(claim: Claim | None) -> str:
    if claim is None:
        return "nothing"
    return "a clean pass" if claim.clean else "a pass that is not clean" if claim.passed else "a failure"


def _name(episode: Episode) -> str:
    return f"{episode.trajectory.task.id} (trial {episode.trajectory.trial}, line {episode.line})"


# --- another benchmark's run, and speech ---


def _check_imported(episodes: Sequence[Episode], found: Findings, progress: Callable[[int], None]) -> None:
    """An imported run: its calls, since its words and tasks are another benchmark's."""
    claims: list[tuple[str, Claim | None]] = []
    tasks = _distinct([episode.trajectory.task for episode in episodes])
    _check_world(tasks, found)
    seen: set[tuple[str, int]] = set()
    for done, episode in enumerate(episodes, start=1):
        key = (episode.trajectory.task.id, episode.trajectory.trial)
        if key in seen:
            found.problems.append(f"{_name(episode)} is there twice.")
        seen.add(key)
        cut = episode.trajectory.termination == "infrastructure_error"
        again = None if cut else _calls_compared(episode.trajectory.task, episode, found)
        claims.append((key[0], _judged(episode, again, found)))
        progress(done)
    found.scores = scores_of(claims)
    _say_unchecked(found, agent=True, user=True)
    found.unchecked.append("that it is the whole of the imported file, with its tasks: import that file yourself")


def _calls_compared(task: Task, episode: Episode, found: Findings) -> Trajectory:
    recorded = episode.trajectory
    again = calls_again(task, recorded)
    found.episodes, found.calls = found.episodes + 1, found.calls + len(again.calls)
    difference = next(differences(recorded, again, users_notes=False), None)
    if difference is not None:
        found.problems.append(f"{_name(episode)}: {difference}.")
    return again


# --- all together ---


def _check_scores(found: Findings) -> None:
    for name, right in found.scores.items():
        claimed = found.header.scores.get(name)
        if not _same(claimed, right):
            found.problems.append(f"The file claims {name} {_figure(claimed)}, and it comes to {_figure(right)}.")
    left, first = found.scores["left_out"], found.scores["pass_hat"].get("1", 0.0)
    if left:
        count = found.scores["episodes"]
        failed = first * count / (count + left)  # of all episodes, whichever task they are of
        found.notes.append(
            f"{left} episodes are left out as failures of the infrastructure, on the run's word; counted as failed, "
            f"{failed:.3f} of all pass."
        )
    if found.header.made_with:
        found.notes.append(f"Made with {in_words(found.header.made_with)}.")


def _same(claimed: Any, right: Any) -> bool:
    if isinstance(right, dict):
        return isinstance(claimed, dict) and {*claimed} == {*right} and all(_same(claimed[k], right[k]) for k in right)
    if isinstance(right, float) and isinstance(claimed, int | float):
        return abs(claimed - right) < 1e-9
    return bool(claimed == right)


def _figure(value: Any) -> str:
    if isinstance(value, dict):
        return ", ".join(f"{name}: {_figure(each)}" for name, each in value.items())
    return f"{value:.3f}" if isinstance(value, float) else str(value)


def _say_unchecked(found: Findings, *, agent: bool, user: bool) -> None:
    who = " and ".join([*(["the agent"] if agent else []), *(["the user"] if user else [])])
    if who:
        found.unchecked.append(f"that {who} really said this: the words are taken as recorded")
        found.unchecked.append("that this run was not chosen among several")
