"""Tool calls over REST: the path of nearly every request, so plain functions over bytes and nothing in between."""

from __future__ import annotations

from sandbox.server.events import Door
from sandbox.server.gate import Reply
from sandbox.server.refused import Refused
from sandbox.server.service import Service
from sandbox.server.wire import parse_arguments, parse_call, result_bytes

MAX_KEY = 200
_REPEATED = ((b"idempotent-replayed", b"true"),)


class Calls:
    """Answers `POST /sessions/{id}/call`, `.../{domain}/{tool}` and `.../{domain}/user/{tool}`."""

    def __init__(self, service: Service) -> None:
        self._service = service

    async def __call__(self, parts: list[str], headers: dict[bytes, bytes], body: bytes) -> Reply | None:
        """The answer, or None when the path is another."""
        identifier, domain, by, name = parts[0], "", "agent", ""
        if len(parts) == 2 and parts[1] == "call":
            asked = parse_call(body)
            return await self._answer(identifier, asked.name, asked.arguments, asked.by, headers)
        if len(parts) == 3:
            domain, name = parts[1], parts[2]
        elif len(parts) == 4 and parts[2] == "user":
            domain, by, name = parts[1], "user", parts[3]
        if domain not in self._service.domains:
            return None
        lives_in = self._service.sessions.get(identifier).session.domain.name
        if lives_in != domain:
            raise Refused(
                404, "wrong_domain", f"This session lives in {lives_in}; its tools are below .../{lives_in}/."
            )
        door: Door = "user" if by == "user" else "agent"
        return await self._answer(identifier, name, parse_arguments(body), door, headers)

    async def _answer(
        self, identifier: str, name: str, arguments: dict[str, object] | str, by: Door, headers: dict[bytes, bytes]
    ) -> Reply:
        done = await self._service.call(identifier, name, arguments, by=by, key=idempotency_key(headers))
        status, body = result_bytes(done)
        return Reply(status, body, _REPEATED if done.repeated else ())


def idempotency_key(headers: dict[bytes, bytes]) -> str | None:
    """The request's Idempotency-Key (Refused where it is too long)."""
    key = headers.get(b"idempotency-key")
    if key is None:
        return None
    if not 1 <= len(key) <= MAX_KEY:
        raise Refused(422, "invalid_request", f"An Idempotency-Key has 1 to {MAX_KEY} characters.")
    return key.decode("latin-1")
