"""Any MCP server as a world, for `toolgym eval --mcp COMMAND` and `toolgym tasks generate --mcp COMMAND`."""

from __future__ import annotations

import argparse
import asyncio
import shlex
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.table import Table

from toolgym.commands.graph import plan
from toolgym.judge.evaluation.budget import Budget
from toolgym.judge.evaluation.cost_estimate import estimate
from toolgym.judge.evaluation.foreign import play, summary
from toolgym.judge.evaluation.run_folder import write_json, write_lines
from toolgym.judge.evaluation.settings import EvalSettings
from toolgym.sandbox.kit.errors import BadInput, writing
from toolgym.sandbox.kit.task import Task, read_tasks, write_tasks
from toolgym.sandbox.remote.foreign import WORLD, ForeignWorld
from toolgym.sandbox.remote.mcp_bench import MCPBench
from toolgym.sandbox.runtime.progress import Progress
from toolgym.sandbox.runtime.roles import Agent, make_agent
from toolgym.sandbox.runtime.settings import resolve
from toolgym.sandbox.runtime.terminal import SafeConsole
from toolgym.sandbox.runtime.trajectory import Trajectory
from toolgym.sandbox.synthesis.graph.chains import ChainWriter, Recorder, proven, task_of
from toolgym.sandbox.synthesis.graph.measuring import measure

COUNT = 10
_RECORDS = "trajectories.jsonl"
_WITH_A_USER = ("demonstrator", "reckless", "rules")
_AGAIN = "Calls that succeed are then made again, a few times each and in fresh processes, to prove the tasks.\n"
_TRIED = 5
"""Chains that are tried for each task that is asked for; each is played a few times."""


def generate(arguments: argparse.Namespace) -> int:
    """Draw tasks and write them."""
    if arguments.domain is not None or arguments.action != "generate":
        raise BadInput('--mcp is a world of its own: toolgym tasks generate --mcp "COMMAND" --out FILE')
    console, out = SafeConsole(), arguments.out or Path(f"{WORLD}-{arguments.seed}.jsonl")
    if not out.parent.is_dir():
        raise BadInput(f"There is no folder {out.parent} for {out.name}; make it first.")
    count = COUNT if arguments.count is None else arguments.count
    if count < 1:
        raise BadInput(f"--count must be at least 1; got {count}.")
    command = _command(arguments)
    world = ForeignWorld(command, allow_writes=arguments.allow_writes)
    tasks = drawn(console, world, arguments, count, arguments.seed)
    write_tasks(out, tasks)
    writes = " --allow-writes" if arguments.allow_writes else ""
    use = f"toolgym eval --mcp {shlex.quote(arguments.mcp)} --data own:{out}{writes}"
    console.print(f"Wrote {len(tasks)} tasks to {out}. Use them: {use}", highlight=False, soft_wrap=True)
    return 0


def evaluate(arguments: argparse.Namespace) -> int:
    """Play an agent, and beside it one that does nothing."""
    if arguments.env is not None:
        raise BadInput(f"--mcp is a world of its own; leave {arguments.env!r} out.")
    command, arguments.env, arguments.solo = _command(arguments), WORLD, True
    settings, console = resolve(EvalSettings, arguments), SafeConsole()
    if settings.agent in _WITH_A_USER:
        raise BadInput(
            f"The agent {settings.agent!r} plays only worlds of ours; take --agent llm, oracle, inert or random."
        )
    agent, _ = settings.make_players()
    folder = settings.out or Path("runs") / f"{WORLD}-{settings.agent}"
    if (folder / _RECORDS).exists():
        raise BadInput(f"{folder} holds a run already; name another folder: --out FOLDER.")
    world = ForeignWorld(command, allow_writes=arguments.allow_writes)
    tasks = _tasks(console, world, settings, arguments)
    name = settings.player_names()[0]
    expected = estimate(settings, [(task, trial) for task in tasks for trial in range(settings.trials)], world.domain)
    budget = Budget(settings, expected)
    if expected is not None:
        console.print(expected.sentence(), highlight=False, soft_wrap=True)
    with writing(folder):
        folder.mkdir(parents=True, exist_ok=True)
    write_tasks(folder / "tasks.jsonl", tasks)

    def keep(trajectory: Trajectory) -> None:  # as it ends, so that a run that is killed keeps what it played
        with writing(folder / _RECORDS), (folder / _RECORDS).open("a", encoding="utf-8", newline="\n") as file:
            file.write(trajectory.to_line() + "\n")

    records = _played(console, world, tasks, settings, agent, name, budget, keep)
    stopped = budget.stopped(len(records), len(tasks) * settings.trials, "name another folder with --out")
    write_lines(folder / _RECORDS, (record.to_line() for record in records))  # in the tasks' order
    writes = frozenset(tool.name for tool in world.tools.values() if tool.kind == "write")
    found = {name: summary(records, writes)}
    if settings.agent != "inert":
        idle = _played(console, world, tasks, settings, make_agent("inert"), "inert", Budget(), lambda _: None)
        found["inert"] = summary(idle, writes)
    saved = {"command": arguments.mcp, "tasks": len(tasks), "agents": found}
    write_json(folder / "summary.json", saved | ({"stopped": stopped} if stopped else {}))
    _tell(console, found, folder)
    if stopped is not None:
        console.print(stopped["sentence"], highlight=False, soft_wrap=True)
        return 1
    return 0 if found[name]["success"] is not None else 1


def drawn(console: Console, world: ForeignWorld, arguments: argparse.Namespace, count: int, seed: int) -> list[Task]:
    """Tasks by the server's measured graph, each proven in processes of its own, after saying what will be called.

    Raises:
        BadInput: no chain could be proven.
    """
    with MCPBench(world.command, max_calls=arguments.max_calls, allow_writes=arguments.allow_writes) as bench:
        for line in plan(bench, arguments.max_calls):
            console.print(line, highlight=False, markup=False, soft_wrap=True)
        console.print(_AGAIN, highlight=False, markup=False, soft_wrap=True)
        recorder = Recorder(bench)
        graph = measure(WORLD, recorder, seed)
    writes = frozenset(card.name for card in bench.cards if card.kind == "write")
    tasks: list[Task] = []
    with Progress(console, "proving", count) as bar:
        for chain in ChainWriter(graph, recorder.seen, seed).chains()[: _TRIED * count]:
            answer = proven(chain, world.session, writes, seed)
            if answer is None:
                continue
            tasks.append(task_of(chain, answer, world=WORLD, number=len(tasks), seed=seed))
            bar.advance()
            if len(tasks) == count:
                break
    if not tasks:
        raise BadInput(
            "No call of this server could be relied on twice, so there is no task: try another --seed, more "
            "--max-calls, or --allow-writes."
        )
    return tasks


def _command(arguments: argparse.Namespace) -> list[str]:
    command = shlex.split(arguments.mcp)
    if not command or arguments.max_calls < 1:
        raise BadInput("--mcp takes a command such as 'npx some-server', --max-calls at least 1.")
    return command


def _tasks(console: Console, world: ForeignWorld, settings: EvalSettings, arguments: argparse.Namespace) -> list[Task]:
    """The tasks of a file, or new ones."""
    number = int(settings.tasks[0]) if len(settings.tasks) == 1 and settings.tasks[0].isdecimal() else None
    kind, _, path = settings.data.partition(":")
    if not path:
        return drawn(console, world, arguments, number or COUNT, settings.seed)
    tasks = read_tasks(Path(path)) if kind == "own" else []
    if not tasks or any(task.domain != WORLD or task.answer is None or not task.gold for task in tasks):
        raise BadInput(f"{settings.data} holds no tasks of an MCP server; `toolgym tasks generate --mcp` writes them.")
    lacking = {call.name for task in tasks for call in task.gold} - set(world.tools)
    if lacking:
        raise BadInput(
            f"The tasks call {', '.join(sorted(lacking))}, which this server does not offer, or only with "
            "--allow-writes."
        )
    chosen = set(settings.tasks)
    return tasks[:number] if number or not chosen else [task for task in tasks if task.id in chosen]


def _played(
    console: Console,
    world: ForeignWorld,
    tasks: Sequence[Task],
    settings: EvalSettings,
    agent: Agent,
    name: str,
    budget: Budget,
    keep: Callable[[Trajectory], None],
) -> list[Trajectory]:
    def kept(trajectory: Trajectory) -> None:
        keep(trajectory)
        bar.advance()

    with Progress(console, name, len(tasks) * settings.trials) as bar:
        playing = play(
            world,
            tasks,
            agent,
            name,
            trials=settings.trials,
            seed=settings.seed,
            max_turns=settings.max_turns,
            budget=budget,
            keep=kept,
        )
        return asyncio.run(playing)


def _tell(console: Console, found: dict[str, dict[str, Any]], folder: Path) -> None:
    table = Table("agent", "episodes", "passed", "success", "infrastructure failures", box=None, pad_edge=False)
    for name, row in found.items():
        success = "-" if row["success"] is None else f"{row['success']:.3f}"
        broken = sum(row["infrastructure_failures"].values())
        table.add_row(name, str(row["episodes"]), str(row["passed"]), success, str(broken))
    console.print(table)
    for row in found.values():
        for sentence in row["infrastructure_failures"]:
            console.print(sentence, highlight=False, markup=False, soft_wrap=True)
    console.print(f"Saved in {folder}.", highlight=False, soft_wrap=True)
