"""A tiny world for tests of quotes: senders ask for prices, send parcels, and change their address."""

from __future__ import annotations

from datetime import datetime
from pathlib import Path
from typing import Literal

from sqlalchemy import ForeignKey
from sqlalchemy.orm import DeclarativeBase, Mapped, mapped_column

from toolgym.sandbox.kit.database import Database
from toolgym.sandbox.kit.domain import Domain, generated
from toolgym.sandbox.kit.reference import Ref, Secret
from toolgym.sandbox.kit.table import key
from toolgym.sandbox.kit.tool import ToolSet, tool
from toolgym.sandbox.kit.view import Page, View


class Base(DeclarativeBase):
    """The tables."""


class Sender(Base):
    """Who sends."""

    __tablename__ = "senders"

    sender_id: Mapped[str] = key("S-1")
    city: Mapped[str]


class Parcel(Base):
    """Something that was sent."""

    __tablename__ = "parcels"
    __owned_by__ = "sender_id"

    parcel_id: Mapped[str] = key("P-100")
    sender_id: Mapped[str] = mapped_column(ForeignKey("senders.sender_id"))
    price_cents: Mapped[int]


class Quote(Base):
    """A price that holds until something changes."""

    __tablename__ = "quotes"
    __owned_by__ = "sender_id"
    __scratch__ = True
    __void_after__ = (Sender, Parcel)

    quote_id: Mapped[str] = key("Q-1")
    sender_id: Mapped[str] = mapped_column(ForeignKey("senders.sender_id"))
    price_cents: Mapped[int]


@tool("neutral")
def quote(db: Database, size: Literal["small", "large"]) -> View[Quote]:
    """Ask for a price.

    Args:
        size: of the parcel.
    """
    sender = db.owner(Sender)
    price = (500 if size == "small" else 900) + len(sender.city)
    return View(db.insert(Quote, quote_id=db.new_id(Quote), sender_id=sender.sender_id, price_cents=price))


@tool("read")
def list_quotes(db: Database) -> Page[Quote]:
    """List the prices that still hold."""
    return Page(db.mine(Quote))


@tool("write")
def send(db: Database, quote: Ref[Quote]) -> View[Parcel]:
    """Send a parcel at a quoted price."""
    made = db.insert(Parcel, parcel_id=db.new_id(Parcel), sender_id=quote.sender_id, price_cents=quote.price_cents)
    return View(made)


@tool("write")
def move(db: Database, city: str, password: Secret) -> View[Sender]:
    """Change the sender's city.

    Args:
        city: the new one.
        password: the sender's.
    """
    return View(db.update(db.owner(Sender), city=city))


@tool("neutral")
def meddle(db: Database) -> View[Sender]:
    """Write what a neutral tool must not write."""
    return View(db.update(db.owner(Sender), city="Nowhere"))


def fill(db: Database) -> None:
    """Two senders; the second has a quote."""
    for number, city in ((1, "Oslo"), (2, "Rome")):
        db.insert(Sender, sender_id=f"S-{number}", city=city)
    db.insert(Quote, quote_id="Q-1", sender_id="S-2", price_cents=1)


domain = Domain(
    name="parcels",
    title="Parcels",
    base=Base,
    tools=ToolSet([quote, list_quotes, send, move, meddle]),
    policy="# Parcels\n",
    data={"own": generated(fill)},
    now=datetime(2026, 3, 10, 9, 30),
    owner=Sender,
)


def install(folder: Path) -> None:
    """Describe this module as an installed package that brings a world, as a third party's package would."""
    described = folder / "parcels-1.0.dist-info"
    described.mkdir(parents=True)
    (described / "METADATA").write_text("Metadata-Version: 2.1\nName: parcels\nVersion: 1.0\n", encoding="utf-8")
    (described / "entry_points.txt").write_text("[toolgym.domains]\nparcels = parcels:domain\n", encoding="utf-8")
