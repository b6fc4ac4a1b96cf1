"""What the travel agency lets an agent do for a customer."""

from datetime import date, timedelta
from typing import Annotated, Any, Literal

from pydantic import Field

from toolgym.domains.travel_booking import schema
from toolgym.domains.travel_booking.schema import Booking, Fare, Flight, Hotel, Place, Rate, Seat, Traveler, Trip
from toolgym.sandbox.kit.search import contains_text, given
from toolgym.sandbox.kit.world import NOT_BLANK, Database, Page, PageNumber, Ref, Refusal, Secret, View, tool

Cabin = Literal["economy", "business"]
Guests = Annotated[int, Field(ge=1, le=6)]
BAG_CENTS = 4500
"""What a bag costs on each flight, beyond those that the fare includes."""
HOLD = timedelta(hours=24)
FREE_CANCEL = timedelta(hours=24)
CHANGE = timedelta(hours=1), timedelta(hours=24)
"""The least and the most time between the two flights of a connection."""
_SORTS = {"price": "price_cents", "time": "departs", "duration": "minutes"}


@tool("read")
def get_traveler(db: Database) -> View[schema.Customer]:
    """Get the customer's name, home airport, travel credit and passport, and the present moment."""
    return View(db.owner(schema.Customer), now=db.now)


@tool("read")
def list_companions(db: Database) -> list[View[Traveler]]:
    """List the customer and the companions who are saved, with birth dates and passports."""
    return [View(row) for row in db.mine(Traveler)]


@tool("read")
def search_places(db: Database, text: str) -> list[View[Place]]:
    """Search airports by code, name, city or country; a city may have two.

    Args:
        text: what they are called.
    """
    return [
        View(row)
        for row in db.find(Place)
        if contains_text(f"{row.code} {row.city} {row.name or ''} {row.country}", text)
    ]


@tool("read")
def search_flights(
    db: Database,
    destination: Ref[Place],
    day: date,
    origin: Ref[Place] | None = None,
    cabin: Cabin = "economy",
    max_stops: Annotated[int, Field(ge=0, le=1)] = 0,
    sort: Literal["price", "time", "duration"] = "price",
    page: PageNumber = 1,
) -> dict[str, list[View[Flight]] | list[dict[str, Any]] | int]:
    """Search direct flights between two airports, and connections where a stop is allowed.

    Args:
        destination: where the flight lands.
        day: on which it leaves.
        origin: where it leaves; the customer's home airport without one.
        cabin: whose lowest fare is shown.
        max_stops: 1 lists connections besides.
        sort: what the first one has least of.
        page: ten a page, of direct flights and of connections.
    """
    column, first = f"{cabin}_cents", page * 10 - 10
    begin = origin or db.get_one(Place, db.owner(schema.Customer).home_code)
    found = [
        {"row": row, "price_cents": getattr(row, column), "departs": row.departs, "minutes": minutes(db, row)}
        for row in _leaving(db, begin.code, destination.code, day)
    ]
    found.sort(key=lambda each: (each[_SORTS[sort]], each["row"].flight_id))
    items = [View(each.pop("row"), **each) for each in found[first : first + 10]]
    joined = connections(db, begin, destination, day, cabin) if max_stops else []
    joined.sort(key=lambda each: (each[_SORTS[sort]], each["flight_ids"]))
    pages = -(-max(len(found), len(joined)) // 10)
    totals = {"page": page, "pages": pages, "total": len(found)}
    return {"items": items, "connections": joined[first : first + 10], **totals}


@tool("read")
def get_flight(db: Database, flight: Ref[Flight]) -> View[Flight]:
    """Get a flight's times, its fares with their rules and included bags, and the seats that are left."""
    fares = [View(row) for row in db.find(Fare, flight_id=flight.flight_id)]
    left = schema.seats_left(db, flight)
    return View(flight, minutes=minutes(db, flight), abroad=flight.abroad, seats_left=left, fares=fares)


@tool("read")
def list_seats(
    db: Database,
    flight: Ref[Flight],
    cabin: Cabin | None = None,
    kind: Literal["window", "aisle", "legroom"] | None = None,
) -> list[View[Seat]]:
    """List a flight's free seats with their prices.

    Args:
        cabin: only seats of this cabin.
        kind: only seats of this kind.
    """
    rows = db.find(Seat, flight_id=flight.flight_id, **given(cabin=cabin, kind=kind))
    return [View(row) for row in rows if is_free(db, row)]


@tool("read")
def search_hotels(
    db: Database,
    place: Ref[Place],
    check_in: date,
    check_out: date,
    guests: Guests = 1,
    min_stars: Annotated[int, Field(ge=1, le=5)] | None = None,
    max_cents: int | None = None,
    amenity: Literal["pool", "gym", "parking", "breakfast"] | None = None,
    page: PageNumber = 1,
) -> Page[Hotel]:
    """Search the hotels of an airport's city, those with the lowest price a night first.

    Args:
        check_in: the first night.
        check_out: the day of leaving, which is no night.
        guests: only hotels with rooms for so many.
        min_stars: only hotels with at least so many stars.
        max_cents: only hotels with rooms for at most this price a night.
        amenity: only hotels that have it.
        page: ten a page.
    """
    stay(check_in, check_out)
    more = {"stars": min_stars or 0, "most": max_cents, "amenity": amenity or "", "guests": guests}
    return Page(db.select(Hotel, _HOTELS, city=place.city, **more), page)


@tool("read")
def get_hotel(db: Database, hotel: Ref[Hotel], check_in: date, check_out: date) -> View[Hotel]:
    """Get a hotel's rooms with their rates and the rates' totals for a stay.

    Args:
        check_in: the first night.
        check_out: the day of leaving, which is no night.
    """
    nights = stay(check_in, check_out)
    rates = [View(row, total_cents=nights * row.cents_per_night) for row in db.find(Rate, hotel_id=hotel.hotel_id)]
    return View(hotel, nights=nights, rates=rates)


@tool("read")
def list_trips(
    db: Database,
    text: str | None = None,
    state: Literal["planning", "booked", "travelled", "cancelled"] | None = None,
) -> list[View[Trip]]:
    """List the customer's trips.

    Args:
        text: only trips whose name holds this, or that lead to such a city or hotel.
        state: only trips in this state.
    """
    me = db.owner(schema.Customer).customer_id
    rows = db.select(Trip, _TRIPS, owner=me, state=state, text=text and text.strip().lower())
    return [View(row) for row in rows]


@tool("read")
def get_trip(db: Database, trip: Ref[Trip]) -> dict[str, View[Trip] | list[View[Booking]] | int]:
    """Get a trip's flights and rooms with prices, seats, bags and holds, and what is due for it."""
    rows = db.find(Booking, trip_id=trip.trip_id)
    due = sum(row.price_cents for row in rows if schema.state_of(db, row) == "held")
    return {"trip": View(trip), "items": [View(row) for row in rows], "due_cents": due}


@tool("write")
def create_trip(db: Database, name: Annotated[str, Field(min_length=1, max_length=60), NOT_BLANK]) -> View[Trip]:
    """Begin a trip, to which flights and rooms are then added.

    Args:
        name: what it is called.
    """
    if any(row.name.casefold() == name.strip().casefold() for row in db.mine(Trip)):
        raise Refusal("conflict", "There is a trip of this name already.")
    return View(db.add(Trip, name=name.strip(), state="planning"))


@tool("write")
def hold_flight(
    db: Database,
    trip: Ref[Trip],
    fares: Annotated[list[Ref[Fare]], Field(min_length=1, max_length=2)],
    travelers: Annotated[list[Ref[Traveler]], Field(max_length=6)] = [],  # noqa: B006  # never written
) -> View[Booking]:
    """Hold seats on a flight, or on the two of a connection, for 24 hours.

    Args:
        trip: the trip that it is added to.
        fares: the fare of the flight; of a connection the fares of both flights, in order.
        travelers: who flies; the customer alone without any.
    """
    _require_open(trip)
    first, last = fares[0], fares[-1]
    if (first.cabin, first.kind) != (last.cabin, last.kind):
        raise Refusal("invalid_argument", "Both flights of a connection have a fare of the same cabin and kind.")
    who = list(dict.fromkeys(travelers)) or db.mine(Traveler, label=schema.OWN)
    flights = [db.get_one(Flight, fare.flight_id) for fare in fares]
    for row in db.find(Booking, trip_id=trip.trip_id, flight_id=first.flight_id):
        if schema.state_of(db, row) in ("held", "paid") and _flying(db, row) & {each.traveler_id for each in who}:
            raise Refusal("conflict", "Somebody of them is on this flight already.")
    of: dict[str, Any] = {"fare_id": first.fare_id, "flight_id": first.flight_id, "cabin": first.cabin}
    if len(fares) > 1:
        of |= {"onward_fare_id": last.fare_id, "onward_id": last.flight_id}
    start, end = db.get_one(Place, flights[0].origin_code), db.get_one(Place, flights[-1].destination_code)
    ends = {"from_city": start.city, "to_city": end.city, "departs": flights[0].departs, "arrives": flights[-1].arrives}
    price = len(who) * sum(fare.price_cents for fare in fares)
    made = db.add(Booking, trip=trip, kind="flight", fare=first.kind, price_cents=price, **of, **ends, **_held(db))
    for each in who:
        db.add(schema.Passenger, booking=made, traveler=each, bags=first.bags_included)
    return View(made)


@tool("write")
def hold_room(
    db: Database, trip: Ref[Trip], rate: Ref[Rate], check_in: date, check_out: date, guests: Guests
) -> View[Booking]:
    """Hold a room for 24 hours.

    Args:
        trip: the trip that it is added to.
        rate: the room and its rate.
        check_in: the first night.
        check_out: the day of leaving, which is no night.
        guests: how many sleep in it.
    """
    _require_open(trip)
    nights, hotel = stay(check_in, check_out), db.get_one(Hotel, rate.hotel_id).name
    if check_in < db.now.date():
        raise Refusal("invalid_argument", "The first night is over already.")
    days = {"check_in": check_in, "check_out": check_out, "hotel": hotel}
    price = nights * rate.cents_per_night
    return View(db.add(Booking, trip=trip, rate=rate, kind="room", price_cents=price, **days, **_held(db)))


@tool("write")
def choose_seat(
    db: Database, booking: Ref[Booking], seat: Ref[Seat], traveler: Ref[Traveler] | None = None
) -> View[Booking]:
    """Choose a seat on a booked flight; it replaces the one that was chosen there before.

    Args:
        traveler: for whom; for the customer without one.
    """
    passenger = _passenger(db, booking, traveler)
    if seat.flight_id not in (booking.flight_id, booking.onward_id) or seat.cabin != booking.cabin:
        raise Refusal("invalid_argument", "That seat is on another flight or in another cabin.")
    if not is_free(db, seat):
        raise Refusal("taken", "Somebody has this seat.")
    price = seat.price_cents
    for old in db.find(Seat, passenger_id=passenger.passenger_id):
        if old.flight_id == seat.flight_id:
            price -= old.price_cents
            db.update(old, passenger_id=None)
    db.update(seat, passenger_id=passenger.passenger_id)
    return View(db.update(booking, price_cents=booking.price_cents + price), extra_cost_cents=price)


@tool("write")
def add_bags(
    db: Database, booking: Ref[Booking], bags: Annotated[int, Field(ge=1, le=3)], traveler: Ref[Traveler] | None = None
) -> View[Booking]:
    """Add bags to a booked flight.

    Args:
        bags: how many more.
        traveler: for whom; for the customer without one.
    """
    passenger = _passenger(db, booking, traveler)
    price = bags * BAG_CENTS * (2 if booking.onward_id else 1)
    db.update(passenger, bags=passenger.bags + bags)
    return View(db.update(booking, price_cents=booking.price_cents + price), extra_cost_cents=price)


@tool("read")
def list_payment_cards(db: Database) -> list[View[schema.Card]]:
    """List the customer's cards."""
    return [View(row) for row in db.mine(schema.Card)]


@tool("write")
def pay_trip(
    db: Database,
    trip: Ref[Trip],
    card: Ref[schema.Card],
    card_code: Secret,
    total_cents: Annotated[int, Field(ge=0)],
    use_credit: bool = False,
) -> dict[str, View[Trip] | int]:
    """Pay for all that is held in a trip and has not lapsed.

    Args:
        card: what is charged.
        card_code: its code, as the customer says it.
        total_cents: what is due, as it was told to the customer.
        use_credit: whether travel credit is used up first.
    """
    rows = [row for row in db.find(Booking, trip_id=trip.trip_id) if schema.state_of(db, row) == "held"]
    due = sum(row.price_cents for row in rows)
    if total_cents != due:
        raise Refusal("wrong_total", f"What is due is another sum, {due} cents; tell it first.")
    if card_code.strip() != card.code:
        raise Refusal("wrong_code", "A card is charged with its right code only.")
    me = db.owner(schema.Customer)
    credit = min(me.credit_cents, due) if use_credit else 0
    if use_credit and not credit:
        raise Refusal("no_credit", "There is no travel credit.")
    for row in rows:
        db.update(row, status="paid", hold_until=None, card_id=card.card_id, booked_at=db.now)
    if credit:
        db.update(me, credit_cents=me.credit_cents - credit)
    paid = View(db.update(trip, state="booked"))
    return {"trip": paid, "total_cents": due, "credit_used_cents": credit, "card_charge_cents": due - credit}


@tool("read")
def quote_change(
    db: Database, booking: Ref[Booking], action: Literal["cancel", "move"], flight: Ref[Flight] | None = None
) -> dict[str, int | bool | str]:
    """Get what it costs to cancel a booking or to move it to another flight, and what comes back.

    Args:
        action: what is to be done.
        flight: where to move it.
    """
    if action == "move":
        if flight is None:
            raise Refusal("invalid_argument", "To move a booking, name the flight that it is moved to.")
        fee, difference = change_of(db, booking, flight)
        return {"fee_cents": fee, "fare_difference_cents": difference, "to_pay_cents": fee + difference}
    refund = refund_of(db, booking)
    state = schema.state_of(db, booking)
    return {"refund_cents": refund, "fee_cents": booking.price_cents - refund if state == "paid" else 0}


@tool("write")
def cancel_booking(db: Database, booking: Ref[Booking]) -> View[Booking]:
    """Cancel a flight or a room; what was paid goes back to the card, and a hold is let go."""
    refund = refund_of(db, booking)
    _free_seats(db, booking)
    made = db.update(booking, status="cancelled", hold_until=None)
    trip = db.get_one(Trip, booking.trip_id)
    rest = [row for row in db.find(Booking, trip_id=trip.trip_id) if schema.state_of(db, row) in ("held", "paid")]
    if trip.state == "booked" and not rest:
        db.update(trip, state="cancelled")
    return View(made, refund_cents=refund)


@tool("write")
def move_flight(db: Database, booking: Ref[Booking], flight: Ref[Flight]) -> View[Booking]:
    """Move a paid booking of one flight to another flight of its route; chosen seats are given up.

    Args:
        flight: where to; fee and difference in fare go to the card that has paid.
    """
    fee, difference = change_of(db, booking, flight)
    fare = fare_like(db, booking, flight)
    _free_seats(db, booking)
    days = {"departs": flight.departs, "arrives": flight.arrives, "flight_id": flight.flight_id}
    price = booking.price_cents + fee + difference
    return View(db.update(booking, fare_id=fare.fare_id, price_cents=price, **days), amount_paid_cents=fee + difference)


_HOTELS = """city = :city AND stars >= :stars AND (:most IS NULL OR from_cents <= :most)
    AND instr(amenities, :amenity) AND hotel_id IN (SELECT hotel_id FROM rates WHERE guests >= :guests)
    ORDER BY from_cents, hotel_id"""
_ON_DAY = """origin_code = :origin AND departs > :first AND departs < :last
    AND (:to IS NULL OR destination_code = :to)"""
_TRIPS = """customer_id = :owner AND (:state IS NULL OR state = :state)
    AND (:text IS NULL OR instr(lower(name), :text) OR EXISTS (SELECT 1 FROM bookings
         WHERE trip_id = trips.trip_id AND (instr(lower(hotel), :text) OR instr(lower(to_city), :text))))
    ORDER BY trip_id"""


def _leaving(db: Database, origin: str, destination: str | None, day: date) -> list[Flight]:
    """The flights of a route, or all from an airport, that leave on a day."""
    return db.select(Flight, _ON_DAY, origin=origin, to=destination, first=f"{day}", last=f"{day}T99")


def minutes(db: Database, first: Flight, last: Flight | None = None) -> int:
    """How long a flight takes, or a connection from first to last; its times are local."""
    begin, end = db.get_one(Place, first.origin_code), db.get_one(Place, (last or first).destination_code)
    local: timedelta = (last or first).arrives - first.departs
    return int(local.total_seconds()) // 60 - 60 * (end.utc_hours - begin.utc_hours)


def connections(db: Database, origin: Place, destination: Place, day: date, cabin: str) -> list[dict[str, Any]]:
    """The connections with one stop that begin on a day."""
    return [
        {"flight_ids": [first.flight_id, second.flight_id], "change_at": second.origin_code,
         "minutes_to_change": int((second.departs - first.arrives).total_seconds()) // 60,
         "departs": first.departs, "arrives": second.arrives, "minutes": minutes(db, first, second),
         "price_cents": getattr(first, f"{cabin}_cents") + getattr(second, f"{cabin}_cents")}
        for first in _leaving(db, origin.code, None, day)
        for second in db.select(Flight, _ONWARD, at=first.destination_code, to=destination.code, **_between(first))
    ]  # fmt: skip


_ONWARD = "origin_code = :at AND destination_code = :to AND departs BETWEEN :first AND :last"


def _between(first: Flight) -> dict[str, str]:
    """The moments between which another flight can be changed to."""
    least, most = (first.arrives + time for time in CHANGE)
    return {"first": least.isoformat(timespec="minutes"), "last": most.isoformat(timespec="minutes")}


def is_free(db: Database, seat: Seat) -> bool:
    """Whether nobody has a seat; that of a hold that has lapsed is free again."""
    if seat.passenger_id is None:
        return True
    booking = db.get_one(Booking, db.get_one(schema.Passenger, seat.passenger_id).booking_id)
    return schema.state_of(db, booking) == "lapsed"


def stay(check_in: date, check_out: date) -> int:
    """The nights of a stay."""
    if check_out <= check_in:
        raise Refusal("invalid_argument", "A stay ends on a later day than it begins.")
    return (check_out - check_in).days


def refund_of(db: Database, booking: Booking) -> int:
    """What comes back when a booking is cancelled now."""
    if schema.state_of(db, booking) != "paid":
        return 0
    if booking.kind == "room":
        days = db.get_one(Rate, booking.rate_id).refundable_until_days
        in_time = days is not None and db.now.date() <= booking.check_in - timedelta(days=days)  # type: ignore[operator]
    else:
        fares = [db.get_one(Fare, each) for each in (booking.fare_id, booking.onward_fare_id) if each]
        in_time = db.now - booking.booked_at <= FREE_CANCEL or all(fare.refundable for fare in fares)
    return booking.price_cents if in_time else 0


def fare_like(db: Database, booking: Booking, flight: Flight) -> Fare:
    """The fare of another flight that has the cabin and kind of a booking's."""
    return db.find(Fare, flight_id=flight.flight_id, cabin=booking.cabin, kind=booking.fare)[0]


def change_of(db: Database, booking: Booking, flight: Flight) -> tuple[int, int]:
    """The fee for a move, and the difference in fare where the new flight costs more."""
    if booking.kind != "flight" or booking.onward_id or schema.state_of(db, booking) != "paid":
        raise Refusal("wrong_state", "Only a paid booking of one flight is moved; cancel others and hold anew.")
    if flight.flight_id == booking.flight_id:
        raise Refusal("no_change", "The booking is for this flight.")
    old = db.get_one(Fare, booking.fare_id)
    new, count = fare_like(db, booking, flight), len(_flying(db, booking))
    return old.change_fee_cents * count, max(0, new.price_cents - old.price_cents) * count


def _flying(db: Database, booking: Booking) -> set[str]:
    return {row.traveler_id for row in db.find(schema.Passenger, booking_id=booking.booking_id)}


def _free_seats(db: Database, booking: Booking) -> None:
    for passenger in db.find(schema.Passenger, booking_id=booking.booking_id):
        for seat in db.find(Seat, passenger_id=passenger.passenger_id):
            db.update(seat, passenger_id=None)


def _held(db: Database) -> dict[str, Any]:
    return {"status": "held", "booked_at": db.now, "hold_until": db.now + HOLD}


def _passenger(db: Database, booking: Booking, traveler: Traveler | None) -> schema.Passenger:
    key = (traveler or db.mine(Traveler, label=schema.OWN)[0]).traveler_id
    found = db.find(schema.Passenger, booking_id=booking.booking_id, traveler_id=key)
    if not found:
        raise Refusal("invalid_argument", "That person does not fly on this booking.")
    return found[0]


def _require_open(trip: Trip) -> None:
    if trip.state in ("travelled", "cancelled"):
        raise Refusal("wrong_state", f"A trip that is {trip.state} takes no more bookings.")
