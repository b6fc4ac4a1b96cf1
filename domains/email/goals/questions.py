"""What employees want to know of their mail, and what others read while they are away."""

from __future__ import annotations

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
    return draw.rng.choice(found) if found else None


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
        verbs=("set",),
        says=(
            "I am away[ from {first_day}][ until {last_day}]; let only colleagues know, and point them to {stand_in}.",
            "Please set an automatic reply for colleagues only[, from {first_day}][ to {last_day}], and name "
            "{stand_in} as my stand-in.",
            "I'm on leave[, from {first_day}][ through {last_day}]. Set a reply inside the company that sends "
            "people to {stand_in}.",
            "Can you set my automatic reply[ from {first_day}][ to {last_day}]? Just for colleagues, with "
            "{stand_in} as the person to ask.",
            "Turn on the out-of-office reply[ from {first_day}][ until {last_day}], not for people outside; {stand_in} "
            "stands in.",
            "While I'm away[, from {first_day}][ to {last_day}], colleagues should be told to ask {stand_in}. Please "
            "set that reply.",
            "I need an absence note for the house only[: {first_day}][ to {last_day}]. {stand_in} covers for me.",
            "Could you set a reply for colleagues[ from {first_day}][ until {last_day}] that names {stand_in}?",
            "I'll be out[ from {first_day}][ to {last_day}]; please set an internal reply, and {stand_in} takes over.",
            "Please let colleagues know that I'm away[ from {first_day}][ until {last_day}] and that {stand_in} helps.",
            "Set an out-of-office message, only inside the company[, from {first_day}][ to {last_day}], pointing to "
            "{stand_in}.",
            "My holiday is coming[: from {first_day}][ to {last_day}]. Set a reply for colleagues that names "
            "{stand_in}.",
        ),
        slots=_AWAY,
        worked_out={"outside": lambda draw: False},
        tells=(Tell("last_day", kind="date"),),
    ),
    Goal(
        set_auto_reply,
        name="away_for_all",
        verbs=("set",),
        says=(
            "I am away[ from {first_day}][ until {last_day}]; let everybody know, clients too, and point them to "
            "{stand_in}.",
            "Please set an automatic reply for everyone, in the house and outside[, from {first_day}][ to {last_day}], "
            "and name {stand_in} as my stand-in.",
            "I'm on leave[, from {first_day}][ through {last_day}]. Whoever writes, also from outside, should be "
            "sent to {stand_in}; please set that reply.",
            "Can you set my automatic reply[ from {first_day}][ to {last_day}]? For clients as well, with "
            "{stand_in} as the person to ask.",
            "Turn on the out-of-office reply[ from {first_day}][ until {last_day}], for people outside too; {stand_in} "
            "stands in.",
            "While I'm away[, from {first_day}][ to {last_day}], everyone who writes, clients included, should "
            "hear that {stand_in} covers for me. Please set that.",
            "I need an absence note for everybody, also outside the company[: {first_day}][ to {last_day}]. {stand_in} "
            "covers for me.",
            "Could you set a reply for colleagues and clients[ from {first_day}][ until {last_day}] that names "
            "{stand_in}?",
            "I'll be out[ from {first_day}][ to {last_day}]; please set a reply for everyone, outside as well. "
            "{stand_in} takes over.",
            "Please let everyone, clients too, know that I'm away[ from {first_day}][ until {last_day}] and that "
            "{stand_in} helps.",
            "Set an out-of-office message that goes to people outside as well[, from {first_day}][ to {last_day}], "
            "pointing to {stand_in}.",
            "My holiday is coming[: from {first_day}][ to {last_day}]. Set a reply for all, clients as well, "
            "that names {stand_in}.",
        ),
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
        verbs=("tell", "look up"),
        says=(
            "What was the reference number in {message}?",
            "Which reference number stands in {message}?",
            "I need the reference number from {message}.",
            "Please look up the reference number in {message}.",
            "Can you find the reference number that was in {message}?",
            "There is a reference number in {message}; what is it?",
            "Could you tell me the reference number out of {message}?",
            "They ask me for a reference number. It is in {message}.",
            "Please give me the reference from {message}, the one with letters and figures.",
            "What reference number did I get with {message}?",
            "I can't remember the reference number from {message}. Could you look?",
            "Would you check {message} for the reference number?",
        ),
        slots=(Slot("message", where=_has_reference),),
        tells=(Tell("reference number", kind="text", value=_reference),),
        share=1.3,
    ),
    Goal(
        get_message,
        name="last_word",
        verbs=("tell", "look up"),
        says=(
            "What did {person} say last in the thread of {mail}, and when? I mean the figure.",
            "In the thread of {mail}, which figure did {person} name last, and on which day?",
            "What number did {person} give in their last mail of the thread with {mail}, and when was that?",
            "Please look up {person}'s last word in the thread of {mail}: the figure and the date.",
            "When did {person} last write in the thread of {mail}, and what figure did they name?",
            "Can you tell me what figure {person} wrote last in the thread of {mail}, with the day?",
            "I need the last figure from {person} in the thread that {mail} belongs to, and its date.",
            "How does the thread of {mail} stand: what number did {person} name last, and when?",
            "Which number is in the last thing that {person} wrote in the thread of {mail}, and from when is it?",
            "Could you check {person}'s latest mail in the thread of {mail}? I want the figure and the day.",
            "What's the latest figure from {person} in the thread that {mail} is in, and when did it come?",
            "Would you find the number that {person} gave last in the thread of {mail}, and the day of it?",
        ),
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
        verbs=("tell", "look up"),
        says=(
            "How many mails bear {label}?",
            "How many mails are there under {label}?",
            "Please tell me how many messages I have under {label}.",
            "Can you count the mails with {label}?",
            "What is the number of mails under {label}?",
            "How much mail is filed under {label}? I mean the number.",
            "I'd like to know how many messages have {label}.",
            "Could you look up how many mails there are with {label}?",
            "How many have I filed under {label} by now?",
            "Count what is under {label}, please.",
            "How full is {label}: how many mails does it hold?",
            "Would you check how many mails {label} is on?",
        ),
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
