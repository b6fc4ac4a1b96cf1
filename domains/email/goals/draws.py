"""What several goals draw and say."""

import re
from collections.abc import Mapping
from datetime import date, datetime, time, timedelta
from typing import Any

from toolgym.domains.email.schema import CONFIDENTIAL, HOME, Attachment, Message, Person, Thread
from toolgym.domains.email.tools import get_message, get_thread, search_messages
from toolgym.sandbox.kit.goal import Calls, Draw

THINGS_WRITTEN_OF = (
    "contract", "offer", "sample", "catalogue", "report", "shipment", "price list", "presentation", "schedule",
    "questionnaire", "prototype", "brochure",
)  # fmt: skip
REFERENCE = re.compile(r"\b[A-Z]{2}-\d{5}\b")
FIGURE = re.compile(r"\b\d{2,3}\b")
LOOKED_AT = 10


def workday(draw: Draw) -> date:
    """A working day of the next two weeks."""
    day = draw.now.date() + timedelta(days=draw.rng.randrange(1, 15))
    return day if day.weekday() < 5 else day + timedelta(days=2)


def moment(draw: Draw) -> datetime:
    """A half or full hour of a working day."""
    return datetime.combine(workday(draw), time(9)) + timedelta(minutes=30 * draw.rng.randrange(16))


def somebody(draw: Draw) -> Person:
    """A colleague or, less often, a client."""
    people = [person for person in draw.rows(Person) if person.email != draw.person.email]
    inside = draw.rng.random() < 0.65
    return draw.rng.choice([person for person in people if person.email.endswith(HOME) == inside])


def one_person(draw: Draw) -> list[Person]:
    """Somebody, as the only one to whom a mail goes."""
    return [somebody(draw)]


def one_of(*folders: str) -> Any:
    """Draws a list of one message that lies in one of these folders."""

    def draw_one(draw: Draw) -> list[Message] | None:
        found = [row for row in draw.rows(Message) if row.folder in folders]
        return [draw.rng.choice(found)] if found else None

    return draw_one


def files_with(draw: Draw, message: Message) -> list[Attachment]:
    """The files that came with a message."""
    return draw.database.find(Attachment, message_id=message.message_id)


def only_file(draw: Draw) -> Attachment | None:
    """The file that came with the drawn `mail`."""
    found = files_with(draw, draw.values["mail"])
    return found[0] if len(found) == 1 else None


def is_with_file(message: Any) -> bool:
    """Whether one file came with a message that has not been thrown away."""
    return len(message.row.attachments) == 1 and message.row.folder in ("inbox", "archive")


def mail_with_file(draw: Draw) -> Message | None:
    """A message with one file."""
    found = [row for row in draw.rows(Message) if is_with_file(draw.view(row))]
    return draw.one_of(found)


def may_leave(message: Any, *emails: str) -> bool:
    """Whether a message's files may go to these addresses."""
    return CONFIDENTIAL not in message.row.labels or all(email.endswith(HOME) for email in emails)


def mail_opened(draw: Draw) -> Calls:
    """The look at the drawn `mail`."""
    return [(get_message, {"message": draw.values["mail"]})]


def thread_opened(draw: Draw) -> Calls:
    """The looks at the drawn `mail` and at its thread."""
    thread = draw.database.get(Thread, draw.values["mail"].thread_id)
    return [*mail_opened(draw), (get_thread, {"thread": thread})]


def in_thread(draw: Draw) -> list[Message]:
    """The messages of the drawn `mail`'s thread, the oldest first."""
    found = "thread_id = :thread ORDER BY sent_at, message_id"
    return draw.database.select(Message, found, thread=draw.values["mail"].thread_id)


def pages_of(count: int, given: Mapping[str, Any]) -> Calls:
    """The pages of a search that finds so many messages."""
    more: list[dict[str, int]] = [{} if page == 1 else {"page": page} for page in range(1, -(-count // LOOKED_AT) + 1)]
    return [(search_messages, {**given, **page}) for page in more]
