"""tau-bench's result files: a JSON list of `task_id, reward, info, traj, trial`, read and written."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from toolgym.judge.interop.chat import agent_side, read_messages
from toolgym.judge.interop.criteria import Outcome, outcome_by_their_rule, task_record
from toolgym.judge.interop.recorded import MALFORMED, Content, Recorded, Unreadable, finite, section
from toolgym.sandbox.kit.message import STOP, Json, Message
from toolgym.sandbox.models.chat import to_chat
from toolgym.sandbox.runtime.registry import get_domain
from toolgym.sandbox.runtime.trajectory import Termination, Trajectory

BASIS = ("DB", "COMMUNICATE")


def read(value: Json) -> Content:
    """The episodes of a result file."""
    content = Content("tau-bench", agent="tau-bench agent", user="tau-bench user")
    for index, entry in enumerate(value):
        try:
            content.episodes.append(_episode(entry))
        except Unreadable as problem:
            content.unreadable.append((f"entry {index + 1}", str(problem)))
        except MALFORMED as problem:
            content.unreadable.append((f"entry {index + 1}", f"it is not of tau-bench's form ({problem!r})"))
    return content


def _episode(entry: Json) -> Recorded:
    if not isinstance(entry, Mapping) or "task_id" not in entry:
        raise Unreadable("it is no object with a task_id")
    info = section(entry.get("info"))
    fault = str(info["error"]) if info.get("error") else None
    if not isinstance(info.get("task"), Mapping):
        raise Unreadable(f"info.task is missing, so its gold actions are not known{_because(fault)}")
    traj = entry.get("traj") or []
    if any(str(section(message).get("content")).startswith("API output:") for message in traj):
        raise Unreadable("its calls are written as text (ReAct or Act); runs with tool calls can be read")
    messages = read_messages(traj)
    if not messages and fault is None:
        raise Unreadable("traj is empty")
    recorded = section(info.get("reward_info"))
    ending = _ending(messages)
    return Recorded(
        task=_task(entry["task_id"], info["task"]),
        trial=entry.get("trial"),
        messages=messages,
        termination="infrastructure_error" if fault is not None else ending,
        reward=finite(entry.get("reward")),
        components=_components(recorded.get("info"), finite(entry.get("reward"))),
        basis=BASIS,
        ending=fault or {"user_stop": "the user stopped", "max_turns": "the step limit"}.get(ending, ending),
        fault=fault,
    )


def _because(fault: str | None) -> str:
    return f" (the run failed there: {fault[:200]})" if fault else ""


def _ending(messages: tuple[Message, ...]) -> Termination:
    """Where the conversation stopped: at the user's stop word, at a hand-over, or at the step limit."""
    last = messages[-1] if messages else None
    if last is not None and last.role == "user" and STOP in (last.content or ""):
        return "user_stop"
    if last is not None and last.role == "tool" and (last.name or "").startswith("transfer"):
        return "transfer"
    return "max_turns"


def _components(info: Json, reward: float | None) -> dict[str, float]:
    """The recorded parts; where outputs were checked, the file keeps only that check: the other may follow from it."""
    found: dict[str, float] = {}
    if isinstance(info, Mapping):
        for name, theirs in (("DB", "r_actions"), ("COMMUNICATE", "r_outputs")):
            if (part := finite(info.get(theirs))) is not None:
                found[name] = part
    if "DB" not in found and found.get("COMMUNICATE") == 1 and reward is not None:
        found["DB"] = float(reward > 0)
    return found


def _task(identifier: Json, task: Mapping[str, Any]) -> dict[str, Json]:
    """The task as tau2-bench would write it."""
    actions = [
        {"name": action["name"], "arguments": action.get("kwargs") or {}, "requestor": "assistant"}
        for action in task.get("actions") or ()
        if action.get("name") != "respond"
    ]
    return {
        "id": str(identifier),
        "user_scenario": {"instructions": task.get("instruction") or ""},
        "evaluation_criteria": {
            "actions": actions,
            "communicate_info": list(task.get("outputs") or ()),
            "reward_basis": list(BASIS),
        },
        "tau_bench": {"user_id": task.get("user_id") or ""},
    }


# --- writing ---


def write(trajectories: Iterable[Trajectory]) -> list[dict[str, Json]]:
    """The entries of a result file; what the user did with tools of their own has no place in it and is left out."""
    return [_entry(trajectory) for trajectory in trajectories]


def _entry(trajectory: Trajectory) -> dict[str, Json]:
    task = trajectory.task
    record = task_record(trajectory)
    criteria = record.get("evaluation_criteria") or {}
    actions = [
        {"name": action["name"], "kwargs": action["arguments"]}
        for action in criteria.get("actions") or ()
        if action.get("requestor") != "user"
    ]
    outputs = list(criteria.get("communicate_info") or ())
    user_id = (record.get("tau_bench") or {}).get("user_id") or next(
        (fact.value for fact in task.facts if fact.name == "user_id"), ""
    )
    info: dict[str, Json] = {
        "task": {"user_id": user_id, "instruction": task.scenario, "actions": actions, "outputs": outputs},
        "source": "user",
        "user_cost": sum(usage.dollars for usage in trajectory.usage if usage.role == "user"),
    }
    reward = 0.0
    if trajectory.fault is not None:
        info["error"] = trajectory.fault.message
    else:
        found = outcome_by_their_rule(trajectory, BASIS)
        reward = found.reward or 0.0
        info["reward_info"] = _reward_info(found, actions, outputs)
    policy = get_domain(task.domain).policy_for(task.data)
    return {
        "task_id": int(task.id) if re.fullmatch(r"[0-9]+", task.id) else task.id,
        "reward": reward,
        "info": info,
        "traj": [{"role": "system", "content": policy}, *(_message(m) for m in agent_side(trajectory))],
        "trial": trajectory.trial,
    }


def _reward_info(found: Outcome, actions: Sequence[Json], outputs: Sequence[str]) -> dict[str, Json] | None:
    """The reward's parts as tau-bench keeps them; none of a conversation that was cut off, which it does not score."""
    if not found.components:
        return None
    part, theirs = ("COMMUNICATE", "r_outputs") if outputs else ("DB", "r_actions")
    return {"reward": found.reward, "info": {theirs: found.components[part]}, "actions": actions}


def _message(message: Message) -> dict[str, Json]:
    return to_chat(message) | ({"name": message.name} if message.role == "tool" else {})
