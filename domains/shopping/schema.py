"""The tables of an online shop: what it sells, and each customer's cart, list, addresses, cards and orders.

Money is in integer cents; a card's last month is written `2026-03`.
"""

from datetime import date, timedelta

from sqlalchemy import ForeignKey
from sqlalchemy.orm import DeclarativeBase, Mapped, mapped_column

from toolgym.sandbox.kit.world import Database, computed, hidden, key, via

RETURN_DAYS = {"basic": 30, "plus": 60}
"""How many days after the delivery things are taken back, by tier."""


class Base(DeclarativeBase):
    """The shop's tables."""


class Customer(Base):
    """Who shops."""

    __tablename__ = "customers"

    customer_id: Mapped[str] = key("u-1908")
    name: Mapped[str]
    email: Mapped[str]
    tier: Mapped[str]
    points: Mapped[int]
    credit_cents: Mapped[int]
    coupon_code: Mapped[str | None] = mapped_column(ForeignKey("coupons.code"))


class Product(Base):
    """What is sold, in one or several colours and sizes."""

    __tablename__ = "products"
    __brief__ = ("product_id", "name", "brand", "category", "price_cents", "rating")

    product_id: Mapped[str] = key("PR-3312")
    name: Mapped[str]
    brand: Mapped[str]
    category: Mapped[str]
    price_cents: Mapped[int]
    rating: Mapped[float]
    final_sale: Mapped[bool]
    bought_with_id: Mapped[str | None] = mapped_column(ForeignKey("products.product_id"))  # what most take with it
    successor_id: Mapped[str | None] = mapped_column(ForeignKey("products.product_id"))  # none of the newest

    @computed
    def delivered_to_you(self, db: Database) -> bool:
        """Whether the customer has had one delivered."""
        found = db.query(
            "SELECT count(*) FROM order_lines l JOIN orders o USING (order_id) JOIN variants v USING (variant_id) "
            "WHERE v.product_id = :product AND o.customer_id = :customer AND o.delivered_on IS NOT NULL",
            product=self.product_id,
            customer=db.owner(Customer).customer_id,
        )
        return bool(found[0][0])

    @computed
    def reviewed_by_you(self, db: Database) -> bool:
        """Whether the customer has written about it."""
        return bool(db.find(Review, product_id=self.product_id, customer_id=db.owner(Customer).customer_id))


class Variant(Base):
    """A product in one colour and size; both are empty where there is one of a kind."""

    __tablename__ = "variants"

    variant_id: Mapped[str] = key("PR-3312-2")
    product_id: Mapped[str] = mapped_column(ForeignKey("products.product_id"), index=True)
    name: Mapped[str]
    colour: Mapped[str]
    size: Mapped[str]
    price_cents: Mapped[int]
    stock: Mapped[int]


class CartItem(Base):
    """What lies in a cart."""

    __tablename__ = "cart_lines"
    __owned_by__ = "customer_id"

    line_id: Mapped[str] = key("CL-501")
    customer_id: Mapped[str] = mapped_column(ForeignKey("customers.customer_id"), index=True, info={"hidden": True})
    variant_id: Mapped[str] = mapped_column(ForeignKey("variants.variant_id"))
    quantity: Mapped[int]

    name = via("variant_id", "name")
    colour = via("variant_id", "colour")
    size = via("variant_id", "size")
    price_cents = via("variant_id", "price_cents")

    @computed
    def category(self, db: Database) -> str:
        """What the product is sold under."""
        return product_of(db, self.variant_id).category

    stock = via("variant_id", "stock")


class SavedItem(Base):
    """What a customer wants to remember."""

    __tablename__ = "saved_items"
    __owned_by__ = "customer_id"

    saved_id: Mapped[str] = key("sv-801")
    customer_id: Mapped[str] = mapped_column(ForeignKey("customers.customer_id"), index=True, info={"hidden": True})
    variant_id: Mapped[str] = mapped_column(ForeignKey("variants.variant_id"))
    old_price_cents: Mapped[int]

    name = via("variant_id", "name")
    colour = via("variant_id", "colour")
    size = via("variant_id", "size")
    price_cents = via("variant_id", "price_cents")
    stock = via("variant_id", "stock")


class Coupon(Base):
    """A code that takes something off; one for a category takes it off that alone."""

    __tablename__ = "coupons"

    code: Mapped[str] = key("SPRING15")
    percent: Mapped[int]
    min_cents: Mapped[int]
    category: Mapped[str | None]
    until: Mapped[date]

    @computed
    def used(self, db: Database) -> bool:
        """Whether the customer has had it taken off an order already."""
        return is_used(db, self.code)


class Address(Base):
    """Where parcels go."""

    __tablename__ = "addresses"
    __owned_by__ = "customer_id"

    address_id: Mapped[str] = key("ad-61")
    customer_id: Mapped[str] = mapped_column(ForeignKey("customers.customer_id"), index=True, info={"hidden": True})
    label: Mapped[str]
    street: Mapped[str]
    city: Mapped[str]
    zip: Mapped[str]


class Card(Base):
    """A card, valid through its last month."""

    __tablename__ = "payment_methods"
    __owned_by__ = "customer_id"

    method_id: Mapped[str] = key("pm-40")
    customer_id: Mapped[str] = mapped_column(ForeignKey("customers.customer_id"), index=True, info={"hidden": True})
    kind: Mapped[str]
    last_four: Mapped[str]
    expires: Mapped[str]
    security_code: Mapped[str] = hidden()
    failed_codes: Mapped[int] = hidden()


class ShippingOption(Base):
    """A way to send what is in the cart, as it was quoted; void once the cart changes."""

    __tablename__ = "shipping_options"
    __owned_by__ = "address_id"
    __scratch__ = True
    __void_after__ = (CartItem, Customer)

    option_id: Mapped[str] = key("sh-612")
    address_id: Mapped[str] = mapped_column(ForeignKey("addresses.address_id"), index=True)
    speed: Mapped[str]
    price_cents: Mapped[int]
    arrives_on: Mapped[date]


class Order(Base):
    """What was bought at once. `total_cents` is what it cost, of which `credit_cents` came from the store credit."""

    __tablename__ = "orders"
    __owned_by__ = "customer_id"
    __brief__ = ("order_id", "placed_on", "state", "total_cents", "main_item", "items_count")

    order_id: Mapped[str] = key("FH-70231")
    customer_id: Mapped[str] = mapped_column(ForeignKey("customers.customer_id"), index=True, info={"hidden": True})
    address_id: Mapped[str] = mapped_column(ForeignKey("addresses.address_id"))
    method_id: Mapped[str] = mapped_column(ForeignKey("payment_methods.method_id"))
    coupon_code: Mapped[str | None] = mapped_column(ForeignKey("coupons.code"))
    state: Mapped[str]
    placed_on: Mapped[date]
    speed: Mapped[str]
    arrives_on: Mapped[date]
    delivered_on: Mapped[date | None]
    shipping_cents: Mapped[int]
    credit_cents: Mapped[int]
    total_cents: Mapped[int]
    main_item: Mapped[str]
    items_count: Mapped[int]
    gift_note: Mapped[str]
    cancel_reason: Mapped[str | None]

    street = via("address_id", "street")

    @computed
    def returnable_until(self, db: Database) -> date | None:
        """The last day on which things of it can be sent back; none before it is delivered."""
        return last_return_day(db, self)


class OrderedItem(Base):
    """One of the things of an order, as it was when it was bought; `paid_cents` is what all of them cost."""

    __tablename__ = "order_lines"
    __owned_by__ = "order_id"

    line_id: Mapped[str] = key("FH-70231-2")
    order_id: Mapped[str] = mapped_column(ForeignKey("orders.order_id"), index=True)
    variant_id: Mapped[str] = mapped_column(ForeignKey("variants.variant_id"), index=True)
    product_id: Mapped[str] = mapped_column(ForeignKey("products.product_id"))
    name: Mapped[str]
    colour: Mapped[str]
    size: Mapped[str]
    final_sale: Mapped[bool]
    quantity: Mapped[int]
    paid_cents: Mapped[int]
    state: Mapped[str]
    return_reason: Mapped[str | None]
    refund_to: Mapped[str | None]
    comment: Mapped[str]

    placed_on = via("order_id", "placed_on")

    @computed
    def returnable_until(self, db: Database) -> date | None:
        """The last day on which it can be sent back; none before it is delivered."""
        return last_return_day(db, db.get_one(Order, self.order_id))


class Review(Base):
    """What a customer says of a product."""

    __tablename__ = "reviews"
    __brief__ = ("review_id", "stars", "text", "written_on")

    review_id: Mapped[str] = key("RV-5001")
    product_id: Mapped[str] = mapped_column(ForeignKey("products.product_id"), index=True)
    customer_id: Mapped[str | None] = mapped_column(ForeignKey("customers.customer_id"), info={"hidden": True})
    stars: Mapped[int]
    text: Mapped[str]
    written_on: Mapped[date]


def is_used(db: Database, code: str) -> bool:
    """Whether the customer has had a coupon taken off an order that was not cancelled."""
    found = db.query(
        "SELECT 1 FROM orders WHERE customer_id = :customer AND coupon_code = :code AND state <> 'cancelled' LIMIT 1",
        customer=db.owner(Customer).customer_id,
        code=code,
    )
    return bool(found)


def product_of(db: Database, variant_key: str) -> Product:
    """The product of which a variant is one."""
    return db.get_one(Product, db.get_one(Variant, variant_key).product_id)


def last_return_day(db: Database, order: Order) -> date | None:
    """The last day on which things of an order can be sent back; None before it is delivered."""
    if order.delivered_on is None:
        return None
    return order.delivered_on + timedelta(days=RETURN_DAYS[db.owner(Customer).tier])
