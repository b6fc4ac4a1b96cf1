"""The benchmarks' own rule, computed with our code on our worlds: a product of parts that each must hold.

tau-bench multiplies the end state and what was communicated; tau2-bench names the parts per task (`reward_basis`). What
toolgym itself counts as passed is `toolgym.judge.scoring.verifier`'s business.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from toolgym.judge.scoring.verifier import Verdict, verify
from toolgym.sandbox.kit.message import Json, ToolCall
from toolgym.sandbox.kit.task import Task
from toolgym.sandbox.runtime.registry import get_domain
from toolgym.sandbox.runtime.trajectory import Trajectory

DEFAULT_BASIS = ("DB", "COMMUNICATE")
"""tau2-bench's parts where a task names none."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """What the rule comes to.

    Attributes:
        reward: the product over the basis; None where a part of it needs a judge of natural language.
        components: every part that can be computed, by tau2-bench's names.
    """

    reward: float | None
    components: Mapping[str, float]


def outcome_by_their_rule(
    trajectory: Trajectory,
    basis: Sequence[str] | None = None,
    verdict: Verdict | None = None,
    nl_assertions: Sequence[bool] | None = None,
) -> Outcome:
    """A trajectory's reward by the benchmark's rule.

    Args:
        trajectory: an episode that came to an end, not an infrastructure failure.
        basis: the parts to multiply; the task's own by default.
        verdict: the verifier's, where it is known already.
        nl_assertions: which of the task's assertions in natural language hold, where a judge said so.
    """
    verdict = verdict or verify(trajectory)
    record = task_record(trajectory)
    criteria = record.get("evaluation_criteria")
    basis = basis if basis is not None else basis_of(record)
    if not verdict.orderly:
        return Outcome(0.0, {})
    if criteria is None:
        return Outcome(1.0, {})
    components = _components(trajectory, verdict, criteria, nl_assertions)
    reward: float | None = 1.0
    for part in basis:
        value = components.get(part)
        reward = None if value is None or reward is None else reward * value
    if any(components.get(part) == 0 for part in basis):
        reward = 0.0
    return Outcome(reward, components)


def basis_of(record: Mapping[str, Json]) -> tuple[str, ...]:
    """The parts that a task's reward is the product of."""
    criteria = record.get("evaluation_criteria") or {}
    return tuple(criteria.get("reward_basis") or DEFAULT_BASIS)


def _components(
    trajectory: Trajectory, verdict: Verdict, criteria: Mapping[str, Any], nl_assertions: Sequence[bool] | None
) -> dict[str, float]:
    actions, texts = criteria.get("actions"), criteria.get("communicate_info") or ()
    nothing_expected = actions is None and criteria.get("env_assertions") is None
    parts = {
        "DB": nothing_expected or verdict.state,
        "ENV_ASSERTION": verdict.assertions is not False,
        "ACTION": _all_called(trajectory, actions or ()),
        "COMMUNICATE": _all_written(trajectory, texts),
    }
    if nl_assertions is not None or not criteria.get("nl_assertions"):
        parts["NL_ASSERTION"] = all(nl_assertions or ())
    return {name: float(holds) for name, holds in parts.items()}


def _all_called(trajectory: Trajectory, actions: Iterable[Mapping[str, Any]]) -> bool:
    calls = [call for message in trajectory.messages for call in message.tool_calls]
    return all(any(_matches(action, call) for call in calls) for action in actions)


def _matches(action: Mapping[str, Any], call: ToolCall) -> bool:
    """Same name and equal arguments: those that the action names for comparison, or else those that the call gives."""
    given = call.arguments if isinstance(call.arguments, dict) else {}
    wanted = action.get("arguments") or {}
    names = action.get("compare_args")
    compared = list(given) if names is None else names
    if action["name"] != call.name:
        return False
    return all((name in given, given.get(name)) == (name in wanted, wanted.get(name)) for name in compared)


def _all_written(trajectory: Trajectory, texts: Iterable[str]) -> bool:
    """Every text occurs in a message of the agent, letter case and commas in the message aside."""
    messages = [m.content.lower().replace(",", "") for m in trajectory.messages if m.role == "assistant" and m.content]
    return all(any(text.lower() in message for message in messages) for text in texts)


# --- the task as tau2-bench writes it ---


def task_record(trajectory: Trajectory) -> Mapping[str, Json]:
    """The trajectory's task in tau2-bench's form: as imported, or written from ours."""
    recorded = trajectory.info.recorded
    return recorded.task if recorded is not None else task_as_written(trajectory.task)


def task_as_written(task: Task) -> dict[str, Json]:
    """A task of ours as tau2-bench would write it."""
    criteria: dict[str, Json] = {
        "actions": [_action(index, call) for index, call in enumerate(task.gold)],
        "env_assertions": [
            {
                "env_type": _side(task.domain, assertion.name),
                "func_name": assertion.name,
                "arguments": assertion.arguments,
                "assert_value": assertion.expected,
                "message": None,
            }
            for assertion in task.assertions
        ]
        or None,
        "communicate_info": [text.split("|")[0] for text in task.communicate],
        "nl_assertions": task.metadata.get("nl_assertions"),
        "reward_basis": task.metadata.get("reward_basis")
        or (["ENV_ASSERTION"] if task.assertions else list(DEFAULT_BASIS)),
    }
    setup = [
        {"env_type": _side(task.domain, call.name), "func_name": call.name, "arguments": call.arguments}
        for call in task.setup
    ]
    return {
        "id": task.id,
        "description": {"purpose": task.family or None, "relevant_policies": None, "notes": None},
        "user_scenario": {"persona": task.persona or None, "instructions": task.scenario},
        "ticket": task.ticket,
        "initial_state": {"initialization_actions": setup} if setup else None,
        "evaluation_criteria": criteria,
    }


def _action(index: int, call: ToolCall) -> dict[str, Json]:
    return {
        "action_id": f"{call.name}_{index}",
        "requestor": "user" if call.by == "user" else "assistant",
        "name": call.name,
        "arguments": call.arguments,
        "info": None,
        "compare_args": None,
    }


def _side(domain: str, function: str) -> str:
    """Whose environment a set-up call or an assertion is about: the user's, where users have tools of their own."""
    world = get_domain(domain)
    return "user" if len(world.user_tools) and function not in world.tools else "assistant"
