"""Any MCP server as a world, for `toolgym eval --mcp COMMAND` and `toolgym tasks generate --mcp COMMAND`."""

from __future__ import annotations

import argparse
import asyncio
import shlex
from collections.abc import Callable, Mapping, Sequence
from contextlib import closing
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.table import Table

from toolgym.commands.evaluate import scoring_of
from toolgym.commands.graph import plan
from toolgym.judge import report
from toolgym.judge.evaluation import times
from toolgym.judge.evaluation.budget import Budget
from toolgym.judge.evaluation.cost_estimate import estimate
from toolgym.judge.evaluation.foreign import play, summary
from toolgym.judge.evaluation.judging import JudgeSettings, judge_folder
from toolgym.judge.evaluation.run_folder import RunFolder, write_json
from toolgym.judge.evaluation.settings import EvalSettings
from toolgym.judge.evaluation.summary import judge_all, summarise
from toolgym.sandbox.kit.errors import BadInput
from toolgym.sandbox.kit.message import Json
from toolgym.sandbox.kit.task import Task, read_tasks, write_tasks
from toolgym.sandbox.remote.foreign import ForeignWorld
from toolgym.sandbox.remote.known_values import read_values
from toolgym.sandbox.remote.mcp_bench import MCPBench
from toolgym.sandbox.runtime import foreign_domain
from toolgym.sandbox.runtime.progress import Progress
from toolgym.sandbox.runtime.roles import Agent, make_agent
from toolgym.sandbox.runtime.settings import resolve
from toolgym.sandbox.runtime.terminal import SafeConsole
from toolgym.sandbox.runtime.trajectory import Trajectory
from toolgym.sandbox.synthesis.graph.chains import ChainWriter, Recorder, proven, task_of
from toolgym.sandbox.synthesis.graph.measuring import measure

COUNT = 10
WORLD = "mcp"
_LOOKED_AT = 3
"""Calls of each tool by which is found whether its calls leave anything behind."""
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
    with closing(ForeignWorld(_command(arguments), allow_writes=arguments.allow_writes)) as world:
        tasks = drawn(console, world, arguments, count, arguments.seed)
    write_tasks(out, tasks)
    writes = " --allow-writes" if arguments.allow_writes else ""
    use = f"toolgym eval --mcp {shlex.quote(arguments.mcp)} --data own:{out}{writes}"
    console.print(f"Wrote {len(tasks)} tasks to {out}. Use them: {use}", highlight=False, markup=False, soft_wrap=True)
    return 0


def evaluate(arguments: argparse.Namespace) -> int:
    """Play an agent, and beside it one that does nothing."""
    if arguments.env is not None:
        raise BadInput(f"--mcp is a world of its own; leave {arguments.env!r} out.")
    command, arguments.env, arguments.solo = _command(arguments), WORLD, True
    settings = resolve(EvalSettings, arguments)
    if settings.agent in _WITH_A_USER:
        raise BadInput(
            f"The agent {settings.agent!r} plays only worlds of ours; take --agent llm, oracle, inert or random."
        )
    settings.make_players()
    folder = RunFolder(settings.out or Path("runs") / f"{WORLD}-{settings.agent}")
    if folder.trajectories_file.exists() or folder.settings_file.exists():
        raise BadInput(f"{folder.path} holds a run already; name another folder: --out FOLDER.")
    scoring = scoring_of(settings, folder)
    scoring.make_judge()  # a judge that cannot work is said before anything is played
    with closing(ForeignWorld(command, allow_writes=arguments.allow_writes)) as world:
        return _evaluated(SafeConsole(), world, settings, scoring, folder, arguments)


def _evaluated(
    console: Console,
    world: ForeignWorld,
    settings: EvalSettings,
    scoring: JudgeSettings,
    folder: RunFolder,
    arguments: argparse.Namespace,
) -> int:
    tasks = _tasks(console, world, settings, arguments)
    wanted = [(task, trial) for task in tasks for trial in range(settings.trials)]
    expected = estimate(settings, wanted, world.domain)
    budget = Budget(settings, expected)
    if expected is not None:
        console.print(expected.sentence(), highlight=False, soft_wrap=True)
    settings = settings.model_copy(update={"env": world.domain.name})
    kept = settings.identity() | {"mcp": arguments.mcp, "allow_writes": arguments.allow_writes}
    folder.open(kept, settings.circumstances(), {(task.id, trial) for task, trial in wanted})
    foreign_domain.keep(folder.path, [world.domain])
    write_tasks(folder.path / "tasks.jsonl", tasks)
    times.begin(folder.path)
    name = settings.player_names()[0]
    agent, _ = settings.make_players()
    _play(console, world, tasks, settings, agent, name, budget, folder.add)
    order = {task.id: number for number, task in enumerate(tasks)}
    records = folder.sort(lambda key: (order[key[0]], key[1])) if folder.trajectories_file.exists() else []
    failures = folder.failures()
    found, idle = {name: summary([*records, *failures])}, list[Trajectory]()
    if settings.agent != "inert":
        once = settings.model_copy(update={"trials": 1})
        _play(console, world, tasks, once, make_agent("inert"), "inert", Budget(), idle.append)
        found["inert"] = summary(idle)
    judged = judge_all(records)
    floors = {"inert": judge_all([each for each in idle if each.fault is None])} if idle else {}
    saved = summarise(judged, failures, basis=settings.basis, floors=floors, settings=folder.settings())
    stopped = budget.stopped(len(records) + len(failures), len(wanted), "name another folder with --out")
    saved |= {"command": arguments.mcp, "agents": found} | ({"stopped": stopped} if stopped else {})
    write_json(folder.summary_file, saved)
    if records:
        judge_folder(folder, scoring, console)
        report.write([folder], folder.report_file)
    times.end(folder.path)
    _tell(console, found, folder.path)
    if stopped is not None:
        console.print(stopped["sentence"], highlight=False, soft_wrap=True)
        return 1
    return 0 if found[name]["success"] is not None else 1


def drawn(console: Console, world: ForeignWorld, arguments: argparse.Namespace, count: int, seed: int) -> list[Task]:
    """Tasks by the server's measured graph, each proven in processes of its own, after saying what will be called.

    Raises:
        BadInput: no chain could be proven.
    """
    values, writing = read_values(arguments.mcp_value), arguments.allow_writes
    command = world.processes.command
    with MCPBench(command, max_calls=arguments.max_calls, allow_writes=writing, values=values) as bench:
        for line in plan(bench, arguments.max_calls):
            console.print(line, highlight=False, markup=False, soft_wrap=True)
        console.print(_AGAIN, highlight=False, markup=False, soft_wrap=True)
        recorder = Recorder(bench)
        graph = measure(WORLD, recorder, seed)
    writes = frozenset(card.name for card in bench.cards if card.kind == "write")
    _find_lasting(world, [(each.tool, each.arguments) for each in recorder.seen if not each.before])
    tasks: list[Task] = []
    with Progress(console, "proving", count) as bar:
        for chain in ChainWriter(graph, recorder.seen, seed).chains()[: _TRIED * count]:
            answer = proven(chain, world.session, writes, seed)
            if answer is None:
                continue
            task = task_of(chain, answer, world=WORLD, number=len(tasks), seed=seed)
            tasks.append(task.model_copy(update={"domain": world.domain.name}))
            bar.advance()
            if len(tasks) == count:
                break
    if not tasks:
        raise BadInput(
            "No call of this server could be relied on twice, so there is no task. `toolgym graph --mcp` shows what it "
            "refuses; try --mcp-value for what nobody could guess, another --seed, more --max-calls, or --allow-writes."
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
    if not tasks or any(not task.domain.startswith(WORLD) or task.answer is None or not task.gold for task in tasks):
        raise BadInput(f"{settings.data} holds no tasks of an MCP server; `toolgym tasks generate --mcp` writes them.")
    lacking = {call.name for task in tasks for call in task.gold} - set(world.tools)
    if lacking:
        raise BadInput(
            f"The tasks call {', '.join(sorted(lacking))}, which this server does not offer, or only with "
            "--allow-writes."
        )
    chosen = set(settings.tasks)
    tasks = tasks[:number] if number or not chosen else [task for task in tasks if task.id in chosen]
    _find_lasting(world, [(call.name, call.arguments) for task in tasks for call in task.gold])  # type: ignore[misc]  # an object
    return [task.model_copy(update={"domain": world.domain.name}) for task in tasks]


def _find_lasting(world: ForeignWorld, calls: Sequence[tuple[str, Mapping[str, Json]]]) -> None:
    """Measure whose calls leave nothing behind, on a few of each tool that says that it only reads."""
    found: dict[str, list[tuple[str, Mapping[str, Json]]]] = {}
    for name, arguments in calls:
        tool, call = world.tools[name], (world.tools[name].own_name, arguments)
        if tool.kind == "read" and call not in (made := found.setdefault(name, [])) and len(made) < _LOOKED_AT:
            made.append(call)
    world.processes.measure([call for made in found.values() for call in made])


def _play(
    console: Console,
    world: ForeignWorld,
    tasks: Sequence[Task],
    settings: EvalSettings,
    agent: Agent,
    name: str,
    budget: Budget,
    keep: Callable[[Trajectory], None],
) -> None:
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
        asyncio.run(playing)


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
