"""Draws what a task is about: faults on a customer's phone and line, what nobody can repair, or an account wish."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from domains.telecom import wording
from domains.telecom.faults import FAULTS, Area, Fault, Victim, agent_call, most_faults, possible
from domains.telecom.instructions import user_call
from domains.telecom.seed import TARIFFS, Person
from sandbox.message import Json, ToolCall
from sandbox.task import Assertion, Difficulty, Fact, Goal

_TARIFFS = {tariff.plan_id: tariff for tariff in TARIFFS}
_CHECKS: dict[Area, tuple[ToolCall, tuple[Assertion, ...]]] = {
    "service": (
        user_call("check_status_bar"),
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


@dataclass(frozen=True)
class Case:
    """What one task is about.

    Attributes:
        goal: the user's wish.
        scenario: the situation for whoever plays the user.
        ticket: the same for an agent that works alone.
        facts: what the user knows beside who they are.
        setup: brings the situation about.
        gold: a right run, after the customer and the line have been looked up.
        assertions: what must hold in the end; the account's state is added to them. None: the changed rows decide.
        faults: the names of the faults.
    """

    goal: Goal
    scenario: str
    ticket: str
    facts: tuple[Fact, ...] = ()
    setup: tuple[ToolCall, ...] = ()
    gold: tuple[ToolCall, ...] = ()
    assertions: tuple[Assertion, ...] = ()
    faults: tuple[str, ...] = ()


def victim_of(rng: random.Random, person: Person) -> Victim:
    """A customer with one of their active lines on the phone."""
    line = rng.choice([line for line in person.lines if line.status == "Active"])
    return Victim(person, line, gigabytes=rng.choice((1, 2)), mode=rng.choice(("2g_only", "3g_only")))


# --- repairs ---


def repair(rng: random.Random, victim: Victim, area: Area, count: int) -> Case:
    """A complaint with `count` faults behind it, at least one of them of its own area."""
    chosen = compose(rng, area, count)
    if area == "mms":
        victim = Victim(victim.person, victim.line, victim.gigabytes, mode="2g_only")
    abroad = any(fault.group == "roaming" for fault in chosen)
    place = rng.choice(wording.COUNTRIES) if abroad else ""
    held = any(fault.name == "line_on_hold" for fault in chosen)
    complaint = wording.pick(rng, wording.COMPLAINTS[area])
    said = f"{complaint} My line was on hold at my own wish, I want it back." if held else complaint
    facts = [Fact(name="data_amount", value=wording.gigabytes(victim.gigabytes), withheld=True)]
    facts += [Fact(name="location", value=place, withheld=True)] if place else []
    check, assertions = _CHECKS[area]
    restart = [user_call("reboot_device")] if any(fault.restart for fault in chosen) else []
    return Case(
        goal=Goal(kind="repair", say=said, facts=tuple(facts)),
        scenario=wording.situation(victim, area, place, complaint, held),
        ticket=wording.ticket(victim, area, place, held),
        setup=_in_order(chosen, lambda fault: fault.setup(victim)),
        gold=(
            *once(_in_order(chosen, lambda fault: (*fault.look(victim), *fault.repair(victim)))),
            *restart,
            check,
        ),
        assertions=assertions,
        faults=tuple(fault.name for fault in chosen),
    )


def compose(rng: random.Random, area: Area, count: int) -> list[Fault]:
    """`count` faults of different groups, at least one of the complaint's own area, in the order of repair."""
    first = rng.choice([fault for fault in possible(area) if fault.area == area])
    chosen = {first.group: first}
    for group in rng.sample(groups := sorted({fault.group for fault in possible(area)}), len(groups)):
        if len(chosen) < count and group not in chosen:
            chosen[group] = rng.choice([fault for fault in possible(area) if fault.group == group])
    return sorted(chosen.values(), key=FAULTS.index)


def _in_order(chosen: Sequence[Fault], calls: Callable[[Fault], Sequence[ToolCall]]) -> tuple[ToolCall, ...]:
    return tuple(call for fault in chosen for call in calls(fault))


def once(calls: Sequence[ToolCall]) -> list[ToolCall]:
    """Calls without repeated look-ups."""
    kept: list[ToolCall] = []
    for call in calls:
        if call not in kept or not call.name.startswith(("check_", "get_")):
            kept.append(call)
    return kept


# --- what nobody at the desk can repair ---


def locked_sim(rng: random.Random, victim: Victim) -> Case:
    """The SIM card is locked."""
    return _handover(
        rng,
        victim,
        "sim_locked",
        [agent_call("lock_sim_card", mode=rng.choice(("pin", "puk")))],
        [user_call("check_sim_status")],
    )


def contract_ended(rng: random.Random, victim: Victim) -> Case:
    """The line is suspended for an overdue bill, and its contract has ended."""
    bill: dict[str, Json] = {"new_bill_id": victim.overdue_bill_id, "contract_ended": True}
    return _handover(
        rng,
        victim,
        "contract_ended",
        [agent_call("suspend_line_for_overdue_bill", **victim.ids, **bill)],
        [agent_call("get_bills_for_customer", customer_id=victim.person.customer_id)],
    )


def _handover(
    rng: random.Random, victim: Victim, fault: str, setup: Sequence[ToolCall], looks: Sequence[ToolCall]
) -> Case:
    complaint = wording.pick(rng, wording.COMPLAINTS["service"])
    return Case(
        goal=Goal(kind="repair", say=complaint, outcome="transferred"),
        scenario=wording.situation(victim, "service", "", complaint, held=False)
        + " If that cannot be done, you want to talk to a person.",
        ticket=wording.ticket(victim, "service", "", held=False),
        setup=tuple(setup),
        gold=(*looks, agent_call("transfer_to_human_agents", summary="No service; needs a person.")),
        faults=(fault,),
    )


# --- wishes about the account ---


def suspend(rng: random.Random, victim: Victim) -> Case:
    """A line is to rest for a while."""
    reason = rng.choice(("a long trip", "a stay in hospital", "a sabbatical", "military service"))
    say = f"Please suspend my line for now, because of {reason}."
    return _wish(victim, "suspend_line", say, {"reason": reason}, price="You accept the holding fee.")


def roaming(rng: random.Random, victim: Victim) -> Case:
    """Roaming is to be on, or off, on the line."""
    state = "disable" if victim.line.roaming_enabled else "enable"
    place = rng.choice(wording.COUNTRIES)
    say = (
        f"I am about to travel to {place}; please enable roaming on my line."
        if state == "enable"
        else f"I am back from {place} for good; please disable roaming on my line."
    )
    return _wish(victim, f"{state}_roaming", say, {})


def refuel(rng: random.Random, victim: Victim) -> Case:
    """More data for this month."""
    say = f"I need {wording.gigabytes(victim.gigabytes)} more data this month."
    arguments: dict[str, Json] = {"gb_amount": victim.gigabytes}
    return _wish(victim, "refuel_data", say, arguments, price="You want to hear the price first, and accept it.")


def too_much(rng: random.Random, victim: Victim) -> Case:
    """More data than is allowed; the user then takes what is possible."""
    wanted, taken = rng.choice((3, 4, 5, 8)), victim.gigabytes
    case = refuel(rng, victim)
    say = f"Please add {wording.gigabytes(wanted)} of data to my line."
    instead = f"Then {wording.gigabytes(taken)} will have to do."
    fact = Fact(name="data_amount", value=wording.gigabytes(wanted))
    goal = Goal(kind="refuel_data", say=say, facts=(fact,), otherwise=case.goal.model_copy(update={"say": instead}))
    more = f"If that much is not possible, you take {wording.gigabytes(taken)}."
    return Case(
        goal=goal,
        scenario=f"{wording.who(victim)} {say} {more} You want to hear the price first, and accept it.",
        ticket=f"{case.ticket} They asked for {wording.gigabytes(wanted)} first.",
        gold=case.gold,
    )


def question(rng: random.Random, victim: Victim) -> Case:
    """Something the account tells."""
    line, tariff = victim.line, _TARIFFS[victim.line.plan_id]
    usage = agent_call("get_data_usage", **victim.ids)
    plan = agent_call("get_details_by_id", id=line.plan_id)
    say, tell, read = rng.choice(
        (
            ("How much data has my line used this month?", f"{line.data_used_gb:g}", usage),
            ("What does my plan cost a month?", f"{tariff.price_cents / 100:g}", plan),
            (
                "Until when does my contract run?",
                line.contract_end_date,
                agent_call("get_details_by_id", id=line.line_id),
            ),
            ("What does another gigabyte of data cost me?", f"{tariff.refuel_cents_per_gb / 100:g}", plan),
        )
    )
    goal = Goal(kind="ask", say=say, tell=(_alternatives(tell),), outcome="answered")
    return Case(
        goal=goal, scenario=f"{wording.who(victim)} {say}", ticket=f"{_customer(victim)} asks: {say}", gold=(read,)
    )


def _alternatives(tell: str) -> str:
    """A date can be said in two ways; a number in one."""
    parts = tell.split("-")
    if len(parts) < 3:
        return tell
    months = "January,February,March,April,May,June,July,August,September,October,November,December".split(",")
    year, month, day = parts[0], months[int(parts[1]) - 1], int(parts[2])
    return f"{tell}|{month} {day}, {year}|{day} {month} {year}"


def _wish(victim: Victim, tool: str, say: str, arguments: dict[str, Json], price: str = "") -> Case:
    call = agent_call(tool, **victim.ids, **arguments)
    facts = tuple(
        Fact(
            name="data_amount" if name == "gb_amount" else name,
            value=wording.gigabytes(victim.gigabytes) if name == "gb_amount" else value,
        )
        for name, value in arguments.items()
    )
    reads = [agent_call("get_details_by_id", id=victim.line.plan_id)] if tool == "refuel_data" else []
    return Case(
        goal=Goal(kind=tool, say=say, facts=facts, calls=(call,)),
        scenario=" ".join(part for part in (wording.who(victim), say, price) if part),
        ticket=f"{_customer(victim)} writes: {say}",
        gold=(*reads, call),
    )


def _customer(victim: Victim) -> str:
    return f"{victim.person.full_name}, phone number {victim.line.phone_number},"


# --- families ---


@dataclass(frozen=True)
class Family:
    """A sort of task.

    Attributes:
        shares: how many of a hundred tasks are of this family and simple, standard, hard.
        draw: a case for this customer.
    """

    shares: tuple[int, int, int]
    draw: Callable[[random.Random, Victim, Difficulty], Case]


def _repairs(area: Area) -> Callable[[random.Random, Victim, Difficulty], Case]:
    def draw(rng: random.Random, victim: Victim, difficulty: Difficulty) -> Case:
        low, high = {"simple": (1, 1), "standard": (2, 3), "hard": (4, most_faults(area))}[difficulty]
        return repair(rng, victim, area, rng.randint(low, high))

    return draw


def _one_of(*draws: Callable[[random.Random, Victim], Case]) -> Callable[[random.Random, Victim, Difficulty], Case]:
    return lambda rng, victim, difficulty: rng.choice(draws)(rng, victim)


FAMILIES: dict[str, Family] = {
    "service": Family((5, 11, 4), _repairs("service")),
    "data": Family((5, 10, 12), _repairs("data")),
    "mms": Family((5, 10, 12), _repairs("mms")),
    "handover": Family((0, 8, 0), _one_of(locked_sim, contract_ended)),
    "account": Family((6, 5, 0), _one_of(suspend, roaming, refuel)),
    "conditional": Family((0, 4, 0), _one_of(too_much)),
    "question": Family((3, 0, 0), _one_of(question)),
}
