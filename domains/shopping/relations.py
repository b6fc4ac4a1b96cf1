"""How customers get from one row of the shop to another, in requests that are answered at once."""

from toolgym.domains.shopping.schema import CartItem, Order, OrderedItem, Product, SavedItem, Variant
from toolgym.sandbox.kit.goal import Relation

RELATIONS = (
    Relation(Order, "address_id", says="the address that {it} went to"),
    Relation(Order, "method_id", says="the card that paid for {it}"),
    Relation(
        OrderedItem,
        "order_id",
        says="the order of {it}",
        by="from {it}",
        only="the only thing in {it}",
        first="the first thing in {it}",
    ),
    Relation(OrderedItem, "variant_id", says="the same as {it}"),
    Relation(OrderedItem, "product_id", says="the same product as {it}"),
    Relation(Product, "bought_with_id", says="the usual companion of {it}"),
    Relation(Product, "successor_id", says="the successor of {it}"),
    Relation(Variant, "product_id", by="the {colour} one[ in {size}] of {it}", only="{it}"),
    Relation(CartItem, "variant_id", says="the same as {it}"),
    Relation(SavedItem, "variant_id", says="the same as {it}"),
)
