"""What associates want moved between stores."""

from __future__ import annotations

from typing import Any

from toolgym.domains.retail_chain import tools
from toolgym.domains.retail_chain.goals.draws import CUSTOMER, SKU, TRANSFER, digits, own_store
from toolgym.domains.retail_chain.schema import Sku, Store
from toolgym.sandbox.kit.goal import Draw, Goal, Slot, Tell


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
