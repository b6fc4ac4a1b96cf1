"""The space of all texts up to a length, and how vector environments pass such texts between processes.

Gymnasium's own text space knows a fixed alphabet and moves one integer per possible character.
"""

from __future__ import annotations

import multiprocessing
from collections.abc import Sequence
from types import ModuleType
from typing import Any

import numpy as np
from gymnasium import spaces
from gymnasium.vector.utils import create_shared_memory, read_from_shared_memory, write_to_shared_memory

MAX_CHARS = 1_000_000
_HEADER = 8


class AnyText(spaces.Text):
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
    def slot_bytes(self) -> int:
        """Shared memory for one text: its length and its UTF-8 bytes."""
        return _HEADER + 4 * self.max_length


@create_shared_memory.register(AnyText)
def _create(space: AnyText, n: int = 1, ctx: ModuleType = multiprocessing) -> Any:
    return ctx.Array("b", n * space.slot_bytes)


@write_to_shared_memory.register(AnyText)
def _write(space: AnyText, index: int, values: str, shared_memory: Any) -> None:
    content = values.encode("utf-8", "surrogatepass")
    target = np.frombuffer(shared_memory.get_obj(), dtype=np.uint8)
    start = index * space.slot_bytes
    target[start : start + _HEADER] = np.frombuffer(len(content).to_bytes(_HEADER, "little"), dtype=np.uint8)
    target[start + _HEADER : start + _HEADER + len(content)] = np.frombuffer(content, dtype=np.uint8)


class _Texts(Sequence[str]):
    """The texts in shared memory as they are now: vector environments make one such view and copy it at every step."""

    def __init__(self, space: AnyText, source: Any, count: int) -> None:
        self._space, self._source, self._count = space, source, count

    def __len__(self) -> int:
        return self._count

    def __getitem__(self, index: Any) -> Any:
        if isinstance(index, slice):
            return tuple(self)[index]
        start = range(self._count)[index] * self._space.slot_bytes
        size = int.from_bytes(self._source[start : start + _HEADER].tobytes(), "little")
        content = self._source[start + _HEADER : start + _HEADER + size].tobytes()
        return content.decode("utf-8", "surrogatepass")

    def __deepcopy__(self, memo: dict[int, Any]) -> tuple[str, ...]:
        return tuple(self)


@read_from_shared_memory.register(AnyText)
def _read(space: AnyText, shared_memory: Any, n: int = 1) -> Sequence[str]:
    return _Texts(space, np.frombuffer(shared_memory.get_obj(), dtype=np.uint8), n)
