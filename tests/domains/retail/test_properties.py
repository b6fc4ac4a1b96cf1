"""Whatever calls an agent makes in the retail world, its invariants hold, and time travel gives the same bytes."""

import random
from collections import Counter
from functools import cache
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from toolgym.domains.retail.schema import Order, OrderItem, Payment, PaymentMethod, Variant
from toolgym.sandbox.runtime.registry import get_domain
from toolgym.sandbox.runtime.session import Session

pytestmark = pytest.mark.slow
Step = tuple[str, dict[str, Any]]
ADDRESS = {"address1": "1 Elm Street", "address2": "", "city": "Reno", "state": "NV", "country": "USA", "zip": "89501"}


@cache
def rows() -> dict[str, list[tuple[Any, ...]]]:
    reader = get_domain("retail").template().reader
    return {
        "orders": reader.execute("SELECT order_id, user_id FROM orders ORDER BY order_id").fetchall(),
        "items": reader.execute("SELECT order_id, item_id FROM order_items ORDER BY 1, position").fetchall(),
        "methods": reader.execute("SELECT user_id, payment_method_id FROM payment_methods ORDER BY 2").fetchall(),
        "variants": reader.execute("SELECT product_id, item_id FROM variants ORDER BY 2").fetchall(),
    }


def random_call(rng: random.Random) -> Step:
    """A call that is mostly plausible: an order's own items, its customer's methods, variants of its products."""
    data = rows()
    order_id, user_id = rng.choice(data["orders"])
    items = [item for order, item in data["items"] if order == order_id]
    methods = [method for user, method in data["methods"] if user == user_id or rng.random() < 0.002]
    by_item = {item: kind for kind, item in data["variants"]}
    chosen = (
        rng.choices(items, k=rng.randint(1, len(items)))
        if rng.random() < 0.1
        else rng.sample(items, rng.randint(1, len(items)))
    )
    siblings = [rng.choice([i for k, i in data["variants"] if k == by_item[item]]) for item in chosen]
    name = rng.choice(
        [
            "cancel_pending_order",
            "modify_pending_order_items",
            "modify_pending_order_payment",
            "modify_pending_order_address",
            "return_delivered_order_items",
            "exchange_delivered_order_items",
            "modify_user_address",
            "get_order_details",
        ]
    )
    order = {"order_id": order_id}
    method = {"payment_method_id": rng.choice(methods)}
    arguments: dict[str, dict[str, Any]] = {
        "cancel_pending_order": order | {"reason": "no longer needed"},
        "modify_pending_order_items": order | {"item_ids": chosen, "new_item_ids": siblings} | method,
        "modify_pending_order_payment": order | method,
        "modify_pending_order_address": order | ADDRESS,
        "return_delivered_order_items": order | {"item_ids": chosen} | method,
        "exchange_delivered_order_items": order | {"item_ids": chosen, "new_item_ids": siblings} | method,
        "modify_user_address": {"user_id": user_id} | ADDRESS,
        "get_order_details": order,
    }
    return name, arguments[name]


def paths(length: int = 25) -> st.SearchStrategy[list[Step]]:
    return st.integers(0, 2**32).map(lambda seed: _path(seed, length))


def _path(seed: int, length: int) -> list[Step]:
    rng = random.Random(seed)
    return [random_call(rng) for _ in range(length)]


def play(session: Session, path: list[Step]) -> Session:
    for name, arguments in path:
        session.call(name, arguments)
    return session


def wealth(session: Session) -> int:
    """Gift card cents plus what orders have been paid: moving money between the two creates and destroys none."""
    database = session._database
    cards = sum(method.balance_cents or 0 for method in database.find(PaymentMethod))
    cards_paid = 0
    gift = {m.payment_method_id for m in database.find(PaymentMethod) if m.balance_cents is not None}
    for payment in database.find(Payment):
        if payment.payment_method_id in gift:
            cards_paid += payment.amount_cents * (1 if payment.transaction_type == "payment" else -1)
    return cards + cards_paid


def paid(session: Session) -> dict[str, int]:
    totals: Counter[str] = Counter()
    for payment in session._database.find(Payment):
        totals[payment.order_id] += payment.amount_cents * (1 if payment.transaction_type == "payment" else -1)
    return dict(totals)


def prices(session: Session) -> dict[str, int]:
    totals: Counter[str] = Counter()
    for item in session._database.find(OrderItem):
        totals[item.order_id] += item.price_cents
    return dict(totals)


def test_the_world_starts_consistent() -> None:
    with Session("retail") as session:
        check_invariants(session, wealth(session))


def check_invariants(session: Session, start: int) -> None:
    database = session._database
    assert wealth(session) == start, "gift cards and the payments made from them balance"
    assert all((method.balance_cents or 0) >= 0 for method in database.find(PaymentMethod))
    assert database._connection.execute("PRAGMA foreign_key_check").fetchall() == []
    money, price = paid(session), prices(session)
    for order in database.find(Order):
        expected = 0 if order.status == "cancelled" else price[order.order_id]
        assert money[order.order_id] == expected, f"{order.order_id} has been paid exactly"
    variants = {variant.item_id: variant.product_id for variant in database.find(Variant)}
    for item in database.find(OrderItem):
        if item.new_item_id is not None:
            assert variants[item.new_item_id] == variants[item.item_id], "a product stays the same product"
    requests = {item.order_id for item in database.find(OrderItem) if item.request}
    assert requests == {order.order_id for order in database.find(Order) if order.status.endswith("requested")}


@settings(max_examples=25, deadline=None)
@given(paths())
def test_invariants_hold_after_any_calls(path: list[Step]) -> None:
    with Session("retail") as session:
        start = wealth(session)
        play(session, path)
        check_invariants(session, start)


@settings(max_examples=15, deadline=None)
@given(paths(12), paths(6), st.integers(0, 12))
def test_fork_rollback_and_replay_equal_a_straight_run(path: list[Step], other: list[Step], cut: int) -> None:
    with Session("retail") as straight, Session("retail") as begun, Session("retail") as replayed:
        play(straight, path)
        play(begun, path[:cut])
        with begun.fork() as fork:
            assert play(fork, path[cut:]).dump() == straight.dump()
        play(begun, other).rollback(cut)
        assert play(begun, path[cut:]).dump() == straight.dump()
        assert begun.diff() == straight.diff()
        assert replayed.replay(straight.log) == [] and replayed.dump() == straight.dump()


def test_two_hundred_interleaved_sessions_never_see_each_other() -> None:
    sessions = [Session("retail") for _ in range(200)]
    plans = [_path(seed, 8) for seed in range(200)]
    for step in range(8):
        for session, plan in zip(sessions, plans, strict=True):
            session.call(*plan[step])
    sample = random.Random(0).sample(range(200), 40)
    for index in sample:
        with Session("retail") as alone:
            assert play(alone, plans[index]).digest() == sessions[index].digest()
    for session in sessions:
        session.close()
