"""An evaluation on a cluster of two nodes gives, line by line, what one process gives, whatever dies on the way."""

import json
import os
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import depthbench_checkout
import pytest
import ray
from ray.cluster_utils import Cluster
from ray_nodes import inside, nodes

from toolgym.judge.evaluation import ray_engine
from toolgym.judge.evaluation.run import run
from toolgym.judge.evaluation.run_folder import RunFolder
from toolgym.judge.evaluation.settings import EvalSettings
from toolgym.sandbox.kit.errors import BadInput
from toolgym.sandbox.runtime import cluster, parts
from toolgym.sandbox.runtime.registry import get_domain
from toolgym.sandbox.runtime.trajectory import Trajectory

pytestmark = [pytest.mark.slow, pytest.mark.xdist_group("ray")]


@pytest.fixture(scope="module")
def two_nodes() -> Iterator[Cluster]:
    with inside(1, 1) as cluster:
        yield cluster


@pytest.fixture
def two_more_nodes() -> Iterator[Cluster]:
    """To be broken."""
    with nodes(1) as cluster:
        yield cluster


def settings(engine: str, **changes: object) -> EvalSettings:
    values = {"env": "ToolRetail-v0", "agent": "rules", "tasks": ("10",), "trials": 2, "engine": engine}
    return EvalSettings.model_validate(values | changes)


def played(folder: Path, engine: str, **changes: object) -> list[str]:
    begun: list[tuple[int, int]] = []
    told: list[Trajectory] = []
    chosen = settings(engine, **changes)
    found = run(chosen, RunFolder(folder), lambda done, total: begun.append((done, total)), told.append)
    assert begun == [(0, 20)] and len(told) == 20
    return [trajectory.canonical() for trajectory in found.trajectories]


OWN = "def play(messages, tools):\n    return 'I cannot do that.'\n"


def test_an_agent_in_a_file_plays_there_and_an_object_is_refused(two_nodes: Cluster, tmp_path: Path) -> None:
    (tmp_path / "own.py").write_text(OWN, encoding="utf-8")
    agent = f"{tmp_path}/own.py:play"
    there = played(tmp_path / "there", "ray", agent=agent)
    assert there == played(tmp_path / "here", "local", agent=agent)
    given = parts.given({("agents", "own:<lambda>"): lambda messages, tools: ""})
    refused = pytest.raises(BadInput, match=r"cannot be handed the object 'own:<lambda>'; give its name instead")
    with given, refused:
        run(settings("ray", agent="own:<lambda>"), RunFolder(tmp_path / "run"), lambda done, total: None)


def test_two_nodes_give_what_one_process_gives(two_nodes: Cluster, tmp_path: Path) -> None:
    assert [node["Resources"]["CPU"] for node in ray.nodes()] == [1, 1], "two players fit only on two nodes"
    there = played(tmp_path / "there", "ray")
    assert there == played(tmp_path / "here", "local")
    recorded = [json.loads((tmp_path / index / "run.json").read_text(encoding="utf-8")) for index in ("there", "here")]
    assert [each.pop("circumstances")["engine"] for each in recorded] == ["ray", "local"]
    assert recorded[0] == recorded[1], "where it was played decides nothing"


def test_programs_and_a_benchmarks_own_tools_play_on_a_cluster_too(two_nodes: Cluster, tmp_path: Path) -> None:
    folder = depthbench_checkout.make(tmp_path / "checkout")
    changes = {"env": f"depthbench:{folder}", "data": f"depthbench:{folder}", "split": "train", "agent": "oracle"}
    changes |= {"program": True, "format": "json_ast"}
    assert played(tmp_path / "there", "ray", **changes) == played(tmp_path / "here", "local", **changes)


def test_no_more_is_handed_out_than_is_admitted(two_nodes: Cluster) -> None:
    ended: list[str] = []
    seen: list[int] = []

    def admits(in_hand: int) -> bool:
        seen.append(in_hand)
        return len(ended) + in_hand < 5

    trials = [(task, 0) for task in get_domain("retail").tasks("test", "own")[:12]]
    ray_engine.play_all(settings("ray"), trials, lambda trajectory: ended.append(trajectory.task.id), admits)
    assert len(ended) == len(set(ended)) == 5 and max(seen) > 0


def test_a_players_mistake_is_told_as_it_is(two_nodes: Cluster, tmp_path: Path) -> None:
    wrong = settings("ray", agent_options={"speed": 2})
    with pytest.raises(BadInput, match="There is no option 'speed' of the agent 'rules'") as caught:
        ray_engine.play_all(wrong, [(get_domain("retail").tasks("test", "own")[0], 0)], lambda trajectory: None)
    assert caught.type is BadInput, "Ray's wrapping is taken off"


def test_people_and_speech_stay_here(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match="--engine local"):
        ray_engine.play_all(settings("ray", user="human"), [], lambda trajectory: None)


TRIALS = 2
SLOW = """
import asyncio

async def play(messages, tools):
    await asyncio.sleep(0.2)
    return "I cannot do that."
"""
"""It waits as a model's endpoint does, so that a run is under way for longer than a head may be silent."""
IMPATIENT = """
import sys
from toolgym.sandbox.runtime import cluster
from toolgym.cli import main
from toolgym.sandbox.runtime.trajectory import Trajectory

cluster.HEAD_SECONDS = 1
sys.exit(main())
"""


def evaluation(folder: Path, *more: str, **variables: str) -> subprocess.Popen[str]:
    agent = folder.with_name("slow.py")
    agent.write_text(SLOW, encoding="utf-8")
    command = (
        f"eval ToolRetail-v0 --agent {agent}:play --tasks 60 --concurrency 16 --trials {TRIALS} --out {folder}".split()
    )
    return subprocess.Popen(
        [sys.executable, "-c", IMPATIENT, *command, *more],
        env=os.environ | variables,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )


def finished(folder: Path) -> list[str]:
    file = folder / "trajectories.jsonl"
    return file.read_text(encoding="utf-8").splitlines() if file.is_file() else []


def broken_in_the_middle(folder: Path, cluster: Cluster, breaking: Callable[[], None]) -> tuple[int, str]:
    """An evaluation on the cluster during which something is broken; its exit status and what it printed."""
    running = evaluation(folder, "--engine", "ray", RAY_ADDRESS=cluster.address)
    try:
        while running.poll() is None and len(finished(folder)) < 10:
            time.sleep(0.02)
        breaking()
        printed, _ = running.communicate(timeout=600)
    finally:
        running.kill()
    return running.returncode, printed


@pytest.mark.turns(3, 2)
def test_a_machine_that_dies_loses_and_doubles_nothing_and_a_head_that_dies_leaves_what_can_be_gone_on_with(
    two_more_nodes: Cluster, tmp_path: Path
) -> None:
    whole = 60 * TRIALS
    here = evaluation(tmp_path / "here")
    assert here.communicate()[0] and here.returncode == 0
    expected = [trajectory.canonical() for trajectory in RunFolder(tmp_path / "here").trajectories()]
    assert len(expected) == whole

    node = two_more_nodes.add_node(num_cpus=1)
    left: list[int] = []

    def kill_the_node() -> None:
        left.append(whole - len(finished(tmp_path / "node")))
        two_more_nodes.remove_node(node, allow_graceful=False)

    status, printed = broken_in_the_middle(tmp_path / "node", two_more_nodes, kill_the_node)
    assert left[0] > 50, "it was in the middle"
    assert status == 0, printed
    assert [trajectory.canonical() for trajectory in RunFolder(tmp_path / "node").trajectories()] == expected

    def kill_the_head() -> None:
        for name in ("gcs_server", "raylet"):
            for information in two_more_nodes.head_node.all_processes[name]:
                information.process.kill()

    status, printed = broken_in_the_middle(tmp_path / "head", two_more_nodes, kill_the_head)
    assert status == 2 and 10 <= len(finished(tmp_path / "head")) < whole, printed
    said = printed.strip().splitlines()[-1]
    assert said.startswith("toolgym eval: The head of the Ray cluster,") and said.endswith("plays the rest.")
    again = evaluation(tmp_path / "head")
    assert again.communicate()[0] and again.returncode == 0, "another engine decides nothing"
    assert [trajectory.canonical() for trajectory in RunFolder(tmp_path / "head").trajectories()] == expected


def test_no_cluster_where_one_is_named_is_one_sentence(tmp_path: Path) -> None:
    lost = evaluation(tmp_path / "run", "--engine", "ray", RAY_ADDRESS="127.0.0.1:9")
    printed, _ = lost.communicate(timeout=600)
    assert lost.returncode == 2 and printed.strip().startswith("toolgym eval: No Ray cluster answers at 127.0.0.1:9"), (
        printed
    )


def test_a_cluster_that_does_not_come_up_on_a_busy_machine_is_started_again(monkeypatch: pytest.MonkeyPatch) -> None:
    begun: list[str] = []
    said = ["The current node timed out during startup. This could happen because ..."] * 2

    def init(address: str, **_: object) -> None:
        begun.append(address)
        if said:
            raise Exception(said.pop())  # as Ray does

    monkeypatch.setattr(ray, "init", init)
    cluster.start("local")
    assert begun == ["local"] * 3
    said += ["The current node timed out during startup."] * cluster.STARTS
    with pytest.raises(Exception, match="timed out"):
        cluster.start("local")
    said[:] = ["Ray was not found."]
    with pytest.raises(Exception, match="not found"):
        cluster.start("local")
