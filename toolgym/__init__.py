"""toolgym: a gym for agents that talk to a user and act through tools.

`dir(toolgym)` lists what most programs need; whoever writes a world takes the rest from `toolgym.kit`. The parts are
`toolgym.sandbox`, `toolgym.domains`, `toolgym.judge` and `toolgym.training`. Each name is loaded when it is first used,
so that the import itself takes milliseconds; Gymnasium learns the ids of the environments when it is imported,
before or after.
"""

from __future__ import annotations

import importlib as _importlib
from typing import TYPE_CHECKING, Any

from toolgym import _gymnasium

if TYPE_CHECKING:
    from toolgym.evaluation import evaluate as evaluate
    from toolgym.judge.scoring.reward import Judge as Judge
    from toolgym.judge.scoring.reward import Reward as Reward
    from toolgym.judge.scoring.verifier import verify as verify
    from toolgym.lists import tools_of as tools_of
    from toolgym.lists import worlds as worlds
    from toolgym.results import Results as Results
    from toolgym.sandbox.gym.registration import make as make
    from toolgym.sandbox.kit.errors import BadInput as BadInput
    from toolgym.sandbox.kit.errors import ConfigurationError as ConfigurationError
    from toolgym.sandbox.kit.errors import InfrastructureError as InfrastructureError
    from toolgym.sandbox.kit.errors import Refusal as Refusal
    from toolgym.sandbox.kit.errors import ToolgymError as ToolgymError
    from toolgym.sandbox.kit.message import Message as Message
    from toolgym.sandbox.kit.message import ToolCall as ToolCall
    from toolgym.sandbox.kit.task import Task as Task
    from toolgym.sandbox.runtime.roles import Agent as Agent
    from toolgym.sandbox.runtime.roles import User as User
    from toolgym.sandbox.runtime.session import Session as Session
    from toolgym.sandbox.runtime.trajectory import Trajectory as Trajectory
    from toolgym.scoring import score as score

    __version__: str

_HOMES = {
    "Agent": "toolgym.sandbox.runtime.roles",
    "BadInput": "toolgym.sandbox.kit.errors",
    "ConfigurationError": "toolgym.sandbox.kit.errors",
    "InfrastructureError": "toolgym.sandbox.kit.errors",
    "Judge": "toolgym.judge.scoring.reward",
    "Message": "toolgym.sandbox.kit.message",
    "Refusal": "toolgym.sandbox.kit.errors",
    "Results": "toolgym.results",
    "Reward": "toolgym.judge.scoring.reward",
    "Session": "toolgym.sandbox.runtime.session",
    "Task": "toolgym.sandbox.kit.task",
    "ToolCall": "toolgym.sandbox.kit.message",
    "ToolgymError": "toolgym.sandbox.kit.errors",
    "Trajectory": "toolgym.sandbox.runtime.trajectory",
    "User": "toolgym.sandbox.runtime.roles",
    "evaluate": "toolgym.evaluation",
    "make": "toolgym.sandbox.gym.registration",
    "score": "toolgym.scoring",
    "tools_of": "toolgym.lists",
    "verify": "toolgym.judge.scoring.verifier",
    "worlds": "toolgym.lists",
}
__all__ = [*_HOMES, "__version__"]


def __getattr__(name: str) -> Any:
    """Load a public name from the module that defines it; one that has moved to `toolgym.kit` comes with a warning."""
    if name == "__version__":
        from importlib.metadata import version

        value: Any = version("toolgym")
    elif name in _HOMES:
        value = getattr(_importlib.import_module(_HOMES[name]), name)
    elif name.startswith("_"):
        raise AttributeError(f"module 'toolgym' has no attribute {name!r}", name=name)
    else:
        return _kits(name)
    globals()[name] = value
    return value


def _kits(name: str) -> Any:
    """What stood here in 0.2: names that only authors of worlds use."""
    from warnings import warn

    kit = _importlib.import_module("toolgym.kit")
    if name == "kit":
        return kit
    if name not in kit.__all__:
        message = (
            f"toolgym has no name {name!r}; its names are {', '.join(_HOMES)}. Those for worlds are in toolgym.kit."
        )
        raise AttributeError(message, name=name)
    warn(
        f"Import {name} from toolgym.kit; toolgym.{name} goes with the next version.", DeprecationWarning, stacklevel=3
    )
    return getattr(kit, name)


def __dir__() -> list[str]:
    return sorted(__all__)


_gymnasium.register_with_import()
