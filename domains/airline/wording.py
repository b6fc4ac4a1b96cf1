"""Words for airline tasks: how customers put their wishes, beside `sandbox.synthesis.wording`. Decides no wish."""

from __future__ import annotations

from collections.abc import Mapping
from random import Random
from typing import Any

from sandbox.synthesis.wording import first

Record = Mapping[str, Any]

SAY: dict[str, tuple[str, ...]] = {
    "cancel": (
        "I want to cancel {trip}.",
        "I'd like to cancel {trip}.",
        "Please cancel {trip}.",
        "Could you cancel {trip} for me?",
        "I need {trip} cancelled.",
    ),
    "cabin": (
        "I want to change {trip} to {cabin}.",
        "Please move {trip} to {cabin}.",
        "I'd like to fly {cabin} on {trip}; all flights of it, please.",
        "Could you change the cabin of {trip} to {cabin}?",
    ),
    "flights": (
        "I want to move {which} of {trip} to {day}.",
        "Please change {which} of {trip} to {day}.",
        "I'd like to take {which} of {trip} on {day} instead.",
        "Could you put {which} of {trip} on {day}?",
    ),
    "bags": (
        "I want to add {bags} to {trip}.",
        "Please add {bags} to {trip}.",
        "I'd like to take {bags} more on {trip}.",
        "Could you add {bags} to {trip}?",
    ),
    "passenger": (
        "I want to put {new} on {trip} in place of {old}.",
        "Please replace {old} by {new} on {trip}.",
        "On {trip}, {new} will travel and not {old}. Please change that.",
        "Could you change who travels on {trip}: {new} instead of {old}?",
    ),
    "passenger_to_be_asked": (
        "I want to replace {old} by somebody else on {trip}.",
        "Please put another passenger on {trip} in place of {old}.",
        "Somebody else will travel on {trip} and not {old}. Please change that.",
    ),
    "book": (
        "I want to book {journey} from {origin} to {destination}.",
        "I'd like to book {journey} from {origin} to {destination}.",
        "Please book me {journey} from {origin} to {destination}.",
        "Could you book {journey} from {origin} to {destination} for me?",
        "I need {journey} from {origin} to {destination}.",
    ),
    "compensation": (
        "I demand compensation: a flight of {trip} has been cancelled by you.",
        "You have cancelled a flight of {trip}. What compensation do I get for that?",
        "The cancelled flight of {trip} ruins my plans; I want to be compensated.",
        "I'd like compensation because you do not fly one of the flights of {trip}.",
    ),
}
"""Openings of wishes; those `_to_be_asked` leave out what the agent must ask for."""

DIFFERENCE = (
    "Use {method} for any difference.",
    "Any price difference should go on {method}.",
    "Please settle the difference with {method}.",
)
CHARGE = ("Please charge {method} for it.", "If it costs anything, use {method}.", "{Method} can pay for it.")
ILL = (
    "{I} have fallen ill.",
    "{I} broke a leg.",
    "{my} doctor has forbidden {me} to fly.",
    "{I} have to go to hospital.",
)
STORM = ("A hurricane is forecast there.", "There is a snow storm.", "They expect heavy storms on that day.")
PLANS = (
    "{my} plans have changed.",
    "{my} meeting has been called off.",
    "{I} have found something better to do.",
    "{I} simply do not feel like going any more.",
    "{my} friends are not coming along after all.",
)
DROPPED = "A flight of it has been cancelled by the airline."
CABIN_WORDS = {"basic_economy": "basic economy", "economy": "economy", "business": "business"}
WITHHELD = {
    "reservation_id": "the reservation number",
    "reason": "your reason",
    "payment": "the payment method",
    "passenger": "who the new passenger is",
    "bags": "how many bags you want",
    "insurance": "whether you want insurance",
}
"""What a scenario calls the facts that the user tells only when asked."""


def pick(rng: Random, kind: str, **parts: str) -> str:
    """One way to open a wish of this kind, in first person."""
    return first(rng.choice(SAY[kind]).format(**parts))


def sentence(text: str) -> str:
    """A text as a sentence of the customer's own."""
    own = first(text)
    return own[0].upper() + own[1:]


def method_in_words(method: Record, *, alone: bool) -> str:
    """A payment method as its owner calls it; `alone` when it is the only one of its sort."""
    if method["source"] == "credit_card":
        return f"credit card ending in {method['last_four']}"
    name = {"gift_card": "gift card", "certificate": "certificate"}[method["source"]]
    return name if alone else f"{name} of ${method['amount']}"


def person_in_words(person: Record) -> str:
    """A person with their date of birth."""
    return f"{person['first_name']} {person['last_name']}, born {person['dob']}"


def bags_in_words(count: int) -> str:
    """So many checked bags."""
    return f"{count} checked bag{'' if count == 1 else 's'}"
