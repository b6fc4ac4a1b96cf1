"""What was done to a database since it was a fresh copy of its template: the one record that undo, forks and diffs use.

Knows no SQL: `sandbox.kit.database` writes the rows.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from sqlalchemy.orm import DeclarativeBase

Row = tuple[Any, ...]


class Change(NamedTuple):
    """One written row as stored: `before` is None for an insert, `after` for a delete."""

    model: type[DeclarativeBase]
    key: Row
    before: Row | None
    after: Row | None

    def undone(self) -> Change:
        """The change that takes this one back."""
        return Change(self.model, self.key, self.after, self.before)


@dataclass(frozen=True, slots=True)
class Mark:
    """A moment of a state: how many changes there were, and how many ids of each table."""

    changes: int = 0
    id_counts: Mapping[str, int] = field(default_factory=dict)


@dataclass(slots=True)
class State:
    """What a database has come to.

    Attributes:
        journal: every row changed so far, in order.
        id_counts: how many ids of each table were generated.
        new_ids: the generated ids, those of undone calls included.
    """

    journal: list[Change] = field(default_factory=list)
    id_counts: dict[str, int] = field(default_factory=dict)
    new_ids: set[str] = field(default_factory=set)
    _last: Mark = field(default=Mark(), repr=False, compare=False)

    def mark(self) -> Mark:
        """This moment; the same object as long as nothing happens, so that marking every call costs no memory."""
        last = self._last
        if last.changes != len(self.journal) or last.id_counts != self.id_counts:
            self._last = last = Mark(len(self.journal), dict(self.id_counts))
        return last

    def restore(self, mark: Mark) -> list[Change]:
        """Go back to a moment; returns the changes that undo what came after it, in the order to write them."""
        undone = [change.undone() for change in reversed(self.journal[mark.changes :])]
        del self.journal[mark.changes :]
        self.id_counts = dict(mark.id_counts)
        self._last = mark
        return undone

    def fork(self) -> State:
        """An independent state that equals this one."""
        return State(list(self.journal), dict(self.id_counts), set(self.new_ids), self._last)
