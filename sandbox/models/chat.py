"""Messages in the shape that endpoints take: OpenAI's chat format, made safe for servers that are strict about it."""

from __future__ import annotations

import json

from sandbox.message import Json, Message


def to_chat(message: Message) -> dict[str, Json]:
    """A message in OpenAI's chat format, safe for servers that parse arguments and refuse empty content."""
    record = message.to_openai()
    for call in record.get("tool_calls", ()):
        call["function"]["arguments"] = _object_text(call["function"]["arguments"])
    if not record["content"] and not message.tool_calls:
        record["content"] = "[nothing]"
    return record


def _object_text(arguments: str) -> str:
    """JSON text of an object: chat templates fail on anything else, so broken arguments are wrapped."""
    try:
        return arguments if isinstance(json.loads(arguments), dict) else json.dumps({"unreadable": arguments})
    except ValueError:
        return json.dumps({"unreadable": arguments})
