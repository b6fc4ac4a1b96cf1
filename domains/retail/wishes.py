"""Wishes that change something: each builder draws one from a case, or None when the customer has nothing for it.

A wish holds the goal (first person, for the scripted user), the same in second person for the scenario, and the reads
that its gold calls need.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Literal

from domains.retail.cases import Case, Record, affords, described, paid_with, product_reads
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

Builder = Callable[[Case], GoalDraft | None]


# --- cancel and return ---


def cancel(case: Case) -> GoalDraft | None:
    """Cancel a pending order for an accepted reason."""
    return next((cancel_order(case, order) for order in case.orders("pending")), None)


def cancel_order(case: Case, order: Record) -> GoalDraft:
    """The wish to cancel this order."""
    case.take(order)
    reference, reason = case.refer(order), case.rng.choice(list(BECAUSE))
    asked = case.asks_for(share=0.7)
    because = "" if asked else f" {case.rng.choice(BECAUSE[reason])}"
    goal = Goal(
        kind="cancel_pending_order",
        say=pick(case.rng, "cancel", order=reference.words) + because,
        facts=(*reference.facts, Fact(name="reason", value=reason, withheld=asked)),
        calls=(call("cancel_pending_order", order_id=order["order_id"], reason=reason),),
    )
    want = second(f"You want to cancel {reference.words}; your reason is {reason!r}.")
    return GoalDraft(goal, want, case.look_at(order))


def send_back(case: Case) -> GoalDraft | None:
    """Return some items of a delivered order to the original payment method or a gift card."""
    for order in case.orders("delivered"):
        items = case.rng.sample(order["items"], case.rng.randint(1, len(order["items"])))
        return return_items(case, order, items)
    return None


def return_items(case: Case, order: Record, items: Sequence[Record]) -> GoalDraft:
    """The wish to return these items of an order."""
    case.take(order)
    allowed = [m for m in case.methods() if m["id"] == paid_with(order) or m["source"] == "gift_card"]
    method, reference, asked = allowed[0], case.refer(order, items), case.asks_for(share=0.6)
    words, what = owned(method_in_words(method)), listed(f"the {item['name']}" for item in items)
    refund = "" if asked else f" {first(case.rng.choice(REFUND).format(method=words))}"
    total = money(sum(round(item["price"] * 100) for item in items) / 100)
    asks = case.difficulty != "simple" and case.rng.random() < 0.25
    goal = Goal(
        kind="return_delivered_order_items",
        say=pick(case.rng, "return", items=what, order=reference.words)
        + refund
        + (" How much will I get back?" if asks else ""),
        facts=(
            *reference.facts,
            Fact(name="items", value=[described(item) for item in items]),
            case.payment_fact(method, asked=asked),
        ),
        calls=(
            call(
                "return_delivered_order_items",
                order_id=order["order_id"],
                item_ids=[item["item_id"] for item in items],
                payment_method_id=method["id"],
            ),
        ),
        tell=(total,) if asks else (),
    )
    want = second(f"You want to return {what} from {reference.words}, refunded to {words}.")
    want += " You also want to know how much you will get back." if asks else ""
    return GoalDraft(goal, want, (case.profile(), *case.look_at(order)))


# --- exchange and change items ---


@dataclass(frozen=True)
class Swap:
    """What exchanging a delivered item and changing a pending one have in common."""

    tool: Literal["exchange_delivered_order_items", "modify_pending_order_items"]
    status: str
    verbs: tuple[str, ...]


EXCHANGE = Swap("exchange_delivered_order_items", "delivered", ("exchange", "swap"))
MODIFY = Swap("modify_pending_order_items", "pending", ("change", "switch"))


def exchange(case: Case) -> GoalDraft | None:
    """Exchange items of a delivered order."""
    return _swap(case, EXCHANGE)


def modify_items(case: Case) -> GoalDraft | None:
    """Change items of a pending order."""
    return _swap(case, MODIFY)


def _swap(case: Case, kind: Swap) -> GoalDraft | None:
    for order in case.orders(kind.status):
        items = case.rng.sample(order["items"], case.rng.randint(1, min(2, len(order["items"]))))
        variants = [case.variant(item, available=True) for item in items]
        pairs = [(item, variant) for item, variant in zip(items, variants, strict=True) if variant is not None]
        wish = swap_items(case, kind, order, pairs) if len(pairs) == len(items) else None
        if wish is not None:
            return wish
    return None


def swap_items(
    case: Case, kind: Swap, order: Record, pairs: Sequence[tuple[Record, Record]], *, method: Record | None = None
) -> GoalDraft | None:
    """The wish to have other variants of some items of an order; None when no payment method covers it."""
    cents = sum(round(new["price"] * 100) - round(old["price"] * 100) for old, new in pairs)
    method = method or case.payer(cents)
    if method is None:
        return None
    case.take(order)
    reference = case.refer(order, [old for old, _ in pairs])
    words = owned(method_in_words(method))
    verb, pays_later = case.rng.choice(kind.verbs), case.asks_for(share=0.6)
    options_later = case.asks_for(share=0.35)
    changes = listed(wished_in_words(verb, old, new) for old, new in pairs)
    names = listed(f"the {old['name']}" for old, _ in pairs)
    opening = pick(
        case.rng,
        "swap_to_be_asked" if options_later else "swap",
        verb=verb,
        changes=changes,
        items=names,
        order=reference.words,
    )
    pay = "" if pays_later else f" {first(case.rng.choice(DIFFERENCE).format(method=words))}"
    asks = cents != 0 and case.difficulty != "simple" and case.rng.random() < 0.35
    wished = [{"name": old["name"], "product_id": old["product_id"], **new} for old, new in pairs]
    goal = Goal(
        kind=kind.tool,
        say=f"{opening}{pay}{' What is the exact price difference?' if asks else ''}",
        facts=(
            *reference.facts,
            Fact(name="items", value=[described(old) for old, _ in pairs]),
            Fact(name="new_items", value=[described(item) for item in wished], withheld=options_later),
            case.payment_fact(method, asked=pays_later),
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
        tell=(money(abs(cents) / 100),) if asks else (),
    )
    want = second(
        f"You want to {verb} {changes}, from {reference.words}; all other options stay as they are. "
        f"The price difference goes on {words}."
    )
    want += " You also want to know the exact price difference." if asks else ""
    reads = (case.profile(), *case.look_at(order), *product_reads([old for old, _ in pairs]))
    return GoalDraft(goal, want, reads)


# --- payment and addresses ---


def modify_payment(case: Case) -> GoalDraft | None:
    """Pay a pending order by another method."""
    for order in case.orders("pending"):
        cents = round(order["payment_history"][0]["amount"] * 100)
        method = next((m for m in case.methods(without=paid_with(order)) if affords(m, cents)), None)
        if method is not None:
            return pay_by(case, order, method)
    return None


def pay_by(case: Case, order: Record, method: Record) -> GoalDraft:
    """The wish to pay an order by this method."""
    case.take(order)
    reference, asked = case.refer(order), case.asks_for(share=0.5)
    words = owned(method_in_words(method))
    goal = Goal(
        kind="modify_pending_order_payment",
        say=pick(case.rng, "pay_to_be_asked" if asked else "pay", order=reference.words, method=words),
        facts=(*reference.facts, case.payment_fact(method, asked=asked)),
        calls=(call("modify_pending_order_payment", order_id=order["order_id"], payment_method_id=method["id"]),),
    )
    want = second(f"You want to pay for {reference.words} with {words} instead of what you chose at first.")
    return GoalDraft(goal, want, (case.profile(), *case.look_at(order)))


def modify_address(case: Case) -> GoalDraft | None:
    """Send a pending order elsewhere."""
    for order in case.orders("pending"):
        home = {name: order["address"][name] for name in order["address"]} == case.user["address"]
        if case.vague and not home and case.rng.random() < 0.7:
            return ship_to(case, order, case.user["address"], known_as="the address in {my} profile")
        return ship_to(case, order, case.new_address())
    return None


def ship_to(case: Case, order: Record, address: Record, *, known_as: str = "") -> GoalDraft:
    """The wish to have an order sent to this address, which the agent may have to look up."""
    case.take(order)
    reference, asked = case.refer(order), not known_as and case.asks_for(share=0.6)
    where = known_as or address_in_words(address)
    goal = Goal(
        kind="modify_pending_order_address",
        say=pick(case.rng, "ship_to_be_asked" if asked else "ship", order=reference.words, where=where),
        facts=(*reference.facts, Fact(name="address", value=address, withheld=bool(asked or known_as))),
        calls=(call("modify_pending_order_address", order_id=order["order_id"], **address),),
    )
    known = f" ({address_in_words(address)})" if known_as else ""
    want = second(f"You want {reference.words} to be sent to {where}{known}.")
    return GoalDraft(goal, want, (case.profile(), *case.look_at(order)) if known_as else case.look_at(order))


def move_house(case: Case) -> GoalDraft | None:
    """Change the address in the profile."""
    elsewhere = [order for order in case.orders("pending") if order["address"] != case.user["address"]]
    if case.vague and elsewhere:
        reference = case.refer(elsewhere[0])
        words, address = f"the one that {reference.words} goes to", elsewhere[0]["address"]
        return _live_at(case, address, known_as=words, facts=reference.facts, reads=case.look_at(elsewhere[0]))
    return _live_at(case, case.new_address())


def _live_at(
    case: Case,
    address: Record,
    *,
    known_as: str = "",
    facts: tuple[Fact, ...] = (),
    reads: tuple[ToolCall, ...] = (),
) -> GoalDraft:
    asked = not known_as and case.asks_for(share=0.7)
    where = known_as or address_in_words(address)
    goal = Goal(
        kind="modify_user_address",
        say=pick(case.rng, "profile_to_be_asked" if asked else "profile", where=where),
        facts=(*facts, Fact(name="address", value=address, withheld=bool(asked or known_as))),
        calls=(call("modify_user_address", user_id=case.user["user_id"], **address),),
    )
    known = f" ({address_in_words(address)})" if known_as else ""
    want = second(f"You have moved; the default address of your profile should become {where}{known}.")
    return GoalDraft(goal, want, reads)
