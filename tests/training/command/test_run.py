"""`toolgym train` from the command to the curves: verl's real trainer on a CPU, one step on live episodes."""

import runpy
from pathlib import Path

import pytest

from judge.run import RunFolder
from sandbox.cli import main
from sandbox.task import write_tasks
from training import curves
from training.cpu.tiny import make_model
from training.overrides import RunPaths

LAPTOP = Path(__file__).parents[3] / "examples" / "laptop"


@pytest.mark.slow
@pytest.mark.xdist_group("ray")
def test_one_step_leaves_metrics_curves_conversations_and_no_key(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "a-secret-key")
    tasks, out = tmp_path / "tasks.jsonl", tmp_path / "run"
    write_tasks(tasks, runpy.run_path(str(LAPTOP / "family.py"))["tasks"]())
    model = make_model(tmp_path / "model", ["Please cancel order 123."])
    changes = ["steps=1", "batch=2", "mini_batch=2", "group=2", "val_tasks=2", "val_trials=1", "val_before=false"]
    sizes = ["prompt_tokens=200", "response_tokens=60", "turn_tokens=12", "test_every=1", "save_every=1"]
    command = ["train", str(LAPTOP / "laptop.yaml"), f"model={model}", f"data=own:{tasks}", f"out={out}"]
    assert main([*command, *changes, *sizes]) == 0
    paths = RunPaths(out)
    series = curves.read(out)
    assert series["toolgym/acc"] == [(1, 0.0)], "a random model cancels nothing"
    assert "toolgym/val/toolgym/text/pass^1" in series
    assert series["training/rollout_probs_diff_max"][0][1] < 1e-5, "updates are in full precision, as sampling is"
    assert (out / "curves.png").read_bytes().startswith(b"\x89PNG")
    assert (paths.checkpoints / "global_step_1" / "actor").is_dir()
    assert len(RunFolder(paths.checkpoints / "validation" / "step-000001").trajectories()) == 2
    assert "step    1" in capsys.readouterr().out
    for file in (path for path in out.rglob("*") if path.suffix in {".log", ".yaml", ".json", ".jsonl"}):
        assert "a-secret-key" not in file.read_text(encoding="utf-8"), file
