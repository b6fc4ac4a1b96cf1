"""Look-ups that refuse with a sentence, and the bookkeeping of bills, shared by the back-office tools."""

from datetime import date, timedelta
from typing import TypeVar

from sqlalchemy.orm import DeclarativeBase

from domains.telecom.schema import Bill, BillItem, Customer, Device, Line, Plan
from sandbox.kit.database import Database
from sandbox.kit.errors import Refusal

Model = TypeVar("Model", bound=DeclarativeBase)
_WORDS: dict[type[DeclarativeBase], str] = {
    Customer: "customer",
    Line: "line",
    Device: "device",
    Bill: "bill",
    Plan: "plan",
}


def find(db: Database, model: type[Model], key: str) -> Model:
    """The row with this id, or the refusal `<kind>_not_found`."""
    row = db.get(model, key)
    if row is None:
        word = _WORDS[model]
        raise Refusal(f"{word}_not_found", f"There is no {word} with the id {key!r}.")
    return row


def find_line(db: Database, customer_id: str, line_id: str) -> Line:
    """A customer's line, or the refusal `customer_not_found` or `line_not_found`."""
    customer = find(db, Customer, customer_id)
    line = db.get(Line, line_id)
    if line is None or line.customer_id != customer.customer_id:
        raise Refusal("line_not_found", f"Customer {customer_id} has no line with the id {line_id!r}.")
    return line


def bills_of(db: Database, customer_id: str, **equal: str) -> list[Bill]:
    """A customer's bills in the order in which they came."""
    return sorted(db.find(Bill, customer_id=customer_id, **equal), key=lambda bill: bill.position)


def today(db: Database) -> date:
    """The day it is in this world."""
    return db.now.date()


def add_bill(db: Database, bill_id: str, customer_id: str, start: date, status: str) -> Bill:
    """A bill without items for the month that begins with `start`, issued on that day, due 14 days later."""
    return db.insert(
        Bill,
        bill_id=bill_id,
        customer_id=customer_id,
        position=len(bills_of(db, customer_id)),
        period_start=start.isoformat(),
        period_end=(next_month(start) - timedelta(days=1)).isoformat(),
        issue_date=start.isoformat(),
        due_date=(start + timedelta(days=14)).isoformat(),
        total_cents=0,
        status=status,
    )


def charge(db: Database, bill: Bill, cents: int, description: str) -> None:
    """Put an item on a bill and add it to the total."""
    db.insert(
        BillItem,
        bill_id=bill.bill_id,
        position=len(db.find(BillItem, bill_id=bill.bill_id)),
        description=description,
        amount_cents=cents,
        date=today(db).isoformat(),
        item_type="Charge",
    )
    db.update(bill, total_cents=bill.total_cents + cents)


def draft_bill(db: Database, customer_id: str) -> Bill:
    """The bill that collects what the next month's will hold; opened when there is none."""
    drafts = bills_of(db, customer_id, status="Draft")
    if drafts:
        return drafts[0]
    return add_bill(db, db.new_id(Bill, length=8, prefix="B"), customer_id, next_month(today(db)), "Draft")


def next_month(day: date) -> date:
    """The first day of the month after."""
    return (day.replace(day=1) + timedelta(days=32)).replace(day=1)
