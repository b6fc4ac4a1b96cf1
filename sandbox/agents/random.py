"""The agent that acts at random: seeded calls that look valid, and now and then a sentence. For stress tests."""

from __future__ import annotations

import re
import zlib
from collections.abc import Mapping, Sequence
from random import Random
from typing import Any

from toolgym.sandbox.kit.message import Json, Message, ToolCall
from toolgym.sandbox.runtime.roles import Briefing

_SENTENCES = (
    "How can I help you?",
    "Could you tell me your name and e-mail address?",
    "Which order is it about, and which items?",
    "Shall I go ahead?",
    "That has been done. Is there anything else?",
    "I am sorry, that is not possible.",
)
_TALK = 0.35
_TOKEN = re.compile(r"[#\w@.+-]*(?:\d|@)[\w@.+-]*\w|\b[A-Z][a-z]+\b")
_POOL = 400


class RandomAgent:
    """Calls random tools with arguments that fit their schemas, strings taken from the conversation where possible."""

    privileged = False
    hears = "nothing"

    def open(self, briefing: Briefing) -> _Player:
        """Start an episode."""
        return _Player(briefing)


class _Player:
    def __init__(self, briefing: Briefing) -> None:
        self._tools = [entry["function"] for entry in briefing.tools]
        self._seed = briefing.seed
        self._rng: Random | None = None
        self._pool: list[str] = []
        self._read = 0

    async def act(self, messages: Sequence[Message]) -> Message:
        """A random message or a random call."""
        opening = messages[0].content or "" if messages else ""
        rng = self._rng = self._rng or Random(f"{self._seed}:{zlib.crc32(opening.encode())}")
        for message in messages[self._read :]:
            self._pool += _TOKEN.findall(message.content or "")
        self._read, self._pool = len(messages), self._pool[-_POOL:]
        if not self._tools or rng.random() < _TALK:
            return Message(role="assistant", content=rng.choice(_SENTENCES))
        tool = rng.choice(self._tools)
        call = ToolCall(name=tool["name"], arguments=self._object(tool["parameters"], rng))
        return Message(role="assistant", tool_calls=(call,))

    def _object(self, schema: Mapping[str, Any], rng: Random) -> dict[str, Json]:
        required = schema.get("required", ())
        return {
            name: self._value(entry, rng)
            for name, entry in schema.get("properties", {}).items()
            if name in required or rng.random() < 0.5
        }

    def _value(self, schema: Mapping[str, Any], rng: Random) -> Json:
        if "enum" in schema:
            return rng.choice(schema["enum"])
        if "const" in schema:
            return schema["const"]
        for choice in ("anyOf", "oneOf"):
            if choice in schema:
                return self._value(rng.choice(schema[choice]), rng)
        kind = schema.get("type", "string")
        if kind == "object":
            return self._object(schema, rng)
        if kind == "array":
            return [self._value(schema.get("items", {}), rng) for _ in range(rng.randint(1, 2))]
        simple: dict[str, Json] = {
            "integer": rng.randint(0, 5),
            "number": round(rng.uniform(0, 100), 2),
            "boolean": rng.random() < 0.5,
            "null": None,
        }
        return simple[kind] if kind in simple else rng.choice(self._pool or ["example"])
