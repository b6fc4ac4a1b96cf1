"""What hungry customers want. Their words are in sentences.toml."""

from collections.abc import Mapping
from datetime import datetime, timedelta
from typing import Any

from toolgym.domains.food_delivery import tools
from toolgym.domains.food_delivery.schema import Address, BasketLine, Dish, Order, OrderLine, Restaurant, Wallet
from toolgym.domains.food_delivery.seed import CUISINES
from toolgym.sandbox.kit.goal import Calls, Draw, Goal, Slot, Tell, Thing

THINGS = (
    Thing(Restaurant, has_known_key=False),
    Thing(Dish, has_known_key=False),
    Thing(BasketLine, found_by=(tools.get_basket,), has_known_key=False),
    Thing(Address, has_known_key=False),
    Thing(Wallet, found_by=(tools.get_account,), has_known_key=False),
    Thing(Order),
    Thing(OrderLine, has_known_key=False),
)


def _fits(draw: Draw) -> Dish | None:
    """A dish of the restaurant from which the basket is, often; any at all otherwise."""
    lines = draw.rows(BasketLine)
    rows = draw.rows(Dish)
    if lines and draw.rng.random() < 0.7:
        place = draw.database.get_one(Dish, lines[0].dish_id).restaurant_id
        rows = [row for row in rows if row.restaurant_id == place]
    return draw.one_of(rows)


def _where_to(draw: Draw) -> Address | None:
    return draw.one_of(draw.rows(Address)) if draw.rows(BasketLine) else None


def _code(draw: Draw) -> str | None:
    """The code, which only cards need."""
    method = draw.values["method"]
    return method.code if method.kind == "card" else None


def _moment(draw: Draw) -> datetime:
    minutes = draw.rng.choice((44, 45, 60, 100, 130, 160, 220, 24 * 60 + 130, 2 * 24 * 60 + 100, 4 * 24 * 60))
    return draw.now + timedelta(minutes=minutes)


def _other(draw: Draw) -> int:
    return draw.rng.choice([number for number in (1, 2, 3, 4) if number != draw.values["line"].quantity])


def _some_lines(draw: Draw) -> list[OrderLine]:
    return [draw.rng.choice(draw.database.find(OrderLine, order_id=draw.values["order"].order_id))]


def _every_line(draw: Draw) -> list[OrderLine]:
    return draw.database.find(OrderLine, order_id=draw.values["order"].order_id)


def _tracked(draw: Draw) -> Calls:
    return [(tools.track_order, {"order": draw.values["order"]})]


def _first_again(draw: Draw) -> Dish | None:
    """The only dish of an earlier order, where the basket is empty."""
    lines = draw.database.find(OrderLine, order_id=draw.values["order"].order_id)
    return draw.database.get_one(Dish, lines[0].dish_id) if len(lines) == 1 and not draw.rows(BasketLine) else None


def _as_before(draw: Draw) -> int | None:
    return draw.database.find(OrderLine, order_id=draw.values["order"].order_id)[0].quantity


def _cheapest(found: Mapping[str, Any]) -> str | None:
    items = found["items"]
    return items[0]["name"] if len(items) > 1 and items[0]["fee_cents"] < items[1]["fee_cents"] else None


def _names(found: list[Mapping[str, Any]]) -> list[str] | None:
    return [dish["dish_name"] for dish in found] if 0 < len(found) < 6 else None


ADDRESS = Slot("address", withheld=0.4, draw=_where_to, says=("To {}.",))
METHOD = Slot("method", withheld=0.5, says=("With {}.",))
CODE = Slot("card_code", withheld=0.5, draw=_code, says=("The code is {}.",))
ORDER, TOTAL = Slot("order", says=("I mean {}.",)), Tell("total_cents", near=("total", "comes", "cost", "order"))
BASKET = Tell("total_cents", near=("basket", "total", "comes"))


WANT = Slot("want", withheld=0.6, words={"refund": "my money back", "credit": "credit for later"}, says=("{}.",))
AMOUNT = (Tell("amount_cents", near=("get", "back", "credit", "refund")),)


def _complaint(kind: str) -> Goal:
    """One about all dishes of an order."""
    order = Slot("order", says=("I mean {}.",), reads=_tracked, where=lambda order: order.row.state == "delivered")
    return Goal(
        tools.report_problem,
        name=kind,
        fixed={"kind": kind},
        slots=(order, WANT, Slot("details")),
        worked_out={"lines": _every_line},
        tells=AMOUNT,
    )


GOALS = (
    Goal(
        tools.search_restaurants,
        name="cheapest_fee",
        slots=(Slot("cuisine", draw=sorted(CUISINES)), Slot("address", given=1.0)),
        tells=(Tell("name", kind="text", value=_cheapest),),
    ),
    Goal(
        tools.get_menu,
        name="vegan_dishes",
        fixed={"vegan": True},
        slots=(Slot("restaurant"),),
        tells=(Tell("dish_name", kind="text", value=_names),),
    ),
    Goal(tools.get_restaurant, name="ask_minimum", slots=(Slot("restaurant"),), tells=(Tell("min_cents"),)),
    Goal(tools.get_basket, name="ask_total", tells=(BASKET,), share=0.5),
    Goal(
        tools.track_order,
        name="ask_when",
        slots=(Slot("order", where=lambda order: order.row.minutes_left is not None),),
        tells=(Tell("order.minutes_left", kind="number", near=("minutes", "minute")),),
    ),
    Goal(
        tools.add_to_basket,
        name="add",
        slots=(
            Slot("dish", draw=_fits, says=("I mean {}.",)),
            Slot("quantity", draw=(1, 2, 3, 4), says=("{}.",)),
        ),
        tells=(BASKET,),
        share=2.0,
    ),
    Goal(
        tools.change_basket_line,
        name="change",
        slots=(Slot("line"), Slot("quantity", draw=_other, says=("{}.",))),
        tells=(BASKET,),
    ),
    Goal(tools.change_basket_line, name="take_out", fixed={"quantity": 0}, slots=(Slot("line"),), tells=(BASKET,)),
    Goal(tools.clear_basket, name="clear"),
    Goal(tools.apply_promo, name="redeem", slots=(Slot("code"),), tells=(BASKET,)),
    Goal(
        tools.place_order,
        name="order",
        slots=(ADDRESS, METHOD, CODE),
        tells=(TOTAL,),
        share=2.0,
        where=lambda deliver_at: deliver_at is None,
    ),
    Goal(
        tools.place_order,
        name="order_later",
        slots=(ADDRESS, METHOD, CODE, Slot("deliver_at", withheld=0.4, draw=_moment, says=("At {}.",))),
        tells=(TOTAL,),
        share=1.5,
    ),
    Goal(
        tools.add_to_basket,
        name="again",
        about=(Slot("order", of=Order, reads=_tracked),),
        worked_out={"dish": _first_again, "quantity": _as_before},
        tells=(BASKET,),
    ),
    Goal(
        tools.cancel_order,
        name="cancel",
        slots=(ORDER,),
        where=lambda order: order.row.state != "cancelled",
        tells=(Tell("refund_cents", near=("back", "refund")),),
    ),
    Goal(
        tools.report_problem,
        name="missing",
        fixed={"kind": "missing"},
        slots=(
            Slot("order", says=("I mean {}.",), where=lambda order: order.row.state == "delivered"),
            Slot("lines", draw=_some_lines),
            WANT,
            Slot("details"),
        ),
        tells=AMOUNT,
    ),
    _complaint("cold"),
    _complaint("late"),
    Goal(
        tools.rate_order,
        name="rate",
        slots=(ORDER, Slot("food", draw=(1, 2, 3, 4, 5)), Slot("courier", draw=(1, 2, 3, 4, 5))),
    ),
)
