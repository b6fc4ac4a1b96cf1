"""The shop's own arithmetic and lifecycles: carts, coupons, quotes, orders, returns, and what is refused."""

from __future__ import annotations

from datetime import datetime
from random import Random
from typing import Any

import pytest

from toolgym.domains.shopping.assortment import SORTS
from toolgym.domains.shopping.schema import (
    Address,
    Card,
    CartItem,
    Coupon,
    Customer,
    Order,
    OrderedItem,
    Product,
    SavedItem,
    Variant,
)
from toolgym.sandbox.kit.task import Task
from toolgym.sandbox.runtime.registry import get_domain
from toolgym.sandbox.runtime.session import Session
from toolgym.sandbox.synthesis.generator import Generator

OWNERS = [f"u-{number}" for number in range(1908, 1932)]


def session_of(owner: str = "u-1910", now: datetime | None = None) -> Session:
    return Session("shopping", task=Task(id="", domain="shopping", owner=owner, now=now))


@pytest.fixture
def session() -> Session:
    """A customer with an empty cart."""
    return session_of()


def done(session: Session, tool: str, /, **arguments: Any) -> Any:
    result = session.call(tool, arguments)
    assert result.ok, result.text
    return result.value


def refused(session: Session, tool: str, /, **arguments: Any) -> str:
    result = session.call(tool, arguments)
    assert result.error is not None, result.text
    return result.error.code


def a_variant(session: Session, least: int = 5) -> Variant:
    """Something of which there are so many."""
    return next(row for row in session.database.find(Variant) if row.stock >= least)


def a_card(session: Session) -> Card:
    return session.database.mine(Card)[0]


def ordering(session: Session, speed: int = 0, **more: Any) -> dict[str, Any]:
    """What orders the cart to the first address with the first card."""
    address = done(session, "list_addresses")[0]["address_id"]
    option = done(session, "quote_shipping", address_id=address)["items"][speed]["option_id"]
    card = a_card(session)
    given = {"address_id": address, "shipping_id": option, "method_id": card.method_id}
    return given | {"security_code": card.security_code} | more


def one_price(session: Session, cents: int) -> Variant:
    return next(row for row in session.database.find(Variant) if row.price_cents == cents and row.stock)


def test_an_order_costs_what_the_cart_and_the_quote_said_and_leaves_less_in_stock(session: Session) -> None:
    variant = a_variant(session)
    done(session, "add_to_cart", variant_id=variant.variant_id, quantity=2)
    cart = done(session, "add_to_cart", variant_id=variant.variant_id)
    assert [line["quantity"] for line in cart["items"]] == [3], "the same thing is one line"
    assert cart["total_cents"] == 3 * variant.price_cents
    given = ordering(session, speed=1)
    points = session.database.owner(Customer).points
    order = done(session, "checkout", **given)
    assert order["total_cents"] == cart["total_cents"] + 1_295
    assert (order["state"], order["arrives_on"]) == ("placed", "2026-03-17"), "two working days from a Friday"
    left = session.database.get(Variant, variant.variant_id)
    assert left is not None and left.stock == variant.stock - 3
    assert session.database.owner(Customer).points == points + order["total_cents"] // 100
    assert done(session, "get_cart")["items"] == []
    back = done(session, "cancel_order", order_id=order["order_id"], reason="changed_mind")
    assert back["refund_cents"] == order["total_cents"]
    assert session.database.get(Variant, variant.variant_id) == variant
    assert session.database.owner(Customer).points == points
    assert refused(session, "cancel_order", order_id=order["order_id"], reason="changed_mind") == "cancel_placed"


@pytest.mark.parametrize(("cents", "price"), [(5_000, 0), (4_999, 595)])
def test_standard_shipping_is_free_from_50_dollars(session: Session, cents: int, price: int) -> None:
    done(session, "add_to_cart", variant_id=one_price(session, cents).variant_id)
    address = done(session, "list_addresses")[0]["address_id"]
    assert done(session, "quote_shipping", address_id=address)["items"][0]["price_cents"] == price


def test_free_shipping_counts_after_the_coupon(session: Session) -> None:
    done(session, "add_to_cart", variant_id=one_price(session, 5_000).variant_id)
    cart = done(session, "apply_coupon", code="THANKYOU5")
    assert (cart["discount_cents"], cart["total_cents"]) == (250, 4_750)
    address = done(session, "list_addresses")[0]["address_id"]
    assert done(session, "quote_shipping", address_id=address)["items"][0]["price_cents"] == 595


def test_a_quote_is_void_once_the_cart_or_the_coupon_changes(session: Session) -> None:
    done(session, "add_to_cart", variant_id=one_price(session, 6_000).variant_id)
    given = ordering(session)
    done(session, "apply_coupon", code="SPRING15")
    assert refused(session, "checkout", **given) == "not_found"
    given = ordering(session)
    done(session, "add_to_cart", variant_id=a_variant(session).variant_id)
    assert refused(session, "checkout", **given) == "not_found"


def test_what_was_quoted_for_one_address_does_not_go_to_another(session: Session) -> None:
    first, other, *_ = (row["address_id"] for row in done(session, "list_addresses"))
    assert refused(session, "quote_shipping", address_id=first) == "empty_cart"
    done(session, "add_to_cart", variant_id=a_variant(session).variant_id)
    assert refused(session, "checkout", **ordering(session) | {"address_id": other}) == "quote_address"


@pytest.mark.parametrize(("cents", "holds"), [(6_000, True), (5_999, False), (10_000, True)])
def test_a_coupon_holds_from_its_minimum_on(session: Session, cents: int, holds: bool) -> None:
    done(session, "add_to_cart", variant_id=one_price(session, cents).variant_id)
    if holds:
        assert done(session, "apply_coupon", code="SPRING15")["discount_cents"] == cents * 15 // 100
        assert refused(session, "apply_coupon", code="SPRING15") == "no_change"
    else:
        assert refused(session, "apply_coupon", code="SPRING15") == "coupon_min"


def test_a_coupon_of_a_category_takes_off_that_alone(session: Session) -> None:
    kettle = one_price(session, 6_000)
    product = done(session, "search_products", category="outdoor", in_stock=True, sort="price")["items"][0]
    tent = next(row for row in session.database.find(Variant, product_id=product["product_id"]) if row.stock)
    done(session, "add_to_cart", variant_id=tent.variant_id)
    assert refused(session, "apply_coupon", code="KITCHEN12") == "coupon_min", "nothing of the kitchen is there"
    done(session, "add_to_cart", variant_id=kettle.variant_id)
    assert done(session, "apply_coupon", code="KITCHEN12")["discount_cents"] == 720


def test_a_coupon_whose_minimum_is_no_longer_reached_takes_nothing_off(session: Session) -> None:
    cart = done(session, "add_to_cart", variant_id=one_price(session, 6_000).variant_id)
    done(session, "apply_coupon", code="SPRING15")
    cart = done(session, "save_for_later", line_id=cart["items"][0]["line_id"])
    cart = done(session, "add_to_cart", variant_id=one_price(session, 2_999).variant_id)
    assert (cart["coupon"], cart["discount_cents"]) == ("SPRING15", 0)
    assert done(session, "remove_coupon")["coupon"] is None
    assert refused(session, "remove_coupon") == "no_change"


@pytest.mark.parametrize(("day", "holds"), [(12, True), (13, True), (14, False)])
def test_a_coupon_holds_through_its_last_day(day: int, holds: bool) -> None:
    session = session_of(now=datetime(2026, 3, day, 9, 0))
    done(session, "add_to_cart", variant_id=one_price(session, 6_000).variant_id)
    result = session.call("apply_coupon", {"code": "FLASH25"})
    assert result.ok if holds else result.error is not None and result.error.code == "coupon_until"


def test_a_coupon_serves_one_order_and_again_once_that_is_cancelled(session: Session) -> None:
    done(session, "add_to_cart", variant_id=one_price(session, 6_000).variant_id)
    done(session, "apply_coupon", code="SPRING15")
    order = done(session, "checkout", **ordering(session))
    done(session, "add_to_cart", variant_id=one_price(session, 10_000).variant_id)
    assert refused(session, "apply_coupon", code="SPRING15") == "coupon_used"
    done(session, "cancel_order", order_id=order["order_id"], reason="too_slow")
    done(session, "apply_coupon", code="SPRING15")


def test_wrong_codes_order_nothing_and_the_third_locks_the_card() -> None:
    session = session_of("u-1919")  # who has three cards
    done(session, "add_to_cart", variant_id=a_variant(session).variant_id)
    given = ordering(session)
    assert refused(session, "checkout", **given | {"security_code": None}) == "code_needed"
    for left in (2, 1, 0):
        answer = done(session, "checkout", **given | {"security_code": "0000"})
        assert answer == {"accepted": False, "tries_left": left}
    assert refused(session, "checkout", **given) == "locked"
    assert len(done(session, "get_cart")["items"]) == 1
    other = session.database.mine(Card)[2]
    assert done(session, "checkout", **given | {"method_id": other.method_id, "security_code": other.security_code})


def test_store_credit_pays_as_far_as_it_reaches() -> None:
    session = next(
        each
        for each in map(session_of, OWNERS)
        if each.database.owner(Customer).credit_cents == 15_000 and not each.database.mine(CartItem)
    )
    done(session, "add_to_cart", variant_id=one_price(session, 3_000).variant_id)
    order = done(session, "checkout", **ordering(session, use_credit=True, security_code=None))
    assert order["credit_cents"] == order["total_cents"] == 3_595, "no card is charged, so no code is asked for"
    assert session.database.owner(Customer).credit_cents == 15_000 - 3_595
    assert done(session, "cancel_order", order_id=order["order_id"], reason="too_slow")["refund_cents"] == 0
    assert session.database.owner(Customer).credit_cents == 15_000


@pytest.mark.parametrize("tier", ["basic", "plus"])
def test_things_go_back_on_the_last_day_and_not_a_day_later(tier: str) -> None:
    found = {"kept": 0, "late": 0}
    for owner in OWNERS:
        session = session_of(owner)
        for line in session.database.mine(OrderedItem, state="bought"):
            order = done(session, "get_order", order_id=line.order_id)["order"]
            if session.database.owner(Customer).tier != tier or line.final_sale or not order["delivered_on"]:
                continue
            days = (session.database.now.date() - datetime.fromisoformat(order["delivered_on"]).date()).days
            given = {"line_id": line.line_id, "reason": "changed_mind", "refund_to": "credit"}
            if days == {"basic": 30, "plus": 60}[tier]:
                answer = done(session, "request_return", **given)
                assert (answer["refund_cents"], answer["deadline"]) == (line.paid_cents, "2026-03-27")
                assert refused(session, "request_return", **given) == "no_change"
                assert done(session, "get_order", order_id=line.order_id)["order"]["state"] == "returning"
                found["kept"] += 1
            elif days == {"basic": 31, "plus": 61}[tier]:
                assert refused(session, "request_return", **given) == "return_window"
                found["late"] += 1
    assert min(found.values()) >= 3, "both sides of the edge are planted"


def test_clearance_goes_back_only_with_damage_and_nothing_before_it_came() -> None:
    tried = set()
    for owner in OWNERS:
        session = session_of(owner)
        for line in session.database.mine(OrderedItem, state="bought"):
            order = session.database.get(Order, line.order_id)
            assert order is not None
            given = {"line_id": line.line_id, "refund_to": "original"}
            if order.delivered_on is None:
                assert refused(session, "request_return", reason="damaged", **given) == "delivered"
                tried.add("delivered")
            elif line.final_sale and (session.database.now.date() - order.delivered_on).days <= 30:
                assert refused(session, "request_return", reason="wrong_item", **given) == "final_sale"
                assert done(session, "request_return", reason="damaged", **given)["return_reason"] == "damaged"
                tried.add("clearance")
    assert tried == {"delivered", "clearance"}


def test_at_most_the_last_piece_goes_into_the_cart(session: Session) -> None:
    variant = next(row for row in session.database.find(Variant) if row.stock == 4)
    assert refused(session, "add_to_cart", variant_id=variant.variant_id, quantity=5) == "stock"
    cart = done(session, "add_to_cart", variant_id=variant.variant_id, quantity=4)
    assert refused(session, "add_to_cart", variant_id=variant.variant_id) == "stock", "those in the cart count"
    line = cart["items"][0]["line_id"]
    assert refused(session, "set_cart_quantity", line_id=line, quantity=5) == "stock"
    assert refused(session, "set_cart_quantity", line_id=line, quantity=4) == "no_change"
    done(session, "set_cart_quantity", line_id=line, quantity=2)


def test_what_was_sold_meanwhile_keeps_a_cart_from_being_ordered() -> None:
    carts = [(each, done(each, "get_cart")["items"]) for each in map(session_of, OWNERS)]
    short = [each for each, items in carts if any(row["quantity"] > row["stock"] for row in items)]
    assert len(short) >= 3
    session = short[0]
    assert refused(session, "checkout", **ordering(session)) == "cart_stock"


def test_cards_are_charged_through_their_last_month() -> None:
    months = set()
    for owner in OWNERS:
        session = session_of(owner)
        for card in session.database.mine(Card):
            if card.expires <= "2026-03" and done(session, "get_cart")["items"] == []:
                done(session, "add_to_cart", variant_id=a_variant(session).variant_id)
                given = ordering(session) | {"method_id": card.method_id, "security_code": card.security_code}
                if card.expires == "2026-03":
                    done(session, "checkout", **given)
                else:
                    assert refused(session, "checkout", **given) == "expired_card"
                months.add(card.expires)
    assert months == {"2026-02", "2026-03"}


def test_reviews_are_of_what_came_and_there_is_one_of_each(session: Session) -> None:
    line = next(
        row
        for row in session.database.mine(OrderedItem)
        if done(session, "get_product", product_id=row.product_id)["product"]["delivered_to_you"]
        and not done(session, "get_product", product_id=row.product_id)["product"]["reviewed_by_you"]
    )
    given = {"product_id": line.product_id, "stars": 4, "text": "Sturdy but heavy."}
    review = done(session, "write_review", **given)
    assert done(session, "list_reviews", product_id=line.product_id)["items"][0]["review_id"] == review["review_id"]
    assert refused(session, "write_review", **given) == "one_review"
    assert refused(session, "write_review", **given | {"product_id": a_variant(session).product_id}) == "bought"


def test_two_addresses_never_bear_one_label(session: Session) -> None:
    given = {"label": "Home", "street": "1 Elm Street", "city": "Boston", "zip": "02118"}
    assert refused(session, "add_address", **given) == "conflict"
    assert done(session, "add_address", **given | {"label": "Aunt Vera"})["zip"] == "02118"
    assert refused(session, "add_address", **given | {"label": "Club", "zip": "0211"}) == "invalid_arguments"


def test_searching_finds_every_word_and_puts_the_very_name_first(session: Session) -> None:
    light = next(row for row in done(session, "search_products", text="light kettle")["items"])
    plain = light["name"].replace(" Light", "")
    names = [row["name"] for row in done(session, "search_products", text=plain.upper())["items"]]
    assert names == [plain, light["name"]], "two products that differ in one word"
    page = done(session, "search_products", category="kitchen", page=99)
    assert (page["items"], page["total"]) == ([], 50)
    cheap = done(session, "search_products", text="kettle", max_cents=2_999, min_cents=2_999)["items"]
    assert [row["price_cents"] for row in cheap] == [2_999], "both ends are included"


def test_a_price_is_remembered_as_it_was(session: Session) -> None:
    saved = session.database.mine(SavedItem)
    listed = [row for key in OWNERS for row in done(session_of(key), "list_saved")]
    assert any(row["price_cents"] < row["old_price_cents"] for row in listed)
    there = next(row for row in saved if row_stock(session, row))
    cart = done(session, "move_to_cart", saved_id=there.saved_id)
    assert cart["items"][0]["variant_id"] == there.variant_id
    done(session, "save_for_later", line_id=cart["items"][0]["line_id"])
    again = next(row for row in done(session, "list_saved") if row["variant_id"] == there.variant_id)
    assert again["old_price_cents"] == again["price_cents"]


def row_stock(session: Session, row: SavedItem) -> int:
    found = session.database.get(Variant, row.variant_id)
    return found.stock if found else 0


def is_sound(session: Session, pieces: int) -> bool:
    """No piece is lost or made, no stock or credit is negative, every order adds up, and nothing hangs loose."""
    db = session.database
    sold = {row.order_id: row.state for row in db.find(Order)}
    there = sum(row.stock for row in db.find(Variant)) + sum(
        line.quantity for line in db.find(OrderedItem) if sold[line.order_id] != "cancelled"
    )
    adds_up = all(
        sum(line.paid_cents for line in db.find(OrderedItem, order_id=row.order_id)) + row.shipping_cents
        == row.total_cents
        for row in db.find(Order)
    )
    least = min(min(row.stock for row in db.find(Variant)), min(row.credit_cents for row in db.find(Customer)))
    keys = {row.variant_id for row in db.find(Variant)}
    return there == pieces and adds_up and least >= 0 and all(row.variant_id in keys for row in db.find(CartItem))


def all_pieces(session: Session) -> int:
    cancelled = {row.order_id for row in session.database.find(Order, state="cancelled")}
    lines = [row for row in session.database.find(OrderedItem) if row.order_id not in cancelled]
    return sum(row.stock for row in session.database.find(Variant)) + sum(row.quantity for row in lines)


def random_call(session: Session, rng: Random, variants: list[str]) -> tuple[str, dict[str, Any]]:
    """A call of a tool that changes something, with keys of the customer's."""

    def one(table: type[Any], column: str) -> str:
        rows = session.database.mine(table)
        return str(getattr(rng.choice(rows), column)) if rows else "none"

    address = one(Address, "address_id")
    number, card = rng.randrange(11), rng.choice(session.database.mine(Card))
    code = rng.choice((card.security_code, card.security_code, "12"))
    place = address.removeprefix("ad-")
    paid = {"method_id": card.method_id, "security_code": code, "use_credit": rng.random() < 0.5}
    back = {"reason": rng.choice(("damaged", "changed_mind")), "refund_to": "credit"}
    calls: list[tuple[str, dict[str, Any]]] = [
        ("add_to_cart", {"variant_id": rng.choice(variants), "quantity": number}),
        ("set_cart_quantity", {"line_id": one(CartItem, "line_id"), "quantity": number}),
        ("save_for_later", {"line_id": one(CartItem, "line_id")}),
        ("move_to_cart", {"saved_id": one(SavedItem, "saved_id")}),
        ("apply_coupon", {"code": one(Coupon, "code")}),
        ("quote_shipping", {"address_id": address}),
        ("checkout", {"address_id": address, "shipping_id": f"sh-{place}{rng.randrange(1, 4)}", **paid}),
        ("cancel_order", {"order_id": one(Order, "order_id"), "reason": "too_slow"}),
        ("request_return", {"line_id": one(OrderedItem, "line_id"), **back}),
    ]
    return rng.choice(calls)


@pytest.mark.slow
def test_random_calls_lose_no_piece_and_no_cent() -> None:
    rng, session = Random(5), session_of("u-1909")
    variants = [row.variant_id for row in session.database.find(Variant)]
    pieces, done_at_all = all_pieces(session), set()
    for _ in range(600):
        tool, arguments = random_call(session, rng, variants)
        done_at_all |= {tool} if session.call(tool, arguments).ok else set()
    assert is_sound(session, pieces)
    assert len(done_at_all) == 9, done_at_all


@pytest.mark.slow
def test_tasks_right_calls_leave_the_shop_sound() -> None:
    for task in Generator(get_domain("shopping"), seed=2).tasks(30):
        session = Session("shopping", task=task)
        pieces = all_pieces(session)
        for call in task.gold:
            assert session.call(call.name, call.arguments).ok, task.id
        assert is_sound(session, pieces), task.id


def test_nobody_sees_a_security_code_or_a_strangers_order(session: Session) -> None:
    for row in done(session, "list_payment_methods"):
        assert set(row) == {"method_id", "kind", "last_four", "expires"}
    strange = next(row for row in session.database.find(Order) if row.customer_id != "u-1910")
    assert refused(session, "get_order", order_id=strange.order_id) == "not_found"
    assert refused(session, "apply_coupon", code="NEVER99") == "not_found"
    assert len(session.database.find(Coupon)) == 14


def test_every_product_leads_on_to_its_companion_and_most_to_a_newer_model(session: Session) -> None:
    products = {row.product_id: row for row in session.database.find(Product)}
    shown = {key: done(session, "get_product", product_id=key)["product"] for key in products}
    assert {each["bought_with_id"] for each in shown.values()} == set(products)
    newer = [each["successor_id"] for each in shown.values() if each["successor_id"] is not None]
    assert len(newer) == len(set(newer)) == len(products) - len(SORTS)
    for key, each in shown.items():
        later = products.get(each["successor_id"])
        assert each["bought_with_id"] != key and (later is None or later.name.split()[-1] == each["name"].split()[-1])
