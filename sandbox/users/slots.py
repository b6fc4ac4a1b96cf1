"""A slot of a wish as one user knows it: what it is, how it is said, asked for, and recognised among typed mentions."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, datetime, time
from functools import cache, cached_property
from typing import Any

from toolgym.sandbox.kit.goal import Goal
from toolgym.sandbox.kit.table import noun
from toolgym.sandbox.kit.task import Fact
from toolgym.sandbox.kit.vocabulary import Topic
from toolgym.sandbox.language.days import month_span, one_day
from toolgym.sandbox.language.durations import UNITS, unit_minutes
from toolgym.sandbox.language.iso_dates import iso_day
from toolgym.sandbox.language.mentions import Mention, find_mentions
from toolgym.sandbox.language.roles import Role
from toolgym.sandbox.language.said import same_value
from toolgym.sandbox.language.tokens import singular
from toolgym.sandbox.language.units import same_unit
from toolgym.sandbox.users.asking_words import ASKED_AS, RECEIVERS, WHY
from toolgym.sandbox.users.lexicon import CHOICE, PersonLexicon

_ROLE_WORDS: dict[str, Role] = {
    "from": "from", "of": "from", "off": "from", "source": "from", "origin": "from", "sender": "from",
    "start": "from", "starts": "from", "first": "from", "begin": "from", "debit": "from",
    "to": "to", "into": "to", "onto": "to", "on": "to", "target": "to", "destination": "to", "recipient": "to",
    "end": "to", "ends": "to", "last": "to", "credit": "to", "beneficiary": "to", "until": "to", "receiving": "to",
}  # fmt: skip
"""Words for the two sides of a pair, in sentences, parameters' names and labels."""
_ASKS: dict[str, str] = {
    "money": r"how (?:much|high|low|big|large)|amount|\bsum\b|\blevels?\b|\bceiling\b|\bcap\b|\bthreshold\b|"
    r"what (?:should|ought|must|shall|does|would) (?:it|that|the [a-z]+) (?:to |really )?(?:say|read|be)\b",
    "date": r"\bwhen\b|(?:which|what|exact|preferred|right|correct|new|final|last|first) (?:day|date)|\bdates?\b",
    "time": r"\bwhen\b|what time|which time|\btimes?\b",
    "moment": r"\bwhen\b|(?:which|what) (?:day|date|time)|\bdates?\b|\btimes?\b",
    "duration": r"how long|\bduration\b|\blength\b",
    "number": r"how many|\b(?:the|a|what|which|and|for) number of (?!the |your |that |this )|^number of\b|\bcount\b",
}
_SILENT = frozenset("at of in by id ids is for the and a cents minutes".split())
"""Words of parameters' names by which nobody asks."""
_PIECES = frozenset("time times piece pieces unit units item items of x pc pcs".split())
"""Words that count anything: "5 times" may be five network cables."""
_ALSO = {"suitcase": "bag", "gigabit": "gb"}
"""Other words for what is counted."""
_HOW_OFTEN = ("every", "interval", "frequency")
_MONTH = re.compile(r"\d{4}-\d\d")
_WITH_CENTS = re.compile(r"\d[.,]\d\d$")
_TAIL = re.compile(r"\d{4}")
UNASKED = frozenset(("free", "secret"))
"""Kinds that no proposal must name."""


@dataclass
class WishSlot:
    """One slot.

    Attributes:
        fact: what the user knows.
        table: of the rows that it refers to; empty for other kinds.
        roles: the side of a pair that it is, by the words around it in the wish's sentences.
        asked: what asks for it.
        sentences: the world's own sentences that tell it.
        twins: another slot is of the same sort, so that only its side tells it apart.
        is_fixed: the action itself says it, such as the state of a card that is to be blocked.
        called: what the task calls the fact.
    """

    fact: Fact
    table: str
    roles: frozenset[Role]
    asked: re.Pattern[str]
    sentences: tuple[str, ...] = ()
    twins: bool = False
    is_fixed: bool = False
    called: str = ""

    @cached_property
    def kind(self) -> str:
        """What sort of value it holds."""
        return self.fact.kind or "text"

    @cached_property
    def words(self) -> str:
        """How the user says it."""
        return self.fact.words or str(self.fact.value)

    @cached_property
    def keys(self) -> tuple[str, ...]:
        """The keys that it refers to."""
        value = self.fact.value
        return tuple(map(str, value)) if isinstance(value, list) else (str(value),)

    @cached_property
    def says_key(self) -> bool:
        """Whether the user's words hold one of the keys."""
        return any(key.casefold() in self.words.casefold() for key in self.keys)

    def clashes(self, role: Role | None) -> bool:
        """Whether a role puts something on the other side of the pair."""
        return role in ("from", "to") and bool(self.roles) and role not in self.roles

    def is_wholly_named(self, partial: Sequence[frozenset[str]]) -> bool:
        """Whether what was said so far singles out its row, or each of its rows.

        Args:
            partial: the rows that each of the mentions in it can stand for.
        """
        if isinstance(self.fact.value, list):
            return bool(partial) and frozenset.union(*partial) >= set(self.keys)
        return bool(partial) and frozenset.intersection(*partial) <= set(self.keys)

    def fits(self, mention: Mention, person: PersonLexicon) -> bool:
        """Whether a mention is this slot's value, or names its row at least in part."""
        if self.kind == "reference":
            return bool(self.rows(mention, person) & set(self.keys))
        said = (mention.value, *mention.also)
        return any(self._is(mention, value) for value in said)

    def _is(self, mention: Mention, value: Any) -> bool:
        fact, kind = self.fact.value, self.kind
        if kind == "money":
            cents = value if mention.kind == "money" else round(value * 100) if mention.kind == "number" else None
            return (
                cents is not None
                and not (mention.kind == "number" and mention.unit)
                and abs(cents) == abs(int(str(fact)))
            )
        if kind in ("number", "duration"):
            alike = mention.kind in (("number", "count") if kind == "number" else ("duration",))
            said = abs(value) if mention.unit == "%" else value  # "minus 10 percent"
            return alike and self.may_count(mention) and same_value(kind, said, fact)
        if kind in ("record", "text") and mention.kind == "date" and _MONTH.fullmatch(str(fact)):
            return bool(value == month_span(int(str(fact)[5:]), int(str(fact)[:4]), date.today()))
        if kind == "date":
            return mention.kind == "date" and same_value("date", value, date.fromisoformat(str(fact)))
        if kind == "time":
            return mention.kind == "time" and bool(value == time.fromisoformat(str(fact)))
        if kind == "moment":
            moment = datetime.fromisoformat(str(fact))
            return (mention.kind == "time" and value == moment.time()) or (
                mention.kind == "date" and value == one_day(moment.date())
            )
        return False

    def may_count(self, mention: Mention) -> bool:
        """Whether a number may be of what this slot counts; "2 passengers" are no "3 checked bags"."""
        counted = set(re.findall(r"[a-z]+", self.words.lower())) if self.kind == "number" else set()
        counted -= _PIECES
        unit = same_unit(_ALSO.get(mention.unit, mention.unit))
        return mention.kind != "count" or not counted or unit in {same_unit(singular(word)) for word in counted}

    def rows(self, mention: Mention, person: PersonLexicon) -> frozenset[str]:
        """The keys of this slot's table that a mention can stand for."""
        found: set[str] = set()
        for column in mention.columns:
            if column == self.table and mention.kind == "identifier":
                found.add(str(mention.value))
            elif mention.kind == "term" and str(mention.value) in self.keys:
                found.add(str(mention.value))  # a key that another row holds as well, such as an event's subject
            elif column.startswith(f"{self.table}."):
                rows = person.named(column, str(mention.value))
                if column.endswith(".name") and rows == set(self.keys):
                    return frozenset(rows)  # the folder "offers" itself, and not what lies in it
                found |= rows
        is_tail = mention.kind == "count" and _TAIL.match(mention.text) is not None
        is_tail = is_tail or (mention.kind == "count" and str(mention.value) in self.words.split())  # "for 105 shares"
        if not found and (is_tail or mention.kind in ("money", "date", "number", "identifier")):
            for key in self.keys:
                row = person.rows.get((self.table, key), {})
                for column in person.spoken.get(self.table, ()):
                    if holds(mention, column, row.get(column)):
                        found |= self._alike(mention, column, person)
        if person.is_shared and _TAIL.fullmatch(mention.text) and found & set(self.keys):
            return frozenset(found & set(self.keys))  # others' rows end like that as well, but nobody speaks of them
        return frozenset(found)

    def _alike(self, mention: Mention, column: str, person: PersonLexicon) -> frozenset[str]:
        known = (self.table, column, mention.kind, str(mention.value))
        if known not in person.alike:
            rows = person.of_table(self.table).items()
            person.alike[known] = frozenset(key for key, row in rows if holds(mention, column, row.get(column)))
        return person.alike[known]

    def is_chosen(self, mention: Mention, person: PersonLexicon) -> bool | None:
        """Whether a word for this choice is the right one; None when it is none for it."""
        if self.kind == "choice" and mention.kind == "duration":
            return self._lasts(mention, person)
        if self.kind != "choice" or f"{CHOICE}{self.fact.name}" not in mention.columns:
            return None
        return person.choices.get((self.fact.name, str(mention.value).casefold())) == str(self.fact.value)

    def _lasts(self, mention: Mention, person: PersonLexicon) -> bool | None:
        """The same for how long something takes: "ninety days" for "90 days"; None where no choice takes so long."""
        lengths = [
            (value, _length(word, self.fact.name))
            for (slot, word), value in person.choices.items()
            if slot == self.fact.name
        ]
        lengths.append((str(self.fact.value), _length(self.words, self.fact.name)))
        chosen = {value for value, minutes in lengths if minutes == mention.value}
        return str(self.fact.value) in chosen if chosen else None


@cache
def _length(words: str, name: str) -> float | None:
    """How many minutes the words of a choice are, or its figure in the unit that it is called by: "7" of "days"."""
    found = find_mentions(words, None, datetime.min)
    if len(found) == 1 and found[0].kind == "number" and name in UNITS:
        return float(found[0].value) * unit_minutes(UNITS[name])
    return next((float(each.value) for each in found if each.kind == "duration"), None)


def holds(mention: Mention, column: str, value: Any) -> bool:
    """Whether a column's value is what a mention says."""
    if column.endswith("_cents") and mention.kind in ("money", "number"):
        return isinstance(value, int) and not isinstance(value, bool) and abs(value) == cents_of(mention)
    if mention.kind == "date":
        day = value.date() if isinstance(value, datetime) else value
        return isinstance(day, date) and bool(mention.value == one_day(day))
    if mention.kind == "time":
        return isinstance(value, datetime) and bool(mention.value == value.time())
    if mention.kind in ("term", "identifier", "number", "count"):
        said, text = str(mention.value).casefold(), str(value).casefold()
        return isinstance(value, str | int) and (said == text or (len(said) == 4 and text.endswith(said)))
    return False


def cents_of(mention: Mention) -> int | None:
    """The amount that a mention tells, in cents, also without its currency: "43.33", "704"."""
    if mention.kind == "money":
        return abs(int(mention.value))
    return round(abs(mention.value) * 100) if mention.kind == "number" and not mention.unit else None


def is_amount(mention: Mention) -> bool:
    """Whether figures are an amount for sure: with a currency, or with cents."""
    return mention.kind == "money" or (
        mention.kind == "number" and not mention.unit and _WITH_CENTS.search(mention.text) is not None
    )


def is_alike(slot: WishSlot, mention: Mention) -> bool:
    """Whether a mention is of the sort that a slot holds: a row of its table, an amount, a day."""
    if mention.columns:
        return any(column.split(".")[0] == slot.table for column in mention.columns)
    kinds: dict[str, tuple[str, ...]] = {
        "money": ("money",), "date": ("date", "moment"), "time": ("time", "moment"), "duration": ("duration",),
        "count": ("number",), "number": ("number",),
    }  # fmt: skip
    if slot.kind == "money" and is_amount(mention):
        return True
    return slot.kind in kinds.get(mention.kind, ()) and slot.may_count(mention)


@cache
def root(word: str) -> str:
    """A word without its ending: "shipp" of "shipped"."""
    one = singular(word)
    stem = next((one.removesuffix(end) for end in ("ing", "ed", "es", "ly", "e") if one.endswith(end)), one)
    return stem[:-1] if len(stem) > 3 and stem[-1] == stem[-2] else stem


def is_moment(value: Any) -> bool:
    """Whether a column's value is a day or a moment."""
    return isinstance(value, date)


def is_day(mention: Mention, text: str) -> bool:
    """Whether a mention is the day that a text writes as YYYY-MM-DD."""
    day = iso_day(text) if mention.kind == "date" else None
    return day is not None and bool(same_value("date", mention.value, day))


def slot_of(fact: Fact, goal: Goal | None, called: str = "", topics: Sequence[Topic] = ()) -> WishSlot:
    """A fact as a slot of a declared goal, or of a wish that none declares.

    Args:
        fact: with its kind.
        goal: the declared goal.
        called: what the task calls the fact, where that is another name than the goal's.
        topics: what asks for it and tells it in a world that has words of its own.
    """
    table = goal.tables.get(fact.name) if goal is not None else None
    is_described = fact.kind == "reference" and fact.words.startswith(("the ", "my ", "one "))
    says = () if is_described else next((topic.says for topic in topics if topic.says), ())
    return WishSlot(
        fact=fact,
        table=table.__name__ if table is not None and fact.kind == "reference" else "",
        roles=_roles(fact.name, goal) if goal is not None else frozenset(),
        asked=_asked(fact.name, fact.kind, goal),
        sentences=tuple(says or (goal.slot(fact.name).says if goal is not None else ())),
        is_fixed=goal is not None and fact.name in (goal.fixed or {}),
        called=called or fact.name,
    )


def role_in(words: str) -> Role | None:
    """The side of a pair that a label names, such as "source account"."""
    return next((_ROLE_WORDS[word] for word in re.findall(r"[a-z]+", words) if word in _ROLE_WORDS), None)


def sides_of(name: str) -> frozenset[Role]:
    """The sides of a pair that a slot's name tells: "to" of "target"."""
    return frozenset(_ROLE_WORDS[part] for part in name.split("_") if part in _ROLE_WORDS and part not in ("on", "of"))


@cache
def _roles(name: str, goal: Goal) -> frozenset[Role]:
    if named := sides_of(name):
        return named
    before = re.compile(rf"(\w+)(?: (?:the|my|a|an))? \{{{name}[}}:]")
    found = {_ROLE_WORDS.get(match.group(1).lower()) for says in goal.says for match in before.finditer(says)}
    return frozenset(role for role in found if role is not None)


@cache
def _asked(name: str, kind: str | None, goal: Goal | None) -> re.Pattern[str]:
    patterns = [_ASKS[kind]] if kind in _ASKS else []
    parts = [part for part in name.split("_") if part not in _SILENT and part != "on"]
    patterns += [rf"\b{re.escape(part)}s?\b" for part in parts]
    patterns += [ASKED_AS[part] for part in name.split("_") if part in ASKED_AS]
    if "reason" in parts:
        patterns.append(WHY)
    if any(part in _HOW_OFTEN for part in parts):
        patterns.append(r"how often")
    if any(part in ("recipient", "guest", "to") or part.endswith("ee") for part in parts):
        patterns.append(RECEIVERS)
    table = goal.tables.get(name) if goal is not None else None
    if table is not None:
        patterns += [rf"\b{re.escape(noun(table))}s?\b", rf"\b{re.escape(noun(table).rsplit(' ', 1)[-1])}s?\b"]
    for words in (goal.slot(name).words or {}).values() if goal is not None else ():
        patterns += [rf"\b{re.escape(word.lower())}\b" for word in words.split("|") if word]
    return re.compile("|".join(patterns))
