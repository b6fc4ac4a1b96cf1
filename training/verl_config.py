"""toolgym's training settings as verl's configuration: every key of verl that toolgym sets is set here, once."""

from __future__ import annotations

import math
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from toolgym.training.attention import FLASH
from toolgym.training.chunked_logits import in_chunks
from toolgym.training.cpu import run
from toolgym.training.loop.settings import read_settings
from toolgym.training.recipe import Setup, merge
from toolgym.training.settings import CRITIC_ESTIMATORS, TrainSettings

Values = dict[str, Any]

CPU_ROWS = 32
"""Rows in one pass on a CPU, at most."""


@dataclass(frozen=True)
class RunPaths:
    """The files of a training run.

    Attributes:
        folder: of the run.
        attempt: how often the run was started before; verl begins its metrics file anew each time.
    """

    folder: Path
    attempt: int = 0

    @classmethod
    def next(cls, folder: Path) -> RunPaths:
        """The files of the next start of a run."""
        return cls(folder, len(list((folder / "metrics").glob("*.jsonl"))))

    @property
    def train(self) -> Path:
        """The training rows."""
        return self.folder / "data" / "train.parquet"

    @property
    def val(self) -> Path:
        """The validation rows."""
        return self.folder / "data" / "val.parquet"

    @property
    def metrics(self) -> Path:
        """verl's metrics of this start, one step a line."""
        return self.folder / "metrics" / f"{self.attempt:03d}.jsonl"

    @property
    def config(self) -> Path:
        """verl's whole configuration, as checked and run."""
        return self.folder / "verl.yaml"

    @property
    def log(self) -> Path:
        """What verl and its workers say."""
        return self.folder / "train.log"

    @property
    def checkpoints(self) -> Path:
        """Where verl saves."""
        return self.folder / "checkpoints"

    def last_checkpoint(self) -> int:
        """The step from which the run goes on; 0 when none was saved."""
        tracker = self.checkpoints / "latest_checkpointed_iteration.txt"
        return int(tracker.read_text(encoding="utf-8")) if tracker.is_file() else 0


def verl_values(setup: Setup, paths: RunPaths) -> Values:
    """What to merge into verl's `ppo_trainer` configuration: toolgym's settings, then the recipe's own `verl` part."""
    settings = setup.settings
    values: Values = {
        "data": _data(settings, paths),
        "algorithm": {"adv_estimator": settings.estimator, "filter_groups": _filter(settings)},
        "actor_rollout_ref": {
            "model": _model(settings) | _logits_in_chunks(settings),
            "actor": _actor(settings),
            "ref": _forward(settings)
            | _entropy_in_chunks(settings)
            | {"fsdp_config": {"param_offload": settings.device == "cuda"}},
            "rollout": _rollout(settings),
        },
        "critic": _critic(settings),
        "reward": {"num_workers": 1},
        "trainer": _trainer(setup, paths),
    }
    if settings.device == "cpu":
        values = merge(values, _on_cpu(settings))
    return merge(values, setup.verl)


def environment(settings: TrainSettings, paths: RunPaths) -> dict[str, str]:
    """The environment variables that verl's processes need beside those of this one."""
    return {
        **(run.ENVIRONMENT if settings.device == "cpu" else {}),
        "VERL_USE_EXTERNAL_MODULES": "toolgym.training.plugin",
        "VERL_FILE_LOGGER_PATH": str(paths.metrics.resolve()),
        "TENSORBOARD_DIR": str((paths.folder / "tensorboard").resolve()),
        "RAY_USAGE_STATS_ENABLED": "0",
        "VERL_LOGGING_LEVEL": "INFO",
        "TOKENIZERS_PARALLELISM": "false",
    }


def _data(settings: TrainSettings, paths: RunPaths) -> Values:
    schedule = {
        "mix": list(settings.mix),
        "batch": settings.batch,
        "steps": settings.steps,
        "warmup": settings.warmup_steps,
        "seed": settings.seed,
        "redraw": settings.filter_groups,
    }
    return {
        "train_files": str(paths.train.resolve()),
        "val_files": str(paths.val.resolve()),
        "train_batch_size": settings.batch,
        "max_prompt_length": settings.prompt_tokens,
        "max_response_length": settings.response_tokens,
        "shuffle": False,  # the schedule is the order
        "validation_shuffle": False,
        "seed": settings.seed,
        "filter_overlong_prompts": False,  # the loop reports a prompt that is too long; none is dropped in silence
        "dataloader_num_workers": 0,
        "custom_cls": {"path": "pkg://toolgym.training.data.dataset", "name": "ScheduledDataset"},
        "toolgym": schedule,
    }


def _filter(settings: TrainSettings) -> Values:
    return {"enable": settings.filter_groups, "metric": "reward"}


def _model(settings: TrainSettings) -> Values:
    """What every copy of the network needs on a GPU."""
    on_gpu = {
        "use_remove_padding": settings.attention == FLASH,  # rows laid end to end, which sdpa would mask one by one
        "enable_gradient_checkpointing": True,
        "override_config": {"attn_implementation": settings.attention},
    }
    return {"path": settings.model} | (on_gpu if settings.device == "cuda" else {})


def _logits_in_chunks(settings: TrainSettings) -> Values:
    """A GPU never holds the logits of a whole pass where verl's fused forward is the model's own."""
    return {"use_fused_kernels": in_chunks(settings.model)} if settings.device == "cuda" else {}


def _entropy_in_chunks(settings: TrainSettings) -> Values:
    """Where it does hold them, the entropy at least needs no second copy."""
    return {"entropy_from_logits_with_chunking": True} if settings.device == "cuda" else {}


def _length(settings: TrainSettings) -> int:
    return settings.prompt_tokens + settings.response_tokens


def _batching(settings: TrainSettings, prefix: str) -> Values:
    """How rows are packed into one pass: by tokens on GPUs, by rows on a CPU."""
    if settings.device == "cuda":
        return {f"{prefix}max_token_len_per_gpu": max(16384, _length(settings))}
    # verl wants a divisor of the rows of an update in each process
    rows = (settings.mini_batch or settings.batch) * settings.group // settings.gpus
    return {f"{prefix}micro_batch_size_per_gpu": math.gcd(rows, CPU_ROWS)}


def _actor(settings: TrainSettings) -> Values:
    return {
        "strategy": "fsdp2",
        "ppo_mini_batch_size": settings.mini_batch or settings.batch,
        "use_dynamic_bsz": settings.device == "cuda",
        **_batching(settings, "ppo_"),
        "optim": {"lr": settings.lr},
        "calculate_entropy": True,
        **_entropy_in_chunks(settings),
        "fsdp_config": {"seed": settings.seed, "offload_policy": settings.offload},
        "data_loader_seed": settings.seed,
    }


def _forward(settings: TrainSettings) -> Values:
    return _batching(settings, "log_prob_")


def _critic(settings: TrainSettings) -> Values:
    return {
        "enable": settings.estimator in CRITIC_ESTIMATORS,
        "strategy": "fsdp2",
        "model": _model(settings),
        **_batching(settings, "ppo_"),
        "fsdp": {"offload_policy": settings.offload},
    }


def _rollout(settings: TrainSettings) -> Values:
    trials = settings.val_trials
    return {
        "name": settings.engine,
        "mode": "async",
        "n": settings.group,
        "temperature": settings.temperature,
        "top_p": settings.top_p,
        "seed": settings.seed,
        "tensor_model_parallel_size": settings.tensor_parallel,
        "max_model_len": _length(settings),
        "calculate_log_probs": True,
        **_forward(settings),
        "val_kwargs": {
            "n": trials,
            "do_sample": trials > 1,
            "temperature": settings.temperature if trials > 1 else 0,
            "top_p": settings.top_p if trials > 1 else 1.0,
        },
        "agent": {"num_workers": settings.workers},
        "custom": {"toolgym": loop_values(settings)},
    }


def loop_values(settings: TrainSettings) -> Values:
    """All of the agent loop's settings, so that each can be changed by its key."""
    chosen = {
        "user": settings.user,
        "user_options": settings.user_options,
        "consent": settings.consent,
        "servers": None if settings.servers is None else str(settings.servers.absolute()),
        "reward": settings.reward,
        "reward_options": settings.reward_options,
        "credit": settings.credit,
        "judge": settings.judge or "rules",
        "judge_options": settings.judge_options,
        "turn_tokens": settings.turn_tokens,
        "max_turns": settings.max_turns,
        "max_user_turns": settings.max_user_turns,
        "result_chars": settings.result_chars,
        "interventions": settings.interventions,
        "speech": settings.speech,
    }
    return read_settings(chosen).model_dump(mode="json")


def _trainer(setup: Setup, paths: RunPaths) -> Values:
    settings = setup.settings
    return {
        "total_training_steps": settings.steps,
        "total_epochs": 1,
        "project_name": "toolgym",
        "experiment_name": "-".join((setup.name, *setup.variants)),
        "logger": ["console", "file", "tensorboard"],
        "nnodes": settings.nodes,
        "n_gpus_per_node": settings.gpus,
        "device": settings.device,
        "val_before_train": settings.val_before,
        "test_freq": settings.test_every,
        "save_freq": settings.save_every,
        "default_local_dir": str(paths.checkpoints.resolve()),
        "resume_mode": "auto",
        "v1": {
            "trainer_mode": "toolgym",
            "toolgym": {
                "keep": settings.keep,
                "goodhart": settings.goodhart,
                "goodhart_validations": settings.goodhart_validations,
                "entropy_share": settings.entropy_share,
            },
        },
    }


def _on_cpu(settings: TrainSettings) -> Values:
    """What verl must be told where there is no GPU."""
    from toolgym.training.grammar import read_overrides  # Hydra takes a moment to import

    return read_overrides(run.overrides(settings.gpus, critic=settings.estimator in CRITIC_ESTIMATORS))
