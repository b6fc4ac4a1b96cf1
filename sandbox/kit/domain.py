"""A domain: a world's schema, data, tools, policy and tasks.

The definition kit. A domain's package imports this, `toolgym.sandbox.kit.tool`, `toolgym.sandbox.kit.database`,
`toolgym.sandbox.kit.task` and `toolgym.sandbox.kit.errors`, and nothing else of the sandbox.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from functools import cached_property, lru_cache
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from types import ModuleType
from typing import Any

from sqlalchemy.orm import DeclarativeBase

from toolgym.sandbox.kit.author_errors import told
from toolgym.sandbox.kit.database import NEWEST, Database
from toolgym.sandbox.kit.errors import BadInput, ConfigurationError, unknown
from toolgym.sandbox.kit.goal import Condition, Goal, Relation, Thing
from toolgym.sandbox.kit.handover import Handover
from toolgym.sandbox.kit.identity import Identity
from toolgym.sandbox.kit.message import Json, Party
from toolgym.sandbox.kit.notebook import counted
from toolgym.sandbox.kit.phrasing import words_beside
from toolgym.sandbox.kit.policy import conventions, rendered
from toolgym.sandbox.kit.rule import Rule, rules_in
from toolgym.sandbox.kit.table import is_scratch, key_column
from toolgym.sandbox.kit.task import LATER, OWN, UNREAD, UNSEEN, Task, read_tasks
from toolgym.sandbox.kit.template import DatabaseTemplate
from toolgym.sandbox.kit.tool import ToolSet
from toolgym.sandbox.kit.trouble import Trouble
from toolgym.sandbox.kit.vocabulary import Vocabulary

SPLITS = ("train", "dev", "test")
LATER_SPLITS = (*SPLITS, "hard", "train-prove", "depth")
"""Those of later versions, the usual ones first."""
FLAWED = "flawed.json"
"""Beside stored splits: the ids of their tasks that are flawed, with what is wrong."""
_VERSION = re.compile(r"-v(\d+)-")


@dataclass(frozen=True, eq=False)
class Dataset:
    """One body of data of a domain: rows, tasks by split, and the policy they assume.

    Attributes:
        name: `own`, `v2` for a later version of its tasks, or an imported benchmark's name.
        fill: writes the rows into an empty database, the same ones every time.
        tasks: the tasks of a split, in a fixed order.
        splits: the splits that exist.
        policy: the rules the agent must follow when they differ from the domain's own.
        solo_policy: the rules for an agent that works without a user, when they differ from `policy`.
        generate: makes `count` further tasks from a seed, in a split's population; None where tasks are fixed.
        convert: a task as the benchmark itself writes it, as one of these; None where there is no such record.
        rows: by split, the data in whose rows its tasks play, where it is not this one.
        version: which version of which benchmark the data are of; empty for a world's own.
        flawed: published tasks whose gold breaks a rule that was mended since, with what is wrong, by id.

    Examples:
        >>> from toolgym.domains.kiosk import seed, tasks
        >>> from toolgym.kit import Dataset
        >>> dataset = Dataset(name="own", fill=seed.fill, tasks=tasks.tasks, splits=("train", "dev", "test"))
        >>> [task.id for task in dataset.tasks("train")]
        ['kiosk-1', 'kiosk-2']
    """

    name: str
    fill: Callable[[Database], None] = field(repr=False)
    tasks: Callable[[str], Sequence[Task]] = field(repr=False)
    splits: tuple[str, ...]
    policy: str | None = field(default=None, repr=False)
    solo_policy: str | None = field(default=None, repr=False)
    generate: Callable[[int, int, str], Sequence[Task]] | None = field(default=None, repr=False)
    convert: Callable[[Mapping[str, Json]], Task] | None = field(default=None, repr=False)
    rows: Mapping[str, str] = field(default_factory=dict, repr=False)
    version: str = ""
    flawed: Mapping[str, str] = field(default_factory=dict, repr=False)

    def rows_of(self, split: str) -> str:
        """The body of data in whose rows a split's tasks play."""
        return self.rows.get(split, self.name)


Opening = Callable[[str | None], Dataset]
"""Opens a body of data, given a path or None."""


def generated(fill: Callable[[Database], None]) -> Opening:
    """A world's own data without stored splits: tasks are drawn from its goals."""
    return lambda path: Dataset(name="own", fill=fill, tasks=lambda split: (), splits=())


def published(fill: Callable[[Database], None], folder: Path) -> Opening:
    """A world's own data whose splits are stored: a file `SPLIT.jsonl.gz` each, the larger ones first."""
    tasks = _stored(folder)
    return lambda path: Dataset(name="own", fill=fill, tasks=tasks, splits=SPLITS)


def later_version(
    fill: Callable[[Database], None], unseen: Callable[[Database], None], folder: Path
) -> dict[str, Opening]:
    """A later version of a world's tasks, as data named as its folder, and the rows `unseen` in which all but training
    play. What is not stored yet can be drawn.

    Args:
        fill: writes the rows of `own`, in which training plays.
        unseen: writes rows with other people and other things.
        folder: where the files `SPLIT.jsonl.gz` are.
    """
    splits = tuple(split for split in LATER_SPLITS if (folder / f"{split}.jsonl.gz").exists())
    tasks, name = _stored(folder), folder.name
    rows = {split: OWN if split.startswith("train") else UNSEEN for split in LATER_SPLITS}
    known = folder / FLAWED
    flawed = json.loads(known.read_text(encoding="utf-8")) if known.exists() else {}
    unseen_splits = tuple(split for split in splits if rows[split] == UNSEEN)
    return {
        name: lambda path: Dataset(name=name, fill=fill, tasks=tasks, splits=splits, rows=rows, flawed=flawed),
        UNSEEN: lambda path: Dataset(name=UNSEEN, fill=unseen, tasks=tasks, splits=unseen_splits),
    }


def _module_if_there(name: str) -> ModuleType:
    """A module, empty where the author wrote none."""
    return import_module(name) if find_spec(name) else ModuleType(name)


def _relations(schema: ModuleType) -> Sequence[Relation]:
    """How people get from one row to another, as `sentences.toml` has it."""
    found = words_beside(str(schema.__file__)).relations
    tables = {mapper.class_.__name__: mapper.class_ for mapper in schema.Base.registry.mappers}
    for table in found.keys() - tables.keys():
        raise unknown("table, of which sentences.toml has relations", table, tables)
    pairs = ((table, name, words) for table, each in found.items() for name, words in each.items())
    return tuple(Relation(tables[table], name, **words.model_dump()) for table, name, words in pairs)


def _own_data(seed: ModuleType, splits: Path) -> tuple[Opening, dict[str, Opening]]:
    """A world's own data, and the later versions of which tasks are stored."""
    own = published(seed.fill, splits / "v1") if (splits / "v1").is_dir() else generated(seed.fill)
    folders = [splits / name for name in LATER if (splits / name).is_dir()]
    later: dict[str, Opening] = {}
    for folder in folders:
        later = later_version(seed.fill, seed.fill_unseen, folder) | later  # the rows `unseen` are those of the first
    return own, {name: later[name] for name in (*LATER, UNSEEN) if name in later}


def _stored(folder: Path) -> Callable[[str], Sequence[Task]]:
    """The tasks of a split, read from its file once."""
    opened: dict[str, tuple[Task, ...]] = {}

    def tasks(split: str) -> Sequence[Task]:
        if split not in opened:
            opened[split] = tuple(read_tasks(folder / f"{split}.jsonl.gz"))
        return opened[split]

    return tasks


@lru_cache(maxsize=4096)
def _version_in(identifier: str) -> int:
    """The version that a task's id names; 0 where it names none."""
    found = _VERSION.search(identifier)
    return int(found[1]) if found else 0


@dataclass(frozen=True, eq=False)
class Domain:
    """A world: everything an episode needs to know about where it happens.

    Attributes:
        name: lower-case, as used on the command line.
        title: one line for people.
        base: the declarative base whose subclasses are the tables.
        tools: what the agent may call.
        policy: what the agent must know and do, in Markdown; `policy_for` adds the declared rules.
        data: bodies of data by name; each value opens one, given a path or None. `own` is the default.
        now: the frozen clock.
        user_tools: what the user may call (dual control); empty in most worlds.
        setup_tools: what only tasks may call: set-up actions (write) and assertions (read, returning bool).
        profile: looks up the profile of a task's user with the given read calls, for agents that know the user already;
            None where the task does not say who it is.
        after_write: run after every successful write call, inside its transaction, where two sides share state.
        owner: the table of whom a session serves, where the agent acts for one person; references then find only
            that person's rows. None at a desk that serves anybody.
        owners: the keys of those in that table whom sessions may serve, by body of data, the usual one first; all of
            them without it.
        rules: the sentences of the policy that a program can check; the tools' own are held by every call.
        goals: what people come for.
        things: how people speak of rows.
        relations: how a row is described by others, where the usual words for its foreign keys would read badly.
        conditions: what a wish may depend on.
        identity: how a person is known at a desk that serves anybody.
        handover: the tool that hands the conversation over, and when it may.
        clocks: other moments that tasks may play at, so that rules on time have both sides.
        troubles: what may not work, where the user acts as well.
        vocabulary: the words of tasks whose facts have no kinds.

    Examples:
        >>> from datetime import datetime
        >>> from toolgym.domains.kiosk import schema, seed, tools
        >>> from toolgym import Session
        >>> from toolgym.kit import Domain, ToolSet, generated
        >>> data, now = {"own": generated(seed.fill)}, datetime(2026, 3, 5)
        >>> stall = Domain("stall", "A ticket stall", schema.Base, ToolSet(tools), "Be brief.", data, now)
        >>> Session(stall).call("find_tickets", {"holder": "Ada Moreau"}).value[0]["seat"]
        'A1'
    """

    name: str
    title: str
    base: type[DeclarativeBase]
    tools: ToolSet
    policy: str
    data: Mapping[str, Opening]
    now: datetime
    user_tools: ToolSet = field(default_factory=ToolSet)
    setup_tools: ToolSet = field(default_factory=ToolSet)
    profile: Callable[[Task, Callable[..., Json]], Json] | None = None
    after_write: Callable[[Database], None] | None = None
    owner: type[DeclarativeBase] | None = None
    owners: Mapping[str, Sequence[Json]] = field(default_factory=dict)
    rules: Sequence[Rule] = ()
    goals: Sequence[Goal] = ()
    things: Sequence[Thing] = ()
    relations: Sequence[Relation] = ()
    conditions: Sequence[Condition] = ()
    identity: Identity | None = None
    handover: Handover | None = None
    clocks: Sequence[datetime] = ()
    troubles: Sequence[Trouble] = ()
    vocabulary: Vocabulary = field(default_factory=Vocabulary)
    _opened: dict[str, Dataset] = field(default_factory=dict, init=False, repr=False)
    _templates: dict[str, DatabaseTemplate] = field(default_factory=dict, init=False, repr=False)

    @classmethod
    def of(cls, package: str, *, title: str, **more: Any) -> Domain:
        """The world of a package whose modules have the usual names.

        `schema` has `Base`, `seed` has `fill`, `NOW` and, where there are any, `CLOCKS` and `fill_unseen`, which writes
        other people and things. `tools` and `rules` declare theirs. `goals` has `GOALS`, `THINGS` and
        `CONDITIONS`. Words are in `sentences.toml`, the policy is `policy.md`; stored tasks lie in `splits/v1`,
        `splits/v2` and `splits/v3`.

        Args:
            package: its name, `__name__` in its `__init__.py`; the last part is the world's.
            title: one line for people.
            more: what else the world has, or has otherwise, by the attributes of `Domain`.

        Examples:
            >>> from toolgym.kit import Domain
            >>> Domain.of("toolgym.domains.banking", title="A bank")
            <Domain banking: A bank; 17 tools, data own, v2, unseen>
        """
        schema, seed, tools = (import_module(f"{package}.{name}") for name in ("schema", "seed", "tools"))
        rules, goals = (_module_if_there(f"{package}.{name}") for name in ("rules", "goals"))
        folder = Path(str(schema.__file__)).parent
        usual: dict[str, Any] = {
            "base": schema.Base,
            "now": seed.NOW,
            "clocks": getattr(seed, "CLOCKS", ()),
            "tools": ToolSet(tools),
            "policy": (folder / "policy.md").read_text(encoding="utf-8"),
            "rules": rules_in(rules),
            "goals": getattr(goals, "GOALS", ()),
            "things": getattr(goals, "THINGS", ()),
            "conditions": getattr(goals, "CONDITIONS", ()),
            "relations": _relations(schema),
        }
        own, versions = _own_data(seed, folder / "splits")
        data = {OWN: own} | more.pop("data", {}) | versions
        return cls(name=package.rpartition(".")[2], title=title, data=data, **(usual | more))

    def __repr__(self) -> str:
        data = ", ".join(self.data)
        return f"<Domain {self.name}: {self.title}; {counted(len(self.tools), 'tool')}, data {data}>"

    @cached_property
    def models(self) -> list[type[DeclarativeBase]]:
        """The tables' classes, parents before children."""
        order = {table.name: position for position, table in enumerate(self.base.metadata.sorted_tables)}
        mappers = sorted(self.base.registry.mappers, key=lambda mapper: order[mapper.class_.__tablename__])
        return [mapper.class_ for mapper in mappers]

    @cached_property
    def has_scratch(self) -> bool:
        """Whether neutral tools may leave rows, such as quotes."""
        return any(is_scratch(model) for model in self.models)

    def offered(self, task: Task | None) -> ToolSet:
        """The agent's tools in a session of a task."""
        offered = self.tools.offered(task.tools if task is not None else None)
        return offered.without_enums if task is not None and task.strip_enums else offered

    @cached_property
    def held(self) -> Mapping[str, tuple[Rule, ...]]:
        """The rules that tools hold, by tool, in the order of their declaration."""
        by_tool = [rule for rule in self.rules if rule.by == "tool" and not rule.inside]
        return {name: tuple(rule for rule in by_tool if rule.applies(tool)) for name, tool in self.tools.items()}

    def owner_key(self, task: Task | None, data: str = "own") -> tuple[Json, ...] | None:
        """The key of whom a session serves: the task's person, or the first one; None at a desk for anybody."""
        if self.owner is None:
            return None
        if task is not None and task.owner is not None:
            return (task.owner,)
        return (self.owner_keys(data)[0],)

    def owner_keys(self, data: str = "own") -> Sequence[Json]:
        """The keys of all for whom tasks can be; empty in a world that knows no persons."""
        table = self.owner or (self.identity.table if self.identity else None)
        if table is None or self.owners:
            return self.owners.get(data, self.owners.get(OWN, ()))
        column = key_column(table)
        among = (self.identity.among if self.identity else "") or "TRUE"
        listed = f'SELECT "{column}" FROM "{table.__tablename__}" WHERE {among} ORDER BY 1'
        rows = self.template(data).reader.execute(listed)
        return [row[0] for row in rows]

    def tools_of(self, by: Party) -> ToolSet:
        """The tools of a side."""
        return self.tools if by == "agent" else self.user_tools

    def open_data(self, name: str = "own") -> Dataset:
        """A body of data by name; `name:PATH` names where its files are, `own:FILE` a file of tasks in the own rows.

        `own:FOLDER` names a folder with such a file for each of several worlds, `banking.jsonl` for the world banking.

        Raises:
            BadInput: no such data, or its files cannot be found.
        """
        if name not in self._opened:
            kind, _, path = name.partition(":")
            if kind not in self.data:
                raise unknown(f"data of {self.name}", kind, self.data)
            if kind == "own" and path:
                self._opened[name] = self._tasks_of(Path(path))
            else:
                self._opened[name] = self._told(told(self._what, self._package, self.data[kind])(path or None))
        return self._opened[name]

    @property
    def newest_data(self) -> str:
        """The latest version of the world's own tasks that has a test split, or `own` where there is none.

        Versions that nobody has read yet are played where they are named.
        """
        later = (name for name in reversed(LATER) if name in self.data and "test" in self.open_data(name).splits)
        return next((name for name in later if name not in UNREAD), OWN)

    def usual_split(self, data: str | None = None) -> str:
        """The split that tasks are drawn from where none is named: `train`, or the first where there is none."""
        splits = self.open_data(data or self.newest_data).splits
        return "train" if "train" in splits or not splits else splits[0]

    def _tasks_of(self, path: Path) -> Dataset:
        """The world's own rows with the tasks of a file, as `toolgym tasks generate` writes it.

        They stay tasks of `own`: the rows are the same, and a recorded episode does not need the file.
        """
        path = path / f"{self.name}.jsonl" if path.is_dir() else path
        tasks = read_tasks(path)
        strangers = {f"{task.domain} ({task.data})" for task in tasks if task.domain != self.name or not task.is_own}
        if strangers:
            raise BadInput(f"{path} holds tasks of {', '.join(sorted(strangers))}, not of {self.name} (own).")
        return replace(
            self.open_data(),
            name=f"own:{path}",
            tasks=lambda split: [task for task in tasks if task.split == split],
            splits=tuple(dict.fromkeys(task.split for task in tasks)),
            generate=None,
        )

    def _told(self, opened: Dataset) -> Dataset:
        """The same data, whose failing functions are told with file and line."""
        if not isinstance(opened, Dataset):
            raise ConfigurationError(
                f"{self._what} is broken: its data open as {type(opened).__name__}, not as Dataset."
            )
        fill, tasks = told(self._what, self._package, opened.fill), told(self._what, self._package, opened.tasks)
        generate = opened.generate and told(self._what, self._package, opened.generate)
        return replace(opened, fill=fill, tasks=tasks, generate=generate)

    @property
    def _what(self) -> str:
        return f"The domain {self.name!r}"

    @property
    def where_tasks_are(self) -> str:
        """What to do where this has no split, in a sentence."""
        if self.newest_data != "own":
            return f"Its tasks are the data {self.newest_data}."
        return f"`toolgym tasks generate {self.name} --split test --out FILE` draws some, for the data own:FILE."

    @property
    def _package(self) -> str:
        return self.base.__module__

    def template(self, data: str = "own") -> DatabaseTemplate:
        """The SQLite image of a body of data, built once per process."""
        if data not in self._templates:
            self._templates[data] = DatabaseTemplate(self.base, self.open_data(data).fill, self.now)
        return self._templates[data]

    def database(self, data: str = "own", *, now: datetime, seed: int, task: Task | None = None) -> Database:
        """A session's private rows, which are copied once they are written."""
        image = self.template(data)
        owner, version = self.owner_key(task, data), self.version(data, task)
        return Database(image, now=now, seed=seed, owner=owner, version=version)

    def version(self, data: str = OWN, task: Task | None = None) -> int:
        """The version of the data by whose rules a session plays: what a published task's id or the data's name says.

        Version 1 was published without a number; what is drawn anew in a world without it plays by the newest rules.
        """
        named = _version_in(task.id) if task is not None else 0
        if named or data in LATER:
            return named or int(data.removeprefix("v"))
        data = OWN if data.startswith(f"{OWN}:") else data  # a file of tasks in the own rows
        return 1 if data != UNSEEN and self.open_data(data).splits else NEWEST

    def rules_at(self, version: int) -> list[Rule]:
        """The rules that hold in a version of the data."""
        return [rule for rule in self.rules if rule.since <= version]

    def policy_for(self, data: str = "own", *, solo: bool = False, version: int | None = None) -> str:
        """The rules the agent must follow with this body of data, with a user or without.

        Where the world declares rules, their sentences and those that every world has follow its own text.

        Args:
            data: the body of data.
            solo: without a user.
            version: of a task's data (see `version`); the body's own without one.
        """
        opened = self.open_data(data)
        told = (opened.solo_policy if solo else None) or opened.policy
        if told or not self.rules:
            return told or self.policy
        always = conventions(self.tools, owner=self.owner, identity=self.identity, handover=self.handover, solo=solo)
        rules = self.rules_at(self.version(data) if version is None else version)
        return rendered(self.policy, rules, always)

    def tasks(self, split: str = "test", data: str | None = None) -> Sequence[Task]:
        """The tasks of a split, of the newest data where none are named.

        Raises:
            BadInput: no such split.
        """
        data = data or self.newest_data
        opened = self.open_data(data)
        if split not in opened.splits:
            advice = "" if opened.splits else self.where_tasks_are
            raise unknown(f"split of {self.name} ({data})", split, opened.splits, advice)
        return opened.tasks(split)

    def task(self, identifier: str, data: str | None = None) -> Task:
        """The task with this id, whatever its split; of any version of the world's own tasks where no data are named.

        Raises:
            BadInput: no such task.
        """
        for name in (data,) if data else dict.fromkeys((self.newest_data, OWN, *(set(UNREAD) & set(self.data)))):
            opened = self.open_data(name)
            for split in sorted(opened.splits, key=lambda split: split not in identifier):  # a large one takes seconds
                for task in opened.tasks(split):
                    if task.id == identifier:
                        return task
        where = f" ({data})" if data else ""
        raise BadInput(f"{self.name}{where} has no task {identifier!r}; `toolgym tasks list {self.name}` lists them.")
