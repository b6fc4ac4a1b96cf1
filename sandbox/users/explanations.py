"""What of a mention is explained by the rows, the right calls and the words of a wish of a declared world.

Whether what is explained stands where the wish means it is no matter of this file.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any

from toolgym.sandbox.language.mentions import Mention, find_mentions
from toolgym.sandbox.users.records import leaves
from toolgym.sandbox.users.slots import WishSlot, holds, is_alike, is_day, is_moment

if TYPE_CHECKING:
    from toolgym.sandbox.users.wish import Wish

_LONG = 4
"""Figures of the end of a key that could be something else."""


class Explanations:
    """What explains the mentions that stand beside the slots of one wish.

    Args:
        wish: whose.
        owner: the key of the person whose wish it is.
    """

    def __init__(self, wish: Wish, owner: str) -> None:
        self._wish, self._owner = wish, owner
        self._inside: dict[str, frozenset[str]] = {}

    def explains(self, mention: Mention) -> bool:
        """Whether a mention is something that the wish's own rows or calls hold, or that the user said."""
        if mention.kind == "date" and any(is_day(mention, value) for value in self._wish.own_keys):
            return True
        if mention.kind in ("term", "identifier", "number", "count") and self._wish.held.explains(mention):
            return True
        if mention.text.casefold() in self._described and mention.kind in (
            "term",
            "identifier",
            "date",
            "money",
            "phone",
        ):
            return True
        if mention.kind == "term" and mention.text.casefold() in self._wish.own_states:
            return True  # "set it to shipped"
        if mention.kind == "money" and mention.value in self._products:
            return True
        if mention.kind == "count" and mention.value == self._calls_for(mention.unit):
            return True  # "two orders: sell this, buy that"
        if mention.kind == "date" and self._spans_told(mention):
            return True
        if str(mention.value) in self._wish.own_keys or (mention.kind, str(mention.value)) in self._told:
            return True
        if mention.text in self._ends:
            return True
        if any(self._is_linked(mention, key) for key in self._found_keys) or self._is_found(mention):
            return True
        if self._comes_of_it(mention):
            return True
        rivals = {"money": ("money",), "date": ("date", "moment"), "time": ("time", "moment")}.get(mention.kind, ())
        if any(slot.kind in rivals for slot in self._wish.slots):
            return False
        for slot in self._wish.slots:
            row = self._wish.row(slot)
            if any(holds(mention, column, value) for column, value in row.items()):
                return True
            if any(self._is_linked(mention, value) for value in row.values()):
                return True
            if mention.kind == "identifier" and str(mention.value) in self._parts_of(slot):
                return True
        return any(holds(mention, column, value) for row in self._found_rows for column, value in row.items())

    @cached_property
    def _found_rows(self) -> Sequence[Mapping[str, Any]]:
        """The rows with such keys, such as the events of "all failed ones"."""
        person = self._wish.person
        places = [(table, key) for key in self._found_keys for table in person.spoken]
        return [person.rows[place] for place in places if place in person.rows]

    @cached_property
    def _found_keys(self) -> frozenset[str]:
        """Keys of rows such as the cheapest one, which the user does not name."""
        named = {key for slot in self._wish.slots for key in slot.keys}
        return self._wish.own_keys - named - {self._owner}

    @cached_property
    def _ends(self) -> frozenset[str]:
        """How the keys end that the right calls are given: the "9514029" of "certificate_9514029"."""
        keys = (key.rsplit("_", 1) for key in self._wish.own_keys if "_" in key)
        return frozenset(end for _, end in keys if len(end) > _LONG)

    @cached_property
    def _told(self) -> frozenset[tuple[str, str]]:
        """The typed things that the user says."""
        said = " ".join((self._wish.goal.utterance, *(slot.words for slot in self._wish.slots)))
        return frozenset(
            (each.kind, str(each.value)) for each in find_mentions(said, self._wish.person.lexicon, self._wish.now)
        )

    @cached_property
    def _described(self) -> str:
        """What the user's words for it are, whatever their case."""
        return " ".join((*(slot.words for slot in self._wish.slots), self._wish.goal.utterance)).casefold()

    def _comes_of_it(self, mention: Mention) -> bool:
        """Whether a mention is what the right calls are given or bring; what stood there before may be a rival."""
        is_rival = any(is_alike(slot, mention) for slot in self._wish.slots) or mention.kind in ("number", "count")
        return bool(self._wish.outcome.columns_of(mention, changed=is_rival))

    def _parts_of(self, slot: WishSlot) -> frozenset[str]:
        """What stands inside the columns of a wished row, such as the flights of a trip."""
        if slot.fact.name not in self._inside:
            held = [value for value in self._wish.row(slot).values() if isinstance(value, dict | list)]
            self._inside[slot.fact.name] = frozenset(leaf for value in held for leaf in leaves(value))
        return self._inside[slot.fact.name]

    def _is_linked(self, mention: Mention, value: Any) -> bool:
        """Whether a mention names the row that a wished row points to, such as a card's account."""
        return any(
            str(value) in self._wish.person.named(column, str(mention.value))
            for column in mention.columns
            if "." in column
        )

    def _is_found(self, mention: Mention) -> bool:
        """Whether a mention names the person or thing that the right call names by another column, as a manager."""
        named = (
            (column.split(".")[0], key)
            for column in mention.columns
            if "." in column
            for key in self._wish.person.named(column, str(mention.value))
        )
        named = (place for place in named if all(place[0] != slot.table for slot in self._wish.slots))
        rows = (self._wish.person.rows.get(place, {}) for place in named)
        return any(isinstance(value, str) and value in self._found_keys for row in rows for value in row.values())

    def _spans_told(self, mention: Mention) -> bool:
        """Whether a month or a year is that of a day which the user has said: "9 November last year"."""
        days = [slot.fact.value for slot in self._wish.slots if slot.kind == "date"]
        days += [
            str(value)[:10] for slot in self._wish.slots for value in self._wish.row(slot).values() if is_moment(value)
        ]
        first, last = mention.value.first.isoformat(), mention.value.last.isoformat()
        return bool(first != last and any(first <= str(day) <= last for day in days))

    def _calls_for(self, noun: str) -> int:
        """How many right calls are for such things by their tools' names; all of them where these are steps."""
        names = [call.name for call in self._wish.goal.calls if self._wish.secrets.isdisjoint(leaves(call.arguments))]
        if noun in ("step", "change", "action", "thing"):
            return len(names)
        return sum(noun in name.split("_") for name in names)

    @cached_property
    def _products(self) -> frozenset[int]:
        """What several pieces cost together."""
        prices = [int(str(slot.fact.value)) for slot in self._wish.slots if slot.kind == "money"]
        counts = [float(str(slot.fact.value)) for slot in self._wish.slots if slot.kind == "number"]
        return frozenset(round(price * count) for price in prices for count in counts)
