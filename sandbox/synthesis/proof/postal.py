"""Addresses and names as a post office reads them: one place in whatever case, with its flat on either line."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace

from toolgym.sandbox.kit.message import Json
from toolgym.sandbox.runtime.session import RowChange

_LINES = ("address1", "address2")
_PLAIN = ("city", "state", "zip", "first_name", "last_name", "name")
_COUNTRIES = dict.fromkeys(("usa", "us", "u s", "u s a", "united states", "united states of america", "america"), "us")
_EMPTY = re.compile(r"^\W*(?:n/?a|n\.a\.|none|null|nil|empty|not applicable)?\W*$")
_FLAT = re.compile(r"\b(?:apartment|apt|unit|suite|ste|flat|no)\b\.?|#")
_SHORT = {
    "street": "st", "avenue": "ave", "road": "rd", "drive": "dr", "lane": "ln", "boulevard": "blvd", "court": "ct",
    "place": "pl", "square": "sq", "highway": "hwy", "parkway": "pkwy", "terrace": "ter", "north": "n", "south": "s",
    "east": "e", "west": "w",
}  # fmt: skip
_WORD = re.compile(r"[^\W_]+")


def as_posted(diff: Sequence[RowChange]) -> list[RowChange]:
    """The diff with the addresses and names of its rows in one form."""
    return [replace(row, before=_posted(row.before), after=_posted(row.after)) for row in diff]


def _posted(row: Mapping[str, Json] | None) -> dict[str, Json] | None:
    if row is None:
        return None
    plain: dict[str, Json] = {name: _inside(value) for name, value in row.items() if name not in _LINES}
    if "address1" not in row:
        return plain
    lines = [str(row.get(name) or "") for name in _LINES]
    plain["address"] = " ".join(_line(line) for line in lines if not _EMPTY.match(line.lower())).strip()
    for name in _PLAIN:
        if isinstance(row.get(name), str):
            plain[name] = " ".join(_WORD.findall(str(row[name]).lower()))
    country = " ".join(_WORD.findall(str(row.get("country") or "").lower()))
    return plain | {"country": _COUNTRIES.get(country, country)}


def _inside(value: Json) -> Json:
    """An address that a column holds whole."""
    return _posted(value) if isinstance(value, dict) and "address1" in value else value


def _line(text: str) -> str:
    words = _WORD.findall(_FLAT.sub(" flat ", text.lower()))
    return " ".join(_SHORT.get(word, word) for word in words)
