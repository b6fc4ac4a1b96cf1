"""What the finders of violations look at: a conversation with its world, its task and whom it was about."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property

from toolgym.judge.scoring.conversation import Called, Conversation
from toolgym.sandbox.kit.database import Database
from toolgym.sandbox.kit.identity import Identity
from toolgym.sandbox.kit.message import Json
from toolgym.sandbox.kit.table import key_column
from toolgym.sandbox.kit.tool import Tool
from toolgym.sandbox.runtime.registry import get_domain
from toolgym.sandbox.runtime.trajectory import Trajectory
from toolgym.sandbox.synthesis.proof.replay import Gold, gold_of


class Scene:
    """A trajectory as the finders see it.

    Attributes:
        trajectory: the record.
        task: what it was about.
        domain: where it plays.
        conversation: what happened, in order.
        is_dialogue: somebody can be asked.
    """

    def __init__(self, trajectory: Trajectory) -> None:
        self.trajectory = trajectory
        self.task = trajectory.task
        self.domain = get_domain(trajectory.task.domain)
        self.conversation = Conversation(trajectory)
        self.is_dialogue = not (trajectory.solo or trajectory.by_program)

    @cached_property
    def gold(self) -> Gold:
        """What a right run comes to."""
        return gold_of(self.task)

    @cached_property
    def database(self) -> Database:
        """The world's rows before anything was done."""
        task = self.task
        return self.domain.database(task.data, now=task.now or self.domain.now, seed=task.seed, task=task)

    def tool(self, called: Called) -> Tool | None:
        """The tool of a call; None for one that this world does not have."""
        return self.domain.tools_of(called.record.by).get(called.record.name)

    def own_calls(self) -> Iterator[Called]:
        """The agent's calls that succeeded."""
        return (call for call in self.conversation.calls if call.record.ok and call.record.by == "agent")

    def hands_over(self, call: Called) -> bool:
        """Whether a call hands the conversation over."""
        tool = self.tool(call)
        return tool is not None and tool.ends_episode

    @property
    def identity(self) -> Identity | None:
        """How the person is known, where the agent has to find out; None where it knows already or need not."""
        identity = self.domain.identity
        if identity is None or self.person is None or not self.is_dialogue:
            return None
        return identity

    @cached_property
    def person(self) -> str | None:
        """The key of whom a desk should find; None where a right run looks for nobody."""
        identity = self.domain.identity
        if identity is None:
            return None
        names = {tool.name for tool in identity.found_by}
        found = (record.value for record in self.gold.log if record.ok and record.name in names)
        return next((key for value in found if (key := key_in(identity, value))), None)

    @property
    def customer(self) -> str | None:
        """The key of who is spoken to at a desk, a right run looking for them or not; None where nobody is named."""
        return None if self.domain.identity is None else self.person or self.task.owner


_latest: dict[str, Scene] = {}
"""The scene that was asked for last: what was told, the violations and a judge look at one episode after another."""


def scene_of(trajectory: Trajectory) -> Scene:
    """The scene of a trajectory, read once for all who look at it in turn."""
    known = _latest.get("scene")
    if known is None or known.trajectory is not trajectory:
        known = _latest["scene"] = Scene(trajectory)
    return known


def key_in(identity: Identity, value: Json) -> str | None:
    """The person's key in what a look-up returned."""
    if isinstance(value, dict):
        value = value.get(key_column(identity.table))
    return value if isinstance(value, str) else None


def leaves(value: Json) -> Iterator[str]:
    """The plain values in a result, as text."""
    if isinstance(value, dict | list):
        for inner in value.values() if isinstance(value, dict) else value:
            yield from leaves(inner)
    elif value is not None and not isinstance(value, bool):
        yield str(value)
