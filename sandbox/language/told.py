"""Whether an agent has told what it had to: by meaning, in any usual spelling, without contradicting itself.

The one function behind the verifier and the users, so that a user is satisfied exactly when the score is. What is
asserted decides: a value that is denied, guessed at, one of several, or taken back is not told.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from datetime import datetime
from functools import lru_cache

from toolgym.sandbox.kit.task import Goal
from toolgym.sandbox.kit.telling import Telling
from toolgym.sandbox.language.assertions import Place, are_bare_list, content_words, places, takes_back
from toolgym.sandbox.language.days import Days
from toolgym.sandbox.language.designators import counts_in_words, data_key, named_by, subject
from toolgym.sandbox.language.dialogue_acts import parse_act
from toolgym.sandbox.language.lexicon import Lexicon
from toolgym.sandbox.language.measures import is_of_another
from toolgym.sandbox.language.mentions import Mention, find_mentions
from toolgym.sandbox.language.reasons import gives_reason
from toolgym.sandbox.language.said import same_value
from toolgym.sandbox.language.terms import tells_term
from toolgym.sandbox.language.text_match import mentions
from toolgym.sandbox.language.tokens import plain_marks, singular, tokenize
from toolgym.sandbox.language.units import UNIT_SIGNS
from toolgym.sandbox.language.wanted import Wanted, fields, wanted_of

_DUMP = 6
"""Fields of a raw result that nobody takes for an answer; fewer may be one, written as data."""
_TEXT_OF_REFUSAL = re.compile(r"cannot\||can't\|")
_MONEY = re.compile(
    r"\b(?:cost|costs|price|prices|priced|charge|charged|pay|paid|bill|balance|spend|spent|refund|total|fee|worth|"
    r"certificate|dollars?|money|expensive|cheap|cheapest|dearest|sum|difference|afford|back)\b|\bhow much\b(?! data)"
)
_OWED = re.compile(
    r"\b(?:over(?:drawn|spent)?|minus|negative|short|owed?|owing|in the red|too much|beyond|exceed(?:s|ed)?|deficit|"
    r"below zero|under water)\b"
)
"""What says of an amount that it is missing: "you are $12 over"."""
_COUNT = re.compile(r"\bhow (?:many|much data)\b(?! dollars?\b)|\bnumber of\b")
_ANYTHING = frozenset("option variant version kind sort type model choice item piece unit result thing in".split())
"""What may be counted whatever was asked for."""
_HANDLED = re.compile(r"\b(?:was|were|been|i've|we've|i|we)\b")
"""What is said of things to which something was done."""
_ANSWERS = frozenset("answer result count number total sum score".split())
"""What a number may be said to be whatever was asked for."""
_COMES_TO = re.compile(r"(?:\bso|=|\bwhich (?:makes|leaves|gives))(?: you(?: get| have| pay)?)? \W*$")
"""Up to what amounts told before come to: "$984.98, less $1.00 commission, so $983.98"."""
_NAME_AND_NUMBER = ({"identifier", "number"}, {"identifier", "count"})
"""Kinds of mentions that are no two values of one thing."""
_MARKS = frozenset({"score"})
"""Among written data these are what a judge gives, `{"score": 1}`, and no answer."""


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
    messages = [plain_marks(without_dumps(text)).replace("**", "") for text in messages]
    if is_refusal(telling):
        return any(parse_act(text).refuses for text in messages)
    if telling.kind == "reason":
        return gives_reason(messages, telling, about)
    if telling.kind is None and any(is_refusal(Telling.of(each)) for each in rest):  # what is told beside it is why
        return gives_reason(messages, telling, about) or mentions(telling, "\n".join(messages))
    if telling.kind == "flag":
        return _tells_flag(messages, telling)
    wanted = wanted_of(*fields(telling), now)
    if wanted is None:
        return tells_term(messages, tuple(telling.wordings), about)
    others = [
        other for each in rest if each != telling and (other := wanted_of(*fields(Telling.of(each)), now)) is not None
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
        alike = _alike(text, wanted, others, now, about)
        right = [place for place in alike if _is_right(text, place, wanted, about, alike)]
        wrong = [place for place in alike if _is_wrong(place, wanted, others)]
        if right:
            told = not (takes_back(text) and _is_after(text, right[-1])) and not _conflict(text, right, wrong)
            said |= {place.about for place in right}
        elif any(place.about in said and place.about and place.mention.text not in seen for place in wrong):
            told = False
    return told


def _alike(text: str, wanted: Wanted, others: Sequence[Wanted], now: datetime, about: str) -> list[Place]:
    """What a text names that is of the kind of the wanted value, list numbers left out."""
    kinds = {kind for kind, _ in wanted.values}
    lexicon = _of_key(wanted.key) if wanted.key else None
    found = [mention for mention in find_mentions(text, lexicon, now) if mention.kind in kinds]
    value = dict(wanted.values).get("number")
    if value in (0, 1) and wanted.kind == "number":
        things = wanted.near or tuple(sorted(word for word in content_words(about.lower()) if len(word) > 3))
        found = sorted([*found, *counts_in_words(text, value, things)], key=lambda mention: mention.start)
    due = [mention for mention in found if any(_holds(mention, each) for each in (wanted, *others))]
    return places(text, [mention for mention in found if not _is_bullet(text, mention)], due)


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
    if is_of_another(text, mention, about, wanted.near) and not wanted.is_owed:
        return False
    if wanted.is_owed and mention.value > 0 and not _OWED.search(text.lower()):
        return False
    if wanted.kind == "identifier" and mention.kind == "number":  # "invoice number 11554"
        return named_by(text, mention) is not None and not mention.unit
    if mention.kind in ("number", "count"):
        return _counts(text, place, wanted, about.lower(), alike)
    return not wanted.near or mention.kind != "money" or _is_its_own(text, place, wanted.near, alike)


def _is_its_own(text: str, place: Place, near: Sequence[str], alike: Sequence[Place]) -> bool:
    """Whether no other amount of the message is the one that the words near it belong to."""
    if _COMES_TO.search(text[: place.mention.start].lower()):
        return True
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
    name = named_by(text, place.mention)
    if not unit and name is not None and not _is_asked_name(text, place.mention, name, wanted, about):
        return False
    if unit == "name":
        return _named_in(text, place.mention, about)
    if wanted.kind == "duration":
        return not unit
    asks_money = _MONEY.search(about) is not None and not _asks_count(about)
    if wanted.kind == "money" or (wanted.kind == "amount" and asks_money):
        counts = unit in _ANYTHING or _alike_word(unit, about)
        return not unit or (wanted.kind == "amount" and unit not in UNIT_SIGNS.values() and counts)
    if not unit:
        return _stands_for_it(text, place, wanted.near, about, alike)
    near = {UNIT_SIGNS.get(singular(word.lower()), singular(word.lower())) for word in wanted.near}
    if unit in UNIT_SIGNS.values():
        return unit in near or (unit == "gb" and "data" in about) or re.search(rf"\b{unit}s?\b", about) is not None
    is_asked = not about or unit in _ANYTHING or _alike_word(unit, about) or (unit == "line" and "file" in about)
    if near and unit not in near:  # what the wish is about, where nothing else is counted
        is_thing = len(unit) > 3 and unit in content_words(about)
        return is_thing and len(alike) == 1 and _HANDLED.search(place.sentence) is not None
    return unit in near or is_asked


def _is_asked_name(text: str, mention: Mention, name: str, wanted: Wanted, about: str) -> bool:
    """Whether what a number names is asked for: "line 4", but no "size 16" of how many there are."""
    if name and singular(name) in content_words(" ".join(wanted.near)):
        return True
    if wanted.kind == "duration" or (_asks_count(about) and not text[: mention.start].rstrip(" *#").endswith(":")):
        return False
    return bool(name) and singular(name) in content_words(about)


def _named_in(text: str, mention: Mention, about: str) -> bool:
    """Whether the name that begins with a number is what was asked for: "7 Standing Desks"."""
    found = re.match(r"(?: [A-Z][a-z]+)+", text[mention.end :])
    return found is not None and bool(content_words(found[0]) & content_words(about))


def _stands_for_it(text: str, place: Place, near: Sequence[str], about: str, alike: Sequence[Place]) -> bool:
    """Whether a number without a unit stands with its thing, or alone, and with no other."""
    if (key := data_key(text, place.mention)) is not None:
        asked = content_words(" ".join((*near, about)))
        return bool(content_words(key) & (asked | (_ANSWERS - _MARKS)))
    if not near or _names(place.about | place.label, near):
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
            if other.mention.unit and other.mention.unit == named_by(text, place.mention):
                continue  # "in one line: line 4"
            if {place.mention.kind, other.mention.kind} in _NAME_AND_NUMBER:
                continue  # "T-3628, 1 shirt"
            first, second = sorted((place.mention, other.mention), key=lambda mention: mention.start)
            if are_bare_list(tokens, first, second) and not _is_sum(text, first, second):
                return True
            if (
                other.asserted
                and (place.about, place.label) == (other.about, other.label)
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
