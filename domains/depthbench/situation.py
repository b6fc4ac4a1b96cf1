"""What DepthBench's tasks differ in beside their words: the letter from which place, time and day follow."""

from sqlalchemy.orm import DeclarativeBase, Mapped, mapped_column

from toolgym.sandbox.kit.database import Database
from toolgym.sandbox.kit.tool import tool


class Base(DeclarativeBase):
    """DepthBench's table."""


class Situation(Base):
    """Where and when the person is: the benchmark's `tag`."""

    __tablename__ = "situation"

    name: Mapped[str] = mapped_column(primary_key=True)
    tag: Mapped[str]


def fill(database: Database) -> None:
    """Nobody knows yet."""
    database.insert(Situation, name="person", tag="")


def tag_of(database: Database) -> str:
    """The task's letter; empty where nothing depends on it."""
    found = database.get(Situation, "person")
    return found.tag if found is not None else ""


@tool("write")
def situate(database: Database, tag: str) -> None:
    """Say where and when the person is.

    Args:
        tag: a letter that place, time and day follow from.
    """
    found = database.get(Situation, "person")
    if found is not None:
        database.update(found, tag=tag)
