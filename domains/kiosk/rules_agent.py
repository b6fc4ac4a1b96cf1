"""What the `rules` agent knows about selling tickets. It sees no task."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from toolgym.sandbox.agents.dialogue import DialogueContext, Script
from toolgym.sandbox.kit.errors import Refusal

_EVENINGS = ("Friday", "Saturday", "Sunday")
_MORE = "Is there anything else?"
_COUNT = re.compile(r"how many|which seats|what seats|free seats|still free|available", re.IGNORECASE)
_HANDOVER = re.compile(r"\b(?:move|transfer|give|pass|hand)\b.*\bto\b|other name|rename", re.IGNORECASE)
_RELEASE = re.compile(r"\b(?:give back|return|cancel|release|hand back|can't come)\b", re.IGNORECASE)
_RESERVE = re.compile(r"\b(?:book|reserve|buy|get|want)\b", re.IGNORECASE)
_SEAT = re.compile(r"\b([A-B][1-4])\b")
_NAME = re.compile(r"\b([A-Z][\w'-]+ [A-Z][\w'-]+)\b")
_MOST_TICKETS = 2


def rules_agent(dialogue: DialogueContext) -> Script[None]:
    """Serve one customer: wish by wish, until they end the conversation."""
    holder = ""
    while True:
        text = dialogue.last
        if _COUNT.search(text):
            yield from _count(dialogue)
        elif _RELEASE.search(text):
            holder = holder or (yield from _ask_name(dialogue))
            yield from _release(dialogue, text, holder)
        elif _HANDOVER.search(text):
            yield from dialogue.say(f"I am sorry, a ticket cannot be moved to another name. {_MORE}")
        elif _RESERVE.search(text):
            holder = holder or (yield from _ask_name(dialogue))
            yield from _reserve(dialogue, text, holder)
        else:
            yield from dialogue.say(
                "How can I help you? I can tell you free seats, book a seat, or take a ticket back."
            )


def _count(dialogue: DialogueContext) -> Script[None]:
    evening = yield from _ask_evening(dialogue, dialogue.last)
    free = yield from dialogue.call("list_free_seats", evening=evening)
    seats = ", ".join(ticket["seat"] for ticket in free)
    yield from dialogue.say(f"On {evening} there are {len(free)} free seats: {seats}. {_MORE}")


def _release(dialogue: DialogueContext, wish: str, holder: str) -> Script[None]:
    held = yield from dialogue.call("find_tickets", holder=holder)
    fitting = [ticket for ticket in held if _fits(ticket, wish)]
    if not fitting:
        yield from dialogue.say(f"I am sorry, I cannot do that: {holder} holds no such ticket. {_MORE}")
        return
    yield from _act(dialogue, "release_ticket", "release", fitting[0], holder)


def _reserve(dialogue: DialogueContext, wish: str, holder: str) -> Script[None]:
    evening = yield from _ask_evening(dialogue, wish)
    held = yield from dialogue.call("find_tickets", holder=holder)
    if len(held) >= _MOST_TICKETS:
        yield from dialogue.say(f"I am sorry, a third ticket is not possible; you hold {len(held)} already. {_MORE}")
        return
    seat = _SEAT.search(wish) or _SEAT.search((yield from dialogue.say("Which seat would you like?")))
    free = yield from dialogue.call("list_free_seats", evening=evening)
    fitting = [ticket for ticket in free if seat is None or ticket["seat"] == seat.group(1)]
    if not fitting:
        yield from dialogue.say(f"I am sorry, that seat is not available on {evening}. {_MORE}")
        return
    yield from _act(dialogue, "reserve_ticket", "reserve", fitting[0], holder)


def _act(dialogue: DialogueContext, tool: str, verb: str, ticket: Mapping[str, Any], holder: str) -> Script[None]:
    what = f"seat {ticket['seat']} on {ticket['evening']} (${ticket['price']:.2f})"
    if not (yield from dialogue.confirm(f"I would {verb} {what} for {holder}.")):
        return  # the answer holds the corrected wish and is read next
    try:
        yield from dialogue.call(tool, ticket_id=ticket["ticket_id"], holder=holder)
    except Refusal as refusal:
        yield from dialogue.say(f"I am sorry, that is not possible. {refusal.message} {_MORE}")
        return
    yield from dialogue.say(f"I have {verb}d {what} for {holder}. {_MORE}")


def _ask_name(dialogue: DialogueContext) -> Script[str]:
    for _ in range(3):
        answer = yield from dialogue.say("What is your full name, please?")
        name = _NAME.search(re.sub(r"^(?:My|The|I'm|Name|It's|This)\b|I'm", "", answer))
        if name:
            return name.group(1)
    return ""


def _ask_evening(dialogue: DialogueContext, text: str) -> Script[str]:
    evening = _evening(text)
    while evening is None:
        evening = _evening((yield from dialogue.say("Which evening is it about: Friday, Saturday or Sunday?")))
    return evening


def _evening(text: str) -> str | None:
    return next((evening for evening in _EVENINGS if evening.lower() in text.lower()), None)


def _fits(ticket: Mapping[str, Any], wish: str) -> bool:
    seat, evening = _SEAT.search(wish), _evening(wish)
    return (seat is None or ticket["seat"] == seat.group(1)) and (evening is None or ticket["evening"] == evening)
