"""How a person is known at a desk that serves anybody, and what must be known before personal columns are told."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy.orm import DeclarativeBase

from toolgym.sandbox.kit.database import Database
from toolgym.sandbox.kit.message import Json
from toolgym.sandbox.kit.task import Task
from toolgym.sandbox.kit.tool import Tool


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
        among: who comes at all, as a condition in SQL on the table, such as those who have an order; all without it.

    Examples:
        >>> from toolgym.domains.kiosk.schema import Ticket
        >>> from toolgym.domains.kiosk.tools import find_tickets
        >>> from toolgym import Session
        >>> from toolgym.kit import Identity
        >>> identity, database = Identity(Ticket, found_by=[find_tickets]), Session("kiosk").database
        >>> identity.known(database, database.get(Ticket, "T101"), find_tickets)
        {'holder': 'Ada Moreau'}
    """

    table: type[DeclarativeBase]
    found_by: Sequence[Tool]
    shown_by: Tool | None = None
    facts: Callable[[Database, Any], Mapping[str, Json]] | None = None
    among: str = ""

    def known(self, database: Database, row: Any, tool: Tool) -> dict[str, Json] | None:
        """What a look-up needs to find this person; None when the person has no such thing."""
        said = self.facts(database, row) if self.facts is not None else row._asdict()
        found = {shown: said.get(name, said.get(shown)) for name, shown in tool.inputs.items()}
        return None if None in found.values() else found

    def profile(self, task: Task, call: Callable[..., Json]) -> Json:
        """The person's own row as `shown_by` shows it; None where the task's facts are too few for any look-up."""
        facts = {fact.name: fact.value for fact in task.facts}
        for tool in self.found_by:
            if self.shown_by is not None and set(tool.inputs.values()) <= facts.keys():
                key = call(tool.name, **{name: str(facts[name]) for name in tool.inputs.values()})
                return (
                    key
                    if tool is self.shown_by
                    else call(self.shown_by.name, **{next(iter(self.shown_by.inputs.values())): key})
                )
        return None
