"""Loops of rows that are one generation: a math problem, or one step of a recorded trajectory with its history."""

from __future__ import annotations

import asyncio
from typing import Any
from uuid import uuid4

from verl.experimental.agent_loop.agent_loop import register

from toolgym.judge.scoring.rewards.toolrl import ToolRL
from toolgym.judge.scoring.rewards.toolrl_released import ReleasedToolRL
from toolgym.training import credit
from toolgym.training.data.maths import right
from toolgym.training.loop.agent_loop import ConfiguredLoop
from toolgym.training.loop.output import Costs, TokenRewardOutput
from toolgym.training.rewards import STEP_REWARDS, make_reward


class SingleLoop(ConfiguredLoop):
    """Shows the model the row's prompt and scores what it writes."""

    async def run(self, sampling_params: dict[str, Any], **row: Any) -> TokenRewardOutput:
        """Generate once and score."""
        messages = [dict(message) for message in row["raw_prompt"]]
        transcript, costs = await asyncio.to_thread(self.transcript, messages, None), Costs()
        text = await self.generate(transcript, self.seeded(sampling_params, row), uuid4().hex, costs, transcript.room)
        truth = str(row["reward_model"]["ground_truth"])
        total, passed = await asyncio.to_thread(self.score, text, truth, self.progress(row))
        tokens, mask, log_probs = transcript.response()
        return TokenRewardOutput(
            prompt_ids=transcript.ids[: transcript.prompt],
            response_ids=tokens,
            response_mask=mask,
            response_logprobs=log_probs,
            multi_modal_data={},
            reward_score=total,
            token_rewards=credit.place_rewards([len(tokens) - 1], [total], len(tokens)),
            num_turns=len(messages) + 1,
            metrics={"generate_sequences": costs.generate, "num_preempted": costs.preempted},
            extra_fields=costs.versions()
            | {
                "turn_scores": [total],
                "tool_rewards": [],
                "reward_extra_info": {
                    "acc": float(passed),
                    "turns": 1.0,
                    "wait_markers": float(text.lower().count("wait")),
                    "seconds_generate": costs.generate,
                },
            },
        )

    def score(self, text: str, truth: str, progress: float) -> tuple[float, bool]:
        """The reward of a text, and whether it is right."""
        raise NotImplementedError


@register("toolgym_math")
class MathLoop(SingleLoop):
    """A problem with an integer answer: 1 when the answer is right, else 0 (TARL section 4.1)."""

    def score(self, text: str, truth: str, progress: float) -> tuple[float, bool]:
        """Compare answers."""
        passed = right(text, truth)
        return float(passed), passed


@register("toolgym_step")
class StepLoop(SingleLoop):
    """One step of text against the gold step (ToolRL section 3.3), with the run's variant of that reward."""

    def score(self, text: str, truth: str, progress: float) -> tuple[float, bool]:
        """ToolRL's reward; right when no better correctness is possible."""
        own = self.settings.reward in STEP_REWARDS
        reward = make_reward(self.settings.reward if own else "toolrl", self.settings.reward_options if own else {})
        if isinstance(reward, ReleasedToolRL):  # its schedules count steps
            step = round(progress * reward.steps)
            result, ranges = reward.score_text(text, truth, step=step), _best(reward, step)
        else:
            assert isinstance(reward, ToolRL)
            result, ranges = reward.score_text(text, truth, progress=progress), _best(reward, progress)
        formed = result.components["format"] >= ranges[0]
        correct = ranges[1] if "<tool_call>" in truth else 0.0
        return result.total, formed and result.components["correctness"] >= correct


def _best(reward: Any, when: float) -> tuple[float, float]:
    """The highest format and the highest correctness at a point of the training."""
    return reward.format_range(when)[1], reward.correct_range(when)[1]
