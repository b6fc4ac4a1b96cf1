"""The tables of private investors and of the market they trade on. Money is in integer cents."""

from datetime import date, datetime

from sqlalchemy import ForeignKey, Index
from sqlalchemy.orm import DeclarativeBase, Mapped, mapped_column

from toolgym.sandbox.kit.world import Database, computed, hidden, key, via

RESTING = ("open", "part_filled")
"""The states of an order that may still be filled."""


class Base(DeclarativeBase):
    """The market's tables."""


class Investor(Base):
    """Whose brokerage account the session serves; the broker lends `credit_cents` at level margin, nothing at basic."""

    __tablename__ = "investors"

    investor_id: Mapped[str] = key("V-12")
    name: Mapped[str]
    cash_cents: Mapped[int]
    credit_cents: Mapped[int]
    pin: Mapped[str] = hidden()
    failed_pins: Mapped[int] = hidden()
    unlocked: Mapped[bool]
    level: Mapped[str]
    day_trades: Mapped[int]  # of the last five days

    @computed
    def reserved_cents(self, db: Database) -> int:
        """What open orders to buy hold back."""
        held = db.query(
            "SELECT coalesce(sum(reserved_cents), 0) FROM orders WHERE investor_id = :me", me=self.investor_id
        )
        return int(held[0][0])

    @computed
    def buying_power_cents(self, db: Database) -> int:
        """What a new order to buy may cost, with its commission."""
        held = db.query(
            "SELECT coalesce(sum(reserved_cents), 0) FROM orders WHERE investor_id = :me", me=self.investor_id
        )
        return self.cash_cents + self.credit_cents - int(held[0][0])


class Instrument(Base):
    """A share or a fund that is traded in multiples of its lot, at prices that are multiples of its tick."""

    __tablename__ = "instruments"
    __brief__ = ("symbol", "name", "sector", "kind")

    symbol: Mapped[str] = key("KLMR")
    name: Mapped[str]
    sector: Mapped[str]
    kind: Mapped[str]
    lot: Mapped[int]
    tick_cents: Mapped[int]
    last_cents: Mapped[int]
    previous_close_cents: Mapped[int]  # of the last trading day before today
    halted: Mapped[bool]
    supplier_symbol: Mapped[str | None] = mapped_column(ForeignKey("instruments.symbol"))  # none of a fund
    rival_symbol: Mapped[str | None] = mapped_column(ForeignKey("instruments.symbol"))  # none of a fund
    largest_holding_symbol: Mapped[str | None] = mapped_column(ForeignKey("instruments.symbol"))  # of a fund

    @computed
    def bid_cents(self, db: Database) -> int | None:
        """The best price at which somebody buys."""
        return _best(db, "SELECT max(price_cents) FROM levels WHERE symbol = :symbol AND side = 'buy'", self.symbol)

    @computed
    def ask_cents(self, db: Database) -> int | None:
        """The best price at which somebody sells."""
        return _best(db, "SELECT min(price_cents) FROM levels WHERE symbol = :symbol AND side = 'sell'", self.symbol)

    @computed
    def change_cents(self, db: Database) -> int:
        """How far the last price is from yesterday's close."""
        return self.last_cents - self.previous_close_cents


class DailyPrice(Base):
    """The price at which a day of trading ended. The key leads from an instrument to its days."""

    __tablename__ = "daily_prices"

    daily_price_id: Mapped[str] = key("KLMR/2026-03-10")
    day: Mapped[date]
    close_cents: Mapped[int]
    volume: Mapped[int]


class Level(Base):
    """What others offer to buy or sell at one price."""

    __tablename__ = "levels"
    __table_args__ = (Index("levels_by_instrument", "symbol", "side", "price_cents"),)

    level_id: Mapped[str] = key("KLMR/sell/1")
    symbol: Mapped[str] = mapped_column(ForeignKey("instruments.symbol"))
    side: Mapped[str]
    price_cents: Mapped[int]
    quantity: Mapped[int]


class Position(Base):
    """What an investor holds of an instrument; what was bought today is not settled yet."""

    __tablename__ = "positions"
    __owned_by__ = "investor_id"
    __table_args__ = (Index("positions_by_investor", "investor_id", "symbol"),)

    position_id: Mapped[str] = key("PS-311")
    investor_id: Mapped[str] = mapped_column(ForeignKey("investors.investor_id"), info={"hidden": True})
    symbol: Mapped[str] = mapped_column(ForeignKey("instruments.symbol"))
    company: Mapped[str]
    sector: Mapped[str]
    quantity: Mapped[int]
    settled_quantity: Mapped[int]
    average_cents: Mapped[int]

    @computed
    def free_quantity(self, db: Database) -> int:
        """How many of the settled ones no open order to sell holds back."""
        held = db.query(
            "SELECT coalesce(sum(quantity - filled), 0) FROM orders WHERE investor_id = :me AND symbol = :symbol "
            "AND side = 'sell' AND state IN ('open', 'part_filled')",
            me=self.investor_id,
            symbol=self.symbol,
        )
        return self.settled_quantity - int(held[0][0])

    @computed
    def value_cents(self, db: Database) -> int:
        """What all of it is worth at the last price."""
        return self.quantity * _last(db, self.symbol)

    @computed
    def gain_cents(self, db: Database) -> int:
        """The value less what was paid; negative where it is a loss."""
        return self.quantity * (_last(db, self.symbol) - self.average_cents)


class Order(Base):
    """An order to buy or sell; what it reserves is freed as it is filled or cancelled."""

    __tablename__ = "orders"
    __owned_by__ = "investor_id"
    __brief__ = ("order_id", "placed_at", "side", "kind", "symbol", "company", "quantity", "state")
    __table_args__ = (Index("orders_by_investor", "investor_id", "symbol"),)

    order_id: Mapped[str] = key("O-90412")
    investor_id: Mapped[str] = mapped_column(ForeignKey("investors.investor_id"), info={"hidden": True})
    symbol: Mapped[str] = mapped_column(ForeignKey("instruments.symbol"))
    company: Mapped[str]
    side: Mapped[str]
    kind: Mapped[str]
    quantity: Mapped[int]
    filled: Mapped[int]
    price_cents: Mapped[int | None]
    value_cents: Mapped[int]  # of what was filled
    commission_cents: Mapped[int]
    reserved_cents: Mapped[int]
    state: Mapped[str]
    good_for: Mapped[str]
    placed_at: Mapped[datetime]

    @computed
    def average_cents(self, db: Database) -> int | None:
        """The average price of what was filled."""
        return round(self.value_cents / self.filled) if self.filled else None

    @computed
    def net_cents(self, db: Database) -> int:
        """What was paid, or came in, with the commission."""
        return self.value_cents + (self.commission_cents if self.side == "buy" else -self.commission_cents)

    lot = via("symbol", "lot")
    tick_cents = via("symbol", "tick_cents")
    last_cents = via("symbol", "last_cents")


class Alert(Base):
    """A price of which the investor wants to be told."""

    __tablename__ = "alerts"
    __owned_by__ = "investor_id"

    alert_id: Mapped[str] = key("AL-31")
    investor_id: Mapped[str] = mapped_column(ForeignKey("investors.investor_id"), index=True, info={"hidden": True})
    symbol: Mapped[str] = mapped_column(ForeignKey("instruments.symbol"))
    direction: Mapped[str]
    price_cents: Mapped[int]
    note: Mapped[str]


def _last(db: Database, symbol: str) -> int:
    return int(db.query("SELECT last_cents FROM instruments WHERE symbol = :symbol", symbol=symbol)[0][0])


def _best(db: Database, statement: str, symbol: str) -> int | None:
    found = db.query(statement, symbol=symbol)[0][0]
    return None if found is None else int(found)
