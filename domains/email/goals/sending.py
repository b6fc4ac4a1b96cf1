"""Mails that employees want written, answered, passed on and sent."""

from __future__ import annotations

from datetime import datetime, time, timedelta
from typing import Any

from toolgym.domains.email.goals.draws import (
    THINGS_WRITTEN_OF,
    mail_opened,
    mail_with_file,
    may_leave,
    moment,
    one_person,
    only_file,
    workday,
)
from toolgym.domains.email.schema import Message, Person
from toolgym.domains.email.tools import (
    attach_to_draft,
    create_draft,
    create_forward_draft,
    create_reply_draft,
    get_mailbox,
    schedule_draft,
    send_draft,
)
from toolgym.sandbox.kit.goal import Draw, Goal, Made, Slot, Tell

SENT = (send_draft, {"draft": Made("draft_id")})


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
    return draw.rng.choice((edge, last, usual, usual + timedelta(hours=1), usual + timedelta(hours=5), moment(draw)))


def _may_go(mail: Any, to: list[Any]) -> bool:
    emails = [person.row.email for person in to]
    return (
        bool(mail.row.attached_bytes <= 20_000_000) and may_leave(mail, *emails) and mail.row.sender_email not in emails
    )


MESSAGE = Slot("message", says=("I mean {}.", "It is {}."))
TO = Slot("to", withheld=0.35, draw=one_person, says=("To {}.", "It should go to {}."))
MAIL = Slot("mail", of=Message, draw=mail_with_file, reads=mail_opened)

WRITING = (
    Goal(
        create_reply_draft,
        name="reply",
        verbs=("answer", "reply", "tell", "write", "send"),
        says=(
            "Answer {message}[ and say that {when} suits me], please.",
            "Please reply to {message}[ that {when} works for me].",
            "I have to answer {message}[: {when} is fine with me]. Can you send that?",
            "Can you answer {message} for me?[ {when} suits me.]",
            "Please send an answer to {message}[, saying that I can make it on {when}].",
            "{message} still waits for an answer. Please reply[ that {when} is good for me].",
            "Could you reply to {message}[ and say that {when} would be best]?",
            "I'd like to reply to {message}[ and propose {when}].",
            "Reply to {message}[ with {when}], please.",
            "Would you answer {message}[ and tell them that I am free on {when}]?",
            "I owe somebody an answer to {message}. Please write it[; I can do {when}].",
            "Please get back to the sender of {message}[ and offer {when}].",
            "Let's answer {message}[: I'll be there on {when}].",
            "Write an answer to {message}, please[, with {when} as the time that suits me].",
        ),
        slots=(
            MESSAGE,
            Slot("body", mentions=("when",)),
            Slot("when", withheld=0.4, draw=moment, says=("That {} suits me.", "I can do {}.", "{} works for me.")),
        ),
        where=_can_be_answered,
        also=lambda draw: [SENT],
        share=1.5,
    ),
    Goal(
        create_reply_draft,
        name="reply_all",
        verbs=("answer", "reply", "tell", "write", "send"),
        fixed={"everyone": True},
        says=(
            "Answer everyone on {message}[ and say that it will be done by {day}].",
            "Please reply to all on {message}[: I'll be ready by {day}].",
            "Reply to everyone who got {message}[ and say that I'll have it done by {day}], please.",
            "Please send all the recipients of {message} an answer[: it will be finished on {day}].",
            "Can you answer all of them on {message}?[ I'll manage it by {day}.]",
            "Everybody who received {message} should get my answer[: {day} is when I'll be done].",
            "I want to reply to all on {message}[ and say that I deliver on {day}].",
            "Could you write to everyone on {message}[ and say that {day} is when I will be done]?",
            "Please answer {message}, to everyone and not just the sender[: we will finish on {day}].",
            "Would you tell everyone on {message}[ that I need until {day}]?",
            "Let everyone on {message} know[ that my part comes on {day}]; please reply to all.",
            "A reply to all on {message}, please[: {day} is the day on which I deliver].",
        ),
        slots=(
            MESSAGE,
            Slot("body", mentions=("day",)),
            Slot("day", withheld=0.4, draw=workday, says=("That it is done by {}.", "{} is when I'll be ready.")),
        ),
        where=_others_got_it,
        also=lambda draw: [SENT],
        share=0.7,
    ),
    Goal(
        create_forward_draft,
        name="forward",
        verbs=("forward", "pass", "send"),
        says=(
            "Forward {message}[ to {to}], please.",
            "Please forward {message}[ to {to}].",
            "Can you pass {message} on[ to {to}]?",
            "I think {to} should see {message}; please forward it.",
            "I'd like to forward {message}[ to {to}].",
            "Could you forward {message}[ to {to}] for me?",
            "Please send {message} on[ to {to}].",
            "Somebody else needs {message}[: {to}]. Please forward it.",
            "Would you pass {message} along[ to {to}]?",
            "I was asked by {to} for {message}. Please forward it.",
            "I promised to forward {message}[ to {to}]. Can you do that?",
            "Let {to} have {message} as well: please forward it.",
            "Please see to it that {message} is forwarded[ to {to}].",
        ),
        slots=(MESSAGE, TO),
        where=_is_news,
        also=lambda draw: [SENT],
        share=1.3,
    ),
    Goal(
        create_forward_draft,
        name="forward_to_manager",
        verbs=("forward", "pass", "send"),
        says=(
            "Forward {message} to my manager, please.",
            "Please forward {message} to my manager.",
            "My manager should see {message}. Please forward it.",
            "Can you pass {message} on to my manager?",
            "I'd like my manager to have {message}; please forward it.",
            "Could you forward {message} to my manager? You will find out who that is.",
            "Please send {message} on to my manager.",
            "My manager asked for {message}. Can you forward it?",
            "Would you pass {message} along to my manager?",
            "I have to show my manager {message}, so please forward it.",
            "Let my manager have {message} as well; please forward it.",
            "Please see to it that {message} is forwarded to my manager.",
        ),
        slots=(Slot("message", says=("I mean {}.", "It is {}."), reads=lambda draw: [(get_mailbox, {})]),),
        worked_out={"to": _manager},
        where=_is_news,
        also=lambda draw: [SENT],
        tells=(Tell("to.0", kind="text"),),
        share=0.7,
    ),
    Goal(
        create_draft,
        name="write",
        verbs=("write", "send", "tell", "mail"),
        says=(
            "Write to {to} that the {thing} will be ready on {day}.",
            "Please send {to} a mail: the {thing} comes on {day}.",
            "Please tell {to} by mail that the {thing} will be there on {day}.",
            "Can you write to {to}? The {thing} will be a little late[; it will come on {day}].",
            "I need to let {to} know about the {thing}[: it will be done on {day}]. Please write a mail.",
            "Please mail {to} about the {thing}[; it will be sent on {day}].",
            "Could you write {to} a short mail about the {thing}[ and give {day} as the day]?",
            "A mail has to go to {to}, who waits for the {thing}. Please write[ that it comes on {day}].",
            "I'd like to write to {to} about the {thing}[: we will have it on {day}].",
            "Would you send {to} a mail and say that the {thing} is due on {day}?",
            "Send {to} a mail about the {thing}[ and say that it arrives on {day}], please.",
            "A new mail to {to}, please: the {thing} will be with them on {day}.",
        ),
        slots=(
            Slot("to", draw=one_person, says=("To {}.",)),
            Slot("subject", mentions=("thing",)),
            Slot("body", mentions=("thing", "day")),
            Slot("thing", draw=THINGS_WRITTEN_OF),
            Slot("day", withheld=0.3, draw=workday, says=("On {}.", "It is {}.")),
        ),
        also=lambda draw: [SENT],
        share=1.3,
    ),
    Goal(
        create_draft,
        name="attach_other",
        verbs=("send", "write", "mail"),
        says=(
            "Send {to} the file that came with {mail}.",
            "Please send {to} what was attached to {mail}.",
            "I know that {to} needs the attachment of {mail}. Please write a new mail with it.",
            "Can you send the file from {mail} to {to}?",
            "Please mail {to} the attachment that came with {mail}, without forwarding the mail itself.",
            "I promised {to} the file out of {mail}. Please send it.",
            "Could you write to {to} and attach the file from {mail}?",
            "Would you send {to} the document that was in {mail}?",
            "I'd like {to} to have the attachment of {mail}, in a mail of its own.",
            "Please write a mail to {to} with the file from {mail}.",
            "There is a file in {mail} that {to} asked me for. Send it, please.",
            "It seems that {to} never got the file from {mail}; please send it in a new mail.",
        ),
        slots=(Slot("to", draw=one_person), Slot("subject"), Slot("body"), MAIL),
        where=_may_go,
        also=lambda draw: [
            (attach_to_draft, {"draft": Made("draft_id"), "attachment": only_file(draw)}),
            SENT,
        ],
        tells=(Tell("file name", kind="text", value=lambda result, draw: getattr(only_file(draw), "name", None)),),
    ),
)


DRAFTS = (
    Goal(
        send_draft,
        name="send_now",
        verbs=("send",),
        says=(
            "Send {draft} now, please.",
            "Please send {draft}.",
            "{draft} can go out now.",
            "I have read {draft} once more; please send it.",
            "Can you send {draft}?",
            "It is time to send {draft}.",
            "Could you send off {draft} for me?",
            "{draft} is ready. Send it, please.",
            "I forgot to send {draft}. Please do it now.",
            "Would you send {draft} as it is?",
            "I'd like {draft} to be sent right away.",
            "Let's send {draft}.",
        ),
        slots=(Slot("draft"),),
    ),
    Goal(
        schedule_draft,
        name="send_later",
        verbs=("schedule", "send"),
        says=(
            "Schedule {draft}[ for {send_at}], please.",
            "Please send {draft} later[, on {send_at}].",
            "{draft} should go out later[: on {send_at}].",
            "Can you schedule {draft}[ for {send_at}]?",
            "I want {draft} to leave later[, on {send_at}].",
            "Please let {draft} go out by itself[ on {send_at}].",
            "Could you time {draft} so that it is sent later[, on {send_at}]?",
            "Don't send {draft} now; schedule it[ for {send_at}].",
            "I'd like {draft} scheduled[ for {send_at}].",
            "Would you set {draft} to go out[ on {send_at}|at a time that I choose]?",
            "{draft} is ready, but please hold it back and schedule it[ for {send_at}].",
            "Let {draft} be sent[ on {send_at}|later on]; please schedule it.",
        ),
        slots=(
            Slot("draft"),
            Slot("send_at", withheld=0.4, draw=_later, says=("On {}.", "For {}.")),
        ),
        tells=(Tell("send_at"),),
    ),
    Goal(
        attach_to_draft,
        name="add_attachment",
        verbs=("attach",),
        says=(
            "Attach the file from {mail} to {draft}.",
            "Please add the attachment of {mail} to {draft}.",
            "Put the file that came with {mail} into {draft}, please.",
            "{draft} lacks a file: the one from {mail}. Please attach it.",
            "Can you attach what came with {mail} to {draft}?",
            "I want the file from {mail} in {draft}.",
            "Could you put the attachment of {mail} into {draft}?",
            "Please attach the document out of {mail} to {draft}, but do not send it yet.",
            "The file from {mail} belongs in {draft}; please add it.",
            "Would you add the file that was in {mail} to {draft}?",
            "I'd like to have the attachment of {mail} go with {draft}.",
            "Take the file from {mail} and attach it to {draft}.",
        ),
        slots=(Slot("draft"), MAIL),
        worked_out={"attachment": only_file},
        tells=(Tell("file name", kind="text", value=lambda result, draw: getattr(only_file(draw), "name", None)),),
        share=1.3,
    ),
)
