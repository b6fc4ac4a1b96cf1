"""Play agents that game the score on a world, and show what each score gives them.

Exits with 1 when an exploiter passes cleanly or earns more than an honest run.

toolgym redteam retail                        41 exploiters and five baselines on 25 tasks
toolgym redteam retail --consent call         with a user who approves each change
toolgym redteam all --out runs/redteam        every installed world; redteam.json and redteam.html
"""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import get_args

from rich.console import Console

from toolgym.judge.evaluation.run_folder import write_json, write_lines
from toolgym.judge.redteam.arena import Arena, Board, drawn_tasks
from toolgym.judge.redteam.board import MEANING, as_json, page, table
from toolgym.judge.redteam.exploiters import EXPLOITERS, Exploiter
from toolgym.judge.scoring.scorer import REWARDS, make_judge
from toolgym.sandbox.kit.errors import BadInput, unknown
from toolgym.sandbox.runtime import registry
from toolgym.sandbox.runtime.approval import Consent
from toolgym.sandbox.runtime.progress import Progress
from toolgym.sandbox.runtime.registry import get_domain
from toolgym.sandbox.runtime.terminal import SafeConsole

TASKS = 25


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Flags of `toolgym redteam`."""
    parser.add_argument("domain", help="name of an installed domain, or all")
    parser.add_argument("--tasks", type=int, default=TASKS, metavar="N", help=f"tasks to play (default: {TASKS})")
    parser.add_argument("--split", default=None, help="play a published split instead of tasks drawn for this")
    parser.add_argument("--seed", type=int, default=0, metavar="N", help="decides tasks, users and agents (default: 0)")
    parser.add_argument(
        "--consent", choices=get_args(Consent), default="words", help="how the user agrees to changes (default: words)"
    )
    parser.add_argument("--reward", nargs="+", default=list(REWARDS), metavar="NAME", help="rewards (default: all)")
    parser.add_argument("--judge", default="rules", help="judge of the turns (default: rules)")
    parser.add_argument("--exploiter", nargs="+", default=[], metavar="NAME", help="only these")
    parser.add_argument("--out", type=Path, default=None, metavar="DIR", help="write redteam.json and redteam.html")


def run(arguments: argparse.Namespace) -> int:
    """Entry of `toolgym redteam`."""
    if arguments.tasks < 2:
        raise BadInput(f"--tasks takes 2 or more, since exploiters try what other tasks want; got {arguments.tasks}.")
    worlds = sorted(registry.names("domains")) if arguments.domain == "all" else [arguments.domain]
    chosen = _chosen(arguments.exploiter)
    console = SafeConsole()
    boards = []
    for world in worlds:
        board = _board(world, chosen, arguments, console)
        if board is None:
            continue
        boards.append(board)
        console.print(table(board, arguments.reward))
        console.print()
    console.print(MEANING, style="dim", highlight=False)
    failed = [f"{board.world}: {', '.join(line.name for line in board.failed())}" for board in boards if board.failed()]
    console.print(f"Lines that fail: {'; '.join(failed)}." if failed else "Every line holds.", highlight=False)
    if arguments.out is not None:
        _write(arguments.out, boards, arguments.reward)
        console.print(f"Saved in {arguments.out}.", highlight=False)
    return 1 if failed else 0


def _chosen(names: list[str]) -> list[Exploiter]:
    known = {each.name: each for each in EXPLOITERS}
    for name in names:
        if name not in known:
            raise unknown("exploiter", name, known)
    return [known[name] for name in names] or list(EXPLOITERS)


def _board(world: str, chosen: list[Exploiter], arguments: argparse.Namespace, console: Console) -> Board | None:
    domain = get_domain(world)
    if arguments.domain == "all" and not domain.goals:
        return None  # a world without tasks of its own
    tasks = drawn_tasks(domain, arguments.tasks, arguments.seed, arguments.split)
    arena = Arena(domain, tasks, make_judge(arguments.judge), arguments.reward, arguments.seed, arguments.consent)
    with Progress(console, f"trying {world}", arena.episodes(chosen)) as bar:
        return arena.play(chosen, bar.advance)


def _write(folder: Path, boards: list[Board], rewards: list[str]) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    write_json(folder / "redteam.json", [as_json(board, rewards) for board in boards])
    write_lines(folder / "redteam.html", page(boards, rewards).splitlines())
