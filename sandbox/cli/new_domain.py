"""Start a domain of your own: a package with schema, seed data, tools, tasks, policy and a test, ready to install."""

from __future__ import annotations

import argparse
import keyword
import re
import sys
from importlib.resources import files
from pathlib import Path

from sandbox.errors import BadInput

INSIDE = ("__init__.py", "schema.py", "seed.py", "tools.py", "tasks.py", "policy.md")
BESIDE = ("pyproject.toml", "test_domain.py")
_TAKEN = {"sandbox", "domains", "judge", "training", "tests"}


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Flags of `toolgym new-domain`."""
    parser.add_argument("name", help="the domain's name: lower-case letters, digits and _")
    parser.add_argument("--dir", default=".", metavar="DIR", help="where the project's folder goes (default: here)")


def run(arguments: argparse.Namespace) -> int:
    """Entry of `toolgym new-domain`."""
    project = scaffold(arguments.name, Path(arguments.dir))
    print(f"Made {project}. Next:\n  pip install -e {project}\n  toolgym check {arguments.name}")
    print(f"  toolgym eval {arguments.name} --agent oracle\ndocs/new-domain.md explains the files one by one.")
    return 0


def scaffold(name: str, parent: Path) -> Path:
    """Write the project `parent/name`.

    Raises:
        BadInput: the name cannot be a package's, or the folder exists.
    """
    taken = name in _TAKEN or name in sys.stdlib_module_names
    if not re.fullmatch(r"[a-z][a-z0-9_]*", name) or keyword.iskeyword(name) or taken:
        raise BadInput(
            f"{name!r} cannot be a domain's name; take lower-case letters, digits and _, starting with a letter, "
            "and no name that Python or toolgym uses already."
        )
    project = parent / name
    if project.exists():
        raise BadInput(f"{project} exists already; choose another name or --dir.")
    package = project / name
    package.mkdir(parents=True)
    title = name.replace("_", " ").capitalize()
    source = files("sandbox.cli").joinpath("scaffold")
    for folder, names in ((package, INSIDE), (project, BESIDE)):
        for file in names:
            text = source.joinpath(f"{file}.txt").read_text(encoding="utf-8")
            text = text.replace("{{name}}", name).replace("{{title}}", title)
            (folder / file).write_text(text, encoding="utf-8")
    return project
