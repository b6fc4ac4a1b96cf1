"""Inspect itself plays our worlds: with models behind a real endpoint, with our agents, and where things break."""

import asyncio
import math
import re
import subprocess
import sys
import zlib
from pathlib import Path
from typing import Any

import pytest
from inspect_ai.log import EvalLog
from inspect_runs import play
from openai_server import OpenAIServer
from world_tasks import DECLARED, some_tasks

from toolgym.cli import main
from toolgym.judge.evaluation.metrics import pass_hat_k
from toolgym.judge.evaluation.run import baseline, unspoken
from toolgym.judge.evaluation.run_folder import RunFolder
from toolgym.judge.evaluation.settings import EvalSettings
from toolgym.judge.interop.inspect.messages import tool_infos
from toolgym.judge.interop.inspect.record import TRAJECTORY
from toolgym.judge.scoring.verifier import verify
from toolgym.sandbox.kit.task import write_tasks
from toolgym.sandbox.runtime import registry
from toolgym.sandbox.runtime.registry import get_domain
from toolgym.sandbox.runtime.trajectory import Trajectory

pytestmark = [pytest.mark.slow, pytest.mark.xdist_group("inspect")]
TRIALS = 3
DRAWN = "test_a_drawn_task_of_any_world"


@pytest.fixture(scope="module")
def logs(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> dict[str, EvalLog]:
    with OpenAIServer("kiosk") as server:
        agent, kiosk = ["agent", server.url], "toolgym/kiosk"
        runs: dict[str, dict[str, Any]] = {
            "native": {"tasks": kiosk, "model": agent},
            "hermes": {"tasks": kiosk, "model": ["hermes", server.url], "task_args": {"format": "hermes"}},
            "spoken": {"tasks": kiosk, "model": agent, "task_args": {"user": "llm", "judge": "llm"}},
            "called": {
                "tasks": "toolgym/banking",
                "solver": {"name": "demonstrator", "consent": "call"},
                "limit": 2,
            },
            "trials": {"tasks": "toolgym/retail", "solver": {"name": "rules"}, "limit": 4},
            "moody": {"tasks": kiosk, "model": ["moody", server.url], "task_args": {"trials": TRIALS}},
            "cut": {"tasks": kiosk, "model": agent, "message_limit": 4},
            "late": {"tasks": kiosk, "model": ["sleepy", server.url], "limit": 1, "time_limit": 1},
            "broken": {"tasks": kiosk, "model": ["flaky", server.url]},
            "dead": {"tasks": kiosk, "model": ["dead", server.url], "limit": 1},
        }
        drawn = tmp_path_factory.mktemp("drawn")
        for world in sorted({item.callspec.params["world"] for item in request.session.items if DRAWN in item.name}):
            write_tasks(drawn / f"{world}.jsonl", some_tasks(world, 1))
            told = {"data": f"own:{drawn}", "split": "test"}
            runs[world] = {"tasks": f"toolgym/{world}", "solver": {"name": "demonstrator"}, "task_args": told}
        server.brains["flaky"] = server.brains["dead"] = server.brains["agent"]
        server.brains["moody"] = lambda body: moody(server, body)
        server.brains["sleepy"] = sleepy
        server.misbehave("flaky", "401")
        server.misbehave("dead", *["401"] * 9)
        runs["spoken"]["model_roles"] = {"user": ["user", server.url], "grader": ["judge", server.url]}
        runs["trials"]["task_args"] = {"trials": TRIALS, "data": "own"}
        found = play(list(runs.values()), tmp_path_factory.mktemp("inspect"))
    return dict(zip(runs, found, strict=True))


async def sleepy(body: dict[str, Any]) -> Any:
    """A model that needs longer than there is time."""
    await asyncio.sleep(3)
    return {"role": "assistant", "content": "Oh?"}


async def moody(server: OpenAIServer, body: dict[str, Any]) -> Any:
    """A model that refuses to work for some people, by the way they begin."""
    if zlib.crc32(body["messages"][1]["content"].encode()) % 3 == 0:
        return {"role": "assistant", "content": "I do not work today."}
    return await server.brains["agent"](body)


def played(log: EvalLog) -> list[Trajectory]:
    return [Trajectory.model_validate(sample.store[TRAJECTORY]) for sample in log.samples or ()]


def essence(trajectory: Trajectory) -> tuple[Any, ...]:
    """What an episode came to, whoever it says played it."""
    return trajectory.task.id, trajectory.trial, trajectory.seed, trajectory.messages, trajectory.diff


@pytest.mark.parametrize("name", ["native", "hermes"])
def test_a_model_behind_an_endpoint_plays_as_in_our_own_evaluation(name: str, logs: dict[str, EvalLog]) -> None:
    log = logs[name]
    assert log.status == "success" and log.eval.task == "toolgym/kiosk"
    expected = baseline(EvalSettings(env="kiosk"), "rules")
    assert [trajectory.diff for trajectory in played(log)] == [trajectory.diff for trajectory in expected]
    for sample, trajectory, other in zip(log.samples or (), played(log), expected, strict=True):
        assert sample.scores is not None and sample.error is None
        assert sample.scores["passed"].value == ("C" if verify(other).passed() else "I")
        assert sample.scores["clean_pass"].value == ("C" if verify(other).clean else "I")
        assert trajectory.usage[0].requests == len(trajectory.turns())
        told = sample.scores["passed"].metadata or {}
        assert len(told["turns"]) == len(told["reasons"]) == len(trajectory.turns())
        assert [message.role for message in sample.messages][:3] == ["system", "user", "assistant"]
        assert sample.messages[-1].text == trajectory.messages[-1].content
    roles = {message.role for sample in log.samples or () for message in sample.messages}
    assert ("tool" in roles) == (name == "native")


@pytest.mark.parametrize("world", DECLARED)
def test_a_drawn_task_of_any_world_is_played(world: str, logs: dict[str, EvalLog]) -> None:
    assert logs[world].status == "success"
    [sample] = logs[world].samples or ()
    assert sample.scores is not None and sample.scores["clean_pass"].value == "C"


def test_tools_reach_providers_with_their_schemas() -> None:
    for world in registry.names("domains"):
        tools = get_domain(world).tools.to_openai()
        for ours, theirs in zip(tools, tool_infos(tools), strict=True):
            wanted = ours["function"]["parameters"]
            given = theirs.parameters.model_dump(mode="json", exclude_none=True)
            assert theirs.name == ours["function"]["name"] and theirs.description == ours["function"]["description"]
            assert list(given["properties"]) == list(wanted["properties"])
            assert given["required"] == wanted.get("required", [])


def test_the_user_and_the_judge_may_be_models_of_inspects(logs: dict[str, EvalLog]) -> None:
    for sample in logs["spoken"].samples or ():
        assert sample.scores is not None and sample.scores["passed"].metadata is not None
        assert sample.scores["passed"].metadata["judge"] == "llm:openai-api/local/judge"
        assert set(sample.scores["passed"].metadata["turns"]) == {1}
    for trajectory in played(logs["spoken"]):
        assert trajectory.user == "llm" and verify(trajectory).passed()
        assert {use.role for use in trajectory.usage} == {"agent", "user"}


def test_our_agents_play_the_episodes_of_our_own_evaluation(logs: dict[str, EvalLog]) -> None:
    log = logs["trials"]
    settings = EvalSettings(env="retail", data="own", agent="rules", trials=TRIALS, tasks=("4",), concurrency=1)
    expected = sorted(unspoken(settings), key=lambda trajectory: (trajectory.task.id, trajectory.trial))
    found = sorted(played(log), key=lambda trajectory: (trajectory.task.id, trajectory.trial))
    assert list(map(essence, found)) == list(map(essence, expected))


def test_our_user_approves_the_changes_that_inspect_plays(logs: dict[str, EvalLog]) -> None:
    done = played(logs["called"])
    assert [each.consent for each in done] == ["call", "call"] and any(each.approvals for each in done)
    assert all("shown to the user by the system" in str(each.messages[0]) for each in logs["called"].samples or ())


@pytest.mark.parametrize("name", ["trials", "moody"])
def test_pass_k_is_ours(name: str, logs: dict[str, EvalLog]) -> None:
    log = logs[name]
    outcomes: dict[str, list[bool]] = {}
    for trajectory in played(log):
        outcomes.setdefault(trajectory.task.id, []).append(verify(trajectory).passed())
    assert log.results is not None
    given = {s.reducer: s.metrics["accuracy"].value for s in log.results.scores if s.name == "passed"}
    assert given.keys() == {"mean", "pass_k_2", "pass_k_3"}
    for k in range(1, TRIALS + 1):
        assert math.isclose(given["mean" if k == 1 else f"pass_k_{k}"], pass_hat_k(outcomes, k))
    assert 0 < given["mean"] < 1 and (name == "trials" or given["pass_k_2"] < given["mean"])


def test_a_limit_of_inspects_cuts_a_conversation_and_what_is_cut_does_not_pass(logs: dict[str, EvalLog]) -> None:
    log = logs["cut"]
    cut = [sample for sample in log.samples or () if sample.limit is not None]
    assert cut and log.status == "success"
    for sample in cut:
        trajectory = Trajectory.model_validate(sample.store[TRAJECTORY])
        assert trajectory.termination == "max_turns" and trajectory.fault is None
        assert sample.scores is not None and sample.scores["passed"].value == "I"


def test_a_limit_of_time_cuts_it_too(logs: dict[str, EvalLog]) -> None:
    (sample,) = logs["late"].samples or ()
    (trajectory,) = played(logs["late"])
    assert sample.limit is not None and sample.limit.type == "time" and sample.error is None
    assert trajectory.termination == "time_limit" and trajectory.messages
    assert sample.scores is not None and sample.scores["passed"].value == "I"


def test_broken_infrastructure_is_an_error_and_no_score(logs: dict[str, EvalLog]) -> None:
    log = logs["broken"]
    assert log.status == "success" and log.results is not None and log.results.completed_samples == 2
    broken = [sample for sample in log.samples or () if sample.error is not None]
    assert len(broken) == 1 and not broken[0].scores and "Incorrect API key" in broken[0].error.message
    assert all(score.metrics["accuracy"].value == 1 for score in log.results.scores)
    assert logs["dead"].status == "error"


PAGE = Path(__file__).parents[3] / "docs" / "inspect.md"


def at_the_terminal(arguments: str, folder: Path) -> subprocess.CompletedProcess[str]:
    """What `inspect` says to a command."""
    command = [sys.executable, "-m", "inspect_ai", *arguments.split(), "--display", "plain"]
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=600, check=False)


def test_the_pages_offline_command_runs_and_its_log_comes_back(tmp_path: Path) -> None:
    (command,) = re.findall(
        r"^inspect (eval toolgym/\S+ --model mockllm/model [^#\n]*)", PAGE.read_text("utf-8"), re.MULTILINE
    )
    done = at_the_terminal(command, tmp_path)
    assert done.returncode == 0, done.stdout + done.stderr
    (log,) = (tmp_path / "logs").glob("*.eval")
    assert main(["import", str(log), "--out", str(tmp_path / "back")]) == 0
    back = RunFolder(tmp_path / "back").trajectories()
    expected = baseline(EvalSettings(env="kiosk"), "oracle")
    assert list(map(essence, back)) == list(map(essence, expected))


@pytest.mark.parametrize(
    ("mistake", "told"),
    [
        ("-T split=nowhere", "There is no split 'nowhere' of kiosk"),
        ("-T data=v9", "There is no data 'v9' of kiosk"),
        ("-T consent=calls", "did you mean 'call'"),
    ],
)
def test_a_mistake_is_told_in_a_sentence(mistake: str, told: str, tmp_path: Path) -> None:
    done = at_the_terminal(f"eval toolgym/kiosk --model mockllm/model {mistake}", tmp_path)
    said = done.stdout + done.stderr
    assert done.returncode != 0 and told in said and "Traceback" not in said and not list(tmp_path.glob("logs/*"))
