"""ToolRL's reward as its authors' scorer computes it, with the scorer's switches, which can be combined.

The paper's own form is `toolgym.judge.scoring.rewards.toolrl`; docs/rewards.md lists where the two differ. What is
reproduced here was found by running the released scorer (github.com/qiancheng0/ToolRL, its
`verl/utils/reward_score/rlla.py`) beside this one: format looks at the call and response tags alone, calls are compared
as whole objects, `finegrained` names of parameters in their order, lengths are rounded, schedules count steps.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from toolgym.judge.scoring.reward import RewardResult, TurnScores
from toolgym.judge.scoring.rewards.matching import Granularity, jaccard
from toolgym.judge.scoring.rewards.tier import readable
from toolgym.judge.scoring.rewards.toolrl import FORM, TARGET_WORDS
from toolgym.judge.scoring.verifier import Verdict
from toolgym.sandbox.kit.message import Json
from toolgym.sandbox.runtime.trajectory import Trajectory
from toolgym.sandbox.synthesis.proof.replay import gold_calls

_LONGEST = 150
"""Steps after which the dynamic scale has reached its end."""
_EPOCHS = 105
"""Steps of the released run, over which the scheduled length grows."""
_FIRST, _LAST = 384, 640
_BLOCKS = ("tool_call", "response")
Calls = Sequence[Any]


@dataclass(frozen=True)
class ReleasedToolRL:
    """The reward with the released scorer's switches; several may be on.

    Attributes:
        equal: correctness goes up to 1 instead of 3 (`CORRECTMAX1`).
        two_stage: a third of correctness before step 30, half of format from then on (`MAX1STEP30MAX3`).
        dynamic: format shrinks and correctness grows over 150 steps (`SCHEDULEREWARD`).
        granularity: `finegrained` is `REFINEDREWARD`, the others are called as there.
        length: None; `fixed` (`WITHLENGTH`); `scheduled` (with `SCHEDULELENGTH` as well).
        steps: of the training, which turn its progress into a step.
    """

    equal: bool = False
    two_stage: bool = False
    dynamic: bool = False
    granularity: Granularity = "refined"
    length: Literal["fixed", "scheduled"] | None = None
    steps: int = _EPOCHS

    def __call__(
        self, trajectory: Trajectory, *, verdict: Verdict, scores: TurnScores | None = None, progress: float = 0.0
    ) -> RewardResult:
        """The reward of an episode: its calls against the gold calls, as one step each."""
        made, gold = _records(trajectory, trajectory.reached), _records(trajectory, gold_calls(trajectory.task))
        step = round(progress * self.steps)
        thoughts = [m.reasoning or "" for m in trajectory.messages if m.role == "assistant"]
        words = sum(len(text.split()) for text in thoughts) / max(1, len(thoughts))
        return self._total(readable(trajectory), self._correctness(made, gold, step), words, step)

    def score_text(self, text: str, gold: str, *, step: int = 0) -> RewardResult:
        """The reward of one step of model text against one step of gold text, at a step of the training."""
        wanted, made = _calls_in(gold), _calls_in(text)
        low = self.correct_range(step)[0]
        correct = 0.0 if wanted is None else low if made is None else self._correctness(made, wanted, step)
        return self._total(_is_formed(text, gold), correct, _words(text), step)

    def correct_range(self, step: int) -> tuple[float, float]:
        """Lowest and highest correctness at a step."""
        high = 1.0 if self.equal else 3.0
        if self.two_stage and step < 30:
            high /= 3
        if self.dynamic:
            high = min(3.0, 2 + (high - 2) * step / _LONGEST)
        return -high, high

    def format_range(self, step: int) -> tuple[float, float]:
        """Format value of an ill-formed and of a well-formed step."""
        low, high = 0.0, 0.5 if self.two_stage and step >= 30 else 1.0
        if self.dynamic:
            done = step / _LONGEST
            low, high = min(-1.0, -2 + (2 + low) * done), max(1.0, 2 - (2 - high) * done)
        return low, high

    def _correctness(self, made: Calls, gold: Calls, step: int) -> float:
        low, high = self.correct_range(step)
        if not gold:
            return 0.0
        if list(made) == list(gold):
            return high
        if self.granularity == "coarse":
            return low
        try:
            share = self._share(made, gold)
        except (KeyError, TypeError, AttributeError):  # something in it is no call
            return low
        return low + (high - low) * share

    def _share(self, made: Calls, gold: Calls) -> float:
        """The score of the greedily matched calls, as a share of the most there is."""
        alike = _same_list if self.granularity == "finegrained" else jaccard
        score = alike([call["name"] for call in gold], [call["name"] for call in made])
        most, free = 1.0, list(range(len(made)))
        for call in gold:
            most += 1.0 if self.granularity == "intermediate" else 1.0 + len(call["parameters"])
            found, index = self._best(call, made, free, alike)
            if index is not None:
                free.remove(index)
                score += found
        return score / most

    def _best(
        self, call: Json, made: Calls, free: Sequence[int], alike: Callable[[list[str], list[str]], float]
    ) -> tuple[float, int | None]:
        best, chosen = 0.0, None
        for index in free:
            other = made[index]
            if other["name"] != call["name"]:
                continue
            if self.granularity == "intermediate":
                found = float(other == call)
            else:
                wanted, given = call["parameters"], other["parameters"]
                found = alike(list(wanted.keys()), list(given.keys()))
                found += sum(1.0 for name, value in wanted.items() if name in given and given[name] == value)
            if found > best:
                best, chosen = found, index
        return best, chosen

    def _total(self, formed: bool, correct: float, words: float | None, step: int) -> RewardResult:
        parts = {"format": self.format_range(step)[int(formed)], "correctness": correct}
        if self.length is not None:
            target = TARGET_WORDS if self.length == "fixed" else _FIRST + (_LAST - _FIRST) * step / _EPOCHS
            parts["length"] = 0.0 if words is None else min(1.0, round(words / target, 2))
        return RewardResult("toolrl_released", sum(parts.values()), parts)


toolrl_released = ReleasedToolRL()


def _records(trajectory: Trajectory, calls: Sequence[Any]) -> list[Json]:
    return [{"name": call.name, "parameters": call.arguments} for call in trajectory.of_agent(calls)]


def _same_list(one: list[str], other: list[str]) -> float:
    return float(one == other)


def _calls_in(text: str) -> list[Json] | None:
    """The lines between the first `<tool_call>` and the next closing tag as JSON; None where they are none."""
    if "<tool_call>" not in text or "</tool_call>" not in text:
        return None
    lines = text.split("<tool_call>")[1].split("</tool_call>")[0].strip().split("\n")
    try:
        return [json.loads(line) for line in lines]
    except ValueError:
        return None


def _is_formed(text: str, gold: str) -> bool:
    """Whether the text has gold's blocks in order; tags of thoughts may stand any number of times."""
    has = {tag: f"<{tag}>" in gold for tag in _BLOCKS}
    once = all(text.count(f"<{tag}>") == 1 == text.count(f"</{tag}>") for tag in _BLOCKS if has[tag])
    return once and re.match(FORM[has["tool_call"], has["response"]], text, re.DOTALL) is not None


def _words(text: str) -> int | None:
    """How many words the last thoughts have; None where there are none."""
    if "<think>" not in text or "</think>" not in text:
        return None
    return len(text.split("<think>")[-1].split("</think>")[0].split())
