"""`toolgym eval --modality speech`: one command, both modalities, a report that plays what was said."""

import json
import re
import subprocess
import sys

import pytest

from toolgym.cli import main
from toolgym.judge.evaluation.speech_summary import summarise_speech
from toolgym.judge.evaluation.summary import judge_all
from toolgym.sandbox.runtime.info import Info
from toolgym.sandbox.runtime.registry import get_domain
from toolgym.sandbox.runtime.trajectory import Timing, Trajectory

pytestmark = pytest.mark.slow


def run(*arguments):
    return main(["eval", "ToolRetail-v0", "--modality", "speech", *arguments])


def test_the_cascade_beside_the_text_run(tmp_path, capsys):
    out = tmp_path / "run"
    ids = [task.id for task in get_domain("retail").tasks("test", "own") if task.family == "cancel"][:1]
    status = run(
        *("--agent", "rules", "--agent-input", "asr", "--asr-options", "model=tiny", "--auth", "profile"),
        *("--tasks", *ids, "--out", str(out)),
    )
    assert status == 0
    printed = capsys.readouterr().out
    assert re.search(r"in text\s+\d\.\d{3}", printed) and "word error rate" in printed and "real-time" in printed
    summary = json.loads((out / "summary.json").read_text(encoding="utf-8"))["speech"]
    assert summary["text"]["pass_hat_1"] == 1.0
    assert summary["authentication"] is None  # they were told who it is
    assert 0 <= summary["word_error_rate"] < 0.5
    lines = (out / "trajectories.jsonl").read_text(encoding="utf-8").splitlines()
    named = {message["audio"] for line in lines for message in json.loads(line)["messages"] if message["audio"]}
    assert named == {f"audio/{path.name}" for path in (out / "audio").iterdir()}
    assert (out / "report.html").is_file()
    assert json.loads((out / "run.json").read_text(encoding="utf-8"))["tts"] == "piper"


def test_the_summary_says_how_many_users_were_authenticated_by_voice(tmp_path, capsys):
    tasks = get_domain("retail").tasks("test", "own")
    task = next(task for task in tasks if task.family == "cancel" and any(fact.name == "email" for fact in task.facts))
    cascade = ("--agent", "rules", "--agent-input", "asr", "--asr-options", "model=tiny", "--tasks", task.id)
    assert run(*cascade, "--out", str(tmp_path / "run")) == 0
    assert "1 of 1 users by voice with at most one repetition of theirs (100.0%)" in printed(capsys)
    summary = json.loads((tmp_path / "run" / "summary.json").read_text(encoding="utf-8"))["speech"]
    assert summary["authentication"] == {"episodes": 1, "found": 1, "found_after_repair": 1}


def printed(capsys):
    return " ".join(capsys.readouterr().out.split())


def test_the_oracle_stays_perfect(tmp_path):
    arguments = ("--agent", "oracle", "--tts", "espeak", "--asr", "none", "--tasks", "12", "--out", str(tmp_path / "o"))
    assert run(*arguments) == 0
    summary = json.loads((tmp_path / "o" / "summary.json").read_text(encoding="utf-8"))
    assert summary["pass_hat"]["1"] == 1.0
    assert summary["speech"]["word_error_rate"] is None


def test_an_agent_that_reads_is_told_of_the_cascade(tmp_path, capsys):
    assert run("--agent", "rules", "--tts", "espeak", "--out", str(tmp_path / "x")) == 2
    assert "--agent-input asr" in capsys.readouterr().err
    assert not (tmp_path / "x").exists()


def test_a_missing_package_is_one_sentence(tmp_path):
    code = (
        "import sys; sys.modules['piper'] = None; from toolgym.cli import main; "
        f"sys.exit(main('eval ToolKiosk-v0 --modality speech --agent oracle --out {tmp_path}'.split()))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=600)
    assert done.returncode == 2
    assert "[speech]'" in done.stderr and "Traceback" not in done.stderr


def spoken(task, entries, messages=()):
    return Trajectory(
        task=task,
        modality="speech",
        messages=messages,
        termination="user_stop",
        timing=Timing(speaking=1.0, listening=2.0),
        info=Info.model_validate({"speech": {"utterances": entries}}),
    )


def entry(ids, missed, check, words=10, wrong=1):
    return {
        "audio": "audio/x.flac", "seconds": 6.0, "ids": ids, "check_missed": check,
        "words": words, "heard": "", "word_errors": wrong, "missed": missed,
    }  # fmt: skip


def test_what_the_numbers_mean():
    one, two = get_domain("kiosk").tasks("test")[:2]
    judged = judge_all(
        [
            spoken(one, [entry(["A", "B"], ["A"], []), entry(["A"], [], ["A"]), entry([], [], None)]),
            spoken(two, [entry(["C"], ["C"], ["C"]), entry(["C"], ["C"], ["C"]), entry(["C"], [], ["C"])]),
        ]
    )
    numbers = summarise_speech(judged, (), "state")
    assert numbers["ids"] == 3 and numbers["utterances"] == 6
    assert numbers["id_errors"] == pytest.approx(2 / 3)
    assert numbers["id_errors_after_repair"] == pytest.approx(1 / 3)  # C was understood at the third attempt only
    assert numbers["word_error_rate"] == pytest.approx(0.1)
    assert numbers["real_time_factor"] == pytest.approx(6 / 36)
    assert (numbers["checked"], numbers["unclear"], numbers["episodes_unclear"]) == (5, 4, 1)
    assert summarise_speech([], (), "state") is None
