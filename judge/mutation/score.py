"""The mutation score of a world: of the mutants that differ, what share the verifier and the clean pass catch."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from random import Random
from typing import Any

from rich.console import Group
from rich.table import Table
from rich.text import Text

from toolgym.judge.mutation.edits import Played, replayed
from toolgym.judge.mutation.mutants import MUTATIONS, Subject
from toolgym.judge.scoring.verifier import verify
from toolgym.sandbox.kit.domain import Domain
from toolgym.sandbox.kit.message import Json
from toolgym.sandbox.kit.task import Task
from toolgym.sandbox.runtime.episode import Episode, run_episode
from toolgym.sandbox.runtime.roles import make_agent, make_user
from toolgym.sandbox.runtime.session import Session
from toolgym.sandbox.runtime.trajectory import Trajectory

FLOOR = 0.95
"""The share of mutants that the clean pass must catch."""
MEANING = (
    "Right runs of the demonstrator with one thing made wrong. same end: the rows are those of a right run, so that no "
    "verifier of the end state can tell; equivalent: the same rows change at the same places of the conversation, so "
    "that nobody can. The verifier's score leaves the first out, the clean pass's the second."
)


@dataclass
class Kind:
    """What became of one sort of mutants.

    Attributes:
        made: how many there are.
        same_end: how many end in the right state.
        equivalent: how many differ in nothing that can be seen in the world.
        verifier: caught among those that end otherwise.
        clean: caught among those that are not equivalent.
        survivors: what the clean pass let through, in words.
    """

    made: int = 0
    same_end: int = 0
    equivalent: int = 0
    verifier: int = 0
    clean: int = 0
    survivors: list[dict[str, Json]] = field(default_factory=list)

    def add(self, usual: Played, mutant: Played) -> None:
        """Count a mutant of a right run."""
        verdict = verify(mutant.trajectory)
        self.made += 1
        ends_right = mutant.ends_like(usual)
        self.same_end += ends_right
        self.verifier += not ends_right and not verdict.passed()
        if mutant.same_as(usual):
            self.equivalent += 1
        elif not verdict.clean:
            self.clean += 1
        else:
            self.survivors.append(_told(mutant.trajectory))

    def shares(self) -> dict[str, float | None]:
        """The caught shares; None where there is nothing to catch."""
        ends, differ = self.made - self.same_end, self.made - self.equivalent
        return {"verifier": self.verifier / ends if ends else None, "clean": self.clean / differ if differ else None}


def _told(trajectory: Trajectory) -> dict[str, Json]:
    calls = [f"{call.name}({call.arguments})" for call in trajectory.calls if call.wrote]
    return {"task": trajectory.task.id, "writes": list(calls), "rows": len(trajectory.diff)}


@dataclass(frozen=True)
class Mutation:
    """A world's mutants.

    Attributes:
        world: its name.
        runs: how many right runs there were to begin with.
        kinds: what became of them, by sort.
    """

    world: str
    runs: int
    kinds: dict[str, Kind]

    def total(self) -> Kind:
        """All sorts together."""
        every, whole = self.kinds.values(), Kind()
        for name in ("made", "same_end", "equivalent", "verifier", "clean"):
            setattr(whole, name, sum(getattr(kind, name) for kind in every))
        return whole

    def holds(self) -> bool:
        """Whether the clean pass catches enough."""
        share = self.total().shares()["clean"]
        return share is None or share >= FLOOR

    def to_json(self) -> dict[str, Any]:
        """Everything, with the survivors."""
        rows = {**self.kinds, "all": self.total()}
        return {
            "world": self.world,
            "runs": self.runs,
            "kinds": {name: vars(kind) | {"caught": kind.shares()} for name, kind in rows.items()},
        }


def mutation_score(domain: Domain, tasks: Sequence[Task], seed: int, progress: Callable[[], None]) -> Mutation:
    """Make every sort of mutant of the demonstrator's clean runs and see who notices.

    Args:
        domain: the world.
        tasks: what is played.
        seed: decides users, agents and mutants.
        progress: told after every task.
    """
    kinds = {name: Kind() for name in MUTATIONS}
    runs = 0
    for base in asyncio.run(_right_runs(domain, tasks, seed)):
        progress()
        if base is None:
            continue
        runs += 1
        usual = replayed(base, base.messages)
        others = [task for task in tasks if task.id != base.task.id]
        for name, mutate in MUTATIONS.items():
            mutant = mutate(Subject(usual, others, Random(f"{seed}:{base.task.id}:{name}")))
            if mutant is not None:
                kinds[name].add(usual, mutant)
    return Mutation(domain.name, runs, kinds)


async def _right_runs(domain: Domain, tasks: Sequence[Task], seed: int) -> list[Trajectory | None]:
    """The demonstrator's run of every task; None where it is no clean pass."""
    agent, user, found = make_agent("demonstrator"), make_user("scripted"), []
    for task in tasks:
        with Session(domain, task=task) as session:
            run = await run_episode(Episode(domain, task, session, user, seed=seed), agent)
        right = run.termination != "infrastructure_error" and verify(run).clean
        found.append(run if right else None)
    return found


def mutation_table(found: Mutation) -> Group:
    """The table for the terminal, with some survivors."""
    title = f"{found.world}: {found.runs} right runs"
    shown = Table(title=title, title_justify="left", box=None, pad_edge=False)
    shown.add_column("made wrong")
    for heading in ("mutants", "same end", "verifier", "equivalent", "clean pass"):
        shown.add_column(heading, justify="right", no_wrap=True)
    for name, kind in {**found.kinds, "all": found.total()}.items():
        caught = kind.shares()
        counts = (
            str(kind.made),
            str(kind.same_end),
            _share(caught["verifier"]),
            str(kind.equivalent),
            _share(caught["clean"]),
        )
        shown.add_row(name, *counts, end_section=name == list(found.kinds)[-1])
    survivors = [
        f"  {name}: {kind.survivors[0]['task']}: {'; '.join(map(str, kind.survivors[0]['writes']))}"
        for name, kind in found.kinds.items()
        if kind.survivors
    ]
    return Group(shown, *map(Text, (["not noticed, for example:", *survivors] if survivors else [])))


def _share(value: float | None) -> str:
    return "-" if value is None else f"{value:.3f}"
