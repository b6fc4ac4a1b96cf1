"""What travellers want. Their words are in sentences.toml."""

from collections.abc import Callable, Iterable
from datetime import date, timedelta
from typing import Any, TypeVar

from toolgym.domains.travel_booking import schema, tools
from toolgym.domains.travel_booking.schema import OWN, Booking, Fare, Flight, Place, Traveler, Trip
from toolgym.domains.travel_booking.seed import DAYS, FIRST_DAY, NOW
from toolgym.sandbox.kit.world import Calls, Draw, Goal, Made, Slot, Tell, Thing, View

FARES = {"saver": "a saver fare", "flex": "a flexible economy fare", "business": "a business fare"}
ROOMS = {"single": "single", "double": "double", "family room": "family"}
SEATS = {"window": "by the window", "aisle": "on the aisle", "legroom": "with extra legroom"}
BAGS = {"1": "one more bag", "2": "two more bags", "3": "three more bags"}
HAVING = {"pool": "a pool", "gym": "a gym", "parking": "parking", "breakfast": "breakfast"}
Row = TypeVar("Row")
NAMES = ("Honeymoon", "Northern lights", "Class reunion", "Opera weekend", "Cycling week", "Book fair", "Grand tour")


def _is(kind: str, *states: str) -> Callable[[View[Booking]], bool]:
    """Bookings of a kind in some state that were not over before the first clock's day."""

    def fits(booking: View[Booking]) -> bool:
        begins: Any = booking.row.departs.date() if booking.row.departs else booking.row.check_in
        return booking.row.kind == kind and booking.row.state in states and begins >= NOW.date()

    return fits


def _open(trip: View[Trip]) -> bool:
    return trip.row.state in ("planning", "booked")


def _flight(draw: Draw, name: str = "booking") -> Flight:
    """The flight that was drawn, or that of the booking."""
    return draw.database.get_one(Flight, draw.values[name].flight_id)


def _shown(*names: str) -> Callable[[Draw], Calls]:
    return lambda draw: [(tools.get_flight, {"flight": _flight(draw, name)}) for name in names]


def _party(draw: Draw) -> list[Traveler] | None:
    """The customer with companions, or companions alone."""
    rows = draw.rows(Traveler)
    return draw.rng.choice([rows[:2], rows[:2], rows, rows[1:2], rows[2:3]]) or None


def _from_home(draw: Draw) -> list[Flight]:
    return draw.database.find(Flight, origin_code=draw.person.home_code)


def _near(draw: Draw) -> Place | None:
    """Where flights from home lead."""
    codes = sorted({row.destination_code for row in _from_home(draw)})
    return draw.database.get_one(Place, draw.rng.choice(codes))


def _far(draw: Draw) -> Place | None:
    """Where no direct flight from home leads."""
    near = {row.destination_code for row in _from_home(draw)}
    return draw.one_of(row for row in draw.database.find(Place) if row.country != "USA" and row.code not in near)


def _april(draw: Draw) -> date:
    return FIRST_DAY + timedelta(days=draw.rng.randrange(DAYS))


def _cheapest(draw: Draw, day: date, origin: str, destination: str) -> Flight | None:
    """The direct flight with the lowest fare on a day, where there is one."""
    rows = draw.database.find(Flight, origin_code=origin, destination_code=destination)
    return _least((row for row in rows if row.departs.date() == day), "economy_cents")


def _least(among: Iterable[Row], column: str) -> Row | None:
    """The row that has least of something, where no other has as little."""
    rows = sorted(among, key=lambda row: getattr(row, column))
    is_tie = len(rows) > 1 and getattr(rows[0], column) == getattr(rows[1], column)
    return rows[0] if rows and not is_tie else None


def _wanted(draw: Draw, day: str = "day") -> Flight | None:
    return _cheapest(draw, draw.values[day], draw.person.home_code, draw.values["destination"].code)


def _fares(draw: Draw, *flights: Flight | None) -> list[Fare] | None:
    """What the flights cost on the wanted fare."""
    kind = draw.values["fare"]
    of = {"cabin": "business", "kind": "flex"} if kind == "business" else {"cabin": "economy", "kind": kind}
    return [draw.database.find(Fare, flight_id=each.flight_id, **of)[0] for each in flights if each] or None


def _searched(draw: Draw) -> Calls:
    """The search of the day, and the flight's fares."""
    flight, route = _wanted(draw), {name: draw.values[name] for name in ("destination", "day")}
    more = {"cabin": "business"} if draw.values.get("fare") == "business" else {}
    return [(tools.search_flights, route | more), *([(tools.get_flight, {"flight": flight})] if flight else [])]


def _other_seen(draw: Draw) -> Calls:
    return [(tools.search_flights, {"destination": draw.values["destination"], "day": draw.values["other"]})]


def _joined(draw: Draw) -> list[Flight]:
    """The flights of the connection that costs least."""
    db, found = draw.database, draw.values
    home = db.get_one(Place, draw.person.home_code)
    rows = tools.connections(db, home, found["destination"], found["day"], "economy")
    rows.sort(key=lambda row: row["price_cents"])
    is_tie = len(rows) > 1 and rows[0]["price_cents"] == rows[1]["price_cents"]
    return [db.get_one(Flight, key) for key in rows[0]["flight_ids"]] if rows and not is_tie else []


def _joined_seen(draw: Draw) -> Calls:
    route = {name: draw.values[name] for name in ("destination", "day")} | {"max_stops": 1}
    return [(tools.search_flights, route), *((tools.get_flight, {"flight": each}) for each in _joined(draw))]


def _first(draw: Draw) -> Flight | None:
    return draw.one_of(row for row in _from_home(draw) if row.abroad and row.departs.date() >= FIRST_DAY)


def _second(draw: Draw) -> Flight | None:
    """A flight to change to, or one that leaves a little too early."""
    first = draw.values["first"]
    rows = [
        (row, row.departs - first.arrives) for row in draw.database.find(Flight, origin_code=first.destination_code)
    ]
    least, most = timedelta(minutes=30), timedelta(hours=5)
    return draw.one_of(row for row, wait in rows if least < wait < most and row.destination_code != first.origin_code)


def _same_fare(draw: Draw) -> list[Fare]:
    return [draw.database.get_one(Fare, draw.values["booking"].fare_id)]


def _same_trip(draw: Draw) -> Trip:
    return draw.database.get_one(Trip, draw.values["booking"].trip_id)


def _flying(draw: Draw) -> list[Traveler]:
    rows = draw.database.find(schema.Passenger, booking_id=draw.values["booking"].booking_id)
    return [draw.database.get_one(Traveler, row.traveler_id) for row in rows]


def _absent(booking: View[Booking], travelers: list[View[Traveler]]) -> bool:
    there = {each["traveler_id"] for each in booking.row.travelers or []}
    return there.isdisjoint(each.row.traveler_id for each in travelers)


def _there(booking: View[Booking], traveler: View[Traveler] | None) -> bool:
    """Whether the person, or the customer, flies on a booking."""
    label = traveler.row.label if traveler else OWN
    return label in [each["label"] for each in booking.row.travelers or []]


def _seat(draw: Draw, flight: Flight | None = None) -> schema.Seat | None:
    """The free seat of the wanted kind that costs least."""
    of = {"flight_id": (flight or _flight(draw)).flight_id, "cabin": "economy", "kind": draw.values["seat_kind"]}
    rows = draw.database.find(schema.Seat, **of)
    return _least((row for row in rows if tools.is_free(draw.database, row)), "price_cents")


def _seats_seen(draw: Draw) -> Calls:
    return [(tools.list_seats, {"flight": _flight(draw), "cabin": "economy", "kind": draw.values["seat_kind"]})]


def _then_paid(draw: Draw) -> Calls:
    """A seat for the held flight, and payment."""
    booking, total, found = Made("booking_id"), Made("price_cents", by=tools.choose_seat), draw.values
    paid = {name: found[name] for name in ("trip", "card", "card_code")} | {"total_cents": total}
    choices = {"flight": _wanted(draw), "cabin": "economy", "kind": found["seat_kind"]}
    seat = {"booking": booking, "seat": _seat(draw, _wanted(draw))}
    return [(tools.list_seats, choices), (tools.choose_seat, seat), (tools.pay_trip, paid)]


def _hotel(draw: Draw) -> schema.Hotel | None:
    """The one that costs least of those that are good enough."""
    rows = draw.database.find(schema.Hotel, city=draw.values["city"])
    good = [row for row in rows if row.stars >= draw.values["stars"] and draw.values["amenity"] in row.amenities]
    return _least(good, "from_cents")


def _rate(draw: Draw) -> schema.Rate | None:
    of = {"hotel_id": getattr(_hotel(draw), "hotel_id", ""), "room": draw.values["room"]}
    return draw.one_of(row for row in draw.database.find(schema.Rate, **of) if row.refundable_until_days is not None)


def _hotels_seen(draw: Draw) -> Calls:
    found, hotel = draw.values, _hotel(draw)
    days = {name: found[name] for name in ("check_in", "check_out")}
    place = draw.database.find(Place, city=found["city"])[0]
    given = days | {"place": place, "min_stars": found["stars"], "amenity": found["amenity"]}
    looked: Calls = [(tools.search_places, {"text": found["city"]}), (tools.search_hotels, given)]
    return [*looked, *([(tools.get_hotel, days | {"hotel": hotel})] if hotel else [])]


def _leaves(draw: Draw) -> date:
    found: date = draw.values["check_in"] + timedelta(days=draw.rng.choice((1, 2, 3, 4, 7, 28, 29)))
    return found


def _nearby(draw: Draw) -> date:
    found: date = draw.values["booking"].departs.date() + timedelta(days=draw.rng.choice((-2, -1, 1, 2)))
    return found


def _moved(draw: Draw) -> Flight | None:
    old = _flight(draw)
    return _cheapest(draw, draw.values["day"], old.origin_code, old.destination_code)


def _move_seen(draw: Draw) -> Calls:
    old, new, db = _flight(draw), _moved(draw), draw.database
    ends = {"origin": db.get_one(Place, old.origin_code), "destination": db.get_one(Place, old.destination_code)}
    quote = {"booking": draw.values["booking"], "action": "move", "flight": new}
    searched: Calls = [*_shown("booking")(draw), (tools.search_flights, ends | {"day": draw.values["day"]})]
    return [*searched, *([(tools.quote_change, quote)] if new else [])]


def _other_flight(draw: Draw) -> Flight | None:
    """Another flight of the booked route, or one that leads elsewhere."""
    old = _flight(draw)
    same = {} if draw.rng.random() < 0.3 else {"destination_code": old.destination_code}
    rows = draw.database.find(Flight, origin_code=old.origin_code, **same)
    return draw.one_of(row for row in rows if row != old and row.departs.date() >= FIRST_DAY)


def _of_booking(column: str) -> Callable[[Any, Draw], Any]:
    """A column of the booking that is asked about, in its trip."""
    key = "booking_id"
    return lambda found, draw: next(
        each.get(column) for each in found["items"] if each[key] == draw.values["booking"].booking_id
    )


def _costs(day: str) -> Tell:
    """The lowest fare on one of two days."""
    return Tell("price", kind="money", value=lambda _, draw: getattr(_wanted(draw, day), "economy_cents", None))


I_MEAN = ("I mean {}.",)
OPEN = Slot("trip", where=_open)
EMPTY = Slot("trip", where=lambda trip: trip.row.state == "planning" and not trip.row.due_cents)
WHO = Slot("travelers", draw=_party, given=0.7, withheld=0.2, says=("{}.", "For {}."))
NEAR, FAR = (Slot("destination", of=Place, draw=draw) for draw in (_near, _far))
KIND = Slot("fare", draw=tuple(FARES), words=FARES, withheld=0.5, says=("{}, please.",))
DAY, JOINED_DAY = (
    Slot("day", draw=_april, reads=reads, withheld=0.2, says=("On {}.",)) for reads in (_searched, _joined_seen)
)
FLOWN, PAID, ROOM, STANDING = (
    Slot("booking", of=Booking, where=_is(*which), says=I_MEAN, reads=reads)
    for which, reads in (
        (("flight", "held", "paid"), None),
        (("flight", "paid"), None),
        (("room", "held", "paid"), None),
        (("flight", "held", "paid"), _shown("booking")),
    )
)
LAPSED = Slot("booking", of=Booking, where=_is("flight", "lapsed"), reads=_shown("booking"))
COMPANION = Slot(
    "traveler", draw=lambda draw: draw.one_of(_flying(draw)[1:]), given=0.6, withheld=0.3, says=("For {}.", "{}.")
)
CARD = Slot("card", of=schema.Card, withheld=0.4, says=("{}, please.", "With {}."))
CODE = Slot(
    "card_code", draw=lambda draw: draw.values["card"].code, kind="secret", withheld=0.5, says=("The code is {}.",)
)
TOTAL = (Tell("price_cents", near=("total", "cost", "costs", "comes", "price")),)
BACK, MORE = Tell("refund_cents", near=("back", "refund")), Tell("extra_cost_cents", near=("cost", "costs", "price"))
CHARGE = ("total", "paid", "charge", "charged", "cost")
CHARGED, THEN_CHARGED = (Tell("card_charge_cents", by=by, near=CHARGE) for by in (None, tools.pay_trip))
DUE = Tell("amount due", kind="money", value=lambda trip: trip["due_cents"])
MOVED = (Tell("amount_paid_cents", near=("pay", "paid", "cost", "costs", "more", "charged")),)


def _hold(name: str, *slots: Slot, about: tuple[Slot, ...], tells: tuple[Tell, ...] = TOTAL, **more: Any) -> Goal:
    return Goal(tools.hold_flight, name=name, slots=slots, about=about, tells=tells, **more)


def _pay(name: str, *, credit: bool) -> Goal:
    trip = Slot("trip", reads=lambda draw: [(tools.get_trip, {"trip": draw.values["trip"]})], where=_open, says=I_MEAN)
    due = {"total_cents": lambda draw: draw.view(draw.values["trip"]).due_cents}
    slots, fixed = (trip, CARD, CODE), {"use_credit": credit}
    return Goal(tools.pay_trip, name=name, fixed=fixed, slots=slots, worked_out=due, tells=(CHARGED,))


def _ask(name: str, *states: str, tells: Tell) -> Goal:
    """A question about a flight, which its trip answers."""
    about = (Slot("booking", of=Booking, where=_is("flight", *states)),)
    return Goal(tools.get_trip, name=name, about=about, worked_out={"trip": _same_trip}, tells=(tells,))


BOTH = (Slot(name, of=Flight, draw=draw, reads=_shown(name)) for name, draw in (("first", _first), ("second", _second)))
STAY = (
    Slot("check_in", draw=_april, withheld=0.2, says=("From {}.",)),
    Slot("check_out", draw=_leaves, says=("Until {}.",)),
    Slot("guests", draw=(1, 1, 2, 2, 3, 4), says=("{}.",)),
)
HOTEL = (
    Slot("city", draw=lambda draw: draw.rng.choice(draw.database.find(Place)).city),
    Slot("stars", draw=(2, 3, 4)),
    Slot("room", draw=tuple(ROOMS), words=ROOMS),
    Slot("amenity", draw=tuple(HAVING), words=HAVING, reads=_hotels_seen),
)
CHEAPEST: Any = {"fares": lambda draw: _fares(draw, _wanted(draw))}
JOINED: Any = {"fares": lambda draw: _fares(draw, *_joined(draw))}
THINGS = (
    Thing(Place, has_known_key=False),
    Thing(Traveler, found_by=(tools.list_companions,), has_known_key=False),
    Thing(Trip, has_known_key=False),
    Thing(Booking, found_by=(tools.list_trips, tools.get_trip), has_known_key=False),
    Thing(schema.Card, found_by=(tools.list_payment_cards,), has_known_key=False),
)
GOALS = (
    _hold("fly", OPEN, WHO, about=(NEAR, KIND, DAY), worked_out=CHEAPEST, share=2.0),
    _hold("connect", OPEN, WHO, about=(FAR, KIND, JOINED_DAY), worked_out=JOINED),
    _hold("put_together", OPEN, WHO, about=(KIND, *BOTH), share=0.7,
          worked_out={"fares": lambda draw: _fares(draw, draw.values["first"], draw.values["second"])}),
    _hold("join", Slot("travelers", draw=_party, says=("{}.",)), about=(STANDING,), where=_absent,
          worked_out={"fares": _same_fare, "trip": _same_trip}),
    _hold("hold_again", about=(LAPSED,), worked_out={"fares": _same_fare, "trip": _same_trip, "travelers": _flying}),
    _hold("fly_and_pay", EMPTY, about=(NEAR, KIND, Slot("seat_kind", draw=("window", "aisle")), CARD, CODE, DAY),
          where=lambda fare: fare != "business", worked_out=CHEAPEST,
          also=_then_paid, tells=(THEN_CHARGED,), share=0.5),
    Goal(tools.choose_seat, slots=(FLOWN, COMPANION), worked_out={"seat": _seat}, share=1.5,
         about=(Slot("seat_kind", draw=tuple(SEATS), words=SEATS, reads=_seats_seen),),
         where=lambda booking, traveler: _there(booking, traveler) and booking.row.cabin == "economy",
         tells=(Tell("seat", kind="text", value=lambda _, draw: draw.values["seat"].seat), MORE)),
    Goal(tools.add_bags, where=_there, tells=(MORE,),
         slots=(FLOWN, Slot("bags", draw=(1, 1, 2, 3), words=BAGS, says=("{}.",)), COMPANION)),
    Goal(tools.move_flight, name="move_cheapest", slots=(PAID,), about=(Slot("day", draw=_nearby, reads=_move_seen),),
         worked_out={"flight": _moved}, tells=MOVED, share=1.5),
    Goal(tools.move_flight, name="move_to", slots=(PAID, Slot("flight", draw=_other_flight)), tells=MOVED),
    Goal(tools.create_trip, slots=(Slot("name", draw=NAMES),)),
    Goal(tools.hold_room, name="stay", slots=(OPEN, *STAY), about=HOTEL, worked_out={"rate": _rate}, tells=TOTAL),
    Goal(tools.cancel_booking, name="cancel_flight", slots=(FLOWN,), tells=(BACK,)),
    Goal(tools.cancel_booking, name="cancel_room", slots=(ROOM,), tells=(BACK,)),
    Goal(tools.cancel_booking, name="let_go", slots=(Slot("booking", where=_is("flight", "held", "lapsed")),)),
    _pay("pay", credit=False),
    _pay("pay_with_credit", credit=True),
    Goal(tools.quote_change, name="ask_refund", fixed={"action": "cancel"}, slots=(PAID,), tells=(BACK,)),
    Goal(tools.search_flights, name="ask_cheaper", slots=(NEAR, Slot("day", draw=_april)),
         about=(Slot("other", draw=_april, reads=_other_seen),), where=lambda day, other: day != other,
         tells=(_costs("day"), _costs("other"))),
    _ask("ask_until", "held", tells=Tell("end of the hold", kind="moment", value=_of_booking("hold_until"))),
    _ask("ask_landing", "held", "paid", tells=Tell("arrival time", kind="moment", value=_of_booking("arrives"))),
    Goal(tools.get_trip, name="ask_due", slots=(Slot("trip", where=_open),), tells=(DUE,)),
)  # fmt: skip
