"""How one thing of an office calendar leads to another, in words."""

from toolgym.domains.calendar.schema import Calendar, Event
from toolgym.sandbox.kit.goal import Relation

_HELD, _IN = "my event on {start:day} held by {it}", "my event on {start:day} in {it}"
RELATIONS = (
    Relation(Event, "organiser_email", "the organiser of {it}", _HELD),
    Relation(Event, "room_id", "the room of {it}", _IN),
    Relation(Event, "calendar_id", "the calendar that has {it}"),
    Relation(Event, "title", "the title of {it}"),
    Relation(Calendar, "email", "the holder of {it}", only="the only calendar of {it}"),
)
