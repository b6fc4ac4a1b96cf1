"""Opens a file of recorded runs: which benchmark wrote it, and what can be read of it, broken files included."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from judge.exchange import tau2, tau_bench
from judge.exchange.recorded import Content
from sandbox.errors import BadInput
from sandbox.message import Json

_KINDS = (
    "a tau-bench result file (a list of objects with task_id and traj) or a tau2-bench one (info, tasks, simulations)"
)


def read_file(path: Path) -> Content:
    """The recorded episodes of a file, and what could not be read.

    Raises:
        BadInput: there is no such file, or nothing in it is a recorded run.
    """
    if path.is_dir():
        raise BadInput(f"{path} is a folder; give the result file inside it.")
    if not path.is_file():
        raise BadInput(f"There is no file {path}.")
    try:
        text = path.read_text(encoding="utf-8-sig")
    except UnicodeDecodeError:
        raise BadInput(f"{path} is not text in UTF-8; expected {_KINDS}.") from None
    value, break_off = parse(text)
    content = _content(value, path, break_off)
    if break_off:
        content.unreadable.append(("the end of the file", break_off))
    return content


def _content(value: Json, path: Path, break_off: str | None) -> Content:
    if isinstance(value, list) and (not value or any(isinstance(item, dict) and "traj" in item for item in value)):
        return tau_bench.read(value)
    if isinstance(value, dict) and "simulations" in value:
        return tau2.read(value)
    raise BadInput(f"{path} is no record of runs; expected {_KINDS}.{' ' + break_off if break_off else ''}")


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


def _items(text: str, place: int, depth: int) -> tuple[Any, int, bool]:
    """The complete items of a broken array."""
    items: list[Json] = []
    whole = True
    while whole:
        value, place, whole = _complete_part(text, _skip(text, place, _BLANK + ","), depth - 1)
        if whole:
            items.append(value)
    return items, place, False


def _members(text: str, place: int, depth: int) -> tuple[Any, int, bool]:
    """The members of a broken object, the last one as far as it is complete."""
    members: dict[str, Json] = {}
    whole = True
    while whole:
        name, place, whole = _complete_part(text, _skip(text, place, _BLANK + ","), 0)
        if not whole or not isinstance(name, str):
            break
        value, place, whole = _complete_part(text, _skip(text, place, _BLANK + ":"), depth - 1)
        if value is not None or whole:
            members[name] = value
    return members, place, False


def _skip(text: str, place: int, characters: str) -> int:
    while place < len(text) and text[place] in characters:
        place += 1
    return place
