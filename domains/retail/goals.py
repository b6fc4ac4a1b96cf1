"""What customers of the shop come for."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from domains.retail.draws import (
    ADDRESS,
    NEW,
    ORDER,
    PAYMENT,
    REASON,
    RETURNED,
    SWAPPED,
    cents,
    holds_items,
    paid,
)
from domains.retail.questions import QUESTIONS
from domains.retail.schema import Product
from domains.retail.tools import (
    cancel_pending_order,
    exchange_delivered_order_items,
    modify_pending_order_address,
    modify_pending_order_items,
    modify_pending_order_payment,
    modify_user_address,
    return_delivered_order_items,
    transfer_to_human_agents,
)
from sandbox.kit.goal import Ask, Draw, Goal, Slot, Tell

# --- changes ---


def _exchanged(result: Any) -> int:
    return cents(result["exchange_price_difference"])


def _changed(result: Any) -> int:
    """What other items cost more or less: the last movement of money, where there was one."""
    last = result["payment_history"][-1]
    movement = {"payment": 1, "refund": -1}[last["transaction_type"]] * cents(last["amount"])
    return movement if len(result["payment_history"]) > 1 else 0


def _refund(result: Any) -> int:
    held = {item["item_id"]: cents(item["price"]) for item in result["items"]}
    return sum(held[item_id] for item_id in result["return_items"])


_REFUNDED = Tell("refund", "money", value=_refund)


def _settled(difference: Callable[[Any], int]) -> tuple[Ask, Ask]:
    told = Tell("difference", "money", value=difference)
    return Ask("What is the exact price difference?", told), Ask("How much did the price change?", told)


CHANGES = (
    Goal(
        cancel_pending_order,
        says=(
            "I want to cancel {order}[: {reason}].",
            "Please cancel {order}[, {reason}].",
            "Could you cancel {order} for me?[ The reason is that {reason}.]",
            "I need {order} cancelled[; {reason}].",
            "There is {order}, and I'd like to have it cancelled[, since {reason}].",
            "I'd like to call off {order}[ because {reason}].",
        ),
        verbs=("cancel", "call off"),
        slots=(ORDER, REASON),
        asks=(
            Ask("How much will I get back?", Tell("refund", "money", value=paid)),
            Ask("What amount will be refunded?", Tell("refund", "money", value=paid)),
        ),
    ),
    Goal(
        return_delivered_order_items,
        says=(
            "I want to return {items} from {order}[, refunded to {payment_method}].",
            "I'd like to send back {items} from {order}.[ Please refund it to {payment_method}.]",
            "I need to return {items}; that is from {order}.[ The refund should go to {payment_method}.]",
            "Could I return {items} from {order}?[ I want the money back on {payment_method}.]",
            "Please let me return {items} from {order}[ and put the money on {payment_method}].",
            "About {order}: I am sending back {items}[, and the refund goes to {payment_method}].",
        ),
        verbs=("return", "send back", "refund"),
        slots=(ORDER, RETURNED, PAYMENT),
        where=holds_items,
        asks=(Ask("How much will I get back?", _REFUNDED), Ask("What is the refund in total?", _REFUNDED)),
    ),
    Goal(
        exchange_delivered_order_items,
        says=(
            "I'd like to exchange {items} from {order}[ for {new_items}].[ Use {payment_method} for the difference.]",
            "I want to swap {items} of {order} for another variant[: {new_items}].[ Any difference is for "
            "{payment_method}.]",
            "Please exchange {items} from {order}[ for {new_items}][ and settle it with {payment_method}].",
            "Could you swap {items}[ for {new_items}]? That is in {order}.[ The difference goes on {payment_method}.]",
            "{items} from {order} should be exchanged[ for {new_items}][, with any difference on {payment_method}].",
            "Can I get {items} from {order} exchanged[ for {new_items}]?[ I'd use {payment_method} for it.]",
        ),
        verbs=("exchange", "swap", "replace", "change", "switch", "modify", "update", "correct"),
        slots=(ORDER, SWAPPED, NEW, PAYMENT),
        where=holds_items,
        asks=_settled(_exchanged),
    ),
    Goal(
        modify_pending_order_items,
        says=(
            "I'd like to change {items} in {order}[ to {new_items}].[ Use {payment_method} for the difference.]",
            "Please switch {items} in {order}[ to {new_items}][ and settle it with {payment_method}].",
            "Could you change {items}[ to {new_items}]? It is about {order}.[ It goes on {payment_method}.]",
            "I picked the wrong options for {items} in {order}[; make it {new_items}].[ Settle it with "
            "{payment_method}.]",
            "Before {order} leaves, please change {items}[ to {new_items}][ and settle it with {payment_method}].",
            "Can {items} in {order} still be changed[ to {new_items}]?[ I'd put the difference on {payment_method}.]",
        ),
        verbs=("change", "switch", "modify", "swap", "replace", "exchange", "update", "correct"),
        slots=(ORDER, SWAPPED, NEW, PAYMENT),
        where=holds_items,
        asks=_settled(_changed),
    ),
    Goal(
        modify_pending_order_payment,
        says=(
            "I want to pay for {order} with {payment_method} instead.",
            "I want to pay for {order} in another way.",
            "Please switch the payment of {order}[ to {payment_method}].",
            "I'd like to change the payment of {order}[ to {payment_method}].",
            "Could I pay for {order} with {payment_method} rather than as I chose at first?",
            "Could I pay for {order} differently rather than as I chose at first?",
            "The payment of {order} should be changed[ to {payment_method}].",
            "Can you put {order} on {payment_method}?",
            "Can you put {order} on another payment method?",
        ),
        verbs=("change", "switch", "pay", "modify", "update", "correct"),
        slots=(ORDER, PAYMENT),
        where=lambda order, payment_method: order.row.paid_with != payment_method.row.payment_method_id,
    ),
    Goal(
        modify_pending_order_address,
        says=(
            "Please send {order} to {address}.",
            "Please send {order} to another address.",
            "I need {order} delivered to {address}.",
            "I need {order} delivered to a different address.",
            "I'd like to change the address of {order}[ to {address}].",
            "Could you ship {order} to {address}?",
            "Could you ship {order} to another place?",
            "I won't be home, so {order} should go to {address}.",
            "I won't be home, so {order} should go to another address.",
            "The shipping address of {order} is wrong[; it should be {address}].",
        ),
        verbs=("change", "send", "ship", "deliver", "modify", "update", "switch", "correct"),
        slots=(ORDER, ADDRESS),
    ),
    Goal(
        modify_user_address,
        says=(
            "I have moved, please change the default address in my profile[ to {address}].",
            "My account still has my old address[; it should be {address}].",
            "I'd like my profile's default address to be {address}.",
            "I'd like my profile's default address to be changed.",
            "Please update the address in my account[ to {address}], I have moved.",
            "Could you correct the address in my profile?[ I live at {address} now.]",
            "We live somewhere else now, so my profile needs a new address[: {address}].",
        ),
        verbs=("change", "update", "modify", "correct", "switch"),
        slots=(ADDRESS,),
    ),
)


# --- matters of a human's ---

_MATTERS = (
    "the {item} leaked and ruined the carpet, and I want compensation for it",
    "the parcel with the {item} never reached me, although it is shown as delivered",
    "I got hurt by the {item} and want to talk about damages",
    "I want to buy two hundred pieces of the {item} for my company at a discount",
    "I would like to become a reseller of the {item}",
    "somebody has used my account to look at the {item}, and I want that investigated",
    "I need an invoice in the name of my company for the {item}",
    "the {item} broke after two days and I want it repaired under warranty",
    "I want to complain about the courier who brought the {item}",
    "I want the e-mail address of my account changed, since the one on the bill for the {item} is old",
)


def _matter(draw: Draw) -> str:
    return str(draw.rng.choice(_MATTERS)).format(item=draw.rng.choice(draw.database.find(Product)).name)


HUMAN = Goal(
    transfer_to_human_agents,
    says=(
        "{matter}. What can you do about it?",
        "{matter}. I need help with that.",
        "I want to speak to a human agent: {matter}.",
        "Please put me through to a person; {matter}.",
        "Can I talk to a human about this? It is that {matter}.",
        "I'd rather have a person look at this: {matter}.",
    ),
    verbs=("transfer",),
    share=0.6,
    about=(Slot("matter", draw=_matter),),
)
GOALS = (*CHANGES, *QUESTIONS, HUMAN)
