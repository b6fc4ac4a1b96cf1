"""What customers want to know."""

from __future__ import annotations

from typing import Any

from toolgym.domains.shopping.assortment import BLAMED
from toolgym.domains.shopping.goals.draws import AN_ITEM, SPEED, one_of, where_to
from toolgym.domains.shopping.schema import Order, OrderedItem, Product, Review, Variant
from toolgym.domains.shopping.tools.cart import get_cart
from toolgym.domains.shopping.tools.catalogue import get_account, get_product, list_reviews
from toolgym.domains.shopping.tools.orders import get_order, quote_shipping
from toolgym.sandbox.kit.goal import Draw, Goal, Slot, Tell

_WORDS = {f"{text}.": word for texts in BLAMED.values() for word, text in texts.items()}


def _blamed(result: Any) -> list[str] | None:
    """What the reviews of one page complain of, by the words that name it."""
    words = [_WORDS[item["text"]] for item in result["items"] if item["text"] in _WORDS]
    return list(dict.fromkeys(words)) if words and result["pages"] == 1 else None


def _with_one_star(draw: Draw) -> Product | None:
    bad = {row.product_id for row in draw.database.find(Review, stars=1)}
    return one_of(draw, [row for row in draw.rows(Product) if row.product_id in bad])


def _on_its_way(draw: Draw) -> Order | None:
    return one_of(draw, [row for row in draw.rows(Order) if row.state in ("placed", "shipped")])


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
        get_order,
        name="ask_arrival",
        verbs=("tell",),
        says=(
            "When will {order} arrive, and on which street is it delivered?",
            "When does {order} come, and to which street does it go?",
            "I'm waiting for {order}. When will it be here, and which street is it going to?",
            "Can you tell me when {order} arrives and to what street it's being sent?",
            "Where is {order} going, and when will it get there? The street will do.",
            "I forgot where I had {order} sent. To which street, and when does it arrive?",
            "What day should I expect {order}, and at which street?",
            "Could you check the arrival day and the street for {order}?",
            "To which street is {order} being delivered, and on what day?",
            "Please look up when {order} comes and the street it's addressed to.",
            "I'd like to know the day of arrival and the street of {order}.",
            "Which street does {order} go to, and when will that be?",
        ),
        slots=(Slot("order", draw=_on_its_way, says=AN_ITEM),),
        tells=(Tell("order.arrives_on", kind="date"), Tell("order.street", kind="text")),
    ),
    Goal(
        list_reviews,
        name="ask_complaints",
        verbs=("tell",),
        fixed={"stars": 1},
        says=(
            "What do people who gave {product} one star complain about?",
            "What is wrong with {product}, according to those who gave it one star?",
            "Why did {product} get one-star reviews?",
            "Can you tell me what the one-star reviews of {product} say?",
            "I'm curious about {product}: what did one-star reviewers dislike?",
            "What are the complaints of customers who rated {product} with a single star?",
            "Before I buy {product}: what do the worst reviews, with one star, blame?",
            "Please sum up what the one-star reviews of {product} criticise.",
            "Which faults do people name who gave {product} just one star?",
            "Tell me what disappointed the people with one star for {product}.",
            "What went wrong for those who gave one star to {product}?",
            "Could you look at the one-star reviews of {product} and tell me what bothers people?",
        ),
        slots=(Slot("product", draw=_with_one_star),),
        tells=(Tell("items", kind="text", value=_blamed),),
    ),
    Goal(
        get_order,
        name="ask_return_day",
        verbs=("tell",),
        says=(
            "Until when can I send back {item}?",
            "What is the last day on which I can return {item}?",
            "How long can I still return {item}? I'd like the last day.",
            "By when would I have to send back {item}?",
            "When does the return period for {item} end?",
            "I may want to return {item}. Until what day is that possible?",
            "Can you look up the return deadline for {item}?",
            "What's the deadline for sending back {item}?",
            "Up to which date would you take back {item}?",
            "Tell me the last possible day to return {item}, please.",
            "Could you tell me how long {item} can go back? A date, please.",
            "If I wanted to send back {item}, what would be the last day?",
        ),
        slots=(Slot("item", of=OrderedItem, where=lambda item: item.row.returnable_until is not None),),
        worked_out={"order": _order_of},
        tells=(Tell("order.returnable_until", kind="date"),),
    ),
    Goal(
        get_product,
        name="ask_price",
        verbs=("tell",),
        says=(
            "What's the price of {item}?",
            "How much would I have to pay for {item}?",
            "Can you tell me the price of {item}?",
            "What's the price of {item} at the moment?",
            "What would I pay for {item}?",
            "Please look up the price of {item}.",
            "At what price can I get {item}?",
            "I'd like to know the price of {item}.",
            "How much do you sell {item} for?",
            "Could you check the price of {item}?",
            "What are you asking for {item}?",
            "Tell me what you charge for {item}, please.",
        ),
        slots=(Slot("item", of=Variant),),
        worked_out={"product": _product_of},
        tells=(Tell("price", kind="money", value=_price),),
    ),
    Goal(
        quote_shipping,
        name="ask_shipping",
        verbs=("tell",),
        says=(
            "What would {speed} shipping of my cart to {address} cost, and when would it arrive?",
            "How much is {speed} shipping to {address} for what's in my cart, and which day would it come?",
            "If I had my cart sent to {address} with {speed} shipping, when would it come and for how much?",
            "Can you tell me the price and the day of arrival of {speed} shipping to {address}? It's about my cart.",
            "My cart to {address} with {speed} shipping: how much is that, and when is it there?",
            "I'd like to know what you charge for {speed} shipping to {address}, and the arrival day, for my cart.",
            "Before I order: what does {speed} shipping to {address} cost, and when does it arrive?",
            "When would {speed} shipping get my cart to {address}, and at what price?",
            "Please check what {speed} shipping to {address} costs for my cart and on which day it comes.",
            "What's the charge for sending my cart to {address} by {speed} shipping, and when would I have it?",
            "Could you quote me {speed} shipping to {address} for my cart, with the day of arrival?",
            "How much more would I pay for {speed} shipping to {address}, and how soon is my cart there? Name the day.",
        ),
        slots=(Slot("address", draw=where_to),),
        about=(Slot("speed", draw=SPEED.draw),),
        tells=(
            Tell("price_cents", kind="money", value=lambda result, draw: _quote(result, draw)["price_cents"] or None),
            Tell("arrives_on", kind="date", value=lambda result, draw: _quote(result, draw)["arrives_on"]),
        ),
    ),
    Goal(
        get_cart,
        name="ask_cart",
        verbs=("tell",),
        says=(
            "What does my cart come to?",
            "How much is everything in my cart?",
            "What's the total of my cart right now?",
            "What would I pay for the things in my cart, without shipping?",
            "Can you tell me what my cart adds up to?",
            "I'd like to know the total of my cart.",
            "How much has my cart come to?",
            "Please tell me what all that's in my cart costs.",
            "What's my cart at?",
            "Could you add up my cart for me?",
            "How much am I at with my cart?",
            "What is the sum of what I've put in the cart?",
        ),
        tells=(Tell("total_cents", value=lambda result: result["total_cents"] or None),),
        share=0.4,
    ),
    Goal(
        get_account,
        name="ask_credit",
        verbs=("tell",),
        says=(
            "How much store credit do I have?",
            "What's left of my store credit?",
            "Do I have any store credit, and how much?",
            "Can you tell me my store credit?",
            "How much credit is on my account?",
            "I'd like to know how much store credit I've got.",
            "What store credit is there in my account?",
            "Please look up my store credit.",
            "How many dollars of store credit can I use?",
            "Could you check how much credit I have with you?",
            "What credit do I have in your shop?",
            "Tell me how much store credit is left, please.",
        ),
        tells=(
            Tell(
                "customer.credit_cents", kind="money", value=lambda result: result["customer"]["credit_cents"] or None
            ),
        ),
        share=0.3,
    ),
)
