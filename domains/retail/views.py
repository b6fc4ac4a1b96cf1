"""What retail tools show: the JSON shapes of tau-bench's retail tools, read from the tables."""

from typing import NotRequired

from typing_extensions import TypedDict

from toolgym.domains.retail import schema
from toolgym.sandbox.kit.database import Database


class AddressView(TypedDict):
    """A postal address."""

    address1: str
    address2: str
    city: str
    country: str
    state: str
    zip: str


class NameView(TypedDict):
    """A person's name."""

    first_name: str
    last_name: str


class PaymentMethodView(TypedDict):
    """A way to pay; `balance` in dollars."""

    source: str
    id: str
    brand: NotRequired[str]
    last_four: NotRequired[str]
    balance: NotRequired[float]


class UserView(TypedDict):
    """A customer with their orders."""

    user_id: str
    name: NameView
    address: AddressView
    email: str
    payment_methods: dict[str, PaymentMethodView]
    orders: list[str]


class VariantView(TypedDict):
    """An item that can be bought; `price` in dollars."""

    item_id: str
    options: dict[str, str]
    available: bool
    price: float


class ProductView(TypedDict):
    """A product type with its variants by item id."""

    name: str
    product_id: str
    variants: dict[str, VariantView]


class ItemView(TypedDict):
    """A piece of an order; `price` in dollars as bought."""

    name: str
    product_id: str
    item_id: str
    price: float
    options: dict[str, str]


class FulfillmentView(TypedDict):
    """A shipment."""

    tracking_id: list[str]
    item_ids: list[str]


class PaymentView(TypedDict):
    """A movement of money; `amount` in dollars."""

    transaction_type: str
    amount: float
    payment_method_id: str


class OrderView(TypedDict):
    """An order; the last keys appear once it was cancelled or a return or exchange was requested."""

    order_id: str
    user_id: str
    address: AddressView
    items: list[ItemView]
    status: str
    fulfillments: list[FulfillmentView]
    payment_history: list[PaymentView]
    cancel_reason: NotRequired[str]
    exchange_items: NotRequired[list[str]]
    exchange_new_items: NotRequired[list[str]]
    exchange_payment_method_id: NotRequired[str]
    exchange_price_difference: NotRequired[float]
    return_items: NotRequired[list[str]]
    return_payment_method_id: NotRequired[str]


def dollars(cents: int) -> float:
    """Cents as dollars."""
    return cents / 100


def view_address(db: Database, owner_id: str) -> AddressView:
    """The address of a user or an order."""
    row = db.get_one(schema.Address, owner_id)
    return {
        "address1": row.address1,
        "address2": row.address2,
        "city": row.city,
        "country": row.country,
        "state": row.state,
        "zip": row.zip,
    }


def view_payment_method(method: schema.PaymentMethod) -> PaymentMethodView:
    """A payment method."""
    view: PaymentMethodView = {"source": method.source, "id": method.payment_method_id}
    if method.brand is not None and method.last_four is not None:
        view |= {"brand": method.brand, "last_four": method.last_four}
    if method.balance_cents is not None:
        view["balance"] = dollars(method.balance_cents)
    return view


def view_user(db: Database, user: schema.User) -> UserView:
    """A customer's profile."""
    methods = sorted(db.find(schema.PaymentMethod, user_id=user.user_id), key=lambda method: method.position)
    orders = sorted(db.find(schema.Order, user_id=user.user_id), key=lambda order: order.position)
    return {
        "user_id": user.user_id,
        "name": {"first_name": user.first_name, "last_name": user.last_name},
        "address": view_address(db, user.user_id),
        "email": user.email,
        "payment_methods": {method.payment_method_id: view_payment_method(method) for method in methods},
        "orders": [order.order_id for order in orders],
    }


def view_variant(variant: schema.Variant) -> VariantView:
    """A variant."""
    return {
        "item_id": variant.item_id,
        "options": variant.options,
        "available": variant.available,
        "price": dollars(variant.price_cents),
    }


def view_product(db: Database, product: schema.Product) -> ProductView:
    """A product type with all its variants."""
    variants = sorted(db.find(schema.Variant, product_id=product.product_id), key=lambda variant: variant.position)
    return {
        "name": product.name,
        "product_id": product.product_id,
        "variants": {variant.item_id: view_variant(variant) for variant in variants},
    }


def _view_item(db: Database, item: schema.OrderItem) -> ItemView:
    variant = db.get_one(schema.Variant, item.item_id)
    product = db.get_one(schema.Product, variant.product_id)
    return {
        "name": product.name,
        "product_id": product.product_id,
        "item_id": item.item_id,
        "price": dollars(item.price_cents),
        "options": variant.options,
    }


def view_order(db: Database, order: schema.Order) -> OrderView:
    """An order with its items, shipments and payments."""
    items = db.find(schema.OrderItem, order_id=order.order_id)
    view: OrderView = {
        "order_id": order.order_id,
        "user_id": order.user_id,
        "address": view_address(db, order.order_id),
        "items": [_view_item(db, item) for item in items],
        "status": order.status,
        "fulfillments": [
            {"tracking_id": shipment.tracking_ids, "item_ids": shipment.item_ids}
            for shipment in db.find(schema.Fulfillment, order_id=order.order_id)
        ],
        "payment_history": [
            {
                "transaction_type": payment.transaction_type,
                "amount": dollars(payment.amount_cents),
                "payment_method_id": payment.payment_method_id,
            }
            for payment in db.find(schema.Payment, order_id=order.order_id)
        ],
    }
    if order.cancel_reason is not None:
        view["cancel_reason"] = order.cancel_reason
    if order.request_payment_method_id is not None:
        _add_request(view, order, items)
    return view


def _add_request(view: OrderView, order: schema.Order, items: list[schema.OrderItem]) -> None:
    """Add the return or exchange request; `exchange_new_items` stays in step with `exchange_items`."""
    method = order.request_payment_method_id or ""
    returned = [item.item_id for item in items if item.request == "return"]
    exchanged = sorted((item.item_id, item.new_item_id or "") for item in items if item.request == "exchange")
    if returned:
        view |= {"return_items": sorted(returned), "return_payment_method_id": method}
    if exchanged:
        view |= {
            "exchange_items": [old for old, _ in exchanged],
            "exchange_new_items": [new for _, new in exchanged],
            "exchange_payment_method_id": method,
            "exchange_price_difference": dollars(order.price_difference_cents or 0),
        }
