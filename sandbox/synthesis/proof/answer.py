"""What a program comes to, compared with a task's answer: by what it says, and not by how it was found."""

from __future__ import annotations

import math
from collections.abc import Sequence

from toolgym.sandbox.kit.message import Json
from toolgym.sandbox.kit.task import Answer


def right_answer(answer: Answer, given: Sequence[Json]) -> bool:
    """Whether results are the answer: each holds one of its values, and every value is held, in whatever order.

    The same result twice counts once. Of a list with one row it may be the row that holds a value.
    """
    different = [value for place, value in enumerate(given) if value not in given[:place]]
    return len(different) == len(answer.values) and _paired(list(answer.values), different, answer.ordered)


def _paired(values: list[Json], given: list[Json], ordered: bool) -> bool:
    """Whether all values find a result of their own."""
    if not values:
        return True
    first, *rest = values
    return any(
        _shows(first, each, ordered) and _paired(rest, [*given[:place], *given[place + 1 :]], ordered)
        for place, each in enumerate(given)
    )


def _shows(value: Json, result: Json, ordered: bool) -> bool:
    if holds(value, result, ordered=ordered):
        return True
    rows = result.get("items") if isinstance(result, dict) else result
    return isinstance(rows, list) and len(rows) == 1 and holds(value, rows[0], ordered=ordered)


def holds(value: Json, result: Json, *, ordered: bool = False) -> bool:
    """Whether a result says what a value says.

    Args:
        value: of an object, the fields that have to be there.
        result: what is compared with it.
        ordered: lists are equal only in the same order.
    """
    if isinstance(value, dict):
        return isinstance(result, dict) and all(
            name in result and holds(inner, result[name], ordered=ordered) for name, inner in value.items()
        )
    if isinstance(value, list):
        return isinstance(result, list) and _same_list(value, result, ordered)
    if isinstance(value, bool) or isinstance(result, bool):
        return value is result
    if isinstance(value, int | float) and isinstance(result, int | float):
        return math.isclose(value, result, rel_tol=1e-9)
    if isinstance(value, str) and isinstance(result, str):
        return value.strip() == result.strip()
    return type(value) is type(result) and bool(value == result)


def _same_list(values: list[Json], results: list[Json], ordered: bool) -> bool:
    if len(values) != len(results):
        return False
    rest = list(results)
    for value in values:
        near = rest[:1] if ordered else rest
        found = next((index for index, each in enumerate(near) if holds(value, each, ordered=ordered)), None)
        if found is None:
            return False
        del rest[found]
    return True
