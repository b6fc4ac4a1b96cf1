"""NESTFUL's rows of both versions and its own scorer behind the contract of a benchmark."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from toolgym.judge.benchmarks.checkout import Checker, Checkout, named_by_git
from toolgym.judge.benchmarks.contract import Facts, Found, Group, Row, Score
from toolgym.judge.benchmarks.exchange import OneExchange, answer_of
from toolgym.sandbox.kit.errors import ConfigurationError, unknown
from toolgym.sandbox.kit.message import Json, Message, ToolCall
from toolgym.sandbox.runtime.trajectory import Trajectory

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
SECOND = "version_2"
"""The category of version 2, played where its file is here."""
SECOND_FILE, SECOND_ROWS, SECOND_NAME = "data_v2/nestful_data.jsonl", 1861, "ab49f52a8a11"
"""Where its rows are, how many, and how git's name of the published file begins."""
_LABEL = re.compile(r"\$var_(\d+)")
"""How version 2 refers to a result."""
_PARAMETERS = ("query_parameters", "path_parameters", "parameters", "arguments")
_POLICY = (
    "Do what the user asks by a sequence of calls, all of them in one message and in their order; none is run in "
    "between. Where an argument is what an earlier call returns, write $varN.FIELD$ for that field of the result of "
    "the Nth call, counted from 1: $var1.id$. A function's description names the fields of its result."
)


class NESTFUL(OneExchange):
    """The 300 rows of version 1, and those of version 2 where they are here."""

    name = "nestful"
    policy = _POLICY

    def __init__(self) -> None:
        self._checker = Checker("NESTFUL", Path(__file__).with_name("serve.py"), CHECKOUT)

    def facts(self) -> Facts:
        """What it is."""
        left_out = {
            "win rate (version 2)": "executes functions; a row has one score here",
            "F1 of functions and parameters": "over a whole file, not by row",
        }
        source = "github.com/romitjain/NESTFUL, a copy of IBM/NESTFUL with the data and the scorer"
        return Facts("NESTFUL: nested sequences of calls", "Apache-2.0", source, CHECKOUT.get, left_out)

    def find(self) -> Found:
        """What is here."""
        version, digest, known = CHECKOUT.found()
        rows = {name: len(CHECKOUT.read(f"{file}-data.json")) for name, file in _FILES.items()}
        known = known and rows == ROWS
        if SECOND in _here():
            rows[SECOND] = len(CHECKOUT.lines(SECOND_FILE))
            name = named_by_git(CHECKOUT.folder() / SECOND_FILE)
            known, digest = known and name == SECOND_NAME and rows[SECOND] == SECOND_ROWS, f"{digest}-{name}"
            version = version.replace("version 1", "versions 1 and 2") if known else "unknown version"
        return Found(version, digest, rows, known)

    def named(self, category: str) -> Sequence[str]:
        """A part, or all that is here (ConfigurationError where version 2 is asked for and is not)."""
        if category == "all":
            return _here()
        if category not in (*ROWS, SECOND):
            raise unknown(f"category of {self.name}", category, [*ROWS, SECOND, "all"])
        if category not in _here():
            how = "\n".join(f"  {line}" for line in CHECKOUT.get)
            raise ConfigurationError(f"{CHECKOUT.folder()} lacks {SECOND_FILE} of NESTFUL. Do:\n{how}")
        return (category,)

    def rows(self, category: str) -> Sequence[Row]:
        """A part's rows; every function of the part is offered, in version 2 those that the row names."""
        if category == SECOND:
            return [
                _row(
                    raw["sample_id"],
                    category,
                    raw["input"],
                    _value(raw["output"]),
                    tuple(map(_tool, _value(raw["tools"]))),
                )
                for raw in CHECKOUT.lines(SECOND_FILE)
            ]
        tools = tuple(map(_tool, CHECKOUT.read(f"{_FILES[category]}-spec.json")))
        return [
            _row(f"{category}-{number}", category, raw["input"], raw["output"], tools)
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
        """The partial sequence accuracy of each version; the full one is pass^1."""
        first = {name: values[name] for name in ROWS if name in values}
        whole = sum(count for _, count in first.values())
        value = sum(mean * count for mean, count in first.values()) / whole if len(first) == len(ROWS) else None
        second = [Group(f"{_MEASURE}, version 2", values[SECOND][0], SECOND)] if SECOND in values else []
        return [Group(_MEASURE, value, "all rows of version 1 alike"), *second]

    def close(self) -> None:
        """End its process."""
        self._checker.close()


_MEASURE = "partial sequence accuracy"


def _here() -> tuple[str, ...]:
    return (*ROWS, SECOND) if (CHECKOUT.folder() / SECOND_FILE).is_file() else tuple(ROWS)


def _value(given: Any) -> Any:
    """What a field holds, which some copies of the file write as text."""
    return json.loads(given) if isinstance(given, str) else given


def _row(
    identifier: str, category: str, said: str, output: Sequence[Mapping[str, Any]], tools: tuple[dict[str, Json], ...]
) -> Row:
    right = [call for call in output if call["name"] != "var_result"]
    return Row(
        id=identifier,
        category=category,
        opening=(Message(role="user", content=said),),
        tools=tools,
        gold=tuple(ToolCall(name=call["name"], arguments=_as_told(call["arguments"])) for call in right),
        record={"output": list(output)},
    )


def _as_told(arguments: Mapping[str, Json]) -> dict[str, Json]:
    """Arguments whose references are written as the agent is told to."""
    found: dict[str, Json] = json.loads(_LABEL.sub(r"$var\1", json.dumps(arguments)))
    return found


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
