"""The laptop example: a sound task family, demonstrations that pass, rows that fit, a recipe that verl accepts."""

import asyncio
import runpy
import subprocess
import sys
from collections import Counter
from pathlib import Path
from types import SimpleNamespace

import pytest

from toolgym.sandbox.formats import get_format
from toolgym.sandbox.kit.errors import BadInput
from toolgym.sandbox.synthesis.proof.lint import lint
from toolgym.training import preflight
from toolgym.training.cpu.tiny import make_tokenizer
from toolgym.training.data.build import train_rows, val_rows
from toolgym.training.loop.builder import make_builder
from toolgym.training.recipe import load, setup
from toolgym.training.sft import conversation, tokenised
from toolgym.training.verl_config import RunPaths

pytestmark = pytest.mark.slow

LAPTOP = Path(__file__).parents[3] / "examples" / "laptop"


@pytest.fixture
def family(monkeypatch: pytest.MonkeyPatch) -> SimpleNamespace:
    return SimpleNamespace(**runpy.run_path(str(LAPTOP / "family.py")))


@pytest.fixture
def run(monkeypatch: pytest.MonkeyPatch) -> SimpleNamespace:
    monkeypatch.syspath_prepend(str(LAPTOP))
    return SimpleNamespace(**runpy.run_path(str(LAPTOP / "run.py")))


def test_the_familys_tasks_are_sound_and_split_without_overlap(family: SimpleNamespace) -> None:
    tasks = family.tasks()
    assert lint(tasks).problems == []
    assert len({task.id for task in tasks}) == len(tasks) == 8 * family.ORDERS
    assert set(Counter(task.split for task in tasks)) == {"train", "dev", "test"}
    wishes = [(task.gold[0].arguments_text(), tuple(fact.on_request for fact in task.goals[0].facts)) for task in tasks]
    assert len(set(wishes)) == len(tasks), "no held-out task is a training task"


def test_every_demonstration_passes_and_fits_the_recipe(run: SimpleNamespace, family: SimpleNamespace) -> None:
    tasks = family.tasks()
    shown = asyncio.run(run.demonstrations(tasks, run.family.Demonstrator()))
    assert len(shown) == len(tasks)
    chats = [conversation(trajectory, "hermes", full=False) for trajectory in shown]
    assert {get_format("hermes").parse(chat[-1]["content"]).content[:5] for chat in chats} == {"Order"}
    texts = [message["content"] for chat in chats for message in chat]
    tokenizer = make_tokenizer(texts, vocabulary=700, words=family.orders())
    settings = setup(str(LAPTOP / "laptop.yaml")).settings
    for chat in chats:
        example = tokenised(chat, make_builder(tokenizer, "qwen2"))
        first = example.mask.index(1)
        assert first <= settings.prompt_tokens
        assert len(example.ids) - first <= settings.response_tokens


def test_the_warm_start_shows_mostly_the_oracle_which_never_asks(run: SimpleNamespace, family: SimpleNamespace) -> None:
    tasks = [task for task in family.tasks() if task.split == "train"]
    shown = run.warm_start(tasks, 0)
    assert {trajectory.task.id for trajectory in shown} == {task.id for task in tasks}
    unsaid = [trajectory for trajectory in shown if any(fact.on_request for fact in trajectory.task.goals[0].facts)]
    asked = [trajectory for trajectory in unsaid if not trajectory.messages[1].tool_calls]
    assert 0.15 < len(asked) / len(unsaid) < 0.35
    assert [trajectory.task.id for trajectory in run.warm_start(tasks, 1)] != [t.task.id for t in shown]


@pytest.mark.parametrize("variant", load(str(LAPTOP / "laptop.yaml")).variants)
def test_every_reward_of_the_recipe_is_accepted(
    variant: str, tmp_path: Path, run: SimpleNamespace, family: SimpleNamespace
) -> None:
    tasks = tmp_path / "tasks.jsonl"
    run.write_tasks(tasks, family.tasks())
    made = setup(str(LAPTOP / "laptop.yaml"), [f"variant={variant}", f"data=own:{tasks}"])
    preflight.check(made.settings)
    preflight.check_tasks(made.settings)
    preflight.validate(preflight.compose(made, RunPaths(tmp_path)))
    rows, held_out = train_rows(made.settings), val_rows(made.settings)
    assert {row["extra_info"]["split"] for row in rows} == {"train"}
    assert {row["extra_info"]["split"] for row in held_out} == {"test"}
    assert rows[0]["prompt"] == [{"role": "system", "content": "The service desk of an online shop"}]


def test_settings_may_stand_after_the_rewards(run: SimpleNamespace) -> None:
    given = run.arguments(["--rewards", "outcome", "tarl", "steps=10", "--seeds", "0", "1", "lr=1e-4", "--out", "x"])
    assert (given.rewards, given.seeds) == (["outcome", "tarl"], [0, 1])
    assert given.settings == ["steps=10", "lr=1e-4"]
    for words, message in (
        (["--rewards", "outcom"], "no reward 'outcom'"),
        (["--seeds", "one"], "whole numbers"),
        (["tarl"], "KEY=VALUE"),
    ):
        with pytest.raises(BadInput, match=message):
            run.arguments(words)


def test_without_the_extra_the_example_ends_in_a_sentence() -> None:
    program = f"import runpy, sys; sys.path.insert(0, {str(LAPTOP)!r}); sys.modules['verl'] = None; "
    program += f"runpy.run_path({str(LAPTOP / 'run.py')!r}, run_name='__main__')"
    ended = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert ended.returncode == 1 and "Traceback" not in ended.stderr
    assert "needs the package verl" in ended.stderr and "[train]" in ended.stderr
