"""The space of utterances: waveforms of any length up to a limit, and how vector environments pass them on."""

from __future__ import annotations

import multiprocessing
from collections.abc import Sequence
from types import ModuleType
from typing import Any

import numpy as np
from gymnasium import Space
from gymnasium.vector.utils import create_shared_memory, read_from_shared_memory, write_to_shared_memory
from numpy.typing import NDArray

from sandbox.speech.audio import MAX_SECONDS, RATE

_HEADER = 8
Wave = NDArray[np.float32]


class Waveform(Space[Wave]):
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
    def slot_bytes(self) -> int:
        """Shared memory for one utterance: its length and its samples."""
        return _HEADER + 4 * self.longest


@create_shared_memory.register(Waveform)
def _create(space: Waveform, n: int = 1, ctx: ModuleType = multiprocessing) -> Any:
    return ctx.Array("b", n * space.slot_bytes)


@write_to_shared_memory.register(Waveform)
def _write(space: Waveform, index: int, values: Wave, shared_memory: Any) -> None:
    content = np.asarray(values, dtype=np.float32).tobytes()
    target = np.frombuffer(shared_memory.get_obj(), dtype=np.uint8)
    start = index * space.slot_bytes
    target[start : start + _HEADER] = np.frombuffer(len(content).to_bytes(_HEADER, "little"), dtype=np.uint8)
    target[start + _HEADER : start + _HEADER + len(content)] = np.frombuffer(content, dtype=np.uint8)


class _Waves(Sequence[Wave]):
    """The utterances in shared memory as they are now; vector environments make one such view and copy it."""

    def __init__(self, space: Waveform, source: Any, count: int) -> None:
        self._space, self._source, self._count = space, source, count

    def __len__(self) -> int:
        return self._count

    def __getitem__(self, index: Any) -> Any:
        if isinstance(index, slice):
            return tuple(self)[index]
        start = range(self._count)[index] * self._space.slot_bytes
        size = int.from_bytes(self._source[start : start + _HEADER].tobytes(), "little")
        content = self._source[start + _HEADER : start + _HEADER + size].tobytes()
        return np.frombuffer(content, dtype=np.float32)

    def __deepcopy__(self, memo: dict[int, Any]) -> tuple[Wave, ...]:
        return tuple(self)


@read_from_shared_memory.register(Waveform)
def _read(space: Waveform, shared_memory: Any, n: int = 1) -> Sequence[Wave]:
    return _Waves(space, np.frombuffer(shared_memory.get_obj(), dtype=np.uint8), n)
