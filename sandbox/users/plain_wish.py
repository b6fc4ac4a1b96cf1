"""A wish whose facts are plain text, made ready to be compared with what agents say.

What would fulfil it, its rows and the user's own words explain what an agent names; what nothing explains is unwanted.
Only comparing uses that: the user never says what the task's facts do not hold.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from typing import Any

from toolgym.sandbox.kit.message import Json
from toolgym.sandbox.kit.task import Fact, Goal, Task
from toolgym.sandbox.language.inflection import forms, past_forms
from toolgym.sandbox.language.iso_dates import iso_days
from toolgym.sandbox.language.mentions import Mention, find_mentions
from toolgym.sandbox.language.prefilter import Prefiltered
from toolgym.sandbox.language.verb_lists import SETTLING
from toolgym.sandbox.runtime.registry import get_domain
from toolgym.sandbox.synthesis.value_words import fact_in_words
from toolgym.sandbox.synthesis.world_words import words_of
from toolgym.sandbox.users.costs import costs_of
from toolgym.sandbox.users.goal_words import EACH, RHYTHM, said_quantifiers
from toolgym.sandbox.users.held_things import NothingHeld
from toolgym.sandbox.users.once_a_wish import once_a_wish
from toolgym.sandbox.users.outcome import seen_by
from toolgym.sandbox.users.records import leaves
from toolgym.sandbox.users.world_terms import terms_of

_WORD = re.compile(r"[a-z]+")
_FOUR = re.compile(r"\d{4}")
_PAYING = frozenset(form for verb in (*SETTLING, "pay") for form in forms(verb))
"""Where things are bought, paying belongs to every action."""
_DAY = re.compile(r"\d{4}-\d\d-\d\d")
_ME = re.compile(r"(?:me|just me|only me)\b")
_PHONE = re.compile(r"\d{3}-\d{3}-\d{4}")
_MORE = Prefiltered(r"\b(?:more|extra|additional|another)\b")
BACKGROUND = frozenset("reason complaint location matter question condition".split())
"""Facts that say why, and need not be named."""


class PlainWish:
    """One wish of a task without typed facts.

    Args:
        task: whose user.
        goal: the wish.

    Attributes:
        kind, goal, world, terms, now: of the wish and its world.
        choices: the value of each choice that the right call makes, with all values.
        texts: what explains a name or a key: the texts of its rows, what the right call is given, and the user's words.
        columns: where such texts stand; a name of another column says nothing about the wish.
        days: days that belong to it.
        counts: how many of what, by what is counted.
        figures: all numbers of the right calls.
        phones: phone numbers say something about it.
        names_people, known: as typed wishes have them.
        counted: what the right call lists.
        persons: the fact that names people.
        dated: days say something about it.
        is_for_a_day: its right calls are given a day.
        pay: finds ways to pay.
        phrasing, asked_for, own_words, quantifiers, is_many, singles, repeats, rhythms: as typed wishes have them.
        strangers: as typed wishes have them.
        own_states, has_reason, settles, costs, held: as typed wishes have them.
    """

    def __init__(self, task: Task, goal: Goal) -> None:
        domain = get_domain(task.domain)
        self._task = task
        self.kind, self.goal, self._vocabulary = goal.kind, goal, domain.vocabulary
        self.world, self.terms = words_of(task.domain), terms_of(task.domain, task.data)
        self.now = task.now or domain.now
        given = [call.arguments for call in goal.calls if isinstance(call.arguments, dict)]
        named = [leaf for values in given for leaf in leaves(values)]
        told = [fact_in_words(fact.value) for fact in (*goal.facts, *task.facts)]
        words = " . ".join((goal.utterance, *told))
        heard = find_mentions(words, self.terms.lexicon, self.now)
        keys = {*named, *(leaf for fact in goal.facts for leaf in leaves(fact.value))}
        around = self.terms.around(keys | {str(each.value) for each in heard if each.kind == "identifier"})
        self.texts = frozenset(text.casefold() for text in {*around, *(str(each.value) for each in heard)})
        known = find_mentions(" . ".join(sorted(around)), self.terms.lexicon, self.now)
        self.columns = frozenset(column for each in (*heard, *known) for column in each.columns)
        self.days = frozenset(
            {
                *iso_days(each[:10] for each in around),
                *(each.value.first for each in heard if each.kind == "date"),
                self.now.date(),
            }
        )
        self.is_for_a_day = any(_DAY.search(leaf) for leaf in named)
        self.dated = self.is_for_a_day or any(each.kind == "date" for each in heard)
        self.figures = {int(leaf) for leaf in named if leaf.isdigit() and len(leaf) < 7}
        self.counts = dict(self._counts(goal, given))
        self.phones = any(_PHONE.fullmatch(text) for text in self.texts)
        self.counted = frozenset(
            name.removesuffix("s") for values in given for name, value in values.items() if isinstance(value, list)
        )
        self.persons = next((fact for fact in goal.facts if self._is_of_persons(fact)), None)
        self.choices = dict(_choices(task, goal, given))
        self.phrasing = self.asked_for = words.casefold()
        self.names_people, self.known = True, " ".join((*self.texts, self.phrasing))
        self.is_many = any(isinstance(fact.value, list) and len(fact.value) > 1 for fact in goal.facts)
        self.quantifiers = said_quantifiers(words) | (EACH if self.is_many else frozenset())
        self.singles = frozenset(goal.kind.split("_"))
        self.repeats = RHYTHM.search(self.phrasing) is not None
        self.rhythms = frozenset[str]()
        self.pay = next((re.compile(each) for each in domain.vocabulary.choices.values()), None)
        self.own_words = frozenset(_WORD.findall(self.phrasing)) | (_PAYING if self.pay else frozenset())
        tool = domain.tools.get(goal.kind)
        self.costs = costs_of(tool.description if tool is not None else "", self.now)
        self.has_reason = any(fact.name == "reason" for fact in goal.facts)
        self.held = NothingHeld()
        self.settles = any("payment" in fact.name for fact in goal.facts)
        self.own_states = past_forms(self.world.verbs(goal.kind))
        self.strangers = self._strangers(tool)

    def _counts(self, goal: Goal, given: list[dict[str, Any]]) -> Iterator[tuple[str, set[int]]]:
        found: dict[str, set[int]] = {}
        for fact in goal.facts:
            text = fact_in_words(fact.value)
            for mention in find_mentions(text, self.terms.lexicon, self.now):
                if mention.kind == "count":
                    found.setdefault(mention.unit, set()).add(int(mention.value))
            if text.startswith("no "):
                found.setdefault(text.split(" ")[-1].removesuffix("s"), set()).add(0)
        for values in given:
            for name, value in values.items():
                if isinstance(value, list):
                    found.setdefault(name.removesuffix("s"), set()).add(len(value))
        yield from found.items()

    def _is_of_persons(self, fact: Fact) -> bool:
        text = fact_in_words(fact.value)
        named = find_mentions(text, self.terms.lexicon, self.now)
        firsts = any(column.endswith("first_name") for each in named for column in each.columns)
        return _ME.match(text) is not None or (firsts and not _is_row(fact))

    def _strangers(self, tool: Any) -> list[str]:
        """What other sorts of things are called that nothing of the wish speaks of."""
        if tool is None:
            return []
        own = {table.__name__ for table in (*tool.references.values(), *tool.shows)}
        spoken = f"{self.phrasing} {tool.name.replace('_', ' ')} {' '.join(tool.kinds).replace('_', ' ')}"
        spoken += " " + tool.description.lower()
        held = " ".join(sorted(column.casefold() for column in self.columns)).replace("_", " ")
        return [
            noun
            for table, noun in self.world.nouns.items()
            if table not in own and not any(part in spoken or part in held for part in (noun, noun.split(" ")[-1]))
        ]

    def explains(self, mention: Mention) -> bool:
        """Whether the wish, its rows or its right call hold what is mentioned."""
        value = str(mention.value).casefold()
        if value in self.own_states:
            return True
        if mention.kind == "date":
            return mention.value.first in self.days
        if _FOUR.fullmatch(mention.text) and any(text.endswith(mention.text) for text in self.texts):
            return True
        return value in self.texts or mention.text.casefold() in self.texts

    @cached_property
    def seen(self) -> frozenset[tuple[str, Any]]:
        """What an agent sees that looks up all that the wish needs."""
        return seen_by(self._task, self.goal)

    def may_be(self, text: str) -> bool:
        """Whether a proposal can be about such a wish, by what the world's vocabulary asks of it."""
        words = self.kind.split("_")
        if any(
            re.search(pattern, text, re.DOTALL) for word, pattern in self._vocabulary.strangers.items() if word in words
        ):
            return False
        objects = self._vocabulary.objects.items()
        return all(re.search(pattern, text, re.DOTALL) for word, pattern in objects if word in words)

    def fact_like(self, mention: Mention) -> Fact | None:
        """The fact that holds something of the same sort, such as another day or another row's key."""
        for fact in self.goal.facts:
            text = " . ".join(leaves(fact.value))
            for held in find_mentions(text, self.terms.lexicon, self.now):
                same = held.kind == mention.kind and held.unit == mention.unit
                if same and (not mention.columns or set(held.columns) & set(mention.columns)):
                    return fact
        return None

    def is_spoken_of(self, text: str, named: list[Mention]) -> bool:
        """Whether a text names what the wish does something to, such as "roaming", or a row of that sort."""
        things = self.kind.split("_")[1:]
        tables = {self.world.nouns.get(column.split(".")[0], "") for each in named for column in each.columns}
        if any(each.kind == "phone" for each in named) and "line" in things:
            return True
        return not things or any(thing.removesuffix("s") in text or thing in tables for thing in things)

    called = frozenset(("money", "balance"))
    several: tuple[list[str], ...] = ()
    met = ""

    def has_slot(self, name: str) -> bool:
        """Whether a fact is called so."""
        return any(fact.name.replace("_", " ") == name for fact in self.goal.facts)

    def needed(self) -> list[Fact]:
        """The facts that a proposal has to name."""
        return [fact for fact in self.goal.facts if fact.name not in BACKGROUND]


def with_every_action(goal: Goal) -> Goal:
    """A wish whose kind names all the tools that it takes."""
    names = dict.fromkeys(call.name for call in goal.calls)
    several = len(names) > 1 and goal.kind in names
    return goal.model_copy(update={"kind": "+".join(names)}) if several else goal


@once_a_wish
def plain_wish_of(task: Task, goal: Goal) -> PlainWish:
    """The wish of a task, with all that it takes, made ready once for all the episodes that play it."""
    return PlainWish(task, with_every_action(goal))


def _is_row(fact: Fact) -> bool:
    return fact.name.endswith("_id") or isinstance(fact.value, dict | list) or fact.name in BACKGROUND


def is_more(fact: Fact) -> bool:
    """Whether a number is of what is added."""
    return _MORE.search(str(fact.value)) is not None


def _choices(
    task: Task, goal: Goal, given: Sequence[Mapping[str, Json]]
) -> Iterator[tuple[str, tuple[str, list[str]]]]:
    """What the right call chooses, or else a fact of the same name; with all that could be chosen."""
    tool = get_domain(task.domain).tools.get(goal.kind)
    if tool is None:
        return
    facts = {fact.name: fact.value for fact in goal.facts}
    properties: Any = tool.parameters.get("properties", {})
    for name, kind in tool.kinds.items():
        wire = tool.inputs[name]
        values = [str(value) for value in properties.get(wire, {}).get("enum", ())]
        chosen = next((str(call[wire]) for call in given if wire in call), str(facts.get(wire, "")))
        if kind == "choice" and chosen in values:
            yield wire, (chosen, values)
