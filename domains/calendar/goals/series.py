"""What is cancelled, once or for good, and what repeats."""

from __future__ import annotations

from datetime import date, timedelta
from typing import Any

from toolgym.domains.calendar.goals.draws import coming, is_ahead
from toolgym.domains.calendar.schema import SERIES_DAYS
from toolgym.domains.calendar.tools.series import cancel_event, set_recurrence
from toolgym.sandbox.kit.goal import Draw, Goal, Slot, Tell

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
            "Cancel {event}, please.",
            "I'm calling off {event}. Please cancel it and tell the guests.",
            "I have to call off {event}.",
            "Please take {event} off everybody's calendar; it's cancelled.",
            "Can you cancel {event} and let everybody know?",
            "I'd like to cancel {event}, please.",
            "We don't need {event} any more. Please cancel it.",
            "Could you cancel {event} for me?",
            "Please cancel {event} and send the guests word.",
            "I won't be holding {event} after all; please cancel it.",
            "Would you please cancel {event}?",
            "There is no longer a reason for {event}, so please cancel it.",
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
            "Cancel {event} quietly, please.",
            "Please call off {event} quietly, without a message to the guests.",
            "Please drop {event} and send no message.",
            "I want {event} cancelled without a word to the guests.",
            "Can you cancel {event} without telling anybody?",
            "I'd like to cancel {event}, but don't send the guests a message.",
            "Could you cancel {event} and not notify the guests?",
            "Please cancel {event}. No message to the guests, please.",
            "Everybody knows already, so please cancel {event} without a message.",
            "Would you cancel {event} silently? Nobody needs to be told.",
            "Please remove {event} quietly; I've told the guests myself.",
            "I need {event} cancelled, and no notification should go out.",
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
            "Skip {event} this time and tell me when the next one is.",
            "Please cancel only {event}, not the whole series. When is the next one?",
            "Please skip {event}; the rest of the series stays. When is the next one?",
            "Just this once, cancel {event}, please. When do we meet next?",
            "Please call off {event} alone and tell me the day of the next one.",
            "I can't make it that day, so please cancel just {event}. When's the next one?",
            "Could you cancel {event} without touching the rest of the series? And when is the next?",
            "We're leaving out {event}. Please cancel that one and tell me when the next one is.",
            "Can we skip {event}, only that one? I'd like to know the date of the next.",
            "I'd like to drop just {event} from the series. On what day do we meet after that?",
            "Please cancel {event}, but keep the series going. What's the date of the next one?",
            "Would you cancel {event} this once and tell me when the series goes on?",
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
            "Cancel {event} and the following ones, please.",
            "Please cancel {event} and the later ones of that series.",
            "The series is to end before {event}: please cancel that one and the later ones.",
            "Please drop {event} along with what follows in the series.",
            "We're going to stop meeting: please cancel {event} and the rest of the series.",
            "Can you cancel {event} and what comes after it in the series?",
            "I'd like to end the series: cancel {event} and those that come after it, please.",
            "Could you cancel {event} and the later ones?",
            "We don't need these any more. Please cancel {event} and the ones that follow.",
            "Please end the series, starting with {event}: that one and the later ones should go.",
            "I want {event} and the following ones cancelled.",
            "Would you cancel {event}, and with it the rest of the series?",
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
        "Repeat {event} {every}[ until {until}], please.",
        "Please make {event} {every}[ until {until}].",
        "I want {event} to happen {every}[ until {until}].",
        "Please repeat {event} {every}[, until {until}].",
        "Please turn {event} into a series, {every}[ until {until}].",
        "Can we have {event} {every} from now on[, until {until}]?",
        "I'd like {event} to take place {every}[, up to {until}].",
        "Could you set {event} to repeat {every}[ until {until}]?",
        "Let's do {event} {every}[, with {until} as the last day].",
        "Would you make a series of {event}, {every}[, until {until}]?",
        "Once isn't enough: please repeat {event} {every}[ until {until}].",
        "Please have {event} come round {every}[ until {until}].",
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
