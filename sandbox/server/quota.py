"""What a session may not exceed, and the rate at which it may be called."""

from __future__ import annotations

import time
from dataclasses import dataclass

from toolgym.sandbox.server.http_errors import Refused


@dataclass(frozen=True)
class Bounds:
    """What a server and its sessions may not exceed; see `toolgym.sandbox.server.settings`."""

    sessions: int = 1000
    calls: int = 10_000
    calls_per_second: float = 1000.0
    result: int = 1_000_000
    ttl: float = 3600.0

    def require_short(self, name: str, value: str) -> None:
        """Refuse a result that is too long; `value` is its JSON text."""
        size = len(value) if value.isascii() else len(value.encode())
        if size > self.result:
            raise Refused(
                413,
                "result_too_large",
                f"The result of {name} has {size} bytes, more than the {self.result} allowed; ask for less.",
            )


class Rate:
    """A token bucket that holds a second's worth.

    Args:
        per_second: how many things may be done.
    """

    def __init__(self, per_second: float) -> None:
        self._rate = per_second
        self._tokens = self._burst = max(1.0, per_second)
        self._refilled = time.monotonic()

    def take(self) -> bool:
        """Take a token; whether there was one."""
        self._refill()
        if self._tokens < 1:
            return False
        self._tokens -= 1
        return True

    def pause(self) -> float:
        """Take a token; the seconds to wait where it is still to come."""
        self._refill()
        self._tokens -= 1
        return max(0.0, -self._tokens / self._rate)

    def _refill(self) -> None:
        now = time.monotonic()
        self._tokens = min(self._burst, self._tokens + (now - self._refilled) * self._rate)
        self._refilled = now


class Quota:
    """The calls that one session may still make: so many in all, and so many a second.

    A rollback is kept for good as a call is, so it counts as one.
    """

    def __init__(self, bounds: Bounds) -> None:
        self._most, self._per_second = bounds.calls, bounds.calls_per_second
        self._rate = Rate(bounds.calls_per_second)
        self.calls = 0

    def take(self) -> None:
        """Admit one call or rollback.

        Raises:
            Refused: 429, too many calls or too fast.
        """
        if self.calls >= self._most:
            raise Refused(
                429,
                "too_many_calls",
                f"This session has made {self.calls} calls and rollbacks, the most it may; open another.",
            )
        if not self._rate.take():
            raise Refused(429, "too_fast", f"A session may make {self._per_second:g} calls per second; slow down.")
