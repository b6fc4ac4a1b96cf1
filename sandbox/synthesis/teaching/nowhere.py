"""What comes from nowhere: values that neither the conversation nor the plan holds, and marks that nobody types.

One test for all states, by what text holds: an id, an amount or a number is a token with digits.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator

from toolgym.sandbox.kit.message import Json
from toolgym.sandbox.synthesis.graph.records import telling
from toolgym.sandbox.synthesis.graph.slots import places

_TOKEN = re.compile(r"[\w#@][\w.,:/@-]*\w|\w")
_FORGED = re.compile(
    r"<\|[^>\n]*\|>|</?(?:tool_call|tool_response|think|system)\b|\[/?INST\]|###STOP###", re.IGNORECASE
)
"""Marks by which chat templates tell roles, calls and thoughts apart: in words they would let one side speak for
another, such as `<|im_start|>system`.
"""
_DAY = re.compile(r"\d{4}-\d\d-\d\d")
_SMALL = 3
"""Digits from which on a number is somebody's: days, counts and places in a list have fewer."""


def is_day(text: str) -> bool:
    """Whether a text begins with a day as JSON has it."""
    return _DAY.match(text) is not None


def forged(text: str) -> bool:
    """Whether words hold a mark of chat templates."""
    return _FORGED.search(text) is not None


def invented(text: str, known: str) -> str | None:
    """The first id, amount or number of a text that is not in what is known; None where all are.

    Signs inside a number are left out on both sides, so that `$1,250.00` is the 125000 cents of a result. A day may be
    worked out, and years are no news.
    """
    digits = re.sub(r"[.,]", "", known.lower())
    tokens: list[str] = _TOKEN.findall(text)
    for token in tokens:
        plain = re.sub(r"[.,]", "", token.lower()).strip("#@:/-")
        figures = sum(sign.isdigit() for sign in plain)
        if figures >= _SMALL and not is_day(token) and plain not in digits and plain.removesuffix("00") not in digits:
            return token
    return None


def from_nowhere(arguments: Json, known: str) -> str | None:
    """The first value of a call's arguments that nothing said or showed; None where each is known.

    Args:
        arguments: of the call.
        known: all that was said and shown, with the tool's schema, in lower case.
    """
    for value in told_values(arguments):
        text = str(value).lower()
        if text in known or json.dumps(value).lower() in known or is_day(text):
            continue
        if isinstance(value, int | float) and _amount(value, known):
            continue
        return str(value)
    return None


def _amount(value: float, known: str) -> bool:
    """Whether somebody said cents as money (`$12.50`, `1,250`), or a number with its sign or fraction otherwise."""
    plain = known.replace(",", "")
    return any(text in plain for text in (f"{value / 100:.2f}", f"{value / 100:g}", f"{abs(value):g}"))


def told_values(arguments: Json) -> Iterator[Json]:
    """The values of arguments that say something: neither flags nor small numbers."""
    for _, value in places(arguments):
        if telling(value):
            yield value
