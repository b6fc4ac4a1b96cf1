"""The tables of a chain of clothing stores."""

from datetime import date, datetime

from sqlalchemy import ForeignKey
from sqlalchemy.orm import DeclarativeBase, Mapped, mapped_column

from toolgym.sandbox.kit.world import Database, computed, key, personal, via

SUNDAY = 6


class Base(DeclarativeBase):
    """The chain's tables."""


class Store(Base):
    """A place with goods. An outlet and a flagship sell, a depot only sends. Hours are written 09:30."""

    __tablename__ = "stores"

    store_id: Mapped[str] = key("ST-14")
    name: Mapped[str]
    city: Mapped[str]
    region: Mapped[str]
    role: Mapped[str]
    opens: Mapped[str]
    closes: Mapped[str]
    sunday_opens: Mapped[str | None]  # without one it is closed on Sundays
    sunday_closes: Mapped[str | None]


class Associate(Base):
    """Who works in a store, and whose badge the session is opened with."""

    __tablename__ = "associates"

    badge: Mapped[str] = key("B-2207")
    name: Mapped[str]
    role: Mapped[str]
    store_id: Mapped[str] = mapped_column(ForeignKey("stores.store_id"))

    region = via("store_id", "region")


class Item(Base):
    """Something that is sold, in several colours and sizes."""

    __tablename__ = "items"

    item_id: Mapped[str] = key("IT-604")
    name: Mapped[str]
    department: Mapped[str]
    season: Mapped[str]
    price_cents: Mapped[int]
    marked_down: Mapped[bool]


class Sku(Base):
    """An item in one colour and size."""

    __tablename__ = "skus"

    sku: Mapped[str] = key("604-NVY-M")
    item_id: Mapped[str] = mapped_column(ForeignKey("items.item_id"), index=True)
    colour: Mapped[str]
    size: Mapped[str]

    item_name = via("item_id", "name")
    marked_down = via("item_id", "marked_down")

    @computed
    def free_here(self, db: Database) -> int:
        """How many are free in the associate's own store."""
        row = stock_of(db, db.owner(Associate).store_id, self.sku)
        return row.on_hand - row.reserved if row else 0


class Stock(Base):
    """How many of a sku a store has, and how many of them are set aside."""

    __tablename__ = "stock"

    stock_id: Mapped[str] = key("604-NVY-M/ST-14")
    store_id: Mapped[str] = mapped_column(ForeignKey("stores.store_id"))
    sku: Mapped[str] = mapped_column(ForeignKey("skus.sku"), index=True)
    on_hand: Mapped[int]
    reserved: Mapped[int]
    counted_on: Mapped[date]


class Hold(Base):
    """Pieces set aside for a customer. Seen where they lie and where they were set aside from."""

    __tablename__ = "holds"
    __visible__ = (
        "store_id IN (SELECT store_id FROM associates WHERE badge = :owner) "
        "OR taken_in IN (SELECT store_id FROM associates WHERE badge = :owner)"
    )

    hold_id: Mapped[str] = key("H-901")
    store_id: Mapped[str] = mapped_column(ForeignKey("stores.store_id"), index=True)
    taken_in: Mapped[str] = mapped_column(ForeignKey("stores.store_id"), index=True)
    sku: Mapped[str] = mapped_column(ForeignKey("skus.sku"), index=True)
    quantity: Mapped[int]
    customer: Mapped[str]
    phone_last4: Mapped[str] = personal()
    until: Mapped[date]
    state: Mapped[str]

    @computed
    def item_name(self, db: Database) -> str:
        """What is set aside."""
        return item_name_of(db, self.sku)


class Transfer(Base):
    """Pieces on their way, or to be sent, from one store to another."""

    __tablename__ = "transfers"

    transfer_id: Mapped[str] = key("T-3320")
    source_id: Mapped[str] = mapped_column(ForeignKey("stores.store_id"), index=True)
    target_id: Mapped[str] = mapped_column(ForeignKey("stores.store_id"), index=True)
    sku: Mapped[str] = mapped_column(ForeignKey("skus.sku"))
    quantity: Mapped[int]
    received: Mapped[int | None]
    state: Mapped[str]
    created_on: Mapped[date]
    note: Mapped[str]

    @computed
    def item_name(self, db: Database) -> str:
        """What is sent."""
        return item_name_of(db, self.sku)

    source_name = via("source_id", "name")
    target_name = via("target_id", "name")

    @computed
    def direction(self, db: Database) -> str:
        """`in` or `out`, seen from the associate's store; `elsewhere` between two others."""
        own = db.owner(Associate).store_id
        return "in" if self.target_id == own else "out" if self.source_id == own else "elsewhere"


def item_name_of(db: Database, sku: str) -> str:
    """What a sku that is known to exist is called."""
    found = db.get_one(Sku, sku)
    return db.get_one(Item, found.item_id).name


def stock_of(db: Database, store_id: str, sku: str) -> Stock | None:
    """What a store has of a sku; None where it never had any."""
    return db.get(Stock, f"{sku}/{store_id}")


def is_open(store: Store, moment: datetime) -> bool:
    """Whether a store sells at a moment; a depot never does. At the minute of closing it is closed."""
    opens, closes = store.opens, store.closes
    if moment.weekday() == SUNDAY:
        if store.sunday_opens is None or store.sunday_closes is None:
            return False
        opens, closes = store.sunday_opens, store.sunday_closes
    return store.role != "depot" and opens <= f"{moment:%H:%M}" < closes
