"""What the back-office tools show: the JSON shapes of tau2-bench's telecom tools, read from the tables."""

from collections.abc import Mapping
from typing import Any, NotRequired, TypeVar, cast

from typing_extensions import TypedDict

from domains.telecom.schema import Bill, BillItem, Customer, Device, Line, PaymentMethod, Plan
from sandbox.kit.database import Database

View = TypeVar("View")


class AddressView(TypedDict):
    """A postal address."""

    street: str
    city: str
    state: str
    zip_code: str


class PaymentMethodView(TypedDict):
    """A way to pay."""

    method_type: str
    account_number_last_4: str
    expiration_date: str


class CustomerView(TypedDict):
    """A customer with their lines and bills; money in dollars."""

    customer_id: str
    full_name: str
    date_of_birth: str
    email: str
    phone_number: str
    address: AddressView
    account_status: str
    payment_methods: list[PaymentMethodView]
    line_ids: list[str]
    bill_ids: list[str]
    created_at: str
    last_extension_date: NotRequired[str]
    goodwill_credit_used_this_year: float


class LineView(TypedDict):
    """A line; data in gigabytes."""

    line_id: str
    phone_number: str
    status: str
    plan_id: str
    device_id: NotRequired[str]
    data_used_gb: float
    data_refueling_gb: float
    roaming_enabled: bool
    contract_end_date: NotRequired[str]
    last_plan_change_date: NotRequired[str]
    last_sim_replacement_date: NotRequired[str]
    suspension_start_date: NotRequired[str]


class DeviceView(TypedDict):
    """A device."""

    device_id: str
    device_type: str
    model: str
    imei: NotRequired[str]
    is_esim_capable: bool
    activated: bool
    activation_date: NotRequired[str]
    last_esim_transfer_date: NotRequired[str]


class PlanView(TypedDict):
    """A tariff; money in dollars, data in gigabytes."""

    plan_id: str
    name: str
    data_limit_gb: float
    price_per_month: float
    data_refueling_price_per_gb: float


class BillItemView(TypedDict):
    """A line of a bill; `amount` in dollars, negative for a credit."""

    description: str
    amount: float
    date: str
    item_type: str


class BillView(TypedDict):
    """A bill; money in dollars."""

    bill_id: str
    customer_id: str
    period_start: str
    period_end: str
    issue_date: str
    total_due: float
    due_date: str
    line_items: list[BillItemView]
    status: str


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
    line: LineView


def _present(record: Mapping[str, Any], view: type[View]) -> View:
    """The fields that hold something."""
    return cast(View, {name: value for name, value in record.items() if value is not None})


def _columns(record: Any, *without: str) -> dict[str, Any]:
    return {name: value for name, value in record._asdict().items() if name not in without}


def view_customer(db: Database, customer: Customer) -> CustomerView:
    """A customer with their lines and bills, in the order in which they came."""
    own = {"customer_id": customer.customer_id}
    methods = [
        PaymentMethodView(
            method_type=method.method_type,
            account_number_last_4=method.last_four,
            expiration_date=method.expiration_date,
        )
        for method in db.find(PaymentMethod, **own)
    ]
    record = _columns(customer, "position", "street", "city", "state", "zip_code", "goodwill_cents") | {
        "address": AddressView(
            street=customer.street, city=customer.city, state=customer.state, zip_code=customer.zip_code
        ),
        "payment_methods": methods,
        "line_ids": [line.line_id for line in sorted(db.find(Line, **own), key=lambda line: line.position)],
        "bill_ids": [bill.bill_id for bill in sorted(db.find(Bill, **own), key=lambda bill: bill.position)],
        "goodwill_credit_used_this_year": customer.goodwill_cents / 100,
    }
    return _present(record, CustomerView)


def view_line(line: Line) -> LineView:
    """A line."""
    return _present(_columns(line, "customer_id", "position"), LineView)


def view_device(device: Device) -> DeviceView:
    """A device."""
    return _present(_columns(device, "model_name") | {"model": device.model_name}, DeviceView)


def view_plan(plan: Plan) -> PlanView:
    """A tariff."""
    return PlanView(
        plan_id=plan.plan_id,
        name=plan.name,
        data_limit_gb=plan.data_limit_gb,
        price_per_month=plan.price_cents / 100,
        data_refueling_price_per_gb=plan.refuel_cents_per_gb / 100,
    )


def view_bill(db: Database, bill: Bill) -> BillView:
    """A bill with its items."""
    items = [
        BillItemView(
            description=item.description, amount=item.amount_cents / 100, date=item.date, item_type=item.item_type
        )
        for item in db.find(BillItem, bill_id=bill.bill_id)
    ]
    record = _columns(bill, "position", "total_cents") | {"total_due": bill.total_cents / 100, "line_items": items}
    return _present(record, BillView)
