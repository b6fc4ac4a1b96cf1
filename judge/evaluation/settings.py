"""What an evaluation runs: one schema for flags, TOML file, environment and run.json."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any, Literal

from pydantic import Field, model_validator

from toolgym.judge.evaluation.depth.benchmark import ENV, USUAL, VERSIONS, is_tooldepth
from toolgym.judge.scoring.scorer import REWARDS
from toolgym.sandbox.kit.errors import BadInput
from toolgym.sandbox.models.settings import CIRCUMSTANCES, RoleModels, SpendingLimits
from toolgym.sandbox.perturbations.spec import ACCEPTED, Perturbations
from toolgym.sandbox.runtime import parts, registry
from toolgym.sandbox.runtime.approval import Consent, require_possible
from toolgym.sandbox.runtime.preauthenticate import Auth
from toolgym.sandbox.runtime.roles import Agent, User, make_agent, make_user
from toolgym.sandbox.speech.settings import SpeechSettings

PLACE = frozenset({"concurrency", "engine", "sandbox", "sandbox_protocol"})
"""Settings that say where and how many at once; they decide no result."""

_LATER = ("consent", "program", "retries", "format", "repair", "perturb", "canary", "depth", "distractors")
"""Settings that came after runs were saved: where they are not used, a run's record does not name them."""


class EvalSettings(RoleModels, SpendingLimits, SpeechSettings):
    """What an evaluation runs: one schema for flags, TOML file, environment and run.json."""

    env: str = Field(description="environment id such as ToolRetail-v1, or a domain's name")
    agent: str = Field(
        "rules",
        description="agent: demonstrator, inert, llm, oracle, random, reckless, rules, any installed or FILE.py:NAME",
    )
    agent_options: dict[str, Any] = Field({}, description="options of the agent")
    user: str = Field("scripted", description="user: scripted, human, llm, an installed one or FILE.py:NAME")
    user_options: dict[str, Any] = Field({}, description="options of the user")
    user_check: Literal["on", "off"] = Field("on", description="check every reply of an llm user for consistency")
    consent: Consent = Field(
        "words", description="how the user agrees to changes: in words, or by approving each call as it is made"
    )
    solo: bool = Field(False, description="no user: the agent works on the task's ticket with both sides' tools")
    program: bool = Field(False, description="no user: the agent answers the task's request once, by a program")
    retries: int = Field(0, ge=0, le=20, description="times a program may be tried again after a fault")
    format: str | None = Field(None, description="how the agent's calls are written, such as json_ast or xml_ast")
    repair: bool = Field(False, description="make the calls of replies that cannot be read where they are beyond doubt")
    data: str = Field(
        "", description="body of data: own, v2, tau2, tau2:PATH or depthbench:CHECKOUT; by default the world's newest"
    )
    split: str = Field("test", description="split of the tasks (ToolDepth: train, or validation by default)")
    depth: str | None = Field(None, description="only tasks whose chains have so many calls, such as 2 or 0..8")
    distractors: int = Field(0, ge=0, description="ToolDepth: so many tools of other worlds are offered, up to 20")
    tasks: tuple[str, ...] = Field(
        (), description="task ids, or one number that is no id to take the first so many; all by default"
    )
    trials: int = Field(1, ge=1, le=1000, description="episodes per task")
    concurrency: int = Field(64, ge=1, le=10_000, description="episodes at the same time")
    engine: Literal["local", "ray"] = Field("local", description="play here, or spread over a Ray cluster")
    seed: int = Field(0, description="seeds everything random")
    max_turns: int = Field(30, ge=1, description="agent steps per episode")
    sandbox: str | None = Field(None, description="play on a sandbox server, such as http://127.0.0.1:8000")
    sandbox_protocol: Literal["rest", "mcp"] = Field("rest", description="how tools are called there")
    modality: Literal["text", "speech"] = Field("text", description="how the user talks; speech needs an extra")
    perturb: str | None = Field(None, description=f"change what the agent sees, not what is right: {ACCEPTED}")
    canary: bool = Field(False, description="plant shortcuts and count their use: a result, a tool, an answer")
    auth: Auth = Field("spoken", description="the user says who they are, or the agent is given their profile")
    basis: Literal["state", "writes"] = Field("state", description="what the binary reward compares with gold")
    judge: str = Field("rules", description="judge of the turns: rules, llm, an installed one or FILE.py:NAME")
    judge_options: dict[str, Any] = Field({}, description="options of the judge, such as model=NAME samples=3")
    reward: tuple[str, ...] = Field(REWARDS, description="rewards to compute, installed ones or FILE.py:NAME")
    out: Path | None = Field(None, description="folder of the run; runs/DOMAIN-AGENT-DATA-SPLIT by default")

    @model_validator(mode="before")
    @classmethod
    def _world_and_data(cls, given: Any) -> Any:
        """An id such as `ToolRetail-v1` names its body of data, a world's name means its newest; data read from a
        checkout are their own world.
        """
        if not isinstance(given, dict):
            return given
        if is_tooldepth(str(given.get("env"))):  # answered by programs, unless it is to be talked about
            named = given if given["env"] in VERSIONS else given | {"env": ENV}
            return {"program": not given.get("solo", False), "split": USUAL, "data": "own"} | named
        given = registry.world_of_data(given)
        if not isinstance(given.get("env"), str):
            return given
        return given | {"data": registry.data_of(given["env"], given.get("data"))}

    @model_validator(mode="after")
    def _own_data_where_calls_are_approved(self) -> EvalSettings:
        """Others' policies and scores mean a yes in words."""
        require_possible(self.consent, self.data, user=not self.alone)
        return self

    def identity(self) -> dict[str, Any]:
        """The settings that decide a run's results, as saved in run.json: an environment and a file of code have one
        name there, whatever they are called and wherever they lie.
        """
        silent = SpeechSettings.model_fields if self.modality == "text" else ("speech_cache",)
        unused = {name for name in _LATER if getattr(self, name) == type(self).model_fields[name].default}
        left_out = {"out", "judge", "judge_options", "reward", *PLACE, *CIRCUMSTANCES, *silent, *unused}
        players = {"agent": parts.shown_name(self.agent), "user": parts.shown_name(self.user)}
        named = {"env": registry.full_id(self.env, self.data), **players}
        return self.model_dump(mode="json", exclude=left_out) | named

    def code(self) -> dict[str, str]:
        """Digests of the code of an agent and a user that are not installed, by role."""
        found = {"agent": parts.code("agents", self.agent), "user": parts.code("users", self.user)}
        return {role: digest for role, digest in found.items() if digest is not None}

    def circumstances(self) -> dict[str, Any]:
        """How a run was made, as saved in run.json beside what decides its results."""
        return self.model_dump(mode="json", include={*PLACE, *CIRCUMSTANCES} - self.unlimited())

    def workers(self) -> int:
        """How many episodes to play at once: with models no more than keep their endpoints busy, so that a reply's
        time is spent on the reply and not in a queue; with speech twice what there are processors.
        """
        if self.modality == "speech":
            return min(self.concurrency, 2 * (os.cpu_count() or 1))
        if self.agent == "llm" or self.user == "llm":
            return min(self.concurrency, 2 * self.model_concurrency)
        return self.concurrency

    def perturbations(self) -> Perturbations | None:
        """What is perturbed; None for a run as it is (BadInput where there is no such perturbation)."""
        return Perturbations.parse(self.perturb) if self.perturb is not None else None

    def make_players(self) -> tuple[Agent, User | None]:
        """The agent and the user, with their models; no user in solo work."""
        agent, user = parts.find("agents", self.agent), parts.find("users", self.user)
        if self.solo and self.program:
            raise BadInput("--solo and --program are two ways to work without a user; give one of them.")
        own = self.user_options | ({"check": False} if self.user == "llm" and self.user_check == "off" else {})
        return (
            make_agent(self.agent, self.options("agent", self.agent, agent, self._written(agent))),
            None if self.alone else make_user(self.user, self.options("user", self.user, user, own)),
        )

    def _written(self, agent: Any) -> dict[str, Any]:
        """The agent's options, with how its replies are written and read where it takes that."""
        given = {name: value for name in ("format", "repair") if (value := getattr(self, name))}
        for name in given.keys() - set(parts.options_of(agent)):
            raise BadInput(f"--{name} is given, but the agent {self.agent!r} writes in no format.")
        return self.agent_options | given

    @property
    def alone(self) -> bool:
        """Whether nobody plays the user."""
        return self.solo or self.program

    def speech(self) -> SpeechSettings:
        """The settings of speech alone."""
        return SpeechSettings(**{name: getattr(self, name) for name in SpeechSettings.model_fields})

    def repeats_freely(self) -> bool:
        """Whether playing the tasks once more costs nobody money or time: no model and no person takes part."""
        own = parts.is_installed("agents", self.agent)
        return own and self.user == "scripted" and self.agent != "llm" and not self.agent_model

    def player_names(self) -> tuple[str, str]:
        """The agent and the user as trajectories name them."""
        agent = self.label("agent", parts.shown_name(self.agent), parts.find("agents", self.agent))
        if self.alone:
            return agent, "none"
        return agent, self.label("user", parts.shown_name(self.user), parts.find("users", self.user))
