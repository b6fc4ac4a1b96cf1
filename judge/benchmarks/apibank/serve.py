"""Run as a program: ToolRL's evaluation script of API-Bank, answering requests.

python serve.py CHECKOUT SCRATCH
"""

import json
import runpy
import sys
from pathlib import Path

from toolgym.judge.benchmarks.serving import serve

_ROOT = Path("PATH_TO_YOUR_SCORE_ROOT")
"""Where the script looks for results and writes scores, as it stands in the script."""


class Script:
    """The script, run on one result at a time in the scratch folder."""

    def __init__(self, checkout: Path) -> None:
        self._file = str(checkout / "benchmarks/API-Bank/evaluate.py")
        (_ROOT / "toolgym").mkdir(parents=True)

    def score(self, calls: list[object], answer: object) -> int:
        """1 where the script counts the calls as right, else 0."""
        result = {"Level1_0": {"tool_calls": calls, "data": {"answer": answer}}}
        (_ROOT / "toolgym" / "result.json").write_text(json.dumps(result), encoding="utf-8")
        sys.argv = [self._file, "--model_paths", "toolgym"]
        runpy.run_path(self._file, run_name="__main__")
        scores = json.loads((_ROOT / "toolgym" / "score.json").read_text(encoding="utf-8"))
        return int(scores["Level1_0"]["score"])


if __name__ == "__main__":
    serve(lambda: Script(Path(sys.argv[1])), Path(sys.argv[2]))
