"""The store's file: its format is in it and looked at first, and it is its owner's alone."""

import json
import os
import sqlite3
import stat
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import forks
import pytest

from toolgym.sandbox.runtime.session import Session
from toolgym.sandbox.server import storefile
from toolgym.sandbox.server.sessions import Sessions
from toolgym.sandbox.server.store import Store
from toolgym.sandbox.server.storefile import StorageError, prepare

UNVERSIONED = """
CREATE TABLE IF NOT EXISTS sessions (
    number INTEGER PRIMARY KEY AUTOINCREMENT, id TEXT NOT NULL UNIQUE, origin TEXT NOT NULL,
    created REAL NOT NULL, expires REAL NOT NULL, ended REAL, reason TEXT, open_key TEXT UNIQUE, request TEXT);
CREATE INDEX IF NOT EXISTS open_sessions ON sessions (expires) WHERE ended IS NULL;
CREATE INDEX IF NOT EXISTS ended_sessions ON sessions (ended) WHERE ended IS NOT NULL;
CREATE TABLE IF NOT EXISTS events (
    id INTEGER PRIMARY KEY, kind TEXT NOT NULL, key TEXT, body TEXT NOT NULL, value TEXT);
"""
"""How stores were made before they had a version."""
RESERVE = '["reserve_ticket", {"ticket_id": "T102", "holder": "Greta Olsen"}, "agent", "write", null, null, 0.001]'
pytestmark = pytest.mark.slow


def served(folder: Path) -> subprocess.CompletedProcess[str]:
    return forks.run("serve", "--port", "0", "--data-dir", str(folder))


def change(path: Path, *statements: str) -> None:
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        for statement in statements:
            connection.execute(statement)


def read(path: Path, statement: str) -> object:
    with closing(sqlite3.connect(path)) as connection:
        return connection.execute(statement).fetchone()[0]


def test_a_store_without_a_version_keeps_its_sessions(tmp_path: Path) -> None:
    path = tmp_path / storefile.NAME
    with Session("kiosk", seed=4) as twin, closing(sqlite3.connect(path, isolation_level=None)) as old:
        value = twin.call("reserve_ticket", {"ticket_id": "T102", "holder": "Greta Olsen"}).text
        start = {"domain": "kiosk", "data": "own", "seed": 4, "now": twin.now.isoformat(), "task": None}
        old.execute("PRAGMA journal_mode = WAL")
        old.executescript(UNVERSIONED)
        old.execute(
            "INSERT INTO sessions VALUES (1, 'known', ?, 0, 1e12, NULL, NULL, NULL, NULL)", (json.dumps(start),)
        )
        old.execute("INSERT INTO events VALUES (?, 'call', 'seat', ?, ?)", (1 << 32 | 1, RESERVE, value))
        store = Store(prepare(tmp_path))
        sessions = Sessions(store)
        assert sessions.current("known").session.digest() == twin.digest()
        repeated = sessions.call("known", "reserve_ticket", {"ticket_id": "T102", "holder": "Greta Olsen"}, key="seat")
        assert repeated.repeated and repeated.result.ok
        sessions.shut()
        store.close()
    assert read(path, "PRAGMA user_version") == storefile.FORMAT
    assert read(path, "PRAGMA application_id") == storefile.APPLICATION


@pytest.mark.parametrize(
    "change_to, says",
    [
        (f"PRAGMA user_version = {storefile.FORMAT + 98}", "newer toolgym"),
        ("PRAGMA application_id = 252006675", "another program"),
        ("ALTER TABLE sessions DROP COLUMN request", "no such column"),
    ],
)
def test_a_store_of_another_program_is_refused_unchanged(tmp_path: Path, change_to: str, says: str) -> None:
    path = prepare(tmp_path)
    change(path, change_to)
    before = path.read_bytes()
    with pytest.raises(StorageError, match=says):
        Store(path)
    assert path.read_bytes() == before


def test_serve_says_in_one_sentence_what_is_wrong_with_a_store(tmp_path: Path) -> None:
    newer = prepare(tmp_path / "newer")
    change(newer, "PRAGMA user_version = 99")
    (tmp_path / "file").touch()
    for folder, says in ((newer.parent, "its format is 99"), (tmp_path / "file" / "below", "cannot be used")):
        done = served(folder)
        assert done.returncode == 2 and says in done.stderr
        assert len(done.stderr.splitlines()) == 1 and "serves on" not in done.stderr


def test_a_store_of_no_bytes_is_refused_and_its_log_stays(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(storefile, "_CREATION_SECONDS", 0.1)
    (tmp_path / storefile.NAME).touch()
    log = tmp_path / f"{storefile.NAME}-wal"
    log.write_bytes(b"what could not be folded in yet")
    with pytest.raises(StorageError, match="is empty"):
        prepare(tmp_path)
    assert log.read_bytes() == b"what could not be folded in yet"


def test_a_worker_waits_for_another_that_makes_the_store(tmp_path: Path) -> None:
    path = tmp_path / storefile.NAME
    path.touch()
    make = "import sys, time; from pathlib import Path; from toolgym.sandbox.server import storefile\n"
    make += "time.sleep(0.3); storefile.connect(Path(sys.argv[1])).execute('CREATE TABLE t (x)')"
    with subprocess.Popen([sys.executable, "-c", make, str(path)]):
        assert Store(path).check() is None


@pytest.mark.skipif(os.name != "posix", reason="modes of files")
def test_files_are_their_owners_alone_whoever_made_the_folder(tmp_path: Path) -> None:
    data = tmp_path / "data"
    data.mkdir(mode=0o755)
    change(data / storefile.NAME, "PRAGMA journal_mode = WAL")
    (data / storefile.NAME).chmod(0o644)
    store = Store(prepare(data))
    Sessions(store).open(Session("kiosk"))
    modes = {path.name: stat.S_IMODE(path.stat().st_mode) for path in (data, *data.iterdir())}
    assert modes.pop("data") == 0o700
    assert len(modes) == 3 and set(modes.values()) == {0o600}


@pytest.mark.skipif(os.name != "posix", reason="modes of files")
def test_a_folder_with_other_things_in_it_keeps_its_mode(tmp_path: Path) -> None:
    (tmp_path / "notes.txt").touch()
    tmp_path.chmod(0o755)
    before = os.umask(0o022)
    path = prepare(tmp_path)
    assert os.umask(before) == 0o022
    assert stat.S_IMODE(tmp_path.stat().st_mode) == 0o755
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
