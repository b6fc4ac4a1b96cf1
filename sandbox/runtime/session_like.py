"""What an episode needs of a session, wherever that one runs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Protocol

from toolgym.sandbox.kit.message import Json, Party
from toolgym.sandbox.kit.tool import ToolResult
from toolgym.sandbox.runtime.call_log import CallRecord
from toolgym.sandbox.runtime.session import RowChange


class SessionLike(Protocol):
    """What an episode needs of a session; the local and the remote one both have it."""

    blocking: bool

    @property
    def log(self) -> Sequence[CallRecord]:
        """The calls so far."""
        ...

    def call(self, name: str, arguments: Mapping[str, Json] | str, *, by: Party = "agent") -> ToolResult:
        """Call a tool."""
        ...

    def diff(self) -> list[RowChange]:
        """The changed rows."""
        ...
