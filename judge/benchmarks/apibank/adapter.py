"""API-Bank's rows, as ToolRL's repository has them, behind the contract of a benchmark."""

from __future__ import annotations

import ast
import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from toolgym.judge.benchmarks.checkout import Checker, Checkout
from toolgym.judge.benchmarks.contract import Facts, Found, Group, Row, Score
from toolgym.judge.benchmarks.exchange import OneExchange, answer_of
from toolgym.sandbox.kit.errors import unknown
from toolgym.sandbox.kit.message import Json, Message, ToolCall
from toolgym.sandbox.runtime.trajectory import Trajectory

LEVELS = ("level-1", "level-2", "level-3")
FILES = {level: f"benchmarks/API-Bank/{level}-api_processed.json" for level in LEVELS}
TOOLRL = Checkout(
    title="API-Bank as ToolRL processed it",
    variable="TOOLGYM_TOOLRL",
    get=(
        "git clone https://github.com/qiancheng0/ToolRL FOLDER && git -C FOLDER checkout 8cee13e",
        "export TOOLGYM_TOOLRL=FOLDER",
    ),
    files=(*FILES.values(), "benchmarks/API-Bank/evaluate.py"),
    version="ToolRL 8cee13e (2025-10-16)",
    digest="ee5129d5ad409bf2",
)
ROWS = {"level-1": 399, "level-2": 67, "level-3": 131}
_POLICY = (
    "You are shown the record of a dialogue between a user and an assistant. Make the one tool call that comes next, "
    "and take its arguments from the record."
)
_TOOL = re.compile(
    r"^\d+\. (?:Name: )?(?P<name>\w+)(?:\nDescription:|:) ?(?P<told>.*?)\nParameters: (?P<given>\{.*\})$", re.M
)
_TYPES = {"str": "string", "int": "integer", "float": "number", "bool": "boolean", "list": "array", "dict": "object"}


class APIBank(OneExchange):
    """API-Bank, levels 1 to 3."""

    name = "apibank"
    policy = _POLICY

    def __init__(self) -> None:
        self._checker = Checker(TOOLRL.title, Path(__file__).with_name("serve.py"), TOOLRL)

    def facts(self) -> Facts:
        """What it is."""
        left_out = {
            "dialogues in full": "ToolRL keeps of each dialogue the calls alone; what the assistant says is not scored",
            "API-Bank's own evaluation": "executes the calls and compares results; this one compares the calls",
        }
        source = "github.com/qiancheng0/ToolRL, of AlibabaResearch/DAMO-ConvAI api-bank"
        return Facts("API-Bank, levels 1 to 3, one call a row", "Apache-2.0", source, TOOLRL.get, left_out)

    def find(self) -> Found:
        """What is here."""
        version, digest, known = TOOLRL.found()
        rows = {level: len(TOOLRL.read(FILES[level])) for level in LEVELS}
        return Found(version, digest, rows, known and rows == ROWS)

    def named(self, category: str) -> Sequence[str]:
        """A level, or all."""
        if category == "all":
            return LEVELS
        if category not in LEVELS:
            raise unknown(f"category of {self.name}", category, [*LEVELS, "all"])
        return (category,)

    def rows(self, category: str) -> Sequence[Row]:
        """A level's rows."""
        return [_row(category, number, raw) for number, raw in enumerate(TOOLRL.read(FILES[category]))]

    def oracle(self, row: Row) -> Sequence[Message]:
        """The right call."""
        return [Message(role="assistant", tool_calls=row.gold)]

    def score(self, row: Row, trajectory: Trajectory) -> Score:
        """What ToolRL's script says of the calls."""
        return self.score_calls(row, calls_of(trajectory))

    def score_calls(self, row: Row, calls: Sequence[Mapping[str, Json]]) -> Score:
        """What the script says of calls in its own form, `name` and `parameters`."""
        if self._checker.ask("score", calls=list(calls), answer=row.record["answer"]):
            return Score(1.0)
        right = row.gold[0]
        why = "no_call" if not calls else "arguments" if right.name in [call.get("name") for call in calls] else "name"
        return Score(0.0, why, f"Right is {right.name} with {right.arguments_text()}.")

    def groups(self, values: Mapping[str, tuple[float, int]]) -> Sequence[Group]:
        """The overall accuracy."""
        whole = sum(count for _, count in values.values())
        value = sum(mean * count for mean, count in values.values()) / whole if len(values) == len(LEVELS) else None
        return (Group("overall", value, "all rows of the three levels alike"),)

    def close(self) -> None:
        """End the script's process."""
        self._checker.close()


def calls_of(trajectory: Trajectory) -> list[dict[str, Json]]:
    """The calls of the one answer, in ToolRL's form."""
    answer = answer_of(trajectory)
    calls = answer.tool_calls if answer is not None else ()
    return [{"name": call.name, "parameters": call.arguments} for call in calls]


def _row(level: str, number: int, raw: Mapping[str, Any]) -> Row:
    identifier = f"{level}-{number}"
    answer = raw["answer"][0] if isinstance(raw["answer"], list) else raw["answer"]
    tools = tuple(_tool(match) for match in _TOOL.finditer(raw["system"]))
    return Row(
        id=identifier,
        category=level,
        opening=(Message(role="user", content=raw["user"]),),
        tools=tools,
        gold=(ToolCall(name=answer["name"], arguments=answer["parameters"]),),
        record={"answer": raw["answer"]},
    )


def _tool(match: re.Match[str]) -> dict[str, Json]:
    given = ast.literal_eval(match["given"])
    properties = {name: property_of(about) for name, about in given.items()}
    required = [name for name, about in given.items() if "optional" not in str(about.get("description", "")).lower()]
    schema = {"type": "object", "properties": properties, "required": required}
    return {"type": "function", "function": {"name": match["name"], "description": match["told"], "parameters": schema}}


def property_of(about: Mapping[str, Any]) -> dict[str, Json]:
    """A parameter in JSON Schema, of API-Bank's name of a type and its description."""
    kind, _, inner = str(about.get("type", "str")).partition("(")
    schema: dict[str, Json] = {"type": _TYPES.get(kind, "string"), "description": str(about.get("description", ""))}
    if schema["type"] == "array":
        schema["items"] = {"type": _TYPES.get(inner.rstrip(")"), "string")} if inner else {}
    return schema
