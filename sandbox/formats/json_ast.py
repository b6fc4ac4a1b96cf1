"""TIER's JSON form: one block of numbered calls, `{"0": {"F": {...}}, "1": {"G": {"x": "API_RESPONSE_0"}}}`.

Facts from TIER, appendix: numbers in order, one tool each, `{}` for no call, `return="one"` or `"all"` in the opening
tag, references to earlier results as texts. Conversations return every result and resolve no reference, so models are
told of both only where they write programs (see `toolgym.sandbox.formats.program`).
"""

from __future__ import annotations

import json
from collections.abc import Sequence

from toolgym.sandbox.formats.base import FormatError, arguments_of, protect, read_object
from toolgym.sandbox.formats.tags import message_of, program_prompt, read_block, render_block, returned
from toolgym.sandbox.kit.message import Json, Message, ToolCall


class JSONASTFormat:
    """Numbered calls as JSON."""

    name = "json_ast"
    no_call = '<tool_call return="all">{}</tool_call>'

    def render_tools(self, tools: Sequence[dict[str, Json]]) -> str:
        """The tools, and how to call them."""
        lines = "\n".join(json.dumps(entry["function"], ensure_ascii=False) for entry in tools)
        return (
            f"You can call these tools:\n{lines}\n"
            'To call them, write <tool_call return="all">{"0": {TOOL: {PARAMETER: VALUE}}, "1": {...}}</tool_call>, '
            "numbered from 0, one tool each. To talk to the user, write plain text."
        )

    def program_tools(self, tools: Sequence[dict[str, Json]]) -> str:
        """The tools, and how to answer with a program."""
        return program_prompt(
            tools,
            'Write one program: <tool_call return="one">{"0": {TOOL: {PARAMETER: VALUE}}, "1": {...}}</tool_call>, its '
            "calls numbered from 0, one tool each; {} is a program without calls. A VALUE may be the text "
            '"API_RESPONSE_0.FIELD", "API_RESPONSE_0.items[0].FIELD" or so: that part of the result of call 0.',
        )

    def render(self, message: Message) -> str:
        """The message with its calls in one block."""
        numbered = {str(index): {call.name: arguments_of(call)} for index, call in enumerate(message.tool_calls)}
        body = protect(json.dumps(numbered, ensure_ascii=False))
        block = f'<tool_call return="{message.returns}">{body}</tool_call>'
        return render_block(message, block)

    def parse(self, text: str) -> Message:
        """The message that the text holds."""
        block = read_block(text)
        if block.attributes is None:
            return message_of(block, ())
        returns = returned(block, text)
        record = read_object(block.body, text, block.offset)
        calls = []
        for index, (number, entry) in enumerate(record.items()):
            place = block.offset + max(0, block.body.find(json.dumps(number)))
            if number != str(index):
                raise FormatError(f'Calls are numbered "0", "1", ...; found "{number}"', text, place)
            if not isinstance(entry, dict) or len(entry) != 1:
                raise FormatError(f'Call "{number}" must hold exactly one tool', text, place)
            name, arguments = next(iter(entry.items()))
            if not name or not isinstance(arguments, dict):
                raise FormatError(f'The parameters of call "{number}" must be an object', text, place)
            calls.append(ToolCall(name=name, arguments=arguments))
        return message_of(block, calls, returns)
