"""`toolgym backup` copies a store while a server writes to it; the copy is whole and serves."""

import stat
import subprocess
import sys
import threading
from pathlib import Path

import forks
import pytest
from toolgym_server import Running

from toolgym.sandbox.runtime.session import Session
from toolgym.sandbox.server import storefile
from toolgym.sandbox.server.backup_command import back_up
from toolgym.sandbox.server.sessions import Sessions
from toolgym.sandbox.server.store import Store
from toolgym.sandbox.server.storefile import StorageError, prepare

pytestmark = pytest.mark.slow


def backed_up(*arguments: object) -> subprocess.CompletedProcess[str]:
    return forks.run("backup", *map(str, arguments))


def test_a_copy_made_under_load_is_one_state_of_the_store(folder: Path) -> None:
    copies = [folder / f"copy-{number}.db" for number in range(3)]
    answered, stop = [0], threading.Event()
    with Running(folder, "--worlds", "kiosk") as server:
        path = server.open("kiosk", seed=5)

        def write() -> None:
            with server.client() as http:
                while not stop.is_set():
                    name = f"Guest {answered[0]}"
                    taken = http.post(f"{path}/kiosk/find_tickets", json={"holder": name})
                    answered[0] += taken.status_code == 200

        writer = threading.Thread(target=write)
        writer.start()
        known = []
        for copy in copies:
            known.append(answered[0])
            back_up(folder / "data" / storefile.NAME, copy)
        stop.set()
        writer.join()
        done = backed_up(folder / "last.db", "--data-dir", folder / "data")
        assert (done.returncode, done.stderr) == (0, "")
    for copy, least in zip([*copies, folder / "last.db"], [*known, answered[0]], strict=True):
        restored = folder / f"from-{copy.stem}"
        restored.mkdir()
        copy.rename(restored / storefile.NAME)
        assert [file.name for file in restored.iterdir()] == [storefile.NAME], "a copy is one file"
        if sys.platform != "win32":
            assert stat.S_IMODE((restored / storefile.NAME).stat().st_mode) == 0o600
        store = Store(prepare(restored))
        live = Sessions(store).current(path.removeprefix("/sessions/"))
        assert least <= len(live.log) == live.log.position <= answered[0] + 1
        store.close()


def test_what_cannot_be_copied_leaves_nothing(tmp_path: Path) -> None:
    absent = backed_up(tmp_path / "copy.db", "--data-dir", tmp_path / "none")
    assert absent.returncode == 2 and "There is no store" in absent.stderr
    path = prepare(tmp_path / "data")
    store = Store(path)
    sessions = Sessions(store)
    identifier = sessions.open(Session("kiosk")).row.id
    for number in range(50):
        sessions.call(identifier, "find_tickets", {"holder": "x" * 1000 + str(number)})
    sessions.shut()
    store.close()
    there = backed_up(path, "--data-dir", path.parent)
    assert there.returncode == 2 and "is there already" in there.stderr
    nowhere = backed_up(tmp_path / "no" / "folder.db", "--data-dir", path.parent)
    assert nowhere.returncode == 2 and len(nowhere.stderr.splitlines()) == 1
    content = bytearray(path.read_bytes())
    content[len(content) // 2 :] = bytes(len(content) - len(content) // 2)
    path.write_bytes(content)
    with pytest.raises(StorageError, match="damaged"):
        back_up(path, tmp_path / "copy.db")
    assert {file.name for file in tmp_path.iterdir()} == {"data"}
