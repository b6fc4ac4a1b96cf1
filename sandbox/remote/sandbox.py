"""A sandbox server as a place to open sessions in."""

from __future__ import annotations

import secrets
from collections.abc import Mapping
from datetime import datetime
from typing import Literal

from toolgym.sandbox.kit.errors import BadInput, InfrastructureError
from toolgym.sandbox.kit.message import Json
from toolgym.sandbox.kit.task import Task
from toolgym.sandbox.remote.endpoint import Endpoint
from toolgym.sandbox.remote.session import RemoteSession
from toolgym.sandbox.runtime.session import Snapshot

Protocol = Literal["rest", "mcp"]


class RemoteSandbox:
    """A server that was started with `toolgym serve`.

    Args:
        url: its address, such as http://127.0.0.1:8000.
        token: its bearer token.
        protocol: how sessions call tools; everything else goes over REST.
        patience: seconds for which a request is repeated while the server is away or busy.
    """

    def __init__(
        self, url: str, *, token: str | None = None, protocol: Protocol = "rest", patience: float = 15.0
    ) -> None:
        self.endpoint = Endpoint(url, token=token, patience=patience)
        self.protocol = protocol

    def check(self) -> None:
        """Make sure that the server answers (ConfigurationError says what is wrong)."""
        self.endpoint.check()

    def open(
        self,
        domain: str,
        *,
        data: str | None = None,
        task: Task | str | None = None,
        seed: int | None = None,
        now: datetime | None = None,
        ttl: float | None = None,
    ) -> RemoteSession:
        """A new session; the arguments are those of a local one.

        Args:
            domain: the world's name.
            data: the body of data; by default the task's, or `own`.
            task: a task, or the id of one that the server knows.
            seed: seeds the ids that the session generates.
            now: the frozen clock.
            ttl: seconds until the server ends the session.

        Raises:
            BadInput: the server has no such domain, data or task.
            InfrastructureError: the server is away or full.
        """
        body = {
            "domain": domain,
            "data": data,
            "task": task.model_dump(mode="json") if isinstance(task, Task) else task,
            "seed": seed,
            "now": now.isoformat() if now else None,
            "ttl": ttl,
        }
        return self._open({name: value for name, value in body.items() if value is not None})

    def restore(self, snapshot: Snapshot, *, ttl: float | None = None) -> RemoteSession:
        """A new session that goes on from a snapshot."""
        body: dict[str, Json] = {"snapshot": snapshot.model_dump(mode="json")}
        return self._open(body | ({"ttl": ttl} if ttl else {}))

    def close(self) -> None:
        """Close the connections; sessions stay on the server."""
        self.endpoint.close()

    def _open(self, body: Mapping[str, Json]) -> RemoteSession:
        answer = self.endpoint.request("POST", "/sessions", dict(body), key=secrets.token_hex(16))
        if answer.status == 201:
            return self._kind_of_session()(self.endpoint, answer.body)
        if answer.status in (404, 409, 422):
            raise BadInput(f"The sandbox cannot open this session: {answer.message}")
        raise InfrastructureError("session", f"The sandbox did not open a session: {answer.message}")

    def _kind_of_session(self) -> type[RemoteSession]:
        if self.protocol == "rest":
            return RemoteSession
        from toolgym.sandbox.remote.mcp import MCPSession  # the SDK loads slowly

        return MCPSession
