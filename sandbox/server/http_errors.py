"""How the server declines a request: with a status, a stable code and a sentence. Not for what a world refuses."""

from __future__ import annotations

from toolgym.sandbox.kit.errors import BadInput, InfrastructureError
from toolgym.sandbox.server.store import StorageError

PASSING = frozenset({"too_fast", "too_many_sessions", "busy"})
"""The codes of refusals that pass by themselves."""


class Refused(BadInput):
    """The server declines a request; nothing was applied.

    Attributes:
        status: the HTTP status that says so.
        code: a stable code.
        passing: whether the same request may succeed a little later.
    """

    def __init__(self, status: int, code: str, message: str) -> None:
        super().__init__(message)
        self.status, self.code, self.message = status, code, message
        self.passing = code in PASSING


def invalid(message: str) -> Refused:
    """A request of the wrong shape: 422."""
    return Refused(422, "invalid_request", message)


def gone(reason: str) -> Refused:
    """A session that has ended, and why: 410."""
    return Refused(410, f"session_{reason}", f"This session is {reason}; open a new one.")


def elsewhere(domain: str) -> Refused:
    """A tool of another domain than the session's: 404."""
    return Refused(404, "wrong_domain", f"This session lives in {domain}; its tools are below .../{domain}/.")


def broken(error: InfrastructureError) -> str:
    """What a client is told about a fault that is not its own; the log says more."""
    return error.message if isinstance(error, StorageError) else f"The {error.boundary} is broken; nothing was applied."


def unapproved() -> Refused:
    """A change that no person was shown, on a server that shows each: 403."""
    return Refused(
        403,
        "approval_needed",
        "This server runs with consent=call, and a change is shown to a person before it is made: make the call over "
        "MCP, with a client that offers elicitation.",
    )


def busy() -> Refused:
    """A session that other workers keep changing: 503."""
    return Refused(503, "busy", "Other workers keep changing this session; try again.")
