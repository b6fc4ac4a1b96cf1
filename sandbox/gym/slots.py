"""How vector environments pass observations of any length between processes: each in a slot, behind its length."""

from __future__ import annotations

import multiprocessing
from abc import abstractmethod
from collections.abc import Sequence
from types import ModuleType
from typing import Any

import numpy as np
from gymnasium import Space
from gymnasium.vector.utils import create_shared_memory, read_from_shared_memory, write_to_shared_memory

_HEADER = 8


class SlotSpace(Space[Any]):
    """Base of a space whose observations go as bytes; it stands before Gymnasium's own class among the bases."""

    @property
    @abstractmethod
    def longest_bytes(self) -> int:
        """How many bytes an observation takes at most."""

    @abstractmethod
    def to_bytes(self, value: Any) -> bytes:
        """An observation as bytes."""

    @abstractmethod
    def from_bytes(self, content: bytes) -> Any:
        """The observation that `to_bytes` wrote."""

    @property
    def slot_bytes(self) -> int:
        """Shared memory for one observation: its length and its bytes."""
        return _HEADER + self.longest_bytes


@create_shared_memory.register(SlotSpace)
def _create(space: SlotSpace, n: int = 1, ctx: ModuleType = multiprocessing) -> Any:
    return ctx.Array("b", n * space.slot_bytes)


@write_to_shared_memory.register(SlotSpace)
def _write(space: SlotSpace, index: int, values: Any, shared_memory: Any) -> None:
    content = space.to_bytes(values)
    target = np.frombuffer(shared_memory.get_obj(), dtype=np.uint8)
    start = index * space.slot_bytes
    target[start : start + _HEADER] = np.frombuffer(len(content).to_bytes(_HEADER, "little"), dtype=np.uint8)
    target[start + _HEADER : start + _HEADER + len(content)] = np.frombuffer(content, dtype=np.uint8)


class _Slots(Sequence[Any]):
    """What is in shared memory now: vector environments make one such view and copy it at every step."""

    def __init__(self, space: SlotSpace, source: Any, count: int) -> None:
        self._space, self._source, self._count = space, source, count

    def __len__(self) -> int:
        return self._count

    def __getitem__(self, index: Any) -> Any:
        if isinstance(index, slice):
            return tuple(self)[index]
        start = range(self._count)[index] * self._space.slot_bytes
        size = int.from_bytes(self._source[start : start + _HEADER].tobytes(), "little")
        return self._space.from_bytes(self._source[start + _HEADER : start + _HEADER + size].tobytes())

    def __deepcopy__(self, memo: dict[int, Any]) -> tuple[Any, ...]:
        return tuple(self)


@read_from_shared_memory.register(SlotSpace)
def _read(space: SlotSpace, shared_memory: Any, n: int = 1) -> Sequence[Any]:
    return _Slots(space, np.frombuffer(shared_memory.get_obj(), dtype=np.uint8), n)
