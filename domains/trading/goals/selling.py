"""What investors want sold."""

from typing import Any

from toolgym.domains.trading.goals.draws import GOOD_FOR, held, limit_to_sell, some_held
from toolgym.domains.trading.schema import Instrument, Position
from toolgym.domains.trading.tools import list_positions, place_order
from toolgym.sandbox.kit.goal import Draw, Goal, Slot, Tell


def _is_free(position: Any) -> bool:
    return bool(position.row.free_quantity == position.row.quantity)


def instrument_of(draw: Draw) -> Instrument | None:
    """The position's instrument."""
    return draw.database.get(Instrument, draw.values["position"].symbol)


def all_of(draw: Draw) -> int:
    """How many of it there are."""
    return int(draw.values["position"].quantity)


def _part(draw: Draw) -> int | None:
    """So much of the position, where that comes to whole lots."""
    position, of = draw.values["position"], PARTS[draw.values["part"]]
    size = of * _lot(draw, position)
    return None if position.quantity % size else int(position.quantity // of)


def _lot(draw: Draw, position: Position) -> int:
    instrument = draw.database.get_one(Instrument, position.symbol)
    return instrument.lot


def _ranked(draw: Draw) -> Position | None:
    """The position that is the largest, or has gained or lost most."""
    column = "value_cents" if draw.values["rank"] == "largest" else "gain_cents"
    rows = sorted(draw.rows(Position), key=lambda row: int(getattr(draw.view(row), column)))
    row = rows[0] if draw.values["rank"] == "weakest" else rows[-1]
    return row if _is_free(draw.view(row)) else None


def _its_instrument(draw: Draw) -> Instrument | None:
    row = _ranked(draw)
    return None if row is None else draw.database.get(Instrument, row.symbol)


def _its_half(draw: Draw) -> int | None:
    row = _ranked(draw)
    return None if row is None or row.quantity % (2 * _lot(draw, row)) else row.quantity // 2


def _looked_up(draw: Draw) -> list[Any]:
    return [(list_positions, {"company": draw.values["instrument"].name})]


def _all_of_it(draw: Draw) -> int | None:
    rows = [row for row in draw.rows(Position) if row.symbol == draw.values["instrument"].symbol]
    return rows[0].quantity if rows and _is_free(draw.view(rows[0])) else None


def _stop(draw: Draw) -> int:
    instrument = draw.values["instrument"]
    step = max(instrument.tick_cents, 25)
    return int(instrument.last_cents * draw.rng.randrange(75, 97) // 100 // step * step)


PARTS = {"half": 2, "a third": 3, "a quarter": 4}
AT_MARKET = {"side": "sell", "kind": "market"}
POSITION = Slot("position", of=Position, where=_is_free, says=("I mean {}.", "It is {}."))
PROCEEDS = Tell("net_cents", near=("commission", "fee", "proceeds", "get", "receive", "came", "account"))

SELLING = (
    Goal(
        place_order,
        name="sell",
        fixed=AT_MARKET,
        slots=(
            Slot("instrument", draw=held, says=("I mean {}.", "It is {}.")),
            Slot("quantity", withheld=0.4, draw=some_held, says=("{} shares.", "{} of them.")),
        ),
        tells=(PROCEEDS,),
    ),
    Goal(
        place_order,
        name="sell_limit",
        fixed={"side": "sell", "kind": "limit"},
        slots=(
            Slot("instrument", draw=held, says=("I mean {}.", "It is {}.")),
            Slot("quantity", withheld=0.3, draw=some_held, says=("{} shares.", "{} of them.")),
            GOOD_FOR,
            Slot("price_cents", withheld=0.3, draw=limit_to_sell, says=("{} a share.", "My limit is {}.")),
        ),
        tells=(Tell("state", kind="text"),),
    ),
    Goal(
        place_order,
        name="sell_all",
        fixed=AT_MARKET,
        slots=(POSITION,),
        worked_out={"instrument": instrument_of, "quantity": all_of},
        tells=(PROCEEDS,),
    ),
    Goal(
        place_order,
        name="sell_part",
        fixed=AT_MARKET,
        slots=(POSITION, Slot("part", draw=list(PARTS))),
        worked_out={"instrument": instrument_of, "quantity": _part},
        tells=(PROCEEDS,),
        share=1.5,
    ),
    Goal(
        place_order,
        name="sell_ranked",
        fixed=AT_MARKET,
        slots=(Slot("rank", draw=("largest", "weakest", "best"), reads=lambda draw: [(list_positions, {})]),),
        worked_out={"instrument": _its_instrument, "quantity": _its_half},
        tells=(PROCEEDS,),
        share=1.5,
    ),
    Goal(
        place_order,
        name="sell_stop",
        fixed={"side": "sell", "kind": "stop"},
        slots=(
            Slot("instrument", draw=held, says=("I mean {}.", "It is {}."), reads=_looked_up),
            GOOD_FOR,
            Slot("price_cents", withheld=0.3, draw=_stop, says=("{} a share.", "The stop is {}.")),
        ),
        worked_out={"quantity": _all_of_it},
        tells=(Tell("order_id", kind="text"),),
    ),
)
