"""The bank's sentences are read as people read them; the half that was not looked at is pinned."""

from __future__ import annotations

import hashlib
import json
from datetime import date, datetime, time
from pathlib import Path
from typing import Any

import pytest

from toolgym.sandbox.language.days import Days
from toolgym.sandbox.language.lexicon import Lexicon
from toolgym.sandbox.language.mentions import Mention, find_mentions
from toolgym.sandbox.language.said import same_value, says

BANK = Path(__file__).parent / "bank"
NOW = datetime(2026, 3, 10, 9, 30)
LEXICON = Lexicon(**json.loads((BANK / "lexicon.json").read_text(encoding="utf-8")))
Row = dict[str, Any]


def half_of(row: Row) -> str:
    first = hashlib.sha256(row["says"].encode()).hexdigest()[0]
    return "report" if int(first, 16) % 2 else "tune"


def rows(name: str, half: str) -> list[Row]:
    lines = (BANK / f"{name}.jsonl").read_text(encoding="utf-8").splitlines()
    return [row for row in map(json.loads, lines) if half_of(row) == half]


def typed(kind: str, value: Any) -> Any:
    if kind == "date":
        days = [date.fromisoformat(day) for day in value.split("/")]
        return Days(days[0], days[-1])
    return time.fromisoformat(value) if kind == "time" else value


def is_right(row: Row) -> bool:
    found = find_mentions(row["says"], LEXICON, NOW)
    return len(found) == len(row["mentions"]) and all(map(is_as_marked, found, row["mentions"]))


def is_as_marked(found: Mention, marked: Row) -> bool:
    return (
        found.kind == marked["kind"]
        and found.role == marked.get("role")
        and ("unit" not in marked or found.unit == marked["unit"])
        and same_value(found.kind, found.value, typed(marked["kind"], marked["value"]))
    )


def is_told_rightly(row: Row) -> bool:
    value = typed(row["kind"], row["value"])
    return says(row["says"], row["kind"], value, NOW, tuple(row["near"])) == row["said"]


RIGHT = {"mentions": is_right, "says": is_told_rightly}


@pytest.mark.parametrize(
    ("name", "half", "right", "of"),
    [
        ("mentions", "tune", 143, 146),
        ("mentions", "report", 148, 150),
        ("says", "tune", 57, 57),
        ("says", "report", 59, 60),
    ],
)
def test_the_bank_is_read_as_pinned(name: str, half: str, right: int, of: int) -> None:
    judged = [RIGHT[name](row) for row in rows(name, half)]
    assert (sum(judged), len(judged)) == (right, of)
