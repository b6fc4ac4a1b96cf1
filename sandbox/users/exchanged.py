"""Who goes and who comes where one person is to take another's place: "remove Esme, invite Rosa".

The sides of such a wish are told by verbs and small words around the names, seldom by "from" and "to".
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from toolgym.sandbox.language.mentions import Mention
from toolgym.sandbox.users.slots import WishSlot
from toolgym.sandbox.users.wish import Wish

_EXCHANGES = frozenset("swap replace exchange".split())
_GOES_BEFORE = re.compile(
    r"\b(?:remov\w+|tak\w+(?: out| off)?|drop\w*|uninvit\w+|swap\w*(?: out)?|replac\w+|switch\w*|exchang\w+|"
    r"chang\w+(?: the guest)?(?: from)?|(?:instead|in place|the place) of|from|in for|out)\W+(?:the guest |guest )?$"
)
_GOES_AFTER = re.compile(
    r"(?: \([^)]*\))?\W{1,3}(?:is |gets? |goes |comes |would be |will be |leaves |→ ?)?"
    r"(?:out\b|off\b|removed\b|replaced\b|uninvited\b|dropped\b|taken (?:off|out)\b)"
)
_COMES_BEFORE = re.compile(r"\b(?:invit\w+|add\w*|bring\w*(?: in)?|put\w*(?: in)?|in) $")
_COMES_AFTER = re.compile(
    r"(?: \([^)]*\))?\W{1,3}(?:is |gets? |goes |comes |would be |will be )?"
    r"(?:in\b(?! (?:the|your|all|every|each|both|it|this|that|one|two|a)\b)|invited\b(?! to\b)|added\b|instead\b|"
    r"takes? (?:over|the place)|in (?:his|her|their) place)"
)
_FOR_HIM = re.compile(r"\b(?:with|for|to|by)\W+(?:the guest )?$|(?:→|->)\W*$")
_PRONOUNS = frozenset("him her them".split())
_REPLACE_HIM = re.compile(
    r"\b(?:replac\w+|swap\w*|switch\w*|exchang\w+|remov\w+|tak\w+|drop\w*) (?P<who>him|her|them)\b"
)


class Exchange(NamedTuple):
    """What a message says of the two people.

    Attributes:
        named: both slots where it says rightly who goes and who comes; else none.
        turned: those of which it says the contrary, with the words.
    """

    named: Sequence[WishSlot]
    turned: Sequence[tuple[WishSlot, str]]


def exchange_of(wish: Wish, text: str, mentions: Sequence[Mention]) -> Exchange:
    """Who goes and who comes by a message.

    Args:
        wish: what is wanted.
        text: the message, in lower case.
        mentions: its typed mentions.
    """
    going, coming = _sides(wish)
    if going is None or coming is None:
        return Exchange((), ())
    name_of = going.fact.name
    spans = sorted({*_spans(going, wish, text, mentions), *_spans(coming, wish, text, mentions)})
    if any(name == name_of for *_, name in spans):
        spans = sorted([*spans, *((*match.span("who"), name_of) for match in _REPLACE_HIM.finditer(text))])
    leaves: dict[str, set[bool]] = {going.fact.name: set(), coming.fact.name: set()}
    first: tuple[str, bool] | None = None
    for start, end, name in spans:
        before, after = text[max(start - 40, 0) : start], text[end : end + 40]
        before = before if name != name_of or text[start:end] not in _PRONOUNS else f"{before}from "
        is_led = first is not None and first[0] != name and first[1] and _FOR_HIM.search(before) is not None
        if _COMES_AFTER.match(after) or (is_led and not before.endswith("in for ")):
            goes = False
        elif _GOES_AFTER.match(after) or _GOES_BEFORE.search(before):
            goes = True
        elif _COMES_BEFORE.search(before):
            goes = False
        else:
            continue
        leaves[name].add(goes)
        first = (name, goes)
    if leaves[going.fact.name] == {True} and leaves[coming.fact.name] == {False}:
        return Exchange((going, coming), ())
    turned = [(slot, slot.words) for slot, goes in ((going, False), (coming, True)) if leaves[slot.fact.name] == {goes}]
    return Exchange((), turned)


def _sides(wish: Wish) -> tuple[WishSlot | None, WishSlot | None]:
    """The slots of who goes and who comes, of one table; none where nobody takes another's place."""
    to = next((slot for slot in wish.slots if slot.table and slot.twins and slot.fact.name == "to"), None)
    others = [slot for slot in wish.slots if to is not None and slot is not to and slot.table == to.table]
    if to is None or len(others) != 1 or _EXCHANGES.isdisjoint(wish.declared.verbs if wish.declared else ()):
        return None, None
    return others[0], to


def _spans(slot: WishSlot, wish: Wish, text: str, mentions: Sequence[Mention]) -> Iterator[tuple[int, int, str]]:
    """Where somebody is named, in full or by the first name alone."""
    own = [each for each in mentions if (rows := slot.rows(each, wish.person)) and rows <= set(slot.keys)]
    own += [each for each in mentions if each.kind == "email" and str(each.value) in slot.keys and each not in own]
    yield from ((each.start, each.end, slot.fact.name) for each in own)
    names = {str(value) for value in wish.person.rows.get((slot.table, slot.keys[0]), {}).values() if " " in str(value)}
    names |= {slot.words} if " " in slot.words else set()
    for first in {name.split(" ")[0].casefold() for name in names if name[:1].isupper()}:
        for match in re.finditer(rf"\b{re.escape(first)}\b(?!@|\.)", text):
            if not any(each.start <= match.start() < each.end for each in own):
                yield match.start(), match.end(), slot.fact.name
