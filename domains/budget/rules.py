"""The diary's rules: each a sentence of the policy, the words of a refusal and a predicate."""

from collections import Counter
from collections.abc import Sequence
from datetime import date, datetime, timedelta
from typing import Any

from toolgym.domains.budget import tools
from toolgym.domains.budget.schema import Category, Expense, month_of
from toolgym.sandbox.kit.world import ToolCall, View, rule

BACK_DAYS = 90
UNKNOWN = "unknown"


def _month(month: str) -> ToolCall:
    return ToolCall(name="get_month", arguments={"month": month})


def _lines(month: str) -> ToolCall:
    return ToolCall(name="list_categories", arguments={"month": month})


@rule(
    "Expenses are dated today or before, at most 90 days back.",
    why="That day is too far back, or still to come.|too far back|90 days|ninety days|too long ago|too old|future",
    on=[tools.add_expense],
)
def no_future(now: datetime, on: date | None = None) -> bool:
    return on is None or now.date() - timedelta(days=BACK_DAYS) <= on <= now.date()


no_future_corrected = no_future.widened([tools.edit_expense], since=3)


@rule(
    "What is in a closed month stays as it is, and nothing is added to it.",
    why="That month is closed.|closed",
    on=[
        tools.add_expense,
        tools.edit_expense,
        tools.delete_expense,
        tools.split_expense,
        tools.set_limit,
        tools.close_month,
    ],
    reads=[tools.get_month, tools.list_expenses],
    looks={"seen": lambda on, month: _month(month or month_of(on)) if month or on else None},
)
def open_month(
    seen: dict[str, Any] | None, expense: View[Expense] | None = None, on: date | None = None, month: str | None = None
) -> bool:
    if expense is not None and expense.row.month_state != "open":
        return False
    return seen is None or seen["state"] == "open"


@rule(
    "What is spent on a fixed category stays within its limit of the month.",
    why="That would go over the limit of this category.|over the limit|limit|exceed",
    on=[tools.add_expense],
    reads=[tools.list_categories],
    looks={"lines": lambda on, expense: _lines(month_of(on or expense.row.on))},
)
def hard_limit(
    lines: Sequence[dict[str, Any]],
    category: View[Category] | None = None,
    amount_cents: int | None = None,
    on: date | None = None,
    expense: View[Expense] | None = None,
    parts: Sequence[Any] = (),
) -> bool:
    more = Counter[str]()
    if expense is not None and month_of(expense.row.on) == month_of(on or expense.row.on):
        more[expense.row.category_id] -= expense.row.amount_cents
    for part in map(dict, parts):
        into = part["category"]  # a row to the tool, its key to whoever only says it
        more[into if isinstance(into, str) else into.category_id] += part["amount_cents"]
    if not parts:
        key = category.row.category_id if category is not None else expense.row.category_id if expense else ""
        more[key] += amount_cents if amount_cents is not None else expense.row.amount_cents if expense else 0
    fixed = {line["category_id"]: int(line["left_cents"]) for line in lines if line["kind"] == "fixed"}
    return all(cents <= max(0, fixed[key]) for key, cents in more.items() if key in fixed)


hard_limit_corrected = hard_limit.widened([tools.edit_expense, tools.split_expense], since=3)


@rule(
    "At most what is left of a category's limit is moved to another.",
    why="That much is not left in the category.|not left|left in|only|not enough|isn't enough",
    on=[tools.move_limit],
    reads=[tools.list_categories],
)
def move_left(source: View[Category], amount_cents: int) -> bool:
    return amount_cents <= source.row.left_cents


@rule(
    "What is set aside in a saving category is not moved to others.",
    why="That is a saving category; what is set aside there stays.|saving|set aside|savings",
    on=[tools.move_limit],
    reads=[tools.list_categories],
    by="policy",
)
def saving(source: View[Category]) -> bool:
    return source.row.kind != "saving"


@rule(
    "An expense with the payee, the day and the amount of one that stands there already is not entered again.",
    why="The same expense stands there already.|already|twice|duplicate|same expense",
    on=[tools.add_expense],
    reads=[tools.list_expenses],
    looks={
        "same": lambda payee, on: ToolCall(
            name="list_expenses", arguments={"text": payee, "first_day": f"{on}", "last_day": f"{on}"}
        )
    },
    by="policy",
)
def twice(payee: str, amount_cents: int, on: date, same: dict[str, Any]) -> bool:
    found = [item for item in same["items"] if item["payee"].casefold() == payee.casefold()]
    return amount_cents not in [item["amount_cents"] for item in found]


@rule(
    "A month is closed after its last day, when nothing is left under unknown and no fixed category is over its limit.",
    why="It is too early for that.|too early|not ready|unknown|over its limit|still running|has not ended",
    on=[tools.close_month],
    reads=[tools.list_categories],
    looks={"lines": lambda month: _lines(month)},
)
def close_done(month: str, lines: Sequence[dict[str, Any]], now: datetime) -> bool:
    unknown = [line["limit_cents"] - line["left_cents"] for line in lines if line["name"] == UNKNOWN]
    over = [line for line in lines if line["kind"] == "fixed" and line["left_cents"] < 0]
    return now.date() > tools.last_day(month) and not any(unknown) and not over
