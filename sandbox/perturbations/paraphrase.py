"""The user's first words in others that mean the same: another of the goal's own sentences, or another way to ask.

The values stand as they were; nothing that was kept back is told, and nothing is left out.
"""

from __future__ import annotations

import re
from random import Random

from toolgym.sandbox.kit.sentence import filled, places, without_untold
from toolgym.sandbox.kit.task import Goal, Task
from toolgym.sandbox.runtime.registry import get_domain
from toolgym.sandbox.synthesis.wording import lower_first

_START = re.compile(r"(?:^|(?<=[a-z\d][.?!] ))[a-z]")
_WANTED = re.compile(r"(?:I want|I'd like|I would like|I need|I have) to (?=\w)")
_ASKED = re.compile(r"(?:Please|Could you|Can you|Could you please) (?=\w)")
_FRAMES = (
    "I hope that you can help me. {}",
    "I am turning to you with this. {}",
    "Here is what brings me here. {}",
    "I have a matter for you. {}",
)


def paraphrased(task: Task, rng: Random) -> Task:
    """The task whose first wish is put in other words."""
    if not task.goals:
        return task
    goal = task.goals[0]
    said = _in_own_sentences(task.domain, goal, rng) or _otherwise(goal.utterance, rng)
    other = goal.model_copy(update={"utterance": said})
    changes = {
        name: text.replace(goal.utterance, said) for name in ("scenario", "ticket") if (text := getattr(task, name))
    }
    return task.model_copy(update={"goals": (other, *task.goals[1:]), **changes})


def _in_own_sentences(domain: str, goal: Goal, rng: Random) -> str | None:
    """The utterance with another sentence of the declared goal; None where its words are not the goal's."""
    declared = next((each for each in get_domain(domain).goals if each.name == goal.kind), None)
    if declared is None:
        return None
    told = {fact.name: fact.words for fact in goal.facts if fact.words and not fact.on_request}
    said: dict[str, frozenset[str]] = {}
    for kept in (without_untold(sentence, told) for sentence in declared.says):
        named = frozenset(name for name, _ in places(kept))
        if named <= told.keys():
            said[_with_capitals(filled(kept, told))] = named
    for text, named in said.items():
        others = [other for other, holds in said.items() if other != text and holds == named]
        for mine, change in ((text, str), (lower_first(text), lower_first)):
            if others and mine in goal.utterance:
                return goal.utterance.replace(mine, change(rng.choice(others)))
    return None


def _otherwise(utterance: str, rng: Random) -> str:
    """Another way to ask, whatever is asked for."""
    wanted = _WANTED.match(utterance)
    if wanted:
        ways = [way for way in ("I want to ", "I'd like to ", "I need to ", "I would like to ") if way != wanted[0]]
        return rng.choice(ways) + utterance[wanted.end() :]
    asked = _ASKED.match(utterance)
    if asked and utterance.endswith((".", "?")) and not re.search(r"[.?!] ", utterance):
        way = rng.choice(
            [
                way
                for way in ("Please {}.", "Could you {}?", "Can you {}?", "Would you {}?")
                if not way.startswith(asked[0])
            ]
        )
        return way.format(utterance[asked.end() : -1])
    return rng.choice(_FRAMES).format(utterance)


def _with_capitals(text: str) -> str:
    return _START.sub(lambda match: match[0].upper(), text)
