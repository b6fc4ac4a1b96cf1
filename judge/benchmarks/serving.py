"""What the programs share that run a benchmark's own code: placeholders, closed doors, one request a line.

A program hands `serve` an object; a request names one of its methods and the arguments. Once the object is made,
opening a connection, starting a process and writing outside a scratch folder raise PermissionError. That keeps honest
code from side effects; it is no prison.
"""

from __future__ import annotations

import io
import json
import os
import sys
import types
from collections.abc import Callable
from pathlib import Path
from typing import Any

_CLOSED = ("socket.", "subprocess.", "os.system", "os.exec", "os.posix_spawn", "os.fork", "shutil.", "pty.", "urllib.")
_WRITING = ("os.remove", "os.rename", "os.mkdir", "os.rmdir", "os.truncate", "os.chmod", "os.link", "os.symlink")


class _Anything:
    """Stands for whatever an absent library would give; usable as a decorator, a context and a base class's place."""

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        return self

    def __call__(self, *given: Any, **named: Any) -> Any:
        function = given[0] if len(given) == 1 and isinstance(given[0], types.FunctionType) else None
        return function or self

    def __enter__(self) -> Any:
        return self

    def __exit__(self, *what: Any) -> None:
        return None


class _Absent(types.ModuleType):
    __path__: list[str] = []

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        return _Anything()


def place(name: str, **values: Any) -> None:
    """Put a placeholder where a library is imported that scoring does not need."""
    module = _Absent(name)
    vars(module).update(values)
    sys.modules[name] = module


def _close(scratch: Path) -> None:
    inside = (str(scratch) + os.sep, str(scratch.resolve()) + os.sep)

    def outside(path: Any) -> bool:
        whole = str(Path(str(path)).absolute())
        return not (whole + os.sep).startswith(inside) and whole != os.devnull

    def guard(event: str, given: tuple[Any, ...]) -> None:
        if event.startswith(_CLOSED):
            raise PermissionError(f"{event} is closed to the benchmark's code")
        if event.startswith(_WRITING) and outside(given[0]):
            raise PermissionError(f"{event} is closed to the benchmark's code")
        if event == "open" and isinstance(given[1], str) and set(given[1]) & set("wax+") and outside(given[0]):
            raise PermissionError(f"writing {given[0]} is closed to the benchmark's code")

    sys.addaudithook(guard)


def serve(make: Callable[[], object], scratch: Path) -> None:
    """Answer requests until the input ends.

    Args:
        make: loads the benchmark's code and returns what answers; its failure is told and ends the program.
        scratch: the only folder that may be written to; it becomes the working directory.
    """
    asked, said = sys.stdin, sys.stdout
    sys.stdin, sys.stdout = io.StringIO(), io.StringIO()  # what the benchmark prints is nobody's answer
    asked.readline()
    answer: dict[str, Any] = {}
    try:
        os.chdir(scratch)
        loaded = make()
        _close(scratch)
    except Exception as error:  # the boundary of the benchmark's code
        answer = {"broken": f"{type(error).__name__}: {error}"}
    said.write(json.dumps(answer) + "\n")
    said.flush()
    if answer:
        return
    for line in asked:
        request = json.loads(line)
        try:
            text = json.dumps({"value": getattr(loaded, request.pop("do"))(**request)}, default=str)
        except Exception as error:  # the boundary of the benchmark's code
            text = json.dumps({"error": f"{type(error).__name__}: {error}"})
        said.write(text + "\n")
        said.flush()
        sys.stdout = io.StringIO()
