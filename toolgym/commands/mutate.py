"""Break correct runs in one place each, and show how many the verifier and the clean pass notice.

Exits with 1 when the clean pass notices fewer than 95 of 100.

toolgym mutate retail                        eight kinds of mutants of 50 runs
toolgym mutate all --out runs/mutation       every installed world with tasks; mutation.json with the survivors
"""

from __future__ import annotations

import argparse
from pathlib import Path

from rich.console import Console

from toolgym.judge.evaluation.run_folder import write_json
from toolgym.judge.mutation.score import MEANING, Mutation, mutation_score, mutation_table
from toolgym.judge.redteam.arena import drawn_tasks
from toolgym.sandbox.kit.domain import Domain
from toolgym.sandbox.kit.errors import BadInput
from toolgym.sandbox.runtime import registry
from toolgym.sandbox.runtime.progress import Progress
from toolgym.sandbox.runtime.registry import get_domain
from toolgym.sandbox.runtime.terminal import SafeConsole

TASKS = 50


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Flags of `toolgym mutate`."""
    parser.add_argument("domain", help="name of an installed domain, or all")
    parser.add_argument("--tasks", type=int, default=TASKS, metavar="N", help=f"tasks to play (default: {TASKS})")
    parser.add_argument("--split", default=None, help="play a published split instead of tasks drawn for this")
    parser.add_argument("--seed", type=int, default=0, metavar="N", help="decides tasks and mutants (default: 0)")
    parser.add_argument("--out", type=Path, default=None, metavar="DIR", help="write mutation.json")


def run(arguments: argparse.Namespace) -> int:
    """Entry of `toolgym mutate`."""
    if arguments.tasks < 2:
        raise BadInput(f"--tasks takes 2 or more, since further changes come from other tasks; got {arguments.tasks}.")
    if arguments.domain == "all":
        domains = [domain for domain in map(get_domain, sorted(registry.names("domains"))) if _has_tasks(domain)]
    else:
        domains = [get_domain(arguments.domain)]
    console = SafeConsole()
    found = []
    for domain in domains:
        found.append(_score(domain, arguments, console))
        console.print(mutation_table(found[-1]))
        console.print()
    console.print(MEANING, style="dim", highlight=False)
    if arguments.out is not None:
        arguments.out.mkdir(parents=True, exist_ok=True)
        write_json(arguments.out / "mutation.json", [each.to_json() for each in found])
        console.print(f"Saved in {arguments.out}.", highlight=False)
    return 0 if all(each.holds() for each in found) else 1


def _has_tasks(domain: Domain) -> bool:
    return bool(domain.goals or domain.open_data().splits)


def _score(domain: Domain, arguments: argparse.Namespace, console: Console) -> Mutation:
    tasks = drawn_tasks(domain, arguments.tasks, arguments.seed, arguments.split)
    with Progress(console, f"mutating {domain.name}", len(tasks)) as bar:
        return mutation_score(domain, tasks, arguments.seed, bar.advance)
