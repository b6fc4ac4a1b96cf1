"""A run in numbers: what `toolgym eval` prints and writes to summary.json."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from typing import Any, get_args

from rich.console import Group
from rich.markup import escape
from rich.table import Table
from rich.text import Text

from toolgym.judge.evaluation import metrics
from toolgym.judge.evaluation.adherence import adherence, adherence_table, canaries, canary_line
from toolgym.judge.evaluation.depth.summary import by_depth, depth_table
from toolgym.judge.evaluation.made_with import in_words
from toolgym.judge.evaluation.reply_faults import fault_lines, reply_faults
from toolgym.judge.evaluation.speech_summary import speech_rows, summarise_speech
from toolgym.judge.evaluation.trait_success import trait_success, trait_table
from toolgym.judge.evaluation.usage import simulator_errors, usage_rows, usage_totals
from toolgym.judge.evaluation.voids import void_line, voids
from toolgym.judge.scoring.damage import outside_rows
from toolgym.judge.scoring.reasoning import reasoning_line, reasoning_summary
from toolgym.judge.scoring.verifier import Basis, Verdict, verify
from toolgym.sandbox.kit.task import Difficulty
from toolgym.sandbox.runtime import registry
from toolgym.sandbox.runtime.registry import get_domain
from toolgym.sandbox.runtime.trajectory import Trajectory

Judged = tuple[Trajectory, Verdict]
FLOORS = {"inert": "doing nothing", "reckless": "guessing"}
"""Agents of no use, with what they do: what they reach stands beside every score."""

CLEAN = "(passed, told everything, broke no rule)"
"""What a clean pass means, for every table that shows one."""
WORDLESS = "-  (the oracle holds no conversation; the demonstrator does)"
"""In the place of a clean pass where nothing but right calls was played."""


def judge_all(trajectories: Sequence[Trajectory]) -> list[Judged]:
    """Each trajectory with its verdict; infrastructure failures left out."""
    return [(t, verify(t)) for t in trajectories if t.termination != "infrastructure_error"]


def outcomes(judged: Sequence[Judged], basis: Basis) -> dict[str, list[bool]]:
    """Success of each task's trials."""
    found: dict[str, list[bool]] = defaultdict(list)
    for trajectory, verdict in judged:
        found[trajectory.task.id].append(verdict.passed(basis))
    return dict(found)


def summarise(
    judged: Sequence[Judged],
    failures: Sequence[Trajectory],
    *,
    basis: Basis,
    floors: Mapping[str, Sequence[Judged]] | None = None,
    unpriced: Sequence[str] = (),
    text: Sequence[Judged] = (),
    settings: Mapping[str, Any] | None = None,
) -> dict[str, Any]:
    """Everything the summary table shows, as JSON-able data.

    Args:
        judged: the run's finished trajectories.
        failures: infrastructure failures, counted apart.
        basis: what success compares.
        floors: what agents of no use did on the same tasks, by agent (see `FLOORS`).
        unpriced: models whose cost is counted as 0 because their price is not known.
        text: a spoken run's tasks and trials played in text.
        settings: what run.json says, for what the scores are of and what they were made with.
    """
    results = outcomes(judged, basis)
    trials = max((len(values) for values in results.values()), default=0)
    return {
        "tasks": len(results),
        "trajectories": len(judged),
        "infrastructure_failures": len(failures),
        "failure_boundaries": _count(t.fault.boundary for t in failures if t.fault),
        "failure_messages": _count(t.fault.message for t in failures if t.fault),
        "basis": basis,
        "pass_hat": {str(k): metrics.pass_hat_k(results, k) for k in range(1, trials + 1)},
        "pass_hat_interval": {str(k): list(metrics.interval(results, k)) for k in range(1, trials + 1)},
        "pass_tasks": {str(k): sum(len(values) >= k for values in results.values()) for k in range(1, trials + 1)},
        "pass_first": {str(k): metrics.pass_first_k(results, k) for k in range(1, trials + 1)},
        "own": all(t.task.is_own for t, _ in judged),
        "flawed": _without_flawed(judged, basis),
        "clean": _clean(judged, basis),
        "clean_interval": list(metrics.interval(_outcomes(judged, _cleanly(basis)))) if judged else None,
        "wordless": bool(judged) and all(t.agent == "oracle" and t.user != "none" for t, _ in judged),
        "published": {
            "state": _mean_of(judged, lambda verdict: verdict.published("state")),
            "writes": _mean_of(judged, lambda verdict: verdict.published("writes")),
        },
        "violations": _count(kind for _, verdict in judged for kind in sorted({v.kind for v in verdict.violations})),
        "reason_given": _share(judged, lambda verdict: verdict.reason_given),
        "state": _share(judged, lambda verdict: verdict.state),
        "writes": _share(judged, lambda verdict: verdict.writes),
        "communicate": _share(judged, lambda verdict: verdict.communicate),
        "told": _share(judged, lambda verdict: verdict.told),
        "turns": metrics.mean([len(t.turns()) for t, _ in judged]),
        "calls": metrics.mean([len(t.reached) for t, _ in judged]),
        "tool_errors": metrics.mean([sum(not call.ok for call in t.reached) for t, _ in judged]),
        "seconds": metrics.mean([t.timing.total for t, _ in judged]),
        "environment_seconds": metrics.mean([t.timing.environment for t, _ in judged]),
        "damage": metrics.mean([float(bool(outside_rows(t))) for t, _ in judged]),
        "pass_hat_1_with_failures": _with_failures(results, failures),
        "adherence": adherence(judged, basis),
        "canary": canaries(t for t, _ in judged),
        "traits": trait_success(judged, basis),
        "terminations": _count(t.termination for t, _ in judged),
        "families": _by(judged, basis, lambda t: t.task.family),
        "difficulties": _by(judged, basis, lambda t: t.task.difficulty),
        **{agent: _floor((floors or {}).get(agent, ()), basis) for agent in FLOORS},
        "usage": usage_totals([*(t for t, _ in judged), *failures]),
        "unpriced_models": list(unpriced),
        "reply_faults": reply_faults([*(t for t, _ in judged), *failures]),
        "simulator_errors": simulator_errors(t for t, _ in judged),
        "void": voids(judged, basis),
        "reasoning": reasoning_summary(t for t, _ in judged),
        "speech": summarise_speech(judged, text, basis),
        "by_depth": by_depth(judged, basis),
        **({} if settings is None else {"model": model_of(settings), "made_with": settings.get("made_with")}),
    }


_OF_MODELS = ("agent_model", "agent_temperature", "user_model", "user_temperature", "max_tokens", "format")


def model_of(settings: Mapping[str, Any]) -> dict[str, Any]:
    """The settings of a run's models, by people's words; empty where nothing but scripted parts took part."""
    if not (settings.get("agent_model") or settings.get("user_model")):
        return {}
    return {name.replace("_", " "): settings[name] for name in _OF_MODELS if settings.get(name) is not None}


def _with_failures(results: Mapping[str, Sequence[bool]], failures: Sequence[Trajectory]) -> float | None:
    """pass^1 with what could not be evaluated counted as failed; None where there is nothing of the sort."""
    if not failures:
        return None
    every = {task: list(trials) for task, trials in results.items()}
    for failure in failures:
        every.setdefault(failure.task.id, []).append(False)
    return metrics.pass_hat_k(every, 1)


def _mean_of(judged: Sequence[Judged], success: Callable[[Verdict], bool]) -> float | None:
    """pass^1 by another sort of success."""
    return metrics.pass_hat_k(_outcomes(judged, success), 1) if judged else None


def _outcomes(judged: Sequence[Judged], success: Callable[[Verdict], bool]) -> metrics.Outcomes:
    found: dict[str, list[bool]] = defaultdict(list)
    for trajectory, verdict in judged:
        found[trajectory.task.id].append(success(verdict))
    return found


def _without_flawed(judged: Sequence[Judged], basis: Basis) -> dict[str, Any] | None:
    """The scores without the published tasks whose gold was found to break a rule; None where none was played."""
    sound = [each for each in judged if each[0].task.id not in _flawed(each[0].task.domain)]
    tasks = {t.task.id for t, _ in judged} - {t.task.id for t, _ in sound}
    if not tasks or not sound:
        return None
    return {"tasks": len(tasks), "pass_hat_1": _floor(sound, basis), "clean": _clean(sound, basis)}


def _flawed(world: str) -> Mapping[str, str]:
    """The flawed tasks of version 2 of a world, where it is installed."""
    domain = get_domain(world) if world in registry.names("domains") else None
    return domain.open_data("v2").flawed if domain is not None and "v2" in domain.data else {}


def _clean(judged: Sequence[Judged], basis: Basis) -> float | None:
    return _mean_of(judged, _cleanly(basis))


def _cleanly(basis: Basis) -> Callable[[Verdict], bool]:
    return lambda verdict: verdict.passed(basis) and verdict.well_conducted


def _floor(judged: Sequence[Judged], basis: Basis) -> float | None:
    return metrics.pass_hat_k(outcomes(judged, basis), 1) if judged else None


def _share(judged: Sequence[Judged], pick: Callable[[Verdict], bool | None]) -> float | None:
    values = [value for _, verdict in judged if (value := pick(verdict)) is not None]
    return metrics.mean([float(value) for value in values]) if values else None


def _count(values: Any) -> dict[str, int]:
    found: dict[str, int] = defaultdict(int)
    for value in values:
        found[value] += 1
    return dict(sorted(found.items()))


def _by(judged: Sequence[Judged], basis: Basis, key: Callable[[Trajectory], str]) -> dict[str, Any]:
    parts: dict[str, list[Judged]] = defaultdict(list)
    for item in judged:
        parts[key(item[0]) or "-"].append(item)
    return {
        name: {"tasks": len(results), "pass_hat_1": metrics.pass_hat_k(results, 1)}
        for name, results in ((name, outcomes(items, basis)) for name, items in sorted(parts.items(), key=_order))
    }


def _order(part: tuple[str, object]) -> tuple[int, str]:
    """Difficulties from simple to hard, everything else by name."""
    known: tuple[str, ...] = get_args(Difficulty)
    return (known.index(part[0]) if part[0] in known else 0, part[0])


def table(summary: Mapping[str, Any], title: str) -> Group:
    """The summary for the terminal."""
    main = Table(title=title, title_justify="left", show_header=False, box=None, pad_edge=False)
    main.add_column(style="bold")
    main.add_column()
    for row in _rows(summary):
        main.add_row(*row)
    parts: list[Table | Text | Group] = [main]
    for name in ("families", "difficulties"):
        groups = summary[name]
        if len(groups) > 1:
            parts += [Text(), _groups(name, groups)]
    if summary.get("by_depth"):
        parts.append(depth_table(summary["by_depth"]))
    if summary["adherence"]:
        parts += [Text(), adherence_table(summary["adherence"])]
    if summary.get("traits"):
        parts += [Text(), trait_table(summary["traits"])]
    notes = fault_lines(summary.get("reply_faults") or {})
    if notes:
        parts.append(Text("\n" + "\n".join(notes)))
    return Group(*parts)


def _rows(summary: Mapping[str, Any]) -> list[tuple[str, str]]:
    rows: list[tuple[str, str]] = []
    if not summary["trajectories"]:
        return [*_left_out(summary), ("episodes", "none finished, so there is nothing to score")]
    if summary.get("own") and not summary.get("wordless"):
        rows.append(("clean pass", f"{_number(summary['clean'])}  {CLEAN}"))
    for k, value in summary["pass_hat"].items():
        low, high = summary["pass_hat_interval"][k]
        first = summary["pass_first"][k]
        over = "" if summary["pass_tasks"][k] == summary["tasks"] else f";  {summary['pass_tasks'][k]} tasks"
        text = f"{value:.3f}  (95 % {low:.3f} to {high:.3f};  first {k} all pass: {first:.3f}{over})"
        rows.append((f"pass^{k}", text))
    if summary.get("flawed"):
        without = summary["flawed"]
        scores = f"clean {_number(without['clean'])}, pass^1 {_number(without['pass_hat_1'])}"
        count = f"{without['tasks']} task{'s' if without['tasks'] > 1 else ''}"
        rows.append(("without flawed", f"{scores}  (but for {count} whose gold breaks a rule)"))
    passes = list(summary["pass_hat"].values())
    if len(passes) > 1 and passes[0] == passes[-1]:
        rows.append(("", f"every task's {len(passes)} trials ended alike: all passed or all failed"))
    for agent, called in FLOORS.items():
        if summary.get(agent) is not None:
            rows.append((called, f"{summary[agent]:.3f}  (pass^1 of the {agent} agent on the same tasks)"))
    if summary["speech"]:
        rows += speech_rows(summary["speech"])
    if "clean" in summary:
        rows += _conduct(summary)
    if "damage" in summary:
        rows.append(("damage", f"{summary['damage']:.3f}  (episodes that changed what no right run touches)"))
    if summary.get("void"):
        rows.append(("void", void_line(summary["void"])))
    if summary.get("canary"):
        rows.append(("canary", canary_line(summary["canary"])))
    both = f"state {_number(summary['state'])}, writes {_number(summary['writes'])}"
    rows.append(("verifier", f"{both}, told {_number(summary.get('told'))}{_reasons(summary)}"))
    rows.append(("tasks", f"{summary['tasks']} tasks, {summary['trajectories']} episodes"))
    if summary.get("made_with"):
        rows.append(("made with", escape(in_words(summary["made_with"]))))
    if summary.get("model"):
        rows.append(("model", escape(", ".join(f"{name} {value}" for name, value in summary["model"].items()))))
    rows.append(
        (
            "per episode",
            f"{summary['turns']:.1f} turns, {summary['calls']:.1f} calls, {summary['tool_errors']:.1f} refused",
        )
    )
    inside = f"{summary['environment_seconds'] * 1e3:.2f} ms in the world and its user"
    rows.append(("its time", f"{summary['seconds'] * 1e3:.1f} ms, of which {inside}"))
    endings = ", ".join(f"{name} {count}" for name, count in summary["terminations"].items())
    rows.append(("endings", endings))
    if summary["reasoning"]:
        rows.append(("per agent turn", reasoning_line(summary["reasoning"])))
    rows += usage_rows(summary["usage"], summary["unpriced_models"], summary["simulator_errors"])
    return rows + _left_out(summary)


def _conduct(summary: Mapping[str, Any]) -> list[tuple[str, str]]:
    """Success as benchmarks define it, and the rules that were broken."""
    by = ", ".join(f"{name} {_number(value)}" for name, value in summary["published"].items())
    rows = [("as published", f"{by}  (as tau2-bench and TARL)")]
    if summary.get("wordless"):
        return [*rows, ("clean pass", WORDLESS)]
    if not summary["own"]:
        rows.append(("clean pass", f"{_number(summary['clean'])}  (toolgym's own: no rule broken)"))
    if summary["violations"]:
        found = ", ".join(f"{name.replace('_', ' ')} {count}" for name, count in summary["violations"].items())
        rows.append(("violations", f"{found}  (episodes with one)"))
    return rows


def _reasons(summary: Mapping[str, Any]) -> str:
    given = summary.get("reason_given")
    return "" if given is None else f", reasons of refusals {_number(given)}"


def _left_out(summary: Mapping[str, Any]) -> list[tuple[str, str]]:
    if not summary["infrastructure_failures"]:
        return []
    where = ", ".join(f"{name} {count}" for name, count in summary["failure_boundaries"].items())
    messages = summary["failure_messages"]
    most = max(messages, key=lambda message: messages[message])
    text = f"{summary['infrastructure_failures']} infrastructure failures ({where}), most often: {most}"
    counted = summary["pass_hat_1_with_failures"]
    text += f"; counted as failed, pass^1 is {counted:.3f}" if summary["trajectories"] else ""
    return [("left out", escape(text))]


def _groups(name: str, groups: Mapping[str, Any]) -> Table:
    shown = Table(box=None, pad_edge=False)
    shown.add_column({"families": "family", "difficulties": "difficulty"}[name])
    shown.add_column("tasks", justify="right")
    shown.add_column("pass^1", justify="right")
    for group, values in groups.items():
        shown.add_row(group, str(values["tasks"]), _number(values["pass_hat_1"]))
    return shown


def _number(value: float | None) -> str:
    return "-" if value is None or math.isnan(value) else f"{value:.3f}"
