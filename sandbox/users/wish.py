"""A wish of a declared world, made ready to be compared with what agents say: slots, words, what explains a mention."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence, Set
from datetime import datetime
from functools import cached_property
from typing import Any

from toolgym.sandbox.kit.message import Json
from toolgym.sandbox.kit.table import noun
from toolgym.sandbox.kit.task import Goal as TaskGoal
from toolgym.sandbox.kit.task import Task
from toolgym.sandbox.language.inflection import forms, past_forms
from toolgym.sandbox.language.mentions import Mention, find_mentions
from toolgym.sandbox.language.prefilter import Prefiltered
from toolgym.sandbox.runtime.registry import get_domain
from toolgym.sandbox.synthesis.world_words import WorldWords, words_of
from toolgym.sandbox.users.conditions import tables_of_condition
from toolgym.sandbox.users.costs import costs_of, of_pieces
from toolgym.sandbox.users.explanations import Explanations
from toolgym.sandbox.users.goal_words import EACH, NOTHING_SAID, RHYTHM, TIMES, said_of, said_quantifiers, stems_of
from toolgym.sandbox.users.held_things import HeldThings
from toolgym.sandbox.users.lexicon import PersonLexicon, lexicon_of
from toolgym.sandbox.users.once_a_wish import once_a_wish
from toolgym.sandbox.users.outcome import Outcome, is_said, outcome_of, seen_by
from toolgym.sandbox.users.records import leaves
from toolgym.sandbox.users.said_again import without_lead_in
from toolgym.sandbox.users.slots import UNASKED, WishSlot, root, slot_of

_HEAD = re.compile(r"^(?:the|my|an?|our) ([a-z]+)\b")
_WHOLE = Prefiltered(r"\b(?:everything|whole|entire|completely|entirely|fully|in full|complete(?= |,|\.)(?! the))\b")
_WORD = re.compile(r"[a-z]+")
_PROPER = re.compile(r"[A-ZÀ-Þ][a-zà-ÿ]+ [A-ZÀ-Þ][a-zà-ÿ]+")
_BOTH_WAYS = Prefiltered(r"\b(?:round trip|and back|way back)\b")
_RETURNS = frozenset("return returns returning".split())
"""What is said of the way back."""
_PHONE = re.compile(r"[\d() +-]{7,}\d")


def _is_of_several(value: Any) -> bool:
    """Whether a fact holds several things, such as the items of a return."""
    held = next(iter(value.values())) if isinstance(value, dict) and len(value) == 1 else value
    return isinstance(held, list) and len(held) > 1


class Wish:
    """One wish of a task in a declared world.

    Args:
        task: whose user.
        goal: the wish.

    Attributes:
        task: whose user.
        domain, kind: the names of its world and its goal.
        goal: the wish as the task has it.
        declared: the goal that it was drawn from; None for a wish of no declared kind.
        world, person: the words of the world and of this person.
        now: when the conversation takes place.
        slots: what the user knows about it.
        needed: those that a proposal must name.
        is_many: a slot holds several things.
        quantifiers: words such as "all" that are right for it.
        singles: what it is about exactly one of.
        phrasing: how it is put, in lower case.
        costs: the amounts, in cents, that its action is said to cost, once and for each of a few pieces.
        asked_for: the same without what others with such a wish say: its words and those of its facts.
        names_people: a name of several words says which row is meant.
        own_states: what is said of its thing once it is done.
        has_reason: it says why.
        settles: it says with what a difference is paid, or where a refund goes.
        is_conditional: it is to be done only if something holds, which an agent looks up first.
        counted: what the right call lists where the user names none of it.
        repeats: it is about something that happens again and again.
    """

    def __init__(self, task: Task, goal: TaskGoal) -> None:
        domain = get_domain(task.domain)
        self.task, self.domain = task, task.domain
        self.kind, self.goal = goal.kind, goal
        self.declared = next((each for each in domain.goals if each.name == goal.kind), None)
        self.world: WorldWords = words_of(task.domain)
        self.person: PersonLexicon = lexicon_of(task)
        self.now: datetime = task.now or domain.now
        self.slots = self._slots()
        self.needed = [slot for slot in self.slots if slot.kind not in UNASKED and self._is_argument(slot)]
        for slot in self.slots:
            alike = [other for other in self.slots if (other.kind, other.table) == (slot.kind, slot.table)]
            slot.twins = len(alike) > 1 and slot.kind not in ("text", "choice", "flag", "record")
            slot.roles = slot.roles if slot.twins else frozenset()
        lists = [slot for slot in self.slots if _is_of_several(slot.fact.value)]
        self.is_many = any(slot.table for slot in lists)
        self.quantifiers = said_quantifiers(without_lead_in(goal.utterance)) | (EACH if lists else frozenset())
        utterance = without_lead_in(goal.utterance).lower()  # the "all" of "That's not all: ..." is of no wish
        said = said_of(self.declared) if self.declared else NOTHING_SAID
        self.phrasing = f"{utterance} {said.phrasing}".strip()
        self.asked_for = " ".join((without_lead_in(goal.utterance), *(slot.words for slot in self.slots))).lower()
        self.own_states = past_forms(self.world.verbs(goal.kind))
        self.has_reason = any("reason" in slot.fact.name for slot in self.slots)
        self.settles = any("payment" in slot.fact.name for slot in self.slots)
        self.is_conditional = any(fact.name == "condition" for fact in goal.facts)
        self.counted = frozenset(self._listed_by_itself())
        self.names_people = any(_PROPER.search(slot.words) for slot in self.slots)
        self.repeats = said.repeats or RHYTHM.search(utterance) is not None
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
        utterance, said = self.goal.utterance.lower(), said_of(self.declared) if self.declared else NOTHING_SAID
        told_later = " ".join(slot.words for slot in self.slots if slot.kind in ("choice", "text")).lower()
        words = frozenset(_WORD.findall(f"{utterance} {told_later}")) | said.words
        words |= _RETURNS if _BOTH_WAYS.search(utterance) else frozenset()
        return self.further_verbs.union(words, *(self.world.verbs_of_tool(call.name) for call in self.goal.calls))

    @cached_property
    def named_in(self) -> Mapping[str, Sequence[tuple[str, str]]]:
        """By the slots that refer to rows, what the user's words for them name: each kind with its value."""
        rows = [slot for slot in self.slots if slot.kind == "reference"]
        named = ((slot, find_mentions(slot.words, self.person.lexicon, self.now)) for slot in rows)
        return {slot.fact.name: [(each.kind, str(each.value)) for each in found] for slot, found in named}

    def _listed_by_itself(self) -> Iterator[str]:
        """What the right calls list of a thing without the user naming any of it: all flights of a trip."""
        told = {slot.fact.name for slot in self.slots}
        if any(slot.kind in ("date", "record") for slot in self.slots):
            return
        yield from (
            name.removesuffix("s") for name, value in self.arguments if isinstance(value, list) and name not in told
        )

    @cached_property
    def is_one_call(self) -> bool:
        """Whether its declared action is all that is done for it, but for what unlocks it."""
        names = {call.name for call in self.goal.calls if self.secrets.isdisjoint(leaves(call.arguments))}
        return self.declared is not None and names == {self.declared.tool.name}

    @cached_property
    def called_tools(self) -> Sequence[str]:
        """The tools of its right calls."""
        return [call.name for call in self.goal.calls]

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

    def names_given(self, mention: Mention, tables: Set[str]) -> bool:
        """Whether a mention names a row of some tables that is such an argument and no fact: where a transfer goes."""
        columns = (column for column in mention.columns if column.split(".")[0] in tables)
        keys = frozenset[str]().union(*(self.person.named(column, str(mention.value)) for column in columns))
        return not (self.given - {key for slot in self.slots for key in slot.keys}).isdisjoint(keys)

    def touches(self, word: str) -> bool:
        """Whether a word is what the rows are called that its right calls write to."""
        tables = self.outcome.tables
        return any(noun(each) == word and each.__tablename__ in tables for each in get_domain(self.domain).models)

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

    @cached_property
    def own_names(self) -> frozenset[str]:
        """What the user is called, in lower case."""
        said = {fact.name: str(fact.value).casefold() for fact in self.task.facts}
        return frozenset({said.get("name", ""), f"{said.get('first_name', '')} {said.get('last_name', '')}"})

    def _slots(self) -> list[WishSlot]:
        typed = [fact for fact in self.goal.facts if fact.kind is not None]
        declared = self.declared
        if declared is None:
            return []
        return [slot_of(fact, declared, declared.tables) for fact in typed]

    def _is_argument(self, slot: WishSlot) -> bool:
        """Whether a slot is one of the action's own and not decided by it."""
        declared = self.declared
        if declared is None or slot.is_fixed:
            return False
        return slot.fact.name in declared.tool.kinds or any(each.name == slot.fact.name for each in declared.slots)

    @cached_property
    def further_verbs(self) -> frozenset[str]:
        """Verbs of the other calls that the wish asks for, such as sending a certificate for what is cancelled."""
        own = {self.declared.tool.name} if self.declared else set()
        tools = frozenset(call.name for call in self.goal.calls) - own
        return self.world.verbs_of(tools) if self.declared and tools else frozenset()

    def pays(self, text: str) -> bool:
        """Whether an amount in a text is one that its right calls show, or two of those come to or differ by."""
        amounts = [each for each in find_mentions(text, None, self.now) if each.kind == "money"]
        return any(abs(int(each.value)) in self.outcome.amounts for each in amounts)

    def steps(self, mention: Mention) -> bool:
        """Whether its right calls raise or lower an amount by what is mentioned, and set none to it."""
        return mention.kind == "money" and abs(int(mention.value)) in self.outcome.steps

    def is_changed_by(self, amount: str) -> bool:
        """Whether an amount in dollars stands in the rows only after the right calls: what bags cost."""
        said = [each for each in find_mentions(f"${amount}", None, self.now) if each.kind == "money"]
        return any(self.outcome.columns_of(each, changed=True) for each in said)

    def has_seen(self, text: str) -> bool:
        """Whether an agent that looks up what the wish needs sees a text."""
        return any(str(value).casefold() == text.casefold() for _, value in self.seen)

    @cached_property
    def done_otherwise(self) -> frozenset[str]:
        """Past forms of what is done otherwise than by its calls."""
        called = frozenset(word for call in self.goal.calls for word in call.name.split("_"))
        return self.world.done_otherwise(self.kind) - past_forms(self.further_verbs | called)

    @cached_property
    def strangers(self) -> list[str]:
        """Names of tables that neither the wish, its action nor its rows speak of."""
        if self.declared is None:
            return []
        tool, said = self.declared.tool, said_of(self.declared)
        columns = (column.replace("_", " ") for slot in self.slots for column in self.row(slot))
        own_words = " ".join([self.asked_for, *columns])
        spoken, stems = f"{own_words} {said.spoken}", tuple(said.stems | stems_of(own_words))
        tables = {*self.declared.tables.values(), *tool.shows}
        own = {noun(table) for table in self.world.with_parts(tables) | self.world.named_by(tables)}
        values = {str(slot.fact.value) for slot in self.slots if not slot.table}
        rows = self.person.rows
        own |= {name for table, name in self.world.nouns.items() if any((table, value) in rows for value in values)}
        own |= {self.world.nouns[table] for table in tables_of_condition(self)}
        return [
            name
            for name in self.world.nouns.values()
            if name not in own
            and name != self.world.owner
            and not name.startswith(stems)
            and not any(part in spoken for part in (name, name.split(" ")[-1]))
        ]

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
    def rhythms(self) -> frozenset[str]:
        """The units of time that the wish's rows hold, such as the month of a standing order that is to end."""
        return frozenset(str(value) for slot in self.slots for value in self.row(slot).values()) & TIMES

    @cached_property
    def vocabulary(self) -> frozenset[str]:
        """Every word of the wish, its rows, its world's things and its action, and their beginnings."""
        said = said_of(self.declared).spoken if self.declared else ""
        verbs = " ".join(form for verb in self.world.verbs(self.kind) for form in forms(verb))
        words = (
            set(_WORD.findall(f"{self.known} {said} {verbs} {' '.join(self.world.nouns.values())}")) | self.own_words
        )
        return frozenset(words | {root(word) for word in words})

    @cached_property
    def asked_roots(self) -> frozenset[str]:
        """The beginnings of the words that the user and the sentences of such a wish use."""
        return frozenset(map(root, _WORD.findall(f"{self.asked_for} {self.phrasing}")))

    @cached_property
    def own_roots(self) -> frozenset[str]:
        """The same, and those of what it is about exactly one of."""
        return self.asked_roots | frozenset(map(root, self.singles))

    def referred(self, mention: Mention) -> list[WishSlot]:
        """Its slots that refer to the row which a mention names."""
        return [slot for slot in self.slots if slot.table and slot.fits(mention, self.person)]

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
    def several(self) -> list[list[str]]:
        """Keys of one sort, where the right calls do the same to several rows."""
        found: dict[tuple[str, str], list[str]] = {}
        for call in self.goal.calls:
            for name, value in call.arguments.items() if isinstance(call.arguments, dict) else ():
                if name.endswith("_id") and isinstance(value, str):
                    found.setdefault((call.name, name), []).append(value)
                if name.endswith("_ids") and isinstance(value, list):
                    found.setdefault((call.name, name), []).extend(map(str, value))
        return [keys for keys in found.values() if len(keys) > 1]

    @cached_property
    def held(self) -> HeldThings:
        """What its rows hold."""
        return HeldThings(self, self.task.domain, self.task.data)

    def has_slot(self, name: str) -> bool:
        """Whether a slot is called so."""
        return any(slot.fact.name.replace("_", " ") == name for slot in self.slots)

    def has_phone(self, slot: WishSlot) -> bool:
        """Whether a row is known by a phone number."""
        return any(_PHONE.fullmatch(str(value)) for value in self.row(slot).values())


wish_of = once_a_wish(Wish)
"""The wish of a task, made ready once for all the episodes that play it."""
