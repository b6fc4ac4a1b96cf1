"""verl's own `main_ppo` as a process on the CPU, with our plugin, a tiny model and a few rows; for tests."""

from __future__ import annotations

import contextlib
import json
import os
import signal
import subprocess
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
from rollouts import row, taught_model

from toolgym.sandbox.kit.message import ToolCall
from toolgym.sandbox.kit.task import Task
from toolgym.sandbox.runtime.registry import get_domain
from toolgym.training.cpu.run import ENVIRONMENT, overrides

SECONDS = 900
"""What a run may take on a machine that does other things too; alone it takes about a minute."""

MODEL = "actor_rollout_ref"
LOOP = f"+{MODEL}.rollout.custom.toolgym"


def rows(tasks: Sequence[Task], split: str) -> list[dict[str, Any]]:
    """Rows with a short prompt: this model reads no policy."""
    made = []
    for position, task in enumerate(tasks):
        played = row(task, format="hermes", prompt="You serve a customer.", split=split, index=position)
        played["prompt"] = played.pop("raw_prompt")
        del played["global_steps"]
        made.append(
            played
            | {
                "agent_name": "toolgym",
                "data_source": "retail",
                "ability": "retail",
                "reward_model": {"style": "rule", "ground_truth": ""},
            }
        )
    return made


def assets(folder: Path) -> Path:
    """A model and data: four training rows, of which the second can never be played, and two for validation."""
    taught_model(folder / "model")
    tasks = list(get_domain("retail").tasks("dev", "own")[:4])
    tasks[1] = tasks[1].model_copy(update={"setup": (ToolCall(name="no_such_action"),)})
    pq.write_table(pa.Table.from_pylist(rows(tasks, "train")), folder / "train.parquet")
    pq.write_table(pa.Table.from_pylist(rows(tasks[2:], "dev")), folder / "val.parquet")
    return folder


def train(
    folder: Path, out: Path, *changes: str, critic: bool = False, preloaded: Mapping[str, str] | None = None
) -> list[dict[str, Any]]:
    """Run verl's trainer to its end; returns the logged metrics, one dictionary a step.

    Args:
        folder: the model and data.
        out: takes the log, metrics and checkpoints.
        changes: settings of this run.
        critic: whether there is a value model.
        preloaded: environment variables by which its processes are forks of one that has loaded what they import.
    """
    metrics = out / "metrics.jsonl"
    out.mkdir(exist_ok=True)
    metrics.unlink(missing_ok=True)
    settings = [
        *overrides(critic=critic),
        "+ray_kwargs.ray_init.address=local",  # a cluster of its own, whatever else runs on this machine
        f"data.train_files={folder}/train.parquet",
        f"data.val_files={folder}/val.parquet",
        "data.train_batch_size=2",
        "data.max_prompt_length=512",
        "data.max_response_length=2048",
        "data.return_raw_chat=True",
        "data.filter_overlong_prompts=False",
        "data.shuffle=False",
        f"{MODEL}.model.path={folder}/model",
        f"{MODEL}.actor.ppo_mini_batch_size=2",
        f"{MODEL}.actor.ppo_micro_batch_size_per_gpu=8",
        f"{MODEL}.actor.optim.lr=1e-3",
        f"{MODEL}.ref.log_prob_micro_batch_size_per_gpu=8",
        f"{MODEL}.rollout.log_prob_micro_batch_size_per_gpu=8",
        f"{MODEL}.rollout.n=4",
        f"{LOOP}.turn_tokens=64",
        f"{LOOP}.max_turns=4",
        "trainer.v1.trainer_mode=toolgym",
        'trainer.logger=["console","file"]',
        "trainer.val_before_train=False",
        "trainer.resume_mode=disable",
        "trainer.save_freq=-1",
        "trainer.test_freq=-1",
        f"trainer.default_local_dir={out}/checkpoints",
        *changes,
    ]
    log = out / "log.txt"
    apart = {"RAY_ADDRESS": "local"}  # without it Ray joins whatever cluster this machine started last
    logged = {"VERL_FILE_LOGGER_PATH": str(metrics), "HYDRA_FULL_ERROR": "1"}
    environment = os.environ | ENVIRONMENT | apart | logged | dict(preloaded or {})
    with log.open("w", encoding="utf-8") as file:
        process = subprocess.Popen(
            [sys.executable, "-m", "verl.trainer.main_ppo", f"hydra.run.dir={out}", *settings],
            env=environment,
            stdout=file,
            stderr=subprocess.STDOUT,
            cwd=out,
            start_new_session=True,
        )
        try:
            status = process.wait(SECONDS)
        finally:
            _end(process)
    text = log.read_text(encoding="utf-8", errors="replace")
    assert status == 0, text[-6000:]
    return [json.loads(line) for line in metrics.read_text(encoding="utf-8").splitlines()]


def _end(process: subprocess.Popen[bytes]) -> None:
    """End what a run that was given up has left behind: it is the leader of its process group."""
    with contextlib.suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGKILL)
    process.wait()
