"""What the rows of a wish hold, of which agents speak beside it: an order's items, what was paid with, options.

At a desk for anybody a row's words are few, so that what it consists of is looked up. These names are no strange ones.
Where the wish is about some of what a row holds, the rest is named in passing, or else taken too much.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence
from functools import partial
from typing import TYPE_CHECKING

from toolgym.sandbox.language.mentions import Mention, find_mentions
from toolgym.sandbox.language.prefilter import Prefiltered
from toolgym.sandbox.users.differing_options import Options, differing, options_of, where_named
from toolgym.sandbox.users.records import is_called, leaves
from toolgym.sandbox.users.slots import WishSlot
from toolgym.sandbox.users.variants import Change, are_told, changes_of
from toolgym.sandbox.users.world_terms import WorldTerms, terms_of

if TYPE_CHECKING:
    from toolgym.sandbox.users.proposal_reading import Line
    from toolgym.sandbox.users.wish import Wish

_HOPS = 3
"""From an order to its items, to their variants, to what the product is called."""
_AS_PAID = Prefiltered(
    r"\b(?:original|same|existing|current|initial)(?: form of)? (?:payment|[a-z]*pal\b|(?:[a-z]+ )?card|method)|"
    r"\b(?:way|method|card|payment(?: method)?) (?:that )?(?:you|that was|was) (?:originally )?(?:paid|used)\b"
)
"""What says that money goes back to where it came from."""
_IN_WHOSE_STEAD = re.compile(r"\b(?:instead of|rather than|in place of|not|from) (?:the |your |that )?(?:[a-z]+ )?$")
_FIGURES = re.compile(r"\d{5,}")
_LAST = 4
"""Figures by which a card is called."""


class NothingHeld:
    """What is known of the rows of a wish whose facts are plain text: nothing of this sort."""

    def are_all_meant(self, thing: str) -> bool:
        """Whether all of what the wished row consists of is meant; nobody knows."""
        return False

    def is_of_another(self, text: str, words: Sequence[str]) -> bool:
        """Whether a sentence is about another thing than the wish's; nobody knows."""
        return False


class HeldThings:
    """What the rows of one wish hold, at a desk for anybody; nothing where the person's own rows show it.

    Args:
        wish: whose.
        domain: the world.
        data: its body of data.

    Attributes:
        texts: names, options and keys, in lower case.
        changes: what its things are to become, where they are to be other variants.
        direct: the keys and values in the rows of what is named by its key, such as an order's payments.
        former, former_ends: keys of the rows that it named before and is to name no longer, and their last figures.
        own: names of the things of a row that are meant.
        options: what options these have.
        others: names of further things of the same row, such as the other items of an order.
    """

    def __init__(self, wish: Wish, domain: str, data: str) -> None:
        self._wish, self._terms = wish, partial(terms_of, domain, data)
        self.texts, self.direct, self.others = frozenset[str](), frozenset[str](), frozenset[str]()
        self.former, self.former_ends = frozenset[str](), frozenset[str]()
        self._compounds, self._some = frozenset[str](), False
        self.own, self.options = frozenset[str](), Options()
        self.changes: Sequence[Change] = ()
        self._sorts: dict[str, Sequence[str]] = {}
        references = [slot for slot in wish.slots if slot.table and not slot.twins]
        if not (wish.person.is_shared and references):
            return
        terms = self._terms()
        parts = {leaf for slot in wish.slots if slot.kind == "record" for leaf in leaves(slot.fact.value)}
        parts &= terms.rows.keys()
        keys = {key for slot in references for key in slot.keys}
        self.direct = frozenset(text for key in keys for row in terms.rows.get(key, ()) for text in row)
        tables = {slot.table for slot in references}
        rivals = {text for text in self.direct - keys if any((table, text) in wish.person.rows for table in tables)}
        found = _reached(terms, keys | parts, rivals)
        if all(slot.table for slot in wish.needed):  # one row is to name another one than before
            self.former = frozenset(rivals)
            ends = (text[-_LAST:] for key in rivals for row in terms.rows.get(key, ()) for text in row)
            self.former_ends = frozenset(end for end in ends if end.isdigit())
        self.texts = frozenset(text.casefold().replace("_", " ") for text in found)
        nouns = [wish.world.nouns[slot.table] for slot in references]
        self._compounds = frozenset(
            each.removeprefix(f"{one} ")
            for each in wish.world.nouns.values()
            for one in nouns
            if each.startswith(f"{one} ")
        )
        whole = (
            {table for table in wish.declared.tables.values() if table.__name__ in tables} if wish.declared else set()
        )
        self._compounds |= {wish.world.nouns[table.__name__] for table in wish.world.with_parts(whole) - whole}
        if parts:
            beside = _siblings(terms, keys, parts)
            strange = _reached(terms, beside, rivals | keys) - _reached(terms, parts, rivals | keys)
            self.others = frozenset(text.casefold() for text in strange if _is_name(text, wish))
            self._some = bool(beside)
            old = parts & self.direct
            meant = _reached(terms, old, rivals | keys)
            self.own = frozenset(text.casefold() for text in meant if _is_name(text, wish))
            self.options = options_of(terms, parts, parts - old, old, wish.asked_for)
            self.changes = changes_of(terms, sorted(old), sorted(parts - old)) if parts - old else ()

    def leaves_rest(self, slot: WishSlot) -> bool:
        """Whether new things are told with all that changes of them, so that other options stay what they are."""
        return slot.fact.name.startswith("new_") and bool(self._changed()) and self._names_changes(slot.words)

    def untold_in(self, text: str, wish: Wish) -> list[WishSlot]:
        """The new things that leave the rest, where a text does not show that it knows what changes of them."""
        return [] if self._names_changes(text) else [slot for slot in wish.slots if self.leaves_rest(slot)]

    def _changed(self) -> set[str]:
        return {value for value in self.options.changed.values() if value not in ("yes", "no", "none")}

    def _names_changes(self, text: str) -> bool:
        return all(value in text.casefold() for value in self._changed())

    def explains(self, mention: Mention) -> bool:
        """Whether the rows hold what is mentioned, or a key that ends so: "gift card ending in 7711863"."""
        said = str(mention.value).casefold()
        if said in self.texts or mention.text.casefold() in self.texts:
            return True
        if any(map(str.isdigit, said)) or " " in said:  # "256GB" of "256GB SSD"
            return any(said in text and re.search(rf"(?<![\w.]){re.escape(said)}", text) for text in self.texts)
        return _FIGURES.fullmatch(said) is not None and any(text.endswith(f" {said}") for text in self.texts)

    def are_all_meant(self, thing: str) -> bool:
        """Whether all of what the wished row consists of is meant: "all items" of an order that is cancelled."""
        return thing in self._compounds and not self._some

    def is_told(self, slot: WishSlot, text: str) -> bool:
        """Whether a row is told as the one that the wished row names ("your original payment") or by its sort."""
        if slot.kind == "record" and self.changes and not self.direct.issuperset(leaves(slot.fact.value)):
            return are_told(self.changes, text)
        others = [each for each in self._wish.slots if each.table and each is not slot]
        if not slot.table or not self.direct or not others:
            return False
        if not self.direct.isdisjoint(slot.keys) and _AS_PAID.search(text):
            return True
        if slot.fact.name not in self._sorts:
            self._sorts[slot.fact.name] = tuple(self._sorts_of(slot))
        sorts = (each for each in self._sorts[slot.fact.name] if each in text)
        said = (match for each in sorts for match in re.finditer(rf"\b{re.escape(each)}s?\b", text))
        return any(not _IN_WHOSE_STEAD.search(text[: match.start()]) for match in said)

    def _sorts_of(self, slot: WishSlot) -> Iterator[str]:
        """What only this one of its owner's rows is: "credit card" where there is no other."""
        person = self._wish.person
        own = person.rows.get((slot.table, slot.keys[0]), {})
        owners = [name for name in own if name.endswith("_id") and own[name] != slot.keys[0]]
        if not owners:
            return
        alike = [
            row
            for row in person.holding(slot.table, owners[0], own[owners[0]])
            if row is not own and all(row.get(name) == own[name] for name in owners)
        ]
        for name, value in own.items():
            is_sort = isinstance(value, str) and name not in owners and len(value) > 3 and value.islower()
            if is_sort and not any(map(str.isdigit, value)) and all(row.get(name) != value for row in alike):
                yield value.replace("_", " ")

    def implies(self, named: Sequence[WishSlot], slot: WishSlot) -> bool:
        """Whether a row need not be named since what was named is a part of it, such as an item of an order."""
        if not slot.table or slot.twins:
            return False
        held = [part for each in named if each.kind == "record" for part in leaves(each.fact.value) if part.isdigit()]
        rows = self._terms().rows if held else {}
        texts = {text for key in slot.keys for row in rows.get(key, ()) for text in row}
        return any(part in rows and part in texts for part in held)

    def is_of_another(self, text: str, words: Sequence[str]) -> bool:
        """Whether a sentence is about another thing of the row, or another row: "the Pet Bed will not be returned"."""
        wish = self._wish
        tables = {slot.table for slot in wish.slots if slot.table}
        own = {key for slot in wish.slots if slot.table for key in slot.keys}
        if not own.isdisjoint(words) or any(name.rsplit(" ", 1)[-1] in text for name in self.own):
            return False
        others = any((table, word) in wish.person.rows for word in words for table in tables)
        return others or any(any(where_named(name, text)) for name in self.others)

    def differing(self, lines: Sequence[Line]) -> Iterator[str]:
        """What a proposal does to another part of the row than is meant, or not to all of it, or with other options."""
        return differing(lines, self, self._wish)

    def is_own(self, word: str) -> bool:
        """Whether one of the things that are meant goes by a word."""
        return any(is_called(name, word) for name in self.own)


def _reached(terms: WorldTerms, keys: Collection[str], shut: Collection[str]) -> set[str]:
    """The texts of rows and of those that these point to, but not through some keys."""
    found, fresh = set(keys), set(keys)
    for _ in range(_HOPS):
        rows = (row for key in fresh for row in terms.rows.get(key, ())[: 1 if key in terms.people else None])
        fresh = {text for row in rows for text in row} - found
        fresh -= set(shut)
        found |= fresh
    return found


def _siblings(terms: WorldTerms, keys: Collection[str], parts: Collection[str]) -> set[str]:
    """Keys that stand where the parts stand, in rows of the same form."""
    rows = [row for key in keys for row in terms.rows.get(key, ())]
    places = {(len(row), row.index(part)) for row in rows for part in parts if part in row}
    found = {row[place] for row in rows for length, place in places if len(row) == length}
    return {text for text in found if text in terms.rows} - set(parts)


def _is_name(text: str, wish: Wish) -> bool:
    names = wish.person.names
    if text not in names:
        found = [each for each in find_mentions(text, wish.person.lexicon, wish.now) if each.value == text]
        names[text] = any(column.endswith(".name") for each in found for column in each.columns)
    return names[text]
