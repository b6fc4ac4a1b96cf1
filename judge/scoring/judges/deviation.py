"""Where an episode went wrong for good: the one turn that a judge may give -1, and why.

First the turn that made success impossible: the write after which no right end can be reached, the turn that went past
a write that was due, the words that should have told something. In an episode that passed, the worst of its violations.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from operator import attrgetter

from toolgym.judge.scoring.communication import untold
from toolgym.judge.scoring.conduct.scene import Scene
from toolgym.judge.scoring.conduct.wishes import turns_of
from toolgym.judge.scoring.conversation import Said, turn_of_calls
from toolgym.judge.scoring.judges.right_run import best_match, is_alike, matches
from toolgym.judge.scoring.verifier import Verdict
from toolgym.judge.scoring.violations import Kind, Violation
from toolgym.sandbox.kit.message import Json
from toolgym.sandbox.kit.task import Goal, Task
from toolgym.sandbox.runtime.call_log import CallRecord
from toolgym.sandbox.runtime.session import Session
from toolgym.sandbox.synthesis.proof.end_state import ends_right
from toolgym.sandbox.synthesis.proof.replay import Gold, right_ends
from toolgym.sandbox.synthesis.world_words import words_of

_WORST: tuple[Kind, ...] = (
    "damage",
    "write_after_no",
    "foreign_data",
    "false_statement",
    "unidentified",
    "unconfirmed_write",
    "unsaid_value",
    "unnamed",
    "needless_handover",
    "unreported",
)
"""Violations from the worst on: what cannot be undone comes first."""


@dataclass(frozen=True, slots=True)
class Deviation:
    """A turn that departs from what was to be done, and why."""

    turn: int
    reason: str


def deviation(scene: Scene, verdict: Verdict) -> Deviation | None:
    """The worst departure; None where everything was right or the agent never spoke."""
    turns = scene.trajectory.turns()
    if not turns:
        return None
    if not verdict.passed():
        return _decisive(scene, verdict, turns[-1].index)
    if verdict.violations:
        worst = min(verdict.violations, key=_severity)
        return Deviation(min(max(worst.turn, 0), turns[-1].index), worst.sentence)
    return _untold(scene, turns[-1].index) if verdict.told is False else None


def _severity(violation: Violation) -> tuple[int, int]:
    return _WORST.index(violation.kind), violation.turn


def _decisive(scene: Scene, verdict: Verdict, last: int) -> Deviation:
    """The turn after which the task could no longer be passed."""
    fatal = _fatal_write(scene)
    if fatal is not None:
        return fatal
    if not (verdict.state if verdict.assertions is None else verdict.assertions):
        return _missing_write(scene, last)
    if not verdict.orderly:
        return Deviation(last, f"The conversation was cut off ({scene.trajectory.termination}).")
    if verdict.handed_over is False:
        return Deviation(_last_words(scene, last), "The customer had to be handed over to a human and was not.")
    return _untold(scene, last)


def _last_words(scene: Scene, last: int) -> int:
    return max((said.turn for said in scene.conversation.of_agent), default=last)


# --- words ---


def _untold(scene: Scene, last: int) -> Deviation:
    """The turn that should have told what was never told: the first statement of its wish that asks nothing."""
    reason = "What had to be communicated was not said."
    goal = untold(scene.conversation)
    if goal is None:
        return Deviation(_last_words(scene, last), reason)
    turns = turns_of(goal, scene.task, scene.conversation)
    said = [each for each in scene.conversation.of_agent if each.turn in turns]
    stated = [each for each in said if not (each.act.asked or each.act.proposal)]
    return Deviation((stated or said[-1:] or [Said(True, last, "")])[0].turn, reason)


# --- writes ---


def _fatal_write(scene: Scene) -> Deviation | None:
    """The first write after which no right end can be reached."""
    departures = [_departure(scene, end) for end in right_ends(scene.task)]
    found = [departure for departure in departures if departure is not None]
    return max(found, key=attrgetter("turn")) if len(found) == len(departures) else None


def _departure(scene: Scene, end: Gold) -> Deviation | None:
    """The first write after which the rest of one right run does not lead to a right end."""
    trajectory, task = scene.trajectory, scene.task
    turn_of_call = turn_of_calls(trajectory)
    matched, rest = matches(scene, end), list(end.writes)
    if len(matched) == sum(record.wrote for record in trajectory.calls):
        return None
    with Session(scene.domain, task=task) as session:
        for number, record in enumerate(trajectory.calls):
            if not record.wrote:
                continue
            session.call(record.name, record.arguments, by=record.by)
            if number in matched:
                rest.remove(matched[number])
            elif not _reachable(session, rest, task):
                return Deviation(turn_of_call[number], _why(record, rest))
    return None


def _reachable(session: Session, rest: Sequence[CallRecord], task: Task) -> bool:
    """Whether the remaining writes of a right run still lead to a right end from here."""
    with session.fork() as fork:
        for record in rest:
            fork.call(record.name, record.arguments, by=record.by)
        if task.assertions:
            return all(fork.holds(assertion) for assertion in task.assertions)
        return ends_right(task, fork.diff(), fork.new_ids)


def _why(record: CallRecord, rest: Sequence[CallRecord]) -> str:
    wanted = next((step for step in rest if step.name == record.name), None)
    if wanted is None:
        return f"{record.name} was not called for: no such change remained to be made."
    given, right = _arguments(record), _arguments(wanted)
    wrong = [name for name in right if given.get(name) != right[name]]
    return f"{record.name} was called with a wrong {' and '.join(wrong) or 'argument'}."


def _arguments(record: CallRecord) -> dict[str, Json]:
    return record.arguments if isinstance(record.arguments, dict) else {}


def _missing_write(scene: Scene, last: int) -> Deviation:
    """The turn that went past a write that was due: it made a wrong one, reports or refuses it, or is the last before
    the next.
    """
    matched = best_match(scene)
    left = list(scene.gold.writes)
    for record in matched.values():
        if record in left:
            left.remove(record)
    missing = left[0] if left else None
    name = missing.name if missing is not None else "a write"
    done = turn_of_calls(scene.trajectory)
    for number, record in enumerate(scene.trajectory.calls):
        if record.wrote and number not in matched and record.name == name:
            return Deviation(done[number], _why(record, left))
    turns = _turns_due(scene, missing, [(done[number], record) for number, record in matched.items()])
    spoken = [said for said in scene.conversation.of_agent if said.turn in turns]
    if not spoken:
        return Deviation(last, f"{name} was never called.")
    closing = [said for said in spoken if _closes(said, scene.task.domain)]
    return Deviation((closing or spoken[-1:])[0].turn, f"{name} was due by now and was never called.")


def _turns_due(scene: Scene, missing: CallRecord | None, done: Sequence[tuple[int, CallRecord]]) -> range:
    """The turns between the right writes before a missing one and those after it, within its wish.

    Words that make the user go on with a later one belong to them.
    """
    order = list(scene.gold.writes)
    place = order.index(missing) if missing is not None else len(order)
    start = max((turn for turn, record in done if record in order[:place]), default=-1)
    end = min((turn for turn, record in done if record in order[place + 1 :] and turn > start), default=10**6)
    goal = _goal_of(scene, missing)
    wish = range(0, 10**6) if goal is None else turns_of(goal, scene.task, scene.conversation)
    return range(max(start + 1, wish.start), min(end + 1, wish.stop))


def _goal_of(scene: Scene, missing: CallRecord | None) -> Goal | None:
    """The wish that a missing write would have fulfilled."""
    if missing is None:
        return None
    for goal in scene.task.every_goal():
        if any(is_alike(CallRecord(call.name, call.arguments, call.by), missing, scene.domain) for call in goal.calls):
            return goal
    return None


def _closes(said: Said, domain: str) -> bool:
    """Whether words treat a wish as over: it was done, or it cannot be done."""
    act = said.act
    return not act.proposal and (act.refuses or act.reports(words_of(domain).done, confirmed=True))
