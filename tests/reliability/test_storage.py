"""Full and damaged data directories: nothing is applied that is not kept, and what was kept stays."""

import json
import os
import resource
import shutil
import subprocess
import time
from collections.abc import Callable
from pathlib import Path

import pytest
from fault_table import fault
from load import Writer, nth_call
from sandbox_server import TOOLGYM, SandboxServer

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(os.name != "posix", reason="limits of files and namespaces"),
    pytest.mark.xdist_group("faults"),
]


def write_until_full(writer: Writer) -> int:
    """Write until the server says that it cannot; returns how many answers said so."""
    refused = 0
    while refused < 5:
        name, arguments = nth_call(writer.acknowledged)
        status, answer, _ = writer.ask("POST", f"{writer.path}/call", {"name": name, "arguments": arguments})
        if status == 200:
            writer.acknowledged += 1
            assert writer.acknowledged < 100_000, "the disk is never full"
        else:
            assert status == 507, (status, answer)
            assert json.loads(answer)["error"]["code"] == "storage_failed"
            refused += 1
    return refused


def require_recovery(writer: Writer, server: SandboxServer, make_space: Callable[[], None]) -> None:
    """Nothing was lost or half applied; reading goes on; with space writing goes on, also after a restart."""
    status, _, _ = writer.ask("GET", f"{writer.path}/diff")
    assert status == 200
    writer.require_kept()
    make_space()
    deadline = time.monotonic() + 600
    before = writer.acknowledged
    while writer.acknowledged < before + 20:
        try:
            writer.write()
        except Exception:
            assert time.monotonic() < deadline
            time.sleep(0.1)
    writer.require_kept()
    assert "Traceback" not in server.printed()


@fault("file_limit")
def test_files_may_not_grow(tmp_path: Path, record_property: Callable[[str, object], None]) -> None:
    with SandboxServer(tmp_path / "data") as server:
        writer = Writer(server.url)
        for _ in range(50):
            writer.write()
        pid, free = server.process.pid, resource.RLIM_INFINITY
        largest = max(path.stat().st_size for path in (tmp_path / "data").iterdir())
        resource.prlimit(pid, resource.RLIMIT_FSIZE, (largest + 30_000, free))
        refused = write_until_full(writer)
        require_recovery(writer, server, lambda: resource.prlimit(pid, resource.RLIMIT_FSIZE, (free, free)) and None)
        server.kill()
        server.start()
        writer.require_kept()
    record_property("measured", f"{writer.acknowledged:,} writes kept, {refused} refused with 507, none in between")


def can_mount() -> bool:
    command = ["unshare", "--user", "--map-root-user", "--mount", "mount", "-t", "tmpfs", "tmpfs", "/mnt"]
    return shutil.which("unshare") is not None and subprocess.run(command, capture_output=True).returncode == 0


@fault("full_disk")
@pytest.mark.skipif(not can_mount(), reason="this system lets nobody mount a file system of their own")
def test_the_disk_is_full(tmp_path: Path, record_property: Callable[[str, object], None]) -> None:
    data = tmp_path / "data"
    data.mkdir()
    mount = 'mount -t tmpfs -o size=600k tmpfs "$0" && head -c 200000 /dev/zero > "$0/ballast" && exec "$@"'
    prefix = ["unshare", "--user", "--map-root-user", "--mount", "sh", "-c", mount, str(data)]
    with SandboxServer(data, prefix=prefix) as server:
        inside = Path(f"/proc/{server.process.pid}/root{data}")
        assert (inside / "sessions.db").is_file() and not (data / "sessions.db").exists()
        writer = Writer(server.url)
        refused = write_until_full(writer)
        require_recovery(writer, server, (inside / "ballast").unlink)
    record_property("measured", f"{writer.acknowledged:,} writes kept, {refused} refused with 507, none in between")


@fault("read_only")
@pytest.mark.skipif(not can_mount(), reason="this system lets nobody mount a file system of their own")
def test_the_folder_is_read_only_at_start(tmp_path: Path, record_property: Callable[[str, object], None]) -> None:
    mount = 'mount -t tmpfs -o ro tmpfs "$0" && exec "$@"'
    command = ["unshare", "--user", "--map-root-user", "--mount", "sh", "-c", mount, str(tmp_path), *TOOLGYM]
    for workers in ("1", "2"):
        flags = ["serve", "--port", "0", "--data-dir", str(tmp_path), "--workers", workers]
        done = subprocess.run([*command, *flags], capture_output=True, text=True, timeout=600)
        assert done.returncode == 2 and len(done.stderr.splitlines()) == 1, done.stderr
        assert "cannot be used" in done.stderr and "serves on" not in done.stderr
    said = done.stderr.strip().replace(str(tmp_path), "/data")
    record_property("measured", f"ended with status {done.returncode}: {said}")


@fault("damaged")
def test_a_damaged_store(tmp_path: Path, record_property: Callable[[str, object], None]) -> None:
    data = tmp_path / "data"
    data.mkdir()
    damaged = b"not a database at all, but somebody's file. " * 200
    (data / "sessions.db").write_bytes(damaged)
    command = [*TOOLGYM, "serve", "--port", "0", "--data-dir", str(data)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=600)
    assert done.returncode not in (0, -9)
    assert "Traceback" not in done.stderr and "data directory" in done.stderr, done.stderr
    assert (data / "sessions.db").read_bytes() == damaged
    said = done.stderr.strip().splitlines()[-1].replace(str(data), "/data")
    record_property("measured", f"ended with status {done.returncode}: {said[:150]}")
