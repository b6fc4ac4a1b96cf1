"""Reads the former formats of tasks and trajectories: 1, before tasks carried a number, and trajectories' 2. Not for
writing.

Pure functions from a decoded record to the same record in the present format. Only this module knows the former names.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final

from pydantic_core import PydanticCustomError

TASK: Final = 2
"""The format in which tasks are written."""
TRAJECTORY: Final = 3
"""The format in which trajectories are written; in 2 none said how changes were agreed to, which was in words."""
_GOAL = {"say": "utterance", "tell": "must_communicate", "otherwise": "fallback", "instead": "revised_to"}
_FACT = {"withheld": "on_request"}
_SPEECH = {"ears": "agent_input"}
_RUN = {"ears": "agent_input", "hesitation": "disfluency"}

Record = dict[str, Any]


def read_task(record: Any) -> Any:
    """A task of any format in the present one; what is no object is left to the model's own check."""
    return _read(record, "format_version", TASK, {1: _task})


def read_trajectory(record: Any) -> Any:
    """A trajectory of any format in the present one, its task included; format 1 called the number `version`."""
    numbered = "version" if isinstance(record, dict) and "format_version" not in record else "format_version"
    return _read(record, numbered, TRAJECTORY, {1: _trajectory, 2: _with_consent})


def read_run(settings: Record) -> Record:
    """The settings of a run's folder under their present names; run.json carries no number."""
    return {_RUN.get(name, name): value for name, value in settings.items()}


def _read(record: Any, numbered: str, newest: int, upgrades: Mapping[int, Callable[[Record], Record]]) -> Any:
    if not isinstance(record, dict):
        return record
    number = record.get(numbered, 1)
    if type(number) is not int or not 1 <= number <= newest:
        known = f"{', '.join(map(str, range(1, newest)))} and {newest}"
        raise PydanticCustomError(
            "format_version",
            "format {number} is unknown, this toolgym reads {known}; upgrade it if a newer one wrote this",
            {"number": repr(number), "known": known},
        )
    if number == newest:
        return record
    rest = {name: value for name, value in record.items() if name != numbered}
    for each in range(number, newest):
        rest = upgrades[each](rest)
    return {"format_version": newest} | rest


def _trajectory(record: Record) -> Record:
    info = record.get("info")
    if isinstance(info, dict) and "speech" in info:
        return record | {"info": info | {"speech": _renamed(info["speech"], _SPEECH)}}
    return record


def _with_consent(record: Record) -> Record:
    return {"consent": "words"} | record


def _task(record: Record) -> Record:
    return _each(_each(record, "goals", _goal), "facts", _fact)


def _goal(goal: Any) -> Any:
    if not isinstance(goal, dict):
        return goal
    found = _each(_renamed(goal, _GOAL), "facts", _fact)
    return found | {name: _goal(found[name]) for name in ("fallback", "revised_to") if name in found}


def _fact(fact: Any) -> Any:
    return _renamed(fact, _FACT)


def _each(record: Record, name: str, upgrade: Callable[[Any], Any]) -> Record:
    """The record with each item of one of its lists upgraded."""
    items = record.get(name)
    return record | {name: [upgrade(item) for item in items]} if isinstance(items, list | tuple) else record


def _renamed(value: Any, names: Mapping[str, str]) -> Any:
    """An object's members under their present names; one that stands there under both keeps both, to be refused."""
    if not isinstance(value, dict):
        return value
    return {names[name] if name in names and names[name] not in value else name: item for name, item in value.items()}
