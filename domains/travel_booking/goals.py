"""What travellers want. Their words are in sentences.toml."""

from collections.abc import Callable, Mapping
from datetime import date, timedelta
from typing import Any

from toolgym.domains.travel_booking import tools
from toolgym.domains.travel_booking.rules import MOST_NIGHTS
from toolgym.domains.travel_booking.schema import (
    Booking,
    Card,
    Fare,
    Flight,
    Hotel,
    Passenger,
    Place,
    Rate,
    Seat,
    Traveler,
    Trip,
)
from toolgym.domains.travel_booking.seed import FIRST_DAY, NOW
from toolgym.sandbox.kit.world import Calls, Draw, Goal, Made, Slot, Tell, Thing, View

FARES = {"saver": "a saver fare", "flex": "a flexible economy fare", "business": "a business fare"}
ROOMS = {"single": "single", "double": "double", "family room": "family"}
SEATS = {"window": "by the window", "aisle": "on the aisle", "legroom": "with extra legroom"}
HAVING = {"pool": "a pool", "gym": "a gym", "parking": "parking", "breakfast": "breakfast"}
_NAMES = ("Honeymoon", "Northern lights", "Class reunion", "Opera weekend", "Cycling week", "Book fair", "Grand tour")
Chosen = Callable[[Draw], Any]


def _is(kind: str, *states: str) -> Callable[[View[Booking]], bool]:
    """Bookings of a kind in some state that are not over."""

    def fits(booking: View[Booking]) -> bool:
        begins: Any = booking.row.departs.date() if booking.row.departs else booking.row.check_in
        return booking.row.kind == kind and booking.row.state in states and begins >= NOW.date()

    return fits


def _seen(name: str = "booking") -> Callable[[Draw], Calls]:
    return lambda draw: [(tools.get_flight, {"flight": _flight_of(draw, name)})]


def _flight_of(draw: Draw, name: str = "booking") -> Flight:
    return draw.database.get_one(Flight, draw.values[name].flight_id)


def _party(draw: Draw) -> list[Traveler] | None:
    """The customer, with or without companions, or one of these."""
    rows = draw.rows(Traveler)
    chosen = draw.rng.choice([rows[:1], rows[:1], rows[:2], rows, rows[1:2], rows[2:3]])
    return chosen or None


def _home(draw: Draw) -> Place:
    return draw.database.get_one(Place, draw.person.home_code)


def _cheapest(draw: Draw, day: date, origin: str, destination: str) -> Flight | None:
    """The direct flight with the lowest fare on a day, where there is one."""
    rows = draw.database.find(Flight, origin_code=origin, destination_code=destination)
    rows = sorted((row for row in rows if row.departs.date() == day), key=lambda row: row.economy_cents)
    is_tie = len(rows) > 1 and rows[0].economy_cents == rows[1].economy_cents
    return rows[0] if rows and not is_tie else None


def _reached(draw: Draw) -> Place | None:
    """Where flights from home lead."""
    codes = {row.destination_code for row in draw.database.find(Flight, origin_code=draw.person.home_code)}
    return draw.one_of(draw.database.get_one(Place, code) for code in sorted(codes))


def _wanted(draw: Draw, day: str = "day") -> Flight | None:
    found = draw.values
    return _cheapest(draw, found[day], found["origin"].code, found["destination"].code)


def _fare(draw: Draw, flight: Flight | None, kind: str) -> Fare:
    cabin, kind = ("business", "flex") if kind == "business" else ("economy", kind)
    return draw.database.find(Fare, flight_id=flight and flight.flight_id, cabin=cabin, kind=kind)[0]


def _wanted_fare(draw: Draw) -> list[Fare] | None:
    flight = _wanted(draw)
    return None if flight is None else [_fare(draw, flight, draw.values["fare"])]


def _searched(draw: Draw) -> Calls:
    """The search of the day, and the flight's fares."""
    flight, found = _wanted(draw), draw.values
    route = {name: found[name] for name in ("origin", "destination", "day")}
    more = {"cabin": "business"} if found.get("fare") == "business" else {}
    return [(tools.search_flights, route | more), *([(tools.get_flight, {"flight": flight})] if flight else [])]


def _far(draw: Draw) -> Place | None:
    """Where no direct flight from home leads."""
    near = {row.destination_code for row in draw.database.find(Flight, origin_code=draw.person.home_code)}
    return draw.one_of(row for row in draw.database.find(Place) if row.country != "USA" and row.code not in near)


def _joined(draw: Draw) -> list[Flight] | None:
    """The flights of the connection that costs least."""
    found = draw.values
    rows = tools.connections(draw.database, found["origin"], found["destination"], found["day"], "economy")
    rows.sort(key=lambda row: row["price_cents"])
    if not rows or (len(rows) > 1 and rows[0]["price_cents"] == rows[1]["price_cents"]):
        return None
    return [draw.database.get_one(Flight, key) for key in rows[0]["flight_ids"]]


def _joined_seen(draw: Draw) -> Calls:
    route = {name: draw.values[name] for name in ("origin", "destination", "day")}
    flights = [(tools.get_flight, {"flight": each}) for each in _joined(draw) or ()]
    return [(tools.search_flights, route | {"max_stops": 1}), *flights]


def _joined_fares(draw: Draw) -> list[Fare] | None:
    flights = _joined(draw)
    return flights and [_fare(draw, each, draw.values["fare"]) for each in flights]


def _first(draw: Draw) -> Flight | None:
    """A flight from home across the ocean."""
    rows = draw.database.find(Flight, origin_code=draw.person.home_code)
    return draw.one_of(row for row in rows if row.abroad and row.departs.date() >= FIRST_DAY)


def _second(draw: Draw) -> Flight | None:
    """A flight to change to, or one that leaves a little too early."""
    first = draw.values["first"]
    rows = draw.database.find(Flight, origin_code=first.destination_code)
    waits = [(row, row.departs - first.arrives) for row in rows if row.destination_code not in ("BOS", "JFK", "EWR")]
    return draw.one_of(row for row, wait in waits if timedelta(minutes=30) < wait < timedelta(hours=5))


def _both(draw: Draw) -> list[Fare]:
    return [_fare(draw, draw.values[name], draw.values["fare"]) for name in ("first", "second")]


def _same_fare(draw: Draw) -> list[Fare]:
    return [draw.database.get_one(Fare, draw.values["booking"].fare_id)]


def _same_trip(draw: Draw) -> Trip:
    return draw.database.get_one(Trip, draw.values["booking"].trip_id)


def _flying(draw: Draw) -> list[Traveler]:
    rows = draw.database.find(Passenger, booking_id=draw.values["booking"].booking_id)
    return [draw.database.get_one(Traveler, row.traveler_id) for row in rows]


def _absent(booking: View[Booking], travelers: list[View[Traveler]]) -> bool:
    """Whether none of these people flies on a booking."""
    there = {each["traveler_id"] for each in booking.row.travelers or []}
    return there.isdisjoint(each.row.traveler_id for each in travelers)


def _seat(draw: Draw, flight: Flight | None = None, cabin: str = "economy") -> Seat | None:
    """The free seat of the wanted kind that costs least."""
    key = flight.flight_id if flight else draw.values["booking"].flight_id
    rows = draw.database.find(Seat, flight_id=key, cabin=cabin, kind=draw.values["seat_kind"])
    return min(
        (row for row in rows if tools.is_free(draw.database, row)), key=lambda row: row.price_cents, default=None
    )


def _seats_seen(draw: Draw) -> Calls:
    return [(tools.list_seats, {"flight": _flight_of(draw), "cabin": "economy", "kind": draw.values["seat_kind"]})]


def _hotel(draw: Draw) -> Hotel | None:
    """The one that costs least of those that are good enough."""
    found = draw.values
    rows = [row for row in draw.database.find(Hotel, city=found["place"].city) if row.stars >= found["stars"]]
    rows = sorted((row for row in rows if found["amenity"] in row.amenities), key=lambda row: row.from_cents)
    is_tie = len(rows) > 1 and rows[0].from_cents == rows[1].from_cents
    return rows[0] if rows and not is_tie else None


def _rate(draw: Draw) -> Rate | None:
    hotel = _hotel(draw)
    rows = [] if hotel is None else draw.database.find(Rate, hotel_id=hotel.hotel_id, room=draw.values["room"])
    return next((row for row in rows if row.refundable_until_days is not None), None)


def _hotels_seen(draw: Draw) -> Calls:
    found, hotel = draw.values, _hotel(draw)
    days = {name: found[name] for name in ("check_in", "check_out")}
    given = {"place": found["place"], "min_stars": found["stars"], "amenity": found["amenity"]}
    return [(tools.search_hotels, days | given), *([(tools.get_hotel, days | {"hotel": hotel})] if hotel else [])]


def _leaves(draw: Draw) -> date:
    nights = draw.rng.choice((1, 2, 3, 4, 7, MOST_NIGHTS, MOST_NIGHTS + 1))
    return draw.values["check_in"] + timedelta(days=nights)  # type: ignore[no-any-return]


def _april(draw: Draw) -> date:
    return FIRST_DAY + timedelta(days=draw.rng.randrange(9))


def _nearby(draw: Draw) -> date:
    """A day or two before or after the booked flight."""
    return draw.values["booking"].departs.date() + timedelta(days=draw.rng.choice((-2, -1, 1, 2)))  # type: ignore[no-any-return]


def _moved(draw: Draw) -> Flight | None:
    old = _flight_of(draw)
    return _cheapest(draw, draw.values["day"], old.origin_code, old.destination_code)


def _move_seen(draw: Draw) -> Calls:
    old, new = _flight_of(draw), _moved(draw)
    route = {"origin": draw.database.get_one(Place, old.origin_code), "day": draw.values["day"]}
    route["destination"] = draw.database.get_one(Place, old.destination_code)
    quote = {"booking": draw.values["booking"], "action": "move", "flight": new}
    return [*_seen()(draw), (tools.search_flights, route), *([(tools.quote_change, quote)] if new else [])]


def _any_flight(draw: Draw) -> Flight | None:
    """Another flight of the booked route, or one that leads elsewhere."""
    old = _flight_of(draw)
    same = {} if draw.rng.random() < 0.3 else {"destination_code": old.destination_code}
    rows = draw.database.find(Flight, origin_code=old.origin_code, **same)
    return draw.one_of(row for row in rows if row != old and row.departs.date() >= FIRST_DAY)


def _code(draw: Draw) -> str:
    return str(draw.values["card"].code)


def _due(draw: Draw) -> int:
    return int(draw.view(draw.values["trip"]).due_cents)


def _unpaid(trip: View[Trip]) -> bool:
    return trip.row.state in ("planning", "booked")


def _chosen(found: Any, draw: Draw) -> Any:
    return draw.values["seat"].seat


def _trip_seen(draw: Draw) -> Calls:
    return [(tools.get_trip, {"trip": draw.values["trip"]})]


def _then_paid(draw: Draw) -> Calls:
    """A seat for the held flight, and payment."""
    booking, total, found = Made("booking_id"), Made("price_cents", by=tools.choose_seat), draw.values
    seat = {"booking": booking, "traveler": found["travelers"][0], "seat": _seat(draw, _wanted(draw))}
    paid = {name: found[name] for name in ("trip", "card", "card_code")} | {"total_cents": total}
    choices = {"flight": _wanted(draw), "cabin": "economy", "kind": found["seat_kind"]}
    return [(tools.list_seats, choices), (tools.choose_seat, seat), (tools.pay_trip, paid)]


def _of_booking(column: str) -> Callable[[Any, Draw], Any]:
    """A column of the booking that is asked about, in its trip."""

    def told(found: Mapping[str, Any], draw: Draw) -> Any:
        key = draw.values["booking"].booking_id
        return next(each.get(column) for each in found["items"] if each["booking_id"] == key)

    return told


def _on(day: str) -> Callable[[Any, Draw], int | None]:
    """The lowest fare on one of the days."""

    def told(found: Any, draw: Draw) -> int | None:
        flight = _wanted(draw, day)
        return None if flight is None else flight.economy_cents

    return told


def _other_searched(draw: Draw) -> Calls:
    route = {name: draw.values[name] for name in ("origin", "destination")}
    return [(tools.search_flights, route | {"day": draw.values["other"]})]


OPEN = Slot("trip", where=lambda trip: trip.row.state in ("planning", "booked"), says=("In {}.", "For {}."))
EMPTY = Slot("trip", where=lambda trip: trip.row.state == "planning" and not trip.row.due_cents, says=("In {}.",))
WHO = Slot("travelers", draw=_party, withheld=0.2, says=("{}.", "For {}."))
ME = Slot("travelers", draw=lambda draw: draw.rows(Traveler)[:1])
ROUTE = (Slot("origin", of=Place, draw=_home), Slot("destination", of=Place, draw=_reached))
FAR = (ROUTE[0], Slot("destination", of=Place, draw=_far))
KIND = Slot("fare", draw=tuple(FARES), words=FARES, withheld=0.5, says=("{}, please.",))
FLOWN, HELD = (Slot("booking", where=_is("flight", *states)) for states in (("held", "paid"), ("held", "lapsed")))
PAID = Slot("booking", where=_is("flight", "paid"), says=("I mean {}.",))
ONE = Slot("traveler", draw=lambda draw: draw.one_of(_flying(draw)), withheld=0.3, says=("For {}.", "{}."))
CARD = Slot("card", withheld=0.4, says=("{}, please.", "With {}."))
CODE = Slot("card_code", draw=_code, withheld=0.5, says=("The code is {}.", "It is {}."))
TOTAL = Tell("price_cents", near=("total", "cost", "costs", "comes", "price"))
BACK, MORE = Tell("refund_cents", near=("back", "refund")), Tell("added_cents", near=("cost", "costs", "price", "more"))


def _day(reads: Chosen) -> Slot:
    return Slot("day", draw=_april, reads=reads, withheld=0.2, says=("On {}.", "{}."))


THINGS = (
    Thing(Place, has_known_key=False),
    Thing(Traveler, found_by=(tools.list_companions,), has_known_key=False),
    Thing(Trip, has_known_key=False),
    Thing(Booking, found_by=(tools.list_trips, tools.get_trip), has_known_key=False),
    Thing(Card, found_by=(tools.list_payment_cards,), has_known_key=False),
)
FLIGHTS = (
    Goal(
        tools.hold_flight,
        name="fly",
        slots=(OPEN, WHO),
        about=(*ROUTE, KIND, _day(_searched)),
        worked_out={"fares": _wanted_fare},
        tells=(TOTAL,),
        share=2.0,
    ),
    Goal(
        tools.hold_flight,
        name="connect",
        slots=(OPEN, WHO),
        about=(*FAR, KIND, _day(_joined_seen)),
        worked_out={"fares": _joined_fares},
        tells=(TOTAL,),
    ),
    Goal(
        tools.hold_flight,
        name="put_together",
        slots=(OPEN, WHO),
        about=(
            KIND,
            Slot(
                "first",
                of=Flight,
                draw=_first,
                reads=lambda draw: [(tools.get_flight, {"flight": draw.values["first"]})],
            ),
            Slot(
                "second",
                of=Flight,
                draw=_second,
                reads=lambda draw: [(tools.get_flight, {"flight": draw.values["second"]})],
            ),
        ),
        worked_out={"fares": _both},
        tells=(TOTAL,),
        share=0.7,
    ),
    Goal(
        tools.hold_flight,
        name="join",
        slots=(WHO,),
        about=(Slot("booking", of=Booking, where=_is("flight", "held", "paid"), reads=_seen()),),
        worked_out={"fares": _same_fare, "trip": _same_trip},
        where=_absent,
        tells=(TOTAL,),
    ),
    Goal(
        tools.hold_flight,
        name="hold_again",
        about=(Slot("booking", of=Booking, where=_is("flight", "lapsed"), reads=_seen()),),
        worked_out={"fares": _same_fare, "trip": _same_trip, "travelers": _flying},
        tells=(TOTAL,),
    ),
    Goal(
        tools.hold_flight,
        name="fly_and_pay",
        slots=(EMPTY, ME),
        about=(
            *ROUTE,
            Slot("fare", draw=("saver", "flex"), words=FARES, withheld=0.3, says=("{}, please.",)),
            Slot("seat_kind", draw=("window", "aisle")),
            Slot("card", of=Card, withheld=0.3, says=("With {}.",)),
            Slot("card_code", draw=_code, kind="secret", withheld=0.6, says=("The code is {}.",)),
            _day(_searched),
        ),
        worked_out={"fares": _wanted_fare},
        also=_then_paid,
        tells=(Tell("charged_cents", by=tools.pay_trip, near=("total", "paid", "charged", "cost")),),
        share=1.5,
    ),
    Goal(
        tools.choose_seat,
        name="choose_seat",
        slots=(FLOWN, ONE),
        about=(Slot("seat_kind", draw=("window", "aisle", "legroom"), reads=_seats_seen, words=SEATS),),
        worked_out={"seat": _seat},
        where=lambda booking: booking.row.cabin == "economy" and len(booking.row.flights) == 1,
        tells=(Tell("seat", kind="text", value=_chosen), MORE),
        share=1.5,
    ),
    Goal(
        tools.add_bags,
        slots=(FLOWN, ONE, Slot("bags", draw=(1, 1, 2, 3), says=("{}.",))),
        tells=(MORE,),
    ),
    Goal(
        tools.move_flight,
        name="move_cheapest",
        slots=(PAID,),
        about=(Slot("day", draw=_nearby, reads=_move_seen),),
        worked_out={"flight": _moved},
        tells=(Tell("paid_cents", near=("pay", "cost", "costs", "more", "charged")),),
        share=1.5,
    ),
    Goal(
        tools.move_flight,
        name="move_to",
        slots=(PAID, Slot("flight", draw=_any_flight)),
        tells=(Tell("paid_cents", near=("pay", "cost", "costs", "more", "charged")),),
    ),
)
REST = (
    Goal(tools.create_trip, slots=(Slot("name", draw=_NAMES),)),
    Goal(
        tools.hold_room,
        name="stay",
        slots=(
            OPEN,
            Slot("check_in", draw=_april, withheld=0.2, says=("From {}.",)),
            Slot("check_out", draw=_leaves, says=("Until {}.",)),
            Slot("guests", draw=(1, 1, 2, 2, 3, 4), says=("{}.",)),
        ),
        about=(
            Slot("place", of=Place, draw=_reached),
            Slot("stars", draw=(2, 3, 4)),
            Slot("room", draw=tuple(ROOMS), words=ROOMS),
            Slot("amenity", draw=("pool", "gym", "parking", "breakfast"), words=HAVING, reads=_hotels_seen),
        ),
        worked_out={"rate": _rate},
        tells=(TOTAL,),
        share=2.0,
    ),
    Goal(tools.cancel_booking, name="cancel_flight", slots=(FLOWN,), tells=(BACK,)),
    Goal(
        tools.cancel_booking,
        name="cancel_room",
        slots=(Slot("booking", where=_is("room", "held", "paid"), says=("I mean {}.",)),),
        tells=(BACK,),
    ),
    Goal(
        tools.cancel_booking,
        name="let_go",
        slots=(HELD,),
    ),
    *(
        Goal(
            tools.pay_trip,
            name=name,
            fixed={"use_credit": credit},
            slots=(Slot("trip", reads=_trip_seen, where=where, says=("I mean {}.",)), CARD, CODE),
            worked_out={"total_cents": _due},
            tells=(Tell("charged_cents", near=("total", "paid", "charged", "card", "cost")),),
        )
        for name, credit, where in (("pay", False, _unpaid), ("pay_with_credit", True, _unpaid))
    ),
    Goal(
        tools.quote_change,
        name="ask_refund",
        fixed={"action": "cancel"},
        slots=(Slot("booking", where=lambda booking: booking.row.state == "paid"),),
        tells=(BACK,),
    ),
    Goal(
        tools.search_flights,
        name="ask_cheaper",
        slots=(*ROUTE, Slot("day", draw=_april)),
        about=(Slot("other", draw=_april, reads=_other_searched),),
        where=lambda day, other: day != other,
        tells=(
            Tell("price_cents", kind="money", value=_on("day")),
            Tell("price_cents", kind="money", value=_on("other")),
        ),
    ),
    Goal(
        tools.get_trip,
        name="ask_until",
        about=(Slot("booking", of=Booking, where=_is("flight", "held")),),
        tells=(Tell("hold_until", kind="moment", value=_of_booking("hold_until")),),
        worked_out={"trip": _same_trip},
    ),
    Goal(
        tools.get_trip,
        name="ask_landing",
        about=(Slot("booking", of=Booking, where=_is("flight", "held", "paid")),),
        tells=(Tell("arrives", kind="moment", value=_of_booking("arrives")),),
        worked_out={"trip": _same_trip},
    ),
    Goal(tools.get_trip, name="ask_due", slots=(Slot("trip", where=_unpaid),), tells=(Tell("due_cents"),)),
)
GOALS = (*FLIGHTS, *REST)
