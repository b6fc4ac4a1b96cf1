"""What employees want to know of their mail, and what others read while they are away."""

from collections.abc import Mapping
from datetime import date, timedelta
from typing import Any

from toolgym.domains.email.goals.draws import FIGURE, REFERENCE, in_thread, thread_opened
from toolgym.domains.email.schema import HOME, Label, Message, Person
from toolgym.domains.email.tools import get_message, list_labels, set_auto_reply
from toolgym.sandbox.kit.goal import Draw, Goal, Slot, Tell


def _reference(result: Mapping[str, Any]) -> str | None:
    found = REFERENCE.search(result["body"])
    return found.group() if found else None


def _has_reference(message: Any) -> bool:
    return message.row.folder == "inbox" and REFERENCE.search(message.row.body) is not None


def _figure(result: Mapping[str, Any]) -> int | None:
    found = FIGURE.search(result["body"])
    return int(found.group()) if found else None


def _day_sent(result: Mapping[str, Any]) -> str:
    return str(result["sent_at"])[:10]


def _mail_of_thread(draw: Draw) -> Message | None:
    """A mail in a thread with several."""
    found = [row for row in draw.rows(Message) if row.folder in ("inbox", "archive")]
    answered = {row.thread_id for row in found if row.subject.startswith("Re: ")}
    found = [row for row in found if row.thread_id in answered]
    return draw.one_of(found)


def _writer(draw: Draw) -> Person | None:
    """Somebody else who wrote in the drawn mail's thread."""
    found = sorted({row.sender_email for row in in_thread(draw)} - {draw.person.email})
    return draw.database.get(Person, draw.rng.choice(found)) if found else None


def _last_of(draw: Draw) -> Message | None:
    """The last mail of the drawn person in the thread, where that is another one than the mail known."""
    found = [row for row in in_thread(draw) if row.sender_email == draw.values["person"].email]
    return found[-1] if found[-1].message_id != draw.values["mail"].message_id else None


def _first_away(draw: Draw) -> date:
    return draw.now.date() + timedelta(days=draw.rng.randrange(1, 12))


def _last_away(draw: Draw) -> date:
    first: date = draw.values["first_day"]
    return first + timedelta(days=draw.rng.randrange(1, 12))


def _stand_in(draw: Draw) -> Person:
    near = [row for row in draw.rows(Person) if row.email.endswith(HOME) and row.email != draw.person.email]
    return draw.rng.choice(near)


_AWAY = (
    Slot("first_day", withheld=0.3, draw=_first_away, says=("From {} on.", "{} is the first day.")),
    Slot("last_day", withheld=0.3, draw=_last_away, says=("Until {}.", "{} is my last day away.")),
    Slot("text", mentions=("last_day", "stand_in.name")),
    Slot("stand_in", of=Person, draw=_stand_in),
)

AWAY = (
    Goal(
        set_auto_reply,
        name="away",
        slots=_AWAY,
        worked_out={"outside": lambda draw: False},
        tells=(Tell("last_day", kind="date"),),
    ),
    Goal(
        set_auto_reply,
        name="away_for_all",
        slots=_AWAY,
        worked_out={"outside": lambda draw: True},
        tells=(Tell("last_day", kind="date"),),
        share=0.6,
    ),
)

QUESTIONS = (
    Goal(
        get_message,
        name="find_fact",
        slots=(Slot("message", where=_has_reference),),
        tells=(Tell("reference number", kind="text", value=_reference),),
        share=1.3,
    ),
    Goal(
        get_message,
        name="last_word",
        slots=(
            Slot("mail", of=Message, draw=_mail_of_thread, reads=thread_opened),
            Slot("person", of=Person, draw=_writer),
        ),
        worked_out={"message": _last_of},
        tells=(Tell("figure", kind="number", value=_figure), Tell("sent on", kind="date", value=_day_sent)),
    ),
    Goal(
        list_labels,
        name="how_many",
        about=(Slot("label", of=Label),),
        tells=(
            Tell(
                "messages",
                kind="number",
                value=lambda result, draw: next(
                    row["messages"] for row in result if row["label_id"] == draw.values["label"].label_id
                ),
                near=("mail", "mails", "message", "messages", "bear", "label"),
            ),
        ),
        share=0.6,
    ),
)
