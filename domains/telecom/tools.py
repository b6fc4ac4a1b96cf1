"""What an agent can do in the back office: tau2-bench's telecom tools by the same names and parameters."""

from datetime import timedelta
from typing import Annotated, Any

from pydantic import Field
from typing_extensions import TypedDict

from toolgym.domains.telecom.books import bills_of, charge, draft_bill, next_month, plan_of
from toolgym.domains.telecom.schema import Bill, Customer, Device, Line, Plan
from toolgym.sandbox.kit.table import noun
from toolgym.sandbox.kit.world import AnyOf, Database, Reference, Refusal, View, tool

Gigabytes = Annotated[float, Field(gt=0, le=1000)]
Limit = Annotated[int, Field(ge=1, le=1000)]
CustomerRef = Annotated[
    Customer, Reference("customer_id", code="customer_not_found", message="There is no customer with the id '{key}'.")
]
LineRef = Annotated[
    Line,
    Reference(
        "line_id", of="customer", code="line_not_found", message="Customer {of} has no line with the id '{key}'."
    ),
]
_KINDS: dict[str, type[Any]] = {"L": Line, "D": Device, "B": Bill, "C": Customer, "P": Plan}


class UsageView(TypedDict):
    """A line's data in this billing cycle, in gigabytes."""

    line_id: str
    data_used_gb: float
    data_limit_gb: float
    data_refueling_gb: float
    cycle_end_date: str


class RefuelView(TypedDict):
    """What adding data came to: gigabytes added so far in this cycle, and this charge in dollars."""

    message: str
    new_data_refueling_gb: float
    charge: float


class LineChangeView(TypedDict):
    """A line after a change."""

    message: str
    line: View[Line]


# --- looking things up ---


@tool("read")
def get_customer_by_phone(db: Database, phone_number: str) -> View[Customer]:
    """Find a customer by a phone number: the one to reach them at, or that of one of their lines.

    Args:
        phone_number: such as "555-123-2002".
    """
    number = phone_number.strip()
    owners = db.find(Customer, phone_number=number)
    for line in db.find(Line, phone_number=number):
        owners += db.find(Customer, customer_id=line.customer_id)
    if not owners:
        raise Refusal("customer_not_found", f"There is no customer with the phone number {phone_number!r}.")
    return View(min(owners, key=lambda customer: customer.position))


@tool("read")
def get_customer_by_id(db: Database, customer: CustomerRef) -> View[Customer]:
    """Get a customer by id.

    Args:
        customer: such as "C1001".
    """
    return View(customer)


@tool("read")
def get_customer_by_name(db: Database, full_name: str, dob: str) -> list[View[Customer]]:
    """Find customers by their full name and date of birth; an empty list when there is none.

    Args:
        full_name: first and last name; case does not matter.
        dob: date of birth, as YYYY-MM-DD.
    """
    name = full_name.strip().lower()
    born = sorted(db.find(Customer, date_of_birth=dob.strip()), key=lambda customer: customer.position)
    return [View(customer) for customer in born if customer.full_name.lower() == name]


@tool("read")
def get_details_by_id(
    db: Database, id: Annotated[str, AnyOf(Customer, Line, Device, Bill, Plan)]
) -> View[Customer] | View[Line] | View[Device] | View[Bill] | View[Plan]:
    """Get what is known about a customer, line, device, bill or plan.

    Args:
        id: begins with C (customer), L (line), D (device), B (bill) or P (plan), such as "L1002".
    """
    if id[:1] not in _KINDS:
        raise Refusal("unknown_id", f"The id {id!r} is of no known kind; ids begin with C, L, D, B or P.")
    table = _KINDS[id[0]]
    row = db.get(table, id)
    if row is None:
        raise Refusal(f"{noun(table)}_not_found", f"There is no {noun(table)} with the id {id!r}.")
    return View(row)


@tool("read")
def get_bills_for_customer(db: Database, customer: CustomerRef, limit: Limit = 12) -> list[View[Bill]]:
    """List a customer's bills, the newest first.

    Args:
        customer: such as "C1001".
        limit: how many bills at most.
    """
    newest = sorted(bills_of(db, customer), key=lambda bill: bill.issue_date, reverse=True)
    return [View(bill) for bill in newest[:limit]]


@tool("read")
def get_data_usage(db: Database, customer: CustomerRef, line: LineRef) -> UsageView:
    """Get how much data a line has used in this billing cycle, its limit, what was added, and when the cycle ends.

    Args:
        customer: the line's owner.
        line: such as "L1002".
    """
    return UsageView(
        line_id=line.line_id,
        data_used_gb=line.data_used_gb,
        data_limit_gb=plan_of(db, line).data_limit_gb,
        data_refueling_gb=line.data_refueling_gb,
        cycle_end_date=(next_month(db.now.date()) - timedelta(days=1)).isoformat(),
    )


# --- lines ---


@tool("write")
def suspend_line(db: Database, customer: CustomerRef, line: LineRef, reason: str) -> LineChangeView:
    """Suspend an active line, for six months at most. It costs 5 dollars a month.

    Args:
        customer: the line's owner.
        line: the line to suspend.
        reason: why.
    """
    line = db.update(line, status="Suspended", suspension_start_date=db.now.date().isoformat())
    message = f"Line {line.line_id} is suspended. A holding fee of $5 a month applies."
    return LineChangeView(message=message, line=View(line))


@tool("write", confirm=False)
def resume_line(db: Database, customer: CustomerRef, line: LineRef) -> LineChangeView:
    """Make a suspended line, or one that waits for its activation, active. The phone has to be restarted afterwards.

    Args:
        customer: the line's owner.
        line: the line to resume.
    """
    line = db.update(line, status="Active", suspension_start_date=None)
    return LineChangeView(message=f"Line {line.line_id} is active again.", line=View(line))


@tool("write", confirm=False)
def enable_roaming(db: Database, customer: CustomerRef, line: LineRef) -> str:
    """Allow a line to be used abroad.

    Args:
        customer: the line's owner.
        line: such as "L1002".
    """
    return _set_roaming(db, line, enabled=True)


@tool("write", confirm=False)
def disable_roaming(db: Database, customer: CustomerRef, line: LineRef) -> str:
    """Stop a line from being used abroad.

    Args:
        customer: the line's owner.
        line: such as "L1002".
    """
    return _set_roaming(db, line, enabled=False)


def _set_roaming(db: Database, line: Line, *, enabled: bool) -> str:
    state = "enabled" if enabled else "disabled"
    if line.roaming_enabled == enabled:
        return f"Roaming was {state} on line {line.line_id} already."
    db.update(line, roaming_enabled=enabled)
    return f"Roaming is {state} on line {line.line_id}."


@tool("write")
def refuel_data(db: Database, customer: CustomerRef, line: LineRef, gb_amount: Gigabytes) -> RefuelView:
    """Add data to a line for this billing cycle; the plan's price per gigabyte goes on the customer's next bill.

    Args:
        customer: the line's owner.
        line: such as "L1002".
        gb_amount: gigabytes to add, more than 0.
    """
    price = plan_of(db, line).refuel_cents_per_gb
    cents = round(gb_amount * price)
    added = line.data_refueling_gb + gb_amount
    db.update(line, data_refueling_gb=added)
    description = f"{gb_amount:g} GB of data for line {line.line_id} at ${price / 100:.2f} per GB"
    charge(db, draft_bill(db, customer), cents, description)
    message = f"Line {line.line_id} has {gb_amount:g} GB more; ${cents / 100:.2f} will be on the next bill."
    return RefuelView(message=message, new_data_refueling_gb=added, charge=cents / 100)


# --- bills ---


@tool("write", confirm=False)
def send_payment_request(db: Database, customer: CustomerRef, bill_id: Annotated[str, AnyOf(Bill)]) -> str:
    """Ask a customer, on their phone, to pay a bill. One bill at a time can await payment.

    The bill need not be overdue: look at its status first.

    Args:
        customer: who is to pay.
        bill_id: one of their bills.
    """
    waiting = bills_of(db, customer, status="Awaiting Payment")
    if waiting:
        raise Refusal(
            "payment_already_requested", f"Bill {waiting[0].bill_id} awaits payment already; one at a time can."
        )
    bill = db.get(Bill, bill_id)
    if bill is None or bill.customer_id != customer.customer_id:
        raise Refusal("bill_not_found", f"Customer {customer.customer_id} has no bill with the id {bill_id!r}.")
    if bill.status == "Paid":
        raise Refusal("bill_already_paid", f"Bill {bill_id} is paid already.")
    db.update(bill, status="Awaiting Payment")
    return f"The customer has been asked to pay bill {bill_id}."


@tool("neutral", ends_episode=True)
def transfer_to_human_agents(db: Database, summary: str) -> str:
    """Hand the conversation over to a human, when the user asks for one or the policy and the tools do not suffice.

    Args:
        summary: what the user wants and what has been done.
    """
    return "A human agent takes over."
