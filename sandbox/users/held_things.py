"""What the rows of one wish hold, of which agents speak beside it: an order's items, what was paid with, options.

At a desk for anybody a row's words are few, so that what it consists of is looked up. These names are no strange ones.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from functools import partial
from typing import TYPE_CHECKING

from toolgym.sandbox.language.mentions import Mention
from toolgym.sandbox.users.records import leaves
from toolgym.sandbox.users.slots import WishSlot
from toolgym.sandbox.users.world_terms import WorldTerms, terms_of

if TYPE_CHECKING:
    from toolgym.sandbox.users.wish import Wish

_HOPS = 3
"""From an order to its items, to their variants, to what the product is called."""
_FIGURES = re.compile(r"\d{5,}")


class HeldThings:
    """What the rows of one wish hold, at a desk for anybody; nothing where the person's own rows show it.

    Args:
        wish: whose.

    Attributes:
        texts: names, options and keys, in lower case.
    """

    def __init__(self, wish: Wish) -> None:
        self._terms = partial(terms_of, wish.domain, wish.task.data)
        self.texts = frozenset[str]()
        references = [slot for slot in wish.slots if slot.table and not slot.twins]
        if not (wish.person.is_shared and references):
            return
        terms = self._terms()
        parts = {leaf for slot in wish.slots if slot.kind == "record" for leaf in leaves(slot.fact.value)}
        keys = {key for slot in references for key in slot.keys}
        direct = {text for key in keys for row in terms.rows.get(key, ()) for text in row}
        tables = {slot.table for slot in references}
        rivals = {text for text in direct - keys if any((table, text) in wish.person.rows for table in tables)}
        found = _reached(terms, keys | (parts & terms.rows.keys()), rivals)
        self.texts = frozenset(text.casefold().replace("_", " ") for text in found)

    def explains(self, mention: Mention) -> bool:
        """Whether the rows hold what is mentioned, or a key that ends so: "gift card ending in 7711863"."""
        said = str(mention.value).casefold()
        if said in self.texts or mention.text.casefold() in self.texts:
            return True
        if any(map(str.isdigit, said)) or " " in said:  # "256GB" of "256GB SSD"
            return any(said in text and re.search(rf"(?<![\w.]){re.escape(said)}", text) for text in self.texts)
        return _FIGURES.fullmatch(said) is not None and any(text.endswith(f" {said}") for text in self.texts)

    def implies(self, named: Sequence[WishSlot], slot: WishSlot) -> bool:
        """Whether a row need not be named since what was named is a part of it, such as an item of an order."""
        if not slot.table or slot.twins:
            return False
        held = [part for each in named if each.kind == "record" for part in leaves(each.fact.value) if part.isdigit()]
        rows = self._terms().rows if held else {}
        texts = {text for key in slot.keys for row in rows.get(key, ()) for text in row}
        return any(part in rows and part in texts for part in held)


def _reached(terms: WorldTerms, keys: Collection[str], shut: Collection[str]) -> set[str]:
    """The texts of rows and of those that these point to, but not through some keys."""
    found, fresh = set(keys), set(keys)
    for _ in range(_HOPS):
        rows = (row for key in fresh for row in terms.rows.get(key, ())[: 1 if key in terms.people else None])
        fresh = {text for row in rows for text in row} - found
        fresh -= set(shut)
        found |= fresh
    return found
