"""How bookkeepers get from one row of their console to another, in requests that are answered at once."""

from domains.payments.schema import Event, Invoice
from sandbox.kit.goal import Relation

RELATIONS = (
    Relation(
        Invoice,
        "customer_id",
        says="the customer of {it}",
        by="for {it}",
        only="the only invoice of {it}",
        first="the invoice of {it} that is due last",
    ),
    Relation(
        Invoice,
        "due_on",
        says="the due day of {it}",
        by="the invoice of {customer_id} due on {it}",
        only="the only invoice due on {it}",
    ),
    Relation(
        Event,
        "subject",
        says="the subject of {it}",
        by="about {it}",
        only="the only event about {it}",
        first="the latest event about {it}",
    ),
)
