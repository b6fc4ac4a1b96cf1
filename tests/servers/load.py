"""Clients that write without pause and remember what was acknowledged, to be compared with what a server kept."""

from __future__ import annotations

import http.client
import json
import threading
import time
from typing import Any
from urllib.parse import urlsplit

from toolgym.sandbox.runtime.session import Session


class Refused(Exception):
    """The server answered, but not with success."""


class Writer(threading.Thread):
    """Writes to one session, one call after the other; a call without an answer is sent again with the same key.

    Every call is unlike every other, so one that was applied twice, or not at all, shows in the log.

    Args:
        url: of the server.
        pause: seconds between calls.

    Attributes:
        acknowledged: how many calls were answered with success.
        repeated: how many answers said that the call had been applied before.
        attempts: how many times a request was sent.
    """

    def __init__(self, url: str, *, pause: float = 0.0) -> None:
        super().__init__(daemon=True)
        self._address, self._pause = urlsplit(url), pause
        self._connection: http.client.HTTPConnection | None = None
        self.path = f"/sessions/{json.loads(self.patiently('POST', '/sessions', {'domain': 'kiosk'})[1])['id']}"
        self.acknowledged = self.repeated = self.attempts = 0
        self.problem: Exception | None = None
        self._ending = threading.Event()

    def run(self) -> None:
        """Write until told to end."""
        try:
            while not self._ending.is_set():
                self.write()
                time.sleep(self._pause)
        except Exception as error:  # shown by the test that reads it
            self.problem = error

    def end(self) -> None:
        """Stop after the call under way; raises what went wrong."""
        self._ending.set()
        self.join(timeout=600)
        assert not self.is_alive(), "a client waits for an answer"
        if self.problem is not None:
            raise self.problem

    def write(self) -> None:
        """One call, sent until it is answered."""
        name, arguments = nth_call(self.acknowledged)
        body = {"name": name, "arguments": arguments}
        status, answer, again = self._patiently("POST", f"{self.path}/call", body, key=f"call-{self.acknowledged}")
        if status != 200:
            raise Refused(f"call {self.acknowledged}: {status} {answer!r}")
        self.acknowledged += 1
        self.repeated += again

    def patiently(self, method: str, path: str, body: Any = None) -> tuple[int, bytes]:
        """Status and body of an answer, asked for until there is one."""
        status, answer, _ = self._patiently(method, path, body)
        return status, answer

    def _patiently(self, method: str, path: str, body: Any, key: str | None = None) -> tuple[int, bytes, bool]:
        deadline = time.monotonic() + 600
        while True:
            try:
                return self.ask(method, path, body, key)
            except (OSError, http.client.HTTPException):
                self._connection = None
                if time.monotonic() > deadline:
                    raise
                time.sleep(0.002)

    def ask(self, method: str, path: str, body: Any = None, key: str | None = None) -> tuple[int, bytes, bool]:
        """One attempt: status, body, and whether the server says that it had applied this before."""
        self.attempts = getattr(self, "attempts", 0) + 1
        if self._connection is None:
            self._connection = http.client.HTTPConnection(self._address.hostname or "", self._address.port, timeout=600)
        headers = {"Content-Type": "application/json"} | ({"Idempotency-Key": key} if key else {})
        content = None if body is None else json.dumps(body).encode()
        self._connection.request(method, path, content, headers)
        response = self._connection.getresponse()
        return response.status, response.read(), response.headers.get("Idempotent-Replayed") == "true"

    def kept(self) -> list[tuple[str, dict[str, Any]]]:
        """What the server's log holds of this session."""
        calls = json.loads(self.patiently("GET", f"{self.path}/log")[1])["calls"]
        return [(call["name"], call["arguments"]) for call in calls]

    def require_kept(self) -> None:
        """Every acknowledged call is in the log, once, in order; at most the one without an answer is there besides.

        The state is the one that these calls make.
        """
        kept = self.kept()
        wanted = [nth_call(number) for number in range(self.acknowledged + 1)]
        assert kept in (wanted[:-1], wanted), f"{len(kept)} calls kept, {self.acknowledged} acknowledged"
        digest = json.loads(self.patiently("GET", f"{self.path}/digest")[1])["sha256"]
        with Session("kiosk") as session:
            for name, arguments in kept:
                session.call(name, arguments)
            assert digest == session.digest()


def nth_call(number: int) -> tuple[str, dict[str, Any]]:
    """The n-th write of a session: a ticket is reserved for a person of that number, and given back."""
    name = "reserve_ticket" if number % 2 == 0 else "release_ticket"
    return name, {"ticket_id": "T102", "holder": f"Person {number // 2}"}
