"""Food delivery through its tools: opening hours, the minimum order, an order's life; the edges of the rules."""

from datetime import timedelta
from typing import Any

import pytest

from toolgym.domains.food_delivery import domain
from toolgym.sandbox.kit.task import Task
from toolgym.sandbox.runtime.session import Session


def as_person(key: str) -> Session:
    return Session("food_delivery", task=Task(id="", domain="food_delivery", owner=key))


def done(session: Session, name: str, **arguments: Any) -> Any:
    result = session.call(name, arguments)
    assert result.ok, result.text
    return result.value


def refused(session: Session, name: str, **arguments: Any) -> str:
    result = session.call(name, arguments)
    assert result.error is not None, result.text
    return result.error.code


def rows(sql: str, **values: Any) -> list[tuple[Any, ...]]:
    return domain.template().reader.execute(sql, values).fetchall()


def filled(session: Session, closes: str, cents: int = 5000, opens: str = "12:00") -> dict[str, Any]:
    """A basket of a restaurant with these hours that comes to at least so much, and how it can be ordered."""
    session.call("clear_basket", {})
    zones = {each["zone"]: each["address_id"] for each in done(session, "list_addresses")["items"]}
    places = rows("SELECT restaurant_id, zones FROM restaurants WHERE closes = :c AND opens = :o", c=closes, o=opens)
    place, zone = next((key, zone) for key, text in places for zone in text.split() if zone in zones)
    sql = "SELECT dish_id, price_cents FROM dishes WHERE restaurant_id = :r AND NOT sold_out ORDER BY price_cents DESC"
    dish, price = rows(sql, r=place)[0]
    done(session, "add_to_basket", dish_id=dish, quantity=max(1, -(-cents // price)))
    wallet = next(each for each in done(session, "get_account")["methods"] if each["kind"] == "wallet")
    return {"address_id": zones[zone], "method_id": wallet["method_id"]}


def at(minutes: int) -> str:
    return (domain.now + timedelta(minutes=minutes)).isoformat(timespec="minutes")


# --- opening hours ---


def test_the_last_order_is_taken_twenty_minutes_before_closing() -> None:
    outcomes = {}
    for closes in ("16:39", "16:40"):
        for key in domain.owner_keys():
            with as_person(key) as session:
                try:
                    given = filled(session, closes)
                except StopIteration:  # nobody cooks there for this address
                    continue
                answer = session.call("place_order", given)
                outcomes[closes] = "" if answer.error is None else answer.error.code
                break
    assert outcomes == {"16:39": "hours", "16:40": ""}


def test_who_is_closed_now_takes_orders_for_the_evening() -> None:
    for key in domain.owner_keys():
        with as_person(key) as session:
            try:
                given = filled(session, "23:30", opens="17:00")
            except StopIteration:
                continue
            assert refused(session, "place_order", **given) == "hours"
            assert refused(session, "place_order", deliver_at="2026-03-13T23:11", **given) == "hours"
            assert done(session, "place_order", deliver_at="2026-03-13T23:10", **given)["due_at"] == "2026-03-13T23:10"
            return
    pytest.fail("nobody is near one that opens later")


def test_food_is_ordered_45_minutes_to_three_days_ahead() -> None:
    with as_person("FC-101") as session:
        given = filled(session, "22:00", opens="11:00")
        days = 3 * 24 * 60
        assert [refused(session, "place_order", deliver_at=at(minutes), **given) for minutes in (44, days + 1)] == [
            "ahead"
        ] * 2
        assert done(session, "place_order", deliver_at=at(45), **given)["state"] == "placed"


# --- the minimum, and what an order costs ---


def test_dishes_reach_the_minimum_without_the_fee() -> None:
    with as_person("FC-101") as session:
        given = filled(session, "22:00", opens="11:00", cents=1)
        basket = done(session, "get_basket")
        assert basket["restaurant"]["min_cents"] > basket["food_cents"]
        assert refused(session, "place_order", **given) == "minimum"
        line, least = basket["items"][0], basket["restaurant"]["min_cents"]
        enough = -(-least // line["each_cents"])
        basket = done(session, "change_basket_line", line_id=line["line_id"], quantity=enough)
        assert basket["food_cents"] >= least and basket["total_cents"] == basket["food_cents"] + basket["fee_cents"]
        assert done(session, "place_order", tip_cents=300, **given)["total_cents"] == basket["total_cents"] + 300
        assert done(session, "get_basket")["items"] == []


def test_a_promotion_has_a_minimum_and_a_last_day_and_goes_with_the_basket() -> None:
    with as_person("FC-101") as session:
        filled(session, "22:00", opens="11:00", cents=5000)
        assert refused(session, "apply_promo", code="WINTER25") == "promo_holds"
        basket = done(session, "apply_promo", code="SPRING15")  # today is its last day
        assert basket["discount_cents"] == basket["food_cents"] * 15 // 100
        done(session, "clear_basket")
        assert refused(session, "apply_promo", code="SPRING15") == "promo_holds"


def test_a_basket_holds_one_restaurant_and_a_card_needs_its_code() -> None:
    with as_person("FC-101") as session:
        given = filled(session, "22:00", opens="11:00")
        place = done(session, "get_basket")["restaurant"]["restaurant_id"]
        other = rows("SELECT dish_id FROM dishes WHERE restaurant_id != :r AND NOT sold_out", r=place)[0][0]
        assert refused(session, "add_to_basket", dish_id=other) == "one_restaurant"
        card = next(each for each in done(session, "get_account")["methods"] if each["kind"] == "card")["method_id"]
        assert refused(session, "place_order", **given | {"method_id": card, "card_code": "none"}) == "wrong_code"
        code = rows("SELECT code FROM wallets WHERE method_id = :m", m=card)[0][0]
        assert done(session, "place_order", **given | {"method_id": card, "card_code": code})["state"] == "placed"


# --- an order's life ---


def test_only_what_is_placed_is_cancelled_and_only_what_came_is_rated() -> None:
    for state in ("placed", "cooking", "on_the_way", "delivered"):
        key, order = rows("SELECT customer_id, order_id FROM orders WHERE state = :s", s=state)[0]
        with as_person(key) as session:
            if state == "placed":
                assert done(session, "cancel_order", order_id=order)["refund_cents"] > 0
                assert refused(session, "cancel_order", order_id=order) == "cancel_placed"
            else:
                assert refused(session, "cancel_order", order_id=order) == "cancel_placed"
            stars = {"order_id": order, "food": 4, "courier": 5}
            if state == "delivered":
                assert done(session, "rate_order", **stars)["food_stars"] == 4
                assert refused(session, "rate_order", **stars) == "no_change"
            else:
                assert refused(session, "rate_order", **stars) == "delivered"


def test_complaints_come_within_two_hours_and_lateness_counts_from_fifteen_minutes() -> None:
    found: dict[tuple[str, int], str] = {}
    sql = "SELECT customer_id, order_id, arrived_at, due_at FROM orders WHERE state = 'delivered'"
    for key, order, arrived, due in rows(sql):
        ago = rows("SELECT (julianday(:now) - julianday(:then)) * 1440", now=domain.now.isoformat(), then=arrived)[0][0]
        late = rows("SELECT (julianday(:now) - julianday(:then)) * 1440", now=arrived, then=due)[0][0]
        with as_person(key) as session:
            lines = [each["order_line_id"] for each in done(session, "track_order", order_id=order)["items"]]
            given = {"order_id": order, "order_line_ids": lines, "want": "credit", "details": "It came too late."}
            for kind, edge in (("cold", ago), ("late", late)):
                if kind == "late" and ago > 120:
                    continue
                answer = session.fork().call("report_problem", {**given, "kind": kind})
                found[kind, round(edge)] = "" if answer.error is None else answer.error.code
    assert (found["cold", 120], found["cold", 121]) == ("", "in_time")
    assert (found["late", 15], found["late", 14]) == ("", "in_time")
