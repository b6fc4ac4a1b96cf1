"""What holds for all tests."""

import pytest
from hypothesis import settings

settings.register_profile("untimed", deadline=None)  # how long an example takes says more of the machine than of it
settings.load_profile("untimed")
QUICK_WORLDS = ("kiosk", "banking", "retail", "telecom")
"""A private customer's world, a desk's, one with a phone in the user's hand, and the smallest one."""


def pytest_itemcollected(item: pytest.Item) -> None:
    """What is tested in every world is quick in a few of them; what is drawn of a world is drawn by one process."""
    parameters = getattr(item, "callspec", None)
    world = parameters.params.get("world") if parameters else None
    if not isinstance(world, str):
        return
    if world not in QUICK_WORLDS:
        item.add_marker(pytest.mark.slow)
    if item.config.pluginmanager.hasplugin("xdist") and item.get_closest_marker("xdist_group") is None:
        item.add_marker(pytest.mark.xdist_group(f"{item.path.stem} {world}"))
