"""The conversations of one sort of user, from a run of ours, a file of trajectories, or another benchmark's record."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from toolgym.judge.interop.opened import open_run
from toolgym.sandbox.kit.errors import BadInput
from toolgym.sandbox.kit.message import STOP, Message
from toolgym.sandbox.runtime.trajectory import Trajectory


@dataclass(frozen=True)
class Reply:
    """One message of a user.

    Attributes:
        text: what it says.
        view: the conversation before it, as the user saw it: both sides' words and its own tools' results.
    """

    text: str
    view: tuple[Message, ...]

    @property
    def words(self) -> str:
        """The text without the stop token."""
        return self.text.replace(STOP, " ").strip()

    @property
    def answered(self) -> str:
        """The agent's message that it answers; empty for first words."""
        return next((each.content or "" for each in reversed(self.view) if each.role == "assistant"), "")


@dataclass(frozen=True)
class Group:
    """The conversations of one sort of user.

    Attributes:
        name: what the columns call it.
        talks: its conversations; those in which nobody plays the user are left out.
        skipped: how many those were, and what could not be read.
    """

    name: str
    talks: tuple[Trajectory, ...]
    skipped: int = 0


def replies(talk: Trajectory) -> Iterator[Reply]:
    """What the user of a conversation said, in order."""
    view: list[Message] = []
    own: set[str | None] = set()
    for message in talk.messages:
        if message.role == "user":
            own |= {call.id for call in message.tool_calls}
            if message.content:
                yield Reply(message.content, tuple(view))
        if (
            message.role == "user"
            or (message.role == "assistant" and message.content)
            or (message.role == "tool" and message.tool_call_id in own)
        ):
            view.append(message)


def read_group(named: str, *, env: str | None, data: str) -> Group:
    """The conversations of a path, which may be preceded by a name: see `toolgym.judge.interop.opened.open_run`.

    Raises:
        BadInput: there is nothing of the sort there, or nobody plays a user in it.
    """
    run = open_run(named, env=env, data=data)
    talks = tuple(talk for talk in run.trajectories if talk.fault is None and next(replies(talk), None) is not None)
    if not talks:
        raise BadInput(f"{run.path} holds no conversation with a user, so there is nothing to audit.")
    return Group(run.name, talks, run.skipped + len(run.trajectories) - len(talks))
