"""What a right run does about a wish besides the wanted call: reads that show what rules and answers rest on."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from toolgym.sandbox.kit.goal import Goal, Made, Tell
from toolgym.sandbox.kit.message import Json, ToolCall
from toolgym.sandbox.kit.reference import Kind, kind_of
from toolgym.sandbox.kit.rule import WHOLE_SINCE, Rule, further_pages
from toolgym.sandbox.kit.table import column_types
from toolgym.sandbox.kit.task import Fact
from toolgym.sandbox.kit.tool import Tool, ToolResult
from toolgym.sandbox.runtime.session import Session
from toolgym.sandbox.synthesis.arguments import Arguments, call_of, parameters
from toolgym.sandbox.synthesis.lookup import referred
from toolgym.sandbox.synthesis.sampler import Sampler
from toolgym.sandbox.synthesis.scene import asked_by
from toolgym.sandbox.synthesis.search import Drawing


class Trial:
    """A person's world in which a wish is tried; what was read there before is not read again until a call may write.

    Args:
        sampler: the person.
    """

    def __init__(self, sampler: Sampler) -> None:
        self._sampler = sampler
        self._session: Session | None = None

    def call(self, call: ToolCall) -> ToolResult:
        """The result of a call of the agent's."""
        if self._session is None:
            if self._sampler.domain.tools[call.name].kind == "read":
                return self._sampler.read(call)
            self._session = self._sampler.session.fork()
        return self._session.call(call.name, call.arguments)

    def __enter__(self) -> Trial:
        return self

    def __exit__(self, *exception: object) -> None:
        if self._session is not None:
            self._session.close()


def asking(function: Callable[..., Any], value: Any, drawing: object) -> Any:
    """What a world's function says of a value; one with a second parameter is given all that was drawn."""
    return function(value, drawing) if len(asked_by(function)) > 1 else function(value)


def own_key_shown(sampler: Sampler, arguments: Arguments) -> list[ToolCall]:
    """The look-up that shows the person's own key, where the call needs it."""
    person = sampler.person
    if sampler.domain.owner is None or not any(value in (person, [person]) for value in arguments.values()):
        return []
    for tool in sampler.domain.tools.values():
        if tool.kind == "read" and person.model in tool.shows and not parameters(tool):
            return [call_of(tool, {}, sampler.database)]
    return []


def own_values(sampler: Sampler, tool: Tool) -> dict[str, Any]:
    """Arguments that are columns of the owner's row, such as a PIN."""
    row = sampler.person
    return {name: getattr(row, name) for name in tool.inputs if row is not None and hasattr(row, name)}


def told_when_asked(sampler: Sampler, call: ToolCall) -> Fact:
    """What a call that mends something is given, such as a PIN, which only the person can say."""
    tool = sampler.domain.tools[call.name]
    assert isinstance(call.arguments, dict)
    name, value = next(iter(call.arguments.items()))
    return Fact(name=name, value=value, on_request=True, kind=tool.kinds[name], words=str(value))


def shown_by(sampler: Sampler, rule: Rule, tool: Tool, arguments: Arguments) -> Iterator[ToolCall]:
    """The reads that show whether a rule holds for these arguments."""
    seen = sampler.known(rule, arguments)
    looks: list[ToolCall] = []
    is_whole = sampler.database.version >= WHOLE_SINCE
    for made in (rule.look(name, seen) for name in rule.looks):
        for look in [] if made is None else [made] if isinstance(made, ToolCall) else made:
            looks += [look, *further_pages(rule, look, sampler.read(look).value)] if is_whole else [look]
    for read in rule.reads:
        call = beside(sampler, read, tool, arguments)
        if call is not None and read.name not in {look.name for look in looks}:
            yield call
    yield from looks


def beside(sampler: Sampler, read: Tool, tool: Tool, arguments: Arguments) -> ToolCall | None:
    """A read call about the same things as a call; None when it asks for something else."""
    given: dict[str, Any] = {}
    for name, parameter in parameters(read).items():
        if name in read.takes:
            near = (*arguments.values(), sampler.person)
            fitting = [value for value in near if getattr(value, "model", None) in read.takes[name]]
            if fitting:
                fitting.sort(key=lambda value: value == sampler.person)  # what the wish is about goes first
                given[name] = next((value for value in fitting if value == arguments.get(name)), fitting[0])
                continue
        if parameter.default is parameter.empty:
            return None
    return call_of(read, given, sampler.database)


def told_value(
    sampler: Sampler, goal: Goal, tell: Tell, drawing: Drawing, made: Mapping[str, Json], trial: Trial
) -> tuple[Json, ToolCall | None]:
    """What must be told, and the call that shows it when those that the wish asks for do not."""
    call = None
    is_further = tell.by is not None and tell.by is not goal.tool and tell.by.name in made
    if tell.by is None or is_further:  # the same tool again is another look, at what the wish's call has led to
        result = made[(tell.by or goal.tool).name]
    else:
        known = drawing.values
        call = beside(sampler, tell.by, goal.tool, _referred(sampler, tell, known) if tell.of else known)
        assert call is not None, f"{tell.by.name} cannot show what {goal.name} must tell"
        result = trial.call(call).value
    return (asking(tell.value, result, drawing) if tell.value else within(result, tell.name)), call


def _referred(sampler: Sampler, tell: Tell, arguments: Arguments) -> Arguments:
    """The row of another table that the wish's own rows refer to."""
    assert tell.of is not None
    rows = [value for value in arguments.values() if hasattr(value, "model")]
    found = (each for row in rows if (each := referred(sampler, row, tell.of)) is not None)
    return {"": next(found, None)}


def with_made(given: Mapping[str, Any], made: Mapping[str, Json], own: str) -> dict[str, Any]:
    """The arguments of a further call, with what the calls before have made, by tool; `own` is the wish's own."""
    return {
        name: within(made[value.by.name if value.by else own], value.name) if isinstance(value, Made) else value
        for name, value in given.items()
    }


def within(result: Json, path: str) -> Json:
    """A value in a result by its path, such as `items.0.name`; None in one of another form, such as a wrong code's."""
    for part in path.split("."):
        result = result[int(part)] if isinstance(result, list) else result.get(part) if result else None
    return result


def told_kind(sampler: Sampler, goal: Goal, tell: Tell) -> Kind:
    """What sort of value must be told."""
    if tell.kind is not None:
        return tell.kind
    column = tell.name.rsplit(".", 1)[-1]
    for table in (tell.by or goal.tool).shows:
        types = column_types(table)
        if column in types:
            return kind_of(column, types[column])
    return "money" if column.endswith("_cents") else "text"
