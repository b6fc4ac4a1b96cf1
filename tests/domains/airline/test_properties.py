"""Whatever calls an agent makes in the airline world, its invariants hold, and time travel gives the same bytes."""

import random
from collections import Counter
from functools import cache
from typing import Any

import pytest
from airline_rows import choice_of, direct, world
from hypothesis import given, settings
from hypothesis import strategies as st

from toolgym.domains.airline.schema import CabinSeats, Leg, Passenger, Payment, PaymentMethod, Reservation
from toolgym.domains.airline.tools import BAG, INSURANCE
from toolgym.sandbox.runtime.session import Session

pytestmark = pytest.mark.slow
Step = tuple[str, dict[str, Any]]
CABINS = ("basic_economy", "economy", "business")
PEOPLE = [{"first_name": name, "last_name": "Holm", "dob": "1990-02-03"} for name in ("Ida", "Bo", "Ann", "Per")]
NAMES = (
    "book_reservation",
    "book_reservation",
    "cancel_reservation",
    "update_reservation_flights",
    "update_reservation_flights",
    "update_reservation_baggages",
    "update_reservation_passengers",
    "send_certificate",
    "get_reservation_details",
)
CODES = sorted(world().reservations)
ROUTES = sorted(world().routes)


def random_call(rng: random.Random) -> Step:
    """A call that is mostly plausible, at times wrong in one respect; few reservations, so that calls meet."""
    trip = world().reservations[rng.choice(CODES[:40])]
    user = world().users[trip["user_id"]]
    code, cabin = {"reservation_id": trip["reservation_id"]}, rng.choice(CABINS)
    methods = list(user["payment_methods"])
    payment = {"payment_id": rng.choice(methods)}
    name = rng.choice(NAMES)
    arguments: dict[str, dict[str, Any]] = {
        "book_reservation": _booking(rng, user, cabin),
        "cancel_reservation": code,
        "update_reservation_flights": code | payment | {"cabin": cabin, "flights": _flights(rng, trip, cabin)},
        "update_reservation_baggages": code
        | payment
        | {"total_baggages": rng.randint(0, 5), "nonfree_baggages": rng.randint(0, 3)},
        "update_reservation_passengers": code | {"passengers": rng.sample(PEOPLE, rng.randint(1, 3))},
        "send_certificate": {"user_id": user["user_id"], "amount": rng.choice((50, 100, 0))},
        "get_reservation_details": code,
    }
    return name, arguments[name]


def _booking(rng: random.Random, user: dict[str, Any], cabin: str) -> dict[str, Any]:
    origin, destination = rng.choice(ROUTES)
    day = f"2024-05-{rng.randint(17, 31)}"
    offers = direct(origin, destination, day, cabin, 1)
    flights = [{"flight_number": offer.number, "date": day} for offer in offers[:1]]
    count, bags, insurance = rng.randint(1, 3), rng.randint(0, 2), rng.choice(("yes", "no"))
    total = sum(offer.price for offer in offers[:1]) * count + BAG * bags + (insurance == "yes") * INSURANCE * count
    shares, rest = [], total + rng.choice((0, 0, 0, 0, 1))
    for method in rng.sample(list(user["payment_methods"].values()), len(user["payment_methods"])):
        part = min(rest, method.get("amount", rest))
        shares += [{"payment_id": method["id"], "amount": part}] if part else []
        rest -= part
    return {
        "user_id": user["user_id"],
        "origin": origin,
        "destination": destination,
        "flight_type": "one_way",
        "cabin": cabin,
        "flights": flights or [{"flight_number": "GYM001", "date": "2024-05-06"}],
        "passengers": rng.sample(PEOPLE, count),
        "payment_methods": shares,
        "total_baggages": bags,
        "nonfree_baggages": bags,
        "insurance": insurance,
    }


def _flights(rng: random.Random, trip: dict[str, Any], cabin: str) -> list[dict[str, Any]]:
    """The flights a trip has, or others on its first flight's route."""
    leg = trip["flights"][0]
    offers = direct(leg["origin"], leg["destination"], f"2024-05-{rng.randint(17, 31)}", cabin, 1)
    if rng.random() < 0.5 or not offers:
        return choice_of(trip["flights"])
    return [{"flight_number": offers[0].number, "date": offers[0].date}]


def path_of(seed: int, length: int) -> list[Step]:
    rng = random.Random(seed)
    return [random_call(rng) for _ in range(length)]


def paths(length: int = 30) -> st.SearchStrategy[list[Step]]:
    return st.integers(0, 2**32).map(lambda seed: path_of(seed, length))


def play(session: Session, path: list[Step]) -> Session:
    for name, arguments in path:
        session.call(name, arguments)
    return session


# --- invariants ---


def seats_in_all(session: Session) -> dict[tuple[str, str, str], int]:
    """Free seats and those held by live reservations, by flight, day and cabin."""
    database = session._database
    total: Counter[tuple[str, str, str]] = Counter()
    for row in database.find(CabinSeats):
        assert row.seats >= 0
        total[row.flight_number, row.date, row.cabin] += row.seats
    passengers = Counter(person.reservation_id for person in database.find(Passenger))
    live = {trip.reservation_id: trip.cabin for trip in database.find(Reservation) if trip.status is None}
    bookable = set(total)
    for leg in database.find(Leg):
        index = (leg.flight_number, leg.date, live.get(leg.reservation_id, ""))
        if index in bookable:
            total[index] += passengers[leg.reservation_id]
    return dict(total)


def gift_money(session: Session) -> tuple[int, int]:
    """What gift cards hold, and what they have paid for reservations."""
    query = session._database.query
    held = query("SELECT sum(amount) FROM payment_methods WHERE source = 'gift_card'")
    paid = query(
        "SELECT sum(p.amount) FROM payments p JOIN payment_methods USING (payment_id) WHERE source = 'gift_card'"
    )
    return int(held[0][0]), int(paid[0][0])


@cache
def seats_at_the_start() -> dict[tuple[str, str, str], int]:
    with Session("airline") as session:
        return seats_in_all(session)


def check(session: Session) -> None:
    database = session._database
    assert seats_in_all(session) == seats_at_the_start(), "seats are neither made nor lost"
    assert all((method.amount or 0) >= 0 for method in database.find(PaymentMethod))
    assert database._connection.execute("PRAGMA foreign_key_check").fetchall() == []
    paid: Counter[str] = Counter()
    for payment in database.find(Payment):
        paid[payment.reservation_id] += payment.amount
    fares: Counter[str] = Counter()
    for leg in database.find(Leg):
        fares[leg.reservation_id] += leg.price
    count = Counter(person.reservation_id for person in database.find(Passenger))
    for trip in database.find(Reservation):
        code = trip.reservation_id
        insured = INSURANCE if trip.insurance == "yes" else 0
        price = (fares[code] + insured) * count[code] + BAG * trip.nonfree_baggages
        assert paid[code] == (0 if trip.status else price), f"{code} has been paid exactly"


def test_the_world_starts_consistent() -> None:
    with Session("airline") as session:
        check(session)


@settings(max_examples=12, deadline=None)
@given(paths())
def test_invariants_hold_after_any_calls(path: list[Step]) -> None:
    with Session("airline") as session:
        check(play(session, path))


@settings(max_examples=20, deadline=None)
@given(paths())
def test_what_gift_cards_lose_is_paid_and_what_they_gain_had_been_paid(path: list[Step]) -> None:
    """A cancellation's refund is recorded at once and arrives later."""
    with Session("airline") as session:
        for name, arguments in path:
            held, paid = gift_money(session)
            session.call(name, arguments)
            held_after, paid_after = gift_money(session)
            if name == "cancel_reservation":
                assert held_after == held and paid_after <= paid
            else:
                assert held_after + paid_after == held + paid


def test_the_random_calls_reach_every_tool_both_ways() -> None:
    """The invariants would mean little if most calls were refused, or none."""
    outcomes: Counter[tuple[str, bool]] = Counter()
    for seed in range(12):
        with Session("airline") as session:
            play(session, path_of(seed, 30))
            outcomes.update((record.name, record.ok) for record in session.log)
    for name in set(NAMES) - {"get_reservation_details"}:
        assert outcomes[name, True] and outcomes[name, False], (name, outcomes)


@settings(max_examples=12, deadline=None)
@given(paths())
def test_refused_calls_change_nothing(path: list[Step]) -> None:
    with Session("airline") as session:
        for name, arguments in path:
            before = session.diff()
            if not session.call(name, arguments).ok:
                assert session.diff() == before, name


@settings(max_examples=4, deadline=None)
@given(paths(12), paths(6), st.integers(0, 12))
def test_fork_rollback_and_replay_equal_a_straight_run(path: list[Step], other: list[Step], cut: int) -> None:
    with Session("airline") as straight, Session("airline") as begun, Session("airline") as replayed:
        play(straight, path)
        play(begun, path[:cut])
        with begun.fork() as fork:
            assert play(fork, path[cut:]).diff() == straight.diff()
        play(begun, other).rollback(cut)
        assert play(begun, path[cut:]).diff() == straight.diff()
        assert replayed.replay(straight.log) == []
        assert straight.dump() == begun.dump() == replayed.dump()


def test_interleaved_sessions_never_see_each_other() -> None:
    sessions = [Session("airline") for _ in range(60)]
    plans = [path_of(seed, 8) for seed in range(60)]
    for step in range(8):
        for session, plan in zip(sessions, plans, strict=True):
            session.call(*plan[step])
    for index in random.Random(0).sample(range(60), 10):
        with Session("airline") as alone:
            assert play(alone, plans[index]).diff() == sessions[index].diff()
    for session in sessions:
        session.close()
