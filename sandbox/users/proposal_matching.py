"""Whether a proposal fits what the user wants, where facts have no kinds: ids, items, options, addresses, money.

A contradiction is only claimed where the proposal speaks of the matter at all; silence is no contradiction.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from typing import cast

from sandbox.kit.message import Json
from sandbox.kit.task import Fact
from sandbox.runtime.registry import get_domain

_WEEKDAYS = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
_MONTHS = [
    "january",
    "february",
    "march",
    "april",
    "may",
    "june",
    "july",
    "august",
    "september",
    "october",
    "november",
    "december",
]
_CALENDAR = (re.compile(rf"\b(?:{'|'.join(_WEEKDAYS)})\b"), re.compile(rf"\b(?:{'|'.join(_MONTHS)})\b"))
_STREET = re.compile(
    r"\b\d+ (?:\w+ ){1,3}(?:street|st|avenue|ave|road|rd|lane|ln|drive|dr|boulevard|blvd|way|court|ct|"
    r"place|pl|square|terrace)\b"
)
_ZIP = re.compile(r"(?<![\w#-])\d{5}(?![\w-])")
_MONEY = re.compile(r"\$\s?(\d[\d,]*(?:\.\d+)?)")
_LONG_ID = re.compile(r"(?<![\w#])\d{8,12}(?!\w)")
_CODE = re.compile(r"(?=[a-z0-9]*\d[a-z])[a-z0-9]{5,8}")
"""Booking codes and the like: letters and digits mixed, so that a flight number, letters before digits, is none."""
_WORD_GAP = re.compile(r"[^\w.%]+|\.(?!\d)")
_OPPOSITES = {"yes": "no", "no": "yes"}
_MONEY_FACTS = {"price", "amount", "total", "refund", "balance"}


class Matcher:
    """Compares proposals with facts in one world.

    Args:
        domain: an installed world's name.
    """

    def __init__(self, domain: str) -> None:
        vocabulary = get_domain(domain).vocabulary
        self._choices = {name: re.compile(pattern) for name, pattern in vocabulary.choices.items()}
        self._objects = {word: re.compile(pattern, re.DOTALL) for word, pattern in vocabulary.objects.items()}
        self._strangers = {word: re.compile(pattern, re.DOTALL) for word, pattern in vocabulary.strangers.items()}

    def contradictions(self, facts: Sequence[Fact], text: str) -> list[Fact]:
        """The facts that a proposal contradicts.

        Args:
            facts: what the user knows about the wish.
            text: the proposal, in lower case.
        """
        by_name = {fact.name: fact.value for fact in facts}
        return [fact for fact in facts if self._contradicts(fact, by_name, text)]

    def _contradicts(self, fact: Fact, by_name: Mapping[str, Json], text: str) -> bool:
        choices = self._choices.get(fact.name)
        if choices is not None:
            return _wrong_choice(str(fact.value).lower(), text, choices)
        return _contradicts(fact, by_name, text)

    def names_any(self, facts: Sequence[Fact], text: str) -> bool:
        """Whether a proposal names anything of the wish."""
        return any(_names(fact.value, text) for fact in facts)

    def names_items(self, facts: Iterable[Fact], text: str) -> bool:
        """Whether a proposal names what it is about, if the user's wish is about items at all."""
        items = [item for fact in facts if fact.name in {"items", "new_items"} for item in _items(fact.value)]
        return not items or any(_mentions(item, text) for item in items)

    def speaks_of(self, kind: str, text: str) -> bool:
        """Whether a proposal can be about a wish of this kind, by what the world's vocabulary asks of it."""
        words = kind.split("_")
        if any(pattern.search(text) for word, pattern in self._strangers.items() if word in words):
            return False
        return all(pattern.search(text) for word, pattern in self._objects.items() if word in words)


def _names(value: Json, text: str) -> bool:
    """Whether a text holds a value, or an item or a line of one."""
    if isinstance(value, Mapping):
        names = (value.get(key) for key in ("name", "item_id", "address1", "zip"))
        return any(name and str(name).lower() in text for name in names) or _mentions(value, text)
    if isinstance(value, list):
        return any(_names(item, text) for item in value)
    return bool(value) and str(value).lower() in text


def _contradicts(fact: Fact, by_name: Mapping[str, Json], text: str) -> bool:
    name, value = fact.name, fact.value
    if name == "items":
        return _wrong_items(_items(value), _items(by_name.get("new_items")), text)
    if name == "new_items":
        return _wrong_options(_items(by_name.get("items")), _items(value), text)
    if name == "address" and isinstance(value, Mapping):
        return _wrong_address(value, text)
    if name == "reason":
        return (
            re.search(r"\breasons?\b(?: is| of| as|:| '| \"|  ?\()", text) is not None
            and str(value).lower() not in text
        )
    if name in _MONEY_FACTS:
        return _wrong_money(str(value), text)
    return isinstance(value, str) and _wrong_token(value.lower(), text)


def _items(value: Json) -> list[dict[str, Json]]:
    if not isinstance(value, list):
        return []
    return [cast("dict[str, Json]", item) for item in value if isinstance(item, Mapping)]


def _mentions(item: Mapping[str, Json], text: str) -> bool:
    name = str(item.get("name", "")).lower()
    identifier = str(item.get("item_id") or "")
    return bool(name and (name in text or name.split()[-1] in text)) or bool(identifier and identifier in text)


def _wrong_items(items: list[dict[str, Json]], wished: list[dict[str, Json]], text: str) -> bool:
    mentioned = [_mentions(item, text) for item in items]
    if any(mentioned) and not all(mentioned):
        return True
    own = [str(value) for item in (*items, *wished) for key, value in item.items() if key.endswith("_id") and value]
    return bool(own) and any(found not in own for found in _LONG_ID.findall(text))


def _wrong_options(items: list[dict[str, Json]], wished: list[dict[str, Json]], text: str) -> bool:
    return _other_option([*items, *wished], text) or any(
        _misses_option(items[index] if index < len(items) else {}, wish, text)
        if _mentions(wish, text)
        else index < len(items) and _mentions(items[index], text) and items[index].get("name") != wish.get("name")
        for index, wish in enumerate(wished)
    )


def _other_option(items: list[dict[str, Json]], text: str) -> bool:
    """Whether a text spells out an option ("color: red") that neither the items nor the wished ones have."""
    held: dict[str, set[str]] = {}
    for item in items:
        for key, value in cast("dict[str, Json]", item.get("options") or {}).items():
            held.setdefault(str(key).lower(), set()).add(str(value).lower())
    return any(
        value.strip() not in values
        for key, values in held.items()
        for value in re.findall(rf"\b{re.escape(key)}: ([^,;()\n]+)", text)
    )


def _misses_option(item: Mapping[str, Json], wish: Mapping[str, Json], text: str) -> bool:
    if wish.get("item_id") and str(wish["item_id"]) in text:
        return False
    wanted = cast("dict[str, Json]", wish.get("options") or {})
    old = cast("dict[str, Json]", item.get("options") or {})
    changed = [(str(key).lower(), str(value).lower()) for key, value in wanted.items() if old.get(key) != value]
    words = f" {_WORD_GAP.sub(' ', text)} "
    return not all(_names_option(key, value, words) for key, value in changed)


def _names_option(key: str, value: str, words: str) -> bool:
    """Whether a text, as words between single blanks, names a value; a yes or no can only be contradicted."""
    if value in _OPPOSITES:
        return f" {key} {value} " in words or f" {key} {_OPPOSITES[value]} " not in words
    return all(f" {word} " in words for word in _WORD_GAP.sub(" ", value).split())


def _wrong_address(address: Mapping[str, Json], text: str) -> bool:
    zips, code = _ZIP.findall(text), str(address.get("zip", ""))
    if zips and code and code not in zips:
        return True
    street = str(address.get("address1", "")).lower()
    return bool(street) and street not in text and _STREET.search(text) is not None


def _wrong_choice(wish: str, text: str, choices: re.Pattern[str]) -> bool:
    wanted = choices.search(wish.replace("_", " "))
    spoken = {found.replace("_", " ").replace("-", " ") for found in choices.findall(text)}
    if wanted is None or not spoken:
        return False
    ending = re.search(r"\b\d{4}\b", wish)
    endings = re.findall(r"ending (?:in|with) (\d{4})", text)
    wrong_card = bool(ending) and bool(endings) and ending is not None and ending.group() not in endings
    return wanted.group() not in spoken or wrong_card


def _wrong_money(wish: str, text: str) -> bool:
    amounts = [float(found.replace(",", "")) for found in _MONEY.findall(text)]
    try:
        return bool(amounts) and float(wish.lstrip("$").replace(",", "")) not in amounts
    except ValueError:
        return False


def _wrong_token(value: str, text: str) -> bool:
    for calendar in _CALENDAR:
        if calendar.fullmatch(value):
            return value not in text and calendar.search(text) is not None
    shape = _shape(value)
    return shape is not None and value not in (spoken := shape.findall(text)) and bool(spoken)


@lru_cache(maxsize=1024)
def _shape(value: str) -> re.Pattern[str] | None:
    """The pattern of tokens that look like this id, or None when it is no id: digits stay digits, words stay."""
    if not any(sign.isdigit() for sign in value) or any(sign in value for sign in " @."):
        return None
    if _CODE.fullmatch(value):
        return re.compile(rf"(?<![\w#])(?=[a-z0-9]*\d[a-z])[a-z0-9]{{{len(value)}}}(?!\w)")
    prefix = re.match(r"[a-z_]+(?=\d)", value)
    loose = prefix is not None and len(prefix.group()) == 1
    signs = (r"\d" if sign.isdigit() else "[a-z]" if loose and sign.isalpha() else re.escape(sign) for sign in value)
    return re.compile(rf"(?<![\w#]){''.join(signs)}(?!\w)")
