"""Run as a program: ComplexFuncBench's own runner and comparison on recorded responses, answering requests.

    python serve.py CHECKOUT SCRATCH WHEEL

Of its three comparisons the first two are made: by rule, and by equal responses, where both are on record. The third
asks GPT-4o and is not made. Calls are paired, where they are not equal, by the words that they share; the original does
that with an embedding model.
"""

import functools
import importlib
import json
import logging
import os
import re
import sys
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np

from toolgym.judge.benchmarks.complexfuncbench.conversations import functions_of, turns_of
from toolgym.judge.benchmarks.serving import place, serve

DOMAINS = {"Car": 150, "Cross": 400, "Hotels": 150, "Attraction": 150, "Flights": 150}
"""The domains in the file's order, recognised by the functions that are called."""


class _Words:
    """Stands for the embedding model: a text's counts of words, of length 1."""

    def __init__(self, *given: Any, **named: Any) -> None:
        self._places: dict[str, int] = {}

    def encode(self, texts: list[str]) -> Any:
        rows = np.zeros((len(texts), 4096))
        for row, text in zip(rows, texts, strict=True):
            for word in text.replace('"', " ").replace(",", " ").split():
                row[self._places.setdefault(word, len(self._places)) % 4096] += 1
        return rows / np.linalg.norm(rows, axis=1, keepdims=True)


class _Silent:
    """Stands for a model that is not asked."""

    def __init__(self, *given: Any, **named: Any) -> None:
        self.messages: list[Any] = []

    def __call__(self, *given: Any, **named: Any) -> str:
        return ""


class _Replayed:
    """A model that says what an agent has said."""

    def __init__(self, turns: list[list[dict[str, Any]]], final: str | None) -> None:
        self._turns, self._final = iter(turns), final
        self.messages: list[Any] = []

    def __call__(self, messages: Any, tools: Any) -> Any:
        turn = next(self._turns, None)
        if turn is None:
            return SimpleNamespace(tool_calls=None, content=self._final)
        calls = [
            SimpleNamespace(
                id=str(number), function=SimpleNamespace(name=_plain(each["name"]), arguments=each["arguments"])
            )
            for number, each in enumerate(turn)
        ]
        return SimpleNamespace(tool_calls=calls, content=None)


def _plain(name: str) -> str:
    """A name as the runner tells models; it turns it back itself."""
    return re.sub(r"[^a-zA-Z0-9_-]", "-", name)[:64]


def _key(call: dict[str, Any]) -> str:
    return json.dumps([call["name"], call["arguments"]], sort_keys=True)


class Bench:
    """The rows, the recorded responses and the runner."""

    def __init__(self, checkout: Path, wheel: Path) -> None:
        data = wheel / "data_v1" / "complexfuncbench"
        with (data / "complexfuncbench-spec.json").open(encoding="utf-8") as file:
            self.functions = functions_of(json.load(file))
        types = {
            each["name"]: {name: about["type"] for name, about in each["parameters"]["properties"].items()}
            for each in self.functions
        }
        with (data / "complexfuncbench-data.json").open(encoding="utf-8") as file:
            raw = json.load(file)
        names = [f"{domain}-{number}" for domain, count in DOMAINS.items() for number in range(count)]
        self._asked = {name: each["input"].strip() for name, each in zip(names, raw, strict=False)}
        self._turns = {
            name: turns_of(each["input"], each["output"], types) for name, each in zip(names, raw, strict=False)
        }
        every = (call for turns in self._turns.values() for turn in turns for call in turn)
        self._recorded: dict[str, Any] = {}
        for call in every:
            self._recorded.setdefault(_key(call), call["response"])
        place("torch")
        place("FlagEmbedding", FlagModel=_Words)
        place("models.gpt", GPTModel=_Silent, FunctionCallGPT=_Silent)
        place("utils.rapidapi", RapidAPICall=functools.partial(_Recorded, self._recorded))
        sys.path.insert(0, str(checkout))
        os.chdir(checkout)
        found = importlib.import_module("runner.gpt_runner").GPTRunner

        logger = logging.getLogger("complexfuncbench")
        logger.disabled = True
        self._runner = functools.partial(found, SimpleNamespace(model_name="toolgym"), logger)
        self._compare = self._runner().CompareClass

    def rows(self, category: str) -> list[dict[str, Any]]:
        """A domain's rows, without responses."""
        return [
            {
                "id": name,
                "question": self._asked[name],
                "turns": [[{"name": c["name"], "arguments": c["arguments"]} for c in turn] for turn in turns],
            }
            for name, turns in self._turns.items()
            if name.rpartition("-")[0] == category
        ]

    def tools(self) -> list[dict[str, Any]]:
        """Every function."""
        return self.functions

    def call(self, id: str, name: str, arguments: dict[str, Any]) -> str:
        """What a call comes to: what was recorded for it, or the runner's own words for what is wrong."""
        call = {"name": name, "arguments": arguments}
        key = _key(call)
        own = next((each for turn in self._turns[id] for each in turn if _key(each) == key), None)
        if own is not None or key in self._recorded:
            return json.dumps(own["response"] if own is not None else self._recorded[key], ensure_ascii=False)
        wrong = self._compare.format_check(call, self.functions)
        return json.dumps(wrong if wrong is not True else self._runner().unexpect_call_resp)

    def score(self, id: str, turns: list[list[dict[str, Any]]], final: str | None) -> dict[str, Any]:
        """What its runner says of an agent's turns: its message, and the counts that its results file holds."""
        conversations: list[dict[str, Any]] = [{"role": "user", "content": self._asked[id]}]
        for turn in self._turns[id]:
            calls = [{"name": call["name"], "arguments": call["arguments"]} for call in turn]
            conversations.append({"role": "assistant", "function_call": calls})
            conversations.append({"role": "observation", "content": [call["response"] for call in turn]})
        runner = self._runner()
        runner.model = _Replayed(turns, final)
        said, message, turn_id, correct = runner.run({"conversations": conversations, "functions": self.functions})
        return {
            "message": message,
            "counts": {
                "success_turn_num": turn_id,
                "total_turn_num": len(self._turns[id]),
                "correct_call_num": correct,
                "total_call_num": sum(map(len, self._turns[id])),
                "real_turn_num": sum("function_call" in each for each in said),
            },
            "conversation": said,
        }


class _Recorded:
    """Stands for the service: knows the calls that were recorded."""

    def __init__(self, recorded: dict[str, Any], *given: Any, **named: Any) -> None:
        self._responses = recorded

    def _call(self, call: dict[str, Any]) -> Any:
        return self._responses.get(_key(call))


if __name__ == "__main__":
    serve(lambda: Bench(Path(sys.argv[1]), Path(sys.argv[3])), Path(sys.argv[2]))
