"""`toolgym eval`: equal results at any concurrency, nothing lost or rerun after a kill, mistakes answered in words."""

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Sequence
from importlib.metadata import EntryPoint
from pathlib import Path
from types import ModuleType

import pytest
from forks import Command

from toolgym.cli import main
from toolgym.judge.evaluation.run_folder import RunFolder
from toolgym.sandbox.kit.errors import ConfigurationError
from toolgym.sandbox.kit.message import Message
from toolgym.sandbox.runtime import registry
from toolgym.sandbox.runtime.roles import Briefing


def evaluate(out: Path, *flags: str) -> dict[str, object]:
    assert main(["eval", "ToolRetail-v0", "--split", "dev", "--out", str(out), *flags]) == 0
    loaded: dict[str, object] = json.loads((out / "summary.json").read_text(encoding="utf-8"))
    return loaded


def canonical(out: Path) -> list[str]:
    return [trajectory.canonical() for trajectory in RunFolder(out).trajectories()]


@pytest.mark.slow
def test_same_seed_same_run_at_any_concurrency(tmp_path: Path) -> None:
    evaluate(tmp_path / "one", "--agent", "rules", "--tasks", "15", "--trials", "2", "--concurrency", "1")
    evaluate(tmp_path / "many", "--agent", "rules", "--tasks", "15", "--trials", "2", "--concurrency", "100")
    assert canonical(tmp_path / "one") == canonical(tmp_path / "many")
    other = evaluate(tmp_path / "other", "--agent", "rules", "--tasks", "15", "--trials", "2", "--seed", "1")
    assert other["tasks"] == 15 and canonical(tmp_path / "other") != canonical(tmp_path / "one")


@pytest.mark.slow
def test_the_order_of_sets_which_differs_from_process_to_process_decides_nothing(tmp_path: Path) -> None:
    play = "import sys; from toolgym.cli import main; sys.exit(max(main(line.split()) for line in sys.argv[1:]))"
    environments = ("ToolRetail-v0", "ToolAirline-v1", "ToolBanking-v1")
    for seed in ("1", "2"):
        lines = [f"eval {env} --split test --tasks 25 --agent rules --out {seed}/{env}" for env in environments]
        done = subprocess.run(
            [sys.executable, "-c", play, *lines],
            env=os.environ | {"PYTHONHASHSEED": seed},
            cwd=tmp_path,
            capture_output=True,
            check=False,
        )
        assert done.returncode == 0, done.stderr
    for env in environments:
        assert canonical(tmp_path / "1" / env) == canonical(tmp_path / "2" / env)


@pytest.mark.slow
def test_oracle_is_the_ceiling_and_inert_the_floor(tmp_path: Path) -> None:
    best = evaluate(tmp_path / "oracle", "--agent", "oracle", "--tasks", "25", "--trials", "2")
    assert best["pass_hat"] == {"1": 1.0, "2": 1.0} and best["inert"] == 0.0
    nothing = evaluate(tmp_path / "inert", "--agent", "inert", "--tasks", "25")
    assert nothing["pass_hat"] == {"1": 0.0}
    rules = evaluate(tmp_path / "rules", "--agent", "rules", "--tasks", "25")
    assert 0 < rules["pass_hat"]["1"] < 1  # type: ignore[index]


@pytest.mark.slow
def test_all_of_tau2s_retail_tasks_pass_with_the_oracle(tmp_path: Path) -> None:
    code = ["eval", "ToolRetail-v0", "--data", "tau2", "--split", "base", "--agent", "oracle", "--out", str(tmp_path)]
    assert main(code) == 0
    summary = json.loads((tmp_path / "summary.json").read_text(encoding="utf-8"))
    assert summary["tasks"] == 114 and summary["pass_hat"]["1"] == 1.0


@pytest.mark.slow
def test_a_killed_run_goes_on_where_it_stopped(tmp_path: Path) -> None:
    flags = [*"eval ToolRetail-v0 --agent rules --split dev --trials 2 --concurrency 4 --out".split(), str(tmp_path)]
    running = Command(flags)
    file = tmp_path / "trajectories.jsonl"
    while not file.exists() or file.read_bytes().count(b"\n") < 20:
        assert running.poll() is None, "it finished before it could be killed"
        time.sleep(0.01)
    running.send_signal(signal.SIGKILL if os.name == "posix" else signal.SIGTERM)
    running.wait()
    with file.open("ab") as torn:
        torn.write(b'{"version": 1, "task"')
    before = set(file.read_text(encoding="utf-8").splitlines()[:-1])
    assert main(flags) == 0
    after = file.read_text(encoding="utf-8").splitlines()
    assert len(after) == 200 and before <= set(after), "finished episodes are kept as they were"


class Fragile:
    """An agent whose code breaks in the first episodes, or which says at once that it cannot work."""

    privileged = False
    breaks = 0
    refuses = False

    def open(self, briefing: Briefing) -> "Fragile":
        return self

    async def act(self, messages: Sequence[Message]) -> Message:
        if Fragile.refuses:
            raise ConfigurationError("The key of the model is missing; set it.")
        if Fragile.breaks:
            Fragile.breaks -= 1
            raise ValueError("half a reply")
        return Message(role="assistant", content="I am sorry, I cannot help you with that.")


@pytest.fixture
def fragile(monkeypatch: pytest.MonkeyPatch) -> type[Fragile]:
    module = ModuleType("fragile_agent")
    module.Fragile = Fragile  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "fragile_agent", module)
    entry = EntryPoint(name="fragile", value="fragile_agent:Fragile", group="toolgym.agents")
    monkeypatch.setitem(registry._entries("agents"), "fragile", entry)
    Fragile.breaks, Fragile.refuses = 0, False
    return Fragile


def test_broken_episodes_are_left_out_counted_and_played_again(
    tmp_path: Path, fragile: type[Fragile], capsys: pytest.CaptureFixture[str]
) -> None:
    fragile.breaks = 3
    summary = evaluate(tmp_path, "--agent", "fragile", "--tasks", "8", "--trials", "2")
    assert summary["trajectories"] == 13 and summary["infrastructure_failures"] == 3
    assert summary["failure_boundaries"] == {"model": 3} and summary["pass_tasks"] == {"1": 7, "2": 6}
    assert "The agent failed: ValueError: half a reply (test_evaluate.py, line" in " ".join(
        capsys.readouterr().out.split()
    )
    assert len((tmp_path / "failures.jsonl").read_text(encoding="utf-8").splitlines()) == 3
    with (tmp_path / "failures.jsonl").open("ab") as torn:
        torn.write(b'{"version": 1, "task"')
    kept = (tmp_path / "trajectories.jsonl").read_text(encoding="utf-8").splitlines()
    fragile.breaks = 1
    assert evaluate(tmp_path, "--agent", "fragile", "--tasks", "8", "--trials", "2")["infrastructure_failures"] == 1
    summary = evaluate(tmp_path, "--agent", "fragile", "--tasks", "8", "--trials", "2")
    assert summary["trajectories"] == 16 and summary["infrastructure_failures"] == 0
    assert set(kept) <= set((tmp_path / "trajectories.jsonl").read_text(encoding="utf-8").splitlines())


def test_nothing_but_failures_is_no_score(
    tmp_path: Path, fragile: type[Fragile], capsys: pytest.CaptureFixture[str]
) -> None:
    fragile.breaks = 2
    assert main(["eval", "kiosk", "--agent", "fragile", "--tasks", "2", "--out", str(tmp_path)]) == 1
    text = capsys.readouterr().out
    assert "nothing to score" in text and "nan" not in text
    assert main(["show", str(tmp_path / "failures.jsonl")]) == 0
    assert "left out: model failed" in capsys.readouterr().out


def test_a_role_that_cannot_work_ends_the_run_in_words(
    tmp_path: Path, fragile: type[Fragile], capsys: pytest.CaptureFixture[str]
) -> None:
    fragile.refuses = True
    assert main(["eval", "kiosk", "--agent", "fragile", "--out", str(tmp_path)]) == 2
    assert capsys.readouterr().err == "toolgym eval: The key of the model is missing; set it.\n"


def test_a_task_named_twice_is_played_once(tmp_path: Path) -> None:
    flags = ["eval", "kiosk", "--agent", "oracle", "--tasks", "kiosk-4", "kiosk-4", "--out", str(tmp_path)]
    assert main(flags) == 0 and len(canonical(tmp_path)) == 1


def test_a_damaged_folder_and_a_wrong_place_are_said(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "run.json").write_text("{", encoding="utf-8")
    assert main(["eval", "kiosk", "--out", str(tmp_path)]) == 2
    assert "damaged" in capsys.readouterr().err
    assert main(["eval", "kiosk", "--out", str(tmp_path / "run.json")]) == 2
    assert "cannot be a run's folder" in capsys.readouterr().err


def test_show_takes_the_first_failure_by_the_runs_basis(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["eval", "kiosk", "--agent", "inert", "--basis", "writes", "--out", str(tmp_path)]) == 0
    capsys.readouterr()
    assert main(["show", str(tmp_path)]) == 0
    text = capsys.readouterr().out
    assert "kiosk-4" in text and "failed, for writes: no" in text and '"holder": "Ines Costa"' in text
    assert main(["show", str(tmp_path), "--trial", "7"]) == 2
    assert "There is no trial 7 of any task here. Known: 0." in capsys.readouterr().err
    assert main(["show", str(tmp_path), "--task", "kiosk-55"]) == 2
    assert "did you mean 'kiosk-5'" in capsys.readouterr().err


def test_other_settings_need_another_folder(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    evaluate(tmp_path, "--agent", "oracle", "--tasks", "2")
    assert (
        main(["eval", "ToolRetail-v0", "--split", "dev", "--agent", "inert", "--tasks", "2", "--out", str(tmp_path)])
        == 2
    )
    assert "other settings (agent: 'oracle', now 'inert')" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("flags", "expected"),
    [
        (["ToolRetial-v0"], "did you mean 'ToolRetail-v0'"),
        (["retail", "--agent", "orcale"], "did you mean 'oracle'"),
        (["retail", "--split", "tset"], "did you mean 'test'"),
        (["retail", "--data", "tau"], "did you mean 'tau2'"),
        (["retail", "--tasks", "nope"], "no task 'nope' in retail"),
        (["retail", "--trials", "0"], "--trials"),
        (["retail", "--tasks", "0"], "at least 1; got 0"),
        (["retail", "--judge", "rule"], "did you mean 'rules'"),
        (["retail", "--config", "missing.toml"], "no settings file"),
        ([], "ENV is missing"),
    ],
)
def test_mistakes_are_answered_in_words(
    flags: list[str], expected: str, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    assert main(["eval", *flags, *([] if "--config" in flags else ["--out", str(tmp_path)])]) == 2
    error = capsys.readouterr().err
    assert expected in error and "Traceback" not in error


def test_settings_from_file_environment_and_flags(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "run.toml"
    file.write_text('env = "kiosk"\nagent = "oracle"\ntrials = 3\nseed = 1\ntasks = 2\n', encoding="utf-8")
    monkeypatch.setenv("TOOLGYM_TRIALS", "2")
    out = tmp_path / "out"
    assert main(["eval", "--config", str(file), "--seed", "5", "--out", str(out)]) == 0
    saved = json.loads((out / "run.json").read_text(encoding="utf-8"))
    assert (saved["agent"], saved["trials"], saved["seed"]) == ("oracle", 2, 5)
    assert saved["tasks"] == ["2"], "a plain number is a count, as on the command line"
    file.write_text("agnet = 1\n", encoding="utf-8")
    assert main(["eval", "kiosk", "--config", str(file)]) == 2
    assert "did you mean 'agent'" in capsys.readouterr().err


def test_judge_scores_a_run_again(tmp_path: Path) -> None:
    evaluate(tmp_path, "--agent", "rules", "--tasks", "12")
    first = (tmp_path / "scores.jsonl").read_text(encoding="utf-8")
    assert main(["judge", str(tmp_path)]) == 0
    assert (tmp_path / "scores.jsonl").read_text(encoding="utf-8") == first
    assert main(["judge", str(tmp_path), "--rewards", "outcome"]) == 0
    assert json.loads((tmp_path / "scores.jsonl").read_text(encoding="utf-8").splitlines()[0])["rewards"].keys() == {
        "outcome"
    }
