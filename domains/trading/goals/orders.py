"""What investors want done with orders that are still open."""

from __future__ import annotations

from typing import Any

from toolgym.domains.trading.schema import Order
from toolgym.domains.trading.tools import cancel_order, get_order, list_orders, replace_order
from toolgym.sandbox.kit.goal import Draw, Goal, Slot, Tell

FREED = Tell("freed_cents", near=("free", "freed", "released", "available", "reserved"))


def _buys(order: Any) -> bool:
    return bool(order.row.side == "buy")


def _has_limit(order: Any) -> bool:
    return bool(order.row.kind == "limit")


def _new_limit(draw: Draw) -> int:
    """Another limit: some percent away from the last price, or just too far."""
    order = draw.view(draw.values["order"])
    last, tick = order.last_cents, order.tick_cents
    if draw.rng.random() < 0.15:
        return int(last - last // 10 - draw.rng.choice((0, tick)))
    percent = draw.rng.randrange(2, 9) * (-1 if order.side == "buy" else 1)
    return int(last * (100 + percent) // 100 // tick * tick)


def _more(draw: Draw) -> int:
    return int(draw.values["order"].price_cents + draw.values["by_cents"])


def _less(draw: Draw) -> int:
    return int(draw.values["order"].price_cents - draw.values["by_cents"])


def _steps(draw: Draw) -> int:
    return int(draw.rng.choice((10, 20, 25, 30, 40, 50, 75, 100, 150)))


def _new_size(draw: Draw) -> int:
    order = draw.view(draw.values["order"])
    odd = draw.rng.randrange(1, order.lot) if order.lot > 1 and draw.rng.random() < 0.15 else 0
    return int(order.lot * draw.rng.randrange(1, 40) + odd)


def _ranked(draw: Draw) -> Order | None:
    """The oldest or the newest order to buy that is open and was not filled at all."""
    rows = [row for row in draw.rows(Order) if row.state == "open"]
    rows.sort(key=lambda row: row.placed_at, reverse=draw.values["which"] == "newest")
    return rows[0] if rows and rows[0].side == "buy" else None


def _shown(draw: Draw) -> list[Any]:
    return [(get_order, {"order": draw.values["order"]})]


ORDER = Slot("order", says=("I mean {}.", "It is {}."))
PRICED = Slot("order", says=("I mean {}.", "It is {}."), where=_has_limit, reads=_shown)

ORDERS = (
    Goal(
        cancel_order,
        name="cancel",
        verbs=("cancel", "drop", "withdraw"),
        says=(
            "Cancel {order}, please.",
            "Please cancel {order}.",
            "I have changed my mind about {order}; take it back.",
            "Can you withdraw {order}?",
            "Drop {order} for me.",
            "I don't want {order} any longer. Please cancel it.",
            "{order} can be cancelled.",
            "Take {order} off the market, please.",
            "Call off {order}.",
            "Please remove what is still open of {order}.",
            "I need the cash back: cancel {order}.",
            "Would you pull {order}?",
        ),
        slots=(Slot("order", says=("I mean {}.", "It is {}."), where=_buys),),
        tells=(FREED,),
    ),
    Goal(
        cancel_order,
        name="cancel_ranked",
        verbs=("cancel", "drop"),
        says=(
            "Cancel my {which} open order, please.",
            "Please find my {which} open order and cancel it.",
            "Of my open orders, drop the {which} one.",
            "Can you cancel the {which} order that is still open?",
            "Withdraw my {which} open order, please.",
            "Look through my open orders and cancel the {which} one.",
            "The {which} open order can go; cancel it.",
            "I'd like the {which} of my open orders cancelled.",
            "Which open order is the {which}? Please cancel it.",
            "Withdraw the {which} order of those still open.",
            "Call off my {which} open order.",
            "Would you pull the {which} open order I have?",
        ),
        slots=(Slot("which", draw=("oldest", "newest"), reads=lambda draw: [(list_orders, {"state": "open"})]),),
        worked_out={"order": _ranked},
        tells=(FREED,),
    ),
    Goal(
        replace_order,
        name="set_limit",
        verbs=("move", "set"),
        says=(
            "Change the limit of {order} to {price_cents}.",
            "Please move the limit of {order}[ to {price_cents}].",
            "{order} should have a limit of {price_cents} instead.",
            "Set the limit of {order}[ to {price_cents}].",
            "Can you change {order} so that its limit is {price_cents}?",
            "The limit of {order} is no longer right[; make it {price_cents}].",
            "I want {price_cents} as the limit of {order}.",
            "Make {price_cents} the new limit of {order}, please.",
            "Update {order}[ with a limit of {price_cents}].",
            "Put the limit of {order} at {price_cents}.",
            "Could you reprice {order}[ to {price_cents}]?",
            "A limit of {price_cents} is better for {order}; please change it.",
        ),
        slots=(
            Slot("order", says=("I mean {}.", "It is {}."), where=_has_limit),
            Slot("price_cents", withheld=0.4, draw=_new_limit, says=("{}.", "The new limit is {}.")),
        ),
        tells=(Tell("state", kind="text"),),
        where=lambda order, price_cents: order.row.price_cents != price_cents,
    ),
    Goal(
        replace_order,
        name="raise_limit",
        verbs=("raise", "increase"),
        says=(
            "Raise the limit of {order} by {by_cents}.",
            "Please put the limit of {order} up by {by_cents}.",
            "Increase the limit of {order} by {by_cents}.",
            "Can you add {by_cents} to the limit of {order}?",
            "{order} should get a limit that is {by_cents} higher.",
            "Please increase the limit of {order}; {by_cents} on top.",
            "I'd like to go up {by_cents} with the limit of {order}.",
            "Lift the limit of {order} by {by_cents}.",
            "Another {by_cents} on top of the limit of {order}, please.",
            "Move the limit of {order} up by {by_cents}.",
            "Bring the limit of {order} up by {by_cents}.",
            "Would you raise the limit of {order}? {by_cents} more is fine.",
        ),
        slots=(PRICED, Slot("by_cents", draw=_steps)),
        worked_out={"price_cents": _more},
        tells=(Tell("price_cents", near=("limit", "price")),),
    ),
    Goal(
        replace_order,
        name="lower_limit",
        verbs=("lower", "reduce"),
        says=(
            "Lower the limit of {order} by {by_cents}.",
            "Please take {by_cents} off the limit of {order}.",
            "Reduce the limit of {order} by {by_cents}.",
            "Can you bring the limit of {order} down by {by_cents}?",
            "{order} should get a limit that is {by_cents} lower.",
            "Please reduce the limit of {order}; {by_cents} off.",
            "I'd like to go down {by_cents} with the limit of {order}.",
            "Drop the limit of {order} by {by_cents}.",
            "The limit of {order} is too high; take it down {by_cents}.",
            "Move the limit of {order} down by {by_cents}.",
            "Let the limit of {order} come down by {by_cents}.",
            "Would you lower the limit of {order}? {by_cents} less is fine.",
        ),
        slots=(PRICED, Slot("by_cents", draw=_steps)),
        worked_out={"price_cents": _less},
        tells=(Tell("price_cents", near=("limit", "price")),),
        where=lambda price_cents: price_cents > 0,
    ),
    Goal(
        replace_order,
        name="resize",
        verbs=("set",),
        says=(
            "Change {order} to {quantity} shares.",
            "Please make {order} {quantity} shares in all.",
            "{order} should be for {quantity} shares instead.",
            "Set the quantity of {order}[ to {quantity} shares].",
            "Can you change the size of {order}[ to {quantity} shares]?",
            "I want {quantity} shares in {order}, not what it says now.",
            "The size of {order} has to change[: {quantity} shares].",
            "Let {order} be for {quantity} shares.",
            "Update {order}[; it should be {quantity} shares].",
            "{quantity} shares is what {order} should be for; please change it.",
            "Could you resize {order}[ to {quantity} shares]?",
            "Change {order} to {quantity} shares in all.",
        ),
        slots=(ORDER, Slot("quantity", withheld=0.4, draw=_new_size, says=("{} shares.", "Make it {}."))),
        where=lambda order, quantity: quantity not in (order.row.quantity, order.row.filled),
    ),
)
