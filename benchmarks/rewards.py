"""Microseconds per trajectory of each reward, of the verifier and of the rule judge.

python benchmarks/rewards.py
"""

import asyncio
import os
import platform
import time

from rich.console import Console
from rich.table import Table

from toolgym.judge.evaluation.episodes import Evaluation
from toolgym.judge.evaluation.settings import EvalSettings
from toolgym.judge.scoring.judges.rules import judge
from toolgym.judge.scoring.verifier import verify
from toolgym.sandbox.runtime import registry
from toolgym.sandbox.runtime.trajectory import Trajectory


def trajectories(count: int = 300) -> list[Trajectory]:
    """Conversations of the rules agent on retail training tasks."""
    evaluation = Evaluation(EvalSettings(env="ToolRetail-v0", agent="rules", split="train", tasks=(str(count),)))
    found: list[Trajectory] = []
    asyncio.run(evaluation.play_all(((task, 0) for task in evaluation.tasks), found.append))
    return found


def main() -> None:
    """Print the table."""
    played = trajectories()
    verdicts = [verify(trajectory) for trajectory in played]
    scores = [judge(trajectory) for trajectory in played]
    table = Table("", "us per trajectory", "trajectories per second")
    for name in ("outcome", "tarl", "toolrl", "prove", "tier"):
        reward = registry.load("rewards", name)
        pairs = list(zip(played, verdicts, scores, strict=True))
        for trajectory, verdict, score in pairs:
            reward(trajectory, verdict=verdict, scores=score)
        started = time.perf_counter()
        for trajectory, verdict, score in pairs:
            reward(trajectory, verdict=verdict, scores=score)
        add(table, name, time.perf_counter() - started, len(played))
    for name, work in (("verifier", verify), ("rule judge", judge)):
        started = time.perf_counter()
        for trajectory in played:
            work(trajectory)
        add(table, name, time.perf_counter() - started, len(played))
    turns = sum(len(trajectory.turns()) for trajectory in played) / len(played)
    console = Console()
    console.print(f"{platform.machine()}, {os.cpu_count()} cores, Python {platform.python_version()}")
    console.print(f"{len(played)} retail conversations of {turns:.1f} turns on average, gold known")
    console.print(table)


def add(table: Table, name: str, seconds: float, count: int) -> None:
    """Add a row."""
    table.add_row(name, f"{seconds / count * 1e6:.1f}", f"{count / seconds:,.0f}")


if __name__ == "__main__":
    main()
