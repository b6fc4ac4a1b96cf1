"""What bookkeepers want of the console, and how they speak of what is in it."""

from __future__ import annotations

from domains.payments.goals.deliveries import DELIVERIES
from domains.payments.goals.invoices import INVOICES
from domains.payments.goals.payments import PAYMENTS
from domains.payments.goals.questions import QUESTIONS
from domains.payments.schema import Customer, Event, Invoice, Payment
from domains.payments.tools import get_invoice, list_invoices
from sandbox.kit.goal import Condition, Thing

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
