"""Whether a text tells what a record holds, in whatever order: an address, a thing with options, a name with a code."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence
from functools import cache, lru_cache
from itertools import pairwise

from toolgym.sandbox.kit.message import Json
from toolgym.sandbox.language.numbers import spell
from toolgym.sandbox.language.tokens import singular

_WORD = re.compile(r"#?[\w]+(?:[.'-]\w+)*")
_LONG = 5
"""Letters of a word that may stand for a longer one which ends so: the "phone" that is a "smartphone"."""
_NEUTRAL = frozenset(
    "a an and any at by for from i in is it its me mine my of on one or our please that the then they this to us we "
    "with you your yours so as version".split()
)
_THING = re.compile(r"(?:^|, | and )the ([\w' -]+?)(?=, the | and the |$)")
"""Names of things in a list of nothing else: "the Leather Boots and the Frying Pan"."""
_LED = re.compile(r"\bthe [A-Z][a-z]+ [A-Z][a-z]+\b")
"""Things with names of several words, of which people say the last one: "the Leather Boots"."""
_NOT = r"(?:no|not|without|none|w/o|never|non|loses|losing|lose|lacks|lacking|minus)"
_UNIT = re.compile(r"\b(?:apt|apartment|unit|suite|ste)\b\.?:? ?(?:number |no\. ?|# ?)?(\w*\d\w*)\b")
_ZIP = re.compile(r"(?<![\w#.,-])\d{5}(?![\w-]|[.,]\d)")
_UNTIL_NOW = re.compile(
    r"\b(?:current(?:ly)?|existing|old|present(?:ly)?|previous(?:ly)?|original(?:ly)?|so far|instead of|from|"
    r"shipping to|shipping address:|set to)\b(?:(?! to (?:be|your|the|suite|apt|unit)\b|\bnew\b)[^?]){0,90}$"
)
"""What says that an address is the one until now."""
_MARKS = re.compile(r"[*_`]")
_NO_UNIT = re.compile(r"\b(?:no|without(?: an?| the| any)?) (?:apartment|apt|unit|suite)")
_LONG, _HALF = 8, 5
"""Letters of a compound, and of a part of it by which it may be called."""
_GOING_ON = frozenset(("and", "with", "without", "but", "no", "not", "for", "in"))
STATES = {
    "al": "alabama", "ak": "alaska", "az": "arizona", "ar": "arkansas", "ca": "california", "co": "colorado",
    "ct": "connecticut", "de": "delaware", "dc": "district of columbia", "fl": "florida", "ga": "georgia",
    "hi": "hawaii", "id": "idaho", "il": "illinois", "in": "indiana", "ia": "iowa", "ks": "kansas", "ky": "kentucky",
    "la": "louisiana", "me": "maine", "md": "maryland", "ma": "massachusetts", "mi": "michigan", "mn": "minnesota",
    "ms": "mississippi", "mo": "missouri", "mt": "montana", "ne": "nebraska", "nv": "nevada", "nh": "new hampshire",
    "nj": "new jersey", "nm": "new mexico", "ny": "new york", "nc": "north carolina", "nd": "north dakota",
    "oh": "ohio", "ok": "oklahoma", "or": "oregon", "pa": "pennsylvania", "ri": "rhode island",
    "sc": "south carolina", "sd": "south dakota", "tn": "tennessee", "tx": "texas", "ut": "utah", "vt": "vermont",
    "va": "virginia", "wa": "washington", "wv": "west virginia", "wi": "wisconsin", "wy": "wyoming",
}  # fmt: skip
_UNITS = {"daily": "day", "weekly": "week", "monthly": "month", "yearly": "year", "quarterly": "quarter"}
_DAY = re.compile(r"\d{4}-(\d\d)-(\d\d)")
_MONTHS = "jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec".split("|")
_COUNTRY = frozenset("usa us u.s. america united states".split())


_CODE = re.compile(r"(?=.*[a-z])(?=.*\d)[a-z\d]{12,}")
"""Long codes, which may be said in groups."""
_GAPS = re.compile(r"(?<=[a-z\d])[ -](?=[a-z\d]{2})")
_NUMBERS = (
    ("one", "1", "first"), ("two", "2", "second", "2nd", "other"), ("three", "3", "third", "3rd"),
    ("four", "4", "fourth", "4th"), ("five", "5", "fifth", "5th"), ("six", "6", "sixth", "6th"), ("seven", "7"),
    ("eight", "8"), ("nine", "9"), ("ten", "10"), ("week", "weeks", "wk", "wks"), ("day", "days"), ("month", "months"),
    ("m", "medium"), ("s", "small"), ("l", "large"), ("year", "years"), ("minutes", "min", "mins", "minute"),
    ("every", "each"), ("until", "till", "through", "thru"),
)  # fmt: skip
_SAME = {word: frozenset(words) for words in _NUMBERS for word in words[:2] if not word.isdigit()}
"""How small numbers and units of time are said otherwise: "every three weeks" is "each 3rd week"."""


def is_told(value: Json, words: str, text: str, labels: Collection[str]) -> bool:
    """Whether a text in lower case tells a record by all its plain values, or by all the words that say it.

    Args:
        value: the record.
        words: how the user says it.
        text: what was said.
        labels: names of options, which need not be said: "black, size M" tells "color black and size M".
    """
    said = words_said(text)
    parts = leaves(value)
    things = _THING.findall(words.casefold()) if " with " not in words else []
    lasts = [thing.split(" ")[-1] for thing in things]
    if lasts and all(
        singular(last) in said
        or last in said
        or _is_end(last, said, words)
        or any(is_called(last, word) for word in said)
        for last in lasts
    ):
        return True
    if isinstance(value, Mapping) and str(value.get("zip", "")) in said and not _names_a_state(value, text):
        parts = leaves({name: part for name, part in value.items() if name not in ("state", "country")})
    if parts and all(_is_in(part.casefold(), text, said) for part in parts):
        return True
    return _are_told(words, text, said, labels)


@lru_cache(maxsize=256)
def words_said(text: str) -> frozenset[str]:
    """The words of a text, those of compounds and without the ending of a possessive among them."""
    said = set(_WORD.findall(text))
    said |= {part for word in said if "-" in word for part in word.split("-")}
    return frozenset(said | {word.removesuffix("'s") for word in said if word.endswith("'s")})


def is_called(thing: str, word: str) -> bool:
    """Whether a thing goes by a word: by its last one, in the singular, or by the end of that: "watch"."""
    last = thing.rsplit(" ", 1)[-1]
    return word in (last, singular(last)) or (len(word) >= _LONG and singular(last).endswith(word))


def _names_a_state(address: Mapping[str, Json], text: str) -> bool:
    """Whether a state stands behind an address's city, so that it has to be the right one."""
    city = re.escape(str(address.get("city") or "-").casefold())
    after = re.search(rf"\b{city}(?:,|,? \()? ?([a-z]+(?: [a-z]+)?)", _MARKS.sub("", text))
    said = after[1] if after else ""
    return said.split(" ")[0] in STATES or said in STATES.values() or said.split(" ")[0] in STATES.values()


def _other_state(address: Mapping[str, Json], text: str) -> str:
    """Another state than an address has, right before its zip code: "Portland, ME 97226"; empty where it fits."""
    own, code = str(address.get("state", "")).casefold(), re.escape(str(address.get("zip", "")) or "-")
    found = re.search(rf"\b([a-z]{{2}}),? {code}\b", _MARKS.sub("", text))
    return found[1].upper() if found and found[1] in STATES and found[1] != own else ""


def other_unit(address: Mapping[str, Json], text: str) -> str:
    """What a text says of the apartment or state that an address does not have; empty where it fits."""
    if state := _other_state(address, text):
        return state
    own = _UNIT.search(str(address.get("address2") or "").casefold())
    if own and _NO_UNIT.search(text):
        return "without an apartment"
    said = [each for each in _UNIT.finditer(text) if not _UNTIL_NOW.search(text[: each.start()])]
    is_said = own is not None and any(each[1] == own[1] for each in _UNIT.finditer(text))
    return "" if is_said or not said else said[0].group()


def other_address(address: Mapping[str, Json], text: str) -> str:
    """Another zip code, house or apartment than an address has, where the text does not hold the address itself."""
    code, street = str(address.get("zip", "")), str(address.get("address1", "")).casefold()
    name = street.partition(" ")[2]
    if code not in text and (other := _ZIP.search(text)):
        return other.group()
    if street not in text and name and (house := re.search(rf"(?<![\w.,#])\d+ {re.escape(name)}\b", text)):
        return house.group()
    return other_unit(address, text)


def leaves(value: Json) -> Sequence[str]:
    """The plain values inside a value, empty ones left out."""
    if isinstance(value, dict):
        return [part for inner in value.values() for part in leaves(inner)]
    if isinstance(value, list):
        return [part for inner in value for part in leaves(inner)]
    return [str(value)] if value not in (None, "") else []


@cache
def _day_said(month: int, day: int) -> str:
    """How a day is said without its year: "May 29", "the 29th of May"."""
    name = rf"{_MONTHS[month - 1]}[a-z]*\.?"
    return rf"\b{name} {day}(?:st|nd|rd|th)?\b|\b{day}(?:st|nd|rd|th)?(?: of)? {name}\b"


def _is_in(part: str, text: str, said: Collection[str]) -> bool:
    if part.isdigit() and len(part) < 3 and spell(int(part)) in text:
        return True
    if part in _SAME and any(word in said for word in _SAME[part]):
        return True
    if (unit := _UNIT.fullmatch(part)) is not None:
        return any(each[1] == unit[1] for each in _UNIT.finditer(text))
    if _CODE.fullmatch(part):
        return part in _GAPS.sub("", text)
    if part in _COUNTRY or (" " in part and set(part.split()) <= _COUNTRY):
        return True
    if part in STATES:
        return part in said or STATES[part] in text
    if (day := _DAY.fullmatch(part)) is not None:
        return part in text or re.search(_day_said(int(day[1]), int(day[2])), text) is not None
    if _WORD.fullmatch(part):
        return part in said
    initials = "".join(word[0] for word in part.split())
    return part in text or (part.isascii() and part.replace(" ", "").isalpha() and f", {initials}," in text)


def _are_told(words: str, text: str, said: Collection[str], labels: Collection[str]) -> bool:
    """Whether every word that means something was said; "light no" is told by "without a light"."""
    parts, spare = _parts_of(words)
    label_words = _words_of(frozenset(labels))
    wanted = 0
    for index, part in enumerate(parts):
        label = " ".join(parts[max(index - 2, 0) : index])
        named = next((each for each in labels if label.endswith(each)), "") if part in ("yes", "no") else ""
        if named:
            wanted += 1
            if is_denied(named, text) != (part == "no"):
                return False
            continue
        flag = _flag_told(parts, index, text, labels)
        if flag is not None:
            wanted += 1
            if not flag:
                return False
            continue
        is_label = part in label_words or f"{part}s" in label_words
        if is_label or part in _NEUTRAL or part in _COUNTRY:
            continue  # "compartment", where the option is called "compartments"
        if index in spare:
            continue  # "boots" of the leather boots
        wanted += 1
        unit = _UNITS.get(part, "")
        again = unit and re.search(rf"\b(?:every|each|per|a|an) {unit}\b", text)
        is_said = again or _is_in(part, text, said) or _is_in(part.removesuffix("s"), text, said)
        if not (is_said or _is_end(part, said, words)):
            return False
    return wanted > 0


@lru_cache(maxsize=1024)
def _parts_of(words: str) -> tuple[Sequence[str], frozenset[int]]:
    """The words that say a record, in lower case, and the places of those that need not be said: "leather" boots."""
    pairs = pairwise(_WORD.findall(words)) if _LED.search(words) else ()
    spare = (place for place, (one, two) in enumerate(pairs) if one[0].isupper() and two[0].isupper())
    return _WORD.findall(words.casefold()), frozenset(spare)


@cache
def _words_of(labels: frozenset[str]) -> frozenset[str]:
    """The words of the labels of a world."""
    return frozenset(word for label in labels for word in label.split())


def said_of_it(words: str, text: str) -> str:
    """The parts of an address, between commas, that a text in lower case has; all of it where it has none."""
    parts = [part for part in words.split(", ") if part.casefold() in text]
    return ", ".join(parts) or words


def _is_end(part: str, said: Collection[str], words: str) -> bool:
    """Whether a compound is said by its last part: the "watch" of a wristwatch, but not the "board" of a board game."""
    own = words.casefold().split()
    return len(part) >= _LONG and any(
        len(end) >= _HALF and part.endswith(end) and end not in own for end in said if end != part
    )


def _flag_told(parts: Sequence[str], index: int, text: str, labels: Collection[str]) -> bool | None:
    """Whether an option that these words say to be there, "with a lid", or not, "no lid", is told so; else None."""
    part, before = parts[index], parts[index - 1] if index else ""
    absent = part in ("no", "not")
    if not absent and before not in ("a", "an", "with", "and"):
        return None
    rest = " ".join(parts[index + absent : index + absent + 2])
    named = next((each for each in labels if _begins_with(each, rest)), "")
    after = parts[index + absent + named.count(" ") + 1 :][:1] if named else ()
    goes_on = not after or after[0] in _GOING_ON or any(each.split(" ")[0] == after[0] for each in labels)
    if not (absent or goes_on):
        return None  # "with color black": what follows is its value
    return (is_denied(named, text) is absent) if named else None


def _begins_with(label: str, text: str) -> bool:
    """Whether a text begins with the words of a label, and these end there."""
    return text.startswith(label) and re.match(rf"{re.escape(label)}\b", text) is not None


def is_denied(label: str, text: str) -> bool | None:
    """Whether an option is said to be absent; None where it is not spoken of: "not water resistant"."""
    if label.endswith("ance") and label not in text:
        label = f"{label[:-4]}ant"
    if label not in text:
        return None
    name = re.escape(label)
    return (
        re.search(
            rf"\b{_NOT} (?:a |an |any |the |its )?{name}|\b{name}s?\W{{0,3}} ?(?:{_NOT})\b|\b{name}(?:-free|-?less)\b",
            text,
        )
        is not None
    )
