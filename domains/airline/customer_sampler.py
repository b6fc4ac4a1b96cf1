"""One customer in one airline task: their reservations, how they speak of them, and how they pay."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

from domains.airline.reservation_rules import Record, day_words, place_words, world
from domains.airline.seed import ALLOWANCE
from domains.airline.wording import method_in_words
from sandbox.kit.message import ToolCall
from sandbox.kit.task import Difficulty, Fact
from sandbox.synthesis.goal_builder import GoalDraft, call


@dataclass(frozen=True)
class Reference:
    """How the customer speaks of a reservation.

    Attributes:
        words: in a wish, with the person left open (see `sandbox.synthesis.wording`).
        facts: what they can say when asked which reservation it is.
    """

    words: str
    facts: tuple[Fact, ...]


@dataclass
class CustomerSampler:
    """A customer in one task, with the draw that decides everything about it.

    Attributes:
        rng: this task's draw.
        user: the customer's profile.
        difficulty: how much is told at once.
        used: reservations that wishes of this task concern already.
        spoken: how reservations have been spoken of.
    """

    rng: random.Random
    user: Record
    difficulty: Difficulty
    used: set[str] = field(default_factory=set)
    spoken: dict[str, Reference] = field(default_factory=dict)

    @property
    def vague(self) -> bool:
        """Reservations are described, not numbered: the agent must find them."""
        return self.difficulty == "hard"

    def asks_for(self, *, share: float) -> bool:
        """Whether a fact is kept back until asked for: never where all is stated plainly, else in a share of draws."""
        return self.difficulty != "simple" and self.rng.random() < share

    # --- reservations ---

    def trips(self, fits: Callable[[Record], bool]) -> list[Record]:
        """The customer's reservations that fit and that no other wish concerns, in random order."""
        found = [trip for trip in self._all() if trip["reservation_id"] not in self.used and fits(trip)]
        self.rng.shuffle(found)
        return [trip for trip in found if not self.vague or any(self._known_for(trip))]

    def take(self, trip: Record) -> None:
        """Mark a reservation as concerned."""
        self.used.add(trip["reservation_id"])

    def refer(self, trip: Record) -> Reference:
        """Speak of a reservation: by number, as one whose number is told when asked, or by where it goes."""
        code = trip["reservation_id"]
        spoken = self.spoken.get(code)
        if spoken is not None and self.difficulty != "simple":
            return Reference(self.rng.choice(("that reservation", "the same reservation")), spoken.facts)
        self.spoken[code] = reference = self._described(trip) if self.vague else self._numbered(code)
        return reference

    def look_at(self, trip: Record) -> tuple[ToolCall, ...]:
        """The read of one reservation; without its number the agent looks at the customer's up to it."""
        code, owned = trip["reservation_id"], self.user["reservations"]
        codes = owned[: owned.index(code) + 1] if self.vague else [code]
        return tuple(call("get_reservation_details", reservation_id=number) for number in codes)

    def _numbered(self, code: str) -> Reference:
        simple = self.difficulty == "simple"
        words = ("one of {my} reservations", "a reservation of {mine}", "a trip that {I} have booked")
        fact = Fact(name="reservation_id", value=code, on_request=not simple)
        return Reference(f"reservation {code}" if simple else self.rng.choice(words), (fact,))

    def _described(self, trip: Record) -> Reference:
        mark = next(self._known_for(trip))
        return Reference(f"{{my}} trip {mark}", (Fact(name="reservation", value=f"the trip {mark}"),))

    def _known_for(self, trip: Record) -> Iterator[str]:
        """What tells a reservation apart from the customer's others."""
        others = [other for other in self._all() if other["reservation_id"] != trip["reservation_id"]]
        route = (trip["origin"], trip["destination"])
        words = f"from {place_words(route[0])} to {place_words(route[1])}"
        same = [other for other in others if (other["origin"], other["destination"]) == route]
        if not same:
            yield words
        day = trip["flights"][0]["date"]
        if all(other["flights"][0]["date"] != day for other in same):
            yield f"{words} on {day_words(day)}"

    def _all(self) -> list[Record]:
        return [world().reservations[code] for code in self.user["reservations"]]

    def companions(self, trip: Record) -> list[Record]:
        """The passengers of a reservation whose first name is not the customer's own."""
        return [p for p in trip["passengers"] if p["first_name"] != self.user["name"]["first_name"]]

    # --- paying ---

    def methods(self, *sources: str) -> list[Record]:
        """The customer's payment methods of these sources that words can tell apart, in random order."""
        found = [method for method in self.user["payment_methods"].values() if method["source"] in sources]
        words = [self.words_for(method) for method in self.user["payment_methods"].values()]
        found = [method for method in found if words.count(self.words_for(method)) == 1]
        self.rng.shuffle(found)
        return found

    def words_for(self, method: Record) -> str:
        """A payment method as the customer calls it."""
        owned = self.user["payment_methods"].values()
        return method_in_words(method, alone=sum(other["source"] == method["source"] for other in owned) == 1)

    def payer(self, dollars: int) -> Record | None:
        """A credit card or gift card that can pay this much (or receive it)."""
        fitting = (method for method in self.methods("credit_card", "gift_card") if affords(method, dollars))
        return next(fitting, None)

    def payment_fact(self, method: Record, *, asked: bool) -> Fact:
        """The wished payment method."""
        return Fact(name="payment", value=self.words_for(method), on_request=asked)

    def free_bags(self, cabin: str, count: int) -> int:
        """How many checked bags so many passengers have free."""
        return ALLOWANCE[self.user["membership"]][cabin] * count


Builder = Callable[[CustomerSampler], GoalDraft | None]


def affords(method: Record, dollars: int) -> bool:
    """Whether a method can pay this much: credit cards always can."""
    return "amount" not in method or method["amount"] >= dollars


def status_reads(trip: Record) -> tuple[ToolCall, ...]:
    """The reads of the status of a reservation's flights."""
    return tuple(
        call("get_flight_status", flight_number=leg["flight_number"], date=leg["date"]) for leg in trip["flights"]
    )


def fare_reads(trip: Record) -> tuple[ToolCall, ...]:
    """The searches that show today's prices of a reservation's flights."""
    return tuple(
        call("search_direct_flight", origin=leg["origin"], destination=leg["destination"], date=leg["date"])
        for leg in trip["flights"]
    )
