"""Pieces of text of which one stands in whatever is looked for; of a regular expression read from its syntax tree.

Where they stand does not count: they are for patterns that may begin inside a word, of which no word can be said.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from re import _constants as ops  # type: ignore[attr-defined]  # the syntax tree has no public name
from re import _parser as parser  # type: ignore[attr-defined]
from typing import Any

Pieces = frozenset[str]
_LONG = 4
"""Letters above which a longer piece tells no more."""
_REPEATS = (ops.MAX_REPEAT, ops.MIN_REPEAT, ops.POSSESSIVE_REPEAT)


def holds_one(text: str, pieces: Iterable[str]) -> bool:
    """Whether a text holds one of some pieces."""
    for piece in pieces:  # noqa: SIM110  # a generator costs twice as much
        if piece in text:
            return True
    return False


def pieces_of(pattern: str) -> Sequence[str]:
    """What any match holds one of, longest first; nothing where that is not known."""
    tree = parser.parse(pattern)
    found = _pieces(tree) if tree.state.flags == re.UNICODE else Pieces()
    return [each for each in sorted(found, key=lambda each: (-len(each), each)) if not _holds_other(each, found)]


def _holds_other(piece: str, pieces: Pieces) -> bool:
    return any(other in piece for other in pieces - {piece})


def _pieces(tree: Iterable[tuple[Any, Any]]) -> Pieces:
    """The most telling of what the parts of a tree hold."""
    known, letters = [Pieces()], ""
    for op, value in tree:
        if op is ops.LITERAL:
            letters += chr(value)
            continue
        known += [_spelt(letters), _pieces_at(op, value)]
        letters = ""
    return max((*known, _spelt(letters)), key=_telling)


def _spelt(letters: str) -> Pieces:
    return frozenset((letters,)) if letters else Pieces()


def _telling(pieces: Pieces) -> tuple[int, int]:
    return (min((*map(len, pieces), _LONG)) if pieces else 0, -len(pieces))


def _pieces_at(op: Any, value: Any) -> Pieces:
    if op is ops.SUBPATTERN:
        _, switched_on, switched_off, tree = value
        return Pieces() if switched_on or switched_off else _pieces(tree)
    if op is ops.ATOMIC_GROUP:
        return _pieces(value)
    if op is ops.BRANCH:
        each = [_pieces(branch) for branch in value[1]]
        return frozenset().union(*each) if all(each) else Pieces()
    return _pieces(value[2]) if op in _REPEATS and value[0] else Pieces()
