"""The space of utterances: waveforms of any length up to a limit."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from toolgym.sandbox.gym.slots import SlotSpace
from toolgym.sandbox.speech.audio import MAX_SECONDS, RATE

Wave = NDArray[np.float32]


class Waveform(SlotSpace):
    """Mono audio at 16 kHz: float32 in [-1, 1], shape (n,) with n from 0 (nothing is said) to `longest`."""

    def __init__(self, longest: int = int(MAX_SECONDS * RATE), seed: int | None = None) -> None:
        super().__init__(None, np.float32, seed)
        self.longest = longest

    @property
    def is_np_flattenable(self) -> bool:
        """Utterances differ in length, so they are no part of a flat array."""
        return False

    def sample(self, mask: Any = None, probability: Any = None) -> Wave:
        """A short noise."""
        count = int(self.np_random.integers(0, min(self.longest, RATE) + 1))
        return self.np_random.uniform(-1, 1, count).astype(np.float32)

    def contains(self, x: Any) -> bool:
        """Whether `x` is such a waveform."""
        return (
            isinstance(x, np.ndarray)
            and x.dtype == np.float32
            and x.ndim == 1
            and len(x) <= self.longest
            and bool(np.all(np.abs(x) <= 1))
        )

    def __repr__(self) -> str:
        return f"Waveform({self.longest})"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Waveform) and other.longest == self.longest

    __hash__ = None  # type: ignore[assignment]  # spaces are compared, never looked up

    @property
    def longest_bytes(self) -> int:
        """Four bytes a sample."""
        return 4 * self.longest

    def to_bytes(self, value: Wave) -> bytes:
        """The samples."""
        return np.asarray(value, dtype=np.float32).tobytes()

    def from_bytes(self, content: bytes) -> Wave:
        """The waveform that `to_bytes` wrote."""
        return np.frombuffer(content, dtype=np.float32)
