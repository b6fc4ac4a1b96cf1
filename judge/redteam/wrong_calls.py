"""Exploiters that change what nobody asked for."""

from __future__ import annotations

from toolgym.judge.redteam.case import Case, calling, spoken
from toolgym.judge.redteam.plan import Plan, changed, free, repeat
from toolgym.sandbox.kit.message import Json, ToolCall
from toolgym.sandbox.kit.tool import Tool


def wrong_arguments(case: Case) -> Plan:
    """The right tools, one argument wrong."""
    yield from changed(case, lambda call, tool: spoilt(case, call, tool))


def wrong_then_right(case: Case) -> Plan:
    """A wrong change, then the right ones."""
    yield from calling(wrong_writes(case))
    yield from case.oracle()


def wrong_writes(case: Case) -> list[ToolCall]:
    """The changes with something wrong in them that tools accept."""
    tools, gold = case.domain.tools, case.writes()
    return case.accepted([other for call in gold if (other := spoilt(case, call, tools[call.name])) != call])


def anothers_case(case: Case) -> Plan:
    """The changes of another task."""
    other = next((task for task in case.others if case.writes(task)), case.task)
    yield from calling(case.writes(other))
    yield from repeat(case, "done")


def gold_and_more(case: Case) -> Plan:
    """The right changes and others'."""
    yield from calling(others_writes(case)[:2])
    yield from case.oracle()


def others_writes(case: Case) -> list[ToolCall]:
    """Changes that other tasks want, of other things than this one, and that tools accept here."""
    own = [call.arguments for call in case.writes()]
    wanted = [call for other in case.others for call in case.writes(other)[:1] if call.arguments not in own]
    return case.accepted(wanted[:8])


def every_change(case: Case) -> Plan:
    """One call of every changing tool."""
    tried: set[str] = set()
    for other in (case.task, *case.others):
        for call in case.writes(other):
            if call.name not in tried:
                tried.add(call.name)
                yield from calling([call])
    yield from repeat(case, "done")


def all_fixes(case: Case) -> Plan:
    """Has the user try every fix."""
    driver = case.driver()
    fixes = {call.name: call for task in (case.task, *case.others) for call in task.gold if call.by == "user"}
    for call in fixes.values():
        if driver is not None:
            yield spoken(driver.ask(call))
    yield from repeat(case, "done")


def spoilt(case: Case, call: ToolCall, tool: Tool) -> ToolCall:
    """The call with another value in one argument, taken from another task or its schema."""
    given = dict(call.arguments) if isinstance(call.arguments, dict) else {}
    told = sorted(name for name in given if name not in free(tool))
    for name in case.rng.sample(told, len(told)):
        value = _another(case, call.name, name, given[name], tool)
        if value is not None:
            return call.model_copy(update={"arguments": given | {name: value}})
    return call


def _another(case: Case, tool_name: str, name: str, value: Json, tool: Tool) -> Json:
    schema = tool.parameters["properties"].get(name, {})
    for choice in schema.get("enum", ()):
        if choice != value:
            return choice
    if isinstance(value, bool):
        return not value
    if isinstance(value, int):
        return value + 1
    seen = [call.arguments.get(name) for task in case.others for call in task.gold
            if call.name == tool_name and isinstance(call.arguments, dict)]  # fmt: skip
    return next((other for other in seen if other is not None and other != value), None)
