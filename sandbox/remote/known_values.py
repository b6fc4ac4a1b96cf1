"""Values that somebody knows for a foreign server's parameters: the path of a repository, the name of a database.

Nothing that such a server shows leads to them, and without them many servers refuse every call.
"""

from __future__ import annotations

import json
import tomllib
from collections.abc import Iterable, Mapping
from pathlib import Path

from toolgym.sandbox.kit.errors import BadInput, unknown
from toolgym.sandbox.kit.message import Json

Values = tuple[Json, ...]
"""What a parameter may get, one or several."""


def read_values(given: Iterable[str]) -> dict[str, Values]:
    """Values from a command line: `NAME=VALUE`, several times for several values, or `@FILE`, a TOML or JSON file.

    NAME is a parameter of any tool, or TOOL/NAME one tool's own.

    Raises:
        BadInput: one is written otherwise, or the file cannot be read.
    """
    found: dict[str, Values] = {}
    for each in given:
        if each.startswith("@"):
            for name, value in _of_file(Path(each[1:])).items():
                found[name] = found.get(name, ()) + tuple(value if isinstance(value, list) else [value])
            continue
        name, sign, text = each.partition("=")
        if not name or not sign:
            raise BadInput(f"--mcp-value takes NAME=VALUE or @FILE; got {each!r}.")
        found[name] = (*found.get(name, ()), text)
    return found


def _of_file(path: Path) -> dict[str, Json]:
    try:
        text = path.read_text(encoding="utf-8")
        loaded = json.loads(text) if path.suffix == ".json" else tomllib.loads(text)
    except (OSError, ValueError, RecursionError) as error:  # TOML's and UTF-8's errors are ValueErrors
        raise BadInput(
            f"--mcp-value @{path}: it cannot be read as TOML or, ending in .json, as JSON ({error})."
        ) from None
    if not isinstance(loaded, dict):
        raise BadInput(f"--mcp-value @{path}: it must hold values by the names of parameters.")
    return loaded


def with_values(tool: str, parameters: Mapping[str, Json], values: Mapping[str, Values]) -> dict[str, Json]:
    """A tool's schema whose known parameters are given, and get nothing but what is known."""
    properties = dict(parameters.get("properties", {}))
    known = {name: found for name in properties if (found := values.get(f"{tool}/{name}", values.get(name)))}
    for name, found in known.items():
        properties[name] = {**properties[name], "enum": [_typed(name, each, properties[name]) for each in found]}
    required = [*parameters.get("required", ()), *known]
    return {**parameters, "properties": properties, "required": list(dict.fromkeys(required))}


def require_known(values: Mapping[str, Values], schemas: Mapping[str, Mapping[str, Json]]) -> None:
    """Refuse a value for a parameter that no tool has (BadInput)."""
    plain = {name for schema in schemas.values() for name in schema.get("properties", {})}
    own = {f"{tool}/{name}" for tool, schema in schemas.items() for name in schema.get("properties", {})}
    for name in values:
        if name not in plain | own:
            raise unknown("parameter of this server's tools", name, own if "/" in name else plain)


def _typed(name: str, value: Json, schema: Mapping[str, Json]) -> Json:
    """A value from a command line in the parameter's type; one from a file is as it is."""
    if not isinstance(value, str) or schema.get("type", "string") == "string" or "anyOf" in schema:
        return value
    try:
        return json.loads(value)
    except (ValueError, RecursionError):
        raise BadInput(
            f"--mcp-value {name}={value}: the parameter is of type {schema['type']}, written as JSON."
        ) from None
