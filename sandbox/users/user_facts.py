"""What the scripted user knows and how a fact is put into words. Nothing that the task does not hold is ever said."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from random import Random
from typing import cast

from sandbox.kit.message import Json
from sandbox.kit.task import Fact, Goal, Task
from sandbox.language.dialogue_acts import IDENTITY, TOPICS, AgentAct
from sandbox.users.nlg_templates import Style, phrase, statement

_FACTS_OF_TOPIC: dict[str, tuple[str, ...]] = {
    "name": ("name", "first_name", "last_name"),
    "payment": ("payment", "payment_method_id"),
}
_WORDS_FOR_TOPIC = {
    "email": "my e-mail",
    "user_id": "my user id",
    "phone_number": "my phone number",
    "date_of_birth": "my date of birth",
    "zip": "my zip code",
    "name": "the name",
    "order_id": "the order number",
    "reservation_id": "the reservation number",
    "reason": "the reason",
    "payment": "the payment",
    "address": "the address",
}
_PREFERENCES = {"reason", "payment"}
_WHO = ("verify", "identi", "authenticat", "who you are")


class UserFacts:
    """The facts of a task as one user knows them, told on request.

    Args:
        task: whose facts.
        style: how the user talks.
        rng: draws the wording.
    """

    def __init__(self, task: Task, style: Style, rng: Random) -> None:
        self._own = task.facts
        self._style: Style = style
        self._rng = rng
        self._goals: list[Goal] = []

    def enter(self, goal: Goal) -> None:
        """Make a wish the current one; the facts of earlier ones stay known."""
        self._goals.insert(0, goal)

    def volunteered(self) -> list[str]:
        """What the user says about themselves without being asked."""
        return self._sentences([fact for fact in self._own if not fact.on_request])

    def tell(self, facts: Sequence[Fact]) -> list[str]:
        """These facts as sentences."""
        return self._sentences(facts)

    def answers(self, heard: AgentAct) -> list[str]:
        """Sentences that answer what is asked: known facts, and what the user does not know. Empty: nothing fits."""
        known: list[Fact] = []
        unknown: list[str] = []
        for topic in self._topics(heard):
            found = self._about(topic)
            known += [fact for fact in found if fact not in known]
            if not found and topic in _WORDS_FOR_TOPIC:
                unknown.append(topic)
        for fact in self._facts():
            if fact.name not in TOPICS and fact not in known and fact.name.replace("_", " ") in heard.asked:
                known.append(fact)
        return [self._not_known(topic) for topic in unknown] + self._sentences(known)

    def _topics(self, heard: AgentAct) -> list[str]:
        topics = list(heard.topics)
        if any(word in heard.asked for word in _WHO) and not any(topic in IDENTITY for topic in topics):
            topics += next(([topic] for topic in ("email", "user_id") if self._about(topic)), ["name", "zip"])
        if "address" in topics and "zip" in topics and self._about("address"):
            topics.remove("zip")  # the address holds its own
        return topics

    def _about(self, topic: str) -> list[Fact]:
        names = _FACTS_OF_TOPIC.get(topic, (topic,))
        found: dict[str, Fact] = {}
        for fact in self._facts():
            if fact.name in names:
                found.setdefault(fact.name, fact)
        if topic == "payment" and "payment" in found:
            return [found["payment"]]
        return list(found.values())

    def _facts(self) -> list[Fact]:
        own, rest = (self._goals[0].facts, self._goals[1:]) if self._goals else ((), [])
        return [*own, *self._own, *(fact for goal in rest for fact in goal.facts)]

    def _not_known(self, topic: str) -> str:
        act = "no_preference" if topic in _PREFERENCES else "unknown"
        return phrase(
            "no_preference" if act == "no_preference" else "unknown", self._style, self._rng, _WORDS_FOR_TOPIC[topic]
        )

    def _sentences(self, facts: Sequence[Fact]) -> list[str]:
        by_name = {fact.name: fact for fact in facts}
        sentences = []
        for fact in facts:
            if fact.name == "last_name" and "first_name" in by_name:
                continue
            name, value = fact.name, fact_in_words(fact.value)
            if fact.name == "first_name" and "last_name" in by_name:
                name, value = "name", f"{value} {fact_in_words(by_name['last_name'].value)}"
            sentences.append(statement(name, value, self._style, self._rng))
        return sentences


def fact_in_words(value: Json) -> str:
    """A fact's value in words: items with their options, addresses on one line."""
    if isinstance(value, list):
        words = [fact_in_words(item) for item in value]
        return words[0] if len(words) == 1 else ", ".join(words[:-1]) + f" and {words[-1]}" if words else "nothing"
    if not isinstance(value, Mapping):
        return str(value)
    if "address1" in value:
        fields = ("address1", "address2", "city", "state", "country", "zip")
        return ", ".join(str(value[field]) for field in fields if value.get(field))
    options = ", ".join(
        f"{key}: {choice}" for key, choice in cast("dict[str, Json]", value.get("options") or {}).items()
    )
    name = str(value.get("name") or (f"item {value['item_id']}" if value.get("item_id") else ""))
    if name:
        return f"the {name} ({options})" if options else f"the {name}"
    return ", ".join(f"{key}: {fact_in_words(item)}" for key, item in value.items())
