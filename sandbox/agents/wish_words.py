"""What an agent that is shown a task says about one of its wishes: questions, proposals, refusals, reports.

A wish drawn from a declaration has the declaration's words; others have those of their facts and calls.
"""

from __future__ import annotations

import json
import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from functools import cache
from random import Random
from typing import Any

from toolgym.sandbox.agents import goal_words
from toolgym.sandbox.agents.phrases import phrase
from toolgym.sandbox.kit.domain import Domain
from toolgym.sandbox.kit.errors import Refusal
from toolgym.sandbox.kit.goal import Goal as DeclaredGoal
from toolgym.sandbox.kit.goal import Tell
from toolgym.sandbox.kit.message import Json, ToolCall
from toolgym.sandbox.kit.reference import Kind, kind_of
from toolgym.sandbox.kit.sentence import filled, places
from toolgym.sandbox.kit.table import column_types
from toolgym.sandbox.kit.task import Fact, Goal, Task
from toolgym.sandbox.kit.telling import Telling
from toolgym.sandbox.kit.tool import Tool
from toolgym.sandbox.language.money import in_words as money_in_words
from toolgym.sandbox.language.text_match import first_wording
from toolgym.sandbox.language.told import is_refusal
from toolgym.sandbox.runtime import registry
from toolgym.sandbox.runtime.registry import get_domain
from toolgym.sandbox.synthesis.sampler import Sampler
from toolgym.sandbox.synthesis.value_words import fact_in_words, spellings
from toolgym.sandbox.synthesis.wording import listed

Question = tuple[Sequence[Fact], str]
"""What is asked for, and the words."""
Key = tuple[str, str]
"""A fact by name and value."""


class WishWords:
    """The words for one wish of a task.

    Args:
        task: whose.
        goal: the wish; None for what belongs to the person alone.
        rng: draws the wording.
    """

    def __init__(self, task: Task, goal: Goal | None, rng: Random) -> None:
        self._task, self._rng = task, rng
        self._goal = goal or Goal(kind="", utterance="")
        self._domain = get_domain(task.domain)
        declared = (each for each in self._domain.goals if each.name == self._goal.kind)
        # wishes of version 1 have facts without kinds, whose names are not the goal's slots
        self._declared = None if any(fact.kind is None for fact in self._goal.facts) else next(declared, None)

    @property
    def are_declared(self) -> bool:
        """Whether the wish was drawn from a declaration, so that its user understands what is proposed."""
        return self._declared is not None

    # --- questions ---

    def withheld(self, asked: Collection[Key]) -> list[Question]:
        """Questions for what the user tells about this wish only when asked."""
        facts = [fact for fact in self._goal.facts if fact.on_request and key_of(fact) not in asked]
        return [([fact], self._question(fact)) for fact in facts]

    def about_person(self, call: ToolCall, asked: Collection[Key]) -> list[Question]:
        """The question for what a call needs of the person, who has not said it; none where nothing is missing."""
        given = list(call.arguments.values()) if isinstance(call.arguments, dict) and call.by == "agent" else []
        facts = [
            fact
            for fact in self._task.facts
            if fact.on_request and isinstance(fact.value, str) and fact.value in given and key_of(fact) not in asked
        ]
        if not facts:
            return []
        names = listed(_own_key(fact.name) for fact in facts)
        return [(facts, phrase("secret", self._rng, names))]

    def _question(self, fact: Fact) -> str:
        if self._declared is not None and fact.name in self._declared.tool.kinds:
            return goal_words.question(self._declared, fact.name, self._rng)
        name = goal_words.called(fact.name)
        return self._rng.choice(
            (f"Could you tell me the {name}?", f"What is the {name}?", f"I need the {name}, please.")
        )

    # --- proposals ---

    def proposal(self, calls: Sequence[ToolCall], *, plainly: bool) -> str:
        """What will be done, with every detail, and the question for a yes.

        Args:
            calls: the changes.
            plainly: as a list, for when other words were not understood.
        """
        if self._declared is None:
            return f"{self._untyped(calls)} {phrase('agree', self._rng)}"
        said = [fact for fact in self._goal.facts if fact.kind not in (None, "free", "secret")]
        fixed = {*self._declared.fixed, "condition"}
        words = {fact.name: self._said(fact) for fact in said if fact.name not in fixed}
        avoiding = other_words(self._domain, self._declared)
        if plainly and not self._declared.fixed:
            return goal_words.listed(self._declared, goal_words.to_user(words), self._rng, avoiding)
        return goal_words.proposal(self._declared, words, self._rng, avoiding)

    def _said(self, fact: Fact) -> str:
        """A fact as a proposal names it: the value itself where the user only said where it stands."""
        if fact.described and fact.kind in ("money", "number", "duration"):
            return goal_words.value_in_words(fact.kind, fact.value, self._rng)  # type: ignore[arg-type]
        said = fact.meant or fact.words or fact_in_words(fact.value)
        return goal_words.quoted(said) if fact.kind == "choice" else said

    def _untyped(self, calls: Sequence[ToolCall]) -> str:
        names = dict.fromkeys(call.name.replace("_", " ") for call in calls) or {
            self._goal.kind.replace("_", " "): None
        }
        facts = {fact.name: fact_in_words(fact.value) for fact in self._goal.facts}
        for call in calls:
            given = call.arguments if isinstance(call.arguments, dict) else {}
            named = "\n".join(facts.values())  # nothing is said twice, as the ZIP of an address would be
            new = {name: value for name, value in given.items() if isinstance(value, str) and name not in facts}
            facts |= {name: value for name, value in new.items() if value not in named}
        details = "; ".join(f"{goal_words.called(name)}: {text}" for name, text in facts.items())
        said = phrase("propose", self._rng, listed(names)) + (f" Details: {details}." if details else "")
        return said if self._tells_user_nothing(said) else phrase("own_side", self._rng)

    def _tells_user_nothing(self, said: str) -> bool:
        """Whether users who hold tools take these words for no instruction to themselves."""
        if not self._domain.user_tools:
            return True
        return not registry.load("user_tool_drivers", self._task.domain).follow(said)

    # --- refusals ---

    def refused(self) -> str:
        """That it is not possible, and why."""
        reasons = [text for text in self._goal.must_communicate if not is_refusal(text)]
        said = [_sentence(text) for text in reasons] or [_sentence(why) for why in self._broken()]
        return goal_words.together([phrase("refuse", self._rng), *said])

    def _broken(self) -> Iterator[str]:
        """The reasons of the rules that the wish breaks, as the world is before anything was done."""
        if self._declared is None:
            return
        sampler = Sampler(self._domain, self._task.owner, self._task.now, self._task.data)
        tool = self._declared.tool
        given = {tool.inputs[fact.name]: fact.value for fact in self._goal.facts if fact.name in tool.inputs}
        given |= {tool.inputs[name]: "" for name, kind in tool.kinds.items() if kind == "free"}
        try:
            checked = tool.resolved(sampler.database, tool.validate(given))
        except Refusal:  # no tool is offered for the wish, so that its facts are no arguments
            return
        for rule in sampler.broken(tool, checked)[:1]:
            yield rule.why

    # --- reports ---

    def shown_after(self) -> set[str]:
        """The look-ups that show what must be told once the wish is fulfilled."""
        return {tell.by.name for tell, _ in self._tells() if tell.by is not None and self._goal.kind != "ask"}

    def reported(self, tell: Sequence[str], results: Sequence[tuple[str, Json]]) -> str:
        """What came of the wish, with all that must be told.

        Args:
            tell: texts that must occur.
            results: tools' names with what they returned, in order.
        """
        outcome, unmet = self._goal.outcome, self._is_unmet()
        if outcome == "refused":
            return self.refused()
        begin = phrase("unmet" if unmet else "done" if outcome == "done" else "found", self._rng)
        if outcome == "transferred":
            begin = phrase("hand_over", self._rng)
        told = [self._told(text, results) for text in tell]
        return goal_words.together([begin, *told, *([] if outcome == "transferred" else [phrase("more", self._rng)])])

    def _is_unmet(self) -> bool:
        return self._goal.outcome == "answered" and any(fact.name == "condition" for fact in self._goal.facts)

    def _told(self, text: str, results: Sequence[tuple[str, Json]]) -> str:
        """A sentence that tells one text, as what it is where the declarations say so."""
        for label, kind, value in self._values(results):
            if value is not None and spellings(kind, value) == text:
                return goal_words.told(label, goal_words.value_in_words(kind, value, self._rng), self._rng)
        telling = Telling.of(text)
        if telling.kind == "money" and isinstance(telling.value, int):
            said = money_in_words(telling.value)
        else:
            said = first_wording(text)
        return said if said.endswith(".") else self._rng.choice((f"The answer is {said}.", f"It is {said}."))

    def _values(self, results: Sequence[tuple[str, Json]]) -> Iterator[tuple[str, Kind, Any]]:
        """What the declarations say may have to be told, with its value as last seen."""
        for tell, tool in self._tells():
            for name, result in reversed(results if not tell.of_the_draw else ()):
                if name == tool.name:
                    value = tell.value(result) if tell.value else goal_words.within(result, tell.name)
                    if value is not None:
                        yield goal_words.label_of(tell), kind_of_tell(self._domain.tools[name], tell), value
        for condition in self._domain.conditions:
            kind = kind_of(condition.column, column_types(condition.table)[condition.column])
            for name, result in reversed(results):
                if name == condition.by.name and self._depends_on(condition.says):
                    value = condition.value(result) if condition.value else goal_words.within(result, condition.column)
                    yield goal_words.called(condition.column), kind, value

    def _tells(self) -> list[tuple[Tell, Tool]]:
        """What has to be told, each with the tool whose result holds it."""
        if self._declared is not None:
            return [(tell, tell.by or self._declared.tool) for tell in self._declared.tells]
        asks = [(ask.tells, goal.tool) for goal in self._domain.goals for ask in goal.asks if self._asks(ask.says)]
        return [(tell, tell.by or tool) for tell, tool in asks]

    def _asks(self, says: str) -> bool:
        return says == self._goal.utterance

    def _depends_on(self, says: str) -> bool:
        """Whether the wish's condition is said like this."""
        pattern = re.escape(filled(says, {name: "\0" for name, _ in places(says)})).replace("\0", ".+")
        words = next((fact.words for fact in self._goal.facts if fact.name == "condition"), "")
        return re.fullmatch(pattern, words) is not None


@cache
def other_words(domain: Domain, goal: DeclaredGoal) -> frozenset[str]:
    """Words that mean something in a world besides a goal's own: verbs of other goals, and what choices are called."""
    verbs = {
        word for other in domain.goals if other.tool is not goal.tool for verb in other.verbs for word in verb.split()
    }
    enums = json.dumps([other.tool.parameters for other in domain.goals])
    choices = {word for listed in re.findall(r'"enum": \[([^\]]*)\]', enums) for word in re.findall(r"[a-z]+", listed)}
    return frozenset((verbs | choices) - set(goal.verbs))


def key_of(fact: Fact) -> Key:
    """A fact by name and value."""
    return fact.name, str(fact.value)


def kind_of_tell(tool: Tool, tell: Tell) -> Kind:
    """What sort of value must be told."""
    if tell.kind is not None:
        return tell.kind
    column = tell.name.rsplit(".", 1)[-1]
    for table in tool.shows:
        types: Mapping[str, Any] = column_types(table)
        if column in types:
            return kind_of(column, types[column])
    return "money" if column.endswith("_cents") else "text"


def _own_key(name: str) -> str:
    """What a fact about a person is called: of a row that is theirs "the order" will do, of themself "the user id"."""
    return f"{goal_words.called(name)} id" if name.endswith("_id") else goal_words.called(name)


def _sentence(why: str) -> str:
    said = first_wording(why)
    return said if said.endswith((".", "!")) else f"The reason: {said}."
