"""The learning study: every arm of the plan is accepted, intervals are paired, and what is missing is said."""

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("ray")
from learning_study import RECIPE, arguments, study_of
from rich.console import Console
from study.analysis import NUMBERS, START, analysed, compared, table

from toolgym.sandbox.kit.errors import BadInput
from toolgym.training import preflight
from toolgym.training.recipe import setup
from toolgym.training.verl_config import RunPaths

pytestmark = [pytest.mark.slow, pytest.mark.xdist_group("learning study")]


def finished(arm: str, seed: int, clean: Sequence[bool]) -> dict[str, Any]:
    numbers = dict.fromkeys(NUMBERS, 1.0)
    played = [numbers | {"task": f"t{n // 2}", "clean": float(each)} for n, each in enumerate(clean)]
    return {"arm": arm, "seed": seed, "played": {"test": played, "untrained": played[:10]}, "wall_seconds": 1}


def test_every_arm_of_the_plan_is_accepted_by_verl(tmp_path: Path) -> None:
    study = study_of(arguments(["--out", str(tmp_path)]))
    assert len(study.runs) == 1 + 3 * (len(study.plan["arms"]) + len(study.plan["further"]))
    for name in study.runs[1 : 1 + len(study.plan["arms"])] + [run for run in study.runs if run.endswith("-0")][6:]:
        made = setup(str(RECIPE), study.settings(name))
        preflight.check(made.settings)
        preflight.validate(preflight.compose(made, RunPaths(tmp_path)))
        assert made.settings.filter_groups and made.settings.steps == 60
    with pytest.raises(BadInput, match="There is no run 'tarl-9'"):
        study.run("tarl-9", Console())


def test_paired_intervals_and_a_table_of_what_is_there(tmp_path: Path) -> None:
    study = study_of(arguments(["--out", str(tmp_path)]))
    plan = {**study.plan, "bootstrap": {"resamples": 200, "seed": 0}}
    base = [n % 3 == 0 for n in range(400)]
    (tmp_path / "results").mkdir()
    runs = {START: finished(START, 0, base)}
    for seed in range(3):
        runs[f"outcome-{seed}"] = finished("outcome", seed, base)
        runs[f"clean-{seed}"] = finished("clean", seed, [each or n % 5 == 0 for n, each in enumerate(base)])
    for name, run in runs.items():
        study.result(name).write_text(json.dumps(run), "utf-8")
    assert study.finished() == runs
    same = compared(plan, runs, "outcome", START)
    assert same["seeds"] == [0, 1, 2] and same["test clean"] == [0, 0, 0]
    value, low, high = compared(plan, runs, "clean", "outcome")["test clean"]
    assert value == pytest.approx(53 / 400) and 0.08 < low < value < high < 0.2
    found = analysed(plan, runs)
    assert (found["done"], found["planned"]) == (6, 18) and "tarl" not in found["arms"]
    shown = table(plan, found)
    assert "| `clean` less `outcome` | 3 | +0.13" in shown and "`tarl`" not in shown
