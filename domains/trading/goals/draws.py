"""What several goals draw."""

from toolgym.domains.trading.schema import Instrument, Position
from toolgym.sandbox.kit.goal import Draw, Slot

GOOD_FOR = Slot(
    "good_for",
    withheld=0.5,
    words={"day": "just for today", "90_days": "for 90 days"},
    says=("{}, please.", "It should stand {}."),
)


def traded(draw: Draw) -> Instrument:
    """Any instrument, now and then one that the investor holds or that is halted."""
    rows = draw.rows(Instrument)
    held = [row.symbol for row in draw.rows(Position)]
    chance = draw.rng.random()
    if chance < 0.4:
        rows = [row for row in rows if row.symbol in held]
    elif chance < 0.5:
        rows = [row for row in rows if row.halted]
    return draw.rng.choice(rows)


def held(draw: Draw) -> Instrument | None:
    """An instrument of which the investor has settled shares."""
    return draw.database.get(Instrument, draw.rng.choice(draw.rows(Position)).symbol)


def several_lots(draw: Draw) -> int:
    """A number of lots; where a lot is more than one, now and then a number that is none."""
    lot: int = draw.values["instrument"].lot
    odd = draw.rng.randrange(1, lot) if lot > 1 and draw.rng.random() < 0.15 else 0
    return lot * draw.rng.randrange(2, 30 if lot > 1 else 60) + odd


def some_held(draw: Draw) -> int | None:
    """A number of shares to sell: some, all, or a lot more than there are."""
    instrument = draw.values["instrument"]
    found = next((row for row in draw.rows(Position) if row.symbol == instrument.symbol), None)
    free = draw.view(found).free_quantity if found else 0
    if free < 2 * instrument.lot:
        return None
    some: int = instrument.lot * draw.rng.randrange(1, free // instrument.lot)
    odd = draw.rng.randrange(1, instrument.lot) if instrument.lot > 1 else 0
    return draw.rng.choice((some, some, some, free, free + instrument.lot, some + odd))


def limit_to_buy(draw: Draw) -> int:
    """A limit up to 10 percent under the last price or a little over it, or just too far away."""
    return _limit(draw, (-6, -4, -3, -2, -2, -1, -1, 1, 2))


def limit_to_sell(draw: Draw) -> int:
    """A limit up to 10 percent over the last price or a little under it, or just too far away."""
    return _limit(draw, (6, 5, 4, 3, 2, 2, 1, 1, -1, -2))


def _limit(draw: Draw, percents: tuple[int, ...]) -> int:
    instrument = draw.values["instrument"]
    last, tick = instrument.last_cents, instrument.tick_cents
    if draw.rng.random() < 0.12:  # the last price allowed, and the first refused
        side = draw.rng.choice((-1, 1))
        return int(last + side * (last // 10 + draw.rng.choice((0, tick))))
    price = last * (100 + draw.rng.choice(percents)) // 100 // tick * tick
    coarse = price // 25 * 25 if draw.rng.random() < 0.4 else price
    odd = draw.rng.randrange(1, tick) if tick > 1 and draw.rng.random() < 0.08 else 0
    return int(coarse + odd)
