"""The tables of households' money diaries. Money is in integer cents; a month is written `2026-03`."""

from datetime import date

from sqlalchemy import ForeignKey, Index
from sqlalchemy.orm import DeclarativeBase, Mapped, mapped_column

from toolgym.sandbox.kit.world import Database, computed, hidden, key


class Base(DeclarativeBase):
    """The diary's tables."""


class Household(Base):
    """Whose diary it is."""

    __tablename__ = "households"

    household_id: Mapped[str] = key("HH-12")
    name: Mapped[str]  # of who keeps the diary
    currency: Mapped[str]


class MonthState(Base):
    """A month of a household: open until it is closed, for good."""

    __tablename__ = "months"
    __owned_by__ = "household_id"

    month_id: Mapped[str] = key("HH-12/2026-03")
    household_id: Mapped[str] = mapped_column(ForeignKey("households.household_id"), info={"hidden": True})
    month: Mapped[str]
    state: Mapped[str]


class Category(Base):
    """What money is spent on. Fixed ones stay within their limit, flexible ones carry what is left on."""

    __tablename__ = "categories"
    __owned_by__ = "household_id"

    category_id: Mapped[str] = key("CA-104")
    household_id: Mapped[str] = mapped_column(ForeignKey("households.household_id"), index=True, info={"hidden": True})
    name: Mapped[str]
    kind: Mapped[str]

    @computed
    def limit_cents(self, db: Database) -> int:
        """What may be spent in the current month."""
        return limit_of(db, self.category_id, month_of(db.now.date()))[0]

    @computed
    def left_cents(self, db: Database) -> int:
        """What of it is left."""
        limit, spent = limit_of(db, self.category_id, month_of(db.now.date()))
        return limit - spent


class Limit(Base):
    """What may be spent on a category in a month, what came over from the month before, and what has been spent."""

    __tablename__ = "limits"
    __owned_by__ = "category_id"

    limit_id: Mapped[str] = key("CA-104/2026-03")
    category_id: Mapped[str] = mapped_column(ForeignKey("categories.category_id"))
    month: Mapped[str]
    limit_cents: Mapped[int]
    carried_cents: Mapped[int]
    spent_cents: Mapped[int]


class Expense(Base):
    """Money spent; what came back is negative."""

    __tablename__ = "expenses"
    __owned_by__ = "category_id"
    __brief__ = ("expense_id", "on", "amount_cents", "payee", "category_id", "category_name", "month_state")
    __table_args__ = (Index("expenses_by_category", "category_id", "on"),)

    expense_id: Mapped[str] = key("EX-90233")
    category_id: Mapped[str] = mapped_column(ForeignKey("categories.category_id"))
    amount_cents: Mapped[int]
    on: Mapped[date]
    payee: Mapped[str]
    note: Mapped[str]
    split_of: Mapped[str | None] = hidden()

    @computed
    def category_name(self, db: Database) -> str:
        """What it was spent on."""
        category = db.get(Category, self.category_id)
        return category.name if category else ""

    @computed
    def month_state(self, db: Database) -> str:
        """Whether its month is open."""
        category = db.get_one(Category, self.category_id)
        month = db.get(MonthState, f"{category.household_id}/{month_of(self.on)}")
        return month.state if month else "closed"


class Bill(Base):
    """A payment that the diary expects again and again."""

    __tablename__ = "bills"
    __owned_by__ = "category_id"

    bill_id: Mapped[str] = key("RC-31")
    category_id: Mapped[str] = mapped_column(ForeignKey("categories.category_id"), index=True)
    payee: Mapped[str]
    amount_cents: Mapped[int]
    every: Mapped[str]
    next_on: Mapped[date]
    paused: Mapped[bool]


class Income(Base):
    """Money that came in."""

    __tablename__ = "income"
    __owned_by__ = "household_id"

    income_id: Mapped[str] = key("IN-31")
    household_id: Mapped[str] = mapped_column(ForeignKey("households.household_id"), index=True, info={"hidden": True})
    month: Mapped[str]
    amount_cents: Mapped[int]
    source: Mapped[str]


def month_of(day: date) -> str:
    """The month of a day, as months are written."""
    return f"{day:%Y-%m}"


def limit_of(db: Database, category_id: str, month: str) -> tuple[int, int]:
    """What may be spent on a category in a month, with what was carried over, and what has been spent."""
    row = db.get(Limit, f"{category_id}/{month}")
    return (row.limit_cents + row.carried_cents, row.spent_cents) if row else (0, 0)
