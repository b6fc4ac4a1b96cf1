"""The console's rules: each a sentence of the policy, the words of a refusal and a predicate."""

from collections.abc import Sequence
from datetime import date, datetime, timedelta
from typing import Any, Literal

from toolgym.domains.payments import tools
from toolgym.domains.payments.schema import MAX_ATTEMPTS, Customer, Event, Invoice, Payment
from toolgym.sandbox.kit.world import ToolCall, View, rule

DUE_DAYS = 90
LARGE_CENTS = 50_000
Open = dict[str, Any]


def _open_of(customer: View[Customer] | None, invoice: View[Invoice] | None) -> ToolCall:
    key = customer.row.customer_id if customer is not None else invoice.row.customer_id if invoice is not None else ""
    return ToolCall(name="list_invoices", arguments={"customer_id": key, "state": "open"})


def _shown(open_ones: Open) -> list[ToolCall]:
    return [_details(item["invoice_id"]) for item in open_ones["items"]]


def _details(key: str) -> ToolCall:
    return ToolCall(name="get_invoice", arguments={"invoice_id": key})


def _equal(lines: Sequence[Any]) -> list[tuple[str, int, int]]:
    """Lines as they are compared: whatever their order and their capitals."""
    rows = [dict(line) for line in lines]
    return sorted((row["description"].strip().casefold(), row["quantity"], row["unit_cents"]) for row in rows)


@rule(
    "An invoice is due 1 to 90 days after the day on which it is written or finalized.",
    why="The due date must lie 1 to 90 days ahead.|1 to 90 days|90 days|ninety days|due date|too far|in the past",
    on=[tools.create_invoice, tools.finalize_invoice],
    reads=[tools.get_invoice],
)
def due_ahead(now: datetime, due_on: date | None = None, invoice: View[Invoice] | None = None) -> bool:
    due = due_on if invoice is None else invoice.row.due_on
    return due is not None and timedelta(days=1) <= due - now.date() <= timedelta(days=DUE_DAYS)


@rule(
    "A customer has no two open invoices with the same lines.",
    why="An open invoice with the same lines exists.|same lines|already|duplicate|twice",
    on=[tools.create_invoice, tools.finalize_invoice],
    reads=[tools.list_invoices, tools.get_invoice],
    looks={
        "open_ones": _open_of,
        "own": lambda invoice: None if invoice is None else _details(invoice.row.invoice_id),
        "shown": _shown,
    },
)
def duplicate_line(
    open_ones: Open,
    shown: Sequence[Open],
    own: Open | None,
    lines: Sequence[Any] = (),
    customer: View[Customer] | None = None,
    invoice: View[Invoice] | None = None,
) -> bool:
    wanted = _equal(lines if own is None else own["lines"])
    others = [each for each in shown if own is None or each["invoice_id"] != own["invoice_id"]]
    return wanted not in [_equal(each["lines"]) for each in others]


@rule(
    "An invoice on which money was paid is refunded, not voided.",
    why="This invoice has been paid; a paid invoice cannot be voided.|been paid|is paid|paid invoice|refund",
    on=[tools.void_invoice],
    reads=[tools.get_invoice],
)
def void_open_only(invoice: View[Invoice]) -> bool:
    return invoice.row.state != "paid" and not invoice.row.paid_cents


@rule(
    "Only a saved card can be charged.",
    why="No card is saved for this customer.|no card|no saved card|card on file|not saved|isn't saved",
    on=[tools.charge_saved_card],
    reads=[tools.get_invoice],
)
def card_saved(invoice: View[Invoice]) -> bool:
    return invoice.row.saved_card_digits is not None


@rule(
    "A payment by card is refunded until 120 days after it was made; a payment by bank has no such limit.",
    why="That payment is too old to be refunded to the card.|too old|120 days|too long ago|no longer",
    on=[tools.refund_payment],
    reads=[tools.get_invoice],
)
def refund_window(payment: View[Payment], now: datetime) -> bool:
    until = payment.row.refundable_until
    return until is None or now.date() <= until


@rule(
    "At most what was paid, less what was refunded before, is refunded.",
    why="That is more than is left to refund.|more than|is left|not enough|at most|exceeds",
    on=[tools.refund_payment],
    reads=[tools.get_invoice],
)
def refund_rest(payment: View[Payment], amount_cents: int) -> bool:
    return amount_cents <= payment.row.left_cents


@rule(
    "A refund of more than 500 dollars or euros for fraud needs the customer's written report.",
    why="There is no written report of the fraud from the customer.|written report|report|in writing",
    on=[tools.refund_payment],
    reads=[tools.get_invoice],
    by="policy",
)
def large_refund(payment: View[Payment], amount_cents: int, reason: Literal["requested", "duplicate", "fraud"]) -> bool:
    return amount_cents <= LARGE_CENTS or reason != "fraud" or payment.row.fraud_reported_on is not None


@rule(
    "An event is delivered five times at most.",
    why="There are no attempts left for this event.|no attempts left|attempts|five times|no more",
    on=[tools.resend_event],
    reads=[tools.list_events],
)
def resend_limit(event: View[Event]) -> bool:
    return event.row.attempts < MAX_ATTEMPTS
