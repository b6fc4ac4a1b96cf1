"""SkyRL-gym's text environment, with real user turns: what the model writes is said to the customer, or calls tools.

from toolgym.training.adapters import skyrl
skyrl.register(reward="tarl")          # in every process that makes environments; then skyrl_gym.make("ToolRetail-v1")
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from toolgym.sandbox.agents.llm import shown_as_text
from toolgym.sandbox.formats import get_format
from toolgym.sandbox.kit.message import Message
from toolgym.sandbox.runtime.approval import Consent
from toolgym.sandbox.runtime.background_loop import run_sync
from toolgym.sandbox.runtime.extras import missing
from toolgym.sandbox.runtime.registry import domain_name, environment_id, environments
from toolgym.training.adapters.rollout import Rollout, Row, conversations, newest
from toolgym.training.data.rows import told

try:
    import skyrl_gym
    from skyrl_gym.envs.base_text_env import BaseTextEnv, BaseTextEnvStepOutput
except ModuleNotFoundError as error:
    raise missing(error, "The adapter for SkyRL", "skyrl") from error


class WorldEnv(BaseTextEnv):
    """A conversation with the simulated user about a row's task.

    Args:
        world: the world or environment's id.
        env_config: SkyRL's settings of the environment; not read.
        extras: the row's columns, of which `task` and `seed` are read.
        text_format: how the model writes calls.
        settings: `reward`, `judge`, `user`, `consent` (name it to `rows` too), `max_turns`, ... of
            `toolgym.training.adapters.rollout.Rollout`.
    """

    def __init__(
        self,
        world: str,
        env_config: Any = None,
        extras: Mapping[str, Any] | None = None,
        text_format: str = "hermes",
        **settings: Any,
    ) -> None:
        super().__init__()
        self._format = get_format(text_format)
        self._rollout = Rollout(world, action_format=text_format, **settings)
        self._row = dict(extras or {})
        self.max_turns = self._rollout.max_turns
        self._metrics: dict[str, float] = {}

    def init(self, prompt: Sequence[dict[str, str]]) -> tuple[list[dict[str, Any]], dict[str, Any]]:
        """The row's prompt with the customer's first words behind it.

        Raises:
            InfrastructureError: something broke; there is no episode.
        """
        info = self._rollout.open(self._row.get("task"), int(self._row.get("seed") or 0))
        return [*prompt, *self._shown(info["messages"])], {"task_id": info["task_id"]}

    def step(self, action: str) -> BaseTextEnvStepOutput:
        """Say the text to the customer, or run the calls in it; at the end the reward.

        Raises:
            InfrastructureError: something broke; there is no reward.
        """
        self.turns += 1
        observed = self._shown(self._rollout.play(action))
        record = self._rollout.record
        if record is None:
            return BaseTextEnvStepOutput(observations=observed, reward=0.0, done=False, metadata={})
        scored = run_sync(self._rollout.scored())
        self._metrics = {"passed": float(scored.passed), "clean": float(scored.clean), "turns": float(self.turns)}
        metadata = {"task_id": record.task.id, "termination": record.termination, "components": scored.components}
        return BaseTextEnvStepOutput(observations=observed, reward=scored.total, done=True, metadata=metadata)

    def get_metrics(self) -> dict[str, float]:
        """`passed`, `clean` and `turns` of an ended episode."""
        return self._metrics

    def close(self) -> None:
        """Free the session."""
        self._rollout.close()

    def _shown(self, messages: Sequence[dict[str, Any]]) -> list[dict[str, Any]]:
        return shown_as_text([Message.model_validate(message) for message in messages], self._format)


def register(**settings: Any) -> list[str]:
    """Make all installed worlds known to SkyRL-gym by their Gymnasium ids; returns those.

    Args:
        settings: arguments of `WorldEnv` for all of them.
    """
    for name in environments():
        if name not in skyrl_gym.registry:
            skyrl_gym.register(name, "toolgym.training.adapters.skyrl:WorldEnv", kwargs={"world": name, **settings})
    return list(environments())


def rows(
    world: str,
    split: str | None = None,
    *,
    data: str | None = None,
    count: int | None = None,
    text_format: str = "hermes",
    consent: Consent = "words",
) -> list[Row]:
    """The rows of a split, as SkyRL reads them from a parquet file: `prompt`, `env_class`, `task`, `seed`."""
    data = newest(world, data)
    return [
        {
            "data_source": f"toolgym/{domain_name(world)}",
            "prompt": [told(task, text_format, consent=consent)],
            "env_class": environment_id(domain_name(world), data),
            "task": task.id,
            "seed": task.seed,
        }
        for task in conversations(world, split, count, data, consent)
    ]
