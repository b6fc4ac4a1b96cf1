"""Reads format 1 of tasks and trajectories: what was written before tasks carried a number. Not for writing.

Pure functions from a decoded record to the same record in format 2. Only this module knows the former names.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final

from pydantic_core import PydanticCustomError

FORMAT: Final = 2
"""The format that is written."""
_GOAL = {"say": "utterance", "tell": "must_communicate", "otherwise": "fallback", "instead": "revised_to"}
_FACT = {"withheld": "on_request"}
_SPEECH = {"ears": "agent_input"}
_RUN = {"ears": "agent_input", "hesitation": "disfluency"}

Record = dict[str, Any]


def read_task(record: Any) -> Any:
    """A task of any format in the present one; what is no object is left to the model's own check."""
    return _read(record, "format_version", _task)


def read_trajectory(record: Any) -> Any:
    """A trajectory of any format in the present one, its task included; format 1 called the number `version`."""
    numbered = "version" if isinstance(record, dict) and "format_version" not in record else "format_version"
    return _read(record, numbered, _trajectory)


def read_run(settings: Record) -> Record:
    """The settings of a run's folder under their present names; run.json carries no number."""
    return {_RUN.get(name, name): value for name, value in settings.items()}


def _read(record: Any, numbered: str, upgrade: Callable[[Record], Record]) -> Any:
    if not isinstance(record, dict):
        return record
    number = record.get(numbered, 1)
    if type(number) is not int or not 1 <= number <= FORMAT:
        known = " and ".join(map(str, range(1, FORMAT + 1)))
        raise PydanticCustomError(
            "format_version",
            "format {number} is unknown, this toolgym reads {known}; upgrade it if a newer one wrote this",
            {"number": repr(number), "known": known},
        )
    if number == FORMAT:
        return record
    rest = {name: value for name, value in record.items() if name != numbered}
    return {"format_version": FORMAT} | upgrade(rest)


def _trajectory(record: Record) -> Record:
    info = record.get("info")
    if isinstance(info, dict) and "speech" in info:
        return record | {"info": info | {"speech": _renamed(info["speech"], _SPEECH)}}
    return record


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
