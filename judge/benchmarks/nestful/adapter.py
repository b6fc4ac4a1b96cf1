"""NESTFUL's rows of version 1 and its own scorer behind the contract of a benchmark."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from judge.benchmarks.checkout import Checker, Checkout
from judge.benchmarks.contract import Facts, Found, Group, Row, Score
from judge.benchmarks.exchange import OneExchange, answer_of
from sandbox.kit.errors import unknown
from sandbox.kit.message import Json, Message, ToolCall
from sandbox.runtime.trajectory import Trajectory

ROWS = {"executable": 85, "glaive": 169, "sgd": 46}
_FILES = {
    "executable": "data_v1/executable/executable",
    "glaive": "data_v1/non-executable/non-executable-glaive",
    "sgd": "data_v1/non-executable/non-executable-sgd",
}
CHECKOUT = Checkout(
    title="NESTFUL",
    variable="TOOLGYM_NESTFUL",
    get=(
        "git clone https://github.com/romitjain/NESTFUL FOLDER && git -C FOLDER checkout 3ebac99    # has IBM's scorer",
        "export TOOLGYM_NESTFUL=FOLDER",
    ),
    files=(
        *(f"{file}-{part}.json" for file in _FILES.values() for part in ("data", "spec")),
        *(f"src/{name}.py" for name in ("scorer", "output_parsers", "ast_utils", "utils")),
    ),
    version="NESTFUL 3ebac99 (2026-02-10), data version 1",
    digest="152f04f8d96b3411",
)
_PARAMETERS = ("query_parameters", "path_parameters", "parameters", "arguments")
_POLICY = (
    "Do what the user asks by a sequence of calls, all of them in one message and in their order; none is run in "
    "between. Where an argument is what an earlier call returns, write $varN.FIELD$ for that field of the result of "
    "the Nth call, counted from 1: $var1.id$. A function's description names the fields of its result."
)


class NESTFUL(OneExchange):
    """The 300 rows of version 1."""

    name = "nestful"
    policy = _POLICY

    def __init__(self) -> None:
        self._checker = Checker("NESTFUL", Path(__file__).with_name("serve.py"), CHECKOUT)

    def facts(self) -> Facts:
        """What it is."""
        left_out = {
            "version 2": "its data file is not in the copies of the repository that could be read",
            "win rate": "executes the functions of version 2",
            "F1 of functions and parameters": "over a whole file, not by row",
        }
        source = "github.com/romitjain/NESTFUL, a copy of IBM/NESTFUL with data version 1 and the scorer"
        return Facts("NESTFUL version 1: nested sequences of calls", "Apache-2.0", source, CHECKOUT.get, left_out)

    def find(self) -> Found:
        """What is here."""
        version, digest, known = CHECKOUT.found()
        rows = {name: len(CHECKOUT.read(f"{file}-data.json")) for name, file in _FILES.items()}
        return Found(version, digest, rows, known and rows == ROWS)

    def named(self, category: str) -> Sequence[str]:
        """A part, or all."""
        if category == "all":
            return tuple(ROWS)
        if category not in ROWS:
            raise unknown(f"category of {self.name}", category, [*ROWS, "all"])
        return (category,)

    def rows(self, category: str) -> Sequence[Row]:
        """A part's rows; every function of the part is offered."""
        tools = tuple(map(_tool, CHECKOUT.read(f"{_FILES[category]}-spec.json")))
        return [
            Row(
                id=f"{category}-{number}",
                category=category,
                opening=(Message(role="user", content=raw["input"]),),
                tools=tools,
                gold=tuple(
                    ToolCall(name=call["name"], arguments=call["arguments"])
                    for call in raw["output"]
                    if call["name"] != "var_result"
                ),
                record={"output": raw["output"]},
            )
            for number, raw in enumerate(CHECKOUT.read(f"{_FILES[category]}-data.json"))
        ]

    def oracle(self, row: Row) -> Sequence[Message]:
        """The right sequence."""
        return [Message(role="assistant", tool_calls=row.gold)]

    def score(self, row: Row, trajectory: Trajectory) -> Score:
        """Its partial sequence accuracy; 1 is a full one."""
        answer = answer_of(trajectory)
        return self.score_calls(row, answer.tool_calls if answer is not None else ())

    def score_calls(self, row: Row, calls: Sequence[ToolCall]) -> Score:
        """What the scorer says of calls, the Nth of which is labelled varN."""
        given = [
            {"name": call.name, "arguments": call.arguments, "label": f"var{number}"}
            for number, call in enumerate(calls, start=1)
        ]
        said = self._checker.ask("score", right=row.record["output"], calls=given)
        if said["full"]:
            return Score(1.0)
        why = "no_call" if not calls else "unreadable" if said["unread"] else "sequence"
        return Score(said["partial"], why, f"{said['partial']:.3f} of the sequence is right.")

    def groups(self, values: Mapping[str, tuple[float, int]]) -> Sequence[Group]:
        """The partial sequence accuracy over all rows; the full one is pass^1."""
        whole = sum(count for _, count in values.values())
        value = sum(mean * count for mean, count in values.values()) / whole if len(values) == len(ROWS) else None
        return (Group("partial sequence accuracy", value, "all rows alike"),)

    def close(self) -> None:
        """End its process."""
        self._checker.close()


def _tool(api: Mapping[str, Any]) -> dict[str, Json]:
    given: Mapping[str, Any] = next((api[key] for key in _PARAMETERS if key in api), {})
    properties = {name: _property(about) for name, about in given.items()}
    required = [name for name, about in given.items() if about.get("required")]
    fields = ", ".join(api.get("output_parameters") or ())
    told = f"{api['description']} Fields of its result: {fields}." if fields else api["description"]
    schema = {"type": "object", "properties": properties, "required": required}
    return {"type": "function", "function": {"name": api["name"], "description": told, "parameters": schema}}


def _property(about: Mapping[str, Any]) -> dict[str, Json]:
    """A parameter without a type: a reference stands in its place where a value comes from an earlier call."""
    found: dict[str, Json] = {"description": str(about.get("description", ""))}
    return found | ({"examples": about["enum"]} if about.get("enum") else {})
