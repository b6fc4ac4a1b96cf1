"""What customers want done with what they ordered."""

from __future__ import annotations

from typing import Any

from toolgym.domains.shopping.assortment import SIZES
from toolgym.domains.shopping.goals.draws import AN_ITEM, LINE, Calls, one_of, product_of_item
from toolgym.domains.shopping.schema import OrderedItem, Product, Variant
from toolgym.domains.shopping.tools.cart import add_to_cart
from toolgym.domains.shopping.tools.catalogue import get_product
from toolgym.domains.shopping.tools.orders import cancel_order, request_return, write_review
from toolgym.sandbox.kit.goal import Draw, Goal, Slot, Tell

_REFUND = Slot(
    "refund_to",
    withheld=0.5,
    words={"original": "back on the card", "credit": "as store credit"},
    says=("{}, please.", "I'd like it {}."),
)
_REASONS = {
    "damaged": "I found damage",
    "wrong_item": "I got the wrong thing",
    "does_not_fit": "the size is wrong",
    "changed_mind": "I thought better of it",
}
_RETURNED = (Tell("refund_cents", near=("refund", "back", "get", "credit")), Tell("deadline", kind="date"))
_GOOD = ("sturdy", "handsome", "practical", "well made", "pretty")
_BAD = ("heavy", "overpriced", "hard to clean", "badly packed")


def _larger(draw: Draw, item: Any) -> Variant | None:
    """The same thing in the next size, where there is one in stock."""
    if item.size not in SIZES[:-1]:
        return None
    size = SIZES[SIZES.index(item.size) + 1]
    found = draw.database.find(Variant, product_id=item.product_id, colour=item.colour, size=size)
    return next((row for row in found if row.stock), None)


def _too_tight(draw: Draw) -> OrderedItem | None:
    return one_of(draw, [row for row in draw.rows(OrderedItem) if row.state == "bought" and _larger(draw, row)])


def _next_size(draw: Draw) -> Calls:
    return [(add_to_cart, {"variant": _larger(draw, draw.values["line"])})]


def _seen(draw: Draw) -> Calls:
    return [(get_product, {"product": product_of_item(draw, draw.values["line"])})]


def _reason(draw: Draw) -> str:
    """Why things go back; only what has a size can have the wrong one."""
    return draw.rng.choice([name for name in _REASONS if name != "does_not_fit" or draw.values["line"].size])


def _had(draw: Draw) -> Product | None:
    """Mostly something that was bought, now and then something that was not."""
    rows = [product_of_item(draw, row) for row in draw.rows(OrderedItem)]
    among = draw.rows(Product) if draw.rng.random() < 0.25 else rows
    return one_of(draw, [row for row in among if row.category != "pantry"])


ORDERS = (
    Goal(
        cancel_order,
        name="cancel",
        verbs=("cancel",),
        says=(
            "Cancel {order}[; {reason}].",
            "Please cancel {order}[, because {reason}].",
            "I don't need {order} any longer[: {reason}]. Can you cancel it?",
            "Can you cancel {order}?[ The thing is, {reason}.]",
            "I'd like to cancel {order}[, as {reason}].",
            "Could you stop {order} before it's sent?[ It's because {reason}.] I want it cancelled.",
            "I want {order} cancelled[; {reason}].",
            "Would you cancel {order} for me?[ My reason: {reason}.]",
            "There's no point in {order} any more[, since {reason}]. Cancel it, please.",
            "Is it still possible to cancel {order}?[ I ask because {reason}.]",
            "Please call off {order}[: {reason}].",
            "I ordered too fast. Cancel {order}, please[; {reason}].",
        ),
        slots=(
            Slot("order", says=AN_ITEM),
            Slot(
                "reason",
                withheld=0.5,
                words={
                    "changed_mind": "I thought better of it",
                    "found_cheaper": "I found a better price elsewhere",
                    "too_slow": "it takes too long",
                },
            ),
        ),
        tells=(Tell("refund_cents", near=("refund", "back", "get")),),
        where=lambda order: order.row.state not in ("cancelled", "returning"),
        share=1.3,
    ),
    Goal(
        request_return,
        name="send_back",
        verbs=("return", "send back"),
        says=(
            "Return {line}[; {reason}][, and I want the money {refund_to}].",
            "I want to send back {line}[, because {reason}][; refund me {refund_to}].",
            "Please return {line}[: {reason}][. I'd like the money {refund_to}].",
            "Can I send back {line}?[ The trouble is that {reason}.][ I'd want the money {refund_to}.]",
            "I'm not happy with {line}[: {reason}]. Please take that back[, with the money {refund_to}].",
            "Could you set up a return for {line}?[ The reason is that {reason}.][ The money should come {refund_to}.]",
            "I'd like to return {line}[, as {reason}][, with a refund {refund_to}].",
            "Send back {line}[; {reason}][; I take the money {refund_to}].",
            "I have a problem with {line}[: {reason}]. I'd like to return that[ and get the money {refund_to}].",
            "Would you register a return of {line}?[ It's because {reason}.][ I'd like to be paid {refund_to}.]",
            "I need to return {line}[, since {reason}][; the refund should go {refund_to}].",
            "I have to give back {line}[: {reason}][. I'd like the money {refund_to}].",
        ),
        slots=(LINE, Slot("reason", withheld=0.5, draw=_reason, words=_REASONS), _REFUND, Slot("comment", given=0.0)),
        tells=_RETURNED,
        where=lambda line: line.row.state == "bought",
        share=2.0,
    ),
    Goal(
        request_return,
        name="exchange",
        verbs=("send back", "return", "exchange"),
        fixed={"reason": "does_not_fit"},
        says=(
            "Send back {line} as too tight and put the next size into my cart[; the money {refund_to}].",
            "The wrong size again: return {line} and add the next size up to my cart[, with the money {refund_to}].",
            "Please return {line} as too tight[, refunded {refund_to}], and add the next size up to my cart.",
            "I need {line} one size larger: send mine back and put the other in my cart[; refund {refund_to}].",
            "Return {line} as too tight[, with a refund {refund_to}], and put the next size in the cart.",
            "Can you send back {line} and add the next larger size to the cart?[ I want the money {refund_to}.]",
            "I took {line} a size too small. Send that back[, the money {refund_to}] and put the next size in my cart.",
            "I can't get into {line}. Return that[ with the money {refund_to}] and add the next size to my cart.",
            "Could you return {line} as too tight and put the next size up into my cart?[ Refund me {refund_to}.]",
            "Exchange {line} for the next size: send mine back[, refund {refund_to}] and add the other to the cart.",
            "Too tight again: please send back {line}[, refund me {refund_to}] and add one size up to my cart.",
            "I'd like to send back {line} as too tight, and put the next size in my cart[; money {refund_to}].",
        ),
        slots=(Slot("line", draw=_too_tight, says=AN_ITEM, reads=_seen), _REFUND, Slot("comment", given=0.0)),
        also=_next_size,
        tells=_RETURNED,
    ),
    Goal(
        write_review,
        name="rate",
        verbs=("rate", "review"),
        says=(
            "Rate {product} for me[, {stars} stars]: {good}, though {bad}.",
            "I want to review {product}[ with {stars} stars]: {good}, though {bad}.",
            "Please write a review of {product}[, {stars} stars], saying {good} but {bad}.",
            "Can you give {product} {stars} stars? Others should know this: {good}, and also {bad}.",
            "My verdict on {product}[, {stars} stars]: {good} yet {bad}. Please publish a review.",
            "Let me rate {product}[ at {stars} stars]. On the one hand {good}, on the other hand {bad}.",
            "Could you review {product} in my name[, with {stars} stars]? Say {good}, and say {bad}.",
            "Would you post a review for {product}[: {stars} stars]? The words should be {good}, but {bad}.",
            "I'd like to rate {product}[ {stars} stars] and call that purchase {good} but also {bad}.",
            "Post a review of {product}[, {stars} stars]: {bad}, but {good}.",
            "Review {product}[, {stars} stars], please. In short: {good} and {bad}.",
            "I promised a review of {product}[, {stars} stars]. Write that I find my purchase {good}, only {bad}.",
        ),
        slots=(
            Slot("product", draw=_had, says=AN_ITEM),
            Slot("stars", withheld=0.4, draw=(2, 3, 4, 5), says=("{} stars.", "{} of five.")),
            Slot("text", mentions=("good", "bad")),
        ),
        about=(Slot("good", draw=_GOOD), Slot("bad", draw=_BAD)),
        share=1.3,
    ),
)
