"""What employees want of their mailbox, and how they speak of what is in it."""

from __future__ import annotations

from toolgym.domains.email.goals.questions import AWAY, QUESTIONS
from toolgym.domains.email.goals.sending import DRAFTS, WRITING
from toolgym.domains.email.goals.sorting import FILING, TIDYING
from toolgym.domains.email.schema import Draft, Label, Message, Person
from toolgym.domains.email.tools import list_labels
from toolgym.sandbox.kit.goal import Condition, Thing

THINGS = (
    Thing(
        Message,
        (
            "the mail from {sender_name} about the {topic}",
            "the mail about the {topic} that came from {sender_name} on {sent_at:day}",
            "the mail from {sender_name} of {sent_at:day}",
        ),
        where=lambda message: message.row.folder != "sent",
        has_known_key=False,
    ),
    Thing(
        Draft,
        ("the mail to {recipient_names} in my {folder}", "the unsent mail to {recipient_names} in {folder}"),
        where=lambda draft: draft.row.state == "open",
        has_known_key=False,
    ),
    Thing(Label, ("the label {name}", "my label {name}"), has_known_key=False),
    Thing(Person, ("{name}", "{name} of {team}", "{name} at {company}")),
)
CONDITIONS = (Condition(Label, "messages", "if {value} or more mails have {it}", list_labels),)
GOALS = (*WRITING, *DRAFTS, *FILING, *TIDYING, *AWAY, *QUESTIONS)
