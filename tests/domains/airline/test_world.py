"""The airline world: the same rows everywhere, tools that refuse with stable codes, defects that are not repeated."""

import hashlib
import re
import subprocess
import sys
from collections.abc import Iterator
from importlib.resources import files
from pathlib import Path
from typing import Any

import pytest
from airline_rows import choice_of, sound, world

from toolgym.domains.airline.schema import CabinSeats
from toolgym.sandbox.kit.task import Task
from toolgym.sandbox.kit.template import DatabaseTemplate
from toolgym.sandbox.runtime.registry import get_domain
from toolgym.sandbox.runtime.session import Session

AIRLINE = get_domain("airline")


@pytest.fixture
def session() -> Iterator[Session]:
    with Session(AIRLINE, seed=4) as opened:
        yield opened


# --- rows ---


@pytest.mark.slow
def test_seed_data_are_the_same_in_every_process() -> None:
    fresh = DatabaseTemplate(AIRLINE.base, AIRLINE.open_data().fill, AIRLINE.now)
    assert fresh.content == AIRLINE.template().content
    code = (
        "import hashlib; from toolgym.sandbox.runtime.registry import get_domain; "
        "print(hashlib.sha256(get_domain('airline').template().content).hexdigest())"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, timeout=600)
    assert done.stdout.strip() == hashlib.sha256(fresh.content).hexdigest()


def test_seed_data_are_the_published_ones(session: Session) -> None:
    """A changed digest means other data: results before and after it cannot be compared."""
    assert session.digest() == "17e1b3acdda934347935641674b34320ed5a8039a84661304411f9ed7feef261"
    assert len(AIRLINE.template().content) < 2_000_000


def test_sizes() -> None:
    reader = AIRLINE.template().reader
    tables = ("users", "flights", "reservations", "airports")
    counts = {table: reader.execute(f"SELECT count(*) FROM {table}").fetchone()[0] for table in tables}
    assert counts == {"users": 500, "flights": 300, "reservations": 2000, "airports": 20}
    days = [row[0] for row in reader.execute("SELECT DISTINCT date FROM flight_dates ORDER BY date")]
    assert (len(days), days[0], days[-1]) == (30, "2024-05-06", "2024-06-04")
    states = {row[0] for row in reader.execute("SELECT DISTINCT status FROM flight_dates")}
    assert states == {"available", "on time", "delayed", "flying", "landed", "cancelled"}


def test_every_airport_can_be_reached_and_left() -> None:
    starts, ends = ({flight[index] for flight in world().flights.values()} for index in (0, 1))
    assert starts == ends and len(starts) == 20


# --- what the refusals are tried on ---


def trip_that(fits: Any) -> dict[str, Any]:
    """The first reservation that fits."""
    return next(trip for trip in world().reservations.values() if sound(trip) and fits(trip))


def method_of(trip: dict[str, Any], source: str) -> str:
    methods = world().users[trip["user_id"]]["payment_methods"].values()
    return next((str(method["id"]) for method in methods if method["source"] == source), "none")


def has(*sources: str) -> Any:
    return lambda trip: all(method_of(trip, source) != "none" for source in sources)


def bookable(cabin: str, seats: int) -> dict[str, Any]:
    """A flight with so many free seats as arguments, its price and its airports."""
    number, date, _ = next(key for key, (free, _) in world().cabins.items() if free == seats and key[2] == cabin)
    origin, destination, *_ = world().flights[number]
    return {
        "flight": {"flight_number": number, "date": date},
        "price": world().cabins[number, date, cabin][1],
        "origin": origin,
        "destination": destination,
    }


TRIP = trip_that(
    lambda trip: (
        has("credit_card", "gift_card", "certificate")(trip)
        and trip["flight_type"] == "one_way"
        and trip["cabin"] == "economy"
        and len(trip["passengers"]) == 2
        and trip["total_baggages"]
    )
)
CODE = TRIP["reservation_id"]
USER = TRIP["user_id"]
CARD, GIFT, CERTIFICATE = (method_of(TRIP, source) for source in ("credit_card", "gift_card", "certificate"))
GIFT_HOLDS = world().users[USER]["payment_methods"][GIFT]["amount"]
STRANGER = next(
    method["id"]
    for user in world().users.values()
    if user["user_id"] != USER
    for method in user["payment_methods"].values()
    if method["source"] == "credit_card"
)
OFFER = bookable("economy", 9)
FULL = bookable("economy", 0)
DEAR = max(
    (
        (number, date, price)
        for (number, date, cabin), (seats, price) in world().cabins.items()
        if cabin == "business" and seats > 8
    ),
    key=lambda entry: entry[2],
)
GONE = next(key for key, state in world().status.items() if state == "landed")
PERSON = {"first_name": "Ida", "last_name": "Holm", "dob": "1990-02-03"}
BOOKING: dict[str, Any] = {
    "user_id": USER,
    "origin": OFFER["origin"],
    "destination": OFFER["destination"],
    "flight_type": "one_way",
    "cabin": "economy",
    "flights": [OFFER["flight"]],
    "passengers": [PERSON],
    "payment_methods": [{"payment_id": CARD, "amount": OFFER["price"]}],
    "total_baggages": 0,
    "nonfree_baggages": 0,
    "insurance": "no",
}
UPDATE = {"reservation_id": CODE, "cabin": "economy", "flights": choice_of(TRIP["flights"]), "payment_id": CARD}
BAGS = {
    "reservation_id": CODE,
    "total_baggages": TRIP["total_baggages"],
    "nonfree_baggages": TRIP["nonfree_baggages"],
    "payment_id": CARD,
}


def flight(number: str, date: str) -> dict[str, str]:
    return {"flight_number": number, "date": date}


def paying(*shares: tuple[str, int]) -> dict[str, Any]:
    return {"payment_methods": [{"payment_id": method, "amount": amount} for method, amount in shares]}


REFUSALS: list[tuple[str, dict[str, Any], str]] = [
    ("get_user_details", {"user_id": "nobody"}, "user_not_found"),
    ("get_reservation_details", {"reservation_id": "NOBODY"}, "reservation_not_found"),
    ("get_flight_status", {"flight_number": "GYM999", "date": "2024-05-20"}, "flight_not_found"),
    ("get_flight_status", {"flight_number": "GYM001", "date": "2024-07-20"}, "flight_not_on_date"),
    ("get_flight_status", {"flight_number": "GYM001", "date": "May 20"}, "invalid_arguments"),
    ("search_direct_flight", {"origin": "XYZ", "destination": "JFK", "date": "2024-05-20"}, "airport_not_found"),
    ("search_onestop_flight", {"origin": "JFK", "destination": "Rome", "date": "2024-05-20"}, "airport_not_found"),
    ("book_reservation", BOOKING | {"user_id": "nobody"}, "user_not_found"),
    ("book_reservation", BOOKING | {"origin": "XYZ"}, "airport_not_found"),
    ("book_reservation", BOOKING | {"nonfree_baggages": 1}, "wrong_bag_count"),
    ("book_reservation", BOOKING | {"passengers": []}, "invalid_arguments"),
    ("book_reservation", BOOKING | paying((CARD, 0)), "invalid_arguments"),
    ("book_reservation", BOOKING | paying((CARD, 10), (CARD, 10)), "repeated_payment_method"),
    ("book_reservation", BOOKING | {"flights": [flight(*GONE)]}, "wrong_route"),
    ("book_reservation", BOOKING | {"flights": [OFFER["flight"], OFFER["flight"]]}, "broken_route"),
    ("book_reservation", BOOKING | {"flight_type": "round_trip"}, "wrong_route"),
    ("book_reservation", BOOKING | {"flights": [flight("GYM999", "2024-05-20")]}, "flight_not_found"),
    ("book_reservation", BOOKING | {"passengers": [PERSON] * 10}, "not_enough_seats"),
    (
        "book_reservation",
        BOOKING
        | {
            "flights": [flight(*GONE)],
            "origin": world().flights[GONE[0]][0],
            "destination": world().flights[GONE[0]][1],
        },
        "flight_not_available",
    ),
    (
        "book_reservation",
        BOOKING | {"flights": [FULL["flight"]], "origin": FULL["origin"], "destination": FULL["destination"]},
        "not_enough_seats",
    ),
    ("book_reservation", BOOKING | paying((STRANGER, OFFER["price"])), "payment_method_not_found"),
    ("book_reservation", BOOKING | paying((CARD, OFFER["price"] - 1)), "wrong_total"),
    ("book_reservation", BOOKING | paying((GIFT, GIFT_HOLDS + 1)), "insufficient_balance"),
    ("cancel_reservation", {"reservation_id": "NOBODY"}, "reservation_not_found"),
    ("update_reservation_flights", UPDATE | {"reservation_id": "NOBODY"}, "reservation_not_found"),
    ("update_reservation_flights", UPDATE | {"cabin": "first"}, "invalid_arguments"),
    ("update_reservation_flights", UPDATE | {"payment_id": STRANGER}, "payment_method_not_found"),
    ("update_reservation_flights", UPDATE | {"payment_id": CERTIFICATE}, "certificate_not_accepted"),
    ("update_reservation_flights", UPDATE | {"flights": [flight("GYM999", "2024-05-20")]}, "flight_not_found"),
    ("update_reservation_flights", UPDATE | {"flights": [flight("GYM001", "2024-07-20")]}, "flight_not_on_date"),
    ("update_reservation_flights", UPDATE | {"flights": [flight(*GONE)]}, "flight_not_available"),
    ("update_reservation_flights", UPDATE | {"flights": [FULL["flight"]]}, "not_enough_seats"),
    ("update_reservation_flights", UPDATE | {"flights": [OFFER["flight"]] * 2}, "broken_route"),
    (
        "update_reservation_flights",
        UPDATE | {"flights": [flight(*DEAR[:2])], "cabin": "business", "payment_id": GIFT},
        "insufficient_balance",
    ),
    ("update_reservation_baggages", BAGS | {"total_baggages": 0, "nonfree_baggages": 0}, "bags_removed"),
    ("update_reservation_baggages", BAGS | {"nonfree_baggages": 9}, "wrong_bag_count"),
    ("update_reservation_baggages", BAGS | {"payment_id": CERTIFICATE}, "certificate_not_accepted"),
    ("update_reservation_passengers", {"reservation_id": CODE, "passengers": [PERSON]}, "wrong_passenger_count"),
    ("send_certificate", {"user_id": "nobody", "amount": 50}, "user_not_found"),
    ("send_certificate", {"user_id": USER, "amount": 0}, "invalid_arguments"),
]


@pytest.mark.parametrize(("tool", "arguments", "code"), REFUSALS)
def test_refusals(session: Session, tool: str, arguments: dict[str, Any], code: str) -> None:
    result = session.call(tool, arguments)
    assert result.error is not None and result.error.code == code, result.text
    assert session.diff() == []


def test_a_long_key_stands_whole_in_the_refusal_and_what_is_not_live_is_refused_first(session: Session) -> None:
    key = "X" * 200
    assert session.call("get_user_details", {"user_id": key}).text == f"Error: User {key} not found. [user_not_found]"
    session.call("cancel_reservation", {"reservation_id": CODE})
    result = session.call("update_reservation_flights", UPDATE | {"payment_id": "credit_card_0"})
    assert result.error is not None and result.error.code == "reservation_cancelled"


def test_every_code_is_tested_and_documented() -> None:
    root, package = Path(__file__).parents[3], files("toolgym.domains.airline")
    source = "".join(package.joinpath(f"{name}.py").read_text("utf-8") for name in ("guards", "tools"))
    codes = set(re.findall(r'Refusal\(\s*"(\w+)"|"(\w+_not_found)"', source))
    codes = {code for found in codes for code in found if code}
    assert len(codes) > 15
    assert codes == {code for _, _, code in REFUSALS} - {"invalid_arguments"} | {"reservation_cancelled"}
    page = (root / "docs" / "airline.md").read_text(encoding="utf-8")
    assert not [code for code in codes if f"`{code}`" not in page]


# --- what the originals get wrong ---


def seats(session: Session, number: str, date: str, cabin: str) -> int | None:
    row = session._database.get(CabinSeats, number, date, cabin)
    return None if row is None else row.seats


@pytest.mark.parametrize(
    ("tool", "arguments"),
    [
        ("cancel_reservation", {"reservation_id": CODE}),
        ("update_reservation_flights", UPDATE),
        ("update_reservation_baggages", BAGS),
        ("update_reservation_passengers", {"reservation_id": CODE, "passengers": [PERSON, PERSON]}),
    ],
)
def test_a_cancelled_reservation_stays_as_it_is(session: Session, tool: str, arguments: dict[str, Any]) -> None:
    done = session.call("cancel_reservation", {"reservation_id": CODE})
    assert done.value["status"] == "cancelled"
    assert sum(payment["amount"] for payment in done.value["payment_history"]) == 0
    before = session.diff()
    again = session.call(tool, arguments)
    assert again.error is not None and again.error.code == "reservation_cancelled"
    assert session.diff() == before


def test_a_cancellation_frees_the_seats(session: Session) -> None:
    places = [(leg["flight_number"], leg["date"], TRIP["cabin"]) for leg in TRIP["flights"]]
    before = [seats(session, *index) for index in places]
    session.call("cancel_reservation", {"reservation_id": CODE})
    expected = [None if free is None else free + len(TRIP["passengers"]) for free in before]
    assert [seats(session, *index) for index in places] == expected


def test_a_change_of_flights_moves_the_seats_and_settles_the_difference(session: Session) -> None:
    here, there = TRIP["flights"][0], bookable("economy", 9)
    index = (here["flight_number"], here["date"], "economy")
    free = seats(session, *index)
    result = session.call("update_reservation_flights", UPDATE | {"flights": [there["flight"]]})
    assert result.ok, result.text
    count = len(TRIP["passengers"])
    assert seats(session, *there["flight"].values(), "economy") == 9 - count
    assert seats(session, *index) == (None if free is None else free + count)
    difference = (there["price"] - sum(leg["price"] for leg in TRIP["flights"])) * count
    assert result.value["payment_history"][-1] == {"payment_id": CARD, "amount": difference}


def test_what_stays_keeps_its_price_and_moves_nothing(session: Session) -> None:
    result = session.call("update_reservation_flights", UPDATE)
    assert result.ok and result.value == session.call("get_reservation_details", {"reservation_id": CODE}).value
    assert session.diff() == []


def test_any_number_of_bookings_and_certificates_get_ids_of_their_own(session: Session) -> None:
    booked = [session.call("book_reservation", BOOKING).value["reservation_id"] for _ in range(5)]
    sent = [session.call("send_certificate", {"user_id": USER, "amount": 50}).value for _ in range(5)]
    assert len(set(booked)) == len(set(sent)) == 5
    profile = session.call("get_user_details", {"user_id": USER}).value
    assert set(profile["reservations"][-5:]) == set(booked)
    assert sum("certificate" in method for method in profile["payment_methods"]) >= 6


def test_a_gift_card_cannot_pay_twice(session: Session) -> None:
    shares = paying((GIFT, GIFT_HOLDS), (GIFT, GIFT_HOLDS))
    result = session.call("book_reservation", BOOKING | shares)
    assert result.error is not None and result.error.code == "repeated_payment_method"


def test_a_certificate_is_used_up_whole(session: Session) -> None:
    part = min(OFFER["price"] - 1, 60)
    shares = paying((CERTIFICATE, part), (CARD, OFFER["price"] - part))
    assert session.call("book_reservation", BOOKING | shares).ok
    profile = session.call("get_user_details", {"user_id": USER}).value
    assert CERTIFICATE not in profile["payment_methods"]
    again = session.call("book_reservation", BOOKING | shares)
    assert again.error is not None and again.error.code == "payment_method_not_found"


def test_the_order_in_which_passengers_and_payments_are_named_does_not_matter() -> None:
    price = OFFER["price"] * 2
    people = [PERSON, {"first_name": "Bo", "last_name": "Abt", "dob": "1991-02-03"}]
    shares = [{"payment_id": CARD, "amount": price - 10}, {"payment_id": GIFT, "amount": 10}]
    dumps = set()
    for turn in (1, -1):
        with Session(AIRLINE, seed=4) as session:
            booking = BOOKING | {"passengers": people[::turn], "payment_methods": shares[::turn]}
            assert session.call("book_reservation", booking).ok
            dumps.add(session.dump())
    assert len(dumps) == 1


def test_a_connection_may_lie_beyond_midnight_and_beyond_the_end_of_the_month(session: Session) -> None:
    over = [(number, row) for number, row in world().flights.items() if row[3].endswith("+1")]
    found = []
    for _, (origin, stop, *_) in over:
        for start, destination in world().routes:
            if start == stop and destination != origin:
                search = {"origin": origin, "destination": destination, "date": "2024-05-31"}
                found += session.call("search_onestop_flight", search).value
    late = [pair for pair in found if pair[0]["scheduled_arrival_time_est"].endswith("+1")]
    assert late
    assert {pair[1]["date"] for pair in late} == {"2024-06-01"}
    for first, second in found:
        lands = first["scheduled_arrival_time_est"].removesuffix("+1")
        assert second["scheduled_departure_time_est"] >= lands
        assert first["destination"] == second["origin"]


def test_a_single_digit_day_is_no_trouble_either(session: Session) -> None:
    """The days of a month's beginning, for bookings in the next one."""
    search = {"origin": "SEA", "destination": "MIA", "date": "2024-06-01"}
    pairs = session.call("search_onestop_flight", search).value
    assert {pair[0]["date"] for pair in pairs} == {"2024-06-01"}
    assert {pair[1]["date"] for pair in pairs} <= {"2024-06-01", "2024-06-02"}


def test_new_ids_do_not_matter_to_the_verifier() -> None:
    from toolgym.sandbox.synthesis.proof.end_state import same_diff

    diffs, ids = [], set()
    for seed in (1, 2):
        with Session(AIRLINE, seed=seed, task=Task(id="x", domain="airline")) as session:
            session.call("book_reservation", BOOKING)
            session.call("send_certificate", {"user_id": USER, "amount": 50})
            diffs.append(session.diff())
            ids |= session.new_ids
    assert diffs[0] != diffs[1]
    assert same_diff(*diffs, ids)


def test_flights_may_be_handed_back_as_they_were_read(session: Session) -> None:
    """With origin, destination and price, which the tools do not ask for."""
    result = session.call("update_reservation_flights", UPDATE | {"flights": TRIP["flights"]})
    assert result.ok and session.diff() == []
    assert session.call("book_reservation", BOOKING | {"passengers": [PERSON | {"seat": "1A"}]}).ok


def test_think_changes_nothing(session: Session) -> None:
    assert session.call("think", {"thought": "What now?"}).value == ""
    assert session.diff() == []
