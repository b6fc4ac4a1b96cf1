"""The front door: `import toolgym` makes the environments known to Gymnasium and has the names that most programs need.

Also those that a world's author writes with; the worlds in this repository take them from `sandbox.kit` themselves.

Each name is loaded when it is first used, so that the import itself takes milliseconds.
"""

from __future__ import annotations

import importlib
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from sandbox.gym.registration import make as make
    from sandbox.kit.database import Database as Database
    from sandbox.kit.domain import Dataset as Dataset
    from sandbox.kit.domain import Domain as Domain
    from sandbox.kit.domain import generated as generated
    from sandbox.kit.errors import Refusal as Refusal
    from sandbox.kit.errors import ToolgymError as ToolgymError
    from sandbox.kit.goal import Ask as Ask
    from sandbox.kit.goal import Condition as Condition
    from sandbox.kit.goal import Draw as Draw
    from sandbox.kit.goal import Goal as Goal
    from sandbox.kit.goal import Relation as Relation
    from sandbox.kit.goal import Same as Same
    from sandbox.kit.goal import Slot as Slot
    from sandbox.kit.goal import Tell as Tell
    from sandbox.kit.goal import Thing as Thing
    from sandbox.kit.handover import Handover as Handover
    from sandbox.kit.identity import Identity as Identity
    from sandbox.kit.message import Message as Message
    from sandbox.kit.message import ToolCall as ToolCall
    from sandbox.kit.reference import Free as Free
    from sandbox.kit.reference import PageNumber as PageNumber
    from sandbox.kit.reference import Ref as Ref
    from sandbox.kit.reference import Reference as Reference
    from sandbox.kit.reference import Secret as Secret
    from sandbox.kit.rule import rule as rule
    from sandbox.kit.rule import rules_in as rules_in
    from sandbox.kit.search import contains_text as contains_text
    from sandbox.kit.search import equals_text as equals_text
    from sandbox.kit.search import given as given
    from sandbox.kit.search import is_within as is_within
    from sandbox.kit.table import computed as computed
    from sandbox.kit.table import hidden as hidden
    from sandbox.kit.table import key as key
    from sandbox.kit.table import personal as personal
    from sandbox.kit.task import Fact as Fact
    from sandbox.kit.task import Task as Task
    from sandbox.kit.tool import ToolSet as ToolSet
    from sandbox.kit.tool import tool as tool
    from sandbox.kit.view import Page as Page
    from sandbox.kit.view import View as View
    from sandbox.runtime.registry import get_domain as get_domain
    from sandbox.runtime.session import Session as Session
    from sandbox.runtime.trajectory import Trajectory as Trajectory
    from toolgym.evaluation import evaluate as evaluate

_HOMES = {
    "Ask": "sandbox.kit.goal",
    "Condition": "sandbox.kit.goal",
    "Relation": "sandbox.kit.goal",
    "computed": "sandbox.kit.table",
    "contains_text": "sandbox.kit.search",
    "equals_text": "sandbox.kit.search",
    "given": "sandbox.kit.search",
    "is_within": "sandbox.kit.search",
    "Database": "sandbox.kit.database",
    "Dataset": "sandbox.kit.domain",
    "Domain": "sandbox.kit.domain",
    "Draw": "sandbox.kit.goal",
    "evaluate": "toolgym.evaluation",
    "Fact": "sandbox.kit.task",
    "Free": "sandbox.kit.reference",
    "generated": "sandbox.kit.domain",
    "get_domain": "sandbox.runtime.registry",
    "Goal": "sandbox.kit.goal",
    "Handover": "sandbox.kit.handover",
    "hidden": "sandbox.kit.table",
    "Identity": "sandbox.kit.identity",
    "key": "sandbox.kit.table",
    "make": "sandbox.gym.registration",
    "Message": "sandbox.kit.message",
    "Page": "sandbox.kit.view",
    "PageNumber": "sandbox.kit.reference",
    "personal": "sandbox.kit.table",
    "Ref": "sandbox.kit.reference",
    "Reference": "sandbox.kit.reference",
    "Refusal": "sandbox.kit.errors",
    "rule": "sandbox.kit.rule",
    "rules_in": "sandbox.kit.rule",
    "Same": "sandbox.kit.goal",
    "Secret": "sandbox.kit.reference",
    "Session": "sandbox.runtime.session",
    "Slot": "sandbox.kit.goal",
    "Task": "sandbox.kit.task",
    "Tell": "sandbox.kit.goal",
    "Thing": "sandbox.kit.goal",
    "tool": "sandbox.kit.tool",
    "ToolCall": "sandbox.kit.message",
    "ToolgymError": "sandbox.kit.errors",
    "ToolSet": "sandbox.kit.tool",
    "Trajectory": "sandbox.runtime.trajectory",
    "View": "sandbox.kit.view",
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
