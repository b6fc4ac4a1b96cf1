"""Clients that are slow, deaf or gone: the others are served, and a call is applied once or not at all."""

import json
import socket
import struct
import threading
import time
from collections.abc import Callable, Iterator

import httpx2
import pytest
from fault_table import fault
from load import Writer
from sandbox_server import KIOSK, SandboxServer

SHORT = """
import sys
import toolgym.sandbox.server.middleware as gate
gate.BODY_SECONDS = 6.0
from toolgym.cli import main
sys.exit(main())
"""
"""The server with less patience for a body than its 30 seconds, so that the test need not wait so long."""
pytestmark = [pytest.mark.slow, pytest.mark.xdist_group("faults")]


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[SandboxServer]:
    with SandboxServer(tmp_path_factory.mktemp("clients") / "data", *KIOSK, code=SHORT) as running:
        yield running


def connect(server: SandboxServer) -> socket.socket:
    return socket.create_connection(("127.0.0.1", server.port), timeout=600)


def head(path: str, length: int, *headers: str) -> bytes:
    lines = [f"POST {path} HTTP/1.1", "Host: 127.0.0.1", "Content-Type: application/json", *headers]
    return "\r\n".join([*lines, f"Content-Length: {length}", "", ""]).encode()


def answered_meanwhile(server: SandboxServer, calls: int) -> float:
    """Another client makes so many calls, none of them lost; the seconds of its longest wait."""
    writer, longest = Writer(server.url), 0.0
    for _ in range(calls):
        started = time.monotonic()
        writer.write()
        longest = max(longest, time.monotonic() - started)
    writer.require_kept()
    return longest


@fault("slow_body")
def test_slow_bodies(server: SandboxServer, record_property: Callable[[str, object], None]) -> None:
    writer = Writer(server.url)
    slow = [connect(server) for _ in range(60)]
    for connection in slow:
        connection.sendall(head(f"{writer.path}/call", 500))
    stop = threading.Event()

    def drip() -> None:
        while not stop.wait(0.2):
            for connection in slow:
                try:
                    connection.sendall(b"{")
                except OSError:
                    continue

    dripping = threading.Thread(target=drip, daemon=True)
    dripping.start()
    longest = answered_meanwhile(server, 100)
    answers = [connection.recv(100) for connection in slow]
    stop.set()
    dripping.join()
    assert all(answer.startswith(b"HTTP/1.1 408") for answer in answers)
    for connection in slow:
        connection.close()
    assert writer.kept() == []
    record_property("measured", f"100 calls answered meanwhile, the slowest in {longest * 1000:.0f} ms; 60 times 408")


@fault("deaf")
def test_clients_that_do_not_read(server: SandboxServer, record_property: Callable[[str, object], None]) -> None:
    writer = Writer(server.url)
    for _ in range(100):
        writer.write()
    deaf = []
    for _ in range(20):
        connection = socket.socket()
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 2048)
        connection.connect(("127.0.0.1", server.port))
        request = f"GET {writer.path}/log HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n".encode()
        connection.sendall(request * 50)
        deaf.append(connection)
    longest = answered_meanwhile(server, 30)
    for connection in deaf:
        connection.close()
    record_property("measured", f"30 calls answered meanwhile, the slowest in {longest * 1000:.0f} ms")


@fault("hang_up")
def test_clients_that_leave(server: SandboxServer, record_property: Callable[[str, object], None]) -> None:
    before = len(server.printed())
    http = httpx2.Client(base_url=server.url, timeout=600)
    applied = 0
    for number in range(200):
        if number % 20 == 0:
            path = f"/sessions/{http.post('/sessions', json={'domain': 'kiosk'}).json()['id']}"
            sent: dict[str, dict[str, str]] = {}
        key = f"key-{number}"
        arguments = {"ticket_id": "T102", "holder": f"Person {number}"}
        sent[key] = arguments
        leave(server, path, key, arguments, over_mcp=number % 2 == 1)
        if number % 20 == 19:
            applied += require_applied_at_most_once(http, path, sent)
    http.close()
    printed = server.printed()[before:]
    assert "Traceback" not in printed and '"level": "error"' not in printed, printed[:2000]
    record_property("measured", f"200 clients left; {applied} of their writes were applied, each once")


def leave(server: SandboxServer, path: str, key: str, arguments: dict[str, str], *, over_mcp: bool) -> None:
    """Send a call and close the connection at once, every other time so that the server's answer meets a reset."""
    if over_mcp:
        meta = {
            "toolgym/idempotency-key": key,
            "io.modelcontextprotocol/protocolVersion": "2026-07-28",
            "io.modelcontextprotocol/clientInfo": {"name": "leaver", "version": "1"},
            "io.modelcontextprotocol/clientCapabilities": {},
        }
        params = {"name": "reserve_ticket", "arguments": arguments, "_meta": meta}
        body = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params}
        extra = ["Accept: application/json, text/event-stream", "MCP-Protocol-Version: 2026-07-28"]
        extra += ["Mcp-Method: tools/call", "Mcp-Name: reserve_ticket"]
        target = f"{path}/mcp"
    else:
        body, extra = {"name": "reserve_ticket", "arguments": arguments}, [f"Idempotency-Key: {key}"]
        target = f"{path}/call"
    content = json.dumps(body).encode()
    connection = connect(server)
    connection.sendall(head(target, len(content), *extra) + content)
    if key.endswith(("1", "4", "6", "9")):
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    connection.close()


def require_applied_at_most_once(http: httpx2.Client, path: str, sent: dict[str, dict[str, str]]) -> int:
    log = settled_log(http, path)
    seen = [call["arguments"]["holder"] for call in log]
    assert len(seen) == len(set(seen))
    for key, arguments in sent.items():  # the same key later: the stored answer, or the first one
        body = {"name": "reserve_ticket", "arguments": arguments}
        answer = http.post(f"{path}/call", json=body, headers={"Idempotency-Key": key})
        assert answer.status_code in (200, 409)
        assert (answer.headers.get("idempotent-replayed") == "true") == (arguments["holder"] in seen)
    again = [call["arguments"]["holder"] for call in http.get(f"{path}/log").json()["calls"]]
    assert sorted(again) == sorted(arguments["holder"] for arguments in sent.values())
    return len(seen)


def settled_log(http: httpx2.Client, path: str) -> list[dict[str, dict[str, str]]]:
    """The log once it has stopped growing: what the clients left behind may still be on its way."""
    log, quiet = http.get(f"{path}/log").json()["calls"], 0
    while quiet < 5:
        time.sleep(0.05)
        fresh = http.get(f"{path}/log").json()["calls"]
        quiet = quiet + 1 if fresh == log else 0
        log = fresh
    return list(log)
