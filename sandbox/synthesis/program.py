"""A task's gold calls as a program: values that only a result holds become references to it.

Nothing of a program is stored with its task: it follows from the gold calls and what they come to. Imported tasks may
hold a program as it stands.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from toolgym.sandbox.kit.domain import Domain
from toolgym.sandbox.kit.errors import BadInput
from toolgym.sandbox.kit.message import Json, Message, ToolCall
from toolgym.sandbox.kit.task import Task
from toolgym.sandbox.runtime.call_log import CallRecord
from toolgym.sandbox.runtime.references import REFERENCE, START
from toolgym.sandbox.runtime.registry import get_domain
from toolgym.sandbox.synthesis.proof.reachability import told_by_nobody, told_text
from toolgym.sandbox.synthesis.proof.replay import gold_of


class NoProgram(BadInput):
    """The gold calls use a value that no reference leads to: of several rows nobody knows which."""


def program_of(task: Task) -> Message:
    """The gold calls as one message, with references.

    Raises:
        NoProgram: the sentence names the call and the value.
    """
    if task.returns is not None:
        return Message(role="assistant", tool_calls=task.gold, returns=task.returns)
    calls, log = task.gold, gold_of(task).log
    told = told_text(task)
    referring = tuple(_referring(task, call, told, log[:index]) for index, call in enumerate(calls))
    several = task.answer is not None and len(task.answer.values) > 1
    return Message(role="assistant", tool_calls=referring, returns="all" if several or not calls else "one")


def _referring(task: Task, call: ToolCall, told: str, log: Sequence[CallRecord]) -> ToolCall:
    if not isinstance(call.arguments, dict):
        return call
    untold = {name for name, _ in told_by_nobody(task.domain, call, told)}
    domain = get_domain(task.domain)
    given = {
        name: _reference(domain, call, value, log) if name in untold else value
        for name, value in call.arguments.items()
    }
    return call.model_copy(update={"arguments": given})


def _reference(domain: Domain, call: ToolCall, value: Json, log: Sequence[CallRecord]) -> Json:
    """The value as a reference to the first result that holds it; a list element by element."""
    if isinstance(value, list):
        return [_reference(domain, call, each, log) for each in value]
    for number, record in enumerate(log):
        path = next(paths(record.value, value), None)
        path = _first(domain, record, value) if path is None else path
        if path is not None:
            return f"{START}{number}{path}"
    raise NoProgram(
        f"The gold call {call.name} uses {value!r}, which no earlier result holds as its only row's: it has no "
        "program; `toolgym tasks generate --interaction program` draws tasks that have one."
    )


def _first(domain: Domain, record: CallRecord, value: Json) -> str | None:
    """The way to a value in the first of a list's rows, where the world says what it means to be the first."""
    tool = domain.tools.get(record.name)
    tables = {relation.table for relation in domain.relations if relation.first}
    rows = record.value.get("items") if isinstance(record.value, dict) else None
    if tool is None or tables.isdisjoint(tool.lists) or not isinstance(rows, list) or not rows:
        return None
    return next((f".items[0]{path}" for path in paths(rows[0], value)), None)


def paths(result: Json, value: Json, path: str = "") -> Iterator[str]:
    """The ways to a value in a result that pass through no list of several elements."""
    if isinstance(result, dict):
        for name, inner in result.items():
            if REFERENCE.fullmatch(f"{START}0.{name}"):
                yield from paths(inner, value, f"{path}.{name}")
    elif isinstance(result, list):
        if len(result) == 1:
            yield from paths(result[0], value, f"{path}[0]")
    elif type(result) is type(value) and result == value:
        yield path
