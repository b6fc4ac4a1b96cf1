"""What does not work on customers' phones and lines: each fault with what brings it about, shows it and repairs it."""

from collections.abc import Mapping
from typing import Any

from toolgym.domains.telecom import tools, world
from toolgym.domains.telecom import user_network as network
from toolgym.domains.telecom import user_services as apps
from toolgym.domains.telecom.rules import contract_runs, nothing_overdue
from toolgym.domains.telecom.schema import Bill, Line, Plan
from toolgym.sandbox.kit.trouble import Fault, Step, Trouble
from toolgym.sandbox.kit.world import Database, Draw, Slot

Values = Mapping[str, Any]
_COUNTRIES = ("France", "Spain", "Japan", "Brazil", "Kenya", "Portugal", "Norway", "Thailand", "Chile", "Canada")


def _january(values: Values) -> str:
    """The id of January's bill, which exists only where it is overdue."""
    return f"B{values['customer'].customer_id[1:]}01"


def _pays(bill: Any) -> list[Step]:
    return [(tools.send_payment_request, {"bill_id": bill}), apps.check_payment_request, apps.make_payment]


def _hands_over(reason: str) -> list[Step]:
    return [(tools.transfer_to_human_agents, {"summary": f"No service: {reason}."})]


def _messaging(change: Any, *permissions: str) -> list[Step]:
    return [(change, {"app_name": "messaging", "permission": name}) for name in permissions]


def _overdue(*, ended: bool) -> Step:
    return world.suspend_line_for_overdue_bill, {"new_bill_id": _january, "contract_ended": ended}


_ABROAD: Step = (world.set_user_location, {"abroad": True})
_LINE_OFF = (tools.suspend_line, {"reason": "the customer's wish"})
_PLAN: Step = (tools.get_details_by_id, {"id": lambda values: values["line"].plan_id})
_USED_UP = {"data_used_gb": lambda values: round(values["plan"].data_limit_gb + 0.1, 1)}
_APPS: list[Step] = [apps.check_installed_apps, (apps.check_app_permissions, {"app_name": "messaging"})]
_HELD = "I had put my line on hold myself, and now I want it back."

SERVICE = (
    Fault(
        "airplane_mode_on",
        "airplane",
        [world.turn_airplane_mode_on],
        [network.check_status_bar],
        [network.toggle_airplane_mode],
    ),
    Fault("sim_out", "sim", [world.unseat_sim_card], [network.check_sim_status], [network.reseat_sim_card]),
    Fault(
        "overdue_bill",
        "line",
        [_overdue(ended=False)],
        [tools.get_bills_for_customer],
        [*_pays(_january), tools.resume_line],
        after=[apps.reboot_device],
        breaks=[nothing_overdue],
    ),
    Fault(
        "line_on_hold",
        "line",
        [_LINE_OFF],
        [tools.get_bills_for_customer],
        [tools.resume_line],
        after=[apps.reboot_device],
        says=_HELD,
    ),
    Fault(
        "apn_broken",
        "apn",
        [world.break_apn_settings],
        [apps.check_apn_settings],
        [apps.reset_apn_settings],
        after=[apps.reboot_device],
    ),
)
DATA = (
    Fault(
        "roaming_phone_off",
        "roaming",
        [_ABROAD, world.turn_roaming_off, tools.enable_roaming],
        [network.check_network_status],
        [network.toggle_roaming],
    ),
    Fault(
        "roaming_line_off",
        "roaming",
        [_ABROAD, world.turn_roaming_on, tools.disable_roaming],
        [network.check_network_status],
        [tools.enable_roaming],
    ),
    Fault(
        "roaming_both_off",
        "roaming",
        [_ABROAD, world.turn_roaming_off, tools.disable_roaming],
        [network.check_network_status],
        [tools.enable_roaming, network.toggle_roaming],
    ),
    Fault(
        "allowance_used",
        "allowance",
        [(world.set_data_usage, _USED_UP)],
        [tools.get_data_usage, _PLAN],
        [tools.refuel_data],
    ),
    Fault("data_off", "data", [world.turn_data_off], [network.check_network_status], [network.toggle_data]),
    Fault(
        "old_network_mode",
        "mode",
        [network.set_network_mode_preference],
        [network.check_network_mode_preference],
        [(network.set_network_mode_preference, {"mode": "4g_5g_preferred"})],
    ),
)
SLOW = (
    Fault(
        "data_saver_on",
        "saver",
        [world.turn_data_saver_mode_on],
        [network.check_data_restriction_status],
        [network.toggle_data_saver_mode],
    ),
    Fault("slow_vpn", "vpn", [world.break_vpn], [apps.check_vpn_status], [apps.disconnect_vpn]),
)
"""They slow data down; picture messages go through all the same."""
MMS = (
    Fault(
        "mms_over_wifi",
        "calling",
        [(world.set_wifi_calling, {"enabled": True, "mms_over_wifi": True})],
        [apps.check_wifi_calling_status],
        [apps.toggle_wifi_calling],
    ),
    Fault(
        "mmsc_missing",
        "apn",
        [world.break_apn_mms_setting],
        [apps.check_apn_settings],
        [apps.reset_apn_settings],
        after=[apps.reboot_device],
    ),
    *(
        Fault(
            name,
            "permission",
            _messaging(world.remove_app_permission, *names),
            _APPS,
            _messaging(apps.grant_app_permission, *names),
        )
        for name, names in {
            "sms_denied": ("sms",),
            "storage_denied": ("storage",),
            "permissions_denied": ("sms", "storage"),
        }.items()
    ),
)
HOPELESS = (
    Fault(
        "sim_locked", "lock", [world.lock_sim_card], [network.check_sim_status], _hands_over("the SIM card is locked")
    ),
    Fault(
        "contract_ended",
        "lock",
        [_overdue(ended=True)],
        [tools.get_bills_for_customer],
        _hands_over("the contract has ended"),
        breaks=[contract_runs],
    ),
)
"""What nobody at the desk can repair."""
OPEN_BILL = (
    Fault("open_bill", "bill", [], [tools.get_bills_for_customer], _pays(lambda values: values["bill"].bill_id)),
)


# --- what is drawn ---


def _line(draw: Draw) -> Line | None:
    """The line of the phone in hand: the number by which the customer is reached."""
    number = draw.values["customer"].phone_number
    return next((row for row in draw.rows(Line) if row.phone_number == number and row.status == "Active"), None)


def _plan(draw: Draw) -> Any:
    return next(row for row in draw.rows(Plan) if row.plan_id == draw.values["line"].plan_id)


def _bill(draw: Draw) -> Any:
    return next((row for row in draw.rows(Bill) if row.status == "Issued"), None)


def _place(draw: Draw) -> str:
    abroad = any(fault.group == "roaming" for fault in draw.values["faults"])
    return f"in {draw.rng.choice(_COUNTRIES)}, abroad" if abroad else "at home"


_PHONE = (
    Slot("line", draw=_line),
    Slot("plan", draw=_plan),
    Slot("name", draw=lambda draw: draw.values["customer"].full_name),
    Slot("phone_number", draw=lambda draw: draw.values["line"].phone_number),
)
_TELLS = (
    Slot("gb_amount", draw=(1, 2)),
    Slot("data_amount", draw=lambda draw: draw.values["gb_amount"], say=lambda amount: f"{amount} GB"),
    Slot("location", draw=_place, say=str),
)


def _unchanged(db: Database, values: Values) -> list[Step]:
    """The account must be as a right run leaves it."""
    return [(world.assert_account, {"expected": world.account(db, values["customer"])})]


# --- complaints ---

_SINCE = (
    "(|It started this morning.|It's been like this since last night.|It has been going on for two days.|"
    "It began over the weekend.|It started about an hour ago.|It happened all of a sudden.)"
)
_PLEA = (
    "(|Can you help?|Please help me.|What can I do?|I need it today.|Please get it going again.|It's urgent.|"
    "Could you sort this out?)"
)
_HELLO = "(|I have a problem:|Something is wrong:|I need some help:|Here's my trouble:|I need your help:)"
_MINE = "my (phone|cell phone|mobile|smartphone)"
_SPEED = "I need (excellent|top|full) speed."
_SERVICE_SAYS = tuple(
    f"{_HELLO} {say}. {_SINCE} {_PLEA}"
    for say in (
        f"{_MINE} has (no service|no signal|no network|no reception|no bars)",
        f"{_MINE} (can't find|doesn't find|has lost|won't connect to) the network",
        "I (can't|cannot) (make calls|call anybody|get a connection), and (it says no service|there is no signal)",
        f"I'm getting no (signal|reception|service) at all on {_MINE}",
        f"the display of {_MINE} (says|shows) (no service|no network)",
        f"I've (lost all signal|lost service) on {_MINE}",
        f"{_MINE} can't make or receive (any calls|calls any more)",
        "nobody can reach me, and my own calls don't go through either",
        f"{_MINE} has stopped (connecting to the network|picking up a signal)",
        f"calls don't go through on {_MINE}; it shows (no signal|no service)",
        f"there's (no network|not a single bar of signal|no reception) on {_MINE}",
        f"{_MINE} has been cut off: (no calls, no service|no signal, nothing)",
    )
)
_DATA_SAYS = tuple(
    f"{_HELLO} {say}. {_SINCE} {_SPEED} {_PLEA}"
    for say in (
        f"mobile data (doesn't work properly|is dead or far too slow|hardly works) on {_MINE}",
        f"the internet on {_MINE} (is dead or crawling|doesn't work right|is down or very slow)",
        "(websites|pages|my apps) (won't load|barely load|don't open) over mobile data",
        f"I (can't|can hardly) get online with mobile data on {_MINE}",
        "my mobile data is (unusable|painfully slow or dead|not working as it should)",
        f"mobile internet (has stopped working properly|keeps failing|is next to useless) on {_MINE}",
        "videos (don't play properly|keep stalling or don't start) over mobile data",
        "nothing (loads|downloads) properly on mobile data",
        f"the data connection of {_MINE} (is broken or very slow|isn't what it should be)",
        "maps and e-mails (take forever or don't load|don't load as they should) on mobile data",
        f"the internet on {_MINE} (gives me nothing but trouble|is acting up)",
        f"browsing over mobile data on {_MINE} is (a pain|hardly possible)",
    )
)
_MMS_SAYS = tuple(
    f"{_HELLO} {say}. {_SINCE} {_PLEA}"
    for say in (
        "I (can't|cannot) send (picture messages|photos by message|pictures with the messaging app)",
        f"(picture messages|photos|MMS messages) (don't go out|fail every time|won't leave {_MINE})",
        "the messaging app (doesn't send|refuses to send|won't send) (photos|pictures|picture messages)",
        f"sending (photos|pictures) by message (fails|doesn't work) on {_MINE}",
        "my (photos|picture messages) (get stuck|stay unsent) in the messaging app",
        "whenever I try to send a (photo|picture) by message, it fails",
        f"MMS (has stopped working|doesn't work|is broken) on {_MINE}",
        "I've been trying to send a (photo|picture) by message, and it (won't go through|keeps failing)",
        "(text messages with pictures|messages with photos) can't be sent",
        f"{_MINE} won't let me send (picture messages|MMS)",
        "a picture message I want to send (just won't go|fails again and again)",
        f"I want to send somebody a photo by message, and {_MINE} won't do it",
    )
)
_BILL_SAYS = tuple(
    f"{say}. {_PLEA}"
    for say in (
        "I (would like|want) to pay my open bill (now|today|right away|on the phone)",
        "please send me the payment request for my open bill",
        "there's an unpaid bill on my account, and I'd like to (pay|settle) it",
        "I still owe you for my last bill and want to (pay|settle) it (now|today)",
        "I have a bill open and want it (paid|out of the way)",
        "I haven't paid my latest bill yet, and I'd like to do that (now|right away)",
        "could you let me pay my open bill (now|today)? You can send me the request",
        "my bill is waiting, so please send me the request to pay it",
        "I'd like to get my open bill paid (today|before it's late)",
        "can we take care of my open bill? I want to pay it",
        "I got your bill and would like to pay it on my phone",
        "I want to clear my open bill; please send the payment request",
    )
)
_ACTS = (
    "You hold the phone and can look at it and change its settings, but you do not know what is wrong: you do what the "
    "agent asks, one thing after the other, and tell what the screen shows. You have no Wi-Fi around you. If a bill is "
    "overdue, you pay it at once. If more data is needed, you buy {data_amount}, no more and no less, and ask for the "
    "price first; you do not want another plan. For you this is settled only when "
)
_TICKET = (
    "They pay an overdue bill if there is one, and agree to buy {data_amount} of data if needed; they want no other "
    "plan. "
)


def _complaint(name: str, says: tuple[str, ...], settled: str, modes: tuple[str, ...], **more: Any) -> Trouble:
    """A complaint about the phone in hand."""
    return Trouble(
        name,
        says,
        slots=(*_PHONE, *_TELLS, Slot("mode", draw=modes)),
        setup=[world.set_user_info],
        situation=f"{_ACTS}{settled}.",
        ticket=f"{_TICKET}It is settled when {settled.replace('your', 'the')}.",
        **more,
    )


_OLD = ("2g_only", "3g_only")
_WORKS = [
    (world.assert_mobile_data_status, {"expected_status": True}),
    (world.assert_internet_speed, {"expected_speed": 200, "expected_desc": "excellent"}),
]
_NO_SERVICE = "your phone has service again"
TROUBLES = (
    _complaint(
        "service",
        _SERVICE_SAYS,
        _NO_SERVICE,
        _OLD,
        own=SERVICE,
        check=[network.check_network_status],
        holds=[(world.assert_service_status, {"expected_status": "connected"})],
        ends=_unchanged,
        weight=20,
    ),
    _complaint(
        "data",
        _DATA_SAYS,
        "a speed test on your phone says excellent, and nothing less",
        _OLD,
        own=(*DATA, *SLOW),
        others=SERVICE,
        check=[network.run_speed_test],
        holds=_WORKS,
        ends=_unchanged,
        weight=27,
    ),
    _complaint(
        "mms",
        _MMS_SAYS,
        "your phone can send a picture message",
        ("2g_only",),
        own=MMS,
        others=(*SERVICE, *DATA),
        check=[apps.can_send_mms],
        holds=[(world.assert_can_send_mms, {"expected_status": True})],
        ends=_unchanged,
        weight=27,
    ),
    _complaint(
        "handover",
        _SERVICE_SAYS,
        f"{_NO_SERVICE}; if that cannot be done, you want to talk to a person",
        ("pin", "puk"),
        own=HOPELESS,
        weight=8,
    ),
    Trouble(
        "payment",
        _BILL_SAYS,
        own=OPEN_BILL,
        slots=(*_PHONE, Slot("bill", draw=_bill, say=lambda bill: "the open one")),
        setup=[world.set_user_info],
        situation="You hold the phone: when the agent says that the request is there, you look at it and pay.",
        ticket="They pay on the phone when they are asked to.",
        weight=6,
    ),
)
