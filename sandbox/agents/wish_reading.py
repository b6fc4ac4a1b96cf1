"""What a person says of a goal's slots: rows by keys or descriptions, values that stand elsewhere, plain values."""

from __future__ import annotations

import re
from collections.abc import Mapping
from datetime import date
from typing import Any

from toolgym.sandbox.agents.dialogue import Script
from toolgym.sandbox.agents.parts_reading import PartsReading
from toolgym.sandbox.agents.row_search import Hit, RowSearch
from toolgym.sandbox.agents.rule_check import RuleCheck
from toolgym.sandbox.agents.seen import Seen, Table
from toolgym.sandbox.agents.slot_reading import is_list, read, sides, wanted, word_before
from toolgym.sandbox.kit.domain import Domain
from toolgym.sandbox.kit.goal import Goal, Same
from toolgym.sandbox.kit.message import Json
from toolgym.sandbox.language.days import Days
from toolgym.sandbox.language.mentions import Mention, find_mentions


class WishReading:
    """Reads wishes and answers in one conversation.

    Args:
        domain: the world.
        seen: what the conversation has shown.
        rows: finds rows that a text speaks of.
        parts: finds parts of rows.
        rules: knows what to look at for a wish.
    """

    def __init__(self, domain: Domain, seen: Seen, rows: RowSearch, parts: PartsReading, rules: RuleCheck) -> None:
        self._domain, self._seen, self._rows, self._parts, self._rules = domain, seen, rows, parts, rules

    def understood(self, goal: Goal, text: str, known: Mapping[str, Json] | None = None) -> Script[dict[str, Json]]:
        """What a text says of a goal's slots.

        Args:
            goal: whose.
            text: what was said.
            known: what was understood before.
        """
        values: dict[str, Json] = {}
        same = self._same(goal, text)
        rest = text
        if same is not None:
            name, each = same
            value, rest = yield from self._elsewhere(each, text)
            values |= {} if value is None else {name: value}
        taken, rest = yield from self._referred(goal, rest)
        rest = self._without(goal, taken, rest)
        plain = read(goal, rest, self._domain.now)
        found = plain | taken | values
        parts = yield from self._parts_said(goal, {**(known or {}), **found}, rest)
        return found | parts

    def answer(self, goal: Goal, name: str, known: Mapping[str, Json], text: str) -> Script[dict[str, Json]]:
        """What an answer says of the slot that was asked for, and of the parameters that go with it."""
        if name in goal.tables:
            found, _ = yield from self._referred(goal, text, only=name)
            return found
        if self._parts.table_of(goal, name) is not None:
            return (yield from self._parts_said(goal, known, text, only=name))
        same = self._same(goal, text)
        if same is not None:
            value, _ = yield from self._elsewhere(same[1], text)
            if value is not None:
                return {name: value}
        return read(goal, text, self._domain.now, only=name)

    def _parts_said(
        self, goal: Goal, known: Mapping[str, Json], text: str, only: str | None = None
    ) -> Script[dict[str, Json]]:
        """The parts that a text names of the rows that are known, and what is wanted in their place."""
        found: dict[str, Json] = {}
        for name in wanted(goal, self._seen.served):
            if self._parts.table_of(goal, name) is None or only not in (None, name):
                continue
            yield from self._show(goal, known)
            keys = yield from self._parts.read(goal, name, {**known, **found}, text)
            found |= {} if keys is None else {name: list(keys)}
        return found

    def _show(self, goal: Goal, known: Mapping[str, Json]) -> Script[None]:
        """Look at the rows that a wish is about, in which the parts stand."""
        yield from self._rules.look(goal, known)

    def _without(self, goal: Goal, taken: Mapping[str, Json], text: str) -> str:
        """A text without the amounts and days that describe the rows that were found."""
        for name, value in taken.items():
            keys = value if isinstance(value, list) else [value]
            for key in keys:
                row = self._seen.rows.get((goal.tables[name], str(key)), {})
                for mention in reversed(find_mentions(text, None, self._domain.now)):
                    if any(_is_value(mention, column, each) for column, each in row.items()):
                        text = _blanked(text, mention.start, mention.end)
                        break
        return text

    def _referred(self, goal: Goal, text: str, only: str | None = None) -> Script[tuple[dict[str, Json], str]]:
        """The rows that a text speaks of, each in the slot on whose side it stands, and the text without them."""
        found: dict[str, Json] = {}
        rest = text
        names = [name for name in wanted(goal, self._seen.served) if name in goal.tables and only in (None, name)]
        for table in dict.fromkeys(goal.tables[name] for name in names):
            slots = [name for name in names if goal.tables[name] is table]
            hits = yield from self._hits(table, text, single=len(slots) == 1)
            for name in slots:
                if is_list(goal, name):
                    found |= {name: [hit.key for hit in sorted(hits, key=lambda hit: hit.start)]} if hits else {}
                elif hits:
                    hit = _for_slot(
                        goal,
                        name,
                        slots,
                        hits,
                        text,
                        {key for key in found.values() if isinstance(key, str)} if len(slots) > 1 else set(),
                    )
                    found |= {} if hit is None else {name: hit.key}
                    rest = rest if hit is None else _blanked(rest, hit.start, hit.end)
        return found, rest

    def _hits(self, table: Table, text: str, *, single: bool) -> Script[list[Hit]]:
        key = self._rows.key_said(table, text)
        if key and single:
            start = text.find(key)
            self._rows.note_key(table, key)
            return [Hit(key, start, 100, start + len(key))]
        if single and self._seen.dialogue.listening:
            found = yield from self._rows.find(table, text)
            near = self._rows.key_heard(table, text)
            return found or ([] if near is None else [Hit(near, 0, 100, 0)])
        return (yield from self._rows.find(table, text)) or self._keys(table, text)

    def _keys(self, table: Table, text: str) -> list[Hit]:
        """All keys of a table's shape, for rows that no list showed."""
        hits, rest = [], text
        while (key := self._rows.key_said(table, rest)) is not None:
            start = rest.find(key)
            hits.append(Hit(key, start, 100, start + len(key)))
            rest = _blanked(rest, start, start + len(key))
        return hits

    def _same(self, goal: Goal, text: str) -> tuple[str, Same] | None:
        """The slot whose value a text says stands elsewhere."""
        for slot in goal.slots:
            for same in slot.same_as:
                head = same.says.split("{", 1)[0].strip().lower()
                if head and head in text.lower():
                    return slot.name, same
        return None

    def _elsewhere(self, same: Same, text: str) -> Script[tuple[Json, str]]:
        """A value that stands in another row, and the text without the words for it."""
        head = same.says.split("{", 1)[0].strip().lower()
        start = text.lower().find(head)
        hits = yield from self._rows.find(same.table, text[start:])
        if not hits:
            return None, text
        row = self._seen.rows[same.table, hits[0].key]
        if same.column not in row and same.by is not None:
            parameter = next(name for name, table in same.by.references.items() if table is same.table)
            row = yield from self._seen.call(same.by, {same.by.inputs[parameter]: hits[0].key})
        value = row.get(same.column)
        return (abs(value) if isinstance(value, int) else value), self._cut(row, text, start)

    def _cut(self, row: Mapping[str, Json], text: str, start: int) -> str:
        """The text without what it says of a row, from a position on."""
        end = start
        for column, value in row.items():
            for mention in find_mentions(text, None, self._domain.now):
                if mention.start >= start and _is_value(mention, column, value):
                    end = max(end, mention.end)
            spot = text.find(str(value), start)
            end = max(end, spot + len(str(value))) if spot >= 0 and isinstance(value, str) else end
        return text[:start] + text[end:]


def _blanked(text: str, start: int, end: int) -> str:
    return text[:start] + "…" * (end - start) + text[end:]


def _for_slot(goal: Goal, name: str, slots: list[str], hits: list[Hit], text: str, taken: set[Any]) -> Hit | None:
    """The row that stands on a slot's side of the text; the likeliest one where there is only one slot."""
    free = [hit for hit in hits if hit.key not in taken]
    if len(slots) == 1:
        return free[0] if free else None
    for hit in free:
        for word in word_before(text, hit.start):
            owner = [slot for slot in slots if word in sides(goal, slot)]
            if owner:
                if owner == [name]:
                    return hit
                break
    others = [slot for slot in slots if slot != name]
    left = [hit for hit in free if not any(_stands(goal, other, hit, text) for other in others)]
    sure = len(left) == 1 and len(hits) == len(slots)
    return left[0] if left and (sure or not sides(goal, name)) else None


def _stands(goal: Goal, name: str, hit: Hit, text: str) -> bool:
    return any(word in sides(goal, name) for word in word_before(text, hit.start))


def _is_value(mention: Mention, column: str, value: Json) -> bool:
    if mention.kind == "money":
        return isinstance(value, int) and column.endswith("_cents") and abs(value) == mention.value
    if isinstance(mention.value, Days) and isinstance(value, str) and re.match(r"\d{4}-\d\d-\d\d", value):
        return date.fromisoformat(value[:10]) == mention.value.first
    return False
