"""BFCL's forms: its tools as OpenAI's, an episode as its result, and its folders of results and scores."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from toolgym.judge.benchmarks.bfcl.versions import Version
from toolgym.judge.benchmarks.contract import Row, Score
from toolgym.judge.evaluation.run_folder import write_lines
from toolgym.sandbox.kit.message import Json, Message
from toolgym.sandbox.runtime.trajectory import Trajectory

_TYPES = {
    "dict": "object",
    "float": "number",
    "double": "number",
    "tuple": "array",
    "list": "array",
    "any": "string",
    "bool": "boolean",
    "byte": "integer",
    "short": "integer",
    "long": "integer",
    "char": "string",
    "ArrayList": "array",
    "Array": "array",
    "HashMap": "object",
    "Hashtable": "object",
    "Queue": "array",
    "Stack": "array",
    "Any": "string",
    "String": "string",
    "Bigint": "integer",
}
"""Its names of types, as JSON Schema has them."""
_KNOWN = frozenset({"object", "number", "array", "string", "integer", "boolean"})


def tool(document: Mapping[str, Any]) -> dict[str, Json]:
    """A function's document as an entry of OpenAI's list, under its own name."""
    body = {"name": document["name"], "description": document["description"]}
    return {"type": "function", "function": body | {"parameters": _schema(document["parameters"])}}


def _schema(node: Any) -> Any:
    if not isinstance(node, dict):
        return node
    found = {key: value for key, value in node.items() if key not in ("optional", "response")}
    kind = found.get("type")
    if isinstance(kind, str):
        plain = _TYPES.get(kind, kind)
        found["type"] = plain if plain in _KNOWN else "string"
        if kind == "float":
            found["format"] = "float"
        if found["type"] == "array" and "items" not in found:
            found["items"] = {}
    if isinstance(found.get("properties"), dict):
        found["properties"] = {name: _schema(value) for name, value in found["properties"].items()}
    if isinstance(found.get("items"), dict):
        found["items"] = _schema(found["items"])
    return found


def result(row: Row, trajectory: Trajectory) -> Json:
    """An episode as its result: of an exchange the message, of a conversation its messages by turn."""
    said = trajectory.messages[len(row.opening) :]
    unread = {position - len(row.opening) for position in trajectory.info.unread}
    if not row.lasting:
        return next((_message(message) for message in said if message.role == "assistant"), "")
    turns: list[Json] = []
    step: list[Json] = []
    for position, message in enumerate(said):
        if message.role == "assistant":
            step.append(_message(message) if position not in unread else message.content or "")
        elif message.role == "user" and position - 1 not in unread:
            turns.append(step)
            step = []
    return turns if trajectory.termination == "user_stop" else [*turns, step]


def _message(message: Message) -> Json:
    """Calls in the form of function-calling models, or the words."""
    if message.tool_calls:
        return [{call.name: call.arguments_text()} for call in message.tool_calls]
    return message.content or ""


def model_name(model: str) -> str:
    """A folder's name for a model: its own has no slash and no underscore."""
    return "".join(sign if sign.isalnum() or sign in ".-" else "-" for sign in model)


def write(folder: Path, version: Version, model: str, played: Sequence[tuple[Row, Trajectory, Score]]) -> None:
    """The files `result/MODEL/[GROUP/]PREFIX_CATEGORY_result.json` and their like of scores; the first trials alone."""
    parts: dict[str, list[tuple[Row, Trajectory, Score]]] = defaultdict(list)
    for each in played:
        if each[1].trial == 0:
            parts[each[0].category].append(each)
    for category, rows in parts.items():
        place = Path(model_name(model), version.place(category))
        results = [{"id": _own_id(row), "result": result(row, trajectory)} for row, trajectory, _ in rows]
        right = sum(score.passed for *_, score in rows)
        header = {"accuracy": right / len(rows), "correct_count": right, "total_count": len(rows)}
        wrong = [_wrong(model, row, trajectory, score) for row, trajectory, score in rows if not score.passed]
        for kind, lines in (("result", results), ("score", [header, *wrong])):
            path = folder / kind / place / f"{version.prefix}_{category}_{kind}.json"
            path.parent.mkdir(parents=True, exist_ok=True)
            write_lines(path, (json.dumps(line, ensure_ascii=False) for line in lines))


def _wrong(model: str, row: Row, trajectory: Trajectory, score: Score) -> dict[str, Any]:
    return {
        "id": _own_id(row),
        "model_name": model,
        "test_category": row.category,
        "valid": False,
        "error": [score.message],
        "error_type": score.why,
        "model_result": result(row, trajectory),
    }


def _own_id(row: Row) -> str:
    """The id in its file, where two rows have one."""
    return row.id.partition("#")[0]
