"""What bookkeepers want of the console, and how they speak of what is in it."""

from __future__ import annotations

from toolgym.domains.payments.goals.deliveries import DELIVERIES
from toolgym.domains.payments.goals.invoices import INVOICES
from toolgym.domains.payments.goals.payments import PAYMENTS
from toolgym.domains.payments.goals.questions import QUESTIONS
from toolgym.domains.payments.schema import Customer, Event, Invoice, Payment
from toolgym.domains.payments.tools import get_invoice, list_invoices
from toolgym.sandbox.kit.goal import Condition, Thing

THINGS = (
    Thing(Customer, ("{name}", "{name} in {country}"), has_known_key=False),
    Thing(
        Invoice,
        (
            "the {state} invoice for {customer_name}",
            "the {customer_name} invoice due on {due_on}",
            "the invoice for {customer_name} that is due on {due_on}",
        ),
    ),
    Thing(
        Payment,
        (
            "the payment for the {customer_name} invoice due on {due_on}",
            "what {customer_name} paid for the invoice due on {due_on}",
        ),
        found_by=(list_invoices, get_invoice),
        has_known_key=False,
    ),
    Thing(
        Event,
        ("the {delivery} {event_type} event for {customer_name}", "the {delivery} {event_type} event about {subject}"),
    ),
)
CONDITIONS = (Condition(Invoice, "reminders", "if {value} or more reminders have gone out for {it}", get_invoice),)
GOALS = (*INVOICES, *PAYMENTS, *DELIVERIES, *QUESTIONS)
