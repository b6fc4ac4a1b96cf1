"""`toolgym train` from the command to the curves: verl's real trainer on a CPU, one step on live episodes."""

import runpy
import signal
import subprocess
import sys
import time
from pathlib import Path

import psutil
import pytest
from toolgym_server import Running
from transformers import AutoModelForCausalLM, AutoTokenizer

from toolgym.cli import main
from toolgym.judge.evaluation.run_folder import RunFolder
from toolgym.sandbox.kit.task import write_tasks
from toolgym.training import checkpoints, plots
from toolgym.training.cpu.tiny import make_model
from toolgym.training.run_lock import locked
from toolgym.training.verl_config import RunPaths

LOOP = "actor_rollout_ref.rollout.custom.toolgym"
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


def test_one_step_leaves_metrics_curves_conversations_a_model_and_no_key(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "a-secret-key")
    out = tmp_path / "run"
    with Running(tmp_path) as server:
        address = server.url.replace("://", "://ada:a-secret-key-too@")
        assert main([*command(tmp_path, out), f"{LOOP}.sandbox={address}"]) == 0
        assert server.request("GET", "/metrics").text.count('toolgym_requests_total{door="rest",status="201"}') == 1
    paths = RunPaths(out)
    series = plots.read(out)
    assert series["toolgym/acc"] == [(1, 0.0)], "a random model changes no card"
    assert "toolgym/val/toolgym/text/pass^1" in series
    assert series["training/rollout_probs_diff_max"][0][1] < 1e-5, "updates are in full precision, as sampling is"
    assert series["actor/lr"] == [(1, pytest.approx(6e-5))], "a step of two updates is one fifth of the warm-up"
    assert (out / "curves.png").read_bytes().startswith(b"\x89PNG")
    assert (paths.checkpoints / "global_step_1" / "actor").is_dir()
    assert len(RunFolder(paths.checkpoints / "validation" / "step-000001").trajectories()) == 2
    assert "step 1 of 1" in capsys.readouterr().out
    for file in (path for path in out.rglob("*") if path.suffix in {".log", ".yaml", ".json", ".jsonl"}):
        assert "a-secret-key" not in file.read_text(encoding="utf-8"), file
    log = paths.log.read_text(encoding="utf-8")
    assert "\x1b" not in log and "'actor_rollout_ref'" not in log
    assert log.count("megatron engine is not available") == 1
    assert "'actor_rollout_ref'" in (out / "train-pages.txt").read_text(encoding="utf-8")
    assert checkpoints.validated(paths.checkpoints) == {"1": 0.0}

    model = tmp_path / "exported"
    assert main(["train", "export", str(out), "--out", str(model)]) == 0
    assert "Step 1 (the best by validation)" in capsys.readouterr().out
    trained, before = (AutoModelForCausalLM.from_pretrained(path).state_dict() for path in (model, tmp_path / "model"))
    assert trained.keys() == before.keys() and trained["lm_head.weight"].dtype is before["lm_head.weight"].dtype
    assert AutoTokenizer.from_pretrained(model).chat_template


def below(process: int) -> dict[int, psutil.Process]:
    return {child.pid: child for child in psutil.Process(process).children(recursive=True)}


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
