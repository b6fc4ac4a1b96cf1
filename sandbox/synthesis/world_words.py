"""What a world calls its actions and things, compiled once from its tools, goals, tables and vocabulary."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from typing import NamedTuple

from sqlalchemy.orm import DeclarativeBase

from toolgym.sandbox.kit.domain import Domain
from toolgym.sandbox.kit.reference import bare
from toolgym.sandbox.kit.table import column_types, noun, owner_path
from toolgym.sandbox.language.actions import further_nouns, parted_past, plain_verb, reported_as, synonyms
from toolgym.sandbox.language.dialogue_acts import Sentence
from toolgym.sandbox.language.effects import words_for
from toolgym.sandbox.language.inflection import forms, nouns_of, past_forms
from toolgym.sandbox.language.tokens import Token, singular
from toolgym.sandbox.language.verb_lists import CLOSING, LIGHT, SETTLING
from toolgym.sandbox.language.verbs import Other, Use, other_verbs, own_verb
from toolgym.sandbox.runtime.registry import get_domain


class _Action(NamedTuple):
    """What the action of a wish of one kind is called, and what the world's other actions are.

    Attributes:
        own: its verbs, in base form.
        others: all other verbs of the world.
        known: those that are other actions even without what its tools are called.
        near: verbs that often stand for its own.
        akin: forms of verbs that may stand for it and for no other one.
        done: past forms that say that it is done.
        otherwise: past forms of what is done otherwise.
        nouns: what it is called, such as "cancellation".
        rivals: the verbs of the other actions in base form, and what is said for them.
    """

    own: frozenset[str]
    others: frozenset[str]
    known: frozenset[str]
    near: frozenset[str]
    akin: frozenset[str]
    done: frozenset[str]
    otherwise: frozenset[str]
    nouns: frozenset[str]
    rivals: frozenset[str]


class WorldWords:
    """The words of one world.

    Attributes:
        nouns: what its things are called, by table name: `StandingOrder` is a "standing order".
        money: words of its columns that hold money, such as "balance".
        done, bases, doing: past forms, base forms and all forms of everything that can be done.
        sorts: what its tables and tools call sorts of things, such as files and folders.
        labels: the words of what each write needs to know, by its tool's name.
        columns: the words of what its tables' columns are called.
        owner: what the person whom it serves is called; empty at a desk for anybody.
        also_called: what people call a thing or a code besides, as patterns by its own word.
        choices: names for exclusive choices, such as ways to pay.
    """

    def __init__(self, domain: Domain) -> None:
        self.also_called = domain.vocabulary.also_called
        self.choices = re.compile("|".join(domain.vocabulary.choices.values()) or r"(?!)")
        self._verbs = {goal.name: frozenset(map(plain_verb, goal.verbs)) for goal in domain.goals}
        for kind, verbs in domain.vocabulary.verbs.items():
            self._verbs[kind] = self._verbs.get(kind, frozenset()) | set(map(plain_verb, verbs))
        self._tools = {goal.name: frozenset((goal.tool.name.split("_")[0],)) for goal in domain.goals}
        self._tool_of = {goal.name: goal.tool.name for goal in domain.goals}
        actions = [name for name, tool in domain.tools.items() if tool.kind == "write"]
        named = {name.split("_")[0] for name in actions}
        asked = {goal.name for goal in domain.goals if goal.tool.kind == "read"}
        self._all = frozenset().union(named, *(verbs for kind, verbs in self._verbs.items() if kind not in asked))
        self._tables = domain.models
        spoken_of = {thing.table for thing in domain.things}
        self._parts = [table for table in self._tables if owner_path(table) and table not in spoken_of]
        self.nouns = {table.__name__: noun(table) for table in self._tables}
        self.done, self.bases = past_forms(self._all), self._all
        self.doing = frozenset(form for verb in self._all for form in forms(verb))
        self.owner = noun(domain.owner) if domain.owner is not None else ""
        self.labels = {
            name: frozenset(part for each in domain.tools[name].kinds for part in each.split("_")) for name in actions
        }
        things = {part for words in self.nouns.values() for part in words.split(" ")}
        self.sorts = frozenset(things | {part for name in actions for part in name.split("_")[1:]})
        kinds = {part for name in (*actions, *self._verbs) for part in name.split("_")[1:]}
        kinds -= frozenset().union(*self._verbs.values())  # `request_return` makes no thing of what people do
        self.columns = frozenset(
            part for table in self._tables for column in table.__mapper__.columns for part in column.name.split("_")
        )
        self._things = frozenset(things | kinds | {f"{word}s" for word in things | kinds})
        self._actions: dict[str, _Action] = {}
        self._aims: dict[tuple[str, str], frozenset[str]] = {}
        self._goals, self._verbs_of = domain.goals, dict[frozenset[str], frozenset[str]]()
        self.money = frozenset(_money_words(domain)) if domain.goals else frozenset()

    def verbs(self, kind: str) -> frozenset[str]:
        """The verbs, in base form, of what a wish of a kind asks for, with those that do the same.

        Args:
            kind: of the wish; of one that takes several actions their tools' names, joined by "+".
        """
        return self._action(kind).own

    def _action(self, kind: str) -> _Action:
        if kind not in self._actions:
            declared, tools = self._declared(kind), self._tools.get(kind, frozenset())
            own = synonyms(declared, self._all - declared - tools)
            others = self._all - own
            near = synonyms(declared, frozenset()) - own
            akin = words_for(own, others)
            self._actions[kind] = _Action(
                own,
                others,
                others - tools,
                near,
                akin,
                past_forms(own) | parted_past(own),
                past_forms(others - reported_as(own) - (near - CLOSING) - LIGHT - SETTLING) - past_forms(own),
                frozenset().union(*(nouns_of(verb) | further_nouns(verb) for verb in declared - LIGHT)),
                synonyms(others, own) | (words_for(others, own) - akin),
            )
        return self._actions[kind]

    def _declared(self, kind: str) -> frozenset[str]:
        found: frozenset[str] = frozenset()
        for part in kind.split("+"):
            first = part.split("_")[0]
            found |= self._verbs.get(part, frozenset()) | (frozenset() if self._is_noun(first) else {first})
        return found

    def _is_noun(self, word: str) -> bool:
        return any(word in noun.split(" ") for noun in self.nouns.values())

    def calling(self, tools: frozenset[str]) -> frozenset[str]:
        """Forms of what is said for all that these tools do: a draft is written, mailed and has things attached."""
        kinds = [kind for kind, tool in self._tool_of.items() if tool in tools]
        verbs = frozenset().union(*(self._verbs[kind] | self._tools[kind] for kind in kinds))
        said = synonyms(verbs, frozenset())
        return words_for(verbs, frozenset()) | {form for verb in said for form in forms(verb)}

    def verbs_of(self, tools: frozenset[str]) -> frozenset[str]:
        """Forms of the declared verbs for what these tools do, but for those that are things as well."""
        if tools not in self._verbs_of:
            verbs = (verb for goal in self._goals if goal.tool.name in tools for verb in goal.verbs)
            self._verbs_of[tools] = frozenset(form for verb in verbs if not self.is_thing(verb) for form in forms(verb))
        return self._verbs_of[tools]

    def verbs_of_tool(self, tool: str) -> frozenset[str]:
        """Forms of the verb by which a tool goes, where nobody asks for another tool with it: "replace" an order."""
        verb = tool.split("_")[0]
        others = (kind for kind, name in self._tool_of.items() if name != tool)
        taken = any(verb in self._verbs[kind] | self._tools[kind] for kind in others)
        return frozenset() if taken or self._is_noun(verb) else frozenset(forms(verb))

    def rivals(self, kind: str) -> frozenset[str]:
        """Verbs, in base form, of the world's other actions than that of a wish, and what is said for them."""
        return self._action(kind).rivals

    def put_in(self, words: str) -> frozenset[str]:
        """Forms of the verbs, and words for columns, that stand in a wish's own words."""
        said = set(re.findall(r"[a-z]+", words.lower()))
        return frozenset(form for verb in said & self.bases for form in forms(verb)) | (said & self.columns)

    def done_by(self, kind: str) -> frozenset[str]:
        """Past forms that say that a wish is fulfilled."""
        return self._action(kind).done

    def called(self, kind: str) -> frozenset[str]:
        """What the action of a wish is called, such as "cancellation"."""
        return self._action(kind).nouns

    def done_otherwise(self, kind: str) -> frozenset[str]:
        """Past forms of what is done otherwise than by the action of a wish."""
        return self._action(kind).otherwise

    def action(self, kind: str, tokens: list[Token], negated: frozenset[int]) -> Use | None:
        """Where a sentence names the action of a wish."""
        return own_verb(tokens, self.verbs(kind), negated)

    def other_actions(self, kind: str, tokens: list[Token], negated: frozenset[int], sentence: Sentence) -> list[Other]:
        """The words of a sentence for other actions than that of a wish."""
        own, _, known, near, *_ = self._action(kind)
        asks = sentence.act == "agree"
        return list(
            other_verbs(tokens, own, known, self._things, negated, listed=sentence.listed, asks=asks, near=near)
        )

    def aims(self, kind: str, verb: str) -> frozenset[str]:
        """What the action of a wish is done to by its names, and none of the actions for which a verb is said.

        Args:
            kind: of the wish.
            verb: any form.
        """
        if (kind, verb) not in self._aims:
            mine, rivals = frozenset[str](), frozenset[str]()
            for goal in self._goals:
                words = frozenset(singular(word) for name in (goal.name, goal.tool.name) for word in name.split("_"))
                if goal.name == kind:
                    mine = words
                elif any(verb in forms(plain_verb(each)) for each in goal.verbs):
                    rivals |= words
            self._aims[kind, verb] = mine - rivals - self._all
        return self._aims[kind, verb]

    def akin(self, kind: str) -> frozenset[str]:
        """Forms of verbs that may stand for the action of a wish and for no other one of the world."""
        return self._action(kind).akin

    def named_by(self, tables: set[type[DeclarativeBase]]) -> set[type[DeclarativeBase]]:
        """The tables whose rows those of other tables point to, such as the file of a share."""
        named = {key.column.table.name for table in tables for key in table.__table__.foreign_keys}
        return {table for table in self._tables if table.__tablename__ in named}

    def is_thing(self, word: str) -> bool:
        """Whether a word is what the world calls one of its things."""
        return singular(word) in self._things or word in self._things


def _money_words(domain: Domain) -> Iterator[str]:
    for mapper in domain.base.registry.mappers:
        table: type[DeclarativeBase] = mapper.class_
        for name, annotation in column_types(table).items():
            if bare(annotation)[0] is int and name.endswith("_cents"):
                yield from name.removesuffix("_cents").split("_")


@cache
def words_of(domain: str) -> WorldWords:
    """The words of an installed world."""
    return WorldWords(get_domain(domain))
