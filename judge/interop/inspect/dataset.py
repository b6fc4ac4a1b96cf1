"""A world's tasks as Inspect's samples."""

from __future__ import annotations

from inspect_ai.dataset import MemoryDataset, Sample

from toolgym.sandbox.kit.domain import Domain
from toolgym.sandbox.kit.errors import BadInput
from toolgym.sandbox.kit.task import Task
from toolgym.sandbox.runtime.registry import get_domain


def dataset_of(domain: Domain, data: str, split: str) -> MemoryDataset:
    """The tasks of a split; what is wanted is the input, what a right run calls the target.

    Raises:
        BadInput: there is no such data or split, or no task in it.
    """
    tasks = domain.tasks(split, data)
    if not tasks:
        raise BadInput(f"The split {split!r} of {domain.name} ({data}) holds no task.")
    name = f"{domain.name} {data} {split}"
    return MemoryDataset([sample_of(task, data) for task in tasks], name=name)


def sample_of(task: Task, data: str) -> Sample:
    """One task."""
    about = {"world": task.domain, "data": data, "split": task.split, "family": task.family}
    return Sample(id=task.id, input=wanted(task), target=right_calls(task), metadata=about)


def wanted(task: Task) -> str:
    """What a task's user wants, in words."""
    return task.scenario or task.ticket or task.id


def right_calls(task: Task) -> str:
    """What a right run changes, a call a line; where it changes nothing, what it looks up."""
    domain = get_domain(task.domain)
    shown = [(domain.tools_of(call.by).get(call.name), f"{call.name}({call.arguments_text()})") for call in task.gold]
    writes = [text for tool, text in shown if tool is None or tool.kind == "write"]
    return "\n".join(writes or [text for _, text in shown]) or "no call"
