"""What the broker lets an agent do for the investor who is signed in."""

from datetime import date
from typing import Annotated, Literal

from pydantic import Field

from toolgym.domains.trading.market import is_open, offered, settle
from toolgym.domains.trading.schema import RESTING, Alert, Instrument, Investor, Order, Position
from toolgym.sandbox.kit.database import Database
from toolgym.sandbox.kit.errors import Refusal
from toolgym.sandbox.kit.reference import Free, PageNumber, Ref, Secret
from toolgym.sandbox.kit.search import contains_text, given
from toolgym.sandbox.kit.tool import tool
from toolgym.sandbox.kit.view import Page, View

WRONG_PINS = 3
Cents = Annotated[int, Field(ge=1, le=10_000_000)]
Quantity = Annotated[int, Field(ge=1, le=10_000)]
Sector = Literal["energy", "health", "finance", "tech", "food", "transport"]
Side = Literal["buy", "sell"]


@tool("read")
def get_account(db: Database) -> View[Investor]:
    """Get cash, what of it is reserved, buying power, level, day trades of five days, and whether trading is unlocked.

    Tells the time as well, and whether the market is open.
    """
    return View(db.owner(Investor), now=db.now.isoformat(timespec="minutes"), market_open=is_open(db.now))


@tool("write", confirm=False)
def unlock_trading(db: Database, pin: Secret) -> dict[str, bool | int]:
    """Check the investor's PIN, which unlocks trading for this session; three wrong ones lock it.

    Args:
        pin: as the investor says it.
    """
    me = db.owner(Investor)
    if me.failed_pins >= WRONG_PINS:
        raise Refusal("locked", "The session is locked after three wrong PINs.")
    accepted = pin.strip() == me.pin
    failed = 0 if accepted else me.failed_pins + 1
    db.update(me, unlocked=accepted or me.unlocked, failed_pins=failed)
    return {"accepted": accepted, "tries_left": WRONG_PINS - failed}


@tool("read")
def search_instruments(
    db: Database,
    text: str | None = None,
    sector: Sector | None = None,
    kind: Literal["stock", "etf"] | None = None,
    page: PageNumber = 1,
) -> Page[Instrument]:
    """Search for instruments by name or symbol.

    Args:
        text: only those whose name or symbol holds this.
        sector: only those of this sector.
        kind: only stocks, or only funds.
        page: ten a page.
    """
    rows = db.find(Instrument, **given(sector=sector, kind=kind))
    return Page([row for row in rows if contains_text(row.name, text) or contains_text(row.symbol, text)], page)


@tool("read")
def get_quote(db: Database, instrument: Ref[Instrument]) -> View[Instrument]:
    """Get the best bid and ask, the last price, yesterday's close, the lot, the tick, and whether trading is halted.

    Tells also a company's main supplier and closest rival, and the largest holding of a fund.
    """
    return View(instrument)


@tool("read")
def get_price_history(
    db: Database, instrument: Ref[Instrument], first_day: date, last_day: date
) -> list[dict[str, str | int]]:
    """List the closing prices of an instrument's trading days, the oldest first.

    Args:
        first_day: the first day, included.
        last_day: the last day, included.
    """
    rows = db.query(
        "SELECT day, close_cents, volume FROM daily_prices WHERE daily_price_id BETWEEN :first AND :last ORDER BY 1",
        first=f"{instrument.symbol}/{first_day}",
        last=f"{instrument.symbol}/{last_day}",
    )
    return [{"day": day, "close_cents": close, "volume": volume} for day, close, volume in rows]


@tool("read")
def get_order_book(
    db: Database, instrument: Ref[Instrument], levels: Annotated[int, Field(ge=1, le=10)] = 5
) -> dict[str, list[dict[str, int]]]:
    """Get what others offer: bids, which a sale meets, and asks, which buying meets; the best prices first.

    Args:
        levels: how many prices on each side.
    """
    sides = {"bids": offered(db, instrument.symbol, "sell"), "asks": offered(db, instrument.symbol, "buy")}
    return {
        name: [{"price_cents": row.price_cents, "quantity": row.quantity} for row in rows[:levels]]
        for name, rows in sides.items()
    }


@tool("read")
def list_positions(db: Database, sector: Sector | None = None, company: str | None = None) -> list[View[Position]]:
    """List what the investor holds: quantity, average price, value, and gain, which is negative for a loss.

    Args:
        sector: only positions of this sector.
        company: only those whose company's name holds this.
    """
    return [View(row) for row in db.mine(Position, **given(sector=sector)) if contains_text(row.company, company)]


@tool("write")
def place_order(
    db: Database,
    instrument: Ref[Instrument],
    side: Side,
    kind: Literal["market", "limit", "stop"],
    quantity: Quantity,
    price_cents: Cents | None = None,
    good_for: Literal["day", "90_days"] | None = None,
) -> View[Order]:
    """Place an order. What meets the book is filled at once, the rest stays open and reserves cash or shares.

    What is filled costs a commission of 0.1 percent, $1 at least.

    Args:
        side: to buy or to sell.
        kind: at the market's prices, at a limit or better, or once the price reaches a stop.
        quantity: how many, a multiple of the lot.
        price_cents: the limit or the stop of each share, a multiple of the tick; none for a market order.
        good_for: until the end of the day, or for 90 days; none for a market order.
    """
    if (price_cents is None, good_for is None) != (kind == "market", kind == "market"):
        raise Refusal("invalid_argument", "A limit or stop order has a price and a term, a market order has neither.")
    if kind == "stop":
        _require_stop(db, instrument, side, price_cents or 0)
    if kind == "market" and quantity > sum(level.quantity for level in offered(db, instrument.symbol, side)):
        raise Refusal("limit_exceeded", "The order book does not hold that many; place a limit order or a smaller one.")
    made = db.add(
        Order,
        symbol=instrument.symbol,
        company=instrument.name,
        side=side,
        kind=kind,
        quantity=quantity,
        filled=0,
        price_cents=price_cents,
        value_cents=0,
        commission_cents=0,
        reserved_cents=0,
        state="open",
        good_for=good_for or "day",
        placed_at=db.now,
    )
    return View(settle(db, made))


@tool("read")
def list_orders(
    db: Database,
    state: Literal["open", "part_filled", "filled", "cancelled"] | None = None,
    instrument: Ref[Instrument] | None = None,
    side: Side | None = None,
    company: str | None = None,
    page: PageNumber = 1,
) -> Page[Order]:
    """List orders, newest first.

    Args:
        state: only orders in this state.
        side: only orders to buy, or to sell.
        company: only those whose company's name holds this.
        page: ten a page.
    """
    rows = db.mine(Order, **given(state=state, symbol=instrument and instrument.symbol, side=side))
    found = [row for row in rows if contains_text(row.company, company)]
    return Page(sorted(found, key=lambda row: (row.placed_at, row.order_id), reverse=True), page)


@tool("read")
def get_order(db: Database, order: Ref[Order]) -> View[Order]:
    """Get an order's price, what of it was filled and at which average, its commission, and the cash it reserves."""
    return View(order)


@tool("write")
def replace_order(
    db: Database, order: Ref[Order], quantity: Quantity | None = None, price_cents: Cents | None = None
) -> View[Order]:
    """Change the quantity or the price of an order that is still open.

    Args:
        quantity: how many in all, with those that were filled already.
        price_cents: the new limit or stop.
    """
    _require_resting(order)
    if price_cents is not None and order.price_cents is None:
        raise Refusal("invalid_argument", "A market order has no price.")
    if quantity is not None and quantity <= order.filled:
        raise Refusal("invalid_argument", f"{order.filled} were filled already; cancel the order to leave it at that.")
    wanted = {"quantity": quantity or order.quantity, "price_cents": price_cents or order.price_cents}
    if all(getattr(order, name) == value for name, value in wanted.items()):
        raise Refusal("no_change", "The order is like this already.")
    if order.kind == "stop":
        instrument = db.get_one(Instrument, order.symbol)
        _require_stop(db, instrument, order.side, wanted["price_cents"] or 0)
    return View(settle(db, db.update(order, **wanted)))


@tool("write")
def cancel_order(db: Database, order: Ref[Order]) -> View[Order]:
    """Cancel what of an order has not been filled; what it reserves is free again."""
    _require_resting(order)
    return View(db.update(order, state="cancelled", reserved_cents=0), freed_cents=order.reserved_cents)


@tool("write")
def set_price_alert(
    db: Database, instrument: Ref[Instrument], direction: Literal["above", "below"], price_cents: Cents, note: Free = ""
) -> View[Alert]:
    """Let the investor be told once the last price is above or below a price.

    Args:
        direction: above or below.
        price_cents: the price of which to tell.
        note: what to be reminded of, if it was said.
    """
    _me, last = db.owner(Investor), instrument.last_cents
    if price_cents < last if direction == "above" else price_cents > last:
        raise Refusal("invalid_argument", f"The last price, {last} cents, is {direction} that already.")
    values = {"symbol": instrument.symbol, "direction": direction, "price_cents": price_cents}
    if db.mine(Alert, **values):
        raise Refusal("no_change", "There is such an alert already.")
    return View(db.add(Alert, note=note, **values))


def _require_resting(order: Order) -> None:
    if order.state not in RESTING:
        raise Refusal("wrong_state", f"Only an open or partly filled order can change; this one is {order.state}.")


def _require_stop(db: Database, instrument: Instrument, side: str, price_cents: int) -> None:
    """A stop waits on the far side of the last price."""
    reached = price_cents >= instrument.last_cents if side == "sell" else price_cents <= instrument.last_cents
    if reached:
        where = "below" if side == "sell" else "above"
        raise Refusal(
            "invalid_argument", f"A stop to {side} lies {where} the last price, {instrument.last_cents} cents."
        )
