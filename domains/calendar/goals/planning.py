"""Events that people put into their calendar, move and are reminded of."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from domains.calendar.goals.draws import coming, is_ahead, moment
from domains.calendar.schema import Event
from domains.calendar.tools.events import create_event, set_reminder, update_event
from sandbox.kit.goal import Goal, Same, Slot, Tell

_TITLES = (
    "Budget draft",
    "Focus time",
    "Vendor call",
    "Interview notes",
    "Demo rehearsal",
    "Travel booking",
    "Offsite",
)
_AS_LONG = (Same(Event, "minutes", "as much time as {it} takes"),)


def _moves(event: Any, start: datetime) -> bool:
    return bool(event.row.start != start)


def _gets(event: Any, minutes: int) -> bool:
    return bool(event.row.minutes != minutes)


PLANNING = (
    Goal(
        create_event,
        name="schedule",
        says=(
            'Schedule "{title}" on {start}, it takes {minutes}.',
            'I need {minutes} for "{title}" on {start}[ in {calendar}].',
            'Please block {minutes} for "{title}", {start}[, in {calendar}].',
            'Can you add "{title}"[ to {calendar}] on {start}? It takes {minutes}.',
            'Schedule "{title}" for me[, {start}][, {minutes}][, in {calendar}].',
        ),
        verbs=("schedule", "create"),
        slots=(
            Slot("title", draw=_TITLES),
            Slot("start", withheld=0.3, draw=moment, says=("On {}.",)),
            Slot("minutes", withheld=0.4, draw=(15, 30, 45, 60, 90), says=("It takes {}.",), same_as=_AS_LONG),
            Slot("calendar", given=0.35),
        ),
    ),
    Goal(
        update_event,
        name="move",
        says=(
            "Move {event}[ to {start}].",
            "Please push {event}[ to {start}]. Who has to answer again?",
            "Can {event} take place on {start} instead? I want to know who must answer again.",
            "I'd like {event} moved[ to {start}]; tell me who is asked again.",
        ),
        verbs=("move", "reschedule", "push", "shift"),
        slots=(Slot("event"), Slot("start", withheld=0.4, draw=moment, says=("To {}.",))),
        tells=(Tell("asked_again"),),
        where=_moves,
    ),
    Goal(
        update_event,
        name="lengthen",
        says=(
            "Change the length of {event} to {minutes}.",
            "{event} should take {minutes}.",
            "Please give {event} {minutes}.",
            "Let {event} take {minutes}.",
            "Change how long {event} takes[: {minutes}].",
        ),
        verbs=("change", "lengthen", "shorten"),
        slots=(Slot("event"), Slot("minutes", withheld=0.3, draw=(15, 20, 30, 45, 60, 75, 90, 120), same_as=_AS_LONG)),
        tells=(Tell("asked_again"),),
        where=_gets,
    ),
)


REMINDER = Goal(
    set_reminder,
    name="remind",
    says=(
        "Set a reminder {minutes_before} before {event}.",
        "Remind me {minutes_before} before {event}.",
        "I want a reminder {minutes_before} ahead of {event}.",
        "Set a reminder for {event}[, {minutes_before} before it].",
        "Please remind me of {event}[ {minutes_before} before].",
    ),
    verbs=("set", "remind"),
    slots=(
        Slot("event", draw=coming),
        Slot("minutes_before", withheld=0.3, draw=(10, 15, 20, 30, 45, 90), says=("{} before.",)),
    ),
    where=lambda event, minutes_before: is_ahead(event) and event.row.reminder_minutes != minutes_before,
)
