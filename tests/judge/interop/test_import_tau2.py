"""Result files that tau2-bench's own runner wrote: their rewards come out again, differing verdicts are explained."""

import json
import os
import subprocess
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from tau2_original import interpreter

from toolgym.cli import main
from toolgym.judge.evaluation.run_folder import RunFolder
from toolgym.sandbox.runtime.registry import get_domain

pytestmark = [pytest.mark.slow, pytest.mark.xdist_group("exchange")]
RUNNER = str(Path(__file__).parents[2] / "servers" / "tau2_runner.py")
EVERY = {"retail": 20, "airline": 17, "telecom": 19}
"""Of each domain's base tasks, every how many-th is played, twice."""
RUNS = [*EVERY, "telecom-solo"]


def lines(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder of result files of tau2-bench's runner, with a scripted agent that does right and wrong."""
    folder = tmp_path_factory.mktemp("tau2")
    wanted = []
    for name in RUNS:
        domain, _, solo = name.partition("-")
        tasks = [task.id for task in get_domain(domain).tasks("base", "tau2")][:: EVERY[domain]]
        run = {"domain": domain, "tasks": tasks, "trials": 2, "solo": bool(solo)}
        wanted.append(run | {"out": str(folder / f"{name}.json")})
    environment = os.environ | {"LITELLM_LOCAL_MODEL_COST_MAP": "True"}
    command = [interpreter(), RUNNER]
    done = subprocess.run(
        command, input=json.dumps(wanted), env=environment, capture_output=True, text=True, timeout=900, check=False
    )
    assert done.returncode == 0, done.stderr[-3000:]
    return folder


@pytest.fixture(scope="module", params=RUNS)
def recorded(request: pytest.FixtureRequest, files: Path) -> Path:
    """One domain's file; the agent works with a user, or alone."""
    return files / f"{request.param}.json"


@pytest.fixture(scope="module")
def imported(recorded: Path) -> RunFolder:
    folder = RunFolder(recorded.parent / f"import-{recorded.stem}")
    assert main(["import", str(recorded), "--out", str(folder.path)]) == 0
    return folder


def test_its_rewards_are_reproduced(recorded: Path, imported: RunFolder) -> None:
    rewards = {
        (entry["task_id"], entry["trial"]): entry["reward_info"]["reward"]
        for entry in json.loads(recorded.read_text(encoding="utf-8"))["simulations"]
    }
    found = {(line["task"], line["trial"]): line["by_their_rule"] for line in lines(imported.path / "comparison.jsonl")}
    assert found == rewards
    assert set(rewards.values()) == {0.0, 1.0}
    assert not lines(imported.path / "unreadable.jsonl") and not imported.failures()


def test_every_part_of_a_reward_is_reproduced(imported: RunFolder) -> None:
    from toolgym.judge.interop.criteria import outcome_by_their_rule

    seen: Counter[str] = Counter()
    for trajectory in imported.trajectories():
        here = outcome_by_their_rule(trajectory).components
        for part, value in trajectory.info.recorded.components.items():
            assert here[part] == value, (trajectory.task.id, trajectory.trial, part)
            seen[f"{part} {value:g}"] += 1
    assert len(seen) >= 2, seen


def test_a_differing_verdict_has_a_reason(imported: RunFolder) -> None:
    for line in lines(imported.path / "comparison.jsonl"):
        assert line["agrees"] == (not line["reasons"]), line


def test_calls_come_to_the_same_here(imported: RunFolder) -> None:
    """But for flights that do not follow one another, which the airline world refuses on purpose."""
    differences = [d for trajectory in imported.trajectories() for d in trajectory.info.recorded.differences]
    outcomes = [d for d in differences if d.kind != "another result"]
    assert not [d for d in outcomes if not d.here.endswith("[broken_route]")]


def test_the_run_is_scored_and_opens(imported: RunFolder, capsys: pytest.CaptureFixture[str]) -> None:
    scores = lines(imported.scores_file)
    assert len(scores) == len(imported.trajectories())
    for line in scores:
        assert {"outcome", "tarl", "toolrl", "prove", "tier"} == set(line["rewards"]) and line["turns"] is not None
    assert main(["show", str(imported.path)]) == 0
    assert main(["report", str(imported.path)]) == 0
    assert "recorded by tau2: reward" in capsys.readouterr().out


def test_importing_again_goes_on_in_the_same_folder(recorded: Path, imported: RunFolder) -> None:
    before = imported.trajectories_file.read_text(encoding="utf-8")
    assert main(["import", str(recorded), "--out", str(imported.path)]) == 0
    assert [json.loads(line)["messages"] for line in before.splitlines()] == [
        line["messages"] for line in lines(imported.trajectories_file)
    ]
