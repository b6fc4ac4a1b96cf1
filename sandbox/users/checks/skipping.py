"""Checks that are only asked where the words of a message may set them off; one that declares nothing always is."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cached_property
from typing import Any, Generic, TypeVar

from toolgym.sandbox.language.prefilter import ByWord, Needs, Prefiltered, needs_of_any
from toolgym.sandbox.users.checks.proposal import Proposal

W = TypeVar("W")
Check = Callable[[Proposal, W], Iterator[str]]
C = TypeVar("C", bound=Callable[..., Iterator[str]])
_DECLARED: dict[Callable[..., Any], tuple[Prefiltered, ...]] = {}


def only_where(*patterns: Prefiltered) -> Callable[[C], C]:
    """Declare that a check finds nothing in a message in which none of these patterns finds anything.

    Args:
        patterns: looked for in the message or in parts of it, in lower case or as it was written.
    """

    def declare(check: C) -> C:
        _DECLARED[check] = patterns
        return check

    return declare


def needs_of(check: Callable[..., Any]) -> Needs:
    """The words without which a check finds nothing."""
    return needs_of_any(_DECLARED[check]) if check in _DECLARED else ()


class Checks(Generic[W]):
    """Checks in the order in which they are asked.

    Args:
        listed: the checks.
    """

    def __init__(self, *listed: Check[W]) -> None:
        self.listed = listed

    @cached_property
    def _by_word(self) -> ByWord[Check[W]]:
        return ByWord((needs_of(check), check) for check in self.listed)

    def asked(self, proposal: Proposal) -> list[Check[W]]:
        """Those that may find something in a proposal."""
        return self._by_word.among(proposal.words)

    def first_found(self, proposal: Proposal, wish: W) -> str:
        """The words that the first one finds; empty where none does."""
        for check in self.asked(proposal):
            for words in check(proposal, wish):
                return words
        return ""
