"""The calls of a session, and where it keeps them: in memory, or where a server puts them."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal, Self, overload

from pydantic import ConfigDict

from toolgym.sandbox.kit.message import Json, Party
from toolgym.sandbox.kit.tool import Failure, ToolResult


@dataclass(frozen=True, slots=True)
class CallRecord:
    """One call of a session's log.

    A plain class, because one is made for every call: pydantic checks records where files and requests are read.

    Attributes:
        name: the tool's name as called.
        arguments: as called; of a refused call their text where JSON cannot hold them (see `toolgym.sandbox.kit.text`).
        by: who called.
        kind: the tool's kind; None for an unknown tool.
        value: the JSON result of a successful call.
        error: the stable code of a refusal; None when the call succeeded.
        message: the refusal's sentence.
        seconds: wall time the call took.
    """

    __pydantic_config__ = ConfigDict(extra="forbid")

    name: str
    arguments: dict[str, Json] | str
    by: Party = "agent"
    kind: Literal["read", "write", "neutral"] | None = None
    value: Json = None
    error: str | None = None
    message: str | None = None
    seconds: float = 0.0

    @property
    def ok(self) -> bool:
        """Whether the call succeeded."""
        return self.error is None

    @property
    def wrote(self) -> bool:
        """Whether this was a successful call of a write tool."""
        return self.ok and self.kind == "write"

    def left_rows(self, *, scratch: bool) -> bool:
        """Whether this call may have left rows: a write, or a neutral call where those leave `scratch` rows."""
        return self.wrote or (scratch and self.ok and self.kind == "neutral")

    def result(self) -> ToolResult:
        """The result as the caller saw it."""
        if self.error is not None:
            return ToolResult(error=Failure(self.error, self.message or ""))
        return ToolResult(self.value)


class CallLog(Sequence[CallRecord]):
    """Where a session keeps its calls; only the session changes it."""

    @abstractmethod
    def append(self, record: CallRecord) -> None:
        """Add a call."""

    @abstractmethod
    def cut(self, calls: int) -> None:
        """Forget all but the first `calls` calls."""

    @abstractmethod
    def fork(self) -> Self:
        """The log of an independent session with the same past."""


class MemoryLog(CallLog):
    """A log in memory."""

    def __init__(self, records: Sequence[CallRecord] = ()) -> None:
        self._records = list(records)

    def __len__(self) -> int:
        return len(self._records)

    def __iter__(self) -> Iterator[CallRecord]:
        return iter(self._records)

    @overload
    def __getitem__(self, index: int) -> CallRecord: ...
    @overload
    def __getitem__(self, index: slice) -> list[CallRecord]: ...
    def __getitem__(self, index: int | slice) -> CallRecord | list[CallRecord]:
        return self._records[index]

    def __eq__(self, other: object) -> bool:
        return list(other) == self._records if isinstance(other, Sequence) else NotImplemented

    __hash__ = None  # type: ignore[assignment]  # it changes

    def append(self, record: CallRecord) -> None:
        """Add a call."""
        self._records.append(record)

    def cut(self, calls: int) -> None:
        """Forget all but the first `calls` calls."""
        del self._records[calls:]

    def fork(self) -> MemoryLog:
        """The log of an independent session with the same past."""
        return MemoryLog(self._records)
