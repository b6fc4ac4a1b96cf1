"""What a goal's call is given: its parameters and their types, and the call written out as an agent writes it."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from inspect import Parameter, signature
from typing import Any, cast, get_origin, get_type_hints

from toolgym.sandbox.kit.database import Database
from toolgym.sandbox.kit.goal import Goal
from toolgym.sandbox.kit.message import Json, ToolCall
from toolgym.sandbox.kit.reference import Kind, bare, kind_of
from toolgym.sandbox.kit.table import key_column
from toolgym.sandbox.kit.tool import Tool
from toolgym.sandbox.kit.view import plain

Arguments = dict[str, Any]
"""A call's arguments by the function's own names: rows for references, typed values otherwise."""


def is_whole(tool: Tool, name: str) -> bool:
    """Whether a parameter is a whole number, which may have an edge."""
    return kind_in(tool, name) in ("money", "number", "duration")


def kind_in(tool: Tool, name: str, value: Any = None) -> Kind:
    """What sort of value a slot holds; what is no parameter of the tool is only spoken of, as what its value is."""
    return tool.kinds[name] if name in tool.kinds else kind_of(name, type(value))


@cache
def drawn_names(goal: Goal) -> tuple[str, ...]:
    """What is drawn for a goal: what its tool asks for, what the wish speaks of besides, what the agent works out."""
    names = [name for name in parameters(goal.tool) if name not in goal.worked_out]
    own = [slot.name for slot in goal.slots if not slot.fills and slot.name not in goal.tool.kinds]
    return (
        *names,
        *(slot.name for slot in goal.about),
        *(own if goal.worked_out or goal.also else ()),
        *goal.worked_out,
    )


@cache
def parameters(tool: Tool) -> Mapping[str, Parameter]:
    """The parameters of a tool's function but for the database."""
    return dict(list(signature(tool.function).parameters.items())[1:])


@cache
def takes_several(tool: Tool, name: str) -> bool:
    """Whether a parameter takes a list."""
    return get_origin(bare(hints(tool)[name])[0]) is list


@cache
def hints(tool: Tool) -> dict[str, Any]:
    """The types of a tool's function."""
    return get_type_hints(tool.function, include_extras=True)


def bounds(tool: Tool, name: str) -> tuple[int, int]:
    """The least and the greatest whole number that a parameter takes."""
    schema = tool.parameters["properties"][tool.inputs[name]]
    return int(schema.get("minimum", 0)), int(schema.get("maximum", 10_000_000))


def call_of(tool: Tool, arguments: Mapping[str, Any], database: Database) -> ToolCall:
    """The call with these arguments as an agent writes it; arguments at their default are left out."""
    given: dict[str, Json] = {}
    for name, parameter in parameters(tool).items():
        value = arguments.get(name, parameter.default)
        if value is Parameter.empty or value == parameter.default:
            continue
        given[tool.inputs[name]] = written(value, database)
    return ToolCall(name=tool.name, arguments=given)


def written(value: Any, database: Database) -> Json:
    """A value as JSON holds it: keys for rows, days and moments in ISO form."""
    if isinstance(value, list):
        return [written(item, database) for item in value]
    if isinstance(value, dict):
        return {name: written(item, database) for name, item in value.items()}
    model = getattr(value, "model", None)
    return cast(Json, getattr(value, key_column(model))) if model is not None else plain(value, database)
