"""An episode as a sample of Inspect's: an agent and the simulated user play a task in a private session."""

from __future__ import annotations

import asyncio
import math

from inspect_ai.model import ModelOutput, get_model
from inspect_ai.solver import TaskState
from inspect_ai.util import LimitExceededError

from toolgym.judge.evaluation.episodes import episode_seed
from toolgym.judge.interop.chat import agent_side
from toolgym.judge.interop.inspect.messages import to_inspect
from toolgym.judge.interop.inspect.model import InspectClient
from toolgym.judge.interop.inspect.record import keep
from toolgym.sandbox.agents.llm import LLMAgent, system_prompt
from toolgym.sandbox.kit.errors import InfrastructureError
from toolgym.sandbox.kit.message import Message
from toolgym.sandbox.kit.task import Task
from toolgym.sandbox.runtime.approval import Consent
from toolgym.sandbox.runtime.briefing import briefing
from toolgym.sandbox.runtime.episode import Episode, run_episode
from toolgym.sandbox.runtime.limits import Limits
from toolgym.sandbox.runtime.registry import get_domain
from toolgym.sandbox.runtime.roles import Agent, Briefing, User, make_agent, make_user
from toolgym.sandbox.runtime.session import Session
from toolgym.sandbox.runtime.trajectory import Termination, Trajectory

MODEL = "model"
"""The agent that is Inspect's own model."""
PLAYED = "inspect:"
"""Before the model's name, what such an agent is called in a trajectory."""
_CUT: dict[str, Termination] = {
    "message": "max_turns",
    "turn": "max_turns",
    "token": "max_tokens",
    "cost": "max_tokens",
}
"""What a limit of Inspect is in our words; the others are of time."""


class Sample:
    """One sample: who plays, and what is kept of it.

    Args:
        state: Inspect's.
        agent: `model`, or an installed agent's name.
        format: how the model writes calls.
        user: `llm` for Inspect's model role `user`, or an installed user's name.
        consent: how the user agrees to changes; of `call` the user is shown each before it is made.
    """

    def __init__(self, state: TaskState, agent: str, format: str, user: str, consent: Consent = "words") -> None:
        self.state, self._consent = state, consent
        self._asked = InspectClient(get_model(), "agent", self._watch)
        self._user_asked = InspectClient(get_model(role="user"), "user")
        self.agent: Agent = LLMAgent(self._asked, format=format) if agent == MODEL else make_agent(agent)
        self.user: User = make_user("llm", {"model": self._user_asked}) if user == "llm" else make_user(user)
        self._names = (f"{PLAYED}{get_model()}" if agent == MODEL else agent), user

    def _watch(self, messages: list[object]) -> None:
        self.state.messages = messages

    @property
    def _failure(self) -> Exception | None:
        """What broke in a model, or its limit."""
        return self._asked.failure or self._user_asked.failure

    async def play(self, max_turns: int, seed: int) -> None:
        """Play the sample's task; the session is closed whatever happens.

        Raises:
            InfrastructureError: something broke; Inspect counts such a sample as an error and does not score it.
            LimitExceededError: a limit of Inspect cut the conversation, which is kept as one that was cut.
        """
        told = self.state.metadata
        domain = get_domain(told["world"])
        task = domain.task(str(self.state.sample_id), told["data"])
        user = self.user if task.interaction == "dialogue" else None
        names = self._names[0], self._names[1] if user is not None else "none"
        with Session(domain, task=task) as session:
            episode = Episode(
                domain,
                task,
                session,
                user,
                seed=episode_seed(seed, task, self._trial),
                limits=Limits(
                    max_turns=max_turns, model_seconds=math.inf, episode_seconds=math.inf
                ),  # time is Inspect's
                program=task.interaction == "program",
                consent=self._consent,
            )
            try:
                played = await run_episode(
                    episode, self.agent, trial=self._trial, agent_name=names[0], user_name=names[1]
                )
            except asyncio.CancelledError:  # Inspect's limit of time
                episode.end("time_limit")
                keep(self.state.store, episode.trajectory(trial=self._trial, agent=names[0], user=names[1]))
                raise
        self._finish(played)

    @property
    def _trial(self) -> int:
        return int(self.state.epoch) - 1

    def _finish(self, played: Trajectory) -> None:
        failure = self._failure
        if isinstance(failure, LimitExceededError):
            cut = {"termination": _CUT.get(failure.type, "time_limit"), "fault": None}
            keep(self.state.store, played.model_copy(update=cut))
            raise failure
        if played.fault is not None:
            raise failure or InfrastructureError(played.fault.boundary, played.fault.message)
        keep(self.state.store, played)
        self._show(played)

    def _show(self, played: Trajectory) -> None:
        """The conversation to its end, for the log; the output is the agent's last word."""
        if self._asked.output is None:
            self.state.messages = conversation(played)
            self.state.output = ModelOutput.from_content(model=self._names[0], content=last_words(played))
        else:
            self.state.messages = [*self.state.messages, *map(to_inspect, _after_last_step(played))]
            self.state.output = self._asked.output
        self.state.completed = True


def conversation(played: Trajectory) -> list[object]:
    """What the agent of an episode was told, said and heard, as Inspect's messages."""
    system = Message(role="system", content=system_prompt(told_of(played), None))
    return [to_inspect(message) for message in (system, *agent_side(played))]


def told_of(played: Trajectory) -> Briefing:
    """What the agent of an episode was told before it."""
    task: Task = played.task
    return briefing(get_domain(task.domain), task, solo=played.solo, program=played.by_program, consent=played.consent)


def last_words(played: Trajectory) -> str:
    """What the agent said last."""
    return next((m.content for m in reversed(played.messages) if m.role == "assistant" and m.content), "")


def _after_last_step(played: Trajectory) -> list[Message]:
    """What came back on the agent's last step."""
    seen = agent_side(played)
    last = max((index for index, message in enumerate(seen) if message.role == "assistant"), default=-1)
    return seen[last + 1 :]
