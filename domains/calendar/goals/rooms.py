"""Where events take place."""

from toolgym.domains.calendar import tools
from toolgym.domains.calendar.goals.draws import coming, is_ahead
from toolgym.sandbox.kit.goal import Goal, Slot

ROOM = Goal(
    tools.book_room,
    name="room",
    slots=(Slot("event", draw=coming), Slot("room", withheld=0.3)),
    where=lambda event, room: is_ahead(event) and event.row.room_id != room.row.room_id,
)
