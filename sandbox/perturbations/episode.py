"""One perturbed episode: the task as it is played, the agent's view of it, and what is noted in its record.

Drawn from the episode's seed alone. The record keeps true names and the tools' own layout, so that whatever reads
trajectories reads these too; `info.perturbed` says what the agent saw instead.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from random import Random
from typing import Any

from toolgym.sandbox.kit.domain import Domain
from toolgym.sandbox.kit.message import Json, Message
from toolgym.sandbox.kit.task import Task
from toolgym.sandbox.perturbations.canary import Canary, CanarySession
from toolgym.sandbox.perturbations.faults import FaultySession
from toolgym.sandbox.perturbations.layout import laid_out
from toolgym.sandbox.perturbations.naming import Names
from toolgym.sandbox.perturbations.paraphrase import paraphrased
from toolgym.sandbox.perturbations.spec import Perturbations
from toolgym.sandbox.runtime.info import PerturbedRecord
from toolgym.sandbox.runtime.roles import Agent, AgentPlayer, Briefing, Usage
from toolgym.sandbox.runtime.session_like import SessionLike
from toolgym.sandbox.runtime.trajectory import Trajectory
from toolgym.sandbox.synthesis.knobs import foreign_tools


class PerturbedEpisode:
    """What perturbations make of one episode.

    Args:
        spec: which ones.
        domain: where it plays.
        task: what it is about.
        seed: the episode's.
        canary: whether shortcuts are planted (see `toolgym.sandbox.perturbations.canary`).

    Attributes:
        task: the task as it is played; its gold is what it was.
    """

    def __init__(self, spec: Perturbations, domain: Domain, task: Task, seed: int, *, canary: bool = False) -> None:
        self.spec, self._seed = spec, seed
        self._canary = Canary(self.rng("canary")) if canary else None
        self.task = self._changed(domain, task)
        self._names: Names | None = None
        self._session: FaultySession | None = None

    def _changed(self, domain: Domain, task: Task) -> Task:
        changes: dict[str, Any] = {}
        if self.spec.tools:
            others = [name for name in foreign_tools(domain) if name not in task.distractors]
            more = self.rng("tools").sample(others, min(self.spec.tools, len(others)))
            changes["distractors"] = (*task.distractors, *more)
        if self.spec.enums:
            changes["strip_enums"] = True
        task = task.model_copy(update=changes) if changes else task
        return paraphrased(task, self.rng("paraphrase")) if self.spec.paraphrase else task

    def rng(self, name: str) -> Random:
        """What decides one of the perturbations, whichever others there are."""
        return Random(f"{self._seed}:{name}")

    def agent(self, agent: Agent) -> Agent:
        """The agent behind its view of this episode."""
        return _Behind(self, agent)

    def session(self, session: SessionLike) -> SessionLike:
        """The session as the agent reaches it."""
        if self._canary is not None:
            session = CanarySession(session, self._canary)
        if self.spec.fault:
            session = self._session = FaultySession(session, self.spec.fault, self._seed)
        return session

    def record(self, trajectory: Trajectory) -> Trajectory:
        """The trajectory with what was perturbed and what was made of planted shortcuts."""
        noted: dict[str, Any] = {}
        if str(self.spec):
            noted["perturbed"] = self._perturbed()
        if self._canary is not None:
            noted["canary"] = self._canary.record(trajectory)
        return trajectory.model_copy(update={"info": trajectory.info.model_copy(update=noted)})

    def _perturbed(self) -> PerturbedRecord:
        noted: dict[str, Any] = {"spec": str(self.spec)}
        if self._names is not None:
            noted |= {"tools": self._names.tools, "parameters": self._names.parameters}
        if self._session is not None:
            noted["faults"] = self._session.faults
        return PerturbedRecord(**noted)

    def brief(self, briefing: Briefing) -> Briefing:
        """What the agent is told."""
        tools = list(briefing.tools)
        if self._canary is not None:
            tools = self._canary.offered(tools)
        if self.spec.names:
            names = self._names = Names(tools, self.rng("names"))
            tools = [names.entry(entry) for entry in tools]
            told = briefing.ticket and names.text(briefing.ticket)
            briefing = replace(briefing, policy=names.text(briefing.policy), ticket=told)
        if self.spec.order:
            self.rng("order").shuffle(tools)
        return replace(briefing, tools=tools)

    def shown(self, message: Message, number: int) -> Message:
        """A message as the agent sees it; `number` is its place in the conversation."""
        if self._canary is not None and message.role == "tool":
            message = self._canary.shown(message)
        if self._names is not None:
            message = self._names.shown(message)
        if self.spec.format and message.role == "tool" and message.content is not None:
            return message.model_copy(update={"content": laid_out(message.content, self.rng(f"format {number}"))})
        return message

    def meant(self, action: Message, *, in_true_names: bool) -> Message:
        """What the agent said, in true names.

        Args:
            action: its message.
            in_true_names: it was shown the task and speaks in the task's names; they go the same way as the others.
        """
        if self._names is None:
            return action
        return self._names.true(self._names.shown(action) if in_true_names else action)


class _Behind:
    """An agent whose every episode is seen through perturbations."""

    def __init__(self, episode: PerturbedEpisode, inner: Agent) -> None:
        self._episode, self._inner = episode, inner
        self.privileged = inner.privileged
        self.hears = getattr(inner, "hears", "nothing")

    def open(self, briefing: Briefing) -> _Player:
        """Start an episode."""
        inner = self._inner.open(self._episode.brief(briefing))
        return _Player(self._episode, inner, privileged=self.privileged)


class _Player:
    def __init__(self, episode: PerturbedEpisode, inner: AgentPlayer, *, privileged: bool) -> None:
        self._episode, self._inner, self._privileged = episode, inner, privileged
        self._view: list[Message] = []

    @property
    def notes(self) -> Json:
        """What the agent noted about itself."""
        return getattr(self._inner, "notes", None)

    def take_usage(self) -> Sequence[Usage]:
        """What the agent's replies since the last call cost."""
        return list(getattr(self._inner, "take_usage", tuple)())

    async def act(self, messages: Sequence[Message]) -> Message:
        """The agent's next message, in true names."""
        for number in range(len(self._view), len(messages)):
            self._view.append(self._episode.shown(messages[number], number))
        action = await self._inner.act(tuple(self._view))
        return self._episode.meant(action, in_true_names=self._privileged)
