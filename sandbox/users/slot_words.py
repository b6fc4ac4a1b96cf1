"""How a user words one typed fact of its wish: told in a sentence, or asked back. Nothing else is ever said."""

from __future__ import annotations

import re
from collections.abc import Sequence
from random import Random

from toolgym.sandbox.kit.goal import Tell
from toolgym.sandbox.language.nlg_templates import Style, statement
from toolgym.sandbox.users.slots import WishSlot

_SAYS: dict[str, tuple[str, ...]] = {
    "reference": ("I mean {}.", "It's {}."),
    "money": ("It's {}.", "The amount is {}."),
    "date": ("On {}.", "It should be {}."),
    "time": ("At {}.",),
    "moment": ("On {}.", "It should be {}."),
    "duration": ("It takes {}.", "{}, please."),
    "number": ("{}, please.", "That makes {}."),
}
_SIDES = {"from": "From {}.", "to": "To {}."}
_OPEN: dict[str, str] = {
    "money": "And how much would it be?",
    "date": "And on which day would it be?",
    "time": "And at what time would it be?",
    "moment": "And when would it be?",
    "duration": "And how long would it be?",
    "number": "And how many would it be?",
}
_STATES = frozenset("left free open due used saved spent available reserved".split())
"""Words for an amount that are no names of one."""
_COUNTED = frozenset(("piece", "attempt"))
"""What stands in the singular alone where a goal says what belongs to a count."""
_WHEN = {
    "next": "When is the next one?",
    "last": "When is the last one?",
    "due": "When is it due?",
    "sent": "When was that sent?",
    "send": "When does it go out?",
    "execute": "When does it go out?",
}
_ASKED = {
    "asked again": "Who is asked again?",
    "0": "Who did it go to?",
    "standing": "What is my standing now?",
    "state": "What is the state now?",
    "delivery": "How did the delivery go?",
    "start": "When does it start?",
    "end": "When does it end?",
    "carried": "How much is carried over?",
    "alert": "At what price is the alert?",
}
"""Questions for what no rule words, by the field's name or by the word that belongs to it."""
_COMES_TO = frozenset("payment offer refund charge amount".split())
"""Words for a sum that somebody pays or gets."""
_PLURAL = re.compile(r"[a-z](?<![aisu])s$")
"""Several of them; "status" and "address" are one."""
_CLAUSE = ("I ", "it ", "it's ", "they ", "we ", "my ")
"""What begins words that are a sentence of their own."""


def sentence_of(slot: WishSlot, style: Style, rng: Random) -> str:
    """What tells a fact."""
    if slot.sentences:
        text = rng.choice(slot.sentences).replace("{}", slot.words)
    elif slot.twins and slot.roles:
        text = _SIDES[sorted(slot.roles)[0]].format(slot.words)
    elif slot.kind in _SAYS:
        text = rng.choice(_SAYS[slot.kind]).format(slot.words)
    else:
        text = statement(plain_name(slot.fact.name), slot.words, style, rng, _forms(slot))
    return text[0].upper() + text[1:]


def question_for(slot: WishSlot, noun: str) -> str:
    """What asks for a fact that nobody has told; `noun` is what a row of its table is called, if it has one."""
    return _OPEN.get(slot.kind, f"And which {noun or plain_name(slot.fact.name)} would it be?")


def question_of(tell: Tell) -> str:
    """What asks for something that a user has to be told: "How much is left?", "When is that?"."""
    name = plain_name(tell.name)
    word = tell.near[0] if tell.near else name
    if question := _ASKED.get(name, "" if word == name else _ASKED.get(word, "")):
        return question
    is_money = tell.name.endswith("_cents") or tell.kind == "money"
    counted = next((each for each in tell.near if f"{each}s" in tell.near or each in _COUNTED), "")
    if counted and name == "difference":
        return f"By how many {counted}s does it differ?"
    if counted and not is_money:
        return f"How many {counted}s {_of_what(counted, name)}?"
    if name.endswith(" left"):
        return f"How many {name}?"
    if word in _STATES:
        return f"How much is {word}?"
    if word == "until":
        return "Until when is that?"
    if is_money and word in _COMES_TO:
        return f"How much is the {word}?"
    what, _, when = name.rpartition(" ")
    if when in ("on", "at"):
        return _WHEN.get(what, f"When does it {what[:-1]}?" if what.endswith("s") else "When is that?")
    return f"What {'are' if _PLURAL.search(word) else 'is'} the {word}?"


def _of_what(counted: str, name: str) -> str:
    """What is asked of things that are counted: "were moved", "are left", "are there"."""
    last = name.rsplit(" ", 1)[-1]
    if counted == "time":
        return f"was it {last}"
    if last.endswith("ed"):
        return f"were {last}"
    return "are left" if last == "left" else "are there"


def plain_name(name: str) -> str:
    """A parameter's name as people would say it."""
    return name.rsplit(".", 1)[-1].removesuffix("_cents").replace("_", " ")


def _forms(slot: WishSlot) -> Sequence[str]:
    """Sentences that tell what nothing else words; nobody says "The scope is following", or "The good is ..."."""
    if slot.kind in ("secret", "identifier"):
        return ()
    if slot.fact.name.startswith("new_"):
        return ("{} instead, please.", "I'd like {} instead.")
    return ("{}.",) if "reason" in slot.fact.name or slot.words.startswith(_CLAUSE) else ("{}.", "{}, please.")
