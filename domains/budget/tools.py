"""What the diary lets an agent do for the household that is signed in."""

from calendar import monthrange
from datetime import date, timedelta
from typing import Annotated, Literal

from pydantic import BaseModel, Field

from toolgym.domains.budget import schema
from toolgym.sandbox.kit.database import Database
from toolgym.sandbox.kit.errors import Refusal
from toolgym.sandbox.kit.reference import NOT_BLANK, Free, PageNumber, Ref
from toolgym.sandbox.kit.search import contains_text, given, is_within
from toolgym.sandbox.kit.tool import tool
from toolgym.sandbox.kit.view import Page, View

MonthText = Annotated[str, Field(pattern=r"^20\d\d-(0[1-9]|1[0-2])$")]
Cents = Annotated[int, Field(ge=1, le=10_000_000)]


class Part(BaseModel):
    """A part of an expense: its category and how much of the expense it is."""

    category: Ref[schema.Category]
    amount_cents: Cents


@tool("read")
def get_month(db: Database, month: MonthText | None = None) -> dict[str, str | int]:
    """Get what came in and was spent in a month, what is left of the income, and whether the month is open or closed.

    Args:
        month: such as 2026-02; the current month without it.
    """
    me, wanted = db.owner(schema.Household), month or schema.month_of(db.now.date())
    found = db.get(schema.MonthState, f"{me.household_id}/{wanted}")
    if found is None:
        raise Refusal("not_found", f"The diary has no month {wanted}.")
    income = sum(row.amount_cents for row in db.mine(schema.Income, month=wanted))
    spent = db.query(
        "SELECT coalesce(sum(l.spent_cents), 0) FROM limits l JOIN categories c USING (category_id) "
        "WHERE c.household_id = :household AND l.month = :month",
        household=me.household_id,
        month=wanted,
    )[0][0]
    money = {"income_cents": income, "spent_cents": int(spent), "left_cents": income - int(spent)}
    return {"month": wanted, "state": found.state, "today": db.now.date().isoformat(), **money}


@tool("read")
def list_categories(
    db: Database,
    month: MonthText | None = None,
    kind: Literal["fixed", "flexible", "saving"] | None = None,
    name: str | None = None,
) -> list[View[schema.Category]]:
    """List the categories with the limit of a month, with what was carried over, and what of it is left.

    Args:
        month: such as 2026-02; the current month without it.
        kind: only categories of this kind.
        name: only categories whose name holds this.
    """
    wanted = month or schema.month_of(db.now.date())
    rows = [row for row in db.mine(schema.Category, **given(kind=kind)) if contains_text(row.name, name)]
    return [_in_month(db, row, wanted) for row in rows]


@tool("read")
def list_expenses(
    db: Database,
    category: Ref[schema.Category] | None = None,
    first_day: date | None = None,
    last_day: date | None = None,
    text: str | None = None,
    min_cents: int | None = None,
    max_cents: int | None = None,
    page: PageNumber = 1,
) -> Page[schema.Expense]:
    """List expenses, newest first.

    Args:
        first_day: the first day to list, included.
        last_day: the last day to list, included.
        text: only those whose payee or note holds this.
        min_cents: only amounts of at least this.
        max_cents: only amounts of at most this.
        page: ten a page.
    """
    rows = [
        row
        for row in db.mine(schema.Expense, **given(category_id=category and category.category_id))
        if is_within(row.on, first_day, last_day)
        and (contains_text(row.payee, text) or contains_text(row.note, text))
        and is_within(row.amount_cents, min_cents, max_cents)
    ]
    return Page(sorted(rows, key=lambda row: (row.on, row.expense_id), reverse=True), page)


@tool("write")
def add_expense(
    db: Database,
    category: Ref[schema.Category],
    amount_cents: Cents,
    on: date,
    payee: Annotated[str, Field(min_length=2, max_length=60), NOT_BLANK],
    note: Free = "",
) -> View[schema.Expense]:
    """Enter an expense.

    Args:
        amount_cents: how much.
        on: the day on which it was paid.
        payee: who was paid.
        note: what was bought, if it was said.
    """
    made = _insert(db, category.category_id, amount_cents, on, payee, note)
    return View(made, left_cents=_left(db, category, schema.month_of(on)))


@tool("write")
def edit_expense(
    db: Database,
    expense: Ref[schema.Expense],
    category: Ref[schema.Category] | None = None,
    amount_cents: Cents | None = None,
    on: date | None = None,
) -> View[schema.Expense]:
    """Correct an expense: its category, its amount or its day.

    Args:
        category: where it belongs instead.
        amount_cents: what it came to instead.
        on: the day on which it was paid instead.
    """
    wanted = {
        "category_id": category.category_id if category else expense.category_id,
        "amount_cents": expense.amount_cents if amount_cents is None else amount_cents,
        "on": on or expense.on,
    }
    if all(getattr(expense, name) == value for name, value in wanted.items()):
        raise Refusal("no_change", "The expense is like this already.")
    _spend(db, expense.category_id, expense.on, -expense.amount_cents)
    changed = db.update(expense, **wanted)
    _spend(db, changed.category_id, changed.on, changed.amount_cents)
    return View(changed)


@tool("write")
def delete_expense(db: Database, expense: Ref[schema.Expense]) -> dict[str, str | int]:
    """Take an expense out of the diary for good."""
    _spend(db, expense.category_id, expense.on, -expense.amount_cents)
    db.delete(expense)
    return {"deleted": expense.expense_id, "amount_cents": expense.amount_cents, "payee": expense.payee}


@tool("write")
def split_expense(
    db: Database, expense: Ref[schema.Expense], parts: Annotated[list[Part], Field(min_length=2, max_length=6)]
) -> list[View[schema.Expense]]:
    """Put several expenses in the place of one, each in its category; together they come to the same.

    Args:
        parts: the parts, with the one that stays in the old category.
    """
    total = sum(part.amount_cents for part in parts)
    if total != expense.amount_cents:
        raise Refusal("parts_sum", f"The parts come to {total} cents, the expense to {expense.amount_cents}.")
    _spend(db, expense.category_id, expense.on, -expense.amount_cents)
    db.delete(expense)
    day, payee, key = expense.on, expense.payee, expense.expense_id
    return [
        View(_insert(db, part.category.category_id, part.amount_cents, day, payee, expense.note, split_of=key))
        for part in parts
    ]


@tool("write")
def set_limit(
    db: Database,
    category: Ref[schema.Category],
    month: MonthText,
    limit_cents: Annotated[int, Field(ge=0, le=10_000_000)],
) -> View[schema.Limit]:
    """Set what may be spent on a category in a month.

    Args:
        month: such as 2026-04.
        limit_cents: the new limit, without what was carried over.
    """
    row = _line(db, category.category_id, month)
    if row.limit_cents == limit_cents:
        raise Refusal("no_change", "That is the limit already.")
    return View(db.update(row, limit_cents=limit_cents))


@tool("write")
def move_limit(
    db: Database, source: Ref[schema.Category], target: Ref[schema.Category], amount_cents: Cents
) -> dict[str, View[schema.Category]]:
    """Take from the current month's limit of one category and give it to another.

    Args:
        amount_cents: how much.
    """
    if source.category_id == target.category_id:
        raise Refusal("invalid_argument", "Source and target are the same category.")
    month = schema.month_of(db.now.date())
    row = _line(db, source.category_id, month)
    planned = min(row.limit_cents, amount_cents)  # the rest is of what came over from the month before
    db.update(row, limit_cents=row.limit_cents - planned, carried_cents=row.carried_cents - amount_cents + planned)
    row = _line(db, target.category_id, month)
    db.update(row, limit_cents=row.limit_cents + amount_cents)
    return {"source": View(source), "target": View(target)}


@tool("read")
def list_recurring(
    db: Database,
    category: Ref[schema.Category] | None = None,
    due_to: date | None = None,
    payee: str | None = None,
    page: PageNumber = 1,
) -> Page[schema.Bill]:
    """List what is expected again and again, the next ones first.

    Args:
        due_to: only what is expected up to this day.
        payee: only those whose payee holds this.
        page: ten a page.
    """
    rows = [
        row
        for row in db.mine(schema.Bill, **given(category_id=category and category.category_id))
        if is_within(row.next_on, None, due_to) and contains_text(row.payee, payee)
    ]
    return Page(sorted(rows, key=lambda row: (row.next_on, row.bill_id)), page)


@tool("write")
def update_recurring(
    db: Database,
    bill: Ref[schema.Bill],
    amount_cents: Cents | None = None,
    paused: bool | None = None,
    next_on: date | None = None,
) -> View[schema.Bill]:
    """Change what is expected: the amount, the next day, or whether it is expected at all.

    Args:
        amount_cents: how much each time.
        paused: true to expect it no longer, false to expect it again.
        next_on: the next day on which it is due; tomorrow at the earliest.
    """
    if next_on is not None and next_on <= db.now.date():
        raise Refusal("invalid_argument", "The next day is tomorrow at the earliest.")
    given = {"amount_cents": amount_cents, "paused": paused, "next_on": next_on}
    changes = {name: value for name, value in given.items() if value not in (None, getattr(bill, name))}
    if not changes:
        raise Refusal("no_change", "It is like this already.")
    return View(db.update(bill, **changes))


@tool("write")
def close_month(db: Database, month: MonthText) -> dict[str, str | int]:
    """Close a month for good; what is left of flexible categories is carried on to the next month.

    Args:
        month: such as 2026-02.
    """
    found = db.get(schema.MonthState, f"{db.owner(schema.Household).household_id}/{month}")
    if found is None:
        raise Refusal("not_found", f"The diary has no month {month}.")
    carried = 0
    for category in db.mine(schema.Category, kind="flexible"):
        left = max(_left(db, category, month), 0)
        if left:
            row = _line(db, category.category_id, schema.month_of(last_day(month) + timedelta(days=1)))
            db.update(row, carried_cents=row.carried_cents + left)
        carried += left
    db.update(found, state="closed")
    return {"month": month, "state": "closed", "carried_cents": carried}


def last_day(month: str) -> date:
    """The last day of a month."""
    year, number = int(month[:4]), int(month[5:])
    return date(year, number, monthrange(year, number)[1])


def _in_month(db: Database, category: schema.Category, month: str) -> View[schema.Category]:
    limit, spent = schema.limit_of(db, category.category_id, month)
    return View(category, limit_cents=limit, left_cents=limit - spent)


def _left(db: Database, category: schema.Category, month: str) -> int:
    limit, spent = schema.limit_of(db, category.category_id, month)
    return limit - spent


def _line(db: Database, category_id: str, month: str) -> schema.Limit:
    """A category's limit of a month, which may be written; made where there was none."""
    key = f"{category_id}/{month}"
    none = {"limit_cents": 0, "carried_cents": 0, "spent_cents": 0}
    return db.get(schema.Limit, key) or db.insert(
        schema.Limit, limit_id=key, category_id=category_id, month=month, **none
    )


def _spend(db: Database, category_id: str, on: date, cents: int) -> None:
    row = _line(db, category_id, schema.month_of(on))
    db.update(row, spent_cents=row.spent_cents + cents)


def _insert(
    db: Database, category_id: str, cents: int, on: date, payee: str, note: str, split_of: str | None = None
) -> schema.Expense:
    _spend(db, category_id, on, cents)
    values = {"amount_cents": cents, "on": on, "payee": payee, "note": note, "split_of": split_of}
    return db.add(schema.Expense, category_id=category_id, **values)
