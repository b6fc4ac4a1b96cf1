"""Where events take place."""

from __future__ import annotations

from domains.calendar.goals.draws import coming, is_ahead
from domains.calendar.tools.rooms import book_room
from sandbox.kit.goal import Goal, Slot

ROOM = Goal(
    book_room,
    name="room",
    says=(
        "Book {room} for {event}.",
        "I need {room} for {event}.",
        "Please put {event} into {room}.",
        "Can {event} be in {room}?",
        "I need another room for {event}.",
    ),
    verbs=("book", "reserve"),
    slots=(Slot("event", draw=coming), Slot("room", withheld=0.3)),
    where=lambda event, room: is_ahead(event) and event.row.room_id != room.row.room_id,
)
