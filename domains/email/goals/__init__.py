"""What employees want of their mailbox, and how they speak of what is in it."""

from toolgym.domains.email.goals.questions import AWAY, QUESTIONS
from toolgym.domains.email.goals.sending import DRAFTS, WRITING
from toolgym.domains.email.goals.sorting import FILING, TIDYING
from toolgym.domains.email.schema import Draft, Label, Message, Person
from toolgym.domains.email.tools import list_labels
from toolgym.sandbox.kit.goal import Condition, Thing

THINGS = (
    Thing(Message, where=lambda message: message.row.folder != "sent", has_known_key=False),
    Thing(Draft, where=lambda draft: draft.row.state == "open", has_known_key=False),
    Thing(Label, has_known_key=False),
    Thing(Person),
)
CONDITIONS = (
    Condition(
        Label,
        "messages",
        "if {value} or more mails have {it}",
        list_labels,
        more="is on more mails",
        less="is on fewer mails",
    ),
)
GOALS = (*WRITING, *DRAFTS, *FILING, *TIDYING, *AWAY, *QUESTIONS)
