"""The learning study: do turn scores and partial credit teach a small model more than the outcome alone?

    python benchmarks/learning_study.py                     # the whole plan, two runs at a time; resumes what was begun
    python benchmarks/learning_study.py --runs warm-dialogue outcome-0 tarl-0
    python benchmarks/learning_study.py --smoke             # every part, in two minutes; says nothing

What is done, and how it is judged, is in benchmarks/study/plan.yaml, which was written before the results. Each run
leaves one file in OUT/results and is skipped once it has it; a training goes on from its last checkpoint. The page is
docs/learning-study.md.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import time
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import yaml
from rich.console import Console

from toolgym.judge.evaluation.run_folder import write_json
from toolgym.sandbox.kit.errors import InfrastructureError, ToolgymError
from toolgym.sandbox.runtime.extras import missing

try:
    import ray  # noqa: F401  # asked for here, before anything is drawn
    import torch  # noqa: F401
    from study.analysis import analysed, draw, table
    from study.runs import Study
except ModuleNotFoundError as error:
    sys.exit(str(missing(error, "The learning study", "train")))

PLANS = Path(__file__).parent / "study"


def arguments(words: Sequence[str] | None = None) -> argparse.Namespace:
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--out", type=Path, help="folder; what is finished in it is kept (default: runs/study)")
    parser.add_argument("--runs", nargs="+", metavar="RUN", help="these runs only, such as warm-program or tarl-2")
    parser.add_argument("--jobs", type=int, default=2, help="runs at a time, one core each (default: 2)")
    parser.add_argument("--smoke", action="store_true", help="a tiny size that shows that every part works")
    given = parser.parse_args(words)
    given.out = given.out or Path("runs/study-smoke" if given.smoke else "runs/study")
    return given


def study_of(given: argparse.Namespace) -> Study:
    """The study that the command line asks for."""
    names = ["plan", "smoke"] if given.smoke else ["plan"]
    plans = [yaml.safe_load((PLANS / f"{name}.yaml").read_text(encoding="utf-8")) for name in names]
    return Study({key: value for plan in plans for key, value in plan.items()}, given.out)


def together(runs: Sequence[str], given: argparse.Namespace, console: Console) -> None:
    """Do so many runs at a time, each in a process of its own."""
    with ThreadPoolExecutor(given.jobs) as pool:
        for name, status in zip(runs, pool.map(lambda name: apart(name, given), runs), strict=True):
            if status != 0:
                raise InfrastructureError("model", f"The run {name} failed; see {given.out / 'logs' / name}.log.")
            console.print(f"{name} is finished", highlight=False)


def apart(name: str, given: argparse.Namespace) -> int:
    """One run in a process of its own, which ends with this one."""
    log = given.out / "logs" / f"{name}.log"
    log.parent.mkdir(parents=True, exist_ok=True)
    size = ["--smoke"] if given.smoke else []
    command = [sys.executable, __file__, "--out", str(given.out), "--runs", name, "--jobs", "1", *size]
    with log.open("a", encoding="utf-8") as file:
        return subprocess.run(command, stdout=file, stderr=subprocess.STDOUT, env=os.environ | ONE_THREAD).returncode


ONE_THREAD = {"OMP_NUM_THREADS": "1", "VERL_PLATFORM": "cpu", "VERL_LOGGING_LEVEL": "ERROR"}


def run(given: argparse.Namespace) -> None:
    """The runs that were asked for, warm starts first, and what all finished ones come to."""
    console, began, study = Console(), time.time(), study_of(given)
    study.draw()
    wanted = given.runs or [*study.starts, *study.runs]
    if given.jobs == 1:
        for name in wanted:
            study.run(name)
    else:
        needed = dict.fromkeys(study.needed(name) for name in wanted)
        for stage in (list(needed), [name for name in wanted if name not in needed]):
            together([name for name in stage if not study.result(name).is_file()], given, console)
    found = analysed(study.plan, study.finished())
    write_json(study.out / "study.json", found)
    if found["arms"]:
        draw(found, study.out / "study.png")
    console.print(table(found), highlight=False, markup=False, soft_wrap=True)
    whole = "the whole plan" if found["complete"] else "a part of the plan: nothing is concluded from it"
    seconds = (
        f"{time.time() - began:.0f} s now, {found['wall_seconds']} s of runs, {found['cpu_seconds']} s of processor"
    )
    console.print(f"\n{whole}. {seconds}. All files: {study.out}", highlight=False, soft_wrap=True)


def main() -> None:
    """The command."""
    try:
        run(arguments())
    except ToolgymError as error:
        sys.exit(f"learning_study.py: {error}")
    except KeyboardInterrupt:
        sys.exit("Stopped; the same command goes on.")


if __name__ == "__main__":
    main()
