"""Start a domain of your own: a package with schema, rows, tools, rules, goals, policy and a test, ready to install.

toolgym new-domain bakery
"""

from __future__ import annotations

import argparse
import keyword
import re
import sys
from importlib.resources import files
from importlib.util import find_spec
from pathlib import Path

from toolgym.sandbox.kit.errors import BadInput
from toolgym.sandbox.runtime import registry

INSIDE = ("__init__.py", "schema.py", "seed.py", "tools.py", "rules.py", "goals.py", "policy.md")
BESIDE = ("pyproject.toml", "test_domain.py")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Flags of `toolgym new-domain`."""
    parser.add_argument("name", help="the domain's name: lower-case letters, digits and _")
    parser.add_argument("--dir", default=".", metavar="DIR", help="where the project's folder goes (default: here)")


def run(arguments: argparse.Namespace) -> int:
    """Entry of `toolgym new-domain`."""
    project = scaffold(arguments.name, Path(arguments.dir))
    print(f"Made {project}. Next:\n  pip install -e {project}\n  toolgym check {arguments.name}")
    print(f"  toolgym tasks generate {arguments.name} --split test --count 20 --out mine.jsonl")
    print(f"  toolgym eval {arguments.name} --data own:mine.jsonl --agent oracle")
    print(f"  pip install pytest && python -m pytest {project}")
    page = Path(__file__).resolve().parents[2] / "docs" / "tutorials" / "your-world.md"
    if page.is_file():  # a checkout
        print(f"{page} explains the files one by one.")
    return 0


def scaffold(name: str, parent: Path) -> Path:
    """Write the project `parent/name`.

    Raises:
        BadInput: the name cannot be a package's, or the folder exists.
    """
    if not re.fullmatch(r"[a-z][a-z0-9_]*", name) or keyword.iskeyword(name):
        raise BadInput(
            f"{name!r} cannot be a domain's name; take lower-case letters, digits and _, starting with a letter."
        )
    if user := _user_of(name):
        raise BadInput(f"{name!r} cannot be a domain's name, because {user} has it already; choose another one.")
    project = parent / name
    if project.exists():
        raise BadInput(f"{project} exists already; choose another name or --dir.")
    package = project / name
    package.mkdir(parents=True)
    title = name.replace("_", " ").capitalize()
    source = files("toolgym.commands").joinpath("scaffold")
    for folder, names in ((package, INSIDE), (project, BESIDE)):
        for file in names:
            text = source.joinpath(f"{file}.txt").read_text(encoding="utf-8")
            text = text.replace("{{name}}", name).replace("{{title}}", title)
            (folder / file).write_text(text, encoding="utf-8")
    return project


def _user_of(name: str) -> str | None:
    """What has a name already: an installed domain, or whatever `import NAME` would find."""
    if name in registry.names("domains"):
        return f"the domain of {registry.value('domains', name)}"
    if name == "tests" or name in sys.stdlib_module_names:
        return "Python"
    found = find_spec(name)
    return f"the package at {found.origin}" if found is not None and found.origin else None
