"""Settings of the agent loops, read from `actor_rollout_ref.rollout.custom.toolgym` of verl's configuration."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from typing import Any, Literal

from pydantic import Field, ValidationError

from toolgym.sandbox.kit.errors import ConfigurationError, first_invalid, nearest
from toolgym.sandbox.kit.masking import masked
from toolgym.sandbox.kit.message import Frozen, Json
from toolgym.sandbox.runtime.approval import Consent
from toolgym.sandbox.runtime.limits import Limits
from toolgym.training.recipe import merge

WITHHELD = "TOOLGYM_WITHHELD_SETTINGS"
"""Variable with the settings, as JSON, that hold a key or a password: verl prints whatever it is configured with."""


class LoopSettings(Frozen):
    """How trajectories are played and scored."""

    user: str = Field(default="scripted", description="who plays the user: scripted, llm or an installed name")
    user_options: dict[str, Json] = Field(default={}, description="options of the user")
    consent: Consent = Field(
        default="words",
        description="how the user agrees to changes: in words, or by approving each call; rows must be told of it",
    )
    speech: dict[str, Json] = Field(default={}, description="how spoken rows sound: toolgym.sandbox.speech.settings")
    sandbox: str | None = Field(default=None, description="URL of a toolgym server; unset: sessions in this process")
    servers: str | None = Field(
        default=None, description="folder of a synthesis whose MCP servers rows of theirs are played on"
    )
    reward: str = Field(
        default="tarl", description="the reward: outcome, clean, tarl, toolrl, prove, tier or an installed name"
    )
    reward_options: dict[str, Json] = Field(default={}, description="variants of the reward, by field name")
    credit: Literal["trajectory", "turn"] = Field(
        default="trajectory",
        description="where the reward goes: all on the last generated token, or each turn's share on the turn's last",
    )
    judge: str = Field(default="rules", description="who scores turns: rules, llm or an installed name")
    judge_options: dict[str, Json] = Field(default={}, description="options of the judge")
    turn_tokens: int | None = Field(default=512, ge=1, description="tokens one turn may have; unset: what is left")
    max_turns: int = Field(default=30, ge=1, description="agent steps per trajectory")
    max_user_turns: int | None = Field(default=None, ge=1, description="user turns per trajectory; unset: unlimited")
    max_errors: int = Field(default=20, ge=1, description="refused tool calls in a row before the trajectory ends")
    result_chars: int = Field(default=100_000, ge=100, description="characters of one tool result that are shown")
    tool_seconds: float = Field(default=60.0, gt=0, description="seconds one tool call may take")
    turn_seconds: float = Field(default=300.0, gt=0, description="seconds one reply of the model may take")
    user_seconds: float = Field(default=120.0, gt=0, description="seconds one reply of the user may take, retries too")
    judge_seconds: float = Field(default=240.0, gt=0, description="seconds the judge may take over a trajectory")
    episode_seconds: float = Field(
        default=3600.0, gt=0, description="seconds a trajectory may take, attempts and pauses too"
    )
    attempts: int = Field(
        default=2, ge=1, description="times a trajectory is tried, each in a fresh session, when infrastructure fails"
    )
    drift_check: bool = Field(default=True, description="compare every trajectory's tokens with the chat template's")
    interventions: int = Field(
        default=0, ge=0, description="times per turn that a wrong write call is stopped and the model told to rethink"
    )

    def limits(self) -> Limits:
        """The bounds of an episode."""
        return Limits(
            max_turns=self.max_turns,
            max_user_turns=self.max_user_turns,
            max_errors=self.max_errors,
            max_result_chars=self.result_chars,
            tool_seconds=self.tool_seconds,
            model_seconds=self.turn_seconds,
            user_seconds=self.user_seconds,
            episode_seconds=self.episode_seconds,
        )


def withheld(given: Mapping[str, Any]) -> tuple[dict[str, Any], dict[str, Any]]:
    """Settings as they may be written, and those among them that hold a key or a password, as they are.

    Examples:
        >>> withheld({"reward": "tarl", "sandbox": "http://ada:opensesame@host"})
        ({'reward': 'tarl', 'sandbox': 'http://host'}, {'sandbox': 'http://ada:opensesame@host'})
    """
    shown: dict[str, Any] = {}
    kept: dict[str, Any] = {}
    for name, value in given.items():
        inner: Any
        if isinstance(value, Mapping):
            shown[name], inner = withheld(value)
        else:
            shown[name] = json.loads(masked(json.dumps(value)))
            inner = value if shown[name] != value else None
        if inner:
            kept[name] = inner
    return shown, kept


def read_settings(given: dict[str, Any]) -> LoopSettings:
    """The settings in a dictionary, with those that were withheld from it.

    Raises:
        ConfigurationError: a setting does not exist or has a wrong value; the sentence names it.
    """
    try:
        return LoopSettings.model_validate(merge(given, json.loads(os.environ.get(WITHHELD, "{}"))))
    except ValidationError as error:
        problem = first_invalid(error)
        close = nearest(problem.where, LoopSettings.model_fields) if problem.kind == "extra_forbidden" else None
        hint = f"; did you mean {close}?" if close else "."
        raise ConfigurationError(
            f"The agent loop's setting {problem.where} is wrong: {problem.message}{hint}"
        ) from None
