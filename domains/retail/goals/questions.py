"""What customers of the shop ask; the answers must be told."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from toolgym.domains.retail.goals.draws import ORDER, SHORT, cents, named_items, options_in_words, paid
from toolgym.domains.retail.schema import Order, User, Variant
from toolgym.domains.retail.tools import (
    get_order_details,
    get_product_details,
    get_user_details,
)
from toolgym.domains.retail.views import view_order
from toolgym.sandbox.kit.goal import Draw, Goal, Slot, Tell


def _one(draw: Draw) -> str | None:
    held = named_items(draw)
    return draw.rng.choice(held)["name"] if len(held) > 1 else None


def _item_in(result: Any, name: str) -> Any:
    return next(item for item in result["items"] if item["name"] == name)


def _one_with_options(draw: Draw) -> str | None:
    held = [item["name"] for item in named_items(draw) if _telling(item)]
    return draw.rng.choice(held) if held else None


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
        get_order_details,
        name="order_total",
        says=(
            "How much did I pay for {order} in total?",
            "What was the total for {order}?",
            "Could you tell me the total of {order}?",
            "What did I pay altogether for {order}?",
            "I need to know how much {order} came to.",
            "Please look up what I was charged for {order}.",
            "Can you check what {order} cost me in all?",
            "I'd like to know the full amount I paid for {order}.",
            "For my records, how much was {order} altogether?",
            "What's the total price of {order}?",
            "How much money did I spend on {order}?",
            "Would you tell me how much I paid for {order}?",
        ),
        verbs=(),
        share=0.3,
        slots=(ORDER,),
        tells=(Tell("total", "money", value=paid),),
        where=lambda order: order.row.status in _LIVE,
    ),
    Goal(
        get_order_details,
        name="tracking_number",
        says=(
            "What is the tracking number of {order}?",
            "Could you tell me the tracking number of {order}?",
            "I want to follow {order}; what is its tracking number?",
            "Please give me the tracking number for {order}.",
            "Which number can I use to track {order}?",
            "I can't find the tracking number of {order}.",
            "How can I track {order}? I need the number.",
            "I'd like the tracking number for {order}, please.",
            "I lost the e-mail with the tracking number for {order}. What is it?",
            "Can you look up the tracking number of {order} for me?",
            "I want to see where {order} went; what's the tracking number?",
            "Do you have a tracking number for {order}?",
        ),
        verbs=(),
        share=0.3,
        slots=(ORDER,),
        tells=(Tell("tracking", "text", value=_tracking),),
        where=lambda order: order.row.status in ("processed", "delivered"),
    ),
    Goal(
        get_order_details,
        name="item_price",
        says=(
            "How much did I pay for the {item} in {order}?",
            "What did the {item} in {order} cost?",
            "Could you look up the price of the {item} in {order}?",
            "I'd like to know what I paid for the {item} in {order}.",
            "How much was I charged for the {item} in {order}?",
            "Please tell me the price of the {item} in {order}.",
            "What was the price of the {item} when I bought it in {order}?",
            "Can you check how much the {item} in {order} was?",
            "I need the price I paid for the {item} in {order}.",
            "For the {item} in {order}, what did I pay?",
            "I forgot what the {item} in {order} cost. How much was it?",
            "How much of {order} was for the {item}?",
        ),
        verbs=(),
        share=0.3,
        slots=(ORDER,),
        about=(Slot("item", draw=_one),),
        tells=(Tell("price", "money", value=lambda r, draw: cents(_item_in(r, draw.values["item"])["price"])),),
        where=lambda order: order.row.status in _LIVE,
    ),
    Goal(
        get_order_details,
        name="item_option",
        says=(
            "Which {option} did I choose for the {item} in {order}?",
            "Could you look up the {option} of the {item} in {order}?",
            "I forgot which {option} I picked for the {item} in {order}.",
            "What {option} is the {item} in {order}?",
            "Please tell me the {option} of the {item} in {order}.",
            "I'm not sure about the {option} of the {item} in {order}; which one is it?",
            "Can you check the {option} of the {item} I ordered in {order}?",
            "What did I pick as the {option} of the {item} in {order}?",
            "I'd like to know which {option} the {item} in {order} has.",
            "I can't remember the {option} of the {item} in {order}. What is it?",
            "For the {item} in {order}, which {option} did I go for?",
            "Would you tell me what {option} I selected for the {item} in {order}?",
        ),
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
        get_product_details,
        name="count_variants",
        says=(
            "How many different {product} options can I buy right now?",
            "How many versions of the {product} do you have in stock?",
            "I'm wondering how many {product} options are available at the moment.",
            "How many variants of the {product} could I order today?",
            "Could you count the {product} versions that are in stock?",
            "I'd like to know how many {product} variants you have available.",
            "How big is the choice for the {product} right now? I mean the number of versions in stock.",
            "Can you tell me how many kinds of {product} are in stock?",
            "What's the number of {product} options I can choose from today?",
            "How many {product} variants are available to order?",
            "I'm looking at the {product}; how many versions of it are in stock?",
            "Please check how many different versions of the {product} you can ship.",
        ),
        verbs=(),
        share=0.3,
        slots=(Slot("product"),),
        tells=(Tell("count", "number", value=lambda result: len(_stock(result))),),
    ),
    Goal(
        get_product_details,
        name="cheapest",
        says=(
            "What does the cheapest {product} you have in stock cost?",
            "How much is your cheapest available {product}?",
            "What is the lowest price of a {product} that I could order now?",
            "I'm after the cheapest {product} in stock; what is its price?",
            "Could you tell me the lowest price for a {product} you can ship?",
            "What do prices for the {product} start at, counting only what's in stock?",
            "I'm on a budget. How much is the least expensive {product} in stock?",
            "How little could I pay for a {product} that's available now?",
            "Please check the price of the cheapest {product} available.",
            "What's the best price you have on a {product} in stock?",
            "Can you find the cheapest {product} in stock and tell me what it costs?",
            "I'd like to know the price of the least expensive {product} you have available.",
        ),
        verbs=(),
        share=0.3,
        slots=(Slot("product"),),
        tells=(Tell("price", "money", value=lambda result: _edge(result, min)),),
    ),
    Goal(
        get_product_details,
        name="dearest",
        says=(
            "What does the most expensive {product} in stock cost?",
            "How much is your most expensive available {product}?",
            "What is the highest price of a {product} in stock?",
            "I want the best {product} you have; how much is the most expensive one in stock?",
            "Could you tell me the price of the most expensive {product} you can ship?",
            "What is the top price for a {product} that's available right now?",
            "How much could I spend on a {product} at most, going by what's in stock?",
            "Please check the price of the most expensive {product} available.",
            "I'm looking for a gift: what does the priciest {product} in stock cost?",
            "Can you find the most expensive {product} in stock and tell me its price?",
            "I'd like to know what the priciest {product} you have available costs.",
            "Money is no object. What does the most expensive {product} in stock go for?",
        ),
        verbs=(),
        share=0.3,
        slots=(Slot("product"),),
        tells=(Tell("price", "money", value=lambda result: _edge(result, max)),),
    ),
    Goal(
        get_product_details,
        name="variant_price",
        says=(
            "How much is the {product} {variant}?",
            "What does the {product} {variant} cost?",
            "How much do you charge for the {product} {variant}?",
            "Could you tell me the price of the {product} {variant}?",
            "I'm thinking of the {product} {variant}; what would it cost?",
            "Please look up what the {product} {variant} costs.",
            "I'd like the price of the {product} {variant}.",
            "What would I pay for the {product} {variant}?",
            "Can you check how much the {product} {variant} is?",
            "I've seen the {product} {variant} in your shop. How much is it?",
            "What's the price of the {product} {variant}?",
            "I might buy the {product} {variant}. What does it cost?",
        ),
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
        get_user_details,
        name="gift_card_balance",
        says=(
            "How much money is left on {card}?",
            "What is the balance of {card}?",
            "Could you tell me how much is still on {card}?",
            "I'd like to know what is left on {card}.",
            "Please look up the balance of {card}.",
            "How much can I still spend with {card}?",
            "What do I have left on {card}?",
            "Can you check the balance on {card} for me?",
            "I'm not sure how much {card} still has on it. Can you look?",
            "Is there anything left on {card}, and how much?",
            "What's {card} still worth?",
            "I need the remaining balance of {card}.",
        ),
        verbs=(),
        share=0.3,
        about=(Slot("card", draw=("my gift card",)),),
        tells=(Tell("balance", "money", value=_balance),),
    ),
    Goal(
        get_user_details,
        name="spent",
        says=(
            "How much did all my {status} orders cost together?",
            "What is the sum of what I paid for my {status} orders?",
            "Could you add up what my {status} orders cost me?",
            "I need the total of all my {status} orders.",
            "Taken together, what did I pay for my {status} orders?",
            "Please tell me how much I spent on my {status} orders in all.",
            "What do my {status} orders add up to?",
            "I'm doing my budget: what did my {status} orders come to altogether?",
            "Can you work out the combined total of my {status} orders?",
            "How much money have I put into my {status} orders all told?",
            "I'd like one figure for all my {status} orders: what did they cost in total?",
            "Would you add up my {status} orders and tell me the total?",
        ),
        verbs=(),
        share=0.3,
        about=(
            Slot(
                "status",
                draw=_status,
                reads=lambda draw: [
                    (get_user_details, {"user": draw.database.owner(User)}),
                    *((get_order_details, {"order": order}) for order in draw.database.mine(Order)),
                ],
            ),
        ),
        tells=(Tell("sum", "money", value=_sum),),
    ),
)
