"""How employees want their mail filed, marked and tidied."""

from datetime import date
from typing import Any

from toolgym.domains.email import tools
from toolgym.domains.email.goals import draws
from toolgym.domains.email.schema import Label, Message, Person
from toolgym.sandbox.kit.goal import Calls, Draw, Goal, Made, Slot, Tell

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
    return draws.pages_of(len(_in_inbox(draw, sender)), {"sender": sender, "folder": "inbox"})


def _sender_unread(draw: Draw) -> Person | None:
    """Somebody of whom something is unread in the inbox."""
    found = sorted({row.sender_email for row in draw.rows(Message) if row.folder == "inbox" and row.unread})
    return draw.database.get(Person, draw.rng.choice(found)) if found else None


def _unread_from(draw: Draw) -> Calls:
    given = {"sender": draw.values["sender"], "folder": "inbox", "unread": True}
    return [(tools.search_messages, given)]


def _old(draw: Draw) -> list[Message]:
    found = [row for row in draw.rows(Message) if row.folder == "inbox" and not row.unread]
    return [row for row in found if row.sent_at.date() <= draw.values["until"]]


def _old_ones_seen(draw: Draw) -> Calls:
    return draws.pages_of(len(_old(draw)), {"folder": "inbox", "unread": False, "last_day": draw.values["until"]})


def _old_unstarred(draw: Draw) -> list[Message] | None:
    return [row for row in _old(draw) if not row.starred] or None


def _count(found: Any) -> int | None:
    return len(found) if found else None


FILING = (
    Goal(
        tools.create_label,
        name="file_away",
        slots=(Slot("name", draw=_new_name), Slot("sender", of=Person, draw=_sender, reads=_all_from)),
        also=lambda draw: [
            (tools.label_messages, {"messages": _in_inbox(draw, draw.values["sender"]), "add": Made("label_id")})
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
        tools.create_label,
        name="create_label",
        slots=(Slot("name", draw=_new_name), Slot("colour", given=0.5)),
        share=0.6,
    ),
    Goal(
        tools.label_messages,
        name="label",
        slots=(
            Slot("messages", draw=draws.one_of("inbox", "archive")),
            Slot("add", withheld=0.4, says=("With {}.", "Under {}.")),
        ),
        where=lambda messages, add: add.row.name not in messages[0].row.labels,
    ),
    Goal(
        tools.create_reply_draft,
        name="thread_to_label",
        slots=(
            Slot("body"),
            Slot("mail", of=Message, draw=lambda draw: _later_mail(draw), reads=draws.thread_opened),
            Slot("label", of=Label),
        ),
        worked_out={"message": lambda draw: _first_asked(draw)},
        also=lambda draw: [
            (tools.attach_to_draft, {"draft": Made("draft_id"), "attachment": draws.only_file(draw)}),
            (tools.send_draft, {"draft": Made("draft_id")}),
            (tools.label_messages, {"messages": draws.in_thread(draw), "add": draw.values["label"]}),
        ],
        share=0.7,
    ),
)


def _later_mail(draw: Draw) -> Message | None:
    """A mail with one file in a thread that somebody else began."""
    found = [row for row in draw.rows(Message) if row.folder in ("inbox", "archive") and row.subject.startswith("Re: ")]
    draw.rng.shuffle(found)
    return next((row for row in found if len(draws.files_with(draw, row)) == 1), None)


def _first_asked(draw: Draw) -> Message | None:
    """The mail that began the thread, where its sender may have the file and the label says something new."""
    first, mail, label = draws.in_thread(draw)[0], draw.view(draw.values["mail"]), draw.values["label"]
    labelled = all(label.name in draw.view(row).labels for row in draws.in_thread(draw))
    may = draws.may_leave(mail, first.sender_email) and first.folder not in ("sent", "spam") and not labelled
    return first if may and first.message_id != mail.message_id else None


UNTIL = Slot("until", draw=(date(2025, 12, 31), date(2026, 1, 15), date(2026, 1, 31)), reads=_old_ones_seen)
TIDYING = (
    Goal(
        tools.move_messages,
        name="clean",
        fixed={"folder": "archive"},
        slots=(UNTIL,),
        worked_out={"messages": _old_unstarred},
        tells=(Tell("moved", kind="number", near=("mail", "mails", "message", "messages", "moved", "archived")),),
    ),
    Goal(
        tools.move_messages,
        name="archive",
        fixed={"folder": "archive"},
        slots=(Slot("messages", draw=draws.one_of("inbox")),),
        share=0.7,
    ),
    Goal(
        tools.move_messages,
        name="delete",
        fixed={"folder": "trash"},
        slots=(Slot("messages", draw=draws.one_of("inbox", "archive")),),
        share=0.7,
    ),
    Goal(
        tools.move_messages,
        name="restore",
        fixed={"folder": "inbox"},
        slots=(Slot("messages", draw=draws.one_of("trash")),),
        where=lambda messages: messages[0].row.folder == "trash",
    ),
    Goal(
        tools.move_messages,
        name="unspam",
        fixed={"folder": "inbox"},
        slots=(
            Slot("messages", draw=draws.one_of("spam")),
            Slot("body", mentions=("day",)),
            Slot("day", draw=draws.workday),
        ),
        also=lambda draw: [
            (tools.create_reply_draft, {"message": draw.values["messages"][0], "body": draw.values["body"]}),
            (tools.send_draft, {"draft": Made("draft_id", by=tools.create_reply_draft)}),
        ],
    ),
    Goal(
        tools.mark_messages,
        name="star",
        fixed={"flag": "starred"},
        slots=(Slot("messages", draw=draws.one_of("inbox", "archive")),),
        where=lambda messages: not messages[0].row.starred,
        share=0.7,
    ),
    Goal(
        tools.mark_messages,
        name="mark_read",
        fixed={"flag": "read"},
        slots=(Slot("sender", of=Person, draw=_sender_unread, reads=_unread_from),),
        worked_out={"messages": lambda draw: _in_inbox(draw, draw.values["sender"], unread=True) or None},
        tells=(Tell("changed", kind="number", near=("mail", "mails", "message", "messages", "marked")),),
    ),
)
