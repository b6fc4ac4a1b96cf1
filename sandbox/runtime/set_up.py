"""What tasks' set-up calls wrote, remembered: a task is opened many times, by trials, rollouts and the verifier.

A client of a server may bring set-ups of its own, so their memory is bounded by size and not only by number.
"""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Hashable

from toolgym.sandbox.kit.state import State

MOST_CHARACTERS = 20_000_000
"""Of all remembered set-ups as text; in memory it is about three times as many bytes."""


class SetUps:
    """The set-ups that were used last, by what they are a function of; for use by many threads."""

    def __init__(self) -> None:
        self._kept: OrderedDict[Hashable, tuple[State, int]] = OrderedDict()
        self._characters = 0
        self._lock = threading.Lock()

    def __len__(self) -> int:
        return len(self._kept)

    def find(self, key: Hashable) -> State | None:
        """The state that a remembered set-up comes to; not to be changed."""
        with self._lock:
            if key not in self._kept:
                return None
            self._kept.move_to_end(key)
            return self._kept[key][0]

    def keep(self, key: Hashable, made: State, characters: int) -> None:
        """Remember a set-up, and forget those unused for longest where all are too large.

        Args:
            key: what it is a function of.
            made: the state that it came to; not to be changed any more.
            characters: of the calls' text, which `key` holds.
        """
        size = characters + len(str(made))
        with self._lock:
            if key in self._kept:
                return
            self._kept[key] = made, size
            self._characters += size
            while self._characters > MOST_CHARACTERS:
                self._characters -= self._kept.popitem(last=False)[1][1]
