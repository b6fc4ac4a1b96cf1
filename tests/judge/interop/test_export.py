"""What `toolgym export` writes: what the others' own readers accept, and what comes back the same when imported."""

import json
import subprocess
from pathlib import Path
from typing import Any

import pytest
from tau2_original import interpreter

from toolgym.cli import main
from toolgym.judge.evaluation.run_folder import RunFolder
from toolgym.judge.scoring.verifier import verify
from toolgym.sandbox.runtime.trajectory import Fault, Trajectory

pytestmark = pytest.mark.xdist_group("exchange")


def play(path: Path, domain: str, agent: str, data: str, split: str, *more: str, tasks: int = 8) -> RunFolder:
    options = ("--agent", agent, "--data", data, "--split", split, "--tasks", str(tasks), "--trials", "2", *more)
    assert main(["eval", domain, *options, "--out", str(path)]) == 0
    return RunFolder(path)


RUNS = [
    ("retail", "rules", "own", "test"),
    ("retail", "oracle", "tau2", "base"),
    ("retail", "random", "tau2", "base"),
]


@pytest.fixture(scope="module", params=RUNS)
def run(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> RunFolder:
    """A run with passed and failed conversations, random ones cut off and with calls of any sort."""
    return play(tmp_path_factory.mktemp("runs") / "run", *request.param)


def export(folder: RunFolder, to: str, *options: str) -> Path:
    out = folder.path / f"out-{to}.json"
    assert main(["export", str(folder.path), "--to", to, "--out", str(out), *options]) == 0
    return out


def essence(trajectory: Trajectory) -> tuple[Any, ...]:
    """What a round trip must keep."""
    outcomes = [(record.name, record.arguments, record.by, record.value, record.error) for record in trajectory.calls]
    said = [(m.role, m.content, m.tool_calls, m.tool_call_id, m.name) for m in trajectory.messages]
    about = (trajectory.task.id, trajectory.trial, trajectory.task.gold, trajectory.termination)
    return (*about, said, outcomes, trajectory.diff, trajectory.solo, verify(trajectory))


@pytest.mark.slow
@pytest.mark.parametrize("to", ["tau-bench", "tau2"])
def test_a_round_trip_keeps_conversations_calls_rows_and_verdicts(run: RunFolder, to: str, tmp_path: Path) -> None:
    before = run.trajectories()
    data = before[0].task.data
    back = RunFolder(tmp_path / "back")
    options = ("--data", data, "--env", "retail", "--out", str(back.path))
    assert main(["import", str(export(run, to)), *options]) == 0
    assert [essence(trajectory) for trajectory in back.trajectories()] == [essence(item) for item in before]
    for line in (back.path / "comparison.jsonl").read_text(encoding="utf-8").splitlines():
        compared = json.loads(line)
        assert compared["recorded"] == compared["by_their_rule"]
        assert compared["differing_calls"] == compared["differing_results"] == 0
    again = tmp_path / "again.json"
    assert main(["export", str(back.path), "--to", to, "--out", str(again)]) == 0
    assert len(json.loads(again.read_text(encoding="utf-8"))) == len(json.loads(export(run, to).read_text("utf-8")))


@pytest.mark.slow
def test_what_differs_after_a_round_trip_is_explained_in_words(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The formats keep their own rule's reward and one wording of what must be said: both are explained."""
    folder = play(tmp_path / "run", "retail", "rules", "own", "test", tasks=20)
    verdicts = [verify(trajectory).passed() for trajectory in folder.trajectories()]
    capsys.readouterr()
    file = export(folder, "tau2")
    rewards = [entry["reward_info"]["reward"] for entry in json.loads(file.read_text("utf-8"))["simulations"]]
    assert rewards.count(1.0) != verdicts.count(True)
    said = " ".join(capsys.readouterr().out.split())
    assert (
        f"{rewards.count(1.0)} have the reward 1 by the format's own rule, {verdicts.count(True)} passed here" in said
    )
    assert main(["import", str(file), "--data", "own", "--out", str(tmp_path / "back")]) == 0
    said = " ".join(capsys.readouterr().out.split())
    assert "in these very words; here it was said in others that count as well" in said and "|" not in said


def test_the_same_results_in_a_folder(run: RunFolder, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The form of newer tau2-bench: results.json without simulations, and each simulation in a file of its own."""
    value = json.loads(export(run, "tau2").read_text(encoding="utf-8"))
    simulations = value.pop("simulations")
    folder = tmp_path / "voice-1"
    (folder / "simulations").mkdir(parents=True)
    for entry in simulations:
        (folder / "simulations" / f"{entry['id']}.json").write_text(json.dumps(entry), encoding="utf-8")
    index = [{"id": entry["id"]} for entry in simulations] + [{"id": "gone"}]
    (folder / "results.json").write_text(json.dumps(value | {"simulation_index": index}), encoding="utf-8")
    (folder / "simulations" / "torn.json").write_text('{"id": ', encoding="utf-8")
    ticks = {"id": "x", "task_id": simulations[0]["task_id"], "termination_reason": "user_stop", "ticks": [{}]}
    (folder / "simulations" / "spoken.json").write_text(json.dumps(ticks), encoding="utf-8")
    wanted = sorted(map(str, (essence(trajectory) for trajectory in run.trajectories())))
    for given in (folder, folder / "results.json"):
        back = RunFolder(tmp_path / f"back-{given.name}")
        options = ("--data", run.trajectories()[0].task.data, "--out", str(back.path))
        assert main(["import", str(given), *options]) == 0
        assert sorted(map(str, (essence(trajectory) for trajectory in back.trajectories()))) == wanted
        lost = [json.loads(line) for line in (back.path / "unreadable.jsonl").read_text("utf-8").splitlines()]
        why = {line["where"]: line["why"] for line in lost}
        assert set(why) == {"simulations/torn.json", "simulations/spoken.json", "simulation gone"}
        assert "not JSON" in why["simulations/torn.json"] and "ticks" in why["simulations/spoken.json"]
    assert "voice-1 (tau2) on retail" in capsys.readouterr().out


def test_rewards_that_are_no_numbers_count_as_none(run: RunFolder, tmp_path: Path) -> None:
    value = json.loads(export(run, "tau2").read_text(encoding="utf-8"))
    first, second = value["simulations"][:2]
    first["reward_info"] |= {"reward": float("nan"), "reward_breakdown": {"DB": float("nan")}}
    second["reward_info"]["reward"] = "full"
    file, back = tmp_path / "odd.json", RunFolder(tmp_path / "back")
    file.write_text(json.dumps(value | {"simulations": [first, second]}), encoding="utf-8")
    assert main(["import", str(file), "--data", run.trajectories()[0].task.data, "--out", str(back.path)]) == 0
    records = [trajectory.info.recorded for trajectory in back.trajectories()]
    assert [record and record.reward for record in records] == [None, None]
    assert records[0] is not None and records[0].components == {}


DUAL = [
    ("telecom", "rules", "own", "test"),
    ("telecom", "oracle", "tau2", "base"),
    ("telecom", "oracle", "tau2", "base", "--solo"),
    ("airline", "oracle", "tau2", "base"),
]


@pytest.mark.slow
@pytest.mark.parametrize("settings", DUAL, ids=lambda settings: "-".join(settings).replace("--", ""))
def test_a_round_trip_keeps_what_users_do_and_agents_that_work_alone(settings: tuple[str, ...], tmp_path: Path) -> None:
    before = play(tmp_path / "run", *settings, tasks=4)
    back = RunFolder(tmp_path / "back")
    options = ("--data", settings[2], "--out", str(back.path))
    assert main(["import", str(export(before, "tau2")), *options]) == 0
    assert [essence(item) for item in back.trajectories()] == [essence(item) for item in before.trajectories()]


LOADER = """
import json, sys
from pathlib import Path
from tau2.data_model.simulation import Results
from tau2.metrics.agent_metrics import compute_metrics
results = Results.load(Path(sys.argv[1]))
metrics = compute_metrics(results)
print(json.dumps([len(results.simulations), metrics.avg_reward, metrics.pass_hat_ks]))
"""


def test_tau2_bench_itself_reads_what_is_written(run: RunFolder) -> None:
    command = [interpreter(), "-c", LOADER, str(export(run, "tau2"))]
    done = subprocess.run(command, capture_output=True, text=True, timeout=600, check=False)
    assert done.returncode == 0, done.stderr[-2000:]
    count, reward, passes = json.loads(done.stdout.splitlines()[-1])
    rewards = [entry["reward"] for entry in json.loads(export(run, "tau-bench").read_text(encoding="utf-8"))]
    assert count == len(run.trajectories()) == len(rewards)
    assert reward == pytest.approx(sum(rewards) / len(rewards)) and set(passes) == {"1", "2"}


def test_lines_for_fine_tuning(run: RunFolder) -> None:
    written = export(run, "openai").read_text(encoding="utf-8").splitlines()
    assert len(written) == len(run.trajectories())
    for line in map(json.loads, written):
        assert set(line) == {"messages", "tools"}
        assert [m["role"] for m in line["messages"][:2]] == ["system", "user"]
        names = {tool["function"]["name"] for tool in line["tools"]}
        waiting: list[str] = []
        for message in line["messages"]:
            for call in message.get("tool_calls", ()):
                assert call["function"]["name"] in names and isinstance(json.loads(call["function"]["arguments"]), dict)
                waiting.append(call["id"])
            if message["role"] == "tool":
                assert message["tool_call_id"] == waiting.pop(0)
        assert not waiting


def test_only_what_passed(run: RunFolder, capsys: pytest.CaptureFixture[str]) -> None:
    passed = [trajectory for trajectory in run.trajectories() if verify(trajectory).passed()]
    out = run.path / "passed.jsonl"
    status = main(["export", str(run.path), "--to", "openai", "--passed", "--out", str(out)])
    said = capsys.readouterr()
    if not passed:
        assert status == 2 and "nothing to write" in said.err and not out.exists()
        return
    assert status == 0 and len(out.read_text(encoding="utf-8").splitlines()) == len(passed)
    left = len(run.trajectories()) - len(passed)
    assert (f"{left} left out" in said.err) == bool(left)


def test_failures_of_the_infrastructure_stay_failures(run: RunFolder, tmp_path: Path) -> None:
    first = run.trajectories()[0]
    fault = Fault(boundary="model", message="The model gave no reply.")
    broken = first.model_copy(update={"termination": "infrastructure_error", "fault": fault})
    folder = RunFolder(tmp_path / "run")
    folder.open({"basis": "state"})
    folder.add(run.trajectories()[1])
    folder.add(broken)
    for to in ("tau-bench", "tau2"):
        back = RunFolder(tmp_path / f"back-{to}")
        options = ("--data", first.task.data, "--env", "retail", "--out", str(back.path))
        assert main(["import", str(export(folder, to)), *options]) == 0
        assert len(back.trajectories()) == len(back.failures()) == 1


def test_mistakes_are_answered_in_words(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for arguments in ([str(tmp_path), "--to", "tau2"], [str(tmp_path / "none"), "--to", "tau2"]):
        assert main(["export", *arguments]) == 2
        said = capsys.readouterr().err
        assert len(said.splitlines()) == 1 and "Traceback" not in said
