"""What the airline's rules agent understands of words: keywords, codes, days, cities, cards. Looks nothing up."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

Record = Mapping[str, Any]

USER_ID = re.compile(r"\b[a-z]+_[a-z]+_\d{4}\b")
_CODE = re.compile(r"\b(?=[A-Z]*\d)(?=\d*[A-Z])[A-Z0-9]{6}\b")
_ISO = re.compile(r"\b(2\d{3}-\d\d-\d\d)\b")
_MONTHS = "january february march april may june july august september october november december".split()
_DAY = re.compile(rf"\b({'|'.join(_MONTHS)}) (\d{{1,2}})\b", re.IGNORECASE)
_PERSON = re.compile(r"\b([A-Z][\w'-]+) ([A-Z][\w'-]+),? \(?born (\d{4}-\d\d-\d\d)")
COVERED = re.compile(
    r"\b(?:ill|sick|health|doctor|hospital|injur\w*|broke a leg|surgery|weather|hurricane|storms?|snow)\b",
    re.IGNORECASE,
)
GIVEN = re.compile(
    r"\b(?:plans?|called off|better to do|feel like|coming along|because|since|reason|cancelled by|delay\w*)\b",
    re.IGNORECASE,
)
"""Words by which a reason has been given, whatever it is."""
PART = re.compile(
    r"\b(?:only|just (?:for|the|one)|alone|nobody else|nowhere else|way back|return flight|does not come)\b",
    re.IGNORECASE,
)
SAME = re.compile(r"\b(?:that|the same) reservation\b")
LESS = re.compile(r"\b(?:drop|remove|take (?:\w+ ){1,4}off|do not need|don't need|fewer)\b", re.IGNORECASE)
MORE_PEOPLE = re.compile(r"\b(?:add another person|one more traveller|one more passenger)\b", re.IGNORECASE)
FEWER_PEOPLE = re.compile(
    r"\b(?:off (?:my|one|a|that|the|reservation)\b|remove \w+ from|nobody takes the place)", re.IGNORECASE
)
CURIOUS = re.compile(
    r"\b(?:just want to know|only want to know|do not change anything|what would it cost|how much more)\b",
    re.IGNORECASE,
)

_ASIDES = re.compile(
    r"what is the exact price difference\?|how much do i get back\?|what does (?:that|it) cost(?: in all)?\?|"
    r"how much is it\?"
)
"""Questions that come with another wish."""
_BEYOND = re.compile(
    r"\bnot fly the rest\b|suitcase|laptop|\bhurt\b|\bdog\b|wheelchair|invoice|second payment|complain|e-mail address|"
    r"\bhuman\b|real person|\bcolleague\b|\ba person\b"
)
"""What no tool does."""
_ASKS = (
    r"^(?:.*[.!] )?(?:how|what|when|at what|are there|could you (?:tell|check|look)|please look)|want to know|"
    r"would like to know"
)
_OTHERS = (
    r"in place of|\breplace\b|somebody else|who travels|will travel|another person|one more traveller|"
    r"another passenger|\boff (?:my|one|a|that|the|reservation)|remove \w+ from"
)
_WISHES: tuple[tuple[str, str], ...] = (
    ("book", r"\b(?:book|need) (?:me )?(?:a |an )?(?:round|one-way)|\bto book\b"),
    ("inform", r"free baggage|(?:bags?|baggage)\b.*\bfree\b|what would it cost|how much more|price difference for"),
    ("compensate", r"compensat(?!e me)|\bcertificate because|\bdo i get for|\bwant a certificate|demand a certificate"),
    ("cancel", r"\bcancel(?!led)|cancelled\.|cancelled for|\brefund for\b|have .* cancelled"),
    ("insure", r"\binsur(?:e|ance)\b"),
    ("bags", r"\b(?:bags?|luggage)\b"),
    ("inform", _ASKS),
    ("passengers", _OTHERS),
    ("cabin", r"\b(?:business|economy|cabin|upgrade)\b"),
    ("flights", r"\b(?:move|instead|change|put|take|reroute|fly)\b"),
)
"""Wishes by the words that tell them; the first that fits wins."""


def wish_of(text: str) -> str | None:
    """What a customer wants, or None when no rule knows it."""
    lower = _ASIDES.sub("", text.lower())
    if _BEYOND.search(lower):
        return "transfer"
    return next((wish for wish, pattern in _WISHES if re.search(pattern, lower)), None)


def codes_in(text: str) -> list[str]:
    """Reservation codes."""
    return _CODE.findall(text)


def days_in(text: str, year: str) -> list[str]:
    """Days as YYYY-MM-DD, in the order they are named."""
    found = [(match.start(), match[1]) for match in _ISO.finditer(text)]
    for match in _DAY.finditer(text):
        month = _MONTHS.index(match[1].lower()) + 1
        found.append((match.start(), f"{year}-{month:02}-{int(match[2]):02}"))
    return [day for _, day in sorted(found)]


def airports_in(airports: Sequence[Record], text: str) -> list[str]:
    """Airports by code or city, in the order they are named; a code beside a city decides."""
    found: dict[int, str] = {}
    for airport in airports:
        for match in re.finditer(rf"\b{re.escape(airport['city'])}\b(?: \(([A-Z]{{3}})\))?", text):
            found[match.start()] = str(match[1] or found.get(match.start(), airport["iata"]))
    return [found[position] for position in sorted(found)]


def cabin_in(text: str) -> str | None:
    """The cabin that is named last."""
    named = re.findall(r"basic economy|economy|business", text.lower())
    return named[-1].replace(" ", "_") if named else None


def count_in(text: str) -> int | None:
    """How many checked bags."""
    if re.search(r"\bno (?:checked )?bags\b", text.lower()):
        return 0
    named = re.findall(r"(\d+) (?:more )?(?:checked )?bags?", text)
    return int(named[-1]) if named else None


def methods_in(methods: Mapping[str, Record], text: str) -> list[Record]:
    """The payment methods that a text names, in its order; of several alike, those whose amount or ending is named."""
    lower, found = text.lower(), []
    for method in methods.values():
        name = method["source"].replace("_", " ")
        alike = sum(other["source"] == method["source"] for other in methods.values())
        mark = method.get("last_four") or f"${method.get('amount', '')}"
        sure = [m.start() for m in re.finditer(rf"{name}[^.;,]{{0,20}}?{re.escape(mark)}\b", lower)]
        loose = [m.start() for m in re.finditer(name, lower)] if alike == 1 else []
        places = sure or loose
        if places:
            found.append((places[-1], method))
    return [method for _, method in sorted(found, key=lambda pair: pair[0])]


def person_in(saved: Iterable[Record], text: str) -> dict[str, str] | None:
    """Somebody with a date of birth, or somebody saved in the profile."""
    named = _PERSON.findall(text)
    if named:
        first, last, born = named[-1]
        return {"first_name": first, "last_name": last, "dob": born}
    known = [person for person in saved if f"{person['first_name']} {person['last_name']}" in text]
    return dict(known[-1]) if known else None


def insurance_in(text: str) -> str | None:
    """Whether travel insurance is wanted."""
    lower = text.lower()
    if "insurance" not in lower:
        return None
    return "no" if re.search(r"\b(?:no|without|not) (?:\w+ )?(?:travel )?insurance", lower) else "yes"
