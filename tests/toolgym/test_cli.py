"""The command line starts fast, fits a screen, and answers a wrong word with the right one."""

import argparse
import importlib
import subprocess
import sys
from pathlib import Path

import pytest

from toolgym.cli import COMMANDS, main
from toolgym.judge.evaluation.settings import EvalSettings
from toolgym.sandbox.runtime.settings import add_flags


def test_help_fits_a_screen(capsys: pytest.CaptureFixture[str]) -> None:
    assert main([]) == 0
    text = capsys.readouterr().out
    assert len(text.splitlines()) <= 24 and max(map(len, text.splitlines())) <= 80
    assert "Start here" in text


def test_a_wrong_command(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["evla"]) == 2
    assert "Did you mean 'eval'" in capsys.readouterr().err


def test_a_wrong_flag(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as end:
        main(["eval", "kiosk", "--agnet", "oracle"])
    assert end.value.code == 2 and "Did you mean --agent?" in capsys.readouterr().err


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_exists_and_explains_itself(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    importlib.import_module(COMMANDS[name][0])
    with pytest.raises(SystemExit) as end:
        main([name, "--help"])
    assert end.value.code == 0 and "usage: toolgym" in capsys.readouterr().out


def test_a_world_whose_tasks_are_elsewhere_says_where(capsys: pytest.CaptureFixture[str]) -> None:
    for command in (["tasks", "list", "payments"], ["tasks", "lint", "payments"], ["eval", "payments"]):
        assert main(command) == 2
        assert capsys.readouterr().err.endswith("Its tasks are the data v2: `--data v2`.\n")


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
    code = f"import sys, sandbox; print(*set({heavy!r}.split()) & set(sys.modules))"
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
