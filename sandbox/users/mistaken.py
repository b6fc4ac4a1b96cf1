"""What a mistaken person says once they are shown what is on record."""

from __future__ import annotations

import re

from toolgym.sandbox.kit.task import Goal

_WORD = re.compile(r"\w+")


def corrected(goal: Goal, text: str) -> Goal | None:
    """The wish as its person puts it once a message tells what they had wrong; None where it does not.

    Args:
        goal: the wish.
        text: what the agent says.
    """
    heard = _words(text)
    for fact in goal.facts:
        news = _words(fact.meant) - _words(fact.words)
        if news and news <= heard:
            right = fact.model_copy(update={"words": fact.meant, "meant": ""})
            facts = tuple(right if each is fact else each for each in goal.facts)
            said = goal.utterance.replace(fact.words, fact.meant)
            return goal.model_copy(update={"utterance": said, "facts": facts})
    return None


def _words(text: str) -> frozenset[str]:
    return frozenset(_WORD.findall(text.lower()))
