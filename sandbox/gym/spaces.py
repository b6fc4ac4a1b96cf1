"""The space of all texts up to a length.

Gymnasium's own text space knows a fixed alphabet and moves one integer per possible character.
"""

from __future__ import annotations

from typing import Any

from gymnasium import spaces

from toolgym.sandbox.gym.slots import SlotSpace

MAX_CHARS = 1_000_000


class AnyText(SlotSpace, spaces.Text):
    """Text of any Unicode characters, up to `max_length` of them."""

    def __init__(self, max_length: int = MAX_CHARS) -> None:
        super().__init__(max_length, min_length=0)

    def __repr__(self) -> str:
        """As Gymnasium shows spaces; the base class would name an alphabet."""
        return f"AnyText(max_length={self.max_length})"

    def contains(self, x: Any) -> bool:
        """Whether `x` is text that is not too long."""
        return isinstance(x, str) and len(x) <= self.max_length

    def sample(self, mask: Any = None, probability: Any = None) -> str:
        """A short random text."""
        size = int(self.np_random.integers(1, 40))
        return "".join(self.np_random.choice(list("abcdefghijklmnopqrstuvwxyz "), size=size))

    @property
    def longest_bytes(self) -> int:
        """Four bytes a character at most, in UTF-8."""
        return 4 * self.max_length

    def to_bytes(self, value: str) -> bytes:
        """The text in UTF-8; halves of surrogate pairs too, which an action may hold."""
        return value.encode("utf-8", "surrogatepass")

    def from_bytes(self, content: bytes) -> str:
        """The text that `to_bytes` wrote."""
        return content.decode("utf-8", "surrogatepass")
