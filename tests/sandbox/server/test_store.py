"""The store and the sessions on it, without HTTP: places are given once, and a full disk changes nothing."""

import sqlite3
from pathlib import Path

import pytest

from sandbox.server.events import call_event, read_call
from sandbox.server.limits import Bounds
from sandbox.server.refused import Refused
from sandbox.server.sessions import Sessions
from sandbox.server.store import Event, StorageError, Store
from sandbox.session import CallRecord, Session

RESERVE = {"ticket_id": "T102", "holder": "Greta Olsen"}


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


def test_results_are_in_the_store_alone(store: Store) -> None:
    sessions, twin = Sessions(store), Session("kiosk")
    live = sessions.open(Session("kiosk"))
    for name, arguments in (("find_tickets", {"holder": "Ada Moreau"}), ("reserve_ticket", RESERVE)):
        twin.call(name, arguments)
        sessions.call(live.row.id, name, arguments, key=name)
    fork = sessions.fork(live.row.id)
    assert [record.value for record in live.session.log + fork.session.log] == [None] * 4
    for calls in (sessions.log_of(live), sessions.log_of(fork), sessions.snapshot(fork.row.id).log):
        assert [record.result() for record in calls] == [record.result() for record in twin.log]
    sessions.rollback(live.row.id, 1)
    assert len(live.session.log) == len(sessions.log_of(live)) == 1
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


def test_time_ends_sessions_and_then_their_logs(store: Store) -> None:
    now = [1000.0]
    sessions = Sessions(store, Bounds(ttl=10, sessions=1), clock=lambda: now[0])
    identifier = sessions.open(Session("kiosk")).row.id
    with pytest.raises(Refused, match="1 sessions are open"):
        sessions.open(Session("kiosk"))
    now[0] += 11
    with pytest.raises(Refused, match="is expired"):
        sessions.get(identifier)
    assert sessions.read_log(identifier) == [] and len(sessions) == 0
    sessions.open(Session("kiosk"))
    now[0] += 100
    assert sessions.sweep(keep_logs=60) == 1
    with pytest.raises(Refused, match="no such session"):
        sessions.read_log(identifier)


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
    monkeypatch.setattr("sandbox.server.store.FORGET_SECONDS", 0.0)
    rounds = 1
    while not store.forget(1.0):
        rounds += 1
    assert rounds == 4  # 50, 50, the rest, nothing
    assert store.find(row.id) is None and len(list(store.events(row.number))) == 0
    assert len(list(store.events(kept.number))) == 120


def test_sessions_that_are_not_resident_are_rebuilt(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sandbox.server.sessions.RESIDENT", 2)
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
