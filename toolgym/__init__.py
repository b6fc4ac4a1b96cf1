"""The front door: `import toolgym` makes the environments known to Gymnasium and has the names that most programs need.

Each name is loaded when it is first used, so that the import itself takes milliseconds.
"""

from __future__ import annotations

import importlib
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from sandbox.domain import Data as Data
    from sandbox.domain import Domain as Domain
    from sandbox.domain import get_domain as get_domain
    from sandbox.errors import ToolgymError as ToolgymError
    from sandbox.gym_env import make as make
    from sandbox.message import Message as Message
    from sandbox.message import ToolCall as ToolCall
    from sandbox.session import Session as Session
    from sandbox.task import Fact as Fact
    from sandbox.task import Goal as Goal
    from sandbox.task import Task as Task
    from sandbox.trajectory import Trajectory as Trajectory
    from toolgym.evaluation import evaluate as evaluate

_HOMES = {
    "Data": "sandbox.domain",
    "Domain": "sandbox.domain",
    "Fact": "sandbox.task",
    "Goal": "sandbox.task",
    "Message": "sandbox.message",
    "Session": "sandbox.session",
    "Task": "sandbox.task",
    "ToolCall": "sandbox.message",
    "ToolgymError": "sandbox.errors",
    "Trajectory": "sandbox.trajectory",
    "evaluate": "toolgym.evaluation",
    "get_domain": "sandbox.domain",
    "make": "sandbox.gym_env",
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
importlib.import_module("sandbox")  # registers the Gymnasium ids
