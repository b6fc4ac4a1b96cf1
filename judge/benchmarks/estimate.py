"""What a run of a benchmark with a model will about use, from the length of its prompts and its right calls."""

from __future__ import annotations

import json
from collections.abc import Sequence

from toolgym.judge.benchmarks.contract import Benchmark, Row
from toolgym.judge.benchmarks.settings import BenchSettings
from toolgym.judge.evaluation.cost_estimate import CHARACTERS, GROWTH, WRITTEN, Estimate
from toolgym.sandbox.models.settings import settings_for

_CALLS = 4
"""Calls that answer one message of the user, where a row does not say which are right."""


def estimate(benchmark: Benchmark, settings: BenchSettings, trials: Sequence[tuple[Row, int]]) -> Estimate | None:
    """What playing these will about use; None where no model plays."""
    if settings.agent != "llm":
        return None
    model = settings.of("agent") or settings_for("agent", settings.agent_options.get("model"))
    shared = len(benchmark.policy)
    tools_of: dict[int, int] = {}  # many rows offer the same tools
    requests = read = 0.0
    for row, _ in trials:
        if id(row.tools) not in tools_of:
            tools_of[id(row.tools)] = len(json.dumps(row.tools))
        opening = sum(len(message.content or "") for message in row.opening)
        prompt = (shared + len(row.system) + opening + tools_of[id(row.tools)]) / CHARACTERS
        steps = _steps(row)
        requests += steps
        read += steps * prompt + GROWTH * steps * (steps - 1) / 2
    written = requests * WRITTEN["agent"]
    dollars = model.price.dollars(round(read), round(written)) if model.price is not None else 0.0
    return Estimate(len(trials), requests, read, written, dollars, () if model.price is not None else (model.model,))


def _steps(row: Row) -> int:
    """Messages of the agent: one for an exchange, else the calls and an answer to each of the user's."""
    if not row.lasting:
        return 1
    turns = 1 + len(row.lines)
    return turns + (len(row.gold) or _CALLS * turns)
