"""Tool calls over REST: the path of nearly every request, so plain functions over bytes and nothing in between."""

from __future__ import annotations

from toolgym.sandbox.kit.message import Json, Party
from toolgym.sandbox.server.http_errors import Refused
from toolgym.sandbox.server.middleware import Reply
from toolgym.sandbox.server.schemas import parse_arguments, parse_call, result_bytes
from toolgym.sandbox.server.service import Service

MAX_KEY = 200
_REPEATED = ((b"idempotent-replayed", b"true"),)


class Calls:
    """Answers `POST /sessions/{id}/call`, `.../{domain}/{tool}` and `.../{domain}/user/{tool}`."""

    def __init__(self, service: Service) -> None:
        self._service = service

    async def __call__(self, parts: list[str], headers: dict[bytes, bytes], body: bytes) -> Reply | None:
        """The answer, or None when the path is another."""
        domain: str | None = None
        by: Party = "agent"
        arguments: dict[str, Json] | str
        if len(parts) == 2 and parts[1] == "call":
            name, arguments, by = parse_call(body)
        else:
            if len(parts) == 4 and parts[2] == "user":
                by = "user"
            elif len(parts) != 3:
                return None
            domain, name = parts[1], parts[-1]
            if not self._service.domains.keys() >= set(domain.split("+")):
                return None
            arguments = parse_arguments(body)
        key = idempotency_key(headers)
        done = await self._service.call(parts[0], name, arguments, by=by, key=key, domain=domain)
        status, content = result_bytes(done)
        return Reply(status, content, _REPEATED if done.repeated else ())


def idempotency_key(headers: dict[bytes, bytes]) -> str | None:
    """The request's Idempotency-Key (Refused where it is too long)."""
    key = headers.get(b"idempotency-key")
    if key is None:
        return None
    if not 1 <= len(key) <= MAX_KEY:
        raise Refused(422, "invalid_request", f"An Idempotency-Key has 1 to {MAX_KEY} characters.")
    return key.decode("latin-1")
