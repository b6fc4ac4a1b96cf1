"""DepthBench from a checkout: its rows become tasks, its own tools run them, and what is missing is said."""

import asyncio
import json
import re
import sys
from collections import Counter
from collections.abc import Callable
from pathlib import Path

import depthbench_checkout as checkout
import pytest

from toolgym.cli import main
from toolgym.judge.scoring.rewards.tier import Tier
from toolgym.judge.scoring.rewards.toolrl import ToolRL
from toolgym.judge.scoring.verifier import verify
from toolgym.sandbox.agents.inert import InertAgent
from toolgym.sandbox.agents.oracle import OracleAgent
from toolgym.sandbox.kit import foreign_process
from toolgym.sandbox.kit.domain import Domain
from toolgym.sandbox.kit.errors import InfrastructureError
from toolgym.sandbox.kit.message import Message, ToolCall
from toolgym.sandbox.kit.task import Task
from toolgym.sandbox.runtime.episode import Episode, run_episode
from toolgym.sandbox.runtime.registry import get_domain
from toolgym.sandbox.runtime.roles import Agent
from toolgym.sandbox.runtime.session import Session
from toolgym.sandbox.runtime.trajectory import Trajectory
from toolgym.sandbox.synthesis.program import program_of

pytest.importorskip("pandas")  # the tools of that checkout import it


@pytest.fixture(scope="module")
def world(tmp_path_factory: pytest.TempPathFactory) -> Domain:
    return get_domain(f"depthbench:{checkout.make(tmp_path_factory.mktemp('tier') / 'a+b')}")


def tasks(world: Domain, split: str) -> list[Task]:
    return list(world.tasks(split, world.name))


def play(task: Task, agent: Agent) -> Trajectory:
    with Session(task.domain, task=task) as session:
        return asyncio.run(run_episode(Episode(get_domain(task.domain), task, session, None, program=True), agent))


async def answered(task: Task, program: Message) -> Trajectory:
    with Session(task.domain, task=task) as session:
        episode = Episode(get_domain(task.domain), task, session, None, program=True)
        await episode.start()
        await episode.step(program)
        return episode.trajectory()


def test_rows_are_split_by_the_released_rule(world: Domain) -> None:
    train, validation = tasks(world, "train"), tasks(world, "validation")
    assert (len(train), len(validation)) == (14, 6)
    assert Counter(task.depth for task in train) == {0: 2, 1: 3, 2: 3, 3: 6}
    offered = [{name for task in each for name in task.tools or ()} for each in (train, validation)]
    assert not offered[0] & offered[1], "no tool of training is seen in validation, in any role"
    assert "GetCurrentLocation" in offered[1]
    shapes = {task.ticket: task.structure for task in [*train, *validation]}
    assert shapes["Fords here?"] == "chain" and shapes["The weather in both?"] == "parallel"
    assert [task.id for task in tasks(world, "train")] == [task.id for task in train]


@pytest.mark.slow
@pytest.mark.parametrize("form", [None, "json_ast", "xml_ast", "direct"])
def test_gold_is_right_everywhere_and_silence_where_nothing_is_to_call(world: Domain, form: str | None) -> None:
    for task in [*tasks(world, "train"), *tasks(world, "validation")]:
        played = play(task, OracleAgent(form))
        verdict = verify(played)
        assert verdict.passed() and not verdict.violations, task.ticket
        assert Tier()(played, verdict=verdict).total == 1.0
        assert ToolRL()(played, verdict=verdict).components["correctness"] == (3.0 if task.gold else 0.0)
        assert verify(play(task, InertAgent())).passed() == (not task.gold), task.ticket


def test_a_wrong_or_incomplete_program_fails(world: Domain) -> None:
    for task in (world.task("depthbench-6", world.name), world.task("depthbench-7", world.name)):
        right = program_of(task)
        last = right.tool_calls[-1]
        assert isinstance(last.arguments, dict)
        other = last.model_copy(update={"arguments": last.arguments | {"brand": "Saab"}})
        wrong = {"short": right.tool_calls[:-1], "other": (*right.tool_calls[:-1], other)}
        for name, calls in wrong.items():
            played = asyncio.run(answered(task, right.model_copy(update={"tool_calls": calls})))
            assert not verify(played).passed(), (task.ticket, name)
    both = next(task for task in tasks(world, "validation") if task.structure == "parallel")
    swapped = program_of(both).model_copy(update={"tool_calls": program_of(both).tool_calls[::-1]})
    assert verify(asyncio.run(answered(both, swapped))).passed(), "results side by side have no order"
    assert not verify(asyncio.run(answered(both, swapped.model_copy(update={"returns": "one"})))).passed()


def test_a_table_is_one_only_where_a_tool_gave_it(world: Domain) -> None:
    task = world.task("depthbench-6", world.name)
    written = {"listings": [{"Brand": "Ford", "Location": "Oslo", "Price": 1}], "brand": "Ford"}
    with Session(task.domain, task=task) as session:
        assert session.call("FilterByCarBrand", written).value == {
            "status_code": 422,
            "error": "listings must be a table",
        }
        assert session.call("GetWeather", {"Location": "Oslo"}).error is not None, "it is not offered"
        long = session.call("FilterByCarBrand", {"listings": [], "brand": "x" * 200_000})
        assert long.error is not None and "longer than 100000 characters" in long.error.message
        assert session.call("GetLocation", {}).value == {"status_code": 200, "Location": "Oslo"}


HARM = {
    "the network": "import socket; socket.create_connection(('127.0.0.1', 9))",
    "a program": "import subprocess; subprocess.run(['true'])",
    "a file": "open('left_behind', 'w')",
    "our keys": "import os; os.environ['OPENAI_API_KEY']",
}


@pytest.mark.slow
@pytest.mark.parametrize("what", HARM)
def test_tools_have_no_network_no_processes_no_files_and_no_keys(
    what: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "a-secret-key")
    domain = get_domain(f"depthbench:{checkout.make(tmp_path / 'c', menu=HARM[what])}")
    with Session(domain, data=domain.name) as session:
        refused = session.call("Bakery.get_menu", {})
        assert refused.error is not None and refused.error.code == "tool_error"
        assert ("KeyError" if what == "our keys" else "PermissionError") in refused.error.message
        assert session.call("GetWeather", {"Location": "Oslo"}).ok, "the next call is none the worse"
    assert not (tmp_path / "c" / "left_behind").exists()


@pytest.mark.slow
@pytest.mark.parametrize(
    ("menu", "said"), [("import os; os._exit(3)", "tools died"), ("import time; time.sleep(60)", "gave no answer")]
)
def test_a_process_that_dies_or_hangs_is_replaced(
    menu: str, said: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    domain = get_domain(f"depthbench:{checkout.make(tmp_path / 'c', menu=menu)}")
    with Session(domain, data=domain.name) as session:
        assert session.call("GetWeather", {"Location": "Oslo"}).ok
        monkeypatch.setattr(foreign_process, "SECONDS", 1.0)
        with pytest.raises(InfrastructureError, match=said):
            session.call("Bakery.get_menu", {})
        monkeypatch.undo()
        assert session.call("GetWeather", {"Location": "Oslo"}).ok


def _without(file: Path) -> Callable[[Path], None]:
    return lambda folder: (folder / file).unlink()


def _with(file: Path, text: str) -> Callable[[Path], None]:
    return lambda folder: (folder / file).write_text(text)


def _changed(key: str, value: object) -> Callable[[Path], None]:
    return _with(checkout.ROWS, json.dumps({"0": checkout.rows()["5"] | {key: value}}))


@pytest.mark.parametrize(
    ("damage", "said"),
    [
        (_without(checkout.ROWS), "full_dataset.json is missing; it is a checkout of github.com/anaykulkarni/TIER"),
        (_without(checkout.SOURCE / "simulator.py"), "simulator.py is missing"),
        (_with(checkout.ROWS, '{"0": '), "full_dataset.json is damaged"),
        (_with(checkout.ROWS, "[]"), "no object by keys"),
        (_with(checkout.ROWS, "{}"), "is empty"),
        (_with(checkout.DEFINITIONS, '{"GetTime": 3}'), "GetTime defines no tool"),
        (_changed("num_calls", "2"), "row 0 is damaged (no right num_calls)"),
        (_changed("api_calls", "{"), "row 0 is damaged (JSONDecodeError"),
        (_changed("apis", ["GetTim"]), "row 0 uses GetTim, which"),
    ],
)
def test_a_damaged_checkout_is_said_in_a_sentence(
    damage: Callable[[Path], None], said: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = checkout.make(tmp_path / "c")
    damage(folder)
    assert main(["eval", "--data", f"depthbench:{folder}", "--program"]) == 2
    error = capsys.readouterr().err
    assert said in error and "Traceback" not in error and error.count("\n") <= 2


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--data", "depthbench:/nowhere"], "There is no folder /nowhere"),
        (["--data", "depthbench:"], "name it as the data: depthbench:CHECKOUT"),
        (["depthbench"], "name it as the data: depthbench:CHECKOUT"),
        (["retail", "--data", "depthbench:/nowhere"], "leave 'retail' out"),
    ],
)
def test_a_benchmark_is_named_by_its_checkout(
    arguments: list[str], said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["eval", *arguments, "--program"]) == 2
    assert said in capsys.readouterr().err


@pytest.mark.parametrize("flags", [[], ["--solo"]])
def test_its_requests_are_answered_by_programs_alone(
    world: Domain, flags: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["eval", "--data", world.name, "--split", "train", *flags]) == 2
    assert "answered by programs alone; add --program" in capsys.readouterr().err


def test_tools_that_cannot_be_loaded_are_said_before_anything_is_played(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = checkout.make(tmp_path / "c")
    tools = folder / checkout.SOURCE / "depthbench_apis.py"
    tools.write_text("import rapid_fuzz_that_nobody_has\n" + tools.read_text())
    assert main(["eval", "--data", f"depthbench:{folder}", "--split", "train", "--program"]) == 2
    said = capsys.readouterr().err
    assert "they need the package rapid_fuzz_that_nobody_has: pip install pandas rapidfuzz" in said


def test_a_checkout_is_one_world_however_its_path_is_written(world: Domain, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = Path(world.name.partition(":")[2])
    monkeypatch.chdir(folder.parent)
    assert get_domain(f"depthbench:{folder.name}") is get_domain(world.name)


def test_one_command_plays_it_and_shows_accuracy_by_depth(
    world: Domain, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "run"
    command = ["eval", "--data", world.name, "--split", "train", "--program", "--agent", "oracle", "--out", str(out)]
    assert main([*command, "--format", "xml_ast"]) == 0
    printed = re.sub(r"\s+", " ", capsys.readouterr().out)
    assert "pass^1 1.000" in printed and re.search(r"depth tasks .* 3 6 1.000 0\.\d+ to 1.000", printed)
    assert "doing nothing 0.143" in printed
    assert (out / "report.html").is_file() and sys.executable not in (out / "report.html").read_text(encoding="utf-8")
    assert main(["show", str(out)]) == 0
    assert main(["tasks", "list", world.name, "--data", world.name]) == 0


def test_calls_that_nobody_can_read_are_the_tools_own_affair(world: Domain) -> None:
    task = next(task for task in tasks(world, "validation") if task.ticket == "The weather in Oslo?")
    call = ToolCall(name="GetWeather", arguments={"Location": "Oslo", "unit": 1})
    played = asyncio.run(answered(task, Message(role="assistant", tool_calls=(call,), returns="one")))
    result = Tier()(played, verdict=verify(played))
    assert played.calls[0].value == {"status_code": 400, "error": "give a Location"}
    assert result.components["parameters"] == 0.75 and result.components["execution"] == 1.0
    assert result.total == pytest.approx(0.475)
