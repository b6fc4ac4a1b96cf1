"""Two careless ways to answer a task by a program: what they reach are the floors beside every accuracy by depth.

Both are given the right program and spoil it, so that nothing but the carelessness is measured.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from typing import Any

from toolgym.judge.scoring.verifier import verify
from toolgym.sandbox.kit.message import Message
from toolgym.sandbox.kit.task import Task
from toolgym.sandbox.runtime.episode import Episode, run_episode
from toolgym.sandbox.runtime.references import refers
from toolgym.sandbox.runtime.registry import get_domain, is_benchmark
from toolgym.sandbox.runtime.roles import Briefing
from toolgym.sandbox.runtime.session import Session
from toolgym.sandbox.synthesis.program import program_of
from toolgym.sandbox.synthesis.proof.programmed import unfiltered


def first_rows(task: Task, program: Message) -> Message | None:
    """The program that filters no list and takes the first row of each; None where the right one filters none."""
    tools = get_domain(task.domain).tools
    calls = [unfiltered(call, tools[call.name]) if call.by == "agent" else call for call in program.tool_calls]
    return None if calls == list(program.tool_calls) else program.model_copy(update={"tool_calls": tuple(calls)})


def request_alone(task: Task, program: Message) -> Message:
    """The last call alone, with the request's words in the place of what only results hold."""
    words = [fact.words for goal in task.goals for fact in goal.facts if fact.described] or ["that one"]
    calls = []
    for call in program.tool_calls[-1:]:
        given = call.arguments if isinstance(call.arguments, dict) else {}
        guessed = {name: words[0] if refers(value) else value for name, value in given.items()}
        calls.append(call.model_copy(update={"arguments": guessed}))
    return program.model_copy(update={"tool_calls": tuple(calls)})


CARELESS: dict[str, Callable[[Task, Message], Message | None]] = {
    "first_rows": first_rows,
    "request_alone": request_alone,
}
"""By name, what is made of the right program; None where it makes no difference."""
MEANING = {
    "first_rows": "first row of unfiltered lists",
    "request_alone": "from the request alone",
}


def outcomes(tasks: Sequence[Task]) -> dict[str, dict[str, bool]]:
    """By careless way, whether each task is passed, by id.

    Left out are tasks in which it makes no difference, and those of benchmarks whose tools are read from a checkout.
    """
    found: dict[str, dict[str, bool]] = {name: {} for name in CARELESS}
    for task in tasks:
        if task.interaction != "program" or is_benchmark(task.domain):
            continue
        right = program_of(task)
        for name, spoiled in CARELESS.items():
            program = spoiled(task, right)
            if program is not None:
                found[name][task.id] = _passes(task, program)
    return found


def _passes(task: Task, program: Message) -> bool:
    with Session(task.domain, task=task) as session:
        episode = Episode(get_domain(task.domain), task, session, None, seed=task.seed, program=True)
        return verify(asyncio.run(run_episode(episode, _Writes(program)))).passed()


class _Writes:
    """An agent that answers with one program, whatever it is told."""

    privileged = True

    def __init__(self, program: Message) -> None:
        self._program = program

    def open(self, briefing: Briefing) -> Any:
        """Start an episode."""
        return self

    async def act(self, messages: Sequence[Message]) -> Message:
        """The program."""
        return self._program
