"""`toolgym eval --sandbox` gives the trajectories of a local run; a server that is away is told or recorded as such."""

from collections.abc import Iterator
from pathlib import Path

import depthbench_checkout
import httpx2
import pytest
from sandbox_server import KIOSK, SandboxServer

from toolgym.cli import main
from toolgym.judge.evaluation.episodes import Evaluation
from toolgym.judge.evaluation.run import run
from toolgym.judge.evaluation.run_folder import RunFolder
from toolgym.judge.evaluation.settings import EvalSettings
from toolgym.judge.scoring.verifier import verify
from toolgym.sandbox.kit.task import write_tasks
from toolgym.sandbox.runtime.registry import get_domain
from toolgym.sandbox.runtime.trajectory import Trajectory, read_trajectories
from toolgym.sandbox.synthesis.generator import Cell, Generator

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[SandboxServer]:
    with SandboxServer(tmp_path_factory.mktemp("eval") / "data") as running:
        yield running


def evaluate(folder: Path, *flags: str) -> list[str]:
    env = ["eval", "ToolRetail-v0", "--agent", "rules", "--tasks", "6", "--trials", "2"]
    assert main([*env, *flags, "--out", str(folder)]) == 0
    return [trajectory.canonical() for trajectory in read_trajectories(folder / "trajectories.jsonl")]


def test_the_trajectories_are_those_of_a_local_run(server: SandboxServer, tmp_path: Path) -> None:
    local = evaluate(tmp_path / "local")
    assert len(local) == 12
    assert evaluate(tmp_path / "rest", "--sandbox", server.url) == local
    mcp = ["--sandbox", server.url, "--sandbox-protocol", "mcp", "--concurrency", "5"]
    assert evaluate(tmp_path / "mcp", *mcp) == local


def test_programs_are_played_there_as_here(server: SandboxServer, tmp_path: Path) -> None:
    tasks = tmp_path / "programs.jsonl"
    write_tasks(
        tasks, Generator(get_domain("banking"), seed=3, cell=Cell(depth=(2, 2), interaction="program")).tasks(4)
    )
    named = ["eval", "banking", "--data", f"own:{tasks}", "--split", "train", "--program", "--agent", "oracle"]
    found = []
    for name, flags in (("local", []), ("there", ["--sandbox", server.url])):
        out = tmp_path / name
        assert main([*named, "--format", "json_ast", *flags, "--out", str(out)]) == 0
        found.append([played.canonical() for played in read_trajectories(out / "trajectories.jsonl")])
    assert found[0] == found[1] and len(found[0]) == 4
    assert all(verify(played).passed() for played in read_trajectories(tmp_path / "there" / "trajectories.jsonl"))


def test_a_benchmarks_tools_run_on_no_server(
    server: SandboxServer, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = depthbench_checkout.make(tmp_path / "checkout")
    assert main(["eval", "--data", f"depthbench:{folder}", "--program", "--sandbox", server.url]) == 2
    assert "run beside the episode, on no server" in capsys.readouterr().err
    opened = httpx2.post(f"{server.url}/sessions", json={"domain": f"depthbench:{folder}"}, timeout=600)
    assert opened.status_code == 404 and "There is no domain" in opened.text, (
        "a client must not make a server open folders"
    )
    task = get_domain("kiosk").tasks("test")[0].model_copy(update={"distractors": (f"depthbench:{folder}.GetTime",)})
    body = {"domain": "kiosk", "task": task.model_dump(mode="json")}
    refused = httpx2.post(f"{server.url}/sessions", json=body, timeout=600)
    assert refused.status_code == 404 and "its own tasks alone" in refused.text


def test_a_run_goes_on_elsewhere(server: SandboxServer, tmp_path: Path) -> None:
    evaluate(tmp_path / "run")
    assert len(evaluate(tmp_path / "run", "--sandbox", server.url)) == 12  # where it ran decides no result


def test_no_server_is_said_before_anything_is_played(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    flags = ["--tasks", "1", "--sandbox", "http://127.0.0.1:9", "--out", str(tmp_path / "run")]
    assert main(["eval", "ToolKiosk-v0", *flags]) == 2
    assert "cannot be reached" in capsys.readouterr().err
    assert not (tmp_path / "run").exists()


async def test_a_server_that_goes_away_fails_the_episode_not_the_agent(tmp_path: Path) -> None:
    with SandboxServer(tmp_path / "data", *KIOSK) as server:
        evaluation = Evaluation(EvalSettings(env="ToolKiosk-v0", agent="oracle", sandbox=server.url))
        assert evaluation.worlds.remote is not None
        evaluation.worlds.remote.endpoint.patience = 0.3
        task = evaluation.tasks[0]
        played = await evaluation.play(task, 0)
        assert played.fault is None and played.calls
        server.kill()
        failed = await evaluation.play(task, 0)
    assert failed.termination == "infrastructure_error"
    assert (
        failed.fault is not None and failed.fault.boundary == "session" and "cannot be reached" in failed.fault.message
    )


def test_a_server_killed_during_a_run_costs_no_trajectory(tmp_path: Path) -> None:
    local = [t.canonical() for t in run(settings(), RunFolder(tmp_path / "local")).trajectories]
    with SandboxServer(tmp_path / "data", "--worlds", "retail") as server:
        ended: list[Trajectory] = []

        def told(trajectory: Trajectory) -> None:
            ended.append(trajectory)
            if len(ended) == 5:
                server.kill()
                server.start()

        remote = run(settings(server.url), RunFolder(tmp_path / "remote"), told=told).trajectories
    assert len(ended) == len(local) > 5 and [t.canonical() for t in remote] == local


def settings(server: str | None = None) -> EvalSettings:
    return EvalSettings(env="ToolRetail-v0", agent="rules", tasks=("9",), concurrency=4, sandbox=server)
