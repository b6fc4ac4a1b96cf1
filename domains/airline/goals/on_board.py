"""Changing the bags and the passengers of a trip."""

from collections.abc import Mapping

from toolgym.domains import people
from toolgym.domains.airline.goals import draws
from toolgym.domains.airline.goals.booking import bags_in_words
from toolgym.domains.airline.rules import bags_only_added, free_bags, same_number
from toolgym.domains.airline.schema import SavedPassenger, as_person
from toolgym.domains.airline.tools import update_reservation_baggages, update_reservation_passengers
from toolgym.domains.calculator import calculate
from toolgym.sandbox.kit.goal import Ask, Draw, Goal, Slot, Tell


def _bag_total(draw: Draw) -> int:
    return int(draw.values["reservation"].total_baggages) + int(draw.values["bags"])


def _paid_bags(draw: Draw) -> int:
    trip = draw.values["reservation"]
    free = free_bags(draw.person.membership, trip.cabin, len(draws.travellers_of(draw)))
    return int(max(trip.nonfree_baggages, _bag_total(draw) - free))


def _bag_sums(draw: Draw) -> draws.Reads:
    total, trip = _bag_total(draw), draw.values["reservation"]
    sums = [f"{trip.total_baggages} + {draw.values['bags']}", f"{total} - {total - _paid_bags(draw)}"]
    return [*draws.details_of(draw), *((calculate, {"expression": each}) for each in sums)]


def _leaver(draw: Draw) -> str:
    return _name(draw.rng.choice(draws.travellers_of(draw)))


def _leaver_in_words(name: str, draw: Draw) -> str:
    return f"me ({name})" if name == _name(as_person(draw.person)) else name


def _name(person: Mapping[str, str]) -> str:
    return f"{person['first_name']} {person['last_name']}"


def _newcomer(draw: Draw) -> dict[str, str]:
    """Somebody who is not on the trip: saved in the profile, or unknown so far."""
    on_board = [_name(person) for person in draws.travellers_of(draw)]
    saved = [row for row in draw.rows(SavedPassenger) if _name(as_person(row)) not in on_board]
    if saved and draw.rng.random() < 0.5:
        row = draw.rng.choice(saved)
        return {"first_name": row.first_name, "last_name": row.last_name}
    own, rng = draw.person, draw.rng
    return {
        "first_name": rng.choice([name for name in people.FIRST_NAMES if name != own.first_name]),
        "last_name": rng.choice([name for name in people.LAST_NAMES if name != own.last_name]),
        "dob": "{}-{:02}-{:02}".format(*(rng.randrange(*span) for span in ((1950, 2006), (1, 13), (1, 29)))),
    }


def _newcomer_in_words(new: dict[str, str]) -> str:
    known = f"born {new['dob']}" if "dob" in new else "who is in my profile"
    return f"{new['first_name']} {new['last_name']} ({known})"


def _entered(draw: Draw) -> dict[str, str]:
    """The newcomer as the tools take them."""
    new: dict[str, str] = draw.values["new"]
    saved = map(as_person, draw.rows(SavedPassenger))
    return new if "dob" in new else next(person for person in saved if _name(person) == _name(new))


def _replaced(draw: Draw) -> list[dict[str, str]]:
    left = draw.values["old"]
    return [_entered(draw) if _name(person) == left else person for person in draws.travellers_of(draw)]


OLD = Slot("old", draw=_leaver, say=_leaver_in_words, says=("{} stays at home.",), reads=draws.details_of)
NEW = Slot("new", withheld=0.5, draw=_newcomer, say=_newcomer_in_words, says=("{} will travel.", "It is {}."))

ON_BOARD = (
    Goal(
        update_reservation_baggages,
        name="add_bags",
        slots=(
            draws.SOUND,
            draws.PAYMENT,
            Slot("bags", draw=(1, 2, 3), say=bags_in_words, says=("{}.",), reads=_bag_sums),
        ),
        worked_out={"total_baggages": _bag_total, "nonfree_baggages": _paid_bags},
        asks=(Ask("What does that cost me?", Tell("fee", "number", value=draws.difference)),),
    ),
    Goal(
        update_reservation_baggages,
        name="remove_bags",
        against=bags_only_added,
        slots=(
            Slot("reservation", withheld=0.4, where=lambda trip: draws.is_sound(trip) and trip.row.total_baggages > 0),
        ),
        about=(Slot("bags", draw=(-1,), say=lambda bags: bags_in_words(-bags)),),
        worked_out={"total_baggages": _bag_total, "nonfree_baggages": lambda draw: 0, "payment": draws.card},
    ),
    Goal(
        update_reservation_passengers,
        name="replace_passenger",
        slots=(draws.SOUND, OLD, NEW),
        worked_out={"passengers": _replaced},
    ),
    Goal(
        update_reservation_passengers,
        name="add_passenger",
        against=same_number,
        slots=(draws.SOUND,),
        about=(NEW,),
        worked_out={"passengers": lambda draw: [*draws.travellers_of(draw), _entered(draw)]},
    ),
)
