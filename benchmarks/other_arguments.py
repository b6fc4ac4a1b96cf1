"""Other arguments for a call: other things of the same table, other amounts, days, choices."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator, Sequence
from datetime import date, timedelta
from typing import cast

from planted_run import Run, calling
from sqlalchemy.orm import DeclarativeBase

from toolgym.judge.scoring.conduct.scene import leaves
from toolgym.judge.scoring.verifier import verify
from toolgym.sandbox.kit.message import Json
from toolgym.sandbox.kit.table import key_column
from toolgym.sandbox.kit.tool import Tool
from toolgym.sandbox.runtime.session import Session

_TRIES = 12
"""Other values that are tried before a place is given up."""


def _other_things(value: str, tables: Sequence[type[DeclarativeBase]], run: Run) -> list[str]:
    """Other keys: of the same tables where these are declared, else what looks alike in the results of look-ups."""
    if tables:
        with Session(run.domain, task=run.task) as session:
            rows = ((table, row) for table in tables for row in session._database.mine(table))
            keys = [str(getattr(row, key_column(table))) for table, row in rows]
    else:
        shape = re.compile("".join(r"\d" if sign.isdigit() else re.escape(sign) for sign in value))
        keys = [each for call in run.trajectory.calls for each in leaves(call.value) if shape.fullmatch(each)]
        keys = keys if any(sign.isdigit() for sign in value) else []
    return sorted({key for key in keys if key != value})


def _other_values(value: Json, choices: Sequence[Json]) -> Iterator[Json]:
    """Other amounts, days, numbers in a text, and choices."""
    yield from (each for each in choices if each != value)
    if isinstance(value, int | float) and not isinstance(value, bool):
        yield from (value + 1, value + 5, value - 1)
    elif isinstance(value, str) and re.fullmatch(r"\d{4}-\d\d-\d\d", value):
        yield from ((date.fromisoformat(value) + timedelta(days=days)).isoformat() for days in (1, 2, 7))
    elif isinstance(value, str) and not choices:
        yield re.sub(r"\d(?=\D*$)", lambda digit: str((int(digit.group()) + 1) % 10), value)


def _choices(schema: Json) -> list[Json]:
    """The values that a parameter's schema lists."""
    if not isinstance(schema, dict):
        return []
    listed = schema.get("enum", [])
    ways = schema.get("anyOf", [])
    inner = [value for each in ways for value in _choices(each)] if isinstance(ways, list) else []
    return [*(listed if isinstance(listed, list) else []), *inner]


def _other(tool: Tool, name: str, value: Json, run: Run, rng: random.Random, *, things: bool) -> list[Json]:
    """Other values for a parameter: other things, or other amounts, days and choices."""
    tables = tool.takes.get(name, ())
    if isinstance(value, list):
        others = _other(tool, name, value[0], run, rng, things=things) if value else []
        return [[other, *value[1:]] for other in others]
    is_thing = bool(tables) or (isinstance(value, str) and re.search(r"_id$|^id$", tool.inputs[name]) is not None)
    is_thing = is_thing or tool.inputs[name].endswith("_ids")
    if things != is_thing or tool.kinds[name] in ("free", "secret"):
        return []
    if is_thing:
        keys = _other_things(str(value), tables, run)
        return list(rng.sample(keys, min(_TRIES, len(keys))))
    properties = cast("dict[str, Json]", tool.parameters["properties"])
    return [each for each in _other_values(value, _choices(properties[tool.inputs[name]])) if each != value]


def wrong_call(run: Run, turn: int, rng: random.Random, *, things: bool) -> dict[str, Json] | None:
    """Other arguments for a write, with which it succeeds and the task fails."""
    call = run.turns[turn][0].tool_calls[0]
    tool = run.tool(call)
    assert tool is not None and isinstance(call.arguments, dict)
    for name, shown in tool.inputs.items():
        if call.arguments.get(shown) is None:
            continue
        for value in _other(tool, name, call.arguments[shown], run, rng, things=things):
            arguments = call.arguments | {shown: value}
            if any(step.name == call.name and step.arguments == arguments for step in run.task.gold):
                continue  # another of the right calls, made early
            trajectory = run.rebuilt([*run.turns[:turn], calling(call.name, arguments), *run.turns[turn + 1 :]])
            made = next(record for record in trajectory.calls if record.arguments == arguments)
            if made.ok and not verify(trajectory).state:
                return arguments
    return None
