"""What households want of their diary, and how they speak of what is in it."""

from datetime import date, timedelta
from typing import Any

from toolgym.domains.budget import tools
from toolgym.domains.budget.schema import Bill, Category, Expense, month_of
from toolgym.domains.budget.tools import list_categories, update_recurring
from toolgym.sandbox.kit.goal import Condition, Draw, Goal, Slot, Tell, Thing


def cents(low: int, high: int) -> list[int]:
    """Amounts from low to below high, 7.35 apart, so that few are round."""
    return list(range(low, high, 735))


def past_month(draw: Draw) -> str:
    """A month that has ended."""
    this = draw.now.date().replace(day=1)
    return month_of(this - timedelta(days=draw.rng.choice((1, 1, 40, 70))))


def in_words(month: str, drawn: Any = None) -> str:
    """A month as people say it."""
    return f"{date(int(month[:4]), int(month[5:]), 1):%B}"


def seen_in_month(draw: Draw) -> list[Any]:
    """The look-up that shows what is left in the drawn month."""
    return [(list_categories, {"month": draw.values["month"]})]


def _later(draw: Draw) -> date:
    return draw.now.date() + timedelta(days=draw.rng.randrange(3, 45))


BILL = Slot("bill", says=("I mean {}.", "It is {}."))


BILLS = (
    Goal(update_recurring, name="pause", fixed={"paused": True}, slots=(BILL,), where=lambda bill: not bill.row.paused),
    Goal(update_recurring, name="resume", fixed={"paused": False}, slots=(BILL,), where=lambda bill: bill.row.paused),
    Goal(
        update_recurring,
        name="reprice",
        slots=(BILL, Slot("amount_cents", withheld=0.4, draw=cents(700, 14_000), says=("{}.", "It is {}."))),
        where=lambda bill, amount_cents: bill.row.amount_cents != amount_cents,
    ),
    Goal(
        update_recurring,
        name="postpone",
        slots=(BILL, Slot("next_on", withheld=0.4, draw=_later, says=("On {}.", "{}."))),
        where=lambda bill, next_on: bill.row.next_on != next_on,
    ),
)


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


def _limit_month(draw: Draw) -> str:
    first = draw.now.date().replace(day=1)
    return month_of(draw.rng.choice((first, first + timedelta(days=32), first - timedelta(days=40))))


def _closing(draw: Draw) -> str:
    this = draw.now.date().replace(day=1)
    return month_of(draw.rng.choice((this, this - timedelta(days=1), this - timedelta(days=1))))


LIMITS = (
    Goal(
        tools.set_limit,
        name="set_limit",
        slots=(
            Slot("category"),
            Slot("month", draw=_limit_month, say=in_words),
            Slot("limit_cents", withheld=0.3, draw=cents(9_000, 70_000), says=("{}.", "To {}.")),
        ),
    ),
    Goal(
        tools.move_limit,
        name="shift",
        slots=(
            Slot("source", withheld=0.4, says=("From {}.", "Take it from {}.")),
            Slot("target"),
            Slot("amount_cents", withheld=0.3, draw=cents(1_500, 20_000), says=("{}.", "Move {}.")),
        ),
        tells=(Tell("target.left_cents", near=("left",)),),
        where=lambda source, target: source.row.category_id != target.row.category_id,
    ),
)


CLOSING = (
    Goal(
        tools.close_month,
        name="close",
        slots=(Slot("month", draw=_closing, say=in_words, reads=seen_in_month),),
        tells=(Tell("carried_cents", near=("carried", "carry", "over")),),
    ),
)


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


THINGS = (Thing(Category, has_known_key=False), Thing(Expense, has_known_key=False), Thing(Bill, has_known_key=False))


CONDITIONS = (
    Condition(
        Category,
        "left_cents",
        "if {value} or more is left for {it}",
        list_categories,
        more="has more money left",
        less="has less money left",
    ),
)


GOALS = (*EXPENSES, *LIMITS, *BILLS, *CLOSING, *QUESTIONS)
