"""What the user can do on the phone about the network: status, airplane mode, SIM, mobile data, roaming, speed.

tau2-bench's tools by the same names and parameters; the rest of the phone is `toolgym.domains.telecom.user_services`.
"""

from toolgym.domains.telecom import screens
from toolgym.domains.telecom.phone import get_phone, search, sim_status, speed, status_bar
from toolgym.sandbox.kit.world import Database, tool


def on_off(state: bool) -> str:
    """A switch's position in words."""
    return "on" if state else "off"


@tool("read")
def check_status_bar(db: Database) -> screens.StatusBar:
    """Look at the icons at the top of the screen: signal, network type, mobile data, Wi-Fi, VPN, battery."""
    return screens.StatusBar(status_bar=status_bar(get_phone(db)))


@tool("read")
def check_network_status(db: Database) -> screens.NetworkScreen:
    """Look at the network overview: airplane mode, SIM, connection, signal, mobile data, data roaming, Wi-Fi."""
    return screens.show_network(get_phone(db))


@tool("read")
def check_network_mode_preference(db: Database) -> screens.ModeScreen:
    """Look up which network mode the phone prefers."""
    return screens.ModeScreen(network_mode=get_phone(db).network_mode)


@tool("write")
def set_network_mode_preference(db: Database, mode: screens.NetworkMode) -> screens.Changed:
    """Choose which networks the phone may use; newer ones are faster.

    Args:
        mode: the network mode.
    """
    return screens.changed(search(db, network_mode=mode), f"The preferred network mode is now {mode}.")


@tool("read")
def run_speed_test(db: Database) -> screens.SpeedScreen:
    """Measure how fast mobile data is."""
    mbps, rating = speed(db)
    return screens.SpeedScreen(mbps=mbps, rating=rating)


@tool("write")
def toggle_airplane_mode(db: Database) -> screens.Changed:
    """Switch airplane mode on or off. While it is on, the phone has neither mobile network nor Wi-Fi."""
    new = not get_phone(db).airplane_mode
    phone = search(db, airplane_mode=new, wifi_network=None, wifi_signal="none")
    return screens.changed(phone, f"Airplane mode is now {on_off(new)}.")


@tool("read")
def check_sim_status(db: Database) -> screens.SimScreen:
    """Look up whether the SIM card works, is missing, or is locked with a PIN or PUK."""
    return screens.SimScreen(sim=sim_status(get_phone(db)))


@tool("write")
def reseat_sim_card(db: Database) -> screens.Changed:
    """Take the SIM card out and put it back in."""
    return screens.changed(search(db, sim_seated=True), "The SIM card is in its place.")


@tool("write")
def toggle_data(db: Database) -> screens.Changed:
    """Switch mobile data on or off."""
    new = not get_phone(db).data_on
    return screens.changed(search(db, data_on=new), f"Mobile data is now {on_off(new)}.")


@tool("write")
def toggle_roaming(db: Database) -> screens.Changed:
    """Switch data roaming on or off: whether the phone may use data abroad."""
    new = not get_phone(db).roaming_on
    return screens.changed(search(db, roaming_on=new), f"Data roaming is now {on_off(new)}.")


@tool("read")
def check_data_restriction_status(db: Database) -> screens.SaverScreen:
    """Look up whether data saver limits the use of data."""
    return screens.SaverScreen(data_saver=get_phone(db).data_saver)


@tool("write")
def toggle_data_saver_mode(db: Database) -> screens.Changed:
    """Switch data saver on or off. While it is on, data is slow."""
    phone = get_phone(db)
    phone = db.update(phone, data_saver=not phone.data_saver)
    return screens.changed(phone, f"Data saver is now {on_off(phone.data_saver)}.")
