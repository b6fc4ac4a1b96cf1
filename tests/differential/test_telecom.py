"""Both sides' telecom tools against tau2-bench's own, call by call in the same faulty worlds.

Thousands of random valid and invalid calls of the agent and the user, and the gold calls of the 114 base tasks, are
played in worlds that the benchmark's tasks have broken. Results and the states of phone and back office are compared
after every call. `OUTCOMES` lists what may differ; docs/telecom.md explains each by the same name.
"""

from __future__ import annotations

import random
from functools import cache
from typing import Any

import pytest
import telecom_forms
from jsonschema import Draft202012Validator
from tau2_original import Call, Case, Play, World

from toolgym.domains import tau2_files
from toolgym.sandbox.kit.message import Party
from toolgym.sandbox.runtime.registry import get_domain

pytestmark = [pytest.mark.slow, pytest.mark.xdist_group("differential_telecom")]
SEQUENCES = 170
DOMAIN = get_domain("telecom")

REASONS = {
    r"Customer with .* not found": "customer_not_found",
    r"Line .* not found": "line_not_found",
    r"Bill .* not found": "bill_not_found",
    r"Device .* not found": "device_not_found",
    r"Plan .* not found": "plan_not_found",
    r"Unknown ID format": "unknown_id",
    r"Line must be active to suspend": "line_not_active",
    r"Line must be suspended": "line_not_suspended",
    r"already awaiting payment": "payment_already_requested",
    r"Refuel amount must be positive": "invalid_arguments",
}
WORDED = {
    r"^Failed to set network mode": "invalid_arguments",
    r"^Cannot change Wi-Fi settings": "airplane_mode_on",
    r"^App '.*' not found|^Error\. App": "app_not_found",
    r"^Error\. Permission": "permission_not_found",
    r"^You do not have a payment request": "no_payment_request",
}


# --- random calls ---


@cache
def setups() -> list[list[tuple[str, str, dict[str, Any]]]]:
    """How tau2-bench's tasks prepare their worlds."""
    raw = tau2_files.read_json(tau2_files.folder("telecom", None) / "tasks.json")
    steps = ((task.get("initial_state") or {}).get("initialization_actions") or () for task in raw)
    return [[(step["env_type"], step["func_name"], step["arguments"] or {}) for step in task] for task in steps]


@cache
def ids() -> dict[str, list[str]]:
    reader = DOMAIN.template("tau2").reader
    found = {
        key: [row[0] for row in reader.execute(f"SELECT {key} FROM {table} ORDER BY 1")]
        for key, table in (("customer_id", "customers"), ("line_id", "lines"), ("bill_id", "bills"))
    }
    found["id"] = [
        *found["customer_id"],
        *found["line_id"],
        *found["bill_id"],
        "P1001",
        "D1001",
        "X1",
        "L9",
        "P9",
        "D9",
    ]
    return found


def sequence(rng: random.Random) -> Play:
    """Calls of both sides in a world that a task has broken."""
    calls: list[Call] = []
    for _ in range(12):
        by: Party = "user" if rng.random() < 0.65 else "agent"
        tools = DOMAIN.user_tools if by == "user" else DOMAIN.tools
        name = rng.choice(list(tools))
        arguments = {key: value(rng, key) for key in tools[name].parameters["properties"]}
        by = ("user" if by == "agent" else "agent") if rng.random() < 0.02 else by
        calls.append(Call(name, spoiled(rng, arguments) if rng.random() < 0.12 else arguments, by))
    return Play(calls, rng.choice(setups()))


def slow_tunnels() -> list[Play]:
    """A slow VPN, disconnected and connected again."""
    again = [Call("disconnect_vpn", {}, "user"), Call("connect_vpn", {}, "user"), Call("run_speed_test", {}, "user")]
    slow = [steps for steps in setups() if any(function == "break_vpn" for _, function, _ in steps)]
    return [Play(again, steps) for steps in slow[:20]]


def paid_bills() -> list[Play]:
    """A bill that suspended the line: asked for twice, paid twice, asked for again; then the line and the phone."""
    ask = Call("send_payment_request", {"customer_id": "C1001", "bill_id": "B1234321"})
    look, pay = Call("check_payment_request", {}, "user"), Call("make_payment", {}, "user")
    resume = Call("resume_line", {"customer_id": "C1001", "line_id": "L1002"})
    after = [Call(name, {}, "user") for name in ("check_network_status", "reboot_device", "run_speed_test")]
    suspended = [steps for steps in setups() if any("overdue" in function for _, function, _ in steps)]
    return [Play([look, ask, ask, look, pay, pay, ask, resume, *after], steps) for steps in suspended[:20]]


def value(rng: random.Random, name: str) -> Any:
    """An argument of the right kind: mostly the phone's own line and its owner."""
    own = {"customer_id": "C1001", "line_id": "L1002", "bill_id": "B1234321"}
    if name in own:
        return own[name] if rng.random() < 0.75 else rng.choice(ids()[name])
    choices: dict[str, tuple[Any, ...]] = {
        "id": tuple(ids()["id"]),
        "phone_number": ("555-123-2002", "555-123-2001", " 555-123-2002", "555-000-0000"),
        "full_name": ("John Smith", "john smith", "Nobody"),
        "dob": ("1985-06-15", "2000-01-01"),
        "limit": (1, 2, 12),
        "gb_amount": (1.0, 2.0, 0.5, 2, 1.23),
        "reason": ("holiday",),
        "summary": ("needs a new SIM card",),
        "mode": ("4g_5g_preferred", "4g_only", "3g_only", "2g_only", "5g"),
        "apn_settings": (
            {"apn_name": "internet"},
            {"apn_name": "broken"},
            {"mmsc_url": None},
            {"reset_at_reboot": True},
        ),
        "app_name": ("messaging", "messaging", "browser", "camera"),
        "permission": ("sms", "storage", "SMS", "network", "camera"),
    }
    return rng.choice(choices[name])


def spoiled(rng: random.Random, arguments: dict[str, Any]) -> dict[str, Any]:
    """The arguments with one thing wrong."""
    if not arguments:
        return {"please": True}
    changed, name = dict(arguments), rng.choice(list(arguments))
    how = rng.randrange(4)
    if how == 0:
        del changed[name]
    elif how == 1:
        changed["note"] = "please"
    else:
        changed[name] = rng.choice((None, 5, -1, True, ["1"], {"a": 1}, [], ""))
    return changed


# --- the differences that are meant ---

VPN = {"vpn_connected", "vpn_performance"}
NETWORK = {"network_status", "network_type", "signal"}


def differing(case: Case) -> set[str]:
    """The entries of the state that differ after a call."""
    return {name for name, _, _ in case.state_differences()}


def no_tunnel(case: Case) -> bool:
    """Without a network no VPN connects, and one that is connected breaks off; theirs stay connected."""
    lost = ("vpn_connected", True, 0) in case.state_differences()
    return case.our_code == "no_network" or (lost and differing(case) <= VPN)


def comes_back(case: Case) -> bool:
    """A VPN that connects by itself is back with the network; theirs is gone once airplane mode has cut it."""
    cut_there = case.their_state["vpn_connected"] is False and case.our_state["vpn_performance"] == "poor"
    return cut_there and bool(differing(case)) and differing(case) <= VPN


def fresh_tunnel(case: Case) -> bool:
    """A VPN that is connected anew is a good one; theirs stays slow once any was broken, in all sessions."""
    return case.name == "connect_vpn" and case.both_done and differing(case) == {"vpn_performance"}


def dead_at_once(case: Case) -> bool:
    """A phone whose line is suspended loses service with it; theirs notice at the next search for a network."""
    return case.name == "suspend_line" and case.both_done and NETWORK <= differing(case) <= NETWORK | VPN


def paid_is_paid(case: Case) -> bool:
    """No payment is asked for a bill that is paid."""
    return case.our_code == "bill_already_paid"


def spaces_ignored(case: Case) -> bool:
    """Spaces around a phone number do no harm; theirs find nobody."""
    return case.ours.ok and str(case.arguments.get("phone_number")).startswith(" ")


def arguments_checked(case: Case) -> bool:
    """Arguments that do not fit the tool's published schema are refused first; theirs take some, to odd effect."""
    if case.our_code != "invalid_arguments":
        return False
    tools = DOMAIN.user_tools if case.call.by == "user" else DOMAIN.tools
    return not Draft202012Validator(tools[case.name].parameters).is_valid(case.arguments)


OUTCOMES = {
    "arguments checked": arguments_checked,
    "no tunnel without a network": no_tunnel,
    "a vpn that comes back": comes_back,
    "a fresh tunnel": fresh_tunnel,
    "dead at once": dead_at_once,
    "paid is paid": paid_is_paid,
    "spaces ignored": spaces_ignored,
}
"""Whether a call is one of that kind; whole cents, ids and wordings are levelled out by `telecom_forms` already."""

TELECOM = World(
    domain="telecom",
    reasons=REASONS,
    worded=WORDED,
    corrections={},
    outcomes=OUTCOMES,
    forms=(telecom_forms.theirs, telecom_forms.ours),
    states=(telecom_forms.their_state, telecom_forms.our_state),
    depends=lambda case: {"anything"},
    leaves=lambda case, names: {"anything"} if differing(case) else set(),
)


# --- the tests ---


@pytest.fixture(scope="module")
def played() -> list[Case]:
    rng = random.Random(5)
    plays = [*paid_bills(), *slow_tunnels(), *(sequence(rng) for _ in range(SEQUENCES))]
    return [case for cases in TELECOM.play(plays) for case in TELECOM.compared(cases)]


def test_every_difference_is_an_intended_one(played: list[Case]) -> None:
    assert sum(case.both_done for case in played) > 1200 and sum(case.both_refused for case in played) > 250
    unexplained = TELECOM.unexplained(played)
    assert not unexplained, "\n".join(unexplained[:5])


def test_every_intended_difference_occurs_and_is_documented(played: list[Case]) -> None:
    assert set(TELECOM.seen(played)) == set(OUTCOMES)
    assert not TELECOM.undocumented()


def test_both_refuse_for_every_reason_there_is(played: list[Case]) -> None:
    shared = {case.our_code for case in played if case.both_refused and case.same}
    assert shared == {*REASONS.values(), *WORDED.values(), "unknown_tool"}


def test_every_tool_of_both_sides_is_played(played: list[Case]) -> None:
    done = {(case.call.by, case.name) for case in played if case.both_done and case.same}
    assert done == {("agent", name) for name in DOMAIN.tools} | {("user", name) for name in DOMAIN.user_tools}


def test_the_gold_runs_of_tau2_come_to_the_same_states() -> None:
    raw = {task["id"]: task for task in tau2_files.read_json(tau2_files.folder("telecom", None) / "tasks.json")}
    tasks = DOMAIN.tasks("base", "tau2")
    steps = {task.id: (raw[task.id]["initial_state"] or {}).get("initialization_actions") or () for task in tasks}
    plays = [
        Play(
            [Call(call.name, dict(call.arguments), call.by) for call in task.gold],
            [(step["env_type"], step["func_name"], step["arguments"] or {}) for step in steps[task.id]],
        )
        for task in tasks
    ]
    found = TELECOM.gold_differences(tasks, plays)
    assert found == {}
