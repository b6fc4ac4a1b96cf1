"""What came of comparing a proposal with a wish."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

from toolgym.sandbox.users.slots import WishSlot

Fit = Literal["right", "open", "wrong", "other", "added", "denied", "unclear"]


@dataclass
class Verdict:
    """What came of comparing.

    Attributes:
        fit: right; open (slots are not named); wrong (slots are contradicted); other (another action); added (more
            than was wanted); denied (it says that it will not be done); unclear (no action of the wish's).
        named: slots that it names rightly.
        wrong: slots that it contradicts, each with the words that do.
        missing: needed slots that it leaves open.
        beside: the words for what is not wanted.
        asserts: it names the wish's action as something to come.
        plans: it asks leave for that action or promises it.
        vague: it promises something in words that could be any action.
        said: by slots of plain values how the message puts them.
        rows: by slots that refer to rows what each of the mentions in it can stand for.
    """

    fit: Fit
    named: list[WishSlot] = field(default_factory=list)
    wrong: list[tuple[WishSlot, str]] = field(default_factory=list)
    missing: list[WishSlot] = field(default_factory=list)
    beside: list[str] = field(default_factory=list)
    asserts: bool = False
    plans: bool = False
    vague: bool = False
    said: dict[str, str] = field(default_factory=dict)
    rows: dict[str, list[frozenset[str]]] = field(default_factory=dict)
