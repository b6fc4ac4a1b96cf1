"""What takes several changes: a meeting when all are free, another guest wherever one was invited, a new series."""

from collections.abc import Mapping, Sequence
from datetime import date, datetime, time, timedelta
from typing import Any

from toolgym.domains.calendar import tools
from toolgym.domains.calendar.goals.draws import workday
from toolgym.domains.calendar.schema import Event, Person
from toolgym.domains.calendar.times import Stretch, first_free
from toolgym.sandbox.kit.world import Calls, Draw, Goal, Made, Slot, Tell, Tool

_MEETINGS = ("Handover", "Roadmap round", "Data review", "Hiring round", "Release check", "Budget round")


def _colleagues(draw: Draw) -> list[Person] | None:
    """Two or three people of the person's own office, who share when they are busy and work at the same hours."""
    me = draw.person
    near = [person for person in draw.rows(Person) if person.office == me.office and person.team and person != me]
    names = [person.name for person in near]
    near = [person for person in near if names.count(person.name) == 1]
    return draw.rng.sample(near, draw.rng.choice((2, 2, 3))) if len(near) > 2 else None


# --- when all are free ---


def _spans(listed: Sequence[tools.Span]) -> list[Stretch]:
    return [(each["start"], each["end"]) for each in listed]


def _looked_at(draw: Draw) -> Calls:
    people = [draw.person, *draw.values["people"]]
    return [(tools.get_now, {}), (tools.get_free_busy, {"people": people, "day": draw.values["day"]})]


def _first_common(draw: Draw) -> datetime | None:
    """The first time of the day at which all are free for so long; not its very beginning, which is guessed."""
    shown = tools.get_free_busy.function(draw.database, [draw.person, *draw.values["people"]], draw.values["day"])
    hours, busy = _spans(shown[0]["working_hours"]), [span for each in shown for span in _spans(each["busy"])]
    found = first_free(busy, hours[0], draw.values["minutes"]) if hours else None
    return None if hours and found == hours[0][0] else found


PLAN = Goal(
    tools.create_event,
    name="plan",
    slots=(
        Slot("title", draw=_MEETINGS),
        Slot("minutes", draw=(30, 45, 60), says=("It takes {}.",)),
        Slot("people", of=Person, draw=_colleagues),
        Slot("day", draw=workday, reads=_looked_at),
    ),
    worked_out={"start": _first_common},
    also=lambda draw: [(tools.invite_people, {"event": Made("event_id"), "people": draw.values["people"]})],
    tells=(Tell("start"),),
)

# --- another guest ---


def _held(draw: Draw, day: date | None = None) -> list[Event]:
    """The events still to come that the person holds, of a day."""
    found = [event for event in draw.rows(Event) if event.organiser_email == draw.person.email]
    return [event for event in found if event.start > draw.now and day in (None, event.start.date())]


def _invited(draw: Draw, event: Event) -> list[str]:
    return [guest["email"] for guest in draw.view(event).attendees]


def _leaving(draw: Draw) -> Person | None:
    held = [event for event in _held(draw) if _invited(draw, event)]
    emails = _invited(draw, draw.rng.choice(held)) if held else []
    return draw.database.get(Person, draw.rng.choice(emails)) if emails else None


def _day_with(draw: Draw) -> date | None:
    days = {event.start.date() for event in _held(draw) if draw.values["person"].email in _invited(draw, event)}
    return draw.rng.choice(sorted(days)) if days else None


def _attended(draw: Draw) -> list[Event]:
    held = _held(draw, draw.values["day"])
    return sorted(
        (event for event in held if draw.values["person"].email in _invited(draw, event)), key=lambda event: event.start
    )


def _coming(draw: Draw) -> Person | None:
    """Somebody of the same office who is at none of these events."""
    there = {email for event in _attended(draw) for email in _invited(draw, event)}
    found = [one for one in _colleagues(draw) or () if one.email not in there]
    return found[0] if found else None


def _others_too(draw: Draw) -> Calls:
    first, *others = _attended(draw)
    calls: list[tuple[Tool, Mapping[str, Any]]] = [
        (tools.invite_people, {"event": first, "people": [draw.values["to"]]})
    ]
    for event in others:
        calls.append((tools.remove_attendee, {"event": event, "person": draw.values["person"]}))
        calls.append((tools.invite_people, {"event": event, "people": [draw.values["to"]]}))
    return calls


def _events_of_the_day(draw: Draw) -> Calls:
    day = draw.values["day"]
    listed = [(tools.list_events, {"first_day": day, "last_day": day})]
    return [*listed, *((tools.get_event, {"event": event}) for event in _held(draw, day))]


SWAP_GUEST = Goal(
    tools.remove_attendee,
    name="swap_guest",
    slots=(
        Slot("person", draw=_leaving),
        Slot("day", draw=_day_with, reads=_events_of_the_day),
        Slot("to", of=Person, draw=_coming),
    ),
    worked_out={"event": lambda draw: next(iter(_attended(draw)), None)},
    also=_others_too,
)

# --- a new series ---


def _opening(draw: Draw) -> datetime:
    """A time on a working day that leaves an hour of working time."""
    return datetime.combine(workday(draw), time(9)) + timedelta(minutes=30 * draw.rng.randrange(15))


def _weeks_later(draw: Draw) -> date:
    first: datetime = draw.values["start"]
    return first.date() + timedelta(weeks=draw.rng.randrange(3, 9))


NEW_SERIES = Goal(
    tools.create_event,
    name="new_series",
    slots=(
        Slot("title", draw=_MEETINGS),
        Slot("start", draw=_opening),
        Slot("minutes", draw=(30, 45, 60)),
        Slot("people", of=Person, draw=_colleagues),
        Slot("interval", draw=(1, 2), words={"1": "every week", "2": "every two weeks"}),
        Slot("until", draw=_weeks_later),
    ),
    also=lambda draw: [
        (tools.invite_people, {"event": Made("event_id"), "people": draw.values["people"]}),
        (
            tools.set_recurrence,
            {
                "event": Made("event_id"),
                "every": "week",
                "interval": draw.values["interval"],
                "until": draw.values["until"],
            },
        ),
    ],
)
COMPOSED = (PLAN, SWAP_GUEST, NEW_SERIES)
