"""Rows: one schema for every kind, equal files for equal settings, and what a loop needs to play them."""

import json
from collections import Counter
from pathlib import Path

import pytest

from toolgym.cli import main
from toolgym.judge.evaluation.run_folder import RunFolder, write_lines
from toolgym.sandbox.agents.llm import system_prompt
from toolgym.sandbox.formats import get_format
from toolgym.sandbox.formats.program import program_format, render_program
from toolgym.sandbox.kit.errors import BadInput
from toolgym.sandbox.kit.task import Task, write_tasks
from toolgym.sandbox.runtime.briefing import briefing
from toolgym.sandbox.runtime.registry import get_domain
from toolgym.sandbox.synthesis.generator import Cell, Generator
from toolgym.sandbox.synthesis.program import program_of
from toolgym.training.data.build import build, train_rows, train_tasks, val_rows
from toolgym.training.data.conversation import conversation
from toolgym.training.data.demonstrations import from_runs, played
from toolgym.training.data.rows import SCHEMA, dialogue_rows, read_rows, write_rows
from toolgym.training.data.steps import step_rows
from toolgym.training.settings import TrainSettings

BASE = {
    "model": "none",
    "env": ("kiosk",),
    "steps": 4,
    "batch": 2,
    "group": 2,
    "lr": 1e-6,
    "prompt_tokens": 512,
    "response_tokens": 512,
    "val_split": "test",
    "val_tasks": 2,
}


def settings(**changes: object) -> TrainSettings:
    return TrainSettings.model_validate(BASE | changes)


def test_a_dialogue_row_holds_the_agents_prompt_and_the_whole_task() -> None:
    task = get_domain("kiosk").tasks("train")[0]
    (made,) = dialogue_rows("text", [task], "hermes")
    told = system_prompt(briefing(get_domain("kiosk"), task), get_format("hermes"))
    assert made["prompt"] == [{"role": "system", "content": told}]
    assert get_domain("kiosk").policy.strip() in told and '"name"' in told
    assert Task.model_validate_json(made["extra_info"]["task_json"]) == task
    assert (made["agent_name"], made["extra_info"]["format"]) == ("toolgym", "hermes")
    (native,) = dialogue_rows("text", [task], "native")
    assert "Parameters" not in native["prompt"][0]["content"], "the chat template lists the tools"


def test_prompts_differ_where_tasks_offer_other_tools() -> None:
    task = get_domain("kiosk").tasks("train")[0]
    offers = [{}, {"distractors": ("airline.think",)}, {"tools": ("reserve_ticket",)}]
    rows = dialogue_rows("text", [task.model_copy(update=offer) for offer in offers], "hermes")
    own, more, fewer = (row["prompt"][0]["content"] for row in rows)
    assert '"think"' in more and '"think"' not in own
    assert '"find_tickets"' in own and '"find_tickets"' not in fewer


def test_every_kind_fits_one_file(tmp_path: Path) -> None:
    made = settings(mix=("math", "text"), warmup_steps=1, math_problems=6)
    assert build(made, tmp_path / "train.parquet", tmp_path / "val.parquet").val == 2
    rows = read_rows(tmp_path / "train.parquet")
    kinds = Counter(row["extra_info"]["kind"] for row in rows)
    assert kinds["math"] == 6 and kinds["text"] == len(train_tasks(made)) and kinds["warmup"] > 0
    assert [row["extra_info"]["index"] for row in rows] == list(range(len(rows)))
    assert {tuple(row) for row in rows} == {tuple(SCHEMA.names)}
    again = tmp_path / "again.parquet"
    write_rows(again, train_rows(made))
    assert again.read_bytes() == (tmp_path / "train.parquet").read_bytes(), "same settings, same file"


def test_training_and_validation_share_no_task() -> None:
    made = settings(env=("ToolRetail-v0",), val_split="dev", tasks=50)
    train = {row["extra_info"]["task"] for row in train_rows(made)}
    assert len(train) == 50
    assert not train & {row["extra_info"]["task"] for row in val_rows(made)}


def test_families_and_worlds_are_chosen() -> None:
    made = settings(env=("retail", "kiosk"), tasks=2)
    assert Counter(task.domain for task in train_tasks(made)) == {"retail": 2, "kiosk": 2}
    cancel = train_tasks(settings(env=("ToolRetail-v0",), families=("cancel",), tasks=5))
    assert {task.family for task in cancel} == {"cancel"}
    with pytest.raises(BadInput, match=r"there are: .*cancel"):
        train_tasks(settings(env=("ToolRetail-v0",), families=("cancl",)))


def test_a_worlds_name_means_its_newest_tasks() -> None:
    made = train_tasks(settings(env=("banking", "kiosk"), tasks=1))
    assert [task.data for task in made] == ["own", "own"] and made[0].id.startswith("banking-v2-train-")


def test_steps_hold_the_history_and_the_gold_without_thoughts() -> None:
    trajectories = played(get_domain("kiosk").tasks("train")[:3], agent="rules")
    assert trajectories, "the rules agent passes some"
    rows = step_rows(trajectories, "toolrl")
    assert len(rows) == sum(len(trajectory.turns()) for trajectory in trajectories)
    first = trajectories[0]
    opening, later = rows[0], rows[1]
    assert f"<user>{first.messages[0].content}</user>" in opening["prompt"][1]["content"]
    assert opening["reward_model"]["ground_truth"] in later["prompt"][1]["content"], (
        "the step is the next one's history"
    )
    assert all("<think>" not in row["reward_model"]["ground_truth"] for row in rows)
    assert any("<tool_call>" in row["reward_model"]["ground_truth"] for row in rows)


def scored(tmp_path: Path, totals: dict[str, list[float]]) -> Path:
    folder = RunFolder(tmp_path / "pilot")
    folder.path.mkdir()
    lines = [
        json.dumps({"task": task, "trial": trial, "rewards": {"outcome": {"total": value}}})
        for task, values in totals.items()
        for trial, value in enumerate(values)
    ]
    write_lines(folder.scores_file, lines)
    return folder.path


def test_tasks_with_a_constant_reward_are_left_out(tmp_path: Path) -> None:
    names = [task.id for task in get_domain("retail").tasks("train", "own")[:3]]
    pilot = scored(tmp_path, {names[0]: [1, 1], names[1]: [0, 1], names[2]: [0, 0]})
    assert [task.id for task in train_tasks(settings(env=("ToolRetail-v0",), pilot=pilot))] == [names[1]]
    with pytest.raises(BadInput, match="no reward 'prove'"):
        train_tasks(settings(pilot=pilot, reward="prove"))


def test_a_pilot_that_cannot_tell_is_refused(tmp_path: Path) -> None:
    names = [task.id for task in get_domain("kiosk").tasks("train")[:2]]
    with pytest.raises(BadInput, match="at least 2"):
        train_tasks(settings(pilot=scored(tmp_path, {names[0]: [1]})))
    with pytest.raises(BadInput, match=r"no scores\.jsonl"):
        train_tasks(settings(pilot=tmp_path))
    (tmp_path / "other").mkdir()
    with pytest.raises(BadInput, match="constant"):
        train_tasks(settings(pilot=scored(tmp_path / "other", {names[0]: [1, 1]})))


def test_nothing_to_learn_from_is_said(tmp_path: Path) -> None:
    folder = RunFolder(tmp_path)
    folder.trajectories_file.touch()
    with pytest.raises(BadInput, match="nothing to learn from"):
        from_runs([tmp_path])


def test_programs_that_passed_are_learnt_from_with_the_prompt_that_they_answer(tmp_path: Path) -> None:
    cell = Cell(depth=(2, 2), interaction="program")
    write_tasks(tmp_path / "p.jsonl", Generator(get_domain("banking"), seed=4, cell=cell).tasks(3))
    data = ["--data", f"own:{tmp_path / 'p.jsonl'}", "--split", "train", "--program", "--agent", "oracle"]
    assert main(["eval", "banking", *data, "--out", str(tmp_path / "run")]) == 0
    learnt = from_runs([tmp_path / "run"])
    for trajectory, made in zip(learnt, step_rows(learnt, "json_ast"), strict=True):
        system, request, answer = conversation(trajectory, "json_ast")
        assert made["prompt"][0] == system and "API_RESPONSE_0" in system["content"]
        assert request["content"] == trajectory.task.ticket
        wanted = render_program(program_of(trajectory.task), program_format("json_ast"))
        assert answer["content"] == made["reward_model"]["ground_truth"] == wanted


@pytest.mark.slow
@pytest.mark.parametrize("world", ["marketplace", "filesystem"])
def test_conversations_of_a_world_that_passed_are_learnt_from(world: str, tmp_path: Path) -> None:
    """A warm start reads them whole: the world's policy and tools, every question, call and result, to the goodbye."""
    write_tasks(tmp_path / "tasks.jsonl", get_domain(world).tasks("train", "v2")[:4])
    data = ["--data", f"own:{tmp_path / 'tasks.jsonl'}", "--split", "train", "--agent", "demonstrator"]
    assert main(["eval", world, *data, "--out", str(tmp_path / "run")]) == 0
    learnt = from_runs([tmp_path / "run"])
    assert len(learnt) == 4
    for trajectory in learnt:
        system, first, *rest = conversation(trajectory, "hermes")
        assert get_domain(world).policy.strip().splitlines()[0] in system["content"]
        assert trajectory.task.goals[0].utterance in first["content"]
        said = "\n".join(message["content"] for message in rest if message["role"] == "assistant")
        assert all(f'"{call.name}"' in said for call in trajectory.calls), "every call is in what the model is to say"
        heard = [message["content"] for message in rest if message["role"] != "assistant"]
        assert sum(text.count("<tool_response>") for text in heard) == len(trajectory.calls)
    for made in step_rows(learnt, "hermes"):
        assert made["prompt"][0]["role"] == "system" and made["reward_model"]["ground_truth"]
