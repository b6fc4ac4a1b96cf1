"""Where the rule judge puts its -1, or its 0, when one error was planted into a right conversation.

    python benchmarks/planted_errors.py [WORLD ...] [--count 60] [--rows]

Takes the demonstrator's conversations on drawn tasks of every world and plants errors of eighteen kinds, one at a time
(`benchmarks/planting.py`). Printed are, by kind and world, the share of errors that are marked at their turn (recall),
the share of marks that stand at a planted turn (precision) and how many were planted; and what the judge makes of the
conversations without an error.
"""

from __future__ import annotations

import argparse
import asyncio
import random
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from planted_run import Planted, Run
from planting import KINDS
from rich.console import Console
from rich.table import Table

from toolgym.judge.scoring.judges.rules import judge
from toolgym.judge.scoring.rewards.tarl import tarl
from toolgym.judge.scoring.verifier import verify
from toolgym.sandbox.kit.task import Task
from toolgym.sandbox.runtime import registry
from toolgym.sandbox.runtime.episode import Episode, run_episode
from toolgym.sandbox.runtime.registry import get_domain
from toolgym.sandbox.runtime.roles import make_agent, make_user
from toolgym.sandbox.runtime.session import Session
from toolgym.sandbox.runtime.trajectory import Trajectory
from toolgym.sandbox.synthesis.generator import Generator

WORLDS = tuple(name for name in registry.names("domains") if get_domain(name).goals)
"""The worlds that draw tasks."""
_ABREAST = 5
"""Worlds that a line holds; of more only the sum is shown by kind."""


@dataclass
class Count:
    """Errors of a kind in a world: planted, marked at their turn, and all marks given."""

    planted: int = 0
    found: int = 0
    marks: int = 0


def right_runs(world: str, count: int, seed: int = 5) -> list[Trajectory]:
    """The demonstrator's clean conversations that told all, on drawn tasks; published ones where a world draws none."""
    domain = get_domain(world)
    tasks = (
        list(Generator(domain, seed=seed).tasks(count)) if domain.goals else list(domain.tasks("train", "own")[:count])
    )
    played = [_played(task) for task in tasks]
    return [trajectory for trajectory in played if (verdict := verify(trajectory)).clean and verdict.told is not False]


def _played(task: Task) -> Trajectory:
    async def episode() -> Trajectory:
        domain = get_domain(task.domain)
        with Session(domain, task=task) as session:
            return await run_episode(Episode(domain, task, session, make_user("scripted")), make_agent("demonstrator"))

    return asyncio.run(episode())


def marked(planted: Planted) -> tuple[bool, int]:
    """Whether an error is marked at its turn, and how many marks of its sort the judge gave.

    An idle turn is owed a 0 and nobody a -1.
    """
    scores = judge(planted.trajectory).scores
    assert scores is not None
    marks = [turn for turn, score in enumerate(scores) if score == planted.score]
    return any(turn in planted.turns for turn in marks) and (planted.score < 0 or -1 not in scores), len(marks)


def measure(
    worlds: Sequence[str] = WORLDS, count: int = 60, *, seed: int = 0
) -> Iterator[tuple[str, str, Planted, bool, int]]:
    """Every planted error with its kind and world, whether it was marked, and the marks given."""
    for world in worlds:
        for trajectory in right_runs(world, count):
            for kind, plant in KINDS.items():
                planted = plant(Run(trajectory), random.Random(f"{seed}:{kind}:{trajectory.task.id}"))
                if planted is not None:
                    yield kind, world, planted, *marked(planted)


def counts(rows: Iterator[tuple[str, str, Planted, bool, int]]) -> dict[str, dict[str, Count]]:
    """The counts by kind and world."""
    found: dict[str, dict[str, Count]] = {kind: defaultdict(Count) for kind in KINDS}
    for kind, world, _, right, marks in rows:
        for each in (found[kind][world], found[kind]["all"]):
            each.planted += 1
            each.found += right
            each.marks += marks
    return found


def shown(count: Count | None) -> str:
    """Recall, precision and number of a cell."""
    if count is None or not count.planted:
        return "-"
    precision = f"{count.found / count.marks:.2f}" if count.marks else "-"
    return f"{count.found / count.planted:.2f} {precision} {count.planted:3}"


def table(found: dict[str, dict[str, Count]], worlds: Sequence[str]) -> Table:
    """A line a kind."""
    made = Table("recall, precision, planted", box=None)
    columns = ("all", *worlds) if len(worlds) <= _ABREAST else ("all",)
    for name in columns:
        made.add_column(name, no_wrap=True)
    for kind, cells in found.items():
        made.add_row(kind, *(shown(cells.get(world)) for world in columns))
    return made


def of_all(found: dict[str, dict[str, Count]], world: str) -> Count:
    """The counts of a world over all kinds."""
    cells = [cells[world] for cells in found.values() if world in cells]
    return Count(*(sum(getattr(each, name) for each in cells) for name in ("planted", "found", "marks")))


def without_errors(found: dict[str, dict[str, Count]], worlds: Sequence[str], count: int) -> Table:
    """By world, what was marked of all errors, and what the judge makes of the conversations without an error."""
    made = Table(
        "", "recall, precision, planted", "right runs", "turns", "-1", "0", "TARL mean", "TARL least", box=None
    )
    for world in worlds:
        runs = right_runs(world, count)
        scores = [judge(run) for run in runs]
        turns = [score for each in scores for score in each.scores or ()]
        totals = [tarl(run, verdict=verify(run), scores=each).total for run, each in zip(runs, scores, strict=True)]
        figures = (len(runs), len(turns), turns.count(-1), f"{turns.count(0) / len(turns):.1%}")
        tarls = (f"{sum(totals) / len(totals):.2f}", f"{min(totals):.2f}")
        made.add_row(world, shown(of_all(found, world)), *map(str, figures), *tarls)
    return made


def main() -> None:
    """Print both tables."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("worlds", nargs="*", choices=[[], *WORLDS], help="which worlds (all)")
    parser.add_argument("--count", type=int, default=60, help="tasks a world (60)")
    parser.add_argument("--rows", action="store_true", help="list the errors that are not marked at their turn")
    parser.add_argument("--markdown", action="store_true", help="print one line for a page")
    given = parser.parse_args()
    worlds = given.worlds or WORLDS
    rows = list(measure(worlds, given.count))
    for kind, world, planted, right, _ in rows if given.rows else ():
        if not right:
            scores = judge(planted.trajectory)
            print(f"{world} {planted.trajectory.task.id}: {kind} at {sorted(planted.turns)}, judged {scores.scores}")
    console = Console(width=120)
    found = counts(iter(rows))
    if given.markdown:
        every = of_all(found, "all")
        print(
            f"- The rule judge marks {every.found:,} of {every.planted:,} errors planted in {len(worlds)} worlds "
            f"at their turn; {every.found / every.marks:.1%} of its marks are at one."
        )
        return
    console.print(table(found, worlds))
    console.print(f"in all: {shown(of_all(found, 'all'))}")
    console.print(without_errors(found, worlds, given.count))


if __name__ == "__main__":
    main()
