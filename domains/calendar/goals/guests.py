"""Who shall come, who shall not, and whether the employee does."""

from __future__ import annotations

from typing import Any

from toolgym.domains.calendar.goals.draws import coming, is_ahead
from toolgym.domains.calendar.schema import Person
from toolgym.domains.calendar.tools.guests import answer_invitation, invite_people, remove_attendee
from toolgym.sandbox.kit.goal import Draw, Goal, Slot


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
        "Decline {event}, please.",
        "Please turn down {event} for me; I'll be away.",
        "I can't make it to {event}. Please decline it.",
        "Please tell them that I'm not coming to {event}.",
        "I won't be at {event}; please decline the invitation.",
        "Could you decline {event} for me?",
        "Please send my regrets for {event}.",
        "I have to give {event} a miss. Can you decline it?",
        "Can you say no to {event} for me?",
        "I'm too busy for {event}, so please decline.",
        "Please let them know that I can't come to {event}.",
        "Would you turn down the invitation to {event}?",
        verbs=("decline", "refuse"),
    ),
    _answer(
        "accepted",
        "Accept {event}, please.",
        "Please say yes to {event}.",
        "I'll be at {event}; please accept the invitation.",
        "Please tell them that I'm coming to {event}.",
        "Could you accept {event} for me?",
        "I can make it to {event}, so please accept.",
        "Please reply that I'll attend {event}.",
        "Count me in for {event}: please accept it.",
        "Would you accept the invitation to {event}?",
        "I'd like to accept {event}.",
        "Yes to {event}, please. Can you send that answer?",
        "Please let them know that I'll be there for {event}.",
        verbs=("accept",),
    ),
    _answer(
        "tentative",
        "Answer {event} with maybe, please.",
        "Please put me down as tentative for {event}.",
        "I may come to {event}; please answer tentatively.",
        "Please mark my answer to {event} as tentative.",
        "I'm not sure about {event} yet. Could you reply with maybe?",
        "Could you answer {event} as tentative for me?",
        "Perhaps I can make it to {event}. Please respond with tentative.",
        "Please tell them that I might come to {event}.",
        "Would you set my reply to {event} to tentative?",
        "I can't promise that I'll be at {event}, so please answer with maybe.",
        "Can you respond to {event} with maybe?",
        "I'd like to leave {event} open for now: please answer tentatively.",
        verbs=("respond", "reply"),
    ),
)
GUESTS = (
    Goal(
        invite_people,
        name="invite",
        says=(
            "Invite {people} to {event}, please.",
            "Invite somebody else to {event}, please.",
            "Please add {people} to {event}.",
            "Please add one more person to {event}.",
            "I want {people} at {event} as well.",
            "I want somebody else at {event} as well.",
            "Could you send {people} an invitation to {event}?",
            "Could you send out another invitation to {event}?",
            "Please see to it that an invitation to {event} goes out to {people}.",
            "I forgot to invite {people} to {event}. Can you do that?",
            "I forgot to invite somebody to {event}. Can you do that?",
            "Can you put {people} on the guest list of {event}?",
            "Can you put somebody else on the guest list of {event}?",
            "I'd like to invite {people} to {event}.",
            "I'd like to invite somebody else to {event}.",
            "Would you ask {people} to join {event}?",
            "Would you ask someone else to join {event}?",
            "We could use {people} at {event}; please send an invitation.",
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
            "Remove {person} from {event}, please.",
            "Please take {person} off {event}.",
            "There's no need for {person} to come to {event}; please remove them.",
            "There's somebody who doesn't need to come to {event}; please remove them.",
            "Please strike {person} from the guests of {event}.",
            "Please strike somebody from the guests of {event}.",
            "Can you remove {person} from the guest list of {event}?",
            "Can you remove one of the guests of {event}?",
            "I'd like {person} taken off {event}.",
            "I'd like one guest taken off {event}.",
            "Could you uninvite {person} from {event}?",
            "Could you uninvite somebody from {event}?",
            "We can do without {person} at {event}. Please remove that guest.",
            "I invited {person} to {event} by mistake; please remove them.",
            "I invited somebody to {event} by mistake; please remove them.",
            "Would you drop {person} from {event}?",
        ),
        verbs=("remove", "strike"),
        slots=(Slot("event", draw=coming), Slot("person", draw=_guest, withheld=0.2)),
        where=lambda event, person: is_ahead(event) and _is_guest(event, person),
    ),
)
