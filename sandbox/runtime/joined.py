"""Several worlds in one session: the first one's own rows, and beside them those of the worlds joined to it.

A joined domain is a `Domain` like any other, so whatever takes a domain takes it. Tables, ids and what follows a write
stay each world's own, and no row of one world refers to another's; the clock is the first world's. Which worlds are
joined is said by name (`retail+airline`, see `toolgym.sandbox.runtime.registry`) or by a task
(`toolgym.sandbox.runtime.distractors`).
"""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from datetime import datetime
from functools import cached_property
from typing import Any

from sqlalchemy.orm import DeclarativeBase

from toolgym.sandbox.kit.database import Database, Image
from toolgym.sandbox.kit.domain import Dataset, Domain
from toolgym.sandbox.kit.errors import BadInput, ConfigurationError
from toolgym.sandbox.kit.rule import Rule
from toolgym.sandbox.kit.state import START, Mark, Row, State
from toolgym.sandbox.kit.task import Task
from toolgym.sandbox.kit.template import DatabaseTemplate
from toolgym.sandbox.kit.tool import Tool, ToolSet

_DATA = "own"
"""The rows with which a world is joined to another."""


class JoinedDatabase(Database):
    """The rows of a session's own world; another world's are opened once a call needs them, copied once it writes.

    Its state holds those of the other worlds, so that marks, forks and diffs are of all of them.
    """

    def __init__(
        self,
        image: Image,
        *,
        now: datetime,
        seed: int,
        owner: Row | None,
        version: int,
        worlds: Mapping[str, Domain],
    ) -> None:
        super().__init__(image, now=now, seed=seed, owner=owner, version=version)
        self._worlds = worlds
        self._opened: dict[str, Database] = {}

    def of(self, world: str) -> Database:
        """The rows of a world joined to this one."""
        if world not in self._opened:
            domain = self._worlds[world]
            now = self.now.replace(tzinfo=domain.now.tzinfo)
            self._opened[world] = domain.database(_DATA, now=now, seed=_seed(self._seed, world))
            self.state.joined[world] = self._opened[world].state
        return self._opened[world]

    def restore(self, mark: Mark) -> None:
        """Go back to a moment of all worlds between two calls."""
        for world, database in self._opened.items():
            database.restore(mark.joined.get(world, START))
        super().restore(mark)

    def start_from(self, state: State) -> None:
        """Bring fresh databases into a state, which stays its owner's."""
        super().start_from(state)
        for world, past in state.joined.items():
            database = self.of(world)
            database.start_from(past)
            self.state.joined[world] = database.state

    def fork(self, owner: Row | None = None) -> JoinedDatabase:
        """Independent databases in the same state, of the same owner or of another."""
        twin = JoinedDatabase(
            self._image,
            now=self.now,
            seed=self._seed,
            owner=owner or self._owner,
            version=self.version,
            worlds=self._worlds,
        )
        twin.start_from(self.state)
        return twin

    def dump(self, models: Iterable[type[DeclarativeBase]], *, prefix: str = "") -> bytes:
        """Every row of `models`, then every row of the other worlds, whose tables are named `world.table`."""
        others = (self.of(name).dump(world.models, prefix=f"{name}.") for name, world in self._worlds.items())
        return b"\n".join((super().dump(models, prefix=prefix), *others))

    def tables(self, models: Iterable[type[DeclarativeBase]], *, prefix: str = "") -> dict[str, list[dict[str, Any]]]:
        """The rows of `models`, and those of the other worlds, whose tables are named `world.table`."""
        found = super().tables(models, prefix=prefix)
        for name, world in self._worlds.items():
            found |= self.of(name).tables(world.models, prefix=f"{name}.")
        return found

    def close(self) -> None:
        """Free the private copies, if there are any."""
        super().close()
        for database in self._opened.values():
            database.close()


def _seed(seed: int, world: str) -> int:
    """Another seed for every world, so that an id is never generated in two of them."""
    return int.from_bytes(hashlib.blake2b(f"{seed}:{world}".encode(), digest_size=6).digest(), "big")


@dataclass(frozen=True, eq=False, kw_only=True, repr=False)
class JoinedDomain(Domain):
    """A world with others joined to it: its own name or `first+second`, and the tools of all of them.

    Attributes:
        first: the world that it extends, whose data and tables are its own.
        others: the worlds joined to it, by name.
        told: those of them whose policies are told after the first one's.
    """

    first: Domain
    others: Mapping[str, Domain]
    told: tuple[Domain, ...] = ()

    @property
    def of_task(self) -> bool:
        """Whether a task's distractors alone were joined, so that it is the first world in everything else."""
        return self.name == self.first.name

    def offered(self, task: Task | None) -> ToolSet:
        """The agent's tools in a session of a task; a task's distractors are always among them."""
        if not self.of_task or task is None or task.tools is None:
            return super().offered(task)
        offered = self.tools.offered({*task.tools, *(name for name in self.tools if name not in self.first.tools)})
        return offered.without_enums if task.strip_enums else offered

    @cached_property
    def has_scratch(self) -> bool:
        """Whether neutral tools of any of the worlds may leave rows."""
        return any(world.has_scratch for world in (self.first, *self.others.values()))

    @cached_property
    def held(self) -> Mapping[str, tuple[Rule, ...]]:
        """The rules that the first world's tools hold; the other worlds know their own."""
        return self.first.held

    def open_data(self, name: str = "own") -> Dataset:
        """The first world's rows, and its tasks where they are this one's too."""
        if name.startswith(f"{_DATA}:") and not self.of_task:
            return super().open_data(name)  # a file of the joined worlds' own tasks
        opened = self.first.open_data(name)
        return opened if self.of_task else replace(opened, tasks=lambda split: (), splits=(), generate=None)

    @property
    def where_tasks_are(self) -> str:
        """That tasks are of one world."""
        if self.of_task:
            return super().where_tasks_are
        first = self.first.name
        return (
            f"A task is of one world: `toolgym tasks list {first}` has those of {first}, and `toolgym tasks generate "
            f"{first} --distractors 1` draws some that offer tools of other worlds."
        )

    def template(self, data: str = "own") -> DatabaseTemplate:
        """The image of the first world's data."""
        return self.first.template(data)

    def database(self, data: str = "own", *, now: datetime, seed: int, task: Task | None = None) -> JoinedDatabase:
        """A session's private rows of all worlds: the first one's data, and the others' own."""
        image, owner = self.template(data), self.owner_key(task, data)
        version = self.first.version(data, task)
        return JoinedDatabase(image, now=now, seed=seed, owner=owner, version=version, worlds=self.others)

    def policy_for(self, data: str = "own", *, solo: bool = False, version: int | None = None) -> str:
        """The worlds' policies, one after the other."""
        others = (world.policy_for(_DATA, solo=solo) for world in self.told)
        return "\n\n".join((self.first.policy_for(data, solo=solo, version=version), *others))


def join(worlds: Sequence[Domain]) -> JoinedDomain:
    """All of several worlds; a tool's name that two of them use is prefixed with the world's (`airline_calculate`).

    Raises:
        BadInput: a world is named twice.
    """
    name = "+".join(world.name for world in worlds)
    first, *others = worlds
    if len({world.name for world in worlds}) < len(worlds):
        raise BadInput(f"{name} names a world twice; a session joins each once.")
    users = Counter(tool for world in worlds for tool in {*world.tools, *world.user_tools, *world.setup_tools})
    shared = {tool for tool, count in users.items() if count > 1}

    def union(side: Callable[[Domain], ToolSet]) -> ToolSet:
        placed = [
            tool.renamed(prefixed(world, tool) if name in shared else name, "" if world is first else world.name)
            for world in worlds
            for name, tool in side(world).items()
        ]
        return distinct(placed)

    return _extended(
        first,
        name=name,
        title=", ".join(world.title for world in worlds),
        policy="\n\n".join(world.policy_for() for world in worlds),
        tools=union(lambda world: world.tools),
        user_tools=union(lambda world: world.user_tools),
        setup_tools=union(lambda world: world.setup_tools),
        # what calls tools by the names of its own world
        profile=None,
        rules=(),
        goals=(),
        things=(),
        conditions=(),
        identity=None,
        handover=None,
        others={world.name: world for world in others},
        told=tuple(others),
    )


def join_tools(domain: Domain, found: Sequence[tuple[Domain, Tool]]) -> JoinedDomain:
    """A world with some tools of others; its own tools keep their names, and a tool whose name is taken is prefixed."""
    own = {*domain.tools, *domain.user_tools}
    others = Counter(tool.name for _, tool in found)
    placed = [
        tool.renamed(prefixed(world, tool) if tool.name in own or others[tool.name] > 1 else tool.name, world.name)
        for world, tool in found
    ]
    known = domain.others if isinstance(domain, JoinedDomain) else {}
    return _extended(
        domain,
        tools=distinct([*domain.tools.values(), *placed]),
        others={**known, **{world.name: world for world, _ in found}},
    )


def first_of(domain: Domain) -> Domain:
    """The world whose data and tables a domain has: its own, unless it joins several."""
    return first_of(domain.first) if isinstance(domain, JoinedDomain) else domain


def prefixed(world: Domain, tool: Tool) -> str:
    """A tool's name with its world's."""
    return f"{world.name}_{tool.name}"


def distinct(tools: Sequence[Tool]) -> ToolSet:
    """Tools by name (ConfigurationError where a prefixed name is another tool's)."""
    names = Counter(tool.name for tool in tools)
    if len(names) < len(tools):
        twice = next(name for name, count in names.items() if count > 1)
        raise ConfigurationError(f"These worlds cannot be joined: two of their tools would be called {twice!r}.")
    return ToolSet(tools)


def _extended(domain: Domain, **changes: object) -> JoinedDomain:
    own = {field.name: getattr(domain, field.name) for field in fields(Domain) if field.init}
    return JoinedDomain(**{**own, **changes}, first=domain)
