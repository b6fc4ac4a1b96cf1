"""What the scripted user's tool driver understands: every tool's own sentence, and an agent's plain words."""

import json
from typing import Any

import pytest

from toolgym.domains.telecom.instructions import ASKS
from toolgym.domains.telecom.user_tool_driver import user_tool_driver
from toolgym.sandbox.kit.message import ToolCall
from toolgym.sandbox.runtime.registry import get_domain

ARGUMENTS: dict[str, dict[str, Any]] = {
    "set_network_mode_preference": {"mode": "3g_only"},
    "set_apn_settings": {"apn_settings": {"apn_name": "internet", "mmsc_url": "http://a.example/b. c", "mms_port": 80}},
    "check_app_status": {"app_name": "browser"},
    "check_app_permissions": {"app_name": "browser"},
    "grant_app_permission": {"app_name": "messaging", "permission": "storage"},
}


def names(text: str, *shown: tuple[str, dict[str, Any]]) -> list[str]:
    """The calls that follow a message, once the given ones have been made with these results."""
    done = [(ToolCall(name=name, by="user"), json.dumps(result)) for name, result in shown]
    return [call.name for call in user_tool_driver.follow(text, done)]


def test_every_tool_can_be_asked_for() -> None:
    assert set(ASKS) == set(get_domain("telecom").user_tools)


@pytest.mark.parametrize("name", sorted(ASKS))
def test_a_tools_own_sentence_is_understood(name: str) -> None:
    call = ToolCall(name=name, arguments=ARGUMENTS.get(name, {}), by="user")
    assert list(user_tool_driver.follow(user_tool_driver.ask(call))) == [call]


@pytest.mark.parametrize("mode", ["4g_5g_preferred", "4g_only", "3g_only", "2g_only"])
def test_every_network_mode_can_be_asked_for(mode: str) -> None:
    call = ToolCall(name="set_network_mode_preference", arguments={"mode": mode}, by="user")
    assert list(user_tool_driver.follow(user_tool_driver.ask(call))) == [call]


def test_several_things_in_one_message_are_done_in_order() -> None:
    text = "Please reseat your SIM card, then restart your phone. After that, tell me what the status bar shows."
    assert names(text) == ["reseat_sim_card", "reboot_device", "check_status_bar"]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Could you check whether airplane mode is on?", ["check_network_status"]),
        ("What does the status bar show right now?", ["check_status_bar"]),
        ("Is Wi-Fi calling enabled on your phone?", ["check_wifi_calling_status"]),
        ("Go to settings and disconnect the VPN.", ["disconnect_vpn"]),
        ("Please run a speed test and tell me the result.", ["run_speed_test"]),
        ("1. Remove and re-insert the SIM card\n2. Reboot the phone", ["reseat_sim_card", "reboot_device"]),
        ("Please grant the messaging app the storage permission.", ["grant_app_permission"]),
        ("Please allow the sms permission for the messaging app", ["grant_app_permission"]),
        ("Change the network mode to prefer 5G, please.", ["set_network_mode_preference"]),
        ("Please open your payment requests and tell me the amount.", ["check_payment_request"]),
        ("Now please pay the bill.", ["make_payment"]),
        ("Try to send an MMS again.", ["can_send_mms"]),
        ("Please reset your APN settings to default and reboot.", ["reset_apn_settings", "reboot_device"]),
        ("Please set your preferred network type to 5G/LTE.", ["set_network_mode_preference"]),
        (
            "Check the network mode. If it is 2G only, change it to 4G/5G preferred.",
            ["check_network_mode_preference", "set_network_mode_preference"],
        ),
        ("If your SIM card is missing, please take it out and put it back in.", ["reseat_sim_card"]),
        ("If you are using a VPN, please turn it off.", ["disconnect_vpn"]),
        (
            "In Settings > Apps > Messages > Permissions, enable Storage and SMS.",
            ["grant_app_permission", "grant_app_permission"],
        ),
        ("Make sure the messaging app has the sms and storage permissions.", ["grant_app_permission"] * 2),
        ("Is the storage permission enabled for the messaging app?", ["check_app_permissions"]),
        ("Do you see a payment request on your phone?", ["check_payment_request"]),
        ("Please check your payment requests and make the payment.", ["check_payment_request", "make_payment"]),
        ("I sent you a payment request for $32. Please accept the payment request.", ["make_payment"]),
        (
            "I'd like you to 1) pop the SIM out and put it back, then 2) check whether you have signal.",
            ["reseat_sim_card", "check_network_status"],
        ),
        ("Please allow the messaging app to use storage and SMS.", ["grant_app_permission"] * 2),
        ("Have a look at which permissions the messaging app has.", ["check_app_permissions"]),
        ("Turn your phone off and back on, then try to open a website.", ["reboot_device", "run_speed_test"]),
        ("Please choose 4G/5G preferred instead of 2G.", ["set_network_mode_preference"]),
        ("Let messaging access your storage.", ["grant_app_permission"]),
        ("Don't forget to restart the phone.", ["reboot_device"]),
        ("Don't restart the phone yet; first reset the APN settings.", ["reset_apn_settings"]),
        ("Go to Settings > Mobile network > Network mode. What's selected there?", ["check_network_mode_preference"]),
        ("I've enabled roaming on your line. Please restart your phone.", ["reboot_device"]),
    ],
)
def test_plain_words(text: str, expected: list[str]) -> None:
    assert names(text) == expected


@pytest.mark.parametrize(
    "text",
    [
        "I have enabled roaming on your line.",
        "I will send you a payment request now.",
        "Shall I enable data roaming on the line for you?",
        "Your mobile data is used up.",
        "Is there anything else I can help you with?",
        "May I have your phone number?",
        "Would you like me to add 2 GB of mobile data for $9?",
        "Thank you for restarting the phone.",
        "If mobile data is off, that would explain it.",
        "I can pay attention to that, but I can't see your phone.",
        "Would you like to pay the bill now?",
        "You don't need to restart your phone.",
        "Please keep Wi-Fi calling off.",
        "If the internet gets slow again, disconnect the VPN and restart the phone.",
        "I'm going to reset your line now and then send you the payment request.",
        "May I resume the line, enable data roaming on it and send you a request for $32?",
        "To recap: airplane mode was on, the SIM was loose and the line was still suspended; all three are fixed.",
    ],
)
def test_what_the_agent_does_or_offers_itself_is_no_instruction(text: str) -> None:
    assert names(text) == []


def test_what_somebody_wants_stands_on_no_screen() -> None:
    assert names("Is that the line you want roaming disabled on?") == []
    assert names("Is roaming on?") == ["check_network_status"]


def test_a_switch_is_looked_at_before_it_is_touched() -> None:
    text = "Please turn airplane mode off and turn on mobile data."
    look = "check_network_status"
    assert names(text) == [look]
    on = {"airplane_mode": True, "mobile_data": True}
    assert names(text, (look, on)) == ["toggle_airplane_mode", look]
    off = on | {"airplane_mode": False}
    assert names(text, (look, on), ("toggle_airplane_mode", {}), (look, off)) == [], "data is on already"
    assert names(text, (look, off)) == [look], "airplane mode is off already"


@pytest.mark.parametrize(
    "text",
    [
        "If airplane mode is on, please turn it off.",
        "Please turn off airplane mode if it is on.",
        "Please toggle airplane mode off.",
        "Could you check airplane mode? If it's on, turn it off please.",
        "Please make sure airplane mode is disabled.",
    ],
)
def test_a_condition_needs_no_understanding(text: str) -> None:
    look, on = "check_network_status", {"airplane_mode": True}
    first = [(look, on)] if "check airplane" in text else []
    assert names(text, *first) == [look]
    assert names(text, *first, (look, on)) == ["toggle_airplane_mode"]
    assert names(text, *first, (look, {"airplane_mode": False})) == []


@pytest.mark.parametrize(
    "text",
    [
        "Please switch airplane mode off in the quick settings and tell me what changes.",
        "Please take your phone out of airplane mode and tell me what you see.",
        "Can you check if airplane mode is active, and deactivate it if so?",
        "Airplane mode shouldn't be on; please disable it.",
        "Airplane mode must not be on.",
        "Leave mobile data on, but turn airplane mode off.",
        "Without turning mobile data off, would you turn airplane mode off on your phone?",
    ],
)
def test_what_a_switch_is_to_be_is_done_and_not_only_looked_at(text: str) -> None:
    first = [("check_network_status", {"airplane_mode": True})]
    for _ in range(3):
        call = names(text, *first)
        if call[:1] == ["toggle_airplane_mode"]:
            return
        assert call == ["check_network_status"]
        first.append(("check_network_status", {"airplane_mode": True, "mobile_data": True}))
    pytest.fail("it was only looked at")


def test_it_is_what_the_message_before_was_about() -> None:
    assert not user_tool_driver.follow("OK, please disconnect it then.")
    calls = user_tool_driver.follow("OK, please disconnect it then.", (), "Are you using a VPN?")
    assert [call.name for call in calls] == ["disconnect_vpn"]


def test_a_switch_that_goes_there_and_back() -> None:
    text = "Please toggle airplane mode on for ten seconds, then off again."
    look, off, on = "check_network_status", {"airplane_mode": False}, {"airplane_mode": True}
    assert names(text, (look, off)) == ["toggle_airplane_mode", look]
    assert names(text, (look, off), ("toggle_airplane_mode", {}), (look, on)) == ["toggle_airplane_mode"]


def test_toggling_twice_is_twice() -> None:
    assert names("Please toggle mobile data. Please toggle mobile data.") == ["toggle_data", "toggle_data"]
    assert names("Please restart your phone. I mean: please restart it.") == ["reboot_device"]


def test_results_are_told_in_words() -> None:
    call = ToolCall(name="toggle_data", by="user")
    shown = json.dumps({"message": "Mobile data is now on.", "status_bar": "5G"})
    assert user_tool_driver.report(call, shown) == "Mobile data is now on. The status bar shows: 5G."
    assert user_tool_driver.report(call, '{"mbps": null, "rating": "no connection", "sim": true}') == (
        "I see mbps: nothing, rating: no connection, sim: yes."
    )
    told = user_tool_driver.report(
        call, "Error: Wi-Fi cannot be switched while airplane mode is on. [airplane_mode_on]"
    )
    assert told == "It says: Wi-Fi cannot be switched while airplane mode is on."
