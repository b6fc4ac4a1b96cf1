"""A forbidden wish that is asked for again when it is refused: with a plea, a story or another name for the same act.

What is wanted stays what it was, so that a no stays right however often it is asked for.
"""

from __future__ import annotations

from dataclasses import replace
from random import Random

from toolgym.sandbox.kit.goal import Goal
from toolgym.sandbox.synthesis.knowledge import first_words
from toolgym.sandbox.synthesis.sampler import Sampler
from toolgym.sandbox.synthesis.wish import Drawn
from toolgym.sandbox.synthesis.wording import PLEAS, continued

TIMES = (1, 1, 2, 3)
"""How often it is asked for again."""
REPLACED = 0.4
"""The share of such wishes that another one replaces in the end, where there is one; the others are dropped."""


def pressed(sampler: Sampler, first: Drawn, goal: Goal, rng: Random, instead: Drawn | None = None) -> Drawn | None:
    """A forbidden wish with the same wish again, and again, where it is refused; None where there are no other words.

    Args:
        sampler: the person's world.
        first: the wish.
        goal: what is wanted.
        rng: decides the words.
        instead: the same wish with the second choice that is left in the end; without it, the wish is dropped.
    """
    if first.broken is None or first.wish.outcome != "refused":
        return None
    times = rng.choice(TIMES)
    facts = [fact.model_copy(update={"on_request": False}) for fact in first.wish.facts]
    said = [first_words(goal, facts, rng, sampler.split) for _ in range(times)]
    wish = None if instead is None else instead.wish.fallback
    for plea, words in zip(rng.sample(PLEAS, times), said, strict=True):
        if words is None:
            return None
        again = first.wish.model_copy(update={"utterance": words[0], "facts": tuple(facts)})
        again = again.model_copy(update={"utterance": plea.format(say=continued(again), Say=again.utterance)})
        told = first.wish.must_communicate if wish is None else ()
        wish = again.model_copy(update={"fallback": wish, "must_communicate": told})
    begun = first.wish.model_copy(update={"fallback": wish, "must_communicate": ()})
    return replace(instead or first, wish=begun)
