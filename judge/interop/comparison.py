"""Where our verdict on an imported episode differs from the recorded one, and why."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from rich.console import Group
from rich.padding import Padding
from rich.text import Text

from toolgym.judge.interop.criteria import outcome_by_their_rule
from toolgym.judge.scoring.verifier import Basis, Verdict, verify
from toolgym.sandbox.language.text_match import first_wording
from toolgym.sandbox.runtime.info import CallDifference, RecordedEpisode
from toolgym.sandbox.runtime.trajectory import Trajectory

_ENTRIES = 20
"""Entries that the terminal shows; every conversation is in comparison.jsonl."""


@dataclass(frozen=True, slots=True)
class Comparison:
    """One imported episode, scored three times.

    Attributes:
        task, trial: which one.
        recorded: the reward in the file; None where there is none.
        by_their_rule: the reward by the benchmark's rule, computed here; None where it needs a judge of language.
        state, writes: passed on either basis of our verifier; None where broken infrastructure left nothing to judge.
        ours: passed on the basis chosen.
        differing_calls: calls that are done there and refused here or the other way round.
        differing_results: calls that are done in both with another result.
        reasons: why our verdict, or the rule computed here, is not the recorded one; empty where they agree.
    """

    task: str
    trial: int
    recorded: float | None
    by_their_rule: float | None
    state: bool | None
    writes: bool | None
    ours: bool | None
    differing_calls: int
    differing_results: int
    reasons: tuple[str, ...]

    @property
    def passed_there(self) -> bool | None:
        """Success as recorded: a reward of one."""
        return None if self.recorded is None else abs(self.recorded - 1) <= 1e-6

    def to_json(self) -> dict[str, Any]:
        """The line of comparison.jsonl."""
        return asdict(self) | {"agrees": self.ours == self.passed_there}


def compare(trajectory: Trajectory, basis: Basis = "state", nl_assertions: Sequence[bool] | None = None) -> Comparison:
    """Score an imported trajectory by both rules and hold it against its record.

    Args:
        trajectory: an imported one.
        basis: of our verdict.
        nl_assertions: which of the task's assertions in natural language hold, where a judge said so.
    """
    recorded = _recorded(trajectory)
    kinds = [difference.kind for difference in recorded.differences]
    counts = {
        "differing_calls": sum(kind.startswith(("refused", "done")) for kind in kinds),
        "differing_results": kinds.count("another result"),
    }
    common: dict[str, Any] = {
        "task": trajectory.task.id,
        "trial": trajectory.trial,
        "recorded": recorded.reward,
        **counts,
    }
    if trajectory.fault is not None:
        why = f"left out: {trajectory.fault.boundary} failure: {trajectory.fault.message}"
        return Comparison(**common, by_their_rule=None, state=None, writes=None, ours=None, reasons=(why,))
    verdict = verify(trajectory)
    theirs = outcome_by_their_rule(trajectory, recorded.basis, verdict, nl_assertions)
    found = Comparison(
        **common,
        by_their_rule=theirs.reward,
        state=verdict.passed("state"),
        writes=verdict.passed("writes"),
        ours=verdict.passed(basis),
        reasons=(),
    )
    if found.passed_there == found.ours and theirs.reward in (None, recorded.reward):
        return found
    reasons = tuple(_reasons(trajectory, verdict, theirs.components, found.passed_there, basis)) or ("no reason found",)
    return Comparison(**(asdict(found) | {"reasons": reasons}))


def _reasons(
    trajectory: Trajectory,
    verdict: Verdict,
    here: Any,
    passed_there: bool | None,
    basis: Basis,
) -> Iterable[str]:
    recorded = _recorded(trajectory)
    there, parts, reward = recorded.components, recorded.basis, recorded.reward
    if reward is None:
        yield "the file holds no reward"
        return
    if reward not in (0, 1):
        yield f"the recorded reward {reward:g} is neither 0 nor 1; only 1 counts as passed"
    for part in parts:
        if part in there and part in here and bool(there[part]) != bool(here[part]):
            yield f"{part} is {there[part]:g} there and {here[part]:g} here{_world(recorded.differences)}"
    if "NL_ASSERTION" in parts and "NL_ASSERTION" not in here:
        yield "its natural-language assertions were not judged here"
    ours = verdict.passed(basis)
    if verdict.orderly and ours != passed_there:
        yield from _rules(trajectory, verdict, here, parts, ours)
    if not verdict.orderly and passed_there:
        yield f"the conversation was cut off ({trajectory.termination}), which never counts as passed here"


def _rules(trajectory: Trajectory, verdict: Verdict, here: Any, parts: Sequence[str], ours: bool) -> Iterable[str]:
    """What one rule asks and the other does not."""
    extra = [part for part in parts if part not in ("DB", "ENV_ASSERTION") and here.get(part) == 0]
    if ours and "COMMUNICATE" in extra:
        texts = ", ".join(repr(first_wording(text)) for text in trajectory.task.communicate)
        if verdict.communicate:
            yield f"their rule asks for {texts} in these very words; here it was said in others that count as well"
        else:
            yield f"their rule also asks for {texts} to be said; here that counts only where nothing is to be written"
    if ours and "ACTION" in extra:
        yield "their rule also asks for every gold call by itself; here the end state decides"
    if not ours and verdict.state and verdict.handed_over is False:
        yield "the gold run hands the conversation over and this one does not, which their rule does not ask"
    if not ours and verdict.state and verdict.communicate is False and here.get("COMMUNICATE") == 1:
        yield "the text to be told occurs only inside another word or number, which their rule takes as said"
    if verdict.assertions is not None and verdict.assertions != bool(here.get("DB", 1)) and "DB" in parts:
        yield "their rule compares the end state with gold; here the task's assertions decide"
    if verdict.passed("state") != verdict.passed("writes"):
        yield "the end state and the write calls disagree with each other"


def _recorded(trajectory: Trajectory) -> RecordedEpisode:
    assert trajectory.info.recorded is not None, "only imported trajectories are compared"
    return trajectory.info.recorded


def _world(differences: Sequence[CallDifference]) -> str:
    """The calls that went another way here, writes first."""
    calls = [entry for entry in differences if entry.kind != "another result"]
    calls += [entry for entry in differences if entry.kind == "another result" and entry.write]
    if not calls:
        return ""
    shown = "; ".join(f"{entry.tool} {entry.kind} ({_why(entry)})" for entry in calls[:2])
    return f": {shown}{f' and {len(calls) - 2} more' if len(calls) > 2 else ''}"


def _why(entry: CallDifference) -> str:
    text = entry.here if entry.kind.startswith("done") else entry.there
    return text.removeprefix("Error: ")[:120]


def summarise(comparisons: Sequence[Comparison]) -> dict[str, Any]:
    """The counts, as JSON-able data."""
    judged = [item for item in comparisons if item.ours is not None]
    scored = [item for item in judged if item.recorded is not None]
    ruled = [item for item in scored if item.by_their_rule is not None]
    return {
        "episodes": len(comparisons),
        "left_out": len(comparisons) - len(judged),
        "recorded": len(scored),
        "passed_there": sum(bool(item.passed_there) for item in scored),
        "passed_here": sum(bool(item.ours) for item in judged),
        "passed_by_writes": sum(bool(item.writes) for item in judged),
        "same_verdict": sum(item.passed_there == item.ours for item in scored),
        "by_their_rule": len(ruled),
        "same_reward": sum(abs((item.by_their_rule or 0) - (item.recorded or 0)) <= 1e-6 for item in ruled),
        "differing_calls": sum(item.differing_calls for item in comparisons),
        "differing_results": sum(item.differing_results for item in comparisons),
    }


def table(comparisons: Sequence[Comparison]) -> Group:
    """The comparison for the terminal: the counts, then the tasks on which verdicts or rewards differ, and why."""
    counts = summarise(comparisons)
    lines = [
        f"passed there (by their rule) {counts['passed_there']}/{counts['recorded']}, here {counts['passed_here']}/"
        f"{counts['episodes'] - counts['left_out']} (by writes {counts['passed_by_writes']}); same verdict on "
        f"{counts['same_verdict']}/{counts['recorded']}",
        f"their rule computed here: the recorded reward on {counts['same_reward']}/{counts['by_their_rule']}",
        f"calls with another outcome here: {counts['differing_calls']}, with another result: "
        f"{counts['differing_results']}; episodes left out: {counts['left_out']}",
    ]
    return Group(Text("\n".join(lines)), *_differing([item for item in comparisons if item.reasons]))


def _differing(items: Sequence[Comparison]) -> Iterable[Text | Padding]:
    """One entry for the trials of a task that came out alike: which, how, and below it why, in the whole width."""
    alike: dict[tuple[Any, ...], list[int]] = defaultdict(list)
    for item in items:
        alike[item.task, item.recorded, item.by_their_rule, item.ours, item.reasons].append(item.trial)
    if items:
        tasks = len({item.task for item in items})
        shown = f"{_counted(len(items), 'conversation')} of {_counted(tasks, 'task')}"
        yield Text(f"\nVerdicts or rewards that differ: {shown}", style="italic")
    for (task, recorded, theirs, ours, reasons), trials in list(alike.items())[:_ENTRIES]:
        verdict = {True: "passed", False: "failed", None: "left out"}[ours]
        where = f"{task} (trial{'s' if len(trials) > 1 else ''} {', '.join(map(str, sorted(trials)))})"
        yield Text(f"{where}: recorded {_number(recorded)}, their rule {_number(theirs)}, ours {verdict}")
        yield Padding(Text("; ".join(reasons)), (0, 0, 0, 4))
    if len(alike) > _ENTRIES:
        rest = sum(map(len, list(alike.values())[_ENTRIES:]))
        yield Text(f"and {_counted(rest, 'more conversation')} in comparison.jsonl")


def _counted(count: int, noun: str) -> str:
    return f"{count} {noun}{'' if count == 1 else 's'}"


def _number(value: float | None) -> str:
    return "-" if value is None else f"{value:g}"
