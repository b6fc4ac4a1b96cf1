"""An episode for a trainer whose loop is its own: opened by a row, stepped, ended and scored by any named reward."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

from toolgym.sandbox.gym.env import ToolEnv
from toolgym.sandbox.kit.errors import BadInput, InfrastructureError
from toolgym.sandbox.kit.message import Json
from toolgym.sandbox.kit.task import Task
from toolgym.sandbox.runtime.approval import Consent, require_possible
from toolgym.sandbox.runtime.registry import data_of, domain_of, get_domain
from toolgym.sandbox.runtime.trajectory import Trajectory
from toolgym.training.loop.scoring import Scored, Scorer

Row = dict[str, Any]


class Rollout(ToolEnv):
    """One row's episode after another.

    Args:
        world: its name, with its newest tasks, or an environment's id.
        data: another body of data.
        reward: the reward's name, as in `toolgym train`.
        reward_options: the reward's variants.
        judge: who scores turns, for rewards that need turn scores.
        judge_options: the judge's options.
        settings: further arguments of `toolgym.sandbox.gym.env.ToolEnv`.

    Attributes:
        fault: what broke the episode, or None.
        record: the ended episode, or None.
    """

    def __init__(
        self,
        world: str,
        *,
        data: str | None = None,
        reward: str = "outcome",
        reward_options: Mapping[str, Any] | None = None,
        judge: str = "rules",
        judge_options: Mapping[str, Any] | None = None,
        **settings: Any,
    ) -> None:
        self._scorer = Scorer(reward, reward_options or {}, judge, judge_options or {})
        super().__init__(domain_of(world).name, data=newest(world, data), **settings)
        scoring = {"reward": reward, "reward_options": reward_options, "judge": judge, "judge_options": judge_options}
        self._made_with = {"world": world, "data": data, **scoring, **settings}
        self.fault: InfrastructureError | None = None
        self.record: Trajectory | None = None

    def open(self, task: str | None = None, seed: int = 0) -> dict[str, Any]:
        """Begin the episode of a row, and say what the agent is told: `policy`, `tools`, `messages`, `task_id`.

        Raises:
            BadInput: there is no such task.
            InfrastructureError: something broke.
        """
        self.fault = self.record = None
        try:
            return self.reset(seed=seed, options={} if task is None else {"task": task})[1]
        except InfrastructureError as error:
            self.fault = error
            raise

    @property
    def max_turns(self) -> int:
        """Agent steps until an episode is cut."""
        return self._limits.max_turns

    @property
    def over(self) -> bool:
        """Whether the episode has ended, or broken."""
        return self.record is not None or self.fault is not None

    def play(self, action: str) -> list[dict[str, Any]]:
        """Play one action and return the new messages.

        Raises:
            InfrastructureError: something broke; there will be no reward.
        """
        try:
            observation, *_ = self.step(action)
        except InfrastructureError as error:
            self.fault = error
            raise
        return list(json.loads(observation))

    async def scored(self) -> Scored:
        """The numbers of the episode, which the agent has left if it has not ended.

        Raises:
            InfrastructureError: it broke, or a judge that is needed gave no scores; there is no reward then.
        """
        if self.fault is not None:
            raise self.fault
        if self.record is None:
            self.leave()
        assert self.record is not None
        return await self._scorer.score(self.record, 0.0)

    def _recorded(self, trajectory: Trajectory) -> Trajectory:
        self.record = trajectory
        return trajectory


def as_action(content: str | None, calls: Sequence[tuple[str, Json]] = ()) -> str:
    """An agent's message as the text of an action in the format `openai`, whatever its words look like."""
    listed = [{"name": name, "arguments": arguments} for name, arguments in calls]
    return json.dumps({"content": content, "tool_calls": listed}, ensure_ascii=False)


def newest(world: str, data: str | None = None) -> str:
    """The body of data that is meant: the one named, an environment id's, or else the world's newest."""
    return data_of(world) if data is None else data


def conversations(
    world: str, split: str | None, count: int | None, data: str, consent: Consent = "words"
) -> list[Task]:
    """The tasks of a split, of which the first `count` are taken.

    Raises:
        BadInput: there is no such split, its tasks are not conversations, or consent is not given so there.
    """
    require_possible(consent, data, user=True)
    domain = get_domain(domain_of(world).name)
    tasks = list(domain.tasks(split or domain.usual_split(data), data))[:count]
    other = next((task.interaction for task in tasks if task.interaction != "dialogue"), None)
    if other is not None:
        raise BadInput(
            f"The tasks of {world} ({data}) are played as {other}, with no customer; name data of dialogues."
        )
    if not tasks:
        raise BadInput(f"The split {split!r} of {world} ({data}) holds no task.")
    return tasks
