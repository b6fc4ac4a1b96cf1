"""What a value looks like, from the example in a tool's schema: `such as "#W0000000"`, `such as "123 Main St"`."""

from __future__ import annotations

import re
from functools import cache

from toolgym.sandbox.kit.goal import Goal
from toolgym.sandbox.kit.tool import Tool

_EXAMPLE = re.compile(r"such as \"([^\"]+)\"")
_WORD = re.compile(r"\d+|[A-Z]{2,}|[A-Z][a-z]+|.", re.DOTALL)
_MAY_LACK = re.compile(r"\bempty\b|\bif (?:any|there is)\b")


def example_of(tool: Tool, name: str) -> str | None:
    """The example that a parameter's description gives."""
    found = _EXAMPLE.search(_description(tool, name))
    return found.group(1) if found else None


def _description(tool: Tool, name: str) -> str:
    return str(tool.parameters["properties"][tool.inputs[name]].get("description") or "")


@cache
def key_shape(example: str) -> str:
    """The pattern of a key: its digits vary, as many as there are where it has nothing else; all else stays."""
    if not re.search(r"[A-Za-z]", example):
        return "".join(r"\d" if sign.isdigit() else re.escape(sign) for sign in example)
    return "".join(r"\d+" if part.isdigit() else re.escape(part) for part in re.findall(r"\d+|\D+", example))


@cache
def value_shape(example: str) -> str:
    """The pattern of a value that is like an example: as many digits where it is one number, names where it has names.

    "12345" is five digits, "CA" two capitals, "San Francisco" one name or more, "Apt 1" a word with a number,
    "sara_doe_4960" words with a number.
    """
    if re.fullmatch(r"[a-z]+(?:_[a-z]+)*_\d+", example):
        return r"[a-z]+(?:_[a-z]+)*_\d+"
    if "@" in example:
        return r"[\w.+-]+@[\w-]+(?:\.[\w-]+)+"
    if not re.search(r"[A-Za-z]", example):
        return key_shape(example)
    if re.fullmatch(r"[A-Z]{2,3}", example):
        return rf"[A-Z]{{{len(example)}}}"
    parts = [_part(part) for part in _WORD.findall(example)]
    names = r"[A-Z][\w.'-]*(?: [A-Z][\w.'-]*)*"
    if all(part in (_NAME, " ") for part in parts):
        return names if " " in parts else _NAME
    return re.sub(rf"{re.escape(_NAME)}(?: {re.escape(_NAME)})+", lambda _: names, "".join(parts))


_NAME = r"[A-Z][\w.'-]*"


def _part(part: str) -> str:
    if part.isdigit():
        return r"\d+"
    return _NAME if part[0].isupper() else part if part == " " else re.escape(part)


def in_order(goal: Goal, names: tuple[str, ...], text: str) -> dict[str, str]:
    """Several texts that are said one after the other, with commas between them, such as an address.

    Each looks like its parameter's example; one that may be empty may be lacking. Nothing where any other is.
    """
    examples = {name: example_of(goal.tool, name) for name in names}
    if None in examples.values():
        return {}
    found = re.search(_joined(goal, names, examples), text)
    return {} if found is None else {name: found.group(name) or "" for name in names}


def _joined(goal: Goal, names: tuple[str, ...], examples: dict[str, str | None]) -> str:
    pattern = r"(?<![#\w])"
    for index, name in enumerate(names):
        shape = f"(?P<{name}>{value_shape(str(examples[name]))})"
        shape = f"(?:, ?| )?{shape}" if index else shape
        pattern += f"(?:{shape})?" if _MAY_LACK.search(_description(goal.tool, name)) else shape
    return pattern + r"(?!\w)"
