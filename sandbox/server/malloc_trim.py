"""Gives memory that sessions have left back to the operating system, where the C library can be asked to."""

from __future__ import annotations

import ctypes
import sys

MANY = 100
"""How many sessions must have gone before it is worth the hundredth of a second while others come and go."""


class MallocTrim:
    """Remembers how many sessions were resident, and trims the heap when many have gone, or some and it is quiet."""

    def __init__(self) -> None:
        self._most = self._last = 0
        self._trim = None
        if sys.platform == "linux":
            self._trim = getattr(ctypes.CDLL(None), "malloc_trim", None)  # glibc's; musl has none

    def tidy(self, resident: int) -> None:
        """Trim when `MANY` fewer sessions are resident than at most since the last time, or fewer and no more go."""
        self._most = max(self._most, resident)
        quiet, self._last = resident == self._last, resident
        gone = self._most - resident
        if gone >= MANY or (gone > 0 and quiet):
            self._most = resident
            if self._trim is not None:
                self._trim(0)
