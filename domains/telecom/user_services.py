"""What the user can do on the phone beside the network: APN, Wi-Fi, VPN, apps, picture messages, restart, payment.

tau2-bench's tools by the same names and parameters; the network's are in `toolgym.domains.telecom.user_network`.
"""

from typing import Literal

from pydantic import BaseModel, ConfigDict, Field

from toolgym.domains.telecom import screens
from toolgym.domains.telecom.books import bills_of
from toolgym.domains.telecom.phone import DEFAULT_APN, get_phone, mms_works, own_customer, search
from toolgym.domains.telecom.schema import App, Bill
from toolgym.domains.telecom.user_network import on_off
from toolgym.sandbox.kit.world import Database, Refusal, tool

PERMISSIONS = ("sms", "storage", "phone", "network")
VPN = {"vpn_server": "192.168.1.1", "vpn_protocol": "OpenVPN", "vpn_performance": "excellent"}


class ApnSettings(BaseModel):
    """The access point's settings; what is left out takes its usual value."""

    model_config = ConfigDict(extra="forbid", strict=True)

    apn_name: Literal["internet", "broken"] = Field("internet", description="the access point")
    reset_at_reboot: bool = Field(False, description="whether the next restart brings back the usual settings")
    mms_apn: str | None = Field(DEFAULT_APN["mms_apn"], description="the access point for picture messages")
    mmsc_url: str | None = Field(DEFAULT_APN["mmsc_url"], description="where picture messages go")
    mms_proxy: str | None = Field(None, description="the proxy for picture messages")
    mms_port: int | None = Field(None, description="the proxy's port")


# --- access point ---


@tool("read")
def check_apn_settings(db: Database) -> screens.ApnScreen:
    """Look at the access point's name and where picture messages go."""
    phone = get_phone(db)
    return screens.ApnScreen(
        apn_name=phone.apn_name, mmsc_url=phone.mmsc_url, resets_at_reboot=phone.apn_resets_at_reboot
    )


@tool("write")
def set_apn_settings(db: Database, apn_settings: ApnSettings) -> screens.Changed:
    """Change the access point's settings.

    Args:
        apn_settings: all of them; what is left out takes its usual value.
    """
    values = apn_settings.model_dump()
    phone = search(db, apn_resets_at_reboot=values.pop("reset_at_reboot"), **values)
    return screens.changed(phone, f"The access point is now {phone.apn_name}.")


@tool("write")
def reset_apn_settings(db: Database) -> screens.Changed:
    """Have the usual access point settings brought back at the next restart."""
    return screens.changed(search(db, apn_resets_at_reboot=True), "The APN settings will be reset at the next restart.")


# --- Wi-Fi ---


@tool("read")
def check_wifi_status(db: Database) -> screens.WifiScreen:
    """Look up whether Wi-Fi is on, and which network it is connected to."""
    phone = get_phone(db)
    return screens.WifiScreen(wifi=phone.wifi_on, network=phone.wifi_network, signal=phone.wifi_signal)


@tool("write")
def toggle_wifi(db: Database) -> screens.Changed:
    """Switch Wi-Fi on or off; not possible in airplane mode."""
    phone = get_phone(db)
    if phone.airplane_mode:
        raise Refusal("airplane_mode_on", "Wi-Fi cannot be switched while airplane mode is on.")
    phone = db.update(phone, wifi_on=not phone.wifi_on, wifi_network=None, wifi_signal="none")
    return screens.changed(phone, f"Wi-Fi is now {on_off(phone.wifi_on)}.")


@tool("read")
def check_wifi_calling_status(db: Database) -> screens.WifiCallingScreen:
    """Look up whether calls may go over Wi-Fi."""
    return screens.WifiCallingScreen(wifi_calling=get_phone(db).wifi_calling)


@tool("write")
def toggle_wifi_calling(db: Database) -> screens.Changed:
    """Switch Wi-Fi calling on or off."""
    phone = get_phone(db)
    phone = db.update(phone, wifi_calling=not phone.wifi_calling)
    return screens.changed(phone, f"Wi-Fi calling is now {on_off(phone.wifi_calling)}.")


# --- VPN ---


@tool("read")
def check_vpn_status(db: Database) -> screens.VpnScreen:
    """Look up whether a VPN is connected, to which server and how well."""
    phone = get_phone(db)
    return screens.VpnScreen(
        connects_by_itself=phone.vpn_on,
        connected=phone.vpn_connected,
        server=phone.vpn_server,
        protocol=phone.vpn_protocol,
        performance=phone.vpn_performance,
    )


@tool("write")
def connect_vpn(db: Database) -> screens.Changed:
    """Connect the VPN; this needs a network."""
    phone = get_phone(db)
    if phone.vpn_connected:
        return screens.changed(phone, "The VPN was connected already.")
    if phone.network_status != "connected":
        raise Refusal("no_network", "The VPN cannot connect: the phone has no network.")
    return screens.changed(db.update(phone, vpn_connected=True, **VPN), "The VPN is connected.")


@tool("write")
def disconnect_vpn(db: Database) -> screens.Changed:
    """Disconnect the VPN and keep it from connecting by itself."""
    phone = get_phone(db)
    if not (phone.vpn_connected or phone.vpn_on):
        return screens.changed(phone, "No VPN was connected.")
    phone = db.update(
        phone, vpn_on=False, vpn_connected=False, vpn_server=None, vpn_protocol=None, vpn_performance=None
    )
    return screens.changed(phone, "The VPN is disconnected.")


# --- apps and picture messages ---


@tool("read")
def check_installed_apps(db: Database) -> screens.AppsScreen:
    """List the installed apps."""
    return screens.AppsScreen(apps=[app.app_name for app in sorted(db.find(App), key=lambda app: app.position)])


@tool("read")
def check_app_status(db: Database, app_name: str) -> screens.PermissionsScreen:
    """Look at an app's page: its name and what it may use.

    Args:
        app_name: such as "messaging".
    """
    return screens.show_permissions(_app(db, app_name))


@tool("read")
def check_app_permissions(db: Database, app_name: str) -> screens.PermissionsScreen:
    """Look up what an app may use.

    Args:
        app_name: such as "messaging".
    """
    return screens.show_permissions(_app(db, app_name))


@tool("write")
def grant_app_permission(db: Database, app_name: str, permission: str) -> screens.Changed:
    """Allow an app to use something.

    Args:
        app_name: such as "messaging".
        permission: sms, storage, phone or network.
    """
    app, wanted = _app(db, app_name), permission.lower()
    if wanted not in PERMISSIONS:
        raise Refusal(
            "permission_not_found",
            f"There is no permission {permission!r} for {app_name}; there are {', '.join(PERMISSIONS)}.",
        )
    db.update(app, **{wanted: True})
    return screens.changed(get_phone(db), f"The app {app_name} may use {wanted} now.")


@tool("read")
def can_send_mms(db: Database) -> screens.MmsScreen:
    """Try whether the messaging app can send a picture message."""
    return screens.MmsScreen(can_send_mms=mms_works(db))


def _app(db: Database, app_name: str) -> App:
    app = db.get(App, app_name)
    if app is None:
        raise Refusal("app_not_found", f"There is no app {app_name!r} on this phone; check_installed_apps lists them.")
    return app


# --- the phone as a whole ---


@tool("write")
def reboot_device(db: Database) -> screens.Changed:
    """Restart the phone."""
    apn = DEFAULT_APN if get_phone(db).apn_resets_at_reboot else {}
    return screens.changed(
        search(db, **apn), "The phone has restarted" + (" with the usual APN settings." if apn else ".")
    )


# --- payment ---


@tool("read")
def check_payment_request(db: Database) -> screens.PaymentScreen:
    """Look up whether the provider has asked for a payment: which bill, how much."""
    bill = _requested(db)
    if bill is None:
        return screens.PaymentScreen(bill_id=None, amount_due=None)
    return screens.PaymentScreen(bill_id=bill.bill_id, amount_due=bill.total_cents / 100)


@tool("write")
def make_payment(db: Database) -> screens.Paid:
    """Pay the bill that the provider has asked for."""
    bill = _requested(db)
    if bill is None:
        raise Refusal("no_payment_request", "The provider has asked for no payment.")
    db.update(bill, status="Paid")
    amount = bill.total_cents / 100
    return screens.Paid(message=f"${amount:.2f} paid for bill {bill.bill_id}.", bill_id=bill.bill_id, amount=amount)


def _requested(db: Database) -> Bill | None:
    customer = own_customer(db)
    waiting = bills_of(db, customer, status="Awaiting Payment") if customer else []
    return waiting[0] if waiting else None
