"""Draws what a task is about: faults on a customer's phone and line, what nobody can repair, or an account wish."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from domains.telecom import wording
from domains.telecom.faults import FAULTS, Area, Fault, Victim, agent_call, most_faults, possible
from domains.telecom.instructions import user_call
from domains.telecom.seed import TARIFFS, Person
from sandbox.kit.message import Json, ToolCall
from sandbox.kit.task import Assertion, Difficulty, Fact, Goal
from sandbox.synthesis.goal_builder import GoalDraft
from sandbox.synthesis.task_generator import Family, Record, one
from sandbox.synthesis.wording import money

_TARIFFS = {tariff.plan_id: tariff for tariff in TARIFFS}
_CHECKS: dict[Area, tuple[ToolCall, tuple[Assertion, ...]]] = {
    "service": (
        user_call("check_network_status"),
        (Assertion(name="assert_service_status", arguments={"expected_status": "connected"}),),
    ),
    "data": (
        user_call("run_speed_test"),
        (
            Assertion(name="assert_mobile_data_status", arguments={"expected_status": True}),
            Assertion(name="assert_internet_speed", arguments={"expected_speed": 200, "expected_desc": "excellent"}),
        ),
    ),
    "mms": (
        user_call("can_send_mms"),
        (Assertion(name="assert_can_send_mms", arguments={"expected_status": True}),),
    ),
}
"""How the user sees that it works again, and what must hold then."""


@dataclass
class CustomerSampler:
    """One customer in one task, with the draw that decides everything about it."""

    rng: random.Random
    user: Record
    difficulty: Difficulty

    @cached_property
    def victim(self) -> Victim:
        """The customer with one of their active lines on the phone."""
        person: Person = self.user["person"]
        line = self.rng.choice([line for line in person.lines if line.status == "Active"])
        return Victim(person, line, gigabytes=self.rng.choice((1, 2)), mode=self.rng.choice(("2g_only", "3g_only")))


@dataclass(frozen=True)
class Matter(GoalDraft):
    """What a task is about, beside the user's wish and what it means to whoever plays the user.

    Attributes:
        ticket: the wish for an agent that works alone.
        setup: brings the situation about.
        gold: a right run, after the customer and the line have been looked up.
        assertions: what must hold in the end; the account's state is added to them. None: the changed rows decide.
        faults: the names of the faults.
    """

    ticket: str = ""
    setup: tuple[ToolCall, ...] = ()
    gold: tuple[ToolCall, ...] = ()
    assertions: tuple[Assertion, ...] = ()
    faults: tuple[str, ...] = ()


# --- repairs ---


def repair(sampler: CustomerSampler, area: Area, count: int | None = None) -> Matter:
    """A complaint with `count` faults behind it, or as many as the difficulty says; at least one is of its own area."""
    rng, victim = sampler.rng, sampler.victim
    low, high = {"simple": (1, 1), "standard": (2, 3), "hard": (4, most_faults(area))}[sampler.difficulty]
    chosen = compose(rng, area, rng.randint(low, high) if count is None else count)
    if area == "mms":
        victim = replace(victim, mode="2g_only")
    country = rng.choice(wording.COUNTRIES) if any(fault.group == "roaming" for fault in chosen) else ""
    held = any(fault.name == "line_on_hold" for fault in chosen)
    complaint = rng.choice(wording.COMPLAINTS[area])
    check, assertions = _CHECKS[area]
    restart = [user_call("reboot_device")] if any(fault.restart for fault in chosen) else []
    return Matter(
        goal=Goal(
            kind="repair",
            utterance=complaint + (wording.HELD if held else ""),
            facts=_known(victim, country or "at home"),
        ),
        want=wording.situation(victim, area, country, complaint, held),
        ticket=wording.ticket(victim, area, country, held),
        setup=tuple(call for fault in chosen for call in fault.setup(victim)),
        gold=(*(call for fault in chosen for call in (*fault.look(victim), *fault.repair(victim))), *restart, check),
        assertions=assertions,
        faults=tuple(fault.name for fault in chosen),
    )


def _known(victim: Victim, country: str) -> tuple[Fact, ...]:
    """What the user can say about a complaint."""
    amount = wording.gigabytes(victim.gigabytes)
    return (
        Fact(name="data_amount", value=amount, on_request=True),
        Fact(name="location", value=country, on_request=True),
    )


def compose(rng: random.Random, area: Area, count: int) -> list[Fault]:
    """`count` faults of different groups, at least one of the complaint's own area, in the order of repair."""
    first = rng.choice([fault for fault in possible(area) if fault.area == area])
    chosen = {first.group: first}
    for group in rng.sample(groups := sorted({fault.group for fault in possible(area)}), len(groups)):
        if len(chosen) < count and group not in chosen:
            chosen[group] = rng.choice([fault for fault in possible(area) if fault.group == group])
    return sorted(chosen.values(), key=FAULTS.index)


# --- what nobody at the desk can repair ---


def locked_sim(sampler: CustomerSampler) -> Matter:
    """The SIM card is locked."""
    lock = agent_call("lock_sim_card", mode=sampler.rng.choice(("pin", "puk")))
    return _handover(sampler, "sim_locked", lock, user_call("check_sim_status"))


def contract_ended(sampler: CustomerSampler) -> Matter:
    """The line is suspended for an overdue bill, and its contract has ended."""
    victim = sampler.victim
    bill: dict[str, Json] = {"new_bill_id": victim.overdue_bill_id, "contract_ended": True}
    suspend = agent_call("suspend_line_for_overdue_bill", **victim.ids, **bill)
    look = agent_call("get_bills_for_customer", customer_id=victim.person.customer_id)
    return _handover(sampler, "contract_ended", suspend, look)


def _handover(sampler: CustomerSampler, fault: str, setup: ToolCall, look: ToolCall) -> Matter:
    complaint = sampler.rng.choice(wording.COMPLAINTS["service"])
    return Matter(
        goal=Goal(kind="repair", utterance=complaint, facts=_known(sampler.victim, "at home"), outcome="transferred"),
        want=wording.situation(sampler.victim, "service", "", complaint, held=False)
        + " If that cannot be done, you want to talk to a person.",
        ticket=wording.ticket(sampler.victim, "service", "", held=False),
        setup=(setup,),
        gold=(look, agent_call("transfer_to_human_agents", summary="No service; needs a person.")),
        faults=(fault,),
    )


# --- wishes about the account ---


def rest(sampler: CustomerSampler) -> Matter:
    """A line is to rest for a while."""
    reason = sampler.rng.choice(("a long trip", "a stay in hospital", "a sabbatical", "military service"))
    say = f"Please suspend my line for now, because of {reason}."
    fact = Fact(name="reason", value=reason)
    return _wish(sampler, "suspend_line", say, fact, {"reason": reason}, more=" You accept the holding fee.")


def roaming(sampler: CustomerSampler) -> Matter:
    """Roaming is to be on, or off, on the line."""
    country = sampler.rng.choice(wording.COUNTRIES)
    fact = Fact(name="location", value=country)
    if sampler.victim.line.roaming_enabled:
        return _wish(sampler, "disable_roaming", f"I am back from {country}; please disable roaming on my line.", fact)
    return _wish(sampler, "enable_roaming", f"I will travel to {country}; please enable roaming on my line.", fact)


def refuel(sampler: CustomerSampler) -> Matter:
    """More data for this month."""
    amount = wording.gigabytes(sampler.victim.gigabytes)
    arguments: dict[str, Json] = {"gb_amount": sampler.victim.gigabytes}
    fact = Fact(name="data_amount", value=amount)
    return _wish(sampler, "refuel_data", f"I need {amount} more data this month.", fact, arguments, more=_PRICE)


def too_much(sampler: CustomerSampler) -> Matter:
    """More data than is allowed; the user then takes what is possible."""
    wanted = wording.gigabytes(sampler.rng.choice((3, 4, 5, 8)))
    possible_one = refuel(sampler)
    taken = wording.gigabytes(sampler.victim.gigabytes)
    say = f"Please add {wanted} of data to my line."
    otherwise = possible_one.goal.model_copy(update={"utterance": f"Then {taken} will have to do."})
    fact = Fact(name="data_amount", value=wanted)
    return replace(
        possible_one,
        goal=Goal(kind="refuel_data", utterance=say, facts=(fact,), fallback=otherwise),
        want=f"{wording.who(sampler.victim)} {wording.writes(say)} If that is too much, you take {taken}.{_PRICE}",
        ticket=f"{wording.customer(sampler.victim)} writes: {say} If that much is not possible, they take {taken}.",
    )


_PRICE = " You want to hear the price first, and accept it."


def question(sampler: CustomerSampler) -> Matter:
    """Something the account tells."""
    victim, tariff = sampler.victim, _TARIFFS[sampler.victim.line.plan_id]
    line = victim.line
    plan = agent_call("get_details_by_id", id=line.plan_id)
    own = agent_call("get_details_by_id", id=line.line_id)
    say, tell, read = sampler.rng.choice(
        (
            ("How much data has my line used this month?", money(line.data_used_gb), own),
            ("What does my plan cost a month?", money(tariff.price_cents / 100), plan),
            ("Until when does my contract run?", wording.dated(line.contract_end_date), own),
            ("What does another gigabyte of data cost me?", money(tariff.refuel_cents_per_gb / 100), plan),
        )
    )
    return Matter(
        goal=Goal(
            kind="ask",
            utterance=say,
            facts=(Fact(name="question", value=say),),
            must_communicate=(tell,),
            outcome="answered",
        ),
        want=f"{wording.who(victim)} {wording.writes(say)}",
        ticket=f"{wording.customer(victim)} asks: {say}",
        gold=(read,),
    )


def _wish(
    sampler: CustomerSampler, tool: str, say: str, fact: Fact, arguments: dict[str, Json] | None = None, more: str = ""
) -> Matter:
    victim = sampler.victim
    call = agent_call(tool, **victim.ids, **(arguments or {}))
    reads = [agent_call("get_details_by_id", id=victim.line.plan_id)] if tool == "refuel_data" else []
    return Matter(
        goal=Goal(kind=tool, utterance=say, facts=(fact,), calls=(call,)),
        want=f"{wording.who(victim)} {wording.writes(say)}{more}",
        ticket=f"{wording.customer(victim)} writes: {say}",
        gold=(*reads, call),
    )


# --- families ---


def _one_of(*draws: Callable[[CustomerSampler], Matter]) -> Callable[[CustomerSampler], Sequence[GoalDraft | None]]:
    return lambda sampler: [sampler.rng.choice(draws)(sampler)]


FAMILIES: dict[str, Family[CustomerSampler]] = {
    "service": Family(one(lambda sampler: repair(sampler, "service")), (5, 11, 4)),
    "data": Family(one(lambda sampler: repair(sampler, "data")), (5, 10, 12)),
    "mms": Family(one(lambda sampler: repair(sampler, "mms")), (5, 10, 12)),
    "handover": Family(_one_of(locked_sim, contract_ended), (0, 8, 0)),
    "account": Family(_one_of(rest, roaming, refuel), (6, 5, 0)),
    "conditional": Family(one(too_much), (0, 4, 0)),
    "question": Family(one(question), (3, 0, 0)),
}
