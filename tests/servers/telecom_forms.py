"""tau2-bench's telecom results and databases beside ours, in one form: what both say, without how they word it.

Not a test. The phone's screens are texts there and objects here; ids that are drawn anew in every run become `draft`.
"""

from __future__ import annotations

import re
from typing import Any

from toolgym.sandbox.runtime.session import Session

_ICONS = {
    "✈️ Airplane Mode": "airplane mode",
    "📵 No Signal": "no service",
    "📶¹ Poor": "poor signal",
    "📶² Fair": "fair signal",
    "📶³ Good": "good signal",
    "📶⁴ Excellent": "excellent signal",
    "📱 Data Enabled": "mobile data on",
    "📵 Data Disabled": "mobile data off",
    "🔽 Data Saver": "data saver",
    "🔒 VPN Connected": "VPN",
}
_SIM = {
    "active and working": "active",
    "No SIM card": "missing",
    "with a PIN": "locked_pin",
    "with a PUK": "locked_puk",
}
PERMISSIONS = ("sms", "storage", "phone", "network")
_DRAWN = re.compile(r"B[0-9a-f]{8}")


def status_bar(text: str) -> str:
    """Their status bar as ours puts it."""
    shown = []
    for icon in text.removeprefix("Status Bar: ").split(" | "):
        battery = re.fullmatch(r"🔋 (\d+)%", icon)
        wifi = re.fullmatch(r"📡 Connected to (.*)", icon)
        shown.append(f"battery {battery[1]} %" if battery else f"Wi-Fi {wifi[1]}" if wifi else _ICONS.get(icon, icon))
    return " | ".join(part for part in shown if not (part == "mobile data off" and "no service" in shown))


def _found(pattern: str, text: str) -> str | None:
    match = re.search(pattern, text)
    return match[1] if match else None


def _on(pattern: str, text: str) -> bool:
    return _found(rf"{pattern} (ON|OFF|Yes|No)\b", text) in {"ON", "Yes"}


def _network(text: str) -> dict[str, Any]:
    return {
        "airplane_mode": _on("Airplane Mode:", text),
        "sim": _found(r"SIM Card Status: (\w+)", text),
        "cellular_connection": _found(r"Cellular Connection: (\w+)", text),
        "cellular_signal": _found(r"Cellular Signal: (\w+)", text),
        "cellular_network_type": _found(r"Cellular Network Type: (\w+)", text),
        "mobile_data": _on("Mobile Data Enabled:", text),
        "data_roaming": _on("Data Roaming Enabled:", text),
        "wifi": _on("Wi-Fi Radio:", text),
        "wifi_network": _found(r"Connected Wi-Fi Network: (.*)", text),
    }


def _speed(text: str) -> dict[str, Any]:
    mbps, rating = _found(r"([\d.]+) Mbps", text), _found(r"Mbps \(([\w ]+)\)", text)
    return {"mbps": float(mbps) if mbps else None, "rating": rating.lower() if rating else "no connection"}


def _apn(text: str) -> dict[str, Any]:
    url = _found(r"MMSC URL \(for picture messages\): (.*)", text)
    return {"apn_name": _found(r"APN Name: (\w+)", text), "mmsc_url": None if url == "Not Set" else url}


def _app(text: str) -> dict[str, bool]:
    granted = text.partition("ranted:")[2] or text.partition("permission for:")[2]
    return {name: re.search(rf"\b{name}\b", granted) is not None for name in PERMISSIONS}


def _payment(text: str) -> dict[str, Any]:
    amount = _found(r"of ([\d.]+) USD", text)
    return {"bill_id": _found(r"for bill (\w+)", text), "amount": float(amount) if amount else None}


_SCREENS: dict[str, Any] = {
    "check_status_bar": lambda text: {"status_bar": status_bar(text)},
    "check_network_status": _network,
    "check_network_mode_preference": lambda text: {"network_mode": text.partition(": ")[2]},
    "run_speed_test": _speed,
    "check_sim_status": lambda text: {"sim": next(name for words, name in _SIM.items() if words in text)},
    "check_data_restriction_status": lambda text: {"data_saver": _on("is", text)},
    "check_apn_settings": _apn,
    "check_wifi_status": lambda text: {"wifi": "is ON" in text, "network": _found("connected to '(.*)'", text)},
    "check_wifi_calling_status": lambda text: {"wifi_calling": _on("turned", text)},
    "check_vpn_status": lambda text: {"connected": "ON and connected" in text},
    "check_installed_apps": lambda text: {"apps": text.partition(": ")[2].split(", ")},
    "check_app_status": _app,
    "check_app_permissions": _app,
    "can_send_mms": lambda text: {"can_send_mms": "cannot" not in text},
    "check_payment_request": _payment,
    "make_payment": _payment,
}
_KEPT = {
    "check_apn_settings": ("apn_name", "mmsc_url"),
    "check_wifi_status": ("wifi", "network"),
    "check_vpn_status": ("connected",),
    "check_app_status": PERMISSIONS,
    "check_app_permissions": PERMISSIONS,
}
"""What of our screens theirs show as well."""


def theirs(tool: str, value: Any) -> Any:
    """A result of tau2-bench."""
    if tool == "connect_vpn":
        return None  # theirs do not show the status bar when it is connected already
    if tool in _SCREENS:
        return _SCREENS[tool](value)
    if isinstance(value, str):
        bar = _found(r"(Status Bar: .*)", value)
        return {"status_bar": status_bar(bar)} if bar else None
    return _plain(value)


def ours(tool: str, value: Any) -> Any:
    """A result of ours."""
    if isinstance(value, str) or tool == "connect_vpn":
        return None
    if tool == "check_payment_request":
        return {"bill_id": value["bill_id"], "amount": value["amount_due"]}
    if tool in _KEPT:
        return {name: value[name] for name in _KEPT[tool]}
    return _plain(value)


def _plain(value: Any) -> Any:
    """A result without wordings and drawn ids; amounts to the cent."""
    if isinstance(value, dict):
        return {key: _plain(item) for key, item in value.items() if key not in {"message", "description"}}
    if isinstance(value, list):
        return [_plain(item) for item in value]
    if isinstance(value, float):
        return round(value, 2)
    return "draft" if isinstance(value, str) and _DRAWN.fullmatch(value) else value


# --- states ---


def their_state(state: Any) -> dict[str, Any]:
    """tau2-bench's two databases as far as they can change."""
    device, around, office = state["user"]["device"], state["user"]["surroundings"], state["agent"]
    apn, vpn = device["active_apn_settings"], device["vpn_details"] or {}
    apn = apn if isinstance(apn, dict) else {}  # theirs take anything
    owners = {line: customer["customer_id"] for customer in office["customers"] for line in customer["line_ids"]}
    found = {
        "phone_number": around["phone_number"],
        "abroad": around["is_abroad"],
        "sim": device["sim_card_status"],
        "sim_seated": not device["sim_card_missing"],
        "airplane_mode": device["airplane_mode"],
        "network_status": device["network_connection_status"],
        "network_type": device["network_technology_connected"],
        "signal": device["network_signal_strength"],
        "network_mode": device["network_mode_preference"],
        "data_on": device["data_enabled"],
        "roaming_on": device["roaming_enabled"],
        "data_saver": device["data_saver_mode"],
        "apn_resets_at_reboot": apn.get("reset_at_reboot"),
        "wifi_on": device["wifi_enabled"],
        "wifi_network": device["wifi_ssid"],
        "wifi_calling": device["wifi_calling_enabled"],
        "mms_over_wifi": device["wifi_calling_mms_over_wifi"],
        "vpn_connected": device["vpn_connected"],
        "vpn_performance": vpn.get("server_performance"),
    }
    found |= {name: apn.get(name) for name in ("apn_name", "mms_apn", "mmsc_url", "mms_proxy", "mms_port")}
    for name, app in device["app_statuses"].items():
        found[name] = app["permissions"]
    for line in office["lines"]:
        if line["line_id"] in owners:
            found[line["line_id"]] = {name: line[name] for name in _LINE}
    for bill in office["bills"]:
        name = bill["bill_id"] if not _DRAWN.fullmatch(bill["bill_id"]) else f"draft of {bill['customer_id']}"
        items = [[round(item["amount"], 2), item["date"], item["item_type"]] for item in bill["line_items"]]
        found[name] = [bill["status"], round(bill["total_due"], 2), bill["issue_date"], bill["due_date"], items]
    return found


_LINE = (
    "status",
    "plan_id",
    "data_used_gb",
    "data_refueling_gb",
    "roaming_enabled",
    "contract_end_date",
    "suspension_start_date",
)
_PHONE = (
    "phone_number",
    "abroad",
    "sim",
    "sim_seated",
    "airplane_mode",
    "network_status",
    "network_type",
    "signal",
    "network_mode",
    "data_on",
    "roaming_on",
    "data_saver",
    "apn_resets_at_reboot",
    "wifi_on",
    "wifi_network",
    "wifi_calling",
    "mms_over_wifi",
    "vpn_connected",
    "vpn_performance",
    "apn_name",
    "mms_apn",
    "mmsc_url",
    "mms_proxy",
    "mms_port",
)


def our_state(session: Session) -> dict[str, Any]:
    """The same of our tables."""
    rows = session._database.query
    (phone,) = rows(f"SELECT {', '.join(_PHONE)} FROM phones")
    found: dict[str, Any] = dict(zip(_PHONE, phone, strict=True))
    for name, *allowed in rows(f"SELECT app_name, {', '.join(PERMISSIONS)} FROM apps ORDER BY position"):
        found[name] = dict(zip(PERMISSIONS, map(bool, allowed), strict=True))
    for name, *values in rows(f"SELECT line_id, {', '.join(_LINE)} FROM lines"):
        found[name] = dict(zip(_LINE, values, strict=True))
    for bill_id, customer, status, cents, issued, due in rows(
        "SELECT bill_id, customer_id, status, total_cents, issue_date, due_date FROM bills"
    ):
        items = rows(
            "SELECT amount_cents, date, item_type FROM bill_items WHERE bill_id = :bill ORDER BY position", bill=bill_id
        )
        name = bill_id if not _DRAWN.fullmatch(bill_id) else f"draft of {customer}"
        found[name] = [status, cents / 100, issued, due, [[amount / 100, date, kind] for amount, date, kind in items]]
    return found
