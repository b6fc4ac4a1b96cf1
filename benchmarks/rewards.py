"""Microseconds per trajectory of each reward, of the verifier and of the rule judge.

python benchmarks/rewards.py
python benchmarks/rewards.py --markdown    # one line, for a page
"""

import argparse
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

REWARDS = ("outcome", "tarl", "toolrl", "prove", "tier")


def trajectories(count: int = 300) -> list[Trajectory]:
    """Conversations of the rules agent on retail training tasks."""
    evaluation = Evaluation(EvalSettings(env="ToolRetail-v0", agent="rules", split="train", tasks=(str(count),)))
    found: list[Trajectory] = []
    asyncio.run(evaluation.play_all(((task, 0) for task in evaluation.tasks), found.append))
    return found


def measured(played: list[Trajectory]) -> dict[str, float]:
    """Seconds that each reward, the verifier and the rule judge take for all of them."""
    verdicts = [verify(trajectory) for trajectory in played]
    scores = [judge(trajectory) for trajectory in played]
    found: dict[str, float] = {}
    for name in REWARDS:
        reward = registry.load("rewards", name)
        pairs = list(zip(played, verdicts, scores, strict=True))
        for _ in range(2):  # the first time, what a task's gold comes to is worked out
            started = time.perf_counter()
            for trajectory, verdict, score in pairs:
                reward(trajectory, verdict=verdict, scores=score)
            found[name] = time.perf_counter() - started
    for name, work in (("verifier", verify), ("rule judge", judge)):
        started = time.perf_counter()
        for trajectory in played:
            work(trajectory)
        found[name] = time.perf_counter() - started
    return found


def main() -> None:
    """Print the table, or a line of it."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--markdown", action="store_true", help="print one line for a page")
    given = parser.parse_args()
    played = trajectories()
    seconds = measured(played)
    rates = {name: len(played) / each for name, each in seconds.items()}
    if given.markdown:
        rewards = [rates[name] for name in REWARDS]
        print(
            f"- Scores a second: {min(rewards):,.0f} to {max(rewards):,.0f} trajectories by each reward, "
            f"{rates['verifier']:,.0f} by the verifier, {rates['rule judge']:,.0f} by the rule judge."
        )
        return
    table = Table("", "us per trajectory", "trajectories per second")
    for name, rate in rates.items():
        table.add_row(name, f"{1e6 / rate:.1f}", f"{rate:,.0f}")
    turns = sum(len(trajectory.turns()) for trajectory in played) / len(played)
    console = Console()
    console.print(f"{platform.machine()}, {os.cpu_count()} cores, Python {platform.python_version()}")
    console.print(f"{len(played)} retail conversations of {turns:.1f} turns on average, gold known")
    console.print(table)


if __name__ == "__main__":
    main()
