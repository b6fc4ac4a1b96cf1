"""What is cancelled, once or for good, and what repeats."""

from datetime import date, timedelta
from typing import Any

from toolgym.domains.calendar import tools
from toolgym.domains.calendar.goals.draws import coming, is_ahead
from toolgym.domains.calendar.schema import SERIES_DAYS
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
        tools.cancel_event,
        name="cancel",
        slots=(Slot("event"), Slot("message")),
        fixed={"scope": "this_time"},
        where=_is_single,
    ),
    Goal(
        tools.cancel_event,
        name="cancel_quietly",
        slots=(Slot("event"),),
        fixed={"scope": "this_time"},
        where=_is_single,
    ),
    Goal(
        tools.cancel_event,
        name="cancel_one",
        slots=(Slot("event"), Slot("message")),
        fixed={"scope": "this_time"},
        tells=(Tell("next_on", kind="date", value=lambda result: result["next_on"]),),
        where=_is_repeated,
    ),
    Goal(
        tools.cancel_event,
        name="cancel_rest",
        slots=(Slot("event"), Slot("message")),
        fixed={"scope": "following"},
        where=_is_repeated,
    ),
)


REPEAT = Goal(
    tools.set_recurrence,
    name="repeat",
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
