"""What an agent loop hands to verl: a trajectory whose rewards sit on the tokens that earned them, and its numbers."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import torch
from verl.experimental.agent_loop.agent_loop import AgentLoopOutput

from toolgym.judge.evaluation.voids import is_void
from toolgym.sandbox.kit.errors import BadInput
from toolgym.sandbox.kit.message import Json
from toolgym.sandbox.runtime.info import UserChecks
from toolgym.sandbox.runtime.trajectory import Trajectory
from toolgym.training import credit
from toolgym.training.loop.drift import Drift
from toolgym.training.loop.scoring import Scored
from toolgym.training.loop.transcript import Transcript


class TokenRewardOutput(AgentLoopOutput):
    """verl puts the whole reward on the last response token; this output says the token itself.

    Attributes:
        token_rewards: one per response token; their sum is `reward_score`.
    """

    token_rewards: list[float] = []

    def as_dict(self) -> dict[str, Any]:
        """The fields that verl stores, with `rm_scores` as placed by the loop."""
        record: dict[str, Any] = super().as_dict()
        record.pop("token_rewards", None)
        record["rm_scores"] = torch.tensor(self.token_rewards, dtype=torch.float32)
        return record


@dataclass
class Costs:
    """What the generation of one trajectory cost: wall seconds, preemptions, and the weights' training steps seen."""

    generate: float = 0.0
    preempted: int = 0
    steps: list[int] = field(default_factory=list)

    def versions(self) -> dict[str, int | None]:
        """The oldest and the newest weights that took part, as verl names them."""
        return {"min_global_steps": min(self.steps, default=None), "max_global_steps": max(self.steps, default=None)}


@dataclass(frozen=True)
class Played:
    """One finished attempt at a task."""

    trajectory: Trajectory
    transcript: Transcript
    costs: Costs


def numbers(played: Played, scored: Scored, found: Drift | None, attempts: int) -> dict[str, float]:
    """What is averaged and logged, under the same names in every row."""
    trajectory = played.trajectory
    noted = trajectory.info.user
    said = [f"{m.reasoning or ''} {m.content or ''}" for m in trajectory.messages if m.role == "assistant"]
    return {
        "acc": float(scored.passed),
        "clean": float(scored.clean),
        "damage": float(scored.damage),
        "exploit": float(scored.passed and not scored.clean),
        "user_fault": float(isinstance(noted, UserChecks) and noted.uncorrected > 0),
        "void": float(is_void(trajectory)),
        "turns": float(len(played.transcript.turns)),
        "calls": float(len(trajectory.calls)),
        "refused": float(sum(not call.ok for call in trajectory.calls)),
        "unread": float(len(trajectory.info.unread)),
        "wait_markers": float(sum(text.lower().count("wait") for text in said)),
        "attempts": float(attempts),
        "interventions": float(played.transcript.interjections),
        "drift_text": float(found is not None and found.text_at is not None),
        "drift_turns": float(len(found.turns) if found else 0),
        "seconds_generate": played.costs.generate,
        "seconds_environment": trajectory.timing.environment,
        "seconds_user": trajectory.timing.user,
        **({} if scored.seconds is None else {"seconds_judge": scored.seconds}),
        **{f"reward_{name}": value for name, value in scored.components.items()},
    }


def output(played: Played, scored: Scored, mode: str, info: Mapping[str, Json]) -> TokenRewardOutput:
    """The trajectory as verl takes it.

    Args:
        played: the attempt.
        scored: its numbers.
        mode: `trajectory` (the reward on the last generated token) or `turn` (each turn's share on its last token).
        info: what verl keeps beside it as `reward_extra_info`.

    Raises:
        BadInput: the reward has no share per turn and `mode` asks for it.
    """
    transcript, costs = played.transcript, played.costs
    tokens, mask, log_probs = transcript.response()
    if is_void(played.trajectory):
        mask = [0] * len(mask)  # no turn of the agent's decided it: the estimators leave out rows without one
    timing = played.trajectory.timing
    return TokenRewardOutput(
        prompt_ids=transcript.ids[: transcript.prompt],
        response_ids=tokens,
        response_mask=mask,
        response_logprobs=log_probs,
        multi_modal_data={},
        reward_score=scored.total,
        token_rewards=_placed(transcript, scored, mode, len(tokens)),
        num_turns=len(played.trajectory.messages),
        metrics={
            "generate_sequences": costs.generate,
            "tool_calls": timing.environment + timing.user,
            "compute_score": scored.seconds or 0.0,
            "num_preempted": costs.preempted,
        },
        extra_fields={
            "turn_scores": list(scored.turns or ()),
            "tool_rewards": [],
            "reward_extra_info": dict(info),
            **costs.versions(),
        },
    )


def _placed(transcript: Transcript, scored: Scored, mode: str, length: int) -> list[float]:
    ends = [end - 1 for _, end in transcript.turns]
    if mode == "trajectory":
        return credit.place_rewards(ends[-1:], [scored.total], length)
    if scored.turns is None:
        raise BadInput("This reward gives no share per turn; use credit=trajectory, or another reward.")
    return credit.place_rewards(ends, scored.turns, length)
