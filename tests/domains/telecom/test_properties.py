"""Whatever both sides do in any order, the phone is in no impossible state, bills add up, and time travel is exact."""

import random
from functools import cache
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from toolgym.domains.telecom.schema import Bill, BillItem, Line, Phone
from toolgym.sandbox.kit.message import Party
from toolgym.sandbox.kit.task import Task
from toolgym.sandbox.runtime.registry import get_domain
from toolgym.sandbox.runtime.session import Session

pytestmark = pytest.mark.slow
Step = tuple[str, dict[str, Any], Party]


@cache
def repairs() -> list[Task]:
    return [task for task in get_domain("telecom").tasks("dev", "own") if task.family in {"service", "data", "mms"}]


def random_call(rng: random.Random, task: Task) -> Step:
    """A call of either side, mostly about the task's own customer, now and then with nonsense."""
    domain = get_domain("telecom")
    customer_id = task.assertions[-1].arguments["customer_id"]
    expected = task.assertions[-1].arguments["expected"]
    values: dict[str, list[Any]] = {
        "customer_id": [customer_id] * 9 + ["C1"],
        "line_id": [*expected["lines"]] * 4 + ["L1"],
        "bill_id": [*expected["bills"], f"B{customer_id[1:]}01", f"B{customer_id[1:]}02"],
        "id": [customer_id, *expected["lines"], *expected["bills"], "Z"],
        "gb_amount": [1, 2, 0.125, 0, 3.7],
        "limit": [1, 12],
        "mode": ["4g_5g_preferred", "4g_only", "3g_only", "2g_only", "9g"],
        "app_name": ["messaging", "browser", "camera"],
        "permission": ["sms", "storage", "network", "camera"],
        "apn_settings": [{}, {"apn_name": "broken"}, {"mmsc_url": None, "reset_at_reboot": True}],
    }
    by: Party = rng.choice(("agent", "user"))
    tools = domain.tools if by == "agent" else domain.user_tools
    name = rng.choice([tool.name for tool in tools.values() if tool.kind == "write" or rng.random() < 0.3])
    parameters = tools[name].parameters["properties"]
    return name, {key: rng.choice(values.get(key, ["words", 7])) for key in parameters}, by


def check_phone(session: Session) -> None:
    """No state that a phone cannot be in."""
    database = session._database
    phone = database.find(Phone)[0]
    lines = database.find(Line, phone_number=phone.phone_number)
    connected = phone.network_status == "connected"
    assert phone.network_status in {"connected", "no_service"}
    assert connected == (phone.network_type != "none") == (phone.signal != "none")
    if phone.airplane_mode:
        assert not connected and phone.wifi_network is None
    if connected:
        assert phone.sim == "active" and phone.sim_seated and phone.apn_name != "broken"
        assert all(line.status == "Active" for line in lines)
    assert not phone.vpn_connected or connected, "no tunnel without a network"
    assert phone.vpn_connected or phone.vpn_on or phone.vpn_server is None
    screens = {name: session.call(name, {}, by="user").value for name in ("run_speed_test", "can_send_mms")}
    assert not screens["can_send_mms"]["can_send_mms"] or screens["run_speed_test"]["mbps"] is not None
    assert screens["run_speed_test"]["mbps"] is None or (connected and phone.data_on)


def check_account(session: Session) -> None:
    """Bills add up, at most one awaits payment, amounts make sense."""
    database = session._database
    totals: dict[str, int] = {}
    for item in database.find(BillItem):
        totals[item.bill_id] = totals.get(item.bill_id, 0) + item.amount_cents
    waiting: dict[str, int] = {}
    for bill in database.find(Bill):
        assert bill.total_cents == totals.get(bill.bill_id, 0)
        waiting[bill.customer_id] = waiting.get(bill.customer_id, 0) + (bill.status == "Awaiting Payment")
    assert max(waiting.values()) <= 1
    for line in database.find(Line):
        assert line.data_refueling_gb >= 0
        assert (line.suspension_start_date is None) == (line.status != "Suspended")


@settings(max_examples=40, deadline=None)
@given(st.integers(0, 2**32))
def test_no_impossible_state(seed: int) -> None:
    rng = random.Random(seed)
    task = rng.choice(repairs())
    with Session("telecom", task=task) as session:
        check_phone(session)
        for _ in range(20):
            name, arguments, by = random_call(rng, task)
            before = session.digest() if rng.random() < 0.2 else None
            result = session.call(name, arguments, by=by)
            assert result.ok or before is None or session.digest() == before, "a refused call changes nothing"
            check_phone(session)
        check_account(session)


@settings(max_examples=15, deadline=None)
@given(st.integers(0, 2**32))
def test_time_travel_is_exact(seed: int) -> None:
    rng = random.Random(seed)
    task = rng.choice(repairs())
    path = [random_call(rng, task) for _ in range(25)]
    with Session("telecom", task=task) as straight, Session("telecom", task=task) as again:
        start = straight.dump()
        for name, arguments, by in path:
            straight.call(name, arguments, by=by)
        assert again.replay(straight.log) == [] and again.dump() == straight.dump()
        again.rollback(10)
        with again.fork() as fork:
            for name, arguments, by in path[10:]:
                fork.call(name, arguments, by=by)
            assert fork.dump() == straight.dump()
        again.rollback(0)
        assert again.dump() == start
