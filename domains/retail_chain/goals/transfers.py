"""What associates want moved between stores."""

from __future__ import annotations

from typing import Any

from toolgym.domains.retail_chain.goals.draws import CUSTOMER, SKU, TRANSFER, digits, own_store
from toolgym.domains.retail_chain.schema import Sku, Store
from toolgym.domains.retail_chain.tools import (
    advance_transfer,
    get_my_store,
    hold_for_customer,
    request_transfer,
)
from toolgym.sandbox.kit.goal import Draw, Goal, Slot, Tell


def _mine(draw: Draw) -> list[Any]:
    return [(get_my_store, {})]


def _came(draw: Draw) -> int | None:
    came = draw.values["transfer"].quantity - draw.values["missing"]
    return int(came) if came > 0 else None


def _kept_and_sent(draw: Draw) -> Any:
    row, own = draw.values["transfer"], own_store(draw)
    sku = draw.database.get(Sku, row.sku)
    held = {"store": own, "sku": sku, "quantity": draw.values["kept"], "customer": draw.values["customer"]}
    onward = {"sku": sku, "source": own, "target": draw.values["onward"], "quantity": draw.values["rest"]}
    return [
        (hold_for_customer, held | {"phone_last4": draw.values["phone_last4"]}),
        (request_transfer, onward),
    ]


SOURCE = Slot(
    "source", withheld=0.3, reads=_mine, says=("From {}.", "{}."), where=lambda row: row.row.role != "flagship"
)
QUANTITY = Slot("quantity", withheld=0.3, draw=(1, 2, 3, 4, 6, 8, 10), says=("{}.", "{} pieces."))

TRANSFERS = (
    Goal(
        request_transfer,
        name="bring",
        verbs=("request", "ask for"),
        says=(
            "Get us {quantity} of {sku}[ from {source}].",
            "We need {quantity} of {sku}[; ask {source} for them].",
            "Please request {quantity} of {sku} for our store[ from {source}].",
            "Ask {source} to send us[ {quantity} of] {sku}.",
            "Can you have {quantity} of {sku} sent to us[ from {source}]?",
            "Our shelf is empty: request[ {quantity} of] {sku}[ from {source}] for us.",
            "I want {quantity} of {sku} brought here[ from {source}].",
            "Order a transfer of {quantity} of {sku} to our store[, out of {source}].",
            "{source} has {sku}. Request[ {quantity} of] it for us.",
            "Request a transfer to us: {sku}[, {quantity} pieces][, from {source}].",
            "Let {source} send {quantity} of {sku} to us.",
            "Have[ {quantity} of] {sku} transferred here[ from {source}], please.",
        ),
        slots=(SKU, SOURCE, QUANTITY, Slot("note", given=0.0)),
        worked_out={"target": own_store},
        tells=(Tell("transfer_id", kind="text"),),
        where=lambda source, target: source.row.store_id != target.row.store_id,
    ),
    Goal(
        request_transfer,
        name="send_on",
        verbs=("send", "transfer"),
        says=(
            "Enter a transfer of {quantity} of {sku} from us to {target}.",
            "{target} needs {quantity} of {sku} from our shelf; enter the transfer.",
            "Please transfer {quantity} of {sku} from our stock to {target}.",
            "We can spare {quantity} of {sku}. Set up a transfer to {target}.",
            "Can you set up a transfer from our store to {target}, {quantity} of {sku}?",
            "Let {target} have {quantity} of {sku} out of our stock.",
            "Put {quantity} of {sku} down for a transfer from here to {target}.",
            "From us to {target}: {quantity} of {sku}. Enter that transfer, please.",
            "I promised {target} {quantity} of {sku}, so enter the transfer from our store.",
            "Start a transfer to {target} with {quantity} of {sku} from our stock.",
            "Here {sku} sells badly; transfer {quantity} of it from us to {target}.",
            "Make it a transfer: {quantity} of {sku}, from us, for {target}.",
        ),
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
        advance_transfer,
        name="receive_all",
        verbs=("receive",),
        fixed={"step": "receive"},
        says=(
            "{transfer} has come in complete; receive it.",
            "Please receive {transfer}, nothing is missing.",
            "We have unpacked {transfer} and all of it is there. Receive it.",
            "Book {transfer} as received, the number is right.",
            "Can you receive {transfer}? Everything was in the box.",
            "The box is here: receive {transfer}.",
            "The driver has just brought {transfer}. Receive it, please.",
            "{transfer} has arrived in full.",
            "I have counted {transfer}; it is complete, so receive it.",
            "All pieces of {transfer} have come. Please receive them.",
            "Receive {transfer} for us; it came as it was sent.",
            "Mark {transfer} as received with all pieces.",
        ),
        slots=(TRANSFER, Slot("quantity_received", given=0.0)),
        tells=(Tell("received", kind="number", near=("received", "piece", "booked")),),
        where=lambda transfer: transfer.row.state == "shipped",
    ),
    Goal(
        advance_transfer,
        name="receive_short",
        verbs=("receive",),
        fixed={"step": "receive"},
        says=(
            "{transfer} has come, but {missing} are missing. Receive the rest.",
            "Please receive {transfer}; {missing} of it were not in the box.",
            "The box is here: {transfer}, with {missing} missing. Receive what came.",
            "We are {missing} short on {transfer}. Receive what is there.",
            "Receive {transfer}, less {missing} that never came.",
            "Can you receive {transfer}? We found {missing} fewer than were sent.",
            "In {transfer} {missing} are missing; book the rest as received.",
            "I counted {transfer}: {missing} missing. Receive it like that.",
            "All but {missing} of {transfer} have arrived, please receive them.",
            "The driver has lost {missing} of {transfer}. Receive the others.",
            "Book {transfer} as received, with {missing} too few.",
            "{transfer} came with {missing} missing; receive what we got.",
        ),
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
        advance_transfer,
        name="approve",
        verbs=("approve",),
        fixed={"step": "approve"},
        says=(
            "Approve {transfer}.",
            "Please approve {transfer} for us.",
            "{transfer} can be approved.",
            "I agree to {transfer}; approve it, please.",
            "Can you approve {transfer}?",
            "We can spare that, so approve {transfer}.",
            "Go through with {transfer} and approve it.",
            "They are waiting for {transfer}. Approve it.",
            "Give our approval to {transfer}.",
            "Let {transfer} go ahead: approve it.",
            "I would like {transfer} approved.",
            "From our side {transfer} is fine; approve it.",
        ),
        slots=(TRANSFER, Slot("quantity_received", given=0.0)),
        tells=(Tell("state", kind="text"),),
        where=lambda transfer: transfer.row.state == "requested",
    ),
    Goal(
        advance_transfer,
        name="ship",
        verbs=("ship",),
        fixed={"step": "ship"},
        says=(
            "Ship {transfer} today.",
            "{transfer} is packed; book it as shipped.",
            "Please ship {transfer}.",
            "The driver has taken {transfer} along, so it is shipped.",
            "Can you mark {transfer} as shipped?",
            "I have put {transfer} on the van. Ship it in the system.",
            "{transfer} has left our store: shipped.",
            "Send {transfer} off as shipped.",
            "We are ready to ship {transfer}.",
            "Let {transfer} be shipped now.",
            "Out goes {transfer}; ship it, please.",
            "The box with {transfer} is gone. Please ship it in the system.",
        ),
        slots=(TRANSFER, Slot("quantity_received", given=0.0)),
        tells=(Tell("state", kind="text"),),
        where=lambda transfer: transfer.row.state == "approved",
    ),
    Goal(
        advance_transfer,
        name="cancel",
        verbs=("cancel",),
        fixed={"step": "cancel"},
        says=(
            "We no longer need {transfer}; cancel it.",
            "Please cancel {transfer}.",
            "{transfer} is not needed any more. Cancel it, please.",
            "Can you cancel {transfer}? The customer has gone elsewhere.",
            "Call off {transfer}.",
            "I asked too early, so cancel {transfer}.",
            "{transfer} was a mistake; please cancel it.",
            "Drop {transfer}, we have found some in the back.",
            "There is no point in {transfer} any longer. Cancel it.",
            "Take {transfer} off the list: cancelled.",
            "I want {transfer} cancelled before it leaves.",
            "Stop {transfer} before anybody packs it.",
        ),
        slots=(TRANSFER, Slot("quantity_received", given=0.0)),
        tells=(Tell("quantity", kind="number", near=("piece", "quantity")),),
        where=lambda transfer: transfer.row.state in ("requested", "approved", "shipped"),
    ),
    Goal(
        advance_transfer,
        name="rebalance",
        verbs=("receive",),
        fixed={"step": "receive"},
        says=(
            "Receive {transfer} complete, hold {kept} of it with us for {customer}, {phone_last4}, and request a "
            "transfer of the other {rest} to {onward}.",
            "{transfer} is here in full. Hold {kept} here for {customer} (phone {phone_last4}) and request a transfer "
            "of {rest} to {onward}.",
            "Please receive {transfer}; hold {kept} of it here for {customer}, digits {phone_last4}, and let {rest} "
            "go to {onward} by transfer.",
            "When you have received all of {transfer}, hold {kept} here for {customer}, {phone_last4}, and transfer "
            "{rest} to {onward}.",
            "Of {transfer}, which has come complete, hold {kept} for {customer} with the digits "
            "{phone_last4}, and let a transfer take {rest} to {onward}. Receive it first.",
            "Book {transfer} as received in full, hold {kept} for {customer}, {phone_last4}, at our store, and put "
            "{rest} on a transfer to {onward}.",
            "All of {transfer} is here: receive it, hold {kept} for {customer}, {phone_last4}, with us, and enter a "
            "transfer of {rest} to {onward}.",
            "Receive {transfer}. {customer}, {phone_last4}, gets {kept} of it held here; request the transfer of "
            "{rest} to {onward}.",
            "{transfer} came complete, receive it. {onward} gets {rest} by transfer, and {kept} we hold here for "
            "{customer}, {phone_last4}.",
            "Take {transfer} in as complete, then hold {kept} here for {customer}, whose phone ends in {phone_last4}, "
            "and request a transfer of {rest} to {onward}.",
            "We got {transfer} complete. Receive it, hold {kept} here for {customer}, {phone_last4}, and transfer "
            "{rest} to {onward}.",
            "Please receive {transfer}, all of it, hold {kept} in our store for {customer}, digits {phone_last4}, and "
            "let a transfer take {rest} to {onward}.",
        ),
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
