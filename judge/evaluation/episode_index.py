"""The index of a run's episodes: a row for each, with where its line stands in trajectories.jsonl.

A table of 5,000 episodes (100 MB) is shown from `episodes.json` alone, and one of them is read without the others.
The index says which files it is of; when they are others now, it is built anew. A line that cannot be read is counted
and left out: nothing else of the run is lost for it.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from pydantic_core import from_json

from toolgym.judge.evaluation.run_folder import Key, RunFolder, write_lines
from toolgym.sandbox.kit import format_1

COLUMNS = (
    "task",
    "trial",
    "world",
    "family",
    "difficulty",
    "depth",
    "structure",
    "rule",
    "ending",
    "passed",
    "clean",
    "violations",
    "fault",
    "reason",
    "scores",
    "turns",
    "calls",
    "refused",
    "seconds",
    "tokens",
    "dollars",
    "rewards",
    "offset",
    "length",
)
"""Of a row. `passed` and `clean` are None where nothing is scored; `fault` and `reason`: the call (or `message`) of the
first turn that was scored -1, and why; `scores`: of the turns; `rewards`: totals by name; `offset` and `length`: of the
line, in bytes."""

_VERSION = 1
_SAMPLE = 1 << 16
"""Bytes at a file's beginning and at its end that tell it from another of the same size."""

Row = list[Any]


@dataclass
class Index:
    """The episodes of a run.

    Attributes:
        rows: see `COLUMNS`.
        damaged: a sentence for each line that could not be read: file, number from 1, and what is wrong.
        read: bytes of trajectories.jsonl that it is of; what stands behind them was written later.
        lines: how many lines that were.
    """

    rows: list[Row] = field(default_factory=list)
    damaged: list[str] = field(default_factory=list)
    read: int = 0
    lines: int = 0

    def table(self) -> dict[str, Any]:
        """As the page takes it."""
        return {"columns": COLUMNS, "rows": self.rows, "damaged": self.damaged}


def build_index(folder: RunFolder) -> Index:
    """The index of what a run's files hold now."""
    index = Index()
    if folder.trajectories_file.is_file():
        extend(index, folder, scores_of(folder, index.damaged))
    return index


def scores_of(folder: RunFolder, damaged: list[str]) -> dict[Key, dict[str, Any]]:
    """The lines of scores.jsonl that can be read, by task and trial; what is wrong with others joins `damaged`."""
    found: dict[Key, dict[str, Any]] = {}
    if folder.scores_file.is_file():
        for number, (_, line) in enumerate(_lines(folder.scores_file, 0), start=1):
            try:
                item = from_json(line)
                found[item["task"], item["trial"]] = item
            except (ValueError, LookupError, TypeError):
                damaged.append(f"{folder.scores_file.name}, line {number}: it is no episode's scores.")
    return found


def extend(index: Index, folder: RunFolder, scores: Mapping[Key, Mapping[str, Any]]) -> list[Row]:
    """Read on where the index ends; a line that is still being written is left for the next time.

    Returns:
        The new rows.
    """
    fresh: list[Row] = []
    for offset, line in _lines(folder.trajectories_file, index.read):
        index.read, index.lines = offset + len(line), index.lines + 1
        if not line.strip():
            continue
        try:
            fresh.append(_row(line, scores, offset))
        except (ValueError, LookupError, TypeError, AttributeError) as error:
            index.damaged.append(f"{folder.trajectories_file.name}, line {index.lines}: {_words(error)}.")
    index.rows += fresh
    return fresh


def _lines(path: Path, start: int) -> Iterator[tuple[int, bytes]]:
    with path.open("rb") as file:
        file.seek(start)
        offset = start
        for line in file:
            if not line.endswith(b"\n"):
                return
            yield offset, line
            offset += len(line)


def _words(error: Exception) -> str:
    if isinstance(error, KeyError):
        return f"it lacks {error}"
    return str(error) if isinstance(error, _Strange) else "it is no JSON object, or not a trajectory"


class _Strange(ValueError):
    """A sentence's end about a line that is JSON and still no episode that can be read."""


def _row(line: bytes, scores: Mapping[Key, Mapping[str, Any]], offset: int) -> Row:
    """Plain JSON, not the checked record: sixteen times as fast, and a table needs no more."""
    record = from_json(line)
    if not isinstance(record, dict) or "task" not in record:
        raise _Strange("it is not a trajectory")
    number = record.get("format_version", record.get("version", 1))
    if number not in range(1, format_1.TRAJECTORY + 1):
        raise _Strange(f"it has format {number}, which a newer toolgym wrote")
    task, trial = record["task"], record.get("trial", 0)
    score = scores.get((task["id"], trial), {})
    fault, reason = _first_fault(record["messages"], score)
    used, calls = record.get("usage", ()), record.get("calls", ())
    passed, violations = score.get("passed"), sorted({each["kind"] for each in score.get("violations", ())})
    return [
        task["id"],
        trial,
        task["domain"],
        task.get("family", ""),
        task.get("difficulty", ""),
        task.get("depth", 0),
        task.get("structure", ""),
        str(task.get("metadata", {}).get("rule", "")),
        record["termination"],
        passed,
        None if passed is None else passed and not violations and score.get("told", True),
        violations,
        fault,
        reason,
        score.get("turns"),
        sum(message["role"] == "assistant" for message in record["messages"]),
        len(calls),
        sum(call.get("error") is not None for call in calls),
        record.get("timing", {}).get("total"),
        sum(each["prompt_tokens"] + each["completion_tokens"] for each in used),
        sum(each["dollars"] for each in used),
        {name: reward["total"] for name, reward in score.get("rewards", {}).items()},
        offset,
        len(line),
    ]


def failures_of(folder: RunFolder, index: Index) -> list[dict[str, Any]]:
    """The infrastructure failures that no later attempt made good: task, trial, boundary, message."""
    if not folder.failures_file.is_file():
        return []
    done = {(row[0], row[1]) for row in index.rows}
    found: dict[Key, dict[str, Any]] = {}
    for _, line in _lines(folder.failures_file, 0):
        with suppress(ValueError, LookupError, TypeError):  # a damaged line is no failure that anybody can read
            record = from_json(line)
            key = record["task"]["id"], record.get("trial", 0)
            if key not in done:
                found[key] = {"task": key[0], "trial": key[1], **record["fault"]}
    return list(found.values())


def _first_fault(messages: list[dict[str, Any]], score: Mapping[str, Any]) -> tuple[str, str]:
    """The call of the first turn that was scored -1, and why: as in `deviations` of summary.json."""
    turns = score.get("turns") or []
    if -1 not in turns:
        return "", ""
    turn = turns.index(-1)
    actions = [message for message in messages if message["role"] == "assistant"]
    calls = actions[turn].get("tool_calls") if turn < len(actions) else ()
    return calls[0]["name"] if calls else "message", score["reasons"][turn]


def write_index(folder: RunFolder, index: Index) -> None:
    """Keep the index beside what it is of."""
    content = {"version": _VERSION, "of": _of(folder), "read": index.read, "lines": index.lines} | index.table()
    write_lines(folder.index_file, [json.dumps(content, ensure_ascii=False, separators=(",", ":"))])


def read_index(folder: RunFolder) -> Index | None:
    """The index that is kept, or None where there is none, or where the run's files are others now."""
    try:
        content = from_json(folder.index_file.read_bytes())
    except (OSError, ValueError):
        return None
    expected = {"version": _VERSION, "of": _of(folder), "columns": list(COLUMNS)}
    if not isinstance(content, dict) or any(content.get(name) != value for name, value in expected.items()):
        return None
    return Index(content["rows"], content["damaged"], content["read"], content["lines"])


def _of(folder: RunFolder) -> dict[str, str | None]:
    return {file.name: _fingerprint(file) for file in (folder.trajectories_file, folder.scores_file)}


def _fingerprint(path: Path) -> str | None:
    """Size and a digest of both ends; times of change would not outlive a copy of the folder."""
    try:
        with path.open("rb") as file:
            head = file.read(_SAMPLE)
            size = file.seek(0, 2)
            file.seek(max(0, size - _SAMPLE))
            return f"{size}-{hashlib.blake2b(head + file.read(), digest_size=12).hexdigest()}"
    except OSError:
        return None
