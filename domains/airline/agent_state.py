"""The state of a dialogue at the airline: who the customer is, their trips, and the wish being served."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import Any, cast

from domains.airline import agent_words as words
from domains.airline.rules import ALLOWANCE
from sandbox.agents.dialogue import DialogueContext, Script
from sandbox.kit.errors import Refusal
from sandbox.kit.message import Json

Record = Mapping[str, Any]
MORE = "Is there anything else?"
YEAR = "2024"


class DialogueState:
    """What the rules agent knows of one customer.

    Attributes:
        dialogue: where it speaks and calls tools.
        user: the profile.
        trips: the reservations.
        airports: all airports.
        text: what has been said of the present wish.
        last: the reservation that was spoken of last.
    """

    def __init__(
        self, dialogue: DialogueContext, user: Record, trips: Sequence[Record], airports: Sequence[Record]
    ) -> None:
        self.dialogue, self.user, self.trips, self.airports = dialogue, user, list(trips), airports
        self.text = ""
        self.last: Record | None = None

    def ask(self, question: str) -> Script[str]:
        """Ask about the present wish; the answer becomes part of it."""
        answer = yield from self.dialogue.say(question)
        self.text = f"{self.text} {answer}"
        return answer

    def refuse(self, reason: str) -> Script[None]:
        """Say that something cannot be done, and why."""
        yield from self.dialogue.say(f"I am sorry, that is not possible: {reason} {MORE}")

    def act(self, proposal: str, report: str, *calls: tuple[str, dict[str, Json]]) -> Script[None]:
        """Propose, and on a yes write and report; after a no the answer is read next."""
        if not (yield from self.dialogue.confirm(proposal)):
            return
        for tool, arguments in calls:
            try:
                yield from self.dialogue.call(tool, **arguments)
            except Refusal as refusal:
                yield from self.refuse(refusal.message)
                return
        yield from self.dialogue.say(f"{report} {MORE}")

    # --- which trip ---

    def trip(self) -> Script[Record | None]:
        """The reservation that the wish is about; None when it was refused or stays unknown."""
        found = self._named() or (self.last if words.SAME.search(self.text) else None)
        if found is None and not words.codes_in(self.text):
            yield from self.ask("Which reservation is it about? Please tell me the reservation number.")
            found = self._named()
        codes = words.codes_in(self.text)
        if found is None and codes:
            yield from self.refuse(f"reservation {codes[-1]} is not yours; I can only serve your own reservations.")
        elif found is None:
            yield from self.refuse("I cannot tell which reservation it is about.")
        self.last = found or self.last
        return found

    def _named(self) -> Record | None:
        codes = words.codes_in(self.text)
        if codes:
            return next((trip for trip in self.trips if trip["reservation_id"] == codes[-1]), None)
        days, places = words.days_in(self.text, YEAR), words.airports_in(self.airports, self.text)
        for ends in pairwise(places):
            fitting = [trip for trip in self.trips if (trip["origin"], trip["destination"]) == ends]
            fitting = [trip for trip in fitting if trip["flights"][0]["date"] in days] or fitting
            if len(fitting) == 1:
                return fitting[0]
        begun = [trip for trip in self.trips if trip["flights"][0]["date"] in days]  # "from Boston, on May 23"
        fitting = [trip for trip in begun if {trip["origin"], trip["destination"]} & set(places)]
        return fitting[0] if len(fitting) == 1 else None

    def statuses(self, trip: Record) -> Script[list[str]]:
        """The status of each flight of a reservation."""
        found = []
        for leg in trip["flights"]:
            date = leg["date"]
            found.append(
                (yield from self.dialogue.call("get_flight_status", flight_number=leg["flight_number"], date=date))
            )
        return found

    # --- money and bags ---

    def method(self) -> Script[Record | None]:
        """The credit card or gift card that is to be used; asked for when none is named."""
        for question in ("Which credit card or gift card should be used for payment?", ""):
            found = [m for m in self._methods() if m["source"] != "certificate"]
            if found:
                return found[-1]
            if question:
                yield from self.ask(question)
        yield from self.refuse("I do not find that card in your profile.")
        return None

    def _methods(self) -> list[Record]:
        return words.methods_in(cast("dict[str, Record]", self.user["payment_methods"]), self.text)

    def paying(self) -> list[Record]:
        """All payment methods that are named, in order."""
        return self._methods()

    def method_words(self, method: Record) -> str:
        """A payment method in words."""
        four = f" ending in {method['last_four']}" if method.get("last_four") else ""
        return f"{method['source'].replace('_', ' ')}{four}"

    def free_bags(self, cabin: str, count: int) -> int:
        """The allowance of so many passengers."""
        return ALLOWANCE[self.user["membership"]][cabin] * count

    def entitled(self, trip: Record) -> bool:
        """Whether the policy lets the customer be compensated at all."""
        insured = trip["insurance"] == "yes"
        return bool(self.user["membership"] != "regular" or insured or trip["cabin"] == "business")


def flown(states: Sequence[str]) -> bool:
    """Whether a flight has been flown."""
    return bool({"flying", "landed"} & set(states))


def cabin_words(cabin: str) -> str:
    """A cabin in words."""
    return cabin.replace("_", " ")


def paid(trip: Record) -> int:
    """Dollars paid for a reservation in all."""
    return sum(payment["amount"] for payment in trip["payment_history"])
