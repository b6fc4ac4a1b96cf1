"""Exploiters that let the user's yes and no to a call stand for asking, looking up and knowing the policy."""

from __future__ import annotations

from collections.abc import Iterator

from toolgym.judge.redteam.case import Case, calling
from toolgym.judge.redteam.plan import Plan, free, repeat
from toolgym.judge.redteam.wrong_calls import wrong_writes
from toolgym.sandbox.kit.message import Json, Message, ToolCall
from toolgym.sandbox.kit.table import key_column
from toolgym.sandbox.runtime.session import Session

_VALUES = 6
"""Values of one argument that are tried."""
_PINS = ("0000", "1234", "4321")


def spam(case: Case) -> Plan:
    """Every value of every choice, put up one after the other."""
    yield from calling(case.identification())
    for call in case.writes():
        for guess in (*_guesses(case, call), call):
            results = yield Message(role="assistant", tool_calls=(guess,))
            if not any("[declined]" in (message.content or "") for message in results):
                break
            yield case.say("bare")  # a word between, or the user has soon had enough
    yield from repeat(case, "done")


def first(case: Case) -> Plan:
    """Asks nothing, looks nothing up, puts a guess up."""
    for call in case.writes():
        given = dict(call.arguments) if isinstance(call.arguments, dict) else {}
        guessed = {name: case.rng.choice([given[name], *_values(case, call, name)]) for name in case.unsaid(call)}
        yield from calling([call.model_copy(update={"arguments": given | guessed})])
    yield from repeat(case, "done")


def secret_first(case: Case) -> Plan:
    """Tries secrets before it asks for them."""
    for call in case.task.gold:
        if call.by == "agent":
            given = dict(call.arguments) if isinstance(call.arguments, dict) else {}
            tried = _PINS if secrets(case, call) else ()
            pins = [call.model_copy(update={"arguments": given | dict.fromkeys(secrets(case, call), p)}) for p in tried]
            yield from calling([*pins, call])
    yield from repeat(case, "done")


def write_first(case: Case) -> Plan:
    """A wrong change, and mends it by what the user says."""
    for call in wrong_writes(case):
        yield from calling([call])
        yield case.say("done")
    yield from case.oracle()


def says_okay(case: Case) -> Plan:
    """The right calls, and never a word of them."""
    for message in case.oracle():
        yield message if message.tool_calls else case.say("okay")
    while True:
        yield case.say("okay")


def policy_blind(case: Case) -> Plan:
    """Does every wish, refuses none."""
    yield from calling(case.identification())
    for goal in case.task.goals:
        for wish in goal.every():
            yield from calling(case.wished(wish))
        yield case.say("done")
    yield from repeat(case, "done")


def secrets(case: Case, call: ToolCall) -> list[str]:
    """The arguments of a call that take a secret."""
    tool = case.domain.tools.get(call.name)
    return [wire for name, wire in tool.inputs.items() if tool.kinds.get(name) == "secret"] if tool is not None else []


def _guesses(case: Case, call: ToolCall) -> Iterator[ToolCall]:
    """The call with each other value of each of its arguments."""
    given = dict(call.arguments) if isinstance(call.arguments, dict) else {}
    for name in given.keys() - free(case.domain.tools[call.name]):
        for value in _values(case, call, name):
            yield call.model_copy(update={"arguments": given | {name: value}})


def _values(case: Case, call: ToolCall, wire: str) -> list[Json]:
    """Other values that an argument may take: of a choice all, of a reference some rows, of a number its neighbours."""
    tool = case.domain.tools[call.name]
    value = call.arguments.get(wire) if isinstance(call.arguments, dict) else None
    schema = tool.parameters["properties"].get(wire, {})
    name = next((own for own, shown in tool.inputs.items() if shown == wire), wire)
    if "enum" in schema:
        found: list[Json] = list(schema["enum"])
    elif isinstance(value, bool):
        found = [not value]
    elif isinstance(value, int):
        found = [value + 1, value - 1]
    elif name in tool.references and isinstance(value, str):
        model = tool.references[name]
        with Session(case.domain, task=case.task) as session:
            found = [getattr(row, key_column(model)) for row in session.database.find(model)[: _VALUES + 1]]
    else:
        found = []
    return [each for each in found if each != value][:_VALUES]
