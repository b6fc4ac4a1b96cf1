"""Whether the parts of a recorded episode belong together: its task, the checks it was scored on, its messages.

A record that was put together from several, or whose task was changed afterwards, has no honest score: which of its
parts is right cannot be told. Not for differences between that world and ours, see `toolgym.judge.interop.comparison`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from toolgym.judge.interop.criteria import basis_of
from toolgym.judge.interop.recorded import LeftOut, Recorded, section
from toolgym.sandbox.kit.message import Json

OTHER_CHECKS = "scored on other checks than their task holds"
OTHER_MESSAGES = "with checks that their messages contradict"
OTHER_REWARD = "with a reward that their own parts contradict"


def require_one_record(recorded: Recorded, tasks: Sequence[Mapping[str, Json]]) -> None:
    """Refuse an episode whose parts contradict one another.

    Args:
        recorded: the episode.
        tasks: the task's records; its checks must be those of one of them.

    Raises:
        LeftOut: they do.
    """
    said = recorded.scored_on
    against = [list(_other_checks(said, task)) for task in tasks]
    if all(against):
        raise LeftOut(OTHER_CHECKS, f"it was scored on another {against[0][0]} than its task holds")
    made = {call.name for message in recorded.messages for call in message.tool_calls}
    for check in _entries(said, "action_checks"):
        name = section(check.get("action")).get("name")
        if check.get("action_match") is True and name not in made:
            raise LeftOut(OTHER_MESSAGES, f"its checks say that {name} was called, and no message calls it")
    _require_product(recorded)


def _require_product(recorded: Recorded) -> None:
    parts = [recorded.components.get(part) for part in recorded.basis]
    reward = recorded.reward
    if reward is None or any(part is None for part in parts):
        return
    product = 1.0
    for part in parts:
        product *= part if part is not None else 1.0
    if abs(product - reward) > 1e-6 and reward == 1:
        named = ", ".join(f"{name} {recorded.components[name]:g}" for name in recorded.basis)
        raise LeftOut(OTHER_REWARD, f"its reward of {reward:g} is not what its parts come to ({named})")


def _other_checks(said: Mapping[str, Json], task: Mapping[str, Json]) -> Iterable[str]:
    """What a record was scored on and its task does not hold, in words; parts that were not checked say nothing."""
    criteria = section(task.get("evaluation_criteria"))
    basis = said.get("reward_basis")
    if basis and set(basis) != set(basis_of(task)):
        yield "reward_basis"
    kinds: dict[str, tuple[str, str, Any]] = {
        "gold call": ("action_checks", "actions", lambda entry: _call(entry.get("action", entry))),
        "text to be told": ("communicate_checks", "communicate_info", lambda entry: entry.get("info")),
        "assertion": ("env_assertions", "env_assertions", lambda entry: _assertion(entry.get("env_assertion", entry))),
        "assertion in words": ("nl_assertions", "nl_assertions", lambda entry: entry.get("nl_assertion")),
    }
    for words, (checked, wanted, read) in kinds.items():
        entries = _entries(said, checked)
        held = criteria.get(wanted) or ()
        expected = [read(entry) if isinstance(entry, Mapping) else entry for entry in held]
        if entries and [read(entry) for entry in entries] != expected:
            yield words


def _entries(said: Mapping[str, Json], name: str) -> list[Mapping[str, Json]]:
    listed = said.get(name)
    return [entry for entry in listed if isinstance(entry, Mapping)] if isinstance(listed, list) else []


def _call(entry: Json) -> tuple[Json, Json]:
    return section(entry).get("name"), section(entry).get("arguments")


def _assertion(entry: Json) -> tuple[Json, Json, Json]:
    found = section(entry)
    return found.get("func_name"), found.get("arguments"), found.get("assert_value", True)


class Copies:
    """The episodes of one file that were seen, so that each counts once."""

    def __init__(self) -> None:
        self._ids: set[str] = set()
        self._stamps: set[str] = set()
        self._trials: set[tuple[str, int]] = set()

    def trial(self, recorded: Recorded) -> int:
        """The trial that an episode counts as: its own number, or where it has none the next free one.

        Raises:
            LeftOut: it is another one's copy, or its trial is there already.
        """
        task = str(recorded.task["id"])
        if recorded.identifier and recorded.identifier in self._ids:
            raise LeftOut("copies of others", f"its id {recorded.identifier} is another simulation's")
        if recorded.stamp and recorded.stamp in self._stamps:
            raise LeftOut("copies of others", "its messages and their times are another simulation's")
        number = recorded.trial if type(recorded.trial) is int else None
        if number is not None and (task, number) in self._trials:
            raise LeftOut("of a trial that is there already", f"trial {number} of task {task} is there already")
        while number is None or (task, number) in self._trials:
            number = 0 if number is None else number + 1
        self._ids.add(recorded.identifier)
        self._stamps.add(recorded.stamp)
        self._trials.add((task, number))
        return number
