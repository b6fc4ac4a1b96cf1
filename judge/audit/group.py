"""The conversations of one sort of user, from a run of ours, a file of trajectories, or another benchmark's record."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from judge.evaluation.run_folder import RunFolder
from judge.interop.reading import read_file, title
from judge.interop.recorded import Unreadable
from judge.interop.replay import Importer, choose_domain
from sandbox.kit.errors import BadInput
from sandbox.kit.message import STOP, Message
from sandbox.runtime.trajectory import Trajectory, read_trajectories


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
    """The conversations of a path, which may be preceded by a name: `people=results.json`.

    Args:
        named: a run's folder, a file of trajectories, or recorded runs of tau-bench or tau2-bench.
        env: the environment of recorded runs, where they do not tell.
        data: the body of data that recorded runs were played on.

    Raises:
        BadInput: there is nothing of the sort there, or nobody plays a user in it.
    """
    name, found, path = named.partition("=")
    if not found or Path(named).exists():
        name, path = "", named
    group = _read(Path(path), env, data)
    talks = tuple(talk for talk in group.talks if talk.fault is None and next(replies(talk), None) is not None)
    if not talks:
        raise BadInput(f"{path} holds no conversation with a user, so there is nothing to audit.")
    return replace(group, name=name or group.name, talks=talks, skipped=group.skipped + len(group.talks) - len(talks))


def named_apart(groups: Sequence[Group]) -> None:
    """Check that every group has a name of its own.

    Raises:
        BadInput: two are called alike.
    """
    names = [group.name for group in groups]
    twice = next((name for name in names if names.count(name) > 1), None)
    if twice is not None:
        raise BadInput(f"Two runs are called {twice!r}; give names of your own, as in scripted={twice} people=FILE.")


def _read(path: Path, env: str | None, data: str) -> Group:
    if (path / "run.json").is_file():
        return Group(path.resolve().name, tuple(RunFolder(path).trajectories()))
    if path.is_file() and path.suffix == ".jsonl":
        return Group(path.stem, tuple(read_trajectories(path)))
    return _recorded(path, env, data)


def _recorded(path: Path, env: str | None, data: str) -> Group:
    content = read_file(path)
    if not content.episodes:
        raise BadInput(f"{path} holds no episode that can be read.")
    importer = Importer(content, choose_domain(content, env), data)
    talks = []
    for episode in content.episodes:
        try:
            talks.append(importer.trajectory(episode))
        except Unreadable as problem:
            content.unreadable.append((str(episode.task["id"]), str(problem)))
    return Group(title(path), tuple(talks), len(content.unreadable))
