"""Right answers of BFCL's rows, as an agent writes them: of a parameter's accepted values the first that can be."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

from toolgym.judge.benchmarks.bfcl.java import java
from toolgym.sandbox.kit.message import Json, Message, ToolCall

_DONE = Message(role="assistant", content="Done.")


def conversation(turns: Sequence[Sequence[Sequence[Any]]]) -> list[Message]:
    """A turn's calls in one message and a closing word, turn by turn."""
    found: list[Message] = []
    for turn in turns:
        calls = tuple(ToolCall(name=name, arguments=given) for name, given in turn)
        found += [Message(role="assistant", tool_calls=calls), _DONE] if calls else [_DONE]
    return found


def calls(row: Mapping[str, Any], category: str) -> tuple[ToolCall, ...]:
    """The calls of an exchange, values in the language that the row's tools are written in."""
    documents = {document["name"]: document["parameters"] for document in row["scored"]}
    language = next((name for name in ("javascript", "java") if category.endswith(name)), "")
    found = []
    for answer in row["ground_truth"]:
        for named, accepted in answer.items():
            name = next(iter(documents)) if len(documents) == 1 else named  # two rows of version 3 name no tool
            parameters = documents.get(name, {})
            known, required = parameters.get("properties", {}), parameters.get("required", ())
            given = {
                key: _value(values, known[key], language)
                for key, values in accepted.items()
                if key in known and (key in required or "" not in values)
            }
            found.append(ToolCall(name=name, arguments=given))
    return tuple(found)


def _value(values: Sequence[Any], schema: Mapping[str, Any], language: str) -> Json:
    plain = _plain(_first(values))
    if language == "java":
        return java(plain, schema)
    if language and not isinstance(plain, str):
        return json.dumps(plain, ensure_ascii=False)
    found: Json = plain
    return found


def _first(values: Sequence[Any]) -> Any:
    """The first accepted value; the empty text, which stands for leaving a parameter out, where there is no other."""
    return next((value for value in values if value != ""), "")


def _plain(value: Any) -> Any:
    """A value without its alternatives: an accepted dictionary holds lists of accepted values again."""
    if isinstance(value, dict):
        return {
            key: _plain(_first(values)) if isinstance(values, list) else values
            for key, values in value.items()
            if not isinstance(values, list) or "" not in values
        }
    if isinstance(value, list):
        return [_plain(each) for each in value]
    return value
