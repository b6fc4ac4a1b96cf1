"""A run in one line: what the list of runs shows of it, whatever state its folder is in."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, Literal

from judge.evaluation.run_folder import RunFolder
from sandbox.kit.errors import BadInput

State = Literal["live", "finished", "stopped", "unscored", "damaged", "other format"]


def run_row(folder: RunFolder, identifier: str) -> dict[str, Any]:
    """What is known of a run: its state first, then whatever settings and summary tell.

    Args:
        folder: the run.
        identifier: what addresses call it.
    """
    row: dict[str, Any] = {"id": identifier, "name": folder.path.resolve().name, "kind": "evaluation", "problem": None}
    settings, summary = {}, None
    try:
        settings = folder.settings()
        summary = _summary(folder.summary_file)
        row["state"] = "unscored" if summary is None or "scores" not in summary else "finished"
    except BadInput as error:
        row |= {"state": "damaged", "problem": str(error)}
    return row | _of_settings(settings) | _of_summary(summary or {}) | {"changed": _changed(folder)}


def _summary(path: Path) -> dict[str, Any] | None:
    if not path.is_file():
        return None
    try:
        loaded = json.loads(path.read_text(encoding="utf-8"))
    except ValueError:
        loaded = None
    if not isinstance(loaded, dict):
        raise BadInput(f"{path.name} is damaged: it holds no JSON object. `toolgym judge` writes it anew.")
    return loaded


def _of_settings(settings: dict[str, Any]) -> dict[str, Any]:
    made = settings.get("made_with") or {}
    return {
        "env": settings.get("env"),
        "agent": settings.get("agent"),
        "user": settings.get("user"),
        "model": settings.get("agent_model"),
        "data": settings.get("data"),
        "split": settings.get("split"),
        "toolgym": ", then ".join(made.get("toolgym", ())) or None,
    }


def _of_summary(summary: dict[str, Any]) -> dict[str, Any]:
    low, high = (summary.get("pass_hat_interval") or {}).get("1") or (None, None)
    episodes, mean = summary.get("trajectories"), summary.get("seconds")
    used = [*(summary.get("usage") or {}).values(), *((summary.get("scores") or {}).get("usage") or {}).values()]
    return {
        "tasks": summary.get("tasks"),
        "episodes": episodes,
        "pass": (summary.get("pass_hat") or {}).get("1"),
        "low": low,
        "high": high,
        "clean": summary.get("clean"),
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
