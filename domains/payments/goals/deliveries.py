"""What bookkeepers want done where shop systems did not hear of something."""

from __future__ import annotations

from typing import Any

from toolgym.domains.payments.schema import Customer, Event, Invoice
from toolgym.domains.payments.tools import list_events, resend_event
from toolgym.sandbox.kit.goal import Draw, Goal, Slot, Tell


def _failed(draw: Draw) -> list[Event]:
    """The failed events about the customer, the newest first; none where the name is another customer's as well."""
    customer = draw.values["customer"]
    if [row.name for row in draw.rows(Customer)].count(customer.name) > 1:
        return []
    own = {row.invoice_id for row in draw.rows(Invoice) if row.customer_id == customer.customer_id}
    found = [row for row in draw.rows(Event) if row.invoice_id in own and row.delivery == "failed"]
    return sorted(found, key=lambda row: (row.created_at, row.event_id), reverse=True)


def _first(draw: Draw) -> Event | None:
    found = _failed(draw)
    return found[0] if 1 < len(found) < 5 and all(row.attempts < 5 for row in found) else None


def _listed(draw: Draw) -> list[Any]:
    return [(list_events, {"delivery": "failed", "customer_name": draw.values["customer"].name})]


DELIVERIES = (
    Goal(
        resend_event,
        name="resend",
        slots=(Slot("event", says=("I mean {}.", "It is {}.")),),
        tells=(Tell("delivery", kind="text"), Tell("attempts_left", kind="number", near=("attempt", "left", "more"))),
        where=lambda event: event.row.delivery == "failed",
    ),
    Goal(
        resend_event,
        name="resend_all",
        about=(Slot("customer", of=Customer, reads=_listed),),
        worked_out={"event": _first},
        also=lambda draw: [(resend_event, {"event": row}) for row in _failed(draw)[1:]],
        share=0.7,
    ),
)
