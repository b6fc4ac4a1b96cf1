"""ToolRL: format and correctness rewards, with their scale, granularity and schedule variants.

Paper: ToolRL: Reward is All Tool Learning Needs, sections 3.3, 5.1 to 5.3.

    R = R_format + R_correct
    R_correct = (high - low) s / S + low,   s = r_name + r_param + r_value of the best matching of calls,
    S = 1 + sum over gold calls of (1 + number of parameters);   default range [-3, 3]

`score_text` is the paper's own setting, one step of text against one step of gold text, as the released scorer computes
it with greedy matching. In an episode the agent's calls are compared with the gold calls as one set of calls, and the
format term is 1 when every action could be read. A gold step without calls gives correctness 0 (the released code).
"""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from toolgym.judge.scoring.reward import RewardResult, TurnScores
from toolgym.judge.scoring.rewards.matching import Call, Granularity, Matching, best_score, jaccard, strict_pair_score
from toolgym.judge.scoring.rewards.tier import readable
from toolgym.judge.scoring.verifier import Verdict
from toolgym.sandbox.runtime.trajectory import Trajectory
from toolgym.sandbox.synthesis.proof.replay import gold_calls

TARGET_WORDS = 512
_THINK, _CALL, _ANSWER = "<think>.*?</think>", "<tool_call>\n.*?\n</tool_call>", "<response>.*?</response>"
_TAGS = ("think", "tool_call", "response")
FORM = {
    (False, True): f"^{_THINK}\n{_ANSWER}$",
    (True, False): f"^{_THINK}\n{_CALL}$",
    (True, True): f"^{_THINK}\n{_CALL}\n{_ANSWER}$",
    (False, False): f"^{_THINK}$",
}


@dataclass(frozen=True)
class ToolRL:
    """The reward with its variants.

    Attributes:
        matching: `greedy` (as released) or `optimal` (as published).
        granularity: `refined` is the paper's main form; `finegrained`, `intermediate`, `coarse` are section 5.3's.
        scale: `fixed`; `equal` (both up to 1); `two_stage`; `dynamic` (section 5.2; the two follow training progress).
        length: None; `fixed` (thinking words over 512); `scheduled` (over 512 (1 + p)) (section 5.1).
        switch: the training progress at which `two_stage` changes (the paper's step 30 of 105).
    """

    matching: Matching = "greedy"
    granularity: Granularity = "refined"
    scale: Literal["fixed", "equal", "two_stage", "dynamic"] = "fixed"
    length: Literal["fixed", "scheduled"] | None = None
    switch: float = 30 / 105

    def __call__(
        self, trajectory: Trajectory, *, verdict: Verdict, scores: TurnScores | None = None, progress: float = 0.0
    ) -> RewardResult:
        """The reward of an episode."""
        right, made = trajectory.of_agent(gold_calls(trajectory.task)), trajectory.of_agent(trajectory.reached)
        gold = [(call.name, call.arguments) for call in right if isinstance(call.arguments, dict)]
        predicted = [(call.name, call.arguments) for call in made if isinstance(call.arguments, dict)]
        thoughts = [m.reasoning or "" for m in trajectory.messages if m.role == "assistant"]
        words = sum(len(text.split()) for text in thoughts) / max(1, len(thoughts))
        return self._total(readable(trajectory), self.correctness(predicted, gold, progress), words, progress)

    def score_text(self, text: str, gold: str, *, progress: float = 0.0) -> RewardResult:
        """The reward of one step of model text against one step of gold text."""
        wanted, found = calls_in(gold), calls_in(text)
        low = self.correct_range(progress)[0]
        has_calls = "<tool_call>" in gold
        correct = 0.0 if not has_calls else low if found is None else self.correctness(found, wanted or [], progress)
        return self._total(well_formed(text, gold), correct, _thinking_words(text), progress)

    def correctness(self, predicted: Sequence[Call], gold: Sequence[Call], progress: float = 0.0) -> float:
        """R_correct of a set of calls; 0 when gold has none."""
        low, high = self.correct_range(progress)
        if not gold:
            return 0.0
        if list(predicted) == list(gold):
            return high
        if self.granularity == "coarse":
            return low
        names, expected = [name for name, _ in gold], [name for name, _ in predicted]
        if self.granularity == "intermediate":
            rest = list(predicted)
            hits = 0
            for call in gold:
                if call in rest:
                    rest.remove(call)
                    hits += 1
            return low + (high - low) * (jaccard(names, expected) + hits) / (1 + len(gold))
        most = 1 + sum(1 + len(arguments) for _, arguments in gold)
        if self.granularity == "finegrained":
            score = float(names == expected) + best_score(gold, predicted, self.matching, strict_pair_score)
        else:
            score = jaccard(names, expected) + best_score(gold, predicted, self.matching)
        return low + (high - low) * score / most

    def correct_range(self, progress: float) -> tuple[float, float]:
        """Lowest and highest correctness at this training progress."""
        high = {
            "fixed": 3.0,
            "equal": 1.0,
            "two_stage": 1.0 if progress < self.switch else 3.0,
            "dynamic": 2.0 + progress,
        }[self.scale]
        return -high, high

    def format_range(self, progress: float) -> tuple[float, float]:
        """Format value of an ill-formed and of a well-formed step at this training progress."""
        if self.scale == "dynamic":
            return -2.0 + progress, 2.0 - progress
        return 0.0, 0.5 if self.scale == "two_stage" and progress >= self.switch else 1.0

    def _total(self, formed: bool, correct: float, words: float, progress: float) -> RewardResult:
        parts = {"format": self.format_range(progress)[int(formed)], "correctness": correct}
        if self.length is not None:
            target = TARGET_WORDS * (1 + progress if self.length == "scheduled" else 1)
            parts["length"] = min(words / target, 1.0)
        return RewardResult("toolrl", sum(parts.values()), parts)


toolrl = ToolRL()


def calls_in(text: str) -> list[Call] | None:
    """The calls between the first `<tool_call>` and the next closing tag, one JSON object a line; or None."""
    match = re.search("<tool_call>(.*?)</tool_call>", text, re.DOTALL)
    if match is None:
        return None
    calls: list[Call] = []
    for line in match[1].strip().split("\n"):
        try:
            record = json.loads(line)
        except ValueError:
            return None
        if not isinstance(record, dict) or not {"name", "parameters"} <= record.keys():
            return None
        if not isinstance(record["parameters"], dict):
            return None
        calls.append((str(record["name"]), record["parameters"]))
    return calls


def well_formed(text: str, gold: str) -> bool:
    """Whether the text has exactly the blocks that gold has, in order, one newline apart, each tag once."""
    has = ("<tool_call>" in gold, "<response>" in gold)
    used = [tag for tag, there in zip(_TAGS, (True, *has), strict=True) if there]
    once = all(text.count(f"<{tag}>") == 1 and text.count(f"</{tag}>") == 1 for tag in used)
    return once and re.match(FORM[has], text, re.DOTALL) is not None


def _thinking_words(text: str) -> int:
    start = text.rfind("<think>")
    end = text.find("</think>", start)
    return len(text[start + len("<think>") : end].split()) if 0 <= start < end else 0
