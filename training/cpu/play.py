"""Plays a model on tasks in this process, with the agent loop and rollout server of training, without verl's trainer.

So what is measured is what a rollout is. Sampling has seeds of its own: the same model, tasks and seed give the same
conversations.
"""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import torch
from omegaconf import OmegaConf
from verl.experimental.agent_loop.agent_loop import DictConfigWrap, ToolListWrap
from verl.utils.dataset.rl_dataset import RLHFDataset
from verl.workers.config import HFModelConfig

from toolgym.sandbox.kit.task import Task
from toolgym.sandbox.runtime.trajectory import Trajectory, parse_line
from toolgym.training.cpu import ENGINE
from toolgym.training.cpu.rollout import MAX_BATCH, TransformersServer
from toolgym.training.data.rows import told
from toolgym.training.loop.agent_loop import ToolgymLoop
from toolgym.training.settings import TrainSettings
from toolgym.training.verl_config import loop_values


def play(
    model: Path, tasks: Sequence[Task], settings: TrainSettings, *, trials: int = 1, seed: int = 0
) -> list[Trajectory]:
    """The conversations of so many trials of every task, at temperature 1; those about one task follow one another.

    Args:
        model: a Hugging Face folder of the Qwen2 kind, as `make_model` writes it.
        tasks: what is played, with the scripted user.
        settings: of the training, for format, consent and limits.
        trials: of each task.
        seed: of the sampling.
    """
    torch.set_num_threads(1)
    lengths = {"prompt_length": settings.prompt_tokens, "response_length": settings.response_tokens}
    described = HFModelConfig(path=str(model))
    server = TransformersServer(OmegaConf.create({"seed": seed, **lengths}), described, 0)
    rollout = {
        "name": ENGINE,
        "seed": seed,
        "full_determinism": False,
        "custom": {"toolgym": loop_values(settings) | {"reward": "outcome", "credit": "trajectory", "judge": "rules"}},
        "multi_turn": {},
        **lengths,
    }
    actor = {"optim": {"total_training_steps": 1}}
    config = OmegaConf.create({"actor_rollout_ref": {"rollout": rollout, "actor": actor}, "data": {}})

    async def one(number: int, task: Task, trial: int, gate: asyncio.Semaphore) -> Trajectory:
        async with gate:
            loop = ToolgymLoop(
                trainer_config=DictConfigWrap(config),
                server_manager=server,
                tokenizer=described.tokenizer,
                processor=None,
                dataset_cls=RLHFDataset,
                data_config=DictConfigWrap(config.data),
                hf_model_type="qwen2",
                tools=ToolListWrap([]),
            )
            output = await loop.run({"temperature": 1.0}, **_row(number, task, trial, settings.format))
            return parse_line(output.extra_fields["reward_extra_info"]["trajectory"])

    async def together() -> list[Trajectory]:
        gate = asyncio.Semaphore(MAX_BATCH)
        jobs = [(number, task, trial) for number, task in enumerate(tasks) for trial in range(trials)]
        return list(await asyncio.gather(*(one(*job, gate) for job in jobs)))

    return asyncio.run(together())


def _row(number: int, task: Task, trial: int, text_format: str) -> dict[str, Any]:
    program = task.interaction == "program"
    info = {
        "task_json": task.model_dump_json(),
        "split": "played",  # any but `train`, whose conversations are not kept
        "seed": task.seed,
        "format": text_format,
        "kind": "program" if program else "text",
    }
    system = [told(task, text_format, full=False, program=program)]
    return {"raw_prompt": system, "extra_info": info, "global_steps": 0, "index": number, "session_id": trial}
