"""What customers want of the shop, and how they speak of what is in it."""

from toolgym.domains.shopping import schema, tools
from toolgym.domains.shopping.goals.buying import BUYING
from toolgym.domains.shopping.goals.cart import CART
from toolgym.domains.shopping.goals.orders import ORDERS
from toolgym.domains.shopping.goals.questions import QUESTIONS
from toolgym.sandbox.kit.goal import Condition, Thing

THINGS = (
    Thing(schema.Product, has_known_key=False),
    Thing(schema.Variant, has_known_key=False),
    Thing(schema.CartItem, found_by=(tools.get_cart,), has_known_key=False),
    Thing(schema.SavedItem, has_known_key=False),
    Thing(schema.Coupon, found_by=(tools.get_account,)),
    Thing(schema.Address, has_known_key=False),
    Thing(schema.Card, has_known_key=False),
    Thing(schema.Order, says_key=True),
    Thing(schema.OrderedItem, has_known_key=False),
)
CONDITIONS = (
    Condition(
        schema.Order,
        "total_cents",
        "if {it} came to {value} or more",
        tools.get_order,
        value=lambda result: result["order"]["total_cents"],
        more="came to more",
        less="came to less",
    ),
)
GOALS = (*CART, *BUYING, *ORDERS, *QUESTIONS)
