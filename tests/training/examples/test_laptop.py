"""The laptop example: a sound task family, clerks as they are called, rows that fit, a recipe that verl accepts."""

import asyncio
import random
import runpy
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator, Mapping
from pathlib import Path
from types import SimpleNamespace

import pytest
from toolgym_server import Running
from transformers import AutoModelForCausalLM, AutoTokenizer

from toolgym.cli import main
from toolgym.judge.evaluation.run_folder import RunFolder
from toolgym.judge.scoring.verifier import verify
from toolgym.sandbox.kit.errors import BadInput
from toolgym.sandbox.kit.task import Task, write_tasks
from toolgym.sandbox.synthesis.proof.lint import lint
from toolgym.training import checkpoints, plots, preflight
from toolgym.training.cpu.tiny import make_tokenizer
from toolgym.training.data.build import train_rows, val_rows
from toolgym.training.loop.builder import make_builder
from toolgym.training.recipe import load, setup
from toolgym.training.sft import tokenised
from toolgym.training.verl_config import RunPaths

pytestmark = pytest.mark.slow

LOOP = "actor_rollout_ref.rollout.custom.toolgym"
LAPTOP = Path(__file__).parents[3] / "examples" / "laptop"


@pytest.fixture(scope="module")
def run() -> Iterator[SimpleNamespace]:
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(str(LAPTOP))
        yield SimpleNamespace(**runpy.run_path(str(LAPTOP / "run.py")))


@pytest.fixture(scope="module")
def tasks(run: SimpleNamespace) -> list[Task]:
    found: list[Task] = run.family.tasks()
    return found


def test_the_familys_tasks_are_sound_and_about_other_cards_where_they_are_held_out(tasks: list[Task]) -> None:
    assert lint(tasks).problems == []
    assert len({task.id for task in tasks}) == len(tasks)
    cards = {split: {t.gold[0].arguments_text() for t in tasks if t.split == split} for split in ("train", "test")}
    assert not cards["train"] & cards["test"]
    kinds = {
        split: {(t.family, *(f.name for f in t.goals[0].facts if f.on_request)) for t in tasks if t.split == split}
        for split in ("train", "test", "untrained")
    }
    assert kinds["train"] == kinds["test"] and kinds["train"].isdisjoint(kinds["untrained"])


def test_clerks_are_what_they_are_called(run: SimpleNamespace, tasks: list[Task]) -> None:
    some = tasks[::5]
    unsaid = [any(fact.on_request for fact in task.goals[0].facts) for task in some]
    for clerk in run.start.CLERKS:
        played = asyncio.run(run.start.demonstrations(some, clerk))
        verdicts = [verify(each) for each in played]
        assert all(verdict.passed() for verdict in verdicts)
        assert all(verdict.clean == clerk.confirms for verdict in verdicts)
        guessed = ["unsaid_value" in {each.kind for each in verdict.violations} for verdict in verdicts]
        assert guessed == ([False] * len(some) if clerk.asks else unsaid)


def test_demonstrations_fit_the_recipe_and_are_about_any_card(run: SimpleNamespace, tasks: list[Task]) -> None:
    train = [task for task in tasks if task.split == "train"]
    chats = run.start.shown(train[::4], 200, random.Random(0))
    tokenizer = make_tokenizer((m["content"] for chat in chats for m in chat), vocabulary=600, words=run.start._whole())
    settings = setup(str(LAPTOP / "laptop.yaml")).settings
    cards = Counter()
    for chat in chats:
        example = tokenised(chat, make_builder(tokenizer, "qwen2"))
        first = example.mask.index(1)
        assert first <= settings.prompt_tokens and len(example.ids) - first <= settings.response_tokens
        (card,) = {found for message in chat for found in run.start._CARD.findall(message["content"])}
        cards[card] += 1
    assert len(cards) > 60, "the cards of held-out tasks, too: what is written down is copied and not remembered"


@pytest.mark.parametrize("variant", load(str(LAPTOP / "laptop.yaml")).variants)
def test_every_reward_of_the_recipe_is_accepted(variant: str, tmp_path: Path, tasks: list[Task]) -> None:
    file = tmp_path / "tasks.jsonl"
    write_tasks(file, tasks)
    made = setup(str(LAPTOP / "laptop.yaml"), [f"variant={variant}", f"data=own:{file}"])
    preflight.check(made.settings)
    preflight.check_tasks(made.settings)
    preflight.validate(preflight.compose(made, RunPaths(tmp_path)))
    rows, held_out = train_rows(made.settings), val_rows(made.settings)
    assert {row["extra_info"]["split"] for row in rows} == {"train"}
    assert {row["extra_info"]["split"] for row in held_out} == {"test"}
    assert rows[0]["prompt"] == [{"role": "system", "content": "A private customer's bank"}]


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


@pytest.mark.turns(3, 1)
@pytest.mark.xdist_group("ray")
def test_ten_steps_of_training_teach_and_leave_metrics_curves_conversations_a_model_and_no_key(
    run: SimpleNamespace,
    tasks: list[Task],
    preloaded: Mapping[str, str],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    """The whole way, from the command to the model that is exported, with sessions on a server."""
    monkeypatch.setattr(
        run.start, "SHOWN", 3_000
    )  # half of the example's: it copies less well, and learns all the same
    write_tasks(tmp_path / "tasks.jsonl", tasks)
    training = [task for task in tasks if task.split == "train"]
    run.start.prepare(tmp_path / "model", training, 0, lambda what, done, total: None)
    out = tmp_path / "run"
    given = [f"model={tmp_path / 'model'}", f"data=own:{tmp_path / 'tasks.jsonl'}", f"out={out}"]
    sizes = ["steps=10", "batch=4", "mini_batch=2", "val_before=false", "val_tasks=4", "test_every=10", "save_every=10"]
    for name, value in {**preloaded, "OPENAI_API_KEY": "a-secret-key"}.items():
        monkeypatch.setenv(name, value)
    with Running(tmp_path) as server:
        address = server.url.replace("://", "://ada:a-secret-key-too@")
        assert main(["train", str(LAPTOP / "laptop.yaml"), *given, *sizes, f"{LOOP}.sandbox={address}"]) == 0
        assert server.request("GET", "/metrics").text.count('toolgym_requests_total{door="rest",status="201"}') == 1
    series, paths = plots.read(out), RunPaths(out)
    clean = [value for _, value in series["toolgym/clean"]]
    assert len(clean) == 10 and sum(clean[-3:]) > sum(clean[:3]) + 0.3, clean

    assert "toolgym/val/toolgym/text/pass^1" in series
    probabilities = [value for _, value in series["training/rollout_probs_diff_max"]]
    assert max(probabilities) < 1e-5, "updates are in full precision, as sampling is"
    rates = series["actor/lr"]
    assert rates[0] == (1, pytest.approx(6e-5)), "a step of two updates is one fifth of the warm-up"
    assert (out / "curves.png").read_bytes().startswith(b"\x89PNG")
    assert (paths.checkpoints / "global_step_10" / "actor").is_dir()
    assert len(RunFolder(paths.checkpoints / "validation" / "step-000010").trajectories()) == 8
    assert "step 10 of 10" in capsys.readouterr().out
    for file in (path for path in out.rglob("*") if path.suffix in {".log", ".yaml", ".json", ".jsonl"}):
        assert "a-secret-key" not in file.read_text(encoding="utf-8"), file
    log = paths.log.read_text(encoding="utf-8")
    assert "\x1b" not in log and "'actor_rollout_ref'" not in log
    assert log.count("megatron engine is not available") == 1
    assert "'actor_rollout_ref'" in (out / "train-pages.txt").read_text(encoding="utf-8")
    assert checkpoints.validated(paths.checkpoints).keys() == {"10"}

    model = tmp_path / "exported"
    assert main(["train", "export", str(out), "--out", str(model)]) == 0
    assert "Step 10 (the best by validation)" in capsys.readouterr().out
    trained, before = (AutoModelForCausalLM.from_pretrained(path).state_dict() for path in (model, tmp_path / "model"))
    assert trained.keys() == before.keys() and trained["lm_head.weight"].dtype is before["lm_head.weight"].dtype
    assert AutoTokenizer.from_pretrained(model).chat_template


def test_without_the_extra_the_example_ends_in_a_sentence() -> None:
    program = f"import runpy, sys; sys.path.insert(0, {str(LAPTOP)!r}); sys.modules['verl'] = None; "
    program += f"runpy.run_path({str(LAPTOP / 'run.py')!r}, run_name='__main__')"
    ended = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert ended.returncode == 1 and "Traceback" not in ended.stderr
    assert "needs the package verl" in ended.stderr and "[train]" in ended.stderr
