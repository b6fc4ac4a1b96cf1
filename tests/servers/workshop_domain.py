"""A world for tests of the server: nested arguments, tools of the user's own, and tools that are slow, wordy or broken.

`install(folder)` makes the folder one from which Python finds the world `workshop`.
"""

import os
import time
from datetime import datetime
from pathlib import Path
from typing import Annotated

from pydantic import Field
from sqlalchemy.orm import DeclarativeBase, Mapped, mapped_column
from typing_extensions import TypedDict

from toolgym.sandbox.kit.database import Database
from toolgym.sandbox.kit.domain import Dataset, Domain
from toolgym.sandbox.kit.errors import Refusal
from toolgym.sandbox.kit.message import ToolCall
from toolgym.sandbox.kit.task import Task
from toolgym.sandbox.kit.tool import ToolSet, tool


class Base(DeclarativeBase):
    """The workshop's tables."""


class Part(Base):
    """A part in stock."""

    __tablename__ = "parts"
    part_id: Mapped[str] = mapped_column(primary_key=True)
    stock: Mapped[int]


class Order(Base):
    """An order of parts."""

    __tablename__ = "orders"
    order_id: Mapped[str] = mapped_column(primary_key=True)
    city: Mapped[str]


class Lamp(Base):
    """The lamp above the user's bench."""

    __tablename__ = "lamps"
    lamp_id: Mapped[str] = mapped_column(primary_key=True)
    lit: Mapped[bool]


class Line(TypedDict):
    """Some pieces of a part."""

    part_id: str
    pieces: Annotated[int, Field(ge=1, le=100)]


class Address(TypedDict):
    """Where to send them."""

    city: str
    tags: list[str]


class OrderView(TypedDict):
    """An order, and the stock that is left of its parts."""

    order_id: str
    address: Address
    left: dict[str, int]


@tool("write")
def order_parts(db: Database, lines: list[Line], address: Address, note: str | None = None) -> OrderView:
    """Order parts.

    Args:
        lines: what, and how many of it.
        address: where to.
        note: for the workshop.
    """
    left = {}
    for line in lines:
        part = db.get(Part, line["part_id"])
        if part is None:
            raise Refusal("part_not_found", f"There is no part {line['part_id']}.")
        if part.stock < line["pieces"]:
            raise Refusal("out_of_stock", f"Only {part.stock} pieces of {part.part_id} are left.")
        left[part.part_id] = db.update(part, stock=part.stock - line["pieces"]).stock
    order = db.insert(Order, order_id=db.new_id(Order, prefix="#"), city=address["city"])
    return {"order_id": order.order_id, "address": address, "left": left}


@tool("read")
def list_stock(db: Database) -> dict[str, int]:
    """List how many pieces of each part there are."""
    return {part.part_id: part.stock for part in db.find(Part)}


@tool("read")
def print_catalogue(db: Database, pages: Annotated[int, Field(ge=0, le=10_000)]) -> str:
    """Print the catalogue, 1000 characters a page."""
    return "=" * 1000 * pages


@tool("neutral")
def wait_for_glue(db: Database, seconds: Annotated[float, Field(ge=0, le=10)]) -> str:
    """Wait for the glue to dry; nothing else happens here meanwhile."""
    if "GLUE" in os.environ:
        Path(os.environ["GLUE"]).touch()
    time.sleep(seconds)
    return "dry"


@tool("write")
def drop_everything(db: Database) -> str:
    """Break a part and then itself."""
    for part in db.find(Part):
        db.update(part, stock=0)
    raise ZeroDivisionError("a secret of the workshop")


@tool("write")
def switch_lamp(db: Database, lit: bool) -> str:
    """Switch your lamp."""
    lamp = db.find(Lamp)[0]
    if lamp.lit == lit:
        raise Refusal("no_change", "The lamp is so already.")
    db.update(lamp, lit=lit)
    return "done"


@tool("read")
def look_at_lamp(db: Database) -> bool:
    """Look whether your lamp is lit."""
    return bool(db.find(Lamp)[0].lit)


def fill(db: Database) -> None:
    """The rows of every session."""
    for number in range(1, 4):
        db.insert(Part, part_id=f"P{number}", stock=100)
    db.insert(Lamp, lamp_id="L1", lit=False)


def own(path: str | None = None) -> Dataset:
    """The workshop's data."""
    gold = ToolCall(
        name="order_parts",
        arguments={"lines": [{"part_id": "P1", "pieces": 2}], "address": {"city": "Oslo", "tags": []}},
    )
    task = Task(id="w1", domain="workshop", split="test", scenario="Order two P1 to Oslo.", gold=(gold,), seed=7)
    return Dataset("own", fill, {"test": [task]}.__getitem__, ("test",))


domain = Domain(
    name="workshop",
    title="A workshop for tests",
    base=Base,
    tools=ToolSet([order_parts, list_stock, print_catalogue, wait_for_glue, drop_everything]),
    user_tools=ToolSet([switch_lamp, look_at_lamp]),
    policy="# Workshop policy\n\nBe careful.",
    data={"own": own},
    now=datetime(2026, 3, 5, 12, 0),
)


def install(folder: Path) -> None:
    """Describe this module as an installed package that brings a world, as a third party's package would."""
    described = folder / "workshop-1.0.dist-info"
    described.mkdir(parents=True)
    (described / "METADATA").write_text("Metadata-Version: 2.1\nName: workshop\nVersion: 1.0\n", encoding="utf-8")
    (described / "entry_points.txt").write_text(
        "[toolgym.domains]\nworkshop = workshop_domain:domain\n", encoding="utf-8"
    )
