"""Runs as logs of Inspect and back: its numbers are ours, its viewer shows turns and reasons, nothing is lost."""

import shutil
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from inspect_ai.log import EvalLog, EvalSample, read_eval_log
from selenium import webdriver
from selenium.webdriver.common.by import By
from selenium.webdriver.support.ui import WebDriverWait

from toolgym.cli import main
from toolgym.judge.evaluation.metrics import pass_hat_k
from toolgym.judge.evaluation.run_folder import RunFolder
from toolgym.judge.scoring.scorer import turn_scores
from toolgym.judge.scoring.verifier import verify
from toolgym.sandbox.runtime.trajectory import Fault

pytestmark = [pytest.mark.slow, pytest.mark.xdist_group("inspect")]


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> RunFolder:
    """Retail by the rules agent, in part passed, with one conversation that broke."""
    folder = RunFolder(tmp_path_factory.mktemp("run"))
    options = "--agent rules --split test --tasks 4 --trials 2".split()
    assert main(["eval", "ToolRetail-v0", *options, "--out", str(folder.path)]) == 0
    first = folder.trajectories()[0]
    fault = Fault(boundary="model", message="The model gave no reply.")
    broken = {"termination": "infrastructure_error", "fault": fault, "trial": 2}
    folder.add(first.model_copy(update=broken))
    return folder


@pytest.fixture(scope="module")
def log(run: RunFolder) -> EvalLog:
    assert main(["export", str(run.path), "--to", "inspect"]) == 0
    return read_eval_log(run.path / "inspect.eval", resolve_attachments=True)


def test_the_scores_are_the_runs(run: RunFolder, log: EvalLog) -> None:
    samples = {(sample.id, sample.epoch - 1): sample for sample in log.samples or ()}
    outcomes: dict[str, list[bool]] = {}
    judged = turn_scores(run)
    for trajectory in run.trajectories():
        verdict, sample = verify(trajectory), samples[trajectory.task.id, trajectory.trial]
        outcomes.setdefault(trajectory.task.id, []).append(verdict.passed())
        assert sample.error is None and sample.scores is not None
        assert sample.scores["passed"].value == ("C" if verdict.passed() else "I")
        assert sample.scores["clean_pass"].value == ("C" if verdict.clean else "I")
        told = sample.scores["passed"].metadata or {}
        scores = judged[trajectory.task.id, trajectory.trial]
        assert tuple(told["turns"]) == scores.scores and tuple(told["reasons"]) == scores.reasons
        violations = (sample.scores["clean_pass"].metadata or {})["violations"]
        assert len(violations) == len(verdict.violations)
    assert log.results is not None
    given = {s.reducer: s.metrics["accuracy"].value for s in log.results.scores if s.name == "passed"}
    assert 0 < given["mean"] == pass_hat_k(outcomes, 1) < 1 and given["pass_k_2"] == pass_hat_k(outcomes, 2)


def test_what_broke_is_an_error_without_a_score(log: EvalLog) -> None:
    broken = [sample for sample in log.samples or () if sample.error is not None]
    assert [sample.epoch for sample in broken] == [3] and not broken[0].scores
    assert broken[0].error is not None and "gave no reply" in broken[0].error.message
    assert log.results is not None and log.results.completed_samples == log.results.total_samples - 1


def kinds(sample: EvalSample, span: str) -> list[str]:
    return [event.event for event in sample.events if event.span_id == span]


def test_the_transcript_shows_turns_calls_and_the_judges_reasons(run: RunFolder, log: EvalLog) -> None:
    for trajectory, sample in zip(run.trajectories()[:1], log.samples or (), strict=False):
        for turn in trajectory.turns():
            calls = ["tool"] * len(turn.action.tool_calls)
            assert kinds(sample, f"turn-{turn.index}")[:2] == ["span_begin", "model"]
            assert [kind for kind in kinds(sample, f"turn-{turn.index}") if kind == "tool"] == calls
    failed = next(s for s in log.samples or () if s.scores and s.scores["passed"].value == "I")
    names = [event.name for event in failed.events if event.event == "span_begin"]
    assert any(name.endswith("(score -1)") for name in names)
    said = [event.data for event in failed.events if event.event == "info" and event.source == "judge"]
    assert any(str(text).startswith("score -1: ") for text in said)


def test_a_round_trip_loses_nothing(run: RunFolder, log: EvalLog, tmp_path: Path) -> None:
    back = RunFolder(tmp_path / "back")
    assert main(["import", str(run.path / "inspect.eval"), "--out", str(back.path)]) == 0
    for before, after in ((run.trajectories(), back.trajectories()), (run.failures(), back.failures())):
        assert [item.canonical() for item in after] == [item.canonical() for item in before]
    assert back.scores_file.read_text(encoding="utf-8") == run.scores_file.read_text(encoding="utf-8")


def test_the_users_own_calls_are_shown_apart(tmp_path: Path) -> None:
    folder = RunFolder(tmp_path)
    options = "--agent oracle --tasks 1 --data own --split test".split()
    assert main(["eval", "ToolTelecom-v0", *options, "--out", str(tmp_path)]) == 0
    assert main(["export", str(tmp_path), "--to", "inspect"]) == 0
    (sample,) = read_eval_log(tmp_path / "inspect.eval", resolve_attachments=True).samples or ()
    (trajectory,) = folder.trajectories()
    own = [call for m in trajectory.messages if m.role == "user" for call in m.tool_calls]
    asides = [event for event in sample.events if event.event == "info" and event.source == "the user"]
    assert own and [str(event.data).partition("(")[0] for event in asides] == [call.name for call in own]
    shown = [call for message in sample.messages if message.role == "assistant" for call in message.tool_calls or ()]
    assert not {call.function for call in shown} & {call.name for call in own}


def test_mistakes_are_answered_in_words(run: RunFolder, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    damaged, foreign = tmp_path / "damaged.eval", tmp_path / "foreign.eval"
    assert main(["export", str(run.path), "--to", "inspect", "--out", str(damaged)]) == 0
    damaged.write_bytes(damaged.read_bytes()[:3000])
    foreign.write_text("no archive", encoding="utf-8")
    empty = RunFolder(tmp_path / "empty")
    empty.open({"basis": "state"})
    empty.trajectories_file.touch()
    capsys.readouterr()
    wrong = [["import", str(damaged)], ["import", str(foreign)], ["import", str(tmp_path / "none.eval")]]
    wrong += [["export", str(empty.path), "--to", "inspect"]]
    wrong += [["export", str(run.path), "--to", "inspect", "--out", str(tmp_path / "log.txt")]]
    for arguments in wrong:
        assert main(arguments) == 2
        said = capsys.readouterr().err
        assert len(said.splitlines()) == 1 and "Traceback" not in said


def test_a_missing_package_names_its_command(run: RunFolder, tmp_path: Path) -> None:
    (tmp_path / "inspect_ai.py").write_text("raise ModuleNotFoundError(name='inspect_ai')", encoding="utf-8")
    (tmp_path / "x.eval").touch()
    commands = [["export", str(run.path), "--to", "inspect"], ["import", str(tmp_path / "x.eval")]]
    code = f"import sys; sys.path.insert(0, {str(tmp_path)!r}); from toolgym.cli import main"
    code += f"; print([main(arguments) for arguments in {commands!r}])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=600, check=False)
    assert done.stdout.splitlines()[-1:] == ["[2, 2]"], done.stderr
    said = done.stderr.splitlines()
    assert len(said) == 2 and all("needs the package inspect_ai" in line and "[inspect]" in line for line in said)


@pytest.fixture
def viewer(run: RunFolder, log: EvalLog) -> Iterator[str]:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    command = [sys.executable, "-m", "inspect_ai", "view", "start", "--log-dir", str(run.path), "--port", str(port)]
    with subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as server:
        try:
            for _ in range(600):
                with socket.socket() as probe:
                    if probe.connect_ex(("127.0.0.1", port)) == 0:
                        break
                time.sleep(0.1)
            yield f"http://127.0.0.1:{port}/#/tasks/inspect.eval"
        finally:
            server.terminate()


def test_the_viewer_shows_turn_scores_and_reasons(viewer: str, run: RunFolder) -> None:
    failed = next(t for t in run.trajectories() if not verify(t).passed())
    reason = next(text for text in turn_scores(run)[failed.task.id, failed.trial].reasons if text)
    options = webdriver.ChromeOptions()
    for flag in ("headless", "no-sandbox", "disable-gpu", "disable-dev-shm-usage", "window-size=1400,1300"):
        options.add_argument(f"--{flag}")
    options.binary_location = shutil.which("chromium") or ""
    browser = webdriver.Chrome(options=options, service=webdriver.ChromeService(shutil.which("chromedriver")))

    def seen(text: str) -> bool:
        return text in browser.find_element(By.TAG_NAME, "body").text

    try:
        browser.get(f"{viewer}/samples/sample/{failed.task.id}/{failed.trial + 1}/scoring")
        WebDriverWait(browser, 600, ignored_exceptions=[Exception]).until(lambda _: seen(reason))
        assert seen("Failed: ") and seen("clean_pass")
        browser.get(f"{viewer}/samples/sample/{failed.task.id}/{failed.trial + 1}/transcript")
        WebDriverWait(browser, 600, ignored_exceptions=[Exception]).until(lambda _: seen("turn 0 (score"))
    finally:
        browser.quit()
