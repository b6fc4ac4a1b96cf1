"""A run: conversation after conversation through the machine and the gate into one file, until there are enough.

The file is written in the conversations' order, a line each, whatever became of it; so the same command goes on where
a killed one stopped, and the rows do not depend on how many conversations were under way at once.
"""

from __future__ import annotations

import asyncio
import json
import sys
from collections import Counter, deque
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from toolgym.sandbox.kit.errors import BadInput, InfrastructureError, writing
from toolgym.sandbox.runtime.trajectory import Trajectory
from toolgym.sandbox.synthesis.teaching.gate import Gate
from toolgym.sandbox.synthesis.teaching.machine import lead
from toolgym.sandbox.synthesis.teaching.opening import Opening
from toolgym.sandbox.synthesis.teaching.row import trajectory_of
from toolgym.sandbox.synthesis.teaching.teacher import Teacher

FILE = "conversations.jsonl"
"""All conversations of a run, those that were thrown out among them."""
IN_VAIN = 200
"""Conversations in a row that make no row, after which a run is given up."""


@dataclass(frozen=True)
class Made:
    """A conversation and what became of it.

    Attributes:
        number: its place in the run.
        cause: why it is no row; None where it is one.
        trajectory: its record.
    """

    number: int
    cause: str | None
    trajectory: Trajectory

    def to_line(self) -> str:
        """A line of the file."""
        told = json.dumps({"number": self.number, "cause": self.cause}, ensure_ascii=False)
        return f'{told[:-1]}, "trajectory": {self.trajectory.to_line()}}}'


def read(path: Path) -> Iterator[Made]:
    """The whole lines of a file; one that was being written when the run was killed is left out."""
    if not path.is_file():
        return
    with path.open("rb") as file:
        for line in file:
            if line.endswith(b"\n"):
                record = json.loads(line)
                yield Made(record["number"], record["cause"], Trajectory.model_validate(record["trajectory"]))


class Run:
    """Makes rows.

    Args:
        opening: begins conversations.
        teacher: plays them.
        path: the file.
        concurrency: conversations at once.
        quotas: how many rows there may be of a family; any number of one that is not named.
    """

    def __init__(
        self,
        opening: Opening,
        teacher: Teacher,
        path: Path,
        concurrency: int,
        quotas: Mapping[str, int] | None = None,
    ) -> None:
        self._opening, self._teacher, self._path, self._concurrency = opening, teacher, path, concurrency
        self._gate, self._next, self._in_vain = Gate(), 0, 0
        self._quotas, self._of_family = dict(quotas or {}), Counter[str]()

    @property
    def kept(self) -> int:
        """Rows so far."""
        return self._gate.kept

    def resume(self) -> None:
        """Go on after the whole lines of the file, the rest of which is cut off."""
        if not self._path.is_file():
            return
        for made in read(self._path):
            if made.cause is None:
                self._gate.repeats(made.trajectory.task)
                self._of_family[made.trajectory.task.family] += 1
            self._next = made.number + 1
        content = self._path.read_bytes()
        with writing(self._path), self._path.open("r+b") as file:
            file.truncate(content.rfind(b"\n") + 1)

    async def until(self, count: int, step: Callable[[], None]) -> None:
        """Make conversations until there are so many rows.

        Raises:
            OutOfBudget: the teacher may not be asked any more; what was made is in the file.
            InfrastructureError: the teacher or the tools are gone; the same.
            BadInput: conversation after conversation is thrown out, or the disk is full.
        """
        under_way: deque[asyncio.Task[Made]] = deque()
        number = self._next
        try:
            while self.kept < count:
                while len(under_way) < self._concurrency:
                    under_way.append(asyncio.create_task(self._played(number)))
                    number += 1
                made = self._through(await under_way.popleft())
                with writing(self._path), self._path.open("a", encoding="utf-8") as file:
                    file.write(made.to_line() + "\n")
                self._count(made, step)
        finally:
            for task in under_way:
                task.cancel()
            await asyncio.gather(*under_way, return_exceptions=True)

    def _count(self, made: Made, step: Callable[[], None]) -> None:
        if made.cause is None:
            self._in_vain = 0
            step()
            return
        self._in_vain += 1
        if self._in_vain >= IN_VAIN:
            raise BadInput(
                f"The last {IN_VAIN} conversations made no row, the last one because of: {made.cause}. What was made "
                f"before is kept; {self._path} holds every conversation with its cause."
            )

    def _through(self, made: Made) -> Made:
        """The conversation behind the part of the gate that depends on what went through before."""
        cause, task = made.cause, made.trajectory.task
        if cause is None and self._of_family[task.family] >= self._quotas.get(task.family, sys.maxsize):
            cause = "enough of its family"
        elif cause is None and self._gate.repeats(task):
            cause = "a row like it is there"
        self._of_family[task.family] += cause is None
        return Made(made.number, cause, made.trajectory)

    async def _played(self, number: int) -> Made:
        talk, source = self._opening.begin(number, self._teacher), self._opening.source_of(number)
        try:
            try:
                await lead(talk)
            except InfrastructureError as error:
                if error.boundary == "model":
                    raise
                talk.thrown = "the tools failed"  # a server that died or hung has been started afresh
            trajectory = trajectory_of(talk, source.graph)
        finally:
            talk.session.close()
        planned = [step.tool for plan in talk.plans for step in plan]
        cause = talk.thrown or await talk.apart(partial(self._gate.why, source, trajectory, planned))
        return Made(number, cause, trajectory)
