"""A world that is somebody else's server, as far as its listing goes: what a recorded run needs to be read.

Its tools cannot be called here and its rows are not seen. A run's folder holds the listings of its worlds, so that what
was recorded is scored, selected and exported without the server.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from pathlib import Path
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, ValidationError
from sqlalchemy.orm import DeclarativeBase

from toolgym.sandbox.kit.domain import Domain, generated
from toolgym.sandbox.kit.errors import BadInput, Refusal, first_invalid, writing
from toolgym.sandbox.kit.masking import masked
from toolgym.sandbox.kit.message import Json, Party
from toolgym.sandbox.kit.text import is_plain, kept
from toolgym.sandbox.kit.tool import Failure, Tool, ToolResult, ToolSet
from toolgym.sandbox.runtime import registry
from toolgym.sandbox.runtime.call_log import CallRecord
from toolgym.sandbox.runtime.session import RowChange

FILE = "world.json"
"""What holds the listings of a run's foreign worlds, in its folder."""
SERVERS = "servers.json"
"""What says how servers are started whose tools training rows are of, in the rows' folder."""
_POLICY = "Use this server's tools to do what the ticket asks. Make no call that writes unless the ticket asks for it."
_NOT_IN_A_NAME = re.compile(r"[^a-zA-Z0-9_-]")
_LONGEST_NAME = 64
"""Of a function at an OpenAI-compatible endpoint, whose names have letters, digits, _ and - alone."""


class Listed(BaseModel):
    """A tool as its server lists it.

    Attributes:
        name: as its server calls it.
        kind: `read` where it says that it only reads.
        description: in its server's words.
        parameters: JSON Schema of its arguments.
    """

    model_config = ConfigDict(frozen=True)

    name: str
    kind: Literal["read", "write"]
    description: str
    parameters: dict[str, Any]


class ForeignTool(Tool):
    """A tool that only its server can run; `own_name` is what that calls it."""

    def __init__(self, listed: Listed, name: str) -> None:
        self.name, self.own_name, self.kind = name, listed.name, listed.kind
        self.ends_episode = self.confirm = False
        self.description, self.parameters = listed.description, listed.parameters
        self.returns = None
        self.inputs = {each: each for each in listed.parameters["properties"]}
        self.kinds = dict.fromkeys(self.inputs, "text")
        self.references, self.takes = {}, {}
        self.shows = self.lists = ()

    def validate(self, arguments: Mapping[str, Json] | str) -> dict[str, Any]:
        """The arguments as they are: what is wrong with them only the server can say.

        Raises:
            Refusal: they are no JSON object.
        """
        if isinstance(arguments, str) or not is_plain(arguments):
            raise Refusal("invalid_arguments", f"The arguments of {self.name} are no JSON object.")
        return dict(arguments)


class _Nothing(DeclarativeBase):
    """No tables: what such a server holds is not seen."""


class ForeignDomain(Domain):
    """A foreign world; made by `foreign_domain`."""


class UnservedSession:
    """A session of tools that only a listing knows: every call is refused, and logged."""

    blocking = False

    def __init__(self, tools: ToolSet) -> None:
        self._tools = tools
        self.log: list[CallRecord] = []

    def call(self, name: str, arguments: Mapping[str, Json] | str, *, by: Party = "agent") -> ToolResult:
        """Refuse a call."""
        failure = Failure("not_available", "Nothing runs behind this tool.")
        try:
            self._tools.find(name).validate(arguments)
        except Refusal as refusal:
            failure = Failure(refusal.code, refusal.message)
        kind = self._tools[name].kind if name in self._tools else None
        self.log.append(
            CallRecord(kept(name), kept(arguments), by, kind=kind, error=failure.code, message=failure.message)
        )
        return ToolResult(error=failure)

    def diff(self) -> list[RowChange]:
        """Nothing."""
        return []

    def close(self) -> None:
        """Nothing to end."""


def foreign_tools(listed: Iterable[Listed]) -> list[ForeignTool]:
    """Tools under names that every endpoint takes: another sign is `_`, and a name that comes twice has a number."""
    taken: set[str] = set()
    found = []
    for each in listed:
        name = plain = _NOT_IN_A_NAME.sub("_", each.name)[:_LONGEST_NAME] or "_"
        number = 2
        while name in taken:
            name, number = f"{plain[: _LONGEST_NAME - 4]}_{number}", number + 1
        taken.add(name)
        found.append(ForeignTool(each, name))
    return found


def foreign_domain(title: str, listed: Sequence[Listed]) -> ForeignDomain:
    """The world of a server's tools; its name has their digest, so that two servers are two worlds."""
    told = json.dumps([each.model_dump() for each in listed], sort_keys=True)
    return ForeignDomain(
        name=f"{registry.FOREIGN}{hashlib.sha256(told.encode()).hexdigest()[:8]}",
        title=masked(title),
        base=_Nothing,
        tools=ToolSet(foreign_tools(listed)),
        policy=_POLICY,
        data={"own": generated(lambda database: None)},
        now=datetime(2000, 1, 1),
    )


def keep(folder: Path, domains: Iterable[Domain]) -> None:
    """Write the listings of those worlds that are foreign; nothing where none is."""
    listings = [
        {"name": domain.name, "title": domain.title, "tools": [_listing(tool) for tool in domain.tools.values()]}
        for domain in domains
        if isinstance(domain, ForeignDomain)
    ]
    if listings:
        with writing(folder / FILE):
            (folder / FILE).write_text(json.dumps({"worlds": listings}, indent=2) + "\n", encoding="utf-8")


def take_up(folder: Path) -> None:
    """Make a run's foreign worlds known in this process.

    Raises:
        BadInput: their listings are damaged.
    """
    file = folder / FILE
    if not file.is_file():
        return
    try:
        for each in _Kept.model_validate_json(file.read_bytes()).worlds:
            registry.add(foreign_domain(each.title, each.tools))
    except ValidationError as error:
        raise BadInput(f"{file} is damaged ({first_invalid(error).sentence}); play the run again.") from None


class _World(BaseModel):
    title: str
    tools: list[Listed]


class _Kept(BaseModel):
    worlds: list[_World]


def _listing(tool: Tool) -> dict[str, Json]:
    return {
        "name": tool.own_name,
        "kind": tool.kind,
        "description": tool.description,
        "parameters": tool.parameters,
    }
