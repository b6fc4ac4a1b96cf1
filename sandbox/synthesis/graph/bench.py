"""What the measurement needs of the tools it measures: a listing, live calls, and a way back.

A world in this process is one such bench; a foreign MCP server is another (`toolgym.sandbox.remote.mcp_bench`).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import date
from typing import Any, Protocol

from toolgym.sandbox.kit.database import Database
from toolgym.sandbox.kit.domain import Domain
from toolgym.sandbox.kit.message import Json
from toolgym.sandbox.kit.task import Task
from toolgym.sandbox.kit.tool import Kind, ToolResult
from toolgym.sandbox.runtime.session import Session

_ROWS = 60
"""Rows of each table that stand for what a person knows: enough for rare cases, few enough to be looked through."""


class OutOfCalls(Exception):
    """The stated number of calls is used up; what was found so far stands."""


@dataclass(frozen=True, slots=True)
class Card:
    """A tool as its listing describes it: all that the measurement may read of it."""

    name: str
    kind: Kind
    parameters: Mapping[str, Json]


class Bench(Protocol):
    """Live tools that can be tried and put back.

    Attributes:
        cards: the tools that may be called.
        generous: whether calls are so cheap that thousands of them do no harm.
    """

    cards: tuple[Card, ...]
    generous: bool

    def call(self, tool: str, arguments: Mapping[str, Json]) -> ToolResult:
        """Call a tool; what it writes stays until `undo`. Raises OutOfCalls when no call is left."""
        ...

    def mark(self) -> int:
        """This moment."""
        ...

    def undo(self, mark: int) -> None:
        """Go back to a moment."""
        ...

    def known(self) -> Iterator[tuple[str, dict[str, Json]]]:
        """What a person may know without asking a tool: a topic and facts by name."""
        ...


class WorldBench:
    """A world of this process, on a session of its own.

    Args:
        domain: the world.
        data: whose rows.
        task: whose owner's rows; the world's usual owner's without one.
    """

    generous = True

    def __init__(self, domain: Domain, data: str = "own", task: Task | None = None) -> None:
        self._domain, self._data, self._task = domain, data, task
        self._session = Session(domain, data=data, task=task)
        tools = domain.tools.values()
        self.cards = tuple(Card(tool.name, tool.kind, tool.parameters) for tool in tools)

    def call(self, tool: str, arguments: Mapping[str, Json]) -> ToolResult:
        """Call a tool of the agent's."""
        return self._session.call(tool, arguments)

    def mark(self) -> int:
        """The calls so far."""
        return len(self._session.log)

    def undo(self, mark: int) -> None:
        """Forget the calls after the first `mark` ones."""
        self._session.rollback(mark)

    def known(self) -> Iterator[tuple[str, dict[str, Json]]]:
        """Stored rows, spread over each table: people know who they are and what they have."""
        image, owner = self._domain.template(self._data), self._domain.owner_key(self._task, self._data)
        database = Database(image, now=self._domain.now, seed=0, owner=owner)
        for model in self._domain.models:
            found: list[Any] = [database.owner(model)] if model is self._domain.owner else database.mine(model)
            for row in found[:: max(1, len(found) // _ROWS)][:_ROWS]:
                said = {name: _said(value) for name, value in row._asdict().items()}
                yield model.__tablename__, {name: text for name, text in said.items() if text}


def _said(value: Json) -> str:
    """A column's value as a person says it; nothing where it is no text and no day."""
    return value.isoformat() if isinstance(value, date) else value if isinstance(value, str) else ""
