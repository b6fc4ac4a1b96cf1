"""What associates want of the chain's system, and how they speak of what is in it."""

from datetime import date, datetime, time, timedelta
from typing import Any

from toolgym.domains.people import FIRST_NAMES, LAST_NAMES
from toolgym.domains.retail_chain import tools
from toolgym.domains.retail_chain.schema import Associate, Hold, Item, Sku, Store, Transfer, stock_of
from toolgym.domains.retail_chain.tools import (
    get_item,
    get_my_store,
    get_stock,
    hold_for_customer,
    release_hold,
    search_catalogue,
)
from toolgym.sandbox.kit.goal import Condition, Draw, Goal, Slot, Tell, Thing


def own_store(draw: Draw) -> Store:
    """The store of whom the session serves."""
    me: Associate = draw.person
    return draw.database.get_one(Store, me.store_id)


def customer(draw: Draw) -> str:
    """A customer: now and then one who has holds already."""
    known = [row.customer for row in draw.rows(Hold)]
    if known and draw.rng.random() < 0.4:
        return draw.rng.choice(known)
    return f"{draw.rng.choice(FIRST_NAMES)} {draw.rng.choice(LAST_NAMES)}"


def digits(draw: Draw) -> str:
    """The last digits of that customer's phone."""
    known = [row.phone_last4 for row in draw.rows(Hold) if row.customer == draw.values["customer"]]
    return known[0] if known else f"{draw.rng.randrange(10_000):04d}"


SKU = Slot("sku", says=("I mean {}.", "It is {}."))


CUSTOMER = Slot("customer", draw=customer, says=("For {}.", "{}."))


DIGITS = Slot("phone_last4", withheld=0.5, draw=digits, says=("{}.", "The last four are {}."))


TRANSFER = Slot("transfer", says=("I mean {}.", "It is {}."))


HOLD = Slot("hold", says=("I mean {}.", "It is {}."))


HOLDS = (
    Goal(
        hold_for_customer,
        name="hold",
        slots=(
            Slot("store", says=("At {}.", "{}.")),
            SKU,
            Slot("quantity", draw=(1, 1, 2, 2, 3), says=("{}.",)),
            CUSTOMER,
            DIGITS,
        ),
        tells=(Tell("until"),),
    ),
    Goal(
        release_hold,
        name="collected",
        fixed={"outcome": "collected"},
        slots=(HOLD,),
        tells=(Tell("reserved", kind="number", near=("reserved", "aside", "left")),),
        where=lambda hold: hold.row.state == "open",
    ),
    Goal(
        release_hold,
        name="not_wanted",
        fixed={"outcome": "not_wanted"},
        slots=(HOLD,),
        tells=(Tell("reserved", kind="number", near=("reserved", "aside", "left")),),
        where=lambda hold: hold.row.state == "open",
    ),
)


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


def _mine(draw: Draw) -> list[Any]:
    return [(tools.get_my_store, {})]


def _came(draw: Draw) -> int | None:
    came = draw.values["transfer"].quantity - draw.values["missing"]
    return int(came) if came > 0 else None


def _kept_and_sent(draw: Draw) -> Any:
    row, own = draw.values["transfer"], own_store(draw)
    sku = draw.database.get(Sku, row.sku)
    held = {"store": own, "sku": sku, "quantity": draw.values["kept"], "customer": draw.values["customer"]}
    onward = {"sku": sku, "source": own, "target": draw.values["onward"], "quantity": draw.values["rest"]}
    return [
        (tools.hold_for_customer, held | {"phone_last4": draw.values["phone_last4"]}),
        (tools.request_transfer, onward),
    ]


SOURCE = Slot(
    "source", withheld=0.3, reads=_mine, says=("From {}.", "{}."), where=lambda row: row.row.role != "flagship"
)


QUANTITY = Slot("quantity", withheld=0.3, draw=(1, 2, 3, 4, 6, 8, 10), says=("{}.", "{} pieces."))


TRANSFERS = (
    Goal(
        tools.request_transfer,
        name="bring",
        slots=(SKU, SOURCE, QUANTITY, Slot("note", given=0.0)),
        worked_out={"target": own_store},
        tells=(Tell("transfer_id", kind="text"),),
        where=lambda source, target: source.row.store_id != target.row.store_id,
    ),
    Goal(
        tools.request_transfer,
        name="send_on",
        slots=(
            SKU,
            Slot("target", reads=_mine, says=("To {}.",)),
            Slot("quantity", draw=(1, 2, 3, 4), says=("{}.",)),
            Slot("note", given=0.0),
        ),
        worked_out={"source": own_store},
        tells=(Tell("transfer_id", kind="text"),),
        where=lambda source, target: source.row.store_id != target.row.store_id,
    ),
    Goal(
        tools.advance_transfer,
        name="receive_all",
        fixed={"step": "receive"},
        slots=(TRANSFER, Slot("quantity_received", given=0.0)),
        tells=(Tell("received", kind="number", near=("received", "piece", "booked")),),
        where=lambda transfer: transfer.row.state == "shipped",
    ),
    Goal(
        tools.advance_transfer,
        name="receive_short",
        fixed={"step": "receive"},
        slots=(TRANSFER,),
        about=(
            Slot(
                "missing",
                draw=(2, 2, 3, 4),
                say=lambda count, drawn=None: f"{count} pieces",
                says=("All but {} came.",),
            ),
        ),
        worked_out={"quantity_received": _came},
        tells=(Tell("received", kind="number", near=("received", "piece", "booked")),),
        where=lambda transfer: transfer.row.state == "shipped",
    ),
    Goal(
        tools.advance_transfer,
        name="approve",
        fixed={"step": "approve"},
        slots=(TRANSFER, Slot("quantity_received", given=0.0)),
        tells=(Tell("state", kind="text"),),
        where=lambda transfer: transfer.row.state == "requested",
    ),
    Goal(
        tools.advance_transfer,
        name="ship",
        fixed={"step": "ship"},
        slots=(TRANSFER, Slot("quantity_received", given=0.0)),
        tells=(Tell("state", kind="text"),),
        where=lambda transfer: transfer.row.state == "approved",
    ),
    Goal(
        tools.advance_transfer,
        name="cancel",
        fixed={"step": "cancel"},
        slots=(TRANSFER, Slot("quantity_received", given=0.0)),
        tells=(Tell("quantity", kind="number", near=("piece", "quantity")),),
        where=lambda transfer: transfer.row.state in ("requested", "approved", "shipped"),
    ),
    Goal(
        tools.advance_transfer,
        name="rebalance",
        fixed={"step": "receive"},
        slots=(TRANSFER, Slot("quantity_received", given=0.0)),
        about=(
            CUSTOMER,
            Slot("phone_last4", draw=digits),
            Slot("kept", draw=(1, 2)),
            Slot("rest", draw=lambda draw: draw.values["transfer"].quantity - draw.values["kept"]),
            Slot("onward", of=Store),
        ),
        also=_kept_and_sent,
        tells=(Tell("received", kind="number", near=("received", "piece", "booked")),),
        where=lambda transfer: transfer.row.state == "shipped" and transfer.row.quantity > 2,
        share=0.7,
    ),
)


THINGS = (
    Thing(Store),
    Thing(Item),
    Thing(Sku, found_by=(search_catalogue, get_item)),
    Thing(Hold, where=lambda hold: hold.row.state == "open", found_by=(get_my_store,)),
    Thing(Transfer, where=lambda transfer: transfer.row.direction != "elsewhere", says_key=True),
)


CONDITIONS = (
    Condition(
        Sku,
        "free_here",
        "if {value} or more of {it} are free in our store",
        get_stock,
        more="has more pieces free in our store",
        less="has fewer pieces free in our store",
    ),
)


GOALS = (*HOLDS, *TRANSFERS, *SHELVES)
