"""What customers want of the shop, and how they speak of what is in it."""

from __future__ import annotations

from toolgym.domains.shopping import schema, tools
from toolgym.domains.shopping.goals.buying import BUYING
from toolgym.domains.shopping.goals.cart import CART
from toolgym.domains.shopping.goals.orders import ORDERS
from toolgym.domains.shopping.goals.questions import QUESTIONS
from toolgym.sandbox.kit.goal import Condition, Thing

THINGS = (
    Thing(schema.Product, ("the {name}",), has_known_key=False),
    Thing(schema.Variant, ("the {colour} {name} in {size}", "the {colour} {name}", "the {name}"), has_known_key=False),
    Thing(schema.CartItem, ("the {name} in my cart",), found_by=(tools.get_cart,), has_known_key=False),
    Thing(schema.SavedItem, ("the {name} on my list", "the {name} that I saved"), has_known_key=False),
    Thing(schema.Coupon, ("the code {code}",), found_by=(tools.get_account,)),
    Thing(schema.Address, ("my {label}", "my {label} address"), has_known_key=False),
    Thing(
        schema.Card,
        ("my {kind} ending in {last_four}", "the card that ends in {last_four}", "my {kind}"),
        has_known_key=False,
    ),
    Thing(schema.Order, ("my order of {placed_on}", "the order with the {main_item}")),
    Thing(
        schema.OrderedItem,
        ("the {name} that I ordered on {placed_on}", "the {name} from {placed_on}", "the {name} I bought here"),
        has_known_key=False,
    ),
)
CONDITIONS = (
    Condition(
        schema.Order,
        "total_cents",
        "if {it} came to {value} or more",
        tools.get_order,
        value=lambda result: result["order"]["total_cents"],
    ),
)
GOALS = (*CART, *BUYING, *ORDERS, *QUESTIONS)
