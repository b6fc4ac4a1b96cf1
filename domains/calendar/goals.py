"""What people want of their calendar."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date, datetime, time, timedelta
from typing import Any

from domains.calendar.schema import SERIES_DAYS, Calendar, Event, Person, Room
from domains.calendar.times import Stretch, longest_free
from domains.calendar.tools.events import create_event, set_reminder, update_event
from domains.calendar.tools.guests import answer_invitation, invite_people, remove_attendee
from domains.calendar.tools.people import get_free_busy
from domains.calendar.tools.reading import get_event, list_events
from domains.calendar.tools.rooms import book_room, get_room_schedule
from domains.calendar.tools.series import cancel_event, set_recurrence
from sandbox.kit.goal import Condition, Draw, Goal, Same, Slot, Tell, Thing

_TITLES = (
    "Budget draft",
    "Focus time",
    "Vendor call",
    "Interview notes",
    "Demo rehearsal",
    "Travel booking",
    "Offsite",
)
_RHYTHMS = {
    ("day", 1): "daily", ("week", 1): "weekly", ("week", 2): "every two weeks", ("week", 3): "every three weeks",
    ("month", 1): "monthly", ("month", 3): "every three months",
}  # fmt: skip

# --- what people speak of ---


def _is_mine(event: Any) -> bool:
    return bool(event.row.state != "cancelled" and event.row.part != "none")


THINGS = (
    Thing(Event, ("the {title} on {start:day}", "my {title} on {start:day}"), _is_mine),
    Thing(Person, ("{name}", "{name} of {team}", "{name} from {company}")),
    Thing(Room, ("the room {name}", "the room {name} in {building}")),
    Thing(Calendar, ("the calendar of {name}",), lambda calendar: calendar.row.rights != "own"),
)
_AS_LONG = (Same(Event, "minutes", "as much time as {it} takes"),)
CONDITIONS = (Condition(Event, "minutes", "if {it} takes {value} or more", get_event),)

# --- what they want of it ---


def _coming(draw: Draw) -> Any:
    found = [event for event in draw.rows(Event) if event.start > draw.now]
    return draw.rng.choice(found) if found else None


def _workday(draw: Draw) -> date:
    day = draw.now.date() + timedelta(days=draw.rng.randrange(1, 15))
    return day if day.weekday() < 5 else day + timedelta(days=2)


def _moment(draw: Draw) -> datetime:
    return datetime.combine(_workday(draw), time(9)) + timedelta(minutes=30 * draw.rng.randrange(16))


def _rhythm(draw: Draw) -> dict[str, Any]:
    every, interval = draw.rng.choice(list(_RHYTHMS))
    return {"every": every, "interval": interval}


def _until(draw: Draw) -> date:
    """A day of the next months, or one at the edge of what a series may last."""
    first: date = draw.values["event"].start.date()
    days = draw.rng.choice((28, 56, 70, 91, 112, 140, SERIES_DAYS, SERIES_DAYS + 1))
    return first + timedelta(days=days)


def _guest(draw: Draw) -> Any:
    guests = {guest["email"] for guest in draw.view(draw.values["event"]).attendees}
    found = [person for person in draw.rows(Person) if person.email in guests]
    return draw.rng.choice(found) if found else None


def _one_day(draw: Draw) -> dict[str, Any]:
    day = _workday(draw)
    return {"first_day": day, "last_day": day}


def _day_in_words(value: Mapping[str, date]) -> str:
    return f"{value['first_day']:%B} {value['first_day'].day}"


def _without_answer(result: Mapping[str, Any]) -> list[str] | None:
    return [guest["name"] for guest in result["attendees"] if guest["answer"] == "none"] or None


def _who_declined(result: Mapping[str, Any]) -> list[str] | None:
    return [guest["name"] for guest in result["attendees"] if guest["answer"] == "declined"] or None


def _first(result: Mapping[str, Any], column: str) -> Any:
    return result["items"][0][column] if result["items"] else None


def _holders(result: Mapping[str, Any]) -> list[str] | None:
    return list(dict.fromkeys(taken["by"] for taken in result["taken"])) or None


def _free(result: list[Mapping[str, Any]]) -> Stretch | None:
    """The longest free stretch of one's own working hours."""
    hours = [_span(each) for each in result[0]["working_hours"]]
    return longest_free([_span(each) for each in result[0]["busy"]], hours[0]) if hours else None


def _free_from(result: list[Mapping[str, Any]]) -> str | None:
    found = _free(result)
    return found and found[0].isoformat()


def _free_to(result: list[Mapping[str, Any]]) -> str | None:
    found = _free(result)
    return found and found[1].isoformat()


def _span(each: Mapping[str, str]) -> Stretch:
    return datetime.fromisoformat(each["start"]), datetime.fromisoformat(each["end"])


def _moves(event: Any, start: datetime) -> bool:
    return bool(event.row.start != start)


def _gets(event: Any, minutes: int) -> bool:
    return bool(event.row.minutes != minutes)


def _is_ahead(event: Any) -> bool:
    return not event.row.has_begun


def _is_guest(event: Any, person: Any) -> bool:
    """Whether somebody takes part in it already."""
    return person.row.email in {event.row.organiser_email, *(guest["email"] for guest in event.row.attendees)}


def _is_single(event: Any) -> bool:
    return event.row.repeats is None


def _is_repeated(event: Any) -> bool:
    return event.row.repeats is not None


def _answer(answer: str, *says: str, verbs: tuple[str, ...]) -> Goal:
    return Goal(
        answer_invitation,
        name=verbs[0],
        says=says,
        verbs=verbs,
        slots=(Slot("event", draw=_coming), Slot("comment")),
        fixed={"answer": answer},
        where=lambda event: _is_ahead(event) and event.row.my_answer not in (None, answer),
    )


GOALS = (
    Goal(
        create_event,
        name="schedule",
        says=(
            'Schedule "{title}" on {start}, it takes {minutes}.',
            'I need {minutes} for "{title}" on {start}[ in {calendar}].',
            'Please block {minutes} for "{title}", {start}[, in {calendar}].',
            'Can you add "{title}"[ to {calendar}] on {start}? It takes {minutes}.',
            'Schedule "{title}" for me[, {start}][, {minutes}][, in {calendar}].',
        ),
        verbs=("schedule", "create"),
        slots=(
            Slot("title", draw=_TITLES),
            Slot("start", withheld=0.3, draw=_moment, says=("On {}.",)),
            Slot("minutes", withheld=0.4, draw=(15, 30, 45, 60, 90), says=("It takes {}.",), same_as=_AS_LONG),
            Slot("calendar", given=0.35),
        ),
    ),
    Goal(
        update_event,
        name="move",
        says=(
            "Move {event}[ to {start}].",
            "Please push {event}[ to {start}]. Who has to answer again?",
            "Can {event} take place on {start} instead? I want to know who must answer again.",
            "I'd like {event} moved[ to {start}]; tell me who is asked again.",
        ),
        verbs=("move", "reschedule", "push", "shift"),
        slots=(Slot("event"), Slot("start", withheld=0.4, draw=_moment, says=("To {}.",))),
        tells=(Tell("asked_again"),),
        where=_moves,
    ),
    Goal(
        update_event,
        name="lengthen",
        says=(
            "Change the length of {event} to {minutes}.",
            "{event} should take {minutes}.",
            "Please give {event} {minutes}.",
            "Let {event} take {minutes}.",
            "Change how long {event} takes[: {minutes}].",
        ),
        verbs=("change", "lengthen", "shorten"),
        slots=(Slot("event"), Slot("minutes", withheld=0.3, draw=(15, 20, 30, 45, 60, 75, 90, 120), same_as=_AS_LONG)),
        tells=(Tell("asked_again"),),
        where=_gets,
    ),
    _answer(
        "declined",
        "Decline {event}.",
        "Please turn down {event} for me, I am away.",
        "I can't make it to {event}, decline it.",
        "Tell them that I am not coming to {event}.",
        verbs=("decline", "refuse"),
    ),
    _answer(
        "accepted",
        "Accept {event}.",
        "Please say yes to {event}.",
        "I will be at {event}, accept the invitation.",
        "Tell them that I am coming to {event}.",
        verbs=("accept",),
    ),
    _answer(
        "tentative",
        "Answer {event} with maybe.",
        "Put me down as tentative for {event}.",
        "I may come to {event}, answer tentatively.",
        "Mark my answer to {event} as tentative.",
        verbs=("respond", "reply"),
    ),
    Goal(
        cancel_event,
        name="cancel",
        says=(
            "Cancel {event}.",
            "{event} is off. Please cancel it and tell the guests.",
            "I have to call off {event}.",
            "Please take {event} off everybody's calendar, it is cancelled.",
        ),
        verbs=("cancel", "drop"),
        slots=(Slot("event"), Slot("message")),
        fixed={"scope": "this_time"},
        where=_is_single,
    ),
    Goal(
        cancel_event,
        name="cancel_quietly",
        says=(
            "Cancel {event} quietly.",
            "Please call off {event} quietly, without a message to the guests.",
            "Drop {event} and send no message.",
            "I want {event} cancelled without a word to the guests.",
        ),
        verbs=("cancel", "drop"),
        slots=(Slot("event"),),
        fixed={"scope": "this_time"},
        where=_is_single,
    ),
    Goal(
        cancel_event,
        name="cancel_one",
        says=(
            "Skip {event} this time.",
            "Cancel only {event}, not the whole series. When is the next one?",
            "Skip {event}; the others of the series stay. When is the next one?",
            "Just this once, cancel {event}. When do we meet next?",
            "Please call off {event} alone and tell me the day of the next one.",
        ),
        verbs=("skip", "cancel"),
        slots=(Slot("event"), Slot("message")),
        fixed={"scope": "this_time"},
        tells=(Tell("next_on", kind="date", value=lambda result: result["next_on"]),),
        where=_is_repeated,
    ),
    Goal(
        cancel_event,
        name="cancel_rest",
        says=(
            "Cancel {event} and the following ones.",
            "Cancel {event} and all of that series after it.",
            "From {event} on, the series ends: cancel that one and all later ones.",
            "Please drop {event} with everything that follows in the series.",
            "We stop meeting: cancel {event} and the rest of the series.",
        ),
        verbs=("cancel", "drop"),
        slots=(Slot("event"), Slot("message")),
        fixed={"scope": "following"},
        where=_is_repeated,
    ),
    Goal(
        set_recurrence,
        name="repeat",
        says=(
            "Repeat {event} {every}[ until {until}].",
            "Make {event} {every}[ until {until}].",
            "{event} should happen {every}[ until {until}].",
            "Please repeat {event} {every}[, until {until}].",
            "Turn {event} into a series, {every}[ until {until}].",
        ),
        verbs=("repeat",),
        slots=(
            Slot("event", draw=_coming),
            Slot(
                "every",
                fills=("every", "interval"),
                draw=_rhythm,
                say=lambda value: _RHYTHMS[value["every"], value["interval"]],
            ),
            Slot("until", withheld=0.5, draw=_until, says=("Until {}.",)),
        ),
        tells=(Tell("last_on", kind="date"),),
        where=lambda event: _is_ahead(event) and _is_single(event),
    ),
    Goal(
        invite_people,
        name="invite",
        says=(
            "Invite {people} to {event}.",
            "Please add {people} to {event}.",
            "I want {people} at {event} as well.",
            "{event} should include {people} too.",
            "I want to invite somebody else to {event}.",
        ),
        verbs=("invite",),
        slots=(Slot("event", draw=_coming), Slot("people", withheld=0.3)),
        where=lambda event, people: (
            not {guest["email"] for guest in event.row.attendees} & {person.row.email for person in people}
        ),
    ),
    Goal(
        remove_attendee,
        name="uninvite",
        says=(
            "Remove {person} from {event}.",
            "Take {person} off {event}.",
            "{person} need not come to {event}, please remove them.",
            "Please strike {person} from the guests of {event}.",
            "Somebody need not come to {event}, please remove them.",
        ),
        verbs=("remove", "strike"),
        slots=(Slot("event", draw=_coming), Slot("person", draw=_guest, withheld=0.2)),
        where=lambda event, person: _is_ahead(event) and _is_guest(event, person),
    ),
    Goal(
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
        slots=(Slot("event", draw=_coming), Slot("room", withheld=0.3)),
        where=lambda event, room: _is_ahead(event) and event.row.room_id != room.row.room_id,
    ),
    Goal(
        set_reminder,
        name="remind",
        says=(
            "Set a reminder {minutes_before} before {event}.",
            "Remind me {minutes_before} before {event}.",
            "I want a reminder {minutes_before} ahead of {event}.",
            "Set a reminder for {event}[, {minutes_before} before it].",
            "Please remind me of {event}[ {minutes_before} before].",
        ),
        verbs=("set", "remind"),
        slots=(
            Slot("event", draw=_coming),
            Slot("minutes_before", withheld=0.3, draw=(10, 15, 20, 30, 45, 90), says=("{} before.",)),
        ),
        where=lambda event, minutes_before: _is_ahead(event) and event.row.reminder_minutes != minutes_before,
    ),
    Goal(
        get_event,
        name="who_is_coming",
        says=(
            "Who has not answered yet for {event}?",
            "Whose answer is still missing for {event}?",
            "I'd like to know who has yet to answer for {event}.",
            "For {event}, which of the guests have not answered?",
        ),
        verbs=("tell", "find out"),
        tells=(Tell("name", value=_without_answer),),
    ),
    Goal(
        get_event,
        name="who_declined",
        says=(
            "Who has declined {event}?",
            "Who is not coming to {event}?",
            "Which guests have turned down {event}?",
            "Tell me who said no to {event}.",
        ),
        verbs=("tell", "find out"),
        tells=(Tell("name", value=_who_declined),),
    ),
    Goal(
        get_event,
        name="where",
        says=(
            "Which room is {event} in?",
            "Where does {event} take place?",
            "I can't find the room of {event}. Which one is it?",
            "Tell me the room of {event}.",
        ),
        verbs=("tell", "find out"),
        tells=(Tell("room"),),
    ),
    Goal(
        list_events,
        name="first_meeting",
        says=(
            "What is my first meeting on {first_day}, and when?",
            "When does my day begin on {first_day}, and with what?",
            "Tell me what comes first on {first_day} in my calendar, with the time.",
            "On {first_day}, what do I have first and at what time?",
        ),
        verbs=("tell", "look up"),
        slots=(Slot("first_day", fills=("first_day", "last_day"), draw=_one_day, say=_day_in_words),),
        tells=(
            Tell("title", value=lambda result: _first(result, "title")),
            Tell("start", kind="moment", value=lambda result: _first(result, "start")),
        ),
    ),
    Goal(
        get_free_busy,
        name="longest_free",
        says=(
            "When is my longest free stretch on {day} within working hours?",
            "I need time to think on {day}. When am I free the longest during working hours?",
            "From when to when am I free the longest on {day}, between nine and half past five?",
            "Find my longest gap in the working day on {day}.",
        ),
        verbs=("find", "tell"),
        slots=(Slot("day", draw=_workday),),
        tells=(
            Tell("start", kind="moment", value=_free_from),
            Tell("end", kind="moment", value=_free_to),
        ),
    ),
    Goal(
        get_room_schedule,
        name="who_has_the_room",
        says=(
            "Who has booked {room} on {day}?",
            "By whom is {room} taken on {day}?",
            "I'd like to know who uses {room} on {day}.",
            "Tell me who holds meetings in {room} on {day}.",
        ),
        verbs=("tell", "look up"),
        slots=(Slot("room"), Slot("day", draw=_workday)),
        tells=(Tell("by", value=_holders),),
    ),
)
