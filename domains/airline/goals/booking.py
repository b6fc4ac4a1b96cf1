"""Booking a trip: direct or with one stop, one way or both, for one or several, paid in one way or more."""

from collections.abc import Mapping, Sequence
from datetime import date, timedelta
from typing import Any, NamedTuple
from weakref import WeakKeyDictionary

from toolgym.domains.airline import searching, tools
from toolgym.domains.airline.airports import PLACES, spoken
from toolgym.domains.airline.rules import free_bags
from toolgym.domains.airline.schema import Flight, PaymentMethod, SavedPassenger
from toolgym.domains.airline.seed import DAYS, FIRST_DAY
from toolgym.domains.calculator import calculate
from toolgym.sandbox.kit.world import Ask, Database, Draw, Goal, Slot, Tell, Tool

CABIN_WORDS = {"basic_economy": "basic economy", "economy": "economy", "business": "business"}
CHEAPEST, FIRST_OF_DAY = "the cheapest one if there are several", "the first of the day if there are several"
PICKS = (CHEAPEST, FIRST_OF_DAY, "")
"""What singles a flight out; the last one serves where there is only one."""
CODES = {spoken(place.iata): place.iata for place in PLACES}
LAST_DAY = FIRST_DAY + timedelta(days=DAYS - 1)
Reads = list[tuple[Tool, Mapping[str, Any]]]


class Offer(NamedTuple):
    """A flight that can be booked, or two with a stop; `price` of one seat in dollars."""

    flights: tuple[dict[str, str], ...]
    departs: str
    price: int


_searches: WeakKeyDictionary[Database, dict[tuple[Any, ...], list[list[Any]]]] = WeakKeyDictionary()
_routes: WeakKeyDictionary[Database, list[tuple[str, str]]] = WeakKeyDictionary()
"""What searches have shown in rows that nobody writes: draws come back to the same ones."""


def offers(
    db: Database, origin: str, destination: str, day: str, cabin: str, count: int, *, stop: bool = False
) -> list[Offer]:
    """The flights of a day with enough seats in a cabin: direct ones, or pairs with one stop."""
    shown = _searches.setdefault(db, {})
    search = (origin, destination, day, stop)
    if search not in shown:
        direct = [[view] for view in searching.direct(db, origin, destination, day)] if not stop else []
        shown[search] = searching.onestop(db, origin, destination, day) if stop else direct
    fitting = [views for views in shown[search] if all(view["available_seats"][cabin] >= count for view in views)]
    return [_offer(views, day, cabin) for views in fitting]


def _offer(views: Sequence[Any], day: str, cabin: str) -> Offer:
    flights = tuple({"flight_number": view["flight_number"], "date": view.get("date", day)} for view in views)
    return Offer(flights, views[0]["scheduled_departure_time_est"], sum(view["prices"][cabin] for view in views))


def picked(found: Sequence[Offer], pick: str) -> Offer | None:
    """The one that these words single out; None when they single none out, or there is only one without them."""
    if len(found) < 2 or not pick:
        return found[0] if len(found) == 1 and not pick else None
    ordered = sorted(found, key=lambda offer: offer.price if pick == CHEAPEST else offer.departs)
    first, second = ordered[0], ordered[1]
    alike = first.price == second.price if pick == CHEAPEST else first.departs == second.departs
    return None if alike else first


def bags_in_words(count: int) -> str:
    """So many checked bags."""
    return f"{count or 'no'} checked bag{'' if count == 1 else 's'}"


# --- the trip ---


def _flown(db: Database) -> list[tuple[str, str]]:
    """The airports between which there are direct flights."""
    if db not in _routes:
        _routes[db] = sorted({(flight.origin, flight.destination) for flight in db.find(Flight)})
    return _routes[db]


def route(draw: Draw, *, stops: bool = False) -> tuple[str, str]:
    """Two airports with a direct flight, or two of different cities without one."""
    flown = _flown(draw.database)
    if not stops:
        return draw.rng.choice(flown)
    ends = sorted({origin for origin, _ in flown})
    cities = {place.iata: place.city for place in PLACES}
    pairs = [(a, b) for a in ends for b in ends if (a, b) not in flown and cities[a] != cities[b]]
    return draw.rng.choice(pairs)


def _means_flight(draw: Draw) -> dict[str, Any]:
    """Direct or with a stop, and which flight where there are several."""
    return {"stops": draw.rng.random() < 0.3, "pick": draw.rng.choice(PICKS)}


def _which(flight: Mapping[str, Any], draw: Draw) -> str:
    each = " each way" if len(draw.values["trip"]["days"]) > 1 else ""
    return ", ".join(filter(None, (f"with one stop{each}" if flight["stops"] else "direct", flight["pick"])))


def _trip(draw: Draw) -> dict[str, Any] | None:
    """A trip that so many can book in the cabin, with flights that the person's words single out."""
    rng = draw.rng
    origin, destination = route(draw, stops=draw.values["which"]["stops"])
    days = [draw.now.date() + timedelta(days=rng.randint(2, 16))]
    if rng.random() < 0.4 and days[0] < LAST_DAY - timedelta(days=6):
        days.append(days[0] + timedelta(days=rng.randint(2, 6)))
    trip = {"from": spoken(origin), "to": spoken(destination), "days": [day.isoformat() for day in days]}
    return trip if _journey(draw, trip) else None


def _ways(trip: Mapping[str, Any]) -> list[tuple[str, str, str]]:
    """Origin, destination and day of the way out and, on a round trip, the way back."""
    origin, destination = CODES[trip["from"]], CODES[trip["to"]]
    ends = ((origin, destination), (destination, origin))
    return [(start, end, day) for (start, end), day in zip(ends, trip["days"], strict=False)]


def _trip_of(draw: Draw) -> dict[str, Any]:
    """The trip of a booking: its ends, and the days of the way out and back."""
    flights, back = draw.values["flights"], draw.values["destination"]
    starts = [draw.database.get_one(Flight, flight["flight_number"]).origin for flight in flights]
    days = [flights[0]["date"]]
    if draw.values["flight_type"] == "round_trip":
        days.append(flights[starts.index(back, 1)]["date"])
    return {"from": spoken(draw.values["origin"]), "to": spoken(back), "days": days}


def _which_of(draw: Draw) -> dict[str, Any]:
    return {"stops": len(draw.values["flights"]) > len(draw.values["trip"]["days"]), "pick": ""}


def _journey(draw: Draw, trip: Mapping[str, Any]) -> list[Offer]:
    """What is meant of each way; empty when the words single nothing out."""
    pick, stops = draw.values["which"]["pick"], draw.values["which"]["stops"]
    wanted = (draw.values["cabin"], len(draw.values["travellers"]))
    choices = [offers(draw.database, *way, *wanted, stop=stops) for way in _ways(trip)]
    needless = pick and all(len(found) < 2 for found in choices)
    chosen = [] if needless else [picked(found, pick if len(found) > 1 else "") for found in choices]
    return [] if None in chosen else [offer for offer in chosen if offer]


def _in_words(trip: dict[str, Any]) -> str:
    out, *back = (f"{date.fromisoformat(day):%B} {int(day[-2:])}" for day in trip["days"])
    kind = "a round trip" if back else "a one-way trip"
    when = f", out on {out} and back on {back[0]}" if back else f" on {out}"
    return f"{kind} from {trip['from']} to {trip['to']}{when}"


def _company(draw: Draw) -> list[str]:
    """The person, and those from the profile who come along."""
    saved = [_called(row) for row in draw.rows(SavedPassenger)]
    return [_called(draw.person), *draw.rng.sample(saved, draw.rng.randint(0, min(2, len(saved))))]


def _called(row: Any) -> str:
    return f"{row.first_name} {row.last_name}"


def _travellers_of(draw: Draw) -> list[str]:
    return [f"{each['first_name']} {each['last_name']}" for each in draw.values["passengers"]]


def _who(names: list[str]) -> str:
    return f"me and {' and '.join(names[1:])} from my profile" if names[1:] else "me alone"


def _passengers(draw: Draw) -> list[dict[str, str]]:
    known = {_called(row): row for row in (*draw.rows(SavedPassenger), draw.person)}
    everybody = [known[name] for name in draw.values["travellers"]]
    return [{name: getattr(row, name) for name in ("first_name", "last_name", "dob")} for row in everybody]


def _flights(draw: Draw) -> list[dict[str, str]]:
    return [flight for offer in _journey(draw, draw.values["trip"]) for flight in offer.flights]


# --- the bill ---

_SOURCES = ("certificate", "gift_card", "credit_card")


def _free(draw: Draw) -> int:
    """How many of the bags are free."""
    free = free_bags(draw.person.membership, draw.values["cabin"], len(draw.values["travellers"]))
    return min(free, int(draw.values["total_baggages"]))


def _paid_bags(draw: Draw) -> int:
    return int(draw.values["total_baggages"]) - _free(draw)


def _price(draw: Draw) -> str:
    """The price as a calculation."""
    fares = " + ".join(str(offer.price) for offer in _journey(draw, draw.values["trip"]))
    insured = tools.INSURANCE if draw.values["insurance"] == "yes" else 0
    return f"({fares} + {insured}) * {len(draw.values['travellers'])} + {tools.BAG} * {_paid_bags(draw)}"


def _total(draw: Draw) -> int:
    seats = sum(offer.price for offer in _journey(draw, draw.values["trip"]))
    insured = tools.INSURANCE if draw.values["insurance"] == "yes" else 0
    return (seats + insured) * len(draw.values["travellers"]) + tools.BAG * _paid_bags(draw)


def _means(draw: Draw) -> list[dict[str, Any]]:
    """What pays, in order: certificates and gift cards first, a credit card for the rest; at times too many."""
    rng, owned = draw.rng, draw.rows(PaymentMethod)
    mixed = rng.sample(owned, len(owned))
    by_source = {source: [row for row in mixed if row.source == source] for source in _SOURCES}
    certificates = rng.choice((0, 0, 1, 1, 2))
    first = [*by_source["certificate"][:certificates], *by_source["gift_card"][: rng.randint(0, 2)]]
    rest, used = _total(draw), []
    for row in [*(first if rng.random() < 0.7 else ()), *by_source["credit_card"][:1]]:
        if rest > 0:
            used.append(row)
            rest -= row.amount or rest
    return [_known(row) for row in used]


def _means_of(draw: Draw) -> list[dict[str, Any]]:
    owned = {row.payment_id: row for row in draw.rows(PaymentMethod)}
    return [_known(owned[share["payment_id"]]) for share in draw.values["payment_methods"]]


def _known(row: PaymentMethod) -> dict[str, Any]:
    """What its owner knows of a payment method."""
    known = {"source": row.source, "amount": row.amount, "last_four": row.last_four}
    return {name: value for name, value in known.items() if value is not None}


def _shares(draw: Draw) -> list[dict[str, Any]] | None:
    """Who pays what; None where the words fit two payment methods."""
    rest, shares = _total(draw), []
    for known in draw.values["payment"]:
        fitting = [row for row in draw.rows(PaymentMethod) if _known(row) == known]
        if len(fitting) != 1:
            return None
        part = min(rest, fitting[0].amount or rest)
        shares.append({"payment_id": fitting[0].payment_id, "amount": part})
        rest -= part
    return shares if rest == 0 else None


def _paying(means: list[dict[str, Any]], draw: Draw) -> str:
    words = [f"my {_name_of(known, draw.rows(PaymentMethod))}" for known in means]
    return words[0] if len(words) == 1 else f"{' and '.join(words[:-1])} first, and {words[-1]} for the rest"


def _name_of(known: Mapping[str, Any], owned: Sequence[PaymentMethod]) -> str:
    name = known["source"].replace("_", " ")
    if "last_four" in known:
        return f"{name} ending in {known['last_four']}"
    alone = sum(row.source == known["source"] for row in owned) == 1
    return name if alone else f"{name} of ${known['amount']}"


def _looked_up(draw: Draw) -> Reads:
    tool = tools.search_onestop_flight if draw.values["which"]["stops"] else tools.search_direct_flight
    searches: Reads = [(tools.list_all_airports, {})]
    searches += [
        (tool, {"origin": start, "destination": end, "date": day}) for start, end, day in _ways(draw.values["trip"])
    ]
    bags = f"{draw.values['total_baggages']} - {_free(draw)}" if _paid_bags(draw) else f"{tools.BAG} * 0"
    return [*searches, (calculate, {"expression": bags}), (calculate, {"expression": _price(draw)})]


def _rests(draw: Draw) -> Reads:
    """What is left to pay after each payment method."""
    parts = [str(share["amount"]) for share in draw.values["payment_methods"][:-1]]
    return [
        (calculate, {"expression": " - ".join([str(_total(draw)), *parts[: index + 1]])}) for index in range(len(parts))
    ]


BOOK = Goal(
    tools.book_reservation,
    slots=(
        Slot("cabin", words=CABIN_WORDS, says=("In {}.", "We fly {}.")),
        Slot(
            "total_baggages",
            withheld=0.6,
            draw=(0, 0, 1, 1, 2, 3),
            say=bags_in_words,
            says=("I take {}.", "{}, please."),
        ),
        Slot(
            "insurance",
            withheld=0.6,
            draw=("yes", "no", "no"),
            words={"yes": "travel insurance", "no": "no travel insurance"},
            says=("I want {}.", "{}, please."),
        ),
        Slot("travellers", draw=_company, say=_who, says=("It is for {}.",), of_call=_travellers_of),
        Slot("trip", draw=_trip, say=_in_words, reads=_looked_up, of_call=_trip_of),
        Slot(
            "payment",
            withheld=0.6,
            draw=_means,
            say=_paying,
            says=("I pay with {}.", "Take {}."),
            reads=_rests,
            of_call=_means_of,
        ),
    ),
    about=(Slot("which", draw=_means_flight, say=_which, says=("{}.",), of_call=_which_of),),
    worked_out={
        "origin": lambda draw: CODES[draw.values["trip"]["from"]],
        "destination": lambda draw: CODES[draw.values["trip"]["to"]],
        "flight_type": lambda draw: "round_trip" if len(draw.values["trip"]["days"]) > 1 else "one_way",
        "flights": _flights,
        "passengers": _passengers,
        "payment_methods": _shares,
        "nonfree_baggages": _paid_bags,
    },
    asks=(Ask("What does it cost in all?", Tell("total", "number", value=lambda result, draw: _total(draw))),),
)
