"""The runs of the study: warm starts and arms. Each leaves one JSON file; what has one is finished and skipped."""

from __future__ import annotations

import json
import os
import resource
import shutil
import time
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import torch

from judge.evaluation.run_folder import write_json
from sandbox.kit.errors import BadInput, InfrastructureError
from sandbox.kit.task import Task, read_tasks, write_tasks
from sandbox.runtime.limits import Limits
from study.tasks import study_tasks
from study.warm_start import chats, demonstrations, prepare
from toolgym.cli import main as toolgym
from training import plots
from training.export import export
from training.loop.settings import LoopSettings
from training.recipe import Setup, setup
from training.settings import TrainSettings
from training.verl_config import loop_values

RECIPE = Path(__file__).with_name("recipe.yaml")
CLEAN = "/clean"
Plan = Mapping[str, Any]


@dataclass(frozen=True)
class Study:
    """The plan and the folder of one study.

    Attributes:
        plan: the content of plan.yaml, perhaps made smaller.
        out: the folder.
    """

    plan: Plan
    out: Path

    @property
    def starts(self) -> list[str]:
        """The warm starts, one a seed; they play dev alone."""
        return [f"warm-{seed}" for seed in sorted({seed for seeds in self.plan["arms"].values() for seed in seeds})]

    @property
    def runs(self) -> list[str]:
        """The runs that play the test, seed by seed: a warm start as it is, and after it each of the arms."""
        arms = self.plan["arms"].items()
        found = sorted((place, seed, arm) for arm, seeds in arms for place, seed in enumerate(seeds))
        return [*(name.replace("warm", "start") for name in self.starts), *(f"{arm}-{seed}" for _, seed, arm in found)]

    def result(self, run: str) -> Path:
        """Where a run leaves what it came to."""
        return self.out / "results" / f"{run}.json"

    def finished(self) -> dict[str, dict[str, Any]]:
        """What the finished runs came to, by name."""
        names = [name for name in (*self.starts, *self.runs) if self.result(name).is_file()]
        return {name: json.loads(self.result(name).read_text(encoding="utf-8")) for name in names}

    # --- tasks ---

    def tasks(self, interaction: str) -> Path:
        """The folder of an interaction's tasks, with a file for each world."""
        return self.out / "tasks" / interaction

    def draw(self) -> None:
        """Draw the tasks that are not there yet."""
        sizes = {name: self.plan[name] for name in ("draws", "sizes")}
        for interaction, goals in self.plan["goals"].items():
            for world, names in goals.items():
                file = self.tasks(interaction) / f"{world}.jsonl"
                if not file.is_file():
                    file.parent.mkdir(parents=True, exist_ok=True)
                    write_tasks(file, study_tasks(world, names, interaction, **sizes, seed=self.plan["held_out"]))

    def of_split(self, interaction: str, split: str) -> list[Task]:
        """The tasks of a split, world by world."""
        files = [self.tasks(interaction) / f"{world}.jsonl" for world in self.plan["goals"][interaction]]
        return [task for file in files for task in read_tasks(file) if task.split == split]

    # --- runs ---

    def run(self, name: str) -> None:
        """Do what is left of a run.

        Raises:
            BadInput: there is no such run.
            InfrastructureError: its training failed; the sentence names the log.
        """
        if name not in (*self.starts, *self.runs):
            raise BadInput(f"There is no run {name!r}; there are: {', '.join((*self.starts, *self.runs))}.")
        if self.result(name).is_file():
            return
        torch.set_num_threads(1)
        began, spent = time.time(), _cpu_seconds()
        arm, _, seed = name.rpartition("-")
        found = self._warm(int(seed)) if arm == "warm" else self._tested(arm, int(seed))
        costs = {"wall_seconds": round(time.time() - began), "cpu_seconds": round(_cpu_seconds() - spent)}
        self.result(name).parent.mkdir(parents=True, exist_ok=True)
        write_json(self.result(name), {"run": name, "arm": arm, "seed": int(seed), **costs, **found})

    def _warm(self, seed: int) -> dict[str, Any]:
        """Imitate; dev of what it leads to."""
        model, losses = self.out / "models" / f"warm-{seed}", []
        if not (model / "config.json").is_file():
            train = [task for interaction in self.plan["goals"] for task in self.of_split(interaction, "train")]
            shown = chats(demonstrations(train, limits_of(self.setup("outcome", seed).settings)))
            part = model.with_name(f"{model.name}-part")
            shutil.rmtree(part, ignore_errors=True)
            losses = prepare(part, shown, list(self.plan["goals"]["dialogue"]), self.plan, seed)
            part.rename(model)
        return {"losses": [round(loss, 4) for loss in losses], "dev": self._of_both(model, "dev")}

    def _of_both(self, model: Path, split: str) -> list[dict[str, Any]]:
        """The outcomes of a model on a split of both interactions."""
        both = (("dialogue", "outcome"), ("program", "tier"))
        return [each for interaction, arm in both for each in self.played(model, interaction, arm, split)]

    def _tested(self, arm: str, seed: int) -> dict[str, Any]:
        """The test of a warm start or, after its training, of an arm."""
        self.run(f"warm-{seed}")
        return self._arm(arm, seed) if arm != "start" else self._before(seed)

    def _before(self, seed: int) -> dict[str, Any]:
        return {"test": self._of_both(self.out / "models" / f"warm-{seed}", "test")}

    def _arm(self, arm: str, seed: int) -> dict[str, Any]:
        """Train with verl, put the last checkpoint together, play the test."""
        folder, steps = self.out / "training" / f"{arm}-{seed}", self.plan["steps"]
        model = self.out / "models" / f"{arm}-{seed}"
        if not (model / "config.json").is_file():
            status = toolgym(["train", str(RECIPE), *self.settings(arm, seed), f"out={folder}"])
            if status == 130:
                raise KeyboardInterrupt
            if status != 0:
                raise InfrastructureError("model", f"The run in {folder} failed; see {folder / 'train.log'}.")
            shutil.rmtree(model, ignore_errors=True)
            export(folder, model, step=steps)
        interaction = "program" if "program" in self.setup(arm, seed).settings.mix else "dialogue"
        return {"dev_by_step": by_step(folder), "test": self.played(model, interaction, arm, "test")}

    def played(self, model: Path, interaction: str, arm: str, split: str) -> list[dict[str, Any]]:
        """The outcomes of a model on a split."""
        from study.play import play  # imports verl, which takes seconds

        test = self.plan["test"]
        tasks, settings = self.of_split(interaction, split), self.setup(arm, 0).settings
        found = play(model, tasks, test["trials"] if split == "test" else 1, settings, test["seed"])
        return [{**outcome, "interaction": interaction} for outcome in found]

    def settings(self, arm: str, seed: int) -> list[str]:
        """The settings of a training on the command line."""
        interaction = "program" if arm.startswith("tier") else "dialogue"
        model = self.out / "models" / f"warm-{seed}"
        given = [f"variant={arm}", f"model={model}", f"data=own:{self.tasks(interaction)}", f"seed={seed}"]
        return [*given, f"steps={self.plan['steps']}", *self.plan.get("training", ())]

    def setup(self, arm: str, seed: int) -> Setup:
        """The training as `toolgym train` reads it."""
        return setup(str(RECIPE), self.settings(arm, seed))


def by_step(folder: Path) -> dict[str, float]:
    """Clean success on dev at each validation of a training."""
    found = [line for name, line in plots.read(folder).items() if "/held_out/" in name and name.endswith(CLEAN)]
    steps = {step for line in found for step, _ in line}
    values = {step: [value for line in found for at, value in line if at == step] for step in sorted(steps)}
    return {str(step): sum(each) / len(each) for step, each in values.items()}


def limits_of(settings: TrainSettings) -> Limits:
    """The limits of an episode in a training with these settings."""
    return LoopSettings.model_validate(loop_values(settings)).limits()


def _cpu_seconds() -> float:
    """User seconds of this process and of what it has waited for."""
    return os.times().user + resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
