"""The command line starts fast, fits a screen, and answers a wrong word with the right one."""

import argparse
import importlib
import shlex
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

import toolgym
from toolgym.cli import command as command_named
from toolgym.cli import main
from toolgym.commands import COMMANDS, GROUPS, help_text
from toolgym.judge.evaluation.settings import EvalSettings
from toolgym.sandbox.runtime.settings import add_flags


@pytest.mark.parametrize("columns", [80, 60])
def test_help_is_grouped_and_fits_the_terminal(
    columns: int, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", str(columns))
    assert main([]) == 0
    text = capsys.readouterr().out
    assert max(map(len, text.splitlines())) <= columns
    assert "Start here" in text and all(f"\n{title}:" in text for title in GROUPS)
    assert len(next(iter(GROUPS.values()))) == 5
    for name in COMMANDS:
        with pytest.raises(SystemExit):
            main([name, "--help"])
        prose = capsys.readouterr().out.partition("\n\n")[2].partition(":\n")[0]
        assert max(map(len, prose.splitlines())) <= columns


def test_every_command_has_an_example_that_it_can_read() -> None:
    for name in COMMANDS:
        module, parser = command_named(name)
        examples = help_text.read(module.__doc__ or "")[1]
        own = [words for words in (shlex.split(each.command) for each in examples) if words[1] == name]
        assert own, f"toolgym {name} has no example"
        for words in own:
            parser.parse_intermixed_args(words[2:])


@pytest.mark.slow
def test_the_examples_about_a_first_run_work(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    played = ("eval", "show", "judge", "report", "export", "verify-results", "check", "new-domain", "worlds", "doctor")
    for name in played:
        for example in help_text.read(command_named(name)[0].__doc__ or "")[1]:
            if "MCP" not in example.meaning and "NAME" not in example.command:
                assert main(shlex.split(example.command)[1:]) == 0, capsys.readouterr()
    assert (tmp_path / "runs" / "first" / "report.html").is_file()


def test_worlds_are_listed(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["worlds"]) == 0
    text = capsys.readouterr().out
    assert all(name in text for name in toolgym.worlds()) and "The ticket kiosk" in text
    assert main(["list"]) == 2
    assert "Did you mean 'worlds'" in capsys.readouterr().err


@pytest.mark.slow
def test_a_reader_who_leaves_is_not_told_and_loses_nothing(tmp_path: Path) -> None:
    out = tmp_path / "run"
    for arguments, lines in (
        (["--help"], 0),
        (["tasks", "list", "retail", "--split", "test"], 2),
        (["eval", "kiosk", "--agent", "oracle", "--out", str(out)], 1),
    ):
        words = [sys.executable, "-m", "toolgym", *arguments]
        running = subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        assert running.stdout is not None and running.stderr is not None
        for _ in range(lines):
            running.stdout.readline()
        running.stdout.close()
        assert running.stderr.read() == ""
        assert running.wait() == 0
        running.stderr.close()
    assert {"report.html", "episodes.json", "summary.json"} <= {path.name for path in out.iterdir()}


def test_a_wrong_command(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["evla"]) == 2
    assert "Did you mean 'eval'" in capsys.readouterr().err


def test_a_wrong_flag(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as end:
        main(["eval", "kiosk", "--agnet", "oracle"])
    assert end.value.code == 2 and "Did you mean --agent?" in capsys.readouterr().err


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_exists_and_explains_itself(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    importlib.import_module(COMMANDS[name].module)
    with pytest.raises(SystemExit) as end:
        main([name, "--help"])
    assert end.value.code == 0 and "usage: toolgym" in capsys.readouterr().out


def test_a_world_whose_tasks_are_elsewhere_says_where(capsys: pytest.CaptureFixture[str]) -> None:
    for command in (["tasks", "list", "payments", "--split", "test"], ["eval", "payments"]):
        assert main([*command, "--data", "own"]) == 2
        assert capsys.readouterr().err.endswith("Its tasks are the data v2.\n")


def test_a_wrong_value_is_told_in_our_words_and_at_once(capsys: pytest.CaptureFixture[str]) -> None:
    scheme = "must begin with http:// or https:// and a host, such as http://localhost:8000/v1; got 'localhost:8000'."
    llm = ["--agent", "llm", "--agent-model", "m"]
    for words, told in (
        (["eval", "kiosk", "--trials", "x"], "--trials: must be a whole number; got 'x'."),
        (["eval", "kiosk", "--trials", "0"], "--trials: must be at least 1; got '0'."),
        (["eval", "kiosk", "--agent-temperature", "warm"], "--agent-temperature: must be a number; got 'warm'."),
        (["eval", "kiosk", *llm, "--agent-base-url", "localhost:8000"], f"--agent-base-url: {scheme}"),
        (["eval", "kiosk", "--user-base-url", "localhost:8000"], f"--user-base-url: {scheme}"),
        (["judge", "runs", "--judge-base-url", "localhost:8000"], f"--judge-base-url: {scheme}"),
        (["bench", "run", "bamboogle", "--agent-base-url", "localhost:8000"], f"--agent-base-url: {scheme}"),
        (["view", "--server", "localhost:8000"], f"--server: {scheme}"),
    ):
        assert main(words) == 2
        assert capsys.readouterr().err == f"toolgym {words[0]}: {told}\n"


@pytest.mark.slow
def test_what_a_run_opens_with_is_the_number_that_is_meant(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    assert main(["eval", "kiosk", "--agent", "oracle", "--out", "right"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0].startswith("oracle") and lines[1].startswith("pass^1         1.000")
    assert any(line.startswith("clean pass     -") for line in lines)
    assert main(["eval", "banking", "--data", "v2", "--agent", "reckless", "--tasks", "20", "--out", "guessed"]) == 0
    assert capsys.readouterr().out.splitlines()[1].startswith("clean pass     0.000")
    assert main(["show", "guessed"]) == 0
    text = capsys.readouterr().out
    assert "failed, for told: no  (by state; user_stop)" in text and "  state: yes\n" in text


@pytest.mark.slow
def test_an_interrupted_run_says_what_goes_on(tmp_path: Path) -> None:
    out = tmp_path / "run"
    words = ["eval", "retail", "--agent", "rules", "--trials", "20", "--out", str(out)]
    running = subprocess.Popen(
        [sys.executable, "-m", "toolgym", *words],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        # who starts tests in the background ignores it
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
    )
    while not (out / "trajectories.jsonl").is_file():
        assert running.poll() is None
        time.sleep(0.05)
    running.send_signal(signal.SIGINT)
    _, said = running.communicate(timeout=600)
    assert running.returncode == 130
    assert said.decode() == f"Interrupted. The same command resumes: {shlex.join(['toolgym', *words])}\n"


@pytest.mark.parametrize(
    "variables", [{"TOKEN": "much-too-short"}, {"TOKEN": "much-too-short-but-for-this", "HOST": "0.0.0.0", "TTL": "-1"}]
)
def test_a_secret_is_in_no_message(
    variables: dict[str, str], capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    for name, value in variables.items():
        monkeypatch.setenv(f"TOOLGYM_{name}", value)
    assert main(["serve", "--data-dir", str(tmp_path)]) == 2
    assert "much-too-short" not in capsys.readouterr().err
    settings = tmp_path / "settings.toml"
    settings.write_text("token = 12345678901234567", encoding="utf-8")
    monkeypatch.delenv("TOOLGYM_TOKEN")
    assert main(["serve", "--config", str(settings)]) == 2
    said = capsys.readouterr().err
    assert "--token" in said and "12345678901234567" not in said


@pytest.mark.slow
def test_importing_the_sandbox_loads_nothing_heavy() -> None:
    heavy = "torch gymnasium fastapi openai mcp sqlalchemy pydantic numpy"
    code = f"import sys, toolgym.sandbox; print(*set({heavy!r}.split()) & set(sys.modules))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == ""


def test_version(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--version"]) == 0
    assert capsys.readouterr().out.startswith("toolgym ")


def test_doctor(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["doctor"]) == 0
    text = capsys.readouterr().out
    assert "retail" in text and "extra train" in text


def test_a_list_may_be_given_in_one_flag_or_in_several() -> None:
    parser = argparse.ArgumentParser()
    add_flags(parser, EvalSettings, positional=("env",))
    words = [
        "kiosk",
        "--tasks",
        "kiosk-1",
        "--tasks",
        "kiosk-2",
        "kiosk-3",
        "--agent-options",
        "a=1",
        "--agent-options",
        "b=2",
    ]
    given = parser.parse_args(words)
    assert given.tasks == ["kiosk-1", "kiosk-2", "kiosk-3"] and given.agent_options == ["a=1", "b=2"]
