"""The retail world's tables. Money is in integer cents."""

from sqlalchemy import JSON, CheckConstraint, ForeignKey, Index, text
from sqlalchemy.orm import DeclarativeBase, Mapped, mapped_column

from toolgym.sandbox.kit.world import Database, computed, personal

STATUSES = (
    "pending",
    "pending (item modified)",
    "processed",
    "delivered",
    "cancelled",
    "return requested",
    "exchange requested",
)


class Base(DeclarativeBase):
    """The retail tables."""


class User(Base):
    """A customer."""

    __tablename__ = "users"
    __table_args__ = (
        Index("users_by_name", text("last_name COLLATE NOCASE"), text("first_name COLLATE NOCASE")),
        Index("users_by_email", "email"),
    )

    user_id: Mapped[str] = mapped_column(primary_key=True)
    first_name: Mapped[str]
    last_name: Mapped[str]
    email: Mapped[str] = personal()


class Address(Base):
    """Where a user lives or an order goes; each owner has its own row, so changing one never changes another."""

    __tablename__ = "addresses"

    owner_id: Mapped[str] = mapped_column(primary_key=True)
    address1: Mapped[str]
    address2: Mapped[str]
    city: Mapped[str]
    state: Mapped[str]
    country: Mapped[str]
    zip: Mapped[str]


class PaymentMethod(Base):
    """A way a user pays; only gift cards have a balance, only credit cards a brand and last four digits."""

    __tablename__ = "payment_methods"
    __owned_by__ = "user_id"
    __table_args__ = (
        CheckConstraint("source IN ('credit_card', 'gift_card', 'paypal')"),
        CheckConstraint("(source = 'gift_card') = (balance_cents IS NOT NULL)"),
        CheckConstraint("balance_cents IS NULL OR balance_cents >= 0"),
    )

    payment_method_id: Mapped[str] = mapped_column(primary_key=True)
    user_id: Mapped[str] = mapped_column(ForeignKey("users.user_id"), index=True)
    position: Mapped[int]
    source: Mapped[str]
    brand: Mapped[str | None]
    last_four: Mapped[str | None]
    balance_cents: Mapped[int | None]

    @computed
    def kind(self, db: Database) -> str | None:
        """What people call it of whose sort they have one; credit cards are told apart by their digits."""
        return {"gift_card": "gift card", "paypal": "PayPal"}.get(self.source)


class Product(Base):
    """A product type, sold in variants."""

    __tablename__ = "products"

    product_id: Mapped[str] = mapped_column(primary_key=True)
    name: Mapped[str]


class Variant(Base):
    """One item of a product type: a choice of options with a price."""

    __tablename__ = "variants"
    __table_args__ = (CheckConstraint("price_cents > 0"),)

    item_id: Mapped[str] = mapped_column(primary_key=True)
    product_id: Mapped[str] = mapped_column(ForeignKey("products.product_id"), index=True)
    position: Mapped[int]
    options: Mapped[dict[str, str]] = mapped_column(JSON)
    available: Mapped[bool]
    price_cents: Mapped[int]


class Order(Base):
    """An order of one user. Return and exchange columns are set when the customer requested one."""

    __tablename__ = "orders"
    __owned_by__ = "user_id"
    __table_args__ = (CheckConstraint("status IN ({})".format(", ".join(f"'{status}'" for status in STATUSES))),)

    order_id: Mapped[str] = mapped_column(primary_key=True)
    user_id: Mapped[str] = mapped_column(ForeignKey("users.user_id"), index=True)
    position: Mapped[int]
    status: Mapped[str]
    cancel_reason: Mapped[str | None]
    request_payment_method_id: Mapped[str | None] = mapped_column(ForeignKey("payment_methods.payment_method_id"))
    price_difference_cents: Mapped[int | None]

    @computed
    def total_cents(self, db: Database) -> int:
        """What was paid for it first."""
        return db.find(Payment, order_id=self.order_id, position=0)[0].amount_cents

    @computed
    def paid_with(self, db: Database) -> str:
        """The payment method that paid first."""
        return db.find(Payment, order_id=self.order_id, position=0)[0].payment_method_id

    @computed
    def item_ids(self, db: Database) -> list[str]:
        """What it holds."""
        return [item.item_id for item in db.find(OrderItem, order_id=self.order_id)]

    @computed
    def city(self, db: Database) -> str:
        """Where it goes or went."""
        return str(db.query("SELECT city FROM addresses WHERE owner_id = :order", order=self.order_id)[0][0])

    @computed
    def only_here(self, db: Database) -> str | None:
        """A product that no other order of the customer holds."""
        found = db.query(
            "SELECT name FROM order_items JOIN variants USING (item_id) JOIN products USING (product_id) "
            "JOIN orders USING (order_id) WHERE user_id = :user "
            "GROUP BY name HAVING min(order_id) = :order AND max(order_id) = :order ORDER BY name",
            user=self.user_id,
            order=self.order_id,
        )
        return str(found[0][0]) if found else None


class OrderItem(Base):
    """One piece of an order, at the price it was bought for; part of at most one return or exchange request."""

    __tablename__ = "order_items"
    __table_args__ = (
        CheckConstraint("request IS NULL OR request IN ('return', 'exchange')"),
        CheckConstraint("(request IS 'exchange') = (new_item_id IS NOT NULL)"),
    )

    order_id: Mapped[str] = mapped_column(ForeignKey("orders.order_id"), primary_key=True)
    position: Mapped[int] = mapped_column(primary_key=True)
    item_id: Mapped[str] = mapped_column(ForeignKey("variants.item_id"))
    price_cents: Mapped[int]
    request: Mapped[str | None]
    new_item_id: Mapped[str | None] = mapped_column(ForeignKey("variants.item_id"))


class Fulfillment(Base):
    """A shipment of some of an order's items."""

    __tablename__ = "fulfillments"

    order_id: Mapped[str] = mapped_column(ForeignKey("orders.order_id"), primary_key=True)
    position: Mapped[int] = mapped_column(primary_key=True)
    tracking_ids: Mapped[list[str]] = mapped_column(JSON)
    item_ids: Mapped[list[str]] = mapped_column(JSON)


class Payment(Base):
    """One movement of money for an order."""

    __tablename__ = "payments"
    __table_args__ = (
        CheckConstraint("transaction_type IN ('payment', 'refund')"),
        CheckConstraint("amount_cents >= 0"),
    )

    order_id: Mapped[str] = mapped_column(ForeignKey("orders.order_id"), primary_key=True)
    position: Mapped[int] = mapped_column(primary_key=True)
    transaction_type: Mapped[str]
    amount_cents: Mapped[int]
    payment_method_id: Mapped[str] = mapped_column(ForeignKey("payment_methods.payment_method_id"))
