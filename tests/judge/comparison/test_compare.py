"""`toolgym compare` on real runs of two worlds: what it says, what it refuses, what its data hold."""

import json
import shutil
from pathlib import Path
from typing import Any

import pytest

from toolgym.cli import main
from toolgym.sandbox.runtime.trajectory import read_trajectories, write_trajectories

pytestmark = pytest.mark.slow


def played(folder: Path, env: str, agent: str, *flags: str) -> Path:
    out = folder / f"{env}-{agent}{''.join(flags).replace('-', '')}"
    assert main(["eval", env, "--agent", agent, *flags, "--out", str(out)]) == 0
    return out


@pytest.fixture(scope="module")
def runs(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    folder = tmp_path_factory.mktemp("runs")
    usual = ("--data", "v2", "--tasks", "36")
    found = {agent: played(folder, "retail", agent, *usual) for agent in ("rules", "demonstrator", "reckless")}
    found["budget rules"] = played(folder, "budget", "rules", "--data", "v2", "--tasks", "20")
    found["budget demonstrator"] = played(folder, "budget", "demonstrator", "--data", "v2", "--tasks", "20")
    found["fewer"] = played(folder, "retail", "rules", "--data", "v2", "--tasks", "20")
    found["version 1"] = played(folder, "retail", "rules", "--data", "own", "--tasks", "10")
    return found


def compared(capsys: pytest.CaptureFixture[str], tmp_path: Path, *named: str) -> tuple[str, dict[str, Any]]:
    file = tmp_path / "comparison.json"
    assert main(["compare", *named, "--json", str(file)]) == 0
    return " ".join(capsys.readouterr().out.split()), json.loads(file.read_text(encoding="utf-8"))


def test_a_difference_that_is_more_than_chance(runs, tmp_path, capsys) -> None:
    said, found = compared(capsys, tmp_path, f"cheat={runs['reckless']}", f"good={runs['demonstrator']}")
    assert "good is better than cheat by" in said and "p < 0.001): more than chance." in said
    assert "They differ in agent (reckless, demonstrator)." in said
    pair = found["comparisons"][0]
    assert pair["clean"]["more_than_chance"] and pair["shared"] == 36 and pair["paired"]
    assert sum(family["tasks"] for family in pair["families"].values()) == 36
    flips = [flip for flip in pair["flips"] if flip["difference"] > 0]
    assert len(flips) == pair["clean"]["better"] and len(pair["flips"]) == len(flips) + pair["clean"]["worse"]


def test_every_flip_has_an_address(runs, tmp_path, capsys) -> None:
    _, found = compared(capsys, tmp_path, str(runs["reckless"]), str(runs["demonstrator"]))
    command = found["comparisons"][0]["flips"][0]["read"]
    assert main(command.split()[1:]) == 0
    assert found["comparisons"][0]["flips"][0]["task"] in capsys.readouterr().out


def test_a_difference_that_may_be_chance(runs, tmp_path, capsys) -> None:
    said, found = compared(capsys, tmp_path, str(runs["rules"]), str(runs["demonstrator"]))
    pair = found["comparisons"][0]["clean"]
    assert "not more than chance." in said and pair["value"] > 0 and not pair["more_than_chance"]
    assert f"one of {pair['value']:.3f} would take about {pair['needed']:,}." in said and pair["needed"] > 36


def test_another_world(runs, tmp_path, capsys) -> None:
    said, found = compared(capsys, tmp_path, str(runs["budget rules"]), str(runs["budget demonstrator"]))
    assert "): more than chance." in said and found["comparisons"][0]["shared"] == 20


def test_several_runs_are_held_against_the_first(runs, tmp_path, capsys) -> None:
    names = [str(runs[name]) for name in ("rules", "demonstrator", "reckless")]
    said, found = compared(capsys, tmp_path, *names)
    assert "p is corrected for 2 comparisons (Holm)" in said and len(found["comparisons"]) == 2
    assert main(["compare", *names]) == 0
    assert max(map(len, capsys.readouterr().out.splitlines())) <= 80


def test_words_and_approvals_are_not_compared(runs, tmp_path, capsys) -> None:
    approved = played(tmp_path, "budget", "rules", "--data", "v2", "--tasks", "2", "--consent", "call")
    capsys.readouterr()
    assert main(["compare", str(runs["budget rules"]), f"approved={approved}"]) == 2
    said = " ".join(capsys.readouterr().err.split())
    assert "call by call in approved: scores under the two are not comparable" in said and "--consent words" in said


def test_another_scripted_user_is_named(runs, tmp_path, capsys) -> None:
    former = tmp_path / "former"
    shutil.copytree(runs["budget rules"], former)
    settings = json.loads((former / "run.json").read_text(encoding="utf-8"))
    del settings["made_with"]["user"]
    (former / "run.json").write_text(json.dumps(settings), encoding="utf-8")
    said, _ = compared(capsys, tmp_path, str(former), str(runs["budget rules"]))
    assert "They differ in user (scripted 1, scripted 3)." in said


def test_tasks_that_only_one_run_has_are_left_out_and_said(runs, tmp_path, capsys) -> None:
    said, found = compared(capsys, tmp_path, str(runs["demonstrator"]), f"fewer={runs['fewer']}")
    assert "Compared on 20 tasks of both; only" in said and "only fewer 0." in said
    assert found["comparisons"][0]["clean"]["tasks"] == 20


def test_halves_of_a_split_are_compared_unpaired(runs, tmp_path, capsys) -> None:
    halves = []
    for name, part in (("first", slice(0, 30)), ("second", slice(30, 60))):
        halves.append(tmp_path / name)
        shutil.copytree(runs["rules"], halves[-1])
        kept = list(read_trajectories(runs["rules"] / "trajectories.jsonl"))[part]
        write_trajectories(halves[-1] / "trajectories.jsonl", kept)
    said, found = compared(capsys, tmp_path, *map(str, halves))
    assert "not in pairs" in said and not found["comparisons"][0]["paired"]


def test_a_published_run_is_compared_with(runs, tmp_path, capsys) -> None:
    file = tmp_path / "theirs.jsonl.gz"
    assert main(["export", str(runs["demonstrator"]), "--to", "results", "--out", str(file)]) == 0
    assert main(["compare", str(runs["rules"]), str(file)]) == 0
    said = " ".join(capsys.readouterr().out.split())
    assert "theirs is better than" in said and "They differ in agent (rules, demonstrator)." in said
    _, found = compared(capsys, tmp_path, str(file), f"cheat={runs['reckless']}")
    assert main(["compare", f"good={runs['demonstrator']}", str(file)]) == 0
    task = found["comparisons"][0]["flips"][0]["task"]
    assert main(["show", str(file), "--task", task]) == 0 and task in capsys.readouterr().out


def test_a_recorded_run_is_compared_with(runs, tmp_path, capsys) -> None:
    there = tmp_path / "there.json"
    assert main(["export", str(runs["reckless"]), "--to", "tau2", "--out", str(there)]) == 0
    said, _ = compared(capsys, tmp_path, str(runs["rules"]), str(there), "--env", "retail", "--data", "v2")
    assert "is better than there by" in said and "more than chance." in said


@pytest.mark.parametrize("other", ["version 1", "budget rules"])
def test_other_tasks_are_not_compared(other, runs, capsys) -> None:
    assert main(["compare", str(runs["rules"]), str(runs[other])]) == 2
    said = capsys.readouterr().err
    assert "no task in common" in said and len(said.strip().splitlines()) == 1


def test_another_version_of_the_same_tasks_is_refused(runs, tmp_path, capsys) -> None:
    moved = []
    for trajectory in read_trajectories(runs["rules"] / "trajectories.jsonl"):
        task = trajectory.task.model_copy(update={"gold": trajectory.task.gold[:1]})
        moved.append(trajectory.model_copy(update={"task": task}))
    write_trajectories(tmp_path / "moved.jsonl", moved)
    assert main(["compare", str(runs["rules"]), str(tmp_path / "moved.jsonl")]) == 2
    assert "different versions of the data" in capsys.readouterr().err
    some = [*moved[:2], *list(read_trajectories(runs["rules"] / "trajectories.jsonl"))[2:]]
    write_trajectories(tmp_path / "some.jsonl", some)
    said, found = compared(capsys, tmp_path, str(runs["rules"]), str(tmp_path / "some.jsonl"))
    assert f"another version of the data): {some[0].task.id}, {some[1].task.id}." in said
    assert found["comparisons"][0]["shared"] == 34, "what has moved is never mixed with what has not"


def test_a_trial_counts_once(runs, tmp_path, capsys) -> None:
    found = list(read_trajectories(runs["rules"] / "trajectories.jsonl"))
    write_trajectories(tmp_path / "twice.jsonl", [*found, found[0]])
    assert main(["compare", str(runs["rules"]), str(tmp_path / "twice.jsonl")]) == 2
    assert "twice; each may count once" in capsys.readouterr().err


def test_one_run_is_no_comparison(runs, capsys) -> None:
    assert main(["compare", str(runs["rules"])]) == 2
    assert "takes two runs or more" in capsys.readouterr().err
    assert main(["compare", str(runs["rules"]), str(runs["rules"])]) == 2
    assert "give names of your own" in capsys.readouterr().err
