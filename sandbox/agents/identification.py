"""How an agent at a desk that serves anybody finds out whom it speaks to: by the look-ups that the world declares."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from datetime import datetime
from itertools import product
from random import Random

from toolgym.sandbox.agents import goal_words
from toolgym.sandbox.agents.dialogue import Script
from toolgym.sandbox.agents.examples import example_of, key_shape, value_shape
from toolgym.sandbox.agents.phrases import phrase
from toolgym.sandbox.agents.seen import Seen
from toolgym.sandbox.kit.errors import Refusal
from toolgym.sandbox.kit.identity import Identity
from toolgym.sandbox.kit.message import Json
from toolgym.sandbox.kit.table import column_types, key_column
from toolgym.sandbox.kit.tool import Tool
from toolgym.sandbox.language.days import Days
from toolgym.sandbox.language.mentions import find_mentions
from toolgym.sandbox.speech import callers
from toolgym.sandbox.synthesis.wording import listed

_QUESTIONS = 3
"""How often it asks who somebody is."""
_LOOKUPS = 8
"""Look-ups that are tried after one answer; names that are heard may be misheard, and each way is a call."""
_SPELL = " Please spell your name and your e-mail address."
_SHAPES = {"email": r"[\w.+-]+@[\w-]+(?:\.[\w-]+)+", "phone_number": r"\d{3}-\d{3}-\d{4}"}
"""What texts look like for which no schema gives an example."""
_NO_NAME = re.compile(r"\b(?:My|The|I'm|I|It's|Name|Good|Hi|Hello|Hey|Yes|Oh|Hm|You|Please|Because)\b")


_INTRODUCED = re.compile(r"(?:\bI'm|\bI am|\b[Nn]ame is|\bThis is|\bname:) ([A-Z].*)")
"""What may be a name in somebody's first words, which are about other things as well."""


class Identification:
    """Finds the person in one conversation.

    Args:
        identity: how the world knows people.
        seen: what the conversation has shown; learns who it is.
        now: the present, to read days.
        rng: draws the wording.
    """

    def __init__(self, identity: Identity, seen: Seen, now: datetime, rng: Random) -> None:
        self._identity, self._seen, self._now, self._rng = identity, seen, now, rng
        self._tried: set[str] = set()

    def find(self, volunteered: str) -> Script[None]:
        """Try what was said, and ask for what the look-ups need until the person is found."""
        profile = self._seen.dialogue.profile
        if isinstance(profile, dict):
            yield from self._know(self._identity.shown_by or self._identity.found_by[0], profile)
            own = column_types(self._identity.table)  # what a profile holds besides is how the person comes to us
            self._seen.known_by = {each for name, each in profile.items() if name not in own and isinstance(each, str)}
            return
        said = [volunteered]
        for _ in range(_QUESTIONS):
            yield from self._try(said)
            if self._seen.person is not None:
                return
            spell = _SPELL if self._seen.dialogue.listening else ""
            said.append((yield from self._seen.dialogue.say(phrase("secret", self._rng, self._wanted()) + spell)))
        yield from self._try(said)

    def _wanted(self) -> str:
        """What the look-ups need, in words: the e-mail address, or the first name, last name and zip."""
        ways = [listed([_asked(tool, name) for name in tool.inputs]) for tool in self._identity.found_by]
        return ", or your ".join(dict.fromkeys(ways))

    def _try(self, said: Sequence[str]) -> Script[None]:
        ways = ((tool, arguments) for tool in self._identity.found_by for arguments in self._arguments(tool, said))
        for tool, arguments in list(ways)[:_LOOKUPS]:
            if f"{tool.name} {arguments}" in self._tried:
                continue
            self._tried.add(f"{tool.name} {arguments}")
            try:
                yield from self._know(tool, (yield from self._seen.call(tool, arguments)))
                self._seen.known_by = set(arguments.values())
                return
            except Refusal:
                continue

    def _know(self, tool: Tool, found: Json) -> Script[None]:
        """Keep who it is, and look at the person's own row."""
        shown, column = self._identity.shown_by, key_column(self._identity.table)
        key = found.get(column) if isinstance(found, dict) else found
        self._seen.person = str(key)
        if isinstance(found, dict):
            self._seen.note(tool, found)
        if shown is not None and not isinstance(found, dict):
            yield from self._seen.call(shown, {next(iter(shown.inputs.values())): str(key)})

    # --- what was said ---

    def _arguments(self, tool: Tool, said: Sequence[str]) -> Iterator[dict[str, Json]]:
        """What a look-up needs, in every way in which it may have been said; the last words go first."""
        names = [name for name in tool.inputs if self._shape(tool, name) == value_shape("John")]
        rest = [name for name in tool.inputs if name not in names]
        given = [[(name, value) for value in self._values(tool, name, said)] for name in rest]
        for called in self._names(said, names):
            for each in product(*given):
                arguments = called | dict(each)
                yield {tool.inputs[name]: arguments[name] for name in tool.inputs}

    def _names(self, said: Sequence[str], parts: Sequence[str]) -> Iterable[dict[str, str]]:
        """The names that the person may have; who listens takes those that what was heard resembles."""
        if self._seen.dialogue.listening and len(parts) == 2:
            return [dict(zip(parts, pair, strict=True)) for pair in callers.names(said[1:])]
        return _names("\n".join([*reversed(said[1:]), *_INTRODUCED.findall(said[0])]), parts)

    def _values(self, tool: Tool, name: str, said: Sequence[str]) -> Iterable[str]:
        text = "\n".join(reversed(said))
        if tool.kinds[name] == "date":
            days = (each.value for each in find_mentions(text, None, self._now) if isinstance(each.value, Days))
            return dict.fromkeys(day.first.isoformat() for day in days)
        shape = self._shape(tool, name)
        if shape == _SHAPES["email"] and self._seen.dialogue.listening:
            return callers.emails(said[1:])
        return dict.fromkeys(re.findall(rf"(?<![\w#])(?:{shape})(?![\w@])", text)) if shape else ()

    def _shape(self, tool: Tool, name: str) -> str | None:
        example = example_of(tool, name)
        if example is None:
            return _SHAPES.get(name)
        return key_shape(example) if name in tool.takes and "_" not in example else value_shape(example)


def _asked(tool: Tool, name: str) -> str:
    """A parameter of a look-up in words: a key by its whole name, since "your user" is nothing that people know."""
    return tool.inputs[name].replace("_", " ") if name in tool.takes else goal_words.called(name)


def _names(text: str, parts: Sequence[str]) -> Iterator[dict[str, str]]:
    """The names of people in a text, by their parts; one empty result where no part is asked for."""
    if not parts:
        yield {}
        return
    pattern = " ".join(rf"({value_shape('John')})" for _ in parts)
    for found in re.finditer(rf"(?<!\w){pattern}(?!\w)", _NO_NAME.sub("", text)):
        yield {part: value.rstrip(".") for part, value in zip(parts, found.groups(), strict=True)}
