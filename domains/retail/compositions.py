"""Conversations that turn: conditional wishes, wishes that change midway, and several wishes at once."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from domains.retail.customer_sampler import CustomerSampler, Record, affords, paid_with
from domains.retail.forbidden import forbidden
from domains.retail.goals import (
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
from domains.retail.questions import ask
from domains.retail.wording import FALLBACK, change_in_words
from sandbox.synthesis.goal_builder import GoalDraft, either, later, told, turned
from sandbox.synthesis.wording import lower_first

Maker = Callable[[CustomerSampler, Record], GoalDraft | None]
"""Builds a wish about one order, or None."""

# --- conditional ---


def conditional(sampler: CustomerSampler) -> GoalDraft | None:
    """A wish, and another for the case that it is impossible: at times it is, at times it is not."""
    return sampler.rng.choice((if_gone, if_gone, if_too_late, if_too_small))(sampler)


def if_gone(sampler: CustomerSampler) -> GoalDraft | None:
    """A variant, and another one if it is out of stock."""
    kind, possible = sampler.rng.choice((EXCHANGE, MODIFY)), sampler.rng.random() < 0.4
    for order in sampler.orders(kind.status):
        item = sampler.rng.choice(order["items"])
        wished, second_best = sampler.variant(item, available=possible), sampler.variant(item, available=True)
        if wished is None or second_best is None or wished["item_id"] == second_best["item_id"]:
            continue
        dearer = max(wished["price"], second_best["price"])
        method = sampler.payer(round((dearer - item["price"]) * 100))
        if method is None:
            continue
        wish = swap_items(sampler, kind, order, [(item, wished)], method=method)
        other = swap_items(sampler, kind, order, [(item, second_best)], method=method)
        if wish is None or other is None:
            return None
        # in full, since the first choice is still in the listener's ear
        say = sampler.rng.choice(FALLBACK).format(change=change_in_words(second_best, item, wished))
        return either(sampler.rng, wish, told(other, say), possible=possible, open_facts={"new_items"})
    return None


def if_too_late(sampler: CustomerSampler) -> GoalDraft | None:
    """Cancel an order, and return something of it if it has arrived already."""
    possible = sampler.rng.random() < 0.4
    for order in sampler.orders("pending" if possible else "delivered"):
        wish = cancel_order(sampler, order)
        other = return_items(sampler, order, [sampler.rng.choice(order["items"])])
        return either(sampler.rng, wish, told(other, f"Then {lower_first(other.goal.utterance)}"), possible=possible)
    return None


def if_too_small(sampler: CustomerSampler) -> GoalDraft | None:
    """Pay with a gift card, and with something else if that does not cover it."""
    for order in sampler.orders("pending"):
        cents = round(order["payment_history"][0]["amount"] * 100)
        others = sampler.methods(without=paid_with(order))
        card = next((method for method in others if method["source"] == "gift_card"), None)
        plain = next((method for method in others if method["source"] != "gift_card"), None)
        if card is not None and plain is not None:
            wish, other = pay_by(sampler, order, card), pay_by(sampler, order, plain)
            say = f"Then {lower_first(other.goal.utterance)}"
            return either(sampler.rng, wish, told(other, say), possible=affords(card, cents))
    return None


# --- changes of mind ---


def _swapped(kind: Swap, sampler: CustomerSampler, order: Record) -> GoalDraft | None:
    item = sampler.rng.choice(order["items"])
    variant = sampler.variant(item, available=True)
    return swap_items(sampler, kind, order, [(item, variant)]) if variant is not None else None


def _sent_elsewhere(sampler: CustomerSampler, order: Record) -> GoalDraft:
    return ship_to(sampler, order, sampler.new_address())


def _paid_otherwise(sampler: CustomerSampler, order: Record) -> GoalDraft | None:
    cents = round(order["payment_history"][0]["amount"] * 100)
    fitting = (method for method in sampler.methods(without=paid_with(order)) if affords(method, cents))
    method = next(fitting, None)
    return pay_by(sampler, order, method) if method is not None else None


def _returned(sampler: CustomerSampler, order: Record) -> GoalDraft:
    return return_items(sampler, order, [sampler.rng.choice(order["items"])])


_ON_PENDING: tuple[Maker, ...] = (cancel_order, _sent_elsewhere, _paid_otherwise, partial(_swapped, MODIFY))
_ON_DELIVERED: tuple[Maker, ...] = (_returned, partial(_swapped, EXCHANGE))


def change_of_mind(sampler: CustomerSampler) -> GoalDraft | None:
    """A wish that is replaced by another for the same order once the agent proposes to carry it out."""
    status, makers = sampler.rng.choice(
        (("pending", _ON_PENDING), ("pending", _ON_PENDING), ("delivered", _ON_DELIVERED))
    )
    for order in sampler.orders(status):
        first, then = sampler.rng.choice(makers), sampler.rng.choice(makers)
        begun, final = first(sampler, order), then(sampler, order)
        if begun is None or final is None or first is then is cancel_order:
            continue
        if begun.goal.calls != final.goal.calls:
            return turned(sampler.rng, begun, final)
    return None


# --- several ---

CHANGES: tuple[Builder, ...] = (cancel, send_back, exchange, modify_items, modify_payment, modify_address)
OTHERS: tuple[Builder, ...] = (ask, ask, forbidden)


def several(sampler: CustomerSampler) -> list[GoalDraft | None]:
    """Two or three wishes about different orders, at least one of which changes something."""
    builders = [*sampler.rng.sample(CHANGES, 2), sampler.rng.choice(OTHERS)]
    if sampler.vague and sampler.rng.random() < 0.25:
        builders[0] = sampler.rng.choice((conditional, change_of_mind))
    count = 3 if sampler.vague and sampler.rng.random() < 0.5 else 2
    chosen = [builders[0], *sampler.rng.sample(builders[1:], count - 1)]
    sampler.rng.shuffle(chosen)
    return [later(sampler.rng, build(sampler), index) for index, build in enumerate(chosen)]
