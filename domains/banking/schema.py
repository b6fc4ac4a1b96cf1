"""The tables of a private bank's customers. Money is in integer cents."""

from datetime import date, datetime, timedelta

from sqlalchemy import ForeignKey, Index
from sqlalchemy.orm import DeclarativeBase, Mapped, mapped_column

from toolgym.sandbox.kit.world import Database, computed, hidden, key, personal, via

DISPUTE_DAYS = 60
WRONG_PINS = 3


class Base(DeclarativeBase):
    """The banking tables."""


class Customer(Base):
    """Whom the session serves."""

    __tablename__ = "customers"

    customer_id: Mapped[str] = key("C-4071")
    name: Mapped[str]
    email: Mapped[str] = personal()
    phone: Mapped[str] = personal()
    pin: Mapped[str] = hidden()
    daily_limit_cents: Mapped[int]
    failed_pins: Mapped[int] = hidden()
    pin_verified: Mapped[bool]

    @computed
    def left_today_cents(self, db: Database) -> int:
        """What of today's limit is left for payments."""
        paid = db.query(
            "SELECT coalesce(sum(p.amount_cents), 0) FROM payments p JOIN accounts a USING (account_id) "
            "WHERE a.customer_id = :customer AND p.made_on = :today AND p.state != 'cancelled'",
            customer=self.customer_id,
            today=db.now.date().isoformat(),
        )
        return self.daily_limit_cents - int(paid[0][0])


class Account(Base):
    """Where a customer's money is."""

    __tablename__ = "accounts"
    __owned_by__ = "customer_id"
    __brief__ = ("account_id", "nickname", "kind", "masked")

    account_id: Mapped[str] = key("A-20817")
    customer_id: Mapped[str] = mapped_column(ForeignKey("customers.customer_id"), index=True, info={"hidden": True})
    nickname: Mapped[str]
    kind: Mapped[str]
    iban: Mapped[str] = personal()
    balance_cents: Mapped[int]
    available_cents: Mapped[int]
    overdraft_cents: Mapped[int]
    status: Mapped[str]

    @computed
    def masked(self, db: Database) -> str:
        """The last digits of the number, enough to tell accounts apart."""
        return f"ends in {self.iban[-4:]}"


class Payee(Base):
    """Somebody whom a customer has paid or means to pay."""

    __tablename__ = "payees"
    __owned_by__ = "customer_id"

    payee_id: Mapped[str] = key("Y-118")
    customer_id: Mapped[str] = mapped_column(ForeignKey("customers.customer_id"), index=True, info={"hidden": True})
    name: Mapped[str]
    iban: Mapped[str]
    bank: Mapped[str]
    added_at: Mapped[datetime]


class Card(Base):
    """A card of an account."""

    __tablename__ = "cards"
    __owned_by__ = "account_id"

    card_id: Mapped[str] = key("K-77")
    account_id: Mapped[str] = mapped_column(ForeignKey("accounts.account_id"))
    last_four: Mapped[str]
    kind: Mapped[str]
    state: Mapped[str]


class Transaction(Base):
    """Money that came or went; negative amounts went out."""

    __tablename__ = "transactions"
    __owned_by__ = "account_id"
    __brief__ = ("transaction_id", "booked_on", "amount_cents", "merchant", "status")
    __table_args__ = (Index("transactions_by_account", "account_id", "booked_on"),)

    transaction_id: Mapped[str] = key("T-553120")
    account_id: Mapped[str] = mapped_column(ForeignKey("accounts.account_id"))
    card_id: Mapped[str | None] = mapped_column(ForeignKey("cards.card_id"))
    booked_on: Mapped[date]
    amount_cents: Mapped[int]
    merchant: Mapped[str]
    counterparty_iban: Mapped[str]
    status: Mapped[str]
    reference: Mapped[str]
    dispute_reason: Mapped[str | None]
    statement: Mapped[str | None]

    @computed
    def disputable_until(self, db: Database) -> date:
        """The last day on which it can be disputed."""
        return self.booked_on + timedelta(days=DISPUTE_DAYS)


class Payment(Base):
    """Money sent to a payee, now or on a later day."""

    __tablename__ = "payments"
    __owned_by__ = "account_id"

    payment_id: Mapped[str] = key("P-8801")
    account_id: Mapped[str] = mapped_column(ForeignKey("accounts.account_id"))
    payee_id: Mapped[str] = mapped_column(ForeignKey("payees.payee_id"))
    amount_cents: Mapped[int]
    execute_on: Mapped[date]
    made_on: Mapped[date] = hidden()
    state: Mapped[str]
    reference: Mapped[str]

    payee_name = via("payee_id", "name")


class StandingOrder(Base):
    """A payment that repeats."""

    __tablename__ = "standing_orders"
    __owned_by__ = "account_id"

    standing_order_id: Mapped[str] = key("S-310")
    account_id: Mapped[str] = mapped_column(ForeignKey("accounts.account_id"))
    payee_id: Mapped[str] = mapped_column(ForeignKey("payees.payee_id"))
    amount_cents: Mapped[int]
    every: Mapped[str]
    next_on: Mapped[date]
    last_on: Mapped[date | None]

    payee_name = via("payee_id", "name")
