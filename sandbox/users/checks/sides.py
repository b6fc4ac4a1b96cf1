"""What a proposal puts on the other side: the row's amount as the new one, the old choice as what it becomes, a place.

Only the words right before or after what is named decide; both sides are known from the wish's rows and right calls.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from toolgym.sandbox.language.prefilter import Prefiltered
from toolgym.sandbox.users.checks.proposal import Proposal
from toolgym.sandbox.users.lexicon import CHOICE
from toolgym.sandbox.users.slots import sides_of
from toolgym.sandbox.users.wish import Wish

_GIVING = re.compile(r"\b(?:with|at|to|by|for|asking|of) (?:an? |only )?$")
_FROM_US = Prefiltered(
    r"\bfrom (?:our|your|this) (?:own )?(?:store|side|stock|shop|outlet|branch)\b|\bfrom (?:here|us)\b"
)
_TARGET = re.compile(r"_to_([a-z]+)$")
_PLACED = re.compile(r"\b(?:back )?(?:on|onto|to|into|in) (?:the|your) (?:[a-z]+ )?([a-z]+)\b")
_PUTS = re.compile(r"\b(?:put|putting|move|moving|moved|add|adding|place|placing|return|bring)\b")


def turned_amounts(proposal: Proposal, wish: Wish) -> Iterator[str]:
    """The wished amount said of the row, and the row's own to be the new one: "counter the $75 offer with $66"."""
    nouns = "|".join(map(re.escape, wish.singles))
    for slot in (each for each in wish.slots if each.kind == "money" and nouns and str(each.fact.value) in wish.given):
        own = [each for each in proposal.mentions if each.kind == "money" and slot.fits(each, wish.person)]
        others = [each for each in proposal.mentions if each.kind == "money" and each not in own and each.value]
        for mention in own:
            after = re.match(rf"(?:[ -]dollars?)? (?:{nouns})\b", proposal.text[mention.end :])
            before = re.search(rf"\b(?:{nouns}) (?:of|over|at|for) $", proposal.text[: mention.start])
            is_counter = re.search(rf"counter[ -](?:{nouns})", proposal.text)
            if (after or before) and not is_counter:
                yield from (f"{each.text}" for each in others if _GIVING.search(proposal.text[: each.start]))


def turned_choices(proposal: Proposal, wish: Wish) -> Iterator[str]:
    """What a choice is to become said to be what it is: "from basic economy to economy"."""
    for slot in (each for each in wish.slots if each.kind == "choice"):
        for mention, after in zip(proposal.named, proposal.named[1:], strict=False):
            is_pair = mention.role == "from" and after.role == "to"
            is_pair = is_pair and proposal.text[mention.end : after.start].strip() == "to"
            if not is_pair or not all(each.startswith(CHOICE) for each in (*mention.columns, *after.columns)):
                continue
            if slot.is_chosen(mention, wish.person) is True and slot.is_chosen(after, wish.person) is not True:
                yield f"from {mention.text} to {after.text}"


def from_the_own(proposal: Proposal, wish: Wish) -> Iterator[str]:
    """Where something comes from said to be where it goes: "for ST-76 from our store"."""
    match = _FROM_US.search(proposal.text)
    if match is None or match.group() in wish.asked_for:
        return
    if any(slot.table and sides_of(slot.fact.name) == {"from"} for slot in wish.slots):
        yield match.group()


def back_where_it_was(proposal: Proposal, wish: Wish) -> Iterator[str]:
    """Where the thing lies said to be where it goes: "put it back on your list" for what goes into the cart."""
    target = _TARGET.search(wish.declared.tool.name) if wish.declared else None
    if target is None or target[1] in proposal.text:
        return
    for line in proposal.acting:
        for match in _PLACED.finditer(line.sentence.text):
            is_own = re.search(rf"\b{match[1]}\b", wish.asked_for) is not None and match.group() not in wish.asked_for
            if is_own and _PUTS.search(line.sentence.text[: match.start()]) and "from" not in line.sentence.text:
                yield match.group()
