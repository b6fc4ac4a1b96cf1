"""Who is invited, and what they answer."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from toolgym.domains.calendar.schema import Attendee, Event, Person
from toolgym.domains.calendar.tools.guards import require_planned
from toolgym.sandbox.kit.world import Database, Free, Ref, Refusal, View, tool


@tool("write")
def invite_people(
    db: Database,
    event: Ref[Event],
    people: Annotated[list[Ref[Person]], Field(min_length=1, max_length=20)],
    optional: bool = False,
) -> View[Event]:
    """Invite people to an event; who is invited already stays as they are.

    Args:
        people: their addresses.
        optional: whether they may stay away.
    """
    require_planned(event)
    there = {guest.email for guest in db.find(Attendee, event_id=event.event_id)} | {event.organiser_email}
    new = dict.fromkeys(person.email for person in people if person.email not in there)
    if not new:
        raise Refusal("no_change", "They take part already.")
    for email in new:
        db.insert(Attendee, event_id=event.event_id, email=email, optional=optional, answer="none")
    return View(event)


@tool("write")
def remove_attendee(db: Database, event: Ref[Event], person: Ref[Person]) -> View[Event]:
    """Take a guest off an event."""
    require_planned(event)
    guest = db.get(Attendee, event.event_id, person.email)
    if guest is None:
        raise Refusal("no_change", f"{person.name} is no guest of this event.")
    db.delete(guest)
    return View(event)


@tool("write")
def answer_invitation(
    db: Database,
    event: Ref[Event],
    answer: Literal["accepted", "declined", "tentative"],
    comment: Free = "",
) -> View[Event]:
    """Answer an invitation; declining frees the employee's time.

    Args:
        answer: the answer.
        comment: what the organiser reads with it.
    """
    require_planned(event)
    guest = db.get(Attendee, event.event_id, db.owner(Person).email)
    if guest is None:
        raise Refusal("not_allowed", "The employee is not invited to this event.")
    if (guest.answer, guest.comment or "") == (answer, comment):
        raise Refusal("no_change", f"The answer is {answer} already.")
    db.update(guest, answer=answer, comment=comment)
    return View(event)
