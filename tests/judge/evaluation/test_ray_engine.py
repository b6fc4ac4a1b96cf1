"""An evaluation on a cluster of two nodes gives, line by line, what one process gives."""

import json
from collections.abc import Iterator
from pathlib import Path

import depthbench_checkout
import pytest
import ray
from ray.cluster_utils import Cluster

from judge.evaluation import ray_engine, runner
from judge.evaluation.run_folder import RunFolder
from judge.evaluation.settings import EvalSettings
from sandbox.kit.errors import BadInput
from sandbox.runtime.registry import get_domain

pytestmark = [pytest.mark.slow, pytest.mark.xdist_group("ray")]


@pytest.fixture(scope="module")
def two_nodes() -> Iterator[Cluster]:
    cluster = Cluster(initialize_head=True, head_node_args={"num_cpus": 1, "include_dashboard": False})
    cluster.add_node(num_cpus=1)
    ray.init(address=cluster.address, log_to_driver=False)
    yield cluster
    ray.shutdown()
    cluster.shutdown()


def settings(engine: str, **changes: object) -> EvalSettings:
    values = {"env": "retail", "agent": "rules", "tasks": ("10",), "trials": 2, "engine": engine}
    return EvalSettings.model_validate(values | changes)


def played(folder: Path, engine: str, **changes: object) -> list[str]:
    counts: list[tuple[int, int]] = []
    chosen = settings(engine, **changes)
    found = runner.run(chosen, RunFolder(folder), lambda done, total: counts.append((done, total)))
    assert counts[0] == (0, 20) and counts[-1] == (20, 20)
    return [trajectory.canonical() for trajectory in found]


def test_two_nodes_give_what_one_process_gives(two_nodes: Cluster, tmp_path: Path) -> None:
    assert [node["Resources"]["CPU"] for node in ray.nodes()] == [1, 1], "two players fit only on two nodes"
    there = played(tmp_path / "there", "ray")
    assert there == played(tmp_path / "here", "local")
    recorded = [json.loads((tmp_path / index / "run.json").read_text(encoding="utf-8")) for index in ("there", "here")]
    assert [run.pop("circumstances")["engine"] for run in recorded] == ["ray", "local"]
    assert recorded[0] == recorded[1], "where it was played decides nothing"


def test_programs_and_a_benchmarks_own_tools_play_on_a_cluster_too(two_nodes: Cluster, tmp_path: Path) -> None:
    folder = depthbench_checkout.make(tmp_path / "checkout")
    changes = {"env": f"depthbench:{folder}", "data": f"depthbench:{folder}", "split": "train", "agent": "oracle"}
    changes |= {"program": True, "format": "json_ast"}
    assert played(tmp_path / "there", "ray", **changes) == played(tmp_path / "here", "local", **changes)


def test_a_players_mistake_is_told_as_it_is(two_nodes: Cluster, tmp_path: Path) -> None:
    wrong = settings("ray", agent_options={"speed": 2})
    with pytest.raises(BadInput, match="There is no option 'speed' of the agent 'rules'") as caught:
        ray_engine.play_all(wrong, [(get_domain("retail").tasks("test")[0], 0)], lambda trajectory: None)
    assert caught.type is BadInput, "Ray's wrapping is taken off"


def test_people_and_speech_stay_here(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match="--engine local"):
        ray_engine.play_all(settings("ray", user="human"), [], lambda trajectory: None)
