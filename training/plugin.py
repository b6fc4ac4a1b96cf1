"""What verl loads in every process: the agent loops, the estimators and, where asked for, the CPU platform.

Found through the entry point `verl.plugins`, or by name with VERL_USE_EXTERNAL_MODULES=training.plugin. verl logs a
plugin's import error only at debug level, so `toolgym doctor --train` proves inside a Ray actor that all is there.
"""

from __future__ import annotations

import os

from verl.workers.rollout.base import _ROLLOUT_REGISTRY  # verl 0.9.1 has no function to add to it; see test_plugin
from verl.workers.rollout.replica import RolloutReplicaRegistry

from training import estimators

ROLLOUT = "toolgym_transformers"


def _replica() -> type:
    from training.cpu.rollout import TransformersReplica

    return TransformersReplica


_ROLLOUT_REGISTRY[(ROLLOUT, "async")] = "training.cpu.rollout.TransformersAdapter"
RolloutReplicaRegistry.register(ROLLOUT, _replica)
estimators.register()
if os.environ.get("VERL_PLATFORM") == "cpu":
    from training.cpu import engine, platform  # noqa: F401  # importing registers them
