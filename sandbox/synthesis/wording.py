"""Words that the tasks of every world share: lists, and ways to go on. What a world speaks of has its words there."""

from __future__ import annotations

from collections.abc import Iterable
from random import Random

from toolgym.sandbox.kit.sentence import filled, places, without_untold
from toolgym.sandbox.kit.task import Goal, Task
from toolgym.sandbox.kit.telling import Telling
from toolgym.sandbox.runtime.registry import get_domain

NO = Telling("cannot", "refusal")
"""That it is not possible, in any words."""
HINTS = (
    "",
    " Let me know if that doesn't work.",
    " If that isn't possible, I have another idea.",
    " If you can't do that, there's something else I'd settle for.",
    " Otherwise I have a second choice.",
)
LATER = (
    "Also, {say}",
    "One more thing: {say}",
    "And there's something else: {say}",
    "While I have you: {say}",
    "Next: {say}",
    "That's not all: {say}",
)
CHANGED = (
    "I've changed my mind: {say}",
    "Actually, I've thought again: {say}",
    "On second thought, I'd rather do something else: {say}",
    "Wait, I've changed my mind about this: {say}",
)
TAKEN_BACK = (
    "Actually, no. Please leave everything as it is.",
    "Hold on, I've decided against it. Please don't change anything.",
    "Wait, forget about that. Leave it the way it is, please.",
    "Hmm, no, let's not do that after all.",
)
"""How a wish is taken back when the agent proposes to carry it out."""
HURRIED = (
    " And yes, go ahead.",
    " Yes, I'm sure.",
    " I agree to it already, so go ahead.",
    " You have my yes.",
)
"""How somebody says yes before anything was proposed."""
THEN = ("{Say}", "{Say}", "Then {say}", "And then {say}", "Now {say}", "And {say}")
"""How a wish follows an answer or another wish about the same thing; the thanks for that come before."""
AND = ("{Say}", "{Say}", "And {say}")
"""How a question does, and a wish that begins with a reason."""
INSTEAD = ("Then {say}", "In that case, {say}", "All right, then {say}", "OK, {say}", "{Say}")
"""How a wish takes the place of one that was refused."""
OTHERWISE = ("{Say}", "OK. {Say}", "All right. {Say}", "I see. {Say}")
"""How one does that begins with a reason."""
PLEAS = (
    "But it really matters to me. {Say}",
    "Please make an exception, just this once. {Say}",
    "I was told last week that this would be no problem. {Say}",
    "A colleague of yours has done this for me before. {Say}",
    "I'm in a hurry and have nobody else to ask. {Say}",
    "Surely there's a way around that. {Say}",
    "That can't be right. {Say}",
    "I'll take full responsibility. {Say}",
)
"""How a wish is asked for again by somebody who was told no."""
ONLY = ("But please do that only", "Do this only", "I only want that")
"""What goes before a condition that follows the wish."""
BEGINNINGS = ("Please", "Could", "Can", "Would", "I want", "I'd like", "I need")
"""Of wishes that a condition may stand before."""


def lower_first(text: str) -> str:
    """A sentence as it continues another; `I` stays a capital."""
    return text if text.startswith(("I ", "I'")) else text[0].lower() + text[1:]


def continued(wish: Goal) -> str:
    """A wish's words as they continue a sentence; a name that they begin with keeps its capital."""
    text, known = wish.utterance, [fact.words for fact in wish.facts]
    return text if any(words[:1].isupper() and text.startswith(words) for words in known) else lower_first(text)


def led_in(wish: Goal, rng: Random, *, instead: bool = False) -> str:
    """A wish's words after others: `{say}` continues a sentence, `{Say}` begins one.

    Args:
        wish: the wish.
        rng: decides the words.
        instead: it takes the place of one that was refused.
    """
    is_plain = wish.utterance.startswith(BEGINNINGS)
    fitting = (INSTEAD if is_plain else OTHERWISE) if instead else (THEN if is_plain else AND)
    return rng.choice(fitting).format(say=continued(wish), Say=wish.utterance)


def listed(parts: Iterable[str]) -> str:
    """A, B and C."""
    words = list(parts)
    return words[0] if len(words) == 1 else f"{', '.join(words[:-1])} and {words[-1]}"


def is_typed(task: Task) -> bool:
    """Whether the wishes of a task are compared by the goals that its world declares."""
    typed = any(fact.kind is not None for goal in task.every_goal() for fact in goal.facts)
    return bool(get_domain(task.domain).goals) and (typed or not any(goal.facts for goal in task.every_goal()))


def said_otherwise(domain: str, goal: Goal) -> list[str]:
    """A wish in its goal's other sentences, with nothing that is told on request alone.

    Args:
        domain: its world.
        goal: the wish.
    """
    facts = [fact for fact in goal.facts if fact.kind is not None and not fact.on_request]
    told = {fact.name: fact.words or str(fact.value) for fact in facts}
    declared = next((each for each in get_domain(domain).goals if each.name == goal.kind), None)
    fitting = [] if declared is None else [says for says in declared.says if {n for n, _ in places(says)} <= set(told)]
    made = [filled(without_untold(says, told), told) for says in fitting]
    return [text[0].upper() + text[1:] for text in made]
