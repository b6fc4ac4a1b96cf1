"""Every adapter on a tiny checkout of its form: what is missing is said, what is there is counted, played, scored."""

import hashlib
import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import bench_checkouts
import pytest
from openai_server import OpenAIServer

from toolgym.cli import main
from toolgym.judge.benchmarks import checkout
from toolgym.judge.benchmarks.contract import benchmark, task_of
from toolgym.judge.benchmarks.teval.parts import PUBLISHED
from toolgym.judge.evaluation.run_folder import RunFolder
from toolgym.sandbox.kit.errors import BadInput, ConfigurationError, InfrastructureError
from toolgym.sandbox.kit.message import Message, ToolCall
from toolgym.sandbox.runtime.trajectory import Trajectory

Made = Callable[[Path], Path]
ADAPTERS: dict[str, tuple[Made, tuple[str, ...], int]] = {
    "apibank": (bench_checkouts.apibank, ("TOOLGYM_TOOLRL",), 4),
    "apibank_executed": (bench_checkouts.apibank_executed, ("TOOLGYM_APIBANK",), 3),
    "acebench": (bench_checkouts.acebench, ("TOOLGYM_ACEBENCH",), 15),
    "bamboogle": (bench_checkouts.bamboogle, ("TOOLGYM_TOOLRL",), 2),
    "nestful": (bench_checkouts.nestful, ("TOOLGYM_NESTFUL",), 5),
    "when2call": (bench_checkouts.when2call, ("TOOLGYM_WHEN2CALL",), 3),
    "teval": (bench_checkouts.teval, ("TOOLGYM_TEVAL",), 5),
    "complexfuncbench": (
        bench_checkouts.complexfuncbench,
        ("TOOLGYM_NESTFUL_WRAPPER", "TOOLGYM_COMPLEXFUNCBENCH"),
        2,
    ),
}
"""By name: who makes the checkout, the variables that name it, and its rows."""
PLAYED_WHERE_THEY_ARE = {Path(file).name for file in PUBLISHED} - {"review_str_v1.json"} | {"nestful_data.jsonl"}


@pytest.fixture(params=ADAPTERS)
def name(request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, judge: OpenAIServer) -> str:
    """A benchmark whose checkout is there."""
    return here(str(request.param), tmp_path, monkeypatch)


@pytest.fixture
def judge(monkeypatch: pytest.MonkeyPatch) -> Iterator[OpenAIServer]:
    """A judge who goes by two words; the first answer to what holds "!" is no JSON."""

    async def brain(body: dict[str, Any]) -> dict[str, Any]:
        reply = body["messages"][0]["content"].partition("Reply <")[2]
        found = "request_for_info" if "?" in reply else "cannot_answer" if "cannot" in reply else "direct_answer"
        said = "Hm." if "!" in reply and len(body["messages"]) == 1 else json.dumps({"classification": found})
        return {"role": "assistant", "content": "I know no class." if "nothing" in reply else said}

    with OpenAIServer() as server:
        server.brains["judge"] = brain
        monkeypatch.setenv("TOOLGYM_JUDGE_MODEL", "judge")
        monkeypatch.setenv("TOOLGYM_JUDGE_BASE_URL", server.url)
        yield server


def here(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    make, variables, _ = ADAPTERS[name]
    folder = make(tmp_path / name)
    monkeypatch.delenv("TOOLGYM_TEVAL_ENCODER", raising=False)
    for variable in variables:
        monkeypatch.setenv(variable, str(folder))
    return name


def answered(name: str, row: Any, *messages: Message) -> Trajectory:
    said = (*row.opening, *messages)
    return Trajectory(
        task=task_of(name, row), trial=0, seed=0, agent="a", user="none", termination="agent_stop", messages=said
    )


def test_what_is_missing_is_said_and_what_is_there_is_counted(name: str, tmp_path: Path, capsys: Any) -> None:
    assert main(["bench", "get", name]) == 0
    said = capsys.readouterr().out
    assert "not a version that was checked" in said and f"export {ADAPTERS[name][1][0]}" in said
    kinds = (".py",) if name == "apibank_executed" else (".json", ".jsonl")  # its data are folders
    named = (path for path in sorted((tmp_path / name).iterdir()) if path.suffix in kinds)
    inner = (path for path in sorted((tmp_path / name).rglob("*/*")) if path.suffix in kinds)
    needed = (path for path in (*named, *inner) if path.stat().st_size > 2 and path.name not in PLAYED_WHERE_THEY_ARE)
    file = next(needed)
    file.unlink()
    assert main(["bench", "run", name, "--agent", "oracle", "--out", str(tmp_path / "run")]) == 2
    said = capsys.readouterr().err
    assert f"lacks {file.relative_to(tmp_path / name)}" in said and "Do:" in said and "Traceback" not in said


def test_a_file_of_another_form_is_a_sentence(name: str, tmp_path: Path, capsys: Any) -> None:
    files = [
        path for path in (tmp_path / name).rglob("*.json*") if path.stat().st_size > 3 and "encoder" not in str(path)
    ]
    for file in files:
        file.write_text('[{"other": 1}]\n', encoding="utf-8")
    if name == "apibank_executed":
        for file in (tmp_path / name).rglob("*.jsonl"):
            file.write_text('{"other": 1}\n', encoding="utf-8")
    assert main(["bench", "run", name, "--agent", "oracle", "--out", str(tmp_path / "run")]) == 2
    said = capsys.readouterr().err
    assert "Error: " in said and "Traceback" not in said and not (tmp_path / "run").exists()


def test_a_folder_that_nothing_names_is_asked_for(name: str, monkeypatch: pytest.MonkeyPatch, capsys: Any) -> None:
    for variable in ADAPTERS[name][1]:
        monkeypatch.delenv(variable)
    assert main(["bench", "run", name, "--agent", "oracle"]) == 2
    assert f"{ADAPTERS[name][1][0]} names no folder" in capsys.readouterr().err


def test_the_oracle_is_right_and_doing_nothing_is_not(name: str, tmp_path: Path) -> None:
    out = tmp_path / "run"
    assert main(["bench", "run", name, "--agent", "oracle", "--out", str(out)]) == 0
    summary = json.loads((out / "summary.json").read_text(encoding="utf-8"))
    assert summary["trajectories"] == ADAPTERS[name][2] and summary["mean"] == 1.0
    floor = 1 / 3 if name == "when2call" else 0.0  # who does nothing is right where nothing can be done
    assert summary["inert"] == pytest.approx(floor)
    assert summary["infrastructure_failures"] == 0 and not summary["benchmark"]["known"]


def test_a_category_that_is_not_there_is_answered_with_those_that_are(name: str, capsys: Any) -> None:
    assert main(["bench", "run", name, "--agent", "oracle", "--category", "hard"]) == 2
    assert "There is no category" in capsys.readouterr().err


def test_a_digest_is_that_of_the_file_as_git_keeps_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(checkout, "_PART", 2)  # the ends of lines fall between parts, and within them
    digests = []
    for text in (b"a\nbc\n\r\r", b"a\r\nbc\r\n\r\r", b"a\nbc\n\r"):
        (tmp_path / "data").write_bytes(text)
        digests.append(checkout._digest_of(tmp_path / "data"))
    assert digests[0] == digests[1] == hashlib.sha256(b"a\nbc\n\r\r").digest() != digests[2]


def test_api_bank_rows_have_their_tools_and_answers(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    bank = benchmark(here("apibank", tmp_path, monkeypatch))
    [first, second] = bank.rows("level-1")
    assert [tool["function"]["name"] for tool in first.tools] == ["Ring", "Stop"]
    schema = first.tools[0]["function"]["parameters"]
    assert schema["required"] == ["n"] and schema["properties"]["n"]["type"] == "integer"
    assert bank.rows("level-3")[0].tools[0]["function"]["description"] == "Rings a bell."
    right = ToolCall(name="Ring", arguments={"n": 2})
    other = ToolCall(name="Ring", arguments={"n": "2"})

    def score(*calls: ToolCall) -> tuple[float, str]:
        said = bank.score(first, answered("apibank", first, Message(role="assistant", tool_calls=calls)))
        return said.value, said.why

    assert score(right) == score(other, right) == (1.0, "")
    assert (score(other), score(ToolCall(name="Stop", arguments={})), score()) == (
        (0.0, "arguments"),
        (0.0, "name"),
        (0.0, "no_call"),
    )
    values = {"level-1": (0.5, 2), "level-2": (1.0, 1), "level-3": (0.0, 1)}
    assert bank.groups(values)[0].value == 0.5 and bank.groups({"level-1": (1.0, 2)})[0].value is None
    crash = second.record | {"answer": {"name": "Crash", "parameters": {}}}
    with pytest.raises(InfrastructureError, match="RuntimeError: no such API"):
        bank.score(type(second)(**{**vars(second), "record": crash}), answered("apibank", second))
    bank.close()


def test_a_model_s_call_in_toolrl_s_format_is_scored(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async def brain(body: dict[str, Any]) -> dict[str, Any]:
        call = '{"name": "Ring", "parameters": {"n": 2}}'
        return {"role": "assistant", "content": f"<think>Two.</think>\n<tool_call>\n{call}\n</tool_call>"}

    name, out = here("apibank", tmp_path, monkeypatch), tmp_path / "run"
    with OpenAIServer() as server:
        server.brains["m"] = brain
        flags = ["--agent-model", "m", "--agent-base-url", server.url, "--format", "toolrl", "--out", str(out)]
        assert main(["bench", "run", name, *flags]) == 0
    summary = json.loads((out / "summary.json").read_text(encoding="utf-8"))
    assert summary["categories"]["level-1"]["mean"] == 0.5 and summary["groups"][0]["value"] == 0.75


def test_complexfuncbench_answers_from_the_record(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    name = here("complexfuncbench", tmp_path, monkeypatch)
    bench = benchmark(name)
    [first, _] = bench.rows("Car")
    turns = [[call["name"] for call in turn] for turn in first.record["turns"]]
    assert turns == [["Find_Place"], ["Book(Room)", "Book(Room)"]], "what needs a result waits for it"
    assert first.gold[1].arguments == {"place": "70001", "nights": 2}, "values in place of references, with their types"
    world = bench.world(first)
    assert json.loads(world.call("Find_Place", {"query": "Aland"}))[0]["place"] == {"id": 70001}
    assert json.loads(world.call("Find_Place", {"query": "Bergen"}))[0]["place"] == {"id": 70002}, "of another row"
    assert "problem" in world.call("Find_Place", {"query": "Oslo"})
    assert "not defined" in world.call("Fly", {})
    find, book, again = first.gold
    early = answered(name, first, Message(role="assistant", tool_calls=(find,)), Message(role="assistant", content="!"))
    assert (bench.score(first, early).value, bench.score(first, early).why) == (pytest.approx(1 / 3), "stop_early")
    wrong = again.model_copy(update={"arguments": {"place": "70001", "nights": 4}})
    missed = answered(name, first, *(Message(role="assistant", tool_calls=(call,)) for call in (find, book, wrong)))
    assert (bench.score(first, missed).value, bench.score(first, missed).why) == (pytest.approx(2 / 3), "value_error")
    bench.close()


def test_complexfuncbench_writes_results_as_its_own_runner(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    name, out = here("complexfuncbench", tmp_path, monkeypatch), tmp_path / "run"
    assert main(["bench", "run", name, "--agent", "oracle", "--out", str(out)]) == 0
    lines = (out / "complexfuncbench" / "result" / "full-1000.jsonl").read_text(encoding="utf-8").splitlines()
    assert [json.loads(line)["message"] for line in lines] == ["Success.", "Success."]
    assert json.loads(lines[0])["count_dict"]["total_call_num"] == 3
    assert [len(t.calls) for t in RunFolder(out).trajectories()] == [3, 3]


def test_acebench_reads_calls_as_python_and_words_as_they_are(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    bench = benchmark(here("acebench", tmp_path, monkeypatch))
    [row] = bench.rows("normal_single_turn_parallel_function")
    two, three = row.gold
    assert (two.name, three.arguments) == ("Ring", {"n": 3}), "numbers tell calls of one function apart"
    assert row.system == "The present: It is noon."
    assert row.tools[0]["function"]["parameters"]["properties"]["by"] == {"type": "object", "properties": {}}

    def score(row: Any, *calls: ToolCall, said: str | None = None) -> float:
        return bench.score(
            row, answered("acebench", row, Message(role="assistant", content=said, tool_calls=calls))
        ).value

    assert (score(row, two, three), score(row, two), score(row, said="[Ring(n=2), Ring(n=3)]")) == (1.0, 0.0, 1.0)
    unwritable = ToolCall(name="Ring", arguments={"n); evil(": 2})
    assert score(row, unwritable, three) == 0.0 and score(row, said="Sorry.") == 0.0
    [special] = bench.rows("special_incomplete")
    assert score(special, said="Missing necessary parameters (n) for the api (Ring)") == 1.0
    assert score(special, two) == 0.0 and "exactly one of these forms" in special.system
    with pytest.raises(BadInput, match="a language model plays its user"):
        bench.named("agent_multi_turn")
    bench.close()


def test_acebench_results_are_scored_again_as_whole_files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    name, out = here("acebench", tmp_path, monkeypatch), tmp_path / "run"
    assert main(["bench", "run", name, "--agent", "oracle", "--category", "special", "--out", str(out)]) == 0
    headers = json.loads((out / "acebench" / "accuracy.json").read_text(encoding="utf-8"))
    assert {each["accuracy"] for each in headers.values()} == {1} and len(headers) == 3
    file = out / "acebench" / "result_all" / "result_en" / "toolgym" / "data_special_irrelevant_result.json"
    assert "limitations of the function" in json.loads(file.read_text(encoding="utf-8"))["result"]


def test_bamboogle_compares_answers_as_plain_words(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    bench = benchmark(here("bamboogle", tmp_path, monkeypatch))
    first, second = bench.rows("closed_book")

    def said(row: Any, text: str) -> str:
        score = bench.score(row, answered("bamboogle", row, Message(role="assistant", content=text)))
        return "right" if score.passed else score.why

    assert [said(first, text) for text in ("BELL RINGER", "A bell-ringer.", "It was the bellringer", "")] == [
        "wrong",
        "right",
        "more_words",
        "wrong",
    ]
    assert said(second, "2.") == "right" and said(second, "two") == "wrong"


def test_teval_tells_a_wrong_answer_from_one_that_cannot_be_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    bench = benchmark(here("teval", tmp_path, monkeypatch))
    wanted = {
        "review": {"Answer: B": (1, ""), "Answer: C": (0, "wrong"), "": (0, "unreadable")},
        "instruct_json": {
            '{"thought": "", "tool": "Ring", "with": {"n": 2}}': (1, ""),
            '{"thought": "", "tool": "Ring", "with": {}}': (0.75, "wrong"),
            "Ring(2)": (0, "unreadable"),
        },
        "instruct_str": {"<action start>Stop<action end><args start>{'n': 2}<args end>": (0.75, "wrong")},
        "retrieve_json": {'{"name": "Stop"}': (0, "wrong"), "Ring": (0, "unreadable")},
        "retrieve_str": {"Ring": (1, ""), "Stop": (0, "wrong")},
    }
    assert tuple(wanted) != bench.named("all") and set(wanted) == set(bench.named("all")), "what needs no encoder"
    for part, texts in wanted.items():
        [row] = bench.rows(part)
        assert row.system == ("Choose a letter." if part == "review" else "Choose a tool.")
        assert row.opening[0].content == "Goal: ring."
        for text, (value, why) in texts.items():
            score = bench.score(row, answered("teval", row, Message(role="assistant", content=text)))
            assert (score.value, score.why) == (value, why), (part, text)
    bench.close()


def test_teval_plans_and_thoughts_are_scored_where_an_encoder_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Any
) -> None:
    name, out = here("teval", tmp_path, monkeypatch), tmp_path / "run"
    run = ["bench", "run", name, "--agent", "oracle", "--out", str(out)]
    assert main([*run, "--category", "plan"]) == 2
    assert "TOOLGYM_TEVAL_ENCODER names no folder" in capsys.readouterr().err
    monkeypatch.setenv("TOOLGYM_TEVAL_ENCODER", str(tmp_path / name / "encoder"))
    assert main(run) == 0
    summary = json.loads((out / "summary.json").read_text(encoding="utf-8"))
    assert summary["trajectories"] == 11 and {group["value"] for group in summary["groups"]} == {1.0}
    assert [group["name"] for group in summary["groups"]][-1] == "overall" and len(summary["groups"]) == 7
    bench = benchmark(name)
    [row] = bench.rows("plan_str")
    half = bench.score(row, answered(name, row, Message(role="assistant", content="First I Find it.")))
    assert (half.value, half.why) == (pytest.approx(2 / 3), "wrong")
    [row] = bench.rows("reason_str")
    alike = bench.score(row, answered(name, row, Message(role="assistant", content="I ring a bell.")))
    assert alike.value == pytest.approx(3 / 5)
    bench.close()
    (tmp_path / name / "data" / "plan_str_v1.json").unlink()
    assert main([*run[:-1], str(tmp_path / "other"), "--category", "plan"]) == 2
    assert "lacks data/plan_str_v1.json of T-Eval" in capsys.readouterr().err
    assert "plan_str" not in benchmark(name).find().rows


def test_nestful_labels_calls_and_reads_every_word_for_parameters(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    bench = benchmark(here("nestful", tmp_path, monkeypatch))
    *parts, second = bench.named("all")
    for row in bench.rows(second):
        assert [tool["function"]["name"] for tool in row.tools] == ["add", "halve"]
        assert row.gold[1].arguments == {"arg_0": "$var1.result$"}, "as the agent is told to refer"
    (tmp_path / "nestful" / "data_v2" / "nestful_data.jsonl").unlink()
    assert list(bench.named("all")) == parts == list(bench.find().rows)
    with pytest.raises(ConfigurationError, match=r"lacks data_v2/nestful_data\.jsonl of NESTFUL"):
        bench.named(second)
    for part in parts:
        [row] = bench.rows(part)
        find, take = row.tools
        assert (
            find["function"]["parameters"]["required"] == ["text"]
            and "its result: id" in find["function"]["description"]
        )
        assert list(take["function"]["parameters"]["properties"]) == ["id"]
    first, second = row.gold
    assert second.arguments == {"id": "$var1.id$"}
    half = bench.score(row, answered("nestful", row, Message(role="assistant", tool_calls=(first, first))))
    assert (half.value, half.why, half.passed) == (0.5, "sequence", False)
    none = bench.score(row, answered("nestful", row, Message(role="assistant", content="No.")))
    assert (none.value, none.why) == (0.0, "no_call")
    bench.close()


def test_when2call_asks_the_judge_about_words_alone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, judge: OpenAIServer, capsys: Any
) -> None:
    name = here("when2call", tmp_path, monkeypatch)
    bench = benchmark(name)
    [row] = bench.rows("request_for_info")

    def said(text: str, *calls: ToolCall) -> tuple[float, str]:
        score = bench.score(row, answered(name, row, Message(role="assistant", content=text, tool_calls=calls)))
        return score.value, score.why

    assert said("", ToolCall(name="ring", arguments={})) == (0.0, "tool_call") and not judge.requests
    assert (said("Which?"), said("I cannot."), said("Rung!")) == (
        (1.0, ""),
        (0.0, "cannot_answer"),
        (0.0, "direct_answer"),
    )
    assert "Question Ring! Reply <Which?>" in judge.requests[0]["messages"][0]["content"]
    assert len(judge.requests) == 4, "the judge was asked again once"
    with pytest.raises(InfrastructureError, match="names no class of When2Call"):
        said("nothing")
    monkeypatch.delenv("TOOLGYM_JUDGE_MODEL")
    assert main(["bench", "run", name, "--agent", "oracle", "--out", str(tmp_path / "run")]) == 2
    assert "judged by a model" in capsys.readouterr().err and not (tmp_path / "run").exists()


def test_api_bank_s_own_evaluator_reads_calls_as_text(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    bench = benchmark(here("apibank_executed", tmp_path, monkeypatch))
    ring, stop = bench.rows("executed-level-1")
    [searched] = bench.rows("executed-level-2")
    assert stop.opening[0].content == "User: Ring twice, stop.\n[Ring(n='2')] returned rung"
    assert [tool["function"]["name"] for tool in searched.tools] == ["Ring"], "what the search has found"
    assert searched.tools[0]["function"]["parameters"]["required"] == ["n"]

    def why(row: Any, *calls: ToolCall, said: str | None = None) -> str:
        answer = Message(role="assistant", content=said, tool_calls=calls)
        return bench.score(row, answered("apibank_executed", row, answer)).why

    right = ToolCall(name="Ring", arguments={"n": 2})
    assert (why(ring, right), why(ring, said="[Ring(n='2')]"), why(stop, right)) == ("", "", "name")
    assert (why(ring, ToolCall(name="Ring", arguments={"n": 3})), why(ring, said="Two?")) == ("result", "no_call")
    bench.close()
    assert why(ring, right) == "", "a process that is started again knows the dialogues"
    bench.close()
