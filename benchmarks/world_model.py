"""What the packaged small model reaches on the first test tasks of version 2, world by world, served on this machine.

    python benchmarks/world_model.py                          # 20 tasks of every world; goes on where it stopped
    python benchmarks/world_model.py --worlds banking --write # and puts what came out into docs/world_figures.toml

The model is SmolLM2 of 135 million parameters (`toolgym local-model`). Its chat template has no place for tools, so it
reads them as text and each step is bound to their schema. The policy and the tools, up to 6,000 tokens,
are read once for all of a world's tasks. It needs a quiet machine: busy cores take ten times as long.
"""

import argparse
import re
import time
from pathlib import Path

from rich.console import Console
from rich.table import Table
from world_agents import FILE

from toolgym.judge.evaluation.run import run
from toolgym.judge.evaluation.run_folder import RunFolder
from toolgym.judge.evaluation.settings import EvalSettings
from toolgym.judge.scoring.verifier import verify
from toolgym.sandbox.models.local import NAME, serve
from toolgym.sandbox.runtime.registry import get_domain, names

TURNS, TOKENS = 3, 48
"""Agent steps of an episode, tokens of a reply: the model says the same again after a few."""
PATIENCE = 1800.0
"""Seconds for a request: the first one of a world reads up to 6,000 tokens."""


def play(world: str, url: str, count: int, folder: Path) -> dict[str, float]:
    """The figures of one world: tasks played and passed, calls made, tokens written and seconds for a task."""
    asked = {
        "env": world,
        "data": "v2",
        "agent": "llm",
        "agent_model": NAME,
        "agent_base_url": url,
        "agent_options": {"format": "openai", "schema": True},
        "tasks": [str(count)],
        "concurrency": 1,
        "model_timeout": PATIENCE,
        "max_turns": TURNS,
        "max_tokens": TOKENS,
    }
    settings = EvalSettings.model_validate(asked)
    began = time.perf_counter()

    def said(done: int, of: int) -> None:
        print(f"{world}: {done} of {of} after {time.perf_counter() - began:.0f} s", flush=True)

    played = run(settings, RunFolder(folder / world), said).trajectories
    calls = [record for each in played for record in each.calls if record.by == "agent"]
    used = [usage for each in played for usage in each.usage]
    return {
        "tasks": len(played),
        "passed": sum(verify(each).passed() for each in played),
        "calls": len(calls),
        "calls_that_fit": sum(record.error is None for record in calls),
        "tokens_written": round(sum(usage.completion_tokens for usage in used) / len(played)),
        "seconds": round(sum(each.timing.total for each in played) / len(played)),
    }


def put(text: str, world: str, found: dict[str, float]) -> str:
    """The file with a world's table of these figures, at its end."""
    kept = re.sub(rf"\n\[{world}\.model\]\n(?:\w.*\n)*", "", text)
    return f"{kept}\n[{world}.model]\n" + "".join(f"{name} = {value}\n" for name, value in found.items())


def main() -> None:
    """Entry."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    worlds = [name for name in names("domains") if get_domain(name).goals]
    parser.add_argument("--worlds", nargs="+", default=worlds, choices=worlds, metavar="WORLD")
    parser.add_argument("--tasks", type=int, default=20, help="of each world (default: 20)")
    parser.add_argument("--out", type=Path, default=Path("runs/world-model"), help="where the runs are kept")
    parser.add_argument("--write", action="store_true", help="put what came out into the file")
    given = parser.parse_args()
    table = Table("world", "tasks", "passed", "calls", "that fit", "tokens written a task", "seconds a task")
    with serve(slots=1, threads=1) as url:
        for world in given.worlds:
            found = play(world, url, given.tasks, given.out)
            table.add_row(world, *(f"{value:g}" for value in found.values()))
            if given.write:
                FILE.write_text(put(FILE.read_text(encoding="utf-8"), world, found), encoding="utf-8")
    Console(width=120).print(table)


if __name__ == "__main__":
    main()
