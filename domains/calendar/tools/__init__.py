"""What Larkfield's calendar lets an agent do for an employee."""

from toolgym.domains.calendar.tools.events import create_event, set_reminder, update_event
from toolgym.domains.calendar.tools.guests import answer_invitation, invite_people, remove_attendee
from toolgym.domains.calendar.tools.people import get_free_busy, search_people
from toolgym.domains.calendar.tools.reading import get_event, get_now, list_calendars, list_events
from toolgym.domains.calendar.tools.rooms import book_room, get_room_schedule, list_rooms
from toolgym.domains.calendar.tools.series import cancel_event, set_recurrence
from toolgym.sandbox.kit.tool import ToolSet

TOOLS = ToolSet(
    [
        get_now,
        list_calendars,
        list_events,
        get_event,
        search_people,
        get_free_busy,
        list_rooms,
        get_room_schedule,
        create_event,
        update_event,
        invite_people,
        remove_attendee,
        book_room,
        answer_invitation,
        set_recurrence,
        cancel_event,
        set_reminder,
    ]
)
"""In the order in which agents see them."""
