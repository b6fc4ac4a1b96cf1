"""How many proven tasks a second the engine draws, by world, with one process and with two.

python benchmarks/synthesis.py [COUNT]      default: 1000 tasks a world
"""

from __future__ import annotations

import os
import sys
import time

from toolgym.sandbox.runtime.registry import get_domain, names
from toolgym.sandbox.synthesis.generator import Generator


def main() -> None:
    """Print the table."""
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 1000
    print(f"{os.cpu_count()} cores, {count} train tasks a world, drawn and proven\n")
    print(f"{'world':10} {'tools':>5} {'goals':>5} {'1 process':>14} {'2 processes':>14}")
    for name in names("domains"):
        domain = get_domain(name)
        if not domain.goals:
            continue
        rates = [_rate(name, count, workers) for workers in (1, 2)]
        told = "".join(f"{rate:>11.0f} /s" for rate in rates)
        print(f"{name:10} {len(domain.tools):>5} {len(domain.goals):>5} {told}")


def _rate(name: str, count: int, workers: int) -> float:
    started = time.perf_counter()
    drawn = sum(1 for _ in Generator(get_domain(name), seed=1).tasks(count, workers=workers))
    return drawn / (time.perf_counter() - started)


if __name__ == "__main__":
    main()
