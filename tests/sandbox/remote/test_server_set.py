"""A set of servers with real processes: sessions by world and id, resets, deaths, quotas."""

import logging
import os
import signal
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import psutil
import pytest

from toolgym.sandbox.kit.errors import BadInput, InfrastructureError
from toolgym.sandbox.remote.server_set import ServerSet
from toolgym.sandbox.runtime.session import Session

WORLDS = ("kiosk", "banking")
pytestmark = [pytest.mark.slow, pytest.mark.xdist_group("server set")]


@pytest.fixture(scope="module")
def servers() -> Iterator[ServerSet]:
    with ServerSet(WORLDS, sessions=6) as servers:
        yield servers


@pytest.fixture(autouse=True)
def ended(servers: ServerSet) -> Iterator[None]:
    """Every test leaves the servers empty."""
    yield
    for world, session_id in list(servers._sessions):
        servers.end(world, session_id)


def reserve(servers: ServerSet, session_id: str, holder: str) -> None:
    result = servers.call("kiosk", session_id, "reserve_ticket", {"ticket_id": "T102", "holder": holder})
    assert result.ok, result.text


def held(servers: ServerSet, session_id: str, holder: str) -> list[str]:
    found = servers.call("kiosk", session_id, "find_tickets", {"holder": holder}).value
    return [ticket["ticket_id"] for ticket in found]


def test_sessions_of_one_world_are_worlds_of_their_own(servers: ServerSet) -> None:
    holders = {f"rollout-{number}": f"Guest {number}" for number in range(6)}
    for name in holders:
        servers.open("kiosk", name, seed=3)
    with ThreadPoolExecutor(6) as pool:
        list(pool.map(lambda name: reserve(servers, name, holders[name]), holders))
    for name, holder in holders.items():
        with Session("kiosk", seed=3) as alone:
            alone.call("reserve_ticket", {"ticket_id": "T102", "holder": holder})
            assert servers.session("kiosk", name).digest() == alone.digest()


def test_the_same_id_in_two_worlds_is_two_sessions(servers: ServerSet) -> None:
    for world in WORLDS:
        servers.open(world, "rollout-1")
    assert "balance_cents" not in str(servers.call("kiosk", "rollout-1", "find_tickets", {"holder": "Ada"}).value)
    assert servers.call("banking", "rollout-1", "list_accounts", {}).ok


def test_a_reset_session_is_at_its_beginning_with_what_it_was_opened_with(servers: ServerSet) -> None:
    first = servers.open("kiosk", "one", seed=11).digest()
    servers.open("kiosk", "two")
    reserve(servers, "one", "Ada Moreau")
    reserve(servers, "two", "Greta Olsen")
    assert servers.reset("kiosk", "one").digest() == first
    assert held(servers, "two", "Greta Olsen") == ["T102"]


def test_a_server_that_dies_comes_back_with_its_sessions_and_says_so(
    servers: ServerSet, caplog: pytest.LogCaptureFixture
) -> None:
    servers.open("kiosk", "one")
    reserve(servers, "one", "Ada Moreau")
    before = servers.restarts["kiosk"]
    with caplog.at_level(logging.WARNING, logger="toolgym.sandbox.remote.server_set"):
        os.kill(servers.processes["kiosk"], signal.SIGKILL)
        assert "T102" in held(servers, "one", "Ada Moreau")
    assert servers.restarts == {"kiosk": before + 1, "banking": 0}
    assert "The server of kiosk ended unasked (status -9) and was started again; its sessions go on." in caplog.text


def test_one_session_more_than_the_quota_is_refused(servers: ServerSet, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(servers._server("banking").sandbox.endpoint, "patience", 1)
    for number in range(6):
        servers.open("banking", f"rollout-{number}")
    with pytest.raises(InfrastructureError, match="6 sessions"):
        servers.open("banking", "one more")
    servers.end("banking", "rollout-0")
    servers.open("banking", "one more")


def test_a_restarted_server_is_empty(servers: ServerSet) -> None:
    servers.open("banking", "one")
    before = servers.processes["banking"]
    servers.restart("banking")
    assert servers.processes["banking"] != before
    with pytest.raises(BadInput, match="no open session 'one'"):
        servers.call("banking", "one", "list_accounts", {})


def test_wrong_names_are_told(servers: ServerSet) -> None:
    servers.open("kiosk", "one")
    with pytest.raises(BadInput, match="kiosk has a session 'one' already"):
        servers.open("kiosk", "one")
    with pytest.raises(BadInput, match="retail"):
        servers.open("retail", "one")
    with pytest.raises(BadInput, match="named once"):
        ServerSet(["kiosk", "kiosk"])


def test_one_that_cannot_be_started_again_is_given_up_with_its_words(tmp_path: Path) -> None:
    with ServerSet(["kiosk"], folder=tmp_path, patience=8) as servers:
        servers.open("kiosk", "one")
        for path in (tmp_path / "kiosk").glob("*"):
            path.rename(tmp_path / path.name)
        (tmp_path / "kiosk").rmdir()
        (tmp_path / "kiosk").write_text("a file where the folder was")
        os.kill(servers.processes["kiosk"], signal.SIGKILL)
        given_up = time.monotonic() + 600
        while not servers._server("kiosk")._failure and time.monotonic() < given_up:
            time.sleep(0.1)
        with pytest.raises(InfrastructureError, match="given up"):
            servers.call("kiosk", "one", "find_tickets", {"holder": "Ada"})
        (tmp_path / "kiosk").unlink()
        servers.restart("kiosk")
        servers.open("kiosk", "one")
        reserve(servers, "one", "Ada Moreau")


def test_nothing_is_left_behind() -> None:
    with ServerSet(["kiosk"]) as servers:
        process = psutil.Process(servers.processes["kiosk"])
        folder = Path(servers._temporary.name) if servers._temporary else Path()
        assert folder.is_dir()
    assert not process.is_running() and not folder.exists()


def test_a_server_offers_its_own_world_alone(servers: ServerSet) -> None:
    endpoint = servers._server("banking").sandbox.endpoint
    offered = endpoint.request("GET", "/domains").body
    assert isinstance(offered, dict) and [each["name"] for each in offered["domains"]] == ["banking"]


def test_one_that_does_not_start_is_told_with_its_words_and_leaves_no_process() -> None:
    children = {child.pid for child in psutil.Process().children()}
    with pytest.raises(InfrastructureError, match=r"'bankin'.*banking"), ServerSet(["bankin"]):
        pass
    assert {child.pid for child in psutil.Process().children()} <= children
