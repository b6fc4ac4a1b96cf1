"""A remote session is a local session elsewhere: same results, log, diff and time travel, over REST and MCP."""

import sys
import threading
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any, Literal

import pytest
from pydantic import TypeAdapter
from sandbox_server import KIOSK, SandboxServer

from toolgym.sandbox.kit.errors import BadInput, ConfigurationError, InfrastructureError
from toolgym.sandbox.remote import RemoteSandbox
from toolgym.sandbox.runtime.call_log import CallRecord
from toolgym.sandbox.runtime.session import Session

PROTOCOLS = ("rest", "mcp")
GRETA = {"ticket_id": "T102", "holder": "Greta Olsen"}
CALLS: list[tuple[str, Any]] = [
    ("reserve_ticket", GRETA),
    ("reserve_ticket", GRETA),
    ("find_tickets", '{"holder": "Greta Olsen"}'),
    ("find_tickets", "no JSON"),
    ("find_tickets", {"holder": float("nan")}),
    ("find_tickets", {"holder": "half \ud800 of a pair"}),
    ("find_tickets", {"holder": "Grüße, 世界, \u0000"}),
    ("find_tickets", {"holder": "x" * 200_000}),
    ("find_tickets", {"holder": 10**30}),
    ("find_tickets", {"holder": [[[[]]]] * 3, "more": {"deep": {}}}),
    ("no_such_tool", {}),
    ("half \ud800 of a name", {}),
    ("find_tickets", '{"holder": "half \ud800 of a pair"}'),
    ("", {}),
]
pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[SandboxServer]:
    with SandboxServer(tmp_path_factory.mktemp("remote") / "data") as running:
        yield running


def deep(levels: int) -> Any:
    value: Any = "x"
    for _ in range(levels):
        value = [value]
    return value


@pytest.mark.parametrize("protocol", PROTOCOLS)
def test_calls_log_and_time_travel_are_the_local_ones(server: SandboxServer, protocol: Literal["rest", "mcp"]) -> None:
    sandbox = RemoteSandbox(server.url, protocol=protocol)
    with sandbox.open("kiosk", seed=3) as remote, Session("kiosk", seed=3) as local:
        for name, arguments in [*CALLS, ("find_tickets", {"holder": deep(200)})]:
            assert remote.call(name, arguments) == local.call(name, arguments), name
        assert untimed(remote) == untimed(local)
        assert remote.diff() == local.diff()
        assert remote.digest() == local.digest()
        assert (remote.data, remote.seed, remote.now) == (local.data, local.seed, local.now)
        with remote.fork() as twin:
            twin.rollback(0)
            assert twin.diff() == [] and twin.log == []
            assert twin.call("reserve_ticket", GRETA).ok
        with sandbox.restore(remote.snapshot()) as again:
            assert again.digest() == local.digest() and len(again.log) == len(local.log)
        remote.rollback(1)
        local.rollback(1)
        assert remote.diff() == local.diff() != []
    sandbox.close()


def untimed(session: Any) -> list[bytes]:
    return [TypeAdapter(CallRecord).dump_json(replace(record, seconds=0.0)) for record in session.log]


@pytest.mark.parametrize("protocol", PROTOCOLS)
def test_a_call_outlives_a_restart_and_is_applied_once(tmp_path: Path, protocol: Literal["rest", "mcp"]) -> None:
    with SandboxServer(tmp_path / "data", *KIOSK) as server:
        sandbox = RemoteSandbox(server.url, protocol=protocol, patience=600)
        session = sandbox.open("kiosk", seed=1)
        session.call("find_tickets", {"holder": "Ada Moreau"})
        server.kill()
        restart = threading.Timer(1.0, server.start)
        restart.start()
        assert session.call("reserve_ticket", GRETA).ok
        restart.join()
        assert not session.call("reserve_ticket", GRETA).ok
        assert [call.name for call in session.snapshot().log] == [call.name for call in session.log]
        session.close()
        sandbox.close()


@pytest.mark.skipif(sys.platform != "linux", reason="limits of another process")
@pytest.mark.parametrize("protocol", PROTOCOLS)
def test_a_call_waits_for_space_on_the_disk(tmp_path: Path, protocol: Literal["rest", "mcp"]) -> None:
    import resource

    with SandboxServer(tmp_path / "data", *KIOSK) as server:
        sandbox = RemoteSandbox(server.url, protocol=protocol, patience=600)
        session = sandbox.open("kiosk", seed=1)
        pid, free = server.process.pid, resource.RLIM_INFINITY
        resource.prlimit(pid, resource.RLIMIT_FSIZE, (1, free))
        hasty = RemoteSandbox(server.url, protocol=protocol, patience=0.1)
        with pytest.raises(InfrastructureError, match="does not take"):
            hasty.open("kiosk")
        space = threading.Timer(1.0, resource.prlimit, (pid, resource.RLIMIT_FSIZE, (free, free)))
        space.start()
        assert session.call("reserve_ticket", GRETA).ok
        space.join()
        assert not session.call("reserve_ticket", GRETA).ok
        sandbox.close()


@pytest.mark.parametrize("protocol", PROTOCOLS)
def test_a_server_that_is_away_is_an_infrastructure_failure(tmp_path: Path, protocol: Literal["rest", "mcp"]) -> None:
    with SandboxServer(tmp_path / "data", *KIOSK) as server:
        sandbox = RemoteSandbox(server.url, protocol=protocol, patience=0.5)
        session = sandbox.open("kiosk")
        session.call("find_tickets", {"holder": "Ada Moreau"})
        server.kill()
        started = time.monotonic()
        with pytest.raises(InfrastructureError, match=r"cannot be reached.*toolgym serve") as raised:
            session.call("find_tickets", {"holder": "Ada Moreau"})
        assert raised.value.boundary == "session" and time.monotonic() - started < 30
        assert len(session.log) == 1
        with pytest.raises(ConfigurationError, match="cannot be reached"):
            sandbox.check()
        sandbox.close()


def test_mistakes_are_answered_in_words(server: SandboxServer) -> None:
    sandbox = RemoteSandbox(server.url)
    with pytest.raises(BadInput, match="did you mean 'kiosk'"):
        sandbox.open("kisok")
    with pytest.raises(BadInput, match="cannot open this session"):
        sandbox.open("kiosk", task="no-such-task")
    session = sandbox.open("kiosk")
    with pytest.raises(BadInput, match="from 0 to 0"):
        session.rollback(3)
    with pytest.raises(InfrastructureError, match="without a task"):
        session.verify()
    session.close()
    session.close()
    with pytest.raises(InfrastructureError, match=r"has not got this session any more.*closed"):
        session.call("find_tickets", {"holder": "Ada Moreau"})
    for address in ("127.0.0.1:8000", "ftp://127.0.0.1", "http://", "http://127.0.0.1:port", ""):
        with pytest.raises(ConfigurationError, match="no server's address"):
            RemoteSandbox(address)
    sandbox.close()


def test_a_token_is_needed_where_the_server_has_one(tmp_path: Path) -> None:
    token = "t" * 24
    with SandboxServer(tmp_path / "data", *KIOSK, environment={"TOOLGYM_TOKEN": token}) as server:
        for wrong in (None, "w" * 24):
            with pytest.raises(ConfigurationError, match="TOOLGYM_TOKEN"):
                RemoteSandbox(server.url, token=wrong).check()
        for protocol in PROTOCOLS:
            sandbox = RemoteSandbox(server.url, token=token, protocol=protocol)  # type: ignore[arg-type]
            sandbox.check()
            with sandbox.open("kiosk") as session:
                assert session.call("find_tickets", {"holder": "Ada Moreau"}).ok
            sandbox.close()


def test_messages_name_no_password() -> None:
    sandbox = RemoteSandbox("http://user:a-password@127.0.0.1:9", patience=0)
    with pytest.raises(ConfigurationError, match=r"The sandbox at http://127.0.0.1:9 cannot") as raised:
        sandbox.check()
    assert "a-password" not in str(raised.value)
    sandbox.close()


def test_a_task_is_verified_there(server: SandboxServer) -> None:
    sandbox = RemoteSandbox(server.url)
    task = Session("kiosk").domain.tasks("test")[0]
    with sandbox.open("kiosk", task=task) as session:
        assert session.verify()["passed"] is False
        for call in task.gold:
            session.call(call.name, call.arguments)
        assert session.verify()["passed"] is True
    sandbox.close()
