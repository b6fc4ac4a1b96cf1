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
    Thing(Customer, has_known_key=False),
    Thing(Invoice),
    Thing(Payment, found_by=(list_invoices, get_invoice), has_known_key=False),
    Thing(Event),
)
CONDITIONS = (Condition(Invoice, "reminders", "if {value} or more reminders have gone out for {it}", get_invoice),)
GOALS = (*INVOICES, *PAYMENTS, *DELIVERIES, *QUESTIONS)
