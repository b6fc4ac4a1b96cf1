"""How employees want their mail filed, marked and tidied."""

from __future__ import annotations

from datetime import date
from typing import Any

from toolgym.domains.email.goals.draws import (
    Calls,
    files_with,
    in_thread,
    may_leave,
    one_of,
    only_file,
    pages_of,
    thread_opened,
    workday,
)
from toolgym.domains.email.schema import Label, Message, Person
from toolgym.domains.email.tools import (
    attach_to_draft,
    create_label,
    create_reply_draft,
    label_messages,
    mark_messages,
    move_messages,
    search_messages,
    send_draft,
)
from toolgym.sandbox.kit.goal import Draw, Goal, Made, Slot, Tell

_NEW = ("Flat", "Landlord", "Insurance", "Taxes", "Garden", "School", "Car", "Choir", "Wedding", "Roof", "Mentoring")


def _new_name(draw: Draw) -> str:
    """A new label's name; now and then one that is taken."""
    taken = [row.name for row in draw.rows(Label)]
    return draw.rng.choice(taken if draw.rng.random() < 0.3 else _NEW)


def _in_inbox(draw: Draw, sender: Person, **equal: Any) -> list[Message]:
    """What lies in the inbox from somebody, the newest first."""
    found = [row for row in draw.rows(Message) if row.sender_email == sender.email and row.folder == "inbox"]
    found = [row for row in found if all(getattr(row, name) == value for name, value in equal.items())]
    return sorted(found, key=lambda row: (row.sent_at, row.message_id), reverse=True)


def _sender(draw: Draw) -> Person | None:
    """Somebody from whom several mails lie in the inbox."""
    emails = [row.sender_email for row in draw.rows(Message) if row.folder == "inbox"]
    found = sorted({email for email in emails if emails.count(email) > 1})
    return draw.database.get(Person, draw.rng.choice(found)) if found else None


def _all_from(draw: Draw) -> Calls:
    sender = draw.values["sender"]
    return pages_of(len(_in_inbox(draw, sender)), {"sender": sender, "folder": "inbox"})


def _sender_unread(draw: Draw) -> Person | None:
    """Somebody of whom something is unread in the inbox."""
    found = sorted({row.sender_email for row in draw.rows(Message) if row.folder == "inbox" and row.unread})
    return draw.database.get(Person, draw.rng.choice(found)) if found else None


def _unread_from(draw: Draw) -> Calls:
    given = {"sender": draw.values["sender"], "folder": "inbox", "unread": True}
    return [(search_messages, given)]


def _old(draw: Draw) -> list[Message]:
    found = [row for row in draw.rows(Message) if row.folder == "inbox" and not row.unread]
    return [row for row in found if row.sent_at.date() <= draw.values["until"]]


def _old_ones_seen(draw: Draw) -> Calls:
    return pages_of(len(_old(draw)), {"folder": "inbox", "unread": False, "last_day": draw.values["until"]})


def _old_unstarred(draw: Draw) -> list[Message] | None:
    return [row for row in _old(draw) if not row.starred] or None


def _count(found: Any) -> int | None:
    return len(found) if found else None


FILING = (
    Goal(
        create_label,
        name="file_away",
        verbs=("file", "label"),
        says=(
            'Put everything from {sender} in my inbox into a new label "{name}".',
            'Please file all that lies in my inbox from {sender} under a new label "{name}".',
            'I want a new label "{name}" for everything from {sender} in the inbox.',
            'Create a label "{name}" and put all mails from {sender} in my inbox under it.',
            'Can you make a label "{name}" and file whatever is in my inbox from {sender} there?',
            'What {sender} has sent me and is in the inbox should get a new label: "{name}".',
            'I need a label called "{name}", for all the mail from {sender} in my inbox.',
            'Could you label everything in the inbox from {sender} "{name}"? That label does not exist yet.',
            'Please set up the label "{name}" and give it to every mail from {sender} in the inbox.',
            'Everything from {sender} in my inbox belongs under a new label "{name}"; please file it there.',
            'I\'d like to file all inbox mail from {sender} under a new label called "{name}".',
            'Would you put the mails from {sender} in my inbox under "{name}"? Please make that label first.',
        ),
        slots=(
            Slot("name", draw=_new_name),
            Slot("sender", of=Person, draw=_sender, reads=_all_from),
        ),
        also=lambda draw: [
            (label_messages, {"messages": _in_inbox(draw, draw.values["sender"]), "add": Made("label_id")})
        ],
        tells=(
            Tell(
                "messages",
                kind="number",
                value=lambda result, draw: _count(_in_inbox(draw, draw.values["sender"])),
                near=("mail", "mails", "message", "messages"),
            ),
        ),
    ),
    Goal(
        create_label,
        name="create_label",
        verbs=("make", "set up"),
        says=(
            'Create a label "{name}"[ in {colour}], please.',
            'Please make a new label called "{name}"[, a {colour} one].',
            'I need another label: "{name}"[, {colour}].',
            'Can you add a label "{name}"[ in {colour}]?',
            'Make me a label "{name}"[, and let it be {colour}].',
            'I\'d like to have a label "{name}"[; {colour} would be good].',
            'Could you create the label "{name}"[ and make it {colour}]?',
            'Please add "{name}" to my labels[, in {colour}].',
            'My labels lack one for "{name}"; please make it[, in {colour}].',
            'A new label, please: "{name}"[, {colour}].',
            'Would you set up a label named "{name}"[ and colour it {colour}]?',
            'Let\'s have a label for "{name}"[, the {colour} kind].',
        ),
        slots=(Slot("name", draw=_new_name), Slot("colour", given=0.5)),
        share=0.6,
    ),
    Goal(
        label_messages,
        name="label",
        verbs=("label", "file"),
        says=(
            "File {messages} under {add}, please.",
            "Please put {messages} under {add}.",
            "Label {messages} with {add}, please.",
            "{messages} should bear {add}.",
            "Can you put {add} on {messages}?",
            "I want {messages} filed under {add}.",
            "{messages} needs a label[, {add}]; please put it on.",
            "Could you file {messages}[ under {add}] for me?",
            "Please give {messages} a label[: {add}].",
            "Would you label {messages}[ with {add}]?",
            "I'd like to find {messages} again later, so please label it[ with {add}].",
            "Please file {messages} away[ under {add}].",
        ),
        slots=(
            Slot("messages", draw=one_of("inbox", "archive")),
            Slot("add", withheld=0.4, says=("With {}.", "Under {}.")),
        ),
        where=lambda messages, add: add.row.name not in messages[0].row.labels,
    ),
    Goal(
        create_reply_draft,
        name="thread_to_label",
        verbs=("answer", "reply"),
        says=(
            "Look at {mail}: send its file as a reply to whoever began that thread, and file the thread so far "
            "under {label}.",
            "There is a file in {mail}. Please reply with it to the first mail of the thread, and label all that is in "
            "the thread so far with {label}.",
            "Whoever opened the thread of {mail} should get its attachment as a reply; then file the thread so far "
            "under {label}.",
            "Answer the opening mail of the thread that {mail} is in, attach the latter's file, and put everything "
            "in the thread so far under {label}.",
            "I have {mail} with a file in it. Can you answer the first mail of that thread with this file and label "
            "the thread so far with {label}?",
            "Send the file that came with {mail} as a reply to the mail that opened the thread, and put {label} on the "
            "whole thread so far.",
            "Please look up how the thread of {mail} began, reply to that first mail with the attachment of the one I "
            "named, and file all mails of the thread so far under {label}.",
            "I want the file from {mail} sent as a reply to the mail that opened the thread, and the thread so far "
            "filed under {label}.",
            "Could you find the oldest mail in the thread of {mail}, reply to it with the file from the mail I named, "
            "and give the thread so far {label}?",
            "The thread of {mail} began with a request. Please answer it with the file from this mail, and after that "
            "label the thread so far with {label}.",
            "Would you reply to the very first mail in the thread of {mail} and attach the file from the mail I named? "
            "Then file the thread so far under {label}.",
            "Reply to the first mail of the thread that {mail} is in, with the file from the mail I named, and label "
            "what is in the thread so far with {label}.",
        ),
        slots=(
            Slot("body"),
            Slot("mail", of=Message, draw=lambda draw: _later_mail(draw), reads=thread_opened),
            Slot("label", of=Label),
        ),
        worked_out={"message": lambda draw: _first_asked(draw)},
        also=lambda draw: [
            (attach_to_draft, {"draft": Made("draft_id"), "attachment": only_file(draw)}),
            (send_draft, {"draft": Made("draft_id")}),
            (label_messages, {"messages": in_thread(draw), "add": draw.values["label"]}),
        ],
        share=0.7,
    ),
)


def _later_mail(draw: Draw) -> Message | None:
    """A mail with one file in a thread that somebody else began."""
    found = [row for row in draw.rows(Message) if row.folder in ("inbox", "archive") and row.subject.startswith("Re: ")]
    draw.rng.shuffle(found)
    return next((row for row in found if len(files_with(draw, row)) == 1), None)


def _first_asked(draw: Draw) -> Message | None:
    """The mail that began the thread, where its sender may have the file and the label says something new."""
    first, mail, label = in_thread(draw)[0], draw.view(draw.values["mail"]), draw.values["label"]
    labelled = all(label.name in draw.view(row).labels for row in in_thread(draw))
    may = may_leave(mail, first.sender_email) and first.folder not in ("sent", "spam") and not labelled
    return first if may and first.message_id != mail.message_id else None


UNTIL = Slot("until", draw=(date(2025, 12, 31), date(2026, 1, 15), date(2026, 1, 31)), reads=_old_ones_seen)
TIDYING = (
    Goal(
        move_messages,
        name="clean",
        verbs=("archive", "move"),
        fixed={"folder": "archive"},
        says=(
            "Archive all read mail in my inbox up to {until} that has no star.",
            "Please archive all that I have read in the inbox up to {until}, but nothing with a star.",
            "My inbox is too full: please archive all that is read, has no star and came by {until}.",
            "Can you archive all read mail in my inbox that came up to {until}? Leave what has a star.",
            "I want all read mail without a star up to {until} out of the inbox and in the archive.",
            "Put all read mail up to {until} from the inbox into the archive, except what has a star.",
            "Please tidy my inbox: archive all read mail up to {until}, except what has a star.",
            "Could you archive all the mail in my inbox until {until} that I have read and that bears no star?",
            "In my inbox, all that came up to {until}, is read and has no star can go to the archive.",
            "Let's archive all read inbox mail up to {until}, unless it has a star.",
            "Would you move all read mail up to {until} from the inbox to the archive, unless it has a star?",
            "I'd like the inbox cleaned: archive all read mail without a star that came by {until}.",
        ),
        slots=(UNTIL,),
        worked_out={"messages": _old_unstarred},
        tells=(Tell("moved", kind="number", near=("mail", "mails", "message", "messages", "moved", "archived")),),
    ),
    Goal(
        move_messages,
        name="archive",
        verbs=("archive", "move"),
        fixed={"folder": "archive"},
        says=(
            "Archive {messages}, please.",
            "Please move {messages} to the archive.",
            "{messages} can go into the archive.",
            "I am done with {messages}; please archive it.",
            "Can you archive {messages}?",
            "I'd like {messages} out of my inbox and in the archive.",
            "Put {messages} into the archive, please.",
            "Could you archive {messages} for me?",
            "I no longer need {messages} in the inbox. Archive it, please.",
            "Would you move {messages} to the archive?",
            "{messages} is settled, so please archive it.",
            "Let's archive {messages}.",
        ),
        slots=(Slot("messages", draw=one_of("inbox")),),
        share=0.7,
    ),
    Goal(
        move_messages,
        name="delete",
        verbs=("delete", "trash", "move"),
        fixed={"folder": "trash"},
        says=(
            "Delete {messages}, please.",
            "Please move {messages} to the trash.",
            "{messages} can go into the trash.",
            "Throw {messages} away, please.",
            "Can you delete {messages}?",
            "I don't need {messages} any more; please delete it.",
            "Put {messages} into the trash, please.",
            "Could you throw away {messages} for me?",
            "Please get rid of {messages}: into the trash with it.",
            "Would you delete {messages}?",
            "I'd like to have {messages} deleted.",
            "{messages} is of no use to me, so please delete it.",
        ),
        slots=(Slot("messages", draw=one_of("inbox", "archive")),),
        share=0.7,
    ),
    Goal(
        move_messages,
        name="restore",
        verbs=("restore", "move"),
        fixed={"folder": "inbox"},
        says=(
            "Restore {messages} from the trash, please.",
            "Please move {messages} out of the trash and back to my inbox.",
            "I deleted {messages} by mistake; please bring it back.",
            "Can you get {messages} back out of the trash?",
            "Bring {messages} back from the trash, please.",
            "I should not have thrown {messages} away. Please restore it.",
            "Put {messages} back into my inbox; it lies in the trash.",
            "Could you restore {messages}? It is in the trash.",
            "I still need {messages}, which is in the trash. Please get it back.",
            "Would you bring {messages} back to the inbox from the trash?",
            "I'd like to have {messages} back; I had deleted it.",
            "{messages} went into the trash too early. Please restore it to the inbox.",
        ),
        slots=(Slot("messages", draw=one_of("trash")),),
        where=lambda messages: messages[0].row.folder == "trash",
    ),
    Goal(
        move_messages,
        name="unspam",
        verbs=("move",),
        fixed={"folder": "inbox"},
        says=(
            "{messages} landed in spam. Get it back to the inbox and answer that I will pay on {day}.",
            "Please move {messages} out of spam into my inbox and reply that I will pay on {day}.",
            "{messages} is not spam: move it to the inbox, and write back that the money comes on {day}.",
            "Can you get {messages} out of the spam folder and answer that it will be paid on {day}?",
            "I found {messages} in spam. Please put it into the inbox and send an answer: I will pay on {day}.",
            "Take {messages} out of spam, into the inbox, and tell the sender that I will pay on {day}.",
            "{messages} should not be in spam. Move it to my inbox, then answer with {day} as the day on which I pay.",
            "Could you move {messages} from spam to the inbox and reply that payment follows on {day}?",
            "Please rescue {messages} from spam, to the inbox, and answer: we pay on {day}.",
            "Would you bring {messages} from the spam folder to my inbox and answer that I settle it on {day}?",
            "Move {messages} from spam to the inbox and send the sender an answer: it is paid on {day}.",
            "I want {messages} out of spam and in my inbox, and an answer sent that I will pay on {day}.",
        ),
        slots=(
            Slot("messages", draw=one_of("spam")),
            Slot("body", mentions=("day",)),
            Slot("day", draw=workday),
        ),
        also=lambda draw: [
            (create_reply_draft, {"message": draw.values["messages"][0], "body": draw.values["body"]}),
            (send_draft, {"draft": Made("draft_id", by=create_reply_draft)}),
        ],
    ),
    Goal(
        mark_messages,
        name="star",
        verbs=("star", "mark", "flag"),
        fixed={"flag": "starred"},
        says=(
            "Star {messages}, please.",
            "Please put a star on {messages}.",
            "Mark {messages} with a star.",
            "{messages} is important; give it a star.",
            "Can you star {messages}?",
            "I want to find {messages} quickly, so please star it.",
            "Could you put a star on {messages} for me?",
            "Please flag {messages} with a star.",
            "{messages} should have a star.",
            "Would you mark {messages} with a star?",
            "I'd like a star on {messages}.",
            "Let's star {messages} so that I do not forget it.",
        ),
        slots=(Slot("messages", draw=one_of("inbox", "archive")),),
        where=lambda messages: not messages[0].row.starred,
        share=0.7,
    ),
    Goal(
        mark_messages,
        name="mark_read",
        verbs=("mark", "set"),
        fixed={"flag": "read"},
        says=(
            "Mark everything from {sender} in my inbox as read.",
            "Please mark what is unread in the inbox from {sender} as read.",
            "I have seen all that {sender} wrote; please mark it as read in my inbox.",
            "Can you mark the mails from {sender} in my inbox as read?",
            "Everything in the inbox from {sender} can be marked as read.",
            "Set all inbox mail from {sender} to read, please.",
            "Could you mark whatever {sender} sent to my inbox as read?",
            "Please mark as read all that lies in the inbox from {sender}.",
            "Would you mark all of the mail from {sender} in my inbox as read?",
            "I talked to {sender} already, so please mark their mails in the inbox as read.",
            "I'd like everything from {sender} in the inbox marked as read.",
            "Mails from {sender} in my inbox should count as read; please mark them.",
        ),
        slots=(Slot("sender", of=Person, draw=_sender_unread, reads=_unread_from),),
        worked_out={"messages": lambda draw: _in_inbox(draw, draw.values["sender"], unread=True) or None},
        tells=(Tell("changed", kind="number", near=("mail", "mails", "message", "messages", "marked")),),
    ),
)
