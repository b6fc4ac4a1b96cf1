"""What Larkfield's calendar lets an agent do for an employee."""

from toolgym.domains.calendar.tools import events, guests, people, reading, rooms, series
from toolgym.sandbox.kit.tool import ToolSet

TOOLS = ToolSet(
    [
        reading,
        people,
        rooms.list_rooms,
        rooms.get_room_schedule,
        events.create_event,
        events.update_event,
        guests.invite_people,
        guests.remove_attendee,
        rooms.book_room,
        guests.answer_invitation,
        series,
        events.set_reminder,
    ]
)
"""In the order in which agents see them."""
