"""One person in a world at a moment: what it sees, what is its own, and which rules hold for it.

Everything is read live from the running world. Not for drawing: see `toolgym.sandbox.synthesis.sampler`.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence, Set
from datetime import datetime
from functools import cache, cached_property, partial
from inspect import signature
from typing import Any, Self, TypeVar

from sqlalchemy.orm import DeclarativeBase

from toolgym.sandbox.kit.domain import Domain
from toolgym.sandbox.kit.goal import Goal, Relation, Thing
from toolgym.sandbox.kit.message import Json, ToolCall
from toolgym.sandbox.kit.remembered import Remembered
from toolgym.sandbox.kit.rule import Rule, known
from toolgym.sandbox.kit.table import key_column
from toolgym.sandbox.kit.task import Task
from toolgym.sandbox.kit.tool import Tool, ToolResult
from toolgym.sandbox.kit.view import View
from toolgym.sandbox.runtime.call_log import CallRecord
from toolgym.sandbox.runtime.session import Session
from toolgym.sandbox.synthesis.arguments import Arguments

Model = TypeVar("Model", bound=DeclarativeBase)
SAME = 0.35
"""The share of draws in which a value stands elsewhere as well, so that it can be described."""


class Scene:
    """One person in a world at a moment.

    At a desk that serves anybody, references find everybody's rows, but a person speaks of their own.

    Args:
        domain: the world.
        owner: the person's key; None where nobody is known.
        now: the moment; the world's own clock without one.
        data: the body of data.
        same: the share of draws in which a value that also stands elsewhere is drawn from there.
        session: the world as it is by now; as it begins without one.
        known: what was read of the rows as the world begins, shared by all who look at it.
        deep: the longest chain of look-ups by which a row is described where a program has to find it (see
            `toolgym.sandbox.synthesis.addressing`); None where a user can be asked.
        split: where the tasks go, since training does not hear all of a goal's sentences; empty where that is all one.
        label: how the ids of its tasks begin, which may name the version by whose rules they play.
        by_name: rows are spoken of by what people call them, and by a key only where `Thing.says_key` has it so.
    """

    def __init__(
        self,
        domain: Domain,
        owner: Json = None,
        now: datetime | None = None,
        data: str = "own",
        *,
        same: float = SAME,
        session: Session | None = None,
        known: dict[Hashable, Any] | None = None,
        deep: int | None = None,
        split: str = "",
        by_name: bool = False,
        label: str = "",
    ) -> None:
        self.label = label
        self.same, self.deep, self.split, self.by_name = same, deep, split, by_name
        self.domain, self.owner, self.data = domain, owner, data
        self.now = now or domain.now
        self.session = session or Session(domain, task=self.task(), now=self.now)
        self._is_later = session is not None
        whose = (owner,) if domain.owner is None and owner is not None else None
        known = {} if known is None else known
        self.database = Remembered(self.session.database, known, whose)
        """The person's rows; only to be read."""
        self._everybody = self.database if whose is None else Remembered(self.session.database, known)
        self._reading = self.session.over(self._everybody)
        self._results: dict[str, ToolResult] = {}
        self.holders: Mapping[Any, list[tuple[Any, Relation]]] | None = None
        """The person's rows by the keys and texts that they show, once somebody asked."""
        self.listings: dict[Any, Any] = {}
        """Look-ups that were tried before, by row and by what is told of it."""
        self.ways: dict[Hashable, Any] = {}
        """Descriptions by other rows that were looked for before, by row and number."""
        self.changed: Set[tuple[str, Json]] = frozenset()
        """The rows that earlier wishes have changed, by table and key."""
        self.texts: dict[str, tuple[str, ...]] = {}
        """Texts that right runs compose, with what each must mention."""

    def after(self, calls: Sequence[ToolCall]) -> Self:
        """The same person once these calls were made; this one, where they only read."""
        acts = [call for call in calls if self.domain.tools_of(call.by)[call.name].kind != "read"]
        if not acts:
            return self
        session = self.session.fork()
        for call in acts:
            session.call(call.name, call.arguments, by=call.by)
        later = type(self)(
            self.domain,
            self.owner,
            self.now,
            self.data,
            same=self.same,
            session=session,
            deep=self.deep,
            split=self.split,
            by_name=self.by_name,
            label=self.label,
        )
        later.texts = self.texts
        later.changed = {(row.table, row.key[0]) for row in session.diff()}
        return later

    def close(self) -> None:
        """Free the copy of the rows in which calls were made; the world as it begins stays open."""
        if self._is_later:
            self.session.close()

    def is_changed(self, row: Any) -> bool:
        """Whether earlier wishes have changed a row."""
        return bool(self.changed) and (row.model.__tablename__, getattr(row, key_column(row.model))) in self.changed

    def task(self, **fields: Any) -> Task:
        """A task of this person at this moment."""
        now = None if self.now == self.domain.now else self.now
        return Task(
            **{"id": self.label, "domain": self.domain.name, "data": self.data, "owner": self.owner, "now": now}
            | fields
        )

    @cached_property
    def person(self) -> Any:
        """The person's own row; None where the world knows no persons."""
        identity = self.domain.identity
        table = self.domain.owner or (identity.table if identity else None)
        return None if table is None or self.owner is None else self.database.owner(table)

    def rows(self, model: type[Model], where: Callable[[Any], bool] | None = None) -> list[Model]:
        """The rows of a table that the person may see and would speak of; of them, those that something is true of."""
        return self.database.worked_out(("rows", model, where), lambda: self._rows(model, where))

    def _rows(self, model: type[Model], where: Callable[[Any], bool] | None) -> list[Model]:
        if where is not None:
            return [row for row in self.rows(model) if where(self.view(row))]
        thing, found = self.thing(model), self.seen(model)
        where = thing.where if thing and thing.where else None
        return found if where is None else [row for row in found if where(self.view(row))]

    def seen(self, model: type[Model]) -> list[Model]:
        """All rows of a table that the person may see, those of which nobody speaks among them."""
        return [row for row in self.database.mine(model) if not self._is_new(row)]

    def _is_new(self, row: Any) -> bool:
        """Whether an earlier wish made the row: its key is another one in every session."""
        made = self.database.state.new_ids
        return bool(made) and any(value in made for value in row if isinstance(value, str))

    def thing(self, model: type[DeclarativeBase]) -> Thing | None:
        """How people speak of a table's rows."""
        return next((thing for thing in self.domain.things if thing.table is model), None)

    def view(self, row: Any) -> View[Any]:
        """What tools show of a row."""
        return View(row).bound(self.database)

    def read(self, call: ToolCall) -> ToolResult:
        """The result of a read call in the person's world as it is before anything was done."""
        signed = repr((call.name, call.arguments))
        if signed not in self._results:
            if self.domain.tools[call.name].kind != "read":
                self._reading = self.session  # which is not as it was from here on
            reading = partial(self._reading.call, call.name, call.arguments)
            self._results[signed] = (
                reading() if self._reading is self.session else self._everybody.worked_out(("read", signed), reading)
            )
        return self._results[signed]

    def begun(self, calls: Iterable[ToolCall]) -> Iterator[CallRecord]:
        """The reads with which these calls begin, as far as they succeed: what they show in the world as it begins."""
        for call in calls:
            if call.by != "agent" or self.domain.tools[call.name].kind != "read" or self._reading is self.session:
                return
            result, given = self.read(call), call.arguments
            if not result.ok or isinstance(given, str):
                return
            yield CallRecord(call.name, given, call.by, "read", result.value)

    def sensible(self, goal: Goal, arguments: Arguments) -> bool:
        """Whether the goal's own `where` takes these arguments."""
        if goal.where is None:
            return True
        asked = asked_by(goal.where)
        return goal.where(**{name: self._shown(arguments[name]) for name in asked})

    def _shown(self, value: Any) -> Any:
        if isinstance(value, list):
            return [self._shown(each) for each in value]
        return self.view(value) if hasattr(value, "model") else value

    # --- rules ---

    def broken(self, tool: Tool, arguments: Arguments) -> list[Rule]:
        """The rules that a call would break, those apart that another call mends first."""
        return [rule for rule in self._rules(tool) if not self.holds(rule, arguments)]

    @property
    def rules(self) -> list[Rule]:
        """The rules that hold here."""
        return self.domain.rules_at(self.database.version)

    def _rules(self, tool: Tool) -> list[Rule]:
        return [rule for rule in self.rules if rule.applies(tool) and rule.remedy is None]

    def holds(self, rule: Rule, arguments: Arguments) -> bool:
        """Whether a rule holds for a call in the person's world as it is."""
        return rule.allows(self.known(rule, arguments))

    def known(self, rule: Rule, arguments: Arguments) -> dict[str, Any]:
        """What a rule's predicate asks for; a read of it that is refused shows nothing."""
        return known(self.database, rule, arguments, lambda call: self.read(call).value)


@cache
def asked_by(function: Callable[..., Any]) -> tuple[str, ...]:
    """What a function of a goal's author asks for."""
    return tuple(signature(function).parameters)
