"""The prices of which investors want to be told."""

from typing import Any

from toolgym.domains.trading.schema import Instrument
from toolgym.domains.trading.tools import get_quote, set_price_alert
from toolgym.sandbox.kit.goal import Draw, Goal, Slot, Tell


def _above(draw: Draw) -> int:
    return _away(draw, draw.rng.randrange(103, 131))


def _below(draw: Draw) -> int:
    return _away(draw, draw.rng.randrange(70, 98))


def _away(draw: Draw, percent: int) -> int:
    last: int = draw.values["instrument"].last_cents
    return last * percent // 100 // 25 * 25


def _under_close(draw: Draw) -> int | None:
    """So many percent less than yesterday's close, in whole cents."""
    close: int = draw.values["instrument"].previous_close_cents
    cents, rest = divmod(close * (100 - draw.values["percent"]), 100)
    return None if rest == 50 else cents + (rest > 50)


def _quoted(draw: Draw) -> list[Any]:
    return [(get_quote, {"instrument": draw.values["instrument"]})]


INSTRUMENT = Slot("instrument", says=("I mean {}.", "It is {}."))
NO_NOTE = Slot("note", given=0.0)
PRICE = ("At {}.", "{}.")

ALERTS = (
    Goal(
        set_price_alert,
        name="alert_above",
        fixed={"direction": "above"},
        slots=(INSTRUMENT, Slot("price_cents", withheld=0.4, draw=_above, says=PRICE), NO_NOTE),
    ),
    Goal(
        set_price_alert,
        name="alert_percent",
        fixed={"direction": "below"},
        slots=(
            Slot("instrument", says=("I mean {}.", "It is {}."), reads=_quoted),
            NO_NOTE,
            Slot("percent", draw=(4, 5, 6, 8, 10, 12, 15, 20)),
        ),
        worked_out={"price_cents": _under_close},
        tells=(Tell("price_cents", near=("alert", "price", "below")),),
        where=lambda instrument, price_cents: price_cents <= instrument.row.last_cents,
    ),
    Goal(
        set_price_alert,
        name="alert_noted",
        fixed={"direction": "below"},
        slots=(
            INSTRUMENT,
            Slot("price_cents", withheld=0.4, draw=_below, says=PRICE),
            Slot("note", mentions=("instrument.name", "price_cents")),
        ),
        share=0.6,
    ),
)


def cheapest(draw: Draw, sector: str) -> Instrument:
    """The fund of a sector with the lower ask."""
    funds = [row for row in draw.rows(Instrument) if row.kind == "etf" and row.sector == sector]
    return min(funds, key=lambda row: int(draw.view(row).ask_cents))
