"""Programs as graphs for the report page: calls as nodes, in columns by how many results they build on."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from toolgym.sandbox.kit.message import ToolCall
from toolgym.sandbox.runtime.info import ProgramAttempt
from toolgym.sandbox.runtime.references import earlier, steps
from toolgym.sandbox.runtime.trajectory import Trajectory


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
