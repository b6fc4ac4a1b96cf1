"""What verl loads in every process: agent loops, estimators, trainer and, where asked for, the CPU platform.

Found through the entry point `verl.plugins`, or by name with VERL_USE_EXTERNAL_MODULES=toolgym.training.plugin. verl
logs a plugin's import error only at debug level, so `toolgym doctor --train` proves inside a Ray actor that
all is there.
"""

from __future__ import annotations

import importlib
import os

from toolgym.training.cpu import ENGINE

ROLLOUT = ENGINE
"""The name of our rollout server."""

LOSSES = ("toolgym_local_mean",)
"""The policy losses' names."""

LOOPS = ("toolgym", "toolgym_math", "toolgym_step")
"""The agent loops' names, for the data set's column `agent_name`."""


def register() -> None:
    """Make everything known to verl in this process."""
    on_cpu = os.environ.get("VERL_PLATFORM") == "cpu"
    if on_cpu:  # before all else: verl's modules ask for their platform while they are imported
        importlib.import_module("toolgym.training.cpu.platform")
    importlib.import_module("toolgym.training.estimators").register()
    importlib.import_module("toolgym.training.losses").register()
    importlib.import_module("toolgym.training.loop.agent_loop")
    importlib.import_module("toolgym.training.loop.single")
    importlib.import_module("toolgym.training.trainer")
    importlib.import_module("toolgym.training.engine")
    if on_cpu:
        importlib.import_module("toolgym.training.cpu.engine")
    _register_rollout()
    _register_speech()


def _register_rollout() -> None:
    from verl.workers.rollout.base import _ROLLOUT_REGISTRY  # verl 0.9.1 has no function to add to it
    from verl.workers.rollout.replica import RolloutReplicaRegistry

    _ROLLOUT_REGISTRY[(ROLLOUT, "async")] = "toolgym.training.cpu.rollout.TransformersAdapter"
    RolloutReplicaRegistry.register(ROLLOUT, _replica)


def _register_speech() -> None:
    """By name only: its speech engines are imported where rows are spoken."""
    from verl.experimental.agent_loop.agent_loop import _agent_loop_registry

    _agent_loop_registry["toolgym_speech"] = {"_target_": "toolgym.training.omni.loop.SpeechLoop"}


def _replica() -> type:
    from toolgym.training.cpu.rollout import TransformersReplica

    return TransformersReplica


register()
