"""Single wishes of a customer: each builder draws one from a case, or None when the customer has nothing for it.

A wish holds the goal (first person, for the scripted user), the same in second person for the scenario, and the reads
that its gold calls need.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from domains.retail.cases import Case, Record, described, in_words, listed, world
from sandbox.message import ToolCall
from sandbox.task import Fact, Goal

REASONS = {"no longer needed": "I no longer need it", "ordered by mistake": "I ordered it by mistake"}
CANNOT = "cannot|can't|can not|unable|not able|not possible|impossible|not allowed|not permitted|not eligible|only"


@dataclass(frozen=True)
class Wish:
    """A wish ready for a task.

    Attributes:
        goal: for the scripted user.
        want: for the scenario, in second person, everything the user knows about it.
        reads: the look-ups that an agent needs, in order.
    """

    goal: Goal
    want: str
    reads: tuple[ToolCall, ...] = ()


Builder = Callable[[Case], Wish | None]


def call(name: str, **arguments: Any) -> ToolCall:
    """A tool call."""
    return ToolCall(name=name, arguments=arguments)


def money(dollars: float) -> str:
    """An amount as it must be told: without trailing zeros, which the agent may add."""
    return f"{dollars:.2f}".rstrip("0").rstrip(".")


def look_at(case: Case, order: Record) -> tuple[ToolCall, ...]:
    """The read of one order; a customer without the number makes the agent look at all of them up to it."""
    if not case.vague:
        return (call("get_order_details", order_id=order["order_id"]),)
    owned = case.user["orders"]
    return tuple(call("get_order_details", order_id=number) for number in owned[: owned.index(order["order_id"]) + 1])


def product_reads(items: Sequence[Record]) -> tuple[ToolCall, ...]:
    """The reads of the items' products."""
    return tuple(call("get_product_details", product_id=item["product_id"]) for item in items)


def _known(case: Case, name: str, value: Any) -> Fact:
    return Fact(name=name, value=value, withheld=case.difficulty == "standard")


def _numbered(case: Case, order: Record) -> str:
    return f" Its number is {order['order_id']}." if case.difficulty == "standard" else ""


def cancel(case: Case) -> Wish | None:
    """Cancel a pending order for an accepted reason."""
    for order in case.orders("pending")[:1]:
        reason = case.rng.choice(list(REASONS))
        case.take(order)
        because = "" if case.difficulty == "standard" else f", {REASONS[reason]}"
        opening = case.rng.choice(("I want to cancel", "I'd like to cancel", "Please cancel"))
        goal = Goal(
            kind="cancel_pending_order",
            say=f"{opening} {case.order_words(order)}{because}.",
            facts=(*case.order_fact(order), _known(case, "reason", reason)),
            calls=(call("cancel_pending_order", order_id=order["order_id"], reason=reason),),
        )
        want = (
            f"You want to cancel {case.order_words(order)} because it was {reason}."
            if reason.startswith("o")
            else (f"You want to cancel {case.order_words(order)} because it is {reason}.")
        )
        return Wish(goal, want.replace("my orders", "your orders") + _numbered(case, order), look_at(case, order))
    return None


def send_back(case: Case) -> Wish | None:
    """Return some items of a delivered order to the original payment method or a gift card."""
    for order in case.orders("delivered")[:1]:
        items = case.rng.sample(order["items"], case.rng.randint(1, len(order["items"])))
        paid = order["payment_history"][0]["payment_method_id"]
        fitting = [m for m in case.methods() if m["id"] == paid or m["source"] == "gift_card"]
        method = fitting[0]
        case.take(order)
        words = case.method_words(method)
        what = listed(f"the {item['name']}" for item in items)
        to = "" if case.difficulty == "standard" else f" The refund should go to my {words}."
        opening = case.rng.choice(("I want to return", "I'd like to send back", "I need to return"))
        goal = Goal(
            kind="return_delivered_order_items",
            say=f"{opening} {what} from {case.order_words(order)}.{to}",
            facts=(
                *case.order_fact(order),
                Fact(name="items", value=[described(item) for item in items]),
                _known(case, "payment", words),
            ),
            calls=(
                call(
                    "return_delivered_order_items",
                    order_id=order["order_id"],
                    item_ids=[item["item_id"] for item in items],
                    payment_method_id=method["id"],
                ),
            ),
        )
        source = case.order_words(order).replace("my orders", "your orders")
        want = f"You want to return {what} from {source}, refunded to your {words}.{_numbered(case, order)}"
        return Wish(goal, want, look_at(case, order))
    return None


@dataclass(frozen=True)
class _Swap:
    """What exchanging a delivered item and changing a pending one have in common."""

    tool: str
    status: str
    verbs: tuple[str, ...]


EXCHANGE = _Swap("exchange_delivered_order_items", "delivered", ("exchange", "swap"))
MODIFY = _Swap("modify_pending_order_items", "pending", ("change", "switch"))


def _swap(case: Case, kind: _Swap, *, most: int = 2) -> Wish | None:
    for order in case.orders(kind.status)[:1]:
        count = case.rng.randint(1, min(most, len(order["items"])))
        pairs = []
        for item in case.rng.sample(order["items"], count):
            variant = case.variant(item, available=True)
            if variant is None:
                return None
            pairs.append((item, variant))
        return swap_wish(case, kind, order, pairs)
    return None


def swap_wish(case: Case, kind: _Swap, order: Record, pairs: Sequence[tuple[Record, Record]]) -> Wish | None:
    """The wish to have other variants of some items of an order."""
    cents = sum(round(new["price"] * 100) - round(old["price"] * 100) for old, new in pairs)
    method = case.payer(cents)
    if method is None:
        return None
    case.take(order)
    words = case.method_words(method)
    wished = [{"name": old["name"], "product_id": old["product_id"], **new} for old, new in pairs]
    verb = case.rng.choice(kind.verbs)
    changes = listed(f"the {old['name']} to {options_of(old, new)}" for old, new in pairs)
    asks = cents != 0 and case.difficulty != "simple" and case.rng.random() < 0.4
    amount = money(abs(cents) / 100)
    question = " I also want to know the exact price difference." if asks else ""
    pay = "" if case.difficulty == "standard" else f" Use my {words} for the difference."
    goal = Goal(
        kind=kind.tool,
        say=f"I'd like to {verb} {changes}, from {case.order_words(order)}.{pay}{question}",
        facts=(
            *case.order_fact(order),
            Fact(name="items", value=[described(old) for old, _ in pairs]),
            Fact(name="new_items", value=[described(item) for item in wished]),
            _known(case, "payment", words),
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
        tell=(amount,) if asks else (),
    )
    source = case.order_words(order).replace("my orders", "your orders")
    want = f"You want to {verb} {changes}, from {source}, with the difference on your {words}.{_numbered(case, order)}"
    want += " You also want to know the exact price difference." if asks else ""
    return Wish(goal, want, (*look_at(case, order), *product_reads([old for old, _ in pairs])))


def options_of(old: Record, new: Record) -> str:
    """All options of the wished variant, the changed ones first."""
    changed = [f"{k} {v}" for k, v in new["options"].items() if old["options"].get(k) != v]
    same = [f"{k} {v}" for k, v in new["options"].items() if old["options"].get(k) == v]
    kept = f" (still {', '.join(same)})" if same else ""
    return f"{', '.join(changed)}{kept}"


def exchange(case: Case) -> Wish | None:
    """Exchange items of a delivered order."""
    return _swap(case, EXCHANGE)


def modify_items(case: Case) -> Wish | None:
    """Change items of a pending order."""
    return _swap(case, MODIFY)


def modify_payment(case: Case) -> Wish | None:
    """Pay a pending order by another method."""
    for order in case.orders("pending"):
        payment = order["payment_history"][0]
        cents = round(payment["amount"] * 100)
        others = case.methods(without=payment["payment_method_id"])
        method = next((m for m in others if "balance" not in m or round(m["balance"] * 100) >= cents), None)
        if method is None:
            continue
        case.take(order)
        words = case.method_words(method)
        which = case.order_words(order)
        goal = Goal(
            kind="modify_pending_order_payment",
            say=f"I want to pay for {which} with my {words} instead.",
            facts=(*case.order_fact(order), Fact(name="payment", value=words)),
            calls=(call("modify_pending_order_payment", order_id=order["order_id"], payment_method_id=method["id"]),),
        )
        known = which.replace("my orders", "your orders")
        want = f"You want to pay for {known} with your {words} instead.{_numbered(case, order)}"
        return Wish(goal, want, look_at(case, order))
    return None


def address_words(address: Record) -> str:
    """An address on one line."""
    lines = (address["address1"], address["address2"], address["city"])
    return f"{', '.join(line for line in lines if line)}, {address['state']}, {address['country']}, {address['zip']}"


def modify_address(case: Case) -> Wish | None:
    """Send a pending order elsewhere."""
    for order in case.orders("pending")[:1]:
        address = case.new_address()
        case.take(order)
        where = "another address" if case.difficulty == "standard" else address_words(address)
        which = case.order_words(order)
        goal = Goal(
            kind="modify_pending_order_address",
            say=f"Please send {which} to {where}.",
            facts=(*case.order_fact(order), _known(case, "address", address)),
            calls=(call("modify_pending_order_address", order_id=order["order_id"], **address),),
        )
        known = which.replace("my orders", "your orders")
        want = f"You want {known} to be sent to {address_words(address)}.{_numbered(case, order)}"
        return Wish(goal, want, look_at(case, order))
    return None


def move_house(case: Case) -> Wish | None:
    """Change the address in the profile."""
    address = case.new_address()
    where = "" if case.difficulty == "standard" else f" It is now {address_words(address)}."
    goal = Goal(
        kind="modify_user_address",
        say=f"I have moved and need the default address in my profile changed.{where}",
        facts=(_known(case, "address", address),),
        calls=(call("modify_user_address", user_id=case.user["user_id"], **address),),
    )
    return Wish(goal, f"You have moved; the default address of your profile should be {address_words(address)}.")


# --- information ---


def count_variants(case: Case) -> Wish | None:
    """How many variants of a product can be bought now."""
    product = case.rng.choice(list(world().products.values()))
    count = sum(variant["available"] for variant in product["variants"].values())
    if count < 3:
        return None
    say = f"How many different {product['name']} options can I buy right now?"
    return _question(case, say, (str(count),), (call("list_all_product_types"), *product_reads([product])))


def cheapest(case: Case) -> Wish | None:
    """The price of the cheapest variant in stock."""
    product = case.rng.choice(list(world().products.values()))
    prices = [variant["price"] for variant in product["variants"].values() if variant["available"]]
    if not prices:
        return None
    say = f"What does the cheapest {product['name']} that you have in stock cost?"
    return _question(case, say, (money(min(prices)),), (call("list_all_product_types"), *product_reads([product])))


def price_of(case: Case) -> Wish | None:
    """The price of one described variant."""
    product = case.rng.choice(list(world().products.values()))
    variant = case.rng.choice(list(product["variants"].values()))
    say = f"How much is the {in_words({'name': product['name'], **variant})}?"
    reads = (call("list_all_product_types"), *product_reads([product]))
    return _question(case, say, (money(variant["price"]),), reads)


def total_of(case: Case) -> Wish | None:
    """What an order cost."""
    for order in case.orders("pending", "processed", "delivered")[:1]:
        which = f"order {order['order_id']}" if not case.vague else case.order_words(order)
        total = money(order["payment_history"][0]["amount"])
        return _question(case, f"How much did I pay for {which} in total?", (total,), look_at(case, order))
    return None


def tracking_of(case: Case) -> Wish | None:
    """An order's tracking number."""
    for order in case.orders("processed", "delivered")[:1]:
        which = f"order {order['order_id']}" if not case.vague else case.order_words(order)
        number = order["fulfillments"][0]["tracking_id"][0]
        return _question(case, f"What is the tracking number of {which}?", (number,), look_at(case, order))
    return None


def balance(case: Case) -> Wish | None:
    """What is left on the gift card."""
    cards = [method for method in case.user["payment_methods"].values() if "balance" in method]
    if len(cards) != 1:
        return None
    reads = (call("get_user_details", user_id=case.user["user_id"]),)
    return _question(case, "How much money is left on my gift card?", (money(cards[0]["balance"]),), reads)


def _question(case: Case, say: str, tell: tuple[str, ...], reads: tuple[ToolCall, ...]) -> Wish:
    goal = Goal(kind="ask", say=say, tell=tell, outcome="answered", facts=(Fact(name="question", value=say),))
    return Wish(goal, f'You want the answer to this: "{say}"', reads)


QUESTIONS: tuple[Builder, ...] = (count_variants, cheapest, price_of, total_of, tracking_of, balance)


def ask(case: Case) -> Wish | None:
    """Any question."""
    return case.rng.choice(QUESTIONS)(case)
