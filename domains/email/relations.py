"""How one mail leads to another, in requests that are answered at once."""

from toolgym.domains.email.schema import Message, Person
from toolgym.sandbox.kit.goal import Relation

RELATIONS = (
    Relation(
        Message,
        "sender_email",
        says="the sender of {it}",
        by="the mail of {sent_at:day} from {it}",
        only="the only mail from {it}",
        first="the latest mail from {it}",
    ),
    Relation(Message, "topic", says="the subject of {it}", by="the mail of {sent_at:day} about {it}"),
    Relation(Person, "manager", says="the manager of {it}"),
)
