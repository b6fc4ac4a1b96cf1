"""Travel booking through its tools: fare rules, connections, holds that lapse; the edges of the other rules."""

from datetime import date, datetime, timedelta
from typing import Any

import pytest

from toolgym.domains.travel_booking import domain
from toolgym.domains.travel_booking.rules import six_months_after, years
from toolgym.sandbox.kit.task import Task
from toolgym.sandbox.runtime.session import Session

DAY, MINUTE = timedelta(hours=24), timedelta(minutes=1)
HOME = "SELECT customer_id FROM customers WHERE home_code = :home ORDER BY 1"


def as_person(key: str, now: datetime | None = None) -> Session:
    return Session("travel_booking", task=Task(id="", domain="travel_booking", owner=key, now=now))


def done(session: Session, name: str, /, **arguments: Any) -> Any:
    result = session.call(name, arguments)
    assert result.ok, result.text
    return result.value


def outcome(session: Session, name: str, /, **arguments: Any) -> str:
    """The code of a refusal; nothing where the call succeeds."""
    result = session.fork().call(name, arguments)
    return "" if result.error is None else result.error.code


def rows(sql: str, **values: Any) -> list[tuple[Any, ...]]:
    return domain.template().reader.execute(sql, values).fetchall()


def travellers(session: Session) -> dict[str, dict[str, Any]]:
    return {each["label"]: each for each in done(session, "list_companions")}


def fare(flight: str, cabin: str = "economy", kind: str = "saver") -> str:
    sql = "SELECT fare_id FROM fares WHERE flight_id = :f AND cabin = :c AND kind = :k"
    return str(rows(sql, f=flight, c=cabin, k=kind)[0][0])


def route(origin: str, destination: str, day: str = "2026-04-1%") -> list[str]:
    """Flights of a route with many free seats."""
    sql = """SELECT flight_id FROM flights WHERE origin_code = :o AND destination_code = :d AND departs LIKE :day
        AND economy_seats > 8 ORDER BY departs"""
    return [row[0] for row in rows(sql, o=origin, d=destination, day=day)]


def held(session: Session, flight: str, kind: str = "saver", **more: Any) -> dict[str, Any]:
    """A new trip with a hold on a flight in it."""
    trip = done(session, "create_trip", name=f"To test {flight} {kind}")["trip_id"]
    made: dict[str, Any] = done(session, "hold_flight", trip_id=trip, fare_ids=[fare(flight, kind=kind)], **more)
    return made | {"trip_id": trip}


def paid(session: Session, trip: str) -> dict[str, Any]:
    card = done(session, "list_payment_cards")[0]["card_id"]
    code = rows("SELECT code FROM cards WHERE card_id = :c", c=card)[0][0]
    total = done(session, "get_trip", trip_id=trip)["due_cents"]
    found: dict[str, Any] = done(session, "pay_trip", trip_id=trip, card_id=card, card_code=code, total_cents=total)
    return found


# --- fare rules ---


def test_a_saver_fare_is_given_back_for_a_day_and_a_flexible_one_whenever() -> None:
    sql = """SELECT customer_id, booking_id, booked_at, fare, b.price_cents FROM bookings b JOIN trips USING (trip_id)
        WHERE kind = 'flight' AND status = 'paid' AND departs > '2026-04'"""
    found = dict[tuple[str, timedelta], str]()
    for owner, booking, booked_at, kind, price in rows(sql):
        for now in (domain.now, *domain.clocks):
            with as_person(owner, now) as session:
                age = now - datetime.fromisoformat(booked_at)
                found[kind, age] = outcome(session, "cancel_booking", booking_id=booking)
                quote = done(session, "quote_change", booking_id=booking, action="cancel")
                assert quote["refund_cents"] == (0 if found[kind, age] else price)
                assert quote["refund_cents"] + quote["fee_cents"] == price
    assert (found["saver", DAY], found["saver", DAY + MINUTE]) == ("", "saver")
    assert {code for (kind, _), code in found.items() if kind == "flex"} == {""}


def test_a_move_costs_a_fee_on_a_saver_fare_and_what_the_new_fare_costs_more() -> None:
    with as_person(rows(HOME, home="JFK")[0][0]) as session:
        old, *others = sorted(
            route("JFK", "LHR"), key=lambda key: rows("SELECT economy_cents FROM flights WHERE flight_id = :k", k=key)
        )
        for kind, fee in (("saver", 7500), ("flex", 0)):
            booking = held(session, old, kind)
            move = {"booking_id": booking["booking_id"], "flight_id": others[-1]}
            assert outcome(session, "move_flight", **move) == "wrong_state"  # it is only held
            paid(session, booking["trip_id"])
            assert (
                outcome(session, "quote_change", booking_id=booking["booking_id"], action="move") == "invalid_argument"
            )
            assert outcome(session, "move_flight", booking_id=booking["booking_id"], flight_id=old) == "no_change"
            new = rows("SELECT price_cents FROM fares WHERE fare_id = :f", f=fare(others[-1], kind=kind))[0][0]
            quote = done(session, "quote_change", action="move", **move)
            assert quote == {
                "fee_cents": fee,
                "fare_difference_cents": new - booking["price_cents"],
                "to_pay_cents": fee + new - booking["price_cents"],
            }
            moved = done(session, "move_flight", **move)
            assert (moved["amount_paid_cents"], moved["flights"]) == (quote["to_pay_cents"], [others[-1]])
            back = done(session, "quote_change", booking_id=booking["booking_id"], action="move", flight_id=old)
            assert back == {"fee_cents": fee, "fare_difference_cents": 0, "to_pay_cents": fee}  # nothing comes back
        assert outcome(session, "move_flight", booking_id=moved["booking_id"], flight_id=route("JFK", "MAD")[0]) == (
            "same_route"
        )


def test_a_room_is_cancelled_through_its_last_free_day() -> None:
    sql = """SELECT customer_id, booking_id, check_in, refundable_until_days FROM bookings b JOIN trips USING (trip_id)
        JOIN rates USING (rate_id) WHERE kind = 'room' AND status = 'paid'"""
    found = dict[int | None, str]()
    for owner, booking, check_in, free in rows(sql):
        for now in (domain.now, *domain.clocks):
            with as_person(owner, now) as session:
                left = None if free is None else (date.fromisoformat(check_in) - now.date()).days - free
                found[left] = outcome(session, "cancel_booking", booking_id=booking)
    assert (found[0], found[-1], found[None]) == ("", "room_until", "room_until")


# --- connections ---


def test_a_connection_leaves_an_hour_at_the_earliest_from_where_one_lands() -> None:
    sql = """SELECT a.flight_id, b.flight_id,
        CAST(round((julianday(b.departs) - julianday(a.arrives)) * 1440) AS INTEGER) FROM flights a
        JOIN flights b ON b.origin_code = a.destination_code WHERE a.abroad
        AND b.departs > '2026-04-09' AND b.destination_code != a.origin_code AND a.economy_seats > 8
        AND b.economy_seats > 8 AND b.departs > a.arrives"""
    pairs = {minutes: (first, second) for first, second, minutes in rows(sql)}
    with as_person(rows(HOME, home="BOS")[0][0]) as session:
        trip = done(session, "create_trip", name="Far away")["trip_id"]
        longest = max(minutes for minutes in pairs if minutes <= 1440)
        too_long = min(minutes for minutes in pairs if minutes > 1440)
        codes = {}
        for minutes in (59, 60, longest, too_long):
            fares = [fare(each) for each in pairs[minutes]]
            codes[minutes] = outcome(session, "hold_flight", trip_id=trip, fare_ids=fares)
        assert codes == {59: "connection", 60: "", longest: "", too_long: "connection"}
        elsewhere = [fare(route("BOS", "LIS")[0]), fare(route("LHR", "OSL")[-1])]
        assert outcome(session, "hold_flight", trip_id=trip, fare_ids=elsewhere) == "connection"
        mixed = [fare(pairs[60][0]), fare(pairs[60][1], kind="flex")]
        assert outcome(session, "hold_flight", trip_id=trip, fare_ids=mixed) == "invalid_argument"


def test_a_search_lists_the_connections_that_fit_with_times_and_prices() -> None:
    with as_person(rows(HOME, home="BOS")[0][0]) as session:
        found = done(session, "search_flights", destination_code="OPO", day="2026-04-10", max_stops=1)
        assert found["items"] == [] and found["connections"]
        for each in found["connections"]:
            first, second = (done(session, "get_flight", flight_id=key) for key in each["flight_ids"])
            wait = datetime.fromisoformat(second["departs"]) - datetime.fromisoformat(first["arrives"])
            assert timedelta(hours=1) <= wait <= DAY
            assert each["minutes"] == first["minutes"] + second["minutes"] + each["minutes_to_change"]
            assert each["price_cents"] == first["fares"][0]["price_cents"] + second["fares"][0]["price_cents"]
        prices = [each["price_cents"] for each in found["connections"]]
        assert prices == sorted(prices)
        assert done(session, "search_flights", destination_code="OPO", day="2026-04-10")["connections"] == []


def test_times_are_local_so_that_a_flight_home_seems_short() -> None:
    with as_person(rows(HOME, home="BOS")[0][0]) as session:
        out, back = (done(session, "get_flight", flight_id=route(*way)[0]) for way in (("BOS", "LIS"), ("LIS", "BOS")))
        for flight, hours in ((out, 5), (back, -5)):
            shown = datetime.fromisoformat(flight["arrives"]) - datetime.fromisoformat(flight["departs"])
            assert shown == timedelta(minutes=flight["minutes"], hours=hours)


# --- holds that lapse ---


def test_a_hold_stands_for_a_day_to_the_minute_and_then_cannot_be_paid() -> None:
    sql = """SELECT customer_id, trip_id, hold_until FROM bookings JOIN trips USING (trip_id)
        WHERE status = 'held' GROUP BY trip_id"""
    found = dict[timedelta, tuple[str, str]]()
    for owner, trip, until in rows(sql):
        for now in (domain.now, *domain.clocks):
            with as_person(owner, now) as session:
                state = done(session, "get_trip", trip_id=trip)["items"][0]["state"]
                given = {"trip_id": trip, "card_id": done(session, "list_payment_cards")[0]["card_id"]}
                code = outcome(session, "pay_trip", total_cents=1, card_code="none", **given)
                found[datetime.fromisoformat(until) - now] = (state, code)
    assert found[timedelta(0)] == ("held", "wrong_total")
    assert found[-MINUTE] == ("lapsed", "still_held")
    assert all(state == ("held" if left >= timedelta(0) else "lapsed") for left, (state, _) in found.items())


def test_what_has_lapsed_frees_its_seats_and_is_held_anew() -> None:
    sql = """SELECT customer_id, trip_id, booking_id, flight_id, fare_id FROM bookings JOIN trips USING (trip_id)
        JOIN flights USING (flight_id)
        WHERE status = 'held' AND kind = 'flight' AND hold_until < :now AND economy_seats > 8"""
    owner, trip, booking, flight, fare_id = rows(sql, now="2026-03-10T09:30")[0]
    with as_person(owner) as session, as_person(owner, datetime(2026, 3, 8)) as earlier:
        before = done(earlier, "get_flight", flight_id=flight)["seats_left"]["economy"]
        left = done(session, "get_flight", flight_id=flight)["seats_left"]["economy"]
        assert left > before
        for name in ("cancel_booking", "add_bags"):
            assert outcome(session, name, booking_id=booking, **({"bags": 1} if name == "add_bags" else {})) == "stands"
        who = [each["traveler_id"] for each in done(session, "get_trip", trip_id=trip)["items"][0]["travelers"]]
        again = done(session, "hold_flight", trip_id=trip, fare_ids=[fare_id], traveler_ids=who)
        assert again["state"] == "held" and again["booking_id"] != booking
        assert done(session, "get_flight", flight_id=flight)["seats_left"]["economy"] == left - len(who)
        shown = {each["booking_id"]: each["state"] for each in done(session, "get_trip", trip_id=trip)["items"]}
        assert (shown[booking], shown[again["booking_id"]]) == ("lapsed", "held")
        assert outcome(session, "hold_flight", trip_id=trip, fare_ids=[fare_id], traveler_ids=who) == "conflict"
        assert paid(session, trip)["total_cents"] == again["price_cents"]


def test_the_seat_of_a_hold_is_taken_and_let_go_with_it() -> None:
    first, second = (key for (key,) in rows(HOME, home="JFK")[:2])
    sql = """SELECT flight_id FROM flights JOIN seats USING (flight_id) WHERE origin_code = 'JFK' AND economy_seats > 8
        AND destination_code = 'LIS' AND departs > '2026-04' AND kind = 'aisle' AND cabin = 'economy' GROUP BY flight_id
        HAVING count(*) = 2"""
    with as_person(first) as session:
        booking = held(session, rows(sql)[0][0])
        flight = booking["flights"][0]
        free = done(session, "list_seats", flight_id=flight, kind="aisle", cabin="economy")
        cheap, dear = sorted(free, key=lambda each: each["price_cents"])
        chosen = done(session, "choose_seat", booking_id=booking["booking_id"], seat_id=cheap["seat_id"])
        assert chosen["price_cents"] == booking["price_cents"] + cheap["price_cents"]
        assert chosen["travelers"][0]["seats"] == [cheap["seat"]]
        given = {"booking_id": booking["booking_id"], "seat_id": cheap["seat_id"]}
        assert outcome(session, "choose_seat", **given) == "taken"
        changed = done(session, "choose_seat", booking_id=booking["booking_id"], seat_id=dear["seat_id"])
        assert changed["extra_cost_cents"] == dear["price_cents"] - cheap["price_cents"]
        done(session, "cancel_booking", booking_id=booking["booking_id"])
        assert done(session, "list_seats", flight_id=flight, kind="aisle", cabin="economy") == free
    with as_person(second) as session:
        other = held(session, route("JFK", "LHR")[0])["booking_id"]
        assert outcome(session, "choose_seat", booking_id=other, seat_id=cheap["seat_id"]) == "invalid_argument"


# --- who flies, with what ---


def test_a_passport_is_valid_for_six_months_after_a_flight_abroad() -> None:
    assert six_months_after(date(2026, 8, 31)) == date(2027, 2, 28)
    assert six_months_after(date(2026, 6, 9)) == date(2026, 12, 9)
    found = dict[int, str]()
    for owner, home, until in rows(
        """SELECT c.customer_id, home_code, t.passport_until FROM customers c JOIN travelers t USING (customer_id)
        WHERE label = 'myself' AND t.passport_until < '2027-01-01'"""
    ):
        with as_person(owner) as session:
            trip = done(session, "create_trip", name="Passports")["trip_id"]
            abroad = "origin_code = :h AND abroad AND departs > '2026-04' AND economy_seats > 8"
            sql = f"SELECT flight_id, departs FROM flights WHERE {abroad}"
            for flight, departs in rows(sql, h=home):
                left = (date.fromisoformat(until) - six_months_after(date.fromisoformat(departs[:10]))).days
                found[left] = outcome(session, "hold_flight", trip_id=trip, fare_ids=[fare(flight)])
            at_home = route(home, "MIA" if home != "MIA" else "BOS")[0]
            assert outcome(session, "hold_flight", trip_id=trip, fare_ids=[fare(at_home)]) == ""
    assert {found[left] for left in found if left >= 0} == {""} and {found[-1], found[-2]} == {"passport"}


def test_nobody_flies_alone_before_the_day_on_which_they_are_sixteen() -> None:
    assert (years(date(2010, 4, 12), date(2026, 4, 11)), years(date(2010, 4, 12), date(2026, 4, 12))) == (15, 16)
    found = dict[tuple[int, bool], str]()
    sql = """SELECT customer_id, home_code, traveler_id, birth_date FROM travelers JOIN customers USING (customer_id)
        WHERE birth_date LIKE '2010%'"""
    for owner, home, child, born in rows(sql):
        with as_person(owner) as session:
            trip, me = (
                done(session, "create_trip", name="Alone")["trip_id"],
                travellers(session)["myself"]["traveler_id"],
            )
            for flight in route(home, "MIA" if home != "MIA" else "BOS"):
                day = date.fromisoformat(rows("SELECT departs FROM flights WHERE flight_id = :f", f=flight)[0][0][:10])
                age = (day - date.fromisoformat(born).replace(year=2026)).days
                for alone in (True, False):
                    given = {
                        "trip_id": trip,
                        "fare_ids": [fare(flight)],
                        "traveler_ids": [child] if alone else [child, me],
                    }
                    found[age, alone] = outcome(session, "hold_flight", **given)
    assert (found[0, True], found[-1, True], found[-1, False]) == ("", "minor", "")


def test_seats_are_held_while_there_are_enough() -> None:
    with as_person(rows(HOME, home="BOS")[0][0]) as session:
        trip, who = done(session, "create_trip", name="All of us")["trip_id"], travellers(session)
        sql = """SELECT flight_id FROM flights WHERE NOT abroad AND departs > '2026-04' AND economy_seats = :seats"""
        two = next(
            key
            for (key,) in rows(sql, seats=2)
            if done(session, "get_flight", flight_id=key)["seats_left"]["economy"] == 2
        )
        adults = [each["traveler_id"] for each in who.values()]
        for count, code in ((2, ""), (3, "seats_left")):
            given = {"trip_id": trip, "fare_ids": [fare(two)], "traveler_ids": adults[:count]}
            assert outcome(session, "hold_flight", **given) == code


def test_three_bags_are_the_most_with_those_that_the_fare_includes() -> None:
    with as_person(rows(HOME, home="JFK")[0][0]) as session:
        booking = held(session, route("JFK", "LHR")[0], "flex")["booking_id"]  # one is included
        assert outcome(session, "add_bags", booking_id=booking, bags=3) == "three_bags"
        assert done(session, "add_bags", booking_id=booking, bags=2)["extra_cost_cents"] == 9000
        stranger = travellers(session).popitem()[1]["traveler_id"]
        assert outcome(session, "add_bags", booking_id=booking, bags=1, traveler_id=stranger) == "invalid_argument"


def test_a_flight_is_changed_until_two_hours_before_it_leaves() -> None:
    found = dict[timedelta, str]()
    for owner, trip in rows("SELECT customer_id, trip_id FROM trips WHERE state = 'planning'"):
        for now in (domain.now, *domain.clocks):
            with as_person(owner, now) as session:
                for flight, departs in rows("SELECT flight_id, departs FROM flights WHERE departs LIKE '2026-03%'"):
                    code = outcome(session, "hold_flight", trip_id=trip, fare_ids=[fare(flight)])
                    found[datetime.fromisoformat(departs) - now] = code
        break
    assert (found[timedelta(hours=2)], found[timedelta(hours=2) - MINUTE]) == ("", "not_left")


# --- rooms, trips and payment ---


def test_a_stay_has_28_nights_at_most_for_the_guests_of_the_room() -> None:
    with as_person("TC-101") as session:
        trip = done(session, "create_trip", name="Long stay")["trip_id"]
        assert outcome(session, "create_trip", name="long stay ") == "conflict"
        hotel = done(session, "search_hotels", place_code="LHR", check_in="2026-04-09", check_out="2026-04-10")[
            "items"
        ][0]
        days = {"check_in": "2026-04-09", "check_out": "2026-04-12"}
        rate = done(session, "get_hotel", hotel_id=hotel["hotel_id"], **days)["rates"][0]
        assert rate["total_cents"] == 3 * rate["cents_per_night"]  # the day of leaving is no night
        given = {"trip_id": trip, "rate_id": rate["rate_id"], "guests": rate["guests"]}
        ends = {"2026-05-07": "", "2026-05-08": "nights", "2026-04-09": "invalid_argument"}
        for end, code in ends.items():
            assert outcome(session, "hold_room", check_in="2026-04-09", check_out=end, **given) == code
        assert outcome(session, "hold_room", **days, **given | {"guests": rate["guests"] + 1}) == "sleeps"
        past = {"check_in": "2026-03-09", "check_out": "2026-03-12"}
        assert outcome(session, "hold_room", **past, **given) == "invalid_argument"
        assert done(session, "hold_room", **days, **given)["price_cents"] == rate["total_cents"]
        over = rows("SELECT trip_id FROM trips WHERE customer_id = 'TC-101' AND state = 'travelled'")[0][0]
        assert outcome(session, "hold_room", **days, **given | {"trip_id": over}) == "wrong_state"


@pytest.mark.parametrize(("credit", "code"), [(0, "no_credit"), (15000, ""), (40000, "")])
def test_a_trip_is_paid_with_the_right_code_and_total_and_credit_first(credit: int, code: str) -> None:
    owner, home = rows("SELECT customer_id, home_code FROM customers WHERE credit_cents = :c", c=credit)[0]
    with as_person(owner) as session:
        booking = held(session, route(home, "MIA" if home != "MIA" else "BOS")[0])
        card, secret = rows("SELECT card_id, code FROM cards WHERE customer_id = :o", o=owner)[0]
        given = {
            "trip_id": booking["trip_id"],
            "card_id": card,
            "card_code": secret,
            "total_cents": booking["price_cents"],
        }
        assert outcome(session, "pay_trip", **given | {"card_code": "none"}) == "wrong_code"
        assert outcome(session, "pay_trip", **given | {"total_cents": booking["price_cents"] - 1}) == "wrong_total"
        assert outcome(session, "pay_trip", use_credit=True, **given) == code
        if not code:
            receipt = done(session, "pay_trip", use_credit=True, **given)
            assert receipt["credit_used_cents"] == min(credit, booking["price_cents"])
            assert receipt["credit_used_cents"] + receipt["card_charge_cents"] == receipt["total_cents"]
            assert done(session, "get_traveler")["credit_cents"] == credit - receipt["credit_used_cents"]
            assert outcome(session, "pay_trip", **given) == "still_held"
            done(session, "cancel_booking", booking_id=booking["booking_id"])
            states = {each["trip_id"]: each["state"] for each in done(session, "list_trips")}
            assert states[booking["trip_id"]] == "cancelled"


def test_the_exit_row_is_left_to_the_agent() -> None:
    assert next(rule for rule in domain.rules if rule.name == "exit_row").by == "policy"
