"""Be the user or the agent yourself, in the terminal.

As the user you talk to an agent; /quit ends. As the agent you talk to the simulated user: plain lines are messages,
/call TOOL {"argument": "value"} calls a tool, /tools lists them, /policy shows the rules, /quit gives up.

toolgym play kiosk                             be the user
toolgym play kiosk --as agent                  be the agent
"""

from __future__ import annotations

import argparse
import asyncio
import json
from collections.abc import Sequence
from typing import get_args

from rich.console import Console
from rich.markup import escape

from toolgym.sandbox.kit.domain import Domain
from toolgym.sandbox.kit.errors import BadInput, ToolgymError
from toolgym.sandbox.kit.message import Message, ToolCall
from toolgym.sandbox.kit.task import Task
from toolgym.sandbox.runtime import registry
from toolgym.sandbox.runtime.approval import Consent
from toolgym.sandbox.runtime.episode import Episode, run_episode
from toolgym.sandbox.runtime.registry import get_domain
from toolgym.sandbox.runtime.roles import Briefing, make_agent, make_user
from toolgym.sandbox.runtime.session import Session
from toolgym.sandbox.runtime.terminal import SafeConsole

_STYLES = {"user": "cyan", "assistant": "green", "tool": "dim", "system": "dim"}


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Flags of `toolgym play`."""
    parser.add_argument("domain", nargs="?", default="retail", help="the world (default: retail)")
    parser.add_argument("--as", dest="role", choices=("user", "agent"), default="user", help="whom you play")
    parser.add_argument("--task", default=None, help="task id (default: the first of the split)")
    parser.add_argument("--split", default="dev", help="split of the tasks (default: dev)")
    parser.add_argument("--data", default=None, help="body of data (default: the world's newest)")
    parser.add_argument("--agent", default=None, help="who serves you (default: rules)")
    parser.add_argument(
        "--consent",
        choices=get_args(Consent),
        default="words",
        help="how the user agrees to changes: in words, or by approving each call as it is made (default: words)",
    )


def run(arguments: argparse.Namespace) -> int:
    """Entry of `toolgym play`."""
    console = SafeConsole()
    if arguments.role == "agent" and arguments.agent is not None:
        raise BadInput("--agent names who serves you; with --as agent you are the agent yourself. Give one of the two.")
    domain = get_domain(arguments.domain)
    task = _choose(domain, arguments)
    user = make_user("human" if arguments.role == "user" else "scripted")
    agent = make_agent(arguments.agent or "rules") if arguments.role == "user" else Terminal(console)
    with Session(domain, task=task) as session:
        episode = Episode(domain, task, session, user, seed=task.seed, consent=arguments.consent)
        try:
            trajectory = asyncio.run(run_episode(episode, agent, agent_name=arguments.role, user_name="play"))
        except _GaveUp:
            console.print("\nYou gave up; nothing is scored.")
            return 0
    if arguments.role == "user":
        _print_rest(console, trajectory.messages)
    if trajectory.fault is not None:
        console.print(f"\nThe {trajectory.fault.boundary} failed: {trajectory.fault.message}")
        return 1
    verdict = registry.load("verifiers", "rules")(trajectory)
    failing = ", ".join(f"{name}: no" for name in verdict.failing())
    console.print(f"\n{trajectory.termination}: {f'failed, for {failing}' if failing else 'passed'}", style="bold")
    for name, value in verdict.to_json().items():
        console.print(f"  {name}: {'-' if value is None else 'yes' if value else 'no'}", highlight=False)
    return 0


def _choose(domain: Domain, arguments: argparse.Namespace) -> Task:
    if arguments.task is not None:
        return domain.task(arguments.task, arguments.data)
    tasks = domain.tasks(arguments.split, arguments.data)
    if not tasks:
        raise BadInput(f"The split {arguments.split!r} of {domain.name} holds no task.")
    return tasks[0]


def _print_rest(console: Console, messages: Sequence[Message]) -> None:
    """What happened after the user's last line was read."""
    for message in messages[-2:]:
        if message.role == "tool" or message.tool_calls:
            _print(console, message)


def _print(console: Console, message: Message) -> None:
    style = _STYLES[message.role]
    if message.content:
        console.print(f"[bold {style}]{message.role}[/] {escape(message.content)}", highlight=False)
    for call in message.tool_calls:
        console.print(f"[bold {style}]{message.role}[/] {escape(call.name)}({escape(call.arguments_text())})")


class _GaveUp(ToolgymError):
    """The person at the terminal left."""


class Terminal:
    """An agent whose next message is typed."""

    privileged = False

    def __init__(self, console: Console) -> None:
        self._console = console

    def open(self, briefing: Briefing) -> Terminal:
        """Start an episode."""
        self._policy, self._seen = briefing.policy, 0
        self._tools = [entry["function"] for entry in briefing.tools]
        self._console.print(
            "You are the agent. /tools, /policy, /call TOOL {...}, /quit; other lines go to the user.\n"
        )
        return self

    async def act(self, messages: Sequence[Message]) -> Message:
        """Show what is new and read until there is a message or a call."""
        for message in messages[self._seen :]:
            if message.role != "assistant":
                _print(self._console, message)
        self._seen = len(messages)
        while True:
            action = self._read(await asyncio.to_thread(self._line))
            if action is not None:
                return action

    def _line(self) -> str:
        try:
            return self._console.input("[bold green]you[/] ").strip()
        except EOFError:
            return "/quit"

    def _read(self, line: str) -> Message | None:
        if line == "/quit":
            raise _GaveUp
        if line == "/policy":
            self._console.print(escape(self._policy))
        elif line == "/tools":
            for tool in self._tools:
                names = ", ".join(tool["parameters"]["properties"])
                self._console.print(f"  {tool['name']}({names})  {escape(tool['description'].partition(chr(10))[0])}")
        elif line.startswith("/call "):
            return self._call(line.removeprefix("/call ").strip())
        elif line.startswith("/"):
            self._console.print("Commands are /tools, /policy, /call TOOL {...} and /quit.")
        elif line:
            return Message(role="assistant", content=line)
        return None

    def _call(self, text: str) -> Message | None:
        name, _, given = text.partition(" ")
        try:
            arguments = json.loads(given or "{}")
        except ValueError:
            self._console.print('Write the arguments as a JSON object: /call get_user_details {"user_id": "..."}')
            return None
        if not isinstance(arguments, dict):
            self._console.print("The arguments must be a JSON object.")
            return None
        return Message(role="assistant", tool_calls=(ToolCall(name=name, arguments=arguments),))
