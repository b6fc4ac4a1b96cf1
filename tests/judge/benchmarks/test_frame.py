"""The frame in which benchmarks of others are played: run folders, resume, failures of the foreign code, versions."""

import json
import subprocess
import sys
from collections.abc import Iterator
from importlib.metadata import EntryPoint
from pathlib import Path
from typing import Any

import pytest
import toy_benchmark as toy
from openai_server import OpenAIServer

from toolgym.cli import main
from toolgym.judge.evaluation.run_folder import RunFolder
from toolgym.sandbox.kit.errors import InfrastructureError
from toolgym.sandbox.runtime import registry


@pytest.fixture(autouse=True)
def installed(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[None]:
    """The toy, registered as a third party's package would."""
    entry = EntryPoint("toy", "toy_benchmark:Toy", "toolgym.bench")
    entries = registry._entries
    monkeypatch.setattr(
        registry, "_entries", lambda group: entries(group) | ({"toy": entry} if group == "bench" else {})
    )
    monkeypatch.setenv("TOY_FOLDER", str(tmp_path))
    monkeypatch.setenv("TOOLGYM_API_KEY", "secret")
    registry.load.cache_clear()
    yield
    registry.load.cache_clear()


def test_the_oracle_is_the_ceiling_and_leaves_out_what_has_no_answer(tmp_path: Path, capsys: Any) -> None:
    out = tmp_path / "run"
    assert main(["bench", "run", "toy", "--agent", "oracle", "--out", str(out)]) == 0
    summary = json.loads((out / "summary.json").read_text())
    assert summary["tasks"] == 3 and summary["mean"] == 1.0  # ask_one and both counts
    assert summary["categories"]["count"]["mean"] == 1.0 and summary["categories"]["count"]["silence"] == 0.0
    assert summary["infrastructure_failures"] == 1, "ask_crash: the checker raised on the right answer"
    assert "the checker has no idea" in next(iter(summary["failure_messages"]))
    assert summary["groups"][0]["value"] is None, "not every row of ask has a score"
    assert (out / "report.html").is_file() and (out / "toy.txt").read_text() == "oracle 3"
    assert main(["show", str(out)]) == 0
    said = capsys.readouterr().out
    assert "Say one." in said and "right by the benchmark's checker" in said
    assert main(["show", str(out), "--task", "ask_crash"]) == 0
    assert "not scored: The toy's checker failed: ValueError: the checker has no idea" in capsys.readouterr().out
    assert main(["judge", str(out)]) == 2
    assert "which its own checker scores" in capsys.readouterr().err


def test_an_interrupted_run_goes_on_and_other_data_are_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Any
) -> None:
    out = str(tmp_path / "run")
    run = ["bench", "run", "toy", "--agent", "oracle", "--out", out]
    assert main([*run, "--category", "count", "--tasks", "1"]) == 0
    first = RunFolder(Path(out)).trajectories_file.read_bytes()
    assert main([*run, "--category", "count"]) == 0
    assert RunFolder(Path(out)).trajectories_file.read_bytes().startswith(first), "what was played stays as it is"
    monkeypatch.setenv("TOY_DIGEST", "f" * 16)
    capsys.readouterr()
    assert main([*run, "--category", "count"]) == 2
    assert "digest" in capsys.readouterr().err
    assert main(["bench", "get", "toy"]) == 0
    assert "not a version that was checked" in capsys.readouterr().out


def test_a_model_calls_the_row_s_own_tools_by_names_that_endpoints_take(tmp_path: Path) -> None:
    def brain(body: dict[str, Any]) -> dict[str, Any]:
        names = [tool["function"]["name"] for tool in body["tools"]]
        done = sum(message["role"] == "tool" for message in body["messages"])
        if len(names) == 1 or body["messages"][-1]["role"] == "tool":
            return {"role": "assistant", "content": f"I have {names}, {done} done."}
        call = {"id": "c", "type": "function", "function": {"name": names[-1], "arguments": '{"by": 5}'}}
        return {"role": "assistant", "content": None, "tool_calls": [call]}

    async def answering(body: dict[str, Any]) -> dict[str, Any]:
        return brain(body)

    out = tmp_path / "run"
    with OpenAIServer() as server:
        server.brains["m"] = answering
        flags = ["--agent-model", "m", "--agent-base-url", server.url, "--category", "count", "--out", str(out)]
        assert main(["bench", "run", "toy", *flags]) == 0
    [first, second] = RunFolder(out).trajectories()
    assert [call.name for call in first.calls] == ["count.add"], "offered with the second line, by its true name"
    assert first.messages[1].content == "I have ['count_other'], 0 done."
    assert json.loads((out / "summary.json").read_text())["categories"]["count"]["mean"] == 1.0
    assert second.termination == "user_stop"


def test_runs_are_compared_by_the_checker_s_word_and_not_exported(tmp_path: Path, capsys: Any) -> None:
    for agent in ("oracle", "inert"):
        run = ["bench", "run", "toy", "--agent", agent, "--category", "count", "--out", str(tmp_path / agent)]
        assert main(run) == 0
    capsys.readouterr()
    assert main(["compare", str(tmp_path / "inert"), str(tmp_path / "oracle")]) == 0
    said = " ".join(capsys.readouterr().out.split())
    assert "oracle is better than inert by 1.000 in pass^1" in said and "not more than chance" in said, "two rows"
    assert main(["export", str(tmp_path / "oracle"), "--to", "openai"]) == 2
    assert "are for testing and are written in no other form" in capsys.readouterr().err


def test_a_checker_that_dies_tells_its_last_words_and_gets_no_keys(tmp_path: Path) -> None:
    checker = toy.process(tmp_path)
    with pytest.raises(InfrastructureError, match=r"The toy's checker died: out of memory\."):
        checker.ask({"do": "score", "given": "die", "right": ""})
    assert checker.ask({"do": "score", "given": "keys", "right": ""}) == [], "started again, without our secrets"
    checker.close()


@pytest.mark.parametrize(
    ("flags", "sentence"),
    [
        (["nothing"], "There is no benchmark 'nothing'"),
        (["toy", "--agent", "rules"], "plays only worlds of ours"),
        (["toy", "--agent", "oracle", "--category", "hard"], "There is no category 'hard'"),
        (["toy", "--agent", "oracle", "--tasks", "ask_three"], "There is no row 'ask_three'"),
        (["toy", "--agent", "oracle", "--tasks", "0"], "at least 1; got 0"),
        (["toy", "--agent", "inert", "--format", "hermes"], "writes in no format"),
        (["toy"], "needs a model"),
        ([], "takes a benchmark"),
    ],
)
def test_mistakes_are_one_sentence(flags: list[str], sentence: str, capsys: Any, tmp_path: Path) -> None:
    assert main(["bench", "run", *flags, *(["--out", str(tmp_path / "r")] if flags else [])]) == 2
    said = capsys.readouterr().err
    assert sentence in said and "Traceback" not in said and said.count("\n") == 1


def test_a_limit_stops_a_run_and_a_higher_one_goes_on(tmp_path: Path, capsys: Any) -> None:
    async def answering(body: dict[str, Any]) -> dict[str, Any]:
        return {"role": "assistant", "content": "one"}

    out = tmp_path / "run"
    with OpenAIServer() as server:
        server.brains["m"] = answering
        flags = ["--agent-model", "m", "--agent-base-url", server.url, "--concurrency", "1", "--out", str(out)]
        assert main(["bench", "run", "toy", *flags, "--max-usd", "1"]) == 2
        assert "--max-usd needs the price of 'm'" in capsys.readouterr().err and not out.exists()
        assert main(["bench", "run", "toy", *flags, "--max-tokens-total", "1"]) == 1
        said = " ".join(capsys.readouterr().out.split())
        stopped = json.loads((out / "summary.json").read_text())["stopped"]
        assert stopped["played"] == 1 < stopped["wanted"] and "with a higher --max-tokens-total" in said
        assert f"Estimate for {stopped['wanted']} episodes: about" in said
        assert main(["bench", "run", "toy", *flags, "--max-tokens-total", "100000"]) == 0
    assert "stopped" not in json.loads((out / "summary.json").read_text())


def test_what_lists_benchmarks_loads_nothing_that_plays_or_reports() -> None:
    heavy = ["toolgym.judge.report", "toolgym.judge.benchmarks.play", "toolgym.judge.interop", "httpx", "starlette"]
    program = "import sys, toolgym.cli; toolgym.cli.main(['bench', 'list']); print([m for m in %r if m in sys.modules])"
    said = subprocess.run([sys.executable, "-P", "-c", program % heavy], capture_output=True, text=True, check=True)
    assert "BFCL v4" in said.stdout and said.stdout.splitlines()[-1] == "[]", said.stdout[-300:]
