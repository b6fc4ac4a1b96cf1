"""What takes several orders: out of one holding into another company, or out of an order into one that is watched."""

from collections.abc import Mapping
from typing import Any

from toolgym.domains.trading.goals.orders import FREED
from toolgym.domains.trading.goals.selling import AT_MARKET, POSITION, PROCEEDS, all_of, instrument_of
from toolgym.domains.trading.market import met, offered, prices
from toolgym.domains.trading.schema import Instrument, Order, Position
from toolgym.domains.trading.tools import cancel_order, place_order, set_price_alert
from toolgym.sandbox.kit.world import Calls, Draw, Goal, Slot, Tool


def _other(draw: Draw) -> Instrument:
    """Something traded that the investor neither holds nor has ordered."""
    known = {row.symbol for row in draw.rows(Position)} | {row.symbol for row in draw.rows(Order)}
    return draw.rng.choice([row for row in draw.rows(Instrument) if not row.halted and row.symbol not in known])


def _bought(draw: Draw) -> tuple[Tool, Mapping[str, Any]]:
    wanted = {"instrument": draw.values["into"], "quantity": draw.values["number"]}
    return place_order, {**wanted, "side": "buy", "kind": "market"}


def _number(draw: Draw) -> int | None:
    """So many that the money of the sale or of the order nearly suffices."""
    into, order = draw.values["into"], draw.values.get("order")
    money = order.reserved_cents if order else draw.view(draw.values["position"]).value_cents
    lots = int(money * 0.9) // (into.last_cents * into.lot)
    return lots * into.lot if lots * into.lot > 1 else None


def _below_what_was_paid(draw: Draw) -> int | None:
    """The average price less so many percent, in whole cents."""
    into, number = draw.values["into"], draw.values["number"]
    value, taken = met(prices(offered(draw.database, into.symbol, "buy")), number)
    cents, rest = divmod(round(value / number) * (100 - draw.values["percent"]), 100)
    return None if rest == 50 or taken < number else cents + (rest > 50)


def _watched(draw: Draw) -> Calls:
    alert = {"instrument": draw.values["into"], "direction": "below", "price_cents": _below_what_was_paid(draw)}
    return [_bought(draw), (set_price_alert, alert)]


INTO = Slot("into", of=Instrument, draw=_other)
NUMBER = Slot("number", draw=_number)

COMPOSED = (
    Goal(
        place_order,
        name="swap",
        fixed=AT_MARKET,
        slots=(POSITION, INTO, NUMBER),
        worked_out={"instrument": instrument_of, "quantity": all_of},
        also=lambda draw: [_bought(draw)],
        tells=(PROCEEDS,),
    ),
    Goal(
        cancel_order,
        name="reinvest",
        slots=(
            Slot("order", says=("I mean {}.", "It is {}."), where=lambda order: order.row.reserved_cents > 0),
            INTO,
            NUMBER,
            Slot("percent", draw=(5, 8, 10, 12, 15)),
        ),
        also=_watched,
        tells=(FREED,),
    ),
)
