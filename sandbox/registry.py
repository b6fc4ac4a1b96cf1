"""Finds domains, users, agents, rewards and speech engines by name through entry points.

A third party's package plugs in by declaring the same groups in its own `pyproject.toml`; nothing is imported
until a name is asked for.
"""

from __future__ import annotations

from functools import cache
from importlib.metadata import EntryPoint, entry_points
from typing import Any, Literal

from sandbox.errors import ConfigurationError, unknown

Group = Literal[
    "domains", "users", "agents", "clerks", "hands", "rewards", "judges", "verifiers", "formats", "tts", "asr"
]


@cache
def _entries(group: Group) -> dict[str, EntryPoint]:
    return {entry.name: entry for entry in entry_points(group=f"toolgym.{group}")}


def names(group: Group) -> list[str]:
    """The names installed in a group, sorted."""
    return sorted(_entries(group))


def environment_id(domain: str) -> str:
    """The Gymnasium id of a domain: `file_system` is `ToolFileSystem-v0`."""
    return f"Tool{domain.replace('_', ' ').title().replace(' ', '')}-v0"


@cache
def load(group: Group, name: str) -> Any:
    """The object registered as `name` in `group`; its type is the group's contract.

    Raises:
        BadInput: no such name; the message holds the nearest one and the full list.
        ConfigurationError: the entry exists but its module cannot be imported.
    """
    entries = _entries(group)
    if name not in entries:
        raise unknown(group.removesuffix("s"), name, entries)
    try:
        return entries[name].load()
    except ImportError as error:
        raise ConfigurationError(
            f"The {group.removesuffix('s')} {name!r} is declared as {entries[name].value} but cannot be imported: "
            f"{error}. `toolgym doctor` lists what each extra installs."
        ) from error
