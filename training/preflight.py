"""Refuses settings that cannot work, in words: toolgym's own rules first, then verl's checker."""

from __future__ import annotations

import contextlib
import importlib.util
import io
import sys
import warnings
from functools import cache
from pathlib import Path
from typing import cast

from hydra.errors import HydraException
from omegaconf import DictConfig, OmegaConf
from omegaconf.errors import OmegaConfBaseException

from toolgym.sandbox.kit.errors import BadInput, ConfigurationError, unknown
from toolgym.sandbox.runtime import parts, registry
from toolgym.sandbox.runtime.extras import install
from toolgym.sandbox.runtime.registry import data_of, domain_of
from toolgym.sandbox.runtime.roles import make_user
from toolgym.training import dead_keys
from toolgym.training.attention import FLASH, SDPA, why_no_flash
from toolgym.training.chunked_logits import cached
from toolgym.training.cpu import ENGINE
from toolgym.training.data.prompts import tokenizer_of
from toolgym.training.data.rows import format_of
from toolgym.training.grammar import read_value
from toolgym.training.loop.scoring import Scorer
from toolgym.training.loop.settings import read_settings
from toolgym.training.recipe import Setup
from toolgym.training.rewards import STEP_REWARDS, make_reward
from toolgym.training.settings import CRITIC_ESTIMATORS, TURN_ESTIMATORS, TrainSettings
from toolgym.training.verl_config import RunPaths, loop_values, verl_values

GROUP_RELATIVE = (
    "toolgym_uniform_gae",
    "toolgym_every_token_gae",
    "toolgym_grpo",
    "toolgym_tier",
    "toolgym_rloo",
    "toolgym_turn_grpo",
    "toolgym_turn_rloo",
    "grpo",
)


def check(settings: TrainSettings) -> None:
    """Whether the settings fit together.

    Raises:
        BadInput: they do not; the sentence says which, and what would.
    """
    _check_names(settings)
    if settings.reward == "tarl" and settings.judge is None:
        raise BadInput("The reward tarl needs turn scores: set judge=rules (no model needed) or judge=llm.")
    if settings.credit == "turn" and settings.estimator not in TURN_ESTIMATORS:
        raise BadInput(
            f"credit=turn is lost on the estimator {settings.estimator}, which adds a trajectory's rewards up; "
            f"use one of {', '.join(TURN_ESTIMATORS)}."
        )
    if settings.group < 2 and settings.estimator in GROUP_RELATIVE:
        raise BadInput(
            f"The estimator {settings.estimator} compares the rollouts of a prompt; group must be 2 or more."
        )
    if settings.group < 2 and settings.filter_groups:
        raise BadInput("filter_groups compares the rollouts of a prompt; group must be 2 or more.")
    if settings.mini_batch is not None and settings.batch % settings.mini_batch:
        raise BadInput(f"mini_batch={settings.mini_batch} does not divide batch={settings.batch}.")
    if settings.turn_tokens is not None and settings.turn_tokens > settings.response_tokens:
        raise BadInput(
            f"turn_tokens={settings.turn_tokens} is more than response_tokens={settings.response_tokens}, the whole "
            "conversation."
        )
    if settings.device == "cuda" and settings.attention != FLASH and settings.estimator in CRITIC_ESTIMATORS:
        raise BadInput(
            f"The estimator {settings.estimator} trains a critic, which verl loads with flash-attention only; set "
            f"attention={FLASH}, or an estimator without a critic."
        )
    _check_mix(settings)


def _check_names(settings: TrainSettings) -> None:
    """Whether everything named is installed; making the parts finds wrong options."""
    format_of(settings.format)
    read_settings(loop_values(settings))
    make_reward(settings.reward, settings.reward_options)
    parts.find("users", settings.user)
    if settings.judge is not None:
        registry.load("judges", settings.judge)


def _check_mix(settings: TrainSettings) -> None:
    if "warmup" in settings.mix:
        raise BadInput("The kind warmup comes by itself: set warmup_steps, not mix.")
    if settings.warmup_steps >= settings.steps:
        raise BadInput(f"warmup_steps={settings.warmup_steps} leaves nothing of steps={settings.steps} for the mix.")
    if "step" in settings.mix and settings.format != "toolrl":
        raise BadInput("Single steps are scored by ToolRL's text reward, which reads its own tags: set format=toolrl.")
    if "step" in settings.mix and settings.reward not in STEP_REWARDS:
        raise BadInput(
            f"Single steps have a gold text and no session; the reward {settings.reward} needs a session. Set "
            f"reward={' or '.join(STEP_REWARDS)}."
        )
    if "speech" in settings.mix and not registry.names("tts"):
        raise BadInput(f"Speech needs a speech engine, and none is installed: {install('speech')}")


def check_machine(settings: TrainSettings) -> None:
    """Whether this machine can run what the settings say, before anything is started.

    Raises:
        ConfigurationError: it cannot; the user's and the judge's models must be named too.
        BadInput: the model's chat template cannot hold a conversation.
    """
    if settings.device == "cuda" and settings.nodes == 1:
        import torch

        found = torch.cuda.device_count()
        if found < settings.gpus:
            raise ConfigurationError(
                f"The plan needs {settings.gpus} GPUs and this machine has {found}. Set gpus={found or 1}, or "
                "device=cpu engine=toolgym_transformers for a small model; --dry-run checks a plan without them."
            )
    if not Path(settings.model).is_dir() and cached(settings.model) is None:
        raise ConfigurationError(
            f"There is no folder {settings.model}, and no model of that name is in the local Hugging Face cache. "
            "Download it first, or give the folder of one: model=PATH."
        )
    if "speech" not in settings.mix:  # a model that hears has a processor, which is made beside the run
        _check_template(settings.model)
    if settings.engine != ENGINE and importlib.util.find_spec(settings.engine) is None:
        raise ConfigurationError(
            f"The engine {settings.engine} is not installed. Install it, or set engine=toolgym_transformers, which "
            "is slower and needs nothing more."
        )

    if settings.device == "cuda" and settings.attention == FLASH and (reason := why_no_flash()):
        raise ConfigurationError(
            f"attention={FLASH} cannot be used: {reason}. docs/gpu.md says how to install it; attention={SDPA} does "
            "without, needs more memory for the same rows and has no critic."
        )
    loop = read_settings(loop_values(settings))
    make_user(loop.user, loop.user_options)
    Scorer(loop.reward, loop.reward_options, loop.judge, loop.judge_options)


def _check_template(model: str) -> None:
    """Whether the model's chat template can hold a conversation: every trajectory would fail where it cannot."""
    from transformers import AutoConfig

    from toolgym.training.loop.builder import make_builder  # verl takes seconds to import
    from toolgym.training.loop.transcript import Transcript

    tokenizer = tokenizer_of(model)
    if tokenizer is None:
        return  # verl says what is wrong with it
    opening = [{"role": "system", "content": "Be kind."}, {"role": "user", "content": "Hello."}]
    builder = make_builder(tokenizer, AutoConfig.from_pretrained(model, local_files_only=True).model_type)
    transcript = Transcript(builder, opening, tools=None, prompt_length=sys.maxsize, response_length=sys.maxsize)
    transcript.add_reply(tokenizer.encode("Good day.", add_special_tokens=False), None)
    transcript.add_context([{"role": "user", "content": "Bye."}])


@cache
def _defaults() -> DictConfig:
    """verl's own defaults, composed by Hydra."""
    from hydra import compose as hydra_compose
    from hydra import initialize_config_module

    with initialize_config_module("verl.trainer.config", version_base=None):
        config: DictConfig = hydra_compose("ppo_trainer")
    OmegaConf.set_struct(config, False)
    return config


def compose(setup: Setup, paths: RunPaths) -> DictConfig:
    """verl's configuration of a run: its own defaults, then toolgym's settings, then the command line's keys.

    Raises:
        BadInput: a key of verl that does not exist, or that verl has another one for.
    """
    dead_keys.refuse_replaced([*dead_keys.leaves(setup.verl), *setup.keys])
    config = cast(DictConfig, OmegaConf.merge(_defaults(), verl_values(setup, paths)))
    for key, text in setup.keys.items():
        _set(config, key, text)
    return config


def ignored(setup: Setup) -> list[str]:
    """Keys that the recipe or the command line sets and verl does not read."""
    return dead_keys.dead([*dead_keys.leaves(setup.verl), *setup.keys], _defaults())


def needs(config: DictConfig) -> tuple[bool, bool]:
    """Whether verl holds a reference model, and whether it trains a critic."""
    from verl.trainer.ppo.utils import need_critic, need_reference_policy

    with warnings.catch_warnings():  # verl warns whenever there is no critic
        warnings.simplefilter("ignore")
        return bool(need_reference_policy(config)), bool(need_critic(config))


def _set(config: DictConfig, key: str, text: str) -> None:
    """Change one of verl's keys; what does not exist is refused with what does."""
    section, path = config, key.split(".")
    for index, name in enumerate(path[:-1]):
        inner = section.get(name) if name in section else None
        if not isinstance(inner, DictConfig):
            where = ".".join(path[:index])
            known = [str(other) for other in section if isinstance(section._get_node(other), DictConfig)]
            raise unknown(f"section of verl's {where}" if where else "section of verl", name, known)
        section = inner
    if path[-1] not in section:
        raise unknown(f"key of verl's {'.'.join(path[:-1])}", path[-1], [str(name) for name in section])
    OmegaConf.update(config, key, read_value(text, key))


def validate(config: DictConfig) -> None:
    """Have the agent loop and verl check the configuration.

    Raises:
        ConfigurationError: what they say.
    """
    read_settings(OmegaConf.to_container(config.actor_rollout_ref.rollout.custom.toolgym))  # type: ignore[arg-type]
    from verl.utils.config import omega_conf_to_dataclass, validate_config

    reference, critic = needs(config)
    config = config.copy()
    del config.critic.model["_target_"]  # verl would load the model's files for this; a plan needs none
    try:
        with contextlib.redirect_stdout(io.StringIO()):
            validate_config(config, use_reference_policy=reference, use_critic=critic)
            omega_conf_to_dataclass(config.actor_rollout_ref.rollout)
            omega_conf_to_dataclass(config.algorithm)
            _check_rows(config)
    except (AssertionError, ValueError, TypeError, HydraException, OmegaConfBaseException) as error:
        reason = str(error).strip().splitlines()[0] if str(error).strip() else type(error).__name__
        raise ConfigurationError(f"verl refuses this configuration: {reason}") from error


def _check_rows(config: DictConfig) -> None:
    """What verl finds out only in its first step: rows are packed in equal passes."""
    actor = config.actor_rollout_ref.actor
    if actor.use_dynamic_bsz or actor.ppo_micro_batch_size_per_gpu is None:
        return
    ranks = config.trainer.n_gpus_per_node * config.trainer.nnodes
    rows, micro = actor.ppo_mini_batch_size * config.actor_rollout_ref.rollout.n, actor.ppo_micro_batch_size_per_gpu
    assert rows % (ranks * micro) == 0, (
        f"{rows} rows in an update are not divisible by {ranks} processes x ppo_micro_batch_size_per_gpu={micro}"
    )


def check_tasks(settings: TrainSettings) -> None:
    """Whether the splits exist (BadInput says which do)."""
    for env in settings.env:
        data = data_of(env, settings.data)
        domain = domain_of(env, data)
        splits = domain.open_data(data).splits
        for split in (settings.split, settings.val_split):
            if split not in splits:
                raise unknown(f"split of {domain.name} ({data})", split, splits)
