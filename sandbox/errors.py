"""The error family: every failure toolgym raises on purpose, each with one sentence meant for a person.

Not for refusals recorded in a log: a refused tool call becomes a `ToolResult`, see `sandbox.tool`.
"""

from __future__ import annotations

import difflib
from collections.abc import Iterable
from typing import Literal

Boundary = Literal["model", "tool", "session", "task", "judge", "user", "configuration"]
"""Where a failure happened; every infrastructure failure names exactly one."""


class ToolgymError(Exception):
    """Base of every error toolgym raises on purpose; `str(error)` is a sentence for people."""


class BadInput(ToolgymError, ValueError):
    """The caller passed something that cannot be accepted; the sentence says what is."""


class ConfigurationError(ToolgymError):
    """Settings, an installation or a domain definition do not fit together."""


class Refusal(ToolgymError):
    """A domain's own rule refuses a call: a stable code and a sentence an agent can act on.

    Raise it from a tool before or between writes; the session undoes whatever the call wrote.
    """

    def __init__(self, code: str, message: str) -> None:
        super().__init__(message)
        self.code = code
        self.message = message

    def __reduce__(self) -> tuple[type[Refusal], tuple[str, str]]:
        return Refusal, (self.code, self.message)


class InfrastructureError(ToolgymError):
    """Something outside the agent's control broke; recorded as such and left out of averages."""

    def __init__(self, boundary: Boundary, message: str) -> None:
        super().__init__(message)
        self.boundary: Boundary = boundary
        self.message = message

    def __reduce__(self) -> tuple[type[InfrastructureError], tuple[Boundary, str]]:
        return type(self), (self.boundary, self.message)


def nearest(name: str, known: Iterable[str]) -> str | None:
    """The known name most like `name`, or None when nothing is close."""
    matches = difflib.get_close_matches(name, list(known), n=1, cutoff=0.6)
    return matches[0] if matches else None


def unknown(kind: str, name: str, known: Iterable[str], advice: str = "") -> BadInput:
    """The error for a name that does not exist: the nearest right one, then all of them."""
    names = sorted(known)
    close = nearest(name, names)
    hint = f"; did you mean {close!r}?" if close else "."
    listing = f" Known: {', '.join(names)}." if names else f" No {kind} is installed."
    return BadInput(f"There is no {kind} {name!r}{hint}{listing}{' ' + advice if advice else ''}")
