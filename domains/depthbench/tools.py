"""DepthBench's tools as tools of this gym: the authors' definitions, run by the authors' code in its process."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any, cast

from toolgym.domains.depthbench.checkout import Checkout
from toolgym.domains.depthbench.process import ToolProcess
from toolgym.domains.depthbench.situation import tag_of
from toolgym.sandbox.kit.database import Database
from toolgym.sandbox.kit.errors import Refusal
from toolgym.sandbox.kit.message import Json
from toolgym.sandbox.kit.tool import MAX_ARGUMENT_BYTES, Enforced, Tool

SITUATED = frozenset({"GetLocation", "GetCurrentLocation", "GetTime", "GetDate"})
"""Tools whose result follows from the situation; the released reader adds its letter to a call without arguments."""
_TYPES = {"dict": "object", "float": "number", "pandas.DataFrame": "array"}
"""Python's names of types in the definitions, as JSON Schema has them; a table is a list of rows here."""


class ReleasedTool(Tool):
    """A tool of the benchmark.

    It checks its arguments by itself and answers wrong ones with a result that says so, so nothing is refused before.
    """

    def __init__(self, name: str, definition: Mapping[str, Any], process: ToolProcess) -> None:
        super().__init__(_declared, "read")
        self.name = self.own_name = name
        self.description = str(definition.get("description", ""))
        self.parameters = cast("dict[str, Json]", {"properties": {}} | _schema(definition["parameters"]))
        self.returns = cast("dict[str, Json] | None", _schema(definition.get("returns")))
        self._process = process

    def validate(self, arguments: Mapping[str, Json] | str) -> dict[str, Any]:
        """The arguments as they are (Refusal where they are no JSON object)."""
        try:
            given = json.loads(arguments) if isinstance(arguments, str) else dict(arguments)
        except (ValueError, RecursionError):
            given = None
        if not isinstance(given, dict):
            raise Refusal("invalid_arguments", f"The arguments of {self.name} must be a plain JSON object.")
        if len(json.dumps(given)) > MAX_ARGUMENT_BYTES:
            raise Refusal(
                "invalid_arguments", f"The arguments of {self.name} are longer than {MAX_ARGUMENT_BYTES} characters."
            )
        return given

    def run(self, database: Database, checked: Mapping[str, Any], rules: Sequence[Enforced] = ()) -> Json:
        """Call it over there (Refusal where its code raised an exception)."""
        tag = tag_of(database) if self.name in SITUATED and not checked else ""
        return self._process.call(self.name, {"tag": tag} if tag else dict(checked))


def tools_of(checkout: Checkout, process: ToolProcess) -> list[Tool]:
    """Every tool that the checkout defines."""
    return [ReleasedTool(name, definition, process) for name, definition in checkout.definitions.items()]


def _declared(database: Database) -> Any:
    """A place for what the definitions say."""


def _schema(node: Any) -> Any:
    """A definition's schema as JSON Schema."""
    if isinstance(node, list):
        return [_schema(item) for item in node]
    if not isinstance(node, dict):
        return node
    kept = {key: _schema(value) for key, value in node.items()}
    kind = node.get("type")
    if not isinstance(kind, str):
        return kept
    table = {"items": {"type": "object"}} if kind == "pandas.DataFrame" else {}
    return kept | {"type": _TYPES.get(kind, kind)} | table
