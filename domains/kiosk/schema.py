"""The kiosk's one table."""

from sqlalchemy import CheckConstraint
from sqlalchemy.orm import DeclarativeBase, Mapped, mapped_column


class Base(DeclarativeBase):
    """The kiosk's tables."""


class Ticket(Base):
    """A ticket of a small theatre: a seat on an evening, free or held by a name."""

    __tablename__ = "tickets"
    __table_args__ = (CheckConstraint("price_cents > 0"),)

    ticket_id: Mapped[str] = mapped_column(primary_key=True)
    evening: Mapped[str]
    seat: Mapped[str]
    price_cents: Mapped[int]
    holder: Mapped[str | None]
