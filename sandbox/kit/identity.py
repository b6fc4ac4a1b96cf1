"""How a person is known at a desk that serves anybody, and what must be known before personal columns are told."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from sqlalchemy.orm import DeclarativeBase

from sandbox.kit.tool import Tool


@dataclass(frozen=True)
class Identity:
    """How the agent finds out whom it speaks to.

    Attributes:
        table: whose rows are the persons.
        found_by: the look-ups that find one, the usual one first. What they ask for is what the person must say; a
            successful call means that the person is known, and nothing personal may be told before.
        shown_by: the look-up that shows the person's own row, given the key that was found.
    """

    table: type[DeclarativeBase]
    found_by: Sequence[Tool]
    shown_by: Tool | None = None
