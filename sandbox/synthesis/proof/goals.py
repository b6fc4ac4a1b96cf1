"""Whether a task's gold calls, its alternatives and its assertions come to what its goals say."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from toolgym.sandbox.kit.domain import Domain
from toolgym.sandbox.kit.message import ToolCall
from toolgym.sandbox.kit.task import Goal, Task
from toolgym.sandbox.runtime.registry import get_domain
from toolgym.sandbox.runtime.session import Session
from toolgym.sandbox.synthesis.proof.end_state import same_diff
from toolgym.sandbox.synthesis.proof.reachability import trace
from toolgym.sandbox.synthesis.proof.replay import gold_of, hands_over


def unmet_goals(task: Task) -> Iterator[str]:
    """Sentences about what the goals say and the gold run, or a run that is said to be as right, does not do."""
    yield from _outcomes(task)
    yield from _assertions(task) if task.assertions else _changes(task)
    for number, calls in enumerate(task.alternatives, start=1):
        for problem in _alternative(task, calls):
            yield f"alternative {number}: {problem}"
    columns = set(_columns(get_domain(task.domain))) if task.free else set()
    for name in task.free:
        if name not in columns:
            yield f"it leaves {name!r} open, which is no column of its world; columns are named table.column."


def _changes(task: Task) -> Iterator[str]:
    """Whether the gold calls change exactly the rows that the goals say."""
    goals = [goal.final for goal in task.goals]
    gold = gold_of(task)
    wished = [(call.name, call.arguments, call.by) for goal in goals for call in goal.calls]
    if not goals or wished == [(record.name, record.arguments, record.by) for record in gold.writes]:
        return  # look-ups change nothing
    with Session(task.domain, task=task) as session:
        for goal, call in ((each, call) for each in goals for call in each.calls):
            result = session.call(call.name, call.arguments, by=call.by)
            if not result.ok:
                yield f"the call {call.name} of goal {goal.utterance!r} is refused: {result.text}"
                return
        diff = session.diff()
    if not same_diff(diff, gold.diff, gold.new_ids):
        tables = sorted({row.table for row in (*diff, *gold.diff)})
        yield f"its gold calls do not change what its goals say; look at {', '.join(tables)}."


def _outcomes(task: Task) -> Iterator[str]:
    """Whether each goal's calls and texts fit its outcome."""
    for goal in task.goals:
        if not _is_taken_back(goal):
            yield from _outcome(goal.final, task)
    told = {text for goal in task.goals for text in goal.final.must_communicate}
    if task.goals and told != set(task.communicate):
        odd = sorted(told ^ set(task.communicate))
        yield f"its goals and its communicate texts differ: {', '.join(map(repr, odd))}."


def _is_taken_back(goal: Goal) -> bool:
    """Whether nothing is left of a wish once it is proposed, so that nothing has to be said either."""
    last = goal.final
    return last is not goal and last.outcome == "answered" and not (last.calls or last.facts or last.must_communicate)


def _outcome(goal: Goal, task: Task) -> Iterator[str]:
    if goal.outcome == "done" and not goal.calls and not task.assertions:
        yield f"the goal {goal.utterance!r} is to be done, but has no calls."
    if goal.outcome != "done" and goal.calls:
        yield f"the goal {goal.utterance!r} is to be {goal.outcome}, but has calls that write."
    if goal.outcome in {"answered", "refused"} and not goal.must_communicate:
        yield f"the goal {goal.utterance!r} is to be {goal.outcome}, but nothing has to be said."
    if goal.outcome == "transferred" and not hands_over(task):
        yield "a human has to take over, but no gold call hands the conversation over."


def _assertions(task: Task) -> Iterator[str]:
    with Session(task.domain, task=task) as session:
        if all(session.holds(assertion) for assertion in task.assertions):
            yield "its assertions hold before anything is done, so an agent that does nothing passes."
            return
        session.replay(gold_of(task).log)
        for assertion in task.assertions:
            if not session.holds(assertion):
                yield f"after the gold calls the assertion {assertion.name} does not hold."


def _alternative(task: Task, calls: Sequence[ToolCall]) -> Iterator[str]:
    """Whether an alternative can be played, knows what it uses, and ends otherwise than the gold calls."""
    gold = gold_of(task)
    reads = [call for call, record in zip(task.gold, gold.log, strict=True) if not record.wrote]
    other = task.model_copy(update={"gold": (*reads, *calls)})
    for step, record in list(zip(trace(other), gold_of(other).log, strict=True))[len(reads) :]:
        if not record.ok:
            yield f"the call {record.name} is refused: {record.message}"
        for value in step.missing:
            yield f"{record.name} uses {value!r}, which neither the user says nor a gold look-up returns."
    if same_diff(gold_of(other).diff, gold.diff, gold.new_ids | gold_of(other).new_ids, task.free):
        yield "it ends as the gold calls do, so it is none."


def _columns(domain: Domain) -> Iterator[str]:
    for table in domain.base.metadata.tables.values():
        yield from (f"{table.name}.{column.name}" for column in table.columns)
