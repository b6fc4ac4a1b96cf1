"""References between calls: `API_RESPONSE_0` and `API_RESPONSE_0.field` in arguments stand for earlier results.

TIER, appendix: a bare reference is the last field of that result other than `status_code`; a dotted one names it.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from sandbox.kit.errors import Refusal
from sandbox.kit.message import Json

_REFERENCE = re.compile(r"API_RESPONSE_(\d+)(?:\.(\w+))?")


def resolve(value: Json, results: Sequence[Json]) -> Json:
    """A value with its references replaced by earlier results, inside lists and objects too.

    Raises:
        Refusal: code `bad_reference`; there is no such result or field.
    """
    if isinstance(value, dict):
        return {name: resolve(item, results) for name, item in value.items()}
    if isinstance(value, list):
        return [resolve(item, results) for item in value]
    match = _REFERENCE.fullmatch(value) if isinstance(value, str) else None
    return value if match is None else _look_up(int(match[1]), match[2], results)


def _look_up(number: int, field: str | None, results: Sequence[Json]) -> Json:
    if number >= len(results):
        raise Refusal("bad_reference", f"API_RESPONSE_{number} stands for a call that has not been made yet.")
    result = results[number]
    if field is None:
        fields = [item for name, item in result.items() if name != "status_code"] if isinstance(result, dict) else []
        return fields[-1] if fields else result
    if not isinstance(result, dict) or field not in result:
        known = ", ".join(result) if isinstance(result, dict) else "none"
        raise Refusal("bad_reference", f"The result of call {number} has no field {field}; its fields: {known}.")
    return result[field]
