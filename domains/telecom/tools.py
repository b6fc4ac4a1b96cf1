"""What an agent can do in the back office: tau2-bench's telecom tools by the same names and parameters."""

from datetime import timedelta
from typing import Annotated

from pydantic import Field

from domains.telecom.guards import bills_of, charge, draft_bill, find, find_line, next_month, today
from domains.telecom.schema import Bill, Customer, Device, Line, Plan
from domains.telecom.views import (
    BillView,
    CustomerView,
    DeviceView,
    LineChangeView,
    LineView,
    PlanView,
    RefuelView,
    UsageView,
    view_bill,
    view_customer,
    view_device,
    view_line,
    view_plan,
)
from sandbox.kit.database import Database
from sandbox.kit.errors import Refusal
from sandbox.kit.tool import tool

Gigabytes = Annotated[float, Field(gt=0, le=1000)]
Limit = Annotated[int, Field(ge=1, le=1000)]

# --- looking things up ---


@tool("read")
def get_customer_by_phone(db: Database, phone_number: str) -> CustomerView:
    """Find a customer by a phone number: the one to reach them at, or that of one of their lines.

    Args:
        phone_number: such as "555-123-2002".
    """
    number = phone_number.strip()
    owners = db.find(Customer, phone_number=number)
    owners += [find(db, Customer, line.customer_id) for line in db.find(Line, phone_number=number)]
    if not owners:
        raise Refusal("customer_not_found", f"There is no customer with the phone number {phone_number!r}.")
    return view_customer(db, min(owners, key=lambda customer: customer.position))


@tool("read")
def get_customer_by_id(db: Database, customer_id: str) -> CustomerView:
    """Get a customer by id.

    Args:
        customer_id: such as "C1001".
    """
    return view_customer(db, find(db, Customer, customer_id))


@tool("read")
def get_customer_by_name(db: Database, full_name: str, dob: str) -> list[CustomerView]:
    """Find customers by their full name and date of birth; an empty list when there is none.

    Args:
        full_name: first and last name; case does not matter.
        dob: date of birth, as YYYY-MM-DD.
    """
    name = full_name.strip().lower()
    born = sorted(db.find(Customer, date_of_birth=dob.strip()), key=lambda customer: customer.position)
    return [view_customer(db, customer) for customer in born if customer.full_name.lower() == name]


@tool("read")
def get_details_by_id(db: Database, id: str) -> CustomerView | LineView | DeviceView | BillView | PlanView:
    """Get what is known about a customer, line, device, bill or plan.

    Args:
        id: begins with C (customer), L (line), D (device), B (bill) or P (plan), such as "L1002".
    """
    if id.startswith("L"):
        return view_line(find(db, Line, id))
    if id.startswith("D"):
        return view_device(find(db, Device, id))
    if id.startswith("B"):
        return view_bill(db, find(db, Bill, id))
    if id.startswith("C"):
        return view_customer(db, find(db, Customer, id))
    if id.startswith("P"):
        return view_plan(find(db, Plan, id))
    raise Refusal("unknown_id", f"The id {id!r} is of no known kind; ids begin with C, L, D, B or P.")


@tool("read")
def get_bills_for_customer(db: Database, customer_id: str, limit: Limit = 12) -> list[BillView]:
    """List a customer's bills, the newest first.

    Args:
        customer_id: such as "C1001".
        limit: how many bills at most.
    """
    bills = bills_of(db, find(db, Customer, customer_id).customer_id)
    newest = sorted(bills, key=lambda bill: bill.issue_date, reverse=True)
    return [view_bill(db, bill) for bill in newest[:limit]]


@tool("read")
def get_data_usage(db: Database, customer_id: str, line_id: str) -> UsageView:
    """Get how much data a line has used in this billing cycle, its limit, what was added, and when the cycle ends.

    Args:
        customer_id: the line's owner.
        line_id: such as "L1002".
    """
    line = find_line(db, customer_id, line_id)
    return UsageView(
        line_id=line_id,
        data_used_gb=line.data_used_gb,
        data_limit_gb=find(db, Plan, line.plan_id).data_limit_gb,
        data_refueling_gb=line.data_refueling_gb,
        cycle_end_date=(next_month(today(db)) - timedelta(days=1)).isoformat(),
    )


# --- lines ---


@tool("write")
def suspend_line(db: Database, customer_id: str, line_id: str, reason: str) -> LineChangeView:
    """Suspend an active line, for six months at most. It costs 5 dollars a month.

    Args:
        customer_id: the line's owner.
        line_id: the line to suspend.
        reason: why.
    """
    line = find_line(db, customer_id, line_id)
    if line.status != "Active":
        raise Refusal("line_not_active", f"Line {line_id} is {line.status}; only an active line can be suspended.")
    line = db.update(line, status="Suspended", suspension_start_date=today(db).isoformat())
    message = f"Line {line_id} is suspended. A holding fee of $5 a month applies."
    return LineChangeView(message=message, line=view_line(line))


@tool("write")
def resume_line(db: Database, customer_id: str, line_id: str) -> LineChangeView:
    """Make a suspended line, or one that waits for its activation, active. The phone has to be restarted afterwards.

    Args:
        customer_id: the line's owner.
        line_id: the line to resume.
    """
    line = find_line(db, customer_id, line_id)
    if line.status not in {"Suspended", "Pending Activation"}:
        raise Refusal("line_not_suspended", f"Line {line_id} is {line.status}; only a suspended line can be resumed.")
    line = db.update(line, status="Active", suspension_start_date=None)
    return LineChangeView(message=f"Line {line_id} is active again.", line=view_line(line))


@tool("write")
def enable_roaming(db: Database, customer_id: str, line_id: str) -> str:
    """Allow a line to be used abroad.

    Args:
        customer_id: the line's owner.
        line_id: such as "L1002".
    """
    return _set_roaming(db, find_line(db, customer_id, line_id), enabled=True)


@tool("write")
def disable_roaming(db: Database, customer_id: str, line_id: str) -> str:
    """Stop a line from being used abroad.

    Args:
        customer_id: the line's owner.
        line_id: such as "L1002".
    """
    return _set_roaming(db, find_line(db, customer_id, line_id), enabled=False)


def _set_roaming(db: Database, line: Line, *, enabled: bool) -> str:
    state = "enabled" if enabled else "disabled"
    if line.roaming_enabled == enabled:
        return f"Roaming was {state} on line {line.line_id} already."
    db.update(line, roaming_enabled=enabled)
    return f"Roaming is {state} on line {line.line_id}."


@tool("write")
def refuel_data(db: Database, customer_id: str, line_id: str, gb_amount: Gigabytes) -> RefuelView:
    """Add data to a line for this billing cycle; the plan's price per gigabyte goes on the customer's next bill.

    Args:
        customer_id: the line's owner.
        line_id: such as "L1002".
        gb_amount: gigabytes to add, more than 0.
    """
    line = find_line(db, customer_id, line_id)
    price = find(db, Plan, line.plan_id).refuel_cents_per_gb
    cents = round(gb_amount * price)
    added = line.data_refueling_gb + gb_amount
    db.update(line, data_refueling_gb=added)
    description = f"{gb_amount:g} GB of data for line {line_id} at ${price / 100:.2f} per GB"
    charge(db, draft_bill(db, customer_id), cents, description)
    message = f"Line {line_id} has {gb_amount:g} GB more; ${cents / 100:.2f} will be on the next bill."
    return RefuelView(message=message, new_data_refueling_gb=added, charge=cents / 100)


# --- bills ---


@tool("write")
def send_payment_request(db: Database, customer_id: str, bill_id: str) -> str:
    """Ask a customer, on their phone, to pay a bill. One bill at a time can await payment.

    The bill need not be overdue: look at its status first.

    Args:
        customer_id: who is to pay.
        bill_id: one of their bills.
    """
    find(db, Customer, customer_id)
    waiting = bills_of(db, customer_id, status="Awaiting Payment")
    if waiting:
        raise Refusal(
            "payment_already_requested", f"Bill {waiting[0].bill_id} awaits payment already; one at a time can."
        )
    bill = db.get(Bill, bill_id)
    if bill is None or bill.customer_id != customer_id:
        raise Refusal("bill_not_found", f"Customer {customer_id} has no bill with the id {bill_id!r}.")
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
