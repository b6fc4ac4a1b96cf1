"""What several goals draw and look up."""

from __future__ import annotations

from datetime import date, timedelta

from toolgym.domains.payments.schema import Invoice, Line
from toolgym.domains.payments.seed import GOODS
from toolgym.sandbox.kit.goal import Draw, Slot


def due_day(draw: Draw) -> date:
    """A day on which something may be due: now and then just too early or too late."""
    return draw.now.date() + timedelta(days=draw.rng.choice((0, 1, 7, 14, 14, 21, 30, 30, 45, 60, 90, 91)))


def _price(draw: Draw) -> int:
    """About what such a thing costs."""
    return dict(GOODS)[draw.values["description"]] + draw.rng.choice((-450, 0, 0, 500, 550, 1_000))


def lines_of(draw: Draw, invoice: Invoice) -> list[Line]:
    """An invoice's lines."""
    return draw.database.find(Line, invoice_id=invoice.invoice_id)


DESCRIPTION = Slot("description", draw=[text for text, _ in GOODS])
QUANTITY = Slot("quantity", draw=(2, 2, 3, 4, 5, 8, 12), say=lambda count, drawn=None: f"{count} times")
UNIT = Slot("unit_cents", draw=_price)
DUE = Slot("due_on", withheld=0.5, draw=due_day, says=("On {}.", "It is due on {}.", "By {}."))
