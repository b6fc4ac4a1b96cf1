"""What households want done with their expenses."""

from __future__ import annotations

from datetime import date, timedelta
from typing import Any

from toolgym.domains.budget.goals.draws import cents
from toolgym.domains.budget.schema import Category, Expense
from toolgym.domains.budget.tools import (
    add_expense,
    delete_expense,
    edit_expense,
    split_expense,
)
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
        add_expense,
        name="note",
        verbs=("note", "record"),
        says=(
            "Please enter {amount_cents} at {payee}[ on {on}][, under {category}].",
            "I paid {amount_cents} at {payee}[ on {on}], please note it[ under {category}].",
            "Note an expense for me: {payee}, {amount_cents}[, {on}][, {category}].",
            "Can you record {amount_cents} for {category}[, paid on {on}][, to {payee}]?",
            "We spent {amount_cents} at {payee}[ on {on}]. Please put it in the diary[ under {category}].",
            "There is a new receipt from {payee}[, dated {on}]: {amount_cents}[, for {category}].",
            "Put {amount_cents} down for {category}[; I paid it to {payee}][ on {on}].",
            "{payee} got {amount_cents} from us[ on {on}], enter that please[ as {category}].",
            "Another expense[ under {category}]: {amount_cents} to {payee}[, on {on}].",
            "Write down that I paid {payee} {amount_cents}[ on {on}][; it belongs to {category}].",
            "I have to add {amount_cents} that went to {payee}[ on {on}].",
            "My receipt says {payee}, {amount_cents}[, {on}]; enter it[ under {category}], please.",
        ),
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
        edit_expense,
        name="correct_amount",
        verbs=("correct", "change", "fix"),
        says=(
            "Please correct {expense}: it was {amount_cents}.",
            "{expense} came to {amount_cents}, please fix that.",
            "There is a wrong figure in {expense}[; {amount_cents} is right].",
            "Can you change {expense} to {amount_cents}?",
            "I mistyped {expense}[, it should say {amount_cents}].",
            "The amount of {expense} is wrong[: it is {amount_cents}].",
            "Make {expense} {amount_cents}, please.",
            "{expense} must read {amount_cents}.",
            "I got {expense} wrong; the receipt says {amount_cents}.",
            "Set {expense} right[: {amount_cents}].",
            "Could you put {amount_cents} in place of the amount of {expense}?",
            "We noted the wrong amount for {expense}[; {amount_cents} is what it was].",
        ),
        slots=(EXPENSE, Slot("amount_cents", withheld=0.4, draw=cents(450, 20_000), says=("{}.", "It was {}."))),
        tells=(Tell("amount_cents"),),
        where=lambda expense, amount_cents: expense.row.amount_cents != amount_cents,
    ),
    Goal(
        edit_expense,
        name="correct_day",
        verbs=("correct", "redate", "move"),
        says=(
            "{expense} was in fact on {on}, please correct that.",
            "Please move {expense} to {on}.",
            "The day of {expense} is wrong[, it was {on}].",
            "Can you redate {expense}[ to {on}]?",
            "I entered {expense} for the wrong day[; {on} is right].",
            "{expense} happened on {on}.",
            "Change the date of {expense}[ to {on}].",
            "Put {expense} on {on} instead.",
            "The receipt of {expense} says {on}, please correct the day.",
            "Correct the day of {expense}[: {on}].",
            "Could you set {expense} to {on}?",
            "{expense} was on another day[, on {on}].",
        ),
        slots=(EXPENSE, Slot("on", withheld=0.4, draw=_other_day, says=("On {}.", "It was {}."))),
        where=lambda expense, on: expense.row.on != on,
    ),
    Goal(
        edit_expense,
        name="sort",
        verbs=("move", "file", "sort"),
        says=(
            "{expense} belongs under {category}.",
            "Please file {expense} under {category}.",
            "Move {expense} to {category}.",
            "{expense} is in the wrong category[, it should be {category}].",
            "Can you sort {expense} into {category}?",
            "Put {expense} under {category}, please.",
            "I'd rather have {expense} under {category}.",
            "{expense} was really for {category}.",
            "Change the category of {expense}[ to {category}].",
            "That was filed wrongly: {expense} is {category}.",
            "Count {expense} as {category} from now on.",
            "Recategorise {expense}[; {category} is right].",
        ),
        slots=(EXPENSE, Slot("category", withheld=0.4, says=("Under {}.", "{}, please."))),
        where=lambda expense, category: expense.row.category_name != category.row.name,
    ),
    Goal(
        delete_expense,
        name="remove",
        verbs=("remove", "delete"),
        says=(
            "Please remove {expense} from the diary.",
            "{expense} was paid by somebody else, delete it.",
            "Delete {expense}, please.",
            "{expense} was a mistake; take it out.",
            "{expense} is not ours. Remove it, please.",
            "Take {expense} out of the diary.",
            "Can you delete {expense}? It was never ours.",
            "{expense} should not be there.",
            "Strike {expense} from our expenses.",
            "I returned everything: remove {expense}.",
            "I'd like {expense} gone from the diary.",
            "Please get rid of {expense}, that was my sister's.",
        ),
        slots=(EXPENSE,),
        tells=(Tell("amount_cents"),),
    ),
    Goal(
        split_expense,
        name="split",
        verbs=("split", "divide"),
        says=(
            "Of {expense}, {part_cents} was for {into}; please split it.",
            "Split {expense}: {part_cents} goes under {into}, the rest stays.",
            "{part_cents} of {expense} belongs to {into}. Can you divide it?",
            "Please divide {expense}, {part_cents} of it is {into}.",
            "Not all of {expense} is right where it is: {part_cents} was {into}. Split it, please.",
            "Take {part_cents} out of {expense} and put it under {into}.",
            "{expense} needs splitting, with {part_cents} under {into}.",
            "I bought two kinds of things: {part_cents} of {expense} is {into}. Please split it.",
            "Could you split off {part_cents} of {expense} for {into}?",
            "Divide {expense} in two: {part_cents} for {into}, the rest as it is.",
            "{into} should carry {part_cents} of {expense}; split it, please.",
            "Let {part_cents} of {expense} count as {into} and leave the rest.",
        ),
        slots=(EXPENSE,),
        about=(Slot("into", of=Category), Slot("part_cents", draw=_part)),
        worked_out={"parts": _parts},
    ),
)
