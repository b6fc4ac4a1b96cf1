"""What the user's tools show: the phone's screens as small JSON objects."""

from typing import Literal

from typing_extensions import TypedDict

from toolgym.domains.telecom.phone import Rating, SimStatus, sim_status, status_bar
from toolgym.domains.telecom.schema import App, Phone

Signal = Literal["none", "poor", "fair", "good", "excellent"]
NetworkMode = Literal["4g_5g_preferred", "4g_only", "3g_only", "2g_only"]


class StatusBar(TypedDict):
    """The icons at the top of the screen."""

    status_bar: str


class Changed(TypedDict):
    """What a switch did, and the icons at the top of the screen afterwards."""

    message: str
    status_bar: str


class NetworkScreen(TypedDict):
    """The network settings' overview."""

    airplane_mode: bool
    sim: SimStatus
    cellular_connection: str
    cellular_signal: str
    cellular_network_type: str
    mobile_data: bool
    data_roaming: bool
    wifi: bool
    wifi_network: str | None


class ModeScreen(TypedDict):
    """The preferred network mode."""

    network_mode: str


class SpeedScreen(TypedDict):
    """A speed test's result; null where there is no connection."""

    mbps: float | None
    rating: Rating


class SimScreen(TypedDict):
    """The SIM card."""

    sim: SimStatus


class SaverScreen(TypedDict):
    """What limits the use of data."""

    data_saver: bool


class ApnScreen(TypedDict):
    """The access point; null where nothing is set."""

    apn_name: str
    mmsc_url: str | None
    resets_at_reboot: bool


class WifiScreen(TypedDict):
    """Wi-Fi: on or off, the network it is connected to."""

    wifi: bool
    network: str | None
    signal: str


class WifiCallingScreen(TypedDict):
    """Calls over Wi-Fi."""

    wifi_calling: bool


class VpnScreen(TypedDict):
    """The VPN: whether it connects by itself, whether it is connected, to what and how well."""

    connects_by_itself: bool
    connected: bool
    server: str | None
    protocol: str | None
    performance: str | None


class AppsScreen(TypedDict):
    """The installed apps."""

    apps: list[str]


class PermissionsScreen(TypedDict):
    """What an app may use."""

    app_name: str
    sms: bool
    storage: bool
    phone: bool
    network: bool


class MmsScreen(TypedDict):
    """Whether picture messages can be sent."""

    can_send_mms: bool


class PaymentScreen(TypedDict):
    """The bill that the provider asks to pay, in dollars; null where there is none."""

    bill_id: str | None
    amount_due: float | None


class Paid(TypedDict):
    """A payment that was made, in dollars."""

    message: str
    bill_id: str
    amount: float


def changed(phone: Phone, message: str) -> Changed:
    """A change and the status bar after it."""
    return Changed(message=message, status_bar=status_bar(phone))


def show_network(phone: Phone) -> NetworkScreen:
    """The network overview."""
    return NetworkScreen(
        airplane_mode=phone.airplane_mode,
        sim=sim_status(phone),
        cellular_connection=phone.network_status,
        cellular_signal=phone.signal,
        cellular_network_type=phone.network_type,
        mobile_data=phone.data_on,
        data_roaming=phone.roaming_on,
        wifi=phone.wifi_on,
        wifi_network=phone.wifi_network,
    )


def show_permissions(app: App) -> PermissionsScreen:
    """An app's permissions."""
    return PermissionsScreen(
        app_name=app.app_name, sms=app.sms, storage=app.storage, phone=app.phone, network=app.network
    )
