"""Whether a user's reply gives away what it tells only when asked: the scripted user's answer is what may be told."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property
from random import Random

from toolgym.sandbox.kit.message import Message
from toolgym.sandbox.kit.task import Fact, Task
from toolgym.sandbox.language.dialogue_acts import AgentAct
from toolgym.sandbox.synthesis.value_words import fact_in_words
from toolgym.sandbox.users.asking import is_vague
from toolgym.sandbox.users.fact_extraction import is_prose, understood
from toolgym.sandbox.users.what_is_known import knowledge_of

_BLANKS = re.compile(r"\s+")
_NAMES = ("name", "first_name", "last_name")
_SHORT = 4
"""Characters below which a value without a digit may be an ordinary word."""


class DisclosureCheck:
    """Finds what the user of one task gives away.

    Args:
        task: whose user; of a wish in prose nobody can say what is withheld.
    """

    def __init__(self, task: Task) -> None:
        self._task = understood(task)
        self._is_prose = is_prose(task)

    @cached_property
    def _withheld(self) -> Sequence[tuple[str, str]]:
        """The name and the words of each fact that is told on request alone; a mere name is no secret."""
        if self._is_prose:
            return []
        goals = list(self._task.every_goal())
        facts = [*self._task.facts, *(fact for goal in goals for fact in goal.facts)]
        open_words = [_plain(_words(fact)) for fact in facts if not fact.on_request]
        free = " ".join([*open_words, *(_plain(goal.utterance) for goal in goals)])
        held = [fact for fact in facts if fact.on_request and fact.kind != "free" and not self._is_open(fact)]
        named = [(fact.name.replace("_", " "), _plain(_words(fact))) for fact in held]
        return [(name, words) for name, words in named if _is_telling(words) and not _has(free, words)]

    def _is_open(self, fact: Fact) -> bool:
        """Whether a fact is a name that the situation itself does not ask to be kept back."""
        held = f"{_words(fact)}; you tell it only when"
        return fact.name in _NAMES and held not in self._task.scenario

    def given_away(self, reply: str, heard: AgentAct | None, conversation: Sequence[Message]) -> list[str]:
        """The names of withheld facts that a reply tells though nobody asked.

        Args:
            reply: the user's words.
            heard: the agent's last message; None before its first.
            conversation: what has been said so far.
        """
        said = _plain(reply)
        told = [(name, words) for name, words in self._withheld if _has(said, words)]
        before = _plain("\n".join(message.content or "" for message in conversation)) if told else ""
        fresh = [(name, words) for name, words in told if not _has(before, words)]
        if not fresh or (heard is not None and self._is_unplaced(heard)):
            return []
        asked = "\n".join(self._answers(heard)) if heard is not None else ""
        return [name for name, words in fresh if not _has(asked, words)]

    def _is_unplaced(self, heard: AgentAct) -> bool:
        """Whether a message asks for something that the scripted user could not place either."""
        asks = heard.asked and not is_vague(heard.asked) and not (heard.waits and "?" not in heard.asked)
        return bool(asks) and not any(self._answers(heard))

    def _answers(self, heard: AgentAct) -> Iterator[str]:
        """What a careful user would tell, of whichever wish is the present one."""
        for goal in self._task.every_goal():
            knowledge = knowledge_of(self._task, "polite", Random(0))
            knowledge.enter(goal)
            corrects: Iterable[str] = knowledge.consider(heard).sentences if heard.proposal else ()
            yield from map(_plain, (*knowledge.answers(heard), *corrects))


def _words(fact: Fact) -> str:
    return fact.words or fact_in_words(fact.value)


def _plain(text: str) -> str:
    return _BLANKS.sub(" ", text.lower().replace("’", "'"))


def _is_telling(words: str) -> bool:
    return any(map(str.isdigit, words)) or len(words) >= _SHORT


def _has(text: str, words: str) -> bool:
    return re.search(rf"(?<![a-z0-9]){re.escape(words)}(?![a-z0-9])", text) is not None
