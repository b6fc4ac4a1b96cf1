"""A machine's clock that jumps, as far as Python reads it: `time.time` of a real server process follows a file."""

import time
from collections.abc import Callable
from pathlib import Path

import httpx2
import pytest
from fault_table import fault
from load import Writer
from sandbox_server import KIOSK, SandboxServer

DAY = 86_400
JUMPING = """
import sys, time
from pathlib import Path
path, real = Path({path!r}), time.time
time.time = lambda: real() + float(path.read_text(encoding="utf-8"))
from toolgym.cli import main
sys.exit(main())
"""
pytestmark = [pytest.mark.slow, pytest.mark.xdist_group("faults")]


class Jumping(SandboxServer):
    """A server whose clock is set by `jump`."""

    def __init__(self, folder: Path) -> None:
        self._offset = folder / "offset"
        self.jump(0)
        super().__init__(folder / "data", *KIOSK, "--ttl", str(DAY), code=JUMPING.format(path=str(self._offset)))

    def jump(self, seconds: float) -> None:
        """Set the clock so many seconds beside the true time."""
        fresh = self._offset.with_suffix(".new")
        fresh.write_text(str(seconds), encoding="utf-8")
        fresh.replace(self._offset)


@fault("clock_jump")
def test_jumps_while_it_runs(tmp_path: Path, record_property: Callable[[str, object], None]) -> None:
    with Jumping(tmp_path) as server:
        writer = Writer(server.url)
        for offset in (10 * DAY, -10 * DAY, 0):
            server.jump(offset)
            time.sleep(2.2)  # housekeeping ends what it takes for expired every two seconds
            for _ in range(20):
                writer.write()
            fresh = Writer(server.url)
            fresh.write()
            now = httpx2.get(f"{server.url}{fresh.path}", timeout=600).json()
            assert now["now"] == httpx2.get(f"{server.url}{writer.path}", timeout=600).json()["now"]
        writer.require_kept()
    record_property("measured", f"three jumps, {writer.acknowledged} calls, no session ended")


@fault("clock_restart")
def test_another_time_after_a_restart(tmp_path: Path, record_property: Callable[[str, object], None]) -> None:
    with Jumping(tmp_path) as server:
        writer = Writer(server.url)
        for _ in range(20):
            writer.write()
        server.kill()
        server.jump(-DAY)
        server.start()
        for _ in range(20):
            writer.write()
        writer.require_kept()
        server.kill()
        server.jump(0.9 * DAY + 10 * DAY)
        server.start()
        answer = httpx2.get(f"{server.url}{writer.path}", timeout=600)
        assert answer.status_code == 410 and answer.json()["error"]["code"] == "session_expired"
        assert len(writer.kept()) == writer.acknowledged == 40
    record_property("measured", "as said")
