"""The user's thirty tools: a phone whose screens and switches hang together, on the same world as the back office."""

from collections.abc import Callable, Iterator
from typing import Any

import pytest

from toolgym.domains.telecom.seed import people
from toolgym.sandbox.kit.message import ToolCall
from toolgym.sandbox.kit.task import Assertion, Task
from toolgym.sandbox.runtime.session import Session

PERSON = people()[0]
LINE = PERSON.lines[0]
IDS = {"customer_id": PERSON.customer_id, "line_id": LINE.line_id}
Open = Callable[..., Session]


@pytest.fixture
def phone() -> Iterator[Open]:
    opened: list[Session] = []

    def start(*setup: tuple[str, dict[str, Any]] | str) -> Session:
        holder = ("set_user_info", {"name": PERSON.full_name, "phone_number": LINE.phone_number})
        steps = [step if isinstance(step, tuple) else (step, {}) for step in (holder, *setup)]
        calls = tuple(ToolCall(name=name, arguments=arguments) for name, arguments in steps)
        opened.append(Session("telecom", task=Task(id="phone", domain="telecom", setup=calls)))
        return opened[-1]

    yield start
    for session in opened:
        session.close()


def do(session: Session, name: str, **arguments: Any) -> Any:
    result = session.call(name, arguments, by="user")
    assert result.ok, result.text
    return result.value


def refused(session: Session, name: str, **arguments: Any) -> str:
    before = session.dump()
    result = session.call(name, arguments, by="user")
    assert result.error is not None, result.value
    assert session.dump() == before
    return result.error.code


def network(session: Session) -> tuple[str, str, str]:
    shown = do(session, "check_network_status")
    return shown["cellular_connection"], shown["cellular_network_type"], shown["cellular_signal"]


NONE = ("no_service", "none", "none")


# --- the network ---


def test_a_phone_in_order(phone: Open) -> None:
    session = phone()
    bar = do(session, "check_status_bar")["status_bar"]
    assert bar == "excellent signal | 5G | mobile data on | battery 80 %"
    assert network(session) == ("connected", "5G", "excellent")
    assert do(session, "check_sim_status") == {"sim": "active"}
    assert do(session, "run_speed_test") == {"mbps": 275.0, "rating": "excellent"}
    assert do(session, "can_send_mms") == {"can_send_mms": True}


def test_airplane_mode_takes_everything_and_gives_the_network_back(phone: Open) -> None:
    session = phone()
    assert "airplane mode" in do(session, "toggle_airplane_mode")["status_bar"]
    assert network(session) == NONE
    assert do(session, "run_speed_test") == {"mbps": None, "rating": "no connection"}
    assert refused(session, "toggle_wifi") == "airplane_mode_on"
    assert refused(session, "connect_vpn") == "no_network"
    do(session, "toggle_airplane_mode")
    assert network(session) == ("connected", "5G", "excellent")


def test_the_sim_card(phone: Open) -> None:
    session = phone("unseat_sim_card")
    assert do(session, "check_sim_status") == {"sim": "missing"} and network(session) == NONE
    do(session, "reseat_sim_card")
    assert do(session, "check_sim_status") == {"sim": "active"} and network(session)[0] == "connected"
    locked = phone(("lock_sim_card", {"mode": "puk"}))
    do(locked, "reseat_sim_card")
    do(locked, "reboot_device")
    assert do(locked, "check_sim_status") == {"sim": "locked_puk"} and network(locked) == NONE


@pytest.mark.parametrize(
    ("mode", "expected", "mbps", "mms"),
    [
        ("4g_5g_preferred", ("5G", "excellent"), 275.0, True),
        ("4g_only", ("4G", "good"), 44.0, True),
        ("3g_only", ("3G", "fair"), 1.5, True),
        ("2g_only", ("2G", "poor"), 0.05, False),
    ],
)
def test_the_network_mode_decides_speed(
    phone: Open, mode: str, expected: tuple[str, str], mbps: float, mms: bool
) -> None:
    session = phone()
    do(session, "set_network_mode_preference", mode=mode)
    assert do(session, "check_network_mode_preference") == {"network_mode": mode}
    assert network(session)[1:] == expected
    assert do(session, "run_speed_test")["mbps"] == mbps
    assert do(session, "can_send_mms") == {"can_send_mms": mms}
    assert refused(session, "set_network_mode_preference", mode="6g") == "invalid_arguments"


# --- data ---


def test_mobile_data_and_data_saver(phone: Open) -> None:
    session = phone("turn_data_saver_mode_on")
    assert do(session, "check_data_restriction_status") == {"data_saver": True}
    assert do(session, "run_speed_test") == {"mbps": 55.0, "rating": "good"}
    do(session, "toggle_data_saver_mode")
    do(session, "toggle_data")
    assert "mobile data off" in do(session, "check_status_bar")["status_bar"]
    assert do(session, "run_speed_test")["rating"] == "no connection"


@pytest.mark.parametrize(("phone_on", "line_on"), [(True, True), (True, False), (False, True), (False, False)])
def test_abroad_data_needs_roaming_on_the_phone_and_on_the_line(phone: Open, phone_on: bool, line_on: bool) -> None:
    session = phone(
        ("set_user_location", {"abroad": True}),
        "turn_roaming_on" if phone_on else "turn_roaming_off",
        ("enable_roaming" if line_on else "disable_roaming", IDS),
    )
    assert (do(session, "run_speed_test")["mbps"] is not None) == (phone_on and line_on)
    if not phone_on:
        do(session, "toggle_roaming")
    session.call("enable_roaming", IDS)
    assert do(session, "run_speed_test")["rating"] == "excellent"


def test_used_up_data_comes_back_when_the_agent_adds_some(phone: Open) -> None:
    session = phone(("set_data_usage", IDS | {"data_used_gb": 1000.0}))
    assert do(session, "run_speed_test")["mbps"] is None
    assert session.holds(Assertion(name="assert_mobile_data_usage_exceeded", arguments={"expected_status": True}))
    session.call("refuel_data", IDS | {"gb_amount": 1000})
    assert do(session, "run_speed_test")["mbps"] is not None


# --- access point, Wi-Fi, VPN ---


def test_a_broken_access_point_is_reset_at_the_restart(phone: Open) -> None:
    session = phone("break_apn_settings")
    assert network(session) == NONE
    do(session, "reset_apn_settings")
    assert do(session, "check_apn_settings")["apn_name"] == "broken", "not before the restart"
    do(session, "reboot_device")
    assert do(session, "check_apn_settings")["resets_at_reboot"] is False and network(session)[0] == "connected"


def test_access_point_settings_are_set_as_a_whole(phone: Open) -> None:
    session = phone()
    do(session, "set_apn_settings", apn_settings={"mmsc_url": None})
    assert do(session, "can_send_mms") == {"can_send_mms": False}
    do(session, "set_apn_settings", apn_settings={"apn_name": "broken"})
    assert network(session) == NONE and do(session, "check_apn_settings")["mmsc_url"] is not None
    assert refused(session, "set_apn_settings", apn_settings={"apn_name": "other"}) == "invalid_arguments"
    assert refused(session, "set_apn_settings", apn_settings={"port": 1}) == "invalid_arguments"


def test_wifi_and_wifi_calling_are_switches(phone: Open) -> None:
    session = phone()
    do(session, "toggle_wifi")
    assert do(session, "check_wifi_status") == {"wifi": True, "network": None, "signal": "none"}
    do(session, "toggle_wifi_calling")
    assert do(session, "check_wifi_calling_status") == {"wifi_calling": True}


def test_a_vpn_needs_a_network(phone: Open) -> None:
    session = phone()
    assert "VPN" in do(session, "connect_vpn")["status_bar"]
    assert "already" in do(session, "connect_vpn")["message"]
    do(session, "toggle_airplane_mode")
    do(session, "toggle_airplane_mode")
    assert do(session, "check_vpn_status")["connected"] is False, "one connected by hand does not come back"
    assert "No VPN" in do(session, "disconnect_vpn")["message"]


def test_a_slow_vpn_comes_back_by_itself_until_it_is_disconnected(phone: Open) -> None:
    session = phone("turn_airplane_mode_on", "break_vpn")
    assert do(session, "check_vpn_status")["connected"] is False
    do(session, "toggle_airplane_mode")
    assert do(session, "run_speed_test") == {"mbps": 27.5, "rating": "good"}
    do(session, "disconnect_vpn")
    do(session, "reboot_device")
    assert do(session, "run_speed_test")["rating"] == "excellent"


# --- apps and picture messages ---


def test_the_messaging_app_needs_sms_and_storage(phone: Open) -> None:
    apps = [("remove_app_permission", {"app_name": "messaging", "permission": name}) for name in ("sms", "storage")]
    session = phone(*apps)
    assert do(session, "check_installed_apps") == {"apps": ["messaging", "browser"]}
    page = do(session, "check_app_status", app_name="messaging")
    assert page == do(session, "check_app_permissions", app_name="messaging")
    assert (page["sms"], page["storage"], page["phone"]) == (False, False, True)
    do(session, "grant_app_permission", app_name="messaging", permission="SMS")
    assert do(session, "can_send_mms") == {"can_send_mms": False}
    do(session, "grant_app_permission", app_name="messaging", permission="storage")
    assert do(session, "can_send_mms") == {"can_send_mms": True}
    assert refused(session, "grant_app_permission", app_name="camera", permission="sms") == "app_not_found"
    unknown = refused(session, "grant_app_permission", app_name="browser", permission="camera")
    assert unknown == "permission_not_found"
    assert refused(session, "check_app_status", app_name="camera") == "app_not_found"


@pytest.mark.parametrize(
    ("fault", "repair"),
    [
        (("set_wifi_calling", {"enabled": True, "mms_over_wifi": True}), ["toggle_wifi_calling"]),
        (("break_apn_mms_setting", {}), ["reset_apn_settings", "reboot_device"]),
    ],
)
def test_what_stops_picture_messages(phone: Open, fault: tuple[str, dict[str, Any]], repair: list[str]) -> None:
    session = phone(fault)
    assert do(session, "can_send_mms") == {"can_send_mms": False}
    assert do(session, "run_speed_test")["rating"] == "excellent"
    for name in repair:
        do(session, name)
    assert do(session, "can_send_mms") == {"can_send_mms": True}


# --- both sides ---


def test_a_bill_is_asked_for_in_the_office_and_paid_on_the_phone(phone: Open) -> None:
    overdue = IDS | {"new_bill_id": "B77", "contract_ended": False}
    session = phone(("suspend_line_for_overdue_bill", overdue))
    assert network(session) == NONE, "a suspended line has no service"
    assert refused(session, "make_payment") == "no_payment_request"
    assert do(session, "check_payment_request") == {"bill_id": None, "amount_due": None}
    assert session.call("send_payment_request", {"customer_id": PERSON.customer_id, "bill_id": "B77"}).ok
    asked = do(session, "check_payment_request")
    assert asked["bill_id"] == "B77" and asked["amount_due"] > 0
    assert do(session, "make_payment")["amount"] == asked["amount_due"]
    assert session.call("get_details_by_id", {"id": "B77"}).value["status"] == "Paid"
    assert session.call("resume_line", IDS).ok
    assert network(session) == NONE, "service comes back with the restart"
    do(session, "reboot_device")
    assert network(session)[0] == "connected"


def test_a_line_suspended_in_the_office_goes_dead_on_the_phone_at_once(phone: Open) -> None:
    session = phone()
    session.call("suspend_line", IDS | {"reason": "holiday"})
    assert network(session) == NONE


def test_a_phone_that_nobody_holds_has_no_bills(phone: Open) -> None:
    with Session("telecom") as session:
        assert do(session, "check_payment_request") == {"bill_id": None, "amount_due": None}
        assert refused(session, "make_payment") == "no_payment_request"


def test_a_set_up_that_was_made_before_gives_the_same_world(phone: Open) -> None:
    setup = ("break_vpn", ("refuel_data", IDS | {"gb_amount": 1}), "turn_airplane_mode_on")
    first, second = phone(*setup), phone(*setup)
    assert first.dump() == second.dump() and first.new_ids == second.new_ids != frozenset()
    assert first.diff() == second.diff() == [], "a set-up is where an episode starts"
    for session in (first, second):
        do(session, "toggle_airplane_mode")
        session.call("refuel_data", IDS | {"gb_amount": 2})
    assert first.dump() == second.dump()
    with second.fork() as fork:
        fork.rollback(0)
        assert fork.dump() == phone(*setup).dump() != second.dump()
    other = Session("telecom", task=first.task, seed=77)
    assert other.new_ids != first.new_ids, "the seed is part of what a set-up depends on"
    other.close()
