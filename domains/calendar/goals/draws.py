"""What several goals are drawn from."""

from datetime import date, datetime, time, timedelta
from typing import Any

from toolgym.domains.calendar.schema import Event
from toolgym.sandbox.kit.goal import Draw


def coming(draw: Draw) -> Any:
    """An event that is still to come; None where there is none."""
    found = [event for event in draw.rows(Event) if event.start > draw.now]
    return draw.one_of(found)


def workday(draw: Draw) -> date:
    """A working day of the next two weeks."""
    day = draw.now.date() + timedelta(days=draw.rng.randrange(1, 15))
    return day if day.weekday() < 5 else day + timedelta(days=2)


def moment(draw: Draw) -> datetime:
    """A half or full hour of a working day."""
    return datetime.combine(workday(draw), time(9)) + timedelta(minutes=30 * draw.rng.randrange(16))


def is_ahead(event: Any) -> bool:
    """Whether an event is still to begin."""
    return not event.row.has_begun
