"""References between calls: in arguments, `API_RESPONSE_0.items[0].name` stands for a part of an earlier result.

TIER, appendix: `API_RESPONSE_0` is the result of call 0, `.field` a field of it. Beyond the paper a path goes on, into
elements of lists too. A text of exactly this form is always a reference.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping, Sequence

from toolgym.sandbox.kit.errors import Refusal
from toolgym.sandbox.kit.message import Json, ToolCall

START = "API_RESPONSE_"
REFERENCE = re.compile(r"API_RESPONSE_([0-9]{1,9})((?:\.\w+|\[[0-9]{1,9}\])*)")
_STEP = re.compile(r"\.(\w+)|\[([0-9]+)\]")
_SHOWN = 80
"""Characters of a broken reference, or of the fields there are, that a sentence quotes."""


def is_reference(value: Json) -> bool:
    """Whether a value stands for a part of an earlier result."""
    return isinstance(value, str) and REFERENCE.fullmatch(value) is not None


def sources(value: Json) -> Iterator[int]:
    """The numbers of the calls whose results a value uses, inside lists and objects too."""
    if isinstance(value, dict | list):
        for inner in value.values() if isinstance(value, dict) else value:
            yield from sources(inner)
    elif isinstance(value, str) and (match := REFERENCE.fullmatch(value)):
        yield int(match[1])


def refers(value: Json) -> bool:
    """Whether a value uses an earlier result, inside lists and objects too."""
    return next(sources(value), None) is not None


def earlier(arguments: Json, number: int) -> list[int]:
    """The calls before this one whose results its arguments use, each once."""
    return sorted({source for source in sources(arguments) if source < number})


def steps(calls: Sequence[ToolCall]) -> list[int]:
    """By call, how many calls stand before it in the longest chain of references that leads to it."""
    found: list[int] = []
    for number, call in enumerate(calls):
        found.append(1 + max((found[source] for source in earlier(call.arguments, number)), default=-1))
    return found


def resolve(value: Json, results: Sequence[Json], keys: Collection[str] = ()) -> Json:
    """A value with its references replaced by earlier results, inside lists and objects too.

    Args:
        value: an argument, or several by name.
        results: of the calls before.
        keys: the fields of which a bare `API_RESPONSE_0` means one: the keys that the argument takes. Where it takes
            none, a bare reference is TIER's: the last field other than `status_code`.

    Raises:
        Refusal: code `bad_reference`; it is written wrongly, or there is no such result, field or element.
    """
    if isinstance(value, dict):
        return {name: resolve(item, results, keys) for name, item in value.items()}
    if isinstance(value, list):
        return [resolve(item, results, keys) for item in value]
    if not isinstance(value, str) or not value.startswith(START):
        return value
    match = REFERENCE.fullmatch(value)
    if match is None:
        raise Refusal(
            "bad_reference", f"{value[:_SHOWN]} is no reference; one is written API_RESPONSE_0.items[0].name."
        )
    result = _result(int(match[1]), results)
    return _walk(result, match[1], match[2]) if match[2] else _bare(result, match[1], keys)


def resolve_arguments(
    arguments: Mapping[str, Json], results: Sequence[Json], keys: Mapping[str, Collection[str]]
) -> dict[str, Json]:
    """A call's arguments with their references replaced; `keys` by argument as for `resolve`.

    Raises:
        Refusal: code `bad_reference`; the sentence names the argument.
    """
    found = {}
    for name, value in arguments.items():
        try:
            found[name] = resolve(value, results, keys.get(name, ()))
        except Refusal as refusal:
            raise Refusal(refusal.code, f"{name}: {refusal.message}") from None
    return found


def _result(number: int, results: Sequence[Json]) -> Json:
    if number >= len(results):
        raise Refusal(
            "bad_reference",
            f"{START}{number} is no earlier result; call {len(results)} can use the results of calls before it alone.",
        )
    return results[number]


def _bare(result: Json, number: str, keys: Collection[str]) -> Json:
    if not isinstance(result, dict | list):
        return result
    if keys:
        return _key(result, number, keys)
    fields = [item for name, item in result.items() if name != "status_code"] if isinstance(result, dict) else []
    return fields[-1] if fields else result


def _key(result: Json, number: str, keys: Collection[str]) -> Json:
    """The key of the row that a result shows; of a list, of its only row."""
    rows = result if isinstance(result, list) else result.get("items", [result])
    row = rows[0] if isinstance(rows, list) and len(rows) == 1 else result
    found = [row[key] for key in keys if isinstance(row, dict) and key in row]
    if found:
        return found[0]
    count = f"{len(rows)} rows" if isinstance(rows, list) and len(rows) != 1 else f"no {' or '.join(keys)}"
    raise Refusal(
        "bad_reference", f"The result of call {number} holds {count}; name the field, as in {START}{number}.field."
    )


def _walk(result: Json, number: str, path: str) -> Json:
    walked = f"{START}{number}"
    for step in _STEP.finditer(path):
        name, position = step[1], step[2]
        if name is not None and isinstance(result, dict) and name in result:
            result = result[name]
        elif position is not None and isinstance(result, list) and int(position) < len(result):
            result = result[int(position)]
        else:
            raise Refusal("bad_reference", f"{walked} has no {step[0]}: {_about(result)}.")
        walked += step[0]
    return result


def _about(value: Json) -> str:
    if isinstance(value, dict):
        names = ", ".join(value)
        return f"its fields are {names if len(names) <= _SHOWN else names[:_SHOWN] + '...'}" if value else "it is empty"
    if isinstance(value, list):
        return f"it is a list of {len(value)}"
    return "it is a plain value"
