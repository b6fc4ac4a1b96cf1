"""The CPU as a verl platform, registered under the name `cpu` (select it with VERL_PLATFORM=cpu)."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from types import ModuleType
from typing import Any

import psutil
import torch
import torch.distributed
from verl.plugin.platform import PlatformBase, PlatformRegistry


def _resident(*_: Any) -> int:
    return int(psutil.Process().memory_info().rss)


def _free_and_total(*_: Any) -> tuple[int, int]:
    memory = psutil.virtual_memory()
    return memory.available, memory.total


def _nothing(*_: Any, **__: Any) -> None:
    return None


def _device_module() -> ModuleType:
    """What verl expects of `torch.cuda`, answered for a CPU."""
    module = ModuleType("toolgym_cpu_device")
    answers: dict[str, Any] = {
        "is_available": lambda: False,
        "current_device": lambda: "cpu",
        "device_count": lambda: 1,
        "set_device": _nothing,
        "synchronize": _nothing,
        "empty_cache": _nothing,
        "manual_seed": torch.manual_seed,
        "manual_seed_all": torch.manual_seed,
        "memory_allocated": _resident,
        "memory_reserved": _resident,
        "max_memory_allocated": _resident,
        "max_memory_reserved": _resident,
        "reset_peak_memory_stats": _nothing,
        "mem_get_info": _free_and_total,
        "get_device_name": lambda *_: "CPU",
        "get_rng_state": torch.get_rng_state,
        "set_rng_state": torch.set_rng_state,
        "is_bf16_supported": lambda: True,
    }
    for name, answer in answers.items():
        setattr(module, name, answer)
    return module


_DEVICE = _device_module()


@PlatformRegistry.register(platform="cpu")
class CPUPlatform(PlatformBase):
    """Answers verl's questions about its accelerator for a machine that has none.

    Ray is told of logical GPUs (`ray_kwargs.ray_init.num_gpus`), so that verl's placement works unchanged.
    """

    device_name = "cpu"
    vendor_name = "generic"

    @property
    def device_module(self) -> ModuleType:
        """The stand-in for `torch.cuda`."""
        return _DEVICE

    def is_available(self) -> bool:
        """A CPU always is."""
        return True

    def is_platform_available(self, use_smi_check: bool = False) -> bool:
        """Never chosen by itself: VERL_PLATFORM=cpu asks for it."""
        return False

    def current_device(self) -> str:
        """The torch device."""
        return "cpu"

    def device_count(self) -> int:
        """One."""
        return 1

    def set_device(self, device_index: int) -> None:
        """Nothing to choose."""

    def synchronize(self, device_index: int | None = None) -> None:
        """Nothing runs ahead."""

    def manual_seed(self, seed: int) -> None:
        """Seed torch."""
        torch.manual_seed(seed)

    def manual_seed_all(self, seed: int) -> None:
        """Seed torch."""
        torch.manual_seed(seed)

    def set_allocator_settings(self, settings: str) -> None:
        """No allocator to set."""

    def empty_cache(self) -> None:
        """No cache to empty."""

    def get_device_capability(self, device_index: int = 0) -> tuple[None, None]:
        """None."""
        return None, None

    def communication_backend_name(self) -> str:
        """Gloo.

        verl asks for this just before it joins the process group as "cpu:gloo,<device>:<backend>", which torch
        refuses when the device is the CPU (a duplicate key); it does not join where a group exists. So join here.
        """
        if not torch.distributed.is_initialized() and {"MASTER_ADDR", "RANK", "WORLD_SIZE"} <= os.environ.keys():
            torch.distributed.init_process_group(
                backend="cpu:gloo",
                rank=int(os.environ["RANK"]),
                world_size=int(os.environ["WORLD_SIZE"]),
                init_method=os.environ.get("DIST_INIT_METHOD"),
            )
        return "gloo"

    def visible_devices_envvar(self) -> str:
        """The variable that verl may set; it has no effect here."""
        return "CUDA_VISIBLE_DEVICES"

    @contextmanager
    def nvtx_range(self, msg: str) -> Iterator[None]:
        """No profiler."""
        yield

    def profiler_start(self) -> None:
        """No profiler."""

    def profiler_stop(self) -> None:
        """No profiler."""

    def ray_resource_name(self) -> str:
        """Ray's resource for logical GPUs."""
        return "GPU"

    def ray_resource_options(self, num_gpus: float) -> dict[str, float]:
        """Ray options that reserve logical GPUs."""
        return {"num_gpus": num_gpus}

    def ray_noset_envvars(self) -> list[str]:
        """None."""
        return []

    def is_ipc_supported(self) -> bool:
        """No."""
        return False

    def cudart(self) -> None:
        """None."""
        return None
