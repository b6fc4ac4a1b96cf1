"""Ten mistakes of a world's author that a type checker must find, one on each marked line; never imported."""

from __future__ import annotations

from datetime import date

from lending import Book, Loan, get_loan, give_back, list_books

from toolgym.sandbox.kit.database import Database
from toolgym.sandbox.kit.goal import Goal, Slot
from toolgym.sandbox.kit.reference import Ref
from toolgym.sandbox.kit.rule import rule
from toolgym.sandbox.kit.tool import tool
from toolgym.sandbox.kit.view import Page, View


@tool("read")
def a_view_of_the_wrong_table(db: Database, loan: Ref[Loan]) -> View[Book]:
    return View(loan)  # mistake


@tool("read")
def a_page_of_the_wrong_table(db: Database) -> Page[Book]:
    return Page(db.mine(Loan))  # mistake


@tool("write")
def a_view_where_a_row_is_meant(db: Database, loan: Ref[Loan]) -> View[Loan]:
    shown = View(loan)
    db.update(shown, back_on=db.now.date())  # mistake
    return shown


@rule("The column does not exist.", on=[give_back], reads=[get_loan])
def a_column_that_does_not_exist(loan: View[Loan]) -> bool:
    return loan.row.given_back_on is None  # mistake


@rule("A day is no text.", on=[give_back], reads=[get_loan])
def a_day_compared_with_a_text(loan: View[Loan]) -> bool:
    in_time = loan.row.due_on >= "2026-03-10"  # mistake
    return bool(in_time)


@rule("A predicate says yes or no.", on=[give_back])  # mistake
def a_predicate_that_tells_why(loan: View[Loan]) -> str:
    return "late" if loan.row.due_on < date(2026, 3, 10) else ""


def overdue(db: Database, loan: Ref[Loan]) -> bool:
    return loan.due_on < db.now.date()


@rule("A function is no tool.", on=[overdue])  # mistake
def on_a_function_that_is_no_tool(loan: View[Loan]) -> bool:
    return True


@rule("The owner is no row.", on=[give_back], reads=[get_loan])
def a_row_in_a_rule(loan: Ref[Loan]) -> bool:
    return loan.row.back_on is None  # mistake


GOALS = (
    Goal(list_books, share="often"),  # mistake
    Goal(give_back, says=("{loan} is back.",), verbs=("return",), slots=(Slot("loan", withheld="often"),)),  # mistake
)
