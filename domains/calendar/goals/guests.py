"""Who shall come, who shall not, and whether the employee does."""

from __future__ import annotations

from typing import Any

from domains.calendar.goals.draws import coming, is_ahead
from domains.calendar.schema import Person
from domains.calendar.tools.guests import answer_invitation, invite_people, remove_attendee
from sandbox.kit.goal import Draw, Goal, Slot


def _answer(answer: str, *says: str, verbs: tuple[str, ...]) -> Goal:
    return Goal(
        answer_invitation,
        name=verbs[0],
        says=says,
        verbs=verbs,
        slots=(Slot("event", draw=coming), Slot("comment")),
        fixed={"answer": answer},
        where=lambda event: is_ahead(event) and event.row.my_answer not in (None, answer),
    )


def _guest(draw: Draw) -> Any:
    guests = {guest["email"] for guest in draw.view(draw.values["event"]).attendees}
    found = [person for person in draw.rows(Person) if person.email in guests]
    return draw.rng.choice(found) if found else None


def _is_guest(event: Any, person: Any) -> bool:
    """Whether somebody takes part in it already."""
    return person.row.email in {event.row.organiser_email, *(guest["email"] for guest in event.row.attendees)}


ANSWERS = (
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
)
GUESTS = (
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
        slots=(Slot("event", draw=coming), Slot("people", withheld=0.3)),
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
        slots=(Slot("event", draw=coming), Slot("person", draw=_guest, withheld=0.2)),
        where=lambda event, person: is_ahead(event) and _is_guest(event, person),
    ),
)
