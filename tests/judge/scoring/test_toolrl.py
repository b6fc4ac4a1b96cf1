"""ToolRL's reward equals hand-computed vectors and, with greedy matching, verl's copy of the released scorer."""

import json
import random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from toolgym.judge.scoring.rewards.matching import best_score
from toolgym.judge.scoring.rewards.toolrl import ToolRL, toolrl
from toolgym.judge.scoring.rewards.toolrl_released import ReleasedToolRL, toolrl_released

GOLD = '<think>\nx\n</think>\n<tool_call>\n{"name": "f", "parameters": {"a": 1}}\n</tool_call>'


def step_text(*calls: dict[str, Any], gap: str = "\n") -> str:
    lines = "\n".join(json.dumps(call) for call in calls)
    return f"<think>\nthought\n</think>{gap}<tool_call>\n{lines}\n</tool_call>"


F = {"name": "f", "parameters": {"a": 1}}


@pytest.mark.parametrize(
    ("text", "total"),
    [
        (step_text(F), 4.0),
        (step_text({"name": "f", "parameters": {"a": 2}}), 2.0),
        (step_text({"name": "g", "parameters": {"a": 1}}), -2.0),
        ("<think>\nx\n</think>\n<response>hello</response>", -3.0),
        (step_text(F, gap=""), 3.0),
        (step_text(F, {"name": "h", "parameters": {}}), 3.0),
        ("<think>\nx\n</think>\n<tool_call>\n[]\n</tool_call>", -2.0),
    ],
)
def test_vectors(text: str, total: float) -> None:
    assert toolrl.score_text(text, GOLD).total == pytest.approx(total)


@pytest.mark.parametrize(
    ("variant", "progress", "parts"),
    [
        ("dynamic", 0.0, (2.0, 2.0)),
        ("dynamic", 0.5, (1.5, 2.5)),
        ("dynamic", 1.0, (1.0, 3.0)),
        ("two_stage", 0.0, (1.0, 1.0)),
        ("two_stage", 0.5, (0.5, 3.0)),
        ("equal", 0.3, (1.0, 1.0)),
    ],
)
def test_scales_of_an_exact_answer(variant: Any, progress: float, parts: tuple[float, float]) -> None:
    result = ToolRL(scale=variant).score_text(step_text(F), GOLD, progress=progress)
    assert (result.components["format"], result.components["correctness"]) == pytest.approx(parts)


def test_granularity() -> None:
    gold = [("f", {"a": 1, "b": 2}), ("g", {"c": 3})]
    near = [("f", {"a": 1, "b": 0}), ("g", {"c": 3})]
    assert ToolRL(granularity="coarse").correctness(near, gold) == -3
    assert ToolRL(granularity="intermediate").correctness(near, gold) == pytest.approx(-3 + 6 * 2 / 3)
    assert ToolRL(granularity="refined").correctness(near, gold) == pytest.approx(-3 + 6 * 5 / 6)
    swapped = list(reversed(near))
    refined, fine = (ToolRL(granularity=kind).correctness(swapped, gold) for kind in ("refined", "finegrained"))
    assert refined - fine == pytest.approx(1.0), "finegrained asks for the same order of names"


def test_length() -> None:
    text = step_text(F).replace("thought", "word " * 256)
    assert ToolRL(length="fixed").score_text(text, GOLD).components["length"] == pytest.approx(0.5)
    assert ToolRL(length="scheduled").score_text(text, GOLD, progress=1.0).components["length"] == pytest.approx(0.25)


def test_optimal_matching_beats_greedy() -> None:
    gold = [("f", {"a": 1}), ("f", {"a": 1, "b": 2})]
    predicted = [("f", {"a": 1, "b": 2}), ("f", {"a": 1})]
    gold_first = [("f", {"a": 1, "b": 9}), ("f", {"a": 1, "b": 2})]
    assert best_score(gold, predicted, "optimal") >= best_score(gold, predicted, "greedy")
    assert best_score(gold_first, predicted, "optimal") > best_score(gold_first, predicted, "greedy")


values = st.integers(0, 2) | st.sampled_from(["x", "y"])
calls = st.lists(
    st.tuples(st.sampled_from("fgh"), st.dictionaries(st.sampled_from("abc"), values, max_size=3)), max_size=4
)


@given(calls, calls.filter(bool), st.randoms())
def test_range_and_order(predicted: Any, gold: Any, rng: random.Random) -> None:
    optimal = ToolRL(matching="optimal")
    value = optimal.correctness(predicted, gold)
    assert -3 <= value <= 3 and value >= ToolRL(matching="greedy").correctness(predicted, gold) - 1e-9
    shuffled = list(predicted)
    rng.shuffle(shuffled)
    assert optimal.correctness(shuffled, gold) == pytest.approx(value), "the order of calls does not matter"
    assert optimal.correctness(gold, gold) == 3


def random_text(rng: random.Random) -> str:
    names, keys = ["f", "g", "h"], ["a", "b", "c"]
    lines = [
        json.dumps(
            {"name": rng.choice(names), "parameters": {k: rng.choice([1, 2, "x"]) for k in keys if rng.random() < 0.6}}
        )
        for _ in range(rng.choice([1, 1, 2, 3]))
    ]
    blocks = ["<think>some thoughts</think>"]
    kind = rng.random()
    if kind < 0.85:
        blocks.append("<tool_call>\n" + "\n".join(lines) + "\n</tool_call>")
    if kind > 0.7:
        blocks.append("<response>a reply</response>")
    text = rng.choice(["\n", "\n", "\n", ""]).join(blocks)
    return text.replace("}", "", 1) if rng.random() < 0.05 else text


def test_agrees_with_verls_copy_of_the_released_scorer() -> None:
    from verl.utils.reward_score import rlla

    rng = random.Random(1)
    for _ in range(3000):
        text, gold = random_text(rng), random_text(rng)
        if "<tool_call>" in gold and toolrl.score_text(gold, gold).components["correctness"] < 3:
            continue  # a gold that cannot be read is no gold
        result = rlla.compute_score(
            "rlla", f"<|im_start|>assistant\n{text}<|im_end|>", gold, {"experiment_name": "qwen"}
        )
        ours = toolrl.score_text(text, gold)
        assert ours.components["format"] == result["format_reward"], (text, gold)
        assert ours.components["correctness"] == pytest.approx(result["accuracy_reward"]), (text, gold)


def test_the_released_form_agrees_with_verls_copy_also_where_gold_cannot_be_read() -> None:
    from verl.utils.reward_score import rlla

    rng = random.Random(2)
    for _ in range(3000):
        text, gold = random_text(rng), random_text(rng)
        if rng.random() < 0.1:
            text = text.replace("some thoughts", "the <think> tag")
        try:
            result = rlla.compute_score(
                "rlla", f"<|im_start|>assistant\n{text}<|im_end|>", gold, {"experiment_name": "qwen"}
            )
        except ValueError:
            continue  # a gold that cannot be read ends the released scorer
        ours = toolrl_released.score_text(text, gold)
        assert ours.components["format"] == result["format_reward"], (text, gold)
        assert ours.components["correctness"] == pytest.approx(result["accuracy_reward"]), (text, gold)


@pytest.mark.parametrize(
    ("variant", "step", "parts"),
    [
        ({}, 0, (1.0, 3.0)),
        ({"two_stage": True}, 29, (1.0, 1.0)),
        ({"two_stage": True}, 30, (0.5, 3.0)),
        ({"dynamic": True}, 75, (1.5, 2.5)),
        ({"equal": True, "two_stage": True}, 0, (1.0, 1 / 3)),
        ({"equal": True, "dynamic": True}, 150, (1.0, 1.0)),
        ({"two_stage": True, "dynamic": True}, 75, (1.25, 2.5)),
    ],
)
def test_the_released_switches_can_be_combined(variant: Any, step: int, parts: tuple[float, float]) -> None:
    result = ReleasedToolRL(**variant).score_text(step_text(F), GOLD, step=step)
    assert (result.components["format"], result.components["correctness"]) == pytest.approx(parts)


def test_the_released_form_differs_from_the_papers_where_the_page_says_so() -> None:
    twice = step_text(F).replace("thought", "a <think> tag")
    assert (toolrl.score_text(twice, GOLD).total, toolrl_released.score_text(twice, GOLD).total) == (3.0, 4.0)
    stray = step_text({"name": "g"}, F)
    assert toolrl.score_text(stray, GOLD).components["correctness"] == -3
    assert toolrl_released.score_text(stray, GOLD).components["correctness"] == pytest.approx(2.0)
    extra = step_text({**F, "id": 1})
    for granularity in ("coarse", "intermediate"):
        assert ReleasedToolRL(granularity=granularity).score_text(extra, GOLD).components["correctness"] < 3
