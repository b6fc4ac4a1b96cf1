"""Run as a program: NESTFUL's own scorer, answering requests.

    python serve.py CHECKOUT SCRATCH

The libraries that it imports are replaced: of scikit-learn it is given the share of equal places of two lists, which is
all that its sequence accuracies need; the F1 scores over a whole file are not made.
"""

import importlib
import json
import sys
from pathlib import Path
from typing import Any, cast

from toolgym.judge.benchmarks.serving import place, serve

_READER = "Granite-20B-FunctionCalling"
"""The model whose output is read as a list of JSON calls and nothing else."""


def share_of_equal(right: list[str], given: list[str]) -> float:
    """The share of places at which two lists are equal (ValueError where their lengths differ)."""
    if len(right) != len(given):
        raise ValueError("lists of different lengths")
    return sum(one == other for one, other in zip(right, given, strict=True)) / len(right)


class _Table:
    """Stands for pandas' table: the columns as they are."""

    @staticmethod
    def from_dict(columns: dict[str, Any]) -> dict[str, Any]:
        return columns


class Scorer:
    """The scorer, on one row at a time."""

    def __init__(self, checkout: Path) -> None:
        sys.path.insert(0, str(checkout / "src"))
        for library in ("jsonlines", "sklearn", "sklearn.preprocessing"):
            place(library)
        place("sklearn.metrics", accuracy_score=share_of_equal)
        place("pandas", DataFrame=_Table)
        place("tqdm", tqdm=lambda rows: rows)
        self._scorer = cast(Any, importlib.import_module("scorer"))
        self._scorer.compute_score_sklearn = lambda right, given: (0.0, 0.0, 0.0)

    def score(self, right: list[Any], calls: list[Any]) -> dict[str, float]:
        """Its partial and full sequence accuracy of calls, and whether it could not read them."""
        text = "".join(f"<function_call> {json.dumps(call)}" for call in calls)
        item = {"sample_id": "0", "output": json.dumps(right), "generated_text": text}
        _, table = self._scorer.calculate_scores([item], _READER, "", win_rate_flag=False)
        names = {"partial": "all_accuracy_combined", "full": "full_scores", "unread": "pred_examples_w_parsing_errors"}
        return {name: float(table[column][0]) for name, column in names.items()}


if __name__ == "__main__":
    serve(lambda: Scorer(Path(sys.argv[1])), Path(sys.argv[2]))
