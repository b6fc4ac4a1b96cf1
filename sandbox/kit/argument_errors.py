"""What is wrong with a call's arguments, in words that an agent can act on. Schemas: `toolgym.sandbox.kit.tool`."""

from __future__ import annotations

import re
from collections.abc import Sequence

from pydantic_core import ErrorDetails

from toolgym.sandbox.kit.bounds import BLANK
from toolgym.sandbox.kit.errors import nearest

_TYPES = {
    "string_type": "a string",
    "string_unicode": "a string of valid Unicode",
    "int_type": "an integer",
    "int_from_float": "an integer",
    "int_parsing_size": "an integer of ordinary size",
    "float_type": "a number",
    "finite_number": "a finite number",
    "bool_type": "true or false",
    "list_type": "a list",
    "dict_type": "an object",
    "model_type": "an object",
    "model_attributes_type": "an object",
    "dataclass_type": "an object",
    "none_required": "null",
    "date_type": "a day such as 2026-03-10",
    "date_parsing": "a day such as 2026-03-10",
    "date_from_datetime_parsing": "a day such as 2026-03-10",
    "date_from_datetime_inexact": "a day such as 2026-03-10",
    "datetime_type": "a moment such as 2026-03-10T09:30",
    "datetime_parsing": "a moment such as 2026-03-10T09:30",
    "datetime_from_date_parsing": "a moment such as 2026-03-10T09:30",
    "timezone_naive": "a moment without a zone, such as 2026-03-10T09:30",
    "time_type": "a time such as 09:30",
    "time_parsing": "a time such as 09:30",
}


def argument_error(problem: ErrorDetails, known: Sequence[str]) -> str:
    """What is wrong with one argument, as part of a sentence.

    Args:
        problem: as pydantic tells it.
        known: the arguments that exist.
    """
    kind, context = problem["type"], problem.get("ctx", {})
    argument = "".join(f"[{part}]" if isinstance(part, int) else f".{part}" for part in problem["loc"]).lstrip(".")
    if kind == "missing":
        return f"{argument} is missing"
    if kind == "extra_forbidden":
        close = nearest(argument, known)
        return f"{argument} is not an argument" + (f" (did you mean {close}?)" if close else "")
    if kind == "json_invalid":
        return "the arguments are not valid JSON"
    if not argument:
        return "the arguments must be a JSON object"
    if kind in {"literal_error", "enum"}:
        return f"{argument} must be one of {re.sub(chr(39), chr(34), str(context.get('expected')))}"
    if kind == BLANK:
        return f"{argument} must not be blank"
    if kind in _TYPES:
        return f"{argument} must be {_TYPES[kind]}"
    if kind in _LIMITS:
        return f"{argument} must be {_LIMITS[kind].format(**context)}"
    return f"{argument} is not of the right type"


_LIMITS = {
    "greater_than": "greater than {gt}",
    "greater_than_equal": "at least {ge}",
    "less_than": "less than {lt}",
    "less_than_equal": "at most {le}",
    "string_pattern_mismatch": "text of the form {pattern}",
    "too_short": "a list of at least {min_length} item(s)",
    "too_long": "a list of at most {max_length} items",
    "string_too_short": "text of at least {min_length} character(s)",
    "string_too_long": "text of at most {max_length} characters",
}
