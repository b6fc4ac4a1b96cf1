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
        fixed={"overdue": True},
        slots=(Slot("last_day", draw=_weeks_ago),),
        tells=(Tell("items", kind="text", value=_keys),),
    ),
    Goal(
        list_invoices,
        name="ask_owed",
        fixed={"state": "open"},
        slots=(NAME,),
        tells=(Tell("items", kind="money", value=_open_sum),),
    ),
    Goal(
        get_invoice,
        name="ask_paid_on",
        slots=(Slot("invoice", where=lambda row: row.row.state == "paid"),),
        tells=(Tell("payments", kind="date", value=_paid_on),),
    ),
    Goal(
        search_customers,
        name="ask_email",
        slots=(Slot("text", draw=_name),),
        tells=(
            Tell("email", kind="text", value=lambda found: found["items"][0]["email"] if found["total"] == 1 else None),
        ),
        share=0.5,
    ),
    Goal(
        list_events,
        name="ask_failed",
        fixed={"delivery": "failed"},
        slots=(NAME,),
        tells=(Tell("total", kind="number", value=lambda found: found["total"] or None, near=("event", "failed")),),
        share=0.5,
    ),
)
