"""Scores say what they were made with, and a run is not resumed in another world."""

import json
import subprocess
from pathlib import Path

import pytest

import toolgym
from toolgym.cli import main
from toolgym.judge.evaluation.made_with import in_words, made_with, prompt_digest, tasks_digest, toolgym_version
from toolgym.judge.evaluation.run_folder import RunFolder
from toolgym.judge.evaluation.settings import EvalSettings
from toolgym.judge.evaluation.summary import model_of
from toolgym.sandbox.runtime.registry import get_domain


@pytest.fixture
def run(tmp_path: Path) -> RunFolder:
    assert main(["eval", "kiosk", "--tasks", "2", "--out", str(tmp_path / "run")]) == 0
    return RunFolder(tmp_path / "run")


def test_a_run_and_its_scores_tell_versions_and_digests(run: RunFolder, capsys: pytest.CaptureFixture[str]) -> None:
    made = run.settings()["made_with"]
    assert made["toolgym"] == [toolgym_version()] and list(made["rows"]) == ["kiosk (own)"]
    assert json.loads(run.summary_file.read_text(encoding="utf-8"))["made_with"] == made
    assert main(["eval", "kiosk", "--tasks", "2", "--out", str(run.path)]) == 0
    said = " ".join(capsys.readouterr().out.split())
    assert all(word in said for word in (made["tasks"], made["rows"]["kiosk (own)"], made["prompts"]["kiosk (own)"]))


def test_a_checkout_names_its_revision() -> None:
    root = Path(toolgym.__file__).parents[1]  # the installed wheel's is no checkout, though it may lie in one
    done = subprocess.run(["git", "-C", str(root), "rev-parse", "HEAD"], capture_output=True, text=True, check=False)
    if done.returncode or not (root / ".git").exists():
        assert "(" not in toolgym_version()
    else:
        assert f"({done.stdout[:12]}" in toolgym_version()


def test_a_digest_moves_with_what_it_is_of() -> None:
    retail = get_domain("retail")
    tasks = retail.tasks("test", "own")[:5]
    assert tasks_digest(tasks) == tasks_digest(tasks[::-1]) != tasks_digest(tasks[:4])
    changed = tasks[0].model_copy(update={"scenario": "Something else."})
    assert tasks_digest([changed, *tasks[1:]]) != tasks_digest(tasks)
    assert prompt_digest("telecom", "own", solo=True) != prompt_digest("telecom", "own", solo=False)
    first, second = (made_with([retail.tasks("test", data)[0]]) for data in ("own", "v2"))
    assert list(first["rows"]) == ["retail (own)"] and list(second["rows"]) == ["retail (unseen)"]
    assert set(first["rows"].values()).isdisjoint(second["rows"].values())


def test_a_run_of_another_scripted_user_is_not_gone_on_with(run: RunFolder, capsys: pytest.CaptureFixture[str]) -> None:
    saved = json.loads(run.settings_file.read_text(encoding="utf-8"))
    assert saved["made_with"].pop("user") == 3 and in_words(saved["made_with"] | {"user": 3}).endswith(
        "user scripted 3"
    )
    run.settings_file.write_text(json.dumps(saved), encoding="utf-8")
    assert main(["eval", "kiosk", "--tasks", "3", "--out", str(run.path)]) == 2
    assert "begun with the scripted user 1, and this toolgym has number 3" in capsys.readouterr().err


@pytest.mark.parametrize(("part", "words"), [("rows", "the rows of"), ("prompts", "the policy or the tools of")])
def test_a_run_of_another_world_is_not_gone_on_with(
    run: RunFolder, part: str, words: str, capsys: pytest.CaptureFixture[str]
) -> None:
    saved = json.loads(run.settings_file.read_text(encoding="utf-8"))
    saved["made_with"][part]["kiosk (own)"] = "000000000000"
    run.settings_file.write_text(json.dumps(saved), encoding="utf-8")
    assert main(["eval", "kiosk", "--tasks", "3", "--out", str(run.path)]) == 2
    said = capsys.readouterr().err
    assert words in said and "--out" in said and len(run.trajectories()) == 2


def test_a_run_gone_on_with_by_another_toolgym_names_both(run: RunFolder) -> None:
    saved = json.loads(run.settings_file.read_text(encoding="utf-8"))
    saved["made_with"]["toolgym"] = ["0.0.9"]
    run.settings_file.write_text(json.dumps(saved), encoding="utf-8")
    assert main(["eval", "kiosk", "--tasks", "3", "--out", str(run.path)]) == 0
    made = run.settings()["made_with"]
    assert made["toolgym"] == ["0.0.9", toolgym_version()] and f"0.0.9, then {toolgym_version()}" in in_words(made)


def test_the_models_of_a_run_are_named() -> None:
    settings = EvalSettings(env="kiosk", agent="llm", agent_model="gpt-x", agent_temperature=0.2, format="hermes")
    assert model_of(settings.identity()) == {"agent model": "gpt-x", "agent temperature": 0.2, "format": "hermes"}
    assert model_of(EvalSettings(env="kiosk").identity()) == {}
