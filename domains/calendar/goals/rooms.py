"""Where events take place."""

from __future__ import annotations

from toolgym.domains.calendar.goals.draws import coming, is_ahead
from toolgym.domains.calendar.tools.rooms import book_room
from toolgym.sandbox.kit.goal import Goal, Slot

ROOM = Goal(
    book_room,
    name="room",
    says=(
        "Book {room} for {event}, please.",
        "I need {room} for {event}.",
        "I need another room for {event}.",
        "Please put {event} into {room}.",
        "Please put {event} into a different room.",
        "Can {event} be in {room}?",
        "Can {event} be in another room?",
        "Could you reserve {room} for {event}?",
        "I'd like to hold {event} in {room}.",
        "I'd like to hold {event} in a different room.",
        "Would you book {room} for {event}?",
        "We want to meet in {room} for {event}. Please book it.",
        "Is {room} possible for {event}? If so, please book it.",
        "Please move {event} to {room}.",
        "Please move {event} to another room.",
        "Let's have {event} in {room}.",
    ),
    verbs=("book", "reserve"),
    slots=(Slot("event", draw=coming), Slot("room", withheld=0.3)),
    where=lambda event, room: is_ahead(event) and event.row.room_id != room.row.room_id,
)
