"""The retail tools against tau2-bench's own, call by call on the same data: every difference is an intended one.

Thousands of random valid and invalid calls and the gold calls of all 114 tasks are played on both sides. `DEVIATIONS`
lists what may differ; docs/retail.md explains each by the same name.
"""

from __future__ import annotations

import json
import random
import re
from collections import Counter
from dataclasses import dataclass
from functools import cache
from typing import Any

import pytest
from jsonschema import Draft202012Validator
from tau2_original import Call, Case, Play, World

from toolgym.sandbox.runtime.registry import get_domain

pytestmark = [pytest.mark.slow, pytest.mark.xdist_group("differential_retail")]
SEQUENCES = 220
SWAPS = ("modify_pending_order_items", "exchange_delivered_order_items", "modify_pending_order_payment")
WRITES = {tool.name for tool in get_domain("retail").tools.values() if tool.kind == "write"}
ADDRESS = {"address1": "1 Elm Street", "address2": "", "city": "Reno", "state": "NV", "country": "USA", "zip": "89501"}

REASONS = {
    r"Order not found": "order_not_found",
    r"User not found": "user_not_found",
    r"Product not found": "product_not_found",
    r"Variant not found": "variant_not_found",
    r"New item .* not found or available": "item_unavailable",
    r"Non-pending order": "order_not_pending",
    r"Non-delivered order": "order_not_delivered",
    r"Invalid reason": "invalid_arguments",
    r"Payment method not found": "payment_method_not_found",
    r"Payment method should be the original": "wrong_refund_method",
    r"The number of items": "count_mismatch",
    r"The new item id should be different": "same_item",
    r"There should be exactly one payment": "not_one_payment",
    r"The new payment method should be different": "same_payment_method",
    r"Insufficient gift card balance": "insufficient_balance",
    r"Invalid characters|SyntaxError|object is not callable|not 'tuple'": "invalid_expression",
    r"ZeroDivisionError": "division_by_zero",
    r"Some item not found|Number of .* not found|ValueError: \S* ?not found": "item_not_in_order",
}


# --- random calls ---


@dataclass(frozen=True)
class Stock:
    """What calls can name, in tau2-bench's data."""

    users: list[tuple[str, ...]]
    orders: dict[str, list[tuple[str, str]]]
    items: dict[str, list[str]]
    methods: dict[str, list[str]]
    product: dict[str, str]
    variants: dict[str, list[str]]
    on_sale: dict[str, tuple[int, str]]


@cache
def stock() -> Stock:
    reader = get_domain("retail").template("tau2").reader

    def grouped(sql: str) -> dict[str, list[Any]]:
        groups: dict[str, list[Any]] = {}
        for key, *values in reader.execute(sql):
            groups.setdefault(key, []).append(values[0] if len(values) == 1 else tuple(values))
        return groups

    people = "SELECT user_id, email, first_name, last_name, zip FROM users JOIN addresses ON owner_id = user_id"
    orders = grouped("SELECT user_id, order_id, status FROM orders ORDER BY order_id")
    return Stock(
        users=[row for row in reader.execute(f"{people} ORDER BY user_id") if row[0] in orders],
        orders=orders,
        items=grouped("SELECT order_id, item_id FROM order_items ORDER BY order_id, position"),
        methods=grouped("SELECT user_id, payment_method_id FROM payment_methods ORDER BY payment_method_id"),
        product=dict(reader.execute("SELECT item_id, product_id FROM variants")),
        variants=grouped("SELECT product_id, item_id FROM variants ORDER BY item_id"),
        on_sale={row[0]: row[1:] for row in reader.execute("SELECT item_id, price_cents, options FROM variants")},
    )


def expression(rng: random.Random) -> str:
    """Arithmetic as agents write it, with a slip now and then."""
    numbers = ("12.5", "3", "199.99", "0", "-4", "(1 + 2)", "100")
    odd = ("07", ".5", "2.675", "1e5", "", "(", "6.")
    signs = ("+", "-", "*", "/", " + ", " - ")
    parts = (rng.choice(odd if rng.random() < 0.1 else numbers) for _ in range(3))
    return (
        "".join(part + rng.choice(("**", "//", "")) * (rng.random() < 0.1) + rng.choice(signs) for part in parts) + "1"
    )


def sequence(rng: random.Random) -> list[Call]:
    """Calls about one customer, so that they meet one another's traces, each followed by a look at what it touched."""
    user = rng.choice(stock().users)
    calls: list[Call] = []
    for _ in range(10):
        name, arguments, _ = valid(rng, user)
        calls.append(Call(name, spoiled(rng, arguments) if rng.random() < 0.2 else arguments))
        if get_domain("retail").tools[name].kind == "write":
            calls.append(Call("get_user_details", {"user_id": user[0]}))
            if "order_id" in arguments:
                calls.append(Call("get_order_details", {"order_id": arguments["order_id"]}))
    return calls


def valid(rng: random.Random, user: tuple[str, ...]) -> Call:
    """A call with arguments of the right kinds: mostly this customer's order, its items, their products' variants."""
    user_id, email, first, last, zip_code = user
    name = rng.choice([*get_domain("retail").tools, *SWAPS, *SWAPS, *SWAPS])
    stage = "delivered" if "delivered" in name else "pending"
    mine = [order for order, status in stock().orders[user_id] if status == stage or rng.random() < 0.1]
    order_id = rng.choice(mine or [order for order, _ in stock().orders[user_id]])
    order_id = rng.choice(list(stock().items)) if rng.random() < 0.03 else order_id
    items = stock().items[order_id]
    chosen = (rng.choices if rng.random() < 0.1 else rng.sample)(items, k=rng.randint(1, len(items)))
    fills: dict[str, Any] = {
        **ADDRESS,
        "zip": zip_code if name.startswith("find") else ADDRESS["zip"],
        "expression": expression(rng),
        "email": rng.choice((email, email.upper(), f" {email}")),
        "first_name": first,
        "last_name": rng.choice((last, last.lower())),
        "user_id": user_id,
        "order_id": order_id,
        "product_id": stock().product[chosen[0]],
        "item_id": chosen[0],
        "item_ids": chosen,
        "new_item_ids": [rng.choice(stock().variants[stock().product[item]]) for item in chosen],
        "payment_method_id": rng.choice(
            stock().methods[rng.choice(stock().users)[0] if rng.random() < 0.05 else user_id]
        ),
        "reason": rng.choice(("no longer needed", "ordered by mistake", "too dear")),
        "summary": "wants a discount",
    }
    return Call(
        name, {argument: fills[argument] for argument in get_domain("retail").tools[name].parameters["properties"]}
    )


def spoiled(rng: random.Random, arguments: dict[str, Any]) -> dict[str, Any]:
    """The arguments with one thing wrong."""
    if not arguments:
        return {"name": "T-Shirt"}
    changed, name = dict(arguments), rng.choice(list(arguments))
    value = changed[name]
    how = rng.randrange(6)
    if how == 0:
        del changed[name]
    elif how == 1:
        changed["note"] = "please"
    elif how == 2:
        changed[name] = rng.choice((None, 5, 2.5, True, ["1"], {"a": 1}, [], "", [5]))
    elif how == 3:
        changed[name] = value[1:]
    elif isinstance(value, list):
        changed[name] = rng.choice((value * 2, value[::-1], ["1234567890", *value[1:]]))
    else:
        changed[name] = f"{value}0"
    return changed


# --- the differences that are meant ---


def own_variant(case: Case, value: dict[str, Any]) -> dict[str, Any]:
    """Each changed piece is its own new variant at its price; theirs give the last one's price and options to all.

    Theirs also change one after the other, so that a replacement that the order held already can be replaced again.
    """
    if case.name != "modify_pending_order_items":
        return value
    items = [dict(item) for item in case.before["items"]]
    waiting = list(items)
    for old, new in zip(case.arguments["item_ids"], case.arguments["new_item_ids"], strict=True):
        piece = next(item for item in waiting if item["item_id"] == old)
        waiting.remove(piece)
        cents, options = stock().on_sale[new]
        piece |= {"item_id": new, "price": cents / 100, "options": json.loads(options)}
    same_ids = Counter(item["item_id"] for item in items) == Counter(item["item_id"] for item in value["items"])
    return value | {"items": items} if same_ids else value


def pairs_kept(case: Case, value: dict[str, Any]) -> dict[str, Any]:
    """Exchanged items and their replacements in step; theirs sort the two lists apart."""
    if case.name != "exchange_delivered_order_items":
        return value
    pairs = sorted(zip(case.arguments["item_ids"], case.arguments["new_item_ids"], strict=True))
    return value | {"exchange_items": [old for old, _ in pairs], "exchange_new_items": [new for _, new in pairs]}


def no_empty_payment(case: Case, value: dict[str, Any]) -> dict[str, Any]:
    """No movement of money where nothing is to pay; theirs record a refund of 0."""
    if case.name != "modify_pending_order_items":
        return value
    return value | {"payment_history": [payment for payment in value["payment_history"] if payment["amount"]]}


def refund_once(case: Case, value: dict[str, Any]) -> dict[str, Any]:
    """A cancellation refunds to each method what it has paid in all; theirs refund every entry, refunds included."""
    if case.name != "cancel_pending_order":
        return value
    paid: Counter[str] = Counter()
    for entry in case.before["payment_history"]:
        sign = 1 if entry["transaction_type"] == "payment" else -1
        paid[entry["payment_method_id"]] += sign * round(entry["amount"] * 100)
    refunds = [
        {"transaction_type": "refund", "amount": cents / 100, "payment_method_id": method}
        for method, cents in paid.items()
        if cents > 0
    ]
    return value | {"payment_history": case.before["payment_history"] + refunds}


def whole_cents(case: Case, value: dict[str, Any]) -> dict[str, Any]:
    """Amounts in whole cents; theirs keep the rounding error of binary fractions."""
    if not (isinstance(value, dict) and "payment_history" in value):
        return value
    history = [payment | {"amount": round(payment["amount"], 2)} for payment in value["payment_history"]]
    return value | {"payment_history": history}


CORRECTIONS = {
    "own variant": own_variant,
    "pairs kept": pairs_kept,
    "whole cents": whole_cents,
    "no empty payment": no_empty_payment,
    "refund once": refund_once,
}
"""Results that differ: what theirs would return without the defect."""


def arguments_checked(case: Case) -> bool:
    """Arguments that do not fit the tool's published schema are refused first; theirs take some of them."""
    schema = get_domain("retail").tools[case.name].parameters
    return case.our_code == "invalid_arguments" and not Draft202012Validator(schema).is_valid(case.arguments)


def exact_arithmetic(case: Case) -> bool:
    """Four operations on decimal numbers, halves of a cent up; theirs run the text as a program with binary numbers."""
    if case.name != "calculate" or not isinstance(case.arguments.get("expression"), str):
        return False
    if case.both_done:
        return abs(float(case.their_value) - float(case.our_value)) < 0.011
    power = "**" in case.arguments["expression"] or "//" in case.arguments["expression"]
    octal = re.search(r"(?<![0-9.])0[0-9]", case.arguments["expression"])
    return power if not case.ours.ok else octal is not None


def spaces_ignored(case: Case) -> bool:
    """Spaces around an e-mail address do no harm; theirs find nobody."""
    return case.ours.ok and str(case.arguments.get("email")).startswith(" ")


def newer_tool(case: Case) -> bool:
    """A tool of tau2-bench's main branch that the packaged release does not have."""
    return case.name == "get_item_details" and case.their_code == "unknown_tool"


OUTCOMES = {
    "arguments checked": arguments_checked,
    "exact arithmetic": exact_arithmetic,
    "spaces ignored": spaces_ignored,
    "newer tool": newer_tool,
}
"""Other outcomes: whether the call is one of that kind."""


def leaves(case: Case, names: set[str]) -> set[str]:
    """An order that a difference changed; with a refund, also the gift cards of its customer."""
    if case.name not in WRITES or names <= {"whole cents"} or not (case.ours.ok or case.their_code is None):
        return set()
    everything = {"refund once"} & names
    return {str(case.arguments.get("order_id")), *("anything" for _ in everything)}


RETAIL = World(
    domain="retail",
    reasons=REASONS,
    corrections=CORRECTIONS,
    outcomes=OUTCOMES,
    look={"order_id": "get_order_details"},
    depends=lambda case: {str(case.arguments.get("order_id")), "anything"},
    leaves=leaves,
)


# --- the tests ---


def planned() -> list[Play]:
    """Rare cases: paid anew and then cancelled, refunded elsewhere, two pieces that become each other, a division."""
    reader = get_domain("retail").template("tau2").reader
    moved = reader.execute(
        "SELECT order_id, m.payment_method_id FROM orders JOIN payments USING (order_id) JOIN payment_methods m "
        "ON m.user_id = orders.user_id AND m.payment_method_id != payments.payment_method_id "
        "WHERE status = 'pending' AND m.source = 'credit_card' ORDER BY 1 LIMIT 5"
    ).fetchall()
    elsewhere = reader.execute(
        "SELECT o.order_id, m.payment_method_id, i.item_id FROM orders o JOIN payments p USING (order_id) "
        "JOIN payment_methods m ON m.user_id = o.user_id AND m.payment_method_id != p.payment_method_id "
        "JOIN order_items i ON i.order_id = o.order_id AND i.position = 0 "
        "WHERE status = 'delivered' AND m.source != 'gift_card' ORDER BY 1 LIMIT 5"
    ).fetchall()
    swapped = reader.execute(
        "SELECT o.order_id, p.payment_method_id, a.item_id, b.item_id FROM orders o JOIN payments p USING (order_id) "
        "JOIN order_items a USING (order_id) JOIN order_items b USING (order_id) "
        "JOIN variants v ON v.item_id = a.item_id JOIN variants w ON w.item_id = b.item_id "
        "WHERE o.status = 'pending' AND a.item_id < b.item_id AND v.product_id = w.product_id "
        "AND v.available AND w.available AND a.price_cents = v.price_cents AND b.price_cents = w.price_cents ORDER BY 1"
    ).fetchall()
    twice = [
        [
            Call("modify_pending_order_payment", {"order_id": order, "payment_method_id": method}),
            Call("cancel_pending_order", {"order_id": order, "reason": "no longer needed"}),
        ]
        for order, method in moved
    ]
    turned = [
        {"order_id": order, "item_ids": [one, two], "new_item_ids": [two, one], "payment_method_id": method}
        for order, method, one, two in swapped
    ]
    returned = [
        {"order_id": order, "item_ids": [item], "payment_method_id": method} for order, method, item in elsewhere
    ]
    single = [Call("return_delivered_order_items", arguments) for arguments in returned]
    single += [Call("modify_pending_order_items", arguments) for arguments in turned]
    single.append(Call("calculate", {"expression": "1 / (2 - 2)"}))
    return [Play(calls) for calls in [*twice, *([call] for call in single)]]


@pytest.fixture(scope="module")
def played() -> list[Case]:
    rng = random.Random(5)
    plays = [*planned(), *(Play(sequence(rng)) for _ in range(SEQUENCES))]
    return [case for cases in RETAIL.play(plays) for case in RETAIL.compared(cases)]


def test_every_difference_is_an_intended_one(played: list[Case]) -> None:
    assert sum(case.both_done for case in played) > 2500 and sum(case.both_refused for case in played) > 800
    unexplained = RETAIL.unexplained(played)
    assert not unexplained, "\n".join(unexplained[:5])


def test_every_intended_difference_occurs_and_is_documented(played: list[Case]) -> None:
    assert set(RETAIL.seen(played)) == {*CORRECTIONS, *OUTCOMES}
    assert not RETAIL.undocumented()


def test_both_refuse_for_every_reason_there_is(played: list[Case]) -> None:
    shared = {case.our_code for case in played if case.both_refused and case.same}
    assert shared == {*REASONS.values(), "invalid_arguments"}


GOLD = {"own variant": {"20", "21", "36", "37", "100"}, "pairs kept": {"58", "98"}}
"""tau2-bench tasks whose gold run leaves another state here than there."""


def test_the_gold_runs_differ_in_known_tasks_only() -> None:
    tasks = get_domain("retail").tasks("base", "tau2")
    gold = [Play([Call(call.name, dict(call.arguments)) for call in task.gold]) for task in tasks]
    found = RETAIL.gold_differences(tasks, gold)
    found.pop("whole cents")
    assert found == GOLD
