"""The rules of travel booking: each a sentence of the policy, the words of a refusal and a predicate."""

from datetime import date, datetime, timedelta
from typing import Any

from toolgym.domains.travel_booking import tools
from toolgym.domains.travel_booking.schema import OWN, Booking, Customer, Fare, Flight, Rate, Seat, Traveler, Trip
from toolgym.sandbox.kit.world import View, rule

CLOSES, ADULT, ALONE = timedelta(hours=2), 18, 16
MOST_BAGS, MOST_NIGHTS, PASSPORT_MONTHS = 3, 28, 6


@rule(
    "What has lapsed or was cancelled is neither changed nor cancelled; it is held anew.",
    why="That hold has lapsed, or the booking was cancelled.|lapsed|expired|cancelled|no longer|hold anew",
    on=[tools.choose_seat, tools.add_bags, tools.cancel_booking, tools.move_flight],
    reads=[tools.get_trip],
)
def stands(booking: View[Booking]) -> bool:
    return booking.row.state in ("held", "paid")


@rule(
    "A trip is paid while something is held in it; a hold lapses after 24 hours.",
    why="Nothing in this trip is held any more.|nothing|lapsed|expired|no hold|not held|paid already",
    on=[tools.pay_trip],
    reads=[tools.get_trip],
)
def still_held(trip: View[Trip]) -> bool:
    return trip.row.due_cents > 0


@rule(
    "Flights are held, moved and cancelled, and their seats and bags changed, until two hours before they leave.",
    why="The flight leaves in less than two hours, or has left.|two hours|2 hours|has left|departed|too late|already",
    on=[tools.hold_flight, tools.choose_seat, tools.add_bags, tools.cancel_booking, tools.move_flight],
    reads=[tools.get_trip, tools.get_flight],
)
def not_left(
    now: datetime,
    fares: list[View[Fare]] | None = None,
    booking: View[Booking] | None = None,
    flight: View[Flight] | None = None,
) -> bool:
    flown: list[Any] = [each.row for each in (*(fares or []), booking, flight) if each is not None]
    moments = [each.departs for each in flown]
    return all(moment is None or moment - now >= CLOSES for moment in moments)


@rule(
    "There is a free seat in the cabin for everybody who flies.",
    why="There are not enough seats left in this cabin.|seats left|not enough|sold out|full|no seats",
    on=[tools.hold_flight, tools.move_flight],
    reads=[tools.get_flight],
)
def seats_left(
    fares: list[View[Fare]] | None = None,
    travelers: list[View[Traveler]] | None = None,
    booking: View[Booking] | None = None,
    flight: View[Flight] | None = None,
) -> bool:
    if booking is None or flight is None:
        return all(fare.row.seats_left >= len(travelers or [None]) for fare in fares or [])
    return flight.row.seats_left[booking.row.cabin or "economy"] >= len(booking.row.travelers or [])


@rule(
    "In a connection, the second flight leaves where the first one lands, at least an hour and at most a day later.",
    why="These two flights make no connection.|no connection|an hour|60 minutes|too short|too long|another airport",
    on=[tools.hold_flight],
    reads=[tools.get_flight],
)
def connection(fares: list[View[Fare]]) -> bool:
    first, last = fares[0].row, fares[-1].row
    if len(fares) == 1:
        return True
    least, most = tools.CHANGE
    same: bool = first.destination_code == last.origin_code
    return same and least <= last.departs - first.arrives <= most


@rule(
    "Everybody who flies to another country has a passport that is valid for six months after the flight.",
    why="A passport expires too early.|passport|six months|expires",
    on=[tools.hold_flight, tools.move_flight],
    reads=[tools.get_traveler, tools.list_companions, tools.get_flight],
)
def passport(
    owner: View[Customer],
    fares: list[View[Fare]] | None = None,
    travelers: list[View[Traveler]] | None = None,
    booking: View[Booking] | None = None,
    flight: View[Flight] | None = None,
) -> bool:
    flown: list[Any] = [each.row for each in (*(fares or []), flight) if each is not None]
    until = [each.row.passport_until for each in travelers or []] or [owner.row.passport_until]
    until += [date.fromisoformat(last) for _, last in (booking.row.papers if booking else [])]
    least = max((six_months_after(each.departs.date()) for each in flown if each.abroad), default=None)
    return least is None or all(last >= least for last in until)


@rule(
    "Nobody under 16 flies without an adult, who is 18 or older, in the same booking.",
    why="Somebody under 16 needs an adult in the booking.|adult|under 16|too young|alone",
    on=[tools.hold_flight, tools.move_flight],
    reads=[tools.list_companions],
)
def minor(
    fares: list[View[Fare]] | None = None,
    travelers: list[View[Traveler]] | None = None,
    booking: View[Booking] | None = None,
    flight: View[Flight] | None = None,
) -> bool:
    day = (fares[0] if fares else flight).row.departs.date()  # type: ignore[union-attr]  # a call has one of them
    born = [each.row.birth_date for each in travelers or []]
    born += [date.fromisoformat(first) for first, _ in (booking.row.papers if booking else [])]
    ages = [years(each, day) for each in born] or [ADULT]  # customers are
    return min(ages) >= ALONE or max(ages) >= ADULT


@rule(
    "A booking is moved to a flight between the same two cities.",
    why="That flight goes between other cities.|other cities|another route|same route|same cities",
    on=[tools.move_flight],
    reads=[tools.get_trip, tools.get_flight],
)
def same_route(booking: View[Booking], flight: View[Flight]) -> bool:
    return (booking.row.from_city, booking.row.to_city) == (flight.row.from_city, flight.row.to_city)


@rule(
    "A paid flight on a saver fare is cancelled within 24 hours of its booking, and never after.",
    why="This fare is not refundable.|not refundable|no refund|saver|24 hours|cannot be cancelled",
    on=[tools.cancel_booking],
    reads=[tools.get_trip, tools.quote_change],
)
def saver(booking: View[Booking], now: datetime) -> bool:
    row = booking.row
    bound = row.kind == "flight" and row.state == "paid" and not row.refundable
    return not bound or now - row.booked_at <= tools.FREE_CANCEL


@rule(
    "A paid room is cancelled through the last day on which its rate is refunded, and never after.",
    why="The room is past the free cancellation date, or its rate is not refundable.|past|not refundable|no refund",
    on=[tools.cancel_booking],
    reads=[tools.get_trip, tools.quote_change],
)
def room_until(booking: View[Booking], now: datetime) -> bool:
    row = booking.row
    bound = row.kind == "room" and row.state == "paid"
    return not bound or (row.free_until is not None and now.date() <= row.free_until)


@rule(
    "Everybody takes three bags at most, with those that the fare includes.",
    why="That would be more than three bags for one person.|three bags|3 bags|at most|too many",
    on=[tools.add_bags],
    reads=[tools.get_trip],
)
def three_bags(booking: View[Booking], traveler: View[Traveler] | None, bags: int) -> bool:
    label = traveler.row.label if traveler else OWN
    own = [each["bags"] for each in booking.row.travelers or [] if each["label"] == label]
    return not own or own[0] + bags <= MOST_BAGS


@rule(
    "Nobody under 16 has a seat with extra legroom, which is beside an emergency exit.",
    why="Seats with extra legroom are beside an exit, for those of 16 and older.|exit|under 16|too young|16",
    on=[tools.choose_seat],
    reads=[tools.list_companions, tools.list_seats],
    by="policy",
)
def exit_row(booking: View[Booking], traveler: View[Traveler] | None, seat: View[Seat]) -> bool:
    day = booking.row.departs
    return (
        seat.row.kind != "legroom" or not traveler or day is None or years(traveler.row.birth_date, day.date()) >= ALONE
    )


@rule(
    "A stay has 28 nights at most; the day of leaving is no night.",
    why="A stay has at most 28 nights.|28|too long|at most|nights",
    on=[tools.hold_room],
)
def nights(check_in: date, check_out: date) -> bool:
    return (check_out - check_in).days <= MOST_NIGHTS


@rule(
    "Nobody sleeps in a room beyond the guests that its rate is for.",
    why="The room is too small for so many guests.|too small|guests|not enough|sleeps",
    on=[tools.hold_room],
    reads=[tools.get_hotel],
)
def sleeps(rate: View[Rate], guests: int) -> bool:
    return guests <= rate.row.guests


def six_months_after(day: date) -> date:
    """The same day of the month half a year later, or the month's last."""
    year, month = day.year + (day.month + PASSPORT_MONTHS > 12), (day.month + PASSPORT_MONTHS - 1) % 12 + 1
    last = (date(year + month // 12, month % 12 + 1, 1) - timedelta(days=1)).day
    return date(year, month, min(day.day, last))


def years(born: date, day: date) -> int:
    """How old somebody is on a day."""
    return day.year - born.year - ((day.month, day.day) < (born.month, born.day))
