"""Wishes for compensation that the policy grants: for a flight the airline cancelled, or for a delayed one."""

from __future__ import annotations

from domains.airline.changes import from_trips
from domains.airline.customer_sampler import Builder, CustomerSampler, status_reads
from domains.airline.reservation_rules import Record, always_cancellable, dropped, insured, statuses
from domains.airline.wording import PLANS, pick, sentence
from sandbox.kit.task import Fact, Goal
from sandbox.synthesis.goal_builder import GoalDraft, call
from sandbox.synthesis.wording import first, lower_first, second

CANCELLED, DELAYED = 100, 50
"""Dollars for each passenger (policy.md)."""


def entitled(sampler: CustomerSampler, trip: Record) -> bool:
    """Whether the customer may be compensated at all."""
    return sampler.user["membership"] != "regular" or insured(trip) or trip["cabin"] == "business"


def _for_cancelled(sampler: CustomerSampler, trip: Record) -> GoalDraft | None:
    if not entitled(sampler, trip):
        return None
    sampler.take(trip)
    which, count = sampler.refer(trip), len(trip["passengers"])
    asks = sampler.difficulty != "simple" and sampler.rng.random() < 0.3
    goal = Goal(
        kind="send_certificate",
        utterance=pick(sampler.rng, "compensation", trip=which.words) + (" How much is it?" if asks else ""),
        facts=(*which.facts, Fact(name="complaint", value="you have cancelled a flight")),
        calls=(call("send_certificate", user_id=sampler.user["user_id"], amount=CANCELLED * count),),
        must_communicate=(str(CANCELLED * count),) if asks else (),
    )
    want = f"The airline has cancelled a flight of {which.words}; you want compensation for that, and no other change."
    want += " You also want to know how much it is." if asks else ""
    sums = call("calculate", expression=f"{CANCELLED} * {count}")
    return GoalDraft(goal, second(want), (*sampler.look_at(trip), *status_reads(trip), sums))


def _late(trip: Record) -> bool:
    found = statuses(trip)
    return always_cancellable(trip) and "delayed" in found and "cancelled" not in found


def _for_delayed(sampler: CustomerSampler, trip: Record) -> GoalDraft | None:
    """Cancel a trip with a delayed flight, and be compensated."""
    if not entitled(sampler, trip):
        return None
    sampler.take(trip)
    which, count, reason = sampler.refer(trip), len(trip["passengers"]), sampler.rng.choice(PLANS)
    ways = (
        f"A flight of {which.words} is delayed. Please cancel it, and {{I}} want compensation for the delay.",
        f"Because of a delay {which.words} is of no use to {{me}}: cancel it and compensate {{me}}.",
    )
    goal = Goal(
        kind="cancel_reservation",
        utterance=first(sampler.rng.choice(ways)),
        facts=(
            *which.facts,
            Fact(name="reason", value=sentence(reason).removesuffix("."), on_request=sampler.difficulty != "simple"),
        ),
        calls=(
            call("cancel_reservation", reservation_id=trip["reservation_id"]),
            call("send_certificate", user_id=sampler.user["user_id"], amount=DELAYED * count),
        ),
    )
    want = second(
        f"A flight of {which.words} is delayed. You want the reservation cancelled and compensation for the delay. "
        f"If asked for another reason: {lower_first(reason)}"
    )
    sums = call("calculate", expression=f"{DELAYED} * {count}")
    return GoalDraft(goal, want, (*sampler.look_at(trip), *status_reads(trip), sums))


for_cancelled: Builder = from_trips(dropped, _for_cancelled)
for_delayed: Builder = from_trips(_late, _for_delayed)


def compensation(sampler: CustomerSampler) -> GoalDraft | None:
    """Either sort of compensation."""
    first_choice, second_choice = sampler.rng.choice(((for_cancelled, for_delayed), (for_delayed, for_cancelled)))
    return first_choice(sampler) or second_choice(sampler)
