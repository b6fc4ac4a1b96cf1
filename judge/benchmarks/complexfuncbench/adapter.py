"""ComplexFuncBench's rows and its own comparison behind the contract of a benchmark."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from functools import cached_property
from pathlib import Path
from typing import Any

from toolgym.judge.benchmarks.checkout import Checker, Checkout
from toolgym.judge.benchmarks.contract import Facts, Found, Group, Row, Score
from toolgym.sandbox.kit.errors import unknown
from toolgym.sandbox.kit.message import Json, Message, ToolCall
from toolgym.sandbox.runtime.trajectory import Trajectory

DOMAINS = {"Car": 150, "Cross": 400, "Hotels": 150, "Attraction": 150, "Flights": 150}
DATA = Checkout(
    title="ComplexFuncBench's data",
    variable="TOOLGYM_NESTFUL_WRAPPER",
    get=("pip install --no-deps --target FOLDER nestful-wrapper==0.1.7", "export TOOLGYM_NESTFUL_WRAPPER=FOLDER"),
    files=tuple(f"data_v1/complexfuncbench/complexfuncbench-{part}.json" for part in ("data", "spec")),
    version="nestful-wrapper 0.1.7",
    digest="9da9aa6e807a4705",
)
CODE = Checkout(
    title="ComplexFuncBench's comparison",
    variable="TOOLGYM_COMPLEXFUNCBENCH",
    get=(
        "git clone https://github.com/THUDM/ComplexFuncBench FOLDER2 && git -C FOLDER2 checkout c37b284",
        "export TOOLGYM_COMPLEXFUNCBENCH=FOLDER2",
        "pip install scipy        # it pairs calls",
    ),
    files=(
        "runner/base_runner.py",
        "runner/gpt_runner.py",
        "utils/compare_method.py",
        "utils/utils.py",
        "utils/logger.py",
        "utils/tool_info.json",
        "utils/exact_match_values.json",
        "prompts/compare.py",
    ),
    version="ComplexFuncBench c37b284 (2025-01-20)",
    digest="1eae0e73b44026ab",
)
_POLICY = (
    "Help the user with a travel service's functions: make the calls that the request needs, several at once where "
    "none waits for another's result, take arguments from the user's words and from results, and then answer."
)


class ComplexFuncBench:
    """The 1,000 examples, with the responses that were recorded."""

    name = "complexfuncbench"
    policy = _POLICY

    def __init__(self) -> None:
        self._checker = Checker("ComplexFuncBench", Path(__file__).with_name("serve.py"), CODE, DATA)

    def facts(self) -> Facts:
        """What it is."""
        left_out = {
            "completeness and correctness of the last answer": "a judge model scores them (GPT-4o)",
            "the comparison by GPT-4o": "calls that differ by rule and by recorded response count as wrong",
            "each example's own list of functions": "not in the wheel; all 40 functions are offered",
        }
        source = "the wheel nestful-wrapper 0.1.7 (data); github.com/THUDM/ComplexFuncBench (comparison)"
        licence = "Apache-2.0 (the wheel); the comparison's repository states none"
        title = "ComplexFuncBench: chains of calls on recorded responses"
        return Facts(title, licence, source, (*DATA.get, *CODE.get), left_out)

    def find(self) -> Found:
        """What is here."""
        version, digest, known = DATA.found()
        code, also, same = CODE.found()
        count = sum(DOMAINS.values()) if known else len(DATA.read(DATA.files[0]))
        rows = dict.fromkeys(DOMAINS, 0)
        for domain, most in DOMAINS.items():
            rows[domain] = max(0, min(most, count - sum(rows.values())))
        return Found(f"{version}, {code}", f"{digest}-{also}", rows, known and same)

    def named(self, category: str) -> Sequence[str]:
        """A domain, or all."""
        if category == "all":
            return tuple(DOMAINS)
        if category not in DOMAINS:
            raise unknown(f"category of {self.name}", category, [*DOMAINS, "all"])
        return (category,)

    @cached_property
    def _tools(self) -> tuple[dict[str, Json], ...]:
        return tuple({"type": "function", "function": each} for each in self._checker.ask("tools"))

    def rows(self, category: str) -> Sequence[Row]:
        """A domain's rows."""
        return [
            Row(
                id=raw["id"],
                category=category,
                opening=(Message(role="user", content=raw["question"]),),
                tools=self._tools,
                lasting=True,
                gold=tuple(_call(call) for turn in raw["turns"] for call in turn),
                record={"turns": raw["turns"]},
            )
            for raw in self._checker.ask("rows", category=category)
        ]

    def world(self, row: Row) -> _Recorded:
        """The recorded responses."""
        return _Recorded(self._checker, row.id)

    def oracle(self, row: Row) -> Sequence[Message]:
        """The right calls, turn by turn, and a last word."""
        turns = [Message(role="assistant", tool_calls=tuple(map(_call, turn))) for turn in row.record["turns"]]
        return [*turns, Message(role="assistant", content="Done.")]

    def score(self, row: Row, trajectory: Trajectory) -> Score:
        """What its runner says: 1 for success, else the share of calls that it counts as right."""
        said = self.result(row, trajectory)
        if said["message"] == "Success.":
            return Score(1.0)
        counts = said["counts"]
        right, wanted = counts["correct_call_num"], counts["total_call_num"]
        errors = said["message"] if isinstance(said["message"], list) else [said["message"]]
        first = next((error for error in errors if isinstance(error, dict)), {})
        sentence = f"{right} of {wanted} calls are right. {first.get('content', '')}".strip()
        return Score(min(right / wanted, 1 - 1 / wanted), str(first.get("error_type", "wrong")), sentence)

    def result(self, row: Row, trajectory: Trajectory) -> dict[str, Any]:
        """What its runner says of an episode, in full."""
        turns, final = [], None
        for message in trajectory.messages:
            if message.role == "assistant" and message.tool_calls:
                turns.append([{"name": c.name, "arguments": c.arguments_text()} for c in message.tool_calls])
            elif message.role == "assistant":
                final = message.content or None
        return dict(self._checker.ask("score", id=row.id, turns=turns, final=final))

    def groups(self, values: Mapping[str, tuple[float, int]]) -> Sequence[Group]:
        """Calls that are right, over all rows alike; its success rate is pass^1."""
        whole = sum(count for _, count in values.values())
        value = sum(mean * count for mean, count in values.values()) / whole if len(values) == len(DOMAINS) else None
        return (Group("calls by row", value, "mean over rows of the share of right calls; 1 for a success"),)

    def export(self, folder: Path, model: str, played: Sequence[tuple[Row, Trajectory, Score]]) -> None:
        """A results file in its layout, for its own `print_results.py`."""
        place = folder / "complexfuncbench" / "result"
        place.mkdir(parents=True, exist_ok=True)
        with (place / "full-1000.jsonl").open("w", encoding="utf-8") as file:
            for row, trajectory, _ in played:
                said = self.result(row, trajectory)
                line = {"id": row.id, "gen_convs": said["conversation"], "message": said["message"]}
                line |= {"count_dict": said["counts"], "resp_eval": None}
                file.write(json.dumps(line, ensure_ascii=False) + "\n")

    def close(self) -> None:
        """End its process."""
        self._checker.close()


class _Recorded:
    """One row's recorded responses."""

    def __init__(self, checker: Checker, identifier: str) -> None:
        self._checker, self._id = checker, identifier

    def call(self, name: str, arguments: Mapping[str, Json]) -> str:
        """What was recorded for a call."""
        return str(self._checker.ask("call", id=self._id, name=name, arguments=dict(arguments)))

    def close(self) -> None:
        """Nothing to forget."""


def _call(call: Mapping[str, Any]) -> ToolCall:
    return ToolCall(name=call["name"], arguments=call["arguments"])
