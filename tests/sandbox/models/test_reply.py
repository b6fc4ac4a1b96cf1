"""A reply's calls can always be recorded: arguments that JSON cannot hold stay the model's text."""

import json

import pytest

from toolgym.sandbox.kit.message import ToolCall
from toolgym.sandbox.models.reply import Completion, read_reply
from toolgym.sandbox.runtime.roles import Usage


def called(arguments: str) -> ToolCall:
    message = {"tool_calls": [{"function": {"name": "f", "arguments": arguments}}]}
    completion = Completion.model_validate_json(json.dumps({"choices": [{"message": message}]}))
    return read_reply(completion, Usage("agent")).tool_calls[0]


@pytest.mark.parametrize("text", ['{"a": NaN}', '{"a": "\\ud800"}', f'{{"a": {"9" * 5000}}}', "[" * 100_000, "{half"])
def test_what_json_cannot_hold_stays_text(text: str) -> None:
    call = called(text)
    assert call.arguments == text
    assert ToolCall.model_validate_json(call.model_dump_json()) == call


def test_an_object_is_read() -> None:
    assert called('{"a": ["😀", 1.5]}').arguments == {"a": ["😀", 1.5]}
    assert called("").arguments == {}
