"""What an agent can do at the retail service desk: tau-bench's tools by the same names and parameters."""

from typing import Annotated, Literal

from pydantic import Field

from domains.retail.guards import (
    find_method,
    find_order,
    find_pieces,
    find_replacements,
    find_user,
    move_money,
    paid_by_method,
    require_cover,
    require_delivered,
    require_pending,
    set_address,
)
from domains.retail.schema import Payment, Product, User, Variant
from domains.retail.views import (
    OrderView,
    ProductView,
    UserView,
    VariantView,
    view_order,
    view_product,
    view_user,
    view_variant,
)
from sandbox.kit.database import Database
from sandbox.kit.errors import Refusal
from sandbox.kit.tool import tool

ItemIds = Annotated[list[str], Field(min_length=1, max_length=100)]

# --- looking things up ---


@tool("read")
def find_user_id_by_email(db: Database, email: str) -> str:
    """Find a customer's user id by e-mail address.

    Args:
        email: the address, such as "someone@example.com".
    """
    found = db.find(User, email=email.strip().lower())
    if not found:
        raise Refusal("user_not_found", "User not found.")
    return found[0].user_id


@tool("read")
def find_user_id_by_name_zip(db: Database, first_name: str, last_name: str, zip: str) -> str:
    """Find a customer's user id by name and zip code; for customers who do not know their e-mail address.

    Args:
        first_name: such as "John".
        last_name: such as "Doe".
        zip: the zip code of the customer's own address, such as "12345".
    """
    rows = db.query(
        "SELECT user_id FROM users JOIN addresses ON owner_id = user_id WHERE last_name = :last COLLATE NOCASE "
        "AND first_name = :first COLLATE NOCASE AND zip = :zip ORDER BY user_id",
        first=first_name.strip(),
        last=last_name.strip(),
        zip=zip.strip(),
    )
    if not rows:
        raise Refusal("user_not_found", "User not found.")
    return str(rows[0][0])


@tool("read")
def get_user_details(db: Database, user_id: str) -> UserView:
    """Get a customer's profile: name, address, e-mail, payment methods and order ids.

    Args:
        user_id: such as "sara_doe_4960".
    """
    return view_user(db, find_user(db, user_id))


@tool("read")
def get_order_details(db: Database, order_id: str) -> OrderView:
    """Get an order's status, items, address, shipments and payments.

    Args:
        order_id: such as "#W0000000", with the # sign.
    """
    return view_order(db, find_order(db, order_id))


@tool("read")
def get_product_details(db: Database, product_id: str) -> ProductView:
    """Get a product type with all its variants, their options, prices and availability.

    Args:
        product_id: such as "6086499569"; a product id is not an item id.
    """
    product = db.get(Product, product_id)
    if product is None:
        raise Refusal("product_not_found", "Product not found; take the product id, not an item id.")
    return view_product(db, product)


@tool("read")
def get_item_details(db: Database, item_id: str) -> VariantView:
    """Get one item's options, price and availability.

    Args:
        item_id: such as "6086499569"; an item id is not a product id.
    """
    variant = db.get(Variant, item_id)
    if variant is None:
        raise Refusal("item_not_found", "Item not found; take an item id, not a product id.")
    return view_variant(variant)


@tool("read")
def list_all_product_types(db: Database) -> dict[str, str]:
    """List the product types of the shop with their product ids, by name."""
    return dict(sorted((product.name, product.product_id) for product in db.find(Product)))


# --- pending orders ---


@tool("write")
def cancel_pending_order(
    db: Database, order_id: str, reason: Literal["no longer needed", "ordered by mistake"]
) -> OrderView:
    """Cancel a pending order and refund what was paid for it.

    Explain the consequences and obtain the customer's explicit yes first. Gift cards are refunded at once, other
    payment methods in 5 to 7 business days.

    Args:
        order_id: such as "#W0000000", with the # sign.
        reason: why the customer cancels.
    """
    order = find_order(db, order_id)
    require_pending(order, "cancelled", unmodified=True)
    for payment_method_id, cents in paid_by_method(db, order).items():
        if cents > 0:
            move_money(db, order, "refund", cents, find_method(db, order, payment_method_id))
    return view_order(db, db.update(order, status="cancelled", cancel_reason=reason))


@tool("write")
def modify_pending_order_address(
    db: Database, order_id: str, address1: str, address2: str, city: str, state: str, country: str, zip: str
) -> OrderView:
    """Change the shipping address of a pending order.

    Explain the change and obtain the customer's explicit yes first.

    Args:
        order_id: such as "#W0000000", with the # sign.
        address1: the first line, such as "123 Main St".
        address2: the second line, such as "Apt 1"; empty if there is none.
        city: such as "San Francisco".
        state: such as "CA".
        country: such as "USA".
        zip: such as "12345".
    """
    order = find_order(db, order_id)
    require_pending(order, "modified", unmodified=False)
    set_address(db, order_id, address1, address2, city, state, country, zip)
    return view_order(db, order)


@tool("write")
def modify_pending_order_items(
    db: Database, order_id: str, item_ids: ItemIds, new_item_ids: ItemIds, payment_method_id: str
) -> OrderView:
    """Replace items of a pending order by other variants of the same products.

    This can be done once for an order. Explain the price difference and obtain the customer's explicit yes first.

    Args:
        order_id: such as "#W0000000", with the # sign.
        item_ids: the items to replace; an id may be repeated when the order holds several pieces of it.
        new_item_ids: the items to have instead, in the order of item_ids.
        payment_method_id: pays or receives the price difference, such as "gift_card_0000000".
    """
    order = find_order(db, order_id)
    require_pending(order, "modified", unmodified=True)
    pieces = find_pieces(db, order, item_ids)
    variants = find_replacements(db, pieces, new_item_ids, other=True)
    method = find_method(db, order, payment_method_id)
    difference = sum(variant.price_cents for variant in variants) - sum(piece.price_cents for piece in pieces)
    require_cover(method, difference, "new item")
    if difference:
        move_money(db, order, "payment" if difference > 0 else "refund", abs(difference), method)
    for piece, variant in zip(pieces, variants, strict=True):
        db.update(piece, item_id=variant.item_id, price_cents=variant.price_cents)
    return view_order(db, db.update(order, status="pending (item modified)"))


@tool("write")
def modify_pending_order_payment(db: Database, order_id: str, payment_method_id: str) -> OrderView:
    """Pay a pending order by another payment method; the first one is refunded.

    Explain the change and obtain the customer's explicit yes first.

    Args:
        order_id: such as "#W0000000", with the # sign.
        payment_method_id: the new payment method, such as "paypal_0000000".
    """
    order = find_order(db, order_id)
    require_pending(order, "modified", unmodified=False)
    method = find_method(db, order, payment_method_id)
    payments = db.find(Payment, order_id=order_id)
    if len(payments) != 1 or payments[0].transaction_type != "payment":
        raise Refusal("not_one_payment", "There should be exactly one payment for a pending order.")
    if payments[0].payment_method_id == payment_method_id:
        raise Refusal("same_payment_method", "The new payment method should be different from the current one.")
    require_cover(method, payments[0].amount_cents, "order")
    move_money(db, order, "payment", payments[0].amount_cents, method)
    move_money(db, order, "refund", payments[0].amount_cents, find_method(db, order, payments[0].payment_method_id))
    return view_order(db, order)


# --- delivered orders ---


@tool("write")
def return_delivered_order_items(db: Database, order_id: str, item_ids: ItemIds, payment_method_id: str) -> OrderView:
    """Request the return of items of a delivered order.

    Explain the refund and obtain the customer's explicit yes first.

    Args:
        order_id: such as "#W0000000", with the # sign.
        item_ids: the items to return; an id may be repeated when the order holds several pieces of it.
        payment_method_id: receives the refund: the order's original payment method or a gift card.
    """
    order = find_order(db, order_id)
    require_delivered(order, "returned")
    method = find_method(db, order, payment_method_id)
    payments = db.find(Payment, order_id=order_id)
    if method.source != "gift_card" and payment_method_id != payments[0].payment_method_id:
        raise Refusal("wrong_refund_method", "The refund goes to the original payment method or to a gift card.")
    for piece in find_pieces(db, order, item_ids):
        db.update(piece, request="return")
    return view_order(
        db, db.update(order, status="return requested", request_payment_method_id=method.payment_method_id)
    )


@tool("write")
def exchange_delivered_order_items(
    db: Database, order_id: str, item_ids: ItemIds, new_item_ids: ItemIds, payment_method_id: str
) -> OrderView:
    """Request the exchange of items of a delivered order for other variants of the same products.

    This can be done once for a delivered order. Explain the price difference and obtain the customer's explicit yes
    first.

    Args:
        order_id: such as "#W0000000", with the # sign.
        item_ids: the items to exchange; an id may be repeated when the order holds several pieces of it.
        new_item_ids: the items to have instead, in the order of item_ids.
        payment_method_id: pays or receives the price difference, such as "gift_card_0000000".
    """
    order = find_order(db, order_id)
    require_delivered(order, "exchanged")
    pieces = find_pieces(db, order, item_ids)
    variants = find_replacements(db, pieces, new_item_ids)
    method = find_method(db, order, payment_method_id)
    difference = sum(variant.price_cents for variant in variants) - sum(piece.price_cents for piece in pieces)
    require_cover(method, difference, "price difference")
    for piece, variant in zip(pieces, variants, strict=True):
        db.update(piece, request="exchange", new_item_id=variant.item_id)
    changed = db.update(
        order,
        status="exchange requested",
        request_payment_method_id=method.payment_method_id,
        price_difference_cents=difference,
    )
    return view_order(db, changed)


# --- the rest ---


@tool("write")
def modify_user_address(
    db: Database, user_id: str, address1: str, address2: str, city: str, state: str, country: str, zip: str
) -> UserView:
    """Change the default address in a customer's profile.

    Explain the change and obtain the customer's explicit yes first.

    Args:
        user_id: such as "sara_doe_4960".
        address1: the first line, such as "123 Main St".
        address2: the second line, such as "Apt 1"; empty if there is none.
        city: such as "San Francisco".
        state: such as "CA".
        country: such as "USA".
        zip: such as "12345".
    """
    user = find_user(db, user_id)
    set_address(db, user_id, address1, address2, city, state, country, zip)
    return view_user(db, user)


@tool("neutral", ends_episode=True)
def transfer_to_human_agents(db: Database, summary: str) -> str:
    """Hand the customer over to a human agent.

    Only when the customer asks for one, or when the request is outside the policy and the tools.

    Args:
        summary: the customer's problem in a few words.
    """
    return "Transfer successful"
