"""How bookkeepers get from one row of their console to another, in requests that are answered at once."""

from toolgym.domains.payments.schema import Event, Invoice, Payment
from toolgym.sandbox.kit.goal import Relation

RELATIONS = (
    Relation(
        Invoice,
        "customer_id",
        says="the customer of {it}",
        by="for {it}",
        only="the only invoice of {it}",
        first="the latest due invoice of {it}",
    ),
    Relation(Invoice, "due_on", says="the due day of {it}", only="the only invoice due on {it}"),
    Relation(Invoice, "issued_on", says="the day of issue of {it}"),
    Relation(Payment, "invoice_id", says="the invoice of {it}", only="the only payment for {it}"),
    Relation(Payment, "paid_on", says="the day of {it}"),
    Relation(Payment, "due_on"),
    Relation(Payment, "refundable_until", says="the last day to refund {it}"),
    Relation(
        Event,
        "subject",
        says="the subject of {it}",
        by="about {it}",
        only="the only event about {it}",
        first="the latest event about {it}",
    ),
)
