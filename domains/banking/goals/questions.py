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
        get_account,
        name="ask_balance",
        verbs=("tell", "know"),
        says=(
            "How much can I spend from {account}?",
            "What is available on {account} right now?",
            "How much money is available on {account}?",
            "Please tell me what I have left on {account}.",
            "I'd like to know how much I can still spend from {account}.",
            "Could you check the available amount on {account}?",
            "What can I spend from {account} at the moment?",
            "Can you look up how much is available on {account}?",
            "Before I go shopping: how much is available on {account}?",
            "What's left to spend on {account}?",
            "I want to know what's available on {account}.",
            "Would you tell me how much money I can use on {account}?",
        ),
        slots=(Slot("account"),),
        tells=(Tell("available_cents", near=("available",)),),
    ),
    Goal(
        list_transactions,
        name="ask_spent",
        verbs=("tell", "know"),
        says=(
            "How much did I pay at {text} in {month} from {account}?",
            "What did I spend at {text} in {month}, on {account}?",
            "How much did {text} cost me in {month}? I mean from {account}.",
            "Please add up what went to {text} in {month} from {account}.",
            "I'd like to know my total at {text} for {month}, on {account}.",
            "Can you work out how much went from {account} to {text} in {month}?",
            "What were my {month} expenses at {text}, from {account}?",
            "I'm doing my budget: how much did I spend at {text} in {month} from {account}?",
            "Could you tell me what I paid {text} in {month}, all together, out of {account}?",
            "In {month}, how much money from {account} ended up at {text}?",
            "What does {text} add up to for {month} on {account}?",
            "Would you check how much I spent at {text} during {month}, using {account}?",
        ),
        slots=(
            Slot("account"),
            Slot("month", fills=("first_day", "last_day"), draw=_month, say=_in_month),
            Slot("text", draw=_shop),
        ),
        tells=(Tell("items", kind="money", value=_spent),),
        where=lambda account: account.row.kind != "savings",
    ),
    Goal(
        get_transaction,
        name="ask_dispute_until",
        verbs=("tell", "know"),
        says=(
            "Until when can I dispute {transaction}?",
            "What is the last day to dispute {transaction}?",
            "How long do I have to contest {transaction}? I'd like the last day.",
            "By which day would I have to dispute {transaction}?",
            "What's the deadline for disputing {transaction}?",
            "I may want to dispute {transaction}. By when would I have to do that?",
            "Could you tell me the last date on which I can dispute {transaction}?",
            "How much longer can I dispute {transaction}? Please give me the date.",
            "If I wanted to dispute {transaction}, what would be the last day?",
            "When does the time to dispute {transaction} run out?",
            "Can you check up to which date {transaction} can be disputed?",
            "I'd like to know the deadline for a dispute about {transaction}.",
        ),
        slots=(Slot("transaction"),),
        tells=(Tell("disputable_until"),),
    ),
)
