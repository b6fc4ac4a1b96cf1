"""What may not run away in an episode."""

from __future__ import annotations

from pydantic import Field

from toolgym.sandbox.kit.message import Frozen


class Limits(Frozen):
    """What may not run away in an episode."""

    max_turns: int = Field(default=30, ge=1, description="agent steps per episode")
    max_user_turns: int | None = Field(
        default=None, ge=1, description="times the user may speak, the opening counted; unset: as often as it likes"
    )
    max_errors: int = Field(default=20, ge=1, description="refused tool calls in a row before the episode ends")
    max_calls_per_turn: int = Field(
        default=32, ge=1, description="tool calls in one agent step; further ones are refused"
    )
    max_retries: int = Field(
        default=0, ge=0, description="times an agent that answers by a program may try again after a fault"
    )
    max_user_calls: int = Field(default=16, ge=1, description="tool calls a user may make before answering")
    max_result_chars: int = Field(default=100_000, ge=100, description="characters of one tool result shown to a side")
    tool_seconds: float = Field(default=60.0, gt=0, description="seconds one remote tool call may take")
    model_seconds: float = Field(default=600.0, gt=0, description="seconds one reply of an agent or user may take")
    user_seconds: float | None = Field(default=None, gt=0, description="the same of a user alone; unset: as the agent")
    episode_seconds: float = Field(default=3600.0, gt=0, description="seconds an episode may take")
