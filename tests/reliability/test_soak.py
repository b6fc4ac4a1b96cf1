"""A thousand sessions at once: none sees another, and closing them gives their memory back.

This is a short one for every run; `python tests/servers/soak.py` makes 100,000 calls, see docs/reliability.md.
"""

import time
from pathlib import Path

import pytest
from sandbox_server import SandboxServer
from soak import soak

SPARE = 20e6
"""Bytes that stay: what is loaded once, such as the worlds' images."""
pytestmark = [pytest.mark.slow, pytest.mark.xdist_group("soak")]


def test_a_thousand_sessions(tmp_path: Path) -> None:
    with SandboxServer(tmp_path / "data") as server:
        start = server.memory()
        done = soak(server, sessions=1000, calls=3000, retail=0.05, seed=1)
        assert "Traceback" not in server.printed()
        assert not done.violations, done.violations[:3]
        assert done.calls >= 3000
        deadline = time.monotonic() + 15  # housekeeping gives memory back to the system every few seconds
        while server.memory() - start > SPARE + 0.3 * (done.memory[1] - start):
            assert time.monotonic() < deadline, f"{done}; now {server.memory() / 1e6:.0f} MB"
            time.sleep(0.2)
