"""Events that people put into their calendar, move and are reminded of."""

from datetime import datetime
from typing import Any

from toolgym.domains.calendar import tools
from toolgym.domains.calendar.goals.draws import coming, is_ahead, moment
from toolgym.domains.calendar.schema import Event
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
        tools.create_event,
        name="schedule",
        slots=(
            Slot("title", draw=_TITLES),
            Slot("start", withheld=0.3, draw=moment, says=("On {}.",)),
            Slot("minutes", withheld=0.4, draw=(15, 30, 45, 60, 90), says=("It takes {}.",), same_as=_AS_LONG),
            Slot("calendar", given=0.35),
        ),
    ),
    Goal(
        tools.update_event,
        name="move",
        slots=(Slot("event"), Slot("start", withheld=0.4, draw=moment, says=("To {}.",))),
        tells=(Tell("asked_again"),),
        where=_moves,
    ),
    Goal(
        tools.update_event,
        name="lengthen",
        slots=(Slot("event"), Slot("minutes", withheld=0.3, draw=(15, 20, 30, 45, 60, 75, 90, 120), same_as=_AS_LONG)),
        tells=(Tell("asked_again"),),
        where=_gets,
    ),
)


REMINDER = Goal(
    tools.set_reminder,
    name="remind",
    slots=(
        Slot("event", draw=coming),
        Slot("minutes_before", withheld=0.3, draw=(10, 15, 20, 30, 45, 90), says=("{} before.",)),
    ),
    where=lambda event, minutes_before: is_ahead(event) and event.row.reminder_minutes != minutes_before,
)
