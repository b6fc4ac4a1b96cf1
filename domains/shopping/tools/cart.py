"""The cart, the list of what a customer wants to remember, and coupon codes."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field
from typing_extensions import TypedDict

from toolgym.domains.shopping.schema import (
    CartItem,
    Coupon,
    Customer,
    SavedItem,
    Variant,
    is_used,
    product_of,
)
from toolgym.sandbox.kit.world import Database, Ref, Refusal, View, contains_text, tool

MOST = 10
"""Of one thing in a cart."""


class Cart(TypedDict):
    """What lies in the cart and what it comes to, without shipping."""

    items: list[View[CartItem]]
    coupon: str | None
    subtotal_cents: int
    discount_cents: int
    total_cents: int


@tool("read")
def get_cart(db: Database) -> Cart:
    """Get what lies in the cart, the coupon, and what it comes to without shipping."""
    return cart_of(db)


@tool("write")
def add_to_cart(db: Database, variant: Ref[Variant], quantity: Annotated[int, Field(ge=1, le=MOST)] = 1) -> Cart:
    """Put something into the cart; what lies there already becomes more.

    Args:
        quantity: how many.
    """
    _add(db, variant.variant_id, quantity)
    return cart_of(db)


@tool("write")
def set_cart_quantity(db: Database, line: Ref[CartItem], quantity: Annotated[int, Field(ge=0, le=MOST)]) -> Cart:
    """Change how many of something lie in the cart.

    Args:
        quantity: how many instead; 0 takes it out.
    """
    if quantity == line.quantity:
        raise Refusal("no_change", f"There are {quantity} in the cart already.")
    if quantity:
        db.update(line, quantity=quantity)
    else:
        db.delete(line)
    return cart_of(db)


@tool("write")
def save_for_later(db: Database, line: Ref[CartItem]) -> Cart:
    """Take something out of the cart and keep it on the list."""
    if not db.mine(SavedItem, variant_id=line.variant_id):
        db.insert(
            SavedItem,
            saved_id=db.new_id(SavedItem),
            customer_id=line.customer_id,
            variant_id=line.variant_id,
            old_price_cents=db.get_one(Variant, line.variant_id).price_cents,
        )
    db.delete(line)
    return cart_of(db)


@tool("read")
def list_saved(db: Database, name: str | None = None) -> list[View[SavedItem]]:
    """List what the customer wants to remember, with its price when it was saved and now.

    Args:
        name: only what has this in its name.
    """
    return [View(row) for row in db.mine(SavedItem) if contains_text(db.get_one(Variant, row.variant_id).name, name)]


@tool("write")
def move_to_cart(db: Database, saved: Ref[SavedItem]) -> Cart:
    """Take something off the list and put one of it into the cart."""
    _add(db, saved.variant_id, 1)
    db.delete(saved)
    return cart_of(db)


@tool("write")
def apply_coupon(db: Database, code: Ref[Coupon]) -> Cart:
    """Use a coupon code for what is in the cart, in place of another one."""
    me = db.owner(Customer)
    if me.coupon_code == code.code:
        raise Refusal("no_change", "This code is applied already.")
    db.update(me, coupon_code=code.code)
    return cart_of(db)


@tool("write")
def remove_coupon(db: Database) -> Cart:
    """Use no coupon code for what is in the cart."""
    me = db.owner(Customer)
    if me.coupon_code is None:
        raise Refusal("no_change", "No code is applied.")
    db.update(me, coupon_code=None)
    return cart_of(db)


def cart_of(db: Database) -> Cart:
    """The cart as tools show it."""
    lines, off = db.mine(CartItem), discounts(db)
    subtotal, discount = sum(cost_of(db, line) for line in lines), sum(off.values())
    return {
        "items": [View(line) for line in lines],
        "coupon": db.owner(Customer).coupon_code,
        "subtotal_cents": subtotal,
        "discount_cents": discount,
        "total_cents": subtotal - discount,
    }


def cost_of(db: Database, line: CartItem) -> int:
    """What a line costs before any coupon, in cents."""
    return db.get_one(Variant, line.variant_id).price_cents * line.quantity


def discounts(db: Database) -> dict[str, int]:
    """What the applied coupon takes off each line, in cents; nothing while it does not hold."""
    code = db.owner(Customer).coupon_code
    coupon = db.get(Coupon, code) if code is not None else None
    if coupon is None or db.now.date() > coupon.until or is_used(db, coupon.code):
        return {}
    lines = [line for line in db.mine(CartItem) if coupon.category in (None, product_of(db, line.variant_id).category)]
    costs = {line.line_id: cost_of(db, line) for line in lines}
    if sum(costs.values()) < coupon.min_cents:
        return {}
    return {key: cents * coupon.percent // 100 for key, cents in costs.items()}


def _add(db: Database, variant_id: str, quantity: int) -> None:
    me = db.owner(Customer)
    there = db.mine(CartItem, variant_id=variant_id)
    if there and there[0].quantity + quantity > MOST:
        raise Refusal("too_many", f"At most {MOST} of one thing lie in the cart; there are {there[0].quantity}.")
    if there:
        db.update(there[0], quantity=there[0].quantity + quantity)
        return
    key = db.new_id(CartItem)
    db.insert(CartItem, line_id=key, customer_id=me.customer_id, variant_id=variant_id, quantity=quantity)
