"""`toolgym train` that is killed, and what it leaves: nothing that runs. tests/training/examples trains to the end."""

import runpy
import signal
import subprocess
import sys
import time
from pathlib import Path

import psutil
import pytest

from toolgym.cli import main
from toolgym.sandbox.kit.task import write_tasks
from toolgym.training.cpu.tiny import make_model
from toolgym.training.run_lock import locked

LAPTOP = Path(__file__).parents[3] / "examples" / "laptop"


pytestmark = [pytest.mark.slow, pytest.mark.xdist_group("ray")]


def command(folder: Path, out: Path) -> list[str]:
    """A run of one step with a tiny model."""
    tasks = folder / "tasks.jsonl"
    write_tasks(tasks, runpy.run_path(str(LAPTOP / "family.py"))["tasks"]())
    model = make_model(folder / "model", ["Please freeze card K-100."])
    changes = ["steps=1", "batch=2", "mini_batch=1", "group=2", "val_tasks=2", "val_trials=1", "val_before=false"]
    sizes = ["prompt_tokens=200", "response_tokens=60", "turn_tokens=12", "test_every=1", "save_every=1"]
    named = [f"model={model}", f"data=own:{tasks}", f"out={out}"]
    return ["train", str(LAPTOP / "laptop.yaml"), *named, *changes, *sizes]


def below(process: int) -> dict[int, psutil.Process]:
    return {child.pid: child for child in psutil.Process(process).children(recursive=True)}


@pytest.mark.turns(3, 0)
def test_a_run_killed_ends_with_all_its_processes(tmp_path: Path) -> None:
    out = tmp_path / "run"
    arguments = command(tmp_path, out)
    program = "import sys; from toolgym.cli import main; sys.exit(main(sys.argv[1:]))"
    run = subprocess.Popen([sys.executable, "-c", program, *arguments], stdout=subprocess.DEVNULL)
    seen: dict[int, psutil.Process] = {}
    deadline = time.monotonic() + 600
    while not any("raylet" in process.name() for process in seen.values()):  # Ray is up, and more is to come
        assert run.poll() is None and time.monotonic() < deadline
        time.sleep(1)
        seen = below(run.pid)
    assert main(arguments) == 2, "the folder is in use"
    seen |= below(run.pid)
    run.send_signal(signal.SIGKILL)
    run.wait()
    _, left = psutil.wait_procs(seen.values(), timeout=600)
    assert not left, [process.cmdline() for process in left]
    assert not any(str(out) in " ".join(process.info["cmdline"] or ()) for process in psutil.process_iter(["cmdline"]))
    with locked(out):
        pass
