"""Whether a proposal tells a slot by its parts or by the right call, in words that the user would not have chosen.

People on a trip, days and places of it, ways to pay, a key in full, a choice by what it is called in the tool: an agent
names them as it has them from its tools.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

from toolgym.sandbox.kit.message import Json
from toolgym.sandbox.language.mentions import Mention
from toolgym.sandbox.language.numbers import spell
from toolgym.sandbox.language.tokens import singular
from toolgym.sandbox.users.proposal_reading import UNTOUCHED
from toolgym.sandbox.users.records import leaves
from toolgym.sandbox.users.slots import WishSlot, holds, root
from toolgym.sandbox.users.trips_told import tells_people, tells_trip
from toolgym.sandbox.users.wish import Wish

_TAIL = re.compile(r"\d{4}")
_WORD = re.compile(r"[a-z]+(?:n't)?")
_NOT = frozenset("no not never without none".split())
_DENIED = (
    r"(?:\b(?:no|not|without|declin\w+|skip\w*|waiv\w+) (?:[a-z]+ )?{name}|\b{name}\W{{0,3}}(?:is |are |: ?)?"
    r"(?:no|none|not|declin\w+|waiv\w+|off|left (?:off|out)|out|dropped|removed|excluded)\b)"
)
_CLAUSE = re.compile(r"[.;,\n]")
_HEAD = re.compile(r"^(?:the|my|an?|our) (?:.*? )??(order|trip|booking|meeting|event|message|account)\b")
_STEM = 5
"""Letters that a choice's name and its adjective share: "insurance", "insured"."""
_SHORT_CODE = re.compile(r"[A-Z]{3}")
_ONE_OF_A_SORT = re.compile(r"the (?:(?P<which>[a-z]+) )?(?P<noun>[a-z]+)")
_WAYS = (
    frozenset("outbound outgoing outward onward departure".split()),
    frozenset("return returning inbound homeward".split()),
)
"""What the two ways of a trip are called."""
_EVERY = re.compile(r"every (?:[a-z]+ )?(?P<unit>day|week|month|year)s?")
_TWICE = 2
_GOING_ON = r"(?:and|or|to|in|for|as|at|on|are|is|both|will|would|get|gets)"
"""What may follow a first name that stands alone."""
_TELLING = 2
"""Things that tell a row together, though each alone may say little."""
_SMALL = frozenset("a an and as at by for in is it its my of on or our the their they to up your".split())


def tells_parts(
    slot: WishSlot, text: str, mentions: Sequence[Mention], wish: Wish, partial: Sequence[frozenset[str]]
) -> bool:
    """Whether a text tells a slot by its parts.

    Args:
        slot: of the wish, not yet named.
        text: what was said, in lower case.
        mentions: its typed mentions.
        wish: what is wanted.
        partial: the rows that each of the mentions of it can stand for.
    """
    value = slot.fact.value
    if slot.kind == "reference":
        if _is_worked_out(slot, text, wish):
            return True
        if slot.twins:
            return False
        if len(slot.keys) > 1 and _are_called(slot, text, wish):
            return True
        told = all(_stands_in(key, text) and not _has_like(key, slot, text) for key in slot.keys)
        told = told or _in_own_words(slot, mentions, wish, text) or _is_pointed_at(slot, text, mentions, wish)
        return told or (len(slot.keys) == 1 and _is_the_only_one(slot, text, wish, partial))
    if slot.kind == "text":
        return _is_of_two(slot.words.casefold(), text, wish)
    if slot.kind == "choice":
        return _is_chosen(str(value), slot, text)
    if slot.kind == "record" and isinstance(value, list):
        return bool(value) and (all(_tells_one(each, text, wish) for each in value) or tells_people(value, text, wish))
    if slot.kind == "record" and isinstance(value, dict):
        return tells_trip(value, text, mentions, wish)
    return (
        _is_so_many(slot, text, wish)
        or _is_none(slot, text, wish)
        or _is_rhythm(slot, text)
        or _comes_to(slot, mentions, wish)
    )


def _is_worked_out(slot: WishSlot, text: str, wish: Wish) -> bool:
    """Whether a text tells all that is found out from a row that the right calls are not given: three totals."""
    due = [value for value in wish.goal.must_communicate if value.isdigit()]
    is_given = any(key in wish.given for key in slot.keys) or (slot.twins and "from" not in slot.roles)
    return (
        len(due) > 1 and not is_given and all(re.search(rf"(?<![\d.,]){value}(?![\d]|[.,]\d)", text) for value in due)
    )


def _is_rhythm(slot: WishSlot, text: str) -> bool:
    """Whether a text tells how often: "biweekly" or "every other week" for every two weeks."""
    match = _EVERY.fullmatch(slot.words.casefold())
    if match is None or slot.kind != "number":
        return False
    number, unit = int(str(slot.fact.value)), match["unit"]
    adverb = "daily" if unit == "day" else f"{unit}ly"
    if number == 1:
        said = rf"(?<!bi)(?<!bi-)\b{adverb}|\b(?:every|each|per|once an?) {unit}\b"
    elif number == _TWICE:
        said = rf"\bbi-?{adverb}\b|\bfortnight|\b(?:every|each) (?:other|second|2nd|2|two) {unit}s?\b"
    else:
        said = rf"\b(?:every|each) (?:{number}|{spell(number)}) {unit}s?\b"
    return re.search(said, text) is not None


def _are_called(slot: WishSlot, text: str, wish: Wish) -> bool:
    """Whether several people are called by their first names, as an agent calls them who has looked them up."""
    names = [str(wish.person.rows.get((slot.table, key), {}).get("name", "")) for key in slot.keys]
    said = [
        rf"\b{re.escape(name.casefold())}\b|"
        rf"\b{re.escape(name.split(' ')[0].casefold())}\b(?!@)(?:$|[^\w ]| {_GOING_ON}\b| \W)"
        for name in names
        if " " in name
    ]
    return len(said) == len(slot.keys) and all(re.search(each, text) for each in said)


def _is_so_many(slot: WishSlot, text: str, wish: Wish) -> bool:
    """Whether a text tells how many of what is counted there are: "baggage: 3", "3 pieces of luggage", "your bag"."""
    words = _WORD.findall(slot.words.casefold())
    things = wish.world.also_called.get(singular(words[-1])) if words else None
    if slot.kind != "number" or things is None or not str(slot.fact.value).isdigit():
        return False
    count = int(str(slot.fact.value))
    said = rf"(?:{count}|{spell(count)}{'|an?|one|a single|your|the' if count == 1 else ''})"
    return re.search(
        rf"(?<![\w.,$-]){said} (?:[a-z]+ ){{0,2}}(?:{things})\b|\b(?:{things})(?: count| total)?\W{{1,4}}{said}\b",
        text,
    ) is not None  # fmt: skip


def _is_none(slot: WishSlot, text: str, wish: Wish) -> bool:
    """Whether a text says of what is counted that there is none: "no bags", "without luggage", "bags: none"."""
    words = _WORD.findall(slot.words.casefold())
    if slot.kind != "number" or str(slot.fact.value) != "0" or not words:
        return False
    thing = singular(words[-1])
    things = wish.world.also_called.get(thing, thing)
    return re.search(
        rf"\b(?:no|without|zero|0)(?: any)?(?: [a-z]+)? (?:{things})s?\b|"
        rf"\b(?:{things})s?[ :=|-]{{1,4}}(?:none|0|zero|no)\b",
        text,
    ) is not None  # fmt: skip


def _is_of_two(words: str, text: str, wish: Wish) -> bool:
    """Whether one of a few things of a sort is told by what it has to itself: "the return" of "the return flight".

    Where it is the only one, "the flight", nothing of it need be said.
    """
    match = _ONE_OF_A_SORT.fullmatch(words)
    if match is None or not wish.world.is_thing(match["noun"]):
        return False
    if not match["which"]:
        return True
    changed = [clause for clause in _CLAUSE.split(text) if not UNTOUCHED.search(clause)]
    others = [each for each in (*_WAYS,) if match["which"] not in each]
    own = next((each for each in _WAYS if match["which"] in each), frozenset((match["which"],)))
    said = {word for clause in changed for word in _WORD.findall(clause)}
    return bool(own & said) and not any(each & said for each in others)


def _is_pointed_at(slot: WishSlot, text: str, mentions: Sequence[Mention], wish: Wish) -> bool:
    """Whether a row that the user has just named is meant by "that trip", and no other one is named."""
    if slot.fact.on_request or any(
        slot.table in {column.split(".")[0] for column in each.columns} for each in mentions
    ):
        return False
    nouns = {wish.world.nouns[slot.table].rsplit(" ", 1)[-1], *_HEAD.findall(slot.words.casefold())}
    return any(
        noun in text and re.search(rf"\b(?:that|this|the same) (?:very )?{re.escape(noun)}\b", text) for noun in nouns
    )


def _is_the_only_one(slot: WishSlot, text: str, wish: Wish, partial: Sequence[frozenset[str]]) -> bool:
    """Whether only this one of its owner's rows is as it is named, such as by its day or the codes of its airports."""
    rows = wish.person.rows
    own = rows.get((slot.table, slot.keys[0]), {})
    owners = [name for name in own if name.endswith("_id") and str(own[name]) != slot.keys[0]]
    if not (owners and wish.person.is_shared):
        return False
    codes = _codes(own)
    if not partial and len(codes) <= 1:
        return False
    others = [row for row in wish.person.holding(slot.table, owners[0], own[owners[0]]) if row is not own]
    named = frozenset.intersection(*partial) if partial else frozenset[str]()
    if partial and not any(str(value) in named for row in others for value in row.values()):
        return True  # others have such rows, too, but nobody speaks of them
    is_said = len(codes) > 1 and re.search(r"\W{1,5}(?:to )?".join(map(re.escape, codes)), text) is not None
    return is_said and not any(_codes(row) == codes for row in others)


def _codes(row: Mapping[str, Any]) -> list[str]:
    """The codes of three letters in a row, in lower case."""
    return [value.casefold() for value in row.values() if isinstance(value, str) and _SHORT_CODE.fullmatch(value)]


def _is_called_by(name: str, slot: WishSlot, wish: Wish, text: str) -> bool:
    """Whether a row is called by a thing in it: "the Throw Blanket order", "the order containing the Throw Blanket"."""
    if name.casefold() not in text or not slot.words.casefold().endswith(name.casefold()):
        return False
    noun, called = re.escape(wish.world.nouns[slot.table]), re.escape(name.casefold())
    before = (
        rf"{noun} (?:with|containing|of|that (?:has|holds|contains|includes)) (?:the |your )?"
        rf"(?:[a-z' -]+ and )?(?:the )?(?:[a-z]+ )?{called}\b"
    )
    return re.search(rf"\b{called} {noun}\b|\b{before}", text) is not None


def _in_own_words(slot: WishSlot, mentions: Sequence[Mention], wish: Wish, text: str) -> bool:
    """Whether what the user's words for a row name is named in their order: "Seattle–Newark", "the $154 gift card"."""
    own = wish.named_in[slot.fact.name]
    if not mentions and len(own) >= _TELLING:
        return False
    if len(own) < _TELLING:
        return bool(own) and own[0][0] == "term" and _is_called_by(own[0][1], slot, wish, text)
    said: list[tuple[str, str]] = [
        (each.kind, str(each.value)) for each in mentions if each.role != "not" and not each.negated
    ]
    if any(kind == "money" for kind, _ in own):
        return set(own) <= set(said)  # "your $259 gift card" for "my gift card of $259"
    rest = iter(said)
    return all(each in rest for each in own)


def _stands_in(key: str, text: str) -> bool:
    """Whether a key, or the end of a path, stands in a text: "lists/guest-list.txt"."""
    ends = [end.casefold() for end in (key, *(key.split("/", depth)[-1] for depth in range(1, key.count("/"))))]
    return len(key) > 3 and any(
        end in text and re.search(rf"(?<![\w-]){re.escape(end)}(?![\w/-])", text) for end in ends
    )


def _has_like(key: str, slot: WishSlot, text: str) -> bool:
    """Whether another key of the same form stands in a text: "R-BOS-3 is taken, so R-BOS-2"."""
    like = re.sub(r"\d+", r"\\d+", re.escape(key.casefold()))
    keys = {each.casefold() for each in slot.keys}
    return any(each not in keys for each in re.findall(rf"(?<![\w-]){like}(?![\w/-])", text))


def _is_chosen(value: str, slot: WishSlot, text: str) -> bool:
    """Whether a choice is told by what the tool calls it, "you changed your mind", or in short: "basic econ"."""
    stem = slot.fact.name[:_STEM]
    if value in ("yes", "no") and re.search(rf"\b(?:un)?{re.escape(stem)}", text):
        named = rf"{re.escape(stem)}[a-z]*"
        is_denied = re.search(rf"\bun{named}|{_DENIED.format(name=named)}", text) is not None
        return is_denied == (value == "no")
    words = value.split("_")
    if len(words) < 2:
        return False
    if re.search(r"\W{1,2}".join(rf"\b{re.escape(word[:4])}[a-z]*" for word in words), text):
        return True
    meant = {root(word) for word in words if word not in _SMALL | {"does", "did"}}
    clauses = ({root(word) for word in _parts(clause)} for clause in re.split(r"[.;,:\n]", text))
    return len(meant) > 1 and any(meant <= said and bool(_NOT & meant) == bool(_NOT & said) for said in clauses)


def _parts(clause: str) -> list[str]:
    return [part for word in _WORD.findall(clause) for part in (["not"] if word.endswith("n't") else [word])]


def _tells_one(value: Json, text: str, wish: Wish) -> bool:
    """Whether a text names one of several: somebody by the first name, or a way to pay by its last figures."""
    if isinstance(value, dict):
        tails = [part for part in leaves(value) if _TAIL.fullmatch(part)]
        if tails:
            return any(re.search(rf"(?<!\d){tail}(?!\d)", text) for tail in tails)
        return any(part.replace("_", " ") in text for part in leaves(value) if part[:1].isalpha())
    name = str(value).casefold()
    if re.search(rf"\b(?:mr|ms|mrs|miss|mx)\b\.? {re.escape(name.split(' ')[-1])}\b", text):
        return True
    return name in wish.own_names or re.search(rf"\b{re.escape(name.split(' ')[0])}\b", text) is not None


def _comes_to(slot: WishSlot, mentions: Sequence[Mention], wish: Wish) -> bool:
    """Whether what the right call makes of a slot is told in its stead: the new limit, where it is to rise by $0.50."""
    if slot.fact.name in dict(wish.arguments) or any(slot.fact.name in call.arguments for call in wish.goal.calls):
        return False
    if slot.kind == "number":
        return _is_reached(slot, mentions, wish)
    if slot.kind != "money":
        return False
    own = {str(other.fact.value) for other in wish.slots}
    made = [(name, each) for name, each in wish.arguments if isinstance(each, int) and str(each) not in own]
    return any(holds(mention, name, each) for name, each in made for mention in mentions)


def _is_reached(slot: WishSlot, mentions: Sequence[Mention], wish: Wish) -> bool:
    """Whether the number that there will be in all is told: "you have 3 and want 4" where one more is wished."""
    given = {value for _, value in wish.arguments if isinstance(value, int) and not isinstance(value, bool)}
    said = {each.value for each in mentions if each.kind in ("number", "count") and each.role != "from"}
    reached = {value for value in given if value - float(str(slot.fact.value)) in said}
    return bool(reached & said)
