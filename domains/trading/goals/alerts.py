"""The prices of which investors want to be told."""

from __future__ import annotations

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
        verbs=("set",),
        fixed={"direction": "above"},
        says=(
            "Tell me when {instrument} rises above {price_cents}.",
            "Please set an alert for {instrument} above {price_cents}.",
            "I want to know as soon as {instrument} is above {price_cents}.",
            "Set a price alert for {instrument}[, above {price_cents}].",
            "Can you alert me when {instrument} goes above {price_cents}?",
            "Once {instrument} climbs above {price_cents}, let me know.",
            "Watch {instrument} for me and tell me when it is above {price_cents}.",
            "Set an alert on the way up for {instrument}[, above {price_cents}].",
            "If {instrument} ever gets above {price_cents}, I'd like an alert.",
            "Let me know when {instrument} trades above {price_cents}.",
            "Give me a heads-up when {instrument} has risen above {price_cents}.",
            "I'm waiting for {instrument} to go above {price_cents}; please set an alert.",
        ),
        slots=(INSTRUMENT, Slot("price_cents", withheld=0.4, draw=_above, says=PRICE), NO_NOTE),
    ),
    Goal(
        set_price_alert,
        name="alert_percent",
        verbs=("set",),
        fixed={"direction": "below"},
        says=(
            "Tell me when {instrument} falls {percent} percent below yesterday's close.",
            "Please set an alert for {instrument} {percent} percent below yesterday's close.",
            "I want to know if {instrument} drops {percent} percent below where it closed yesterday.",
            "Set a price alert for {instrument} at {percent} percent less than yesterday's close.",
            "Can you alert me when {instrument} is {percent} percent below yesterday's close?",
            "Once {instrument} loses {percent} percent from yesterday's close, let me know.",
            "Watch {instrument} and tell me if it sinks {percent} percent below yesterday's closing price.",
            "If {instrument} goes {percent} percent below its last close, I'd like an alert.",
            "Alert me to {instrument} at yesterday's close less {percent} percent.",
            "Let me know when {instrument} trades {percent} percent below yesterday's close.",
            "Give me a heads-up when {instrument} is down {percent} percent on yesterday's close.",
            "I'm worried about {instrument}: set an alert {percent} percent below yesterday's close.",
        ),
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
        verbs=("set",),
        fixed={"direction": "below"},
        says=(
            "Tell me when {instrument} falls below {price_cents}, with a note of company and price.",
            "Please set an alert for {instrument} below {price_cents} and note company and price in it.",
            "I want an alert once {instrument} is below {price_cents}; write the name and the price into the note.",
            "Set a price alert for {instrument}[ below {price_cents}], with company and price as the note.",
            "Can you alert me when {instrument} drops below {price_cents}? Note the company and the price, please.",
            "Once {instrument} sinks below {price_cents}, remind me, with a note of which company and what price.",
            "Watch {instrument} for me: an alert below {price_cents}, and company and price in the note.",
            "Set an alert on the way down for {instrument}[, below {price_cents}]; the note says company and price.",
            "If {instrument} gets below {price_cents}, alert me, and put name and price into the note.",
            "Let me know when {instrument} trades below {price_cents}. The note should hold name and price.",
            "Give me a heads-up when {instrument} has fallen below {price_cents}, noting company and price.",
            "I may buy {instrument} one day: alert me below {price_cents}, with company and price as a note.",
        ),
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
