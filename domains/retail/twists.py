"""Conversations that turn: conditional wishes, wishes that change midway, and several wishes at once."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from domains.retail.cases import Case, Record, affords, paid_with
from domains.retail.limits import forbidden
from domains.retail.questions import ask
from domains.retail.wishes import (
    EXCHANGE,
    MODIFY,
    Builder,
    Swap,
    cancel,
    cancel_order,
    exchange,
    modify_address,
    modify_items,
    modify_payment,
    pay_by,
    return_items,
    send_back,
    ship_to,
    swap_items,
)
from domains.retail.wording import FALLBACK, change_in_words
from sandbox.synthesis.goal_builder import GoalDraft, either, later, told, turned
from sandbox.synthesis.wording import lower_first

Maker = Callable[[Case, Record], GoalDraft | None]
"""Builds a wish about one order, or None."""

# --- conditional ---


def conditional(case: Case) -> GoalDraft | None:
    """A wish, and another for the case that it is impossible: at times it is, at times it is not."""
    return case.rng.choice((if_gone, if_gone, if_too_late, if_too_small))(case)


def if_gone(case: Case) -> GoalDraft | None:
    """A variant, and another one if it is out of stock."""
    kind, possible = case.rng.choice((EXCHANGE, MODIFY)), case.rng.random() < 0.4
    for order in case.orders(kind.status):
        item = case.rng.choice(order["items"])
        wished, second_best = case.variant(item, available=possible), case.variant(item, available=True)
        if wished is None or second_best is None or wished["item_id"] == second_best["item_id"]:
            continue
        dearer = max(wished["price"], second_best["price"])
        method = case.payer(round((dearer - item["price"]) * 100))
        if method is None:
            continue
        wish = swap_items(case, kind, order, [(item, wished)], method=method)
        other = swap_items(case, kind, order, [(item, second_best)], method=method)
        if wish is None or other is None:
            return None
        # in full, since the first choice is still in the listener's ear
        say = case.rng.choice(FALLBACK).format(change=change_in_words(second_best, item, wished))
        return either(case.rng, wish, told(other, say), possible=possible, open_facts={"new_items"})
    return None


def if_too_late(case: Case) -> GoalDraft | None:
    """Cancel an order, and return something of it if it has arrived already."""
    possible = case.rng.random() < 0.4
    for order in case.orders("pending" if possible else "delivered"):
        wish = cancel_order(case, order)
        other = return_items(case, order, [case.rng.choice(order["items"])])
        return either(case.rng, wish, told(other, f"Then {lower_first(other.goal.say)}"), possible=possible)
    return None


def if_too_small(case: Case) -> GoalDraft | None:
    """Pay with a gift card, and with something else if that does not cover it."""
    for order in case.orders("pending"):
        cents = round(order["payment_history"][0]["amount"] * 100)
        others = case.methods(without=paid_with(order))
        card = next((method for method in others if method["source"] == "gift_card"), None)
        plain = next((method for method in others if method["source"] != "gift_card"), None)
        if card is not None and plain is not None:
            wish, other = pay_by(case, order, card), pay_by(case, order, plain)
            say = f"Then {lower_first(other.goal.say)}"
            return either(case.rng, wish, told(other, say), possible=affords(card, cents))
    return None


# --- changes of mind ---


def _swapped(kind: Swap, case: Case, order: Record) -> GoalDraft | None:
    item = case.rng.choice(order["items"])
    variant = case.variant(item, available=True)
    return swap_items(case, kind, order, [(item, variant)]) if variant is not None else None


def _sent_elsewhere(case: Case, order: Record) -> GoalDraft:
    return ship_to(case, order, case.new_address())


def _paid_otherwise(case: Case, order: Record) -> GoalDraft | None:
    cents = round(order["payment_history"][0]["amount"] * 100)
    fitting = (method for method in case.methods(without=paid_with(order)) if affords(method, cents))
    method = next(fitting, None)
    return pay_by(case, order, method) if method is not None else None


def _returned(case: Case, order: Record) -> GoalDraft:
    return return_items(case, order, [case.rng.choice(order["items"])])


_ON_PENDING: tuple[Maker, ...] = (cancel_order, _sent_elsewhere, _paid_otherwise, partial(_swapped, MODIFY))
_ON_DELIVERED: tuple[Maker, ...] = (_returned, partial(_swapped, EXCHANGE))


def change_of_mind(case: Case) -> GoalDraft | None:
    """A wish that is replaced by another for the same order once the agent proposes to carry it out."""
    status, makers = case.rng.choice((("pending", _ON_PENDING), ("pending", _ON_PENDING), ("delivered", _ON_DELIVERED)))
    for order in case.orders(status):
        first, then = case.rng.choice(makers), case.rng.choice(makers)
        begun, final = first(case, order), then(case, order)
        if begun is None or final is None or first is then is cancel_order:
            continue
        if begun.goal.calls != final.goal.calls:
            return turned(case.rng, begun, final)
    return None


# --- several ---

CHANGES: tuple[Builder, ...] = (cancel, send_back, exchange, modify_items, modify_payment, modify_address)
OTHERS: tuple[Builder, ...] = (ask, ask, forbidden)


def several(case: Case) -> list[GoalDraft | None]:
    """Two or three wishes about different orders, at least one of which changes something."""
    builders = [*case.rng.sample(CHANGES, 2), case.rng.choice(OTHERS)]
    if case.vague and case.rng.random() < 0.25:
        builders[0] = case.rng.choice((conditional, change_of_mind))
    count = 3 if case.vague and case.rng.random() < 0.5 else 2
    chosen = [builders[0], *case.rng.sample(builders[1:], count - 1)]
    case.rng.shuffle(chosen)
    return [later(case.rng, build(case), index) for index, build in enumerate(chosen)]
