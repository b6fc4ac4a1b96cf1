"""What a user says about themself: a name, an address, a code, told when asked for, never guessed."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

from sandbox.kit.task import Fact, Task
from sandbox.users.nlg_templates import Style, phrase
from sandbox.users.topics import IDENTITY, asks_who, topics_of
from sandbox.users.user_facts import sentences


class PersonFacts:
    """The facts of a task's person.

    Args:
        task: whose facts.
        style: how the user talks.
        rng: draws the wording.
    """

    def __init__(self, task: Task, style: Style, rng: Random) -> None:
        self._facts, self._style, self._rng = task.facts, style, rng
        self._topics = topics_of(task.domain)

    def volunteered(self) -> list[str]:
        """What is said without being asked."""
        return self._sentences([fact for fact in self._facts if not fact.on_request])

    def answers(self, asked: str, *, quiet: bool) -> list[str]:
        """Sentences about the person that answer a request.

        Args:
            asked: the request, in lower case.
            quiet: something else answers it, so that what is not known is passed over.
        """
        known = [
            fact
            for fact in self._facts
            if fact.name.replace("_", " ") in asked.split("?")[0] or self._names(fact, asked)
        ]
        unknown = []
        for name in self._topics.in_text(asked):
            topic = self._topics.by_name[name]
            found = [fact for fact in self._facts if fact.name in (topic.facts or (name,))]
            known += [fact for fact in found if fact not in known]
            if not found and name in IDENTITY and not quiet and name != "user_id":
                unknown.append(phrase("unknown", self._style, self._rng, topic.called))
        if not known and asks_who(asked):
            known = [fact for fact in self._facts if fact.kind != "secret"]
        return [*unknown, *self._sentences(known)]

    def _names(self, fact: Fact, asked: str) -> bool:
        words = fact.name.split("_")
        return any(f" {word} " in f" {asked} ".translate(_SIGNS) for word in words if len(word) > 2 and word != "name")

    def _sentences(self, facts: Sequence[Fact]) -> list[str]:
        return sentences(facts, self._topics, self._style, self._rng)


_SIGNS = str.maketrans("?.,:;!()'\"/-", "            ")
