"""The tables of a payment console. Money is in integer cents of the invoice's currency."""

from datetime import date, datetime, timedelta

from sqlalchemy import ForeignKey
from sqlalchemy.orm import DeclarativeBase, Mapped, mapped_column

from toolgym.sandbox.kit.world import Database, computed, hidden, key, via

REFUND_DAYS = 120
"""How long a payment by card can be refunded."""
MAX_ATTEMPTS = 5
"""How often one event is delivered at most."""


class Base(DeclarativeBase):
    """The console's tables."""


class Firm(Base):
    """Whose console it is."""

    __tablename__ = "firms"

    firm_id: Mapped[str] = key("FI-12")
    name: Mapped[str]  # of the bookkeeper
    company: Mapped[str]


class Customer(Base):
    """Who is invoiced. The shop system of a flaky one misses the first attempts to deliver an event."""

    __tablename__ = "customers"
    __owned_by__ = "firm_id"

    customer_id: Mapped[str] = key("CUS-0412")
    firm_id: Mapped[str] = mapped_column(ForeignKey("firms.firm_id"), index=True, info={"hidden": True})
    name: Mapped[str]
    email: Mapped[str]
    country: Mapped[str]
    currency: Mapped[str]
    saved_card_digits: Mapped[str | None]
    card_code: Mapped[str] = hidden()
    wrong_codes: Mapped[int] = hidden()
    flaky: Mapped[int] = hidden()


class Invoice(Base):
    """What a customer is to pay: a draft, then open until it is paid or void."""

    __tablename__ = "invoices"
    __owned_by__ = "customer_id"
    __brief__ = (
        "invoice_id", "customer_id", "customer_name", "state", "issued_on", "due_on", "overdue", "total_cents",
        "open_cents", "currency",
    )  # fmt: skip

    invoice_id: Mapped[str] = key("INV-10187")
    customer_id: Mapped[str] = mapped_column(ForeignKey("customers.customer_id"), index=True)
    state: Mapped[str]
    issued_on: Mapped[date]
    due_on: Mapped[date]
    total_cents: Mapped[int]
    currency: Mapped[str]
    memo: Mapped[str]
    reminders: Mapped[int]
    void_reason: Mapped[str | None]

    customer_name = via("customer_id", "name")
    saved_card_digits = via("customer_id", "saved_card_digits")

    @computed
    def overdue(self, db: Database) -> bool:
        """Whether it is open and its day has passed; what is due today is not."""
        return self.state == "open" and self.due_on < db.now.date()

    @computed
    def paid_cents(self, db: Database) -> int:
        """What was paid, less what was refunded."""
        return sum(row.amount_cents - row.refunded_cents for row in db.find(Payment, invoice_id=self.invoice_id))

    @computed
    def open_cents(self, db: Database) -> int:
        """What is still to be paid."""
        paid = sum(row.amount_cents for row in db.find(Payment, invoice_id=self.invoice_id))
        return self.total_cents - paid if self.state == "open" else 0


class Line(Base):
    """One position of an invoice."""

    __tablename__ = "lines"
    __owned_by__ = "invoice_id"

    line_id: Mapped[str] = key("LI-2001")
    invoice_id: Mapped[str] = mapped_column(ForeignKey("invoices.invoice_id"), index=True, info={"hidden": True})
    description: Mapped[str]
    quantity: Mapped[int]
    unit_cents: Mapped[int]


class Payment(Base):
    """Money that came in for an invoice."""

    __tablename__ = "payments"
    __owned_by__ = "invoice_id"

    payment_id: Mapped[str] = key("PAY-55301")
    invoice_id: Mapped[str] = mapped_column(ForeignKey("invoices.invoice_id"), index=True)
    amount_cents: Mapped[int]
    paid_on: Mapped[date]
    method: Mapped[str]
    refunded_cents: Mapped[int]
    fraud_reported_on: Mapped[date | None]  # when the customer wrote that it was fraud

    @computed
    def left_cents(self, db: Database) -> int:
        """What can still be refunded."""
        return self.amount_cents - self.refunded_cents

    customer_name = via("invoice_id", "customer_id", "name")
    currency = via("invoice_id", "currency")
    due_on = via("invoice_id", "due_on")

    @computed
    def state(self, db: Database) -> str:
        """How much of it was refunded."""
        if not self.refunded_cents:
            return "paid"
        return "refunded" if self.refunded_cents == self.amount_cents else "part refunded"

    @computed
    def refundable_until(self, db: Database) -> date | None:
        """The last day on which it can be refunded to the card; a payment by bank has none."""
        return self.paid_on + timedelta(days=REFUND_DAYS) if self.method == "card" else None


class Repayment(Base):
    """Money that went back."""

    __tablename__ = "refunds"
    __owned_by__ = "payment_id"

    refund_id: Mapped[str] = key("RF-071")
    payment_id: Mapped[str] = mapped_column(ForeignKey("payments.payment_id"), index=True)
    amount_cents: Mapped[int]
    reason: Mapped[str]
    state: Mapped[str]  # money goes back to a card at once, to a bank account after a while
    note: Mapped[str]


class Event(Base):
    """What the console tells the shop system of an invoice, or of a refund of it."""

    __tablename__ = "events"
    __owned_by__ = "invoice_id"
    __brief__ = (
        "event_id", "event_type", "subject", "customer_name", "created_at", "delivery", "attempts", "attempts_left",
    )  # fmt: skip

    event_id: Mapped[str] = key("EVT-90812")
    invoice_id: Mapped[str] = mapped_column(ForeignKey("invoices.invoice_id"), index=True, info={"hidden": True})
    event_type: Mapped[str]
    subject: Mapped[str]  # the invoice's or the refund's key
    created_at: Mapped[datetime]
    delivery: Mapped[str]
    attempts: Mapped[int]

    customer_name = via("invoice_id", "customer_id", "name")

    @computed
    def attempts_left(self, db: Database) -> int:
        """How many of its attempts are not used up."""
        return MAX_ATTEMPTS - self.attempts
