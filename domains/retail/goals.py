"""Wishes that change something: each builder draws one for a customer, or None when the customer has nothing for it.

A wish holds the goal (first person, for the scripted user), the same in second person for the scenario, and the reads
that its gold calls need.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Literal

from domains.retail.customer_sampler import CustomerSampler, Record, affords, described, paid_with, product_reads
from domains.retail.wording import (
    BECAUSE,
    DIFFERENCE,
    REFUND,
    address_in_words,
    method_in_words,
    owned,
    pick,
    wished_in_words,
)
from sandbox.kit.message import ToolCall
from sandbox.kit.task import Fact, Goal
from sandbox.synthesis.goal_builder import GoalDraft, call
from sandbox.synthesis.wording import first, listed, money, second

Builder = Callable[[CustomerSampler], GoalDraft | None]


# --- cancel and return ---


def cancel(sampler: CustomerSampler) -> GoalDraft | None:
    """Cancel a pending order for an accepted reason."""
    return next((cancel_order(sampler, order) for order in sampler.orders("pending")), None)


def cancel_order(sampler: CustomerSampler, order: Record) -> GoalDraft:
    """The wish to cancel this order."""
    sampler.take(order)
    reference, reason = sampler.refer(order), sampler.rng.choice(list(BECAUSE))
    asked = sampler.asks_for(share=0.7)
    because = "" if asked else f" {sampler.rng.choice(BECAUSE[reason])}"
    goal = Goal(
        kind="cancel_pending_order",
        utterance=pick(sampler.rng, "cancel", order=reference.words) + because,
        facts=(*reference.facts, Fact(name="reason", value=reason, on_request=asked)),
        calls=(call("cancel_pending_order", order_id=order["order_id"], reason=reason),),
    )
    want = second(f"You want to cancel {reference.words}; your reason is {reason!r}.")
    return GoalDraft(goal, want, sampler.look_at(order))


def send_back(sampler: CustomerSampler) -> GoalDraft | None:
    """Return some items of a delivered order to the original payment method or a gift card."""
    for order in sampler.orders("delivered"):
        items = sampler.rng.sample(order["items"], sampler.rng.randint(1, len(order["items"])))
        return return_items(sampler, order, items)
    return None


def return_items(sampler: CustomerSampler, order: Record, items: Sequence[Record]) -> GoalDraft:
    """The wish to return these items of an order."""
    sampler.take(order)
    allowed = [m for m in sampler.methods() if m["id"] == paid_with(order) or m["source"] == "gift_card"]
    method, reference, asked = allowed[0], sampler.refer(order, items), sampler.asks_for(share=0.6)
    words, what = owned(method_in_words(method)), listed(f"the {item['name']}" for item in items)
    refund = "" if asked else f" {first(sampler.rng.choice(REFUND).format(method=words))}"
    total = money(sum(round(item["price"] * 100) for item in items) / 100)
    asks = sampler.difficulty != "simple" and sampler.rng.random() < 0.25
    goal = Goal(
        kind="return_delivered_order_items",
        utterance=pick(sampler.rng, "return", items=what, order=reference.words)
        + refund
        + (" How much will I get back?" if asks else ""),
        facts=(
            *reference.facts,
            Fact(name="items", value=[described(item) for item in items]),
            sampler.payment_fact(method, asked=asked),
        ),
        calls=(
            call(
                "return_delivered_order_items",
                order_id=order["order_id"],
                item_ids=[item["item_id"] for item in items],
                payment_method_id=method["id"],
            ),
        ),
        must_communicate=(total,) if asks else (),
    )
    want = second(f"You want to return {what} from {reference.words}, refunded to {words}.")
    want += " You also want to know how much you will get back." if asks else ""
    return GoalDraft(goal, want, (sampler.profile(), *sampler.look_at(order)))


# --- exchange and change items ---


@dataclass(frozen=True)
class Swap:
    """What exchanging a delivered item and changing a pending one have in common."""

    tool: Literal["exchange_delivered_order_items", "modify_pending_order_items"]
    status: str
    verbs: tuple[str, ...]


EXCHANGE = Swap("exchange_delivered_order_items", "delivered", ("exchange", "swap"))
MODIFY = Swap("modify_pending_order_items", "pending", ("change", "switch"))


def exchange(sampler: CustomerSampler) -> GoalDraft | None:
    """Exchange items of a delivered order."""
    return _swap(sampler, EXCHANGE)


def modify_items(sampler: CustomerSampler) -> GoalDraft | None:
    """Change items of a pending order."""
    return _swap(sampler, MODIFY)


def _swap(sampler: CustomerSampler, kind: Swap) -> GoalDraft | None:
    for order in sampler.orders(kind.status):
        items = sampler.rng.sample(order["items"], sampler.rng.randint(1, min(2, len(order["items"]))))
        variants = [sampler.variant(item, available=True) for item in items]
        pairs = [(item, variant) for item, variant in zip(items, variants, strict=True) if variant is not None]
        wish = swap_items(sampler, kind, order, pairs) if len(pairs) == len(items) else None
        if wish is not None:
            return wish
    return None


def swap_items(
    sampler: CustomerSampler,
    kind: Swap,
    order: Record,
    pairs: Sequence[tuple[Record, Record]],
    *,
    method: Record | None = None,
) -> GoalDraft | None:
    """The wish to have other variants of some items of an order; None when no payment method covers it."""
    cents = sum(round(new["price"] * 100) - round(old["price"] * 100) for old, new in pairs)
    method = method or sampler.payer(cents)
    if method is None:
        return None
    sampler.take(order)
    reference = sampler.refer(order, [old for old, _ in pairs])
    words = owned(method_in_words(method))
    verb, pays_later = sampler.rng.choice(kind.verbs), sampler.asks_for(share=0.6)
    options_later = sampler.asks_for(share=0.35)
    changes = listed(wished_in_words(verb, old, new) for old, new in pairs)
    names = listed(f"the {old['name']}" for old, _ in pairs)
    opening = pick(
        sampler.rng,
        "swap_to_be_asked" if options_later else "swap",
        verb=verb,
        changes=changes,
        items=names,
        order=reference.words,
    )
    pay = "" if pays_later else f" {first(sampler.rng.choice(DIFFERENCE).format(method=words))}"
    asks = cents != 0 and sampler.difficulty != "simple" and sampler.rng.random() < 0.35
    wished = [{"name": old["name"], "product_id": old["product_id"], **new} for old, new in pairs]
    goal = Goal(
        kind=kind.tool,
        utterance=f"{opening}{pay}{' What is the exact price difference?' if asks else ''}",
        facts=(
            *reference.facts,
            Fact(name="items", value=[described(old) for old, _ in pairs]),
            Fact(name="new_items", value=[described(item) for item in wished], on_request=options_later),
            sampler.payment_fact(method, asked=pays_later),
        ),
        calls=(
            call(
                kind.tool,
                order_id=order["order_id"],
                item_ids=[old["item_id"] for old, _ in pairs],
                new_item_ids=[new["item_id"] for _, new in pairs],
                payment_method_id=method["id"],
            ),
        ),
        must_communicate=(money(abs(cents) / 100),) if asks else (),
    )
    want = second(
        f"You want to {verb} {changes}, from {reference.words}; all other options stay as they are. "
        f"The price difference goes on {words}."
    )
    want += " You also want to know the exact price difference." if asks else ""
    reads = (sampler.profile(), *sampler.look_at(order), *product_reads([old for old, _ in pairs]))
    return GoalDraft(goal, want, reads)


# --- payment and addresses ---


def modify_payment(sampler: CustomerSampler) -> GoalDraft | None:
    """Pay a pending order by another method."""
    for order in sampler.orders("pending"):
        cents = round(order["payment_history"][0]["amount"] * 100)
        method = next((m for m in sampler.methods(without=paid_with(order)) if affords(m, cents)), None)
        if method is not None:
            return pay_by(sampler, order, method)
    return None


def pay_by(sampler: CustomerSampler, order: Record, method: Record) -> GoalDraft:
    """The wish to pay an order by this method."""
    sampler.take(order)
    reference, asked = sampler.refer(order), sampler.asks_for(share=0.5)
    words = owned(method_in_words(method))
    goal = Goal(
        kind="modify_pending_order_payment",
        utterance=pick(sampler.rng, "pay_to_be_asked" if asked else "pay", order=reference.words, method=words),
        facts=(*reference.facts, sampler.payment_fact(method, asked=asked)),
        calls=(call("modify_pending_order_payment", order_id=order["order_id"], payment_method_id=method["id"]),),
    )
    want = second(f"You want to pay for {reference.words} with {words} instead of what you chose at first.")
    return GoalDraft(goal, want, (sampler.profile(), *sampler.look_at(order)))


def modify_address(sampler: CustomerSampler) -> GoalDraft | None:
    """Send a pending order elsewhere."""
    for order in sampler.orders("pending"):
        home = {name: order["address"][name] for name in order["address"]} == sampler.user["address"]
        if sampler.vague and not home and sampler.rng.random() < 0.7:
            return ship_to(sampler, order, sampler.user["address"], known_as="the address in {my} profile")
        return ship_to(sampler, order, sampler.new_address())
    return None


def ship_to(sampler: CustomerSampler, order: Record, address: Record, *, known_as: str = "") -> GoalDraft:
    """The wish to have an order sent to this address, which the agent may have to look up."""
    sampler.take(order)
    reference, asked = sampler.refer(order), not known_as and sampler.asks_for(share=0.6)
    where = known_as or address_in_words(address)
    goal = Goal(
        kind="modify_pending_order_address",
        utterance=pick(sampler.rng, "ship_to_be_asked" if asked else "ship", order=reference.words, where=where),
        facts=(*reference.facts, Fact(name="address", value=address, on_request=bool(asked or known_as))),
        calls=(call("modify_pending_order_address", order_id=order["order_id"], **address),),
    )
    known = f" ({address_in_words(address)})" if known_as else ""
    want = second(f"You want {reference.words} to be sent to {where}{known}.")
    return GoalDraft(goal, want, (sampler.profile(), *sampler.look_at(order)) if known_as else sampler.look_at(order))


def move_house(sampler: CustomerSampler) -> GoalDraft | None:
    """Change the address in the profile."""
    elsewhere = [order for order in sampler.orders("pending") if order["address"] != sampler.user["address"]]
    if sampler.vague and elsewhere:
        reference = sampler.refer(elsewhere[0])
        words, address = f"the one that {reference.words} goes to", elsewhere[0]["address"]
        return _live_at(sampler, address, known_as=words, facts=reference.facts, reads=sampler.look_at(elsewhere[0]))
    return _live_at(sampler, sampler.new_address())


def _live_at(
    sampler: CustomerSampler,
    address: Record,
    *,
    known_as: str = "",
    facts: tuple[Fact, ...] = (),
    reads: tuple[ToolCall, ...] = (),
) -> GoalDraft:
    asked = not known_as and sampler.asks_for(share=0.7)
    where = known_as or address_in_words(address)
    goal = Goal(
        kind="modify_user_address",
        utterance=pick(sampler.rng, "profile_to_be_asked" if asked else "profile", where=where),
        facts=(*facts, Fact(name="address", value=address, on_request=bool(asked or known_as))),
        calls=(call("modify_user_address", user_id=sampler.user["user_id"], **address),),
    )
    known = f" ({address_in_words(address)})" if known_as else ""
    want = second(f"You have moved; the default address of your profile should become {where}{known}.")
    return GoalDraft(goal, want, reads)
