"""How the phone and the network behave: what a search finds, whether data and picture messages work, how fast it is.

The rules follow tau2-bench's telecom world, so that its tasks mean the same here; docs/telecom.md lists what differs.
No tool is defined here.
"""

from typing import Any, Literal, cast

from toolgym.domains.telecom.schema import PHONE, App, Coverage, Customer, Line, Phone, Plan
from toolgym.sandbox.kit.world import ConfigurationError, Database

Rating = Literal["no connection", "very poor", "poor", "fair", "good", "excellent"]
SimStatus = Literal["active", "missing", "locked_pin", "locked_puk"]

DEFAULT_APN: dict[str, Any] = {
    "apn_name": "internet",
    "apn_resets_at_reboot": False,
    "mms_apn": "mms",
    "mmsc_url": "http://mms.carrier.com/mms/wapenc",
    "mms_proxy": None,
    "mms_port": None,
}
MESSAGING = "messaging"
_ALLOWED_BY_MODE = {"4g_5g_preferred": ("5G", "4G"), "4g_only": ("4G",), "3g_only": ("3G",), "2g_only": ("2G",)}
_MEAN_MBPS = {"2G": 0.25, "3G": 3.0, "4G": 55.0, "5G": 275.0}
"""The middle of the range that tau2-bench gives each technology."""
_SHARE_BY_SIGNAL = {"poor": 0.2, "fair": 0.5, "good": 0.8, "excellent": 1.0}
_POOR_VPN_SHARE, _DATA_SAVER_SHARE = 0.1, 0.2
_RATINGS: tuple[tuple[float, Rating], ...] = ((1, "very poor"), (5, "poor"), (25, "fair"), (100, "good"))


def get_phone(db: Database) -> Phone:
    """The user's phone."""
    phone = db.get(Phone, PHONE)
    if phone is None:
        raise ConfigurationError("The telecom data has no phone; its fill function must insert one.")
    return phone


def own_line(db: Database) -> Line | None:
    """The line whose number the phone uses, or None while nobody holds it."""
    number = get_phone(db).phone_number
    found = db.find(Line, phone_number=number) if number is not None else []
    return found[0] if found else None


def own_customer(db: Database) -> Customer | None:
    """The customer who owns the phone's line."""
    line = own_line(db)
    return None if line is None else db.get(Customer, line.customer_id)


def sim_status(phone: Phone) -> SimStatus:
    """The SIM card as the phone sees it."""
    return phone.sim if phone.sim_seated else "missing"  # type: ignore[return-value]  # a CHECK holds the column


# --- the network ---


def can_register(db: Database, phone: Phone) -> bool:
    """Whether the network would accept the phone."""
    line = own_line(db)
    return (
        not phone.airplane_mode
        and sim_status(phone) == "active"
        and phone.apn_name != "broken"
        and (line is None or line.status == "Active")
    )


def search(db: Database, **changes: Any) -> Phone:
    """Change the phone, then let it look for a network; returns the phone as it is then."""
    phone = get_phone(db)
    wished = cast(Phone, cast(Any, phone)._replace(**changes))
    found = _strongest(db, wished) if can_register(db, wished) else None
    network_type, signal = found or ("none", "none")
    status = "connected" if found else "no_service"
    network = {"network_status": status, "network_type": network_type, "signal": signal}
    return db.update(phone, **(changes | network | _tunnel(wished, connected=found is not None)))


def _strongest(db: Database, phone: Phone) -> tuple[str, str] | None:
    """The best technology that the phone may use and that has any signal here."""
    for technology in _ALLOWED_BY_MODE[phone.network_mode]:
        coverage = db.get(Coverage, technology)
        if coverage is not None and coverage.signal != "none":
            return technology, coverage.signal
    return None


def _tunnel(phone: Phone, *, connected: bool) -> dict[str, Any]:
    """The VPN as the network allows: none without service; one that connects by itself comes back with it."""
    if connected or phone.vpn_on:
        return {"vpn_connected": connected and (phone.vpn_on or phone.vpn_connected)}
    return {"vpn_connected": False, "vpn_server": None, "vpn_protocol": None, "vpn_performance": None}


def settle(db: Database) -> None:
    """Keep both sides consistent after a write: a phone whose line is no longer active loses service at once.

    The way back takes a search (a restart, a switch), as on a real phone.
    """
    phone = get_phone(db)
    if phone.network_status == "connected" and not can_register(db, phone):
        search(db)


# --- what the user gets of it ---


def allowance_used_up(db: Database) -> bool:
    """Whether the phone's line has used all the data of its plan and what was added."""
    line = own_line(db)
    if line is None:
        return False
    plan = db.get(Plan, line.plan_id)
    return plan is not None and line.data_used_gb >= plan.data_limit_gb + line.data_refueling_gb


def data_works(db: Database) -> bool:
    """Whether mobile data reaches the internet."""
    phone, line = get_phone(db), own_line(db)
    may_roam = phone.roaming_on and line is not None and line.roaming_enabled
    return (
        phone.network_status == "connected"
        and phone.data_on
        and (may_roam or not phone.abroad)
        and not allowance_used_up(db)
    )


def speed(db: Database) -> tuple[float | None, Rating]:
    """The download speed of mobile data in Mbps, and its rating; None where there is no connection."""
    if not data_works(db):
        return None, "no connection"
    phone = get_phone(db)
    mbps = _MEAN_MBPS[phone.network_type] * _SHARE_BY_SIGNAL[phone.signal]
    mbps *= _POOR_VPN_SHARE if phone.vpn_connected and phone.vpn_performance == "poor" else 1
    mbps = round(mbps * (_DATA_SAVER_SHARE if phone.data_saver else 1), 2)
    return mbps, next((rating for limit, rating in _RATINGS if mbps < limit), "excellent")


def mms_works(db: Database) -> bool:
    """Whether the messaging app can send a picture message."""
    phone, app = get_phone(db), db.get(App, MESSAGING)
    return (
        data_works(db)
        and phone.network_type != "2G"
        and not (phone.wifi_calling and phone.mms_over_wifi)
        and phone.mmsc_url is not None
        and app is not None
        and app.storage
        and app.sms
    )


def status_bar(phone: Phone) -> str:
    """What the top of the screen shows."""
    if phone.airplane_mode:
        shown = ["airplane mode"]
    elif phone.network_status == "connected":
        shown = [f"{phone.signal} signal", phone.network_type, f"mobile data {'on' if phone.data_on else 'off'}"]
        shown += ["data saver"] if phone.data_on and phone.data_saver else []
    else:
        shown = ["no service"]
    shown += [f"Wi-Fi {phone.wifi_network}"] if phone.wifi_network else []
    shown += ["VPN"] if phone.vpn_connected else []
    return " | ".join([*shown, f"battery {phone.battery} %"])
