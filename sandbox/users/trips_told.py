"""Whether a proposal tells a trip and who goes on it: days, places, the flights themselves, names, how many people."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from datetime import date
from functools import cache
from itertools import chain

from toolgym.sandbox.kit.message import Json
from toolgym.sandbox.language.iso_dates import iso_day, iso_days
from toolgym.sandbox.language.mentions import Mention, find_mentions
from toolgym.sandbox.language.numbers import spell
from toolgym.sandbox.users.records import leaves
from toolgym.sandbox.users.slots import WishSlot
from toolgym.sandbox.users.wish import Wish

_CODE = re.compile(r"[A-Z]{2,4}")
_NUMBERED = re.compile(r"[A-Z]+\d+")
_FEW = {spell(number): number for number in range(1, 10)}
_NUMBER = rf"[1-9]|{'|'.join(_FEW)}"
_WHO = "seats? travell?ers? people persons? tickets?"
_BESIDE_ONE = re.compile(rf"\byou(?:r(?:self)?)? and (?:your )?(?:the )?(?:other )?(?P<others>{_NUMBER})\b")
_WITHOUT_YOU = re.compile(
    r"\b(?:without|no|not) (?:an? |any )?(?:(?:seat|ticket|place) )?(?:for )?you(?:rself)?\b(?! (?:having|need|want))"
)
_SPARED = (
    r"\b(?:keep\w*|sav(?:e|ing)|spar(?:e|ing)|leav(?:e|ing)|without (?:using|touching)|not (?:use|using|touch\w*)) "
    r"(?:[a-z]+ (?:and|or) (?:the |your )?)?(?:your |the )?(?:[a-z]+ and (?:the |your )?)?{sort}\b|"
    r"\b{sort} (?:stays?|remains?|is (?:kept|left|not used)|would stay)\b"
)
_ON_THE_WAY = re.compile(
    r"\b(?:via|through|over|connect\w*|chang\w+|stop\w*|layover|transfer\w*)(?: (?:in|at|over))? $"
)


@cache
def _how_many(called: str) -> re.Pattern[str]:
    """How many people something is for, who are called so."""
    who = rf"(?:{called.replace(' ', '|')})"
    return re.compile(
        rf"\b(?:(?:the|all) )?(?P<of>{_NUMBER}) of you\b|"
        rf"\b(?:for|that's) (?:all )?(?P<for>{_NUMBER}|everyone)\b(?=[.,;:!?]|$| (?:and|with|in|flying)\b)|"
        rf"\b(?P<each>{_NUMBER}) (?:(?!saved|other|more|further)[a-z]+ ){{0,2}}{who}\b|"
        rf"\b{who}\W{{1,4}}(?P<after>{_NUMBER})\b|\b(?P<all>all of you|everyone)\b"
    )


def _people(wish: Wish, text: str) -> list[re.Match[str]]:
    """Where a text says how many people something is for; they are also called as the right call's lists are."""
    lists = (name.removesuffix("s") for name, value in wish.arguments if isinstance(value, list))
    called = " ".join((_WHO, *(f"{name}s?" for name in lists if name.isalpha())))
    return list(_how_many(called).finditer(text))


def tells_people(people: Sequence[Json], text: str, wish: Wish) -> bool:
    """Whether a text tells all of several people by how many they are."""
    return people_counted(people, text, wish) == {len(people)}


def where_people(wish: Wish, text: str) -> list[tuple[int, int]]:
    """Where a text says how many people something is for that is for several: its numbers count nothing else."""
    held = [slot.fact.value for slot in wish.slots if slot.kind == "record" and isinstance(slot.fact.value, list)]
    is_told = any(people_counted(each, text, wish) for each in held)
    return [match.span() for match in _people(wish, text)] if is_told else []


def people_counted(people: Sequence[Json], text: str, wish: Wish) -> set[int]:
    """For how many people a text says that something is: "the three of you", "3 seats"; empty of other things."""
    if not people or not all(isinstance(each, str) and " " in each for each in people):
        return set()
    found = [match["of"] or match["for"] or match["each"] or match["after"] or "all" for match in _people(wish, text)]
    counted = {len(people) if each in ("all", "everyone") else _FEW.get(each) or int(each) for each in found}
    return counted | {1 + (_FEW.get(each) or int(each)) for each in _BESIDE_ONE.findall(text)}


def tells_trip(value: dict[str, Json], text: str, mentions: Sequence[Mention], wish: Wish) -> bool:
    """Whether all days of a record are told, and no other places than its own, and those in their order.

    Of a trip that the user has asked for the places may be left out, and the days where its very flights are named.
    """
    days = iso_days(leaves(value))
    said = {each.value.first for each in mentions if each.kind == "date"}
    listed = set(iso_days(wish.given))
    is_dated = set(days) <= said <= {*days, *listed}  # a night flight's connection leaves a day later
    if not days or not (is_dated or (not said and _are_entries_named(days, text, wish))):
        return False
    if not _days(value):  # somebody's birthday is no day on which anything is done
        return all(at >= 0 for at in _places(value, text).values())
    if _names_rivals(value, text, mentions, wish):
        return False
    codes = dict.fromkeys(
        leaf.casefold() for _, each in wish.arguments for leaf in leaves(each) if _CODE.fullmatch(leaf)
    )
    called = (wish.world.also_called.get(code, code) for code in codes)
    said_at = [found.start() for each in called if (found := re.search(rf"\b(?:{each})\b", text))]
    return said_at == sorted(said_at) or any(at >= 0 for at in _places(value, text).values())


def _days(value: dict[str, Json]) -> frozenset[date]:
    """The days that a record lists."""
    listed = [part for each in value.values() if isinstance(each, list) for part in leaves(each)]
    return frozenset(iso_days(listed))


def _are_entries_named(days: Sequence[date], text: str, wish: Wish) -> bool:
    """Whether every key is named that the right call lists beside a day, such as the numbers of the flights."""
    listed = [each for _, value in wish.arguments if isinstance(value, list) for each in value]
    keys = [
        [leaf for leaf in leaves(each) if _NUMBERED.fullmatch(leaf)]
        for each in listed
        if isinstance(each, dict) and {day.isoformat() for day in days} & set(leaves(each))
    ]
    named = [key.casefold() for found in keys for key in found]
    return bool(named) and all(re.search(rf"\b{re.escape(key)}\b", text) for key in named)


def _names_rivals(value: dict[str, Json], text: str, mentions: Sequence[Mention], wish: Wish) -> bool:
    """Whether a text names another place of the sort that a record holds, and not one on the way."""
    words = " . ".join(part for part in leaves(value) if iso_day(part) is None)
    own = find_mentions(words, wish.person.lexicon, wish.now)
    sorts, held = {column for each in own for column in each.columns}, {str(each.value).casefold() for each in own}
    return any(
        sorts & set(each.columns)
        and str(each.value).casefold() not in held
        and not wish.explains(each)
        and not _ON_THE_WAY.search(text[: each.start])
        for each in mentions
    )


def turns_trip(slot: WishSlot, text: str, mentions: Sequence[Mention], wish: Wish) -> str:
    """What a text says of places, days and people that a record has otherwise: there and back, or on a further day."""
    value = slot.fact.value
    if isinstance(value, list) and slot.kind == "record" and value and isinstance(value[0], dict):
        return next(chain(_spared(value, text), _other_means(value, text, wish)), "")
    if isinstance(value, list) and slot.kind == "record":
        if value and str(value[0]).casefold() in wish.own_names and (left := _WITHOUT_YOU.search(text)):
            return left.group()
        return next((f"for {spell(each)}" for each in people_counted(value, text, wish) if each != len(value)), "")
    if not isinstance(value, dict) or slot.kind != "record":
        return ""
    days = _days(value)
    if not days:
        return ""
    (first, begun), (other, last) = [*_places(value, text).items(), ("", -1), ("", -1)][:2]
    if 0 <= last < begun and (_leads_back(first, other, text) or not _is_led_in(first, other, text)):
        return f"from {other.title()}"
    said = [each for each in mentions if each.kind == "date" and each.value.first == each.value.last]
    is_whole = days <= {each.value.first for each in said}
    listed_days = set(iso_days(wish.given))
    return next((each.text for each in said if is_whole and each.value.first not in days | listed_days), "")


def _spared(means: Sequence[Json], text: str) -> Iterator[str]:
    """Ways to pay that are to be kept, though they are to be used: "keep your gift card for another time"."""
    for each in means:
        sort = str(each.get("source", "")).replace("_", " ") if isinstance(each, dict) else ""
        if sort and re.search(_SPARED.format(sort=re.escape(sort)), text):
            yield f"without the {sort}"


def _other_means(means: Sequence[Json], text: str, wish: Wish) -> Iterator[str]:
    """Other ways to pay of the person's that a text names to pay with."""
    own = {str(each.get("source", "")) for each in means if isinstance(each, dict)}
    theirs = {str(row["source"]) for row in wish.person.rows.values() if "source" in row} if any(own) else set()
    for sort in sorted(each.replace("_", " ") for each in theirs - own):
        if re.search(
            r"(?<!not )(?<!no )(?<!without )(?<!than )(?<!untouched )"
            rf"\b(?:your|the|from|with|\d) (?:your |the )?{re.escape(sort)}\b",
            text,
        ):
            yield sort


def _leads_back(first: str, other: str, text: str) -> bool:
    """Whether the first way that a text tells is from the end of a trip to where it begins: "Chicago to Las Vegas"."""
    start, end = (re.escape(place.split(" (")[0]) for place in (first, other))
    link = r"(?: \([a-z]{3}\))? ?(?:to|→|->|–|—|-|⇄) ?"
    back, there = re.search(f"{end}{link}{start}", text), re.search(f"{start}{link}{end}", text)
    return back is not None and (there is None or back.start() < there.start())


def _is_led_in(first: str, other: str, text: str) -> bool:
    """Whether words say which end of a trip a place is, in whatever order: "to Boston, from Philadelphia"."""
    start, end = (re.escape(place.split(" (")[0]) for place in (first, other))
    return re.search(rf"\b(?:to|for) {end}\b|\b(?:from|leaving|departing) {start}\b", text) is not None


def _places(value: dict[str, Json], text: str) -> dict[str, int]:
    """Where the places of a record stand in a text, in their order; -1 where they do not."""
    places = [part.casefold() for part in leaves(value) if iso_day(part) is None]
    return {place: text.find(place.split(" (")[0]) for place in places}
