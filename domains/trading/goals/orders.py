"""What investors want done with orders that are still open."""

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
        slots=(Slot("order", says=("I mean {}.", "It is {}."), where=_buys),),
        tells=(FREED,),
    ),
    Goal(
        cancel_order,
        name="cancel_ranked",
        slots=(Slot("which", draw=("oldest", "newest"), reads=lambda draw: [(list_orders, {"state": "open"})]),),
        worked_out={"order": _ranked},
        tells=(FREED,),
    ),
    Goal(
        replace_order,
        name="set_limit",
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
        slots=(PRICED, Slot("by_cents", draw=_steps)),
        worked_out={"price_cents": _more},
        tells=(Tell("price_cents", near=("limit", "price")),),
    ),
    Goal(
        replace_order,
        name="lower_limit",
        slots=(PRICED, Slot("by_cents", draw=_steps)),
        worked_out={"price_cents": _less},
        tells=(Tell("price_cents", near=("limit", "price")),),
        where=lambda price_cents: price_cents > 0,
    ),
    Goal(
        replace_order,
        name="resize",
        slots=(ORDER, Slot("quantity", withheld=0.4, draw=_new_size, says=("{} shares.", "Make it {}."))),
        where=lambda order, quantity: quantity not in (order.row.quantity, order.row.filled),
    ),
)
