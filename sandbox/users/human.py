"""The human user: shows the scenario on the terminal and reads what the person types.

Where users hold tools, `/tools` lists them and `/call NAME {"argument": "value"}` makes a call.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Sequence

from rich.console import Console
from rich.markup import escape
from rich.panel import Panel

from toolgym.sandbox.kit.message import STOP, Json, Message, ToolCall
from toolgym.sandbox.kit.task import Task
from toolgym.sandbox.runtime.approval import Approval, Shown
from toolgym.sandbox.runtime.terminal import SafeConsole

_QUIT = "/quit"


class HumanUser:
    """Reads the user's messages from the terminal; `/quit` or end of input ends the conversation politely.

    Args:
        console: where to show the conversation; the terminal by default.
    """

    def __init__(self, console: Console | None = None) -> None:
        self._console = console or SafeConsole()

    def open(self, task: Task, *, seed: int, tools: Sequence[dict[str, Json]] = ()) -> _Player:
        """Start an episode: shows what to play."""
        return _Player(task, self._console, tools)


class _Player:
    def __init__(self, task: Task, console: Console, tools: Sequence[dict[str, Json]]) -> None:
        self._console, self._tools = console, [tool["function"] for tool in tools]
        situation = task.scenario or " ".join(goal.utterance for goal in task.goals)
        known = "".join(f"\n{fact.name.replace('_', ' ')}: {fact.value}" for fact in task.facts)
        console.print(
            Panel(escape(f"{situation}{known}"), title=f"You are the user of {task.id}", subtitle=f"{_QUIT} ends")
        )
        if tools:
            console.print("You hold tools yourself: /tools lists them, /call NAME {...} calls one.", markup=False)

    async def reply(self, messages: Sequence[Message]) -> Message:
        """What the person types: words, or a call of one of the user's own tools."""
        if messages:
            who = messages[-1].name or "agent"
            self._console.print(f"{who}:", messages[-1].content or "", markup=False, highlight=False)
        while True:
            line = await asyncio.to_thread(self._read)
            if line is None:
                return Message(role="user", content=f"Thank you, goodbye. {STOP}")
            if not self._tools or not line.startswith(("/tools", "/call")):
                return Message(role="user", content=line)
            if line.startswith("/tools"):
                self._list()
            elif call := self._call(line.removeprefix("/call").strip()):
                return Message(role="user", tool_calls=(call,))

    async def approve(self, call: ToolCall, shown: Shown) -> Approval:
        """What the person answers to a call that is about to be made: `y`, `n`, or what is wrong with it."""
        told = json.dumps({"arguments": shown.arguments} | ({"rows": shown.rows} if shown.rows else {}), indent=2)
        self._console.print(Panel(escape(told), title=f"{escape(shown.tool)} is about to be called. Do you approve?"))
        line = await asyncio.to_thread(self._read, "y, n or what is wrong:")
        if line is None:
            return Approval(approved=False, sentence="Thank you, goodbye.", leaves=True)
        if line.casefold() in ("y", "yes"):
            return Approval(approved=True)
        return Approval(approved=False, sentence="" if line.casefold() in ("n", "no") else line)

    def _list(self) -> None:
        for tool in self._tools:
            names = ", ".join(tool["parameters"]["properties"])
            summary = tool["description"].partition("\n")[0]
            self._console.print(f"  {tool['name']}({names})  {summary}", markup=False, highlight=False)

    def _call(self, text: str) -> ToolCall | None:
        """The call in a line, or None when its arguments cannot be read."""
        name, _, given = text.partition(" ")
        try:
            arguments = json.loads(given or "{}")
        except ValueError:
            arguments = None
        if not isinstance(arguments, dict):
            self._console.print('Write the arguments as a JSON object: /call NAME {"argument": "value"}', markup=False)
            return None
        return ToolCall(name=name, arguments=arguments, by="user")

    def _read(self, prompt: str = "you:") -> str | None:
        """A line that is not empty, or None at the end of input."""
        while True:
            try:
                line = self._console.input(f"[bold]{prompt}[/bold] ").strip()
            except EOFError:
                return None
            if line:
                return None if line == _QUIT else line
