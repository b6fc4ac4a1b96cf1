"""The rule judge: turn scores without a model, by replaying what the agent wrote. The offline default.

The turn that first made success impossible gets -1: after it, the gold run's remaining writes no longer lead to the
gold state. Turns with a slip that did not decide the outcome get 0: a refused call, an action that could not be read, a
write before the user was identified or without a yes to a proposal. All others get 1. (TARL section 3.2 asks an LLM
for the same three classes.)
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from operator import attrgetter

from judge.scoring.conversation import turn_of_calls
from judge.scoring.reward import TurnScores
from judge.scoring.verifier import normal_call, verify
from sandbox.kit.message import Json, Message
from sandbox.kit.task import Task
from sandbox.language.dialogue_acts import parse_act
from sandbox.runtime.call_log import CallRecord
from sandbox.runtime.registry import get_domain
from sandbox.runtime.session import Session
from sandbox.runtime.trajectory import Trajectory
from sandbox.synthesis.proof.end_state import ends_right
from sandbox.synthesis.proof.replay import Gold, gold_of, right_ends
from sandbox.users.world_words import words_of

_YES = re.compile(
    r"\b(?:yes|yeah|yep|sure|ok|okay|correct|right|fine|agreed|confirm(?:ed)?|go ahead|please do|do it|sounds good|"
    r"exactly)\b",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Deviation:
    """The turn that made success impossible, and why."""

    turn: int
    reason: str


class RulesJudge:
    """Scores turns by rules; deterministic."""

    async def score(self, trajectory: Trajectory) -> TurnScores:
        """One score and reason per turn."""
        return judge(trajectory)


def judge(trajectory: Trajectory) -> TurnScores:
    """One score and reason per turn; not judged where infrastructure cut the episode."""
    if trajectory.termination == "infrastructure_error":
        return TurnScores(None, ("The episode was cut by an infrastructure failure.",), "rules")
    found = deviation(trajectory)
    slips = _slips(trajectory)
    scores, reasons = [], []
    for turn in range(len(trajectory.turns())):
        if found is not None and turn == found.turn:
            scores.append(-1)
            reasons.append(found.reason)
        else:
            scores.append(0 if turn in slips else 1)
            reasons.append(slips.get(turn, ""))
    return TurnScores(tuple(scores), tuple(reasons), "rules")


def deviation(trajectory: Trajectory) -> Deviation | None:
    """The turn after which the task could no longer be passed; None when it was passed or the agent never spoke."""
    verdict = verify(trajectory)
    turns = trajectory.turns()
    if verdict.passed() or not turns:
        return None
    fatal = _fatal_write(trajectory)
    if fatal is not None:
        return fatal
    if not (verdict.state if verdict.assertions is None else verdict.assertions):
        return _missing_write(trajectory)
    if not verdict.orderly:
        return Deviation(turns[-1].index, f"The conversation was cut off ({trajectory.termination}).")
    spoken = [turn.index for turn in turns if turn.action.content and not turn.action.tool_calls]
    last = spoken[-1] if spoken else turns[-1].index
    if verdict.handed_over is False:
        return Deviation(last, "The customer had to be handed over to a human and was not.")
    return Deviation(last, "What had to be communicated was not said.")


# --- writes ---


def _fatal_write(trajectory: Trajectory) -> Deviation | None:
    """The first write after which no right end can be reached."""
    departures = [_departure(trajectory, end) for end in right_ends(trajectory.task)]
    found = [departure for departure in departures if departure is not None]
    return max(found, key=attrgetter("turn")) if len(found) == len(departures) else None


def _departure(trajectory: Trajectory, end: Gold) -> Deviation | None:
    """The first write after which the rest of one right run does not lead to a right end."""
    task, domain = trajectory.task, get_domain(trajectory.task.domain)
    turn_of_call = turn_of_calls(trajectory)
    rest = [(normal_call(record, domain), record) for record in end.writes]
    with Session(domain, task=task) as session:
        for number, record in enumerate(trajectory.calls):
            if not record.wrote:
                continue
            session.call(record.name, record.arguments, by=record.by)
            name = normal_call(record, domain)
            match = next((step for step in rest if step[0] == name), None)
            if match is not None:
                rest.remove(match)
            elif not _reachable(session, [step for _, step in rest], task):
                return Deviation(turn_of_call[number], _why(record, [step for _, step in rest]))
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


def _missing_write(trajectory: Trajectory) -> Deviation:
    """The turn that went past a write that was due: the report of it, or the last words before the next gold write."""
    domain, turn_of_call = get_domain(trajectory.task.domain), turn_of_calls(trajectory)
    done = [(normal_call(r, domain), turn_of_call[i]) for i, r in enumerate(trajectory.calls) if r.wrote]
    left = Counter(name for name, _ in done)
    start, missing = -1, "a write"
    gold = gold_of(trajectory.task).writes
    position = len(gold)
    for number, record in enumerate(gold):
        name = normal_call(record, domain)
        if not left[name]:
            missing, position = record.name, number
            break
        left[name] -= 1
        start = max(start, next(turn for called, turn in done if called == name))
    later = {normal_call(record, domain) for record in gold[position + 1 :]}
    end = min((turn for name, turn in done if name in later and turn > start), default=len(trajectory.turns()))
    spoken = [t for t in trajectory.turns() if start < t.index < end and t.action.content and not t.action.tool_calls]
    if not spoken:
        return Deviation(trajectory.turns()[-1].index, f"{missing} was never called.")
    reports = [turn for turn in spoken if _reports(turn.action, trajectory.task.domain)]
    return Deviation((reports or spoken[-1:])[0].index, f"{missing} was due by now and was never called.")


def _reports(message: Message, domain: str) -> bool:
    heard = parse_act(message.content or "")
    return not heard.proposal and heard.reports(words_of(domain).done, confirmed=True)


# --- slips ---


def _slips(trajectory: Trajectory) -> dict[int, str]:
    """Turns with something wrong that did not decide the outcome."""
    slips: dict[int, str] = {}
    turn_of_call = turn_of_calls(trajectory)
    identified = not trajectory.task.facts
    known = {str(fact.value).lower() for fact in trajectory.task.facts}
    for number, record in enumerate(trajectory.calls):
        if not trajectory.of_agent([record]):
            continue
        if record.ok and record.kind == "read":
            identified = identified or any(str(value).lower() in known for value in _arguments(record).values())
        if not record.ok:
            slips.setdefault(turn_of_call[number], f"{record.name} was refused: {record.message}")
        elif trajectory.solo:
            continue  # there is nobody to identify, and nobody to ask
        elif record.wrote and not identified:
            slips.setdefault(turn_of_call[number], f"{record.name} was called before the customer was identified.")
        elif record.wrote and not _confirmed(trajectory, turn_of_call[number]):
            slips.setdefault(turn_of_call[number], f"{record.name} was called without a yes to a proposal.")
    for turn in trajectory.turns():
        if turn.unread:
            slips.setdefault(turn.index, "The message could not be read.")
    return slips


def _confirmed(trajectory: Trajectory, turn: int) -> bool:
    """Whether the user's last words before this turn are a yes to a proposal."""
    turns = trajectory.turns()
    for earlier in reversed(turns[:turn]):
        said = [m.content or "" for m in earlier.feedback if m.role == "user"]
        if said:
            proposed = parse_act(earlier.action.content or "").proposal
            return bool(proposed) and _YES.search(said[-1]) is not None
    return False
