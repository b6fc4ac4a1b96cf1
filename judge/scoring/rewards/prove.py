"""PROVE: five programmatic terms over a trajectory's calls and the gold calls.

Paper: Programmatic Rewards On Verified Environments, section 3.3, equations 1 to 5.

    R_validity   = mean over calls of thirds: known name, required parameters with fitting types, live success
    R_coverage   = 1/|G| sum over gold steps g of m(g) o(g): g is matched by a call of its name with all its argument
                   keys, and every step it depends on is matched earlier
    R_efficiency = -alpha max(0, n - B) / B,  B = n_gold + ceil(beta n_gold)
    R_name       = share of the calls whose name is in the gold run
    R_arg        = mean over matched pairs of the share of gold arguments with equal values
    total        = 0.5 R_validity + 0.5 R_coverage + 0.15 R_efficiency + 0.2 R_name + 0.1 R_arg

With no gold call the reward is 1 for no call and 0 otherwise (abstention). The paper leaves open how a step chooses
among several fitting calls: an unused one after the steps it depends on goes first, then one with equal values, then
the earliest.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache, partial

from toolgym.judge.scoring.reward import RewardResult, TurnScores
from toolgym.judge.scoring.rewards.tier import has_required
from toolgym.judge.scoring.verifier import Verdict
from toolgym.sandbox.kit.domain import Domain
from toolgym.sandbox.kit.message import Json
from toolgym.sandbox.kit.task import Task
from toolgym.sandbox.runtime.call_log import CallRecord
from toolgym.sandbox.runtime.distractors import domain_of_task
from toolgym.sandbox.runtime.trajectory import Trajectory
from toolgym.sandbox.synthesis.proof.reachability import trace
from toolgym.sandbox.synthesis.proof.replay import gold_calls

Steps = tuple[tuple[str, dict[str, Json], frozenset[int]], ...]
"""Gold calls: name, arguments, positions of the calls they depend on."""


@dataclass(frozen=True)
class Prove:
    """The reward with its weights; a weight of 0 removes a term, `beta=0` flattens the budget (the paper's Table 5).

    Attributes:
        validity, coverage, efficiency, name, argument: the terms' weights.
        alpha: strength of the efficiency penalty.
        beta: slack of the call budget.
    """

    validity: float = 0.5
    coverage: float = 0.5
    efficiency: float = 0.15
    name: float = 0.2
    argument: float = 0.1
    alpha: float = 0.5
    beta: float = 0.5

    def __call__(
        self, trajectory: Trajectory, *, verdict: Verdict, scores: TurnScores | None = None, progress: float = 0.0
    ) -> RewardResult:
        """The reward of a trajectory's agent calls."""
        task = trajectory.task
        calls, gold = trajectory.of_agent(trajectory.reached), trajectory.of_agent(gold_calls(task))
        if not gold:
            total = 0.0 if calls else 1.0
            return RewardResult("prove", total, {"abstention": total})
        steps = gold_steps(task, solo=trajectory.solo)
        matched, domain = match(calls, steps), domain_of_task(task)
        terms = {
            "validity": _mean([validity(record, domain) for record in calls]),
            "coverage": _coverage(matched, steps),
            "efficiency": self._efficiency(len(calls), len(gold)),
            "name": _mean([float(record.name in {call.name for call in gold}) for record in calls]),
            "argument": _values(matched, calls, steps),
        }
        total = sum(getattr(self, name) * value for name, value in terms.items())
        return RewardResult("prove", total, terms)

    def _efficiency(self, calls: int, gold: int) -> float:
        budget = gold + math.ceil(gold * self.beta)
        return -self.alpha * max(0, calls - budget) / budget


prove = Prove()


def validity(record: CallRecord, domain: Domain) -> float:
    """A call's validity in thirds: name, required parameters and their JSON types, success."""
    tools = domain.tools_of(record.by)
    if record.name not in tools:
        return 0.0
    if record.ok:
        return 1.0
    return 2 / 3 if has_required(record.arguments, tools[record.name].parameters) else 1 / 3


def _given(record: CallRecord) -> dict[str, Json]:
    return record.arguments if isinstance(record.arguments, dict) else {}


@lru_cache(maxsize=20_000)
def _steps(key: str, solo: bool) -> Steps:
    task = Task.model_validate_json(key)
    steps = trace(task)
    kept = [number for number, step in enumerate(steps) if solo or step.call.by == "agent"]
    found = []
    for number in kept:
        call = steps[number].call
        needs = frozenset(kept.index(other) for other in steps[number].needs if other in kept)
        found.append((call.name, call.arguments if isinstance(call.arguments, dict) else {}, needs))
    return tuple(found)


def gold_steps(task: Task, *, solo: bool = False) -> Steps:
    """The agent's gold calls: name, arguments, and the positions of the calls they depend on; alone it makes all."""
    return _steps(task.model_dump_json(), solo)


def match(calls: Sequence[CallRecord], steps: Steps) -> dict[int, int]:
    """Gold step to the position of the call that matches it."""
    matched: dict[int, int] = {}
    used: set[int] = set()
    for number, (name, arguments, needs) in enumerate(steps):
        fitting = [
            position
            for position, record in enumerate(calls)
            if position not in used and record.name == name and arguments.keys() <= _given(record).keys()
        ]
        after = max((matched.get(step, -1) for step in needs), default=-1)
        rank = partial(_rank, calls, arguments, after)
        best = max(fitting, key=rank, default=None)
        if best is not None:
            matched[number] = best
            used.add(best)
    return matched


def _rank(calls: Sequence[CallRecord], arguments: dict[str, Json], after: int, position: int) -> tuple[bool, bool, int]:
    """How well a call fits a gold step: in order, with equal values, early."""
    return position > after, _same(calls[position], arguments), -position


def _same(record: CallRecord, arguments: dict[str, Json]) -> bool:
    given = _given(record)
    return all(given[name] == value for name, value in arguments.items())


def _coverage(matched: dict[int, int], steps: Steps) -> float:
    credit = 0
    for number, (_, _, needs) in enumerate(steps):
        in_order = all(step in matched and matched[step] < matched.get(number, -1) for step in needs)
        credit += number in matched and in_order
    return credit / len(steps)


def _values(matched: dict[int, int], calls: Sequence[CallRecord], steps: Steps) -> float:
    shares = []
    for number, position in matched.items():
        arguments, given = steps[number][1], _given(calls[position])
        equal = sum(given[name] == value for name, value in arguments.items())
        shares.append(equal / len(arguments) if arguments else 1.0)
    return _mean(shares)


def _mean(values: Sequence[float]) -> float:
    return sum(values) / len(values) if values else 0.0
