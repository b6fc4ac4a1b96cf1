"""The places for values in a tool's arguments, read from its JSON schema: lists and lists of objects included."""

from __future__ import annotations

import random
import re
import string
from collections.abc import Iterator, Mapping, Sequence
from copy import deepcopy
from dataclasses import dataclass
from functools import cache

from toolgym.sandbox.kit.message import Json
from toolgym.sandbox.synthesis.graph.model import Path

Place = tuple[str | int, ...]
"""Where a value stands in one call's arguments: like a path, with positions in place of `*`."""
_QUOTED = re.compile(r"\"([^\"]{1,40})\"|(?<!\w)'([^']{1,40})'(?!\w)")
"""An example in a description: such as "#W0000000", or 'JFK'; the mark in "customer's" quotes nothing."""
_TYPES: dict[str, tuple[type, ...]] = {"string": (str,), "integer": (int,), "number": (int, float)}


@dataclass(frozen=True)
class Slot:
    """A place for one value.

    Attributes:
        path: `("flights", "*", "date")` is the date of each of the flights.
        type: `string`, `integer` or `number`; `choice` where the schema lists the values.
        choices: the listed values.
        pattern: what text must match, or None.
        examples: the quoted texts in the parameter's description.
    """

    path: Path
    type: str
    choices: tuple[Json, ...] = ()
    pattern: str | None = None
    examples: tuple[str, ...] = ()

    def fits(self, value: Json) -> bool:
        """Whether a value is of the right type and form."""
        if isinstance(value, bool) or not isinstance(value, _TYPES.get(self.type, ())):
            return False
        return self.pattern is None or re.search(self.pattern, str(value)) is not None


def schema_of(schema: Mapping[str, Json]) -> Mapping[str, Json]:
    """A schema without its wrapping: the first alternative that is not null."""
    options = [option for option in schema.get("anyOf", schema.get("oneOf", ())) if option.get("type") != "null"]
    merged = {**schema, **options[0]} if options else schema
    kinds = merged.get("type")
    return {**merged, "type": next(kind for kind in kinds if kind != "null")} if isinstance(kinds, list) else merged


def slots_of(schema: Mapping[str, Json], path: Path = ()) -> Iterator[Slot]:
    """The places for values in arguments of this schema."""
    schema = schema_of(schema)
    kind = schema.get("type", "string")
    if kind == "object":
        for name, inner in schema.get("properties", {}).items():
            yield from slots_of(inner, (*path, name))
    elif kind == "array":
        yield from slots_of(schema.get("items", {}), (*path, "*"))
    else:
        listed = schema.get("enum") or ([schema["const"]] if "const" in schema else [])
        listed = [True, False] if kind == "boolean" else listed
        quoted = [text for pair in _QUOTED.findall(str(schema.get("description", ""))) for text in pair if text]
        yield Slot(path, "choice" if listed else kind, tuple(listed), schema.get("pattern"), tuple(quoted))


@cache
def shape(text: str) -> str:
    """What a text looks like: every run of letters as `a`, every run of digits as `9`."""
    return re.sub(r"\d+", "9", re.sub(r"[^\W\d_]+", "a", text))


def places(arguments: Json, path: Place = ()) -> Iterator[tuple[Place, Json]]:
    """The values of a call's arguments and where they stand."""
    if isinstance(arguments, Mapping):
        for name, inner in arguments.items():
            yield from places(inner, (*path, name))
    elif isinstance(arguments, Sequence) and not isinstance(arguments, str):
        for position, inner in enumerate(arguments):
            yield from places(inner, (*path, position))
    else:
        yield path, arguments


def path_of(place: Place) -> Path:
    """The path of a place."""
    return tuple("*" if isinstance(part, int) else part for part in place)


def replaced(arguments: Mapping[str, Json], place: Place, value: Json) -> dict[str, Json]:
    """The arguments with another value in a place; the rest is untouched."""
    changed = deepcopy(dict(arguments)) if len(place) > 1 else dict(arguments)
    inner: Json = changed
    for part in place[:-1]:
        inner = inner[part]
    inner[place[-1]] = value
    return changed


def scrambled(value: Json, rng: random.Random) -> Json:
    """A value of the same shape that nothing in the world has."""
    if isinstance(value, str):
        return "".join(_other(sign, rng) for sign in value) or "Qzxv"
    return value + 1 if isinstance(value, int) else value + 0.37


def _other(sign: str, rng: random.Random) -> str:
    for signs in (string.ascii_lowercase, string.ascii_uppercase, string.digits):
        if sign in signs:
            return rng.choice(signs.replace(sign, ""))
    return sign
