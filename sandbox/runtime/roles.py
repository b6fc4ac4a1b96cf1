"""The contracts of the two sides of a conversation: agents and users.

A role is made once per run (`make_agent`, `make_user`) and opened once per episode; what `open` returns lives for
that episode only, so one role serves thousands of concurrent episodes.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol, cast, runtime_checkable

from toolgym.sandbox.kit.database import NEWEST
from toolgym.sandbox.kit.message import Json, Message
from toolgym.sandbox.kit.task import Task
from toolgym.sandbox.runtime import parts
from toolgym.sandbox.runtime.functions import FunctionAgent, FunctionUser


@dataclass(frozen=True)
class Briefing:
    """What an agent is told before an episode.

    Attributes:
        domain: the domain's name.
        policy: the rules to follow.
        tools: OpenAI's `tools` list.
        seed: seeds whatever the agent draws at random.
        task: the task itself, for privileged agents (`oracle`) only; None for all others.
        ticket: the problem in words when the agent works without a user.
        profile: what is known about the user, who then counts as authenticated; None where the agent must find out.
        program: the agent answers the ticket once, by a program (see `toolgym.sandbox.runtime.program`).
        listening: the user's words reach the agent as a recogniser's transcript: names may be misheard.
        version: of the data that is played (see `toolgym.sandbox.kit.domain.Domain.version`).
    """

    domain: str
    policy: str
    tools: Sequence[dict[str, Json]]
    seed: int = 0
    task: Task | None = None
    ticket: str | None = None
    profile: Json = None
    program: bool = False
    listening: bool = False
    version: int = NEWEST


@dataclass(frozen=True)
class Usage:
    """What one model reply cost: tokens, money in US dollars, seconds waited."""

    role: str
    prompt_tokens: int = 0
    completion_tokens: int = 0
    dollars: float = 0.0
    seconds: float = 0.0
    cached: bool = False


@runtime_checkable
class AgentPlayer(Protocol):
    """An agent in one episode."""

    async def act(self, messages: Sequence[Message]) -> Message:
        """The next assistant message, given the conversation so far as the agent sees it (no system message)."""
        ...


@runtime_checkable
class Agent(Protocol):
    """Something that can play the agent. `privileged` ones are shown the task.

    Examples:
        >>> from toolgym import Agent, Message
        >>> class Polite:
        ...     privileged = False
        ...
        ...     def open(self, briefing):  # tools and policy are in `briefing`
        ...         return self
        ...
        ...     async def act(self, messages):
        ...         return Message(role="assistant", content="How can I help?")
        >>> isinstance(Polite(), Agent)
        True
    """

    privileged: bool

    def open(self, briefing: Briefing) -> AgentPlayer:
        """Start an episode."""
        ...


@runtime_checkable
class UserPlayer(Protocol):
    """A user in one episode."""

    async def reply(self, messages: Sequence[Message]) -> Message:
        """The user's next message, given the conversation as the user sees it: empty at the start, then the texts
        of both sides and the user's own tool calls with their results. Text holding `STOP` ends the episode.
        """
        ...


@runtime_checkable
class User(Protocol):
    """Something that can play the user.

    Examples:
        >>> from toolgym import Message, User
        >>> class Brief:
        ...     def open(self, task, *, seed, tools=()):
        ...         self.words = iter([task.scenario, "###STOP###"])  # for one episode at a time
        ...         return self
        ...
        ...     async def reply(self, messages):
        ...         return Message(role="user", content=next(self.words))
        >>> isinstance(Brief(), User)
        True
    """

    def open(self, task: Task, *, seed: int, tools: Sequence[dict[str, Json]] = ()) -> UserPlayer:
        """Start an episode of `task`; `tools` are the user's own (dual control)."""
        ...


def make_agent(name: str, options: Mapping[str, Any] | None = None) -> Agent:
    """The agent that a name stands for (see `parts.find`), made with its options (BadInput names a wrong one)."""
    return cast(Agent, parts.make("agents", name, options or {}, Agent, FunctionAgent))


def make_user(name: str, options: Mapping[str, Any] | None = None) -> User:
    """The user that a name stands for (see `parts.find`), made with its options (BadInput names a wrong one)."""
    return cast(User, parts.make("users", name, options or {}, User, FunctionUser))
