"""A leaderboard: what verified results files come to, ranked among those that were played alike."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from toolgym.judge.evaluation import metrics
from toolgym.judge.evaluation.made_with import recorded_number
from toolgym.judge.published.file import Header, read_results
from toolgym.judge.published.verify import check
from toolgym.sandbox.kit.errors import BadInput

_ALIKE = ("env", "data", "split", "user", "user_model", "perturb", "modality", "solo", "auth", "basis")
"""Settings that two runs must share to be ranked together; the user's number and the digests of tasks, rows and prompts
stand beside them."""


@dataclass(frozen=True)
class Figure:
    """A share with its 95 % interval (bootstrap over tasks)."""

    value: float
    low: float
    high: float


@dataclass(frozen=True)
class Entry:
    """A line of the board, recomputed from a file that was verified.

    Attributes:
        name: what the file is called.
        header: its settings, and what it was made with.
        tasks: how many were played.
        passed: pass^k by k.
        clean: passed, told everything and broke no rule.
        dollars: what an episode cost, all models together.
        left_out: episodes that infrastructure cut.
    """

    name: str
    header: Header
    tasks: int
    passed: dict[int, Figure]
    clean: Figure
    dollars: float
    left_out: int

    @property
    def agent(self) -> str:
        """Who played, with its model."""
        return " ".join(filter(None, (self.header.settings.get("agent"), self.header.settings.get("agent_model"))))

    @property
    def alike(self) -> dict[str, Any]:
        """What it must share with another to be ranked with it."""
        settings, made = self.header.settings, self.header.made_with
        number = recorded_number(made) if settings.get("user") == "scripted" else None
        told = {name: settings[name] for name in _ALIKE if settings.get(name)}
        told |= {"consent": settings.get("consent", "words"), "number": number}
        return told | {name: made.get(name) for name in ("tasks", "rows", "prompts")}


def entry(path: Path, name: str, progress: Callable[[int], None] = lambda done: None) -> Entry:
    """A results file's line, once it has been played again and scored (`toolgym verify-results`).

    Raises:
        BadInput: it is no results file, or it does not come to what it claims.
    """
    found = check(path, None, progress)
    if not found.verified:
        raise BadInput(f"{name} is not verified: {found.problems[0]} `toolgym verify-results` tells all.")
    passed: dict[str, list[bool]] = {}
    clean: dict[str, list[bool]] = {}
    dollars, episodes = 0.0, 0
    header, lines = read_results(path)
    for episode in lines:
        trajectory = episode.trajectory
        dollars, episodes = dollars + sum(used.dollars for used in trajectory.usage), episodes + 1
        if episode.claim is not None:
            passed.setdefault(trajectory.task.id, []).append(episode.claim.passed)
            clean.setdefault(trajectory.task.id, []).append(episode.claim.clean)
    if not passed:
        raise BadInput(f"{name} holds no episode that could be scored.")
    trials = max(map(len, passed.values()))
    left_out = episodes - sum(map(len, passed.values()))
    figures = {k: Figure(metrics.pass_hat_k(passed, k), *metrics.interval(passed, k)) for k in range(1, trials + 1)}
    cleanly = Figure(metrics.pass_hat_k(clean, 1), *metrics.interval(clean))
    return Entry(name, header, len(passed), figures, cleanly, dollars / episodes, left_out)


def boards(entries: Iterable[Entry]) -> list[list[Entry]]:
    """The entries that were played alike together, the best first; the largest board first."""
    found: dict[str, list[Entry]] = {}
    for each in entries:
        found.setdefault(json.dumps(each.alike, sort_keys=True, default=str), []).append(each)
    ranked = [
        sorted(some, key=lambda one: (-one.clean.value, -one.passed[1].value, one.name)) for some in found.values()
    ]
    return sorted(ranked, key=len, reverse=True)


def in_words(one: Entry) -> tuple[str, str]:
    """What the entries of a board share: for people, and the digests that say it exactly."""
    alike = one.alike
    user = " ".join(str(alike[name]) for name in ("user", "number", "user_model") if alike.get(name) is not None)
    usual = {"env", "data", "split", "user", "number", "user_model", "tasks", "rows", "prompts", "auth", "basis"}
    more = [
        f"{name}={value}"
        for name, value in alike.items()
        if name not in usual and (name, value) != ("modality", "text")
    ]
    told = [f"{alike.get('env')}", f"{alike.get('data')} {alike.get('split', '')}".strip(), f"user {user}", *more]
    digests = [f"tasks {alike['tasks']}"]
    digests += [f"{part} {', '.join((alike[part] or {}).values())}" for part in ("rows", "prompts")]
    return ", ".join(told), "; ".join(digests)
