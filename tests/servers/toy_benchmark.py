"""A made-up benchmark for the frame's tests: two categories, a counter as environment, a checker in its own process."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from pathlib import Path

from toolgym.judge.benchmarks.contract import Facts, Found, Group, Line, Row, Score
from toolgym.sandbox.kit.errors import BadInput
from toolgym.sandbox.kit.foreign_process import ForeignProcess
from toolgym.sandbox.kit.message import Json, Message, ToolCall
from toolgym.sandbox.runtime.trajectory import Trajectory

PROGRAM = """
import json, os, sys
print_, sys.stdout = sys.stdout, sys.stderr
counts = {}
def answer(request):
    if request["do"] == "open":
        counts[request["key"]] = 0
        return None
    if request["do"] == "add":
        counts[request["key"]] += request["by"]
        return counts[request["key"]]
    if request["do"] == "score":
        if request["given"] == "crash":
            raise ValueError("the checker has no idea")
        if request["given"] == "die":
            sys.stderr.write("out of memory\\n")
            sys.stderr.flush()
            os._exit(3)
        if request["given"] == "keys":
            return sorted(name for name in os.environ if "KEY" in name)
        return request["given"] == request["right"]
for line in sys.stdin:
    request = json.loads(line)
    try:
        said = {} if not request else {"value": answer(request)}
    except Exception as error:
        said = {"error": f"{type(error).__name__}: {error}"}
    print_.write(json.dumps(said) + "\\n")
    print_.flush()
"""
ADD = {
    "type": "function",
    "function": {
        "name": "count.add",
        "description": "Adds to the counter.",
        "parameters": {"type": "object", "properties": {"by": {"type": "integer"}}, "required": ["by"]},
    },
}
DIGEST = "0" * 16


def process(folder: Path) -> ForeignProcess:
    """The checker."""
    program = folder / "checker.py"
    program.write_text(PROGRAM, encoding="utf-8")
    return ForeignProcess("The toy's checker", program, [])


class Toy:
    """The adapter; TOY_FOLDER says where its program may be written, TOY_DIGEST what its data are."""

    name, policy = "toy", "Count what you are asked to."

    def __init__(self) -> None:
        self._process = process(Path(os.environ["TOY_FOLDER"]))
        self._keys = iter(range(10_000))

    def facts(self) -> Facts:
        return Facts("A toy", "none", "this test", ("nothing to do",), {"hard": "it is too hard"})

    def find(self) -> Found:
        digest = os.environ.get("TOY_DIGEST", DIGEST)
        return Found("toy 1", digest, {"ask": 3, "count": 2}, digest == DIGEST)

    def named(self, category: str) -> Sequence[str]:
        if category == "all":
            return ("ask", "count")
        if category not in ("ask", "count"):
            raise BadInput(f"There is no category {category!r} of toy; known: ask, count.")
        return (category,)

    def rows(self, category: str) -> Sequence[Row]:
        if category == "ask":
            said = ("one", "two", "crash")
            return [
                Row(f"ask_{text}", "ask", (Message(role="user", content=f"Say {text}."),), record={"right": text})
                for text in said
            ]
        first = Message(role="user", content="Count to two.")
        lines = (Line("Now to five.", (ADD,)),)
        tools = tuple(ADD | {"function": ADD["function"] | {"name": "count.other"}} for _ in range(1))
        return [
            Row(f"count_{number}", "count", (first,), tools, lines=lines, lasting=True, steps=2, record={"right": 5})
            for number in range(2)
        ]

    def world(self, row: Row) -> Counter:
        return Counter(self._process, next(self._keys))

    def oracle(self, row: Row) -> Sequence[Message]:
        if row.record["right"] == "two":
            raise BadInput("Nobody knows.")
        if not row.lasting:
            return [Message(role="assistant", content=row.record["right"])]
        calls = [
            Message(role="assistant", tool_calls=(ToolCall(name="count.add", arguments={"by": by}),)) for by in (2, 3)
        ]
        return [
            calls[0],
            Message(role="assistant", content="Two."),
            calls[1],
            Message(role="assistant", content="Five."),
        ]

    def score(self, row: Row, trajectory: Trajectory) -> Score:
        last = trajectory.calls[-1].value if trajectory.calls else None
        given = int(last) if isinstance(last, str) and last.isdecimal() else last
        given = given if row.lasting else trajectory.agent_text().rstrip(".")
        right = self._process.ask({"do": "score", "given": given, "right": row.record["right"]})
        return Score(1.0) if right else Score(0.0, "wrong", f"{given} is wrong")

    def groups(self, values: Mapping[str, tuple[float, int]]) -> Sequence[Group]:
        both = {"ask", "count"} <= values.keys()
        return [Group("both", sum(mean for mean, _ in values.values()) / 2 if both else None, "mean of ask and count")]

    def export(self, folder: Path, model: str, played: Sequence[tuple[Row, Trajectory, Score]]) -> None:
        (folder / "toy.txt").write_text(f"{model} {len(played)}", encoding="utf-8")

    def close(self) -> None:
        self._process.close()


class Counter:
    """The environment of one episode."""

    def __init__(self, process: ForeignProcess, key: int) -> None:
        self._process, self._key = process, str(key)
        process.ask({"do": "open", "key": self._key})

    def call(self, name: str, arguments: Mapping[str, Json]) -> str:
        return str(self._process.ask({"do": "add", "key": self._key, "by": arguments["by"]}, "tool"))

    def close(self) -> None:
        return None
