"""A tiny world for tests of the kit: readers borrow books from one another's shelves and from the common one."""

from __future__ import annotations

from datetime import date, datetime, timedelta
from typing import Annotated

from pydantic import BaseModel, Field
from sqlalchemy import ForeignKey
from sqlalchemy.orm import DeclarativeBase, Mapped, mapped_column

from toolgym.sandbox.kit.database import Database
from toolgym.sandbox.kit.domain import Domain, generated
from toolgym.sandbox.kit.errors import Refusal
from toolgym.sandbox.kit.reference import Ref, Reference
from toolgym.sandbox.kit.rule import rule
from toolgym.sandbox.kit.table import computed, hidden, key
from toolgym.sandbox.kit.tool import ToolSet, tool
from toolgym.sandbox.kit.view import Page, View

NOW = datetime(2026, 3, 10, 9, 30)


class Base(DeclarativeBase):
    """The tables."""


class Reader(Base):
    """Who borrows."""

    __tablename__ = "readers"

    reader_id: Mapped[str] = key("R-01")
    name: Mapped[str]
    word: Mapped[str] = hidden()


class Book(Base):
    """Of a reader's own shelf, or of the common one."""

    __tablename__ = "books"
    __brief__ = ("book_id", "title")
    __visible__ = "shelf IS NULL OR shelf = :owner"

    book_id: Mapped[str] = key("B-101")
    title: Mapped[str]
    shelf: Mapped[str | None] = mapped_column(ForeignKey("readers.reader_id"))
    reserve_cents: Mapped[int] = hidden()


class Loan(Base):
    """A book at a reader's home."""

    __tablename__ = "loans"
    __owned_by__ = "reader_id"

    loan_id: Mapped[str] = key("L-07")
    reader_id: Mapped[str] = mapped_column(ForeignKey("readers.reader_id"), info={"hidden": True})
    book_id: Mapped[str] = mapped_column(ForeignKey("books.book_id"))
    taken_at: Mapped[datetime]
    due_on: Mapped[date]
    back_on: Mapped[date | None]

    @computed
    def latest(self, db: Database) -> date:
        """The last day to which it can be extended."""
        return self.taken_at.date() + timedelta(days=30)


class Wanted(BaseModel):
    """One line of an order."""

    book: Ref[Book]
    days: Annotated[int, Field(ge=1, le=28)]


@tool("read")
def list_books(db: Database, title: str | None = None) -> Page[Book]:
    """List the books that can be borrowed.

    Args:
        title: only those whose title holds this.
    """
    return Page([book for book in db.mine(Book) if title is None or title in book.title])


@tool("read")
def get_loan(db: Database, loan: Ref[Loan]) -> View[Loan]:
    """Get a loan."""
    return View(loan)


@tool("write")
def extend(db: Database, loans: list[Ref[Loan]], due_on: date) -> list[View[Loan]]:
    """Extend loans.

    Args:
        due_on: the new last day.
    """
    return [View(db.update(loan, due_on=due_on)) for loan in loans]


@tool("write")
def borrow(db: Database, lines: list[Wanted], in_place_of: Ref[Loan] | None = None) -> list[View[Loan]]:
    """Borrow books.

    Args:
        lines: the books, each with its days.
        in_place_of: a loan that is returned for them.
    """
    reader = db.owner(Reader)
    if in_place_of is not None:
        db.update(in_place_of, back_on=db.now.date())
    made = [
        db.insert(
            Loan,
            loan_id=db.new_id(Loan),
            reader_id=reader.reader_id,
            book_id=line.book.book_id,
            taken_at=db.now,
            due_on=db.now.date() + timedelta(days=line.days),
        )
        for line in lines
    ]
    if len(made) > 2:
        raise Refusal("limit_exceeded", "At most two books go home at once.")
    return [View(loan) for loan in made]


@tool("write")
def give_back(
    db: Database, loan: Annotated[Loan, Reference("loan", "which loan", code="no_loan", message="No loan {key}.")]
) -> View[Loan]:
    """Give a book back."""
    return View(db.update(loan, back_on=db.now.date()))


@rule(
    "A book comes back a day after it was taken at the earliest.",
    why="It is too new.",
    on=[give_back],
    reads=[get_loan],
)
def a_day_old(loan: View[Loan], now: datetime) -> bool:
    """Whether it has been at home for a day."""
    return now - loan.row.taken_at >= timedelta(days=1)


@rule(
    "A book that is later than thirty days is given back at the desk.",
    why="It is too late.",
    on=[give_back],
    by="policy",
)
def within_a_month(loan: View[Loan], now: datetime) -> bool:
    """Whether it is not late."""
    return now.date() <= loan.row.latest


def fill(db: Database) -> None:
    """Two readers with a book and two loans each, and a common book."""
    db.insert(Book, book_id="B-101", title="Tides", shelf=None, reserve_cents=77_001)
    for number, name in ((1, "Ada Moreau"), (2, "Greta Olsen")):
        db.insert(Reader, reader_id=f"R-0{number}", name=name, word=f"hush{number}")
        db.insert(
            Book, book_id=f"B-10{number + 1}", title=f"Letters {number}", shelf=f"R-0{number}", reserve_cents=77_002
        )
        for age in (0, 5):
            taken = NOW - timedelta(days=age)
            loan = db.new_id(Loan)
            due = taken.date() + timedelta(days=14)
            db.insert(Loan, loan_id=loan, reader_id=f"R-0{number}", book_id="B-101", taken_at=taken, due_on=due)


domain = Domain(
    name="lending",
    title="Books among neighbours",
    base=Base,
    tools=ToolSet([list_books, get_loan, extend, borrow, give_back]),
    policy="# Lending\n",
    data={"own": generated(fill)},
    now=NOW,
    owner=Reader,
    rules=[a_day_old, within_a_month],
)
