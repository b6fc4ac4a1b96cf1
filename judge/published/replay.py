"""Plays a recorded episode again: every tool call in a fresh session, and whoever is scripted speaks anew.

What language models and people said is taken from the record, since nobody can make them say it again.
"""

from __future__ import annotations

import asyncio
import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from pydantic import ValidationError

from toolgym.judge.evaluation.episodes import Evaluation
from toolgym.judge.evaluation.made_with import user_number
from toolgym.judge.evaluation.settings import PLACE, EvalSettings
from toolgym.sandbox.kit.errors import BadInput, InfrastructureError, Unreadable, first_invalid
from toolgym.sandbox.kit.message import Json, Message, ToolCall
from toolgym.sandbox.kit.task import Task
from toolgym.sandbox.models.settings import CIRCUMSTANCES
from toolgym.sandbox.runtime import registry
from toolgym.sandbox.runtime.approval import Approval, ApprovalRecord, Shown
from toolgym.sandbox.runtime.call_log import CallRecord
from toolgym.sandbox.runtime.preauthenticate import authenticated
from toolgym.sandbox.runtime.registry import get_domain
from toolgym.sandbox.runtime.roles import Briefing
from toolgym.sandbox.runtime.session import Session
from toolgym.sandbox.runtime.trajectory import Trajectory

_NOTICE = re.compile(r"\[Your message could not be read and was not delivered: (.*)\]", re.DOTALL)
_SAYS_NO_MORE = "The record ends here."
_OURS = "toolgym.sandbox.agents."


def settings_of(saved: Mapping[str, Any], data: str | None) -> EvalSettings:
    """The settings of a published run, without what would reach out of this process.

    Args:
        saved: as the file has them.
        data: the body of data with its place here, such as tau2:PATH; None as the file names it.

    Raises:
        BadInput: they are no settings of a run.
    """
    stay = set(EvalSettings.model_fields) - PLACE - CIRCUMSTANCES - {"out", "judge", "judge_options"}
    given = {name: value for name, value in saved.items() if name in stay} | ({"data": data} if data else {})
    try:
        return EvalSettings.model_validate(given)
    except ValidationError as error:
        raise BadInput(f"The file's settings are not those of a run: {first_invalid(error).sentence}.") from None


class Replay:
    """Plays episodes of a published run again.

    Args:
        settings: of the run.
        tasks: what was played.
        number: which scripted user it was; another one than this toolgym has would say other things.

    Attributes:
        user_speaks: whether the user's words are found anew, and so checked.
        agent_speaks: whether the agent's are.
    """

    def __init__(self, settings: EvalSettings, tasks: Sequence[Task] | None = None, number: int | None = None) -> None:
        self.agent_speaks = _is_scripted_agent(settings)
        ours = settings.user == "scripted" and number in (None, user_number("scripted"))
        self.user_speaks = ours and not settings.alone
        quiet: dict[str, Any] = {"user": "scripted", "agent_model": None, "user_model": None, "modality": "text"}
        if settings.user != "scripted":
            quiet |= {"user_options": {}}
        if not self.agent_speaks:
            quiet |= {"agent": "inert", "agent_options": {}, "format": None}
        self._evaluation = Evaluation(settings.model_copy(update=quiet), tasks=tasks)
        self._alone = settings.alone

    @property
    def tasks(self) -> Sequence[Task]:
        """The tasks of the run, as the data here hold them."""
        return self._evaluation.tasks

    def played(self, task: Task) -> Task:
        """A task as an episode of a spoken run holds it."""
        if self._evaluation.settings.auth == "spoken":
            return task
        return authenticated(get_domain(task.domain), task)[0]

    def play(self, task: Task, recorded: Trajectory, *, scripted: bool) -> Trajectory:
        """The episode anew.

        Args:
            task: as the data here hold it.
            recorded: whose words are taken where nobody can say them anew.
            scripted: whether a scripted agent speaks anew; if not, its words are taken as well.
        """
        evaluation = self._evaluation
        own_agent, own_user = evaluation.agent, evaluation.user
        try:
            if not scripted:
                evaluation.agent = _RecordedAgent(recorded)
            if not self.user_speaks and not self._alone:
                evaluation.user = _RecordedUser(recorded)
            return asyncio.run(evaluation.play(task, recorded.trial))
        finally:
            evaluation.agent, evaluation.user = own_agent, own_user


def _is_scripted_agent(settings: EvalSettings) -> bool:
    """Whether the agent is one of toolgym's own that always does the same."""
    ours = settings.agent in registry.names("agents") and registry.value("agents", settings.agent).startswith(_OURS)
    return ours and settings.agent != "llm"


def calls_again(task: Task, recorded: Trajectory) -> Trajectory:
    """The record with what its calls come to in a fresh session, in place of what it says of them."""
    with Session(task.domain, task=task) as session:
        for record in recorded.calls:
            session.call(record.name, record.arguments, by=record.by)
        update = {"calls": tuple(session.log), "diff": tuple(session.diff()), "task": task}
        return recorded.model_copy(update=update)


def plain_call(record: CallRecord) -> CallRecord:
    """A call without its wall time."""
    return replace(record, seconds=0.0)


class _RecordedAgent:
    """Says what the agent said, and is read as the agent was."""

    privileged = True
    """It speaks in the tools' true names, whatever the agent saw (see `toolgym.sandbox.perturbations`)."""
    hears = "audio"

    def __init__(self, recorded: Trajectory) -> None:
        self._recorded = recorded

    def open(self, briefing: Briefing) -> _Agent:
        """Start the episode."""
        return _Agent(self._recorded)


class _Agent:
    def __init__(self, recorded: Trajectory) -> None:
        self._turns = iter(recorded.turns())

    async def act(self, messages: Sequence[Message]) -> Message:
        """The next recorded message."""
        turn = next(self._turns, None)
        if turn is None:
            raise InfrastructureError("model", _SAYS_NO_MORE)
        if turn.unread:
            notice = _NOTICE.fullmatch(turn.feedback[0].content or "") if turn.feedback else None
            raise Unreadable(notice[1] if notice else "", turn.action.content or "")
        return turn.action


class _RecordedUser:
    """Says what the user said."""

    def __init__(self, recorded: Trajectory) -> None:
        notices = {position + 1 for position in recorded.info.unread}
        said = [each for place, each in enumerate(recorded.messages) if place not in notices and each.role == "user"]
        self._said, self._answers = said, recorded.approvals
        self._left = recorded.termination == "user_stop"

    def open(self, task: Task, *, seed: int, tools: Sequence[dict[str, Json]] = ()) -> _User:
        """Start the episode."""
        return _User(self._said, self._answers, left=self._left)


class _User:
    def __init__(self, said: Sequence[Message], answers: Sequence[ApprovalRecord], *, left: bool) -> None:
        self._said, self._answers, self._left = list(said), list(answers), left

    async def approve(self, call: ToolCall, shown: Shown) -> Approval:
        """The next recorded answer."""
        if not self._answers:
            raise InfrastructureError("user", _SAYS_NO_MORE)
        found = self._answers.pop(0)
        leaves = not found.approved and self._left and not self._said and not self._answers
        return Approval(approved=found.approved, sentence=found.sentence, leaves=leaves)

    async def reply(self, messages: Sequence[Message]) -> Message:
        """The next recorded message."""
        if not self._said:
            raise InfrastructureError("user", _SAYS_NO_MORE)
        return self._said.pop(0)
