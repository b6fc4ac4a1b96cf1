"""What only tasks may do to the world: break the phone and the account before an episode, and assert the end state.

The names and parameters are those of tau2-bench's telecom tasks, so that they can be played as they are.
"""

from collections.abc import Iterable
from datetime import timedelta
from typing import Literal

from domains.telecom import phone as phones
from domains.telecom.guards import add_bill, bills_of, charge, find, find_line, today
from domains.telecom.phone import get_phone, search
from domains.telecom.schema import App, Bill, Customer, Line, Plan
from domains.telecom.user_services import VPN
from domains.telecom.views import BillView, LineView, view_bill, view_customer, view_line
from sandbox.kit.database import Database
from sandbox.kit.errors import Refusal
from sandbox.kit.message import Json
from sandbox.kit.tool import tool

# --- the user ---


@tool("write")
def set_user_info(db: Database, name: str, phone_number: str) -> None:
    """Say whose the phone is, and its number."""
    if not db.find(Line, phone_number=phone_number):
        raise Refusal("line_not_found", f"There is no line with the phone number {phone_number!r}.")
    db.update(get_phone(db), holder=name, phone_number=phone_number)


@tool("write")
def set_user_location(db: Database, abroad: bool) -> None:
    """Say whether the user is abroad."""
    db.update(get_phone(db), abroad=abroad)


# --- the phone ---


@tool("write")
def turn_airplane_mode_on(db: Database) -> None:
    """Switch airplane mode on."""
    search(db, airplane_mode=True, wifi_network=None, wifi_signal="none")


@tool("write")
def turn_airplane_mode_off(db: Database) -> None:
    """Switch airplane mode off."""
    search(db, airplane_mode=False, wifi_network=None, wifi_signal="none")


@tool("write")
def unseat_sim_card(db: Database) -> None:
    """Take the SIM card out."""
    search(db, sim_seated=False)


@tool("write")
def lock_sim_card(db: Database, mode: Literal["pin", "puk"]) -> None:
    """Lock the SIM card."""
    search(db, sim=f"locked_{mode}")


@tool("write")
def turn_data_on(db: Database) -> None:
    """Switch mobile data on."""
    db.update(get_phone(db), data_on=True)


@tool("write")
def turn_data_off(db: Database) -> None:
    """Switch mobile data off."""
    search(db, data_on=False)


@tool("write")
def turn_roaming_on(db: Database) -> None:
    """Switch data roaming on."""
    search(db, roaming_on=True)


@tool("write")
def turn_roaming_off(db: Database) -> None:
    """Switch data roaming off."""
    search(db, roaming_on=False)


@tool("write")
def turn_data_saver_mode_on(db: Database) -> None:
    """Switch data saver on."""
    db.update(get_phone(db), data_saver=True)


@tool("write")
def turn_data_saver_mode_off(db: Database) -> None:
    """Switch data saver off."""
    db.update(get_phone(db), data_saver=False)


@tool("write")
def break_apn_settings(db: Database) -> None:
    """Give the phone an access point that does not exist."""
    search(db, apn_name="broken")


@tool("write")
def break_apn_mms_setting(db: Database) -> None:
    """Remove where picture messages go."""
    db.update(get_phone(db), mmsc_url=None)


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


@tool("write")
def simulate_network_search(db: Database) -> None:
    """Let the phone look for a network."""
    search(db)


# --- the account ---


@tool("write")
def set_data_usage(db: Database, customer_id: str, line_id: str, data_used_gb: float) -> None:
    """Set how much data a line has used."""
    db.update(find_line(db, customer_id, line_id), data_used_gb=data_used_gb)


@tool("write")
def suspend_line_for_overdue_bill(
    db: Database, customer_id: str, line_id: str, new_bill_id: str, contract_ended: bool
) -> None:
    """Suspend a line for last month's bill, which is overdue; its contract may have ended as well."""
    line = find_line(db, customer_id, line_id)
    if line.status != "Active":
        raise Refusal("line_not_active", f"Line {line_id} is {line.status}.")
    if bills_of(db, customer_id, status="Overdue"):
        raise Refusal("bill_overdue", f"Customer {customer_id} has an overdue bill already.")
    last_day = today(db).replace(day=1) - timedelta(days=1)
    bill = add_bill(db, new_bill_id, customer_id, last_day.replace(day=1), "Overdue")
    charge(db, bill, find(db, Plan, line.plan_id).price_cents, f"Charge for line {line_id}")
    ended = {"contract_end_date": last_day.isoformat()} if contract_ended else {}
    db.update(line, status="Suspended", suspension_start_date=today(db).isoformat(), **ended)


# --- assertions ---


@tool("read")
def assert_airplane_mode_status(db: Database, expected_status: bool) -> bool:
    """Whether airplane mode is as expected."""
    return get_phone(db).airplane_mode == expected_status


@tool("read")
def assert_service_status(db: Database, expected_status: str) -> bool:
    """Whether the connection to the network is as expected."""
    return get_phone(db).network_status == expected_status


@tool("read")
def assert_mobile_data_status(db: Database, expected_status: bool) -> bool:
    """Whether mobile data works as expected."""
    return phones.data_works(db) == expected_status


@tool("read")
def assert_mobile_roaming_status(db: Database, expected_status: bool) -> bool:
    """Whether data roaming is switched as expected."""
    return get_phone(db).roaming_on == expected_status


@tool("read")
def assert_mobile_data_saver_mode_status(db: Database, expected_status: bool) -> bool:
    """Whether data saver is switched as expected."""
    return get_phone(db).data_saver == expected_status


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
def assert_can_send_mms(db: Database, expected_status: bool) -> bool:
    """Whether picture messages can be sent, as expected."""
    return phones.mms_works(db) == expected_status


@tool("read")
def assert_mobile_data_usage_exceeded(db: Database, expected_status: bool) -> bool:
    """Whether the line's data is used up, as expected."""
    return phones.allowance_used_up(db) == expected_status


@tool("read")
def assert_data_refueling_amount(db: Database, customer_id: str, line_id: str, expected_amount: float) -> bool:
    """Whether exactly so many gigabytes have been added to a line."""
    return abs(find_line(db, customer_id, line_id).data_refueling_gb - expected_amount) < 1e-6


@tool("read")
def assert_line_status(db: Database, customer_id: str, line_id: str, expected_status: str) -> bool:
    """Whether a line's status is as expected."""
    return find_line(db, customer_id, line_id).status == expected_status


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
def assert_account(db: Database, customer_id: str, expected: dict[str, Json]) -> bool:
    """Whether a customer's lines and bills are exactly so; see `summary`."""
    customer = view_customer(db, find(db, Customer, customer_id))
    lines = [view_line(find(db, Line, line_id)) for line_id in customer["line_ids"]]
    bills = [view_bill(db, find(db, Bill, bill_id)) for bill_id in customer["bill_ids"]]
    return summary(lines, bills) == expected


def summary(lines: Iterable[LineView], bills: Iterable[BillView]) -> dict[str, Json]:
    """Lines and bills as far as an agent can change them; a draft has no name, because its id is drawn anew."""
    return {
        "lines": {
            line["line_id"]: [line["status"], line["plan_id"], line["roaming_enabled"], line["data_refueling_gb"]]
            for line in lines
        },
        "bills": {
            "draft" if bill["status"] == "Draft" else bill["bill_id"]: [bill["status"], bill["total_due"]]
            for bill in bills
        },
    }
