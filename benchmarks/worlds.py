"""What every world is made of and what its tools cost, one table over all worlds.

    python benchmarks/worlds.py                    # all that declare goals
    python benchmarks/worlds.py --worlds banking budget --tasks 200

Calls are the gold calls of drawn tasks, made in process on fresh sessions: reads apart from searches by words, and
writes after a session's first, which copies the database's image. Prompts are counted at four characters a token.
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

import domains
from sandbox.kit.domain import Domain
from sandbox.kit.task import Task
from sandbox.runtime.registry import get_domain, names
from sandbox.runtime.session import Session
from sandbox.synthesis.generator import Generator

CHARS = 4
SIZES = ("tools", "that write", "rules", "goals", "tables", "rows", "image, kB", "policy", "tools' schemas", "lines")
COSTS = ("read", "search", "write")


def sizes(domain: Domain) -> Iterator[str]:
    """The columns of `SIZES`."""
    tools = list(domain.tools.values())
    yield str(len(tools))
    yield str(sum(tool.kind == "write" for tool in tools))
    yield str(len(domain.rules))
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
    """Seconds of each kind of call."""
    found: dict[str, list[float]] = defaultdict(list)
    for task in tasks:
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
                    found[kind].append(took)
                wrote = wrote or kind == "write"
    return found


def main() -> None:
    """Entry."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--worlds", nargs="+", default=[name for name in names("domains") if get_domain(name).goals])
    parser.add_argument("--tasks", type=int, default=100, help="drawn of each world")
    given = parser.parse_args()
    console = Console(width=180)
    table = Table("world", *SIZES, *(f"{name}, ms" for name in COSTS))
    for column in table.columns[1:]:
        column.justify = "right"
    for world in track(given.worlds, "calling", console=console, transient=True):
        domain = get_domain(world)
        found = costs(domain, list(Generator(domain, seed=5).tasks(given.tasks)))
        middle = (f"{1e3 * statistics.median(found[kind]):.3f}" if found[kind] else "-" for kind in COSTS)
        table.add_row(world, *sizes(domain), *middle)
    console.print(table)
    console.print(f"Medians; {os.cpu_count()} cores, Python {platform.python_version()}.")


if __name__ == "__main__":
    main()
