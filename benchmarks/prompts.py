"""How long each recipe's prompts are in every world, and whether they fit what the recipe allows.

    python benchmarks/prompts.py --model FOLDER                       # counted by that model's tokenizer
    python benchmarks/prompts.py --depthbench CHECKOUT --toolrl FILE  # the authors' own data beside ours

Without a model lengths are estimated at four characters a token. Counted is what stands before the model's first token:
policy and tools, the request of a program, the history of a step; not what the user of a conversation says first.
"""

import argparse
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.table import Table

from toolgym.sandbox.kit.task import Task
from toolgym.sandbox.runtime import registry
from toolgym.sandbox.runtime.registry import get_domain
from toolgym.sandbox.synthesis.generator import Cell, Generator
from toolgym.training import recipe
from toolgym.training.data.demonstrations import played
from toolgym.training.data.prompts import CHARS, longest, tokenizer_of
from toolgym.training.data.released_steps import released_rows
from toolgym.training.data.rows import Row, dialogue_rows
from toolgym.training.data.steps import step_rows
from toolgym.training.settings import TrainSettings


def drawn(world: str, count: int, *, programs: bool) -> list[Task]:
    """Tasks of a world: stored ones where there are, else drawn ones."""
    domain = get_domain(world)
    if programs:
        cell = Cell(interaction="program")
        return list(Generator(domain, seed=1, cell=cell).tasks(count)) if domain.goals else []
    if "train" in domain.open_data().splits:
        return list(domain.tasks("train", "own")[:count])
    return list(Generator(domain, seed=1).tasks(count))


def rows_of(settings: TrainSettings, world: str, count: int) -> list[Row]:
    """The first rows of a recipe in a world."""
    kind = settings.mix[0]
    tasks = drawn(world, count, programs=kind == "program")
    if kind == "step":
        return step_rows(played(tasks), settings.format)
    return dialogue_rows(kind, tasks, settings.format)


def recipes() -> Iterator[tuple[str, TrainSettings]]:
    """Every recipe, with the variants that write calls otherwise."""
    for name in recipe.names():
        for variant in ("json", "xml", "direct") if name == "tier" else ("",):  # how calls are written
            yield f"{name} {variant}".strip(), recipe.setup(name, [f"variant={variant}"] if variant else []).settings


def authors(given: argparse.Namespace, settings: TrainSettings, name: str) -> tuple[str, Sequence[Row]] | None:
    """The rows that the paper's authors train on, where they were named."""
    if name.startswith("tier") and given.depthbench is not None:
        domain = get_domain(f"depthbench:{given.depthbench.resolve()}")
        tasks = [task for split in ("train", "validation") for task in domain.tasks(split, domain.name)]
        return "DepthBench", dialogue_rows("program", tasks, settings.format)
    if name == "toolrl" and given.toolrl is not None:
        return "ToolRL's steps", released_rows(given.toolrl)
    return None


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--model", help="folder of a Hugging Face model, or a cached one's name")
    parser.add_argument("--worlds", nargs="+", default=registry.names("domains"))
    parser.add_argument("--count", type=int, default=40, help="tasks of each world")
    parser.add_argument("--depthbench", type=Path, help="a checkout of TIER's repository")
    parser.add_argument("--toolrl", type=Path, help="ToolRL's rlla_rl.json or train.parquet")
    given = parser.parse_args()
    tokenizer: Any = tokenizer_of(given.model) if given.model else None
    how = f"by {given.model}" if tokenizer else f"estimated, {CHARS:g} characters a token"
    shown = Table("recipe", "allowed", *given.worlds, "the authors' data", title=f"tokens of the longest prompt, {how}")
    for name, settings in recipes():
        cells = []
        for world in given.worlds:
            rows = rows_of(settings, world, given.count)
            cells.append(_cell(rows, tokenizer, settings.prompt_tokens))
        own = authors(given, settings, name)
        cells.append("-" if own is None else f"{own[0]}: {_cell(own[1], tokenizer, settings.prompt_tokens)}")
        shown.add_row(name, f"{settings.prompt_tokens:,}", *cells)
    Console(width=180).print(shown)


def _cell(rows: Sequence[Row], tokenizer: Any, allowed: int) -> str:
    if not rows:
        return "-"
    tokens = longest(rows, tokenizer).tokens
    return f"{tokens:,}" + (" (!)" if tokens > allowed else "")


if __name__ == "__main__":
    main()
