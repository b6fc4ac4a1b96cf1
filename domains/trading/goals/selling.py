"""What investors want sold."""

from __future__ import annotations

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
        verbs=("sell",),
        fixed=AT_MARKET,
        says=(
            "Sell[ {quantity} of] my {instrument} shares at the market.",
            "Please sell[ {quantity}] {instrument} shares for me right away.",
            "I want to sell[ {quantity} shares of] {instrument} at the market price.",
            "Can you sell[ {quantity} of] my {instrument} shares now?",
            "I need some cash; sell[ {quantity} shares of] {instrument} at market.",
            "Put in a market order to sell {instrument}[, {quantity} shares].",
            "Let[ {quantity} of] my {instrument} shares go at the current price.",
            "Part with[ {quantity} shares of] {instrument} for whatever they bring now.",
            "I have too much {instrument}. Sell[ {quantity} shares| some] at the market, please.",
            "Time to sell[ {quantity} shares of] {instrument}; the market price will do.",
            "Market order: sell[ {quantity}] {instrument}.",
            "Would you sell {instrument} for me at today's price[, {quantity} shares]?",
        ),
        slots=(
            Slot("instrument", draw=held, says=("I mean {}.", "It is {}.")),
            Slot("quantity", withheld=0.4, draw=some_held, says=("{} shares.", "{} of them.")),
        ),
        tells=(PROCEEDS,),
    ),
    Goal(
        place_order,
        name="sell_limit",
        verbs=("sell",),
        fixed={"side": "sell", "kind": "limit"},
        says=(
            "Sell[ {quantity} of] my {instrument} shares at {price_cents} or more[, {good_for}].",
            "Please sell {instrument}, not below {price_cents}[, {quantity} shares][, {good_for}].",
            "I want at least {price_cents} a share for[ {quantity} of] my {instrument}[, {good_for}].",
            "Put in a limit order to sell[ {quantity}] {instrument}[ at {price_cents}][, {good_for}].",
            "Can you sell[ {quantity}] {instrument} shares for {price_cents} each or better[, {good_for}]?",
            "Offer[ {quantity} of] my {instrument} shares at {price_cents}[, {good_for}].",
            "Limit order[ {good_for}], please: sell[ {quantity}] {instrument}[ at {price_cents}].",
            "Sell[ {quantity} shares of] {instrument} with a limit[ of {price_cents}][, {good_for}].",
            "{instrument} may go for {price_cents} a share; sell[ {quantity}| some] if you can get that[, {good_for}].",
            "I'd let[ {quantity} of] my {instrument} shares go at {price_cents}, no lower[, {good_for}].",
            "My asking price for {instrument} is {price_cents}[; sell {quantity} shares][, {good_for}].",
            "For {price_cents} a share or more, sell[ {quantity} of] my {instrument}[, {good_for}].",
        ),
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
        verbs=("sell",),
        fixed=AT_MARKET,
        says=(
            "Sell all of {position} at the market.",
            "Please sell everything in {position} right now.",
            "I want out: sell all of {position} at the market.",
            "Can you sell the whole of {position} at the market price?",
            "Sell {position}, every share of it, at market.",
            "Please close {position} completely by selling it at the market.",
            "I no longer want any of {position}. Sell it all now.",
            "Get rid of all of {position} at the current price.",
            "Liquidate {position}, all of it, with a market order.",
            "Sell out of {position} entirely, at market.",
            "Let all of {position} go; the market price is fine.",
            "Turn the whole of {position} into cash today.",
        ),
        slots=(POSITION,),
        worked_out={"instrument": instrument_of, "quantity": all_of},
        tells=(PROCEEDS,),
    ),
    Goal(
        place_order,
        name="sell_part",
        verbs=("sell",),
        fixed=AT_MARKET,
        says=(
            "Sell {part} of {position} at the market.",
            "Please sell {part} of {position} now.",
            "I want to cut {position}: sell {part} of it at market.",
            "Can you sell {part} of {position} at the market price?",
            "I'd like {part} of {position} sold right away.",
            "Let {part} of {position} go at the current price.",
            "I have too much of it; sell {part} of {position} at the market.",
            "Reduce {position}; {part} of it can be sold at market.",
            "Market order, please: sell {part} of {position}.",
            "Turn {part} of {position} into cash.",
            "Part with {part} of {position} at today's price.",
            "Would you sell {part} of {position} for me now?",
        ),
        slots=(POSITION, Slot("part", draw=list(PARTS))),
        worked_out={"instrument": instrument_of, "quantity": _part},
        tells=(PROCEEDS,),
        share=1.5,
    ),
    Goal(
        place_order,
        name="sell_ranked",
        verbs=("sell",),
        fixed=AT_MARKET,
        says=(
            "Sell half of my {rank} position at the market.",
            "Look for my {rank} position and sell half of it at market.",
            "I want to halve my {rank} position; sell at the market price.",
            "Please sell half of whichever holding is my {rank}.",
            "Can you sell half of my {rank} holding now?",
            "Of all I hold, take the {rank} position and sell half of it.",
            "Which is my {rank} position? Sell half of it at the market.",
            "Cut my {rank} position in half, at market.",
            "Half of my {rank} holding should be sold today.",
            "Please turn half of my {rank} holding into cash.",
            "Let half of my {rank} position go at the current price.",
            "I'd like half of my {rank} holding sold right away.",
        ),
        slots=(
            Slot(
                "rank",
                draw=("largest", "weakest", "best"),
                reads=lambda draw: [(list_positions, {})],
            ),
        ),
        worked_out={"instrument": _its_instrument, "quantity": _its_half},
        tells=(PROCEEDS,),
        share=1.5,
    ),
    Goal(
        place_order,
        name="sell_stop",
        verbs=("sell",),
        fixed={"side": "sell", "kind": "stop"},
        says=(
            "Protect my {instrument} shares: sell all of them if they drop to {price_cents}[, {good_for}].",
            "Please put a stop at {price_cents} under all my {instrument} shares[, {good_for}].",
            "I want a stop on my {instrument} shares[, {good_for}]: at {price_cents}, all of them are sold.",
            "Set a stop order to sell all my {instrument} shares[ at {price_cents}][, {good_for}].",
            "If {instrument} falls to {price_cents}, sell all the shares I have[; that should stand {good_for}].",
            "Can you secure all my {instrument} shares with a stop[ at {price_cents}][, {good_for}]?",
            "I don't want to be in {instrument} below {price_cents}; sell it all with a stop order then[, {good_for}].",
            "Sell all my {instrument} shares with a stop[ of {price_cents}][, {good_for}].",
            "Limit my losses: a stop at {price_cents} for all I hold of {instrument}[, {good_for}].",
            "My pain threshold for {instrument} is {price_cents} a share. Place a stop for all I hold[, {good_for}].",
            "Once {instrument} is down to {price_cents}, I want all of my shares sold; set a stop[, {good_for}].",
            "Place a stop for all my shares of {instrument}[, at {price_cents}][, {good_for}].",
        ),
        slots=(
            Slot("instrument", draw=held, says=("I mean {}.", "It is {}."), reads=_looked_up),
            GOOD_FOR,
            Slot("price_cents", withheld=0.3, draw=_stop, says=("{} a share.", "The stop is {}.")),
        ),
        worked_out={"quantity": _all_of_it},
        tells=(Tell("order_id", kind="text"),),
    ),
)
