"""What an episode's environment work costs, here and in tau2-bench, in one run on the same data.

    python benchmarks/episode.py                     # all domains that both have
    python benchmarks/episode.py --domains retail    # one
    python benchmarks/episode.py --profile           # where toolgym's time goes
    python benchmarks/episode.py --markdown          # one table, for a page

tau2-bench runs in its own virtual environment: set TOOLGYM_TAU2_PYTHON to its interpreter (`make .venv-tau2/.done`
makes one). Without it only toolgym's column is printed.
"""

import argparse
import asyncio
import cProfile
import gc
import json
import os
import platform
import pstats
import statistics
import subprocess
import time
from collections.abc import Callable
from itertools import cycle
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.markup import escape
from rich.table import Table

from toolgym.judge.scoring.verifier import verify
from toolgym.sandbox.kit.domain import Domain
from toolgym.sandbox.kit.errors import ToolgymError
from toolgym.sandbox.kit.message import ToolCall
from toolgym.sandbox.kit.task import Task
from toolgym.sandbox.kit.tool import Tool
from toolgym.sandbox.runtime import registry
from toolgym.sandbox.runtime.episode import Episode, run_episode
from toolgym.sandbox.runtime.registry import get_domain
from toolgym.sandbox.runtime.roles import make_agent, make_user
from toolgym.sandbox.runtime.session import Session
from toolgym.sandbox.runtime.trajectory import Trajectory
from toolgym.sandbox.synthesis.proof.replay import gold_diff

DOMAINS = [name for name in ("retail", "airline", "telecom") if name in registry.names("domains")]


def seconds(work: Callable[[], object], repeat: int = 300) -> float:
    """Median wall seconds of `work` after three warm-up runs."""
    for _ in range(3):
        work()
    times = []
    for _ in range(repeat):
        started = time.perf_counter()
        work()
        times.append(time.perf_counter() - started)
    return statistics.median(times)


def resident() -> float:
    """Resident memory of this process in MiB (Linux; 0 elsewhere)."""
    status = Path("/proc/self/status")
    if not status.exists():
        return 0.0
    lines = status.read_text(encoding="utf-8").splitlines()
    return next(int(line.split()[1]) / 1024 for line in lines if line.startswith("VmRSS"))


Step = dict[str, Any]
"""A call: name, arguments, by."""


def choose(domain: Domain) -> tuple[Task, list[Step], Step, Step]:
    """The gold task with the fewest writes, its calls made ten by repeating reads; one of its reads, its first write.

    Where no gold run reads anything (telecom), the reads are the user's looks at the phone.
    """
    looks = [ToolCall(name=tool.name, by="user") for tool in domain.user_tools.values() if _is_look(tool)]
    found: dict[int, tuple[Task, list[Step], Step, Step]] = {}
    for task in domain.tasks("base", "tau2"):
        kinds = [(domain.tools if call.by == "agent" else domain.user_tools)[call.name].kind for call in task.gold]
        reads = [
            call for call, kind in zip(task.gold, kinds, strict=True) if kind == "read" and call.arguments
        ] or looks
        writes = [call for call, kind in zip(task.gold, kinds, strict=True) if kind == "write"]
        with Session(domain, task=task) as session:
            clean = all(session.call(call.name, call.arguments, by=call.by).ok for call in task.gold)
        if clean and reads and writes and len(task.gold) <= 10:
            padding = [reads[index % len(reads)] for index in range(10 - len(task.gold))]
            steps = [_step(call) for call in (*padding, *task.gold)]
            found.setdefault(len(writes), (task, steps, _step(reads[0]), _step(writes[0])))
    if not found:
        raise ToolgymError(f"{domain.name}: no task of tau2's fits a 10-call episode with a write.")
    return found[min(found)]


def _is_look(tool: Tool) -> bool:
    return tool.kind == "read" and not tool.parameters["properties"]


def _step(call: ToolCall) -> Step:
    return {"name": call.name, "arguments": call.arguments, "by": call.by}


def play(domain: Domain, task: Task, steps: list[Step]) -> Trajectory:
    """The environment's work of one episode: open, ten calls, verify, close."""
    with Session(domain, task=task) as session:
        for step in steps:
            session.call(**step)
        trajectory = Trajectory(
            task=task, calls=tuple(session.log), diff=tuple(session.diff()), termination="user_stop"
        )
    verify(trajectory)
    return trajectory


def ours(domain: Domain) -> tuple[dict[str, float], dict[str, Any]]:
    """toolgym's figures, and the calls to time in tau2."""
    task, steps, read, write = choose(domain)
    domain.template("tau2")
    gold_diff(task)
    session = Session(domain, task=task)
    trajectory = play(domain, task, steps)

    def open_and_write() -> None:
        with Session(domain, task=task) as fresh:
            fresh.call(**write)

    def write_and_roll_back() -> float:
        session.call(**write)
        started = time.perf_counter()
        session.rollback(0)
        return time.perf_counter() - started

    def write_once() -> float:
        started = time.perf_counter()
        session.call(**write)
        elapsed = time.perf_counter() - started
        session.rollback(0)
        return elapsed

    result = {
        "open a session": seconds(lambda: Session(domain, task=task).close()),
        "open, first write, close": seconds(open_and_write),
        "one read": seconds(lambda: session.call(**read)),
    }
    session.rollback(0)
    result["one write"] = statistics.median(write_once() for _ in range(300))
    result["roll back a write"] = statistics.median(write_and_roll_back() for _ in range(300))
    session.call(**write)
    result["fork a written session"] = seconds(lambda: session.fork().close())
    turns = cycle((trajectory, trajectory.model_copy()))  # the verdict found last is remembered
    result["verify"] = seconds(lambda: verify(next(turns)))
    result["whole 10-call episode"] = seconds(lambda: play(domain, task, steps))
    gc.collect()
    before = resident()
    held = [session.fork() for _ in range(1000)]
    result["memory per live session"] = (resident() - before) / len(held)
    for fork in held:
        fork.close()
    result["reads per second"] = 1 / result["one read"]
    calls: dict[str, Any] = {"task": task.id, "episode": steps, "read": read, "write": write}
    return result, calls


def conversations(domain: Domain, count: int = 400) -> float:
    """Complete conversations per second: oracle agent, scripted user, verification, in one process."""
    tasks = domain.tasks("train", "own")[:count]
    agent, user = make_agent("oracle"), make_user("scripted")

    async def one(task: Task) -> None:
        with Session(domain, task=task) as session:
            trajectory = await run_episode(Episode(domain, task, session, user, seed=task.seed), agent)
        assert verify(trajectory).passed(), f"{task.id} failed"

    async def every() -> None:
        await asyncio.gather(*(one(task) for task in tasks))

    for task in tasks:
        gold_diff(task)
    started = time.perf_counter()
    asyncio.run(every())
    return len(tasks) / (time.perf_counter() - started)


def theirs(domain: str, calls: dict[str, Any]) -> dict[str, float]:
    """tau2-bench's figures for the same calls, from its own interpreter."""
    python = os.environ.get("TOOLGYM_TAU2_PYTHON", "")
    if not Path(python).is_file():
        return {}
    script = Path(__file__).parent / "peers" / "tau2_episode.py"
    done = subprocess.run(
        [python, str(script), domain], input=json.dumps(calls), capture_output=True, text=True, check=False, timeout=600
    )
    if done.returncode:
        Console(stderr=True).print(f"tau2-bench could not be measured: {done.stderr.strip().splitlines()[-1]}")
        return {}
    return {name: float(value) for name, value in json.loads(done.stdout).items()}


def shown(name: str, value: float | None) -> str:
    """A figure with its unit."""
    if value is None:
        return ""
    if name.startswith("memory"):
        return f"{value:.2f} MiB"
    if name.endswith("per second"):
        return f"{value:,.0f}"
    return f"{value * 1e3:.3f} ms"


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--domains", nargs="+", default=DOMAINS, choices=DOMAINS)
    parser.add_argument("--profile", action="store_true", help="print where the time of an episode goes")
    parser.add_argument("--markdown", action="store_true", help="print one table for a page")
    options = parser.parse_args()
    if options.markdown:
        print(markdown(options.domains))
        return
    console = Console(width=110)
    console.print(
        f"{platform.machine()}, {os.cpu_count()} cores, Python {platform.python_version()}, {platform.system()}"
    )
    for name in options.domains:
        domain = get_domain(name)
        mine, calls = ours(domain)
        mine["scripted conversations per second"] = conversations(domain)
        peer = theirs(name, calls)
        table = Table("", "toolgym", "tau2-bench", "ratio", title=escape(f"{name}, tau2's data, task {calls['task']}"))
        for row, value in mine.items():
            other = peer.get(row)
            table.add_row(row, shown(row, value), shown(row, other), f"{other / value:,.0f}x" if other else "")
        console.print(table)
        if options.profile:
            profile(domain, calls)


ON_A_PAGE = (
    "open a session",
    "open, first write, close",
    "one read",
    "one write",
    "verify",
    "whole 10-call episode",
    "memory per live session",
    "scripted conversations per second",
)


def markdown(names: list[str]) -> str:
    """The worlds beside one another, tau2-bench's figures beside ours."""
    columns: list[tuple[str, dict[str, float]]] = []
    for name in names:
        mine, calls = ours(get_domain(name))
        mine["scripted conversations per second"] = conversations(get_domain(name))
        columns += [(name, mine), ("tau2-bench", theirs(name, calls))]
    lines = ["| | " + " | ".join(title for title, _ in columns) + " |", "| --- " * (len(columns) + 1) + "|"]
    lines += [
        f"| {row} | " + " | ".join(shown(row, cells.get(row)) for _, cells in columns) + " |" for row in ON_A_PAGE
    ]
    return "\n".join(lines)


def profile(domain: Domain, calls: dict[str, Any]) -> None:
    """Print the functions in which an episode's environment work spends its time."""
    task = domain.task(str(calls["task"]), "tau2")
    profiler = cProfile.Profile()
    profiler.enable()
    for _ in range(300):
        play(domain, task, calls["episode"])
    profiler.disable()
    pstats.Stats(profiler).sort_stats("tottime").print_stats(18)


if __name__ == "__main__":
    main()
