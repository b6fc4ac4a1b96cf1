"""What households want to know of their diary."""

from __future__ import annotations

from datetime import date
from typing import Any

from toolgym.domains.budget.goals.draws import in_words, past_month
from toolgym.domains.budget.schema import Bill, Category
from toolgym.domains.budget.tools import (
    get_month,
    last_day,
    list_categories,
    list_expenses,
    list_recurring,
)
from toolgym.sandbox.kit.goal import Draw, Goal, Slot, Tell


def _period(draw: Draw) -> dict[str, date]:
    month = past_month(draw)
    return {"first_day": last_day(month).replace(day=1), "last_day": last_day(month)}


def _period_in_words(days: dict[str, date]) -> str:
    return f"{days['first_day']:%B}"


def _sum(result: Any) -> int | None:
    return sum(item["amount_cents"] for item in result["items"]) if result["pages"] == 1 else None


QUESTIONS = (
    Goal(
        list_categories,
        name="ask_left",
        verbs=("tell",),
        says=(
            "What is left for {name} this month?",
            "How much can we still spend on {name}?",
            "What remains for {name}?",
            "How much of the limit for {name} is left?",
            "Tell me what we have left for {name}, please.",
            "Is there anything left for {name}, and how much?",
            "I'd like to know what is left under {name}.",
            "How much room is there for {name} this month?",
            "What may still go on {name} this month?",
            "What does the diary say is left for {name}?",
            "Can you look up what is left for {name}?",
            "How far are we from the limit for {name}?",
        ),
        slots=(Slot("name", draw=lambda draw: draw.rng.choice(draw.rows(Category)).name),),
        tells=(Tell("left", kind="money", value=lambda result: result[0]["left_cents"], near=("left", "over")),),
    ),
    Goal(
        list_expenses,
        name="ask_spent",
        verbs=("tell",),
        says=(
            "How much did we spend on {category} in {period}?",
            "What did {category} cost us in {period}?",
            "Please add up what went on {category} in {period}.",
            "What did we pay for {category} in {period}, all together?",
            "How much went on {category} in {period}?",
            "I want to know our spending on {category} in {period}.",
            "What does {category} come to for {period}?",
            "Tell me the total for {category} in {period}.",
            "In {period}, how much did {category} come to?",
            "Can you sum up {category} for {period}?",
            "What was our bill for {category} in {period}?",
            "How expensive was {category} in {period}?",
        ),
        slots=(
            Slot("category", given=1.0),
            Slot("period", fills=("first_day", "last_day"), draw=_period, say=_period_in_words),
        ),
        tells=(Tell("items", kind="money", value=_sum),),
    ),
    Goal(
        get_month,
        name="ask_rest",
        verbs=("tell",),
        says=(
            "How much was left of our income in {month}?",
            "What did we have left over in {month}?",
            "Did we save anything in {month}, and how much?",
            "What remained of the income of {month}?",
            "Tell me what was left at the end of {month}.",
            "How did {month} end: what was left of our income?",
            "I'd like to know what we kept of our income in {month}.",
            "What was left over in {month} after all expenses?",
            "How much of what came in was left in {month}?",
            "Income less spending for {month}, what does that make?",
            "By how much did income exceed spending in {month}?",
            "What remains of the income for {month}?",
        ),
        slots=(Slot("month", draw=past_month, say=in_words),),
        tells=(Tell("left_cents"),),
        share=0.5,
    ),
    Goal(
        list_recurring,
        name="ask_due",
        verbs=("tell",),
        says=(
            "When is {payee} due next?",
            "On which day does {payee} come up next?",
            "When do we pay {payee} again?",
            "Tell me the next date of {payee}.",
            "When will {payee} be charged next?",
            "What is the next date for {payee}?",
            "When should we expect {payee}?",
            "Do you know when {payee} falls due?",
            "How long until {payee}? I mean the date.",
            "Which day is {payee} planned for?",
            "Can you see when {payee} comes up next?",
            "I'd like to know when {payee} is due.",
        ),
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
