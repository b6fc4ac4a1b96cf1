"""What households want of their diary, and how they speak of what is in it."""

from __future__ import annotations

from toolgym.domains.budget.goals.bills import BILLS
from toolgym.domains.budget.goals.expenses import EXPENSES
from toolgym.domains.budget.goals.limits import CLOSING, LIMITS
from toolgym.domains.budget.goals.questions import QUESTIONS
from toolgym.domains.budget.schema import Bill, Category, Expense
from toolgym.domains.budget.tools import list_categories
from toolgym.sandbox.kit.goal import Condition, Thing

THINGS = (Thing(Category, has_known_key=False), Thing(Expense, has_known_key=False), Thing(Bill, has_known_key=False))
CONDITIONS = (Condition(Category, "left_cents", "if {value} or more is left for {it}", list_categories),)
GOALS = (*EXPENSES, *LIMITS, *BILLS, *CLOSING, *QUESTIONS)
