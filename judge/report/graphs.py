"""Graphs for the page: how calls build on one another's results, in an episode, in gold and in programs."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from toolgym.sandbox.kit.message import ToolCall
from toolgym.sandbox.kit.task import Task
from toolgym.sandbox.runtime.info import ProgramAttempt
from toolgym.sandbox.runtime.references import earlier, steps
from toolgym.sandbox.runtime.trajectory import Trajectory
from toolgym.sandbox.synthesis.proof.reachability import trace


def call_graph(task: Task, trajectory: Trajectory | None = None) -> dict[str, Any]:
    """Calls as nodes in columns, an edge from each result that a later call uses; the gold calls without an episode.

    What the user said in the episode needs no result. `missing` are the values of a call that nobody gave.
    """
    if trajectory is not None:
        made = tuple(ToolCall(name=each.name, arguments=each.arguments, by=each.by) for each in trajectory.calls)
        said = [message.content or "" for message in trajectory.messages if message.role == "user"]
        scenario = "\n".join([task.scenario, *said])
        task = task.model_copy(update={"gold": made, "returns": None, "scenario": scenario})
    nodes: list[dict[str, Any]] = []
    edges = []
    for number, step in enumerate(trace(task)):
        column = 1 + max((nodes[need]["column"] for need in step.needs), default=-1)
        refused = trajectory is not None and not trajectory.calls[number].ok
        nodes.append(
            {
                "name": step.call.name,
                "arguments": step.call.arguments_text(),
                "column": column,
                "row": sum(node["column"] == column for node in nodes),
                "state": "refused" if refused else "made",
                "missing": list(step.missing),
            }
        )
        edges += [[need, number] for need in sorted(step.needs)]
    return {"nodes": nodes, "edges": edges}


def program_graphs(trajectory: Trajectory) -> list[dict[str, Any]]:
    """The programs of an episode in order; one that could not be read has no calls."""
    turns = (turn for turn in trajectory.turns())
    return [
        _graph(() if turn.unread else turn.action.tool_calls, attempt)
        for turn, attempt in zip(turns, trajectory.info.programs, strict=False)
    ]


def _graph(calls: Sequence[ToolCall], attempt: ProgramAttempt) -> dict[str, Any]:
    columns = steps(calls)
    edges = [[source, number] for number, call in enumerate(calls) for source in earlier(call.arguments, number)]
    nodes = [
        {
            "name": call.name,
            "arguments": call.arguments_text(),
            "column": column,
            "row": columns[:number].count(column),
            "state": _state(number, attempt),
        }
        for number, (call, column) in enumerate(zip(calls, columns, strict=True))
    ]
    return {"nodes": nodes, "edges": edges, "fault": attempt.fault.message if attempt.fault else ""}


def _state(number: int, attempt: ProgramAttempt) -> str:
    if attempt.fault is not None and number == attempt.fault.call:
        return "refused"
    return "made" if number < attempt.results else "unmade"
