"""When2Call, the part for an LLM judge: whether an agent calls, asks back, or says that it cannot help.

A reply with a call is one; what a reply in words is, a model says, asked as the benchmark's own script asks. The prompt
is read from that script in the user's checkout.
"""

from __future__ import annotations

import ast
import asyncio
import json
from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import Any

from toolgym.judge.benchmarks.checkout import Checkout
from toolgym.judge.benchmarks.contract import Facts, Found, Group, Row, Score
from toolgym.judge.benchmarks.exchange import OneExchange, answer_of
from toolgym.sandbox.kit.errors import BadInput, ConfigurationError, InfrastructureError, unknown
from toolgym.sandbox.kit.message import Json, Message, ToolCall
from toolgym.sandbox.models.client import ChatClient, client_for
from toolgym.sandbox.runtime.trajectory import Trajectory

CLASSES = ("tool_call", "request_for_info", "cannot_answer")
_EVERY = (*CLASSES, "direct_answer")
_DATA = "data/test/when2call_test_llm_judge.jsonl"
_SCRIPT = "evaluation/llm_as_a_judge/run_openai_judge.py"
WHEN2CALL = Checkout(
    title="When2Call",
    variable="TOOLGYM_WHEN2CALL",
    get=(
        "git clone https://github.com/NVIDIA/When2Call FOLDER && git -C FOLDER checkout ecc8d42",
        "export TOOLGYM_WHEN2CALL=FOLDER",
        "export TOOLGYM_JUDGE_MODEL=NAME TOOLGYM_JUDGE_BASE_URL=URL        # says what a reply in words is",
    ),
    files=(_DATA, _SCRIPT),
    version="When2Call ecc8d42 (2025-04-29)",
    digest="1ef7be1f2a02bcff",
)
_TYPES = {"dict": "object", "float": "number", "tuple": "array", "any": "string"}
_SHORTER = "Write the JSON object alone, in the form that was asked for."


class When2Call(OneExchange):
    """The 300 rows of the judge's part."""

    name = "when2call"
    policy = ""

    def facts(self) -> Facts:
        """What it is."""
        left_out = {
            "multiple choice": "scored by likelihoods of four answers, which endpoints do not give",
            "training sets": "nothing to score",
        }
        source = "github.com/NVIDIA/When2Call, commit ecc8d42"
        return Facts("When2Call, the LLM judge's part", "Apache-2.0", source, WHEN2CALL.get, left_out)

    def find(self) -> Found:
        """What is here."""
        version, digest, known = WHEN2CALL.found()
        every = [raw["correct_answer"] for raw in WHEN2CALL.lines(_DATA)]
        rows = {name: every.count(name) for name in CLASSES}
        return Found(version, digest, rows, known and rows == dict.fromkeys(CLASSES, 100))

    def named(self, category: str) -> Sequence[str]:
        """What is right: a class, or all."""
        if category == "all":
            return CLASSES
        if category not in CLASSES:
            raise unknown(f"category of {self.name}", category, [*CLASSES, "all"])
        return (category,)

    @cached_property
    def _judge(self) -> ChatClient:
        try:
            return client_for("judge", None)
        except BadInput as error:
            how = "\n".join(f"  {line}" for line in WHEN2CALL.get)
            raise ConfigurationError(
                f"When2Call's replies in words are judged by a model. {error} Do:\n{how}"
            ) from None

    @cached_property
    def _prompt(self) -> str:
        """The judge's prompt, with three places: tools, question, reply."""
        script = ast.parse((WHEN2CALL.folder() / _SCRIPT).read_text(encoding="utf-8"))
        for node in script.body:
            if isinstance(node, ast.Assign) and any(getattr(each, "id", "") == "JUDGE_PROMPT" for each in node.targets):
                return str(ast.literal_eval(node.value))
        raise ConfigurationError(f"{_SCRIPT} of {WHEN2CALL.title} holds no JUDGE_PROMPT; fetch it again.")

    def rows(self, category: str) -> Sequence[Row]:
        """The rows of a class; a judge must be there."""
        assert self._judge and self._prompt, "both say what is missing"
        return [_row(raw) for raw in WHEN2CALL.lines(_DATA) if raw["correct_answer"] == category]

    def oracle(self, row: Row) -> Sequence[Message]:
        """The file's own reply of the right class."""
        text = row.record["answers"][row.category]
        if row.category != "tool_call":
            return [Message(role="assistant", content=text)]
        call = json.loads(text)
        return [Message(role="assistant", tool_calls=(ToolCall(name=call["name"], arguments=call["arguments"]),))]

    def score(self, row: Row, trajectory: Trajectory) -> Score:
        """1 where the reply is of the right class; `why` is the class that it is of."""
        answer = answer_of(trajectory)
        if answer is None or not (answer.tool_calls or (answer.content or "").strip()):
            return Score(0.0, "no_reply", "Nothing was said.")
        found = "tool_call" if answer.tool_calls else asyncio.run(self._class_of(row, answer.content or ""))
        return Score(1.0) if found == row.category else Score(0.0, found, f"Right is {row.category}.")

    async def _class_of(self, row: Row, text: str) -> str:
        """What the judge says of a reply in words.

        Raises:
            InfrastructureError: it says none of the classes, twice.
        """
        asked = self._prompt.format(row.record["tools"], row.record["question"], text.strip())
        messages: list[dict[str, Json]] = [{"role": "user", "content": asked}]
        for _ in range(2):
            said = (await self._judge.complete(messages)).text
            try:
                found = json.loads(said.strip())["classification"]
            except (ValueError, KeyError, TypeError):
                found = None
            if found in _EVERY:
                return str(found)
            messages += [{"role": "assistant", "content": said}, {"role": "user", "content": _SHORTER}]
        raise InfrastructureError("judge", f"The judge names no class of When2Call; it said: {said[:200]!r}")

    def groups(self, values: Mapping[str, tuple[float, int]]) -> Sequence[Group]:
        """The mean over the three classes."""
        value = sum(mean for mean, _ in values.values()) / len(CLASSES) if len(values) == len(CLASSES) else None
        return (Group("accuracy", value, "mean of tool_call, request_for_info and cannot_answer"),)


def _row(raw: Mapping[str, Any]) -> Row:
    tools = [json.loads(each) for each in raw["tools"]]
    return Row(
        id=raw["uuid"],
        category=raw["correct_answer"],
        opening=(Message(role="user", content=raw["question"]),),
        tools=tuple({"type": "function", "function": _schema(each)} for each in tools),
        record={"answers": raw["answers"], "tools": tools, "question": raw["question"]},
    )


def _schema(node: Any) -> Any:
    if isinstance(node, list):
        return [_schema(each) for each in node]
    if not isinstance(node, dict):
        return node
    found = {key: _schema(value) for key, value in node.items()}
    if isinstance(found.get("type"), str):
        found["type"] = _TYPES.get(found["type"], found["type"])
    return found
