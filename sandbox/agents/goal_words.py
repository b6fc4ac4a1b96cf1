"""What agents say about a declared goal: questions for its slots, proposals with all details, what a result tells.

The words come from the goal's declaration (sentences, verbs, names of parameters) and from how the user spoke; nothing
here knows a world.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence
from datetime import date, datetime, time
from random import Random
from typing import Any

from toolgym.sandbox.agents.phrases import phrase
from toolgym.sandbox.kit.goal import Goal, Slot, Tell
from toolgym.sandbox.kit.message import Json
from toolgym.sandbox.kit.reference import Kind
from toolgym.sandbox.kit.sentence import filled, places, without_untold
from toolgym.sandbox.kit.table import noun
from toolgym.sandbox.language.money import in_words as money_in_words
from toolgym.sandbox.synthesis.person import second_person
from toolgym.sandbox.synthesis.value_words import in_words

_BEFORE = ("from", "to", "into", "onto", "for", "with", "by", "in", "on", "at", "out of")
"""Words before a place of a sentence that tell slots of one sort apart: "to {target}"."""
_QUESTIONS: dict[Kind, tuple[str, ...]] = {
    "money": ("How much should it be?", "What amount should it be?", "How much is it, please?"),
    "date": ("On which day should that be?", "Which day would you like?", "When should that be?"),
    "moment": ("When should that be, on which day and at what time?", "Which day and time would you like?"),
    "time": ("At what time should that be?", "What time would you like?"),
    "duration": ("How long should it take?", "How long should it be?"),
}
_ASKED_NICELY = re.compile(r"^(?:please|could you|can you|would you|kindly)(?: please)? ", re.IGNORECASE)

_MORE_THAN_ORDER = re.compile(r"[.?!;:]|\bplease\b|\bfor me\b", re.IGNORECASE)
"""What an order said back would not hold: a second sentence, a reason, a courtesy."""

_TELL_ME = re.compile(r",?(?: and|;)? (?:tell|let) me\b[^{}]*$")
"""What an order asks to be told besides."""


def called(name: str) -> str:
    """What a parameter or a column is called: `amount_cents` is an amount, `target.balance_cents` a balance."""
    last = [part for part in name.split(".") if not part.isdigit()][-1]
    plain = last.removesuffix("_cents").removesuffix("_id").replace("_", " ").strip()
    return plain.upper() if len(plain) <= 3 and plain in ("pin", "otp", "id", "zip") else plain


def question(goal: Goal, name: str, rng: Random) -> str:
    """A question for one slot of a goal."""
    kind = goal.tool.kinds.get(name, "text")
    if kind == "reference":
        return _which(goal, name, rng)
    alike = [other for other in goal.tool.kinds if goal.tool.kinds[other] == kind]
    if kind in _QUESTIONS and (len(alike) == 1 or len([slot for slot in goal.slots if slot.name in alike]) == 1):
        return rng.choice(_QUESTIONS[kind])
    words = _named(goal.slot(name), kind)
    return rng.choice((f"What is the {words}?", f"Could you tell me the {words}?", f"Which {words} should it be?"))


def _named(slot: Slot, kind: Kind) -> str:
    """A slot by its name: `first_on` is the first day."""
    if kind == "date":
        return f"{called(slot.name).removesuffix(' on')} day"
    return called(slot.name)


def _which(goal: Goal, name: str, rng: Random) -> str:
    table = goal.tool.references[name]
    thing, side = noun(table), preposition(goal, name)
    twins = [other for other, each in goal.tool.references.items() if each is table]
    if len(twins) > 1 and side:
        return rng.choice((f"{side.capitalize()} which {thing}?", f"{side.capitalize()} which {thing} should it be?"))
    if len(twins) > 1:
        return f"Which {thing} is the {called(name)}?"
    return rng.choice((f"Which {thing} do you mean?", f"Which {thing} is it about?", f"Which {thing} should it be?"))


def preposition(goal: Goal, name: str) -> str:
    """The word that goes before a slot in the goal's sentences; empty where there is none."""
    before = re.compile(rf"\b({'|'.join(_BEFORE)}) \{{{name}[}}:]", re.IGNORECASE)
    return next((found.group(1).lower() for says in goal.says if (found := before.search(says))), "")


# --- proposals ---


def proposal(goal: Goal, words: Mapping[str, str], rng: Random, avoiding: Collection[str] = ()) -> str:
    """What will be done, with every detail, and the question for a yes.

    Args:
        goal: what is wanted.
        words: what each slot is, in the user's words or better ones.
        rng: draws the wording.
        avoiding: words that mean something else in this world.
    """
    told = to_user(words)
    imperatives = [made for says in goal.says if (made := _order(goal, says, told)) is not None]
    if imperatives and (goal.fixed or rng.random() < 0.7):
        order, named = rng.choice(imperatives)
        rest = [_detail(goal, name, text) for name, text in told.items() if name not in named]
        said = f"{order} ({', '.join(rest)})" if rest else order
        return f"{phrase('propose', rng, said, avoiding=avoiding)} {phrase('agree', rng, avoiding=avoiding)}"
    return listed(goal, told, rng, avoiding)


def to_user(words: Mapping[str, str]) -> dict[str, str]:
    """The user's words as they are said to the user: my account is your account; what is quoted stays."""
    return {name: text if text.startswith('"') else second_person(text) for name, text in words.items()}


def quoted(text: str) -> str:
    """The user's own words, such as a reason, where they speak of the user."""
    return f'"{text}"' if second_person(text) != text else text


def listed(goal: Goal, told: Mapping[str, str], rng: Random, avoiding: Collection[str] = ()) -> str:
    """A proposal as a list of details."""
    begin = phrase("list", rng, goal.verbs[0], avoiding=avoiding).rstrip(".:")
    details = "\n".join(f"- {_detail(goal, name, text)}" for name, text in told.items())
    agree = phrase("agree", rng, avoiding=avoiding)
    return f"{begin}:\n{details}\n{agree}" if details else f"{begin}. {agree}"


def _order(goal: Goal, says: str, told: Mapping[str, str]) -> tuple[str, set[str]] | None:
    """A goal's sentence as something to do ("move $20 from ..."), with the slots it names; None where it is none."""
    kept = _TELL_ME.sub("", _ASKED_NICELY.sub("", without_untold(says, told)).rstrip(".!?"))
    named = {name for name, _ in places(kept)}
    first = kept.split(" ", 1)[0].lower()
    if first not in goal.verbs or not named <= set(told) or _MORE_THAN_ORDER.search(kept):
        return None
    text = second_person(filled(kept, {name: f"\0{name}\0" for name in named}))
    for name in named:
        text = text.replace(f"\0{name}\0", told[name])
    return text[0].lower() + text[1:], named


def _detail(goal: Goal, name: str, text: str) -> str:
    kind, tables = goal.tool.kinds.get(name, "text"), goal.tables
    if name in tables:
        side, twins = preposition(goal, name), sum(each is tables[name] for each in tables.values()) > 1
        return f"{side} {text}" if twins and side else text
    label = "day" if kind == "date" and "on" in name.split("_")[1:] else called(name)
    if kind == "date" and sum(each == "date" for each in goal.tool.kinds.values()) > 1:
        label = _named(goal.slot(name), kind)
    return f"{label}: {text}"


# --- values ---


def value_in_words(kind: Kind, value: Any, rng: Random, now: datetime | None = None) -> str:
    """A value of a tool's result as an agent tells it; a day of another year than the present one with its year."""
    if kind == "money":
        return money_in_words(int(value))
    if isinstance(value, str) and kind in ("date", "moment", "time"):
        read: Mapping[str, Any] = {"date": date, "moment": datetime, "time": time}
        value = read[kind].fromisoformat(value)
    return in_words(kind, value, rng, now=now)


def told(label: str, value: str, rng: Random) -> str:
    """A sentence that tells a value."""
    text = phrase("told", rng, label, value)
    return text[0].upper() + text[1:]


def label_of(tell: Tell) -> str:
    """What something that must be told is called."""
    return called(tell.name) or next(iter(tell.near), "")


def within(result: Json, path: str) -> Json:
    """A value in a result by its path, such as `items.0.name`; None where there is none."""
    for part in path.split("."):
        try:
            result = result[int(part)] if isinstance(result, list) else result[part]
        except (KeyError, IndexError, TypeError, ValueError):
            return None
    return result


def together(parts: Sequence[str]) -> str:
    """Sentences one after the other."""
    return " ".join(part for part in parts if part)
