r"""Which text may enter: Unicode, which UTF-8, JSON, SQLite and every reader of a log can hold. Not for what it means.

Python's strings can also hold halves of surrogate pairs: they come from JSON such as `"\ud800"`, and no file can be
written with them. One rule for all doors: what is kept has every half written as its escape, the six characters
`\ud800`, and what else JSON cannot give back as it was (NaN, great depth) is kept as its text. A server refuses the
requests of others that hold halves, calls excepted: a call is refused as a call, and kept.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Annotated, Any

from pydantic import AfterValidator
from pydantic_core import from_json, to_json

from toolgym.sandbox.kit.errors import BadInput

Json = Any
"""A JSON value: None, bool, int, float, str, list or dict of the same. Recursive types slow pydantic down."""

DEPTH = 48
"""Levels of lists and objects in a value. A server takes 64 in a body, and a record in a snapshot adds some."""


def escaped(text: str) -> str:
    """The text with every half of a surrogate pair as its escape."""
    return text if text.isascii() else text.encode("utf-8", "backslashreplace").decode()


def kept(arguments: Json) -> Json:
    """A call's arguments where JSON gives them back as they were, otherwise their text, which is read the same way."""
    if isinstance(arguments, str):
        return escaped(arguments)
    return arguments if is_plain(arguments) else _text_of(arguments)


def mended(value: Json) -> Json:
    """The value where JSON gives it back as it was, otherwise one of the same form with texts in place of the rest."""
    return value if is_plain(value) else _mended(value, DEPTH)


def _mended(value: Json, levels: int) -> Json:
    if isinstance(value, str):
        return escaped(value)
    if isinstance(value, Mapping) and levels:
        return {escaped(str(name)): _mended(inner, levels - 1) for name, inner in value.items()}
    if isinstance(value, list | tuple) and levels:
        return [_mended(inner, levels - 1) for inner in value]
    return value if is_plain(value) else _text_of(value)


def is_plain(value: Json) -> bool:
    """Whether this is JSON that every reader takes, also inside a record: Unicode, finite numbers, not too deep."""
    if value is None or (value.__class__ is str and value.isascii()):
        return True  # as most values are
    try:
        text = to_json(value, inf_nan_mode="constants")
        from_json(text, allow_inf_nan=False)
    except (ValueError, RecursionError):
        return False
    return text.count(b"[") + text.count(b"{") <= DEPTH or not _is_deeper(value, DEPTH)


def _is_deeper(value: Json, levels: int) -> bool:
    inner = value.values() if isinstance(value, Mapping) else value if isinstance(value, list | tuple) else None
    return inner is not None and (levels == 0 or any(_is_deeper(item, levels - 1) for item in inner))


def _text_of(value: Json) -> str:
    for write in (json.dumps, repr):
        try:
            return escaped(write(value))
        except (TypeError, ValueError, RecursionError):
            continue
    return f"a {type(value).__name__} that cannot be written"


Text = Annotated[str, AfterValidator(escaped)]
"""Text in a record."""
Kept = Annotated[Json, AfterValidator(mended)]
"""A JSON value in a record."""
Fields = Annotated[dict[str, Json], AfterValidator(mended)]
"""JSON values by name in a record."""


def read_lines(path: Path) -> Iterator[tuple[int, str]]:
    """The lines of a file with their numbers from 1 (BadInput names the one that is not UTF-8)."""
    with path.open("rb") as file:
        for number, line in enumerate(file, start=1):
            try:
                yield number, line.decode()
            except UnicodeDecodeError:
                raise BadInput(f"{path}, line {number} is not UTF-8 text; save the file as UTF-8.") from None
