"""What people want of their calendar, and how they speak of what is in it."""

from typing import Any

from toolgym.domains.calendar import tools
from toolgym.domains.calendar.goals.composed import COMPOSED
from toolgym.domains.calendar.goals.guests import ANSWERS, GUESTS
from toolgym.domains.calendar.goals.planning import PLANNING, REMINDER
from toolgym.domains.calendar.goals.questions import QUESTIONS
from toolgym.domains.calendar.goals.rooms import ROOM
from toolgym.domains.calendar.goals.series import CANCEL, REPEAT
from toolgym.domains.calendar.schema import Calendar, Event, Person, Room
from toolgym.sandbox.kit.goal import Condition, Thing


def _is_mine(event: Any) -> bool:
    return bool(event.row.state != "cancelled" and event.row.part != "none")


THINGS = (
    Thing(Event, where=_is_mine),
    Thing(Person),
    Thing(Room),
    Thing(Calendar, where=lambda calendar: calendar.row.rights != "own"),
)
CONDITIONS = (
    Condition(
        Event,
        "minutes",
        "if {it} takes {value} or more",
        tools.get_event,
        more="takes longer",
        less="is shorter",
    ),
)
GOALS = (*PLANNING, *ANSWERS, *CANCEL, REPEAT, *GUESTS, ROOM, REMINDER, *QUESTIONS, *COMPOSED)
