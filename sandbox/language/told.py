"""Whether an agent has told what it had to: by meaning, in any usual spelling, without contradicting itself.

The one function behind the verifier and the users, so that a user is satisfied exactly when the score is. What is
asserted decides: a value that is denied, guessed at, one of several, or taken back is not told.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from datetime import date, datetime, time
from functools import lru_cache
from typing import Any, NamedTuple

from sandbox.kit.task import Goal
from sandbox.kit.telling import Telling
from sandbox.language.assertions import Place, are_bare_list, content_words, places, takes_back
from sandbox.language.days import Days, one_day
from sandbox.language.designators import counts_in_words, data_key, named_by, subject
from sandbox.language.dialogue_acts import parse_act
from sandbox.language.lexicon import Lexicon
from sandbox.language.mentions import Mention, find_mentions
from sandbox.language.prefilter import Prefiltered
from sandbox.language.reasons import gives_reason
from sandbox.language.said import same_value
from sandbox.language.terms import tells_term
from sandbox.language.text_match import mentions
from sandbox.language.tokens import singular, tokenize
from sandbox.language.units import UNIT_SIGNS

_DUMP = 6
"""Fields of a raw result that nobody takes for an answer; fewer may be one, written as data."""
_TEXT_OF_REFUSAL = re.compile(r"cannot\||can't\|")
_NUMBER = re.compile(r"\$?\d[\d,]*(?:\.\d+)?")
_TIME = re.compile(r"\d?\d:\d\d(?: ?[ap]m)?")
_KEY = re.compile(r"#?(?=\S*\d)(?:\d{9,}|#?[A-Z]+-?\d[\w-]*|\d[\dA-Z]*[A-Z][\dA-Z]{3,})")
_MONEY = Prefiltered(
    r"\b(?:cost|costs|price|prices|priced|charge|charged|pay|paid|bill|balance|spend|spent|refund|total|fee|worth|"
    r"certificate|dollars?|money|expensive|cheap|cheapest|dearest|sum|difference|afford|back)\b|\bhow much\b(?! data)"
)
_OWED = Prefiltered(
    r"\b(?:over(?:drawn|spent)?|minus|negative|short|owed?|owing|in the red|too much|beyond|exceed(?:s|ed)?|deficit|"
    r"below zero|under water)\b"
)
"""What says of an amount that it is missing: "you are $12 over"."""
_COUNT = re.compile(r"\bhow (?:many|much data)\b(?! dollars?\b)|\bnumber of\b")
_ANYTHING = frozenset("option variant version kind sort type model choice item piece unit result thing in".split())
"""What may be counted whatever was asked for."""
_ANSWERS = frozenset("answer result count number total sum score".split())
"""What a number may be said to be whatever was asked for."""


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


def tells_all(messages: Sequence[str], goal: Goal, now: datetime) -> bool:
    """Whether everything that a wish asks to be told has been; what is told of a forbidden one is why."""
    due, about = goal.must_communicate, goal.utterance
    if goal.outcome != "refused":
        return all(tells(messages, each, now, about=about, rest=due) for each in due)
    speech = "\n".join(messages)
    reasons = [text for text in due if not is_refusal(text)]
    refused = len(reasons) == len(due) or any(parse_act(text).refuses for text in messages)
    return refused and all(gives_reason(messages, text, about) or mentions(text, speech) for text in reasons)


def tells(
    messages: Sequence[str],
    telling: str,
    now: datetime,
    *,
    about: str = "",
    rest: Sequence[str] = (),
    seen: str = "",
) -> bool:
    """Whether an agent has told something.

    Args:
        messages: what it said, in order.
        telling: what must be told.
        now: when, for "tomorrow".
        about: the question or the wish, which says what a bare number is.
        rest: what must be told besides, so that it is no contradiction.
        seen: what tools have shown, so that another value of another moment is none.
    """
    telling = Telling.of(telling)
    messages = [without_dumps(text) for text in messages]
    if is_refusal(telling):
        return any(parse_act(text).refuses for text in messages)
    if telling.kind == "reason":
        return gives_reason(messages, telling, about)
    if telling.kind == "flag":
        return _tells_flag(messages, telling)
    wanted = _wanted(*_fields(telling), now)
    if wanted is None:
        return tells_term(messages, tuple(telling.wordings), about)
    others = [
        other for each in rest if each != telling and (other := _wanted(*_fields(Telling.of(each)), now)) is not None
    ]
    return _tells_value(messages, wanted, others, now, about, seen)


def is_refusal(telling: str) -> bool:
    """Whether what must be told is that something is not possible."""
    kind = Telling.of(telling).kind
    return kind == "refusal" or (kind is None and _TEXT_OF_REFUSAL.match(telling) is not None)


def without_dumps(text: str) -> str:
    """What is left of words without raw results, which are read out and tell nobody anything."""
    if text.count('":') < _DUMP:
        return text
    return re.sub(r'[\[{]+\s*"[^"]*"\s*:.*(?:[}\]]|$)', " ", text, flags=re.DOTALL)


# --- values ---


def _tells_value(
    messages: Sequence[str], wanted: Wanted, others: Sequence[Wanted], now: datetime, about: str, seen: str
) -> bool:
    """Whether the last message that says anything of the value says the right one, and no other beside it."""
    told, said = False, set[frozenset[str]]()
    for text in messages:
        if told and takes_back(text):
            told = False
        alike = _alike(text, wanted, now)
        right = [place for place in alike if _is_right(text, place, wanted, about, alike)]
        wrong = [place for place in alike if _is_wrong(place, wanted, others)]
        if right:
            told = not (takes_back(text) and _is_after(text, right[-1])) and not _conflict(text, right, wrong)
            said |= {place.about for place in right}
        elif any(place.about in said and place.about and place.mention.text not in seen for place in wrong):
            told = False
    return told


def _alike(text: str, wanted: Wanted, now: datetime) -> list[Place]:
    """What a text names that is of the kind of the wanted value, list numbers left out."""
    kinds = {kind for kind, _ in wanted.values}
    lexicon = _of_key(wanted.key) if wanted.key else None
    found = [mention for mention in find_mentions(text, lexicon, now) if mention.kind in kinds]
    value = dict(wanted.values).get("number")
    if value in (0, 1) and wanted.kind == "number":
        found = sorted([*found, *counts_in_words(text, value, wanted.near)], key=lambda mention: mention.start)
    return places(text, [mention for mention in found if not _is_bullet(text, mention)])


def _is_bullet(text: str, mention: Mention) -> bool:
    begins = not text[: mention.start].rsplit("\n", 1)[-1].strip(" *-")
    return begins and re.match(r"[.)]\s", text[mention.end :]) is not None


def _holds(mention: Mention, wanted: Wanted) -> bool:
    said = (mention.value, *mention.also)
    if wanted.is_owed and isinstance(mention.value, int | float):
        said = (abs(mention.value),)
    if mention.kind == "date" and not re.search(r"\d{4}|\d/\d+/\d|\d-\d+-\d", mention.text):
        return any(_is_same_day(each, value) for kind, value in wanted.values if kind == "date" for each in said)
    return any(same_value(kind, each, value) for kind, value in wanted.values if kind == mention.kind for each in said)


def _is_same_day(said: Days, wanted: Days) -> bool:
    """Whether two days are one but for the year, which nobody said."""
    same = (said.first.month, said.first.day) == (wanted.first.month, wanted.first.day)
    return same and (said.first == said.last) == (wanted.first == wanted.last)


def _is_right(text: str, place: Place, wanted: Wanted, about: str, alike: Sequence[Place]) -> bool:
    mention = place.mention
    if not place.asserted or mention.role == "instead_of" or not _holds(mention, wanted):
        return False
    if mention.kind == "money" and wanted.kind == "number" and _asks_count(about.lower()):
        return False  # eight lamps are not $8
    if wanted.is_owed and mention.value > 0 and not _OWED.search(text.lower()):
        return False
    if mention.kind in ("number", "count"):
        return _counts(text, place, wanted, about.lower(), alike)
    return not wanted.near or mention.kind != "money" or _is_its_own(place, wanted.near, alike)


def _is_its_own(place: Place, near: Sequence[str], alike: Sequence[Place]) -> bool:
    """Whether no other amount of the message is the one that the words near it belong to."""
    named = [each for each in alike if _names(each.about, near) and each.mention.value != place.mention.value]
    return not named or _names(place.about, near)


def _unit(text: str, mention: Mention) -> str:
    """What a number counts or measures; a measure by its usual name, a name's beginning as "name": "44 Elm Street"."""
    if not mention.unit and re.match(r" [A-Z][a-z]+", text[mention.end :]):
        return "name"
    unit = mention.unit or next(iter(re.findall(r"^[ -]?([a-z%]+)\b", text[mention.end :].lower())), "")
    return UNIT_SIGNS.get(singular(unit.lower()), mention.unit.lower())


def _counts(text: str, place: Place, wanted: Wanted, about: str, alike: Sequence[Place]) -> bool:
    """Whether a number counts what was asked for."""
    unit = _unit(text, place.mention)
    if unit == "name":
        return _named_in(text, place.mention, about)
    if wanted.kind == "duration":
        return not unit
    asks_money = _MONEY.search(about) is not None and not _asks_count(about)
    if wanted.kind == "money" or (wanted.kind == "amount" and asks_money):
        return not unit or (wanted.kind == "amount" and unit not in UNIT_SIGNS.values() and _alike_word(unit, about))
    if not unit:
        return _stands_for_it(text, place, wanted.near, about, alike)
    near = {UNIT_SIGNS.get(singular(word.lower()), singular(word.lower())) for word in wanted.near}
    if unit in UNIT_SIGNS.values():
        return unit in near or (unit == "gb" and "data" in about) or re.search(rf"\b{unit}s?\b", about) is not None
    return unit in near or (not near and (not about or unit in _ANYTHING or _alike_word(unit, about)))


def _named_in(text: str, mention: Mention, about: str) -> bool:
    """Whether the name that begins with a number is what was asked for: "7 Standing Desks"."""
    found = re.match(r"(?: [A-Z][a-z]+)+", text[mention.end :])
    return found is not None and bool(content_words(found[0]) & content_words(about))


def _stands_for_it(text: str, place: Place, near: Sequence[str], about: str, alike: Sequence[Place]) -> bool:
    """Whether a number without a unit stands with its thing, or alone, and with no other."""
    mine = content_words(" ".join((*near, about)))
    name, key = named_by(text, place.mention), data_key(text, place.mention)
    if name is not None and not (name and singular(name) in mine):
        return False
    if key is not None:
        return bool(content_words(key) & (mine | _ANSWERS))
    if not near or _names(place.about, near):
        return True
    said = subject(text, place.mention)
    if said is not None and said in content_words(said) and not place.about & _ANSWERS:
        return False  # it is said of another thing
    return (not place.about or len(alike) == 1) and re.match(r" (?:times|x)\b", text[place.mention.end :]) is None


def _asks_count(about: str) -> bool:
    return _COUNT.search(about) is not None


def _alike_word(unit: str, about: str) -> bool:
    """Whether the question names what is counted, if only in another form: "bag" and "baggage"."""
    return any(word.startswith(unit[:4]) for word in content_words(about))


def _names(about: Iterable[str], near: Sequence[str]) -> bool:
    words = {singular(word.lower()) for word in near}
    return any(
        word in words or any(len(each) > 4 and word.startswith(each.removesuffix("e")) for each in words)
        for word in about
    )


def _is_wrong(place: Place, wanted: Wanted, others: Sequence[Wanted]) -> bool:
    """Whether another value is asserted that is none of those that must be told."""
    mention = place.mention
    denied = mention.negated or mention.role in ("instead_of", "not")
    return not denied and not _holds(mention, wanted) and not any(_holds(mention, other) for other in others)


def _conflict(text: str, right: Sequence[Place], wrong: Sequence[Place]) -> bool:
    """Whether another value is told of the same thing: in a bare list with it, or in words that differ by nothing."""
    tokens = tokenize(text)
    for place in right:
        for other in wrong:
            first, second = sorted((place.mention, other.mention), key=lambda mention: mention.start)
            if are_bare_list(tokens, first, second) and not _is_sum(text, first, second):
                return True
            if (
                other.asserted
                and place.about == other.about
                and place.about
                and other.mention.role == place.mention.role
            ):
                return _apart(text, first, second)
    return False


def _is_sum(text: str, first: Mention, second: Mention) -> bool:
    return first.unit != second.unit


def _apart(text: str, first: Mention, second: Mention) -> bool:
    """Whether two mentions stand in sentences or clauses of their own."""
    return re.search(r"[.;!?,:\n]|\b(?:and|but)\b", text[first.end : second.start]) is not None


def _is_after(text: str, place: Place) -> bool:
    return takes_back(text[place.mention.end :])


# --- what is wanted ---


def _fields(telling: Telling) -> tuple[str, str | None, Any, tuple[str, ...]]:
    return str(telling), telling.kind, telling.value, telling.near


@lru_cache(maxsize=4096)
def _wanted(text: str, kind: str | None, value: Any, near: tuple[str, ...], now: datetime) -> Wanted | None:
    """The value to be told; None for a term, which is looked for as words."""
    forms = text.split("|")
    kind = kind or _kind_of(forms, now)
    if kind == "identifier":
        key = str(value if value is not None else forms[0])
        return Wanted(kind, (("identifier", key), ("phone", key)), near, key)
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
    plain = (("number", abs(amount)), ("count", abs(amount)))
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


@lru_cache(maxsize=4096)
def _of_key(key: str) -> Lexicon:
    return Lexicon(keys={"value": (key,)})


# --- yes and no ---


def _tells_flag(messages: Sequence[str], telling: Telling) -> bool:
    """Whether a yes or a no was told: as the first word, or by its thing, denied or not."""
    wanted = telling.value if telling.value is not None else telling == "yes"
    told = False
    for text in messages:
        low = text.lower().strip()
        first = re.match(r"\W*(yes|no)\b", low)
        near = any(re.search(rf"\b{re.escape(word.lower())}", low) for word in telling.near)
        denied = re.search(r"\b(?:not|no|never)\b|n't\b", low) is not None
        if first:
            told = (first.group(1) == "yes") == wanted
        elif near:
            told = denied != wanted
    return told
