"""The shop's rules. Its tools hold most of them with tau-bench's own codes and words, by the predicates of `guards`."""

from collections.abc import Sequence

from toolgym.domains.retail import tools
from toolgym.domains.retail.guards import covers, is_delivered, is_pending, is_untouched, takes_refund
from toolgym.domains.retail.schema import Order, PaymentMethod, User
from toolgym.domains.retail.views import ItemView, OrderView, ProductView, UserView
from toolgym.sandbox.kit.world import ToolCall, View, rule

_SWAPS = (tools.modify_pending_order_items, tools.exchange_delivered_order_items)
_ON_DELIVERED = (tools.return_delivered_order_items, tools.exchange_delivered_order_items)
REASONS = ("no longer needed", "ordered by mistake")
_TOO_LATE = "processed|shipped|on its way|on the way|dispatched|delivered|arrived|received|cancelled|canceled|pending"


# --- what a rule looks at ---


def _details(order: View[Order]) -> ToolCall:
    return ToolCall(name=tools.get_order_details.name, arguments={"order_id": order.row.order_id})


def _profile(order: View[Order]) -> ToolCall:
    return ToolCall(name=tools.get_user_details.name, arguments={"user_id": order.row.user_id})


def _products(details: OrderView, item_ids: list[str] | None) -> list[ToolCall]:
    kinds = dict.fromkeys(item["product_id"] for item in _pieces(details, item_ids or ()))
    return [ToolCall(name=tools.get_product_details.name, arguments={"product_id": kind}) for kind in kinds]


def _pieces(details: OrderView, item_ids: Sequence[str]) -> list[ItemView]:
    held = {item["item_id"]: item for item in details["items"]}
    return [held[item_id] for item_id in item_ids if item_id in held]


def _cents(dollars: float) -> int:
    return round(dollars * 100)


# --- the rules ---


@rule(
    "Serve one customer per conversation; orders of another customer's account are none of theirs.",
    why="That order belongs to another customer's account.|another customer|other customer|someone else|somebody else|"
    "another person|not yours|your own|your account|your profile|your orders|different account|another account|"
    "account holder|different user|another user|different customer|customer who placed it|person who placed it",
    on=[
        tools.cancel_pending_order,
        tools.modify_pending_order_address,
        tools.get_order_details,
    ],  # elsewhere the payment is refused
    reads=[tools.get_user_details, tools.get_order_details],
    by="policy",
)
def own_order(order: View[Order], owner: View[User]) -> bool:
    return order.row.user_id == owner.row.user_id


@rule(
    "The shipping address and the payment method change only while an order is pending.",
    why=f"The order is no longer pending.|{_TOO_LATE}",
    on=[tools.modify_pending_order_address, tools.modify_pending_order_payment],
    reads=[tools.get_order_details],
    inside="order_not_pending",
)
def pending(order: View[Order]) -> bool:
    return is_pending(order.row.status)


@rule(
    'An order is cancelled, and its items are changed, only while its status is "pending": once, since a change of '
    'items makes it "pending (item modified)".',
    why=f"The order is no longer pending.|{_TOO_LATE}|once",
    on=[tools.cancel_pending_order, tools.modify_pending_order_items],
    reads=[tools.get_order_details],
    inside="order_not_pending",
)
def untouched(order: View[Order]) -> bool:
    return is_untouched(order.row.status)


@rule(
    "Items are returned or exchanged only when their order is delivered, and once: one return or one exchange.",
    why="The order has not been delivered.|delivered|pending|processed|arrived|received|cancelled|canceled|once",
    on=_ON_DELIVERED,
    reads=[tools.get_order_details],
    inside="order_not_delivered",
)
def delivered(order: View[Order]) -> bool:
    return is_delivered(order.row.status)


@rule(
    'The reason for a cancellation is "no longer needed" or "ordered by mistake"; no other one is accepted.',
    why="That reason is not accepted.|no longer needed|no longer need|not needed|by mistake|reason|reasons",
    on=[tools.cancel_pending_order],
    inside="invalid_arguments",
)
def reason_accepted(reason: str) -> bool:
    return reason in REASONS


@rule(
    "An item is replaced by a variant of the same product type, never by another product type.",
    why="It must be of the same product.|same product|same type|same kind|same item|product type|type of product|"
    "different product|another product|different type|another type|other product|variant|variants|different item",
    on=_SWAPS,
    reads=[tools.get_order_details, tools.get_product_details],
    looks={"details": _details, "products": _products},
    inside="variant_not_found",
)
def same_product(
    order: View[Order], item_ids: list[str], new_item_ids: list[str], details: OrderView, products: list[ProductView]
) -> bool:
    variants = {kind["product_id"]: kind["variants"] for kind in products}
    old = _pieces(details, item_ids)
    return all(new in variants[piece["product_id"]] for piece, new in zip(old, new_item_ids, strict=False))


@rule(
    "An item is replaced only by a variant that is available.",
    why="That variant is not available.|available|unavailable|in stock|out of stock|stock|sold out",
    on=_SWAPS,
    reads=[tools.get_order_details, tools.get_product_details],
    looks={"details": _details, "products": _products},
    inside="item_unavailable",
)
def in_stock(
    order: View[Order], item_ids: list[str], new_item_ids: list[str], details: OrderView, products: list[ProductView]
) -> bool:
    variants = {name: variant for kind in products for name, variant in kind["variants"].items()}
    return all(variants[new]["available"] for new in new_item_ids if new in variants)


@rule(
    "A return is refunded to the payment method that paid for the order, or to a gift card of the customer.",
    why="The refund goes to the original payment method or to a gift card.|original payment|original method|"
    "original form|originally|gift card|paid with|used to pay|same payment",
    on=[tools.return_delivered_order_items],
    reads=[tools.get_order_details, tools.get_user_details],
    looks={"details": _details, "profile": _profile},
    inside="wrong_refund_method",
)
def refund_method(
    order: View[Order], payment_method: View[PaymentMethod], details: OrderView, profile: UserView
) -> bool:
    key = payment_method.row.payment_method_id
    method = profile["payment_methods"].get(key)
    return method is None or takes_refund(method["source"], key, details["payment_history"][0]["payment_method_id"])


@rule(
    "A gift card covers what it shall pay: the whole of an order, or the price difference of other items.",
    why="The gift card does not cover that.|balance|enough|insufficient|sufficient|cover|covers|too low|less than",
    on=[tools.modify_pending_order_payment, *_SWAPS],
    reads=[tools.get_order_details, tools.get_user_details, tools.get_product_details],
    looks={"details": _details, "profile": _profile, "products": _products},
    inside="insufficient_balance",
)
def covered(
    order: View[Order],
    payment_method: View[PaymentMethod],
    details: OrderView,
    profile: UserView,
    item_ids: list[str] | None = None,
    new_item_ids: list[str] | None = None,
    products: list[ProductView] | None = None,
) -> bool:
    prices = {name: variant["price"] for kind in products or () for name, variant in kind["variants"].items()}
    cents = _cents(details["payment_history"][0]["amount"])
    if item_ids is not None:
        before = sum(_cents(piece["price"]) for piece in _pieces(details, item_ids))
        cents = sum(_cents(prices.get(new, 0.0)) for new in new_item_ids or ()) - before
    method = profile["payment_methods"].get(payment_method.row.payment_method_id)
    balance = method.get("balance") if method else None
    return covers(None if balance is None else _cents(balance), cents)
