"""What customers want to know."""

from typing import Any

from toolgym.domains.shopping import tools
from toolgym.domains.shopping.assortment import BLAMED
from toolgym.domains.shopping.goals.draws import AN_ITEM, SPEED, where_to
from toolgym.domains.shopping.schema import Order, OrderedItem, Product, Review, Variant
from toolgym.sandbox.kit.goal import Draw, Goal, Slot, Tell

_WORDS = {f"{text}.": word for texts in BLAMED.values() for word, text in texts.items()}


def _blamed(result: Any) -> list[str] | None:
    """What the reviews of one page complain of, by the words that name it."""
    words = [_WORDS[item["text"]] for item in result["items"] if item["text"] in _WORDS]
    return list(dict.fromkeys(words)) if words and result["pages"] == 1 else None


def _with_one_star(draw: Draw) -> Product | None:
    bad = {row.product_id for row in draw.database.find(Review, stars=1)}
    return draw.one_of([row for row in draw.rows(Product) if row.product_id in bad])


def _on_its_way(draw: Draw) -> Order | None:
    return draw.one_of([row for row in draw.rows(Order) if row.state in ("placed", "shipped")])


def _order_of(draw: Draw) -> Order | None:
    return draw.database.get(Order, draw.values["item"].order_id)


def _product_of(draw: Draw) -> Product | None:
    return draw.database.get(Product, draw.values["item"].product_id)


def _price(result: Any, draw: Draw) -> int | None:
    wanted = draw.values["item"].variant_id
    return next((each["price_cents"] for each in result["items"] if each["variant_id"] == wanted), None)


def _quote(result: Any, draw: Draw) -> Any:
    return next(each for each in result["items"] if each["speed"] == draw.values["speed"])


QUESTIONS = (
    Goal(
        tools.get_order,
        name="ask_arrival",
        slots=(Slot("order", draw=_on_its_way, says=AN_ITEM),),
        tells=(Tell("order.arrives_on", kind="date"), Tell("order.street", kind="text")),
    ),
    Goal(
        tools.list_reviews,
        name="ask_complaints",
        fixed={"stars": 1},
        slots=(Slot("product", draw=_with_one_star),),
        tells=(Tell("items", kind="text", value=_blamed),),
    ),
    Goal(
        tools.get_order,
        name="ask_return_day",
        slots=(Slot("item", of=OrderedItem, where=lambda item: item.row.returnable_until is not None),),
        worked_out={"order": _order_of},
        tells=(Tell("order.returnable_until", kind="date"),),
    ),
    Goal(
        tools.get_product,
        name="ask_price",
        slots=(Slot("item", of=Variant),),
        worked_out={"product": _product_of},
        tells=(Tell("price", kind="money", value=_price),),
    ),
    Goal(
        tools.quote_shipping,
        name="ask_shipping",
        slots=(Slot("address", draw=where_to),),
        about=(Slot("speed", draw=SPEED.draw),),
        tells=(
            Tell("price_cents", kind="money", value=lambda result, draw: _quote(result, draw)["price_cents"] or None),
            Tell("arrives_on", kind="date", value=lambda result, draw: _quote(result, draw)["arrives_on"]),
        ),
    ),
    Goal(
        tools.get_cart,
        name="ask_cart",
        tells=(Tell("total_cents", value=lambda result: result["total_cents"] or None),),
        share=0.4,
    ),
    Goal(
        tools.get_account,
        name="ask_credit",
        tells=(
            Tell(
                "customer.credit_cents", kind="money", value=lambda result: result["customer"]["credit_cents"] or None
            ),
        ),
        share=0.3,
    ),
)
