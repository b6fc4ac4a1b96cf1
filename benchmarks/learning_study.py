"""The learning study: what each of the papers' rewards teaches a small model that mostly neither asks nor confirms.

    python benchmarks/learning_study.py                     # the whole plan; goes on where it was broken off
    python benchmarks/learning_study.py --runs outcome-0 tarl-0

What is done, and how it is judged, is in benchmarks/study/plan.yaml, which was written before the results. Each run
leaves one file in OUT/results and is skipped once it has it; a training goes on from its last checkpoint. The page is
docs/learning-study.md.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import sys
import time
import warnings
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import fmean
from typing import Any

import yaml
from rich.console import Console

from toolgym.cli import main as toolgym
from toolgym.judge.evaluation.run_folder import write_json
from toolgym.sandbox.kit.errors import BadInput, InfrastructureError, ToolgymError
from toolgym.sandbox.kit.task import read_tasks
from toolgym.sandbox.runtime.extras import missing

PLAN = Path(__file__).parent / "study" / "plan.yaml"
LAPTOP = Path(__file__).parents[1] / "examples" / "laptop"
os.environ.setdefault("VERL_PLATFORM", "cpu")  # read while verl is imported
os.environ.setdefault("VERL_LOGGING_LEVEL", "ERROR")
warnings.filterwarnings("ignore", module="verl")  # it warns of every engine that is not installed
sys.path.insert(0, str(LAPTOP))

try:
    import verl  # noqa: F401  # asked for here, before anything is done
    from run import RECIPE, begin
    from study.analysis import START, analysed, outcome, table

    from toolgym.training import plots
    from toolgym.training.cpu.play import play
    from toolgym.training.export import export
    from toolgym.training.recipe import setup
except ModuleNotFoundError as error:
    sys.exit(str(missing(error, "The learning study", "train")))


@dataclass(frozen=True)
class Study:
    """The plan and the folder of one study.

    Attributes:
        plan: the content of plan.yaml.
        out: the folder.
    """

    plan: Mapping[str, Any]
    out: Path

    @property
    def runs(self) -> list[str]:
        """All runs in their order: the start as it is, then a seed of every arm before the next seed."""
        found = [START]
        for group in ("arms", "further"):
            found += [f"{arm}-{seed}" for seed in self.plan["seeds"] for arm in self.plan[group]]
        return found

    def result(self, run: str) -> Path:
        """Where a run leaves what it came to."""
        return self.out / "results" / f"{run}.json"

    def finished(self) -> dict[str, dict[str, Any]]:
        """What the finished runs came to, by name."""
        return {
            name: json.loads(self.result(name).read_text("utf-8")) for name in self.runs if self.result(name).is_file()
        }

    def settings(self, run: str) -> list[str]:
        """A training's settings on the command line."""
        arm, _, seed = run.rpartition("-")
        chosen = (self.plan["arms"] | self.plan["further"])[arm]
        data = f"data=own:{self.out / 'tasks.jsonl'}"
        return [f"model={self.out / 'start'}", data, f"seed={seed}", *self.plan["training"], *chosen]

    def run(self, name: str, console: Console) -> None:
        """Do what is left of a run.

        Raises:
            BadInput: there is no such run.
            InfrastructureError: its training failed; the sentence names the log.
        """
        if name not in self.runs:
            raise BadInput(f"There is no run {name!r}; there are: {', '.join(self.runs)}.")
        if self.result(name).is_file():
            return
        began, model = time.time(), begin(self.out, console)
        found: dict[str, Any] = {"run": name, "arm": START, "seed": 0}
        if name != START:
            arm, _, seed = name.rpartition("-")
            model, folder = self._trained(name), self.out / "training" / name
            found |= {"arm": arm, "seed": int(seed), "training": in_training(folder)}
        test = self.plan["test"]
        found["played"] = {
            population: [
                outcome(each)
                for each in play(
                    model,
                    [task for task in read_tasks(self.out / "tasks.jsonl") if task.split == population],
                    setup(str(RECIPE)).settings,
                    trials=test["trials"],
                    seed=test["seed"],
                )
            ]
            for population in self.plan["populations"]
        }
        self.result(name).parent.mkdir(parents=True, exist_ok=True)
        write_json(self.result(name), found | {"wall_seconds": round(time.time() - began)})

    def _trained(self, name: str) -> Path:
        """The model of a run after its last step."""
        folder, model = self.out / "training" / name, self.out / "models" / name
        if (model / "config.json").is_file():
            return model
        status = toolgym(["train", str(RECIPE), *self.settings(name), f"out={folder}"])
        if status == 130:
            raise KeyboardInterrupt
        if status != 0:
            raise InfrastructureError("model", f"The run in {folder} failed; see {folder / 'train.log'}.")
        shutil.rmtree(model, ignore_errors=True)
        export(folder, model, step=max(step for step, _ in plots.read(folder)["toolgym/acc"]))
        return model


def in_training(folder: Path) -> dict[str, float]:
    """Over all steps: what passed, the share of groups whose rollouts all earned the same, and the mean reward."""
    series = plots.read(folder)
    wanted = {"passed": "toolgym/acc", "constant_groups": "toolgym/constant_groups", "reward": "critic/score/mean"}
    return {name: fmean(value for _, value in series[key]) for name, key in wanted.items() if key in series}


def arguments(words: Sequence[str] | None = None) -> argparse.Namespace:
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--out", type=Path, default=Path("runs/study"), help="folder; what is finished in it is kept")
    parser.add_argument("--runs", nargs="+", metavar="RUN", help="these runs only, such as start or tarl-2")
    return parser.parse_args(words)


def study_of(given: argparse.Namespace) -> Study:
    """The study that the command line asks for."""
    return Study(yaml.safe_load(PLAN.read_text(encoding="utf-8")), given.out)


def main() -> None:
    """The command."""
    given, console = arguments(), Console()
    study = study_of(given)
    try:
        for name in given.runs or study.runs:
            study.run(name, console)
            found = analysed(study.plan, study.finished())
            write_json(study.out / "study.json", found)
            console.print(f"\n{table(study.plan, found)}\n", highlight=False, markup=False, soft_wrap=True)
            console.print(
                f"{name} is finished; {found['done']} of {found['planned']} runs of the plan", highlight=False
            )
    except ToolgymError as error:
        sys.exit(f"learning_study.py: {error}")
    except KeyboardInterrupt:
        sys.exit("Stopped; the same command goes on.")


if __name__ == "__main__":
    main()
