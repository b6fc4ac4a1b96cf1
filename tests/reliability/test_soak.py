"""A thousand sessions at once: none sees another, and closing them gives their memory back.

This is a short one for every run; `python tests/servers/soak.py` makes 100,000 calls, see docs/reliability.md.
"""

import time
from collections.abc import Iterator

import pytest
from sandbox_server import TOOLGYM, SandboxServer
from soak import Outcome, soak

SPARE = 20e6
"""Bytes that stay: what is loaded once, such as the worlds' images and their statements."""
pytestmark = [pytest.mark.slow, pytest.mark.turns(2, 1), pytest.mark.xdist_group("soak")]


@pytest.fixture(scope="module")
def soaked(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[SandboxServer, Outcome]]:
    """A server, and what a thousand sessions at once came to there; all of them are closed."""
    data, worlds = tmp_path_factory.mktemp("soak") / "data", ("--worlds", "retail", "kiosk")
    with SandboxServer(data, *worlds, code=TOOLGYM[2]) as server:  # a fork shares memory
        yield server, soak(server, sessions=1000, calls=3000, retail=0.05, seed=1)


def test_no_session_sees_another(soaked: tuple[SandboxServer, Outcome]) -> None:
    server, done = soaked
    assert "Traceback" not in server.printed()
    assert not done.violations, done.violations[:3]
    assert done.calls >= 3000


def test_closing_gives_the_memory_back(soaked: tuple[SandboxServer, Outcome]) -> None:
    server, done = soaked
    start, most, _ = done.memory
    deadline = time.monotonic() + 600  # housekeeping gives memory back once it has become quiet
    while server.memory() - start > SPARE + 0.1 * (most - start):
        assert time.monotonic() < deadline, f"{done}; now {server.memory() / 1e6:.0f} MB"
        time.sleep(0.2)
