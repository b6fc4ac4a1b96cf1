"""What every world is made of and what its tools cost, one table over all worlds.

    python benchmarks/worlds.py                    # all that declare goals
    python benchmarks/worlds.py --worlds banking budget --tasks 200
    python benchmarks/worlds.py --write            # and puts what calls cost into docs/world_figures.toml

Calls are the gold calls of drawn tasks, made in process on fresh sessions: reads apart from searches by words, and
writes after a session's first, which copies the database's image. Each task is played several times; a call costs the
least of its times, so that what else the machine does matters less. Prompts are counted at four characters a token.
"""

import argparse
import json
import os
import platform
import statistics
import time
from collections import defaultdict
from collections.abc import Iterator, Sequence
from pathlib import Path

from rich.console import Console
from rich.progress import track
from rich.table import Table
from world_agents import FILE, put

from toolgym import domains
from toolgym.sandbox.kit.domain import Domain
from toolgym.sandbox.kit.task import Task
from toolgym.sandbox.runtime.registry import get_domain, names
from toolgym.sandbox.runtime.session import Session
from toolgym.sandbox.synthesis.generator import Generator

CHARS = 4
TIMES = 5
"""How often each task is played."""
SIZES = ("tools", "that write", "rules", "goals", "tables", "rows", "image, kB", "policy", "tools' schemas", "lines")
COSTS = ("read", "search", "write")


def sizes(domain: Domain) -> Iterator[str]:
    """The columns of `SIZES`."""
    tools = list(domain.tools.values())
    yield str(len(tools))
    yield str(sum(tool.kind == "write" for tool in tools))
    yield str(len({rule.name for rule in domain.rules}))
    yield str(len(domain.goals))
    tables = domain.base.metadata.tables
    yield str(len(tables))
    with Session(domain) as session:
        yield f"{sum(session.database.query(f'SELECT count(*) FROM {name}')[0][0] for name in tables):,}"
    yield f"{len(domain.template('own').content) / 1e3:,.0f}"
    yield f"{len(domain.policy_for()) // CHARS:,}"
    yield f"{sum(len(json.dumps(tool.to_openai())) for tool in tools) // CHARS:,}"
    folder = Path(domains.__path__[0]) / domain.name
    texts = [path for path in folder.rglob("*") if path.suffix in (".py", ".md")]
    yield f"{sum(len(path.read_text(encoding='utf-8').splitlines()) for path in texts):,}"


def costs(domain: Domain, tasks: Sequence[Task]) -> dict[str, list[float]]:
    """Seconds of each kind of call, of each call the least."""
    found: dict[str, list[float]] = defaultdict(list)
    for task in tasks:
        for calls in zip(*(list(_timed(domain, task)) for _ in range(TIMES)), strict=True):
            found[calls[0][0]].append(min(took for _, took in calls))
    return found


def _timed(domain: Domain, task: Task) -> Iterator[tuple[str, float]]:
    """The kind and the seconds of a task's gold calls, in a fresh session."""
    with Session(domain, task=task, data=task.data) as session:
        wrote = False
        for call in task.gold:
            tool = domain.tools.get(call.name)
            if tool is None or call.by != "agent":
                session.call(call.name, call.arguments, by=call.by)
                continue
            began = time.perf_counter()
            session.call(call.name, call.arguments)
            took = time.perf_counter() - began
            kind = "search" if call.name.startswith("search_") else tool.kind
            if kind != "write" or wrote:
                yield kind, took
            wrote = wrote or kind == "write"


def main() -> None:
    """Entry."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--worlds", nargs="+", default=[name for name in names("domains") if get_domain(name).goals])
    parser.add_argument("--tasks", type=int, default=100, help="drawn of each world")
    parser.add_argument("--write", action="store_true", help="put the costs into the file of figures")
    given = parser.parse_args()
    console = Console(width=180)
    table = Table("world", *SIZES, *(f"{name}, ms" for name in COSTS))
    for column in table.columns[1:]:
        column.justify = "right"
    for world in track(given.worlds, "calling", console=console, transient=True):
        domain = get_domain(world)
        found = costs(domain, list(Generator(domain, seed=5).tasks(given.tasks)))
        middle = {kind: 1e3 * statistics.median(found[kind]) for kind in COSTS if found[kind]}
        table.add_row(world, *sizes(domain), *(f"{middle[kind]:.3f}" if kind in middle else "-" for kind in COSTS))
        for kind, value in middle.items() if given.write else ():
            FILE.write_text(put(FILE.read_text(encoding="utf-8"), world, f"{kind}_ms", value), encoding="utf-8")
    console.print(table)
    console.print(f"Medians of the least of {TIMES}; {os.cpu_count()} cores, Python {platform.python_version()}.")


if __name__ == "__main__":
    main()
