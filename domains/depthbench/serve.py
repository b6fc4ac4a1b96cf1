"""Run as a program by `process`: imports a checkout's tools and answers calls, a line of JSON each.

Once the libraries are loaded, opening a connection, starting a process and writing a file raise PermissionError, in the
checkout's code as anywhere else. That keeps honest code from side effects; it is no prison for hostile code.
"""

from __future__ import annotations

import ast
import contextlib
import importlib
import io
import json
import os
import sys
import types
from datetime import datetime
from pathlib import Path
from typing import Any

_CLOSED: tuple[str, ...] = (
    "socket.",
    "subprocess.",
    "os.system",
    "os.exec",
    "os.posix_spawn",
    "os.fork",
    "os.remove",
    "os.rename",
)
_CLOSED += ("os.mkdir", "os.rmdir", "os.truncate", "os.chmod", "os.link", "os.symlink", "shutil.", "pty.", "urllib.")
_PACKAGES = ("depthbench_apis", "food_apis")


def main(checkout: Path) -> None:
    """Answer calls until the input ends."""
    said, sys.stdout = sys.stdout, io.StringIO()  # what tools print is nobody's answer
    sys.stdin.readline()
    try:
        importlib.import_module("pandas")
        _close()
        tools = Tools(checkout)
    except ModuleNotFoundError as error:
        _say(said, {"broken": f"they need the package {error.name}: pip install pandas rapidfuzz"})
        return
    except Exception as error:  # the boundary of the checkout's code
        _say(said, {"broken": f"{type(error).__name__}: {error}"})
        return
    _say(said, {})
    for line in sys.stdin:
        request = json.loads(line)
        try:
            answer = {"value": tools.call(request["tool"], request["arguments"])}
            text = json.dumps(answer, allow_nan=False)
        except Exception as error:  # the boundary of the checkout's code
            text = json.dumps({"error": f"{type(error).__name__}: {error}"})
        said.write(text + "\n")
        said.flush()


def _say(said: Any, answer: dict[str, str]) -> None:
    said.write(json.dumps(answer) + "\n")
    said.flush()


class Tools:
    """The checkout's environment.

    Tables cross to the other process as lists of rows. Such a list comes back as the table that it was, where it is
    given to the parameter that is called like the field which held it; one that a model wrote by itself stays a list.
    """

    def __init__(self, checkout: Path) -> None:
        folder = checkout / "src" / "tier" / "environment"
        _import_from(checkout / "src", folder)
        import pandas

        names = {"os": os, "__file__": str(folder / "simulator.py")}
        for package in _PACKAGES:
            module = importlib.import_module(f"tier.environment.{package}")
            if hasattr(module, "datetime"):
                vars(module)["datetime"] = _Frozen
            names |= vars(module)
        definitions = json.loads((checkout / "src/tier/prompts/function_definitions.json").read_text(encoding="utf-8"))
        wanted = {name.partition(".")[0] for name in definitions}
        self.environment = _environment(folder / "simulator.py", names, wanted)
        self._table = pandas.DataFrame
        self._given_out: dict[tuple[str, str], Any] = {}

    def call(self, name: str, arguments: dict[str, Any]) -> Any:
        """What a tool returns, tables as rows."""
        method = self.environment
        for part in name.split("."):
            method = getattr(method, part)
        given = {key: self._given_out.get((key.lower(), _text(value)), value) for key, value in arguments.items()}
        found = method.execute(**given)
        return {key: self._as_rows(key, value) for key, value in found.items()}

    def _as_rows(self, key: str, value: Any) -> Any:
        if not isinstance(value, self._table):
            return value
        rows = value.to_dict(orient="records")
        self._given_out[key.lower(), _text(rows)] = value
        return rows


class _Frozen(datetime):
    """A clock that stands: some tools ask whether a day has come yet."""

    @classmethod
    def now(cls, tz: Any = None) -> _Frozen:
        """The moment of every task."""
        return cls(2026, 1, 1, 12, 0, tzinfo=tz)


def _text(value: Any) -> str:
    return json.dumps(value, sort_keys=True, default=str) if isinstance(value, list) else ""


def _import_from(source: Path, folder: Path) -> None:
    """Find the checkout's modules without running its packages' own files, which load 20 MB that nothing here needs."""
    sys.path.insert(0, str(source))
    for name, where in (("tier", folder.parent), ("tier.environment", folder)):
        package = types.ModuleType(name)
        package.__path__ = [str(where)]
        sys.modules[name] = package


def _environment(simulator: Path, names: dict[str, Any], wanted: set[str]) -> Any:
    """The simulator with the tools that are defined alone; which table each one has is said in its file."""
    tree = ast.parse(simulator.read_text(encoding="utf-8"))
    paths = [node for node in tree.body if isinstance(node, ast.Assign)]
    home = next(node for node in tree.body if isinstance(node, ast.ClassDef))
    made = next(node for node in home.body if isinstance(node, ast.FunctionDef) and node.name == "__init__")
    made.body = [node for node in made.body if _sets(node) in wanted]
    exec(compile(ast.Module([*paths, home], []), str(simulator), "exec"), names)
    return names[home.name]()


def _sets(node: ast.stmt) -> str:
    """The attribute that a statement sets."""
    target = node.targets[0] if isinstance(node, ast.Assign) else None
    return target.attr if isinstance(target, ast.Attribute) else ""


def _close() -> None:
    """Take network, processes and writing away, for good: audit hooks cannot be removed."""

    def refuse(event: str, arguments: tuple[Any, ...]) -> None:
        if event.startswith(_CLOSED) or (event == "open" and _writes(arguments)):
            raise PermissionError(f"{event} is not allowed here")

    sys.addaudithook(refuse)


def _writes(arguments: tuple[Any, ...]) -> bool:
    _, mode, flags = arguments
    return bool(set(mode or "") & set("wax+")) or bool((flags or 0) & (os.O_WRONLY | os.O_RDWR | os.O_CREAT))


if __name__ == "__main__":
    with contextlib.suppress(KeyboardInterrupt):
        main(Path(sys.argv[1]))
