"""API-Bank as its authors score it: a call is made on their databases, and its result compared with the right one's."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from toolgym.judge.benchmarks.apibank.adapter import property_of
from toolgym.judge.benchmarks.checkout import Checker, Checkout
from toolgym.judge.benchmarks.contract import Facts, Found, Group, Row, Score
from toolgym.judge.benchmarks.exchange import OneExchange, answer_of
from toolgym.sandbox.kit.errors import unknown
from toolgym.sandbox.kit.message import Json, Message, ToolCall
from toolgym.sandbox.runtime.trajectory import Trajectory

ROWS = {"executed-level-1": 399, "executed-level-2": 90}
APIBANK = Checkout(
    title="API-Bank",
    variable="TOOLGYM_APIBANK",
    get=(
        "git clone https://github.com/AlibabaResearch/DAMO-ConvAI FOLDER && git -C FOLDER checkout 483554e",
        "export TOOLGYM_APIBANK=FOLDER/api-bank",
    ),
    files=("evaluator.py", "tool_manager.py", "api_call_extraction.py"),
    folders=("apis", "init_database", "lv1-lv2-samples"),
    version="DAMO-ConvAI 483554e (2026-06-10)",
    digest="c52ce06cb555d74d",
)
_POLICY = (
    "You are shown the record of a dialogue between a user and an assistant, with the calls that were made and their "
    "results. The year is 2023. Make the one call that comes next, and take its arguments from the record."
)


class APIBankExecuted(OneExchange):
    """Levels 1 and 2, executed."""

    name = "apibank_executed"
    policy = _POLICY

    def __init__(self) -> None:
        self._checker = Checker("API-Bank", Path(__file__).with_name("serve_executed.py"), APIBANK)

    def facts(self) -> Facts:
        """What it is."""
        left_out = {
            "searches for tools (level 2)": "scored by a sentence encoder that is downloaded",
            "level 3": "its right calls are not in the repository; `apibank` has ToolRL's",
            "what the assistant says": "scored by ROUGE-L",
        }
        source = "github.com/AlibabaResearch/DAMO-ConvAI, folder api-bank, commit 483554e"
        return Facts("API-Bank, levels 1 and 2, calls executed", "Apache-2.0", source, APIBANK.get, left_out)

    def find(self) -> Found:
        """What is here."""
        version, digest, known = APIBANK.found()
        rows = ROWS if known else {category: len(self.rows(category)) for category in ROWS}
        return Found(version, digest, rows, known)

    def named(self, category: str) -> Sequence[str]:
        """A level, or all."""
        if category == "all":
            return tuple(ROWS)
        if category not in ROWS:
            raise unknown(f"category of {self.name}", category, [*ROWS, "all"])
        return (category,)

    def rows(self, category: str) -> Sequence[Row]:
        """A level's calls."""
        return [_row(category, raw) for raw in self._checker.ask("rows", category=category)]

    def oracle(self, row: Row) -> Sequence[Message]:
        """The right call."""
        return [Message(role="assistant", tool_calls=row.gold)]

    def score(self, row: Row, trajectory: Trajectory) -> Score:
        """What its evaluator says."""
        wrong = self._checker.ask("score", id=row.id, text=text_of(answer_of(trajectory)))
        if not wrong:
            return Score(1.0)
        why = "no_call" if wrong.startswith("No API call") else "name" if "Name Mismatch" in wrong else "result"
        return Score(0.0, why, wrong[:500])

    def groups(self, values: Mapping[str, tuple[float, int]]) -> Sequence[Group]:
        """None: its levels are reported apart."""
        return ()

    def close(self) -> None:
        """End its process."""
        self._checker.close()


def text_of(answer: Message | None) -> str:
    """An answer as its evaluator reads it: [Name(key='value', ...)], else the words."""
    if answer is None or not answer.tool_calls:
        return (answer.content if answer else "") or ""
    return " ".join(map(_expression, answer.tool_calls))


def _expression(call: ToolCall) -> str:
    given = call.arguments if isinstance(call.arguments, Mapping) else {}
    return f"[{call.name}({', '.join(f'{name}={_value(value)}' for name, value in given.items())})]"


def _value(value: Json) -> str:
    """Lists stand bare, as its evaluator reads them; all else in quotes."""
    text = value if isinstance(value, str) else repr(value)
    return text if text.startswith("[") else f"'{text}'"


def _row(category: str, raw: Mapping[str, Any]) -> Row:
    return Row(
        id=raw["id"],
        category=category,
        opening=(Message(role="user", content="\n".join(map(_line, raw["history"]))),),
        tools=tuple(map(_tool, raw["tools"])),
        gold=(ToolCall(name=raw["name"], arguments=raw["arguments"]),),
    )


def _line(said: Mapping[str, Any]) -> str:
    if said["role"] != "API":
        return f"{said['role']}: {said['text']}"
    call = _expression(ToolCall(name=said["api_name"], arguments=said["param_dict"]))
    return f"{call} returned {said['result']['output']}"


def _tool(about: Mapping[str, Any]) -> dict[str, Json]:
    properties = {name: property_of(each) for name, each in about["given"].items()}
    required = [name for name, each in about["given"].items() if "optional" not in str(each).lower()]
    schema = {"type": "object", "properties": properties, "required": required}
    body = {"name": about["name"], "description": about["description"], "parameters": schema}
    return {"type": "function", "function": body}
