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

from study.tasks import study_tasks
from study.warm_start import demonstrations, prepare
from toolgym.cli import main as toolgym
from toolgym.judge.evaluation.run_folder import write_json
from toolgym.sandbox.kit.errors import BadInput, InfrastructureError
from toolgym.sandbox.kit.task import Task, read_tasks, write_tasks
from toolgym.sandbox.runtime.limits import Limits
from toolgym.training import plots
from toolgym.training.export import export
from toolgym.training.loop.settings import LoopSettings
from toolgym.training.recipe import Setup, setup
from toolgym.training.settings import TrainSettings
from toolgym.training.verl_config import loop_values

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
        """The warm starts, one for each interaction; they play dev alone."""
        return [f"warm-{interaction}" for interaction in self.plan["goals"]]

    @property
    def runs(self) -> list[str]:
        """The runs that play the test: a warm start as it is, and after it each of the arms, seed by seed."""
        arms = self.plan["arms"].items()
        found = sorted((place, seed, arm) for arm, seeds in arms for place, seed in enumerate(seeds))
        return [*(name.replace("warm", "start") for name in self.starts), *(f"{arm}-{seed}" for _, seed, arm in found)]

    def needed(self, run: str) -> str:
        """The warm start that a run begins with."""
        return f"warm-{interaction_of(run)}"

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
        for interaction, goals in self.plan["goals"].items():
            for world, names in goals.items():
                file = self.tasks(interaction) / f"{world}.jsonl"
                if not file.is_file():
                    file.parent.mkdir(parents=True, exist_ok=True)
                    wanted = {"draws": self.plan["draws"][interaction][world], "sizes": self.plan["sizes"]}
                    seed = self.plan["held_out"][interaction]
                    write_tasks(file, study_tasks(world, names, interaction, **wanted, seed=seed))

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
        if arm == "warm":
            found: dict[str, Any] = self._warm(seed)
        else:
            self.run(self.needed(name))
            found = self._before(seed) if arm == "start" else self._arm(arm, int(seed))
        costs = {"wall_seconds": round(time.time() - began), "cpu_seconds": round(_cpu_seconds() - spent)}
        self.result(name).parent.mkdir(parents=True, exist_ok=True)
        write_json(self.result(name), {"run": name, "arm": arm, "seed": seed, **costs, **found})

    def _warm(self, interaction: str) -> dict[str, Any]:
        """Imitate; dev of what it leads to."""
        model, losses = self.out / "models" / f"warm-{interaction}", []
        if not (model / "config.json").is_file():
            limits = limits_of(self.setup(ARM_OF[interaction], 0).settings)
            shown = demonstrations(self.of_split(interaction, "train"), limits)
            part = model.with_name(f"{model.name}-part")
            shutil.rmtree(part, ignore_errors=True)
            losses = prepare(part, shown, list(self.plan["goals"][interaction]), self.plan)
            part.rename(model)
        return {"losses": [round(loss, 4) for loss in losses], "dev": self.played(model, interaction, "dev")}

    def _before(self, interaction: str) -> dict[str, Any]:
        """The test of a warm start."""
        return {"test": self.played(self.out / "models" / f"warm-{interaction}", interaction, "test")}

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
        return {"dev_by_step": by_step(folder), "test": self.played(model, interaction_of(arm), "test")}

    def played(self, model: Path, interaction: str, split: str) -> list[dict[str, Any]]:
        """The outcomes of a model on a split."""
        from study.play import play  # imports verl, which takes seconds

        test = self.plan["test"]
        tasks = self.of_split(interaction, split)[: test["tasks"]]
        found = play(model, tasks, test["trials"], self.setup(ARM_OF[interaction], 0).settings, test["seed"])
        return [{**outcome, "interaction": interaction} for outcome in found]

    def settings(self, arm: str, seed: int) -> list[str]:
        """The settings of a training on the command line."""
        interaction = interaction_of(arm)
        model = self.out / "models" / f"warm-{interaction}"
        given = [f"variant={arm}", f"model={model}", f"data=own:{self.tasks(interaction)}", f"seed={seed}"]
        return [*given, f"steps={self.plan['steps']}", *self.plan.get("training", ())]

    def setup(self, arm: str, seed: int) -> Setup:
        """The training as `toolgym train` reads it."""
        return setup(str(RECIPE), self.settings(arm, seed))


ARM_OF = {"dialogue": "outcome", "program": "tier"}
"""An arm of each interaction, for its limits."""


def interaction_of(run: str) -> str:
    """The interaction of a run or an arm."""
    return "program" if run.startswith("tier") or run.endswith("program") else "dialogue"


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
