"""ACEBench's rows and its own evaluation behind the contract of a benchmark."""

from __future__ import annotations

import json
import keyword
from collections import defaultdict
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from toolgym.judge.benchmarks.checkout import Checker, Checkout
from toolgym.judge.benchmarks.contract import Facts, Found, Group, Row, Score
from toolgym.judge.benchmarks.exchange import OneExchange, answer_of
from toolgym.judge.evaluation.run_folder import write_json, write_lines
from toolgym.sandbox.kit.errors import BadInput, unknown
from toolgym.sandbox.kit.message import Json, Message, ToolCall
from toolgym.sandbox.runtime.trajectory import Trajectory

_ATOM = tuple(f"normal_atom_{kind}" for kind in ("bool", "enum", "number", "list", "object_deep", "object_short"))
_SINGLE = ("normal_single_turn_single_function", "normal_single_turn_parallel_function")
_DIALOGUE = ("normal_multi_turn_user_adjust", "normal_multi_turn_user_switch")
_SPECIAL = ("special_incomplete", "special_error_param", "special_irrelevant")
ROWS = (
    dict.fromkeys(_ATOM, 50)
    | dict.fromkeys(_SINGLE, 100)
    | {_DIALOGUE[0]: 123, _DIALOGUE[1]: 100, "normal_similar_api": 50, "normal_preference": 50}
    | dict.fromkeys(_SPECIAL, 50)
)
_COLLECTIONS = {
    "all": tuple(ROWS),
    "normal": tuple(name for name in ROWS if name.startswith("normal")),
    "special": _SPECIAL,
    "atom": _ATOM,
    "multi_turn": _DIALOGUE,
}
_DATA = "data_all/data_en"
ACEBENCH = Checkout(
    title="ACEBench",
    variable="TOOLGYM_ACEBENCH",
    get=(
        "git clone https://github.com/ACEBench/ACEBench FOLDER && git -C FOLDER checkout e6db74b",
        "export TOOLGYM_ACEBENCH=FOLDER",
    ),
    files=(
        *(f"{_DATA}/data_{name}.json" for name in ROWS),
        *(f"{_DATA}/possible_answer/data_{name}.json" for name in ROWS),
        *(f"model_eval/{name}.py" for name in ("checker", "evaluation_helper", "utils")),
        "model_inference/utils.py",
        "eval_main.py",
        "category.py",
    ),
    version="ACEBench e6db74b (2025-08-24)",
    digest="ca49c9c1b4a61846",
)
_POLICY = (
    "You are shown a conversation so far; in it, `system` is the assistant's side. Make the calls that the user's last "
    "request needs, all in one message. Give a parameter only where the conversation gives a value for it, in the "
    "user's own words unless its description asks for another form."
)
_SPECIAL_RULES = (
    "Where no call is right, make none and answer in exactly one of these forms. A value that the user gives does not "
    'fit what the function takes: "There is incorrect value (VALUE) for the parameters (NAME) in the conversation '
    'history." A value that the function requires is not given: "Missing necessary parameters (NAME, NAME, ...) for '
    'the api (FUNCTION)". No function can do it: "Due to the limitations of the function, I cannot solve this '
    'problem." Look for the first case first.'
)
_TYPES = {"dict": "object", "float": "number", "list": "array"}


class ACEBench(OneExchange):
    """The English half."""

    name = "acebench"
    policy = _POLICY

    def __init__(self) -> None:
        self._checker = Checker("ACEBench", Path(__file__).with_name("serve.py"), ACEBENCH)

    def facts(self) -> Facts:
        """What it is."""
        left_out = {
            "agent_multi_turn": "a language model plays its user",
            "agent_multi_step": "left out with agent_multi_turn, without which its group has no score",
            "data_zh": "Chinese",
        }
        source = "github.com/ACEBench/ACEBench, commit e6db74b"
        return Facts("ACEBench, English, normal and special", "MIT", source, ACEBENCH.get, left_out)

    def find(self) -> Found:
        """What is here."""
        version, digest, known = ACEBENCH.found()
        rows = {name: len(ACEBENCH.lines(f"{_DATA}/data_{name}.json")) for name in ROWS}
        return Found(version, digest, rows, known and rows == ROWS)

    def named(self, category: str) -> Sequence[str]:
        """A category, or one of its own collections."""
        if category in ROWS:
            return (category,)
        if category in _COLLECTIONS:
            return _COLLECTIONS[category]
        if category in self.facts().left_out:
            raise BadInput(f"{category} of ACEBench is not played: {self.facts().left_out[category]}.")
        raise unknown(f"category of {self.name}", category, [*ROWS, *_COLLECTIONS])

    def rows(self, category: str) -> Sequence[Row]:
        """A category's rows."""
        prompts = ACEBENCH.lines(f"{_DATA}/data_{category}.json")
        answers = {each["id"]: each for each in ACEBENCH.lines(f"{_DATA}/possible_answer/data_{category}.json")}
        return [_row(category, prompt, answers[prompt["id"]]["ground_truth"]) for prompt in prompts]

    def oracle(self, row: Row) -> Sequence[Message]:
        """The right calls, or the right sentence."""
        if row.category in _SPECIAL:
            return [Message(role="assistant", content=_sentence(row.category, row.record["answer"]))]
        return [Message(role="assistant", tool_calls=row.gold)]

    def score(self, row: Row, trajectory: Trajectory) -> Score:
        """What its evaluator says."""
        return self.score_text(row.category, row.id, result_of(trajectory))

    def score_text(self, category: str, identifier: str, text: str) -> Score:
        """What its evaluator says of a result in its own form."""
        header, *wrong = self._checker.ask("evaluate", category=category, results={identifier: text})
        if header["correct_count"]:
            return Score(1.0)
        error = wrong[0]["error"]
        sentence = " ".join(map(str, error)) if isinstance(error, list) else str(error)
        return Score(0.0, wrong[0]["error_type"] or "wrong", sentence)

    def groups(self, values: Mapping[str, tuple[float, int]]) -> Sequence[Group]:
        """Its summaries that hold no dialogue and no agent category."""
        return (
            Group("atom", _mean(values, _ATOM), "mean of the six atom categories"),
            Group("single turn", _mean(values, _SINGLE), "mean of single_function and parallel_function"),
            Group("special", _mean(values, _SPECIAL), "mean of incomplete, error_param and irrelevant"),
        )

    def export(self, folder: Path, model: str, played: Sequence[tuple[Row, Trajectory, Score]]) -> None:
        """Result files in its layout, and the header of every score file, dialogues counted as wholes."""
        texts: dict[str, dict[str, str]] = defaultdict(dict)
        for row, trajectory, _ in played:
            texts[row.category][row.id] = result_of(trajectory)
        headers = {}
        place = folder / "acebench" / "result_all" / "result_en" / "toolgym"
        place.mkdir(parents=True, exist_ok=True)
        for category, results in texts.items():
            lines = (json.dumps({"id": name, "result": text}, ensure_ascii=False) for name, text in results.items())
            write_lines(place / f"data_{category}_result.json", lines)
            headers[category] = self._checker.ask("evaluate", category=category, results=results)[0]
        write_json(folder / "acebench" / "accuracy.json", headers)

    def close(self) -> None:
        """End its process."""
        self._checker.close()


def result_of(trajectory: Trajectory) -> str:
    """An answer as ACEBench's models write it: calls in a list, as Python, else the words."""
    answer = answer_of(trajectory)
    if answer is None:
        return ""
    return f"[{', '.join(map(_expression, answer.tool_calls))}]" if answer.tool_calls else answer.content or ""


def _expression(call: ToolCall) -> str:
    """A call as Python text; what cannot be written so is unreadable there, and stays so."""
    given = call.arguments
    if isinstance(given, str) or not all(_is_name(part) for part in [*call.name.split("."), *given]):
        return f"({call.name})"
    return f"{call.name}({', '.join(f'{name}={value!r}' for name, value in given.items())})"


def _is_name(text: str) -> bool:
    return text.isidentifier() and not keyword.iskeyword(text)


def _row(category: str, prompt: Mapping[str, Any], answer: Any) -> Row:
    told = [f"The present: {prompt['time']}" if prompt.get("time") else ""]
    told += [f"What is known of the user: {prompt['profile']}" if prompt.get("profile") else ""]
    told += [_SPECIAL_RULES if category in _SPECIAL else ""]
    return Row(
        id=prompt["id"],
        category=category,
        opening=(Message(role="user", content=prompt["question"].strip()),),
        tools=tuple(map(_tool, prompt["function"])),
        system="\n\n".join(part for part in told if part),
        gold=() if category in _SPECIAL else _calls(answer),
        record={"answer": answer},
    )


def _calls(answer: Any) -> tuple[ToolCall, ...]:
    """The first of the accepted answers; of several calls of one function all but the first are numbered there."""
    first = answer[0] if isinstance(answer, list) else answer
    found = []
    for name, given in first.items():
        stem, _, number = name.rpartition("_")
        found.append(ToolCall(name=stem if number.isdecimal() and stem else name, arguments=given))
    return tuple(found)


def _sentence(category: str, answer: Any) -> str:
    if category == "special_irrelevant":
        return "Due to the limitations of the function, I cannot solve this problem."
    said = []
    for name, values in answer.items():
        if category == "special_incomplete":
            said.append(f"Missing necessary parameters ({', '.join(values)}) for the api ({name})")
        else:
            told = ", ".join(map(str, values))
            said.append(f"There is incorrect value ({told}) for the parameters ({name}) in the conversation history.")
    return " ".join(said)


def _tool(document: Mapping[str, Any]) -> dict[str, Json]:
    schema = _schema(document.get("parameters") or document.get("arguments") or {})
    schema = {"type": "object", "properties": {}} | schema
    body = {"name": document["name"], "description": document["description"], "parameters": schema}
    return {"type": "function", "function": body}


def _schema(node: Any) -> Any:
    if isinstance(node, list):
        return [_schema(each) for each in node]
    if not isinstance(node, dict):
        return node
    found = {key: _schema(value) for key, value in node.items()}
    if isinstance(found.get("type"), str):
        found["type"] = _TYPES.get(found["type"], found["type"])
    return found


def _mean(values: Mapping[str, tuple[float, int]], names: Sequence[str]) -> float | None:
    if any(name not in values for name in names):
        return None
    return sum(values[name][0] for name in names) / len(names)
