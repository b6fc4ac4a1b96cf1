"""What households want to know of their diary."""

from __future__ import annotations

from datetime import date
from typing import Any

from toolgym.domains.budget import tools
from toolgym.domains.budget.goals.draws import in_words, past_month
from toolgym.domains.budget.schema import Bill, Category
from toolgym.sandbox.kit.goal import Draw, Goal, Slot, Tell


def _period(draw: Draw) -> dict[str, date]:
    month = past_month(draw)
    return {"first_day": tools.last_day(month).replace(day=1), "last_day": tools.last_day(month)}


def _period_in_words(days: dict[str, date]) -> str:
    return f"{days['first_day']:%B}"


def _sum(result: Any) -> int | None:
    return sum(item["amount_cents"] for item in result["items"]) if result["pages"] == 1 else None


QUESTIONS = (
    Goal(
        tools.list_categories,
        name="ask_left",
        slots=(Slot("name", draw=lambda draw: draw.rng.choice(draw.rows(Category)).name),),
        tells=(Tell("left", kind="money", value=lambda result: result[0]["left_cents"], near=("left", "over")),),
    ),
    Goal(
        tools.list_expenses,
        name="ask_spent",
        slots=(
            Slot("category", given=1.0),
            Slot("period", fills=("first_day", "last_day"), draw=_period, say=_period_in_words),
        ),
        tells=(Tell("items", kind="money", value=_sum),),
    ),
    Goal(
        tools.get_month,
        name="ask_rest",
        slots=(Slot("month", draw=past_month, say=in_words),),
        tells=(Tell("left_cents"),),
        share=0.5,
    ),
    Goal(
        tools.list_recurring,
        name="ask_due",
        slots=(Slot("payee", draw=lambda draw: draw.rng.choice(draw.rows(Bill)).payee),),
        tells=(
            Tell(
                "next_on",
                kind="date",
                value=lambda result: result["items"][0]["next_on"] if result["total"] == 1 else None,
            ),
        ),
        share=0.5,
    ),
)
