"""`toolgym.evaluate`: own functions and objects, a typed signature, and results to look at and compare."""

import asyncio
import functools
import inspect
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any, get_type_hints

import pytest

import toolgym
from toolgym import BadInput, Message, Results, ToolCall, evaluate
from toolgym.cli import main
from toolgym.evaluation import MoreSettings, in_python
from toolgym.judge.evaluation.settings import EvalSettings
from toolgym.sandbox.runtime import parts
from toolgym.sandbox.runtime.roles import Briefing


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def looks_up(messages: list[dict[str, Any]], tools: list[dict[str, Any]]) -> Any:
    if messages[-1]["role"] == "tool":
        return "I am afraid that I cannot do that."
    return [ToolCall(name="list_free_seats", arguments={"evening": "Friday"})]


class Polite:
    privileged = False

    def __init__(self, words: str = "How can I help?") -> None:
        self.words = words

    def open(self, briefing: Briefing) -> "Polite":
        return self

    async def act(self, messages: Sequence[Message]) -> Message:
        return Message(role="assistant", content=self.words)


def heard(results: Results) -> set[str]:
    return {message.content or "" for t in results.episodes for message in t.messages if message.role == "assistant"}


def test_a_function_a_class_and_an_object_are_played() -> None:
    results = evaluate("kiosk", agent=looks_up)
    assert {call.name for trajectory in results.episodes for call in trajectory.calls} == {"list_free_seats"}
    assert results["infrastructure_failures"] == 0 and results.folder.parent == Path("runs")
    assert heard(evaluate("kiosk", agent=Polite)) == {"How can I help?"}
    assert heard(evaluate("kiosk", agent=Polite("What is it?"))) == {"What is it?"}
    assert heard(evaluate("kiosk", agent=lambda messages, tools: "Yes?")) == {"Yes?"}


def test_what_differs_in_what_it_holds_is_another_agent() -> None:
    def saying(words: str) -> Any:
        return lambda messages, tools: words

    for words in ("One.", "Two."):
        assert heard(evaluate("kiosk", agent=saying(words))) == {words}
        assert heard(evaluate("kiosk", agent=Polite(words))) == {words}
        partial = functools.partial(lambda said, messages, tools: said, words)
        assert heard(evaluate("kiosk", agent=partial)) == {words}


def test_a_run_is_gone_on_with_by_the_same_name_and_code_and_by_no_other(here: Path) -> None:
    first = evaluate("kiosk", agent=looks_up, tasks=1, out=here / "run")
    assert first["trajectories"] == 1
    assert evaluate("kiosk", agent=looks_up, out=here / "run")["trajectories"] == 3
    with pytest.raises(BadInput, match=r"other settings \(agent: .*choose another folder with out=, or remove"):
        evaluate("kiosk", agent=Polite, out=here / "run")


def test_all_parts_may_be_objects(here: Path) -> None:
    def brief(messages: list[dict[str, Any]], task: toolgym.Task) -> str:
        return "###STOP###" if messages else task.scenario

    def marks(trajectory: toolgym.Trajectory) -> list[int]:
        return [1] * len(trajectory.turns())

    def calls(trajectory: toolgym.Trajectory) -> int:
        return len(trajectory.calls)

    results = evaluate("kiosk", agent=looks_up, user=brief, judge=marks, reward=[calls, "outcome"])
    assert {t.user for t in results.episodes} == {f"{__name__}:test_all_parts_may_be_objects.<locals>.brief"}
    scores = results["scores"]
    assert [name.rpartition(".")[2] for name in scores["rewards"]] == ["calls", "outcome"]
    table = results.to_pandas()
    assert list(table["calls"]) == [len(t.calls) for t in results.episodes] == list(table.iloc[:, -2])
    assert all(set(turns) == {1} for turns in table["scores"])


def test_an_agent_that_raises_is_left_out_and_told(here: Path) -> None:
    def falls(messages: list[dict[str, Any]], tools: list[dict[str, Any]]) -> str:
        return {}["nothing"] if "friend" in messages[1]["content"] else "Hm."  # type: ignore[no-any-return]

    results = evaluate("kiosk", agent=falls)
    (failed,) = results.failures
    line = inspect.getsourcelines(falls)[1] + 1
    assert failed.fault is not None and f"KeyError: 'nothing' (test_evaluate.py, line {line})" in failed.fault.message
    assert len(results.episodes) == 2 and "1 left out" in repr(results) and "KeyError" in results._repr_html_()


def test_results_are_seen_in_a_line_and_as_a_small_table(here: Path) -> None:
    results = evaluate("kiosk", agent="oracle", trials=2, out="run")
    assert results.pass_at == {1: 1.0, 2: 1.0} and results.folder == Path("run")
    assert repr(results) == "<Results pass^1 1.000, clean pass 0.667, 3 tasks, 6 episodes; run>"
    shown = results._repr_html_()
    assert "<td" in shown and "pass^2" in shown and "reward outcome" in shown
    assert Results("run").summary == results.summary
    with pytest.raises(BadInput, match=r"holds no finished run"):
        Results(here)


def test_a_comparison_is_the_commands(here: Path) -> None:
    inert, oracle = (evaluate("kiosk", agent=name, out=name) for name in ("inert", "oracle"))
    found = inert.compare(oracle)
    assert found.comparisons[0]["sentence"] in " ".join(repr(found).split())
    assert found.comparisons[0]["pass"]["value"] == oracle.pass_at[1] - inert.pass_at[1]
    again = evaluate("kiosk", agent="inert", out="again/oracle")
    assert "again/oracle" in oracle.compare(again).comparisons[0]["sentence"]
    assert repr(oracle.compare("inert")) == repr(oracle.compare(inert))


def test_without_pandas_a_sentence_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    results = evaluate("kiosk", agent="inert", out="run")
    monkeypatch.setitem(sys.modules, "pandas", None)
    with pytest.raises(toolgym.ConfigurationError, match=r"needs the package pandas.*pip install pandas"):
        results.to_pandas()


def test_it_runs_where_an_event_loop_runs_already() -> None:
    async def notebook() -> Results:
        return evaluate("kiosk", agent=looks_up, tasks=1)

    assert asyncio.run(notebook())["trajectories"] == 1


def test_a_function_that_waits_does_not_hold_up_the_others() -> None:
    import time

    def slow(messages: list[dict[str, Any]], tools: list[dict[str, Any]]) -> str:
        time.sleep(0.2)
        return "I cannot do that."

    started = time.perf_counter()
    turns = sum(len(t.turns()) for t in evaluate("kiosk", agent=slow, trials=20).episodes)
    assert turns >= 120 and time.perf_counter() - started < 0.2 * turns / 2


def test_the_signature_is_typed_and_holds_every_setting() -> None:
    hints = get_type_hints(evaluate)
    signature = inspect.signature(evaluate).parameters
    more = get_type_hints(MoreSettings)
    usual = set(signature) - {"more"}
    assert usual | set(more) == set(EvalSettings.model_fields) and not usual & set(more)
    assert all(name in hints for name in signature)
    for name, kind in more.items():
        expected = get_type_hints(EvalSettings)[name]
        assert kind == (str | expected if name == "cache" else expected), name  # type: ignore[operator]


WRONG: dict[str, tuple[dict[str, Any], str]] = {
    "max_turns": ({"max_turns": 0}, r"^max_turns=: must be at least 1; got 0"),
    "tasks": ({"tasks": 0}, r"^tasks= takes task ids, or how many"),
    "model": ({"agent_model": "m"}, r'^agent_model= is given, but the agent \'rules\' uses no model; add agent="llm"'),
    "agent": ({"agent": lambda messages: ""}, r"line \d+: the agent .*<lambda>' is a function of \(messages\)"),
    "no_agent": ({"agent": 3}, r"'builtins:int' is no agent: it has no open and no privileged"),
    "rewards": ({"reward": [lambda t: 0, lambda t: 1]}, r"Two rewards are called .*<lambda>'; give each"),
}


@pytest.mark.parametrize("name", WRONG)
def test_errors_name_python_arguments(name: str) -> None:
    arguments, sentence = WRONG[name]
    with pytest.raises(BadInput, match=sentence) as raised:
        evaluate("kiosk", **arguments)
    assert "--" not in str(raised.value)


def test_commands_in_a_sentence_stay_commands() -> None:
    assert in_python("Give --agent-base-url URL; `toolgym tasks list retail --split test` lists --those.") == (
        "Give agent_base_url=URL; `toolgym tasks list retail --split test` lists --those."
    )


def test_an_object_is_importable_where_its_name_finds_it() -> None:
    own: dict[tuple[parts.Group, str], Any] = {}
    for part in (looks_up, Polite, Polite(), lambda messages, tools: ""):
        own["agents", parts.name_of(part)] = part
    with parts.given(own):
        found = {name.partition(":")[2]: parts.is_importable("agents", name) for _, name in own}
    assert found == {
        "looks_up": True,
        "Polite": False,
        test_an_object_is_importable_where_its_name_finds_it.__name__ + ".<locals>.<lambda>": False,
    }


@pytest.mark.slow
def test_a_script_and_the_command_name_one_agent_alike(here: Path) -> None:
    script = "import toolgym\n\ndef play(messages, tools):\n    return 'Hm.'\n\n"
    (here / "mine.py").write_text(
        script + "if __name__ == '__main__':\n    print(toolgym.evaluate('kiosk', agent=play).folder)\n",
        encoding="utf-8",
    )
    done = subprocess.run([sys.executable, "mine.py"], cwd=here, capture_output=True, text=True, check=True)
    with parts.given({}):
        assert main(["eval", "kiosk", "--agent", "mine.py:play"]) == 0
    assert [str(folder) for folder in (Path("runs")).iterdir()] == [done.stdout.strip()]
