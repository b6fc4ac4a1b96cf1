"""What was done to a database since it was a fresh copy of its template: the one record that undo, forks and diffs use.

Knows no SQL: `toolgym.sandbox.kit.database` writes the rows.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
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
    """A moment of a state: how many changes there were, how many ids of each table, and the joined worlds' moments."""

    changes: int = 0
    id_counts: Mapping[str, int] = field(default_factory=dict)
    joined: Mapping[str, Mark] = field(default_factory=dict)


START = Mark()
"""The moment of a state to which nothing has happened."""


@dataclass(slots=True)
class State:
    """What a database has come to.

    Attributes:
        journal: every row changed so far, in order.
        id_counts: how many ids of each table were generated.
        new_ids: the generated ids, those of undone calls included.
        joined: the states of the worlds joined to this one that a call has reached, by world.
    """

    journal: list[Change] = field(default_factory=list)
    id_counts: dict[str, int] = field(default_factory=dict)
    new_ids: set[str] = field(default_factory=set)
    joined: dict[str, State] = field(default_factory=dict)
    _last: Mark = field(default=START, repr=False, compare=False)

    def mark(self) -> Mark:
        """This moment; the same object as long as nothing happens, so that marking every call costs no memory."""
        last = self._last
        if last.changes != len(self.journal) or last.id_counts != self.id_counts or (self.joined and self._elsewhere()):
            joined = {world: state.mark() for world, state in self.joined.items()}
            self._last = last = Mark(len(self.journal), dict(self.id_counts), joined)
        return last

    def _elsewhere(self) -> bool:
        """Whether something happened in a joined world since the last mark."""
        return any(state.mark() is not self._last.joined.get(world, START) for world, state in self.joined.items())

    def written(self, since: Mark) -> Iterator[tuple[str, Change]]:
        """The changes after a moment with their tables' names, which are `world.table` in a joined world."""
        for change in self.journal[since.changes :]:
            yield change.model.__tablename__, change
        for world, state in self.joined.items():
            for table, change in state.written(since.joined.get(world, START)):
                yield f"{world}.{table}", change

    def generated(self) -> frozenset[str]:
        """The ids generated in any of the worlds, those of undone calls included."""
        return frozenset(self.new_ids).union(*(state.generated() for state in self.joined.values()))

    def restore(self, mark: Mark) -> list[Change]:
        """Go back to a moment; returns the changes that undo what came after it, in the order to write them.

        Joined states are restored by those who write their rows.
        """
        undone = [change.undone() for change in reversed(self.journal[mark.changes :])]
        del self.journal[mark.changes :]
        self.id_counts = dict(mark.id_counts)
        self._last = mark
        return undone

    def fork(self) -> State:
        """An independent state that equals this one."""
        joined = {world: state.fork() for world, state in self.joined.items()}
        return State(list(self.journal), dict(self.id_counts), set(self.new_ids), joined, self._last)
