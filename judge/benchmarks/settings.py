"""What a run of a benchmark is made of: one schema for flags, TOML file, environment and run.json."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from pydantic import Field

from toolgym.judge.benchmarks.contract import Found
from toolgym.sandbox.kit.errors import BadInput
from toolgym.sandbox.models.settings import CIRCUMSTANCES, Models, SpendingLimits, Url
from toolgym.sandbox.runtime import parts
from toolgym.sandbox.runtime.roles import Agent, make_agent

_WITHOUT_A_WORLD = ("demonstrator", "random", "reckless", "rules")
"""Agents that play worlds of ours alone."""
PLACE = frozenset({"out", "concurrency"})


class BenchSettings(Models, SpendingLimits):
    """What a run of a benchmark is made of."""

    agent: str = Field("llm", description="agent: llm, oracle, inert or an installed one")
    agent_options: dict[str, Any] = Field({}, description="options of the agent")
    agent_model: str | None = Field(None, description="model that plays the agent (with --agent llm)")
    agent_base_url: Url | None = Field(None, description="its OpenAI-compatible endpoint, such as http://host:8000/v1")
    agent_temperature: float | None = Field(None, ge=0, description="its sampling temperature; the endpoint's if unset")
    format: str | None = Field(
        None, description="prompt mode: how calls are written, such as hermes; else native calls"
    )
    category: tuple[str, ...] = Field((), description="categories or groups of them; all by default")
    tasks: tuple[str, ...] = Field((), description="row ids, or one number: the first so many of every category")
    trials: int = Field(1, ge=1, le=100, description="episodes per row")
    concurrency: int = Field(32, ge=1, le=1000, description="episodes at the same time")
    seed: int = Field(0, description="seeds everything random")
    out: Path | None = Field(None, description="folder of the run; runs/NAME-AGENT by default")

    def identity(self, name: str, found: Found) -> dict[str, Any]:
        """The settings that decide a run's results, as saved in run.json."""
        own = self.model_dump(mode="json", exclude={*PLACE, *CIRCUMSTANCES, "category"})
        kept = {key: value for key, value in own.items() if value is not None}
        return {"env": name, "data": found.version, "digest": found.digest, "user": "none", "split": "-"} | kept

    def circumstances(self) -> dict[str, Any]:
        """How a run was made, beside what decides its results."""
        return self.model_dump(
            mode="json", include=({"concurrency", *CIRCUMSTANCES} & set(type(self).model_fields)) - self.unlimited()
        )

    @property
    def native(self) -> bool:
        """Whether calls are the endpoint's own (function-calling mode)."""
        return self.agent == "llm" and self.format is None and "format" not in self.agent_options

    @property
    def in_text(self) -> bool:
        """Whether the agent reads its tools as text."""
        return self.agent == "llm" and not self.native

    def make(self) -> Agent:
        """The agent with its model.

        Raises:
            BadInput: it plays worlds of ours alone, takes no such option, or its model is not named.
        """
        if self.agent in _WITHOUT_A_WORLD:
            raise BadInput(
                f"The agent {self.agent!r} plays only worlds of ours; take --agent llm, oracle, inert or your own."
            )
        factory, given = parts.find("agents", self.agent), self.agent_options
        if self.format is not None:
            if "format" not in parts.options_of(factory) or self.agent == "oracle":
                raise BadInput(f"--format is given, but the agent {self.agent!r} writes in no format.")
            given = given | {"format": self.format}
        return make_agent(self.agent, self.options("agent", self.agent, factory, given))

    def agent_label(self) -> str:
        """The agent as records name it, with its model and its format."""
        name = self.label("agent", self.agent, parts.find("agents", self.agent))
        return f"{name} ({self.format})" if self.format else name
