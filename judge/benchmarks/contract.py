"""The contract of a benchmark: what an adapter says of it, the rows it reads, and how a row is played and scored.

An adapter is registered in the entry-point group `toolgym.bench` as a class without arguments. It holds no rows and no
checker of its own: it reads what the user has installed or fetched, and asks the benchmark's own code, in a process of
its own (`toolgym.sandbox.kit.foreign_process`), what an answer is worth. `toolgym.judge.benchmarks.play` does the rest.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Protocol, TypeVar, cast

from toolgym.sandbox.kit.errors import ConfigurationError, ToolgymError, unknown
from toolgym.sandbox.kit.message import Json, Message, ToolCall
from toolgym.sandbox.kit.task import Task
from toolgym.sandbox.runtime import registry
from toolgym.sandbox.runtime.trajectory import Trajectory

_Read = TypeVar("_Read")
WORLD = "bench:"
"""How the domain of such a task's record begins; no world of that name is installed."""


@dataclass(frozen=True)
class Facts:
    """What a benchmark is.

    Attributes:
        title: one line for people.
        licence: of its data and checker.
        source: where they come from.
        get: the lines that install or fetch them.
        left_out: parts that are not played, each with the reason.
    """

    title: str
    licence: str
    source: str
    get: tuple[str, ...]
    left_out: Mapping[str, str]


@dataclass(frozen=True)
class Found:
    """What is installed here.

    Attributes:
        version: the version as installed.
        digest: of the data files; runs record it, and a run is not resumed under another.
        rows: how many the files hold, by category.
        known: whether version, digest and counts are those that this adapter was checked with.
    """

    version: str
    digest: str
    rows: Mapping[str, int]
    known: bool


@dataclass(frozen=True)
class Line:
    """What the user says next, once the agent has written a message without calls.

    Attributes:
        text: the words.
        tools: tools (OpenAI's list) that are offered from now on as well.
    """

    text: str
    tools: tuple[dict[str, Json], ...] = ()


@dataclass(frozen=True)
class Row:
    """One row, ready to be played.

    Attributes:
        id: unique in the benchmark.
        category: as the benchmark names it.
        opening: the first messages: the user's, or a history that ends with the user's.
        tools: OpenAI's list, names as the benchmark has them; empty where it offers none.
        system: what the row itself tells the agent beside the benchmark's policy.
        lines: the user's further messages; none for a row that is one exchange.
        lasting: calls are made and answered, until the agent has nothing more to call; otherwise the agent's first
            message is the whole answer.
        steps: with `lasting`, messages with calls that may follow one message of the user; one more ends the episode.
        gold: calls of a right run, for readers.
        record: what else the adapter needs to play or score it.
    """

    id: str
    category: str
    opening: tuple[Message, ...]
    tools: tuple[dict[str, Json], ...] = ()
    system: str = ""
    lines: tuple[Line, ...] = ()
    lasting: bool = False
    steps: int = 20
    gold: tuple[ToolCall, ...] = ()
    record: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class Score:
    """What the benchmark's checker says.

    Attributes:
        value: 0 to 1.
        why: the checker's own word for what is wrong; empty for nothing.
        message: its sentence.
    """

    value: float
    why: str = ""
    message: str = ""

    @property
    def passed(self) -> bool:
        """Whether the answer is right as a whole."""
        return self.value >= 1.0


@dataclass(frozen=True)
class Group:
    """A line of the benchmark's own table.

    Attributes:
        name: as the benchmark calls it.
        value: 0 to 1; None where categories that belong to it were not played.
        formula: how it is made of categories.
    """

    name: str
    value: float | None
    formula: str


class World(Protocol):
    """A lasting row's own environment: a fresh one for every episode."""

    def call(self, name: str, arguments: Mapping[str, Json]) -> str:
        """What a call comes to, in words (InfrastructureError where the foreign code broke)."""
        ...

    def close(self) -> None:
        """Forget it."""
        ...


class Benchmark(Protocol):
    """An adapter."""

    name: str
    policy: str
    """What every agent is told."""

    def facts(self) -> Facts:
        """What it is; needs nothing installed."""
        ...

    def find(self) -> Found:
        """What is installed here (ConfigurationError says what to install or fetch, and where to)."""
        ...

    def named(self, category: str) -> Sequence[str]:
        """The categories that a name given with --category stands for (BadInput lists the right ones)."""
        ...

    def rows(self, category: str) -> Sequence[Row]:
        """The rows of a category in the file's order."""
        ...

    def world(self, row: Row) -> World:
        """A fresh environment for a lasting row; others have none."""
        ...

    def oracle(self, row: Row) -> Sequence[Message]:
        """The agent's messages of a right run; BadInput where the row has no answer that could be written."""
        ...

    def score(self, row: Row, trajectory: Trajectory) -> Score:
        """What an episode is worth by the benchmark's own checker.

        Raises:
            InfrastructureError: the checker itself broke; such an episode has no score.
        """
        ...

    def groups(self, values: Mapping[str, tuple[float, int]]) -> Sequence[Group]:
        """The benchmark's own table, of the mean and the number of rows of every category that was played whole."""
        ...

    def export(self, folder: Path, model: str, played: Sequence[tuple[Row, Trajectory, Score]]) -> None:
        """Write results as the benchmark itself would; nothing where it has no such form."""
        ...

    def close(self) -> None:
        """End its process."""
        ...


def benchmark(name: str) -> Benchmark:
    """The adapter registered under a name.

    Raises:
        BadInput: there is none; the message lists them.
    """
    if name not in registry.names("bench"):
        raise unknown("benchmark", name, registry.names("bench"), "`toolgym bench list` tells what each one is.")
    return cast(Benchmark, registry.load("bench", name)())


def in_its_form(name: str, read: Callable[[], _Read]) -> _Read:
    """What an adapter reads of the files that are here.

    Args:
        name: the benchmark's.
        read: reads it.

    Raises:
        ConfigurationError: a file is of another form than the adapter's; besides what `read` itself raises.
    """
    try:
        return read()
    except ToolgymError:
        raise
    except (LookupError, TypeError, ValueError, AttributeError, SyntaxError) as error:
        raise ConfigurationError(
            f"A file of {name} is not of the form that is read here ({type(error).__name__}: {error}). "
            f"`toolgym bench get {name}` tells which version is, and how to get it."
        ) from error


def task_of(name: str, row: Row) -> Task:
    """A row as episodes record it; not the row itself, which is the benchmark's."""
    said = [message.content or "" for message in row.opening if message.role == "user"]
    return Task(
        id=row.id,
        domain=WORLD + name,
        data=name,
        split=row.category,
        family=row.category,
        scenario=said[-1] if said else "",
        gold=row.gold,
        metadata={"benchmark": name},
    )


def is_foreign(task: Task) -> bool:
    """Whether a record is of a benchmark's row: no rows of a world of ours are behind it."""
    return task.domain.startswith(WORLD)
