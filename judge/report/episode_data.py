"""Everything about one episode that the page shows, as plain JSON: for the static report and the live page alike."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from judge.benchmarks.contract import is_foreign
from judge.report.programs import program_graphs
from sandbox.kit.message import Message
from sandbox.runtime.info import UtteranceRecord
from sandbox.runtime.session import RowChange
from sandbox.runtime.trajectory import Trajectory
from sandbox.synthesis.proof.replay import gold_diff


def episode_data(trajectory: Trajectory, score: dict[str, Any], base: str = ".") -> dict[str, Any]:
    """One episode with its scores.

    Args:
        trajectory: what happened.
        score: its line of scores.jsonl; empty where it has none.
        base: leads from the page to the run's folder, where recordings are.
    """
    task = trajectory.task
    return {
        "task": task.id,
        "trial": trajectory.trial,
        "family": task.family,
        "difficulty": task.difficulty,
        "scenario": task.scenario,
        "gold": [f"{call.name}({call.arguments_text()})" for call in task.gold],
        "communicate": list(task.communicate),
        "passed": score.get("passed"),
        "verdict": score.get("verdict", {}),
        "scores": score.get("turns"),
        "reasons": score.get("reasons", []),
        "rewards": score.get("rewards", {}),
        "ending": trajectory.termination,
        "calls": len(trajectory.calls),
        "errors": sum(not call.ok for call in trajectory.calls),
        "seconds": trajectory.timing.total,
        "user_notes": trajectory.info.model_dump(mode="json").get("user"),
        "messages": [_message(message, _heard(trajectory), base) for message in trajectory.messages],
        "programs": program_graphs(trajectory),
        "diff": _diff(trajectory),
    }


def _heard(trajectory: Trajectory) -> dict[str, UtteranceRecord]:
    """What is known about each recording of a spoken conversation."""
    return {utterance.audio: utterance for utterance in trajectory.utterances}


def _message(message: Message, heard: dict[str, UtteranceRecord], base: str) -> dict[str, Any]:
    shown: dict[str, Any] = {"role": message.role, "text": message.content or ""}
    if message.reasoning:
        shown["thoughts"] = message.reasoning
    if message.tool_calls:
        shown["calls"] = [[call.name, call.arguments_text(), call.id] for call in message.tool_calls]
    if message.tool_call_id:
        shown["answers"] = message.tool_call_id
        shown["tool"] = message.name
    if message.audio:
        entry = heard.get(message.audio)
        shown["audio"] = Path(base, message.audio).as_posix()
        shown["heard"] = entry.heard if entry is not None else None
        shown["missed"] = list(entry.missed or ()) if entry is not None else []
    return shown


def _diff(trajectory: Trajectory) -> list[dict[str, Any]]:
    """The rows changed by the run or by gold: before, after, gold."""
    made = {(row.table, row.key): row for row in trajectory.diff}
    gold_rows = () if is_foreign(trajectory.task) else gold_diff(trajectory.task)
    wanted = {(row.table, row.key): row for row in gold_rows}
    rows = []
    for row_key in sorted({*made, *wanted}, key=str):
        row: RowChange = made.get(row_key) or wanted[row_key]
        after = made[row_key].after if row_key in made else row.before
        gold = wanted[row_key].after if row_key in wanted else row.before
        rows.append(
            {
                "row": f"{row_key[0]} {', '.join(str(part) for part in row_key[1])}",
                "columns": _columns(row.before, after, gold),
                "same": after == gold,
            }
        )
    return rows


def _columns(
    before: dict[str, Any] | None, after: dict[str, Any] | None, gold: dict[str, Any] | None
) -> list[list[Any]]:
    """The columns that differ anywhere: name, before, after, gold."""
    names = list(dict.fromkeys([*(before or {}), *(after or {}), *(gold or {})]))
    table = [[name, *((row or {}).get(name) for row in (before, after, gold))] for name in names]
    return [line for line in table if not (line[1] == line[2] == line[3])]
