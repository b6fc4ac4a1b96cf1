"""What the retail tools share: refusing with tau-bench's words, moving money, setting an address."""

from collections import Counter
from collections.abc import Sequence
from typing import Literal

from toolgym.domains.retail.schema import Address, Order, OrderItem, Payment, PaymentMethod, Variant
from toolgym.sandbox.kit.world import Database, Refusal

# --- guards ---


def is_pending(status: str) -> bool:
    """Whether an order has not been processed."""
    return status.startswith("pending")


def is_untouched(status: str) -> bool:
    """Whether an order has not been processed and its items have never been changed."""
    return status == "pending"


def is_delivered(status: str) -> bool:
    """Whether an order has arrived and nothing of it was returned or exchanged."""
    return status == "delivered"


def takes_refund(source: str, payment_method_id: str, paid_with: str) -> bool:
    """Whether a return is refunded to a payment method: the one that paid, or a gift card."""
    return source == "gift_card" or payment_method_id == paid_with


def covers(balance_cents: int | None, cents: int) -> bool:
    """Whether a payment method pays an amount: only gift cards have a balance that runs out."""
    return balance_cents is None or balance_cents >= cents


def require_pending(order: Order, action: str, *, unmodified: bool) -> None:
    """Refuse when an order is no longer pending, or has had its items changed."""
    if not (is_untouched if unmodified else is_pending)(order.status):
        raise Refusal("order_not_pending", f"Non-pending order cannot be {action}; its status is {order.status}.")


def require_delivered(order: Order, action: str) -> None:
    """Refuse when an order is not delivered."""
    if not is_delivered(order.status):
        raise Refusal("order_not_delivered", f"Non-delivered order cannot be {action}; its status is {order.status}.")


def own_method(order: Order, method: PaymentMethod | None) -> PaymentMethod:
    """A payment method, which must be of the order's own customer."""
    if method is None or method.user_id != order.user_id:
        raise Refusal("payment_method_not_found", "Payment method not found in this customer's profile.")
    return method


def find_pieces(db: Database, order: Order, item_ids: Sequence[str]) -> list[OrderItem]:
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


def find_replacements(
    db: Database, pieces: Sequence[OrderItem], new_item_ids: Sequence[str], *, other: bool = False
) -> list[Variant]:
    """The wished variants: available ones of the same product types, in the order of the pieces.

    Args:
        db: the rows.
        pieces: what is replaced.
        new_item_ids: what replaces it.
        other: a variant that the piece already is does not count as one.
    """
    if len(pieces) != len(new_item_ids):
        raise Refusal("count_mismatch", "The number of items to be exchanged should match the number of new items.")
    variants = []
    for piece, new_item_id in zip(pieces, new_item_ids, strict=True):
        if other and new_item_id == piece.item_id:
            raise Refusal("same_item", "The new item id should be different from the old item id.")
        old, new = db.get(Variant, piece.item_id), db.get(Variant, new_item_id)
        if new is None or old is None or new.product_id != old.product_id:
            raise Refusal("variant_not_found", f"Item {new_item_id} is no variant of the product of {piece.item_id}.")
        if not new.available:
            raise Refusal("item_unavailable", f"New item {new_item_id} is not available.")
        variants.append(new)
    return variants


def require_cover(method: PaymentMethod, cents: int, purpose: str) -> None:
    """Refuse when a gift card does not cover an amount."""
    if not covers(method.balance_cents, cents):
        raise Refusal("insufficient_balance", f"Insufficient gift card balance to pay for the {purpose}.")


# --- money ---


def move_money(
    db: Database, order: Order, kind: Literal["payment", "refund"], cents: int, method: PaymentMethod
) -> None:
    """Record a payment or refund; a gift card's balance follows at once."""
    db.add(
        Payment,
        order=order,
        position=len(db.find(Payment, order_id=order.order_id)),
        transaction_type=kind,
        amount_cents=cents,
        payment_method=method,
    )
    if method.balance_cents is not None:
        change = -cents if kind == "payment" else cents
        db.update(method, balance_cents=method.balance_cents + change)


def paid_by_method(db: Database, order: Order) -> dict[str, int]:
    """Cents that each payment method has paid for the order, refunds taken off."""
    paid: dict[str, int] = {}
    for payment in db.find(Payment, order_id=order.order_id):
        sign = 1 if payment.transaction_type == "payment" else -1
        paid[payment.payment_method_id] = paid.get(payment.payment_method_id, 0) + sign * payment.amount_cents
    return paid


def set_address(
    db: Database, owner_id: str, address1: str, address2: str, city: str, state: str, country: str, zip: str
) -> None:
    """Change the address of a customer or an order."""
    row = db.get_one(Address, owner_id)
    db.update(row, address1=address1, address2=address2, city=city, state=state, country=country, zip=zip)
