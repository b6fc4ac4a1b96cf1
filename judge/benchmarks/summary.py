"""A benchmark's run in numbers: by category with counts and interval, then the benchmark's own groups."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from typing import Any

from rich.console import Group as Lines
from rich.markup import escape
from rich.table import Table
from rich.text import Text

from toolgym.judge.benchmarks.contract import Benchmark, Found, Score
from toolgym.judge.benchmarks.play import Scored
from toolgym.judge.evaluation import metrics
from toolgym.judge.evaluation.reply_faults import fault_lines, reply_faults
from toolgym.judge.evaluation.usage import usage_rows, usage_totals
from toolgym.sandbox.runtime.trajectory import Trajectory


def summarise(
    benchmark: Benchmark,
    found: Found,
    every: Sequence[Scored],
    failures: Sequence[Trajectory],
    floor: Sequence[Scored],
    unpriced: Sequence[str] = (),
) -> dict[str, Any]:
    """Everything the table shows, as JSON-able data; what the checker could not score is left out and counted."""
    judged = [(each, each.score) for each in every if each.score is not None]
    played = [each.trajectory for each, _ in judged]
    outcomes = _outcomes(judged)
    trials = max(map(len, outcomes.values()), default=0)
    parts = _by_category(judged)
    silent = _by_category([(each, each.score) for each in floor if each.score is not None])
    whole = {name: (part["mean"], part["rows"]) for name, part in parts.items() if part["rows"] == found.rows[name]}
    groups = benchmark.groups(whole)
    unscored = Counter(each.broken for each in every if each.score is None)
    broken = Counter(each.fault.message for each in failures if each.fault)
    return {
        "benchmark": {"name": benchmark.name, "version": found.version, "digest": found.digest, "known": found.known},
        "tasks": len(outcomes),
        "trajectories": len(judged),
        "infrastructure_failures": len(failures) + unscored.total(),
        "failure_messages": dict(broken + unscored),
        "mean": metrics.mean([score.value for _, score in judged]),
        "pass_hat": {str(k): metrics.pass_hat_k(outcomes, k) for k in range(1, trials + 1)},
        "pass_hat_interval": {str(k): list(metrics.interval(outcomes, k)) for k in range(1, trials + 1)},
        "categories": {
            name: part | {"in_file": found.rows[name], "silence": silent.get(name, {}).get("mean")}
            for name, part in parts.items()
        },
        "families": {name: {"tasks": part["rows"], "pass_hat_1": part["mean"]} for name, part in parts.items()},
        "difficulties": {},
        "groups": [{"name": each.name, "value": each.value, "formula": each.formula} for each in groups],
        "errors": dict(Counter(score.why for _, score in judged if score.why).most_common()),
        "inert": metrics.mean([each.score.value for each in floor if each.score is not None]) if floor else None,
        "reckless": None,
        "damage": None,
        "own": False,
        "turns": metrics.mean([len(each.turns()) for each in played]),
        "calls": metrics.mean([_calls(each) for each in played]),
        "tool_errors": metrics.mean([sum(not call.ok for call in each.calls) for each in played]),
        "seconds": metrics.mean([each.timing.total for each in played]),
        "environment_seconds": metrics.mean([each.timing.environment for each in played]),
        "reply_faults": reply_faults([*played, *failures]),
        "usage": usage_totals([*played, *failures]),
        "unpriced_models": list(unpriced),
    }


def _calls(trajectory: Trajectory) -> int:
    return sum(len(message.tool_calls) for message in trajectory.messages if message.role == "assistant")


def _outcomes(judged: Sequence[tuple[Scored, Score]]) -> dict[str, list[bool]]:
    found: dict[str, list[bool]] = defaultdict(list)
    for each, score in judged:
        found[each.row.id].append(score.passed)
    return dict(found)


def _by_category(judged: Sequence[tuple[Scored, Score]]) -> dict[str, dict[str, Any]]:
    """Of each category the rows, the mean score over rows (their trials averaged first) and its interval."""
    parts: dict[str, dict[str, list[float]]] = defaultdict(lambda: defaultdict(list))
    for each, score in judged:
        parts[each.row.category][each.row.id].append(score.value)
    found = {}
    for name, rows in parts.items():
        mean = metrics.mean([metrics.mean(values) for values in rows.values()])
        low, high = metrics.wilson(mean, len(rows))
        found[name] = {"rows": len(rows), "mean": mean, "low": low, "high": high}
    return found


def table(summary: Mapping[str, Any], title: str) -> Lines:
    """The summary for the terminal."""
    main = Table(title=title, title_justify="left", box=None, pad_edge=False)
    for name in ("category", "rows", "of", "score", "95 %", "doing nothing"):
        main.add_column(name, justify="left" if name == "category" else "right", overflow="fold")
    for name, part in summary["categories"].items():
        span = f"{part['low']:.3f} to {part['high']:.3f}"
        main.add_row(
            name, str(part["rows"]), str(part["in_file"]), f"{part['mean']:.3f}", span, _number(part["silence"])
        )
    lines: list[Table | Text] = [main]
    shown = [group for group in summary["groups"] if group["value"] is not None]
    if shown:
        groups = Table(box=None, pad_edge=False)
        for name in ("group", "score", "made of"):
            groups.add_column(name, justify="right" if name == "score" else "left")
        for group in shown:
            groups.add_row(group["name"], f"{group['value']:.4f}", escape(group["formula"]))
        lines += [Text(), groups]
    lines += [Text(), _rest(summary), *map(Text, fault_lines(summary["reply_faults"]))]
    return Lines(*lines)


def _rest(summary: Mapping[str, Any]) -> Table:
    rest = Table(show_header=False, box=None, pad_edge=False)
    rest.add_column(style="bold")
    rest.add_column()
    hats = ", ".join(f"pass^{k} {value:.3f}" for k, value in summary["pass_hat"].items())
    rest.add_row("episodes", f"{summary['trajectories']} of {summary['tasks']} rows; {hats or 'none finished'}")
    if summary["errors"]:
        found = [f"{name} {count}" for name, count in list(summary["errors"].items())[:6]]
        rest.add_row("checker", escape(", ".join(found)))
    if not all(group["value"] is not None for group in summary["groups"]):
        missing = ", ".join(group["name"] for group in summary["groups"] if group["value"] is None)
        rest.add_row("not printed", escape(f"{missing}: not all of their rows were played"))
    if summary["infrastructure_failures"]:
        messages = summary["failure_messages"]
        most = max(messages, key=lambda message: messages[message])
        rest.add_row("left out", escape(f"{summary['infrastructure_failures']} infrastructure failures: {most}"))
    for name, text in usage_rows(summary["usage"], summary["unpriced_models"]):
        rest.add_row(name, escape(text))
    about = summary["benchmark"]
    unknown = "" if about["known"] else "; not a version that this adapter was checked with"
    rest.add_row("data", escape(f"{about['version']}, digest {about['digest']}{unknown}"))
    return rest


def _number(value: float | None) -> str:
    return "-" if value is None else f"{value:.3f}"
