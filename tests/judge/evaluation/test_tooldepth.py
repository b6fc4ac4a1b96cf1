"""ToolDepth: stored tasks of several worlds by depth, by programs and in conversation, with floors beside them."""

import hashlib
import json
from collections import Counter
from pathlib import Path

import pytest

from toolgym.cli import main
from toolgym.judge.evaluation.depth.benchmark import DISTRACTORS, FOLDER, SPLITS, VERSIONS, depths_of, stored, tasks_of
from toolgym.judge.evaluation.depth.careless import first_rows, outcomes, request_alone
from toolgym.judge.evaluation.depth.drawing import COUNT
from toolgym.judge.evaluation.depth.summary import by_depth
from toolgym.judge.evaluation.settings import EvalSettings
from toolgym.judge.evaluation.summary import judge_all, summarise
from toolgym.sandbox.kit.errors import BadInput
from toolgym.sandbox.runtime.info import ProgramFault
from toolgym.sandbox.runtime.registry import get_domain
from toolgym.sandbox.runtime.trajectory import read_trajectories
from toolgym.sandbox.synthesis.program import program_of
from toolgym.sandbox.synthesis.proof.prove import prove

DIGESTS = {
    "v1/train.jsonl.gz": "f776bb6f65feb5c4",
    "v1/validation.jsonl.gz": "296db5171f4cf992",
    "v2/train.jsonl.gz": "03f0e7b6ffba0c77",
    "v2/validation.jsonl.gz": "186dcd832c3f9ab5",
}
EVERY = [task for split in SPLITS for task in stored(split)]


def ran(tmp_path: Path, *flags: str) -> dict:
    out = tmp_path / "run"
    assert main(["eval", "ToolDepth", *flags, "--out", str(out)]) == 0
    return json.loads((out / "summary.json").read_text())


def test_every_depth_and_structure_has_as_many_tasks_at_most_and_no_tool_is_in_both_splits() -> None:
    for split in SPLITS:
        counts = Counter((task.depth, task.structure) for task in stored(split))
        assert max(counts.values()) == COUNT and {depth for depth, _ in counts} >= set(range(7))
    worlds = [{task.domain for task in stored(split)} for split in SPLITS]
    assert not worlds[0] & worlds[1]
    assert len({task.id for task in EVERY}) == len(EVERY)


def test_a_version_of_the_tasks_does_not_move() -> None:
    digests = {path: hashlib.sha256((FOLDER / path).read_bytes()).hexdigest()[:16] for path in DIGESTS}
    assert digests == DIGESTS
    for env, version in VERSIONS.items():
        assert {task.id.split("-")[1] for split in SPLITS for task in stored(split, env)} == {f"v{version}"}


@pytest.mark.slow
def test_the_tasks_are_small_and_some_of_each_depth_are_proven_again() -> None:
    by_depth = {task.depth: task for task in EVERY}
    for task in by_depth.values():
        assert not prove(task), task.id
    assert all(file.stat().st_size < 1_000_000 for file in FOLDER.rglob("*.gz"))


def test_distractors_are_of_other_worlds_and_as_many_as_asked_for() -> None:
    assert all(len(task.distractors) == DISTRACTORS for task in EVERY)
    assert all(not name.startswith(f"{task.domain}.") for task in EVERY for name in task.distractors)
    assert all(len(task.distractors) == 3 for task in tasks_of("validation", 3))
    for task in (task for task in EVERY if task.depth == 0):
        kinds = {goal.kind for goal in task.goals}
        worlds = {name.partition(".")[0] for name in task.distractors}
        assert not any(kinds & {goal.name for goal in get_domain(world).goals} for world in worlds)
    with pytest.raises(BadInput, match="0 to 20"):
        tasks_of("train", 21)


@pytest.mark.slow
@pytest.mark.parametrize(("form", "least"), [("json_ast", 3), ("xml_ast", 6), ("direct", 6)])
def test_the_oracle_passes_every_depth_and_deep_ones_in_every_format(tmp_path: Path, form: str, least: int) -> None:
    summary = ran(tmp_path, "--agent", "oracle", "--format", form, "--depth", f"{least}..8", "--distractors", "3")
    rows = summary["by_depth"]["depth"]
    assert min(map(int, rows)) == least and all(row["pass"] == 1 for row in rows.values())
    assert summary["by_depth"]["failed"] == {"tools": {}}


@pytest.mark.slow
def test_floors_stand_beside_every_depth() -> None:
    tasks = [task for depth in range(6) for task in EVERY if task.depth == depth][::4]
    for passed in outcomes(tasks).values():
        deep = [passed[task.id] for task in tasks if task.depth > 1 and task.id in passed]
        assert deep and not any(deep)
    chain = next(task for task in EVERY if task.depth == 4)
    assert first_rows(chain, program_of(chain)) != program_of(chain)
    assert len(request_alone(chain, program_of(chain)).tool_calls) == 1


def test_the_same_tasks_are_played_as_conversations_by_the_same_ids(tmp_path: Path) -> None:
    flags = ("--agent", "demonstrator", "--no-program", "--depth", "2..3", "--tasks", "6")
    summary = ran(tmp_path, *flags)
    assert summary["by_depth"]["depth"]["2"]["tasks"] == 6
    played = list(read_trajectories(tmp_path / "run" / "trajectories.jsonl"))
    assert {each.task.id for each in played} <= {task.id for task in EVERY} and all(len(t.messages) > 2 for t in played)


def test_the_call_at_fault_is_told_by_its_step_in_the_chain(tmp_path: Path) -> None:
    ran(tmp_path, "--agent", "oracle", "--format", "json_ast", "--depth", "4", "--tasks", "1")
    played = read_trajectories(tmp_path / "run" / "trajectories.jsonl")
    whole = next(iter(played))
    attempt = whole.info.programs[0]
    fault = ProgramFault(call=len(whole.task.gold) - 1, code="not_found", message="There is none.")
    spoiled = attempt.model_copy(update={"fault": fault})
    broken = whole.model_copy(update={"info": whole.info.model_copy(update={"programs": (spoiled,)}), "diff": ()})
    found = by_depth(judge_all([broken.model_copy(update={"termination": "max_errors"})]), "state")
    assert found["failed"]["4"] == {"4": 1} and sum(found["failed"]["tools"].values()) == 1


def test_a_run_without_programs_says_nothing_of_depth() -> None:
    assert summarise([], [], basis="state")["by_depth"] == {}


def test_what_is_not_there_is_said_in_a_sentence(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["eval", "ToolDepth", "--split", "test"]) == 2
    assert "There is no split 'test' of ToolDepth" in capsys.readouterr().err
    assert main(["eval", "ToolDepth", "--depth", "9", "--agent", "oracle"]) == 2
    assert "No task has depth 9" in capsys.readouterr().err
    assert main(["eval", "ToolRetail-v0", "--distractors", "3"]) == 2
    assert "--distractors belongs to ToolDepth" in capsys.readouterr().err
    assert main(["tasks", "generate", "ToolDepth"]) == 2
    assert "are fixed" in capsys.readouterr().err
    with pytest.raises(BadInput, match="a number such as 3"):
        depths_of("3..x")


def test_settings_name_one_environment_and_are_answered_by_programs() -> None:
    given = EvalSettings(env="ToolDepth")
    assert given.env == "ToolDepth-v1" and given.program and given.split == "validation"
    assert EvalSettings(env="ToolDepth-v0").env == "ToolDepth-v0"
    assert not EvalSettings(env="ToolDepth", program=False).program


def test_tasks_are_listed_and_shown(capsys: pytest.CaptureFixture[str]) -> None:
    task = stored("validation")[-1]
    assert main(["tasks", "show", "ToolDepth", task.id]) == 0
    assert "As a program" in capsys.readouterr().out
    assert main(["tasks", "list", "ToolDepth", "--split", "train"]) == 0
