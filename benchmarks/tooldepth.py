"""Draws the tasks of ToolDepth, and says which cells there are: by split, world, depth and structure.

    python benchmarks/tooldepth.py --workers 2            # writes judge/evaluation/depth/splits/v2
    python benchmarks/tooldepth.py --out /tmp/elsewhere   # to compare: the same bytes

What agents reach on them is `toolgym eval ToolDepth`.
"""

import argparse
import time
from itertools import combinations
from pathlib import Path

from rich.console import Console
from rich.table import Table

from toolgym.judge.evaluation.depth.benchmark import FOLDER, VERSION
from toolgym.judge.evaluation.depth.drawing import DEEPER, DEPTHS, SHAPES, Cells, draw
from toolgym.sandbox.kit.task import write_tasks

WORLDS = {
    "train": ("airline", "banking", "budget", "retail", "shopping", "trading"),
    "validation": ("calendar", "email", "filesystem", "marketplace", "payments", "retail_chain", "telecom"),
}
"""No tool of a validation task is in a training task, by name either; further worlds are another version."""


def halves(cells: Cells) -> int:
    """The greatest depth that both of two halves of a world's tools keep, which have no tool in common."""
    every = [
        (task.depth, {call.name for call in task.gold}) for tasks in cells.values() for task in tasks if task.depth
    ]
    pairs = (min(deep, other) for (deep, one), (other, two) in combinations(every, 2) if not one & two)
    return max(pairs, default=0)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--workers", type=int, default=2, help="processes")
    parser.add_argument("--out", type=Path, default=FOLDER / f"v{VERSION}", help="folder of the splits")
    given = parser.parse_args()
    console, started = Console(width=180), time.perf_counter()
    columns = [(depth, shape) for depth in DEPTHS for shape in SHAPES.get(depth, DEEPER)]

    def told(split: str, world: str, cells: Cells) -> None:
        table = Table("depth", *sorted({shape for _, shape in columns}), title=f"{split}: {world}")
        for depth in DEPTHS:
            counts = {
                shape: str(len(cells[depth, shape])) for of, shape in columns if (of, shape) in cells and of == depth
            }
            table.add_row(str(depth), *(counts.get(shape, "") for shape in sorted({shape for _, shape in columns})))
        console.print(table)
        console.print(f"two halves of its tools without a common one keep depth {halves(cells)}")

    given.out.mkdir(parents=True, exist_ok=True)
    for split, tasks in draw(WORLDS, given.workers, told).items():
        path = given.out / f"{split}.jsonl.gz"
        write_tasks(path, tasks)
        console.print(f"{path}: {len(tasks)} tasks, {path.stat().st_size / 1e3:.0f} kB")
    console.print(f"{time.perf_counter() - started:.0f} s")


if __name__ == "__main__":
    main()
