"""One process at a time writes to a run's folder, whoever looks at it meanwhile; when it did stands beside the run."""

import base64
import gzip
import json
import os
import re
import subprocess
import sys
import threading
from datetime import UTC, datetime
from pathlib import Path

import pytest

from toolgym.cli import main
from toolgym.judge.evaluation.folder_lock import is_running
from toolgym.judge.evaluation.run_folder import RunFolder
from toolgym.judge.evaluation.times import begin, end, times
from toolgym.judge.report.run_row import run_row

HOLD = """
import sys
from pathlib import Path
from toolgym.judge.evaluation.run_folder import RunFolder
folder = RunFolder(Path(sys.argv[1]))
folder.open({"env": "kiosk"})
print("held", flush=True)
sys.stdin.read()
"""


def test_what_another_process_plays_is_neither_played_nor_scored(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "run"
    assert main(["eval", "kiosk", "--tasks", "2", "--out", str(out)]) == 0
    kept = {file.name: file.read_bytes() for file in out.iterdir()}
    other = tmp_path / "other"
    command = [sys.executable, "-c", HOLD, str(other)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as holder:
        assert holder.stdout is not None and holder.stdout.readline() == "held\n"
        for file, content in kept.items():
            (other / file).write_bytes(content + (b'{"torn' if file == "trajectories.jsonl" else b""))
        for command in (["eval", "kiosk", "--tasks", "3", "--out", str(other)], ["judge", str(other)]):
            capsys.readouterr()
            assert main(command) == 2
            said = capsys.readouterr().err
            assert "is being written to by another process" in said and "Traceback" not in said
        assert is_running(other) and not is_running(out)
        assert (other / "trajectories.jsonl").read_bytes().endswith(b'{"torn'), "the other's line may still be coming"
        holder.communicate()
    assert not is_running(other)
    assert main(["eval", "kiosk", "--tasks", "3", "--out", str(other)]) == 0


def test_who_looks_keeps_nobody_from_playing_and_takes_nobody_for_a_player(tmp_path: Path) -> None:
    over, seen = threading.Event(), set[bool]()

    def look() -> None:
        while not over.is_set():
            seen.add(is_running(tmp_path))

    lookers = [threading.Thread(target=look) for _ in range(4)]
    for looker in lookers:
        looker.start()
    try:
        for _ in range(50):
            assert not is_running(tmp_path)
        folder = RunFolder(tmp_path)
        folder.open({"env": "kiosk"})
        RunFolder(tmp_path).open({"env": "kiosk"})  # the same process goes on
        assert is_running(tmp_path)
        del folder
        assert not is_running(tmp_path)
    finally:
        over.set()
        for looker in lookers:
            looker.join()
    assert False in seen


def test_a_run_tells_when_it_began_and_how_long_it_took(tmp_path: Path) -> None:
    before = datetime.now(UTC).timestamp()
    assert main(["eval", "kiosk", "--tasks", "2", "--out", str(tmp_path)]) == 0
    took = datetime.now(UTC).timestamp() - before
    row = run_row(RunFolder(tmp_path), "run")
    assert before - 0.01 < row["started"] < before + took and 0 < row["wall"] <= took + 0.01
    assert main(["eval", "kiosk", "--tasks", "3", "--out", str(tmp_path)]) == 0
    later = run_row(RunFolder(tmp_path), "run")
    assert later["started"] == row["started"] and later["wall"] > row["wall"]
    assert "times" not in json.loads((tmp_path / "run.json").read_text(encoding="utf-8"))


def test_the_report_of_a_run_says_that_it_is_finished_and_how_long_it_took(tmp_path: Path) -> None:
    assert main(["eval", "kiosk", "--tasks", "2", "--out", str(tmp_path)]) == 0
    page = (tmp_path / "report.html").read_text(encoding="utf-8")
    told = re.search(r'<script type="application/octet-stream" id="data">([^<]+)<', page)
    assert told
    row = json.loads(gzip.decompress(base64.b64decode(told[1])))["runs"][0]["row"]
    now = run_row(RunFolder(tmp_path), "run")
    assert [row["state"], row["started"], row["wall"]] == ["finished", now["started"], now["wall"]]


def test_the_time_of_an_interrupted_run_ends_where_it_was_last_written(tmp_path: Path) -> None:
    start = datetime(2026, 5, 1, 12, tzinfo=UTC)
    stretches = [{"started": start.isoformat(), "ended": None}]
    (tmp_path / "times.json").write_text(json.dumps(stretches), encoding="utf-8")
    assert times(tmp_path, start.timestamp() + 300) == {"started": start.timestamp(), "wall": 300}
    (tmp_path / "trajectories.jsonl").touch()
    os.utime(tmp_path / "trajectories.jsonl", (0, start.timestamp() + 200))
    begin(tmp_path)
    end(tmp_path)
    found = times(tmp_path, None)
    assert found is not None and found["started"] == start.timestamp() and 200 <= found["wall"] < 201
    for damaged in ("[", "{}", '[{"started": "soon"}]', '[{"started": "soon", "ended": null}]', "[]", "3"):
        (tmp_path / "times.json").write_text(damaged, encoding="utf-8")
        assert times(tmp_path, None) is None
    (tmp_path / "times.json").unlink()
    assert times(tmp_path, None) is None
