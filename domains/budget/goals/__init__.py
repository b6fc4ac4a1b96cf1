"""What households want of their diary, and how they speak of what is in it."""

from __future__ import annotations

from domains.budget.goals.bills import BILLS
from domains.budget.goals.expenses import EXPENSES
from domains.budget.goals.limits import CLOSING, LIMITS
from domains.budget.goals.questions import QUESTIONS
from domains.budget.schema import Bill, Category, Expense
from domains.budget.tools import list_categories
from sandbox.kit.goal import Condition, Thing

THINGS = (
    Thing(Category, ("{name}",), has_known_key=False),
    Thing(
        Expense,
        ("the {payee} expense of {on}", "the {amount_cents} at {payee}", "what we paid at {payee} on {on}"),
        has_known_key=False,
    ),
    Thing(Bill, ("the {payee} payment", "what goes to {payee} every {every}"), has_known_key=False),
)
CONDITIONS = (Condition(Category, "left_cents", "if {value} or more is left for {it}", list_categories),)
GOALS = (*EXPENSES, *LIMITS, *BILLS, *CLOSING, *QUESTIONS)
