"""The human user: shows the scenario on the terminal and reads what the person types."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence

from rich.console import Console
from rich.markup import escape
from rich.panel import Panel

from sandbox.message import STOP, Json, Message
from sandbox.task import Task

_QUIT = "/quit"


class HumanUser:
    """Reads the user's messages from the terminal; `/quit` or end of input ends the conversation politely.

    Args:
        console: where to show the conversation; the terminal by default.
    """

    def __init__(self, console: Console | None = None) -> None:
        self._console = console or Console()

    def open(self, task: Task, *, seed: int, tools: Sequence[dict[str, Json]] = ()) -> _Player:
        """Start an episode: shows what to play."""
        return _Player(task, self._console)


class _Player:
    def __init__(self, task: Task, console: Console) -> None:
        self._console = console
        situation = task.scenario or " ".join(goal.say for goal in task.goals)
        known = "".join(f"\n{fact.name.replace('_', ' ')}: {fact.value}" for fact in task.facts)
        console.print(
            Panel(escape(f"{situation}{known}"), title=f"You are the user of {task.id}", subtitle=f"{_QUIT} ends")
        )

    async def reply(self, messages: Sequence[Message]) -> Message:
        """What the person types."""
        if messages:
            self._console.print("agent:", messages[-1].content or "", markup=False, highlight=False)
        line = await asyncio.to_thread(self._read)
        return Message(role="user", content=f"Thank you, goodbye. {STOP}" if line is None else line)

    def _read(self) -> str | None:
        """A line that is not empty, or None at the end of input."""
        while True:
            try:
                line = self._console.input("[bold]you:[/bold] ").strip()
            except EOFError:
                return None
            if line:
                return None if line == _QUIT else line
