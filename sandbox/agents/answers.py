"""What an agent tells once a wish is done, and what it answers to a question that follows: values of tools' results."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from random import Random
from types import SimpleNamespace
from typing import Any, cast

from toolgym.sandbox.agents import goal_words
from toolgym.sandbox.agents.dialogue import Script
from toolgym.sandbox.agents.rule_check import beside
from toolgym.sandbox.agents.seen import Seen
from toolgym.sandbox.agents.slot_reading import besides
from toolgym.sandbox.agents.wish_words import kind_of_tell
from toolgym.sandbox.kit.errors import ConfigurationError, Refusal
from toolgym.sandbox.kit.goal import Condition, Draw, Goal, Slot, Tell
from toolgym.sandbox.kit.message import Json
from toolgym.sandbox.kit.table import key_column

_LACKING = (AttributeError, KeyError, TypeError, IndexError, StopIteration, ValueError)
"""What an author's function meets that asks for more than an agent knows."""


@dataclass(frozen=True)
class Heard:
    """What an agent knows of a wish, where the engine would give all that was drawn: what it heard, and who speaks.

    Attributes:
        values: by name; keys, or rows as they were seen.
        person: the person's row as it was seen.
    """

    values: Mapping[str, Any]
    person: Any = None

    def view(self, row: Any) -> Any:
        """What tools have shown of a row."""
        return row


class Answers:
    """Tells what results hold, in one conversation.

    Args:
        seen: what the conversation has shown.
        now: the present.
        rng: draws the wording.
    """

    def __init__(self, seen: Seen, now: datetime, rng: Random) -> None:
        self._seen, self._now, self._rng = seen, now, rng

    def told(self, tell: Tell, goal: Goal, values: Mapping[str, Json], result: Json, text: str) -> Script[str]:
        """A sentence that tells something; empty where nothing seen says it.

        Args:
            tell: what.
            goal: what was wished for.
            values: with which values.
            result: of the wish's own call.
            text: the wish in the user's words.
        """
        tool = tell.by or goal.tool
        if tell.by is not None:
            result = yield from self._shown(tell, goal, values)
        value = self._value(tell, goal, values, result, text)
        if value is None:
            return ""
        label = goal_words.label_of(tell)
        if isinstance(value, list):
            return goal_words.told(label, ", ".join(map(str, value)) or "empty", self._rng)
        kind = kind_of_tell(tool, tell)
        return goal_words.told(label, goal_words.value_in_words(kind, value, self._rng, self._now), self._rng)

    def shown(self, condition: Condition, key: str) -> Script[Json]:
        """The number that a condition is about, of the row with this key."""
        takes = condition.by.takes.items()
        given = {name: key if condition.table in tables else self._seen.person for name, tables in takes}
        result = yield from self._seen.call(condition.by, {condition.by.inputs[name]: given[name] for name in given})
        row = self._seen.rows.get((condition.table, key), {})
        return condition.value(result) if condition.value else row.get(condition.column)

    def _shown(self, tell: Tell, goal: Goal, values: Mapping[str, Json]) -> Script[Json]:
        assert tell.by is not None
        arguments = beside(tell.by, goal, values, self._seen)
        if tell.of is not None:
            arguments = dict.fromkeys(tell.by.inputs.values(), self._referred(tell, goal, values))
        try:
            return (yield from self._seen.call(tell.by, arguments))
        except Refusal:
            return None

    def _referred(self, tell: Tell, goal: Goal, values: Mapping[str, Json]) -> Json:
        """The key of another table's row that one of the wish's rows holds."""
        assert tell.of is not None
        rows = (self._seen.rows.get((table, str(values.get(name))), {}) for name, table in goal.tables.items())
        return next((row[key_column(tell.of)] for row in rows if key_column(tell.of) in row), None)

    def person(self) -> Any:
        """The row of whom the agent serves, as it was seen."""
        table = self._seen.served
        row = None if table is None else self._seen.rows.get((table, self._seen.person or ""))
        return None if row is None else SimpleNamespace(**row)

    def worked_out(self, goal: Goal, values: Mapping[str, Json], about: Mapping[str, Json]) -> dict[str, Json]:
        """The arguments that an agent works out, those for which enough was seen."""
        rows = {
            name: SimpleNamespace(**self._seen.rows.get((table, str(values.get(name))), {}))
            for name, table in goal.tables.items()
        }
        heard, found = Heard({**about, **values, **rows}, self.person()), {}
        for name, function in goal.worked_out.items():
            try:
                found[name] = function(cast(Draw, heard))
            except _LACKING:
                continue
        return found

    def _value(self, tell: Tell, goal: Goal, values: Mapping[str, Json], result: Json, text: str) -> Json:
        try:
            if tell.value is None:
                return goal_words.within(result, tell.name)
            if not tell.of_the_draw:
                value: Json = tell.value(result)
                return value
            heard = Heard({**values, **spoken_of(goal, values, result, text)}, self.person())
            known: Json = tell.value(result, heard)
            return known
        except _LACKING:
            return None


def spoken_of(goal: Goal, values: Mapping[str, Json], result: Json, text: str) -> dict[str, Json]:
    """What a wish speaks of besides its tool's parameters: what is declared, or a result shows, and the text says.

    Args:
        goal: what is wished for.
        values: of its parameters.
        result: what a tool has shown, if anything.
        text: the wish, and what was answered since.
    """
    found: dict[str, Json] = {}
    for slot in besides(goal):
        usual = slot.draw if isinstance(slot.draw, Sequence) else ()
        said = [
            (words, value)
            for value in (*usual, *_shown_in(result))
            if (words := words_of(slot, value)) and _holds(text, words)
        ]
        rest = [each for each in said if each[1] not in (*values.values(), *found.values())]
        if rest:
            found[slot.name] = max(rest, key=lambda each: len(each[0]))[1]
        elif (quoted := _in_its_place(goal, slot, text)) and slot.say is None and slot.of is None:
            found[slot.name] = quoted
    return found


def _in_its_place(goal: Goal, slot: Slot, text: str) -> str | None:
    """The words of a text that stand where the declared sentences have a slot: what comes after "because"."""
    own = [(says, f"{{{slot.name}}}") for says in goal.says] + [(says, "{}") for says in slot.says]
    for says, place in own:
        before, found, after = says.partition(place)
        lead = re.split(r"[\]\[{}]", before)[-1].strip()
        if found and lead:
            end = re.escape(re.split(r"[\]\[{}]", after)[0].strip() or ".")
            match = re.search(rf"(?<!\w){re.escape(lead)} (.+?)(?:{end}|[.;?!](?: |$)|$)", text, re.IGNORECASE)
            if match:
                return match.group(1)
    return None


def _shown_in(result: Json) -> list[Json]:
    """The names, texts and dictionaries in a result."""
    if isinstance(result, dict):
        inner = [each for value in result.values() for each in _shown_in(value)]
        return [result, *result, *inner]
    if isinstance(result, list):
        return [each for value in result for each in _shown_in(value)]
    return [result] if isinstance(result, str) else []


def words_of(slot: Slot, value: Any) -> str:
    """What a person calls a slot's value; empty where nothing says it."""
    if slot.say is None:
        return value if isinstance(value, str) else ""
    say = getattr(slot.say, "__wrapped__", slot.say)  # a sentence with the place where it breaks would take longest
    try:
        return str(say(value))
    except (ConfigurationError, ArithmeticError, *_LACKING):  # an author's words for another sort of value
        return ""


def _holds(text: str, words: str) -> bool:
    return re.search(rf"(?<!\w){re.escape(words)}(?!\w)", text, re.IGNORECASE) is not None
