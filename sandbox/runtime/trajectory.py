"""A trajectory: the complete record of one episode, one JSON object per line of a file.

The format is versioned and documented in docs/trajectory.md. Scores are not part of it: they are computed from it.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal, TypeVar

from pydantic import Field, ValidationError, model_validator
from pydantic_core import from_json

from toolgym.sandbox.kit import format_1
from toolgym.sandbox.kit.errors import BadInput, Boundary, first_invalid
from toolgym.sandbox.kit.message import Frozen, Message, ToolCall
from toolgym.sandbox.kit.notebook import counted
from toolgym.sandbox.kit.task import Task
from toolgym.sandbox.kit.text import Text, read_lines
from toolgym.sandbox.runtime import foreign_domain
from toolgym.sandbox.runtime.approval import DECLINED, NOT_ASKED, ApprovalRecord, Consent
from toolgym.sandbox.runtime.call_log import CallRecord
from toolgym.sandbox.runtime.info import Info, UtteranceRecord
from toolgym.sandbox.runtime.session import RowChange

Call = TypeVar("Call", ToolCall, CallRecord)

Termination = Literal[
    "user_stop",
    "agent_stop",
    "transfer",
    "max_turns",
    "max_tokens",
    "max_errors",
    "time_limit",
    "infrastructure_error",
]
"""Why an episode ended; `infrastructure_error` episodes are left out of averages and counted."""


class Fault(Frozen):
    """An infrastructure failure: at which boundary, and the sentence for people."""

    boundary: Boundary
    message: Text


class UsageRecord(Frozen):
    """Model usage summed over an episode, by role."""

    role: str
    requests: int = 0
    prompt_tokens: int = 0
    completion_tokens: int = 0
    dollars: float = 0.0
    cached: int = 0


class Timing(Frozen):
    """Wall seconds of an episode: in all, in the environment (session and user rules), per role; in speech also what
    the engines took to speak and to listen, waiting for one another left out.
    """

    total: float = 0.0
    environment: float = 0.0
    agent: float = 0.0
    user: float = 0.0
    speaking: float = 0.0
    listening: float = 0.0


@dataclass(frozen=True, slots=True)
class Turn:
    """One agent step: its number from 0, the agent's message, the feedback it received, whether it could not be read
    (then nothing of it was done, and the feedback says why).
    """

    index: int
    action: Message
    feedback: tuple[Message, ...]
    unread: bool = False


_SAID = frozenset({"messages", "calls", "diff", "approvals"})
"""What a bare record is without."""


class Trajectory(Frozen):
    """What happened in one episode.

    Attributes:
        format_version: number of this format; former ones, of which 1 is called `version` or is no number, are read.
        task: the task as played (its gold included, so that any reward can be computed from the file alone).
        trial: repetition number from 0.
        seed: the episode's seed.
        agent: the agent's name and settings in one string.
        user: the user's name.
        modality: text or speech.
        messages: the conversation in order, system message left out.
        calls: the session's log, in order; `calls[i]` answers the i-th tool call of the messages that reached the
            session.
        diff: the rows that the episode changed.
        termination: why it ended.
        fault: set exactly when termination is `infrastructure_error`.
        usage: model usage by role.
        timing: wall times; the only fields that differ between two runs of the same seed.
        consent: how changes were agreed to: in words, or call by call.
        approvals: what the user was shown and answered, in order, where consent was given by call.
        info: what roles and wrappers noted (simulator checks, speech, messages that could not be read).

    Examples:
        >>> from toolgym import Message, Trajectory
        >>> from toolgym.kit import get_domain
        >>> task = get_domain("kiosk").open_data().tasks("test")[0]
        >>> asked = Message(role="user", content=task.goals[0].utterance)
        >>> answer = Message(role="assistant", content="Which name?")
        >>> trajectory = Trajectory(task=task, messages=(asked, answer), termination="agent_stop")
        >>> trajectory.agent_text(), len(trajectory.turns())
        ('Which name?', 1)
    """

    format_version: Literal[3] = format_1.TRAJECTORY
    task: Task
    trial: int = 0
    seed: int = 0
    agent: Text = ""
    user: Text = ""
    modality: Literal["text", "speech"] = "text"
    messages: tuple[Message, ...] = ()
    calls: tuple[CallRecord, ...] = ()
    diff: tuple[RowChange, ...] = ()
    termination: Termination
    fault: Fault | None = None
    usage: tuple[UsageRecord, ...] = ()
    timing: Timing = Timing()
    consent: Consent = "words"
    approvals: tuple[ApprovalRecord, ...] = Field(default=(), exclude_if=lambda approvals: not approvals)
    info: Info = Info()

    @model_validator(mode="before")
    @classmethod
    def _of_any_format(cls, record: Any) -> Any:
        return format_1.read_trajectory(record)

    def __repr__(self) -> str:
        heard, end = counted(len(self.messages), "message"), self.termination
        return f"<Trajectory {self.task.id}, trial {self.trial}: {self.agent} with {self.user}, {heard}, {end}>"

    def __str__(self) -> str:
        return repr(self)

    def turns(self) -> list[Turn]:
        """The agent's steps with their feedback, in order; the user's opening message belongs to none."""
        starts = [position for position, message in enumerate(self.messages) if message.role == "assistant"]
        ends = [*starts[1:], len(self.messages)]
        return [
            Turn(index, self.messages[start], self.messages[start + 1 : end], unread=start in self.info.unread)
            for index, (start, end) in enumerate(zip(starts, ends, strict=False))
        ]

    @property
    def solo(self) -> bool:
        """Whether the agent worked alone, with both sides' tools (`info.solo`)."""
        return self.info.solo

    @property
    def by_program(self) -> bool:
        """Whether the agent answered by a program (`info.programs`)."""
        return bool(self.info.programs)

    @property
    def utterances(self) -> tuple[UtteranceRecord, ...]:
        """What the user said aloud (`info.speech`); nothing in text."""
        return self.info.speech.utterances if self.info.speech is not None else ()

    def of_agent(self, calls: Iterable[Call]) -> list[Call]:
        """Those of some calls that are the agent's to make: all of them when it works alone."""
        return [call for call in calls if self.solo or call.by == "agent"]

    @property
    def reached(self) -> list[CallRecord]:
        """The calls that reached a tool; those that the user declined did not, nor those behind them: no score counts
        them.
        """
        if self.consent == "words":
            return list(self.calls)
        return [record for record in self.calls if record.error not in (DECLINED, NOT_ASKED)]

    def agent_text(self) -> str:
        """Everything the agent said to the user, one message per line.

        Text beside tool calls and messages that could not be read (`info.unread`) never reached the user.
        """
        unread = set(self.info.unread)
        return "\n".join(
            message.content
            for position, message in enumerate(self.messages)
            if message.role == "assistant" and message.content and not message.tool_calls and position not in unread
        )

    def to_line(self) -> str:
        """One line of a trajectory file."""
        return self.model_dump_json()

    def canonical(self) -> str:
        """The record without its wall times: equal for two runs of the same seed with scripted parts."""
        record = self.model_dump(mode="json", exclude={"timing"})
        for call in record["calls"]:
            del call["seconds"]
        return json.dumps(record, sort_keys=True, ensure_ascii=False)


def parse_line(line: str, where: str = "the trajectory") -> Trajectory:
    """One line of a trajectory file as a record, whichever format it has.

    Raises:
        BadInput: not a trajectory, or written by a newer toolgym.
    """
    try:
        return Trajectory.model_validate_json(line)
    except ValidationError as error:
        problem = first_invalid(error)
    if not problem.where and problem.kind in {"json_invalid", "model_type"}:
        raise BadInput(f"{where} is not a JSON object; a trajectory file holds one JSON object per line.")
    raise BadInput(f"{where} is not a toolgym trajectory: {problem.sentence}.")


def _bare(line: str, where: str) -> Trajectory:
    with suppress(ValueError, LookupError, TypeError):  # damaged, or of a former format: then all of it is read
        record = from_json(line)
        if record["format_version"] == format_1.TRAJECTORY:
            return Trajectory.model_validate({name: value for name, value in record.items() if name not in _SAID})
    return parse_line(line, where)


def read_trajectories(path: Path, *, bare: bool = False) -> Iterator[Trajectory]:
    """The trajectories of a file, in order (BadInput names the line that cannot be read).

    Args:
        path: the file.
        bare: without what was said and called, which is most of a record and of the time to read it.
    """
    if not path.is_file():
        raise BadInput(f"There is no trajectory file {path}.")
    foreign_domain.take_up(path.parent)
    for number, line in read_lines(path):
        if line.strip():
            yield (_bare if bare else parse_line)(line, f"{path}, line {number}")


def write_trajectories(path: Path, trajectories: Iterable[Trajectory]) -> None:
    """Write a whole file of trajectories."""
    with path.open("w", encoding="utf-8") as file:
        for trajectory in trajectories:
            file.write(trajectory.to_line() + "\n")
