"""A run as a log of Inspect, for its viewer and whatever else reads such logs; the scores are its scorers' work."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from inspect_ai import score
from inspect_ai.log import (
    EvalConfig,
    EvalDataset,
    EvalError,
    EvalLog,
    EvalSample,
    EvalSpec,
    EvalStats,
    write_eval_log,
)
from inspect_ai.model import ModelOutput, ModelUsage

from toolgym.judge.evaluation.run_folder import Key
from toolgym.judge.interop.inspect.dataset import sample_of
from toolgym.judge.interop.inspect.episode import PLAYED, conversation, last_words, told_of
from toolgym.judge.interop.inspect.events import events_of
from toolgym.judge.interop.inspect.messages import tool_infos
from toolgym.judge.interop.inspect.record import as_kept
from toolgym.judge.scoring.reward import TurnScores
from toolgym.sandbox.kit.errors import writing
from toolgym.sandbox.runtime.trajectory import Trajectory


def write(
    path: Path, trajectories: Sequence[Trajectory], turns: Mapping[Key, TurnScores], scorers: Sequence[Any]
) -> None:
    """Write a log.

    Args:
        path: the file, `*.eval`.
        trajectories: the episodes; failures of the infrastructure become errors of their samples.
        turns: a judge's scores, by task and trial, where it was asked before.
        scorers: Inspect's, which score the episodes here.
    """
    log = score(
        _log(trajectories, turns), list(scorers), model="mockllm/model", action="overwrite", display="none", copy=False
    )
    with writing(path):
        write_eval_log(log, str(path))


def _log(trajectories: Sequence[Trajectory], turns: Mapping[Key, TurnScores]) -> EvalLog:
    at = datetime.now(UTC)
    used: Counter[str] = Counter()
    samples = []
    for played in trajectories:
        used[played.task.id] += 1
        samples.append(_sample(played, used[played.task.id], turns.get((played.task.id, played.trial)), at))
    worlds = sorted({played.task.domain for played in trajectories})
    data = sorted({played.task.data for played in trajectories})
    splits = sorted({played.task.split for played in trajectories})
    epochs = max(used.values())
    reducers = ["mean", *(f"pass_k_{k}" for k in range(2, epochs + 1))]
    name = hashlib.sha256("".join(played.canonical() for played in trajectories).encode()).hexdigest()[:22]
    spec = EvalSpec(
        eval_id=name,
        run_id=name,
        task_id=name,
        created=at.isoformat(timespec="seconds"),
        task=f"toolgym/{'+'.join(worlds)}",
        task_args={"data": ", ".join(data), "split": ", ".join(splits), "trials": epochs, "user": trajectories[0].user},
        dataset=EvalDataset(name=" ".join([*worlds, *data, *splits]), samples=len(used), sample_ids=list(used)),
        model=_model(trajectories[0].agent),
        config=EvalConfig(epochs=epochs, epochs_reducer=reducers),
    )
    ended = at + timedelta(seconds=sum(played.timing.total for played in trajectories))
    stats = EvalStats(started_at=at.isoformat(), completed_at=ended.isoformat(), model_usage=_usage(trajectories))
    return EvalLog(status="success", eval=spec, stats=stats, samples=samples)


def _sample(played: Trajectory, epoch: int, turns: TurnScores | None, at: datetime) -> EvalSample:
    task = sample_of(played.task, played.task.data)
    messages = conversation(played)
    told = told_of(played)
    error = None
    if played.fault is not None:
        text = f"{played.fault.boundary} failure: {played.fault.message}"
        error = EvalError(message=text, traceback=text, traceback_ansi=text)
    return EvalSample(
        id=task.id,
        epoch=epoch,
        input=task.input,
        target=task.target,
        metadata=task.metadata,
        messages=messages,
        output=ModelOutput.from_content(model=_model(played.agent), content=last_words(played)),
        store=as_kept(played, turns),
        events=events_of(played, messages[0], tool_infos(told.tools), turns, at),
        model_usage=_usage([played]),
        total_time=played.timing.total,
        error=error,
        uuid=hashlib.sha256(played.canonical().encode()).hexdigest()[:22],
    )


def _model(agent: str) -> str:
    """An agent as Inspect names models: with who provides it."""
    return agent.removeprefix(PLAYED) if agent.startswith(PLAYED) else f"toolgym/{agent or 'unknown'}"


def _usage(trajectories: Sequence[Trajectory]) -> dict[str, ModelUsage]:
    """Tokens by who used them: the agent's model by its name, other roles by theirs."""
    found: dict[str, ModelUsage] = {}
    for played in trajectories:
        for use in played.usage:
            name = _model(played.agent) if use.role == "agent" else use.role
            before = found.get(name) or ModelUsage(total_cost=0.0)
            found[name] = ModelUsage(
                input_tokens=before.input_tokens + use.prompt_tokens,
                output_tokens=before.output_tokens + use.completion_tokens,
                total_tokens=before.total_tokens + use.prompt_tokens + use.completion_tokens,
                total_cost=(before.total_cost or 0.0) + use.dollars,
            )
    return found
