"""Accuracy of programs by depth, over all worlds that declare goals: ceilings, floors, and what drawing tasks costs.

    python benchmarks/programs.py --count 10            # so many tasks of every depth of every world
    python benchmarks/programs.py --worlds banking --depths 0 1 2 3 4 5

Beside the gold calls in each of TIER's formats stand two programs that must not pass above depth 1: one that takes the
first row of every list, as it filters none (counted where the right program filters), and one that answers from the
request alone, by the last call with words in the place of what only results hold. And the same tasks as conversations,
played by the demonstrator, which asks, looks up and confirms. At depth 0 no tool fits and doing nothing is right, as
TIER has it.
"""

import argparse
import asyncio
import time
from collections import Counter, defaultdict
from collections.abc import Callable, Sequence
from typing import Any

from rich.console import Console
from rich.table import Table

from judge.evaluation.metrics import wilson
from judge.scoring.verifier import verify
from sandbox.kit.message import Message
from sandbox.kit.task import Task
from sandbox.runtime import registry
from sandbox.runtime.episode import Episode, run_episode
from sandbox.runtime.references import sources
from sandbox.runtime.registry import get_domain
from sandbox.runtime.roles import Agent, Briefing, make_agent, make_user
from sandbox.runtime.session import Session
from sandbox.runtime.trajectory import Trajectory
from sandbox.synthesis.generator import Cell, Generator
from sandbox.synthesis.program import program_of
from sandbox.synthesis.proof.programmed import unfiltered


class Writes:
    """An agent that is shown the task and writes a program made from the right one."""

    privileged = True

    def __init__(self, change: Callable[[Task, Message], Message]) -> None:
        self._change = change

    def open(self, briefing: Briefing) -> Any:
        """Start an episode."""
        task = briefing.task
        assert task is not None
        changed = self._change(task, program_of(task))

        class Player:
            async def act(self, messages: Sequence[Message]) -> Message:
                return changed

        return Player()


def first_rows(task: Task, program: Message) -> Message:
    """The program whose lists are not filtered."""
    tools = get_domain(task.domain).tools
    calls = [unfiltered(call, tools[call.name]) if call.by == "agent" else call for call in program.tool_calls]
    return program.model_copy(update={"tool_calls": tuple(calls)})


def from_request(task: Task, program: Message) -> Message:
    """The last call alone, with words in the place of what only results hold."""
    words = [fact.words for goal in task.goals for fact in goal.facts if fact.described] or ["that one"]
    calls = []
    for call in program.tool_calls[-1:]:
        given = call.arguments if isinstance(call.arguments, dict) else {}
        guessed = {name: words[0] if any(sources(value)) else value for name, value in given.items()}
        calls.append(call.model_copy(update={"arguments": guessed}))
    return program.model_copy(update={"tool_calls": tuple(calls)})


def play(task: Task, agent: Agent, *, program: bool) -> Trajectory:
    """One episode."""
    user = None if program else make_user("scripted")
    with Session(task.domain, task=task) as session:
        episode = Episode(get_domain(task.domain), task, session, user, seed=task.seed, program=program)
        return asyncio.run(run_episode(episode, agent))


COLUMNS: dict[str, tuple[Agent, bool]] = {
    "json_ast": (make_agent("oracle", {"format": "json_ast"}), True),
    "xml_ast": (make_agent("oracle", {"format": "xml_ast"}), True),
    "direct": (make_agent("oracle", {"format": "direct"}), True),
    "first rows": (Writes(first_rows), True),
    "request alone": (Writes(from_request), True),
    "as conversation": (make_agent("demonstrator"), False),
}


def drawn(worlds: Sequence[str], depths: Sequence[int], count: int, split: str, console: Console) -> list[Task]:
    """The tasks; prints how many each world has and what they cost."""
    table, tasks = Table("world", *(f"depth {depth}" for depth in depths), title="tasks (seconds)"), []
    for world in worlds:
        cells = []
        for depth in depths:
            started = time.perf_counter()
            cell = Cell(depth=(depth, depth), interaction="program")
            found = list(Generator(get_domain(world), seed=1, split=split, cell=cell).tasks(count))
            cells.append(f"{len(found)} ({time.perf_counter() - started:.0f})")
            tasks += found
        table.add_row(world, *cells)
    console.print(table)
    return tasks


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    worlds = [name for name in registry.names("domains") if get_domain(name).goals]
    parser.add_argument("--worlds", nargs="+", default=worlds, choices=worlds, help="of which tasks are drawn")
    parser.add_argument("--depths", nargs="+", type=int, default=[0, 1, 2, 3, 4, 5])
    parser.add_argument("--count", type=int, default=10, help="tasks of each depth and world")
    parser.add_argument("--split", default="test")
    given = parser.parse_args()
    console = Console(width=160)
    tasks = drawn(given.worlds, given.depths, given.count, given.split, console)
    results: defaultdict[tuple[str, int], list[bool]] = defaultdict(list)
    by_structure: defaultdict[tuple[str, str], list[bool]] = defaultdict(list)
    failed: Counter[str] = Counter()
    for name, (agent, program) in COLUMNS.items():
        for task in tasks:
            played = play(task, agent, program=program)
            if name == "first rows" and first_rows(task, program_of(task)) == program_of(task):
                continue
            passed = verify(played).passed()
            results[name, task.depth].append(passed)
            by_structure[name, task.structure].append(passed)
            faults = [attempt.fault for attempt in played.info.programs if attempt.fault is not None]
            failed.update(f"{name}: {fault.message.split(':')[0].split(', ')[-1]}" for fault in faults)
    for title, table in (("depth", results), ("structure", by_structure)):
        shown = Table(title, "tasks", *COLUMNS, title=f"accuracy by {title} (95 % Wilson)")
        for key in sorted({key for _, key in table}):
            cells = [table.get((name, key), []) for name in COLUMNS]  # type: ignore[call-overload]
            shown.add_row(str(key), str(len(cells[0])), *map(share, cells))
        console.print(shown)
    console.print("calls at fault:", ", ".join(f"{name} {count}" for name, count in failed.most_common(8)))


def share(outcomes: Sequence[bool]) -> str:
    """A share with its interval."""
    if not outcomes:
        return "-"
    mean = sum(outcomes) / len(outcomes)
    low, high = wilson(mean, len(outcomes))
    return f"{mean:.2f} ({low:.2f}-{high:.2f})"


if __name__ == "__main__":
    main()
