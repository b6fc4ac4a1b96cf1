"""List, show, lint and generate tasks.

toolgym tasks list retail --family cancel      what there is
toolgym tasks show retail retail-test-0-0003   one task with its gold calls
toolgym tasks lint retail                      prove every task sound; exit status 1 when one is not
toolgym tasks stats retail --split test         what a split holds
toolgym tasks generate retail --count 500 --seed 7 --out more.jsonl
                                               more of them; read with --data own:more.jsonl
toolgym tasks generate --mcp "npx some-server"  chains of another MCP server's calls (docs/mcp-worlds.md)
"""

from __future__ import annotations

import argparse
import json
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import get_args

from rich.console import Console
from rich.markup import escape
from rich.table import Table

from toolgym.commands import mcp_flags
from toolgym.judge.evaluation.depth.benchmark import NAME, SPLITS, depths_of, is_tooldepth, stored
from toolgym.sandbox.kit.domain import Domain
from toolgym.sandbox.kit.errors import BadInput, unknown
from toolgym.sandbox.kit.message import ToolCall
from toolgym.sandbox.kit.task import Goal, Interaction, Task, write_tasks
from toolgym.sandbox.runtime.progress import Progress
from toolgym.sandbox.runtime.registry import data_of, domain_of, get_domain
from toolgym.sandbox.runtime.terminal import SafeConsole
from toolgym.sandbox.synthesis.generator import INFORMATION, Cell, Engine, Generator
from toolgym.sandbox.synthesis.knobs import Knobs
from toolgym.sandbox.synthesis.mixture import MIXTURES, family_named
from toolgym.sandbox.synthesis.program import program_of
from toolgym.sandbox.synthesis.proof.lint import Report, lint
from toolgym.sandbox.synthesis.statistics import Statistics, statistics
from toolgym.sandbox.synthesis.strata import DEPTHS, EACH, by_depth
from toolgym.sandbox.synthesis.strata import SPLIT as DEPTH
from toolgym.sandbox.synthesis.teacher import Teacher

SUMMARY = "List, show, lint and generate tasks"
KNOBS = vars(Knobs())
HELP = {
    "distractors": "generate: share of tasks with 3 to 8 live tools of other worlds",
    "strip_enums": "generate: share whose schemas list no values of a choice",
    "irrelevant": "generate: share that asks for what no tool does",
    "hidden_tools": "generate: share whose needed tool is not offered",
    "changes": "generate: share that asks for two or three changes, one after another",
}
INTERACTIONS = get_args(Interaction)
STRUCTURES = ("single", "chain", "funnel", "parallel", "mixed")
DIFFICULTIES = ("simple", "standard", "hard")
COUNT = 100
SHOWN_PROBLEMS = 50


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Flags of `toolgym tasks`."""
    parser.add_argument("action", choices=("list", "show", "lint", "stats", "generate"), help="what to do")
    parser.add_argument("domain", nargs="?", help="domain such as retail, or environment id such as ToolRetail-v1")
    parser.add_argument("task", nargs="?", default=None, help="task id, for show")
    parser.add_argument(
        "--data", default=None, help="body of data: own, v2, own:FILE.jsonl, tau2 (default: the newest; generate: own)"
    )
    parser.add_argument("--split", default=None, help="list and lint: one split (default: all); generate: train")
    parser.add_argument("--family", default=None, help="tasks of this family only")
    parser.add_argument("--difficulty", default=None, help="list and lint: simple, standard or hard tasks only")
    parser.add_argument(
        "--count", type=int, metavar="N", help="generate: how many (default: 100; with --split depth 20 of each depth)"
    )
    parser.add_argument("--seed", type=int, default=1, metavar="N", help="generate: decides which (default: 1)")
    parser.add_argument("--depth", default=None, metavar="A..B", help="generate: so many of each depth, such as 1..4")
    parser.add_argument("--structure", choices=STRUCTURES, default=None, help="generate: the shape of the needed calls")
    parser.add_argument("--information", choices=INFORMATION, default=None, help="generate: how the user puts it")
    parser.add_argument(
        "--mixture", choices=tuple(MIXTURES), default="2", help="generate: families and shares of this version"
    )
    parser.add_argument(
        "--causes", action="store_true", help="generate: tell what became of the draws of each family, by one process"
    )
    parser.add_argument(
        "--without", action="append", default=[], metavar="FAMILY", help="generate: no tasks of this family; repeatable"
    )
    parser.add_argument("--interaction", choices=INTERACTIONS, default="dialogue", help="generate: with a user")
    for name, share in KNOBS.items():
        flag = f"--{name.replace('_', '-')}"
        parser.add_argument(flag, type=float, default=share, metavar="S", help=f"{HELP[name]} (default: {share})")
    parser.add_argument("--teacher", default=None, metavar="MODEL", help="generate: a model that rewrites the wishes")
    parser.add_argument("--workers", type=int, default=1, metavar="N", help="generate: processes (default: 1)")
    parser.add_argument(
        "--engine", choices=get_args(Engine), default="local", help="generate: ray spreads it, as in eval"
    )
    parser.add_argument("--out", type=Path, default=None, metavar="FILE", help="generate: the JSONL file to write")
    mcp_flags.add_flags(parser)


def run(arguments: argparse.Namespace) -> int:
    """Entry of `toolgym tasks`."""
    if arguments.mcp is not None:
        from toolgym.commands import mcp_world  # the SDK loads slowly

        return mcp_world.generate(arguments)
    console = SafeConsole()
    name = arguments.domain
    if name is None:
        raise BadInput(f"Which world? `toolgym tasks {arguments.action} retail`, or generate --mcp COMMAND.")
    if is_tooldepth(name):
        return _of_tooldepth(console, arguments)
    domain = domain_of(name) if name.startswith("Tool") else get_domain(name)
    draws = arguments.action == "generate"  # into the rows of `own`, for the data own:FILE
    if arguments.action != "show" or name != domain.name:  # an id of a task says itself which data it is of
        arguments.data = data_of(name, arguments.data or ("own" if draws else None))
    if arguments.task is not None and arguments.action != "show":
        raise BadInput(f"`tasks {arguments.action}` takes no task id; `tasks show DOMAIN ID` does.")
    if arguments.action == "show":
        return _show(console, domain.task(_named(arguments), arguments.data))
    if arguments.action == "generate":
        return _generate(console, domain, arguments)
    tasks = selected(domain, arguments.data, arguments.split, arguments.family, arguments.difficulty)
    return _told(console, arguments.action, tasks)


def _told(console: Console, action: str, tasks: Sequence[Task]) -> int:
    if action == "stats":
        return _stats(console, tasks)
    return _lint(console, tasks) if action == "lint" else _list(console, tasks)


def _of_tooldepth(console: Console, arguments: argparse.Namespace) -> int:
    """The same of the benchmark whose tasks are of several worlds, and fixed."""
    if arguments.action == "generate":
        raise BadInput(f"The tasks of {NAME} are fixed; `tasks generate WORLD --interaction program` draws others.")
    tasks = [task for split in (arguments.split,) if split for task in stored(split, arguments.domain)]
    tasks = tasks or [task for split in SPLITS for task in stored(split, arguments.domain)]
    if arguments.action == "show":
        by_id, wanted = {task.id: task for task in tasks}, _named(arguments)
        if wanted not in by_id:
            raise unknown(f"task in {NAME}", wanted, by_id)
        return _show(console, by_id[wanted])
    return _told(console, arguments.action, fitting(tasks, arguments.family, arguments.difficulty))


def _named(arguments: argparse.Namespace) -> str:
    """The task that is to be shown."""
    if arguments.task is None:
        name = arguments.domain
        raise BadInput(f"Which task? `toolgym tasks show {name} ID`; `toolgym tasks list {name}` has ids.")
    return str(arguments.task)


def selected(domain: Domain, data: str, split: str | None, family: str | None, difficulty: str | None) -> list[Task]:
    """The tasks of a body of data that fit; a task that is in several splits once.

    Raises:
        BadInput: no such split, family or difficulty.
    """
    splits = (split,) if split is not None else domain.open_data(data).splits or (domain.usual_split(data),)
    tasks = list({task.id: task for name in splits for task in domain.tasks(name, data)}.values())
    return fitting(tasks, family, difficulty)


def fitting(tasks: Sequence[Task], family: str | None, difficulty: str | None) -> list[Task]:
    """The tasks of a family and a difficulty.

    Raises:
        BadInput: no such family or difficulty.
    """
    if difficulty is not None and difficulty not in DIFFICULTIES:
        raise unknown("difficulty", difficulty, DIFFICULTIES)
    families = {task.family for task in tasks}
    if family is not None and family not in families:
        raise unknown("family", family, families)
    return [task for task in tasks if family in (None, task.family) and difficulty in (None, task.difficulty)]


# --- list ---


def _list(console: Console, tasks: Sequence[Task]) -> int:
    fixed = {"id": 0, "family": 0, "difficulty": 10, "goals": 5, "calls": 5, "depth": 5}
    fixed["id"] = max((len(task.id) for task in tasks), default=2)
    fixed["family"] = max((len(task.family) for task in tasks), default=6)
    table = Table(box=None, pad_edge=False)
    for name, width in fixed.items():
        table.add_column(name, no_wrap=True, width=width, justify="right" if width == 5 else "left")
    rest = console.width - sum(fixed.values()) - 2 * len(fixed)
    table.add_column("the user begins with", no_wrap=True, width=max(rest, 10))
    for task in tasks:
        numbers = (len(task.goals), len(task.gold), task.depth)
        first = task.goals[0].utterance if task.goals else task.scenario
        table.add_row(escape(task.id), task.family, task.difficulty, *map(str, numbers), escape(first))
    console.print(table)
    console.print(f"\n{len(tasks)} {'task' if len(tasks) == 1 else 'tasks'}.", highlight=False)
    return 0


# --- show ---


def _show(console: Console, task: Task) -> int:
    console.rule(escape(f"{task.domain} / {task.id}"))
    kind = f"{task.split} split, {task.family} family, {task.difficulty}; depth {task.depth}, {task.structure}"
    console.print(kind, style="dim", highlight=False)
    console.print(f"\n[bold]Scenario[/]  {escape(task.scenario)}", highlight=False)
    console.print(f"[bold]Persona[/]   {escape(task.persona or '-')}", highlight=False)
    if task.ticket:
        console.print(f"[bold]Ticket[/]    {escape(task.ticket)}", highlight=False)
    sections = {
        "The user knows": [f"{fact.name}: {_json(fact.value)}{_held(fact.on_request)}" for fact in task.facts],
        "Goals": [line for index, goal in enumerate(task.goals, start=1) for line in _goal(goal, f"{index}. ")],
        "Prepared by": [f"{call.name}({call.arguments_text()})" for call in task.setup],
        "Gold calls": [
            f"{'(user) ' if call.by == 'user' else ''}{call.name}({call.arguments_text()})" for call in task.gold
        ],
        "As a program": [
            f"{number}: {call.name}({call.arguments_text()})" for number, call in enumerate(_program(task))
        ],
        "Its answer holds": [_json(value) for value in task.answer.values] if task.answer else [],
        "The agent must say": list(task.communicate),
        "Must hold at the end": [
            f"{'' if a.expected else 'not '}{a.name}({_json(a.arguments)})" for a in task.assertions
        ],
    }
    for title, lines in sections.items():
        if lines:
            console.print(f"\n[bold]{title}[/]")
            for line in lines:
                console.print(f"  {line}", markup=False, highlight=False)
    return 0


def _program(task: Task) -> Sequence[ToolCall]:
    return program_of(task).tool_calls if task.interaction == "program" else ()


def _goal(goal: Goal, label: str) -> Iterator[str]:
    yield f"{label}{goal.kind}, to be {goal.outcome}: {goal.utterance}"
    for fact in goal.facts:
        yield f"     {fact.name}: {_json(fact.value)}{_held(fact.on_request)}"
    for call in goal.calls:
        yield f"     writes {call.name}({call.arguments_text()})"
    if goal.fallback is not None:
        yield from _goal(goal.fallback, "   when that is refused: ")
    if goal.revised_to is not None:
        yield from _goal(goal.revised_to, "   once it is proposed, instead: ")


def _json(value: object) -> str:
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)


def _held(withheld: bool) -> str:
    return "  (when asked)" if withheld else ""


# --- lint ---


def _lint(console: Console, tasks: Sequence[Task]) -> int:
    with Progress(console, "proving", len(tasks)) as bar:
        report = lint(tasks, bar.advance)
    for problem in report.problems[:SHOWN_PROBLEMS]:
        console.print(str(problem), markup=False, highlight=False)
    if len(report.problems) > SHOWN_PROBLEMS:
        console.print(f"... and {len(report.problems) - SHOWN_PROBLEMS} further problems.", highlight=False)
    console.print(summary(report))
    wrong = len({problem.task for problem in report.problems})
    verdict = f"{wrong} of {len(tasks)} tasks are unsound." if wrong else f"All {len(tasks)} tasks are sound."
    console.print(f"\n{verdict} An agent that looks nothing up passes {len(report.idle)} of them.", highlight=False)
    return 1 if report.problems else 0


def summary(report: Report) -> Table:
    """Tasks by family and difficulty."""
    table = Table("family", *DIFFICULTIES, "all", "that write", box=None, pad_edge=False)
    for column in table.columns[1:]:
        column.justify = "right"
    for family in sorted({family for family, _ in report.counts}):
        counts = [report.counts[family, difficulty] for difficulty in DIFFICULTIES]
        table.add_row(family or "-", *map(str, counts), str(sum(counts)), str(report.writes[family]))
    totals = [sum(n for (_, d), n in report.counts.items() if d == difficulty) for difficulty in DIFFICULTIES]
    table.add_row("all", *map(str, totals), str(sum(totals)), str(sum(report.writes.values())), style="bold")
    return table


# --- stats ---


def _stats(console: Console, tasks: Sequence[Task]) -> int:
    found: Statistics = statistics(tasks)
    for title, counts in found.counts.items():
        table = Table(title, "tasks", "share", box=None, pad_edge=False)
        for name, count in sorted(counts.items()):
            table.add_row(str(name), str(count), f"{count / len(tasks):.0%}")
        console.print(table)
        console.print()
    numbers = Table("over all", "mean", "most", box=None, pad_edge=False)
    for title, values in found.numbers.items():
        numbers.add_row(title, f"{sum(values) / len(values):.2f}", str(max(values)))
    console.print(numbers)
    console.print()
    shares = Table("of these", "are so", "of", "share", box=None, pad_edge=False)
    for title, (count, of) in found.shares.items():
        shares.add_row(title, str(count), str(of), f"{count / of:.0%}" if of else "-")
    console.print(shares)
    console.print(f"\n{len(tasks)} tasks, {found.wordings} different wishes once names and numbers are masked.")
    return 0


# --- generate ---


def _generate(console: Console, domain: Domain, arguments: argparse.Namespace) -> int:
    split = arguments.split or "train"
    if arguments.count is None:
        arguments.count = EACH if split == DEPTH else COUNT
    if arguments.count < 1:
        raise BadInput(f"--count must be at least 1; got {arguments.count}.")
    out = arguments.out or Path(f"{domain.name}-{split}-{arguments.seed}.jsonl")
    if not out.parent.is_dir():
        raise BadInput(f"There is no folder {out.parent} for {out.name}; make it first.")
    if split == DEPTH and domain.goals:
        tasks: Sequence[Task] = _by_depth(console, domain, arguments)
    else:
        tasks = _from_goals(console, domain, split, arguments) if domain.goals else _by_hand(domain, split, arguments)
    if arguments.teacher is not None:
        tasks = _rewritten(console, tasks, arguments.teacher)
    write_tasks(out, tasks)
    alone = "" if arguments.interaction == "dialogue" else f" --{arguments.interaction}"
    use = f"toolgym eval {domain.name} --data own:{out} --split {split}{alone}"
    console.print(f"Wrote {len(tasks)} tasks to {out}. Use them: {use}", highlight=False, soft_wrap=True)
    return 0


def _by_hand(domain: Domain, split: str, arguments: argparse.Namespace) -> Sequence[Task]:
    """Tasks of a world that brings a generator of its own."""
    opened = domain.open_data(arguments.data)
    if not opened.splits:
        raise BadInput(f"{domain.name} has nothing to draw tasks from. {domain.where_tasks_are}")
    if opened.generate is None:
        raise BadInput(f"The tasks of {domain.name} ({arguments.data}) are fixed; there is no generator for them.")
    if split not in opened.splits:
        raise unknown(f"split of {domain.name}", split, opened.splits)
    return opened.generate(arguments.seed, arguments.count, split)


def _from_goals(console: Console, domain: Domain, split: str, arguments: argparse.Namespace) -> list[Task]:
    """Tasks that the engine draws from a world's goals: in the usual shares, or so many of each wanted depth."""
    cells, knobs = _cells(arguments), Knobs(**{name: getattr(arguments, name) for name in KNOBS})
    shares = [arguments.count // len(cells) + (place < arguments.count % len(cells)) for place in range(len(cells))]
    mixture = MIXTURES[arguments.mixture].without(arguments.without)
    outcomes: Counter[tuple[str, str]] = Counter()
    tasks: list[Task] = []
    # without a thread of its own, so that processes that draw can begin as copies of this one
    with Progress(console, "drawing", arguments.count, alone=True) as bar:
        for cell, share in zip(cells, shares, strict=True):
            generator = Generator(domain, arguments.seed, split, cell, knobs, arguments.data, mixture)
            found = list(generator.tasks(share, workers=arguments.workers, engine=arguments.engine, step=bar.advance))
            outcomes += generator.outcomes
            if len(found) < share:
                name = cell.name or "the usual shares"
                console.print(f"{domain.name} has {len(found)} of {share} tasks for {name}.", highlight=False)
            tasks += found
    if arguments.causes:
        console.print(_causes(outcomes))
    if not tasks:
        raise BadInput(f"{domain.name} has no task like that; ask for another family, depth, structure or information.")
    return tasks


def _causes(outcomes: Mapping[tuple[str, str], int]) -> Table:
    """What became of the draws of each family."""
    table = Table("family", "what became of a draw", "draws", "share", box=None, pad_edge=False)
    for family in sorted({family for family, _ in outcomes}):
        causes = Counter({cause: count for (each, cause), count in outcomes.items() if each == family})
        for cause, count in causes.most_common():
            table.add_row(family, escape(cause), str(count), f"{count / causes.total():.0%}")
    return table


def _by_depth(console: Console, domain: Domain, arguments: argparse.Namespace) -> list[Task]:
    """A split by depth; the table names the cells that are empty.

    Raises:
        BadInput: it is to be of one sort, which is what it is not.
    """
    if arguments.depth or arguments.structure or arguments.information or arguments.interaction != "dialogue":
        raise BadInput(
            "A split by depth holds every depth and structure, as evenly as can be; leave out --depth, --structure, "
            "--information and --interaction, or name another --split."
        )
    with Progress(console, "drawing", len(DEPTHS)) as bar:
        tasks = list(by_depth(domain, arguments.seed, arguments.data, each=arguments.count, step=bar.advance))
    shapes = Counter((task.depth, task.structure) for task in tasks)
    names = sorted({shape for _, shape in shapes})
    table = Table("depth", *names, box=None, pad_edge=False)
    for depth in range(max(depth for depth, _ in shapes) + 1):
        table.add_row(str(depth), *(str(shapes[depth, shape] or "-") for shape in names))
    console.print(table)
    return tasks


def _rewritten(console: Console, tasks: Sequence[Task], model: str) -> list[Task]:
    """The tasks in a language model's words, where those say the same."""
    with Progress(console, "rewriting", len(tasks)) as bar:
        found, counts = Teacher(model).rewritten(tasks, bar.advance)
    told = ", ".join(f"{outcome} {count}" for outcome, count in sorted(counts.items()))
    console.print(f"Wishes of {model}: {told}. What was not rewritten keeps its words.", highlight=False)
    return found


def _cells(arguments: argparse.Namespace) -> list[Cell]:
    """One cell for each wanted depth, or one for any."""
    family = None if arguments.family is None else family_named(arguments.family)
    open_cell = Cell(None, arguments.structure, arguments.information, arguments.interaction, family)
    if arguments.depth is None:
        return [open_cell]
    return [replace(open_cell, depth=(depth, depth)) for depth in depths_of(arguments.depth)]
