"""What must be told, as a value of a sort: the kinds of mention that tell it, and what stands near it."""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import date, datetime, time
from functools import lru_cache
from typing import Any, NamedTuple

from toolgym.sandbox.kit.telling import Telling
from toolgym.sandbox.language.days import one_day
from toolgym.sandbox.language.mentions import find_mentions

_NUMBER = re.compile(r"\$?\d[\d,]*(?:\.\d+)?")
_TIME = re.compile(r"\d?\d:\d\d(?: ?[ap]m)?")
_KEY = re.compile(r"#?(?=\S*\d)(?:\d{9,}|#?[A-Z]+-?\d[\w-]*|\d[\dA-Z]*[A-Z][\dA-Z]{3,})")
_FIGURES_OF_KEY = re.compile(r"[A-Za-z]+-([1-9]\d{3,})")


class Wanted(NamedTuple):
    """A value that must be told.

    Attributes:
        kind: what it is; `amount` for a number that may be one of money.
        values: its value by the kind of the mention that tells it.
        near: words of which one belongs to it.
        key: the text of an identifier, which is looked for as written.
        is_owed: the amount is below zero.
    """

    kind: str
    values: tuple[tuple[str, Any], ...]
    near: tuple[str, ...] = ()
    key: str = ""
    is_owed: bool = False


def fields(telling: Telling) -> tuple[str, str | None, Any, tuple[str, ...]]:
    """A telling as plain values: its text, kind, value and what stands near it."""
    return str(telling), telling.kind, telling.value, telling.near


@lru_cache(maxsize=4096)
def wanted_of(text: str, kind: str | None, value: Any, near: tuple[str, ...], now: datetime) -> Wanted | None:
    """The value to be told; None for a term, which is looked for as words."""
    forms = text.split("|")
    kind = kind or _kind_of(forms, now)
    if kind == "identifier":
        key = str(value if value is not None else forms[0])
        figures = _FIGURES_OF_KEY.fullmatch(key)
        number = (("number", int(figures[1])),) if figures else ()
        return Wanted(kind, (("identifier", key), ("phone", key), *number), near, key)
    if kind in ("money", "number", "amount"):
        return _amount(kind, value, forms[0], near)
    if kind == "duration":
        return Wanted(kind, (("duration", value), ("number", value)), near)
    if kind in ("date", "time", "moment"):
        iso = (form for form in forms if re.fullmatch(r"\d{4}-\d\d-\d\d", form))
        return _when(kind, value, next(iso, forms[0]), now, near)
    return None


def _amount(kind: str, value: Any, first: str, near: tuple[str, ...]) -> Wanted:
    if kind == "money" and value is not None:
        amount = value / 100
    else:
        amount = abs(float(value if value is not None else first.replace(",", "").replace("$", "")))
    plain: tuple[tuple[str, Any], ...] = (("number", abs(amount)), ("count", abs(amount)))
    if kind == "amount" and re.fullmatch(r"\d{4}", first):  # it may be the end of a card's number
        plain += (("identifier", first),)
    # a world that counts in whole dollars tells them as numbers; what counts something else says what, near it
    cents = (("money", round(abs(amount) * 100)),) if kind != "number" or not near else ()
    return Wanted(kind, (*cents, *plain), near, is_owed=kind == "money" and amount < 0)


def _when(kind: str, value: Any, first: str, now: datetime, near: tuple[str, ...]) -> Wanted | None:
    if kind == "date" and value is not None:
        return Wanted(kind, (("date", one_day(date.fromisoformat(value))),), near)
    if kind in ("time", "moment") and value is not None:
        moment = time.fromisoformat(value) if kind == "time" else datetime.fromisoformat(value).time()
        return Wanted(kind, (("time", moment.replace(tzinfo=None)),), near)
    read = next((mention for mention in find_mentions(first, None, now) if mention.kind in ("date", "time")), None)
    return None if read is None else Wanted(kind, ((read.kind, read.value),), near)


def _kind_of(forms: Sequence[str], now: datetime) -> str:
    """What a text is by its form."""
    if len(forms) == 1 and _KEY.fullmatch(forms[0]) and len(forms[0]) > 3:
        return "identifier"
    if all(_NUMBER.fullmatch(form) for form in forms):
        return "amount"
    if all(_TIME.fullmatch(form) for form in forms):
        return "time"
    found = find_mentions(forms[0], None, now)
    whole = len(found) == 1 and found[0].text.strip() == forms[0].strip()
    return "date" if whole and found[0].kind == "date" else "term"
