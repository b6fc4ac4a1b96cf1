"""Wishes that cannot be granted at the desk: forbidden ones, and ones for a human.

A refusal counts only when the agent says that it cannot be done and why. The accepted reasons are wide, but none of
them is in the user's own words, so that neither an apology nor an echo is enough.
"""

from __future__ import annotations

from domains.retail.customer_sampler import CustomerSampler, Record, affords, described, paid_with, product_reads, world
from domains.retail.goals import EXCHANGE, MODIFY, Builder, Swap
from domains.retail.wording import method_in_words, owned, wished_in_words
from sandbox.kit.task import Fact, Goal
from sandbox.synthesis.goal_builder import ForbiddenGoal, GoalDraft, call, refused
from sandbox.synthesis.wording import first, second

STATUS = {
    "processed": "processed|shipped|on its way|on the way|dispatched|sent out|no longer pending|not pending|pending",
    "delivered": "delivered|arrived|received|no longer pending|not pending|pending",
    "cancelled": "cancelled|canceled|no longer pending|not pending|pending",
    "pending": "delivered|pending|arrived|not been shipped|received",
}
"""Ways to say which status stands in the way."""


# --- an order in the wrong state ---


def cancel_too_late(sampler: CustomerSampler) -> GoalDraft | None:
    """Cancel an order that has been processed, delivered or cancelled."""
    for order in sampler.orders("processed", "delivered", "cancelled"):
        sampler.take(order)
        which = sampler.refer(order)
        ways = (
            f"Please cancel {which.words}. {{I}} no longer need it.",
            f"{{I}} want to cancel {which.words}, {{I}} ordered it by mistake.",
        )
        no = ForbiddenGoal("cancel_pending_order", ways, STATUS[order["status"]], sampler.look_at(order), which.facts)
        return refused(sampler.rng, no)
    return None


def return_too_early(sampler: CustomerSampler) -> GoalDraft | None:
    """Return something that has not been delivered."""
    for order in sampler.orders("pending", "processed"):
        sampler.take(order)
        item = sampler.rng.choice(order["items"])
        which = sampler.refer(order, [item])
        ways = (
            f"{{I}} want to return the {item['name']} from {which.words}.",
            f"Please let {{me}} send back the {item['name']} from {which.words}.",
        )
        facts = (*which.facts, Fact(name="items", value=[described(item)]))
        why = f"{STATUS['pending']}|processed"
        return refused(
            sampler.rng, ForbiddenGoal("return_delivered_order_items", ways, why, sampler.look_at(order), facts)
        )
    return None


def redirect_too_late(sampler: CustomerSampler) -> GoalDraft | None:
    """Have an order sent elsewhere that is on its way or has arrived."""
    for order in sampler.orders("processed", "delivered"):
        sampler.take(order)
        which, address = sampler.refer(order), sampler.user["address"]
        ways = (
            f"Please change the shipping address of {which.words} to {{my}} office in {address['city']}.",
            f"{{I}} want {which.words} delivered to {{my}} neighbour instead of {{me}}.",
        )
        why = STATUS[order["status"]]
        return refused(
            sampler.rng, ForbiddenGoal("modify_pending_order_address", ways, why, sampler.look_at(order), which.facts)
        )
    return None


# --- an item that cannot be had ---


def another_product(sampler: CustomerSampler) -> GoalDraft | None:
    """Have an item replaced by another type of product."""
    kind = sampler.rng.choice((EXCHANGE, MODIFY))
    for order in sampler.orders(kind.status):
        item = sampler.rng.choice(order["items"])
        held = {held["name"] for held in order["items"]}
        other = sampler.rng.choice([product for product in world().products.values() if product["name"] not in held])
        sampler.take(order)
        which, verb = sampler.refer(order, [item]), sampler.rng.choice(kind.verbs)
        ways = (
            f"{{I}} want to {verb} the {item['name']} from {which.words} for a {other['name']}.",
            f"Please {verb} the {item['name']} in {which.words} for a {other['name']}.",
        )
        why = (
            "same product|same type|same kind|same item|product type|type of product|different product|another product|"
            "different type|another type|other product|variant|variants|different item"
        )
        facts = (
            *which.facts,
            Fact(name="items", value=[described(item)]),
            Fact(name="new_items", value=[{"name": other["name"], "product_id": other["product_id"]}]),
        )
        return refused(sampler.rng, ForbiddenGoal(kind.tool, ways, why, sampler.look_at(order), facts))
    return None


def sold_out(sampler: CustomerSampler) -> GoalDraft | None:
    """Have an item replaced by a variant that is out of stock."""
    kind = sampler.rng.choice((EXCHANGE, MODIFY))
    for order in sampler.orders(kind.status):
        item = sampler.rng.choice(order["items"])
        gone = sampler.variant(item, available=False)
        if gone is not None:
            return gone_wish(sampler, kind, order, item, gone)
    return None


def gone_wish(sampler: CustomerSampler, kind: Swap, order: Record, item: Record, gone: Record) -> GoalDraft:
    """The wish for a variant that is out of stock."""
    sampler.take(order)
    which, verb = sampler.refer(order, [item]), sampler.rng.choice(kind.verbs)
    change = wished_in_words(verb, item, gone)
    ways = (
        f"{{I}} want to {verb} {change}. It is from {which.words}.",
        f"Please {verb} {change}; it is from {which.words}.",
    )
    wished = described({"name": item["name"], "product_id": item["product_id"], **gone})
    facts = (
        *which.facts,
        Fact(name="items", value=[described(item)]),
        Fact(name="new_items", value=[wished]),
    )
    why = "available|unavailable|in stock|out of stock|stock|sold out"
    reads = (*sampler.look_at(order), *product_reads([item]))
    return refused(sampler.rng, ForbiddenGoal(kind.tool, ways, why, reads, facts))


# --- a reason, a customer or a payment that is not accepted ---


def another_reason(sampler: CustomerSampler) -> GoalDraft | None:
    """Cancel for a reason that is not accepted, and insist on it."""
    for order in sampler.orders("pending"):
        sampler.take(order)
        which = sampler.refer(order)
        reason = sampler.rng.choice(
            (
                "{I} found it cheaper elsewhere",
                "the delivery takes too long",
                "{I} dislike the brand",
                "{I} would rather buy it next month",
                "a friend bought the same for {me}",
            )
        )
        ways = (
            f"{{I}} want to cancel {which.words} because {reason}.",
            f"Please cancel {which.words}: {reason}. {{I}} will not give any other explanation.",
        )
        facts = (*which.facts, Fact(name="reason", value=first(reason)))
        why = "no longer needed|no longer need|not needed|ordered by mistake|by mistake|reason|reasons"
        wish = refused(sampler.rng, ForbiddenGoal("cancel_pending_order", ways, why, sampler.look_at(order), facts))
        return GoalDraft(wish.goal, f"{wish.want} You claim no other reason than that.", wish.reads)
    return None


def strangers_order(sampler: CustomerSampler) -> GoalDraft | None:
    """Act on an order of somebody else."""
    pending = [number for number, order in world().orders.items() if order["status"] == "pending"]
    number = sampler.rng.choice([number for number in pending if number not in sampler.user["orders"]])
    ways = (
        f"Please cancel order {number}. A friend of {{mine}} placed it and asked {{me}} to do this.",
        f"{{I}} want to cancel order {number}, which {{my}} sister placed.",
        f"Could you cancel order {number}? A neighbour placed it and has no time to call.",
    )
    why = (
        "another customer|another customer's|other customers|someone else|someone else's|somebody else|another person|"
        "not yours|your own|your account|your profile|your orders|different account|another account|another user|"
        "different customer|other people|account holder|different user|customer who placed it|person who placed it"
    )
    asked = sampler.difficulty != "simple"
    facts = (Fact(name="order_id", value=number), Fact(name="reason", value="no longer needed", on_request=asked))
    return refused(sampler.rng, ForbiddenGoal("cancel_pending_order", ways, why, (sampler.profile(),), facts))


def refund_elsewhere(sampler: CustomerSampler) -> GoalDraft | None:
    """Have a return refunded to a method that did not pay and is no gift card."""
    for order in sampler.orders("delivered"):
        others = sampler.methods(without=paid_with(order))
        other = next((method for method in others if method["source"] != "gift_card"), None)
        if other is None:
            continue
        sampler.take(order)
        item, words = sampler.rng.choice(order["items"]), method_in_words(other)
        which = sampler.refer(order, [item])
        ways = (
            f"{{I}} want to return the {item['name']} from {which.words}, but only with the refund to {owned(words)}.",
            f"Please refund the {item['name']} from {which.words} to {owned(words)}; otherwise {{I}} keep it.",
        )
        facts = (
            *which.facts,
            Fact(name="items", value=[described(item)]),
            Fact(name="payment", value=words),
        )
        why = "original payment|original method|original form|originally|gift card|paid with|used to pay|same payment"
        reads = (sampler.profile(), *sampler.look_at(order))
        return refused(sampler.rng, ForbiddenGoal("return_delivered_order_items", ways, why, reads, facts))
    return None


def card_too_small(sampler: CustomerSampler) -> GoalDraft | None:
    """Pay an order with a gift card that does not cover it."""
    for order in sampler.orders("pending"):
        cents = round(order["payment_history"][0]["amount"] * 100)
        short = [m for m in sampler.methods(without=paid_with(order)) if not affords(m, cents)]
        if not short:
            continue
        sampler.take(order)
        which = sampler.refer(order)
        ways = (
            f"{{I}} want to pay for {which.words} with {{my}} gift card instead.",
            f"Please switch the payment of {which.words} to {{my}} gift card.",
        )
        facts = (*which.facts, Fact(name="payment", value="gift card"))
        why = "balance|enough|insufficient|sufficient|cover|covers|too low|not have enough|less than"
        reads = (sampler.profile(), *sampler.look_at(order))
        return refused(sampler.rng, ForbiddenGoal("modify_pending_order_payment", ways, why, reads, facts))
    return None


FORBIDDEN: tuple[Builder, ...] = (
    cancel_too_late,
    return_too_early,
    redirect_too_late,
    another_product,
    sold_out,
    another_reason,
    strangers_order,
    refund_elsewhere,
    card_too_small,
)


def forbidden(sampler: CustomerSampler) -> GoalDraft | None:
    """Any forbidden wish."""
    return sampler.rng.choice(FORBIDDEN)(sampler)


# --- for a human ---

MATTERS = (
    "the {item} leaked and ruined the carpet, and {I} want compensation for it",
    "the parcel with the {item} never reached {me}, although it is shown as delivered",
    "{I} got hurt by the {item} and want to talk about damages",
    "{I} want to buy two hundred pieces of the {item} for {my} company at a discount",
    "{I} would like to become a reseller of the {item}",
    "somebody has used {my} account to look at the {item}, and {I} want that investigated",
    "{I} need an invoice in the name of {my} company for the {item}",
    "the {item} broke after two days and {I} want it repaired under warranty",
    "{I} want to complain about the courier who brought the {item}",
    "{I} want the e-mail address of {my} account changed, since the one on the bill for the {item} is old",
)


def human(sampler: CustomerSampler) -> GoalDraft | None:
    """Something that only a person can handle; some customers ask for one, others just state the matter."""
    held = [item["name"] for order in sampler.orders("pending", "processed", "delivered") for item in order["items"]]
    if not held:
        return None
    matter = sampler.rng.choice(MATTERS).replace("{item}", sampler.rng.choice(held))
    if sampler.asks_for(share=0.4):
        ways: tuple[str, ...] = (f"{matter}. What can you do about it?", f"{matter}. {{I}} need help with that.")
        want = f"You want help with this: {second(matter)}. If the agent hands you over to a human, that is fine."
    else:
        ways = (
            f"{{I}} want to speak to a human agent: {matter}.",
            f"Please put {{me}} through to a person; {matter}.",
            f"Can {{I}} talk to a human about this? It is that {matter}.",
        )
        want = f"You want to speak to a human agent, because {second(matter)}."
    say = first(sampler.rng.choice(ways))
    facts = (Fact(name="matter", value=first(matter)),)
    goal = Goal(kind="transfer_to_human_agents", utterance=say[0].upper() + say[1:], facts=facts, outcome="transferred")
    return GoalDraft(goal, want, (call("transfer_to_human_agents", summary=first(f"The customer says: {matter}.")),))
