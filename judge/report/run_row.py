"""A run in one line: what the list of runs shows of it, whatever state its folder is in."""

from __future__ import annotations

import time
from pathlib import Path
from typing import Any, Literal

from pydantic_core import from_json

from toolgym.judge.evaluation.folder_lock import is_running
from toolgym.judge.evaluation.run_folder import RunFolder
from toolgym.judge.evaluation.times import times
from toolgym.sandbox.kit import format_1
from toolgym.sandbox.kit.errors import BadInput

State = Literal["live", "finished", "stopped", "unscored", "damaged", "other format"]


def run_row(folder: RunFolder, identifier: str, *, followed: bool = True) -> dict[str, Any]:
    """What is known of a run: its state first, then whatever settings and summary tell.

    Args:
        folder: the run.
        identifier: what addresses call it.
        followed: whether the page goes on to follow the run. A report does not: it is written by the command that
            holds the folder, and shows what the files hold, finished or not.
    """
    row: dict[str, Any] = {"id": identifier, "name": folder.path.resolve().name, "kind": "evaluation", "problem": None}
    settings, summary = {}, None
    try:
        settings = folder.settings() if folder.settings_file.is_file() else {}
        summary = _summary(folder.summary_file)
        row["state"] = "live" if followed and is_running(folder.path) else _state(folder, summary)
        row["problem"] = _strange(folder.trajectories_file)
        if row["problem"]:
            row["state"] = "other format"
    except BadInput as error:
        row |= {"state": "damaged", "problem": str(error)}
    changed = _changed(folder)
    row |= _of_settings(settings) | _of_summary(summary or {}) | {"changed": changed}
    seen = time.time() if row["state"] == "live" else changed
    return row | (times(folder.path, seen) or {"started": None, "wall": None})


def damaged_row(identifier: str, name: str, problem: str) -> dict[str, Any]:
    """The line of a run of which nothing can be read.

    Args:
        identifier: what addresses call it.
        name: its folder's.
        problem: why not, in a sentence.
    """
    row = {"id": identifier, "name": name, "kind": "evaluation", "state": "damaged", "problem": problem}
    return row | _of_settings({}) | _of_summary({}) | {"changed": None, "started": None, "wall": None}


def _state(folder: RunFolder, summary: dict[str, Any] | None) -> State:
    if summary is None:  # rows of `toolgym synth` have a card in place of one
        return "finished" if (folder.path / "card.json").is_file() else "stopped"
    if "stopped" in summary:  # by a limit
        return "stopped"
    return "finished" if "scores" in summary else "unscored"


def _strange(path: Path) -> str | None:
    """Why conversations are not in a form of toolgym's that this version reads, from their first line alone."""
    try:
        with path.open("rb") as file:
            line = file.readline()
    except OSError:
        return None
    if not line.endswith(b"\n"):
        return None  # not written whole yet
    try:
        record = from_json(line)
    except ValueError:
        return None  # one damaged line, of which the run's page tells
    if not isinstance(record, dict) or "task" not in record or "messages" not in record:
        return "trajectories.jsonl holds no conversations of toolgym's; `toolgym import` reads runs of others."
    number = record.get("format_version", record.get("version", 1))
    return None if number in range(1, format_1.TRAJECTORY + 1) else f"A newer toolgym wrote this, in format {number}."


def _summary(path: Path) -> dict[str, Any] | None:
    if not path.is_file():
        return None
    try:
        loaded = from_json(path.read_bytes())
    except ValueError:
        loaded = None
    if not isinstance(loaded, dict):
        raise BadInput(f"{path.name} is damaged: it holds no JSON object. `toolgym judge` writes it anew.")
    return loaded


def _of_settings(settings: dict[str, Any]) -> dict[str, Any]:
    made = settings.get("made_with") or {}
    return {
        "env": settings.get("env", settings.get("source")),
        "agent": settings.get("agent"),
        "user": settings.get("user"),
        "user_number": made.get("user", 1) if settings.get("user") == "scripted" else None,
        "consent": settings.get("consent", "words"),
        "model": settings.get("agent_model"),
        "data": settings.get("data"),
        "split": settings.get("split"),
        "perturb": settings.get("perturb"),
        "modality": settings.get("modality"),
        "solo": settings.get("solo"),
        "toolgym": ", then ".join(made.get("toolgym", ())) or None,
    }


def _of_summary(summary: dict[str, Any]) -> dict[str, Any]:
    low, high = (summary.get("pass_hat_interval") or {}).get("1") or (None, None)
    clean_low, clean_high = summary.get("clean_interval") or (None, None)
    wordless = summary.get("wordless")
    episodes, mean = summary.get("trajectories"), summary.get("seconds")
    used = [*(summary.get("usage") or {}).values(), *((summary.get("scores") or {}).get("usage") or {}).values()]
    return {
        "tasks": summary.get("tasks"),
        "episodes": episodes,
        "pass": (summary.get("pass_hat") or {}).get("1"),
        "low": low,
        "high": high,
        "clean": None if wordless else summary.get("clean"),
        "clean_low": None if wordless else clean_low,
        "clean_high": None if wordless else clean_high,
        "inert": summary.get("inert"),
        "reckless": summary.get("reckless"),
        "dollars": sum(each["dollars"] for each in used) if used else None,
        "tokens": sum(each["prompt_tokens"] + each["completion_tokens"] for each in used) if used else None,
        "seconds": None if mean is None or episodes is None else mean * episodes,
        "left_out": summary.get("infrastructure_failures"),
    }


def _changed(folder: RunFolder) -> float | None:
    """When the run was last written to, in seconds since 1970."""
    files = (folder.settings_file, folder.trajectories_file, folder.summary_file)
    return max((file.stat().st_mtime for file in files if file.is_file()), default=None)
