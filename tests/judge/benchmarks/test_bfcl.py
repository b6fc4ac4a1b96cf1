"""BFCL itself: its rows, its environments and its evaluator, on right, silent and planted wrong answers."""

import asyncio
import json
import os
import shutil
from collections.abc import Iterator, Sequence
from itertools import cycle
from pathlib import Path
from typing import Any

import pytest
from openai_server import OpenAIServer

from toolgym.cli import main
from toolgym.judge.benchmarks.bfcl.adapter import BFCL, BFCL3, BFCL4, FOLDER
from toolgym.judge.benchmarks.bfcl.java import java
from toolgym.judge.benchmarks.bfcl.layout import result, tool
from toolgym.judge.benchmarks.bfcl.serve import expression
from toolgym.judge.benchmarks.contract import Row
from toolgym.judge.benchmarks.play import Player, run
from toolgym.judge.benchmarks.settings import BenchSettings
from toolgym.judge.evaluation.run_folder import RunFolder
from toolgym.sandbox.kit.errors import BadInput, ConfigurationError, InfrastructureError
from toolgym.sandbox.kit.message import Message, ToolCall
from toolgym.sandbox.runtime.trajectory import Trajectory

real = [
    pytest.mark.slow,
    pytest.mark.xdist_group("bfcl"),
    pytest.mark.skipif(FOLDER not in os.environ, reason="`make` installs BFCL and names its folder"),
]
LEFT_OUT_BY_THE_ORACLE = 7
"""Rows of either version to which no answer is right."""


@pytest.fixture
def versions() -> Iterator[list[BFCL]]:
    both: list[BFCL] = [BFCL4(), BFCL3()]
    yield both
    for each in both:
        each.close()


def test_what_is_missing_is_said_with_the_line_that_installs_it(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: Any
) -> None:
    monkeypatch.delenv(FOLDER, raising=False)
    assert main(["bench", "run", "bfcl", "--agent", "oracle"]) == 2
    assert "pip install --no-deps --target FOLDER bfcl-eval==2026.3.23" in capsys.readouterr().err
    monkeypatch.setenv(FOLDER, str(tmp_path))
    with pytest.raises(ConfigurationError, match="holds no package bfcl_eval"):
        BFCL4().find()
    assert main(["bench", "list"]) == 0
    assert "web_search_base, web_search_no_snippet: its questions are answered by" in capsys.readouterr().out
    for name, reason in (("memory_vector", "an embedding model that is downloaded"), ("memry", "There is no category")):
        with pytest.raises(BadInput, match=reason):
            BFCL4().named(name)


def test_a_schema_in_bfcl_s_types_is_one_that_endpoints_take() -> None:
    limits = {"type": "tuple", "items": {"type": "float", "description": "a limit"}}
    given = {"type": "dict", "properties": {"type": {"type": "any"}, "limits": limits}, "required": ["type"]}
    shown = tool({"name": "a.b", "description": "d", "parameters": given})["function"]
    assert shown == {
        "name": "a.b",
        "description": "d",
        "parameters": {
            "type": "object",
            "properties": {
                "type": {"type": "string"},
                "limits": {"type": "array", "items": {"type": "number", "description": "a limit", "format": "float"}},
            },
            "required": ["type"],
        },
    }


@pytest.mark.parametrize(
    ("name", "given", "text"),
    [
        ("cd", {"folder": "it's"}, """cd(folder="it's")"""),
        ("__import__('os').system", {"c": 1}, "not_a_plain_call()"),
        ("open", {"file": "x"}, "not_a_plain_call()"),
        ("cd", {"folder=__import__('os').getcwd() or x": 1}, "not_a_plain_call()"),
    ],
)
def test_only_plain_calls_are_handed_to_the_evaluator_s_eval(name: str, given: dict[str, Any], text: str) -> None:
    assert expression(name, given) == text


def test_literals_of_java() -> None:
    assert java(5, {"type": "long"}) == "5L"
    assert java(["a", "b"], {"type": "Array", "items": {"type": "String"}}) == "new String[]{a, b}"
    assert java({"k": True}, {"type": "HashMap"}) == 'new HashMap<String, Object>() {{ put("k", true); }}'


def test_the_forced_end_of_a_turn_leaves_fewer_turns_than_right_ones_have() -> None:
    call = ToolCall(name="ls", id="1")
    first, step = Message(role="user", content="a"), Message(role="assistant", tool_calls=(call,))
    row = Row("multi_turn_base_0", "multi_turn_base", (first,), lasting=True)
    said = (first, step, Message(role="tool", content="x", tool_call_id="1", name="ls"))
    ended = Message(role="assistant", content="done"), Message(role="user", content="###STOP###")
    task = {"id": "multi_turn_base_0", "domain": "bench:bfcl", "data": "bfcl", "scenario": "a"}
    cut = Trajectory.model_validate({"task": task, "messages": said, "termination": "max_turns"})
    whole = Trajectory.model_validate({"task": task, "messages": (*said, *ended), "termination": "user_stop"})
    assert result(row, cut) == [[[{"ls": "{}"}]]]
    assert result(row, whole) == [[[{"ls": "{}"}], "done"]]


@pytest.mark.parametrize("mark", [pytest.param(None, marks=real)])
def test_every_row_is_read_and_every_right_answer_that_can_be_written_is_right(
    mark: None, versions: list[BFCL]
) -> None:
    for each in versions:
        found = each.find()
        assert found.known and sum(found.rows.values()) == 4441
        wrong, left_out, conversations = [], 0, 0
        for category in each.named("all"):
            rows = each.rows(category)
            assert len({row.id for row in rows}) == len(rows) == found.rows[category]
            for place, row in enumerate(rows):
                if row.lasting and place % 5:
                    continue
                try:
                    said = each.oracle(row)
                except BadInput:
                    left_out += 1
                    continue
                conversations += row.lasting
                if not row.lasting and place % 4:
                    continue
                score = each.score_result(category, row.id, answered(row, said))
                wrong += [] if score.passed else [(row.id, score)]
        assert not wrong and left_out == LEFT_OUT_BY_THE_ORACLE and conversations == 160


def answered(row: Row, said: Sequence[Message]) -> Any:
    """Messages of the agent as BFCL's result, without playing them."""
    steps = [[{call.name: call.arguments_text()} for call in message.tool_calls] for message in said]
    if not row.lasting:
        return steps[0] or said[0].content
    turns: list[list[Any]] = [[]]
    for step in steps[:-1]:
        turns[-1 if step else len(turns) :] = [[*turns[-1], step]] if step else [[]]
    return turns


PLANTED = ("right", "silent", "one call less", "a call twice", "other value", "other tool", "words")


class Planted:
    """BFCL, whose oracle makes a different mistake on every row."""

    def __init__(self, version: BFCL) -> None:
        self._version, self._kinds = version, cycle(PLANTED)
        self._given: dict[str, list[Message]] = {}

    def __getattr__(self, name: str) -> Any:
        return getattr(self._version, name)

    def oracle(self, row: Row) -> list[Message]:
        if row.id not in self._given:
            self._given[row.id] = spoilt(list(self._version.oracle(row)), next(self._kinds))
        return self._given[row.id]


def spoilt(said: list[Message], kind: str) -> list[Message]:
    """A right run with a mistake in its last message with calls."""
    place = next((n for n in reversed(range(len(said))) if said[n].tool_calls), None)
    if place is None or kind == "right":
        return said
    *calls, last = said[place].tool_calls
    given = last.arguments if isinstance(last.arguments, dict) else {}
    other = {key: f"{value}x" if isinstance(value, str) else 987654 for key, value in given.items()}
    changed = {
        "silent": [],
        "one call less": calls,
        "a call twice": [*calls, last, last],
        "other value": [*calls, last.model_copy(update={"arguments": other})],
        "other tool": [*calls, last.model_copy(update={"name": f"{last.name}_2"})],
        "words": [],
    }[kind]
    text = "I could call it." if kind == "words" or not changed else None
    said[place] = Message(role="assistant", content=text, tool_calls=tuple(changed))
    return said


@pytest.mark.parametrize("mark", [pytest.param(None, marks=real)])
@pytest.mark.parametrize("number", [0, 1])
def test_its_own_evaluator_agrees_on_the_exported_folder(
    mark: None, number: int, versions: list[BFCL], tmp_path: Path
) -> None:
    version = versions[number]
    planted: Any = Planted(version)
    settings = BenchSettings(agent="oracle", tasks=("14",))
    every = run(planted, version.find(), settings, RunFolder(tmp_path)).every
    judged = [(each.row, each.trajectory, each.score) for each in every if each.score is not None]
    assert len(judged) == len(every) >= 230
    version.export(tmp_path, "planted", judged)
    theirs = version.evaluate(tmp_path / "bfcl" / "result", "planted")
    ours: dict[str, list[str]] = {category: [] for category in version.named("all")}
    for row, _, score in judged:
        ours[row.category] += [] if score.passed else [row.id]
    assert ours == theirs
    wrong = sum(map(len, ours.values()))
    assert 60 < wrong < len(judged) - 60, "right and wrong ones are both there"
    for category, rows in ours.items():
        [file] = (tmp_path / "bfcl" / "score").rglob(f"*_v[34]_{category}_score.json")
        header = json.loads(file.read_text().splitlines()[0])
        assert header["total_count"] - header["correct_count"] == len(rows)


@pytest.mark.parametrize("mark", [pytest.param(None, marks=real)])
def test_conversations_are_apart_and_tools_are_given_back(mark: None, versions: list[BFCL]) -> None:
    version = versions[0]
    row = version.rows("multi_turn_base")[0]
    one, other = version.world(row), version.world(row)
    assert "Error" not in one.call("mkdir", {"dir_name": "new"})
    assert "new" in one.call("ls", {}) and "new" not in other.call("ls", {})
    assert one.call("rmtree", {}).startswith("Error during execution")
    version._process.close()  # as where the call of a third conversation hangs
    other.call("mkdir", {"dir_name": "late"})
    assert "new" in one.call("ls", {}) and "late" not in one.call("ls", {}), "what it did is done again"
    assert "late" in other.call("ls", {}) and "new" not in other.call("ls", {})
    for world in (one, other):
        world.close()
    held = version.rows("multi_turn_miss_func")[0]
    [later] = [line for line in held.lines if line.tools]
    names = {each["function"]["name"] for each in held.tools}  # type: ignore[index,call-overload]
    assert later.tools[0]["function"]["name"] not in names  # type: ignore[index,call-overload]


@pytest.mark.parametrize("mark", [pytest.param(None, marks=real)])
def test_a_model_plays_in_both_modes_and_a_dead_process_is_no_score(
    mark: None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def calls(body: dict[str, Any]) -> dict[str, Any]:
        if body["messages"][-1]["role"] == "tool":
            return {"role": "assistant", "content": "There it is."}
        name = body["tools"][0]["function"]["name"]
        call = {"id": "1", "type": "function", "function": {"name": name, "arguments": "{}"}}
        return {"role": "assistant", "content": None, "tool_calls": [call]}

    async def writes(body: dict[str, Any]) -> dict[str, Any]:
        return {"role": "assistant", "content": '<tool_call>{"name": "ls", "arguments": {}}</tool_call>'}

    common = ["--agent-base-url", "URL", "--category", "multi_turn_base", "simple_python", "--tasks", "2"]
    with OpenAIServer() as server:
        server.brains |= {"calls": calls, "writes": writes}
        common[1] = server.url
        for model, flags, ends in (("calls", [], "user_stop"), ("writes", ["--format", "hermes"], "max_turns")):
            out = tmp_path / model
            assert main(["bench", "run", "bfcl", "--agent-model", model, *flags, *common, "--out", str(out)]) == 0
            [talk, _, single, _] = RunFolder(out).trajectories()
            assert single.task.family == "simple_python" and len(single.turns()) == 1
            assert talk.termination == ends and talk.calls[0].ok
            lines = [json.loads(line) for line in (out / "scores.jsonl").read_text().splitlines()]
            assert [line["passed"] for line in lines] == [False] * 4
        assert len(talk.turns()) == 21, "the message after the twentieth with calls ends the whole"
    version = BFCL4()
    row = version.rows("multi_turn_base")[0]
    ask = version._process.ask

    def dies(request: dict[str, Any], *how: Any) -> Any:
        if request["do"] == "call":
            version._process._running.kill()  # type: ignore[union-attr]
        return ask(request, *how)

    monkeypatch.setattr(version._process, "ask", dies)
    player = Player(version, BenchSettings(agent="oracle"), None, "oracle")
    played = asyncio.run(player.play(row, 0))
    assert played.termination == "infrastructure_error" and played.fault is not None
    assert "BFCL v4's code" in played.fault.message
    monkeypatch.undo()
    with pytest.raises(InfrastructureError, match="KeyError"):
        version.score_result("multi_turn_base", "multi_turn_base_99999", [])
    version.close()


@pytest.mark.parametrize("mark", [pytest.param(None, marks=real)])
def test_changed_data_are_named_and_never_mixed(
    mark: None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Any
) -> None:
    run = ["bench", "run", "bfcl", "--agent", "oracle", "--category", "live_parallel", "--tasks", "2"]
    run += ["--out", str(tmp_path / "run")]
    assert main(run) == 0
    copied = tmp_path / "packages"
    for part in ("bfcl_eval", "bfcl_eval-2026.3.23.dist-info", "mpmath"):
        shutil.copytree(Path(os.environ[FOLDER]) / part, copied / part)
    file = copied / "bfcl_eval" / "data" / "BFCL_v4_live_parallel.json"
    file.write_text(file.read_text(encoding="utf-8") + "\n", encoding="utf-8")
    monkeypatch.setenv(FOLDER, str(copied))
    capsys.readouterr()
    assert main(["bench", "get", "bfcl"]) == 0
    assert "not a version that was checked" in capsys.readouterr().out
    assert main(run) == 2
    assert "holds a run with other settings (digest:" in capsys.readouterr().err
    assert main([*run[:-1], str(tmp_path / "other")]) == 0
    assert "not a version that this adapter was checked with" in " ".join(capsys.readouterr().out.split())
