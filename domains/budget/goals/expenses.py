"""What households want done with their expenses."""

from __future__ import annotations

from datetime import date, timedelta
from typing import Any

from toolgym.domains.budget import tools
from toolgym.domains.budget.goals.draws import cents
from toolgym.domains.budget.schema import Category, Expense
from toolgym.sandbox.kit.goal import Draw, Goal, Slot, Tell


def _paid(draw: Draw) -> int:
    """An amount: now and then what is just left, a cent more, or that of an expense which stands there."""
    left = int(draw.view(draw.values["category"]).left_cents)
    edge = [left, left + 1] if left > 0 else []
    same = [row.amount_cents for row in draw.rows(Expense) if row.on > draw.now.date() - timedelta(days=30)]
    usual = [draw.rng.randrange(300, 24_000) for _ in range(4)]
    return draw.rng.choice([*usual, *edge, *draw.rng.sample(same, min(1, len(same)))])


def _same(draw: Draw) -> Expense | None:
    """The newest expense of the amount, if there is one."""
    found = [row for row in draw.rows(Expense) if row.amount_cents == draw.values["amount_cents"]]
    return max(found, key=lambda row: row.on, default=None)


def _day(draw: Draw) -> date:
    same, ages = _same(draw), (-2, -1, 0, 1, 1, 2, 3, 5, 8, 20, 88, 90, 91, 93)
    return same.on if same else draw.now.date() - timedelta(days=draw.rng.choice(ages))


def _payee(draw: Draw) -> str:
    same = _same(draw)
    if same and same.on == draw.values["on"]:
        return same.payee
    shops = sorted({row.payee for row in draw.rows(Expense)})
    return draw.rng.choice([*shops, "Pier Nine Garage", "Hilltop Bakery", "Bright Smile Dental", "Loft Furniture"])


def _other_day(draw: Draw) -> date:
    day: date = draw.values["expense"].on
    return day - timedelta(days=draw.rng.choice((1, 2, 7)))


def _part(draw: Draw) -> int:
    whole = draw.values["expense"].amount_cents
    return int(whole * draw.rng.choice((0.25, 0.4, 0.5))) if whole > 600 else 0


def _parts(draw: Draw) -> Any:
    """The part that goes elsewhere, and the rest."""
    expense, cents = draw.values["expense"], draw.values["part_cents"]
    into = draw.values["into"]
    if not 0 < cents < expense.amount_cents or into.category_id == expense.category_id:
        return None
    return [
        {"category": expense.category_id, "amount_cents": expense.amount_cents - cents},
        {"category": into.category_id, "amount_cents": cents},
    ]


EXPENSE = Slot("expense", says=("I mean {}.", "It is {}."))

EXPENSES = (
    Goal(
        tools.add_expense,
        name="note",
        slots=(
            Slot("category", withheld=0.4, says=("Under {}.", "It belongs to {}.", "For {}.")),
            Slot("payee", draw=_payee, says=("To {}.", "At {}.")),
            Slot("amount_cents", draw=_paid, says=("{}.", "It was {}.")),
            Slot("on", withheld=0.4, draw=_day, says=("On {}.", "I paid it on {}.")),
            Slot("note", given=0.0),
        ),
        tells=(Tell("left_cents", near=("left", "remain", "remaining")),),
    ),
    Goal(
        tools.edit_expense,
        name="correct_amount",
        slots=(EXPENSE, Slot("amount_cents", withheld=0.4, draw=cents(450, 20_000), says=("{}.", "It was {}."))),
        tells=(Tell("amount_cents"),),
        where=lambda expense, amount_cents: expense.row.amount_cents != amount_cents,
    ),
    Goal(
        tools.edit_expense,
        name="correct_day",
        slots=(EXPENSE, Slot("on", withheld=0.4, draw=_other_day, says=("On {}.", "It was {}."))),
        where=lambda expense, on: expense.row.on != on,
    ),
    Goal(
        tools.edit_expense,
        name="sort",
        slots=(EXPENSE, Slot("category", withheld=0.4, says=("Under {}.", "{}, please."))),
        where=lambda expense, category: expense.row.category_name != category.row.name,
    ),
    Goal(tools.delete_expense, name="remove", slots=(EXPENSE,), tells=(Tell("amount_cents"),)),
    Goal(
        tools.split_expense,
        name="split",
        slots=(EXPENSE,),
        about=(Slot("into", of=Category), Slot("part_cents", draw=_part)),
        worked_out={"parts": _parts},
    ),
)
