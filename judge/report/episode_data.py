"""What the page is told about one episode: the record, what its calls did to the rows, and why it ended as it did.

Plain JSON; everything but the scores of a judge is worked out again from the record.
"""

from __future__ import annotations

import hashlib
import json
import sys
import wave
from array import array
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import asdict
from pathlib import Path
from typing import Any

from toolgym.judge.benchmarks.contract import is_foreign
from toolgym.judge.report.end_rows import RowHistory, end_rows, row_history
from toolgym.judge.report.explanation import ENDINGS, explain
from toolgym.judge.report.graphs import call_graph, program_graphs
from toolgym.judge.scoring.conversation import turn_of_calls
from toolgym.judge.scoring.normal_calls import normal_call
from toolgym.judge.scoring.verifier import Basis, Verdict, verify
from toolgym.sandbox.kit.errors import BadInput, ToolgymError
from toolgym.sandbox.kit.task import Task
from toolgym.sandbox.runtime.call_log import CallRecord
from toolgym.sandbox.runtime.distractors import with_distractors
from toolgym.sandbox.runtime.info import UtteranceRecord
from toolgym.sandbox.runtime.registry import get_domain
from toolgym.sandbox.runtime.session import RowChange
from toolgym.sandbox.runtime.trajectory import Trajectory
from toolgym.sandbox.synthesis.proof.replay import gold_of

_ELSEWHERE = "this is a row of a benchmark, whose world runs in a process of its own and keeps no rows here."
_CUT = "more characters]"
"""How a result ends that was too long for the agent."""
Place = tuple[int, int]
"""A message's position, and a call's among those of the message."""
_TOO_MANY = "[too_many_calls]"
_BARS = 200
"""Values of a recording's outline: more than a page is wide in bars of 3 pixels."""


def episode_data(
    trajectory: Trajectory,
    score: Mapping[str, Any],
    base: str = ".",
    *,
    basis: Basis = "state",
    folder: Path | None = None,
) -> dict[str, Any]:
    """Everything about an episode but its prompt (`toolgym.judge.report.prompt`) and its raw record.

    Args:
        trajectory: the record; one that infrastructure cut as well.
        score: its line of scores.jsonl; empty where it has none.
        base: leads from the page to the run's folder, where recordings are.
        basis: what success compares.
        folder: the run's folder, for the waveforms of recordings; None draws none.
    """
    task = trajectory.task
    foreign = is_foreign(task)
    history = (
        RowHistory((), (), stopped=_ELSEWHERE) if foreign else row_history(task, trajectory.calls, _said(trajectory))
    )
    return {
        "task": task.id,
        "trial": trajectory.trial,
        "domain": task.domain,
        "data": task.data,
        "split": task.split,
        "family": task.family,
        "difficulty": task.difficulty,
        "depth": task.depth,
        "interaction": "program" if trajectory.by_program else "solo" if trajectory.solo else "dialogue",
        "modality": trajectory.modality,
        "agent": trajectory.agent,
        "user": trajectory.user,
        "consent": trajectory.consent,
        "scenario": task.scenario,
        "ticket": task.ticket,
        "communicate": [str(text) for text in task.communicate],
        "ending": trajectory.termination,
        "ended": ENDINGS[trajectory.termination],
        "fault": None if trajectory.fault is None else trajectory.fault.model_dump(),
        "messages": _messages(trajectory, base, folder),
        "calls": _calls(trajectory, history),
        "database": {
            "stopped": history.stopped,
            "unlike": len(history.unlike),
            "as_recorded": _agrees(trajectory, history),
        },
        "usage": [record.model_dump() for record in trajectory.usage],
        "timing": trajectory.timing.model_dump(),
        "user_notes": trajectory.info.model_dump(mode="json").get("user"),
        "agent_notes": trajectory.info.model_dump(mode="json").get("agent"),
        "recorded": None if trajectory.info.recorded is None else trajectory.info.recorded.model_dump(exclude={"task"}),
        "judge": score.get("judge"),
        "scores": score.get("turns"),
        "reasons": score.get("reasons", []),
        "rewards": score.get("rewards", {}),
        "nl_assertions": score.get("nl_assertions"),
        "programs": program_graphs(trajectory),
        "rows": [asdict(row) for row in history.named],
        "states": _states(trajectory),
        **_beside_gold(trajectory, history),
        **_judged(trajectory, score, basis, history),
    }


def _agrees(trajectory: Trajectory, history: RowHistory) -> bool:
    """Whether the calls made again leave the rows that were recorded."""
    return not history.stopped and [asdict(row) for row in history.end] == [asdict(row) for row in trajectory.diff]


def _said(trajectory: Trajectory) -> str:
    """All that was said or asked of tools; rows of whatever results show would make an episode's data twice as long."""
    words = [message.content or "" for message in trajectory.messages if message.role != "tool"]
    return "\n".join([*words, *(json.dumps(call.arguments) for call in trajectory.calls)])


def _states(trajectory: Trajectory) -> list[dict[str, Any]]:
    """The state machine's transitions where a teacher was led through the conversation, each with its turn."""
    noted = trajectory.info.model_dump(mode="json").get("synthesis") or {}
    roles = [message.role for message in trajectory.messages]
    return [each | {"turn": roles[: each["messages"]].count("assistant") - 1} for each in noted.get("transitions", ())]


# --- what was said and called ---


def _messages(trajectory: Trajectory, base: str, folder: Path | None) -> list[dict[str, Any]]:
    places, unread = call_places(trajectory), set(trajectory.info.unread)
    heard = {utterance.audio: utterance for utterance in trajectory.utterances}
    shown, turn = [], -1
    for position, message in enumerate(trajectory.messages):
        turn += message.role == "assistant"
        entry: dict[str, Any] = {"role": message.role, "text": message.content or "", "turn": turn}
        if message.reasoning:
            entry["thoughts"] = message.reasoning
        if position in unread:
            entry["unread"] = True
        if message.tool_calls:
            entry["calls"] = [
                {
                    "name": call.name,
                    "arguments": call.arguments,
                    "id": call.id,
                    "by": call.by,
                    "number": places.get((position, place)),
                }
                for place, call in enumerate(message.tool_calls)
            ]
        if message.tool_call_id:
            entry |= {"answers": message.tool_call_id, "tool": message.name}
        if message.audio:
            entry |= _audio(message.audio, heard.get(message.audio), base)
            entry |= {} if folder is None else {"peaks": _peaks(folder / message.audio)}
        shown.append(entry)
    return shown


def _audio(name: str, known: UtteranceRecord | None, base: str) -> dict[str, Any]:
    found: dict[str, Any] = {"audio": Path(base, name).as_posix()}
    if known is None:
        return found
    return found | {
        "spoken": known.spoken,
        "heard": known.heard,
        "missed": list(known.missed or ()),
        "seconds": known.seconds,
    }


def _peaks(path: Path) -> list[float] | None:
    """The outline of a recording, so that the page draws its waveform without reading the file.

    Returns:
        The loudest sample of each part of a 16-bit WAV file, from 0 to 1; None of any other file, or of none.
    """
    try:
        with wave.open(str(path), "rb") as file:
            if file.getsampwidth() != 2:
                return None
            samples = array("h", file.readframes(file.getnframes()))
    except (OSError, EOFError, ValueError, wave.Error):
        return None
    if sys.byteorder == "big":
        samples.byteswap()
    step = max(1, -(-len(samples) // _BARS))
    parts = (samples[start : start + step] for start in range(0, len(samples), step))
    return [round(max(max(part), -min(part)) / 32768, 2) for part in parts]


def call_places(trajectory: Trajectory) -> dict[Place, int]:
    """For every call in the messages that reached the session its position in `trajectory.calls`; not every one did."""
    made = dict(zip(_made(trajectory), range(len(trajectory.calls)), strict=False))
    left = range(len(made), len(trajectory.calls))
    if left:  # infrastructure failed amid a message's calls, so that their results were not told
        at = max((at for at, message in enumerate(trajectory.messages) if message.tool_calls), default=None)
        calls = () if at is None else trajectory.messages[at].tool_calls
        free = [(at, place) for place in range(len(calls)) if at is not None and (at, place) not in made]
        made |= dict(zip(free, left, strict=False))
    return made


def _made(trajectory: Trajectory) -> Iterator[Place]:
    """The places of calls whose results the conversation shows, in the order of the log."""
    places: dict[str, Place] = {}
    attempts = iter(trajectory.info.programs)
    unread, rest = set(trajectory.info.unread), 0
    for at, message in enumerate(trajectory.messages):
        places |= {call.id: (at, place) for place, call in enumerate(message.tool_calls)}
        if message.role == "assistant" and trajectory.by_program:
            attempt = next(attempts, None)
            rest = 0 if attempt is None or at in unread else attempt.results
        if message.role != "tool" or message.tool_call_id not in places:
            continue
        if trajectory.by_program:
            if rest:
                yield places[message.tool_call_id]
            rest = max(0, rest - 1)
        elif not (message.content or "").endswith(_TOO_MANY):
            yield places[message.tool_call_id]


def _calls(trajectory: Trajectory, history: RowHistory) -> list[dict[str, Any]]:
    """The log, each call with what it did to the rows; a result is told where the conversation shows only a part."""
    turns, places = turn_of_calls(trajectory), call_places(trajectory)
    ids = {number: trajectory.messages[at].tool_calls[place].id for (at, place), number in places.items()}
    texts = {message.tool_call_id: message.content or "" for message in trajectory.messages if message.role == "tool"}
    asked = {each.call: each.model_dump(mode="json", exclude={"call"}) for each in trajectory.approvals}
    shown = []
    for number, record in enumerate(trajectory.calls):
        entry = _call(trajectory.task, record)
        if number in asked:
            entry["approval"] = asked[number]
        if trajectory.consent == "call" and number < len(history.seen):
            entry["seen"] = changes(history.seen[number])
        entry |= {"turn": turns[number], "seconds": record.seconds, "unlike": number in history.unlike}
        entry["changes"] = changes(history.calls[number]) if number < len(history.calls) else None
        told = texts.get(ids.get(number, ""))
        if told is None or told.endswith(_CUT):
            entry["result"] = record.result().text
        shown.append(entry)
    return shown


def _call(task: Task, record: CallRecord) -> dict[str, Any]:
    """A call; those of the same meaning have the same `canonical`."""
    shown = {name: getattr(record, name) for name in ("name", "arguments", "by", "kind", "error", "message")}
    try:
        meant = normal_call(record, with_distractors(get_domain(task.domain), task))
    except ToolgymError:  # a world that is not installed
        meant = json.dumps([record.name, record.by, record.arguments], sort_keys=True)
    return shown | {"canonical": hashlib.blake2b(meant.encode(), digest_size=6).hexdigest()}


def changes(rows: Iterable[RowChange]) -> list[dict[str, Any]]:
    """Changed rows with the columns that changed: name, before, after."""
    shown = []
    for row in rows:
        names = dict.fromkeys([*(row.before or {}), *(row.after or {})])
        cells = [[name, (row.before or {}).get(name), (row.after or {}).get(name)] for name in names]
        deed = "inserted" if row.before is None else "deleted" if row.after is None else "updated"
        kept = [cell for cell in cells if cell[1] != cell[2]]
        shown.append({"table": row.table, "key": list(row.key), "deed": deed, "cells": kept})
    return shown


# --- what was right ---


def _beside_gold(trajectory: Trajectory, history: RowHistory) -> dict[str, Any]:
    """The gold calls with what each does to the rows, the end beside the right one, and how calls build on others.

    Where the world is not installed, or the task does not fit it any more, `gold_missing` says why there is none.
    """
    task = trajectory.task
    try:
        if is_foreign(task):
            raise BadInput(_ELSEWHERE)
        log = gold_of(task).log
        rows = end_rows(task, trajectory.diff, history.new_ids)
        graph = {"made": call_graph(task, trajectory), "gold": call_graph(task)}
    except ToolgymError as problem:
        records = [CallRecord(call.name, call.arguments, call.by) for call in task.gold]
        named = [_call(task, record) | {"changes": None} for record in records]
        return {
            "gold": named,
            "end": None,
            "made": changes(trajectory.diff),
            "graph": None,
            "gold_missing": str(problem),
        }
    due = row_history(task, log)
    gold = [_call(task, record) | {"changes": changes(did)} for record, did in zip(log, due.calls, strict=True)]
    end = [asdict(row) for row in rows]
    return {"gold": gold, "end": end, "made": changes(trajectory.diff), "graph": graph, "gold_missing": ""}


def _judged(trajectory: Trajectory, score: Mapping[str, Any], basis: Basis, history: RowHistory) -> dict[str, Any]:
    """The verdict with its reason; of an episode that cannot be judged here what its scores say, and why."""
    found: dict[str, Any] = {
        "basis": basis,
        "passed": score.get("passed"),
        "clean": None,
        "verdict": dict(score.get("verdict", {})),
        "violations": list(score.get("violations", [])),
        "turn": None,
    }
    if trajectory.fault is not None:
        said = f"Left out of all averages: the {trajectory.fault.boundary} failed. {trajectory.fault.message}"
        return found | {"why": [said]}
    try:
        verdict = verify(trajectory)
        rows = end_rows(trajectory.task, trajectory.diff, history.new_ids)
        reason = explain(trajectory, verdict, basis, rows)
        return found | _of(verdict, basis) | {"why": list(reason.sentences), "turn": reason.turn}
    except ToolgymError as problem:
        scored = {True: "It was scored as passed.", False: "It was scored as failed."}.get(found["passed"], "")
        return found | {"why": [f"Why cannot be worked out here: {problem}", *([scored] if scored else [])]}


def _of(verdict: Verdict, basis: Basis) -> dict[str, Any]:
    passed = verdict.passed(basis)
    return {
        "passed": passed,
        "clean": passed and verdict.well_conducted,
        "verdict": verdict.to_json() | {"told": verdict.told, "reason_given": verdict.reason_given},
        "violations": [violation.to_json() for violation in verdict.violations],
    }
