"""The tables of food delivery. Money is in integer cents; hours are written like 11:30."""

from datetime import date, datetime

from sqlalchemy import ForeignKey
from sqlalchemy.orm import DeclarativeBase, Mapped, mapped_column

from toolgym.sandbox.kit.world import Database, computed, hidden, key, via


class Base(DeclarativeBase):
    """The tables."""


class Promo(Base):
    """A promotion's code."""

    __tablename__ = "promos"
    code: Mapped[str] = key("TASTY10")
    percent: Mapped[int]
    min_cents: Mapped[int]
    until: Mapped[date]


class Customer(Base):
    """Whom a session serves."""

    __tablename__ = "customers"
    customer_id: Mapped[str] = key("FC-101")
    name: Mapped[str]
    member: Mapped[bool]
    credit_cents: Mapped[int]
    allergies: Mapped[str]
    promo: Mapped[str | None] = mapped_column(ForeignKey("promos.code"))


class Address(Base):
    """Where a customer has food brought."""

    __tablename__ = "addresses"
    __owned_by__ = "customer_id"
    address_id: Mapped[str] = key("da-120")
    customer_id: Mapped[str] = mapped_column(ForeignKey("customers.customer_id"), index=True, info={"hidden": True})
    label: Mapped[str]
    street: Mapped[str]
    zone: Mapped[str]


class Wallet(Base):
    """How a customer pays."""

    __tablename__ = "wallets"
    __owned_by__ = "customer_id"
    method_id: Mapped[str] = key("pm-300")
    customer_id: Mapped[str] = mapped_column(ForeignKey("customers.customer_id"), index=True, info={"hidden": True})
    kind: Mapped[str]
    last_four: Mapped[str]
    code: Mapped[str] = hidden()


class Restaurant(Base):
    """Who cooks."""

    __tablename__ = "restaurants"
    __brief__ = ("restaurant_id", "name", "cuisine", "rating", "minutes", "fee_cents")
    restaurant_id: Mapped[str] = key("rs-208")
    name: Mapped[str]
    cuisine: Mapped[str]
    zones: Mapped[str]
    opens: Mapped[str]
    closes: Mapped[str]
    min_cents: Mapped[int]
    fee_cents: Mapped[int]
    minutes: Mapped[int]
    rating: Mapped[float]


class Dish(Base):
    """Something on a menu."""

    __tablename__ = "dishes"
    __shown__ = ("dish_id", "dish_name", "section", "price_cents", "vegan", "restaurant_name")
    dish_id: Mapped[str] = key("ds-4001")
    restaurant_id: Mapped[str] = mapped_column(ForeignKey("restaurants.restaurant_id"), index=True)
    dish_name: Mapped[str]
    section: Mapped[str]
    price_cents: Mapped[int]
    allergens: Mapped[str]
    vegan: Mapped[bool]
    sold_out: Mapped[bool]
    restaurant_name = via("restaurant_id", "name")


class Option(Base):
    """What may be added to a dish."""

    __tablename__ = "options"
    option_id: Mapped[str] = key("op-7001")
    dish_id: Mapped[str] = mapped_column(ForeignKey("dishes.dish_id"), index=True)
    name: Mapped[str]
    price_cents: Mapped[int]


class BasketLine(Base):
    """Something in a customer's basket."""

    __tablename__ = "basket_lines"
    __owned_by__ = "customer_id"
    line_id: Mapped[str] = key("bl-700")
    customer_id: Mapped[str] = mapped_column(ForeignKey("customers.customer_id"), index=True, info={"hidden": True})
    dish_id: Mapped[str] = mapped_column(ForeignKey("dishes.dish_id"))
    quantity: Mapped[int]
    each_cents: Mapped[int]
    extras: Mapped[str]
    request: Mapped[str]
    name = via("dish_id", "dish_name")


class Order(Base):
    """Food that was ordered."""

    __tablename__ = "orders"
    __owned_by__ = "customer_id"
    __brief__ = ("order_id", "restaurant_name", "state", "placed_at", "total_cents")
    order_id: Mapped[str] = key("FD-55107")
    customer_id: Mapped[str] = mapped_column(ForeignKey("customers.customer_id"), index=True, info={"hidden": True})
    restaurant_id: Mapped[str] = mapped_column(ForeignKey("restaurants.restaurant_id"))
    address_id: Mapped[str] = mapped_column(ForeignKey("addresses.address_id"))
    method_id: Mapped[str] = mapped_column(ForeignKey("wallets.method_id"))
    state: Mapped[str]
    placed_at: Mapped[datetime]
    due_at: Mapped[datetime]
    arrived_at: Mapped[datetime | None]
    total_cents: Mapped[int]
    tip_cents: Mapped[int]
    courier: Mapped[str | None]
    note: Mapped[str]
    food_stars: Mapped[int | None]
    courier_stars: Mapped[int | None]
    restaurant_name = via("restaurant_id", "name")

    @computed
    def minutes_left(self, db: Database) -> int | None:
        """How long it still takes."""
        return None if self.arrived_at else max(0, int((self.due_at - db.now).total_seconds()) // 60)


class OrderLine(Base):
    """A dish of an order."""

    __tablename__ = "order_lines"
    __owned_by__ = "order_id"
    order_line_id: Mapped[str] = key("ol-9001")
    order_id: Mapped[str] = mapped_column(ForeignKey("orders.order_id"), index=True)
    dish_id: Mapped[str] = mapped_column(ForeignKey("dishes.dish_id"))
    quantity: Mapped[int]
    price_cents: Mapped[int]
    name = via("dish_id", "dish_name")
    restaurant_name = via("order_id", "restaurant_name")


class Complaint(Base):
    """What was wrong with an order, and what the customer got for it."""

    __tablename__ = "complaints"
    __owned_by__ = "order_id"
    complaint_id: Mapped[str] = key("fc-8001")
    order_id: Mapped[str] = mapped_column(ForeignKey("orders.order_id"), index=True)
    kind: Mapped[str]
    want: Mapped[str]
    details: Mapped[str]
    amount_cents: Mapped[int]
