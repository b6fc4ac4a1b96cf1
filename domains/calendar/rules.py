"""The calendar's rules: each a sentence of the policy, the words of a refusal and a predicate."""

from datetime import date, datetime, timedelta

from toolgym.domains.calendar import tools
from toolgym.domains.calendar.schema import SERIES_DAYS, Calendar, Event, Person, Room
from toolgym.domains.calendar.times import end_of, works
from toolgym.sandbox.kit.world import ToolCall, View, rule

NOTICE = timedelta(hours=24)


@rule(
    "Only its organiser moves, cancels or repeats an event, books its room, and invites or removes guests.",
    why="Only the organiser of this event may do that, and the employee is not its organiser.|organiser|organizer",
    on=[
        tools.update_event,
        tools.cancel_event,
        tools.invite_people,
        tools.remove_attendee,
        tools.book_room,
        tools.set_recurrence,
    ],
    reads=[tools.get_event],
)
def organiser_only(event: View[Event]) -> bool:
    return event.row.part == "organiser"


@rule(
    "What has begun is neither moved nor cancelled.",
    why="This event has begun.|begun|started|past|already over",
    on=[tools.update_event, tools.cancel_event],
    reads=[tools.get_event],
)
def past(event: View[Event], now: datetime) -> bool:
    return event.row.start > now


def _schedule(event: View[Event], room: View[Room] | None, start: datetime | None) -> ToolCall | None:
    """The look at the room on the day of the event."""
    key = event.row.room_id if room is None else room.row.room_id
    if key is None:
        return None
    day = (start or event.row.start).date()
    return ToolCall(name="get_room_schedule", arguments={"room_id": key, "day": day.isoformat()})


@rule(
    "A room holds one event at a time; one may begin at the minute at which another ends. An event moves only to where "
    "its room is free.",
    why="The room is taken at that time.|taken|booked|not free|occupied",
    on=[tools.book_room, tools.update_event],
    reads=[tools.get_event, tools.get_room_schedule],
    looks={"schedule": _schedule},
)
def room_free(
    event: View[Event],
    room: View[Room] | None = None,
    start: datetime | None = None,
    minutes: int | None = None,
    schedule: tools.Schedule | None = None,
) -> bool:
    begin, length = start or event.row.start, minutes or event.row.minutes
    stays = room is None or room.row.room_id == event.row.room_id
    own = event.row.start.isoformat(timespec="minutes") if stays else None
    others = [taken for taken in (schedule or {"taken": []})["taken"] if str(taken["start"]) != own]
    return not any(
        datetime.fromisoformat(str(taken["start"])) < end_of(begin, length)
        and begin < datetime.fromisoformat(str(taken["end"]))
        for taken in others
    )


@rule(
    "A room has seats for all guests and the organiser.",
    why="The room has too few seats for all who take part.|seats|too small|capacity",
    on=[tools.book_room, tools.invite_people],
    reads=[tools.get_event, tools.list_rooms],
)
def room_seats(event: View[Event], room: View[Room] | None = None, people: list[View[Person]] | None = None) -> bool:
    seats = event.row.room_seats if room is None else room.row.seats
    guests = {guest["email"] for guest in event.row.attendees} | {person.row.email for person in people or ()}
    return seats is None or len(guests | {event.row.organiser_email}) <= seats


@rule(
    "A series ends at most 365 days after its first day.",
    why="A series may run for one year at most.|one year|a year|365",
    on=[tools.set_recurrence],
    reads=[tools.get_event],
)
def series_length(event: View[Event], until: date) -> bool:
    return until <= event.row.start.date() + timedelta(days=SERIES_DAYS)


@rule(
    "Colleagues are invited only within their own working hours, 9:00 to 17:30 from Monday to Friday on the clock of "
    "their office, unless the employee insists.",
    why="That is outside the working hours of somebody invited.|working hours|office hours",
    on=[tools.invite_people],
    reads=[tools.get_event, tools.get_free_busy],
    by="policy",
)
def working_hours(event: View[Event], people: list[View[Person]]) -> bool:
    return all(works(person.row.zone, event.row.start, event.row.minutes) for person in people)


@rule(
    "Who cancels less than 24 hours before an event with guests tells them why in a message.",
    why="Cancelling at such short notice needs a message to the guests.|message|24 hours|short notice",
    on=[tools.cancel_event],
    reads=[tools.get_event],
    by="policy",
)
def notice(event: View[Event], now: datetime, message: str) -> bool:
    return bool(message.strip()) or not event.row.attendees or event.row.start - now >= NOTICE


@rule(
    "Calendars of colleagues that may only be viewed, or show no more than busy times, are not written.",
    why="The employee may not write into this calendar.|may not write|only view|only be viewed|permission",
    on=[tools.create_event],
    reads=[tools.list_calendars],
)
def rights(calendar: View[Calendar] | None) -> bool:
    return calendar is None or calendar.row.rights in ("own", "edit")
