"""Run as a program: T-Eval's own evaluators, answering requests.

    python serve.py CHECKOUT SCRATCH [ENCODER]

ENCODER is the folder of the sentence encoder that scores plans, thoughts and arguments. Without it a placeholder takes
its place, and those scores are not asked for. Other libraries that they import and do not use are replaced as well.
"""

import importlib
import os
import sys
from pathlib import Path
from typing import Any, cast

from toolgym.judge.benchmarks.serving import place, serve

_MODULES = {"instruct": "instruct", "plan": "planning", "review": "review"}
"""How the evaluator's module and class are called; the other three share one."""
_SHARED = "reason_retrieve_understand"
_MEASURES = {
    "plan": "f1_score",
    "reason": "thought",
    "retrieve": "name",
    "understand": "args",
    "review": "review_quality",
}


class _Alike:
    """Stands for a similarity that nobody asks for."""

    def cpu(self) -> "_Alike":
        return self

    def numpy(self) -> Any:
        return cast(Any, importlib.import_module("numpy")).zeros((1, 1))


class _NoEncoder:
    """Stands for the encoder where only other measures are asked for."""

    def encode(self, texts: list[str], **how: Any) -> list[str]:
        return texts

    def cos_sim(self, one: Any, other: Any) -> _Alike:
        return _Alike()


class Evaluators:
    """The evaluators, on rows that are handed to them."""

    def __init__(self, checkout: Path, encoder: str | None) -> None:
        sys.path.insert(0, str(checkout))
        if encoder is None:
            self._encoder: Any = _NoEncoder()
            place("sentence_transformers", util=self._encoder)
            place("networkx")  # pairs the steps of plans
            place("tqdm", tqdm=lambda rows: rows)
        else:
            os.environ.update(
                HF_HUB_OFFLINE="1", TOKENIZERS_PARALLELISM="false", OMP_NUM_THREADS="1"
            )  # a few short texts
            self._encoder = cast(Any, importlib.import_module("sentence_transformers")).SentenceTransformer(encoder)
        for library in ("mmengine", "evaluate", "termcolor"):
            place(library)
        place("teval.evaluators", __path__=[str(checkout / "teval" / "evaluators")])  # its own loads all of them

    def score(self, dimension: str, form: str, rows: dict[str, Any]) -> dict[str, float]:
        """The dimension's measure over rows, each as in the file with the agent's text as `prediction`; and the share
        that could be read.
        """
        stem = _MODULES.get(dimension, _SHARED)
        module = cast(Any, importlib.import_module(f"teval.evaluators.{stem}_evaluator"))
        module.load = lambda rows: rows
        module.SentenceTransformer = lambda name: self._encoder
        name = "".join(part.capitalize() for part in stem.split("_"))
        evaluator = getattr(module, f"{name}Evaluator")(rows, default_prompt_type=form, eval_type=dimension)
        found = evaluator.evaluate()
        if dimension == "instruct":
            read, equal = (float(found[f"{_FORMATS[form]}_{each}_metric"]) for each in ("format", "args_em"))
            return {"value": (read + equal) / 2, "read": read}
        return {"value": float(found[_MEASURES[dimension]]), "read": float(found["parse_rate"])}


_FORMATS = {"json": "json", "str": "string"}


if __name__ == "__main__":
    encoder = sys.argv[3] if len(sys.argv) > 3 else None
    serve(lambda: Evaluators(Path(sys.argv[1]), encoder), Path(sys.argv[2]))
