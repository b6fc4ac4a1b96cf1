"""Run as a program: API-Bank's own evaluator, which makes the calls on its databases, answering requests.

    python serve_executed.py CHECKOUT SCRATCH

Libraries that its search of tools, its translator and its clients need are replaced by placeholders.
"""

import importlib
import json
import os
import sys
from pathlib import Path
from typing import Any, cast

from toolgym.judge.benchmarks.serving import place, serve

_ABSENT: tuple[str, ...] = (
    "sentence_transformers",
    "googletrans",
    "rouge",
    "rank_bm25",
    "nltk",
    "nltk.tokenize",
    "nltk.corpus",
    "nltk.stem",
    "requests",
)
_ABSENT += ("utils", "tqdm")
_FOLDERS = {"executed-level-1": "level-1-given-desc", "executed-level-2": "level-2-toolsearcher"}
_SEARCH = "ToolSearcher"


class Bank:
    """The dialogues, and the evaluator of each."""

    def __init__(self, checkout: Path) -> None:
        os.chdir(checkout)
        sys.path.insert(0, str(checkout))
        for library in _ABSENT:
            place(library)
        self._module = cast(Any, importlib.import_module("evaluator"))
        self._described = {each["name"]: each for each in self._module.ToolManager().apis}
        self._evaluators: dict[str, Any] = {}

    def rows(self, category: str) -> list[dict[str, Any]]:
        """Every call of a level with what was said before, but the searches for tools."""
        found = []
        for file in sorted((Path("lv1-lv2-samples") / _FOLDERS[category]).glob("*.jsonl")):
            history = [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines() if line.strip()]
            samples = self._module.Sample.from_chat_history(history)
            self._evaluators[file.stem] = self._module.Evaluator(samples)
            for number, sample in enumerate(samples):
                right = sample.ground_truth
                if right["role"] == "API" and right["api_name"] != _SEARCH:
                    found.append(
                        {
                            "id": f"{file.stem}:{number}",
                            "history": sample.chat_history,
                            "name": right["api_name"],
                            "arguments": right["param_dict"],
                            "tools": [self._tool(name) for name in self._offered(category, sample)],
                        }
                    )
        return found

    def _offered(self, category: str, sample: Any) -> list[str]:
        """The tools of the dialogue, or those that its searches have found so far."""
        if category == "executed-level-1":
            return sorted(sample.apis)
        searches = [each["result"]["output"] for each in sample.chat_history if each.get("api_name") == _SEARCH]
        every = [tool for output in searches for tool in (output if isinstance(output, list) else [output])]
        return sorted({tool["name"] for tool in every if tool and tool["name"] in self._described})

    def _tool(self, name: str) -> dict[str, Any]:
        about = self._described[name]
        return {"name": name, "description": about["description"], "given": about["input_parameters"]}

    def score(self, id: str, text: str) -> str:
        """Nothing for a right call, else what is wrong with a model's text."""
        call = self._module.get_api_call(text)
        if not call:
            return "No API call found"
        file, _, number = id.rpartition(":")
        if file not in self._evaluators:  # started again since the rows were asked for
            for category in _FOLDERS:
                self.rows(category)
        try:
            right, result = self._evaluators[file].evaluate(int(number), call)
        except AssertionError as error:
            if "The API name is not correct." not in str(error):
                raise
            right, result = False, str(error)
        return "" if right else str(result) or "wrong"


if __name__ == "__main__":
    serve(lambda: Bank(Path(sys.argv[1])), Path(sys.argv[2]))
