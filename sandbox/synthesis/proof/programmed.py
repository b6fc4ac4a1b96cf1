"""Whether a task for programs has one: its calls can be written with references, and no careless program passes."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from toolgym.sandbox.kit.errors import Refusal
from toolgym.sandbox.kit.message import Json, ToolCall
from toolgym.sandbox.kit.task import Task
from toolgym.sandbox.kit.tool import Tool
from toolgym.sandbox.runtime.references import refers, resolve_arguments, sources
from toolgym.sandbox.runtime.registry import get_domain
from toolgym.sandbox.runtime.session import Session
from toolgym.sandbox.synthesis.program import NoProgram, program_of
from toolgym.sandbox.synthesis.proof.answer import right_answer
from toolgym.sandbox.synthesis.proof.end_state import ends_right
from toolgym.sandbox.synthesis.proof.replay import gold_of


def not_programmed(task: Task) -> Iterator[str]:
    """Sentences about what a program cannot say or need not look for."""
    if task.ticket is None:
        yield "it is for programs and has no ticket, so nobody says what is asked for."
    try:
        calls = program_of(task).tool_calls
    except NoProgram as error:
        yield f"it has no program: {error}"
        return
    values = [record.value for record in gold_of(task).log]
    for number, (call, gold) in enumerate(zip(calls, task.gold, strict=True)):
        if call.arguments != gold.arguments and resolved(call, values[:number]) != gold.arguments:
            yield f"the references of call {number}, {call.name}, are not what the gold call has."
    if task.answer is None and not gold_of(task).writes:
        yield "it writes nothing and has no answer, so a program cannot be judged."
    careless = [_unfiltered(task, call) for call in calls]
    if careless != list(calls) and _passes(task, careless):
        yield "a program that takes the first row of unfiltered lists passes."
    yield from _needless(task, calls)


def resolved(call: ToolCall, values: Sequence[Json]) -> dict[str, Json] | str:
    """A call's arguments with references replaced."""
    return call.arguments if isinstance(call.arguments, str) else resolve_arguments(call.arguments, values, {})


def unfiltered(call: ToolCall, tool: Tool) -> ToolCall:
    """The call of a list without what it filters by."""
    if not tool.lists or isinstance(call.arguments, str):
        return call
    needed = tool.parameters.get("required", ())
    return call.model_copy(update={"arguments": {name: call.arguments[name] for name in needed}})


def _unfiltered(task: Task, call: ToolCall) -> ToolCall:
    return unfiltered(call, get_domain(task.domain).tools[call.name]) if call.by == "agent" else call


def _needless(task: Task, calls: Sequence[ToolCall]) -> Iterator[str]:
    """Sentences about look-ups that no later call uses, and about results without which a list has the same hit."""
    used = {source for call in calls for source in sources(call.arguments)}
    tools, asked = get_domain(task.domain).tools, _asked_for(task)
    for number, call in enumerate(calls):
        tool = tools.get(call.name)
        if tool is None or tool.kind != "read" or isinstance(call.arguments, str):
            continue
        if number not in used and number not in asked:
            yield f"no later call uses what call {number}, {call.name}, returns, and nobody asks for it."
        needed = tool.parameters.get("required", ())
        left = {name: value for name, value in call.arguments.items() if name in needed or not refers(value)}
        if left != call.arguments:
            without = call.model_copy(update={"arguments": left})
            if _passes(task, [*calls[:number], without, *calls[number + 1 :]]):
                yield f"the program passes without the result that call {number}, {call.name}, is given."


def _asked_for(task: Task) -> frozenset[int]:
    """The gold calls that the wishes come to: the last ones, as many as there are wishes that write nothing."""
    questions = [goal for goal in task.goals if goal.final.outcome == "answered"]
    kinds = {goal.name: goal for goal in get_domain(task.domain).goals}
    found = set()
    for goal in questions:
        kind = kinds.get(goal.final.kind)
        names = {kind.tool.name, *(tell.by.name for tell in kind.tells if tell.by)} if kind else set()
        found |= {number for number, call in enumerate(task.gold) if call.name in names}
    return frozenset(found)


def _passes(task: Task, calls: Sequence[ToolCall]) -> bool:
    """Whether a program of these calls, which may be another than the right one, passes."""
    used = {source for call in calls for source in sources(call.arguments)}
    values: list[Json] = []
    with Session(task.domain, task=task) as session:
        for call in calls:
            try:
                result = session.call(call.name, resolved(call, values), by=call.by)
            except Refusal:
                return False
            if not result.ok:
                return False
            values.append(result.value)
        if task.answer is not None:
            return right_answer(task.answer, [value for number, value in enumerate(values) if number not in used])
        return ends_right(task, session.diff(), session.new_ids)
