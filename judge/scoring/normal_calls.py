"""Calls as text that is equal for calls of the same meaning."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Container, Sequence

from pydantic_core import to_jsonable_python

from toolgym.sandbox.kit.domain import Domain
from toolgym.sandbox.kit.errors import Refusal
from toolgym.sandbox.kit.message import Json
from toolgym.sandbox.runtime.call_log import CallRecord


def normal_call(record: CallRecord, domain: Domain, leaving_out: Container[str] = ()) -> str:
    """A call as text that is equal for calls of the same meaning.

    Compared is what the tool reads: defaults are filled in, and what it ignores (agents hand back whole flights, prices
    and all) is left out. Strings are stripped, whole floats made integers. Lists of equal length (items and their
    replacements) are put in one common order, so that the order in which items are named does not matter and their
    pairing does; a list of objects is put in an order of its own. Case is kept, in names and e-mail addresses too: the
    database keeps it, so the state basis would tell the two apart as well.

    Args:
        record: the call.
        domain: whose tools.
        leaving_out: arguments that do not matter.
    """
    tools = domain.tools if record.by == "agent" else domain.user_tools
    try:
        read = to_jsonable_python(tools.find(record.name).validate(record.arguments))
    except Refusal:
        return json.dumps([record.name, str(record.arguments)])
    arguments = {name: _stripped(value) for name, value in read.items() if name not in leaving_out}
    return json.dumps([record.name, record.by, _in_common_order(arguments)], sort_keys=True)


def are_same(calls: Sequence[CallRecord], others: Sequence[CallRecord]) -> bool:
    """Whether calls are equal as they stand, and so of the same meaning; cheaper than to make them normal."""
    return len(calls) == len(others) and all(
        (one.name, one.by, one.arguments) == (other.name, other.by, other.arguments)
        for one, other in zip(calls, others, strict=True)
    )


def _stripped(value: Json) -> Json:
    if isinstance(value, str):
        return value.strip()
    if isinstance(value, float) and value.is_integer():
        return int(value)
    if isinstance(value, dict):
        return {name: _stripped(item) for name, item in value.items()}
    return [_stripped(item) for item in value] if isinstance(value, list) else value


def _in_common_order(arguments: dict[str, Json]) -> dict[str, Json]:
    lists = {name: value for name, value in arguments.items() if isinstance(value, list)}
    paired: dict[int | str, list[str]] = defaultdict(list)
    for name in sorted(lists):
        objects = any(isinstance(item, dict | list) for item in lists[name])
        paired[name if objects else len(lists[name])].append(name)
    ordered = dict(arguments)
    for names in paired.values():
        columns = zip(*(lists[name] for name in names), strict=True)
        together = sorted(columns, key=lambda row: json.dumps(row, sort_keys=True))
        for index, name in enumerate(names):
            ordered[name] = [row[index] for row in together]
    return ordered
