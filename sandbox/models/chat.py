"""Messages in the shape that endpoints take: OpenAI's chat format, made safe for servers that are strict about it."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence

from toolgym.sandbox.kit.message import Json, Message

WAV = "data:audio/wav;base64,"
"""How a recording that travels with its message begins (RFC 2397)."""


def to_chat(message: Message) -> dict[str, Json]:
    """A message in OpenAI's chat format, safe for servers that parse arguments and refuse empty content.

    A spoken message whose `audio` is a data URI becomes an `input_audio` part (base64 WAV), as OpenAI and vLLM take it.
    """
    record = message.to_openai()
    if message.audio and message.audio.startswith(WAV):
        record["content"] = [sound(message.audio)]
    for call in record.get("tool_calls", ()):
        call["function"]["arguments"] = _object_text(call["function"]["arguments"])
    if not record["content"] and not message.tool_calls:
        record["content"] = "[nothing]"
    return record


def sound(uri: str) -> dict[str, Json]:
    """A WAV data URI as a part of a user's message."""
    return {"type": "input_audio", "input_audio": {"data": uri.removeprefix(WAV), "format": "wav"}}


def holds_audio(messages: Sequence[Mapping[str, Json]]) -> bool:
    """Whether any message of a request holds audio."""
    parts = [part for message in messages if isinstance(message.get("content"), list) for part in message["content"]]
    return any(part.get("type") == "input_audio" for part in parts)


def _object_text(arguments: str) -> str:
    """JSON text of an object: chat templates fail on anything else, so broken arguments are wrapped."""
    try:
        return arguments if isinstance(json.loads(arguments), dict) else json.dumps({"unreadable": arguments})
    except ValueError:
        return json.dumps({"unreadable": arguments})
