"""Plays a trained model on tasks, without verl's trainer: the agent loop and the rollout server of training, in here.

So an evaluation is what a rollout is, drawn by seeds of its own: the same model, tasks and seed give the same outcomes.
"""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from omegaconf import OmegaConf
from rollout import loop
from verl.workers.config import HFModelConfig

from study.tasks import composition
from study.warm_start import FORMATS
from toolgym.sandbox.kit.task import Task
from toolgym.training.cpu import ENGINE
from toolgym.training.cpu.rollout import MAX_BATCH, TransformersServer
from toolgym.training.data.rows import told
from toolgym.training.loop.agent_loop import ToolgymLoop
from toolgym.training.settings import TrainSettings
from toolgym.training.verl_config import loop_values


@dataclass(frozen=True)
class Outcome:
    """How one conversation or program ended: `clean` is passed without a violation."""

    task: str
    trial: int
    world: str
    depth: int
    composition: tuple[str, str]
    clean: bool
    passed: bool
    turns: int


def play(model: Path, tasks: Sequence[Task], trials: int, settings: TrainSettings, seed: int) -> list[dict[str, Any]]:
    """The outcomes of so many trials of every task, at temperature 1.

    Args:
        model: a Hugging Face folder.
        tasks: what is played.
        trials: of each task.
        settings: of the training, for its limits.
        seed: of the sampling.
    """
    lengths = {"prompt_length": settings.prompt_tokens, "response_length": settings.response_tokens}
    config = OmegaConf.create({"seed": seed, **lengths})
    described = HFModelConfig(path=str(model))
    server = TransformersServer(config, described, 0)
    custom = {"toolgym": {**loop_values(settings), "reward": "outcome", "credit": "trajectory", "drift_check": False}}
    changes = {"name": ENGINE, "seed": seed, "custom": custom, **lengths}
    jobs = [(number, task, trial) for trial in range(trials) for number, task in enumerate(tasks)]

    async def together() -> list[dict[str, Any]]:
        gate = asyncio.Semaphore(MAX_BATCH)

        async def one(number: int, task: Task, trial: int) -> dict[str, Any]:
            async with gate:
                played = loop(ToolgymLoop, described.tokenizer, server, changes=changes)
                return asdict(
                    _outcome(task, trial, await played.run({"temperature": 1.0}, **_row(number, task, trial)))
                )

        return list(await asyncio.gather(*(one(*job) for job in jobs)))

    return asyncio.run(together())


def _row(number: int, task: Task, trial: int) -> dict[str, Any]:
    program, text_format = task.interaction == "program", FORMATS[task.interaction]
    kind = "program" if program else "text"
    info = {
        "task_json": task.model_dump_json(),
        "split": task.split,
        "seed": task.seed,
        "format": text_format,
        "kind": kind,
    }
    system = [told(task, text_format, full=False, program=program)]
    return {"raw_prompt": system, "extra_info": info, "global_steps": 0, "index": number, "session_id": trial}


def _outcome(task: Task, trial: int, output: Any) -> Outcome:
    info = output.extra_fields["reward_extra_info"]
    ended = {"clean": bool(info["clean"]), "passed": bool(info["acc"]), "turns": int(info["turns"])}
    return Outcome(task.id, trial, task.domain, task.depth, composition(task), **ended)
