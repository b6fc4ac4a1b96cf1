"""How one mail leads to another, in requests that are answered at once."""

from domains.email.schema import Message
from sandbox.kit.goal import Relation

RELATIONS = (
    Relation(
        Message,
        "sender_email",
        says="the sender of {it}",
        by="from {it}",
        only="the only mail from {it}",
        first="the latest mail from {it}",
    ),
    Relation(
        Message,
        "sent_at",
    ),
    Relation(Message, "topic", says="the subject of {it}", by="about {it}"),
)
