"""What associates want counted, and what they want to know."""

from __future__ import annotations

from datetime import date, datetime, time, timedelta
from typing import Any

from toolgym.domains.retail_chain import tools
from toolgym.domains.retail_chain.goals.draws import SKU, own_store
from toolgym.domains.retail_chain.schema import Store, stock_of
from toolgym.sandbox.kit.goal import Draw, Goal, Slot, Tell

REASONS = {"damaged": "some were damaged", "miscount": "somebody miscounted", "missing": "some are missing"}

FEW = 3
"""So few are said by accident too soon: "score 1", "two things"."""


def _counted(draw: Draw) -> int | None:
    """Another number than is booked: fewer, or one or two more."""
    row = stock_of(draw.database, own_store(draw).store_id, draw.values["sku"].sku)
    if row is None or not row.on_hand:
        return None
    counted = row.on_hand + draw.rng.choice((-7, -6, -5, -4, -3, -2, -1, -1, 1, 2))
    return counted if counted >= row.reserved else None


def _region(draw: Draw) -> str:
    return own_store(draw).region


def _having(result: Any) -> list[str] | None:
    names = [row["name"] for row in result["stores"] if row["free"] > 0]
    return names if 0 < len(names) <= 4 else None


def _free_there(result: Any) -> int | None:
    free = sum(row["free"] for row in result["stores"])
    return free if free > FEW else None


def _when(draw: Draw) -> datetime:
    """A moment of the next days, on Sunday now and then."""
    day = draw.now.date() + timedelta(days=draw.rng.choice((1, 2, 2, 3, 4)))
    return datetime.combine(day, time(draw.rng.choice((9, 11, 12, 17, 18, 19)), 30))


def _city(draw: Draw) -> str:
    return draw.rng.choice(draw.rows(Store)).city


def _names(result: Any) -> list[str] | None:
    return [row["name"] for row in result["items"]] if 0 < result["total"] <= 4 else None


def _days_ago(draw: Draw) -> date:
    return draw.now.date() - timedelta(days=draw.rng.choice((9, 10, 10, 11, 14)))


def _keys(result: Any) -> list[str] | None:
    return [row["transfer_id"] for row in result["items"]] if 0 < result["total"] <= 5 else None


SHELVES = (
    Goal(
        tools.correct_stock,
        name="miscount",
        slots=(
            SKU,
            Slot("counted", draw=_counted, says=("{}.",)),
            Slot("reason", withheld=0.5, words=REASONS, says=("{}.", "Because {}.")),
            Slot("comment", given=0.0),
        ),
        tells=(
            Tell("difference", kind="number", value=lambda row: abs(row["difference"]), near=("difference", "piece")),
        ),
    ),
    Goal(
        tools.get_stock,
        name="ask_who_has",
        slots=(SKU, Slot("region", draw=_region)),
        tells=(Tell("stores", kind="text", value=_having),),
        share=1.5,
    ),
    Goal(
        tools.get_stock,
        name="ask_how_many",
        slots=(SKU, Slot("region", draw=_region)),
        tells=(Tell("stores", kind="number", value=_free_there, near=("free", "piece", "total")),),
    ),
    Goal(
        tools.list_stores,
        name="ask_open",
        slots=(Slot("city", draw=_city), Slot("open_at", draw=_when)),
        tells=(Tell("items", kind="text", value=_names),),
    ),
    Goal(
        tools.list_transfers,
        name="ask_late",
        fixed={"state": "shipped", "direction": "in"},
        slots=(Slot("last_day", draw=_days_ago),),
        tells=(Tell("items", kind="text", value=_keys),),
    ),
    Goal(tools.get_item, name="ask_price", slots=(Slot("item"),), tells=(Tell("price_cents"),), share=0.5),
    Goal(tools.get_my_store, name="ask_hours", tells=(Tell("closes", kind="time"),), share=0.3),
)
