"""deploy/try.sh needs a container engine; what it asks of the server is asked here of a real one."""

import shutil
import subprocess
from pathlib import Path

import pytest
from sandbox_server import SandboxServer

SCRIPT = Path(__file__).parents[2] / "deploy" / "try.sh"
pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(shutil.which("bash") is None or shutil.which("curl") is None, reason="a shell script"),
]


def run(*lines: str) -> subprocess.CompletedProcess[str]:
    code = "\n".join([f"source {SCRIPT}", *lines])
    return subprocess.run(["bash", "-c", code], capture_output=True, text=True, timeout=600)


def test_it_drives_a_server_through_a_kill_and_notices_what_is_lost(tmp_path: Path) -> None:
    with SandboxServer(tmp_path / "data") as server:
        url = server.url
        opened = run(f"wait_until_ready {url}", f"open_session {url}")
        identifier = opened.stdout.strip()
        assert opened.returncode == 0 and len(identifier) == 32, opened
        reserved = run(f"reserve {url} {identifier}")
        assert reserved.returncode == 0, reserved
        server.kill()
        server.start()
        kept = run(f"wait_until_ready {url}", f"reserve {url} {identifier}", f"require_reserved {url} {identifier}")
        assert kept.returncode == 0, kept
        another = run(f"id=$(open_session {url})", f"require_reserved {url} $id")
        assert another.returncode == 1 and "FAILED: the log is not" in another.stderr


def test_without_an_engine_it_says_so() -> None:
    done = subprocess.run(["bash", str(SCRIPT)], capture_output=True, text=True, timeout=600, env={"ENGINE": "no-such"})
    assert done.returncode == 1 and "ENGINE=docker or ENGINE=podman" in done.stderr
