"""Events that people put into their calendar, move and are reminded of."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from toolgym.domains.calendar.goals.draws import coming, is_ahead, moment
from toolgym.domains.calendar.schema import Event
from toolgym.domains.calendar.tools.events import create_event, set_reminder, update_event
from toolgym.sandbox.kit.goal import Goal, Same, Slot, Tell

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
            'Schedule "{title}" on {start}[ for {minutes}][, in {calendar}], please.',
            'Schedule "{title}" for me[, {minutes}][, in {calendar}], please.',
            'I need [{minutes}|some time] for "{title}"[ on {start}][ in {calendar}].',
            'Please block [{minutes}|some time] for "{title}"[ on {start}][, in {calendar}].',
            'Can you add "{title}"[ to {calendar}][ on {start}]?[ It takes {minutes}.]',
            'Could you put "{title}" down[ on {start}][ in {calendar}]?[ I need {minutes} for it.]',
            'I\'d like to create an event called "{title}"[ on {start}][, for {minutes}][, in {calendar}].',
            'Please make an entry for "{title}"[ on {start}][, lasting {minutes}][, in {calendar}].',
            'Would you schedule "{title}"[ for {start}][, with {minutes} for it][, in {calendar}]?',
            'Please set aside [{minutes}|some time][ on {start}] for "{title}"[ in {calendar}].',
            'I have to plan "{title}"[ on {start}]. Please create it[ with {minutes}][ in {calendar}].',
            'Let\'s get "{title}" scheduled[ on {start}][; {minutes} will do][; it belongs in {calendar}].',
            'Can I have [{minutes}|a slot][ on {start}] booked for "{title}"[ in {calendar}]?',
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
            "Move {event}[ to {start}] and tell me who has to answer again.",
            "Please push {event}[ to {start}]. Who has to answer again?",
            "Can {event} take place [on {start}|at another time] instead? I want to know who must answer again.",
            "I'd like {event} moved[ to {start}]; please tell me who is asked again.",
            "Could you reschedule {event}[ for {start}] and tell me who has to answer again?",
            "I can't make {event} as planned. Please move it[ to {start}] and say who has to reply again.",
            "Would you shift {event}[ to {start}]? I'd also like to know who will be asked again.",
            "Something came up, so please move {event}[ to {start}]. Whose answer do we need again?",
            "Please find {event} a new time[, {start}]. Who needs to answer once more?",
            "The time doesn't suit me: please move {event}[ to {start}] and let me know who must answer again.",
            "I want to reschedule {event}[ to {start}]. Who has to answer again then?",
            "It would be better to have {event} [on {start}|at another time]. Please move it and tell me who is "
            "asked again.",
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
            "Change the length of {event}[ to {minutes}], please.",
            "I think {event} should take [{minutes}|a different amount of time]. Please change that.",
            "Please give {event} [{minutes}|another length].",
            "Please set the length of {event}[ to {minutes}].",
            "Can you change how long {event} takes[, to {minutes}]?",
            "Could {event} [take {minutes}|be made longer or shorter]? Please change it.",
            "The time for {event} isn't right; please change its length[ to {minutes}].",
            "I'd like {event} to last [{minutes}|longer or shorter than planned].",
            "Would you adjust the length of {event}[ to {minutes}]?",
            "Please change the duration of {event}[ to {minutes}].",
            "I planned the wrong length for {event}[; make it {minutes}, please].",
            "We need [{minutes}|another length] for {event}. Please change it.",
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
        "Set a reminder for {event}[, {minutes_before} before it starts], please.",
        "Remind me about {event}[ {minutes_before} before it starts], please.",
        "I want a reminder for {event}[, {minutes_before} ahead of it].",
        "Please remind me about {event}[ {minutes_before} before].",
        "Can I get a reminder for {event}[ {minutes_before} before it begins]?",
        "I mustn't miss {event}: please remind me about it[ {minutes_before} before].",
        "Could you set up a reminder for {event}[, {minutes_before} in advance]?",
        "I'd like to be reminded about {event}[ {minutes_before} beforehand].",
        "I keep forgetting things. Please set a reminder for {event}[, {minutes_before} before].",
        "Would you remind me about {event}[ {minutes_before} before it starts]?",
        "Please add a reminder to {event}[: {minutes_before} before].",
        "I need a reminder for {event}[ {minutes_before} ahead of time].",
    ),
    verbs=("set", "remind"),
    slots=(
        Slot("event", draw=coming),
        Slot("minutes_before", withheld=0.3, draw=(10, 15, 20, 30, 45, 90), says=("{} before.",)),
    ),
    where=lambda event, minutes_before: is_ahead(event) and event.row.reminder_minutes != minutes_before,
)
