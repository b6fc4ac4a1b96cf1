"""The front door: `import toolgym` makes the environments known to Gymnasium and has the names that most programs need.

Each name is loaded when it is first used, so that the import itself takes milliseconds.
"""

from __future__ import annotations

import importlib
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from sandbox.gym.registration import make as make
    from sandbox.kit.domain import Dataset as Dataset
    from sandbox.kit.domain import Domain as Domain
    from sandbox.kit.errors import ToolgymError as ToolgymError
    from sandbox.kit.message import Message as Message
    from sandbox.kit.message import ToolCall as ToolCall
    from sandbox.kit.task import Fact as Fact
    from sandbox.kit.task import Goal as Goal
    from sandbox.kit.task import Task as Task
    from sandbox.runtime.registry import get_domain as get_domain
    from sandbox.runtime.session import Session as Session
    from sandbox.runtime.trajectory import Trajectory as Trajectory
    from toolgym.evaluation import evaluate as evaluate

_HOMES = {
    "Dataset": "sandbox.kit.domain",
    "Domain": "sandbox.kit.domain",
    "Fact": "sandbox.kit.task",
    "Goal": "sandbox.kit.task",
    "Message": "sandbox.kit.message",
    "Session": "sandbox.runtime.session",
    "Task": "sandbox.kit.task",
    "ToolCall": "sandbox.kit.message",
    "ToolgymError": "sandbox.kit.errors",
    "Trajectory": "sandbox.runtime.trajectory",
    "evaluate": "toolgym.evaluation",
    "get_domain": "sandbox.runtime.registry",
    "make": "sandbox.gym.registration",
}
__all__ = list(_HOMES)


def __getattr__(name: str) -> Any:
    """Load a public name from the module that defines it."""
    if name not in _HOMES:
        raise AttributeError(f"toolgym has no name {name!r}; its names are {', '.join(_HOMES)}.")
    value = globals()[name] = getattr(importlib.import_module(_HOMES[name]), name)
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *_HOMES})


def _require_own_packages() -> None:
    """Packages with such plain names can be hidden by a file or package of the same name in the working directory."""
    home = Path(__file__).resolve().parents[1]
    for name in ("sandbox", "domains", "judge", "training"):
        spec = find_spec(name)
        folder = next(iter(spec.submodule_search_locations or ()), spec.origin) if spec else None
        if folder is None or Path(folder).resolve() != home / name:
            where = f"{folder} hides toolgym's own package {name!r}" if folder else f"Its package {name!r} is missing"
            advice = "rename it, or start Python from another folder" if folder else "install it again"
            raise ImportError(f"{where}: {advice}.", name="toolgym")


_require_own_packages()
importlib.import_module("sandbox.gym.registration").register()
