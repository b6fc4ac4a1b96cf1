"""Draws flagged turns of recorded runs to be read by hand: are the violations that are found really there?

    toolgym import results.json --out runs/others
    python benchmarks/flagged.py runs/others runs/more --count 30 --seed 2

At most one turn an episode and sort of violation, so that an agent that repeats itself does not fill the draw.
"""

from __future__ import annotations

import argparse
import json
from collections import Counter
from pathlib import Path
from random import Random
from typing import NamedTuple

from toolgym.judge.scoring.conduct import violations
from toolgym.judge.scoring.conversation import Conversation, Said
from toolgym.judge.scoring.violations import Violation
from toolgym.sandbox.runtime.trajectory import Trajectory, read_trajectories

_BEFORE = 5
"""Events shown before the flagged turn."""


class Flagged(NamedTuple):
    """A violation in a run."""

    run: str
    trajectory: Trajectory
    violation: Violation


def flagged(run: Path) -> list[Flagged]:
    """The first violation of each sort in every episode of a run that infrastructure did not cut."""
    found = {}
    for number, trajectory in enumerate(read_trajectories(run / "trajectories.jsonl")):
        if trajectory.termination != "infrastructure_error":
            for violation in violations(trajectory):
                found.setdefault((number, violation.kind), Flagged(run.name, trajectory, violation))
    return list(found.values())


def show(item: Flagged) -> None:
    """Print a flagged turn, what was said and called before it, and what the task wanted."""
    task, violation = item.trajectory.task, item.violation
    print(f"\n## {item.run}, {task.id}, turn {violation.turn}: {violation.kind}. {violation.sentence}")
    print(f"   wanted: {task.scenario[:600]!r}; gold: {[(call.name, call.arguments) for call in task.gold]}")
    events = Conversation(item.trajectory).events
    at = [index for index, event in enumerate(events) if event.turn <= violation.turn]
    for event in events[max(0, len(at) - _BEFORE) : len(at)]:
        if isinstance(event, Said):
            print(f"   {'agent' if event.by_agent else 'user'}: {event.text}")
        else:
            record = event.record
            print(f"   {record.name} {json.dumps(record.arguments)}: {record.error or 'ok'}")


def main() -> None:
    """Print the draw."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("runs", nargs="+", type=Path, help="folders of imported runs")
    parser.add_argument("--count", type=int, default=30)
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args()
    found = [item for run in options.runs for item in flagged(run)]
    print(f"{len(found)} flagged turns:", dict(Counter(item.violation.kind for item in found)))
    for item in Random(options.seed).sample(found, min(options.count, len(found))):
        show(item)


if __name__ == "__main__":
    main()
