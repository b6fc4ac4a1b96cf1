"""Many worlds' MCP servers at once, with many sessions each: PROVE's shape of training (20 servers, 64 sessions).

    python benchmarks/mcp_worlds.py                      # every installed world, 64 sessions each
    python benchmarks/mcp_worlds.py --sessions 8 --worlds retail banking

Each session plays the gold calls of one dev task over MCP, all sessions at once, and its end state is held against
the same calls made in process: a call that went to another session would show. Memory is the servers' own.
"""

import argparse
import os
import platform
import statistics
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from itertools import cycle, islice

import psutil
from rich.console import Console
from rich.progress import track
from rich.table import Table

from toolgym.sandbox.kit.task import Task
from toolgym.sandbox.remote.server_set import SESSIONS, ServerSet
from toolgym.sandbox.runtime.registry import get_domain, names
from toolgym.sandbox.runtime.session import Session
from toolgym.sandbox.synthesis.generator import dev_tasks

THREADS = 64
COMPARING = 4
"""Threads that ask for whole end states, which is no part of what is measured."""
SETTLED = 10.0
"""Seconds after the last session's end in which a server gives its memory back."""
PATIENCE = 300.0
"""Seconds for which a request is repeated: on a busy machine the figures say how slow it is, not that it gave up."""


def tasks_of(world: str, count: int) -> list[Task]:
    """Dev tasks, the same ones again where there are fewer than sessions."""
    return list(islice(cycle(dev_tasks(get_domain(world), min(count, 100))), count))


def play(servers: ServerSet, world: str, session_id: str, task: Task) -> list[float]:
    """Make a task's gold calls; the seconds of each."""
    took = []
    for call in task.gold:
        began = time.perf_counter()
        servers.call(world, session_id, call.name, call.arguments)
        took.append(time.perf_counter() - began)
    return took


def is_alone(servers: ServerSet, world: str, session_id: str, task: Task) -> bool:
    """Whether a session ended where the same calls end in a world of their own."""
    session = servers.session(world, session_id)
    with Session(world, data=task.data, task=task, seed=session.seed) as alone:
        for call in task.gold:
            alone.call(call.name, call.arguments)
        return bool(session.digest() == alone.digest())


def megabytes(servers: ServerSet) -> float:
    """Resident memory of all servers."""
    return sum(psutil.Process(process).memory_info().rss for process in servers.processes.values()) / 1e6


def main() -> None:
    """Entry."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--worlds", nargs="+", default=[name for name in names("domains") if name != "kiosk"])
    parser.add_argument("--sessions", type=int, default=SESSIONS, help=f"in each world (default: {SESSIONS})")
    asked = parser.parse_args()
    console = Console()
    table = Table(title=f"{len(asked.worlds)} servers x {asked.sessions} sessions")
    table.add_column("")
    table.add_column("value", justify="right")
    tasks = {world: tasks_of(world, asked.sessions) for world in asked.worlds}
    numbered = {
        world: [(world, f"rollout-{number}", task) for number, task in enumerate(tasks[world])] for world in tasks
    }
    every = [each for row in zip(*numbered.values(), strict=True) for each in row]  # all servers at once

    def row(name: str, value: str) -> None:
        table.add_row(name, value)

    loads = os.getloadavg()
    began = time.perf_counter()
    servers = ServerSet(asked.worlds, sessions=asked.sessions, patience=PATIENCE)
    with servers, ThreadPoolExecutor(THREADS) as pool, ThreadPoolExecutor(COMPARING) as comparers:
        row("servers answer after, s", f"{time.perf_counter() - began:.1f}")
        row("memory of all servers, no session, MB", f"{megabytes(servers):.0f}")

        def in_turn(do: object, said: str, pool: ThreadPoolExecutor = pool) -> Iterator[object]:
            yield from track(pool.map(lambda each: do(*each), every), said, total=len(every), console=console)  # type: ignore[operator]

        began = time.perf_counter()
        list(in_turn(lambda world, name, task: servers.open(world, name, task=task, data=task.data), "opening"))
        row("sessions opened a second", f"{len(every) / (time.perf_counter() - began):.0f}")
        row("memory with all sessions open, MB", f"{megabytes(servers):.0f}")
        began = time.perf_counter()
        took = [each for session in in_turn(lambda *each: play(servers, *each), "calling") for each in session]  # type: ignore[attr-defined]
        seconds = time.perf_counter() - began
        row("calls over MCP a second", f"{len(took) / seconds:.0f} ({len(took)} calls)")
        row("a call, ms, p50 and p99, under this load", f"{1e3 * statistics.median(took):.1f}, {1e3 * p99(took):.1f}")
        alone = list(in_turn(lambda *each: is_alone(servers, *each), "comparing", comparers))
        row("sessions that ended where their calls end alone", f"{sum(map(bool, alone))} of {len(alone)}")
        one = play_alone(servers, asked.worlds[0], tasks[asked.worlds[0]][0])
        list(in_turn(lambda world, name, task: servers.end(world, name), "ending"))
        row("a call, ms, p50, nothing else going on", f"{1e3 * statistics.median(one):.1f}")
        row("memory with all sessions ended, MB", f"{megabytes(servers):.0f}")
        time.sleep(SETTLED)
        row(f"memory {SETTLED:.0f} s later, MB", f"{megabytes(servers):.0f}")
        row("servers that had to be started again", str(sum(servers.restarts.values())))
    console.print(table)
    console.print(
        f"{os.cpu_count()} cores, Python {platform.python_version()}, {platform.system()}; load generator included; "
        f"load {loads[0]:.0f} before, {os.getloadavg()[0]:.0f} at the end."
    )


def p99(values: list[float]) -> float:
    """The 99th percentile."""
    return sorted(values)[int(0.99 * (len(values) - 1))]


def play_alone(servers: ServerSet, world: str, task: Task) -> list[float]:
    """The same calls again and again in one session, with nothing beside."""
    took = []
    for _ in range(20):
        servers.reset(world, "rollout-0")
        took += play(servers, world, "rollout-0", task)
    return took


if __name__ == "__main__":
    main()
