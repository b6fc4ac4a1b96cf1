"""A run's scores in numbers: how many were judged, TARL's classes, rewards with their parts, where runs went wrong."""

from __future__ import annotations

import asyncio
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from typing import Any

from rich.console import Group
from rich.table import Table
from rich.text import Text

from toolgym.judge.annotation.people import people_line
from toolgym.judge.evaluation import metrics
from toolgym.judge.evaluation.usage import usage_rows
from toolgym.judge.scoring.agreement import agreement_of_judges
from toolgym.judge.scoring.judges.rules import RulesJudge
from toolgym.judge.scoring.reward import TurnScores
from toolgym.judge.scoring.rewards.tarl import class_of
from toolgym.judge.scoring.scorer import Score
from toolgym.sandbox.runtime.trajectory import Trajectory

_CAUSES = 3
"""Reasons for not judging that the terminal shows."""


def summarise_scores(scores: Sequence[Score], trajectories: Sequence[Trajectory]) -> dict[str, Any]:
    """Everything the judged table shows, as JSON-able data.

    Args:
        scores: the run's scores.
        trajectories: the trajectories in the same order.
    """
    judged = [score for score in scores if score.turns.scores is not None]
    values = [value for score in judged for value in score.turns.scores or ()]
    return {
        "judge": scores[0].turns.source if scores else "",
        "judged": len(judged),
        "not_judged": len(scores) - len(judged),
        "not_judged_because": dict(_causes(scores).most_common()),
        "turn_scores": {str(value): values.count(value) for value in (1, 0, -1)},
        "classes": dict(Counter(class_of(score.rewards["tarl"]) for score in judged if "tarl" in score.rewards)),
        "rewards": _rewards(scores),
        "deviations": _deviations(scores, trajectories),
    } | _nl_assertions(scores)


def _causes(scores: Sequence[Score]) -> Counter[str]:
    """Why conversations were not judged."""
    missing = [score.turns.reasons for score in scores if score.turns.scores is None]
    return Counter(reasons[0].removeprefix("not judged: ") for reasons in missing if reasons)


def _nl_assertions(scores: Sequence[Score]) -> dict[str, Any]:
    """How many of the tasks' assertions in natural language hold; nothing where no task makes any."""
    stated = [score.nl_assertions for score in scores if score.nl_assertions is not None]
    if not stated:
        return {}
    judged = [item.holds for item in stated if item.holds is not None]
    return {
        "nl_assertions": {
            "conversations": len(stated),
            "judged": len(judged),
            "assertions": sum(map(len, judged)),
            "hold": sum(map(sum, judged)),
            "all_hold": sum(map(all, judged)),
        }
    }


def _rewards(scores: Sequence[Score]) -> dict[str, Any]:
    totals: dict[str, list[float]] = defaultdict(list)
    parts: dict[str, dict[str, list[float]]] = defaultdict(lambda: defaultdict(list))
    for score in scores:
        for name, result in score.rewards.items():
            totals[name].append(result.total)
            for part, value in result.components.items():
                parts[name][part].append(value)
    return {
        name: {
            "mean": metrics.mean(values),
            "components": {part: metrics.mean(items) for part, items in parts[name].items()},
        }
        for name, values in totals.items()
    }


def _deviations(scores: Sequence[Score], trajectories: Sequence[Trajectory]) -> list[dict[str, Any]]:
    """Major deviations by tool and reason, most frequent first."""
    found: Counter[tuple[str, str]] = Counter()
    for score, trajectory in zip(scores, trajectories, strict=True):
        if score.turns.scores is None or -1 not in score.turns.scores:
            continue
        turn = score.turns.scores.index(-1)
        calls = trajectory.turns()[turn].action.tool_calls
        found[(calls[0].name if calls else "message", score.turns.reasons[turn])] += 1
    return [{"tool": tool, "reason": reason, "count": count} for (tool, reason), count in found.most_common()]


def agreement_with_rules(scores: Sequence[Score], trajectories: Sequence[Trajectory]) -> dict[str, Any]:
    """How far a run's judge agrees with the rule judge, turn by turn: Cohen's kappa in all and by class."""

    async def by_rules() -> list[TurnScores]:
        rules = RulesJudge()
        return [await rules.score(trajectory) for trajectory in trajectories]

    found = agreement_of_judges([score.turns for score in scores], asyncio.run(by_rules()))
    return {"with": "rules", **asdict(found)}


def score_table(summary: Mapping[str, Any]) -> Group:
    """The scores for the terminal."""
    rewards = Table(box=None, pad_edge=False)
    for heading in ("reward", "mean", "parts (means)"):
        rewards.add_column(heading, justify="right" if heading == "mean" else "left")
    for name, values in summary["rewards"].items():
        parts = ", ".join(f"{part} {value:.2f}" for part, value in values["components"].items())
        rewards.add_row(name, f"{values['mean']:.3f}", parts)
    classes = ", ".join(f"{name} {count}" for name, count in summary["classes"].items()) or "-"
    turns = ", ".join(f"{score}: {count}" for score, count in summary["turn_scores"].items())
    lines = [
        f"judged by {summary['judge']}: {summary['judged']} ({summary['not_judged']} not judged); turns {turns}",
        f"TARL classes: {classes}",
    ]
    causes = list(summary["not_judged_because"].items())
    lines += [f"not judged, {count} times: {cause}" for cause, count in causes[:_CAUSES]]
    lines += [f"and {len(causes) - _CAUSES} other reasons in scores.jsonl"] if len(causes) > _CAUSES else []
    lines += [f"{name}: {figures}" for name, figures in usage_rows(summary["usage"], summary["unpriced_models"])]
    if "nl_assertions" in summary:
        lines.append(_nl_assertions_line(summary["nl_assertions"]))
    if "agreement" in summary:
        lines.append(_agreement_line(summary["agreement"]))
    if "calibration" in summary:
        lines.append(_calibration_line(summary["calibration"]))
    lines += map(people_line, summary.get("people", ()))
    worst = [f"  {item['count']:>4}  {item['tool']}: {item['reason']}" for item in summary["deviations"][:5]]
    if worst:
        lines += ["turns that the judge scored -1 (a conversation may pass with one):", *worst]
    return Group(Text(), rewards, Text(), Text("\n".join(lines)))


def _nl_assertions_line(found: Mapping[str, Any]) -> str:
    missing = found["conversations"] - found["judged"]
    skipped = f"; {missing} conversations not judged" if missing else ""
    if not found["judged"]:
        return f"assertions in natural language: {missing} conversations not judged (--judge llm judges them)"
    return (
        f"assertions in natural language: {found['hold']} of {found['assertions']} hold, all of them in "
        f"{found['all_hold']} of {found['judged']} conversations{skipped}"
    )


def _calibration_line(found: Mapping[str, Any]) -> str:
    scores = ", ".join(f"{label}: {count}" for label, count in found["turns"].items())
    contested = found["left_out_as_people_differ"]
    return f"calibrated on annotated turns ({scores}) of {', '.join(found['annotators'])}, digest {found['digest']}" + (
        f"; {contested} left out, as people differ" if contested else ""
    )


def _agreement_line(found: Mapping[str, Any]) -> str:
    if not found["turns"]:
        return f"agreement with {found['with']}: no turn was scored by both"
    classes = ", ".join(
        f"{label}: {_figure(part['kappa'])} ({part['first']}/{part['second']} turns)"
        for label, part in found["classes"].items()
    )
    return (
        f"agreement with {found['with']}: Cohen's kappa {_figure(found['kappa'])}, equal on {found['observed']:.1%} of "
        f"{found['turns']} turns; by class {classes}"
    )


def _figure(value: float | None) -> str:
    return "not defined" if value is None else f"{value:.2f}"
