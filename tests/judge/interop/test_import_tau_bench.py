"""Result files in tau-bench's form: right and wrong runs, oddities of real files, broken files, mistakes of users."""

import copy
import json
from pathlib import Path
from typing import Any

import pytest

from toolgym.cli import main
from toolgym.judge.evaluation.run_folder import RunFolder
from toolgym.sandbox.kit.task import Task
from toolgym.sandbox.runtime.registry import get_domain
from toolgym.sandbox.runtime.session import Session

RETAIL = get_domain("retail")
TASKS = {task.id: task for task in RETAIL.tasks("base", "tau2")}
WRITES = {tool.name for tool in RETAIL.tools.values() if tool.kind == "write"}
TELLING = next(task for task in TASKS.values() if task.communicate and any(c.name in WRITES for c in task.gold))
ONLY_TELLING = next(
    task for task in TASKS.values() if task.communicate and not any(c.name in WRITES for c in task.gold)
)
Entry = dict[str, Any]


def entry(task: Task, *, reward: float, actions: int | None = None, told: bool = True, trial: int = 0) -> Entry:
    """What tau-bench writes of a run that makes the first `actions` gold calls and tells what must be told or not."""
    traj: list[Entry] = [{"role": "system", "content": "policy"}, {"role": "user", "content": "Hello"}]
    with Session(RETAIL, task=task) as session:
        for call in task.gold[:actions]:
            function = {"name": call.name, "arguments": json.dumps(call.arguments)}
            traj.append(
                {
                    "role": "assistant",
                    "content": None,
                    "tool_calls": [{"id": "call_1", "type": "function", "function": function}],
                    "function_call": None,
                }
            )
            result = session.call(call.name, call.arguments)
            text = result.text if result.ok else f"Error: {result.text.partition(' ')[2]}"
            traj.append({"role": "tool", "tool_call_id": "call_1", "name": call.name, "content": text})
    words = " and ".join(task.communicate) if told else "That is all."
    traj += [{"role": "assistant", "content": words}, {"role": "user", "content": "###STOP###"}]
    gold = [{"name": call.name, "kwargs": call.arguments} for call in task.gold]
    outputs = list(task.communicate)
    return {
        "task_id": int(task.id),
        "reward": reward,
        "info": {
            "task": {"user_id": "x", "actions": gold, "instruction": task.scenario, "outputs": outputs},
            "source": "user",
            "reward_info": {
                "reward": reward,
                "info": {"r_outputs": float(told)} if outputs else {"r_actions": reward},
                "actions": gold,
            },
        },
        "traj": traj,
        "trial": trial,
    }


def import_entries(tmp_path: Path, entries: Any, *options: str) -> RunFolder:
    path = tmp_path / "runs.json"
    path.write_text(entries if isinstance(entries, str) else json.dumps(entries), encoding="utf-8")
    folder = RunFolder(tmp_path / "run")
    assert main(["import", str(path), "--out", str(folder.path), *options]) == 0
    return folder


def lines(folder: RunFolder, name: str) -> list[Entry]:
    return [json.loads(line) for line in (folder.path / name).read_text(encoding="utf-8").splitlines()]


def test_right_and_wrong_runs(tmp_path: Path) -> None:
    writing = TASKS["0"]
    entries = [
        entry(writing, reward=1.0),
        entry(writing, reward=0.0, actions=-1, trial=1),
        entry(TELLING, reward=1.0),
        entry(TELLING, reward=0.0, told=False, trial=1),
        entry(ONLY_TELLING, reward=1.0),
        entry(ONLY_TELLING, reward=0.0, told=False, trial=1),
    ]
    found = lines(import_entries(tmp_path, entries), "comparison.jsonl")
    assert [line["by_their_rule"] for line in found] == [line["recorded"] for line in found]
    assert [line["ours"] for line in found] == [True, False, True, True, True, False]
    assert ["also asks for" in "".join(line["reasons"]) for line in found] == [False, False, False, True, False, False]


def test_why_verdicts_differ_is_said_once_for_trials_that_came_out_alike(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    entries = [entry(TELLING, reward=0.0, told=False, trial=trial) for trial in range(3)]
    import_entries(tmp_path, entries)
    said = capsys.readouterr().out
    assert "Verdicts or rewards that differ: 3 conversations of 1 task\n" in said
    assert said.count("their rule also asks for") == 1
    assert f"{TELLING.id} (trials 0, 1, 2): recorded 0, their rule 0, ours passed" in said


@pytest.mark.slow
def test_every_gold_run_passes(tmp_path: Path) -> None:
    found = lines(import_entries(tmp_path, [entry(task, reward=1.0) for task in TASKS.values()]), "comparison.jsonl")
    assert len(found) == 114
    assert not [line for line in found if line["by_their_rule"] != 1.0]
    handed_over = [line["task"] for line in found if not line["ours"]]
    assert handed_over == [], found


def test_a_false_reward_is_found(tmp_path: Path) -> None:
    """A record that says 1 for a run which left another state, and 0 for one which left the right one."""
    entries = [entry(TASKS["0"], reward=1.0, actions=-1), entry(TASKS["1"], reward=0.0)]
    found = lines(import_entries(tmp_path, entries), "comparison.jsonl")
    assert [line["agrees"] for line in found] == [False, False]
    assert "DB is 1 there and 0 here" in found[0]["reasons"][0]
    assert "DB is 0 there and 1 here" in found[1]["reasons"][0]


def test_a_refused_write_that_worked_there_is_named(tmp_path: Path) -> None:
    changed = entry(TASKS["0"], reward=1.0)
    last = next(m for m in reversed(changed["traj"]) if m.get("tool_calls"))
    arguments = json.loads(last["tool_calls"][0]["function"]["arguments"])
    arguments["payment_method_id"] = "paypal_0000000"
    last["tool_calls"][0]["function"]["arguments"] = json.dumps(arguments)
    (line,) = lines(import_entries(tmp_path, [changed]), "comparison.jsonl")
    assert line["differing_calls"] == 1
    assert "exchange_delivered_order_items done there, refused here" in line["reasons"][0]


def test_ids_that_repeat_within_a_run_are_told_apart(tmp_path: Path) -> None:
    (trajectory,) = import_entries(tmp_path, [entry(TASKS["0"], reward=1.0)]).trajectories()
    calls = [call.id for message in trajectory.messages for call in message.tool_calls]
    answers = [message.tool_call_id for message in trajectory.messages if message.role == "tool"]
    assert calls == answers and len(set(calls)) == len(calls) == len(trajectory.calls)


def test_what_cannot_be_read_is_counted_and_named(tmp_path: Path) -> None:
    react = entry(TASKS["1"], reward=0.0)
    react["traj"].insert(3, {"role": "user", "content": "API output: {}"})
    stray = entry(TASKS["2"], reward=0.0)
    stray["traj"].insert(2, {"role": "tool", "tool_call_id": "nobody", "content": "x"})
    strange = entry(TASKS["3"], reward=0.0)
    strange["traj"].append({"role": "narrator", "content": "x"})
    nameless = entry(TASKS["4"], reward=0.0)
    nameless["info"]["task"]["actions"] = [{"kwargs": {}}]
    broken = {"task_id": 5, "reward": 0.0, "info": {"error": "rate limit", "traceback": "..."}, "traj": [], "trial": 0}
    entries = [entry(TASKS["0"], reward=1.0), react, stray, strange, nameless, broken, 7, {"task_id": 8, "info": 1}]
    folder = import_entries(tmp_path, entries)
    found = {line["where"]: line["why"] for line in lines(folder, "unreadable.jsonl")}
    assert list(found) == [f"entry {number}" for number in range(2, 9)]
    assert "ReAct" in found["entry 2"] and "answers no call" in found["entry 3"] and "narrator" in found["entry 4"]
    assert "rate limit" in found["entry 6"]
    assert len(folder.trajectories()) == 1


def test_a_run_that_broke_there_is_left_out_and_counted(tmp_path: Path) -> None:
    broken = entry(TASKS["1"], reward=0.0)
    broken["info"]["error"] = "connection reset"
    folder = import_entries(tmp_path, [entry(TASKS["0"], reward=1.0), broken])
    assert len(folder.trajectories()) == 1
    (failure,) = folder.failures()
    assert failure.fault is not None and "connection reset" in failure.fault.message
    assert json.loads(folder.summary_file.read_text(encoding="utf-8"))["comparison"]["left_out"] == 1


def test_a_reward_between_zero_and_one_counts_as_not_passed(tmp_path: Path) -> None:
    (line,) = lines(import_entries(tmp_path, [entry(TASKS["0"], reward=0.93)]), "comparison.jsonl")
    assert line["ours"] is True and "0.93 is neither 0 nor 1" in line["reasons"][0]


def test_a_reward_that_is_no_number_counts_as_none(tmp_path: Path) -> None:
    folder = import_entries(tmp_path, [entry(TASKS["0"], reward=float("nan"))])
    (line,) = lines(folder, "comparison.jsonl")
    assert line["recorded"] is None and line["ours"] is True
    (trajectory,) = folder.trajectories()
    assert trajectory.info.recorded is not None and trajectory.info.recorded.components == {}


def test_trials_without_a_number_get_one_and_equal_ones_count_once(tmp_path: Path) -> None:
    entries = [entry(TASKS["0"], reward=1.0) for _ in range(4)]
    del entries[0]["trial"], entries[3]["trial"]
    folder = import_entries(tmp_path, entries)
    assert [trajectory.trial for trajectory in folder.trajectories()] == [1, 0, 2]
    (left_out,) = lines(folder, "unreadable.jsonl")
    assert left_out["why"] == "trial 0 of task 0 is there already"


def test_a_file_that_breaks_off_is_read_as_far_as_it_goes(tmp_path: Path) -> None:
    text = json.dumps([entry(TASKS[str(number)], reward=1.0) for number in range(4)], indent=1)
    second = text.index('"task_id": 2')
    folder = import_entries(tmp_path, text[: second + 400])
    assert [trajectory.task.id for trajectory in folder.trajectories()] == ["0", "1"]
    (problem,) = lines(folder, "unreadable.jsonl")
    assert problem["where"] == "the end of the file" and "breaks at line" in problem["why"]


def complaint(capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    assert main(["import", *arguments]) == 2
    said = capsys.readouterr().err
    assert "Traceback" not in said and len(said.splitlines()) == 1
    return said


@pytest.mark.parametrize(
    ("content", "expected"),
    [
        ("", "no record of runs"),
        ("{}", "no record of runs"),
        ("[]", "holds no episode"),
        ("[1, 2]", "no record of runs"),
        ('{"simulations": [], "tasks": []}', "holds no episode"),
        ('{"simulations": [{"task_id": "9"}], "tasks": []}', "not among the file's tasks"),
        ("not json at all", "is no record of runs: it is not JSON; expected"),
        ("[project]\nname = 1", "is no record of runs: it is not JSON; expected"),
        ("[" * 100_000, "no record of runs"),
    ],
)
def test_a_file_without_runs_is_refused_in_words(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], content: str, expected: str
) -> None:
    path = tmp_path / "file.json"
    path.write_text(content, encoding="utf-8")
    assert expected in complaint(capsys, str(path), "--out", str(tmp_path / "run"))
    assert not (tmp_path / "run").exists()


def test_mistakes_are_answered_in_words(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "file.json"
    assert "There is no file" in complaint(capsys, str(path))
    assert "is a folder without results.json; give the result" in complaint(capsys, str(tmp_path))
    (tmp_path / "run.json").write_text("{}", encoding="utf-8")
    assert "`toolgym show` and `toolgym judge` read runs of our own" in complaint(capsys, str(tmp_path))
    path.write_bytes(b"\xff\xfe\x00")
    assert "not text in UTF-8" in complaint(capsys, str(path))
    task = copy.deepcopy(entry(TASKS["0"], reward=1.0))
    path.write_text(json.dumps([task]), encoding="utf-8")
    out = ("--out", str(tmp_path / "run"))
    assert "There is no environment" in complaint(capsys, str(path), "--env", "retial", *out)
    assert "no data 'tau3' of retail" in complaint(capsys, str(path), "--data", "tau3", *out)
    task["traj"], task["info"]["task"]["actions"] = task["traj"][:2], []
    path.write_text(json.dumps([task]), encoding="utf-8")
    assert "name it with --env" in complaint(capsys, str(path), *out)
    assert "FILE is missing" in complaint(capsys)


def test_halves_of_characters_in_a_recording_are_kept_as_escapes(tmp_path: Path) -> None:
    odd = entry(TASKS["0"], reward=0.0, actions=1)
    odd["traj"][2]["tool_calls"][0]["function"] = {"name": "calculate", "arguments": '{"expression": "\ud800"}'}
    odd["traj"][-2]["content"] = "half \udfff"
    odd["info"]["task"]["instruction"] = "\ud800"
    folder = import_entries(tmp_path, [odd, entry(TASKS["0"], reward=1.0, trial=1)])
    said = [message.content for message in folder.trajectories()[0].messages]
    assert "half \\udfff" in said and len(lines(folder, "scores.jsonl")) == 2
