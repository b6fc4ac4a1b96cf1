"""What the agent of an episode was told: the policy and its tools, and the settings of its model."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from toolgym.judge.benchmarks.contract import is_foreign
from toolgym.sandbox.agents.llm import NATIVE, system_prompt
from toolgym.sandbox.formats import get_format
from toolgym.sandbox.kit.errors import ToolgymError
from toolgym.sandbox.runtime.briefing import briefing
from toolgym.sandbox.runtime.registry import get_domain
from toolgym.sandbox.runtime.trajectory import Trajectory

_SECRET = ("key", "token", "password", "secret")
"""What the names of settings hold that nobody else should see."""


def prompt_data(trajectory: Trajectory, settings: Mapping[str, Any]) -> dict[str, Any]:
    """The prompt and the settings; where it cannot be made again, `missing` says why.

    Args:
        trajectory: the record.
        settings: what run.json says; empty where there is none.
    """
    shown = {name: _shown(name, value) for name, value in settings.items()}
    found: dict[str, Any] = {
        "settings": shown,
        "policy": "",
        "tools": [],
        "system": None,
        "missing": "",
        "perturbed": None,
    }
    if is_foreign(trajectory.task):
        return found | {"missing": "this is a row of a benchmark, whose own prompt its adapter makes."}
    try:
        told = briefing(
            get_domain(trajectory.task.domain),
            trajectory.task,
            solo=trajectory.solo,
            program=trajectory.by_program,
            consent=trajectory.consent,
        )
        if settings.get("agent") == "llm":
            options = settings.get("agent_options") or {}
            name = options.get("format", NATIVE)
            found["system"] = system_prompt(told, None if name == NATIVE else get_format(name))
    except ToolgymError as problem:
        return found | {"missing": str(problem)}
    changed = trajectory.info.perturbed
    return found | {
        "policy": told.policy,
        "tools": [tool.get("function", tool) for tool in told.tools],
        "ticket": told.ticket,
        "perturbed": None if changed is None else changed.model_dump(mode="json"),
    }


def _shown(name: str, value: Any) -> Any:
    """A setting, without what is secret in it."""
    if isinstance(value, dict):
        return {inner: _shown(inner, each) for inner, each in value.items()}
    hides = any(part in name.lower() for part in _SECRET) and isinstance(value, str) and value
    return "[redacted]" if hides else value
