"""The store and the sessions on it, without HTTP: positions are given once, and a full disk changes nothing."""

import gc
import sqlite3
import threading
from pathlib import Path

import pytest

from toolgym.sandbox.kit.errors import InfrastructureError
from toolgym.sandbox.runtime.call_log import CallRecord
from toolgym.sandbox.runtime.session import Session
from toolgym.sandbox.server.events import call_event, read_call
from toolgym.sandbox.server.http_errors import Refused
from toolgym.sandbox.server.long_logs import LongLog, records
from toolgym.sandbox.server.quota import Bounds
from toolgym.sandbox.server.sessions import Sessions
from toolgym.sandbox.server.store import Event, StorageError, Store

RESERVE = {"ticket_id": "T102", "holder": "Greta Olsen"}
pytestmark = pytest.mark.slow


@pytest.fixture
def store(tmp_path: Path) -> Store:
    return Store(tmp_path / "sessions.db")


def test_two_workers_on_one_session(store: Store) -> None:
    one, two = Sessions(store), Sessions(Store(store.path))
    identifier = one.open(Session("kiosk")).row.id
    assert two.call(identifier, "reserve_ticket", RESERVE).result.ok
    again = one.call(identifier, "reserve_ticket", RESERVE).result
    assert again.error is not None and again.error.code == "ticket_taken"
    one.rollback(identifier, 0)
    assert two.call(identifier, "reserve_ticket", RESERVE, key="k").result.ok
    repeated = one.call(identifier, "reserve_ticket", RESERVE, key="k")
    assert repeated.repeated and repeated.result.ok
    assert one.current(identifier).session.digest() == two.current(identifier).session.digest()
    two.close(identifier)
    with pytest.raises(Refused, match="is closed"):
        one.call(identifier, "find_tickets", {"holder": "Ada Moreau"})


async def calls_of(log: LongLog) -> list[CallRecord]:
    return [record async for piece, _ in log.pieces(records) for record in piece]


def records_in_memory() -> int:
    gc.collect()
    return sum(type(held) is CallRecord for held in gc.get_objects())


async def test_results_are_in_the_store_alone(store: Store) -> None:
    before = records_in_memory()
    sessions, twin = Sessions(store), Session("kiosk")
    live = sessions.open(Session("kiosk"))
    for name, arguments in (("find_tickets", {"holder": "Ada Moreau"}), ("reserve_ticket", RESERVE)):
        twin.call(name, arguments)
        sessions.call(live.row.id, name, arguments, key=name)
    fork = await sessions.fork(live.row.id)
    assert records_in_memory() == before + len(twin.log)
    for log in (live.session.log, fork.session.log):
        assert len(log) == 2 and [record.result() for record in log] == [record.result() for record in twin.log]
        assert log[-1].result() == twin.log[-1].result()
    for log in (sessions.log_of(live), sessions.log_of(fork), sessions.log(fork.row.id)):
        assert [record.result() for record in await calls_of(log)] == [record.result() for record in twin.log]
    sessions.rollback(live.row.id, 1)
    assert len(live.session.log) == len(await calls_of(sessions.log_of(live))) == 1
    again = sessions.call(live.row.id, "reserve_ticket", RESERVE, key="reserve_ticket")
    assert again.repeated and again.result == twin.log[1].result()
    with pytest.raises(Refused, match="another call"):
        sessions.call(live.row.id, "find_tickets", {"holder": "Ada Moreau"}, key="reserve_ticket")


def test_a_place_is_given_once(store: Store) -> None:
    record = CallRecord(name="f", arguments={"a": [1, {"b": None}], "ä": "\ud800"}, kind="read", value={"x": "ü"})
    number = Sessions(store).open(Session("kiosk")).row.number
    assert store.append(number, call_event(1, "key", record))
    assert not store.append(number, call_event(1, None, record))
    (event,) = store.events(number)
    assert read_call(event) == record and event.key == "key"


def test_a_full_disk_changes_nothing(store: Store) -> None:
    sessions = Sessions(store)
    identifier = sessions.open(Session("kiosk")).row.id
    before = sessions.current(identifier).session.digest()
    pages = store._connection.execute("PRAGMA page_count").fetchone()[0]
    store._connection.execute(f"PRAGMA max_page_count = {pages}")
    with pytest.raises(StorageError, match=r"full or failing.*nothing was applied"):
        for _ in range(500):
            before = sessions.current(identifier).session.digest()
            sessions.call(identifier, "reserve_ticket", RESERVE | {"holder": "x" * 3000})
            sessions.rollback(identifier, 0)
    assert sessions.current(identifier).session.digest() == before
    store._connection.execute("PRAGMA max_page_count = 1000000")
    sessions.rollback(identifier, 0)
    assert sessions.call(identifier, "reserve_ticket", RESERVE).result.ok
    fresh = Sessions(Store(store.path))
    assert fresh.current(identifier).session.digest() == sessions.current(identifier).session.digest()


async def test_time_ends_sessions_and_then_their_logs(store: Store) -> None:
    now = [1000.0]
    sessions = Sessions(store, Bounds(ttl=10, sessions=1), clock=lambda: now[0])
    identifier = sessions.open(Session("kiosk")).row.id
    with pytest.raises(Refused, match="1 sessions are open"):
        sessions.open(Session("kiosk"))
    now[0] += 11
    with pytest.raises(Refused, match="is expired"):
        sessions.get(identifier)
    assert await calls_of(sessions.log(identifier)) == [] and len(sessions) == 0
    sessions.open(Session("kiosk"))
    now[0] += 100
    assert sessions.sweep(keep_logs=60) == 1
    with pytest.raises(Refused, match="no such session"):
        sessions.log(identifier)


def test_a_worker_that_missed_a_sessions_end_cannot_add_to_it(store: Store) -> None:
    one, two = Sessions(store), Sessions(Store(store.path))
    identifiers = [one.open(Session("kiosk")).row.id for _ in range(3)]
    for identifier in identifiers:
        assert two.call(identifier, "find_tickets", {"holder": "Ada Moreau"}).result.ok
        one.close(identifier)
    one.sweep(keep_logs=-1)  # nothing is left of them before the other worker looks
    with pytest.raises(Refused, match="no such session"):
        two.call(identifiers[0], "reserve_ticket", RESERVE)
    with pytest.raises(Refused, match="no such session"):
        two.current(identifiers[1])
    assert store._connection.execute("SELECT count(*) FROM events").fetchone() == (0,)
    two.sweep(keep_logs=-1)
    assert len(two) == 0


def test_many_long_logs_are_forgotten_a_piece_at_a_time(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    sessions = Sessions(store)
    kept = sessions.open(Session("kiosk")).row
    row = sessions.open(Session("kiosk")).row
    for live in (kept, row):
        for number in range(120):
            assert store.append(live.number, Event(number + 1, "call", None, "[]", None))
    store.end(row.number, now=0, reason="closed")
    monkeypatch.setattr("toolgym.sandbox.server.store.FORGET_SECONDS", 0.0)
    rounds = 1
    while not store.forget(1.0):
        rounds += 1
    assert rounds == 4  # 50, 50, the rest, nothing
    assert store.find(row.id) is None and len(list(store.events(row.number))) == 0
    assert len(list(store.events(kept.number))) == 120


async def test_long_logs_are_read_in_pieces_in_another_thread(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("toolgym.sandbox.server.store.PIECE_BYTES", 5000)
    sessions, twin = Sessions(store), Session("kiosk")
    identifier = sessions.open(Session("kiosk")).row.id
    for number in range(40):
        arguments = {"holder": "x" * 1000 + str(number)}
        twin.call("find_tickets", arguments)
        sessions.call(identifier, "find_tickets", arguments)
        if number % 10 == 9:
            twin.rollback(len(twin.log) - 3)
            sessions.rollback(identifier, len(twin.log))
    live = sessions.current(identifier)
    seen: list[tuple[int, str]] = []
    log = sessions.log_of(live)
    sessions.call(identifier, "reserve_ticket", RESERVE)  # not any more in what was asked for
    async for piece, done in log.pieces(lambda events: [*records(events), threading.current_thread().name]):
        assert not done or len(seen) > 1
        assert piece.pop() != threading.main_thread().name and len(piece) < 10
        seen += [(record.arguments["holder"], record.error) for record in piece]
    assert seen == [(record.arguments["holder"], record.error) for record in twin.log]
    fork = await sessions.fork(identifier)
    assert [*map(str, await calls_of(sessions.log_of(fork)))] == [*map(str, await calls_of(sessions.log_of(live)))]
    rebuilt = Sessions(Store(store.path))
    assert rebuilt.current(fork.row.id).session.digest() == live.session.digest()
    assert rebuilt.get(fork.row.id).quota.calls == len(twin.log) + 1  # of what was rolled back nothing is copied
    for seen_again in (rebuilt.get(fork.row.id), rebuilt.current(identifier), live):
        assert len(seen_again.log) == len(twin.log) + 1 and seen_again.log[-1].name == "reserve_ticket"
        assert [record.result() for record in seen_again.log[:-1]] == [record.result() for record in twin.log]

    pieces = sessions.log(identifier).pieces(records)
    await anext(pieces)
    sessions.close(identifier)
    sessions.sweep(keep_logs=-1)
    with pytest.raises(InfrastructureError, match="deleted while it was read"):
        async for _ in pieces:
            pass


async def test_a_fork_that_cannot_be_finished_leaves_no_session(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    sessions = Sessions(store)
    identifier = sessions.open(Session("kiosk")).row.id
    sessions.call(identifier, "reserve_ticket", RESERVE)
    monkeypatch.setattr("toolgym.sandbox.server.long_logs.APPEND", "INSERT INTO nowhere VALUES (:number)")
    with pytest.raises(StorageError, match="no such table"):
        await sessions.fork(identifier)
    assert store.count_open(0) == len(sessions) == 1


def test_rollbacks_count_as_calls(store: Store) -> None:
    bounds = Bounds(calls=5)
    sessions = Sessions(store, bounds)
    identifier = sessions.open(Session("kiosk")).row.id
    sessions.call(identifier, "reserve_ticket", RESERVE)
    for _ in range(3):
        sessions.rollback(identifier, 0)
    other = Sessions(Store(store.path), bounds)
    other.rollback(identifier, 0)
    for refusing in (other, sessions):
        with pytest.raises(Refused, match="5 calls and rollbacks"):
            refusing.rollback(identifier, 0)
    slow = Sessions(store, Bounds(calls_per_second=2))
    with pytest.raises(Refused, match="slow down"):
        for _ in range(4):
            slow.rollback(identifier, 0)


def test_sessions_that_are_not_resident_are_rebuilt(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("toolgym.sandbox.server.sessions.RESIDENT", 2)
    sessions = Sessions(store)
    kept = [sessions.open(Session("kiosk", seed=number)).row.id for number in range(5)]
    for number, identifier in enumerate(kept):
        sessions.call(identifier, "reserve_ticket", RESERVE | {"holder": f"Guest {number}"})
    assert len(sessions) == 2
    for number, identifier in enumerate(kept):
        held = sessions.call(identifier, "find_tickets", {"holder": f"Guest {number}"})
        assert len(held.result.value) == 1


def test_a_store_that_is_no_database(tmp_path: Path) -> None:
    (tmp_path / "sessions.db").write_bytes(b"not a database" * 100)
    with pytest.raises(StorageError, match="cannot be used"):
        Store(tmp_path / "sessions.db")
    assert sqlite3.sqlite_version_info >= (3, 36)
