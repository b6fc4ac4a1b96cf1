"""A wish of a declared world, made ready to be compared with what agents say: slots, words, what explains a mention."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from datetime import datetime
from functools import cached_property
from typing import Any

from toolgym.sandbox.kit.message import Json
from toolgym.sandbox.kit.task import Goal as TaskGoal
from toolgym.sandbox.kit.task import Task
from toolgym.sandbox.language.inflection import past_forms
from toolgym.sandbox.language.mentions import Mention
from toolgym.sandbox.runtime.registry import get_domain
from toolgym.sandbox.synthesis.world_words import WorldWords, words_of
from toolgym.sandbox.users.costs import costs_of, of_pieces
from toolgym.sandbox.users.explanations import Explanations
from toolgym.sandbox.users.goal_words import EACH, said_of, said_quantifiers
from toolgym.sandbox.users.held_things import HeldThings
from toolgym.sandbox.users.lexicon import PersonLexicon, lexicon_of
from toolgym.sandbox.users.outcome import Outcome, is_said, outcome_of, seen_by
from toolgym.sandbox.users.records import leaves
from toolgym.sandbox.users.said_again import without_lead_in
from toolgym.sandbox.users.slots import UNASKED, WishSlot, slot_of
from toolgym.sandbox.users.topics import Topics, topics_of

_HEAD = re.compile(r"^(?:the|my|an?|our) ([a-z]+)\b")
_WHOLE = re.compile(r"\b(?:everything|whole|entire|completely|entirely|fully|in full|complete(?= |,|\.)(?! the))\b")
_WORD = re.compile(r"[a-z]+")
_PROPER = re.compile(r"[A-ZÀ-Þ][a-zà-ÿ]+ [A-ZÀ-Þ][a-zà-ÿ]+")
_BOTH_WAYS = re.compile(r"\b(?:round trip|and back|way back)\b")
_RETURNS = frozenset("return returns returning".split())
"""What is said of the way back."""


class Wish:
    """One wish of a task in a declared world.

    Args:
        task: whose user.
        goal: the wish, with the kinds of its facts.
        own: what the task calls the facts, by the names that the goal's slots have for them.

    Attributes:
        task: whose user.
        domain, kind: the names of its world and its goal.
        goal: the wish as the task has it.
        declared: the goal that it was drawn from; None for a wish of no declared kind.
        world, person: the words of the world and of this person.
        now: when the conversation takes place.
        topics: what can be asked for in a world with words of its own; None where the goal says it.
        slots: what the user knows about it.
        needed: those that a proposal must name.
        quantifiers: words such as "all" that are right for it.
        singles: what it is about exactly one of.
        phrasing: how it is put, in lower case.
        costs: the amounts, in cents, that its action is said to cost, once and for each of a few pieces.
        asked_for: the same without what others with such a wish say: its words and those of its facts.
        names_people: a name of several words says which row is meant.
        own_states: what is said of its thing once it is done.
    """

    def __init__(self, task: Task, goal: TaskGoal, own: Mapping[str, str] | None = None) -> None:
        domain = get_domain(task.domain)
        self.task, self.domain = task, task.domain
        self.kind, self.goal = goal.kind, goal
        self.declared = next((each for each in domain.goals if each.name == goal.kind), None)
        self.world: WorldWords = words_of(task.domain)
        self.person: PersonLexicon = lexicon_of(task)
        self.now: datetime = task.now or domain.now
        self.topics: Topics | None = None
        self.slots = self._slots(own)
        self.needed = [slot for slot in self.slots if slot.kind not in UNASKED and self._is_argument(slot)]
        for slot in self.slots:
            alike = [other for other in self.slots if (other.kind, other.table) == (slot.kind, slot.table)]
            slot.twins = len(alike) > 1 and slot.kind not in ("text", "choice", "flag", "record")
            slot.roles = slot.roles if slot.twins else frozenset()
        lists = any(len(leaves(slot.fact.value)) > 1 and isinstance(slot.fact.value, list) for slot in self.slots)
        self.quantifiers = said_quantifiers(without_lead_in(goal.utterance)) | (EACH if lists else frozenset())
        utterance = without_lead_in(goal.utterance).lower()  # the "all" of "That's not all: ..." is of no wish
        said = said_of(self.declared)
        self.phrasing = f"{utterance} {said.phrasing}".strip()
        self.asked_for = " ".join((without_lead_in(goal.utterance), *(slot.words for slot in self.slots))).lower()
        self.own_states = past_forms(self.world.verbs(goal.kind))
        self.names_people = any(_PROPER.search(slot.words) for slot in self.slots)
        costs = costs_of(self.declared.tool.description if self.declared else "", self.now)
        self.costs = costs | of_pieces(costs, [slot.fact.value for slot in self.slots if slot.kind == "number"])
        one = [slot for slot in self.slots if slot.table and not isinstance(slot.fact.value, list)]
        self.singles = frozenset(self.world.nouns[slot.table].rsplit(" ", 1)[-1] for slot in one)
        if _WHOLE.search(goal.utterance.lower()):
            self.quantifiers |= {*EACH, "whole", "entire", "everything"}

    @cached_property
    def known(self) -> str:
        """All that is known of it, in lower case."""
        told = [str(value) for fact in self.task.facts for value in (fact.value, fact.words)]
        rows = [str(value) for slot in self.slots for value in self.row(slot).values()]
        rows += [
            str(value) for place, row in self.person.rows.items() if place[1] in self.own_keys for value in row.values()
        ]
        held = sorted(self.held.texts)
        known = " ".join((self.phrasing, *(slot.words for slot in self.slots), *rows, *told, *held)).casefold()
        words = set(_WORD.findall(known))
        called = (pattern for word, pattern in self.world.also_called.items() if word in words)
        return " ".join((known, *(each for pattern in called for each in pattern.split("|"))))

    @cached_property
    def own_words(self) -> frozenset[str]:
        """The words with which such a wish is put, and of what else is done for it; they name no other action."""
        utterance, said = self.goal.utterance.lower(), said_of(self.declared)
        told_later = " ".join(slot.words for slot in self.slots if slot.kind in ("choice", "text")).lower()
        words = frozenset(_WORD.findall(f"{utterance} {told_later}")) | said.words
        words |= _RETURNS if _BOTH_WAYS.search(utterance) else frozenset()
        return self.further_verbs.union(words, *(self.world.verbs_of_tool(call.name) for call in self.goal.calls))

    @cached_property
    def secrets(self) -> frozenset[str]:
        """What unlocks things: PINs and codes."""
        return frozenset(str(each.value) for each in (*self.goal.facts, *self.task.facts) if each.kind == "secret")

    @cached_property
    def outcome(self) -> Outcome:
        """What its right calls come to; worked out where something is said that nothing else explains."""
        return outcome_of(self.task, self.goal)

    @cached_property
    def seen(self) -> frozenset[tuple[str, Any]]:
        """What an agent sees that looks up all that the wish needs."""
        return seen_by(self.task, self.goal)

    def shows(self, mention: Mention) -> bool:
        """Whether an agent that looks up what the wish needs sees the value of a mention."""
        return any(is_said(mention, column, value) for column, value in self.seen)

    def is_given(self, mention: Mention) -> bool:
        """Whether a mention is an argument of its right calls."""
        return str(mention.value) in self.own_keys

    @property
    def owner(self) -> str:
        """The user's key."""
        return str(self.task.owner)

    @cached_property
    def own_keys(self) -> frozenset[str]:
        """The user's key and the plain values that the right calls are given."""
        return self.given | {self.owner}

    @cached_property
    def arguments(self) -> Sequence[tuple[str, Json]]:
        """The names and values that the right calls are given."""
        given = [call.arguments for call in self.goal.calls if isinstance(call.arguments, dict)]
        return [(name, value) for values in given for name, value in values.items()]

    @cached_property
    def given(self) -> frozenset[str]:
        """The plain values among them."""
        return frozenset(leaf for _, value in self.arguments for leaf in leaves(value))

    def _slots(self, own: Mapping[str, str] | None) -> list[WishSlot]:
        typed = [fact for fact in self.goal.facts if fact.kind is not None]
        if own is None:
            return [slot_of(fact, self.declared) for fact in typed]
        self.topics = topics_of(self.task.domain)
        called = {fact.name: own.get(fact.name, fact.name) for fact in typed}
        told = self.topics.of_fact
        return [slot_of(fact, self.declared, called[fact.name], told.get(called[fact.name], ())) for fact in typed]

    def _is_argument(self, slot: WishSlot) -> bool:
        """Whether a slot is one of the action's own and not decided by it."""
        declared = self.declared
        if slot.is_fixed or "reason" in slot.fact.name:
            return False
        if declared is None:
            return self.goal.outcome == "done"
        return (
            slot.fact.name.removesuffix("_id") in declared.tool.kinds
            or slot.fact.name in declared.tool.kinds
            or any(each.name == slot.fact.name for each in declared.slots)
        )

    @cached_property
    def further_verbs(self) -> frozenset[str]:
        """Verbs of the other calls that the wish asks for, such as sending a certificate for what is cancelled."""
        own = {self.declared.tool.name} if self.declared else set()
        tools = frozenset(call.name for call in self.goal.calls) - own
        return self.world.verbs_of(tools) if self.declared and tools else frozenset()

    @cached_property
    def done_otherwise(self) -> frozenset[str]:
        """Past forms of what is done otherwise than by its calls."""
        called = frozenset(word for call in self.goal.calls for word in call.name.split("_"))
        return self.world.done_otherwise(self.kind) - past_forms(self.further_verbs | called)

    def row(self, slot: WishSlot) -> dict[str, Any]:
        """The columns of the rows that a slot refers to; nothing for a slot of another kind."""
        found: dict[str, Any] = {}
        for key in slot.keys if slot.table else ():
            found |= self.person.rows.get((slot.table, key), {})
        return found

    def explains(self, mention: Mention) -> bool:
        """Whether a mention is something that the wish's own rows or calls hold, or that the user said."""
        return self._explanations.explains(mention)

    @cached_property
    def _explanations(self) -> Explanations:
        return Explanations(self, self.owner)

    @cached_property
    def called(self) -> frozenset[str]:
        """What the user calls its things, such as "mail"."""
        said = " ".join(slot.words for slot in self.slots if slot.table)
        return frozenset(_HEAD.findall(said)) | {"money", "balance"}

    @cached_property
    def receivers(self) -> frozenset[str]:
        """The addresses that the right calls send something to."""
        return frozenset(key for key in self.own_keys if "@" in key and key != self.owner)

    @cached_property
    def met(self) -> str:
        """What the rows show that the right calls name in any way, such as a manager's name, in lower case."""
        rows = self.person.rows.values()
        named = (
            row for row in rows if any(isinstance(value, str) and value in self.own_keys for value in row.values())
        )
        return " . ".join(str(value) for row in named for value in row.values() if isinstance(value, str)).casefold()

    @cached_property
    def held(self) -> HeldThings:
        """What its rows hold."""
        return HeldThings(self)

    def may_be(self, text: str) -> bool:
        """Whether a proposal can be about it, by what the world's vocabulary asks of such: an order's address."""
        words, vocabulary = self.kind.split("_"), get_domain(self.domain).vocabulary
        strange = (pattern for word, pattern in vocabulary.strangers.items() if word in words)
        due = (pattern for word, pattern in vocabulary.objects.items() if word in words)
        return not any(re.search(each, text, re.DOTALL) for each in strange) and all(
            re.search(each, text, re.DOTALL) for each in due
        )
