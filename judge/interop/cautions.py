"""What whoever reads an imported run's score must know beside it: a line for each thing, with what can be done."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence

from toolgym.judge.interop.criteria import basis_of, task_as_written
from toolgym.judge.interop.recorded import Content
from toolgym.judge.interop.replay import Importer, installed_task
from toolgym.sandbox.kit.message import Json
from toolgym.sandbox.kit.task import Task
from toolgym.sandbox.runtime import registry
from toolgym.sandbox.runtime.trajectory import Trajectory
from toolgym.sandbox.synthesis.proof.replay import gold_of

_GOLD_AGENT = re.compile(r"(?:^|_)gt(?:_|$|\()")
"""tau2-bench's agents that are told the gold calls: `llm_agent_gt` ("ground truth")."""
_PARTS = ("gold", "basis", "texts to be told", "assertions", "situation")
_NAMED = 4
"""Ids that a line names."""

_FROM_2 = re.compile(r"^tau2-bench (?:[2-9]|\d\d)|, benchmark ")
"""Of 2.0 and later: by number, or by the manifest that only they name."""
_NOT_1 = (
    "From 2.0 on tau2-bench has other tasks under the same ids and lets a model judge what was communicated; the score "
    "by their rule is here by that of 1.x, and the two are not comparable."
)


def cautions(content: Content, importer: Importer, trajectories: Sequence[Trajectory]) -> list[str]:
    """The lines of one import.

    Args:
        content: the file, with what was left out of it.
        importer: what executed it.
        trajectories: what was executed.
    """
    tasks = {trajectory.task.id: trajectory.task for trajectory in trajectories}
    lines = [_left_out(content), _privileged(content.agent), _changed(importer, trajectories), _failing(tasks.values())]
    lines += [_beyond(content), _alike(trajectories), _version(content, importer)]
    return [line for line in lines if line]


def is_privileged(agent: str) -> bool:
    """Whether an agent, as a record names it, was shown the gold calls."""
    name = agent.partition("(")[0]
    if _GOLD_AGENT.search(name):
        return True
    return name in registry.names("agents") and bool(getattr(registry.load("agents", name), "privileged", False))


def _left_out(content: Content) -> str:
    if not content.left_out:
        return ""
    kinds = ", ".join(f"{count} {kind}" for kind, count in content.left_out.items())
    return f"Left out, as no honest score of theirs exists: {kinds}."


def _privileged(agent: str) -> str:
    return (
        f"The agent {agent} was shown the gold calls: its score is a ceiling and no result."
        if is_privileged(agent)
        else ""
    )


def _changed(importer: Importer, trajectories: Sequence[Trajectory]) -> str:
    """How many tasks of the file are not the installed ones, and in what."""
    if importer.fresh_tasks:
        return f"Scored against the tasks installed here ({importer.version}), not against the file's (--fresh-tasks)."
    if importer.content.source != "tau2" or importer.opened.convert is None:
        return ""
    tasks = {trajectory.task.id: trajectory for trajectory in trajectories}
    differing: Counter[str] = Counter()
    changed = unknown = 0
    for identifier, trajectory in tasks.items():
        own = installed_task(importer.opened, identifier)
        unknown += own is None
        parts = _differing(trajectory, own) if own is not None else []
        changed += bool(parts)
        differing.update(parts)
    told = []
    if changed:
        counted = ", ".join(f"{part} {differing[part]}" for part in _PARTS if differing[part])
        told.append(f"{changed} of {len(tasks)} tasks differ from {importer.version}: {counted}")
    if unknown:
        told.append(f"{unknown} of {len(tasks)} tasks are not in {importer.version}")
    cure = "; --fresh-tasks scores against those installed here" if changed else ""
    return f"{'; '.join(told)}{cure}." if told else ""


def _differing(trajectory: Trajectory, own: Task) -> list[str]:
    assert trajectory.info.recorded is not None, "an imported trajectory has its record"
    task, record = trajectory.task, trajectory.info.recorded.task
    pairs: dict[str, tuple[object, object]] = {
        "gold": (_calls(task), _calls(own)),
        "basis": (set(basis_of(record)), set(basis_of(task_as_written(own)))),
        "texts to be told": (task.communicate, own.communicate),
        "assertions": (task.assertions, own.assertions),
        "situation": ((task.scenario, task.setup), (own.scenario, own.setup)),
    }
    return [part for part, (theirs, ours) in pairs.items() if theirs != ours]


def _calls(task: Task) -> list[tuple[str, Json, str]]:
    return [(call.name, call.arguments, call.by) for call in task.gold]


def _failing(tasks: Iterable[Task]) -> str:
    """The tasks whose own gold calls are refused: what is right there is less than was meant."""
    tasks = list(tasks)
    refused = [task.id for task in tasks if any(not record.ok for record in gold_of(task).log)]
    writes = [
        task.id for task in tasks if any(not record.ok and record.kind == "write" for record in gold_of(task).log)
    ]
    if not refused:
        return ""
    named = f", a write in {len(writes)} ({_ids(writes)})" if writes else f" ({_ids(refused)})"
    return (
        f"Gold calls of {len(refused)} of {len(tasks)} tasks are refused here{named}: less than was meant passes them."
    )


def _ids(ids: Sequence[str]) -> str:
    shown = ", ".join(each if len(each) <= 40 else f"{each[:40]}..." for each in ids[:_NAMED])
    return shown + (f" and {len(ids) - _NAMED} more" if len(ids) > _NAMED else "")


def _beyond(content: Content) -> str:
    if content.trials is None:
        return ""
    beyond = sum(type(each.trial) is int and each.trial >= content.trials for each in content.episodes)
    return f"{beyond} simulations have trial numbers beyond the run's own {content.trials} trials." if beyond else ""


def _alike(trajectories: Sequence[Trajectory]) -> str:
    """How many conversations say word for word what another trial of their task says."""
    said: Mapping[tuple[object, ...], int] = Counter(
        (
            each.task.id,
            *((m.role, m.content, *((c.name, c.arguments_text()) for c in m.tool_calls)) for m in each.messages),
        )
        for each in trajectories
    )
    alike = sum(count - 1 for count in said.values())
    if not alike:
        return ""
    return (
        f"{alike} of {len(trajectories)} conversations say word for word what another trial of their task says: they "
        "are copies, or nobody in them varies; pass^k then means nothing."
    )


def _version(content: Content, importer: Importer) -> str:
    if content.source != "tau2" or not importer.version:
        return ""
    told = f"Recorded by {content.version or 'tau2-bench, version not told'}; executed on {importer.version}."
    return f"{told} {_NOT_1}" if _FROM_2.search(content.version) else told
