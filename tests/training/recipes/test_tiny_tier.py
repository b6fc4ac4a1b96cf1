"""TIER's recipe through verl's real trainer on a CPU: one step of programs with a hand-made benchmark's own tools."""

from collections.abc import Mapping
from pathlib import Path

import depthbench_checkout
import pytest

from toolgym.cli import main
from toolgym.judge.evaluation.run_folder import RunFolder
from toolgym.training import plots
from toolgym.training.cpu.tiny import make_model
from toolgym.training.verl_config import RunPaths

pytestmark = [pytest.mark.slow, pytest.mark.xdist_group("ray")]


@pytest.mark.turns(3, 2)
def test_one_step_on_a_benchmarks_programs(
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    preloaded: Mapping[str, str],
) -> None:
    for name, value in preloaded.items():
        monkeypatch.setenv(name, value)
    checkout, out = depthbench_checkout.make(tmp_path / "checkout"), tmp_path / "run"
    model = make_model(tmp_path / "model", ["Cars in Oslo?"])
    named = [f"data=depthbench:{checkout}", f"model={model}", f"out={out}", "variant=xml+simple"]
    machine = ["device=cpu", "engine=toolgym_transformers", "gpus=1", "offload=false", "workers=1"]
    sizes = ["steps=1", "batch=2", "group=2", "prompt_tokens=2000", "response_tokens=24", "turn_tokens=24"]
    checks = ["val_tasks=2", "val_before=false", "test_every=1", "save_every=1"]
    assert main(["train", "tier", *named, *machine, *sizes, *checks]) == 0
    series = plots.read(out)
    assert series["toolgym/acc"] == [(1, 0.0)] and series["toolgym/turns"] == [(1, 1.0)]
    assert series["toolgym/val/toolgym/program/pass^1"][-1][0] == 1
    shown = " ".join(capsys.readouterr().out.split())
    assert "(14 training rows)" in shown and "2 tasks of validation x 1, greedy" in shown and "the longest has" in shown
    played = RunFolder(RunPaths(out).checkpoints / "validation" / "step-000001").trajectories()
    assert len(played) == 2 and all(each.by_program and each.task.split == "validation" for each in played)
