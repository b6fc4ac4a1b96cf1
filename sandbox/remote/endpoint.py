"""One sandbox server as a client sees it: requests that are repeated until answered, and errors in words.

Every request may be repeated safely: those that would be applied twice carry an idempotency key.
"""

from __future__ import annotations

import json
import time
from dataclasses import dataclass

import httpx2

from toolgym.sandbox.kit.errors import ConfigurationError, InfrastructureError
from toolgym.sandbox.kit.masking import masked, meet
from toolgym.sandbox.kit.message import Json
from toolgym.sandbox.kit.tool import Kind
from toolgym.sandbox.server.http_errors import PASSING

Kinds = dict[tuple[str, str], Kind]
"""The kinds of tools, by whose they are and their names."""

PAUSES = (0.05, 1.0)
"""Seconds before the first and at most before a further attempt."""

CHECK_SECONDS = 5.0
"""At most so long `check` waits for a server that is away: one that is starting comes, a wrong address stays wrong."""
PASSING_STATUS = frozenset({502, 503, 504, 507})
"""What a server says while it has no space, and what a proxy says while it has no server."""


@dataclass(frozen=True, slots=True)
class Answer:
    """A server's answer: the HTTP status, and the body as JSON (None where it is empty)."""

    status: int
    body: Json

    @property
    def code(self) -> str:
        """The stable code of an error, or an empty text."""
        error = self.body.get("error") if isinstance(self.body, dict) else None
        return str(error.get("code", "")) if isinstance(error, dict) else ""

    @property
    def message(self) -> str:
        """The sentence of an error."""
        error = self.body.get("error") if isinstance(self.body, dict) else None
        return str(error.get("message", "")) if isinstance(error, dict) else f"HTTP status {self.status}"


class Endpoint:
    """A server's address; may be used by several threads at once.

    Args:
        url: such as http://127.0.0.1:8000.
        token: sent as bearer token.
        patience: seconds for which a request is repeated while the server is away or busy.
        timeout: seconds one attempt may take.

    Attributes:
        shown: the address as messages name it, without a user, password or key.
    """

    def __init__(self, url: str, *, token: str | None = None, patience: float = 15.0, timeout: float = 30.0) -> None:
        self.url, self.patience, self.timeout = url.rstrip("/"), patience, timeout
        self.headers = {"Authorization": f"Bearer {token}"} if token else {}
        self._kinds: dict[str, Kinds] = {}
        self._require_address()
        meet(self.url)
        self.shown = masked(self.url)
        limits = httpx2.Limits(max_connections=None, max_keepalive_connections=64)
        self._client = httpx2.Client(base_url=self.url, headers=self.headers, timeout=timeout, limits=limits)

    def close(self) -> None:
        """Close the connections."""
        self._client.close()

    def check(self) -> None:
        """Make sure that a sandbox answers here and lets this client in.

        Raises:
            ConfigurationError: it does not.
        """
        try:
            answer = self.request("GET", "/domains", patience=min(self.patience, CHECK_SECONDS))
        except InfrastructureError as error:
            raise ConfigurationError(error.message) from None
        if answer.status != 200 or not isinstance(answer.body, dict) or "domains" not in answer.body:
            raise ConfigurationError(f"What answers at {self.shown} is no toolgym sandbox (HTTP {answer.status}).")

    def request(
        self, method: str, path: str, body: Json = None, *, key: str | None = None, patience: float | None = None
    ) -> Answer:
        """The answer to a request, repeated while the server is away or busy, at most for `patience` seconds.

        Raises:
            InfrastructureError: no answer within `patience`.
            ConfigurationError: the server does not let this client in.
        """
        content = None if body is None else _write(body)
        headers = {"Content-Type": "application/json"} if content is not None else {}
        if key is not None:
            headers["Idempotency-Key"] = key
        retries = Retries(self.patience if patience is None else patience)
        while True:
            try:
                answer = _read(self._client.request(method, path, content=content, headers=headers))
            except httpx2.TransportError as error:
                problem = f"cannot be reached ({_words(error)})"
            else:
                if answer.status not in PASSING_STATUS and answer.code not in PASSING:
                    self._require_admitted(answer)
                    return answer
                problem = f"does not take requests now: {answer.message}"
            retries.pause(self._away(problem))

    def kinds(self, domain: str) -> Kinds:
        """The kind of every tool of a domain; asked for once."""
        if domain not in self._kinds:
            self._kinds[domain] = self.kinds_at(f"/domains/{domain}/tools")
        return self._kinds[domain]

    def kinds_at(self, path: str) -> Kinds:
        """The kind of every tool of a list on the server."""
        answer = self.request("GET", path)
        tools = answer.body.get("tools", ()) if answer.status == 200 else ()
        return {(tool["by"], tool["name"]): tool["kind"] for tool in tools}

    def _require_address(self) -> None:
        try:
            parts = httpx2.URL(self.url)
        except httpx2.InvalidURL:
            parts = httpx2.URL("")
        if parts.scheme not in ("http", "https") or not parts.host:
            raise ConfigurationError(f"{self.url!r} is no server's address; write it like http://127.0.0.1:8000.")

    def _require_admitted(self, answer: Answer) -> None:
        if answer.status in (401, 403, 421):
            hint = " The client takes it from TOOLGYM_TOKEN." if answer.status == 401 else ""
            raise ConfigurationError(f"The sandbox at {self.shown} refuses this client: {answer.message}{hint}")

    def _away(self, problem: str) -> str:
        return f"The sandbox at {self.shown} {problem}. Is it running? `toolgym serve` starts one."


class Retries:
    """Waits between attempts, longer each time, until patience ends."""

    def __init__(self, patience: float) -> None:
        self._give_up = time.monotonic() + patience
        self._next = PAUSES[0]

    def pause(self, problem: str) -> None:
        """Wait before the next attempt.

        Raises:
            InfrastructureError: there is no time left for one.
        """
        if time.monotonic() + self._next > self._give_up:
            raise InfrastructureError("session", problem)
        time.sleep(self._next)
        self._next = min(2 * self._next, PAUSES[1])


def _write(body: Json) -> bytes:
    try:
        return json.dumps(body, ensure_ascii=False).encode()
    except UnicodeEncodeError:  # half of a surrogate pair has no UTF-8; JSON can still name it
        return json.dumps(body).encode()


def _read(response: httpx2.Response) -> Answer:
    try:
        return Answer(response.status_code, json.loads(response.content) if response.content else None)
    except ValueError:
        return Answer(response.status_code, None)


def _words(error: Exception) -> str:
    return str(error) or type(error).__name__
