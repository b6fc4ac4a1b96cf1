"""Mails that employees want written, answered, passed on and sent."""

from datetime import datetime, time, timedelta
from typing import Any

from toolgym.domains.email import tools
from toolgym.domains.email.goals import draws
from toolgym.domains.email.schema import Message, Person
from toolgym.sandbox.kit.goal import Draw, Goal, Made, Slot, Tell

SENT = (tools.send_draft, {"draft": Made("draft_id")})


def _can_be_answered(message: Any) -> bool:
    return message.row.folder in ("inbox", "archive", "spam")


def _is_news(message: Any, to: list[Any]) -> bool:
    known = {message.row.sender_email, *message.row.to, *message.row.cc}
    return _can_be_answered(message) and not known & {person.row.email for person in to}


def _manager(draw: Draw) -> list[Person] | None:
    found = draw.person.manager and draw.database.get(Person, draw.person.manager)
    return [found] if found else None


def _others_got_it(message: Any) -> bool:
    return message.row.folder in ("inbox", "archive") and len(message.row.to) > 1


def _later(draw: Draw) -> datetime:
    """A morning to come, or now and then a moment at the edge of what can be scheduled."""
    edge = draw.now + timedelta(minutes=draw.rng.choice((4, 5)))
    last = datetime.combine(draw.now.date() + timedelta(days=draw.rng.choice((60, 61))), time(8))
    usual = datetime.combine(draw.now.date() + timedelta(days=draw.rng.choice((1, 1, 2, 3, 6, 9))), time(8))
    return draw.rng.choice(
        (edge, last, usual, usual + timedelta(hours=1), usual + timedelta(hours=5), draws.moment(draw))
    )


def _may_go(mail: Any, to: list[Any]) -> bool:
    emails = [person.row.email for person in to]
    return (
        bool(mail.row.attached_bytes <= 20_000_000)
        and draws.may_leave(mail, *emails)
        and mail.row.sender_email not in emails
    )


MESSAGE = Slot("message", says=("I mean {}.", "It is {}."))
TO = Slot("to", withheld=0.35, draw=draws.one_person, says=("To {}.", "It should go to {}."))
MAIL = Slot("mail", of=Message, draw=draws.mail_with_file, reads=draws.mail_opened)

WRITING = (
    Goal(
        tools.create_reply_draft,
        name="reply",
        slots=(
            MESSAGE,
            Slot("body", mentions=("when",)),
            Slot(
                "when", withheld=0.4, draw=draws.moment, says=("That {} suits me.", "I can do {}.", "{} works for me.")
            ),
        ),
        where=_can_be_answered,
        also=lambda draw: [SENT],
        share=1.5,
    ),
    Goal(
        tools.create_reply_draft,
        name="reply_all",
        fixed={"everyone": True},
        slots=(
            MESSAGE,
            Slot("body", mentions=("day",)),
            Slot("day", withheld=0.4, draw=draws.workday, says=("That it is done by {}.", "{} is when I'll be ready.")),
        ),
        where=_others_got_it,
        also=lambda draw: [SENT],
        share=0.7,
    ),
    Goal(
        tools.create_forward_draft,
        name="forward",
        slots=(MESSAGE, TO),
        where=_is_news,
        also=lambda draw: [SENT],
        share=1.3,
    ),
    Goal(
        tools.create_forward_draft,
        name="forward_to_manager",
        slots=(Slot("message", says=("I mean {}.", "It is {}."), reads=lambda draw: [(tools.get_mailbox, {})]),),
        worked_out={"to": _manager},
        where=_is_news,
        also=lambda draw: [SENT],
        tells=(Tell("to.0", kind="text"),),
        share=0.7,
    ),
    Goal(
        tools.create_draft,
        name="write",
        slots=(
            Slot("to", draw=draws.one_person, says=("To {}.",)),
            Slot("subject", mentions=("thing",)),
            Slot("body", mentions=("thing", "day")),
            Slot("thing", draw=draws.THINGS_WRITTEN_OF),
            Slot("day", withheld=0.3, draw=draws.workday, says=("On {}.", "It is {}.")),
        ),
        also=lambda draw: [SENT],
        share=1.3,
    ),
    Goal(
        tools.create_draft,
        name="attach_other",
        slots=(Slot("to", draw=draws.one_person), Slot("subject"), Slot("body"), MAIL),
        where=_may_go,
        also=lambda draw: [
            (tools.attach_to_draft, {"draft": Made("draft_id"), "attachment": draws.only_file(draw)}),
            SENT,
        ],
        tells=(
            Tell("file name", kind="text", value=lambda result, draw: getattr(draws.only_file(draw), "name", None)),
        ),
    ),
)


DRAFTS = (
    Goal(tools.send_draft, name="send_now", slots=(Slot("draft"),)),
    Goal(
        tools.schedule_draft,
        name="send_later",
        slots=(Slot("draft"), Slot("send_at", withheld=0.4, draw=_later, says=("On {}.", "For {}."))),
        tells=(Tell("send_at"),),
    ),
    Goal(
        tools.attach_to_draft,
        name="add_attachment",
        slots=(Slot("draft"), MAIL),
        worked_out={"attachment": draws.only_file},
        tells=(
            Tell("file name", kind="text", value=lambda result, draw: getattr(draws.only_file(draw), "name", None)),
        ),
        share=1.3,
    ),
)
