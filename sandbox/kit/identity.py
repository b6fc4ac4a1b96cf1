"""How a person is known at a desk that serves anybody, and what must be known before personal columns are told."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy.orm import DeclarativeBase

from sandbox.kit.database import Database
from sandbox.kit.message import Json
from sandbox.kit.tool import Tool


@dataclass(frozen=True)
class Identity:
    """How the agent finds out whom it speaks to.

    Attributes:
        table: whose rows are the persons.
        found_by: the look-ups that find one, the usual one first. What they ask for is what the person must say; a
            successful call means that the person is known, and nothing personal may be told before.
        shown_by: the look-up that shows the person's own row, given the key that was found.
        facts: what a person can say of themself, by the look-ups' parameters, where that is more than columns of the
            row: a function of the database and the row.
    """

    table: type[DeclarativeBase]
    found_by: Sequence[Tool]
    shown_by: Tool | None = None
    facts: Callable[[Database, Any], Mapping[str, Json]] | None = None

    def known(self, database: Database, row: Any, tool: Tool) -> dict[str, Json] | None:
        """What a look-up needs to find this person; None when the person has no such thing."""
        said = self.facts(database, row) if self.facts is not None else row._asdict()
        found = {name: said.get(name) for name in tool.inputs}
        return None if None in found.values() else found
