"""MCPManager with real server processes: they start, are reset, stop, die and hang."""

import asyncio
import os
import signal
import sys
from collections.abc import AsyncIterator
from pathlib import Path

import psutil
import pytest

from toolgym.sandbox.kit.errors import BadInput, InfrastructureError
from toolgym.sandbox.remote.mcp_manager import MCPManager, MCPServer, toolgym_server
from toolgym.sandbox.runtime.session import Session

GRETA = {"ticket_id": "T102", "holder": "Greta Olsen"}
pytestmark = pytest.mark.slow


@pytest.fixture
async def manager() -> AsyncIterator[MCPManager]:
    async with MCPManager(call_seconds=30) as manager:
        yield manager


def process_of(server: MCPServer) -> psutil.Process:
    """The server's process, found by the command that names it."""
    return next(child for child in psutil.Process().children() if child.cmdline() == server.command)


async def held(server: MCPServer) -> list[str]:
    result = await server.call("find_tickets", {"holder": "Greta Olsen"})
    return [ticket["ticket_id"] for ticket in result.value]


async def test_a_server_gives_what_a_session_gives(manager: MCPManager) -> None:
    server = await manager.start("kiosk", toolgym_server("kiosk", seed=3))
    with Session("kiosk", seed=3) as session:
        for name, arguments in (("reserve_ticket", GRETA), ("reserve_ticket", GRETA), ("nothing", {})):
            assert await server.call(name, arguments) == session.call(name, arguments)
    assert {tool.name for tool in await server.tools()} == set(Session("kiosk").domain.tools)


async def test_reset_is_a_fresh_world_and_takes_another_command(manager: MCPManager) -> None:
    server = await manager.start("shop", toolgym_server("kiosk"))
    await server.call("reserve_ticket", GRETA)
    assert await held(server) == ["T102"]
    await manager.reset("shop")
    assert await held(server) == [] and server.restarts == 0
    await manager.reset("shop", toolgym_server("retail"))
    assert len(await server.tools()) == 16


async def test_one_that_dies_is_replaced_and_the_call_is_told(manager: MCPManager) -> None:
    server = await manager.start("kiosk", toolgym_server("kiosk", seed=5))
    other = await manager.start("other", toolgym_server("kiosk", seed=6))
    await server.call("reserve_ticket", GRETA)
    await other.call("reserve_ticket", GRETA)
    process_of(server).kill()
    with pytest.raises(InfrastructureError, match=r"'kiosk' was lost during find_tickets.*afresh"):
        await held(server)
    assert await held(server) == [] and server.restarts == 1
    assert await held(other) == ["T102"] and other.restarts == 0


async def test_calls_in_flight_are_told_and_one_server_replaces_it(manager: MCPManager) -> None:
    server = await manager.start("kiosk", toolgym_server("kiosk"))
    process = process_of(server)
    process.send_signal(signal.SIGSTOP)  # so that the calls are in flight when it dies
    calls = [asyncio.create_task(held(server)) for _ in range(5)]
    await asyncio.sleep(0.1)
    process.kill()
    outcomes = await asyncio.gather(*calls, return_exceptions=True)
    assert all(isinstance(outcome, InfrastructureError) for outcome in outcomes), outcomes
    assert await held(server) == [] and server.restarts == 1


@pytest.mark.skipif(os.name != "posix", reason="stops a process")
async def test_one_that_hangs_is_replaced() -> None:
    async with MCPManager(call_seconds=2) as manager:
        server = await manager.start("kiosk", toolgym_server("kiosk"))
        process = process_of(server)
        process.send_signal(signal.SIGSTOP)
        with pytest.raises(InfrastructureError, match="was lost during"):
            await held(server)
        assert not process.is_running()
        assert await held(server) == []


async def test_nothing_is_left_behind() -> None:
    async with MCPManager() as manager:
        servers = [await manager.start(name, toolgym_server("kiosk")) for name in ("one", "two")]
        processes = [process_of(servers[0])]
        await manager.stop("one")
        assert not processes[0].is_running()
        processes.append(process_of(servers[1]))
    assert not any(process.is_running() for process in processes)
    with pytest.raises(BadInput, match="is stopped"):
        await servers[0].call("find_tickets", {"holder": "x"})


async def test_mistakes_are_answered_in_words(manager: MCPManager, tmp_path: Path) -> None:
    with pytest.raises(InfrastructureError, match="does not start"):
        await manager.start("none", [str(tmp_path / "no-such-program")])
    with pytest.raises(InfrastructureError, match="does not start"):
        await manager.start("dead", [sys.executable, "-c", "raise SystemExit(3)"])
    await manager.start("kiosk", toolgym_server("kiosk"))
    with pytest.raises(BadInput, match="already"):
        await manager.start("kiosk", toolgym_server("kiosk"))
    with pytest.raises(BadInput, match="did you mean 'kiosk'"):
        await manager.stop("kisok")
    with pytest.raises(BadInput, match="empty"):
        await manager.start("empty", [])
