"""Evaluations that Inspect plays in a process of its own, through `inspect_driver.py`."""

import json
import os
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from inspect_ai.log import EvalLog, read_eval_log

DRIVER = str(Path(__file__).with_name("inspect_driver.py"))


def play(runs: Sequence[dict[str, Any]], folder: Path, packages: str | None = None) -> list[EvalLog]:
    """What Inspect logs of some evaluations; `packages` is a folder of packages to find beside the installed ones."""
    asked = json.dumps([run | {"log_dir": str(folder)} for run in runs])
    environment = os.environ | ({"PYTHONPATH": packages} if packages else {})
    done = subprocess.run(
        [sys.executable, DRIVER],
        input=asked,
        cwd=folder,
        env=environment,
        capture_output=True,
        text=True,
        timeout=600,
        check=False,
    )
    assert done.returncode == 0, done.stderr[-3000:]
    return [read_eval_log(place) for place in json.loads(done.stdout.splitlines()[-1])]
