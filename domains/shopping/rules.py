"""The shop's rules: each a sentence of the policy, the words of a refusal and a predicate."""

import re
from datetime import datetime
from typing import Any

from toolgym.domains.shopping import tools
from toolgym.domains.shopping.schema import Card, CartItem, Coupon, Order, OrderedItem, Product, SavedItem, Variant
from toolgym.sandbox.kit.world import ToolCall, View, rule

_CART = ToolCall(name="get_cart", arguments={})
_PRICE = re.compile(r"\$|\bdollars?\b|\bprices?\b|\bcosts?\b|\bpaid\b", re.IGNORECASE)


@rule(
    "At most as many as are in stock go into the cart, with those that lie there already.",
    why="There are not that many in stock.|in stock|not that many|only|left|enough|sold out",
    on=[tools.add_to_cart, tools.set_cart_quantity, tools.move_to_cart],
    reads=[tools.get_cart, tools.get_product, tools.list_saved],
    looks={"cart": lambda: _CART},
)
def stock(
    cart: dict[str, Any],
    variant: View[Variant] | None = None,
    line: View[CartItem] | None = None,
    saved: View[SavedItem] | None = None,
    quantity: int = 1,
) -> bool:
    thing = variant or line or saved
    assert thing is not None
    there = [each["quantity"] for each in cart["items"] if each["variant_id"] == thing.row.variant_id]
    return quantity + (0 if line is not None else sum(there)) <= thing.row.stock


@rule(
    "A coupon holds through its last day.",
    why="This code has expired.|expired|ran out|no longer valid|last day|until",
    on=[tools.apply_coupon],
    reads=[tools.get_account],
)
def coupon_until(code: View[Coupon], now: datetime) -> bool:
    return now.date() <= code.row.until


@rule(
    "Each customer uses a coupon for one order.",
    why="This code has been used already.|used|one order|once",
    on=[tools.apply_coupon],
    reads=[tools.get_account],
)
def coupon_used(code: View[Coupon]) -> bool:
    return not code.row.used


@rule(
    "A coupon holds from its minimum on, counted before shipping; one for a category counts that category alone.",
    why="What is in the cart is below the coupon's minimum.|minimum|below|at least|not enough|more than",
    on=[tools.apply_coupon],
    reads=[tools.get_account, tools.get_cart],
    looks={"cart": lambda: _CART},
)
def coupon_min(code: View[Coupon], cart: dict[str, Any]) -> bool:
    lines = [each for each in cart["items"] if code.row.category in (None, each["category"])]
    return bool(lines) and sum(each["price_cents"] * each["quantity"] for each in lines) >= code.row.min_cents


@rule(
    "A cart is checked out only while all of it is in stock.",
    why="Something in the cart is no longer in stock.|in stock|sold out|available|left",
    on=[tools.checkout],
    reads=[tools.get_cart],
    looks={"cart": lambda: _CART},
)
def cart_stock(cart: dict[str, Any]) -> bool:
    return all(each["quantity"] <= each["stock"] for each in cart["items"])


@rule(
    "A card is charged through the month in which it expires.",
    why="This card has expired.|expired|no longer valid|ran out|not valid",
    on=[tools.checkout],
    reads=[tools.list_payment_methods],
)
def expired_card(method: View[Card], now: datetime) -> bool:
    return f"{now:%Y-%m}" <= method.row.expires


@rule(
    "A gift note never names a price.",
    why="A gift note never names a price.|price|what it cost|gift note",
    on=[tools.checkout],
    by="policy",
)
def gift_secret(gift_note: str) -> bool:
    return not _PRICE.search(gift_note)


@rule(
    "An order is cancelled only before it has been shipped.",
    why="This order has been shipped.|shipped|on its way|delivered|already|too late",
    on=[tools.cancel_order],
    reads=[tools.get_order],
)
def cancel_placed(order: View[Order]) -> bool:
    return order.row.state == "placed"


@rule(
    "Things are sent back once they have been delivered.",
    why="This has not been delivered.|not been delivered|not arrived|delivered|arrived|cancelled",
    on=[tools.request_return],
    reads=[tools.get_order],
)
def delivered(line: View[OrderedItem]) -> bool:
    return line.row.returnable_until is not None


@rule(
    "Things are sent back up to 30 days after the delivery, up to 60 for customers of the tier plus.",
    why="The return period has ended.|return period|too late|30 days|60 days|days|ended|expired|window",
    on=[tools.request_return],
    reads=[tools.get_order],
)
def return_window(line: View[OrderedItem], now: datetime) -> bool:
    return line.row.returnable_until is None or now.date() <= line.row.returnable_until


@rule(
    "What was bought on clearance is not sent back, unless it is damaged.",
    why="This was a final sale.|final sale|clearance|not returned|cannot be returned",
    on=[tools.request_return],
    reads=[tools.get_order],
)
def final_sale(line: View[OrderedItem], reason: tools.ReturnReason) -> bool:
    return not line.row.final_sale or reason == "damaged"


@rule(
    "Customers review what was delivered to them.",
    why="Only what you have bought can be reviewed.|delivered|bought|ordered|purchase",
    on=[tools.write_review],
    reads=[tools.get_product],
)
def bought(product: View[Product]) -> bool:
    return product.row.delivered_to_you


@rule(
    "A customer writes one review of a product.",
    why="You have written a review of this already.|already|one review|reviewed",
    on=[tools.write_review],
    reads=[tools.get_product],
)
def one_review(product: View[Product]) -> bool:
    return not product.row.reviewed_by_you
