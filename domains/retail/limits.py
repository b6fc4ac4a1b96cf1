"""Wishes at the limits of the policy: forbidden ones, ones for a human, conditional ones, ones that change midway."""

from __future__ import annotations

from dataclasses import replace

from domains.retail import wishes
from domains.retail.cases import Case, Record, described, world
from domains.retail.wishes import CANNOT, Builder, Wish, call, look_at, product_reads
from sandbox.message import ToolCall
from sandbox.task import Fact, Goal


def _refused(case: Case, say: str, subject: str, reads: tuple[ToolCall, ...], facts: tuple[Fact, ...] = ()) -> Wish:
    """A wish that must be declined, speaking of its subject: a mere apology is not enough."""
    goal = Goal(kind="refuse", say=say, facts=facts, outcome="refused", tell=(CANNOT, subject))
    want = _you(say)
    return Wish(goal, f"{want} You accept a clear refusal.", reads)


def _you(say: str) -> str:
    """A first-person wish in second person."""
    for first, second in (
        ("I want", "You want"),
        ("I'd like", "You would like"),
        (" my ", " your "),
        (" me ", " you "),
    ):
        say = say.replace(first, second)
    return say


def cancel_too_late(case: Case) -> Wish | None:
    """Cancel an order that has been processed or delivered."""
    for order in case.orders("processed", "delivered")[:1]:
        case.take(order)
        say = f"I want to cancel order {order['order_id']}, I no longer need it."
        return _refused(case, say, order["order_id"], look_at(case, order), _number(order))
    return None


def return_too_early(case: Case) -> Wish | None:
    """Return something that has not been delivered."""
    for order in case.orders("pending", "processed")[:1]:
        case.take(order)
        item = case.rng.choice(order["items"])
        say = f"I want to return the {item['name']} from order {order['order_id']}."
        facts = (*_number(order), Fact(name="items", value=[described(item)]))
        return _refused(case, say, order["order_id"], look_at(case, order), facts)
    return None


def another_product(case: Case) -> Wish | None:
    """Exchange an item for another type of product."""
    for order in case.orders("delivered")[:1]:
        item = case.rng.choice(order["items"])
        others = [p for p in world().products.values() if p["product_id"] != item["product_id"]]
        other = case.rng.choice(others)
        case.take(order)
        say = f"I'd like to exchange the {item['name']} from order {order['order_id']} for a {other['name']}."
        reads = (*look_at(case, order), *product_reads([item]))
        return _refused(case, say, other["name"], reads, _number(order))
    return None


def another_reason(case: Case) -> Wish | None:
    """Cancel for a reason that is not accepted, and insist on it."""
    for order in case.orders("pending")[:1]:
        case.take(order)
        reason = case.rng.choice(("I found it cheaper elsewhere", "the delivery takes too long", "I dislike the brand"))
        say = f"I want to cancel order {order['order_id']} because {reason}. That is my only reason."
        facts = (*_number(order), Fact(name="reason", value=reason))
        return _refused(case, say, order["order_id"], look_at(case, order), facts)
    return None


def strangers_order(case: Case) -> Wish | None:
    """Act on an order of somebody else."""
    stranger = case.stranger()
    order = world().orders[stranger["orders"][0]]
    say = f"I want to cancel order {order['order_id']}. It belongs to my friend, who asked me to."
    reads = (call("get_user_details", user_id=case.user["user_id"]),)
    return _refused(case, say, order["order_id"], reads, _number(order))


def refund_elsewhere(case: Case) -> Wish | None:
    """Have a return refunded to a method that did not pay and is no gift card."""
    for order in case.orders("delivered")[:1]:
        paid = order["payment_history"][0]["payment_method_id"]
        other = next((m for m in case.methods(without=paid) if m["source"] != "gift_card"), None)
        if other is None:
            return None
        case.take(order)
        item, words = case.rng.choice(order["items"]), case.method_words(other)
        say = f"I want to return the {item['name']} from order {order['order_id']}, with the refund on my {words}."
        say += " It has to be that one, otherwise I keep it."
        facts = (*_number(order), Fact(name="items", value=[described(item)]), Fact(name="payment", value=words))
        reads = (call("get_user_details", user_id=case.user["user_id"]), *look_at(case, order))
        return _refused(case, say, words.split(" ending")[0], reads, facts)
    return None


def _number(order: Record) -> tuple[Fact, ...]:
    return (Fact(name="order_id", value=order["order_id"]),)


FORBIDDEN: tuple[Builder, ...] = (
    cancel_too_late,
    return_too_early,
    another_product,
    another_reason,
    strangers_order,
    refund_elsewhere,
)


def forbidden(case: Case) -> Wish | None:
    """Any forbidden wish; the order is always named, so that a refusal can be checked."""
    return case.rng.choice(FORBIDDEN)(replace(case, difficulty="simple"))


HUMAN = (
    "a parcel of mine arrived soaked and I want compensation for the damage to my carpet",
    "my company wants to become a reseller of your shop",
    "somebody has used my account without my knowledge and I want it investigated",
    "I want to buy two hundred pieces at a discount",
    "I want to apply for a job at your shop",
)


def human(case: Case) -> Wish | None:
    """Something that only a person can handle."""
    matter = case.rng.choice(HUMAN)
    goal = Goal(
        kind="transfer_to_human_agents",
        say=f"I want to speak to a human agent: {matter}.",
        outcome="transferred",
    )
    return Wish(
        goal,
        f"You want to speak to a human agent: {matter.replace(' my ', ' your ').replace('my ', 'your ')}.",
        (call("transfer_to_human_agents", summary=f"The customer says: {matter}."),),
    )


def if_gone(case: Case) -> Wish | None:
    """A change to a variant, and another wish for the case that it is out of stock."""
    kind = case.rng.choice((wishes.EXCHANGE, wishes.MODIFY))
    stated = replace(case, difficulty="simple") if case.difficulty == "standard" else case
    for order in stated.orders(kind.status)[:1]:
        item = case.rng.choice(order["items"])
        gone, there = case.variant(item, available=False), case.variant(item, available=True)
        if gone is None or there is None or gone["options"] == there["options"]:
            return None
        first = wishes.swap_wish(stated, kind, order, [(item, gone)])
        second = wishes.swap_wish(stated, kind, order, [(item, there)])
        if first is None or second is None:
            return None
        fallback = second.goal.model_copy(update={"say": f"Then make it {wishes.options_of(item, there)}, please."})
        goal = first.goal.model_copy(update={"calls": (), "tell": (), "otherwise": fallback})
        want = f"{first.want} If that is not available, you want {wishes.options_of(item, there)} instead."
        return Wish(goal, want, first.reads)
    return None


def change_of_mind(case: Case) -> Wish | None:
    """A wish that is replaced by another for the same order once the agent proposes to carry it out."""
    pairs: tuple[tuple[Builder, Builder], ...] = (
        (wishes.cancel, wishes.modify_address),
        (wishes.modify_address, wishes.cancel),
        (wishes.cancel, wishes.modify_payment),
    )
    first, second = case.rng.choice(pairs)
    before = set(case.used)
    begun = first(case)
    if begun is None:
        return None
    touched = case.used - before
    only = replace(case, used={order for order in case.user["orders"] if order not in touched} | before)
    final = second(only)
    if final is None or not touched:
        return None
    said = final.goal.say[0].lower() + final.goal.say[1:]
    last = final.goal.model_copy(update={"say": f"Wait, I have changed my mind about that: {said}"})
    goal = begun.goal.model_copy(update={"calls": (), "tell": (), "instead": last})
    want = f"{begun.want} When the agent asks you to confirm this, change your mind: {final.want}"
    return Wish(goal, want, final.reads)
