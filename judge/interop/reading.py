"""Opens recorded runs, a file or a results folder: who wrote it, and what can be read of it, broken files included."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from toolgym.judge.interop import tau2, tau_bench
from toolgym.judge.interop.recorded import Content
from toolgym.sandbox.kit.errors import BadInput
from toolgym.sandbox.kit.message import Json
from toolgym.sandbox.runtime.extras import missing

_KINDS = (
    "a tau-bench result file (a list of objects with task_id and traj), a tau2-bench one (info, tasks, simulations, "
    "or a folder with results.json and simulations/) or a log of Inspect (*.eval)"
)
RESULTS, _SIMULATIONS = "results.json", "simulations"
"""tau2-bench's form in a folder: what is common to all simulations, and beside it each in a file of its own."""


def result_file(path: Path) -> Path:
    """The file to read: the path itself, or the results in a folder.

    Raises:
        BadInput: there is none.
    """
    if path.is_dir():
        if not (path / RESULTS).is_file():
            own = (path / "run.json").is_file()
            advice = (
                "`toolgym show` and `toolgym judge` read runs of our own" if own else "give the result file inside it"
            )
            raise BadInput(f"{path} is a folder without {RESULTS}; {advice}.")
        return path / RESULTS
    if not path.is_file():
        raise BadInput(f"There is no file {path}.")
    return path


def title(path: Path) -> str:
    """What recorded runs are called: after their file, or after their folder."""
    file = result_file(path)
    return file.resolve().parent.name if (file.parent / _SIMULATIONS).is_dir() and file.name == RESULTS else file.stem


def read_file(path: Path) -> Content:
    """The recorded episodes of a file or folder, and what could not be read.

    Raises:
        BadInput: there is no such file, or nothing in it is a recorded run.
    """
    file = result_file(path)
    if file.suffix == ".eval":
        return _log(file)
    try:
        value, break_off = parse(file.read_text(encoding="utf-8-sig"))
    except UnicodeDecodeError:
        raise BadInput(f"{file} is not text in UTF-8; expected {_KINDS}.") from None
    content = _content(value, file, break_off)
    if break_off:
        content.unreadable.append(("the end of the file", break_off))
    return content


def _log(file: Path) -> Content:
    try:
        from toolgym.judge.interop.inspect import reading  # loads Inspect
    except ModuleNotFoundError as error:
        raise missing(error, "A log of Inspect", "inspect") from error
    return reading.read(file)


def _content(value: Json, path: Path, break_off: str | None) -> Content:
    if break_off and not value:
        raise BadInput(f"{path} is no record of runs: it is not JSON; expected {_KINDS}.")
    if isinstance(value, list) and (not value or any(isinstance(item, dict) and "traj" in item for item in value)):
        return tau_bench.read(value)
    if isinstance(value, dict) and {"eval", "status"} <= value.keys():
        return _log(path)
    if isinstance(value, dict) and not value.get(_SIMULATIONS) and (path.parent / _SIMULATIONS).is_dir():
        return _folder(value, path.parent / _SIMULATIONS)
    if isinstance(value, dict) and _SIMULATIONS in value:
        return tau2.read(value)
    raise BadInput(f"{path} is no record of runs{f' ({break_off})' if break_off else ''}; expected {_KINDS}.")


def _folder(value: dict[str, Json], folder: Path) -> Content:
    """The simulations of a folder; one that is broken or missing is named."""
    found, unreadable = {}, []
    for file in sorted(folder.glob("*.json")):
        try:
            found[file.name] = json.loads(file.read_text(encoding="utf-8-sig"))
        except (ValueError, RecursionError) as error:
            unreadable.append((f"{_SIMULATIONS}/{file.name}", f"it is not JSON in UTF-8 ({error})"))
    index = [str(entry.get("id")) for entry in value.get("simulation_index") or () if isinstance(entry, dict)]
    there = {file.stem for file in folder.glob("*.json")}
    unreadable += [
        (f"simulation {name}", f"{_SIMULATIONS}/{name}.json is missing") for name in index if name not in there
    ]
    content = tau2.read(value | {_SIMULATIONS: list(found.values())}, [f"{_SIMULATIONS}/{name}" for name in found])
    content.unreadable += unreadable
    return content


def parse(text: str) -> tuple[Json, str | None]:
    """A JSON text's value; where the text breaks off, what is complete before that and a sentence about the break."""
    try:
        return json.loads(text), None
    except ValueError as error:
        line = getattr(error, "lineno", 0)
        value, _, _ = _complete_part(text, 0, 2)
        return value, f"the file is not complete JSON: it breaks at line {line}, and what follows is lost"
    except RecursionError:
        return None, "the file is nested too deeply to be JSON of a benchmark"


_DECODER = json.JSONDecoder()
_BLANK = " \t\r\n"


def _complete_part(text: str, start: int, depth: int) -> tuple[Any, int, bool]:
    """The value at a place as far as it is complete, where it ends, and whether it is complete."""
    start = _skip(text, start, _BLANK)
    try:
        value, end = _DECODER.raw_decode(text, start)
        return value, end, True
    except (ValueError, RecursionError):
        if depth == 0 or text[start : start + 1] not in ("[", "{"):
            return None, start, False
    return _items(text, start + 1, depth) if text[start] == "[" else _members(text, start + 1, depth)


def _items(text: str, position: int, depth: int) -> tuple[Any, int, bool]:
    """The complete items of a broken array."""
    items: list[Json] = []
    whole = True
    while whole:
        value, position, whole = _complete_part(text, _skip(text, position, _BLANK + ","), depth - 1)
        if whole:
            items.append(value)
    return items, position, False


def _members(text: str, position: int, depth: int) -> tuple[Any, int, bool]:
    """The members of a broken object, the last one as far as it is complete."""
    members: dict[str, Json] = {}
    whole = True
    while whole:
        name, position, whole = _complete_part(text, _skip(text, position, _BLANK + ","), 0)
        if not whole or not isinstance(name, str):
            break
        value, position, whole = _complete_part(text, _skip(text, position, _BLANK + ":"), depth - 1)
        if value is not None or whole:
            members[name] = value
    return members, position, False


def _skip(text: str, position: int, characters: str) -> int:
    while position < len(text) and text[position] in characters:
        position += 1
    return position
