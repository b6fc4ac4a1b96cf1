"""The careless floor: it guesses what is wanted, never asks, never confirms, and keeps no rule that tools do not hold.

It hears the user's words and nothing of the task. Whatever it passes needs no conversation.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from datetime import datetime, time, timedelta
from typing import Any, cast

from toolgym.sandbox.agents.dialogue import DialogueContext, Script, ScriptPlayer
from toolgym.sandbox.kit.domain import Domain
from toolgym.sandbox.kit.errors import Refusal
from toolgym.sandbox.kit.message import Json
from toolgym.sandbox.kit.table import example_key, key_column
from toolgym.sandbox.kit.tool import Tool
from toolgym.sandbox.language.days import Days
from toolgym.sandbox.language.lexicon import Lexicon
from toolgym.sandbox.language.mentions import Mention, find_mentions
from toolgym.sandbox.runtime.registry import get_domain
from toolgym.sandbox.runtime.roles import AgentPlayer, Briefing

_DONE = "Done."
_WORDS = re.compile(r"[a-z]+")
_TIMES = 12
"""How often it answers; a user has left long before."""


class RecklessAgent:
    """Calls the likeliest change at once and says that it is done."""

    privileged = False
    hears = "nothing"

    def open(self, briefing: Briefing) -> AgentPlayer:
        """Start an episode."""
        offered = {str(entry["function"]["name"]) for entry in briefing.tools}
        return ScriptPlayer(_Guesses(get_domain(briefing.domain), offered).script, briefing)


class _Guesses:
    """One conversation."""

    def __init__(self, domain: Domain, offered: set[str]) -> None:
        self._domain = domain
        self._tools = {name: tool for name, tool in domain.tools.items() if name in offered}
        tables = {table for tool in self._tools.values() for table in tool.references.values()}
        examples = {table.__name__: example_key(table) for table in tables}
        self._lexicon = Lexicon(keys={name: [example] for name, example in examples.items() if example})

    def script(self, dialogue: DialogueContext) -> Script[None]:
        """Guess at every message of the user."""
        for _ in range(_TIMES):
            mentions = list(find_mentions(dialogue.last, self._lexicon, self._domain.now))
            tool = self._likeliest(dialogue.last)
            if tool is not None:
                arguments = yield from self._arguments(dialogue, tool, mentions)
                yield from _tried(dialogue, tool, arguments)
            yield from dialogue.say(_DONE)

    def _likeliest(self, text: str) -> Tool | None:
        """The change whose verbs and names the text holds most of; None where it holds none."""
        said = set(_WORDS.findall(text.lower()))
        verbs: dict[str, set[str]] = {}
        for goal in self._domain.goals:
            verbs.setdefault(goal.tool.name, set()).update(word for verb in goal.verbs for word in verb.split())
        scores = {
            name: 2 * len(verbs.get(name, set()) & said) + len(set(name.split("_")) & said)
            for name, tool in self._tools.items()
            if tool.kind == "write" and not tool.ends_episode
        }
        best = max(scores, key=lambda name: scores[name], default=None)
        return self._tools[best] if best is not None and scores[best] else None

    # --- arguments ---

    def _arguments(self, dialogue: DialogueContext, tool: Tool, mentions: list[Mention]) -> Script[dict[str, Json]]:
        """What the required parameters might be: what was said first, or the first row that a list shows."""
        found: dict[str, Json] = {}
        properties, required = tool.parameters["properties"], tool.parameters.get("required", ())
        for name, shown in tool.inputs.items():
            if shown not in required:
                continue
            value = _taken(mentions, tool.kinds[name], self._key_of(tool, name))
            if value is None and name in tool.references:
                value = yield from self._first_row(dialogue, tool, name)
            found[shown] = self._anything(properties[shown], dialogue.last) if value is None else value
        return found

    def _key_of(self, tool: Tool, name: str) -> str:
        return tool.references[name].__name__ if name in tool.references else ""

    def _first_row(self, dialogue: DialogueContext, tool: Tool, name: str) -> Script[Json]:
        table = tool.references[name]
        for read in self._tools.values():
            if table in read.lists and not read.parameters.get("required"):
                items = yield from _tried(dialogue, read, {})
                items = items.get("items", items) if isinstance(items, dict) else items
                if isinstance(items, list) and items and isinstance(items[0], dict):
                    return cast(Json, items[0].get(key_column(table)))
        return None

    def _anything(self, schema: Mapping[str, Any], text: str) -> Json:
        """A value that fits a parameter's schema; of several choices the one that was named, or the first."""
        for part in (schema, *schema.get("anyOf", ())):
            if "enum" in part:
                said = text.lower()
                return next((choice for choice in part["enum"] if str(choice).lower() in said), part["enum"][0])
        if schema.get("format") == "date":
            return (self._domain.now.date() + timedelta(days=1)).isoformat()
        plain: dict[str, Json] = {"integer": 1, "number": 1, "boolean": True, "array": [], "object": {}}
        return plain.get(str(schema.get("type")), "As requested.")


def _taken(mentions: list[Mention], kind: str, table: str) -> Json:
    """The first mention that fits a parameter, which is used up with it."""
    for mention in mentions:
        for value in _read(mention, kind, table):
            mentions.remove(mention)
            return value
    return None


def _read(mention: Mention, kind: str, table: str) -> Iterator[Json]:
    """A mention as a parameter of a kind holds it; nothing where it does not fit."""
    if kind == "reference" and table in mention.columns:
        yield str(mention.value)
    elif kind == mention.kind and kind in ("money", "duration"):
        yield int(mention.value)
    elif kind == "number" and mention.kind in ("number", "count"):
        yield mention.value
    elif kind in ("date", "moment") and isinstance(mention.value, Days):
        day = mention.value.first
        yield day.isoformat() if kind == "date" else datetime.combine(day, time(9)).isoformat(timespec="minutes")


def _tried(dialogue: DialogueContext, tool: Tool, arguments: dict[str, Json]) -> Script[Json]:
    """A call's value; None where it is refused."""
    try:
        return (yield from dialogue.call(tool.name, **arguments))
    except Refusal:
        return None
