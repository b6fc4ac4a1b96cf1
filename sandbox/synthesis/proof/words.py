"""Whether a task's words give away what the agent has to ask for or to find out."""

from __future__ import annotations

from collections.abc import Iterator

from toolgym.sandbox.kit.task import Fact, Task
from toolgym.sandbox.language.text_match import mentions, mentions_all
from toolgym.sandbox.synthesis.value_words import fact_in_words


def given_away(task: Task) -> Iterator[str]:
    """Sentences about withheld facts that a wish tells, and about answers that the user has in the first place."""
    if not task.scenario.strip():
        yield "it has no scenario, so neither a language model nor a person can play its user."
    for goal in task.every_goal():
        for fact in (*task.facts, *goal.facts):
            if fact.on_request and _gives_away(fact, goal.utterance):
                yield f"the wish {goal.utterance!r} tells {fact.name}, which is withheld."
    speech, known = "\n".join(_user_speech(task)), "\n".join([task.scenario, task.ticket or ""])
    for texts in (goal.final.must_communicate for goal in task.goals):
        if texts and mentions_all(texts, speech):
            yield f"the user says already what must be communicated: {', '.join(map(repr, texts))}."
        elif texts and mentions_all(texts, known):
            yield f"the scenario or the ticket says what must be communicated: {', '.join(map(repr, texts))}."


def _user_speech(task: Task) -> Iterator[str]:
    yield from (fact_in_words(fact.value) for fact in task.facts)
    for goal in task.every_goal():
        yield goal.utterance
        yield from (fact_in_words(fact.value) for fact in goal.facts)


def _gives_away(fact: Fact, text: str) -> bool:
    value = fact.value.get("address1") if isinstance(fact.value, dict) else fact.value
    return isinstance(value, str) and len(value) > 1 and mentions(value, text)
