"""A tool as a method with the signature and docstring from which Hugging Face libraries read a schema of their own."""

from __future__ import annotations

import inspect
import json
from collections.abc import Callable, Mapping
from typing import Any, Literal, Union

_TYPES: Mapping[str, type] = {"string": str, "integer": int, "number": float, "boolean": bool, "null": type(None)}


def as_method(tool: Mapping[str, Any], call: Callable[[Any, str, dict[str, Any]], str]) -> Callable[..., str]:
    """A tool as a method.

    Args:
        tool: the function of OpenAI's form: `name`, `description`, `parameters`.
        call: what is done, given the instance, the tool's name and the arguments.
    """

    def method(self: Any, /, **arguments: Any) -> str:
        return call(self, tool["name"], arguments)

    schema = tool["parameters"]
    properties, required = schema.get("properties", {}), schema.get("required", ())
    ordered = sorted(properties, key=lambda name: name not in required)
    parameters = [_parameter(name, properties[name], required=name in required) for name in ordered]
    own = inspect.Parameter("self", inspect.Parameter.POSITIONAL_ONLY)
    method.__name__ = method.__qualname__ = tool["name"]
    method.__signature__ = inspect.Signature([own, *parameters], return_annotation=str)  # type: ignore[attr-defined]
    method.__annotations__ = {each.name: each.annotation for each in parameters} | {"return": str}
    method.__doc__ = _docstring(tool["description"], {name: properties[name] for name in ordered})
    return method


def _parameter(name: str, schema: Mapping[str, Any], *, required: bool) -> inspect.Parameter:
    default = inspect.Parameter.empty if required else schema.get("default")
    return inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, default=default, annotation=_hint(schema))


def _hint(schema: Mapping[str, Any]) -> Any:
    """The type of a value. What a type hint cannot say of it stands in the description."""
    if "anyOf" in schema:
        return Union[tuple(_hint(each) for each in schema["anyOf"])]  # noqa: UP007  # their number is not known
    if "enum" in schema:
        return Literal[tuple(schema["enum"])]
    if schema.get("type") == "array":
        return list[_hint(schema.get("items", {}))]  # type: ignore[misc]  # made when it runs
    return _TYPES.get(schema.get("type", ""), dict)


def _docstring(description: str, properties: Mapping[str, Mapping[str, Any]]) -> str:
    """Google's form, a line for each argument."""
    lines = [f"    {name}: {_line(schema)}" for name, schema in properties.items()]
    return "\n".join([description.strip(), "", "Args:", *lines] if lines else [description.strip()])


def _line(schema: Mapping[str, Any]) -> str:
    """What is said of an argument; of nested values with their schema, and of bounds."""
    said = " ".join(str(schema.get("description", "")).split()) or "see the tool's description."
    kept = {key: value for key, value in schema.items() if key not in ("description", "default", "enum", "title")}
    plain = {"type"} if schema.get("type") in _TYPES else set()
    if isinstance(schema.get("anyOf"), list) and all(each.keys() <= {"type", "enum"} for each in schema["anyOf"]):
        plain = {"anyOf"}
    more = {key: value for key, value in kept.items() if key not in plain}
    return f"{said} As JSON schema: {json.dumps(more, ensure_ascii=False)}." if more else said
