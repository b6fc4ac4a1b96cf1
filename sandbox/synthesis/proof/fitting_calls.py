"""Random calls that can succeed, drawn from what a world declares, so that what holds after any call is tried by many.

Calls that fit schemas alone are refused nearly always (`random_calls`); here a reference names a row, a filter holds
what a row holds, and a task's gold calls come in between. Some values may be taken from the edges of their types, where
tools break that were tried with ordinary ones.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, field
from datetime import timedelta
from random import Random
from typing import Any, NamedTuple, cast

from sqlalchemy import Column, Float, Integer, Table

from toolgym.sandbox.kit.bounds import FIRST_YEAR, LAST_YEAR, LONGEST, MOST
from toolgym.sandbox.kit.domain import Domain
from toolgym.sandbox.kit.errors import InfrastructureError
from toolgym.sandbox.kit.message import Json, Party, ToolCall
from toolgym.sandbox.kit.table import key_column
from toolgym.sandbox.kit.task import Task
from toolgym.sandbox.kit.tool import Tool
from toolgym.sandbox.runtime.session import Session
from toolgym.sandbox.synthesis.generator import dev_tasks

CALLS = 50
"""In each session."""
TASKS = 40, 100
"""At least and at most, whose sessions the calls are made in, one after the other."""
DAYS = 45
"""How far a drawn day lies from today."""
ROWS = 60
"""Of a table, the owner's rows that references are drawn from, and as many of all."""
GOLD, SEEN, OWN, OPTIONAL = 0.25, 0.4, 0.85, 0.4
"""How often the task's next gold call is made, a value is one that a gold call passes there, a row is the owner's, and
an argument is given that may be left out."""
_FEW = 6
"""Numbers without bounds are drawn below this: how many of a thing there are."""


_YEARS = (1, FIRST_YEAR - 1, FIRST_YEAR, 2000, LAST_YEAR, LAST_YEAR + 1, 9999)
_NUMBERS = (0, 1, -1, 99, 2**31, MOST - 1, MOST, MOST + 1, -MOST, 2**63 - 1, 2**63, 10**30)
_TEXTS = (
    "",
    " ",
    "\t\n",
    "\u00a0\u200b",
    "\0",
    "%",
    "_",
    ".",
    "..",
    "/",
    "a//b",
    "'",
    '"',
    "\\",
    "é\u0301",
    "👩‍👧",
    "\u202eabc",
)
_EXAMPLE = re.compile(r"\bsuch as ([^,;]+?)(?:[,;]|\.(?:\s|$)|$)")
"""What a parameter's description gives as an example."""


@dataclass
class Tried:
    """What came of many calls.

    Attributes:
        succeeded: how often each tool did.
        refused: how often each tool was, by its name and the refusal's code.
        faults: what must never be, in sentences.
    """

    succeeded: Counter[str] = field(default_factory=Counter)
    refused: Counter[tuple[str, str]] = field(default_factory=Counter)
    faults: list[str] = field(default_factory=list)


class Made(NamedTuple):
    """A call that was made.

    Attributes:
        by: which side made it.
        name: of the tool.
        arguments: what it was given.
        error: the code of its refusal; None where it succeeded.
    """

    by: Party
    name: str
    arguments: dict[str, Json]
    error: str | None


class FittingCalls:
    """Draws calls in one task's session.

    Args:
        session: of the task; calls are made in it.
        task: whose gold calls come in between.
        tasks: others, whose gold calls say what a parameter is given.
        rng: where chance comes from.
        edges: how often a value is taken from the edges of its type, in bounds and just beyond.
    """

    def __init__(self, session: Session, task: Task, tasks: Sequence[Task], rng: Random, *, edges: float = 0) -> None:
        self._session, self._rng, self._edges = session, rng, edges
        self._gold = list(task.gold)
        domain = session.domain
        self._doors: list[tuple[Party, Tool]] = [("agent", tool) for tool in domain.tools.values()]
        self._doors += [("user", tool) for tool in domain.user_tools.values()]
        self._given: dict[tuple[str, str], list[Json]] = defaultdict(list)
        for call in (call for each in (task, *tasks) for call in each.gold):
            for name, value in arguments_of(call).items():
                self._given[call.name, name].append(value)
        self._columns: dict[str, list[Json]] = defaultdict(list)
        self._shown: dict[str, list[Json]] = defaultdict(list)
        self._rows = {model.__tablename__: self._of(model) for model in domain.models}

    def make(self) -> Made:
        """Make one call."""
        if self._gold and self._rng.random() < GOLD:
            call = self._gold.pop(0)
            by, name, arguments = call.by, call.name, arguments_of(call)
        else:
            by, tool = self._rng.choice(self._doors)
            name, arguments = tool.name, self._arguments(tool)
        try:
            result = self._session.call(name, arguments, by=by)
        except InfrastructureError as error:
            raise InfrastructureError(error.boundary, f"{name} of {_short(arguments)}: {error.message}") from error
        self._remember(result.value)
        return Made(by, name, arguments, None if result.error is None else result.error.code)

    def _remember(self, value: Json) -> None:
        """What a result shows may be named by a later call, such as the key of what was made."""
        if isinstance(value, dict):
            for name, each in value.items():
                if isinstance(each, str | int | float):
                    self._shown[name].append(each)
                self._remember(each)
        elif isinstance(value, list):
            for each in value[:CALLS]:
                self._remember(each)

    def _of(self, model: type[Any]) -> tuple[list[Any], list[Any]]:
        """Some of a table's rows: the owner's, and any."""
        rows = self._session.database.find(model)
        mine = [row for row in rows if self._session.database.is_own(row)]
        chosen = [self._rng.sample(each, min(ROWS, len(each))) for each in (mine, rows)]
        for row in chosen[0] or chosen[1]:
            for column in model.__table__.columns:
                value = getattr(row, column.name)
                if isinstance(value, str | int | float) and not column.info.get("hidden"):
                    self._columns[column.name].append(value)
        return chosen[0], chosen[1]

    def _arguments(self, tool: Tool) -> dict[str, Json]:
        required = tool.parameters.get("required", ())
        names = {shown: name for name, shown in tool.inputs.items()}
        return {
            shown: self._value(tool, names.get(shown, shown), shown, schema)
            for shown, schema in tool.parameters["properties"].items()
            if shown in required or self._rng.random() < OPTIONAL
        }

    def _value(self, tool: Tool, name: str, shown: str, schema: Mapping[str, Any]) -> Json:
        if self._edges and self._rng.random() < self._edges:
            return self._edge(schema)
        given = self._given.get((tool.name, shown))
        if given and self._rng.random() < SEEN:
            return self._rng.choice(given)
        tables = tool.takes.get(name, ())
        if tables:
            model = self._rng.choice(tables)
            column = shown if shown in model.__table__.columns else key_column(model)
            row, shown_keys = self._row(model), self._shown.get(column)
            if row is not None:
                is_new = shown_keys and self._rng.random() < SEEN
                key: Json = self._rng.choice(shown_keys) if shown_keys and is_new else getattr(row, column)
                return [key] if schema.get("type") == "array" else key
        return self._plain(shown, schema)

    def _row(self, model: type[Any]) -> Any:
        mine, every = self._rows[model.__tablename__]
        rows = mine if mine and self._rng.random() < OWN else every
        return self._rng.choice(rows) if rows else None

    def _plain(self, shown: str, schema: Mapping[str, Any]) -> Json:
        """A value by its schema, and by the column of the same name."""
        rng = self._rng
        if "enum" in schema:
            return rng.choice(schema["enum"])
        if "const" in schema:
            return schema["const"]
        if "anyOf" in schema:
            return self._plain(shown, rng.choice([each for each in schema["anyOf"] if each.get("type") != "null"]))
        kind = schema.get("type")
        if kind == "array":
            return [self._plain(shown.removesuffix("s"), schema.get("items", {})) for _ in range(rng.randint(1, 2))]
        if kind == "object":
            return {each: self._plain(each, inner) for each, inner in schema.get("properties", {}).items()}
        if kind == "boolean":
            return rng.random() < 0.5
        if schema.get("format") == "date":
            return f"{self._session.now.date() + timedelta(days=rng.randint(-DAYS, DAYS))}"
        known = [*self._columns.get(shown, ()), *self._shown.get(shown, ())]
        known = [each for each in known if isinstance(each, str) == (kind == "string")]
        if kind in ("integer", "number"):
            least, most = schema.get("minimum", 1), schema.get("maximum")
            if known and rng.random() < 0.5:
                return rng.choice(known)
            return rng.randint(int(least), int(most if most is not None else least + _FEW))
        if known:  # another of its form is a new name, such as the path of a new file
            return f"{rng.choice(known)}{rng.choice(['', rng.randrange(10)])}"
        example = _EXAMPLE.search(schema.get("description", ""))
        return example[1].strip("`'\"") if example else f"note {rng.randrange(100)}"

    def _edge(self, schema: Mapping[str, Any]) -> Json:
        """A value at an edge of its schema, or just beyond."""
        rng = self._rng
        if "anyOf" in schema:
            return self._edge(rng.choice(schema["anyOf"]))
        kind = schema.get("type")
        if kind == "array":
            least, most = schema.get("minItems", 0), schema.get("maxItems", 20)
            item = self._edge(schema.get("items", {}))
            return [item] * rng.choice([0, least, least + 1, most, most + 1])
        if kind == "object":
            return {each: self._edge(inner) for each, inner in schema.get("properties", {}).items()}
        if kind in ("integer", "number"):
            ends = [schema[name] + step for name in ("minimum", "maximum") if name in schema for step in (-1, 0, 1)]
            return rng.choice([*ends, *ends, *_NUMBERS, *([0.5, 1e308] if kind == "number" else [])])
        if kind == "string" and (schema.get("format") == "date" or "pattern" in schema):
            day = f"{rng.choice(_YEARS):04}-{rng.choice(['01-01', '02-28', '02-29', '12-31'])}"
            return rng.choice([day, f"{day}T00:00", f"{day}T23:59", day[:7], "9" * 5, "00000"])
        if kind == "string" and "enum" not in schema:
            ends = [schema.get("minLength", 1), schema.get("maxLength", LONGEST), schema.get("maxLength", LONGEST) + 1]
            return rng.choice([*_TEXTS, *(rng.choice(["x", " ", "é"]) * each for each in ends)])
        return rng.choice([None, True, *schema.get("enum", [])])


def tried(domain: Domain, calls: int, *, seed: int = 3, edges: float = 0) -> Tried:
    """Make so many calls in sessions of dev tasks, drawn where none are stored, and look after each, and at the end,
    for what must never be.

    Args:
        domain: whose tools.
        calls: how many.
        seed: where chance comes from.
        edges: how often a value is taken from the edges of its type (see `FittingCalls`).
    """
    least, most = TASKS
    tasks, rng, found = dev_tasks(domain, max(least, min(most, calls // CALLS))), Random(seed), Tried()
    signed = _signed(domain, tasks)
    for number in range(0, calls, CALLS):
        task = tasks[(number // CALLS) % len(tasks)]
        with Session(domain, data=task.data, task=task, seed=number) as session:
            drawn, before = FittingCalls(session, task, tasks, rng, edges=edges), session.diff()
            for _ in range(min(CALLS, calls - number)):
                try:
                    made = drawn.make()
                except InfrastructureError as error:
                    found.faults.append(f"{task.id}, seed {number}: {error.message}")
                    continue
                if made.error is None:
                    found.succeeded[made.name] += 1
                    before = session.diff()
                    continue
                found.refused[made.name, made.error] += 1
                if session.diff() != before:
                    found.faults.append(f"{made.name} was refused ({made.error}) and changed rows: {made.arguments}")
            found.faults += [f"{task.id}, seed {number}: {each}" for each in _wrong(session, signed)]
    return found


def _wrong(session: Session, signed: Set[Column[Any]]) -> Iterator[str]:
    """What is wrong with a session's end state: orphans, sums below zero, a replay that ends elsewhere."""
    for column in _columns(session.domain):
        for foreign in column.foreign_keys:
            lost = session.database.query(_ORPHANS.format(column=column, other=foreign.column))[0][0]
            if lost:
                yield f"{lost} rows name a row in {column} that is not there"
    for column in _below_zero(session) - signed:
        yield f"{column} is below zero, where no right call ever brings it"
    with Session(session.domain, data=session.data, task=session.task, seed=session.seed) as again:
        if again.replay(session.log) or again.diff() != session.diff():
            yield "its log ends elsewhere when it is replayed"


_ORPHANS = """
    SELECT count(*) FROM "{column.table.name}" WHERE "{column.name}" IS NOT NULL AND "{column.name}" NOT IN
    (SELECT "{other.name}" FROM "{other.table.name}")
"""


def _signed(domain: Domain, tasks: Sequence[Task]) -> set[Column[Any]]:
    """The columns that hold numbers below zero before or after right calls, such as a refund's."""
    found: set[Column[Any]] = set()
    for task in tasks:
        with Session(domain, data=task.data, task=task) as session:
            found |= _below_zero(session)
            for call in task.gold:
                session.call(call.name, call.arguments, by=call.by)
            found |= _below_zero(session)
    return found


def _below_zero(session: Session) -> set[Column[Any]]:
    found = set()
    for column in _columns(session.domain):
        if isinstance(column.type, Integer | Float):
            least = session.database.query(f'SELECT min("{column.name}") FROM "{column.table.name}"')[0][0]
            found |= {column} if isinstance(least, int | float) and least < 0 else set()
    return found


def _columns(domain: Domain) -> Iterator[Column[Any]]:
    for model in domain.models:
        yield from cast("Table", model.__table__).columns


def _short(arguments: Mapping[str, Json]) -> str:
    """Arguments as a fault names them, long texts cut."""
    return ", ".join(
        f"{name}={text[:77] + '...' if len(text := repr(value)) > 80 else text}" for name, value in arguments.items()
    )


def arguments_of(call: ToolCall) -> dict[str, Json]:
    """The arguments of a gold call."""
    assert isinstance(call.arguments, dict)
    return dict(call.arguments)
