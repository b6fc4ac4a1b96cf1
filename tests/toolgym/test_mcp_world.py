"""Any MCP server as a world: tasks by its measured graph, proven by replay, played in a process for each episode."""

import json
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from openai_server import OpenAIServer

from toolgym.cli import main
from toolgym.judge.scoring.verifier import verify
from toolgym.sandbox.kit.errors import InfrastructureError
from toolgym.sandbox.kit.message import ToolCall
from toolgym.sandbox.kit.task import Task, read_tasks
from toolgym.sandbox.remote import mcp_manager
from toolgym.sandbox.remote.foreign import ForeignWorld
from toolgym.sandbox.runtime import foreign_domain, registry
from toolgym.sandbox.runtime.trajectory import Trajectory, parse_line
from toolgym.sandbox.synthesis.graph.chains import Chain, Feed, proven

pytestmark = pytest.mark.slow

PROGRAM = Path(__file__).parents[1] / "servers" / "library_server.py"
BOOK, SHELF = {"book_id": "b-117"}, {"shelf_id": "s-141"}
LOOKED_UP = [("list_shelves", {}), ("list_books", SHELF), ("get_book", BOOK)]
FEEDS = {
    (1, ("shelf_id",)): Feed(0, ("shelves", "*"), 1, False),
    (2, ("book_id",)): Feed(1, ("books", "*", "book_id"), 1, False),
}


def command(how: str = "") -> list[str]:
    return [sys.executable, str(PROGRAM), *([how] if how else [])]


@pytest.fixture(scope="module")
def world() -> Iterator[ForeignWorld]:
    with closing(ForeignWorld(command(), allow_writes=True)) as opened:
        yield opened


@pytest.fixture(scope="module")
def tasks(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Tasks drawn from what the server's reads show."""
    file = tmp_path_factory.mktemp("mcp") / "tasks.jsonl"
    words = ["tasks", "generate", "--mcp", " ".join(command()), "--count", "4", "--max-calls", "60", "--out", str(file)]
    assert main(words) == 0
    return file


def run(tasks: Path, out: Path, *words: str, how: str = "") -> int:
    return main(["eval", "--mcp", " ".join(command(how)), "--data", f"own:{tasks}", "--out", str(out), *words])


def summary(out: Path) -> dict[str, Any]:
    return dict(json.loads((out / "summary.json").read_text(encoding="utf-8"))["agents"])


def test_tasks_are_chains_whose_values_flow_and_never_write(tasks: Path) -> None:
    drawn = read_tasks(tasks)
    assert {task.family for task in drawn} == {"list_books", "get_book"} and len(drawn) == 4
    assert max(task.depth for task in drawn) == 2, "shelves lead to books, and books to a book"
    for task in drawn:
        assert "lend" not in {call.name for call in task.gold}
        for call in task.gold:
            assert not any(str(value) in (task.ticket or "") for value in call.arguments.values())  # type: ignore[union-attr]


def test_the_oracle_passes_everything_and_who_does_nothing_nothing(tasks: Path, tmp_path: Path) -> None:
    assert run(tasks, tmp_path / "run", "--agent", "oracle") == 0
    found = summary(tmp_path / "run")
    assert (found["oracle"]["success"], found["inert"]["success"]) == (1.0, 0.0)
    lines = (tmp_path / "run" / "trajectories.jsonl").read_text(encoding="utf-8").splitlines()
    assert all(verify(parse_line(line)).passed() for line in lines) and len(lines) == 4


def test_a_run_that_is_killed_keeps_what_it_played(tasks: Path, tmp_path: Path) -> None:
    out = tmp_path / "run"
    words = ["--data", f"own:{tasks}", "--agent", "oracle", "--trials", "50", "--out", str(out)]
    running = subprocess.Popen([sys.executable, "-m", "toolgym", "eval", "--mcp", " ".join(command()), *words])
    records = out / "trajectories.jsonl"
    deadline = time.monotonic() + 600
    while not (records.exists() and records.stat().st_size) and time.monotonic() < deadline:
        time.sleep(0.02)
    running.kill()
    assert running.wait() == -signal.SIGKILL, "it is killed in the middle of two hundred episodes"
    kept = [parse_line(line) for line in records.read_text(encoding="utf-8").splitlines()]
    foreign_domain.take_up(out)
    assert kept and all(verify(each).passed() for each in kept)


def test_a_recorded_run_is_judged_selected_exported_and_learnt_from(
    tasks: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """By its folder alone: the server is gone, and another process knows nothing of it."""
    out = tmp_path / "run"
    assert run(tasks, out, "--agent", "oracle") == 0
    made = json.loads((out / "summary.json").read_text(encoding="utf-8"))
    assert made["pass_hat"]["1"] == 1.0 and made["inert"] == 0.0 and made["scores"]["judged"] == 4
    selected, sft, chats = tmp_path / "selected", tmp_path / "sft.parquet", tmp_path / "chats.jsonl"
    for words in (
        ["show", str(out)],
        ["judge", str(out)],
        ["report", str(out)],
        ["export", str(out), "--to", "openai", "--out", str(chats)],
        ["select", str(out), "--out", str(selected)],
        ["sft", str(out), "--parquet", str(sft)],
        ["sft", str(selected / "train"), "--parquet", str(tmp_path / "again.parquet")],
    ):
        monkeypatch.setattr(registry, "_added", {})
        assert main(words) == 0, words
    capsys.readouterr()
    lines = [json.loads(line) for line in chats.read_text(encoding="utf-8").splitlines()]
    assert len(lines) == 4 and {tool["function"]["name"] for tool in lines[0]["tools"]} >= {"list_shelves", "get_book"}
    monkeypatch.setattr(registry, "_added", {})
    (out / "world.json").unlink()
    assert main(["judge", str(out)]) == 2 and "world.json beside a run" in capsys.readouterr().err


def test_a_model_plays_it_over_its_endpoint(tasks: Path, tmp_path: Path) -> None:
    """The model follows the request, and takes each value from the result before."""

    async def follows(body: dict[str, Any]) -> dict[str, Any]:
        results = [json.loads(each["content"]) for each in body["messages"] if each["role"] == "tool"]
        wanted = [line.split(". ")[1].split(" with ") for line in body["messages"][1]["content"].split("\n")[1:-1]]
        if len(results) == len(wanted):
            return {"role": "assistant", "content": str(results[-1])}
        name, *given = wanted[len(results)]
        arguments = {}
        if given:
            key, which = given[0].split(" = value number ")
            [shown] = results[-1].values()
            value = shown[int(which.split()[0]) - 1]
            arguments = {key: value if isinstance(value, str) else value["book_id"]}
        call = {"id": "x", "type": "function", "function": {"name": name, "arguments": json.dumps(arguments)}}
        return {"role": "assistant", "content": None, "tool_calls": [call]}

    with OpenAIServer() as server:
        server.brains["reader"] = follows
        model = ["--agent", "llm", "--agent-model", "reader", "--agent-base-url", server.url]
        assert run(tasks, tmp_path / "run", *model) == 0
    assert summary(tmp_path / "run")["llm:reader"]["success"] == 1.0


def record(world: ForeignWorld, *calls: tuple[str, dict[str, Any]], termination: str = "agent_stop") -> Trajectory:
    """An episode of the task that looks a book up, with these calls."""
    session = world.session()
    answer = {"book_id": "b-117", "title": "Volume 711-b", "lent": "no"}
    gold = [ToolCall(name=name, arguments=arguments) for name, arguments in LOOKED_UP]
    named = {"id": "t", "domain": world.domain.name}
    task = Task.model_validate(named | {"gold": gold, "answer": {"values": [answer]}})
    for name, arguments in calls:
        session.call(name, arguments)
    session.close()
    return Trajectory.model_validate(
        {"task": task, "seed": 0, "calls": session.log, "messages": [], "diff": [], "termination": termination}
        | {"trial": 0, "agent": "a", "user": ""}
    )


def test_what_passes_and_what_does_not(world: ForeignWorld) -> None:
    assert verify(record(world, *LOOKED_UP)).passed()
    assert not verify(record(world, *LOOKED_UP[:2])).passed(), "the last call is missing"
    assert not verify(record(world, *LOOKED_UP, ("lend", BOOK))).passed(), "nobody asked for it"
    assert verify(record(world, *LOOKED_UP, ("lend", {"book_id": "b-0"}))).passed(), "a refused call writes nothing"
    assert not verify(record(world, ("get_book", {"book_id": "b-127"}))).passed(), "another book"
    assert not verify(record(world, *LOOKED_UP, termination="max_turns")).passed()


def test_sessions_share_nothing(world: ForeignWorld) -> None:
    first, second = world.session(), world.session()
    assert first.call("lend", BOOK).ok and second.call("lend", BOOK).ok and not first.call("lend", BOOK).ok
    assert first.call("fly", {}).error.code == "unknown_tool"  # type: ignore[union-attr]
    first.close()
    second.close()


def test_what_is_proven(world: ForeignWorld) -> None:
    writes = frozenset({"lend"})
    assert proven(Chain(list(LOOKED_UP), FEEDS), world.session, writes, 0) == {
        "book_id": "b-117",
        "title": "Volume 711-b",
        "lent": "no",
    }
    lent = proven(Chain([("lend", BOOK), ("get_book", BOOK)]), world.session, writes, 0)
    assert lent is not None and lent["lent"] == "yes"
    idle = [("lend", {"book_id": "b-127"}), ("get_book", BOOK)]
    assert proven(Chain(idle), world.session, writes, 0) is None, "the first call changes nothing of the last"
    assert proven(Chain([LOOKED_UP[0], ("get_book", BOOK)]), world.session, writes, 0) is None, "nothing flows"
    assert proven(Chain([("get_book", {"book_id": "b-0"})]), world.session, writes, 0) is None, "it is refused"
    known = Chain([("get_book", BOOK), *LOOKED_UP], {(3, ("book_id",)): FEEDS[2, ("book_id",)]})
    assert proven(known, world.session, writes, 0) is None, "the value stands in the request"


def test_a_result_of_the_process_alone_makes_no_task() -> None:
    with closing(ForeignWorld(command("counts"), allow_writes=False)) as counting:
        assert proven(Chain([("process", {})]), counting.session, frozenset(), 0) is None


def test_a_server_that_dies_in_the_middle_is_an_infrastructure_failure(tasks: Path, tmp_path: Path) -> None:
    dying = ForeignWorld(command("dies"), allow_writes=False)
    session = dying.session()
    assert session.call("get_book", BOOK).ok and session.call("get_book", BOOK).ok
    with pytest.raises(InfrastructureError, match=r"lost during get_book.*the shelf has collapsed"):
        session.call("get_book", BOOK)
    session.close()
    dying.close()
    wanted = next(task for task in read_tasks(tasks) if task.family == "get_book")
    thrice = wanted.model_copy(update={"gold": (*wanted.gold, wanted.gold[-1], wanted.gold[-1])})
    (tmp_path / "thrice.jsonl").write_text(thrice.model_dump_json() + "\n", encoding="utf-8")
    assert run(tmp_path / "thrice.jsonl", tmp_path / "run", "--agent", "oracle", how="dies") == 1
    found = summary(tmp_path / "run")["oracle"]
    assert found["success"] is None and found["passed"] == 0
    assert "collapsed" in next(iter(found["infrastructure_failures"]))


def test_mistakes_are_one_sentence(
    tasks: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(mcp_manager, "START_SECONDS", 1.5)
    library = " ".join(command())
    for words, sentence in (
        (["eval", "--mcp", "no-such-server", "--agent", "oracle"], "does not start"),
        (["eval", "--mcp", f"{library} empty", "--agent", "oracle"], "offers no tools"),
        (["eval", "--mcp", f"{library} hangs", "--agent", "oracle"], "did not answer within 1.5 s"),
        (["eval", "--mcp", library], "take --agent llm"),
        (["eval", "kiosk", "--mcp", library, "--agent", "oracle"], "leave 'kiosk' out"),
        (["eval", "--mcp", "", "--agent", "oracle"], "takes a command"),
        (["eval", "--mcp", library, "--agent", "oracle", "--data", "v2:x"], "holds no tasks of an MCP server"),
        (["tasks", "list", "--mcp", library], "tasks generate --mcp"),
        (["tasks", "generate", "--mcp", library, "--count", "0"], "--count must be at least 1"),
        (["tasks", "list"], "Which world?"),
    ):
        monkeypatch.setattr(mcp_manager, "START_SECONDS", 1.5 if "hangs" in str(words) else 60.0)
        assert main(words) == 2, words
        told = capsys.readouterr().err
        assert sentence in told and "Traceback" not in told, told
