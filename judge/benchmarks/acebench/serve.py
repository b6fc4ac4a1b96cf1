"""Run as a program: ACEBench's own evaluation, answering requests.

    python serve.py CHECKOUT SCRATCH

Its tables for spreadsheets are not made; all else is as its `eval_main.py` does it.
"""

import importlib
import json
import sys
from pathlib import Path
from typing import Any, cast

from toolgym.judge.benchmarks.serving import place, serve

_PATHS = {"INPUT_PATH": "", "PROMPT_PATH": "", "POSSIBLE_ANSWER_PATH": "", "OUTPUT_PATH": ""}


class Evaluation:
    """Its evaluators on rows and results that are handed to them."""

    def __init__(self, checkout: Path) -> None:
        sys.path.insert(0, str(checkout))
        for library in ("pandas", "openpyxl", "openpyxl.styles"):
            place(library)
        self._data = checkout / "data_all" / "data_en"
        self._main = cast(Any, importlib.import_module("eval_main"))
        self._main.OUTPUT_PATH, self._main.language = "", "en"
        self._main.convert_result_to_excel = lambda *given: None
        self._main.save_score_as_json = lambda name, lines, folder=None: self._written.extend(lines)
        self._written: list[Any] = []
        self._read: dict[str, tuple[list[Any], list[Any]]] = {}

    def _rows(self, category: str) -> tuple[list[Any], list[Any]]:
        """A category's prompts and answers."""
        if category not in self._read:
            files = (self._data / f"data_{category}.json", self._data / "possible_answer" / f"data_{category}.json")
            prompts, answers = (
                [json.loads(line) for line in file.open(encoding="utf-8") if line.strip()] for file in files
            )
            self._read[category] = prompts, answers
        return self._read[category]

    def evaluate(self, category: str, results: dict[str, str]) -> list[Any]:
        """What its evaluator writes into a score file: a header with the accuracy, then what is wrong.

        Args:
            category: the category.
            results: the model's text by row; rows that are not named are left out.
        """
        chosen = [(p, a) for p, a in zip(*self._rows(category), strict=True) if p["id"] in results]
        prompts, answers = [prompt for prompt, _ in chosen], [answer for _, answer in chosen]
        said = [{"id": prompt["id"], "result": results[prompt["id"]]} for prompt in prompts]
        self._written.clear()
        if "special" in category:
            self._main.special_eval(said, prompts, answers, category, "toolgym", _PATHS)
        elif "normal_multi_turn" in category:
            self._main.normal_multi_turn_eval(said, prompts, answers, category, "toolgym", _PATHS)
        else:
            self._main.normal_single_turn_eval(said, prompts, answers, category, "toolgym", _PATHS)
        return list(self._written)


if __name__ == "__main__":
    serve(lambda: Evaluation(Path(sys.argv[1])), Path(sys.argv[2]))
