"""How scripted agents word what they do: several ways for each act, drawn from a seed. Not for deciding what to do.

No phrase names a thing of any world: what is spoken of comes from declarations, tools' results and the conversation.
"""

from __future__ import annotations

import re
from collections.abc import Collection
from random import Random
from typing import Literal

Act = Literal[
    "propose",
    "list",
    "own_side",
    "agree",
    "meant",
    "done",
    "found",
    "told",
    "refuse",
    "unmet",
    "left",
    "ask",
    "secret",
    "more",
    "hand_over",
]

_WORD = re.compile(r"[a-z]+")
_PHRASES: dict[Act, tuple[str, ...]] = {
    "propose": ("I will {}.", "I'm going to {}.", "If I have it right, I would {}.", "I can {}."),
    "list": ("Here is what I would do: {}.", "Let me repeat it, I would {}:", "If I understand it right, I would {}:"),
    "own_side": (
        "On my side I would now make the change that it needs.",
        "There is a change for me to make on my side.",
    ),
    "agree": (
        "Shall I go ahead?",
        "Shall I go ahead (yes/no)?",
        "Is that right, shall I do it?",
        "Do you want me to go ahead?",
        "Please confirm with yes or no.",
    ),
    "meant": ("Yes.", "Yes, exactly.", "Yes, that is right."),
    "done": ("That is done.", "It has been done.", "It's done now.", "All done, it has gone through."),
    "found": ("I have looked it up.", "I've checked that for you.", "Here is what I found.", "Thanks for waiting."),
    "told": ("The {} is {}.", "The {} is now {}.", "For your information, the {} is {}.", "{}: {}."),
    "refuse": (
        "I am sorry, that is not possible.",
        "Unfortunately I cannot do that.",
        "I'm afraid that is not possible.",
        "I have looked into it, and I am not able to do that.",
    ),
    "unmet": (
        "Your condition does not hold, so I have changed nothing.",
        "That is not the case, so I leave everything as it is.",
        "What you made it depend on does not hold, so nothing was changed.",
    ),
    "left": ("Then I leave everything as it is.", "All right, I have changed nothing."),
    "ask": ("{}", "Thank you. {}", "Of course. {}", "I can look into that. {}", "Gladly. {}"),
    "secret": ("Could you tell me your {}, please?", "I need your {} for that.", "Please tell me your {} first."),
    "more": (
        "Is there anything else?",
        "Can I help you with anything else?",
        "Is there anything else that you need?",
        "",
    ),
    "hand_over": ("A colleague of mine has to look at this.", "I hand you over to a colleague of mine."),
}


def phrase(act: Act, rng: Random, *about: str, avoiding: Collection[str] = ()) -> str:
    """Words for an act; `about` fills its places.

    Args:
        act: what is done.
        rng: draws among the ways.
        about: what is spoken of.
        avoiding: words that mean something else here, such as the verbs of a world in which events repeat.
    """
    usual = _PHRASES[act]
    clear = [text for text in usual if not set(_WORD.findall(text.lower())) & set(avoiding)]
    return rng.choice(clear or usual).format(*about)


def of(act: Act) -> tuple[str, ...]:
    """Every way to word an act."""
    return _PHRASES[act]
