"""What is cancelled, once or for good, and what repeats."""

from __future__ import annotations

from datetime import date, timedelta
from typing import Any

from domains.calendar.goals.draws import coming, is_ahead
from domains.calendar.schema import SERIES_DAYS
from domains.calendar.tools.series import cancel_event, set_recurrence
from sandbox.kit.goal import Draw, Goal, Slot, Tell

_RHYTHMS = {
    ("day", 1): "daily", ("week", 1): "weekly", ("week", 2): "every two weeks", ("week", 3): "every three weeks",
    ("month", 1): "monthly", ("month", 3): "every three months",
}  # fmt: skip


def _rhythm(draw: Draw) -> dict[str, Any]:
    every, interval = draw.rng.choice(list(_RHYTHMS))
    return {"every": every, "interval": interval}


def _until(draw: Draw) -> date:
    """A day of the next months, or one at the edge of what a series may last."""
    first: date = draw.values["event"].start.date()
    days = draw.rng.choice((28, 56, 70, 91, 112, 140, SERIES_DAYS, SERIES_DAYS + 1))
    return first + timedelta(days=days)


def _is_single(event: Any) -> bool:
    return event.row.repeats is None


def _is_repeated(event: Any) -> bool:
    return event.row.repeats is not None


CANCEL = (
    Goal(
        cancel_event,
        name="cancel",
        says=(
            "Cancel {event}.",
            "{event} is off. Please cancel it and tell the guests.",
            "I have to call off {event}.",
            "Please take {event} off everybody's calendar, it is cancelled.",
        ),
        verbs=("cancel", "drop"),
        slots=(Slot("event"), Slot("message")),
        fixed={"scope": "this_time"},
        where=_is_single,
    ),
    Goal(
        cancel_event,
        name="cancel_quietly",
        says=(
            "Cancel {event} quietly.",
            "Please call off {event} quietly, without a message to the guests.",
            "Drop {event} and send no message.",
            "I want {event} cancelled without a word to the guests.",
        ),
        verbs=("cancel", "drop"),
        slots=(Slot("event"),),
        fixed={"scope": "this_time"},
        where=_is_single,
    ),
    Goal(
        cancel_event,
        name="cancel_one",
        says=(
            "Skip {event} this time.",
            "Cancel only {event}, not the whole series. When is the next one?",
            "Skip {event}; the others of the series stay. When is the next one?",
            "Just this once, cancel {event}. When do we meet next?",
            "Please call off {event} alone and tell me the day of the next one.",
        ),
        verbs=("skip", "cancel"),
        slots=(Slot("event"), Slot("message")),
        fixed={"scope": "this_time"},
        tells=(Tell("next_on", kind="date", value=lambda result: result["next_on"]),),
        where=_is_repeated,
    ),
    Goal(
        cancel_event,
        name="cancel_rest",
        says=(
            "Cancel {event} and the following ones.",
            "Cancel {event} and all of that series after it.",
            "From {event} on, the series ends: cancel that one and all later ones.",
            "Please drop {event} with everything that follows in the series.",
            "We stop meeting: cancel {event} and the rest of the series.",
        ),
        verbs=("cancel", "drop"),
        slots=(Slot("event"), Slot("message")),
        fixed={"scope": "following"},
        where=_is_repeated,
    ),
)


REPEAT = Goal(
    set_recurrence,
    name="repeat",
    says=(
        "Repeat {event} {every}[ until {until}].",
        "Make {event} {every}[ until {until}].",
        "{event} should happen {every}[ until {until}].",
        "Please repeat {event} {every}[, until {until}].",
        "Turn {event} into a series, {every}[ until {until}].",
    ),
    verbs=("repeat",),
    slots=(
        Slot("event", draw=coming),
        Slot(
            "every",
            fills=("every", "interval"),
            draw=_rhythm,
            say=lambda value: _RHYTHMS[value["every"], value["interval"]],
        ),
        Slot("until", withheld=0.5, draw=_until, says=("Until {}.",)),
    ),
    tells=(Tell("last_on", kind="date"),),
    where=lambda event: is_ahead(event) and _is_single(event),
)
