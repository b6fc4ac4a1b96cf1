"""Right answers of BFCL's rows, as an agent would write them: of every accepted value the first that is one."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

from sandbox.kit.message import Json, Message, ToolCall

_DONE = Message(role="assistant", content="Done.")


def conversation(turns: Sequence[Sequence[Sequence[Any]]]) -> list[Message]:
    """A turn's calls in one message and a closing word, turn by turn."""
    found: list[Message] = []
    for turn in turns:
        calls = tuple(ToolCall(name=name, arguments=given) for name, given in turn)
        found += [Message(role="assistant", tool_calls=calls), _DONE] if calls else [_DONE]
    return found


def calls(row: Mapping[str, Any], category: str) -> tuple[ToolCall, ...]:
    """The calls of an exchange."""
    schemas = {document["name"]: document["parameters"] for document in row["scored"]}
    language = next((name for name in ("javascript", "java") if category.endswith(name)), "")
    found = []
    for answer in row["ground_truth"]:
        for name, accepted in answer.items():
            properties = schemas.get(name, {}).get("properties", {})
            given = {
                key: _value(values, properties.get(key, {}), language)
                for key, values in accepted.items()
                if _wanted(values)
            }
            found.append(ToolCall(name=name, arguments=given))
    return tuple(found)


def _wanted(values: Any) -> bool:
    """Whether a parameter has a value that is right to give; the empty text stands for leaving it out."""
    return isinstance(values, list) and any(value != "" for value in values)


def _value(values: Sequence[Any], schema: Mapping[str, Any], language: str) -> Json:
    value = next(value for value in values if value != "")
    kind = str(schema.get("type"))
    if language and kind not in ("String", "string") and not isinstance(value, str):
        return _literal(_plain(value), schema, language)
    return _plain(value) if not language else str(value) if not isinstance(value, str) else value


def _plain(value: Any) -> Any:
    """An accepted value without its alternatives: those of a dictionary are lists of accepted values again."""
    if isinstance(value, dict):
        return {
            key: _plain(next(each for each in values if each != "")) for key, values in value.items() if _wanted(values)
        }
    if isinstance(value, list):
        return [_plain(each) for each in value]
    return value


def _literal(value: Any, schema: Mapping[str, Any], language: str) -> str:
    """A value as a literal of the language, in which such rows take arguments."""
    return json.dumps(value, ensure_ascii=False)
