"""What only tasks may do to the world: break the phone and the account before an episode, and assert the end state.

The names and parameters are those of tau2-bench's telecom tasks, so that they can be played as they are.
"""

from collections.abc import Callable
from datetime import timedelta
from typing import Any, Literal

from toolgym.domains.telecom import phone as phones
from toolgym.domains.telecom.books import add_bill, bills_of, charge, plan_of
from toolgym.domains.telecom.phone import get_phone, search
from toolgym.domains.telecom.schema import App, Bill, Customer, Line
from toolgym.domains.telecom.tools import CustomerRef, LineRef
from toolgym.domains.telecom.user_services import VPN
from toolgym.sandbox.kit.world import Database, Json, Refusal, Tool, tool


@tool("write")
def set_user_info(db: Database, name: str, phone_number: str) -> None:
    """Say whose the phone is, and its number."""
    if not db.find(Line, phone_number=phone_number):
        raise Refusal("line_not_found", f"There is no line with the phone number {phone_number!r}.")
    db.update(get_phone(db), holder=name, phone_number=phone_number)


# --- the phone ---


def _sets(name: str, *, looks_for_network: bool, **columns: Any) -> Tool:
    """A tool that sets columns of the phone, which then looks for a network where that matters."""

    def change(db: Database) -> None:
        if looks_for_network:
            search(db, **columns)
        else:
            db.update(get_phone(db), **columns)

    change.__name__, change.__doc__ = name, f"{name.replace('_', ' ').capitalize()}."
    return Tool(change, "write")


_NO_WIFI: dict[str, Any] = {"wifi_network": None, "wifi_signal": "none"}
turn_airplane_mode_on = _sets("turn_airplane_mode_on", looks_for_network=True, airplane_mode=True, **_NO_WIFI)
turn_airplane_mode_off = _sets("turn_airplane_mode_off", looks_for_network=True, airplane_mode=False, **_NO_WIFI)
unseat_sim_card = _sets("unseat_sim_card", looks_for_network=True, sim_seated=False)
turn_data_on = _sets("turn_data_on", looks_for_network=False, data_on=True)
turn_data_off = _sets("turn_data_off", looks_for_network=True, data_on=False)
turn_roaming_on = _sets("turn_roaming_on", looks_for_network=True, roaming_on=True)
turn_roaming_off = _sets("turn_roaming_off", looks_for_network=True, roaming_on=False)
turn_data_saver_mode_on = _sets("turn_data_saver_mode_on", looks_for_network=False, data_saver=True)
turn_data_saver_mode_off = _sets("turn_data_saver_mode_off", looks_for_network=False, data_saver=False)
break_apn_settings = _sets("break_apn_settings", looks_for_network=True, apn_name="broken")
break_apn_mms_setting = _sets("break_apn_mms_setting", looks_for_network=False, mmsc_url=None)
simulate_network_search = _sets("simulate_network_search", looks_for_network=True)


@tool("write")
def set_user_location(db: Database, abroad: bool) -> None:
    """Say whether the user is abroad."""
    db.update(get_phone(db), abroad=abroad)


@tool("write")
def lock_sim_card(db: Database, mode: Literal["pin", "puk"]) -> None:
    """Lock the SIM card."""
    search(db, sim=f"locked_{mode}")


@tool("write")
def set_wifi_calling(db: Database, enabled: bool, mms_over_wifi: bool | None = None) -> None:
    """Set Wi-Fi calling, and whether picture messages go over Wi-Fi."""
    phone = db.update(get_phone(db), wifi_calling=enabled)
    if mms_over_wifi is not None:
        db.update(phone, mms_over_wifi=mms_over_wifi)


@tool("write")
def break_vpn(db: Database) -> None:
    """Switch on a slow VPN that connects by itself."""
    phone = get_phone(db)
    connected = phone.network_status == "connected"
    db.update(phone, vpn_on=True, vpn_connected=connected, **(VPN | {"vpn_performance": "poor"}))


@tool("write")
def remove_app_permission(
    db: Database, app_name: str, permission: Literal["sms", "storage", "phone", "network"]
) -> None:
    """Take a permission from an app."""
    app = db.get(App, app_name)
    if app is None:
        raise Refusal("app_not_found", f"There is no app {app_name!r}.")
    db.update(app, **{permission: False})


# --- the account ---


@tool("write")
def set_data_usage(db: Database, customer: CustomerRef, line: LineRef, data_used_gb: float) -> None:
    """Set how much data a line has used."""
    db.update(line, data_used_gb=data_used_gb)


@tool("write")
def suspend_line_for_overdue_bill(
    db: Database, customer: CustomerRef, line: LineRef, new_bill_id: str, contract_ended: bool
) -> None:
    """Suspend a line for last month's bill, which is overdue; its contract may have ended as well."""
    if line.status != "Active":
        raise Refusal("line_not_active", f"Line {line.line_id} is {line.status}.")
    if bills_of(db, customer, status="Overdue"):
        raise Refusal("bill_overdue", f"Customer {customer.customer_id} has an overdue bill already.")
    today = db.now.date()
    last_day = today.replace(day=1) - timedelta(days=1)
    bill = add_bill(db, new_bill_id, customer, last_day.replace(day=1), "Overdue")
    charge(db, bill, plan_of(db, line).price_cents, f"Charge for line {line.line_id}")
    ended = {"contract_end_date": last_day.isoformat()} if contract_ended else {}
    db.update(line, status="Suspended", suspension_start_date=today.isoformat(), **ended)


# --- assertions ---


def _asserts(name: str, seen: Callable[[Database], Any]) -> Tool:
    """A tool that says whether something about the phone is as expected."""

    def holds(db: Database, expected_status: bool) -> bool:
        return bool(seen(db) == expected_status)

    holds.__name__, holds.__doc__ = name, f"{name.replace('_', ' ').capitalize()}: whether it is as expected."
    return Tool(holds, "read")


assert_airplane_mode_status = _asserts("assert_airplane_mode_status", lambda db: get_phone(db).airplane_mode)
assert_mobile_data_status = _asserts("assert_mobile_data_status", phones.data_works)
assert_mobile_roaming_status = _asserts("assert_mobile_roaming_status", lambda db: get_phone(db).roaming_on)
assert_mobile_data_saver_mode_status = _asserts(
    "assert_mobile_data_saver_mode_status", lambda db: get_phone(db).data_saver
)
assert_can_send_mms = _asserts("assert_can_send_mms", phones.mms_works)
assert_mobile_data_usage_exceeded = _asserts("assert_mobile_data_usage_exceeded", phones.allowance_used_up)


@tool("read")
def assert_service_status(db: Database, expected_status: str) -> bool:
    """Whether the connection to the network is as expected."""
    return get_phone(db).network_status == expected_status


@tool("read")
def assert_internet_speed(db: Database, expected_speed: float, expected_desc: str | None = None) -> bool:
    """Whether mobile data is at least so fast, in Mbps, and rated so."""
    mbps, rating = phones.speed(db)
    return (mbps or 0) >= expected_speed and (expected_desc is None or rating == expected_desc.lower())


@tool("read")
def assert_internet_not_excellent(db: Database) -> bool:
    """Whether mobile data is anything but excellent."""
    return phones.speed(db)[1] != "excellent"


@tool("read")
def assert_data_refueling_amount(db: Database, customer: CustomerRef, line: LineRef, expected_amount: float) -> bool:
    """Whether exactly so many gigabytes have been added to a line."""
    return abs(line.data_refueling_gb - expected_amount) < 1e-6


@tool("read")
def assert_line_status(db: Database, customer: CustomerRef, line: LineRef, expected_status: str) -> bool:
    """Whether a line's status is as expected."""
    return line.status == expected_status


@tool("read")
def assert_overdue_bill_exists(db: Database, customer_id: str, overdue_bill_id: str) -> bool:
    """Whether a customer's bill is overdue."""
    bill = db.get(Bill, overdue_bill_id)
    return bill is not None and bill.customer_id == customer_id and bill.status == "Overdue"


@tool("read")
def assert_no_overdue_bill(db: Database, overdue_bill_id: str) -> bool:
    """Whether a bill is paid or does not exist."""
    bill = db.get(Bill, overdue_bill_id)
    return bill is None or bill.status == "Paid"


@tool("read")
def assert_account(db: Database, customer: CustomerRef, expected: dict[str, Json]) -> bool:
    """Whether a customer's lines and bills are exactly so; see `account`."""
    return account(db, customer) == expected


def account(db: Database, customer: Customer) -> dict[str, Json]:
    """Lines and bills as far as an agent can change them; a draft has no name, because its id is drawn anew."""
    lines = sorted(db.find(Line, customer_id=customer.customer_id), key=lambda line: line.position)
    return {
        "lines": {
            line.line_id: [line.status, line.plan_id, line.roaming_enabled, line.data_refueling_gb] for line in lines
        },
        "bills": {
            "draft" if bill.status == "Draft" else bill.bill_id: [bill.status, bill.total_cents / 100]
            for bill in bills_of(db, customer)
        },
    }
