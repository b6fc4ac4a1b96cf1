"""Small HTML tables, as which notebooks show tasks, sessions and changes."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from html import escape

from toolgym.sandbox.kit.message import Json

_MOST_ROWS = 20
_MOST_CHARACTERS = 200


def html_table(title: str, columns: Sequence[str], rows: Iterable[Sequence[Json]]) -> str:
    """A table with a caption: the first rows, how many more there are, long cells cut short."""
    found = [*rows]
    head = "".join(f"<th>{escape(column, quote=False)}</th>" for column in columns)
    body = "".join(f"<tr>{''.join(map(_cell, row))}</tr>" for row in found[:_MOST_ROWS])
    more = f"<p>and {len(found) - _MOST_ROWS} more</p>" if len(found) > _MOST_ROWS else ""
    caption = f"<caption>{escape(title, quote=False)}</caption>"
    return f"<table>{caption}<thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>{more}"


def counted(number: int, name: str) -> str:
    """A number of things: `1 call`, `2 calls`."""
    return f"{number} {name}" if number == 1 else f"{number} {name}s"


def _cell(value: Json) -> str:
    text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
    shown = text if len(text) <= _MOST_CHARACTERS else text[: _MOST_CHARACTERS - 3] + "..."
    return f'<td style="text-align: left">{escape(shown, quote=False)}</td>'
