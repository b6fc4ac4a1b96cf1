"""The faults that tasks are composed of: how each comes about, what a right run looks at, and how it is repaired."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Literal

from domains.telecom.instructions import user_call
from domains.telecom.seed import TARIFFS, LineRecord, Person
from sandbox.kit.message import Json, ToolCall
from sandbox.kit.task import Difficulty

Area = Literal["service", "data", "mms"]
_LIMITS = {tariff.plan_id: tariff.data_limit_gb for tariff in TARIFFS}


@dataclass(frozen=True, slots=True)
class Victim:
    """Whose phone does not work.

    Attributes:
        person: the customer.
        line: the line that the phone uses.
        gigabytes: how much data the user would buy.
        mode: the old network mode that the phone may be set to.
    """

    person: Person
    line: LineRecord
    gigabytes: int
    mode: str

    @property
    def ids(self) -> dict[str, Json]:
        """The arguments that name the line."""
        return {"customer_id": self.person.customer_id, "line_id": self.line.line_id}

    @property
    def overdue_bill_id(self) -> str:
        """The id of January's bill, which exists only where it is overdue."""
        return f"B{self.person.customer_id[1:]}01"


Calls = Callable[[Victim], Sequence[ToolCall]]


@dataclass(frozen=True, slots=True)
class Fault:
    """Something that is wrong.

    Attributes:
        name: in a task's list of faults.
        group: of the faults of one group, a task has at most one.
        area: what the fault breaks first of all.
        setup: brings it about.
        repair: repairs it.
        look: what a right run looks at before.
        restart: whether the repair takes effect at a restart only.
    """

    name: str
    group: str
    area: Area
    setup: Calls
    repair: Calls
    look: Calls = field(default=lambda victim: ())
    restart: bool = False


def agent_call(name: str, /, **arguments: Json) -> ToolCall:
    """A call of one of the agent's tools, or of a task's set-up."""
    return ToolCall(name=name, arguments=arguments)


def _just(*calls: ToolCall) -> Calls:
    return lambda victim: calls


def _abroad(phone_on: bool, line_on: bool) -> Calls:
    def calls(victim: Victim) -> list[ToolCall]:
        return [
            agent_call("set_user_location", abroad=True),
            agent_call("turn_roaming_on" if phone_on else "turn_roaming_off"),
            agent_call("enable_roaming" if line_on else "disable_roaming", **victim.ids),
        ]

    return calls


def _overdue(victim: Victim) -> list[ToolCall]:
    bill = {"new_bill_id": victim.overdue_bill_id, "contract_ended": False}
    return [agent_call("suspend_line_for_overdue_bill", **victim.ids, **bill)]


def _pay(victim: Victim) -> list[ToolCall]:
    request = {"customer_id": victim.person.customer_id, "bill_id": victim.overdue_bill_id}
    return [
        agent_call("send_payment_request", **request),
        user_call("check_payment_request"),
        user_call("make_payment"),
        agent_call("resume_line", **victim.ids),
    ]


def _bills(victim: Victim) -> list[ToolCall]:
    return [agent_call("get_bills_for_customer", customer_id=victim.person.customer_id)]


def _deny(*permissions: str) -> Calls:
    return _just(*(agent_call("remove_app_permission", app_name="messaging", permission=name) for name in permissions))


def _grant(*permissions: str) -> Calls:
    return _just(*(user_call("grant_app_permission", app_name="messaging", permission=name) for name in permissions))


_APPS = _just(user_call("check_installed_apps"), user_call("check_app_permissions", app_name="messaging"))
_NETWORK = _just(user_call("check_network_status"))
_APN = _just(user_call("check_apn_settings"))


def _enable_roaming(victim: Victim) -> list[ToolCall]:
    return [agent_call("enable_roaming", **victim.ids)]


FAULTS: tuple[Fault, ...] = (
    Fault(
        "airplane_mode_on",
        "airplane",
        "service",
        _just(agent_call("turn_airplane_mode_on")),
        _just(user_call("toggle_airplane_mode")),
        _just(user_call("check_status_bar")),
    ),
    Fault(
        "sim_out",
        "sim",
        "service",
        _just(agent_call("unseat_sim_card")),
        _just(user_call("reseat_sim_card")),
        _just(user_call("check_sim_status")),
    ),
    Fault("overdue_bill", "line", "service", _overdue, _pay, _bills, restart=True),
    Fault(
        "line_on_hold",
        "line",
        "service",
        lambda victim: [agent_call("suspend_line", **victim.ids, reason="the customer's wish")],
        lambda victim: [agent_call("resume_line", **victim.ids)],
        _bills,
        restart=True,
    ),
    Fault(
        "apn_broken",
        "apn",
        "service",
        _just(agent_call("break_apn_settings")),
        _just(user_call("reset_apn_settings")),
        _APN,
        restart=True,
    ),
    Fault("roaming_phone_off", "roaming", "data", _abroad(False, True), _just(user_call("toggle_roaming")), _NETWORK),
    Fault("roaming_line_off", "roaming", "data", _abroad(True, False), _enable_roaming, _NETWORK),
    Fault(
        "roaming_both_off",
        "roaming",
        "data",
        _abroad(False, False),
        lambda victim: [*_enable_roaming(victim), user_call("toggle_roaming")],
        _NETWORK,
    ),
    Fault(
        "allowance_used",
        "allowance",
        "data",
        lambda victim: [
            agent_call("set_data_usage", **victim.ids, data_used_gb=round(_LIMITS[victim.line.plan_id] + 0.1, 1))
        ],
        lambda victim: [agent_call("refuel_data", **victim.ids, gb_amount=victim.gigabytes)],
        lambda victim: [
            agent_call("get_data_usage", **victim.ids),
            agent_call("get_details_by_id", id=victim.line.plan_id),
        ],
    ),
    Fault(
        "data_off",
        "data",
        "data",
        _just(agent_call("turn_data_off")),
        _just(user_call("toggle_data")),
        _NETWORK,
    ),
    Fault(
        "data_saver_on",
        "saver",
        "data",
        _just(agent_call("turn_data_saver_mode_on")),
        _just(user_call("toggle_data_saver_mode")),
        _just(user_call("check_data_restriction_status")),
    ),
    Fault(
        "old_network_mode",
        "mode",
        "data",
        lambda victim: [agent_call("set_network_mode_preference", mode=victim.mode)],
        _just(user_call("set_network_mode_preference", mode="4g_5g_preferred")),
        _just(user_call("check_network_mode_preference")),
    ),
    Fault(
        "slow_vpn",
        "vpn",
        "data",
        _just(agent_call("break_vpn")),
        _just(user_call("disconnect_vpn")),
        _just(user_call("check_vpn_status")),
    ),
    Fault(
        "mms_over_wifi",
        "calling",
        "mms",
        _just(agent_call("set_wifi_calling", enabled=True, mms_over_wifi=True)),
        _just(user_call("toggle_wifi_calling")),
        _just(user_call("check_wifi_calling_status")),
    ),
    Fault(
        "mmsc_missing",
        "apn",
        "mms",
        _just(agent_call("break_apn_mms_setting")),
        _just(user_call("reset_apn_settings")),
        _APN,
        restart=True,
    ),
    Fault("sms_denied", "permission", "mms", _deny("sms"), _grant("sms"), _APPS),
    Fault("storage_denied", "permission", "mms", _deny("storage"), _grant("storage"), _APPS),
    Fault("permissions_denied", "permission", "mms", _deny("sms", "storage"), _grant("sms", "storage"), _APPS),
)
"""In the order in which a right run repairs them."""

_NOT_FOR_MMS = {"data_saver_on", "slow_vpn"}
"""They slow data down; picture messages go through all the same."""


def possible(area: Area) -> list[Fault]:
    """The faults that can make up a complaint of an area; service comes first for all, data for picture messages."""
    areas = {"service": {"service"}, "data": {"service", "data"}, "mms": {"service", "data", "mms"}}[area]
    return [fault for fault in FAULTS if fault.area in areas and not (area == "mms" and fault.name in _NOT_FOR_MMS)]


def difficulty_of(faults: int) -> Difficulty:
    """One fault is simple, two or three are standard, more are hard."""
    return "simple" if faults <= 1 else "standard" if faults <= 3 else "hard"


def most_faults(area: Area) -> int:
    """How many faults a complaint of an area can have at once."""
    return len({fault.group for fault in possible(area)})
