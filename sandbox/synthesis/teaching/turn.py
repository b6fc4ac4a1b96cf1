"""State `turn`: the teacher acts as the assistant, and a validator looks at the call before it is made (3.2, 3.2)."""

from __future__ import annotations

import json
from collections.abc import Mapping

from toolgym.sandbox.kit.errors import Refusal
from toolgym.sandbox.kit.message import Json, Message, ToolCall
from toolgym.sandbox.kit.tool import Tool
from toolgym.sandbox.models.chat import to_chat
from toolgym.sandbox.models.reply import Reply
from toolgym.sandbox.runtime.foreign_domain import ForeignTool
from toolgym.sandbox.synthesis.teaching.conversation import Conversation, State
from toolgym.sandbox.synthesis.teaching.nowhere import from_nowhere

STEPS = 10
"""Messages of the assistant after one of the user's (section 4.1: at most ten assistant turns)."""


async def turn(talk: Conversation) -> tuple[State, str]:
    """The assistant's next message, sent back where it cannot be used."""
    talk.steps += 1
    if talk.steps > STEPS:
        return talk.throw("no end of calls"), "no end"
    note, talk.note = talk.note, ""
    system = f"{talk.system}\n\nToday is {talk.today}." + (f"\n\n[{note}]" if note else "")
    messages = [{"role": "system", "content": system}, *map(to_chat, talk.messages)]
    reply = await talk.ask("turn", messages, talk.again)
    fault = wrong(talk, reply)
    if fault is not None:
        return talk.sent_back("turn", fault), "sent back"
    if not reply.tool_calls:
        talk.pending = Message(role="assistant", content=reply.text)
        return "response", "words"
    made = sum(len(message.tool_calls) for message in talk.messages)
    calls = tuple(
        call.model_copy(update={"id": f"call_{made + number}"}) for number, call in enumerate(reply.tool_calls, 1)
    )
    talk.pending = Message(role="assistant", content=reply.text or None, tool_calls=calls)
    return "execution", "calls"


def wrong(talk: Conversation, reply: Reply) -> str | None:
    """What is wrong with a reply; None where it can be used."""
    if reply.cut or reply.unclosed or reply.fault is not None:
        return "a broken form"
    if not reply.tool_calls:
        return None if reply.text else "nothing said"
    heard = talk.heard
    return next(filter(None, (_wrong_call(talk.tools, heard, call) for call in reply.tool_calls)), None)


def _fits(tool: Tool, arguments: Mapping[str, Json]) -> bool:
    """Whether arguments are what another server's schema asks for; a schema that is none is left to the server."""
    import jsonschema  # comes with the SDK that such servers need, and loads slowly

    try:
        jsonschema.validate(arguments, tool.parameters)
    except jsonschema.ValidationError:
        return False
    except jsonschema.SchemaError:
        return True
    return True


def _wrong_call(tools: Mapping[str, Tool], heard: str, call: ToolCall) -> str | None:
    if call.name not in tools:
        return "an unknown tool"
    tool = tools[call.name]
    try:
        tool.validate(call.arguments)
    except Refusal:
        return "arguments that do not fit"
    assert isinstance(call.arguments, dict)
    if isinstance(tool, ForeignTool) and not _fits(tool, call.arguments):
        return "arguments that do not fit"
    free = {shown for own, shown in tool.inputs.items() if tool.kinds[own] == "free"}
    told = {name: value for name, value in call.arguments.items() if name not in free}
    schema = json.dumps(tool.parameters, ensure_ascii=False).lower()
    return "a value from nowhere" if from_nowhere(told, f"{heard}\n{schema}") is not None else None
