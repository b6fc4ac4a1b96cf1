"""The market's rows: 90 instruments with books and 60 days of closes; 24 investors with positions and orders."""

import random
from datetime import date, datetime, timedelta
from functools import partial

from toolgym.domains.people import FIRST_NAMES, LAST_NAMES
from toolgym.domains.trading.market import commission, reserve
from toolgym.domains.trading.names import ENDS, FUNDS, OTHER_FUNDS, OTHER_STARTS, STARTS
from toolgym.domains.trading.schema import Alert, DailyPrice, Instrument, Investor, Level, Order, Position
from toolgym.sandbox.kit.database import Database

NOW = datetime(2026, 3, 11, 10, 15)
CLOCKS = (datetime(2026, 3, 11, 9, 30), datetime(2026, 3, 11, 15, 59), datetime(2026, 3, 11, 16, 0))
"""Other moments: the opening, the last minute of trading, the first after it."""
DAYS = 60
STOCKS = 13
_OPENING = datetime(2026, 3, 11, 8, 30)


def fill(db: Database, seed: int = 90412, first: int = 12, *, other: bool = False) -> None:
    """Write the rows.

    Args:
        db: the empty tables.
        seed: other rows with another one.
        first: the number of the first investor.
        other: other companies and funds.
    """
    rng = random.Random(seed)
    instruments = _instruments(db, rng, *((OTHER_STARTS, OTHER_FUNDS) if other else (STARTS, FUNDS)))
    _link(db, random.Random(seed), instruments)
    for instrument in instruments:
        _daily_prices(db, rng, instrument)
        _book(db, rng, instrument)
    people = rng.sample([(name, last) for name in FIRST_NAMES for last in LAST_NAMES], 24)
    for index, name in enumerate(people):
        _investor(db, rng, instruments, index, f"V-{first + index}", " ".join(name))


# --- the market ---


def _instruments(db: Database, rng: random.Random, starts: list[str], funds: tuple[str, str]) -> list[Instrument]:
    """Thirteen companies and two funds of each sector; most first words belong to two companies."""
    words = rng.sample(starts * 2, len(starts) * 2)
    made, taken = list[Instrument](), set[str]()
    for sector, ends in ENDS.items():
        for index in range(STOCKS):
            start = next(word for word in words if f"{word} {ends[index % len(ends)]}" not in taken)
            words.remove(start)
            taken.add(f"{start} {ends[index % len(ends)]}")
            made.append(_instrument(db, rng, f"{start} {ends[index % len(ends)]}", sector, "stock", index == 12))
        made += [
            _instrument(db, rng, f"{fund} {sector.title()} Fund", sector, "etf", is_halted=False) for fund in funds
        ]
    return made


def _instrument(db: Database, rng: random.Random, name: str, sector: str, kind: str, is_halted: bool) -> Instrument:
    tick = rng.choice((1, 1, 5))
    last = rng.randrange(16, 280) * 50  # so that 10 percent of it is a multiple of the tick
    previous = last + rng.randrange(-4, 5) * max(last // 500 // tick, 1) * tick
    return db.insert(
        Instrument,
        symbol=_symbol(db, name),
        name=name,
        sector=sector,
        kind=kind,
        lot=rng.choice((5, 10)) if kind == "etf" else rng.choice((1, 1, 5, 10)),
        tick_cents=tick,
        last_cents=last,
        previous_close_cents=previous,
        halted=is_halted,
    )


def _link(db: Database, rng: random.Random, instruments: list[Instrument]) -> None:
    """Every company supplies another and has a rival in its sector; every fund holds one of its sector most."""
    companies = [one for one in instruments if one.kind == "stock"]
    _in_a_ring(db, rng, companies, "supplier_symbol")
    for sector in ENDS:
        own = [one for one in companies if one.sector == sector]
        _in_a_ring(db, rng, own, "rival_symbol")
        for fund in (one for one in instruments if one.kind == "etf" and one.sector == sector):
            db.update(fund, largest_holding_symbol=rng.choice(own).symbol)


def _in_a_ring(db: Database, rng: random.Random, companies: list[Instrument], column: str) -> None:
    """Let each company lead to one that no other leads to, so that a chain can be as long as anybody asks for."""
    ring = rng.sample(companies, len(companies))
    for one, other in zip(ring, [*ring[1:], ring[0]], strict=True):
        db.update(one, **{column: other.symbol})


def _symbol(db: Database, name: str) -> str:
    """Four letters, such as KLMF for Kelmar Foods."""
    start, *_, end = name.upper().split()
    start += name.upper().split()[1] if end == "FUND" else ""
    letters = start[0] + "".join(sign for sign in start[1:] if sign not in "AEIOU") + start[1:]
    options = (letters[0] + letters[one] + letters[two] + end[0] for one in range(1, 5) for two in range(one + 1, 7))
    return next(symbol for symbol in options if db.get(Instrument, symbol) is None)


def _daily_prices(db: Database, rng: random.Random, instrument: Instrument) -> None:
    day, price, tick = NOW.date() - timedelta(days=1), instrument.previous_close_cents, instrument.tick_cents
    for _ in range(DAYS):
        while day.weekday() > 4:
            day -= timedelta(days=1)
        db.insert(
            DailyPrice,
            daily_price_id=f"{instrument.symbol}/{day}",
            day=day,
            close_cents=price,
            volume=rng.randrange(2_000, 90_000),
        )
        day -= timedelta(days=1)
        price = max(price + rng.randrange(-9, 10) * max(price // 500 // tick, 1) * tick, 20 * tick)


def _book(db: Database, rng: random.Random, instrument: Instrument) -> None:
    tick, last = instrument.tick_cents, instrument.last_cents
    step = max(last // 1500 // tick, 1) * tick
    for side, sign in (("buy", -1), ("sell", 1)):
        price = last
        for rank in range(1, 11):
            price += sign * step * rng.randrange(1, 4)
            db.insert(
                Level,
                level_id=f"{instrument.symbol}/{side}/{rank}",
                symbol=instrument.symbol,
                side=side,
                price_cents=price,
                quantity=instrument.lot * rng.randrange(4, 40) * (5 if instrument.lot == 1 else 1),
            )


# --- the investors ---


def _investor(db: Database, rng: random.Random, instruments: list[Instrument], index: int, key: str, name: str) -> None:
    level = "margin" if index % 3 == 2 else "basic"
    cash = rng.randrange(60_000, 2_400_000)
    me = db.insert(
        Investor,
        investor_id=key,
        name=name,
        cash_cents=cash,
        credit_cents=500_000 if level == "margin" else 0,
        pin=f"{rng.randrange(10_000):04d}",
        failed_pins=0,
        unlocked=False,
        level=level,
        day_trades=(3, 2, 0, 3, 1, 2)[index % 6],
    )
    held = _chosen(rng, instruments, index)
    today = [one for one in held if not one.halted][: 2 if index % 2 else 1]
    for instrument in held:
        quantity = instrument.lot * rng.randrange(3, 30) * (3 if instrument.lot == 1 else 1)
        fresh = instrument.lot * rng.randrange(1, 9) if instrument in today else 0
        _position(db, rng, me, instrument, quantity, fresh)
        if fresh:
            _filled(db, rng, me, instrument, "buy", fresh, _OPENING + timedelta(minutes=rng.randrange(55)))
    _past_orders(db, rng, me, held)
    _open_orders(db, rng, me, instruments, held)
    db.update(me, cash_cents=cash + sum(row.reserved_cents for row in db.find(Order, investor_id=me.investor_id)))
    for instrument in rng.sample(instruments, 2):
        price = instrument.last_cents * rng.choice((80, 90, 95)) // 100
        alert = {"direction": "below", "price_cents": price, "note": ""}
        db.add(Alert, investor=me, symbol=instrument.symbol, **alert)


def _chosen(rng: random.Random, instruments: list[Instrument], index: int) -> list[Instrument]:
    """Seven instruments of an investor: two companies of one first word for some, a halted one for others."""
    traded = [one for one in instruments if not one.halted]
    chosen = rng.sample(traded, 7)
    if index % 3 == 0:
        first = chosen[0].name.split()[0]
        chosen += [one for one in traded if one.name.split()[0] == first and one not in chosen][:1]
    if index % 3 == 1:
        chosen[-1] = rng.choice([one for one in instruments if one.halted])
    return chosen


def _position(db: Database, rng: random.Random, me: Investor, instrument: Instrument, settled: int, fresh: int) -> None:
    db.add(
        Position,
        investor=me,
        symbol=instrument.symbol,
        company=instrument.name,
        sector=instrument.sector,
        quantity=settled + fresh,
        settled_quantity=settled,
        average_cents=instrument.last_cents * rng.randrange(70, 135) // 100,
    )


def _past_orders(db: Database, rng: random.Random, me: Investor, held: list[Instrument]) -> None:
    for instrument in rng.sample(held, 4):
        quantity = instrument.lot * rng.randrange(2, 20)
        moment = datetime(2026, 1, 12, 9, 40) + timedelta(days=rng.randrange(50), minutes=rng.randrange(300))
        _filled(db, rng, me, instrument, rng.choice(("buy", "buy", "sell")), quantity, moment)
    for instrument in rng.sample(held, 2):
        moment = datetime(2026, 2, 2, 9, 40) + timedelta(days=rng.randrange(30), minutes=rng.randrange(300))
        price = _near(rng, instrument, "buy")
        _order(db, me, instrument, "buy", "limit", instrument.lot * 4, moment, price_cents=price, state="cancelled")


def _filled(
    db: Database, rng: random.Random, me: Investor, instrument: Instrument, side: str, quantity: int, moment: datetime
) -> None:
    value = quantity * instrument.last_cents * rng.randrange(92, 108) // 100
    _order(db, me, instrument, side, "market", quantity, moment, filled=quantity, value_cents=value, state="filled")


def _open_orders(
    db: Database, rng: random.Random, me: Investor, instruments: list[Instrument], held: list[Instrument]
) -> None:
    """Some to buy, one of them partly filled, one to sell at a limit and one at a stop; none meets the book."""
    wanted = rng.sample([one for one in instruments if one not in held], 3)
    for number, instrument in enumerate([*wanted, held[1]]):
        quantity, price = instrument.lot * rng.randrange(4, 24), _near(rng, instrument, "buy")
        _order(
            db, me, instrument, "buy", "limit", quantity, _placed(rng), price_cents=price, good_for="90_days",
            filled=instrument.lot * 2 * (number == 0),
        )  # fmt: skip
    for kind, instrument in zip(("limit", "stop"), rng.sample(held[:5], 2), strict=True):
        price = _near(rng, instrument, "sell" if kind == "limit" else "buy")
        quantity = instrument.lot * rng.randrange(2, 5)
        _order(db, me, instrument, "sell", kind, quantity, _placed(rng), price_cents=price, good_for="90_days")


def _placed(rng: random.Random) -> datetime:
    """A moment of the last weeks' trading hours."""
    day = date(2026, 2, 16) + timedelta(days=7 * rng.randrange(3) + rng.randrange(5))
    return datetime(day.year, day.month, day.day, 9, 40) + timedelta(minutes=rng.randrange(370))


def _near(rng: random.Random, instrument: Instrument, side: str) -> int:
    """A limit 3 to 9 percent on the far side of the book."""
    percent = rng.randrange(3, 10) * (-1 if side == "buy" else 1)
    return instrument.last_cents * (100 + percent) // 100 // instrument.tick_cents * instrument.tick_cents


def _order(
    db: Database,
    me: Investor,
    instrument: Instrument,
    side: str,
    kind: str,
    quantity: int,
    moment: datetime,
    *,
    price_cents: int | None = None,
    filled: int = 0,
    state: str = "",
    good_for: str = "day",
    value_cents: int | None = None,
) -> None:
    value = filled * (price_cents or 0) if value_cents is None else value_cents
    state = state or ("part_filled" if filled else "open")
    rests = side == "buy" and state in ("open", "part_filled")
    db.add(
        Order,
        investor=me,
        symbol=instrument.symbol,
        company=instrument.name,
        side=side,
        kind=kind,
        quantity=quantity,
        filled=filled,
        price_cents=price_cents,
        value_cents=value,
        commission_cents=commission(value),
        reserved_cents=reserve(quantity - filled, price_cents or 0, value) if rests else 0,
        state=state,
        good_for=good_for,
        placed_at=moment,
    )


fill_unseen = partial(fill, seed=90413, first=112, other=True)
"""Other people and things, in which the stored tasks of dev and test play."""
