"""What customers of the bank ask about their accounts and payments."""

from __future__ import annotations

from calendar import monthrange
from datetime import date, timedelta
from typing import Any

from toolgym.domains.banking.schema import Transaction
from toolgym.domains.banking.tools import get_account, get_transaction, list_transactions
from toolgym.sandbox.kit.goal import Draw, Goal, Slot, Tell


def _shop(draw: Draw) -> str | None:
    account = draw.values["account"]
    shops = sorted({row.merchant for row in draw.rows(Transaction) if row.account_id == account.account_id})
    return draw.rng.choice(shops) if shops else None


def _month(draw: Draw) -> dict[str, date]:
    first = (draw.now.date().replace(day=1) - timedelta(days=1)).replace(day=1)
    if draw.rng.random() < 0.4:
        first = (first - timedelta(days=1)).replace(day=1)
    return {"first_day": first, "last_day": first.replace(day=monthrange(first.year, first.month)[1])}


def _in_month(days: dict[str, date]) -> str:
    return f"{days['first_day']:%B}"


def _spent(result: Any) -> int | None:
    return sum(-item["amount_cents"] for item in result["items"]) if result["pages"] == 1 else None


QUESTIONS = (
    Goal(
        get_account, name="ask_balance", slots=(Slot("account"),), tells=(Tell("available_cents", near=("available",)),)
    ),
    Goal(
        list_transactions,
        name="ask_spent",
        slots=(
            Slot("account"),
            Slot("month", fills=("first_day", "last_day"), draw=_month, say=_in_month),
            Slot("text", draw=_shop),
        ),
        tells=(Tell("items", kind="money", value=_spent),),
        where=lambda account: account.row.kind != "savings",
    ),
    Goal(get_transaction, name="ask_dispute_until", slots=(Slot("transaction"),), tells=(Tell("disputable_until"),)),
)
