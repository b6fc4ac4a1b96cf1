"""What bookkeepers want to know of the console."""

from __future__ import annotations

from datetime import date, timedelta
from typing import Any

from toolgym.domains.payments.schema import Customer
from toolgym.domains.payments.tools import get_invoice, list_events, list_invoices, search_customers
from toolgym.sandbox.kit.goal import Draw, Goal, Slot, Tell


def _weeks_ago(draw: Draw) -> date:
    return draw.now.date() - timedelta(days=draw.rng.choice((7, 10, 14, 15, 20, 21, 28)))


def _name(draw: Draw) -> str | None:
    names = [row.name for row in draw.rows(Customer)]
    name = draw.rng.choice(names)
    return name if names.count(name) == 1 else None


def _keys(result: Any) -> list[str] | None:
    return [item["invoice_id"] for item in result["items"]] if 0 < result["total"] <= 5 else None


def _open_sum(result: Any) -> int | None:
    return sum(item["open_cents"] for item in result["items"]) if 0 < result["total"] <= 10 else None


def _paid_on(result: Any) -> str | None:
    return result["payments"][0]["paid_on"] if len(result["payments"]) == 1 else None


NAME = Slot("customer_name", draw=_name)

QUESTIONS = (
    Goal(
        list_invoices,
        name="ask_overdue",
        verbs=("tell",),
        fixed={"overdue": True},
        says=(
            "Which overdue invoices were due on {last_day} or before?",
            "Which invoices that were due on {last_day} or earlier are overdue? I need their numbers.",
            "Tell me the numbers of all overdue invoices with a due date up to {last_day}.",
            "What is overdue that should have been paid by {last_day}? The numbers, please.",
            "List the overdue invoices that were due by {last_day}.",
            "Give me the numbers of what was due by {last_day} and is overdue.",
            "I have to send reminders: which overdue invoices have a due date of {last_day} or earlier?",
            "Is anything overdue that was due by {last_day}? Which numbers?",
            "Please look up the overdue invoices due on {last_day} at the latest.",
            "Name the overdue invoices whose day was {last_day} or before that.",
            "Who should have paid by {last_day}? The numbers of those overdue invoices will do.",
            "For my report: the numbers of overdue invoices that fell due by {last_day}.",
        ),
        slots=(Slot("last_day", draw=_weeks_ago),),
        tells=(Tell("items", kind="text", value=_keys),),
    ),
    Goal(
        list_invoices,
        name="ask_owed",
        verbs=("tell",),
        fixed={"state": "open"},
        says=(
            "How much does {customer_name} still owe us?",
            "What is open for {customer_name}, all together?",
            "How much is {customer_name} still to pay on open invoices?",
            "Add up what {customer_name} has open, please.",
            "What do the open amounts of {customer_name} come to?",
            "Tell me the sum that {customer_name} owes.",
            "What are we waiting for from {customer_name}, in total?",
            "{customer_name} wants to know what is still to be paid. How much is it?",
            "Can you work out what is still open with {customer_name}?",
            "I need the total that {customer_name} has not paid yet.",
            "What does {customer_name} have left to pay?",
            "How much debt does {customer_name} have with us right now?",
        ),
        slots=(NAME,),
        tells=(Tell("items", kind="money", value=_open_sum),),
    ),
    Goal(
        get_invoice,
        name="ask_paid_on",
        verbs=("tell",),
        says=(
            "When was {invoice} paid?",
            "On which day did the money for {invoice} come in?",
            "Which day was it that they paid {invoice}?",
            "Can you look up the day on which {invoice} was paid?",
            "Tell me when we got the money for {invoice}.",
            "What is the payment date of {invoice}?",
            "I have to know the day of the payment for {invoice}.",
            "When did the payment for {invoice} arrive?",
            "Do you see when {invoice} was settled? I need the date.",
            "The auditor asks on which date {invoice} was paid.",
            "What day was {invoice} paid on?",
            "Since what day has {invoice} counted as paid?",
        ),
        slots=(Slot("invoice", where=lambda row: row.row.state == "paid"),),
        tells=(Tell("payments", kind="date", value=_paid_on),),
    ),
    Goal(
        search_customers,
        name="ask_email",
        verbs=("tell",),
        says=(
            "What is the e-mail address of {text}?",
            "Where do we send mail for {text}? I mean the address.",
            "Which e-mail address do we have for {text}?",
            "Tell me the e-mail address of {text}, please.",
            "I'd like to write to {text}. What is the address?",
            "Can you look up the e-mail of {text}?",
            "What address do invoices for {text} go to?",
            "Under which e-mail address is {text} in the console?",
            "I need the e-mail address that we have for {text}.",
            "How do I reach {text} by e-mail?",
            "Give me the mail address of {text}.",
            "Do we have an e-mail address for {text}? What is it?",
        ),
        slots=(Slot("text", draw=_name),),
        tells=(
            Tell("email", kind="text", value=lambda found: found["items"][0]["email"] if found["total"] == 1 else None),
        ),
        share=0.5,
    ),
    Goal(
        list_events,
        name="ask_failed",
        verbs=("tell",),
        fixed={"delivery": "failed"},
        says=(
            "How many failed events are there for {customer_name}?",
            "How many deliveries to {customer_name} have failed?",
            "What number of events did not reach {customer_name}?",
            "Tell me how many of the events for {customer_name} failed.",
            "Count the failed events of {customer_name}, please.",
            "How many events could not be delivered to {customer_name} and count as failed?",
            "Did anything fail for {customer_name}, and how many events was that?",
            "How many events about {customer_name} are marked as failed?",
            "I want to know the number of failed events for {customer_name}.",
            "Can you check how many events failed at {customer_name}?",
            "Their shop was down. How many failed events does {customer_name} have?",
            "Give me the count of failed events for {customer_name}.",
        ),
        slots=(NAME,),
        tells=(Tell("total", kind="number", value=lambda found: found["total"] or None, near=("event", "failed")),),
        share=0.5,
    ),
)
