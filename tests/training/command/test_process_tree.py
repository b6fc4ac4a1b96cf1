"""Nothing outlives a run: what was started is ended with it, a folder is used by one, and the log is for people."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import psutil
import pytest

from toolgym.sandbox.kit.errors import BadInput
from toolgym.training.log_filter import LogFilter
from toolgym.training.run_lock import locked

STUBBORN = """
import os, signal, subprocess, sys, time
signal.signal(signal.SIGTERM, signal.SIG_IGN)
if len(sys.argv) > 2:
    subprocess.Popen([sys.executable, __file__, sys.argv[1]], start_new_session=True)
    if sys.argv[2] == "leaves":
        time.sleep(1)
        sys.exit(7)
with open(sys.argv[1], "a") as file:
    file.write(f"{os.getpid()}\\n")
print("here", flush=True)
time.sleep(600)
"""
"""Starts a process in a session of its own, as Ray does; both ignore the request to end. It may itself leave early."""

KEEP = (
    "import sys; from pathlib import Path; from toolgym.training import process_tree as tree; "
    "tree.PATIENCE_SECONDS = 1; "
    "sys.exit(tree.run(sys.argv[2:], Path(sys.argv[1])))"
)
COMMAND = "import subprocess, sys; subprocess.Popen(sys.argv[1:], stdin=subprocess.PIPE).wait()"


def running(pids: Path, count: int) -> list[int]:
    """The processes that told their numbers, once there are so many."""
    deadline = time.monotonic() + 600
    while time.monotonic() < deadline:
        found = [int(line) for line in pids.read_text(encoding="utf-8").split()] if pids.is_file() else []
        if len(found) >= count:
            return found
        time.sleep(0.05)
    raise AssertionError("the processes did not start")


def gone(pids: list[int], seconds: float = 30) -> bool:
    deadline = time.monotonic() + seconds
    while time.monotonic() < deadline:
        if not any(psutil.pid_exists(pid) and psutil.Process(pid).status() != psutil.STATUS_ZOMBIE for pid in pids):
            return True
        time.sleep(0.1)
    return False


@pytest.fixture
def script(tmp_path: Path) -> Path:
    path = tmp_path / "stubborn.py"
    path.write_text(STUBBORN, encoding="utf-8")
    return path


@pytest.mark.slow
def test_a_command_killed_leaves_nothing_running(script: Path, tmp_path: Path) -> None:
    pids, log = tmp_path / "pids", tmp_path / "log"
    kept = [sys.executable, "-c", KEEP, str(log), sys.executable, str(script), str(pids), "stays"]
    command = subprocess.Popen([sys.executable, "-c", COMMAND, *kept])
    found = running(pids, 2)
    above = [child.pid for child in psutil.Process(command.pid).children()]
    command.send_signal(signal.SIGKILL)
    command.wait()
    assert gone([*found, *above])
    assert log.read_text(encoding="utf-8").count("here") == 2


@pytest.mark.slow
def test_what_a_run_leaves_behind_when_it_ends_is_ended_too(script: Path, tmp_path: Path) -> None:
    pids = tmp_path / "pids"
    kept = [sys.executable, "-c", KEEP, str(tmp_path / "log"), sys.executable, str(script), str(pids), "leaves"]
    with subprocess.Popen(kept, stdin=subprocess.PIPE) as above:
        assert above.wait(600) == 7, "the run's own status"
    assert gone(running(pids, 1), 0.5)


def test_a_folder_in_use_is_refused_and_free_again_after_a_kill(tmp_path: Path) -> None:
    hold = (
        f"import time; from pathlib import Path; from toolgym.training.run_lock import locked\n"
        f"with locked(Path({str(tmp_path)!r})):\n print('held', flush=True); time.sleep(600)"
    )
    with subprocess.Popen([sys.executable, "-c", hold], stdout=subprocess.PIPE) as holder:
        assert holder.stdout is not None and holder.stdout.readline() == b"held\n"
        refusal = rf"in use by another training \(process {holder.pid} on .*out=FOLDER"
        with pytest.raises(BadInput, match=refusal), locked(tmp_path):
            pass
        holder.kill()
    with locked(tmp_path):
        assert str(os.getpid()) in (tmp_path / ".lock").read_text(encoding="utf-8")


def test_the_log_is_for_people(tmp_path: Path) -> None:
    said = [
        "\x1b[36m(TaskRunnerV1 pid=41)\x1b[0m {'actor_rollout_ref': {'actor': {'a': 1,",
        "\x1b[36m(TaskRunnerV1 pid=41)\x1b[0m                       'b': 2}}}",
        "\x1b[36m(WorkerDict pid=42)\x1b[0m WARNING: 2026-11-21 20:00:01 target_num_threads is 1",
        "\x1b[36m(WorkerDict pid=43)\x1b[0m WARNING: 2026-11-21 20:00:02 target_num_threads is 1\x1b[32m "
        "[repeated 4x across cluster]\x1b[0m",
        "\x1b[36m(AgentLoop pid=44)\x1b[0m WARNING: Task 7: drift",
        "/x/verl/engine.py:32: UserWarning: veomni engine is not available",
        "  warnings.warn(message, stacklevel=1)",
        """(TaskRunnerV1 pid=41) ("Initial validation metrics: {'val-aux/reward/mean@2': \"""",
        """(TaskRunnerV1 pid=41)  "0.29}")""",
        "step 1",
        "step 1",
        "10%\r100%",
    ]
    with LogFilter(tmp_path / "train.log") as kept:
        for line in said:
            kept.add(line + "\n")
    assert (tmp_path / "train.log").read_text(encoding="utf-8").splitlines() == [
        "(WorkerDict pid=42) WARNING: 2026-11-21 20:00:01 target_num_threads is 1",
        "(AgentLoop pid=44) WARNING: Task 7: drift",
        "/x/verl/engine.py:32: UserWarning: veomni engine is not available",
        "step 1",
        "step 1",
        "100%",
        "[1 repeated warnings were left out]",
    ]
    assert (
        (tmp_path / "train-pages.txt")
        .read_text(encoding="utf-8")
        .startswith("{'actor_rollout_ref': {'actor': {'a': 1,\n   ")
    )
