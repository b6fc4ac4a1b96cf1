"""Run as a program: T-Eval's own evaluator of reviews, answering requests.

    python serve.py CHECKOUT SCRATCH

Libraries that it imports and reviews do not need (a sentence encoder, mmengine) are replaced by placeholders.
"""

import importlib
import sys
from pathlib import Path
from typing import Any, cast

from judge.benchmarks.serving import place, serve

_ABSENT = ("mmengine", "sentence_transformers")


class Reviews:
    """The evaluator, on rows that are handed to it."""

    def __init__(self, checkout: Path) -> None:
        sys.path.insert(0, str(checkout))
        for library in _ABSENT:
            place(library)
        place("teval.evaluators", __path__=[str(checkout / "teval" / "evaluators")])  # its own loads all of them
        self._module = cast(Any, importlib.import_module("teval.evaluators.review_evaluator"))
        self._module.load = lambda rows: rows

    def score(self, rows: dict[str, Any]) -> dict[str, float]:
        """Its two measures over rows, each as in the file with the model's text as `prediction`."""
        found = self._module.ReviewEvaluator(rows).evaluate()
        return {name: float(found[name]) for name in ("parse_rate", "review_quality")}


if __name__ == "__main__":
    serve(lambda: Reviews(Path(sys.argv[1])), Path(sys.argv[2]))
