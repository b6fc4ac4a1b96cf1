"""JSON schemas that bind what a model can generate, for endpoints that take a `response_format`.

For small models that would not find the form by themselves; llama.cpp and vLLM enforce them. Every string is bounded,
or a small model never closes it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from toolgym.sandbox.kit.message import Json

_STRING = 200
_CALLS = 8
"""Calls of a program; a small model would go on for ever."""
_REFERENCE = r"^API_RESPONSE_[0-9]{1,2}((\.[A-Za-z_][A-Za-z0-9_]{0,40})|(\[[0-9]{1,2}\])){0,6}$"
_KEPT = frozenset({"type", "enum", "const", "properties", "required", "items", "anyOf", "additionalProperties"})


def response_format(name: str, schema: Mapping[str, Json]) -> dict[str, Json]:
    """A schema as OpenAI's `response_format`."""
    return {"type": "json_schema", "json_schema": {"name": name, "strict": True, "schema": schema}}


def object_of(properties: Mapping[str, Json]) -> dict[str, Json]:
    """The schema of an object with exactly these properties."""
    return {
        "type": "object",
        "properties": dict(properties),
        "required": list(properties),
        "additionalProperties": False,
    }


def action(tools: Sequence[Mapping[str, Json]]) -> dict[str, Json]:
    """One agent step in the format `openai`: a call of one of the tools, or a message."""
    calls = [
        object_of({"name": {"const": tool["function"]["name"]}, "arguments": bounded(tool["function"]["parameters"])})
        for tool in tools
    ]
    return {"anyOf": [*calls, object_of({"content": {"type": "string", "minLength": 1, "maxLength": _STRING}})]}


def program(tools: Sequence[Mapping[str, Json]]) -> dict[str, Json]:
    """A program in the format `openai`: calls whose arguments may be references to earlier results."""
    functions = [tool["function"] for tool in tools]
    calls = [
        object_of({"name": {"const": each["name"]}, "arguments": _referring(each["parameters"])}) for each in functions
    ]
    return object_of({"tool_calls": {"type": "array", "items": {"anyOf": calls}, "maxItems": _CALLS}})


def _referring(schema: Mapping[str, Json]) -> dict[str, Json]:
    """The arguments' schema, in which a reference may stand for any of them."""
    limited: dict[str, Json] = bounded(schema)
    reference = {"type": "string", "pattern": _REFERENCE}
    limited["properties"] = {name: {"anyOf": [reference, value]} for name, value in limited["properties"].items()}
    return limited


def bounded(schema: Json) -> Json:
    """A schema with every string bounded and keywords left out that grammars do not know."""
    if isinstance(schema, list):
        return [bounded(item) for item in schema]
    if not isinstance(schema, Mapping):
        return schema
    kept = {name: value for name, value in schema.items() if name in _KEPT}
    for name in ("items", "anyOf", "additionalProperties"):
        if name in kept:
            kept[name] = bounded(kept[name])
    if "properties" in kept:
        kept["properties"] = {name: bounded(value) for name, value in kept["properties"].items()}
    if kept.get("type") == "string" and "enum" not in kept:
        kept["maxLength"] = _STRING
    return kept
