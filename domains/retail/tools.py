"""What an agent can do at the retail service desk: tau-bench's tools by the same names and parameters."""

from typing import Annotated, Literal

from pydantic import Field

from toolgym.domains.retail import guards, views
from toolgym.domains.retail.schema import Order, Payment, PaymentMethod, Product, User, Variant
from toolgym.sandbox.kit.reference import FREE, Reference
from toolgym.sandbox.kit.world import Database, Refusal, tool

ItemIds = Annotated[list[str], Field(min_length=1, max_length=100)]
OrderRef = Annotated[
    Order,
    Reference(
        name="order_id",
        about='such as "#W0000000", with the # sign.',
        code="order_not_found",
        message="Order not found; an order id looks like #W0000000, with the # sign.",
    ),
]
UserRef = Annotated[
    User, Reference(name="user_id", about='such as "sara_doe_4960".', code="user_not_found", message="User not found.")
]
ProductRef = Annotated[
    Product,
    Reference(
        name="product_id",
        about='such as "6086499569"; a product id is not an item id.',
        code="product_not_found",
        message="Product not found; take the product id, not an item id.",
    ),
]
ItemRef = Annotated[
    Variant,
    Reference(
        name="item_id",
        about='such as "6086499569"; an item id is not a product id.',
        code="item_not_found",
        message="Item not found; take an item id, not a product id.",
    ),
]
# the order's state and items are looked at before the payment method, so the tools refuse it themselves
MethodRef = Annotated[PaymentMethod | None, Reference(name="payment_method_id", required=False)]

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
def get_user_details(db: Database, user: UserRef) -> views.UserView:
    """Get a customer's profile: name, address, e-mail, payment methods and order ids."""
    return views.view_user(db, user)


@tool("read")
def get_order_details(db: Database, order: OrderRef) -> views.OrderView:
    """Get an order's status, items, address, shipments and payments."""
    return views.view_order(db, order)


@tool("read")
def get_product_details(db: Database, product: ProductRef) -> views.ProductView:
    """Get a product type with all its variants, their options, prices and availability."""
    return views.view_product(db, product)


@tool("read")
def get_item_details(db: Database, item: ItemRef) -> views.VariantView:
    """Get one item's options, price and availability."""
    return views.view_variant(item)


@tool("read")
def list_all_product_types(db: Database) -> dict[str, str]:
    """List the product types of the shop with their product ids, by name."""
    return dict(sorted((product.name, product.product_id) for product in db.find(Product)))


# --- pending orders ---


@tool("write")
def cancel_pending_order(
    db: Database, order: OrderRef, reason: Literal["no longer needed", "ordered by mistake"]
) -> views.OrderView:
    """Cancel a pending order and refund what was paid for it.

    Explain the consequences and obtain the customer's explicit yes first. Gift cards are refunded at once, other
    payment methods in 5 to 7 business days.

    Args:
        reason: why the customer cancels.
    """
    guards.require_pending(order, "cancelled", unmodified=True)
    for method_id, cents in guards.paid_by_method(db, order).items():
        if cents > 0:
            guards.move_money(db, order, "refund", cents, guards.own_method(order, db.get(PaymentMethod, method_id)))
    return views.view_order(db, db.update(order, status="cancelled", cancel_reason=reason))


@tool("write")
def modify_pending_order_address(
    db: Database, order: OrderRef, address1: str, address2: str, city: str, state: str, country: str, zip: str
) -> views.OrderView:
    """Change the shipping address of a pending order.

    Explain the change and obtain the customer's explicit yes first.

    Args:
        address1: the first line, such as "123 Main St".
        address2: the second line, such as "Apt 1"; empty if there is none.
        city: such as "San Francisco".
        state: such as "CA".
        country: such as "USA".
        zip: such as "12345".
    """
    guards.require_pending(order, "modified", unmodified=False)
    guards.set_address(db, order.order_id, address1, address2, city, state, country, zip)
    return views.view_order(db, order)


@tool("write")
def modify_pending_order_items(
    db: Database, order: OrderRef, item_ids: ItemIds, new_item_ids: ItemIds, payment_method: MethodRef
) -> views.OrderView:
    """Replace items of a pending order by other variants of the same products.

    This can be done once for an order. Explain the price difference and obtain the customer's explicit yes first.

    Args:
        item_ids: the items to replace; an id may be repeated when the order holds several pieces of it.
        new_item_ids: the items to have instead, in the order of item_ids.
        payment_method: pays or receives the price difference, such as "gift_card_0000000".
    """
    guards.require_pending(order, "modified", unmodified=True)
    pieces = guards.find_pieces(db, order, item_ids)
    variants = guards.find_replacements(db, pieces, new_item_ids, other=True)
    method = guards.own_method(order, payment_method)
    difference = sum(variant.price_cents for variant in variants) - sum(piece.price_cents for piece in pieces)
    guards.require_cover(method, difference, "new item")
    if difference:
        guards.move_money(db, order, "payment" if difference > 0 else "refund", abs(difference), method)
    for piece, variant in zip(pieces, variants, strict=True):
        db.update(piece, item_id=variant.item_id, price_cents=variant.price_cents)
    return views.view_order(db, db.update(order, status="pending (item modified)"))


@tool("write")
def modify_pending_order_payment(db: Database, order: OrderRef, payment_method: MethodRef) -> views.OrderView:
    """Pay a pending order by another payment method; the first one is refunded.

    Explain the change and obtain the customer's explicit yes first.

    Args:
        payment_method: the new payment method, such as "paypal_0000000".
    """
    guards.require_pending(order, "modified", unmodified=False)
    method = guards.own_method(order, payment_method)
    payments = db.find(Payment, order_id=order.order_id)
    if len(payments) != 1 or payments[0].transaction_type != "payment":
        raise Refusal("not_one_payment", "There should be exactly one payment for a pending order.")
    if payments[0].payment_method_id == method.payment_method_id:
        raise Refusal("same_payment_method", "The new payment method should be different from the current one.")
    guards.require_cover(method, payments[0].amount_cents, "order")
    guards.move_money(db, order, "payment", payments[0].amount_cents, method)
    first = guards.own_method(order, db.get(PaymentMethod, payments[0].payment_method_id))
    guards.move_money(db, order, "refund", payments[0].amount_cents, first)
    return views.view_order(db, order)


# --- delivered orders ---


@tool("write")
def return_delivered_order_items(
    db: Database, order: OrderRef, item_ids: ItemIds, payment_method: MethodRef
) -> views.OrderView:
    """Request the return of items of a delivered order.

    Explain the refund and obtain the customer's explicit yes first.

    Args:
        item_ids: the items to return; an id may be repeated when the order holds several pieces of it.
        payment_method: receives the refund: the order's original payment method or a gift card.
    """
    guards.require_delivered(order, "returned")
    method = guards.own_method(order, payment_method)
    payments = db.find(Payment, order_id=order.order_id)
    if not guards.takes_refund(method.source, method.payment_method_id, payments[0].payment_method_id):
        raise Refusal("wrong_refund_method", "The refund goes to the original payment method or to a gift card.")
    for piece in guards.find_pieces(db, order, item_ids):
        db.update(piece, request="return")
    return views.view_order(
        db, db.update(order, status="return requested", request_payment_method_id=method.payment_method_id)
    )


@tool("write")
def exchange_delivered_order_items(
    db: Database, order: OrderRef, item_ids: ItemIds, new_item_ids: ItemIds, payment_method: MethodRef
) -> views.OrderView:
    """Request the exchange of items of a delivered order for other variants of the same products.

    This can be done once for a delivered order. Explain the price difference and obtain the customer's explicit yes
    first.

    Args:
        item_ids: the items to exchange; an id may be repeated when the order holds several pieces of it.
        new_item_ids: the items to have instead, in the order of item_ids.
        payment_method: pays or receives the price difference, such as "gift_card_0000000".
    """
    guards.require_delivered(order, "exchanged")
    pieces = guards.find_pieces(db, order, item_ids)
    variants = guards.find_replacements(db, pieces, new_item_ids)
    method = guards.own_method(order, payment_method)
    difference = sum(variant.price_cents for variant in variants) - sum(piece.price_cents for piece in pieces)
    guards.require_cover(method, difference, "price difference")
    for piece, variant in zip(pieces, variants, strict=True):
        db.update(piece, request="exchange", new_item_id=variant.item_id)
    changed = db.update(
        order,
        status="exchange requested",
        request_payment_method_id=method.payment_method_id,
        price_difference_cents=difference,
    )
    return views.view_order(db, changed)


# --- the rest ---


@tool("write")
def modify_user_address(
    db: Database, user: UserRef, address1: str, address2: str, city: str, state: str, country: str, zip: str
) -> views.UserView:
    """Change the default address in a customer's profile.

    Explain the change and obtain the customer's explicit yes first.

    Args:
        address1: the first line, such as "123 Main St".
        address2: the second line, such as "Apt 1"; empty if there is none.
        city: such as "San Francisco".
        state: such as "CA".
        country: such as "USA".
        zip: such as "12345".
    """
    guards.set_address(db, user.user_id, address1, address2, city, state, country, zip)
    return views.view_user(db, user)


@tool("neutral", ends_episode=True)
def transfer_to_human_agents(db: Database, summary: Annotated[str, FREE]) -> str:
    """Hand the customer over to a human agent.

    Only when the customer asks for one, or when the request is outside the policy and the tools.

    Args:
        summary: the customer's problem in a few words.
    """
    return "Transfer successful"
