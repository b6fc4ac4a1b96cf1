"""An episode's scores as Inspect's: passed, and passed by good conduct, each with what it rests on."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from textwrap import shorten

from inspect_ai.scorer import CORRECT, INCORRECT, Score

from toolgym.judge.scoring.reward import TurnScores
from toolgym.judge.scoring.verifier import Basis, Verdict
from toolgym.sandbox.runtime.trajectory import Trajectory, Turn
from toolgym.sandbox.synthesis.proof.replay import gold_diff

_SHOWN = 70
"""Characters of a message that the table of turns shows."""


def passed(verdict: Verdict, turns: TurnScores, basis: Basis) -> Score:
    """The verifier's verdict, with the judge's score and reason for every turn."""
    return Score(
        value=CORRECT if verdict.passed(basis) else INCORRECT,
        answer=verdict.trajectory.termination,
        explanation="\n\n".join(part for part in (_outcome(verdict, basis), _turns(turns, verdict.trajectory)) if part),
        metadata={
            "verdict": verdict.to_json() | {"told": verdict.told, "reason_given": verdict.reason_given},
            "judge": turns.source,
            "turns": None if turns.scores is None else list(turns.scores),
            "reasons": list(turns.reasons),
        },
    )


def clean_pass(verdict: Verdict) -> Score:
    """Passed by good conduct: everything told, no rule broken."""
    broken = verdict.violations
    sentences = [f"- turn {v.turn}, {v.kind.replace('_', ' ')} ({v.rule}): {v.sentence}" for v in broken]
    first = _sentence(list(_faults(verdict)), verdict.clean, "Passed by good conduct", "No clean pass")
    return Score(
        value=CORRECT if verdict.clean else INCORRECT,
        answer=verdict.trajectory.termination,
        explanation="\n".join([first, *([""] if sentences else []), *sentences]),
        metadata={"violations": [violation.to_json() for violation in broken]},
    )


def _sentence(faults: list[str], right: bool, good: str, bad: str) -> str:
    return f"{good}." if right else f"{bad}: {'; '.join(faults)}."


def _outcome(verdict: Verdict, basis: Basis) -> str:
    played = verdict.trajectory
    said = _sentence(list(_why_failed(verdict, basis)), verdict.passed(basis), "Passed", "Failed")
    count = len(played.turns())
    rows = f"Changed rows: {len(played.diff)}, in the right run {len(gold_diff(played.task))}"
    return f"{said} Ended by {played.termination} after {count} turn{'' if count == 1 else 's'}. {rows}."


def _why_failed(verdict: Verdict, basis: Basis) -> Iterable[str]:
    if not verdict.orderly:
        yield f"the conversation was cut off ({verdict.trajectory.termination})"
    if verdict.assertions is not None:
        if not verdict.assertions:
            yield "what must hold at the end does not"
    elif basis == "state" and not verdict.state:
        yield "the rows changed are not those of a right run"
    elif basis == "writes" and not verdict.writes:
        yield "the calls that write are not those of a right run"
    if verdict.answer is False:
        yield "the program did not come to the right answer"
    if verdict.handed_over is False:
        yield "it was not handed over, as a right run does"
    if not verdict.needs_write and verdict.told is False:
        yield "what had to be told was not"


def _faults(verdict: Verdict) -> Iterable[str]:
    if not verdict.passed():
        yield "it did not pass"
    if verdict.told is False:
        yield "not everything was told that had to be"
    if verdict.violations:
        yield f"{len(verdict.violations)} rules broken" if len(verdict.violations) > 1 else "a rule broken"


def _turns(turns: TurnScores, played: Trajectory) -> str:
    """The judge's scores as a table."""
    if turns.scores is None:
        return f"Turns not judged ({turns.source}): {' '.join(turns.reasons)}"
    rows = [
        f"| {turn.index} | {_cell(_done(turn))} | {score} | {_cell(reason)} |"
        for turn, score, reason in zip(played.turns(), turns.scores, turns.reasons, strict=False)
    ]
    head = [f"| # | the agent | score ({turns.source}) | reason |", "| --- | --- | --- | --- |"]
    return "\n".join([*head, *rows])


def _done(turn: Turn) -> str:
    """What the agent did in a turn: its calls, or how its words begin."""
    made = Counter(call.name for call in turn.action.tool_calls)
    calls = ", ".join(name if count == 1 else f"{name} ({count} times)" for name, count in made.items())
    return calls or shorten(turn.action.content or "nothing", _SHOWN, placeholder=" ...")


def _cell(text: str) -> str:
    return " ".join(text.replace("|", "\\|").split())
