"""What every change of an event asks for first."""

from __future__ import annotations

from datetime import datetime, timedelta

from toolgym.domains.calendar.schema import Event
from toolgym.domains.calendar.times import end_of
from toolgym.sandbox.kit.world import Database, Refusal


def require_planned(event: Event) -> None:
    """Refuse what is cancelled (code `wrong_state`)."""
    if event.state == "cancelled":
        raise Refusal("wrong_state", "This event is cancelled.")


def require_time(db: Database, start: datetime, minutes: int) -> None:
    """Refuse a time that is past or runs over midnight (code `invalid_argument`)."""
    if start <= db.now:
        raise Refusal("invalid_argument", "An event begins later than now.")
    if end_of(start, minutes) > datetime.combine(start.date() + timedelta(days=1), datetime.min.time()):
        raise Refusal("invalid_argument", "An event ends on the day on which it begins.")
