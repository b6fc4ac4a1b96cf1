"""The telecom world's tables: the provider's back office and the user's phone in one database.

Money is in integer cents, dates are ISO texts. What both sides depend on (a line's status, its roaming, its data, a
bill to pay) is stored once, in the back office; the phone's rows hold only what the phone itself knows.
"""

from typing import Any

from sqlalchemy import CheckConstraint, ForeignKey
from sqlalchemy.orm import DeclarativeBase, Mapped, mapped_column

from toolgym.sandbox.kit.world import Database, computed, part

TECHNOLOGIES = ("2G", "3G", "4G", "5G")
PHONE = "phone"
"""The key of the one phone: the user's."""


class Base(DeclarativeBase):
    """The telecom tables."""


class Plan(Base):
    """A tariff."""

    __tablename__ = "plans"

    plan_id: Mapped[str] = mapped_column(primary_key=True)
    name: Mapped[str]
    data_limit_gb: Mapped[float]
    price_cents: Mapped[int] = part()
    refuel_cents_per_gb: Mapped[int] = part()

    @computed
    def price_per_month(self, db: Database) -> float:
        """The price in dollars."""
        return self.price_cents / 100

    @computed
    def data_refueling_price_per_gb(self, db: Database) -> float:
        """The price of a gigabyte more, in dollars."""
        return self.refuel_cents_per_gb / 100


class Device(Base):
    """A device that the provider knows of."""

    __tablename__ = "devices"
    __omits_null__ = True

    device_id: Mapped[str] = mapped_column(primary_key=True)
    device_type: Mapped[str]
    model_name: Mapped[str] = part()
    imei: Mapped[str | None]
    is_esim_capable: Mapped[bool]
    activated: Mapped[bool]
    activation_date: Mapped[str | None]
    last_esim_transfer_date: Mapped[str | None]

    @computed
    def model(self, db: Database) -> str:
        """What it is sold as."""
        return self.model_name


class Customer(Base):
    """A customer; `phone_number` is how to reach them, not necessarily a line of theirs."""

    __tablename__ = "customers"
    __omits_null__ = True

    customer_id: Mapped[str] = mapped_column(primary_key=True)
    position: Mapped[int] = part()
    full_name: Mapped[str] = mapped_column(index=True)
    date_of_birth: Mapped[str]
    email: Mapped[str]
    phone_number: Mapped[str] = mapped_column(index=True)
    street: Mapped[str] = part()
    city: Mapped[str] = part()
    state: Mapped[str] = part()
    zip_code: Mapped[str] = part()
    account_status: Mapped[str]
    created_at: Mapped[str]
    last_extension_date: Mapped[str | None]
    goodwill_cents: Mapped[int] = part()

    @computed
    def address(self, db: Database) -> dict[str, str]:
        """Where the customer lives."""
        return {name: getattr(self, name) for name in ("street", "city", "state", "zip_code")}

    @computed
    def payment_methods(self, db: Database) -> list[dict[str, str]]:
        """How the customer pays."""
        return [
            {"method_type": way.method_type, "account_number_last_4": way.last_four}
            | {"expiration_date": way.expiration_date}
            for way in db.find(PaymentMethod, customer_id=self.customer_id)
        ]

    @computed
    def line_ids(self, db: Database) -> list[str]:
        """The customer's lines, in the order in which they came."""
        found = db.find(Line, customer_id=self.customer_id)
        return [line.line_id for line in sorted(found, key=lambda line: line.position)]

    @computed
    def bill_ids(self, db: Database) -> list[str]:
        """The customer's bills, in the order in which they came."""
        found = db.find(Bill, customer_id=self.customer_id)
        return [bill.bill_id for bill in sorted(found, key=lambda bill: bill.position)]

    @computed
    def goodwill_credit_used_this_year(self, db: Database) -> float:
        """The credit in dollars."""
        return self.goodwill_cents / 100


class PaymentMethod(Base):
    """A way a customer pays."""

    __tablename__ = "payment_methods"

    customer_id: Mapped[str] = mapped_column(ForeignKey("customers.customer_id"), primary_key=True)
    position: Mapped[int] = mapped_column(primary_key=True)
    method_type: Mapped[str]
    last_four: Mapped[str]
    expiration_date: Mapped[str]


class Line(Base):
    """A phone or data line of a customer."""

    __tablename__ = "lines"
    __omits_null__ = True
    __owned_by__ = "customer_id"
    __table_args__ = (
        CheckConstraint("status IN ('Active', 'Suspended', 'Pending Activation', 'Closed')"),
        CheckConstraint("data_used_gb >= 0 AND data_refueling_gb >= 0"),
    )

    line_id: Mapped[str] = mapped_column(primary_key=True)
    customer_id: Mapped[str] = mapped_column(ForeignKey("customers.customer_id"), index=True, info={"hidden": True})
    position: Mapped[int] = part()
    phone_number: Mapped[str] = mapped_column(unique=True)
    status: Mapped[str]
    plan_id: Mapped[str] = mapped_column(ForeignKey("plans.plan_id"))
    device_id: Mapped[str | None] = mapped_column(ForeignKey("devices.device_id"))
    data_used_gb: Mapped[float]
    data_refueling_gb: Mapped[float]
    roaming_enabled: Mapped[bool]
    contract_end_date: Mapped[str | None]
    last_plan_change_date: Mapped[str | None]
    last_sim_replacement_date: Mapped[str | None]
    suspension_start_date: Mapped[str | None]


class Bill(Base):
    """A bill; its total is the sum of its items. One that awaits payment is shown on the customer's phone."""

    __tablename__ = "bills"
    __omits_null__ = True
    __owned_by__ = "customer_id"
    __table_args__ = (
        CheckConstraint("status IN ('Draft', 'Issued', 'Awaiting Payment', 'Paid', 'Overdue', 'Disputed')"),
    )

    bill_id: Mapped[str] = mapped_column(primary_key=True)
    customer_id: Mapped[str] = mapped_column(ForeignKey("customers.customer_id"), index=True)
    position: Mapped[int] = part()
    period_start: Mapped[str]
    period_end: Mapped[str]
    issue_date: Mapped[str]
    due_date: Mapped[str]
    total_cents: Mapped[int] = part()
    status: Mapped[str]

    @computed
    def total_due(self, db: Database) -> float:
        """The total in dollars."""
        return self.total_cents / 100

    @computed
    def line_items(self, db: Database) -> list[dict[str, Any]]:
        """What the total is made of, in dollars."""
        return [
            {"description": item.description, "amount": item.amount_cents / 100}
            | {"date": item.date, "item_type": item.item_type}
            for item in db.find(BillItem, bill_id=self.bill_id)
        ]


class BillItem(Base):
    """A line of a bill: a charge, or a credit when negative."""

    __tablename__ = "bill_items"

    bill_id: Mapped[str] = mapped_column(ForeignKey("bills.bill_id"), primary_key=True)
    position: Mapped[int] = mapped_column(primary_key=True)
    description: Mapped[str]
    amount_cents: Mapped[int]
    date: Mapped[str]
    item_type: Mapped[str]


class Phone(Base):
    """The user's phone. Its network columns are what it shows since its last search (`toolgym.domains.telecom.phone`).

    `vpn_on` is the switch of a VPN that connects by itself, `vpn_connected` the tunnel. Wi-Fi is connected when it
    has a network's name.
    """

    __tablename__ = "phones"
    __table_args__ = (
        CheckConstraint("sim IN ('active', 'locked_pin', 'locked_puk')"),
        CheckConstraint("network_status IN ('connected', 'searching', 'no_service', 'emergency_only')"),
        CheckConstraint("network_type IN ('none', '2G', '3G', '4G', '5G')"),
        CheckConstraint("signal IN ('none', 'poor', 'fair', 'good', 'excellent')"),
        CheckConstraint("network_mode IN ('4g_5g_preferred', '4g_only', '3g_only', '2g_only')"),
    )

    phone_id: Mapped[str] = mapped_column(primary_key=True)
    holder: Mapped[str | None]
    phone_number: Mapped[str | None]
    abroad: Mapped[bool]
    battery: Mapped[int]
    sim: Mapped[str]
    sim_seated: Mapped[bool]
    airplane_mode: Mapped[bool]
    network_status: Mapped[str]
    network_type: Mapped[str]
    signal: Mapped[str]
    network_mode: Mapped[str]
    data_on: Mapped[bool]
    roaming_on: Mapped[bool]
    data_saver: Mapped[bool]
    apn_name: Mapped[str]
    apn_resets_at_reboot: Mapped[bool]
    mms_apn: Mapped[str | None]
    mmsc_url: Mapped[str | None]
    mms_proxy: Mapped[str | None]
    mms_port: Mapped[int | None]
    wifi_on: Mapped[bool]
    wifi_network: Mapped[str | None]
    wifi_signal: Mapped[str]
    wifi_calling: Mapped[bool]
    mms_over_wifi: Mapped[bool]
    vpn_on: Mapped[bool]
    vpn_connected: Mapped[bool]
    vpn_server: Mapped[str | None]
    vpn_protocol: Mapped[str | None]
    vpn_performance: Mapped[str | None]


class App(Base):
    """An app on the phone and what it is allowed to use."""

    __tablename__ = "apps"

    app_name: Mapped[str] = mapped_column(primary_key=True)
    position: Mapped[int]
    sms: Mapped[bool]
    storage: Mapped[bool]
    phone: Mapped[bool]
    network: Mapped[bool]


class Coverage(Base):
    """How strong each technology's signal is where the user stands."""

    __tablename__ = "coverage"

    technology: Mapped[str] = mapped_column(primary_key=True)
    signal: Mapped[str]
