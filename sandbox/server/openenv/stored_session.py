"""A session of the server as an episode drives it: under the server's quotas, kept in its store."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from toolgym.sandbox.kit.errors import InfrastructureError
from toolgym.sandbox.kit.message import Json, Party
from toolgym.sandbox.kit.tool import Failure, ToolResult
from toolgym.sandbox.runtime.call_log import CallRecord
from toolgym.sandbox.runtime.session import RowChange, Session
from toolgym.sandbox.server.http_errors import Refused
from toolgym.sandbox.server.service import Service


class StoredSession:
    """A stored session; what the server declines breaks the episode, and is no result of a tool.

    Args:
        service: the worker.
        session: opened for this; the service takes it over.

    Attributes:
        last: the result of the last call.

    Raises:
        Refused: 429, too many sessions are open.
    """

    blocking = False

    def __init__(self, service: Service, session: Session) -> None:
        self._service = service
        self._id = service.sessions.open(session).row.id
        self.last: ToolResult | None = None

    @property
    def log(self) -> Sequence[CallRecord]:
        """The calls so far."""
        return list(self.inner.log)

    def call(self, name: str, arguments: Mapping[str, Json] | str, *, by: Party = "agent") -> ToolResult:
        """Call a tool.

        Raises:
            InfrastructureError: the session has ended or may make no more calls, or the tool or the store is broken.
        """
        return self._kept(name, arguments, by, None)

    def decline(self, name: str, arguments: Mapping[str, Json] | str, code: str, message: str) -> ToolResult:
        """Keep a call of the agent's that was not made; raises as `call`."""
        return self._kept(name, arguments, "agent", Failure(code, message))

    def _kept(self, name: str, arguments: Mapping[str, Json] | str, by: Party, refusal: Failure | None) -> ToolResult:
        given = arguments if isinstance(arguments, str) else dict(arguments)
        try:
            result = self._service.sessions.call(self._id, name, given, by=by, refusal=refusal).result
        except Refused as refused:
            raise InfrastructureError("session", refused.message) from refused
        self._service.metrics.call("ok" if result.ok else "refused")
        self.last = result
        return result

    def diff(self) -> list[RowChange]:
        """The changed rows."""
        return self.inner.diff()

    @property
    def inner(self) -> Session:
        """The session as it stands."""
        try:
            return self._service.sessions.get(self._id).session
        except Refused as refused:
            raise InfrastructureError("session", refused.message) from refused

    async def close(self) -> None:
        """End the session, if it has not ended by itself."""
        try:
            self._service.sessions.close(self._id)
        except Refused:
            return
        await self._service.settle()
