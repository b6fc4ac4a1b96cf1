"""Logs of Inspect read: our own episodes as they are, and conversations of inspect_evals' tau2 to be executed again."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from inspect_ai.log import EvalLog, EvalSample, read_eval_log

from toolgym.judge.interop.chat import text_of
from toolgym.judge.interop.inspect.episode import MODEL
from toolgym.judge.interop.inspect.record import kept_trajectory
from toolgym.judge.interop.recorded import MALFORMED, Content, Recorded, Thread, Unreadable, section
from toolgym.sandbox.kit.errors import BadInput
from toolgym.sandbox.kit.message import STOP, Json, Party, ToolCall
from toolgym.sandbox.runtime.trajectory import Fault, Termination, Trajectory

_STOPS = (STOP, "###OUT-OF-SCOPE###", "###TRANSFER###")
"""What the simulated user of tau2 ends a conversation with."""
_KEPT = re.compile(r"StoredAgentState:.*:trajectory")
"""Where inspect_evals keeps both sides' messages of a sample."""
_TASK = re.compile(r"(?:.*/)?tau2_(\w+)")


def read(path: Path) -> Content:
    """The episodes of a log.

    Raises:
        BadInput: it is no log of Inspect, or a damaged one.
    """
    try:
        log = read_eval_log(str(path), resolve_attachments=True)
    except Exception as error:  # what a damaged archive or a foreign file raises is of any kind
        why = (str(error) or type(error).__name__).splitlines()[0]
        raise BadInput(f"{path} is damaged, or no log of Inspect ({why[:200]}).") from None
    known = _TASK.fullmatch(log.eval.task)
    content = Content("inspect", domain=known[1] if known else None, agent=_agent(log), user=_user(log))
    for sample in _in_order(log):
        where = f"sample {sample.id}, epoch {sample.epoch}"
        try:
            _add(content, sample, known is not None, where)
        except (Unreadable, BadInput) as problem:
            content.unreadable.append((where, str(problem)))
        except MALFORMED as problem:
            content.unreadable.append((where, f"it is not of the form of tau2 in inspect_evals ({problem!r})"))
    return content


def _in_order(log: EvalLog) -> list[EvalSample]:
    """A log's samples task by task, as they are in its data."""
    places = {str(name): place for place, name in enumerate(log.eval.dataset.sample_ids or ())}
    return sorted(log.samples or (), key=lambda sample: (places.get(str(sample.id), len(places)), sample.epoch))


def _agent(log: EvalLog) -> str:
    """Who played the agent: the model, or an agent of ours in its place."""
    given = log.eval.solver_args or {}
    ours = (log.eval.solver or "").removeprefix("toolgym/") == "agent" and given.get("name", MODEL) != MODEL
    return str(given["name"] if ours else log.eval.model)


def _user(log: EvalLog) -> str:
    role = (log.eval.model_roles or {}).get("user")
    return str(log.eval.model if role is None or isinstance(role, list) else role.model)


def _add(content: Content, sample: EvalSample, is_tau2: bool, where: str) -> None:
    ours = kept_trajectory(sample.store, where)
    if ours is not None:
        content.trajectories.append(_with_error(ours, sample))
        content.passed_there.append(_passed(sample, "passed"))
    elif is_tau2:
        content.episodes.append(_tau2(sample))
    elif sample.error is not None:
        raise Unreadable(f"it failed before anything was kept: {sample.error.message[:200]}")
    else:
        raise Unreadable("it holds neither an episode of toolgym's nor one of tau2 in inspect_evals")


def _with_error(played: Trajectory, sample: EvalSample) -> Trajectory:
    """An episode whose sample failed later on, in scoring, is as good as any; one that failed itself says so."""
    if sample.error is None or played.fault is not None or sample.scores:
        return played
    fault = Fault(boundary="model", message=sample.error.message)
    return played.model_copy(update={"termination": "infrastructure_error", "fault": fault})


def _passed(sample: EvalSample, scorer: str) -> bool | None:
    score = (sample.scores or {}).get(scorer)
    return None if score is None else score.value in ("C", 1, 1.0, True)


# --- tau2 in inspect_evals ---


def _tau2(sample: EvalSample) -> Recorded:
    task = section(sample.metadata.get("task"))
    if "id" not in task:
        raise Unreadable("its metadata hold no task of tau2")
    entries = next((kept for key, kept in sample.store.items() if _KEPT.fullmatch(key)), None) or ()
    fault = sample.error.message[:400] if sample.error is not None else None
    if not entries and fault is None:
        raise Unreadable("it holds no conversation")
    thread = Thread()
    for entry in entries:
        _say(thread, entry["role"], entry["message"])
    passed = next((_passed(sample, name) for name in sample.scores or ()), None)
    return Recorded(
        task=task,
        trial=sample.epoch - 1,
        messages=tuple(thread.messages),
        termination="infrastructure_error" if fault else _ending(entries),
        reward=None if passed is None else float(passed),
        components={},
        basis=_basis(task, sample),
        ending=fault or ("a limit of Inspect" if sample.limit else _ending(entries)),
        fault=fault,
        seconds=sample.total_time or 0.0,
    )


def _say(thread: Thread, side: str, message: Mapping[str, Any]) -> None:
    by: Party = "user" if side == "user" else "agent"
    role = message["role"]
    if role == "tool":
        error = section(message.get("error")).get("message")
        text = f"Error: {error}" if error else text_of(message.get("content")) or ""
        thread.answer(str(message.get("tool_call_id") or ""), text)
    elif role == "assistant":
        calls = [
            ToolCall(name=call["function"], arguments=call["arguments"], id=call["id"], by=by)
            for call in message.get("tool_calls") or ()
        ]
        parts = message.get("content")
        said = [part for part in parts if part.get("type") == "text"] if isinstance(parts, list) else parts
        thread.say("user" if by == "user" else "assistant", text_of(said), calls, _thoughts(parts))
    else:
        raise Unreadable(f"a message has the role {role!r}; known are assistant and tool")


def _thoughts(parts: Json) -> str | None:
    found = [part["reasoning"] for part in parts if part.get("type") == "reasoning"] if isinstance(parts, list) else []
    return "\n".join(found) or None


def _ending(entries: Sequence[Mapping[str, Any]]) -> Termination:
    """Where it stopped: at the user's stop word, or at a limit."""
    last = section(entries[-1]["message"]) if entries else {}
    by_user = bool(entries) and entries[-1]["role"] == "user"
    text = text_of(last.get("content")) or ""
    return "user_stop" if by_user and any(stop in text for stop in _STOPS) else "max_turns"


def _basis(task: Mapping[str, Json], sample: EvalSample) -> tuple[str, ...]:
    """What its scorers there look at, whatever else the task's own basis names."""
    if "telecom_scorer" in (sample.scores or {}):
        named = section(task.get("evaluation_criteria")).get("reward_basis") or ()
        return tuple(part for part in ("ACTION", "ENV_ASSERTION") if part == "ENV_ASSERTION" or part in named)
    return ("DB", "COMMUNICATE")
