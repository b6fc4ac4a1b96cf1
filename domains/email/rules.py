"""The mailbox's rules: each a sentence of the policy, the words of a refusal and a predicate."""

from collections.abc import Sequence
from datetime import date, datetime, timedelta
from typing import Any

from toolgym.domains.email import tools
from toolgym.domains.email.schema import CONFIDENTIAL, HOME, Attachment, Draft, Message, Person
from toolgym.sandbox.kit.world import ToolCall, View, rule

LIMIT_BYTES = 20_000_000
LABELS, RECIPIENTS, KEPT_DAYS = 30, 20, 30
SOONEST, LATEST_DAYS = timedelta(minutes=5), 60


def _labels() -> ToolCall:
    return ToolCall(name="list_labels", arguments={})


@rule(
    "The files of a mail come to at most 20 MB in all (20,000,000 bytes).",
    why="The files would be larger than 20 MB.|20 MB|20MB|too large|too big|size limit",
    on=[tools.attach_to_draft, tools.create_forward_draft],
    reads=[tools.get_message, tools.search_messages],
)
def attachment_size(
    draft: View[Draft] | None = None, attachment: View[Attachment] | None = None, message: View[Message] | None = None
) -> bool:
    if message is not None:
        return message.row.attached_bytes <= LIMIT_BYTES
    assert draft is not None and attachment is not None
    return draft.row.attached_bytes + attachment.row.bytes <= LIMIT_BYTES


@rule(
    "A mail goes to at most 20 people, with at most 20 more in copy, also when everyone is answered.",
    why="That would be too many recipients.|too many recipients|20 people|20 recipients|more than 20|twenty",
    on=[tools.create_reply_draft],
    reads=[tools.get_message],
)
def recipients(message: View[Message], everyone: bool, owner: View[Person]) -> bool:
    return all(len(each) <= RECIPIENTS for each in tools.answered(message.row, owner.row.email, everyone))


@rule(
    "A message labelled Confidential, or a file that came with one, does not leave the company: it is neither "
    "forwarded nor attached to anybody outside larkfield.example.",
    why="It is confidential and may not leave the company.|confidential|may not leave|leave the company|outside",
    on=[tools.create_forward_draft, tools.attach_to_draft],
    reads=[tools.get_message],
    by="policy",
)
def outside_confidential(
    message: View[Message] | None = None,
    to: list[View[Person]] | None = None,
    draft: View[Draft] | None = None,
    attachment: View[Attachment] | None = None,
) -> bool:
    going = [*(person.row.email for person in to or ()), *((*draft.row.to, *draft.row.cc) if draft else ())]
    labels = [label for each in (message, attachment) if each is not None for label in each.row.labels]
    return CONFIDENTIAL not in labels or all(email.endswith(HOME) for email in going)


@rule(
    "A mail is scheduled 5 minutes to 60 days ahead.",
    why="Choose a time between 5 minutes and 60 days from now.|5 minutes|60 days|too soon|too far|past",
    on=[tools.schedule_draft],
)
def schedule_ahead(send_at: datetime, now: datetime) -> bool:
    return now + SOONEST <= send_at and send_at.date() <= now.date() + timedelta(days=LATEST_DAYS)


@rule(
    "What lies in spam is neither answered nor forwarded before it is moved to the inbox, which is done only when the "
    "employee asks for it.",
    why="It lies in spam; move it out of spam first.|spam",
    on=[tools.create_reply_draft, tools.create_forward_draft],
    reads=[tools.get_message],
)
def spam_closed(message: View[Message]) -> bool:
    return message.row.folder != "spam"


@rule(
    "No two labels have the same name, in capitals or not.",
    why="There is a label of that name already.|already|exists|same name|duplicate",
    on=[tools.create_label],
    reads=[tools.list_labels],
    looks={"labels": _labels},
)
def label_once(name: str, labels: Sequence[dict[str, Any]]) -> bool:
    return name.strip().casefold() not in [label["name"].casefold() for label in labels]


@rule(
    "A mailbox has at most 30 labels.",
    why="You already have 30 labels.|30 labels|thirty labels|too many labels|limit",
    on=[tools.create_label],
    reads=[tools.list_labels],
    looks={"labels": _labels},
)
def label_limit(labels: Sequence[dict[str, Any]]) -> bool:
    return len(labels) < LABELS


@rule(
    "From the trash only what was deleted at most 30 days ago comes back.",
    why="It was deleted more than 30 days ago and is removed for good.|removed for good|30 days|thirty days",
    on=[tools.move_messages],
    reads=[tools.get_message],
)
def trash_30(messages: list[View[Message]], now: datetime) -> bool:
    return all(_is_kept(message.row.deleted_on, now.date()) for message in messages)


def _is_kept(deleted_on: date | None, today: date) -> bool:
    return deleted_on is None or today - deleted_on <= timedelta(days=KEPT_DAYS)
