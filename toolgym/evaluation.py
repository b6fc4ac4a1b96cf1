"""An evaluation from Python: what `toolgym eval` does, without its printing."""

from __future__ import annotations

import json
from argparse import Namespace
from typing import Any, cast

from toolgym.commands.evaluate import run_and_summarise, run_folder
from toolgym.judge.evaluation.settings import EvalSettings
from toolgym.sandbox.kit.errors import unknown
from toolgym.sandbox.runtime.settings import resolve
from toolgym.sandbox.runtime.terminal import SafeConsole


def evaluate(env: str, **settings: Any) -> dict[str, Any]:
    """Run an agent on a split of tasks and score it; an interrupted run with the same settings is resumed.

    Args:
        env: an environment's id such as `ToolRetail-v0`, or a domain's name.
        settings: what `toolgym eval --help` lists, with `_` for `-`: `agent="rules"`, `trials=4`, `tasks=20` (the first
            twenty), ...

    Returns:
        What the run's `summary.json` holds; the run itself is in the folder `out`, as the command writes it.

    Raises:
        BadInput: a setting that does not exist or does not fit.
    """
    for name in settings:
        if name not in EvalSettings.model_fields:
            raise unknown("setting", name, EvalSettings.model_fields)
    if isinstance(settings.get("tasks"), int):
        settings["tasks"] = (str(settings["tasks"]),)
    given = {name: settings.get(name) for name in EvalSettings.model_fields} | {"env": env, "config": None}
    resolved = resolve(EvalSettings, Namespace(**given))
    run_and_summarise(resolved, SafeConsole(quiet=True))
    return cast(dict[str, Any], json.loads(run_folder(resolved).summary_file.read_text(encoding="utf-8")))
