"""Changing the bags and the passengers of a trip."""

from __future__ import annotations

from collections.abc import Mapping

from toolgym.domains import people
from toolgym.domains.airline.goals.booking import bags_in_words
from toolgym.domains.airline.goals.draws import (
    PAYMENT,
    SOUND,
    Reads,
    card,
    details_of,
    difference,
    is_sound,
    travellers_of,
)
from toolgym.domains.airline.rules import bags_only_added, free_bags, same_number
from toolgym.domains.airline.schema import SavedPassenger, as_person
from toolgym.domains.airline.tools import update_reservation_baggages, update_reservation_passengers
from toolgym.domains.calculator import calculate
from toolgym.sandbox.kit.goal import Ask, Draw, Goal, Slot, Tell


def _bag_total(draw: Draw) -> int:
    return int(draw.values["reservation"].total_baggages) + int(draw.values["bags"])


def _paid_bags(draw: Draw) -> int:
    trip = draw.values["reservation"]
    free = free_bags(draw.person.membership, trip.cabin, len(travellers_of(draw)))
    return int(max(trip.nonfree_baggages, _bag_total(draw) - free))


def _bag_sums(draw: Draw) -> Reads:
    total, trip = _bag_total(draw), draw.values["reservation"]
    sums = [f"{trip.total_baggages} + {draw.values['bags']}", f"{total} - {total - _paid_bags(draw)}"]
    return [*details_of(draw), *((calculate, {"expression": each}) for each in sums)]


def _leaver(draw: Draw) -> str:
    return _name(draw.rng.choice(travellers_of(draw)))


def _leaver_in_words(name: str, draw: Draw) -> str:
    return f"me ({name})" if name == _name(as_person(draw.person)) else name


def _name(person: Mapping[str, str]) -> str:
    return f"{person['first_name']} {person['last_name']}"


def _newcomer(draw: Draw) -> dict[str, str]:
    """Somebody who is not on the trip: saved in the profile, or unknown so far."""
    on_board = [_name(person) for person in travellers_of(draw)]
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
    return [_entered(draw) if _name(person) == left else person for person in travellers_of(draw)]


OLD = Slot("old", draw=_leaver, say=_leaver_in_words, says=("{} stays at home.",), reads=details_of)
NEW = Slot("new", withheld=0.5, draw=_newcomer, say=_newcomer_in_words, says=("{} will travel.", "It is {}."))

ON_BOARD = (
    Goal(
        update_reservation_baggages,
        name="add_bags",
        verbs=("add", "raise", "increase"),
        says=(
            "I want to add {bags} to {reservation}[, and {payment} can pay for it].",
            "Please add {bags} to {reservation}[; charge {payment} if it costs anything].",
            "I'd like to bring {bags} on top of what's on {reservation}[, paid with {payment}].",
            "Could you add {bags} to {reservation}?[ Please charge {payment} for it.]",
            "We're packing more than planned, so please add {bags} to {reservation}[; put it on {payment}].",
            "Can I have {bags} on top of what I booked on {reservation}?[ Use {payment}, please.]",
            "There's more luggage than I thought: add {bags} to {reservation}[ and use {payment}], please.",
            "I need {bags} added to {reservation}[. You can use {payment}].",
            "Would you put {bags} extra on {reservation}?[ What it costs goes on {payment}.]",
            "Please book {bags} in addition on {reservation}[, with {payment} for the cost].",
            "Is it possible to add {bags} to {reservation}?[ I'd pay with {payment}.]",
            "I've bought a lot and need to add {bags} to {reservation}[, charged to {payment}].",
        ),
        slots=(SOUND, PAYMENT, Slot("bags", draw=(1, 2, 3), say=bags_in_words, says=("{}.",), reads=_bag_sums)),
        worked_out={"total_baggages": _bag_total, "nonfree_baggages": _paid_bags},
        asks=(Ask("What does that cost me?", Tell("fee", "number", value=difference)),),
    ),
    Goal(
        update_reservation_baggages,
        name="remove_bags",
        against=bags_only_added,
        verbs=("remove", "drop"),
        says=(
            "I want to travel light: drop {bags} from {reservation} and refund it.",
            "Please take {bags} off {reservation}.",
            "I don't need that much luggage, so take {bags} off {reservation}, please.",
            "We're packing less than planned; please remove {bags} from {reservation}.",
            "Could you remove {bags} from {reservation}?",
            "I won't be bringing {bags} on {reservation}. Please take that off.",
            "Can you cancel {bags} on {reservation} and give me the money back?",
            "I booked too much luggage: please remove {bags} from {reservation}.",
            "Is it possible to take {bags} off {reservation} again?",
            "I'd like {bags} removed from {reservation}, since I'm taking less.",
            "Please refund {bags} on {reservation}; I don't need it.",
            "Would you drop {bags} from {reservation}? I'm bringing less than I thought.",
        ),
        slots=(
            Slot(
                "reservation",
                withheld=0.4,
                where=lambda trip: is_sound(trip) and trip.row.total_baggages > 0,
            ),
        ),
        about=(Slot("bags", draw=(-1,), say=lambda bags: bags_in_words(-bags)),),
        worked_out={"total_baggages": _bag_total, "nonfree_baggages": lambda draw: 0, "payment": card},
    ),
    Goal(
        update_reservation_passengers,
        name="replace_passenger",
        verbs=("replace", "change", "swap", "switch", "exchange", "take off", "put on"),
        says=(
            "I want to put [{new}|somebody else] on {reservation} in place of {old}.",
            "Please replace {old} with [{new}|another person] on {reservation}.",
            "On {reservation}, [{new}|somebody else] will travel instead of {old}. Please change that.",
            "Could you change who travels on {reservation}: [{new}|another passenger] instead of {old}?",
            "There's a change on {reservation}: [{new}|someone else] flies in place of {old}.",
            "Please put [{new}|somebody else] on {reservation} and take {old} off.",
            "I need to swap a passenger on {reservation}: [{new}|someone else] goes instead of {old}.",
            "Can [{new}|another person] take the place of {old} on {reservation}?",
            "We've had a change of plan on {reservation}: [{new}|somebody else] is coming rather than {old}.",
            "I'd like to change a passenger on {reservation}, from {old} to [{new}|somebody else].",
            "Would you replace {old} on {reservation}? [{new}|Somebody else] will be flying.",
            "The seat on {reservation} booked for {old} is for [{new}|somebody else] now. Please update it.",
        ),
        slots=(SOUND, OLD, NEW),
        worked_out={"passengers": _replaced},
    ),
    Goal(
        update_reservation_passengers,
        name="add_passenger",
        against=same_number,
        verbs=("add",),
        says=(
            "I want to add another person to {reservation}[: {new}].",
            "Please put one more traveller on {reservation}[, {new}].",
            "There's one more of us on {reservation} now[: {new}]. Please add that person.",
            "Can somebody else come along on {reservation}?[ I mean {new}.]",
            "One more person wants to join {reservation}[, {new}]; please add them.",
            "Could you book an additional passenger onto {reservation}[, namely {new}]?",
            "Is there room for another passenger on {reservation}?[ It's {new}.]",
            "I'd like to bring somebody along on {reservation}[: {new}]. Please add them.",
            "A friend would like to travel with us on {reservation}[: {new}]. Can you add them?",
            "Would you add a passenger to {reservation}?[ It would be {new}.]",
            "We need an extra seat on {reservation}[ for {new}].",
            "Please include one more passenger on {reservation}[, {new}].",
        ),
        slots=(SOUND,),
        about=(NEW,),
        worked_out={"passengers": lambda draw: [*travellers_of(draw), _entered(draw)]},
    ),
)
