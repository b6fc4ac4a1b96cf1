"""What customers of the shop ask; the answers must be told."""

from collections.abc import Callable
from typing import Any

from toolgym.domains.retail import tools
from toolgym.domains.retail.goals.draws import ORDER, SHORT, cents, named_items, options_in_words, paid
from toolgym.domains.retail.schema import Order, User, Variant
from toolgym.domains.retail.views import view_order
from toolgym.sandbox.kit.goal import Draw, Goal, Slot, Tell


def _one(draw: Draw) -> str | None:
    held = named_items(draw)
    return draw.rng.choice(held)["name"] if len(held) > 1 else None


def _item_in(result: Any, name: str) -> Any:
    return next(item for item in result["items"] if item["name"] == name)


def _one_with_options(draw: Draw) -> str | None:
    held = [item["name"] for item in named_items(draw) if _telling(item)]
    return draw.one_of(held)


def _one_option(draw: Draw) -> str:
    items = {item["name"]: item for item in named_items(draw)}
    return draw.rng.choice(_telling(items[draw.values["item"]]))


def _telling(item: Any) -> list[str]:
    """The options of an item whose values nobody says by chance."""
    return [option for option, value in item["options"].items() if value not in SHORT]


def _stock(result: Any) -> list[Any]:
    return [variant for variant in result["variants"].values() if variant["available"]]


def _tracking(order: Any) -> str | None:
    """The tracking number of an order that has left."""
    return order["fulfillments"][0]["tracking_id"][0] if order["fulfillments"] else None


def _edge(result: Any, which: Callable[[list[float]], float]) -> int | None:
    """The lowest or the highest price in stock."""
    prices = [variant["price"] for variant in _stock(result)]
    return cents(which(prices)) if prices else None


def _one_variant(draw: Draw) -> dict[str, str] | None:
    stock = draw.database.find(Variant, product_id=draw.values["product"].product_id, available=True)
    return draw.rng.choice(stock).options if stock else None


def _balance(profile: Any) -> int | None:
    """What is on the customer's gift card, where there is just one."""
    cards = [method for method in profile["payment_methods"].values() if method["source"] == "gift_card"]
    return cents(cards[0]["balance"]) if len(cards) == 1 else None


def _orders(draw: Draw) -> list[Order]:
    return draw.database.mine(Order, status=draw.values["status"])


def _status(draw: Draw) -> str | None:
    statuses = [order.status for order in draw.database.mine(Order)]
    return next((each for each in ("pending", "delivered") if statuses.count(each) > 1), None)


def _sum(result: Any, draw: Draw) -> int:
    return sum(paid(view_order(draw.database, order)) for order in _orders(draw))


_LIVE = ("pending", "processed", "delivered")

QUESTIONS = (
    Goal(
        tools.get_order_details,
        name="order_total",
        verbs=(),
        share=0.3,
        slots=(ORDER,),
        tells=(Tell("total", "money", value=paid),),
        where=lambda order: order.row.status in _LIVE,
    ),
    Goal(
        tools.get_order_details,
        name="tracking_number",
        verbs=(),
        share=0.3,
        slots=(ORDER,),
        tells=(Tell("tracking", "text", value=_tracking),),
        where=lambda order: order.row.status in ("processed", "delivered"),
    ),
    Goal(
        tools.get_order_details,
        name="item_price",
        verbs=(),
        share=0.3,
        slots=(ORDER,),
        about=(Slot("item", draw=_one),),
        tells=(Tell("price", "money", value=lambda r, draw: cents(_item_in(r, draw.values["item"])["price"])),),
        where=lambda order: order.row.status in _LIVE,
    ),
    Goal(
        tools.get_order_details,
        name="item_option",
        verbs=(),
        share=0.3,
        slots=(ORDER,),
        about=(Slot("item", draw=_one_with_options), Slot("option", draw=_one_option)),
        tells=(
            Tell(
                "option",
                "text",
                value=lambda r, draw: _item_in(r, draw.values["item"])["options"][draw.values["option"]],
            ),
        ),
        where=lambda order: order.row.status in _LIVE,
    ),
    Goal(
        tools.get_product_details,
        name="count_variants",
        verbs=(),
        share=0.3,
        slots=(Slot("product"),),
        tells=(Tell("count", "number", value=lambda result: len(_stock(result))),),
    ),
    Goal(
        tools.get_product_details,
        name="cheapest",
        verbs=(),
        share=0.3,
        slots=(Slot("product"),),
        tells=(Tell("price", "money", value=lambda result: _edge(result, min)),),
    ),
    Goal(
        tools.get_product_details,
        name="dearest",
        verbs=(),
        share=0.3,
        slots=(Slot("product"),),
        tells=(Tell("price", "money", value=lambda result: _edge(result, max)),),
    ),
    Goal(
        tools.get_product_details,
        name="variant_price",
        verbs=(),
        share=0.3,
        slots=(Slot("product"),),
        about=(Slot("variant", draw=_one_variant, say=options_in_words),),
        tells=(
            Tell(
                "price",
                "money",
                value=lambda result, draw: next(
                    cents(v["price"]) for v in _stock(result) if v["options"] == draw.values["variant"]
                ),
            ),
        ),
    ),
    Goal(
        tools.get_user_details,
        name="gift_card_balance",
        verbs=(),
        share=0.3,
        about=(Slot("card", draw=("my gift card",)),),
        tells=(Tell("balance", "money", value=_balance),),
    ),
    Goal(
        tools.get_user_details,
        name="spent",
        verbs=(),
        share=0.3,
        about=(
            Slot(
                "status",
                draw=_status,
                reads=lambda draw: [
                    (tools.get_user_details, {"user": draw.database.owner(User)}),
                    *((tools.get_order_details, {"order": order}) for order in draw.database.mine(Order)),
                ],
            ),
        ),
        tells=(Tell("sum", "money", value=_sum),),
    ),
)
