"""The bookkeeping of bills, shared by the back-office tools and the tasks' set-up."""

from datetime import date, timedelta

from toolgym.domains.telecom.schema import Bill, BillItem, Customer, Line, Plan
from toolgym.sandbox.kit.database import Database


def plan_of(db: Database, line: Line) -> Plan:
    """A line's tariff."""
    return db.find(Plan, plan_id=line.plan_id)[0]


def bills_of(db: Database, customer: Customer, **equal: str) -> list[Bill]:
    """A customer's bills in the order in which they came."""
    found = db.find(Bill, customer_id=customer.customer_id, **equal)
    return sorted(found, key=lambda bill: bill.position)


def add_bill(db: Database, bill_id: str, customer: Customer, start: date, status: str) -> Bill:
    """A bill without items for the month that begins with `start`, issued on that day, due 14 days later."""
    return db.add(
        Bill,
        bill_id=bill_id,
        customer=customer,
        position=len(bills_of(db, customer)),
        period_start=start.isoformat(),
        period_end=(next_month(start) - timedelta(days=1)).isoformat(),
        issue_date=start.isoformat(),
        due_date=(start + timedelta(days=14)).isoformat(),
        total_cents=0,
        status=status,
    )


def charge(db: Database, bill: Bill, cents: int, description: str) -> None:
    """Put an item on a bill and add it to the total."""
    db.add(
        BillItem,
        bill=bill,
        position=len(db.find(BillItem, bill_id=bill.bill_id)),
        description=description,
        amount_cents=cents,
        date=db.now.date().isoformat(),
        item_type="Charge",
    )
    db.update(bill, total_cents=bill.total_cents + cents)


def draft_bill(db: Database, customer: Customer) -> Bill:
    """The bill that collects what the next month's will hold; opened when there is none."""
    drafts = bills_of(db, customer, status="Draft")
    if drafts:
        return drafts[0]
    return add_bill(db, db.new_id(Bill, length=8, prefix="B"), customer, next_month(db.now.date()), "Draft")


def next_month(day: date) -> date:
    """The first day of the month after."""
    return (day.replace(day=1) + timedelta(days=32)).replace(day=1)
