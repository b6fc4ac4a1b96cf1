"""`toolgym doctor --train`: proves, inside a Ray actor, that verl knows everything of ours.

verl loads plugins through an entry point and hides a plugin's import error, so that a broken installation shows only
when a run fails, or worse, runs with something else. Here the same import happens in a worker process, and what it
registered is asked for by name.
"""

from __future__ import annotations

import importlib
import importlib.util
import os
import sys
from collections.abc import Callable
from importlib.metadata import PackageNotFoundError, version
from typing import Any

from rich.console import Console
from rich.markup import escape
from rich.table import Table

from toolgym.sandbox.runtime import extras
from toolgym.training.attention import FLASH, SDPA, why_no_flash

MISSING = "missing"

SUPPORTED = "0.9.1"
"""The verl that this plugin is written for and tested with."""

PACKAGES = ("verl", "ray", "torch", "transformers", "TransferQueue", "tensordict", "cachetools", "vllm", "flash-attn")


def registered() -> dict[str, str]:
    """What verl knows in this process: our names by kind, or what is wrong; to be called after `import verl`."""
    found: dict[str, str] = {"process": str(os.getpid())}
    if "toolgym.training.plugin" not in sys.modules:
        found["plugin"] = f"not loaded: {_plugin_error()}"
        return found
    from verl.experimental.agent_loop.agent_loop import _agent_loop_registry
    from verl.trainer.ppo.core_algos import get_adv_estimator_fn, get_policy_loss_fn
    from verl.trainer.ppo.v1 import get_trainer_cls
    from verl.workers.rollout.base import _ROLLOUT_REGISTRY
    from verl.workers.rollout.replica import get_rollout_replica_class

    from toolgym.training import estimators, plugin

    found["plugin"] = "loaded"
    for name in plugin.LOOPS:
        found[f"agent loop {name}"] = _agent_loop_registry.get(name, {}).get("_target_", MISSING)
    for name in estimators.ESTIMATORS:
        found[f"estimator {name}"] = _found(get_adv_estimator_fn, name)
    for name in plugin.LOSSES:
        found[f"policy loss {name}"] = _found(get_policy_loss_fn, name)
    found["trainer toolgym"] = _found(get_trainer_cls, "toolgym")
    found[f"rollout server {plugin.ROLLOUT}"] = _found(get_rollout_replica_class, plugin.ROLLOUT)
    found["rollout adapter"] = _ROLLOUT_REGISTRY.get((plugin.ROLLOUT, "async"), MISSING)
    found["data set class"] = _found(importlib.import_module, "toolgym.training.data.dataset")
    if os.environ.get("VERL_PLATFORM") == "cpu":
        found |= _cpu()
    return found


def _cpu() -> dict[str, str]:
    from verl.plugin.platform import get_platform
    from verl.workers.engine import EngineRegistry

    kinds = ("language_model", "value_model")
    engines = {f"CPU engine {kind}": _found(EngineRegistry.get_engine_cls, kind, "fsdp2") for kind in kinds}
    return {"platform": _found(get_platform), **engines}


def _found(look: Callable[..., Any], *names: str) -> str:
    """What a look-up gives, in one word; or why it gives nothing."""
    try:
        thing = look(*names)
    except Exception as error:  # whatever verl raises for an unknown name is the finding
        return f"{MISSING}: {error}"
    return str(getattr(thing, "__name__", type(thing).__name__))


def _plugin_error() -> str:
    """Why the plugin did not load, which verl logs at debug level only."""
    try:
        importlib.import_module("toolgym.training.plugin")
    except Exception as error:  # whatever it raises is the finding
        return f"{type(error).__name__}: {error}"
    return "the entry point verl.plugins of toolgym is not installed; reinstall toolgym"


def look_inside_actor() -> dict[str, str]:
    """`registered()` as a Ray actor sees it, on a cluster started here or the one RAY_ADDRESS names."""
    import ray

    from toolgym.sandbox.runtime.cluster import start

    class Probe:
        """The actor."""

        def look(self) -> dict[str, str]:
            """Import verl as every worker does, then look."""
            importlib.import_module("verl")
            return registered()

    ours = not ray.is_initialized()
    if ours:
        address = os.environ.get("RAY_ADDRESS", "local")  # without an address Ray joins the last cluster started
        local: dict[str, Any] = {"num_cpus": 1, "include_dashboard": False} if address == "local" else {}
        start(address, log_to_driver=False, logging_level="ERROR", **local)
    try:
        found: dict[str, str] = ray.get(ray.remote(Probe).options(num_cpus=0).remote().look.remote())
        return found
    finally:
        if ours:
            ray.shutdown()


def run(console: Console) -> int:
    """Print what is there; 1 when something is missing.

    Raises:
        ConfigurationError: verl or Ray is not installed at all.
    """
    for name in ("verl", "ray", "torch"):
        if importlib.util.find_spec(name) is None:
            raise extras.missing(ModuleNotFoundError(name=name), "Training", "train")
    import torch

    if not torch.cuda.is_available():
        os.environ.setdefault("VERL_PLATFORM", "cpu")
    os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")
    with console.status("asking a Ray actor"):
        found = look_inside_actor()
    table = Table("", "", title="toolgym doctor --train", title_justify="left", show_header=False, box=None)
    for name in PACKAGES:
        table.add_row(name, _version(name))
    table.add_row("device", torch.cuda.get_device_name() if torch.cuda.is_available() else "CPU")
    table.add_row("attention", _attention(gpu=torch.cuda.is_available()))
    for name, value in found.items():
        wrong = value.startswith((MISSING, "not loaded"))
        table.add_row(name, f"[red]{value}[/red]" if wrong else value)
    console.print(table)
    wrong_version = _version("verl") != SUPPORTED
    if wrong_version:
        console.print(f"[red]toolgym's plugin is written for verl {SUPPORTED}; pip install verl=={SUPPORTED}.[/red]")
    missing = [name for name, value in found.items() if value.startswith((MISSING, "not loaded"))]
    if missing:
        console.print(f"[red]Not registered: {', '.join(missing)}. Training would fail or run without it.[/red]")
    return 1 if missing or wrong_version else 0


def _attention(*, gpu: bool) -> str:
    """What a run's setting `attention` may be on this machine."""
    if not gpu:
        return f"{SDPA}, the only one on a CPU"
    reason = why_no_flash()
    if reason is None:
        return f"{FLASH}, {SDPA}"
    return f"[yellow]{escape(f'{SDPA} only: {reason}; train with attention={SDPA}')}[/yellow]"


def _version(name: str) -> str:
    try:
        return version(name)
    except PackageNotFoundError:
        return "not installed"
