"""Who shall come, who shall not, and whether the employee does."""

from typing import Any

from toolgym.domains.calendar import tools
from toolgym.domains.calendar.goals.draws import coming, is_ahead
from toolgym.domains.calendar.schema import Person
from toolgym.sandbox.kit.goal import Draw, Goal, Slot


def _answer(answer: str, *verbs: str) -> Goal:
    return Goal(
        tools.answer_invitation,
        name=verbs[0],
        verbs=verbs,
        slots=(Slot("event", draw=coming), Slot("comment")),
        fixed={"answer": answer},
        where=lambda event: is_ahead(event) and event.row.my_answer not in (None, answer),
    )


def _guest(draw: Draw) -> Any:
    guests = {guest["email"] for guest in draw.view(draw.values["event"]).attendees}
    found = [person for person in draw.rows(Person) if person.email in guests]
    return draw.one_of(found)


def _is_guest(event: Any, person: Any) -> bool:
    """Whether somebody takes part in it already."""
    return person.row.email in {event.row.organiser_email, *(guest["email"] for guest in event.row.attendees)}


ANSWERS = (
    _answer("declined", "decline", "refuse"),
    _answer("accepted", "accept"),
    _answer("tentative", "respond", "reply"),
)
GUESTS = (
    Goal(
        tools.invite_people,
        name="invite",
        slots=(Slot("event", draw=coming), Slot("people", withheld=0.3)),
        where=lambda event, people: (
            not {guest["email"] for guest in event.row.attendees} & {person.row.email for person in people}
        ),
    ),
    Goal(
        tools.remove_attendee,
        name="uninvite",
        slots=(Slot("event", draw=coming), Slot("person", draw=_guest, withheld=0.2)),
        where=lambda event, person: is_ahead(event) and _is_guest(event, person),
    ),
)
