"""`toolgym train`: the list, the plan, a dry run that verl accepts, resuming rules, watching and drawing a run."""

import io
import json
import subprocess
import sys
from pathlib import Path

import pytest
from omegaconf import OmegaConf
from rich.console import Console

from toolgym.cli import main
from toolgym.sandbox.kit.errors import BadInput
from toolgym.sandbox.runtime.env_passthrough import forwarded
from toolgym.training import launch, plots, preflight, recipe
from toolgym.training.data.rows import read_rows
from toolgym.training.log_tail import Pace, Tail, follow, line_of
from toolgym.training.recipe import setup
from toolgym.training.verl_config import RunPaths, environment

SMALL = ["env=kiosk", "val_split=test", "steps=6", "batch=8", "mini_batch=8", "val_tasks=2", "math_problems=8"]
HERE = ["tarl", *SMALL, "device=cpu", "engine=toolgym_transformers", "model=."]


def test_flags_stand_anywhere(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["train", "tarl", "--dry-run", *SMALL, f"out={tmp_path}"]) == 0
    assert "verl accepts it" in capsys.readouterr().out


def test_a_long_line_of_the_list_is_wrapped_below_its_name(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["train", "--list"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert max(map(len, lines)) <= 80
    names = {line.split()[0] for line in lines if line.startswith("  ") and line[2:3] != " "}
    assert {"granite-4.1-8b", "batch-normalised", "dynamic-length"} <= names, "no name is broken"


@pytest.mark.slow
def test_the_list_is_quick_because_it_imports_little() -> None:
    program = "import sys; from toolgym.cli import main; main(sys.argv[1:]); print(*sys.modules)"
    listed = subprocess.run([sys.executable, "-c", program, "train", "--list"], capture_output=True, text=True)
    assert not {"torch", "verl", "ray", "transformers", "openai", "pyarrow"} & set(listed.stdout.split())


@pytest.mark.slow
def test_help_needs_no_extra() -> None:
    hidden = "import sys; sys.modules.update(dict.fromkeys(['verl', 'hydra', 'omegaconf', 'torch', 'pyarrow', 'ray']))"
    program = f"{hidden}; from toolgym.cli import main; sys.exit(main(['train', '--help']))"
    shown = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert shown.returncode == 0 and "toolgym train export" in shown.stdout


def test_what_may_change_on_going_on_and_how_a_refusal_says_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(preflight, "check_machine", lambda settings: None)
    monkeypatch.setattr("toolgym.training.launch._run", lambda *_: 0)
    arguments = ["train", "tarl", *SMALL, f"out={tmp_path}"]
    assert main(arguments) == 0
    assert main([*arguments, "val_before=false", "keep=5", "save_every=1"]) == 0
    assert main([*arguments, "lr=1e-3"]) == 2
    assert "choose another folder with out=FOLDER" in capsys.readouterr().err


def test_the_list_names_every_recipe_and_variant(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["train", "--list"]) == 0
    shown = capsys.readouterr().out
    for name in recipe.names():
        assert name in shown
        assert all(variant in shown for variant in recipe.load(name).variants)


@pytest.mark.slow
@pytest.mark.parametrize("name", sorted({*recipe.names()} - {"tier"}))  # which answers by programs: test_tiny_tier
def test_a_dry_run_prints_the_plan_and_leaves_what_would_run(
    name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["train", name, *SMALL, f"out={tmp_path}", "--dry-run"]) == 0
    shown = capsys.readouterr().out
    assert "verl accepts it" in shown and "memory, estimated" in shown and "6 of 8 prompts" in shown
    config = OmegaConf.load(RunPaths(tmp_path).config)
    assert config.trainer.total_training_steps == 6
    assert config.trainer.default_local_dir == str(RunPaths(tmp_path).checkpoints)
    assert len(read_rows(Path(config.data.val_files))) == 2
    assert read_rows(Path(config.data.train_files))


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ([], "Which recipe?"),
        (["trl"], "did you mean 'tarl'"),
        (["tarl", "reward=tarl", "--dry-run"], "needs turn scores"),
        (["tarl", "val_split=nowhere", "--dry-run"], "split 'nowhere' of retail"),
        (["tarl", "device=cpu", "engine=toolgym_transformers"], "no folder Qwen"),
        ([*HERE, "judge=rules", "user=llm"], "TOOLGYM_USER_MODEL"),
        ([*HERE, "user=scripted", "judge=llm"], "TOOLGYM_JUDGE_MODEL"),
    ],
)
def test_a_mistake_is_one_sentence_and_status_2(
    arguments: list[str], message: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.delenv("TOOLGYM_USER_MODEL", raising=False)
    monkeypatch.delenv("TOOLGYM_JUDGE_MODEL", raising=False)
    assert main(["train", *arguments]) == 2
    shown = capsys.readouterr().err
    assert message in shown and "Traceback" not in shown


def test_a_folder_of_another_run_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(preflight, "check_machine", lambda settings: None)
    monkeypatch.setattr("toolgym.training.launch._run", lambda *_: 0)  # verl itself is run by tests/training/verl
    arguments = ["train", "tarl", *SMALL, f"out={tmp_path}"]
    assert main(arguments) == 0
    assert main([*arguments, "steps=9"]) == 0, "more steps go on"
    assert main([*arguments, "lr=1e-3"]) == 2
    assert "other settings (lr" in capsys.readouterr().err


def test_the_cpu_is_told_to_verl_with_the_runtimes_own_overrides(tmp_path: Path) -> None:
    made = setup("tarl", ["device=cpu", "engine=toolgym_transformers", "variant=ppo", "gpus=1"])
    config = preflight.compose(made, RunPaths(tmp_path))
    preflight.validate(config)
    assert config.trainer.device == "cpu" and config.ray_kwargs.ray_init.num_gpus == 1
    assert config.critic.enable and config.critic.model.override_config.attn_implementation == "sdpa"
    variables = environment(made.settings, RunPaths(tmp_path))
    assert variables["VERL_PLATFORM"] == "cpu" and variables["VERL_USE_EXTERNAL_MODULES"] == "toolgym.training.plugin"


def test_model_settings_and_keys_reach_the_workers_and_no_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("TOOLGYM_USER_MODEL", "some-model")
    monkeypatch.setenv("OPENAI_API_KEY", "a-secret-key")
    assert forwarded().items() >= {("TOOLGYM_USER_MODEL", "some-model"), ("OPENAI_API_KEY", "a-secret-key")}
    assert main(["train", "tarl", *SMALL, f"out={tmp_path}", "--dry-run"]) == 0
    assert "a-secret-key" not in RunPaths(tmp_path).config.read_text(encoding="utf-8") + capsys.readouterr().out


def test_a_run_has_its_own_cluster_unless_one_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    options = {"num_cpus": 16, "num_gpus": 1, "runtime_env": {}}
    monkeypatch.delenv("RAY_ADDRESS", raising=False)
    assert launch.cluster(options) == options | {"address": "local"}
    monkeypatch.setenv("RAY_ADDRESS", "first:6379")
    assert launch.cluster(options) == {"runtime_env": {}, "address": "first:6379"}


# --- watching and drawing ---


def records(count: int) -> list[str]:
    return [
        json.dumps(
            {
                "step": step,
                "data": {
                    "critic/rewards/mean": step / 10,
                    "toolgym/val/toolgym/text/pass^1": 0.5,
                    "actor/entropy": 1.0,
                },
            }
        )
        for step in range(1, count + 1)
    ]


def test_a_run_is_followed_to_its_end(tmp_path: Path) -> None:
    metrics = tmp_path / "metrics" / "000.jsonl"
    metrics.parent.mkdir()
    writer = f"open({str(metrics)!r}, 'w').write({chr(10).join(records(3)) + chr(10)!r})"
    shown = io.StringIO()
    with subprocess.Popen([sys.executable, "-c", writer]) as process:
        follow(process, metrics, 3, Console(file=shown, width=120))
    assert process.returncode == 0
    assert "step 3 of 3  reward 0.3" in shown.getvalue() and "toolgym/text/pass^1 0.500" in shown.getvalue()


def test_what_is_left_is_estimated_from_the_steps_so_far() -> None:
    pace = Pace(100)
    assert pace.left({"step": 0, "data": {}}) == ""
    assert pace.left({"step": 10, "data": {"timing_s/step": 40.0, "timing_s/testing": 40.0}}) == "  about 2.0 h left"
    assert pace.left({"step": 95, "data": {"timing_s/step": 0.0}}) == "  about 4 min left"
    assert pace.left({"step": 100, "data": {"timing_s/step": 1.0}}) == ""


def test_a_half_written_line_waits(tmp_path: Path) -> None:
    path = tmp_path / "m.jsonl"
    first, second = records(2)
    tail = Tail(path)
    assert list(tail.read()) == []
    path.write_text(first + "\n" + second[:10], encoding="utf-8")
    assert [record["step"] for record in tail.read()] == [1]
    path.write_text(first + "\n" + second + "\n", encoding="utf-8")
    assert [line_of(record, 2).split()[1] for record in tail.read()] == ["2"]


def test_curves_draw_what_happens() -> None:
    rising = [(1, 0.1), (2, 0.2)]
    series = {
        "critic/rewards/mean": rising,
        "critic/score/mean": list(rising),
        "toolgym/wait_markers": [(1, 0.0), (2, 0.0)],
        "toolgym/seconds/judge": [(1, 0.0), (2, 0.0)],
        "timing_s/gen": [(1, 3.0), (2, 4.0)],
    }
    assert plots.shown(series) == {
        "reward": {"reward = score": rising},
        "seconds in a step": {"gen": [(1, 3.0), (2, 4.0)]},
    }


def test_the_curves_of_all_starts_are_one_picture(tmp_path: Path) -> None:
    folder = tmp_path / "metrics"
    folder.mkdir()
    lines = records(4)
    (folder / "000.jsonl").write_text("\n".join(lines[:3]) + "\n", encoding="utf-8")
    (folder / "001.jsonl").write_text(lines[3] + "\n", encoding="utf-8")
    series = plots.read(tmp_path)
    assert series["critic/rewards/mean"] == [(1, 0.1), (2, 0.2), (3, 0.3), (4, 0.4)]
    plots.draw(tmp_path, tmp_path / "curves.png", title="t")
    assert (tmp_path / "curves.png").read_bytes().startswith(b"\x89PNG")
    with pytest.raises(BadInput, match="no metrics"):
        plots.read(tmp_path / "nowhere")
