"""What customers of the shop come for."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from toolgym.domains.retail.goals.draws import (
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
from toolgym.domains.retail.goals.questions import QUESTIONS
from toolgym.domains.retail.schema import Product
from toolgym.domains.retail.tools import (
    cancel_pending_order,
    exchange_delivered_order_items,
    modify_pending_order_address,
    modify_pending_order_items,
    modify_pending_order_payment,
    modify_user_address,
    return_delivered_order_items,
    transfer_to_human_agents,
)
from toolgym.sandbox.kit.goal import Ask, Draw, Goal, Slot, Tell

# --- changes ---


def _exchanged(result: Any) -> int:
    return abs(cents(result["exchange_price_difference"]))


def _changed(result: Any) -> int:
    """What other items cost more or less: the last movement of money, where there was one."""
    last = result["payment_history"][-1]
    movement = {"payment": 1, "refund": -1}[last["transaction_type"]] * cents(last["amount"])
    return abs(movement) if len(result["payment_history"]) > 1 else 0


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
            "I want to cancel {order}[ because {reason}].",
            "Please cancel {order}[; {reason}].",
            "Could you cancel {order} for me?[ The reason is that {reason}.]",
            "I need {order} cancelled[; {reason}].",
            "I'd like to have {order} cancelled[, since {reason}].",
            "I'd like to call off {order}[ because {reason}].",
            "Is it still possible to cancel {order}?[ It's because {reason}.]",
            "Can you cancel {order}, please?[ To be honest, {reason}.]",
            "I've decided against {order}, so please cancel it.[ The reason is simple: {reason}.]",
            "Would you mind cancelling {order}?[ It's just that {reason}.]",
            "I'm hoping you can cancel {order}[, as {reason}].",
            "I don't want {order} any more, so please cancel it.[ It's because {reason}.]",
            "Please stop {order} before it ships; I'd like it cancelled[ because {reason}].",
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
            "I want to return {items} from {order}[ and get the refund on {payment_method}].",
            "I'd like to send back {items} from {order}.[ Please refund it to {payment_method}.]",
            "I need to return {items} from {order}.[ The refund should go to {payment_method}.]",
            "Could I return {items} from {order}?[ I want the money back on {payment_method}.]",
            "Please start a return for {items} from {order}[, with the refund to {payment_method}].",
            "I'm sending back {items} from {order}.[ Please put the refund on {payment_method}.]",
            "I'm not happy with {items} from {order} and would like to make a return.[ The refund can go to "
            "{payment_method}.]",
            "Can you set up a return of {items} from {order}?[ I'd like the money on {payment_method}.]",
            "Not everything in {order} is right for me: I'd like to return {items}.[ Refund it to "
            "{payment_method}, please.]",
            "I've decided not to keep {items} from {order}; please arrange the return[ and refund {payment_method}].",
            "I'd like to return {items} from {order} and have my money back[ on {payment_method}].",
            "Please help me return {items} from {order}.[ I'd prefer the refund on {payment_method}.]",
            "Is it possible to return {items} from {order}?[ If so, refund it to {payment_method}.]",
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
            "I want to swap {items} from {order}[ for {new_items}].[ Any difference goes on {payment_method}.]",
            "Please exchange {items} from {order}[ for {new_items}][ and settle it with {payment_method}].",
            "Could you swap {items} from {order}[ for {new_items}]?[ Put the difference on {payment_method}.]",
            "Can I get {items} from {order} exchanged[ for {new_items}]?[ I'd use {payment_method} for it.]",
            "I'd rather have a different version of {items} from {order}; please exchange it[ for {new_items}].[ "
            "Settle any difference with {payment_method}.]",
            "Would it be possible to exchange {items} from {order}[ for {new_items}]?[ You can use "
            "{payment_method} for any difference.]",
            "The options I chose in {order} aren't right, so please exchange {items}[ for {new_items}].[ Use "
            "{payment_method}, please.]",
            "I need to exchange {items} from {order}[ for {new_items}].[ The difference can go on {payment_method}.]",
            "I picked the wrong kind in {order} and want to exchange {items}[ for {new_items}].[ If the price "
            "differs, use {payment_method}.]",
            "Could you arrange an exchange of {items} from {order}[ for {new_items}]?[ Any difference should go "
            "through {payment_method}.]",
            "Now that {order} is here, I'd like to exchange {items}[ for {new_items}].[ Take "
            "{payment_method} for the difference.]",
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
            "Could you change {items} in {order}[ to {new_items}]?[ The difference goes on {payment_method}.]",
            "I picked the wrong options for {items} in {order}[; please change that to {new_items}].[ Settle it "
            "with {payment_method}.]",
            "Before {order} ships, please change {items}[ to {new_items}][ and settle it with {payment_method}].",
            "Can {items} in {order} still be changed[ to {new_items}]?[ I'd put the difference on {payment_method}.]",
            "I want different options for {items} in {order}[: please change that to {new_items}].[ Use "
            "{payment_method}.]",
            "Is it too late to change {items} in {order}[ to {new_items}]?[ You can use {payment_method} for any "
            "difference.]",
            "I've been thinking about {order} and want to switch {items}[ to {new_items}].[ Any difference goes "
            "on {payment_method}.]",
            "Would you change {items} in {order} for me[ to {new_items}]?[ Please use {payment_method} for it.]",
            "I need to modify {order}: please change {items}[ to {new_items}].[ The difference can go on "
            "{payment_method}.]",
            "When I placed {order} I clicked the wrong options; please change {items}[ to {new_items}].[ Take "
            "{payment_method} for any difference.]",
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
            "I want to pay for {order} in a different way.",
            "Please switch the payment for {order}[ to {payment_method}].",
            "I'd like to change the payment method of {order}[ to {payment_method}].",
            "Could I pay for {order} with {payment_method} rather than what I chose at checkout?",
            "Could I use a different payment method for {order}?",
            "Can you put {order} on {payment_method}?",
            "Can you put {order} on another payment method?",
            "Would you move the payment for {order}[ over to {payment_method}], please?",
            "I'd rather use {payment_method} for {order}. Can you change that?",
            "I'd rather pay for {order} with something else. Can you change that?",
            "Please charge {order} to {payment_method} and not to what I used before.",
            "Please don't charge {order} to what I used before; I want to change that.",
            "I used the wrong payment method for {order}[; it should be {payment_method}].",
            "Is it possible to change how I pay for {order}[ and use {payment_method}]?",
            "I'd like to change the payment of {order}[ to {payment_method}].",
            "I want to pay for {order} in another way.",
        ),
        verbs=("change", "switch", "pay", "modify", "update", "correct"),
        slots=(ORDER, PAYMENT),
        where=lambda order, payment_method: order.row.paid_with != payment_method.row.payment_method_id,
    ),
    Goal(
        modify_pending_order_address,
        says=(
            "Please send {order} to {address}.",
            "Please send {order} to a different address.",
            "I need {order} delivered to {address}.",
            "I need {order} delivered to a different address.",
            "I'd like to change the shipping address of {order}[ to {address}].",
            "Could you ship {order} to {address} instead?",
            "Could you ship {order} somewhere else?",
            "I won't be home, so please have {order} delivered to {address}.",
            "I won't be home, so please have {order} delivered to another address.",
            "The shipping address of {order} is wrong[; it should be {address}].",
            "Can you redirect {order}[ to {address}]?",
            "Is it still possible to change where {order} goes[, to {address}]?",
            "I gave you the wrong address for {order}[. The right one is {address}].",
            "Would you update the delivery address of {order}[ to {address}], please?",
            "I'm moving soon, so please change the address of {order}[ to {address}].",
            "I'd like to change the address of {order}[ to {address}].",
            "Could you ship {order} to {address}?",
        ),
        verbs=("change", "send", "ship", "deliver", "modify", "update", "switch", "correct"),
        slots=(ORDER, ADDRESS),
    ),
    Goal(
        modify_user_address,
        says=(
            "I've moved. Please change the default address in my profile[ to {address}].",
            "My account still has my old address[; it should be {address}].",
            "I'd like my profile's default address to be {address}.",
            "I'd like to change the default address in my profile.",
            "Please update the address in my account[ to {address}]; I've just moved.",
            "Could you correct the address in my profile?[ I live at {address} now.]",
            "We live somewhere else now, so my profile needs a new address[: {address}].",
            "I have a new address[, {address}]. Can you put it in my profile?",
            "Can you change my default address[ to {address}], please?",
            "Please save a new default address in my account[: {address}].",
            "The address on file for me is out of date[; please change it to {address}].",
            "I need my home address updated in your records[ to {address}].",
            "Would you change the address in my profile[ to {address}]? I just moved.",
        ),
        verbs=("change", "update", "modify", "correct", "switch"),
        slots=(ADDRESS,),
    ),
)


# --- matters of a human's ---

_MATTERS = (
    "the {item} damaged my floor, and I want compensation for that",
    "the parcel with the {item} never reached me, although it is shown as delivered",
    "I hurt myself on the {item} and want to talk about damages",
    "I want to order two hundred of the {item} for my company at a discount",
    "I would like to become a reseller of the {item}",
    "somebody else has been using my account, and I want that investigated",
    "I need an invoice in the name of my company for the {item}",
    "the {item} broke after two days and I want it repaired under warranty",
    "I want to complain about the courier who delivered the {item}",
    "I want the e-mail address of my account changed, because I no longer use the old one",
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
        "Can I talk to a human about this? The thing is, {matter}.",
        "I'd rather have a person look at this: {matter}.",
        "Could you connect me with someone from your team? {matter}.",
        "I don't think a chat can solve this: {matter}.",
        "Is there somebody I can talk to? {matter}.",
        "I need a real person for this one: {matter}.",
        "Please get me a human agent. {matter}.",
        "Who can help me with this? {matter}.",
        "{matter}. Could someone look into that for me?",
    ),
    verbs=("transfer",),
    share=0.6,
    about=(Slot("matter", draw=_matter),),
)
GOALS = (*CHANGES, *QUESTIONS, HUMAN)
