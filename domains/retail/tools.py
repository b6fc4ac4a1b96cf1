"""What an agent can do at the retail service desk: tau-bench's tools by the same names and parameters."""

from collections import Counter
from collections.abc import Sequence
from decimal import ROUND_HALF_UP, Decimal
from typing import Annotated, Literal

from pydantic import Field

from domains.retail import arithmetic
from domains.retail.schema import Address, Order, OrderItem, Payment, PaymentMethod, Product, User, Variant
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
from sandbox.database import Database
from sandbox.errors import Refusal
from sandbox.tool import tool

ItemIds = Annotated[list[str], Field(min_length=1, max_length=100)]

# --- guards ---


def _order(db: Database, order_id: str) -> Order:
    order = db.get(Order, order_id)
    if order is None:
        raise Refusal("order_not_found", "Order not found; an order id looks like #W0000000, with the # sign.")
    return order


def _user(db: Database, user_id: str) -> User:
    user = db.get(User, user_id)
    if user is None:
        raise Refusal("user_not_found", "User not found.")
    return user


def _pending(order: Order, action: str, *, unmodified: bool) -> None:
    allowed = order.status == "pending" if unmodified else order.status.startswith("pending")
    if not allowed:
        raise Refusal("order_not_pending", f"Non-pending order cannot be {action}; its status is {order.status}.")


def _delivered(order: Order, action: str) -> None:
    if order.status != "delivered":
        raise Refusal("order_not_delivered", f"Non-delivered order cannot be {action}; its status is {order.status}.")


def _method(db: Database, order: Order, payment_method_id: str) -> PaymentMethod:
    """A payment method of the order's own customer."""
    method = db.get(PaymentMethod, payment_method_id)
    if method is None or method.user_id != order.user_id:
        raise Refusal("payment_method_not_found", "Payment method not found in this customer's profile.")
    return method


def _pieces(db: Database, order: Order, item_ids: Sequence[str]) -> list[OrderItem]:
    """The order's pieces for these item ids, one piece for each time an id is named."""
    rows = db.find(OrderItem, order_id=order.order_id)
    held, wanted = Counter(row.item_id for row in rows), Counter(item_ids)
    for item_id in item_ids:
        if wanted[item_id] > held[item_id]:
            raise Refusal("item_not_in_order", f"Item {item_id} is not in the order {wanted[item_id]} time(s).")
    pieces = []
    for item_id in item_ids:
        piece = next(row for row in rows if row.item_id == item_id)
        rows.remove(piece)
        pieces.append(piece)
    return pieces


def _replacements(db: Database, pieces: Sequence[OrderItem], new_item_ids: Sequence[str]) -> list[Variant]:
    """The wished variants: available ones of the same product types, in the order of the pieces."""
    if len(pieces) != len(new_item_ids):
        raise Refusal("count_mismatch", "The number of items to be exchanged should match the number of new items.")
    variants = []
    for piece, new_item_id in zip(pieces, new_item_ids, strict=True):
        old, new = db.get(Variant, piece.item_id), db.get(Variant, new_item_id)
        if new is None or old is None or new.product_id != old.product_id:
            raise Refusal("variant_not_found", f"Item {new_item_id} is no variant of the product of {piece.item_id}.")
        if not new.available:
            raise Refusal("item_unavailable", f"New item {new_item_id} is not available.")
        variants.append(new)
    return variants


def _afford(method: PaymentMethod, cents: int, purpose: str) -> None:
    if method.balance_cents is not None and method.balance_cents < cents:
        raise Refusal("insufficient_balance", f"Insufficient gift card balance to pay for the {purpose}.")


# --- money ---


def _move(db: Database, order: Order, kind: Literal["payment", "refund"], cents: int, method: PaymentMethod) -> None:
    """Record a payment or refund; a gift card's balance follows at once."""
    db.insert(
        Payment,
        order_id=order.order_id,
        position=len(db.find(Payment, order_id=order.order_id)),
        transaction_type=kind,
        amount_cents=cents,
        payment_method_id=method.payment_method_id,
    )
    if method.balance_cents is not None:
        change = -cents if kind == "payment" else cents
        db.update(method, balance_cents=method.balance_cents + change)


def _paid(db: Database, order: Order) -> dict[str, int]:
    """Cents that each payment method has paid for the order, refunds taken off."""
    paid: dict[str, int] = {}
    for payment in db.find(Payment, order_id=order.order_id):
        sign = 1 if payment.transaction_type == "payment" else -1
        paid[payment.payment_method_id] = paid.get(payment.payment_method_id, 0) + sign * payment.amount_cents
    return paid


# --- looking things up ---


@tool("neutral")
def calculate(db: Database, expression: str) -> str:
    """Calculate the result of an arithmetic expression, rounded to cents.

    Args:
        expression: numbers, the operators + - * /, brackets and spaces, such as "(12.5 + 3) * 2".
    """
    value = arithmetic.evaluate(expression)
    return str(float(value.quantize(Decimal("0.01"), rounding=ROUND_HALF_UP)) if abs(value) < 10**20 else float(value))


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
    return view_user(db, _user(db, user_id))


@tool("read")
def get_order_details(db: Database, order_id: str) -> OrderView:
    """Get an order's status, items, address, shipments and payments.

    Args:
        order_id: such as "#W0000000", with the # sign.
    """
    return view_order(db, _order(db, order_id))


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
    order = _order(db, order_id)
    _pending(order, "cancelled", unmodified=True)
    for payment_method_id, cents in _paid(db, order).items():
        if cents > 0:
            _move(db, order, "refund", cents, _method(db, order, payment_method_id))
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
    order = _order(db, order_id)
    _pending(order, "modified", unmodified=False)
    _set_address(db, order_id, address1, address2, city, state, country, zip)
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
    order = _order(db, order_id)
    _pending(order, "modified", unmodified=True)
    pieces = _pieces(db, order, item_ids)
    variants = _replacements(db, pieces, new_item_ids)
    if any(piece.item_id == variant.item_id for piece, variant in zip(pieces, variants, strict=True)):
        raise Refusal("same_item", "The new item id should be different from the old item id.")
    method = _method(db, order, payment_method_id)
    difference = sum(variant.price_cents for variant in variants) - sum(piece.price_cents for piece in pieces)
    _afford(method, difference, "new item")
    if difference:
        _move(db, order, "payment" if difference > 0 else "refund", abs(difference), method)
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
    order = _order(db, order_id)
    _pending(order, "modified", unmodified=False)
    method = _method(db, order, payment_method_id)
    payments = db.find(Payment, order_id=order_id)
    if len(payments) != 1 or payments[0].transaction_type != "payment":
        raise Refusal("not_one_payment", "There should be exactly one payment for a pending order.")
    if payments[0].payment_method_id == payment_method_id:
        raise Refusal("same_payment_method", "The new payment method should be different from the current one.")
    _afford(method, payments[0].amount_cents, "order")
    _move(db, order, "payment", payments[0].amount_cents, method)
    _move(db, order, "refund", payments[0].amount_cents, _method(db, order, payments[0].payment_method_id))
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
    order = _order(db, order_id)
    _delivered(order, "returned")
    method = _method(db, order, payment_method_id)
    payments = db.find(Payment, order_id=order_id)
    if method.source != "gift_card" and payment_method_id != payments[0].payment_method_id:
        raise Refusal("wrong_refund_method", "The refund goes to the original payment method or to a gift card.")
    for piece in _pieces(db, order, item_ids):
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
    order = _order(db, order_id)
    _delivered(order, "exchanged")
    pieces = _pieces(db, order, item_ids)
    variants = _replacements(db, pieces, new_item_ids)
    method = _method(db, order, payment_method_id)
    difference = sum(variant.price_cents for variant in variants) - sum(piece.price_cents for piece in pieces)
    _afford(method, difference, "price difference")
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
    user = _user(db, user_id)
    _set_address(db, user_id, address1, address2, city, state, country, zip)
    return view_user(db, user)


@tool("neutral", ends_episode=True)
def transfer_to_human_agents(db: Database, summary: str) -> str:
    """Hand the customer over to a human agent.

    Only when the customer asks for one, or when the request is outside the policy and the tools.

    Args:
        summary: the customer's problem in a few words.
    """
    return "Transfer successful"


def _set_address(
    db: Database, owner_id: str, address1: str, address2: str, city: str, state: str, country: str, zip: str
) -> None:
    row = db.get(Address, owner_id)
    assert row is not None, "every user and order has an address"
    db.update(row, address1=address1, address2=address2, city=city, state=state, country=country, zip=zip)
