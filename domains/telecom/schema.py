"""The telecom world's tables: the provider's back office and the user's phone in one database.

Money is in integer cents, dates are ISO texts. What both sides depend on (a line's status, its roaming, its data, a
bill to pay) is stored once, in the back office; the phone's rows hold only what the phone itself knows.
"""

from sqlalchemy import CheckConstraint, ForeignKey
from sqlalchemy.orm import DeclarativeBase, Mapped, mapped_column

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
    price_cents: Mapped[int]
    refuel_cents_per_gb: Mapped[int]


class Device(Base):
    """A device that the provider knows of."""

    __tablename__ = "devices"

    device_id: Mapped[str] = mapped_column(primary_key=True)
    device_type: Mapped[str]
    model_name: Mapped[str]
    imei: Mapped[str | None]
    is_esim_capable: Mapped[bool]
    activated: Mapped[bool]
    activation_date: Mapped[str | None]
    last_esim_transfer_date: Mapped[str | None]


class Customer(Base):
    """A customer; `phone_number` is how to reach them, not necessarily a line of theirs."""

    __tablename__ = "customers"

    customer_id: Mapped[str] = mapped_column(primary_key=True)
    position: Mapped[int]
    full_name: Mapped[str] = mapped_column(index=True)
    date_of_birth: Mapped[str]
    email: Mapped[str]
    phone_number: Mapped[str] = mapped_column(index=True)
    street: Mapped[str]
    city: Mapped[str]
    state: Mapped[str]
    zip_code: Mapped[str]
    account_status: Mapped[str]
    created_at: Mapped[str]
    last_extension_date: Mapped[str | None]
    goodwill_cents: Mapped[int]


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
    __table_args__ = (
        CheckConstraint("status IN ('Active', 'Suspended', 'Pending Activation', 'Closed')"),
        CheckConstraint("data_used_gb >= 0 AND data_refueling_gb >= 0"),
    )

    line_id: Mapped[str] = mapped_column(primary_key=True)
    customer_id: Mapped[str] = mapped_column(ForeignKey("customers.customer_id"), index=True)
    position: Mapped[int]
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
    __table_args__ = (
        CheckConstraint("status IN ('Draft', 'Issued', 'Awaiting Payment', 'Paid', 'Overdue', 'Disputed')"),
    )

    bill_id: Mapped[str] = mapped_column(primary_key=True)
    customer_id: Mapped[str] = mapped_column(ForeignKey("customers.customer_id"), index=True)
    position: Mapped[int]
    period_start: Mapped[str]
    period_end: Mapped[str]
    issue_date: Mapped[str]
    due_date: Mapped[str]
    total_cents: Mapped[int]
    status: Mapped[str]


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
    """The user's phone. Its network columns are what it shows since its last search; `domains.telecom.phone` sets them.

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
