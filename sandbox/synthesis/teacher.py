"""A language model rewrites the words of drawn tasks; what is right never changes.

A rewrite counts only when it holds exactly the typed things of the original (amounts, days, names, ids, in any
spelling) in the same roles; one that loses or invents something is dropped and counted.
"""

from __future__ import annotations

import asyncio
import re
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from typing import Any, Literal

from toolgym.sandbox.kit.errors import InfrastructureError
from toolgym.sandbox.kit.task import Goal, Task
from toolgym.sandbox.language.lexicon import Lexicon
from toolgym.sandbox.language.mentions import find_mentions
from toolgym.sandbox.models.client import ModelClient
from toolgym.sandbox.models.settings import ModelSettings, settings_for
from toolgym.sandbox.runtime.registry import get_domain

Outcome = Literal["rewritten", "lost a fact", "invented a fact", "no answer"]

_PROMPT = """\
Below is what a customer writes to an assistant. Write the same request as another person would write it in a chat: \
other words and another order where that sounds natural, one to three sentences.
Keep every name, id, amount, day and time, and what is from where to where. Add nothing and leave nothing out. Answer \
with the new message alone."""
_NAME = re.compile(r"(?<=[a-z0-9,;] )[A-Z][\w'-]+")
"""A capitalised word inside a sentence."""


class Teacher:
    """Rewrites tasks with a model.

    Args:
        model: its settings, or its name; the environment of the user's model fills in.
    """

    def __init__(self, model: ModelSettings | Mapping[str, Any] | str) -> None:
        self._client = ModelClient(settings_for("user", model))

    def rewritten(
        self, tasks: Sequence[Task], step: Callable[[], None] = lambda: None
    ) -> tuple[list[Task], Counter[Outcome]]:
        """The tasks in other words where the model found some, and how its rewrites fared."""
        counts: Counter[Outcome] = Counter()

        async def one(task: Task) -> Task:
            goals = [await self._goal(task, goal, counts) for goal in task.goals]
            step()
            return _with_words(task, goals)

        async def every() -> list[Task]:
            return list(await asyncio.gather(*(one(task) for task in tasks)))

        return asyncio.run(every()), counts

    async def _goal(self, task: Task, goal: Goal, counts: Counter[Outcome]) -> Goal:
        changes: dict[str, Any] = {}
        for name in ("fallback", "revised_to"):
            further = getattr(goal, name)
            if further is not None:
                changes[name] = await self._goal(task, further, counts)
        said, outcome = await self._words(task, goal)
        counts[outcome] += 1
        return goal.model_copy(update=changes | {"utterance": said})

    async def _words(self, task: Task, goal: Goal) -> tuple[str, Outcome]:
        messages = [{"role": "system", "content": _PROMPT}, {"role": "user", "content": goal.utterance}]
        try:
            reply = await self._client.complete(messages, seed=task.seed)
        except InfrastructureError:
            return goal.utterance, "no answer"
        said = reply.text.strip().strip('"')
        outcome = compared(task, goal, said)
        return (said if outcome == "rewritten" else goal.utterance), outcome


def compared(task: Task, goal: Goal, said: str) -> Outcome:
    """Whether a rewrite says what the wish says, and no more."""
    if not said:
        return "no answer"
    now = task.now or get_domain(task.domain).now
    lexicon = _lexicon(goal)
    before, after = _roles(goal.utterance, lexicon, now), _roles(said, lexicon, now)
    if any(_swapped(roles, after.get(thing)) for thing, roles in before.items()):
        return "lost a fact"
    strange = [name for name in _NAME.findall(said) if name.casefold() not in goal.utterance.casefold()]
    return "invented a fact" if set(after) - set(before) or strange else "rewritten"


def _lexicon(goal: Goal) -> Lexicon:
    """What the wish names in words of its own: descriptions, and the values in them."""
    words = [fact.words for fact in goal.facts if fact.words]
    words += [str(value) for fact in goal.facts for value in fact.known_by.values() if isinstance(value, str)]
    return Lexicon(terms={"named": [word for word in words if re.search("[A-Za-z]", word)]})


def _roles(text: str, lexicon: Lexicon, now: datetime) -> dict[str, list[str]]:
    """The typed things of a text with their roles; a lone "one" is no number ("one more thing")."""
    found: dict[str, list[str]] = {}
    for each in find_mentions(text, lexicon, now):
        if not (each.kind in ("number", "count", "ordinal") and each.value == 1):
            found.setdefault(f"{each.kind} {_plain(each.value)}", []).append(each.role or "")
    return found


def _swapped(before: Sequence[str], after: Sequence[str] | None) -> bool:
    """Whether a thing is gone, or stands where another one stood; a role may be left unsaid."""
    if after is None:
        return True
    told = [role for role in after if role in _WHERE]
    return bool(told) and not set(told) <= {*before, ""} and any(role in _WHERE for role in before)


_WHERE = ("from", "to", "not", "instead_of")
"""Roles that change what is wanted."""


def _plain(value: Any) -> str:
    return value.casefold() if isinstance(value, str) else repr(value)


def _with_words(task: Task, goals: Sequence[Goal]) -> Task:
    """The task with these wishes, which its situation and its ticket say as well."""
    old = [goal for wish in task.goals for goal in wish.every()]
    new = [goal for wish in goals for goal in wish.every()]
    scenario, ticket = task.scenario, task.ticket
    for before, after in zip(old, new, strict=True):
        scenario = scenario.replace(before.utterance, after.utterance)
        ticket = ticket and ticket.replace(before.utterance, after.utterance)
    return task.model_copy(update={"goals": tuple(goals), "scenario": scenario, "ticket": ticket})
