"""A session some of whose calls come to nothing: the agent is told so, nothing is done, the same call works then."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from random import Random

from toolgym.sandbox.kit.errors import TEMPORARY
from toolgym.sandbox.kit.message import Json, Party
from toolgym.sandbox.kit.tool import Failure, ToolResult
from toolgym.sandbox.runtime.call_log import CallRecord
from toolgym.sandbox.runtime.session import RowChange
from toolgym.sandbox.runtime.session_like import SessionLike

SENTENCE = "The service gave no answer and nothing was done; the same call can be made again."


class FaultySession:
    """A session of which a share of the agent's calls fail once.

    Args:
        inner: the session.
        share: of different calls that fail, 0 to 1.
        seed: decides which.

    Attributes:
        blocking: as the inner session says.
        inner: the session.
        faults: how many calls have failed so.
    """

    def __init__(self, inner: SessionLike, share: float, seed: int) -> None:
        self.blocking = inner.blocking
        self.inner, self._share = inner, share
        self._rng = Random(f"{seed}:faults")
        self._tried: set[str] = set()
        self._failed: list[tuple[int, CallRecord]] = []

    @property
    def faults(self) -> int:
        """How many calls came to nothing."""
        return len(self._failed)

    @property
    def log(self) -> Sequence[CallRecord]:
        """The calls so far, those that came to nothing among them as refused ones."""
        log: list[CallRecord] = list(self.inner.log)
        for before, (position, record) in enumerate(self._failed):
            log.insert(position + before, record)
        return log

    def call(self, name: str, arguments: Mapping[str, Json] | str, *, by: Party = "agent") -> ToolResult:
        """Call a tool, or fail to; a call that failed once works from then on."""
        if by != "agent" or not self._fails(name, arguments):
            return self.inner.call(name, arguments, by=by)
        given = arguments if isinstance(arguments, str) else dict(arguments)
        record = CallRecord(name, given, by, None, None, TEMPORARY, SENTENCE)
        self._failed.append((len(self.inner.log), record))
        return ToolResult(error=Failure(TEMPORARY, SENTENCE))

    def diff(self) -> list[RowChange]:
        """The changed rows."""
        return self.inner.diff()

    def _fails(self, name: str, arguments: Mapping[str, Json] | str) -> bool:
        key = json.dumps([name, arguments], sort_keys=True, default=str)
        if key in self._tried:
            return False
        self._tried.add(key)
        return self._rng.random() < self._share
