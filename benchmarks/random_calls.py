"""Random calls that can succeed in every world: what must never be, and how often each tool succeeded.

    python benchmarks/random_calls.py                         # 10,000 calls a world; about six minutes of a core
    python benchmarks/random_calls.py --worlds email --calls 500
    python benchmarks/random_calls.py --edges 0.3             # three values of ten from the edges of their types

Ends with status 1 where a refused call changed rows, a row names one that is not there, a sum fell below zero where no
right call brings it, a log ended elsewhere when it was replayed, a tool broke, or one never succeeded.
"""

import argparse
import sys

from rich.console import Console
from rich.progress import track
from rich.table import Table

from toolgym.sandbox.runtime.registry import get_domain, names
from toolgym.sandbox.synthesis.proof.fitting_calls import tried


def main() -> int:
    """Entry."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--worlds", nargs="+", default=[name for name in names("domains") if get_domain(name).goals])
    parser.add_argument("--calls", type=int, default=10_000, help="in each world")
    parser.add_argument("--edges", type=float, default=0.0, help="how often a value is at the edge of its type")
    parser.add_argument("--seed", type=int, default=3)
    given = parser.parse_args()
    console = Console(width=120)
    table = Table("world", "calls", "succeeded", "tools", "least often", "refusal codes", "faults", "never succeeded")
    faults = []
    for world in track(given.worlds, "calling", console=console, transient=True):
        domain = get_domain(world)
        found = tried(domain, given.calls, seed=given.seed, edges=given.edges)
        tools = [*domain.tools, *domain.user_tools]
        rarest = min(tools, key=lambda name: found.succeeded[name])
        never = [name for name in tools if not found.succeeded[name]]
        faults += [f"{world}: {each}" for each in found.faults] + [f"{world}: {name} never succeeded" for name in never]
        table.add_row(
            *(world, f"{given.calls:,}", f"{found.succeeded.total():,}", str(len(tools))),
            *(f"{rarest} {found.succeeded[rarest]}", str(len({code for _, code in found.refused}))),
            *(str(len(found.faults)), ", ".join(never)),
        )
    console.print(table)
    for fault in faults:
        console.print(fault, markup=False, highlight=False)
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
