"""How the market works: its hours, commissions, and how orders meet the book, are booked and reserve."""

from collections.abc import Iterable, Sequence
from datetime import datetime, time
from typing import Any

from toolgym.domains.trading.schema import RESTING, Instrument, Investor, Level, Order, Position
from toolgym.sandbox.kit.world import Database, Refusal

OPENS, CLOSES = time(9, 30), time(16)
LEAST_CENTS = 100
DAY_TRADES = 3
Offers = Iterable[tuple[int, int]]
"""Prices in cents with quantities, the best first."""


def is_open(now: datetime) -> bool:
    """Whether orders are filled at this moment: from 9:30 until just before 16:00 on working days."""
    return now.weekday() < 5 and OPENS <= now.time() < CLOSES


def commission(value_cents: int) -> int:
    """The commission for so much bought or sold: 0.1 %, rounded up, 1 dollar at least; nothing for nothing."""
    return max(LEAST_CENTS, -(-value_cents // 1000)) if value_cents else 0


def with_commission(value_cents: int) -> int:
    """What buying for so much costs."""
    return value_cents + commission(value_cents)


def met(offers: Offers, quantity: int) -> tuple[int, int]:
    """What so many cost from these offers in cents, and how many of them there are."""
    value = taken = 0
    for price, there in offers:
        take = min(quantity - taken, there)
        value, taken = value + take * price, taken + take
    return value, taken


def offered(db: Database, symbol: str, side: str) -> list[Level]:
    """The book's other side for an order of this side, the best price first."""
    other = "sell" if side == "buy" else "buy"
    rows = db.select(Level, "symbol = :symbol AND side = :side ORDER BY price_cents", symbol=symbol, side=other)
    return rows if side == "buy" else rows[::-1]


def prices(levels: Sequence[Level]) -> Offers:
    """The levels as prices and quantities."""
    return [(level.price_cents, level.quantity) for level in levels]


def is_day_trade(now: datetime, side: str, orders: Iterable[Any]) -> bool:
    """Whether an order of this side closes what orders of the same instrument opened today, or the other way round."""
    today = [order for order in orders if order["side"] != side and f"{order['placed_at']}"[:10] == f"{now:%Y-%m-%d}"]
    return any(order["state"] in ("filled", "part_filled") for order in today)


def settle(db: Database, order: Order) -> Order:
    """Let an order meet the book as far as its price and the hours allow, book what is filled, reserve for the rest."""
    levels = [level for level in offered(db, order.symbol, order.side) if _crosses(order, level.price_cents)]
    levels = levels if order.kind != "stop" and is_open(db.now) else []
    value, taken = met(prices(levels), order.quantity - order.filled)
    if taken:
        _take(db, levels, taken)
        charged = commission(order.value_cents + value) - order.commission_cents
        _book(db, order, taken, value, charged)
        order = db.update(
            order,
            filled=order.filled + taken,
            value_cents=order.value_cents + value,
            commission_cents=order.commission_cents + charged,
        )
    state = "filled" if order.filled == order.quantity else RESTING[bool(order.filled)]
    return db.update(order, state=state, reserved_cents=_reserve(db, order))


def reserve(quantity: int, price_cents: int, filled_cents: int = 0) -> int:
    """What buying so many at this price may still take, with the commission, after so much was bought and paid for."""
    rest = quantity * price_cents
    return rest + commission(filled_cents + rest) - commission(filled_cents)


def _reserve(db: Database, order: Order) -> int:
    left = order.quantity - order.filled
    if order.side == "sell" or not left:
        return 0
    if order.price_cents is None:
        return with_commission(met(prices(offered(db, order.symbol, "buy")), left)[0])
    return reserve(left, order.price_cents, order.value_cents)


def _crosses(order: Order, price_cents: int) -> bool:
    if order.price_cents is None:
        return True
    return price_cents <= order.price_cents if order.side == "buy" else price_cents >= order.price_cents


def _take(db: Database, levels: Sequence[Level], quantity: int) -> None:
    for level in levels:
        take = min(quantity, level.quantity)
        quantity -= take
        if take == level.quantity:
            db.delete(level)
        elif take:
            db.update(level, quantity=level.quantity - take)


def _book(db: Database, order: Order, quantity: int, value: int, charged: int) -> None:
    """Move cash and shares for what was filled, and count a day trade."""
    me, held = db.owner(Investor), next(iter(db.mine(Position, symbol=order.symbol)), None)
    others = db.query(
        "SELECT side, state, placed_at FROM orders WHERE investor_id = :me AND symbol = :symbol AND order_id != :this",
        me=me.investor_id,
        symbol=order.symbol,
        this=order.order_id,
    )
    seen = [{"side": side, "state": state, "placed_at": placed} for side, state, placed in others]
    counted = not order.filled and is_day_trade(db.now, order.side, seen)
    change = value if order.side == "sell" else -value
    db.update(me, cash_cents=me.cash_cents + change - charged, day_trades=me.day_trades + counted)
    if order.side == "buy":
        _add(db, order, held, quantity, value)
        return
    if held is None or held.settled_quantity < quantity:
        raise Refusal("own_shares", "You do not hold that many settled shares.")
    if held.quantity == quantity:
        db.delete(held)
    else:
        db.update(held, quantity=held.quantity - quantity, settled_quantity=held.settled_quantity - quantity)


def _add(db: Database, order: Order, held: Position | None, quantity: int, value: int) -> None:
    if held is not None:
        total = held.quantity + quantity
        average = round((held.quantity * held.average_cents + value) / total)
        db.update(held, quantity=total, average_cents=average)
        return
    instrument = db.get_one(Instrument, order.symbol)
    db.add(
        Position,
        investor=order,
        symbol=order.symbol,
        company=order.company,
        sector=instrument.sector,
        quantity=quantity,
        settled_quantity=0,
        average_cents=round(value / quantity),
    )
