"""Whether a proposal names what the right calls of a wish are given, so that nobody has to say how it was found.

"The cheapest one rated 4.5 or better" only leads to a row: a proposal that names this row, by its key, its name or
enough of its own values, has said all that the call needs.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

from toolgym.sandbox.kit.task import Fact
from toolgym.sandbox.language.mentions import Mention
from toolgym.sandbox.runtime.registry import get_domain
from toolgym.sandbox.users.checks.proposal import Proposal
from toolgym.sandbox.users.described import describes
from toolgym.sandbox.users.outcome import is_said
from toolgym.sandbox.users.records import leaves
from toolgym.sandbox.users.slots import WishSlot, is_alike
from toolgym.sandbox.users.wish import Wish

_NEVER = re.compile(r"(?!)")
_UNSAID = frozenset(("free", "secret", "flag"))
"""Kinds of arguments that no proposal must tell."""
_OR_MORE = re.compile(r"\b(?:or (?:more|better|higher|above)|at least)\b")
_LEFT = frozenset(("not", "instead_of"))
"""Sides on which stands what is not meant."""


def is_criterion(slot: WishSlot, wish: Wish) -> bool:
    """Whether a slot is given to none of the right calls, but only leads to what is."""
    held = slot.keys if slot.table else leaves(slot.fact.value) or (str(slot.fact.value),)
    return bool(wish.given) and wish.given.isdisjoint(held)


def is_enough(mention: Mention, slot: WishSlot, wish: Wish) -> bool:
    """Whether a figure is one that a wish allows which asks for so much "or more": a seller with 97 percent."""
    least, said = slot.fact.value, mention.value
    if not (isinstance(least, int | float) and isinstance(said, int | float) and is_criterion(slot, wish)):
        return False
    return said >= least and _OR_MORE.search(wish.asked_for) is not None


def names_all_given(proposal: Proposal, wish: Wish) -> bool:
    """Whether a proposal names each argument of the right calls that no slot holds, a row among them."""
    sought = list(_sought(wish))
    return any(slot.table for slot in sought) and all(_is_named(slot, proposal, wish) for slot in sought)


def _sought(wish: Wish) -> Iterator[WishSlot]:
    """What the right calls are given that is no slot's: rows that are found, values that are worked out."""
    told = {leaf for slot in wish.slots for leaf in (*slot.keys, *leaves(slot.fact.value))} | wish.secrets
    told |= {wish.owner} | {str(value) for value in (wish.declared.fixed if wish.declared else {}).values()}
    tools = get_domain(wish.domain).tools
    for call in wish.goal.calls:
        given: Mapping[str, Any] = call.arguments if isinstance(call.arguments, dict) else {}
        tool = tools[call.name]
        for name, wire in tool.inputs.items():
            value, table = given.get(wire), tool.references.get(name)
            if value is None or tool.kinds.get(name) in _UNSAID or told.issuperset(leaves(value) or (str(value),)):
                continue
            fact = Fact(name=name, value=value, kind="reference" if table is not None else tool.kinds.get(name))
            yield WishSlot(fact, table.__name__ if table is not None else "", frozenset(), _NEVER)


def _is_named(slot: WishSlot, proposal: Proposal, wish: Wish) -> bool:
    """Whether a proposal tells a value, or names a row and no other of its sort."""
    if not slot.table:
        return slot.fact.value == 1 or any(is_said(each, slot.fact.name, slot.fact.value) for each in proposal.mentions)
    partial: list[frozenset[str]] = []
    for mention in proposal.mentions:
        rows = slot.rows(mention, wish.person)
        if rows & set(slot.keys) and not (mention.negated or mention.role in _LEFT):
            partial.append(rows)
        elif (rows or is_alike(slot, mention)) and not wish.explains(mention):
            return False
    is_keyed = any(_stands_in(key.casefold(), proposal.text) for key in slot.keys[:1] if len(slot.keys) == 1)
    return is_keyed or slot.is_wholly_named(partial) or describes(proposal.heard, slot, wish, partial)


def _stands_in(key: str, text: str) -> bool:
    return key in text and re.search(rf"(?<![\w-]){re.escape(key)}(?![\w-])", text) is not None
