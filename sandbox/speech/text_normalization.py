"""How people say what is written: ids, e-mails, amounts and dates as words that any engine can speak.

Three manners: `grouped` (the first time), `slow` (asked again: smaller groups, names spelled), `nato` (the last resort:
letters as code words). A lone digit between commas is heard as a letter ("eight," as A), so digits stay in groups.
`toolgym.sandbox.speech.inverse_text_normalization` turns transcripts back. Nothing here knows a domain.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from typing import Literal

Verbalization = Literal["grouped", "slow", "nato"]

DIGITS = "zero one two three four five six seven eight nine".split()
NATO = dict(
    zip(
        "abcdefghijklmnopqrstuvwxyz",
        "Alfa Bravo Charlie Delta Echo Foxtrot Golf Hotel India Juliett Kilo Lima Mike November Oscar Papa Quebec "
        "Romeo Sierra Tango Uniform Victor Whiskey X-ray Yankee Zulu".split(),
        strict=True,
    )
)
SYMBOLS = {".": "dot", "_": "underscore", "-": "dash", "+": "plus", "@": "at", "#": "", "/": "slash"}
MONTHS = "January February March April May June July August September October November December".split()
_STATE_NAMES = (
    "AL:Alabama AK:Alaska AZ:Arizona AR:Arkansas CA:California CO:Colorado CT:Connecticut DE:Delaware "
    "DC:District_of_Columbia FL:Florida GA:Georgia HI:Hawaii ID:Idaho IL:Illinois IN:Indiana IA:Iowa KS:Kansas "
    "KY:Kentucky LA:Louisiana ME:Maine MD:Maryland MA:Massachusetts MI:Michigan MN:Minnesota MS:Mississippi "
    "MO:Missouri MT:Montana NE:Nebraska NV:Nevada NH:New_Hampshire NJ:New_Jersey NM:New_Mexico NY:New_York "
    "NC:North_Carolina ND:North_Dakota OH:Ohio OK:Oklahoma OR:Oregon PA:Pennsylvania RI:Rhode_Island "
    "SC:South_Carolina SD:South_Dakota TN:Tennessee TX:Texas UT:Utah VT:Vermont VA:Virginia WA:Washington "
    "WV:West_Virginia WI:Wisconsin WY:Wyoming"
)
STATES = {pair[:2]: pair[3:].replace("_", " ") for pair in _STATE_NAMES.split()}

EMAIL = r"[\w.+-]+@[\w-]+(?:\.[\w-]+)+"
ID = (
    r"#?\b(?=[A-Za-z_]*\d)(?:[A-Za-z]+_)+[A-Za-z0-9_]*\d\w*|"  # noah_brown_6181
    r"#?(?<![\w.$])(?=[A-Z]*\d)[A-Z]{1,4}\d{3,}[A-Z0-9]*\b|"  # W2378156, #W2378156
    r"(?<![\w.$])\d{5,}(?![\w]|\.\d)"  # zip codes, item ids
)
IDENTIFIER = re.compile(rf"(?P<email>{EMAIL})|(?P<id>{ID})")
_MONEY = re.compile(r"\$(\d[\d,]*)(?:\.(\d\d?))?(?![\d])")
_DATE = re.compile(r"\b(\d{4})-(\d\d)-(\d\d)\b")
_LAST_FOUR = re.compile(r"(?:(?<=ending in )|(?<=ends in ))(\d{4})\b")
_STATE = re.compile(rf"(?<=, )({'|'.join(STATES)})(?=,| \d|\.|$)")


def identifiers(text: str) -> list[str]:
    """The ids in a text that must be heard exactly: e-mails, order numbers, zip codes, user and item ids."""
    return [match.group() for match in IDENTIFIER.finditer(text)]


def speakable(
    text: str, manner: Callable[[str], Verbalization] = lambda value: "grouped", names: Iterable[str] = ()
) -> str:
    """A text as it is spoken.

    Args:
        text: as written.
        manner: how to say each id or name; told the id as written.
        names: names that are spelled behind themselves unless said in the manner `grouped`.
    """
    text = _DATE.sub(lambda found: _date(*found.groups()), text)
    text = IDENTIFIER.sub(lambda found: _identifier(found, manner(found.group())), text)
    text = _LAST_FOUR.sub(lambda found: _characters(found.group(), "grouped"), text)
    text = _MONEY.sub(_money, text)
    text = _STATE.sub(lambda found: STATES[found.group()], text)
    for name in sorted(set(names), key=len, reverse=True):
        if manner(name) != "grouped":
            spelled = _letters(name, manner(name))
            text = re.sub(rf"(?<!\w){re.escape(name)}(?!\w)", f"{name}, {spelled},", text, count=1)
    return re.sub(r",\s*([.,!?])", r"\1", re.sub(r"\s+", " ", text)).strip()


def _identifier(found: re.Match[str], manner: Verbalization) -> str:
    value = found.group()
    if found["email"]:
        local, host = value.split("@", 1)
        spoken = ", ".join(_words(local, manner))
        return f"{spoken}, at {host.replace('.', ' dot ')}"
    parts = re.findall(r"[A-Za-z]+|\d+|[_-]", value)
    if any(part in "_-" for part in parts):
        return ", ".join(_words(value, manner))
    return ", ".join(_letters(part, manner) if part.isalpha() else _characters(part, manner) for part in parts)


def _words(text: str, manner: Verbalization) -> list[str]:
    """The parts of a name with separators: words whole or spelled, digits, names of the separators."""
    spoken: list[str] = []
    for part in re.findall(r"[A-Za-z]+|\d+|[._+-]", text):
        if part.isdigit():
            spoken.append(_characters(part, manner))
        elif part.isalpha():
            spoken.append(part if manner == "grouped" else _letters(part, manner))
        elif spoken and manner == "grouped":
            spoken[-1] += f" {SYMBOLS[part]}"
        else:
            spoken.append(SYMBOLS[part])
    joined: list[str] = []
    for part in spoken:  # "yusuf dot" and "rossi" belong together
        if joined and joined[-1].endswith((" dot", " underscore", " dash", " plus")) and part[0].isalpha():
            joined[-1] += f" {part}"
        else:
            joined.append(part)
    return joined


def _letters(text: str, manner: Verbalization) -> str:
    if manner == "nato":
        return " ".join(NATO.get(letter, letter) for letter in text.lower())
    return " ".join(text.upper())


def _characters(digits: str, manner: Verbalization) -> str:
    """Digits as words in groups: of up to three, or of up to two when they are repeated."""
    words = [DIGITS[int(digit)] for digit in digits]
    groups, rest = [], len(words)
    while rest:
        size = 2 if rest in (2, 4) else min(3 if manner == "grouped" else 2, rest)
        groups.append(" ".join(words[len(words) - rest : len(words) - rest + size]))
        rest -= size
    return ", ".join(groups)


def _money(found: re.Match[str]) -> str:
    dollars, cents = found.group(1).replace(",", ""), int((found.group(2) or "0").ljust(2, "0"))
    text = f"{dollars} dollar{'' if dollars == '1' else 's'}"
    return f"{text} and {cents} cent{'' if cents == 1 else 's'}" if cents else text


def _date(year: str, month: str, day: str) -> str:
    if not 1 <= int(month) <= 12:
        return f"{year}-{month}-{day}"
    return f"{MONTHS[int(month) - 1]} {int(day)}, {year}"
