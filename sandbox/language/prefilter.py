"""Patterns that are only tried on texts that hold a word which every match of theirs holds: most texts hold none.

A pattern of many words costs a try at each place of a text; a look-up of the text's words in a set costs next to
nothing. Of a pattern that is a list of ways to say something only the ways are tried whose words are there. The words
are derived from the pattern's own syntax tree, so that what matches never changes. The idea is that
of prefilters for regular expressions (Russ Cox, "Regular Expression Matching with a Trigram Index", 2012), here over
the beginnings of words.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import cached_property, lru_cache
from re import _constants as ops  # type: ignore[attr-defined]  # the syntax tree has no public name
from re import _parser as parser  # type: ignore[attr-defined]
from typing import Any

Needs = frozenset[str]
_HEAD = 4
"""Letters of a word's beginning; shorter words count whole."""
_COMMON = frozenset(
    "the to you your it i is that this for and of a an not t s ll d m re ve have will can me do be are on in with as "
    "or if at by from we my was has no so".split()
)
"""Beginnings that tell little, for nearly every sentence has them."""
_FEW = 3
"""Alternatives below which trying each costs as much as trying all."""
_MANY = 4
"""Rounds of a repetition after which only what holds for all of them is kept."""
_WORD = re.compile(r"\w+")
_HEADS = re.compile(rf"(\w{{1,{_HEAD}}})\w*")


@lru_cache(maxsize=1024)
def heads(text: str) -> Needs:
    """The beginnings of a text's words."""
    return frozenset(_HEADS.findall(text))


class Prefiltered:
    """A regular expression with the methods of `re.Pattern` that are used here, quick to say that nothing matches.

    Args:
        pattern: as for `re.compile`, in which only inline groups switch flags; it is compiled when it is first needed.
    """

    def __init__(self, pattern: str) -> None:
        self.pattern = pattern

    @cached_property
    def _compiled(self) -> re.Pattern[str]:
        return re.compile(self.pattern)

    @cached_property
    def needs(self) -> Needs:
        """Beginnings of words, one of which every match holds; empty where nothing is known."""
        return _needs(self.pattern)

    @cached_property
    def _ways(self) -> tuple[tuple[Needs, re.Pattern[str]], ...]:
        """The alternatives that the pattern consists of, each with its own needs; none where it has groups."""
        parts = _alternatives(self.pattern)
        has_groups = parser.parse(self.pattern).state.groups > 1
        return () if has_groups or len(parts) < _FEW else tuple((_needs(part), re.compile(part)) for part in parts)

    @cached_property
    def _by_head(self) -> dict[str, frozenset[int]]:
        """The places of the alternatives that need a beginning of a word, or one of several."""
        found: dict[str, set[int]] = {}
        for place, (needs, _) in enumerate(self._ways):
            for head in needs:
                found.setdefault(head, set()).add(place)
        return {head: frozenset(places) for head, places in found.items()}

    @cached_property
    def _always(self) -> frozenset[int]:
        """The places of the alternatives of which nothing is known, so that they are always tried."""
        return frozenset(place for place, (needs, _) in enumerate(self._ways) if not needs)

    def search(self, text: str, start: int = 0) -> re.Match[str] | None:
        """As `re.Pattern.search`."""
        words = heads(text)
        if (needs := self.needs) and needs.isdisjoint(words):
            return None
        if not self._ways:
            return self._compiled.search(text, start)
        best, tried, by_head = None, self._always, self._by_head
        for head in by_head.keys() & words:
            tried |= by_head[head]
        for place in sorted(tried):
            found = self._ways[place][1].search(text, start)
            if found and (best is None or found.start() < best.start()):
                best = found  # where two begin at one place the first alternative wins
        return best

    def match(self, text: str, start: int = 0) -> re.Match[str] | None:
        """As `re.Pattern.match`."""
        if (needs := self.needs) and needs.isdisjoint(heads(text)):
            return None
        return self._compiled.match(text, start)

    def finditer(self, text: str) -> Iterator[re.Match[str]]:
        """As `re.Pattern.finditer`."""
        if (needs := self.needs) and needs.isdisjoint(heads(text)):
            return iter(())
        return self._compiled.finditer(text)

    def findall(self, text: str) -> list[Any]:
        """As `re.Pattern.findall`."""
        if (needs := self.needs) and needs.isdisjoint(heads(text)):
            return []
        return self._compiled.findall(text)

    def sub(self, new: str, text: str) -> str:
        """As `re.Pattern.sub`."""
        if (needs := self.needs) and needs.isdisjoint(heads(text)):
            return text
        return self._compiled.sub(new, text)


def _alternatives(pattern: str) -> list[str]:
    """The parts of a pattern between the bars that stand in no group and no set."""
    parts, depth = [""], 0
    for part in _PIECE.findall(pattern):
        depth += (part == "(") - (part == ")")
        if part == "|" and not depth:
            parts.append("")
        else:
            parts[-1] += part
    return parts


_PIECE = re.compile(r"\\.|\[\^?\]?(?:\\.|[^\]\\])*\]|.", re.DOTALL)
"""An escaped letter, a set, or any other sign of a pattern."""


# --- what every match holds ---

Ways = dict[str | None, Needs | None]
"""What may have been read so far: the word at hand since its beginning (None: its beginning is not known), and the
beginnings of words of which each such way holds one (None: not known)."""


def _needs(pattern: str) -> Needs:
    """Beginnings of words, one of which every match of a pattern holds; empty where nothing is known."""
    tree = parser.parse(pattern)
    if tree.state.flags != re.UNICODE:
        return frozenset()
    ways = _read(tree, {None: None})
    found = [_held(word, needs, whole=False) for word, needs in ways.items()]
    return frozenset().union(*(each for each in found if each)) if all(found) else frozenset()


def _held(word: str | None, needs: Needs | None, *, whole: bool) -> Needs | None:
    """The better of what was known and what a word at hand tells, which is `whole` or may go on."""
    if not word or (not whole and len(word) < _HEAD):
        return needs
    head = frozenset((word[:_HEAD],))
    return head if needs is None or (needs & _COMMON and not head & _COMMON) else needs


def _either(ways: Iterable[tuple[str | None, Needs | None]]) -> Ways:
    """Ways that cannot be told apart from here on are one."""
    made: Ways = {}
    for word, needs in ways:
        if word in made:
            known = made[word]
            needs = known | needs if known is not None and needs is not None else None
        made[word] = needs
    return made


def _ended(ways: Ways) -> Ways:
    """A word's end, or what lies between words."""
    return _either(("", _held(word, needs, whole=True)) for word, needs in ways.items())


def _lost(ways: Ways) -> Ways:
    """Something of which it is not known whether it belongs to a word."""
    return _either((None, _held(word, needs, whole=False)) for word, needs in ways.items())


def _read(tree: Iterable[tuple[Any, Any]], ways: Ways) -> Ways:
    letters = ""
    for op, value in tree:
        if op is ops.LITERAL and _WORD.match(letter := chr(value)):
            letters += letter
            continue
        ways = _step(op, value, _spelt(letters, ways))
        letters = ""
    return _spelt(letters, ways)


def _step(op: Any, value: Any, ways: Ways) -> Ways:
    if op is ops.LITERAL:
        return _ended(ways)
    if op is ops.AT:
        return _lost(ways) if value is ops.AT_NON_BOUNDARY else _ended(ways)
    if op is ops.IN:
        return _one_of(value, ways)
    if op is ops.SUBPATTERN:
        _, switched_on, switched_off, tree = value
        return _lost(ways) if switched_on or switched_off else _read(tree, ways)
    if op is ops.ATOMIC_GROUP:
        return _read(value, ways)
    if op is ops.BRANCH:
        return _either(way for branch in value[1] for way in _read(branch, ways).items())
    if op in (ops.MAX_REPEAT, ops.MIN_REPEAT, ops.POSSESSIVE_REPEAT):
        return _repeated(value[0], value[1], value[2], ways)
    if op in (ops.ASSERT, ops.ASSERT_NOT):
        return ways  # they read nothing
    return _lost(ways)


def _spelt(letters: str, ways: Ways) -> Ways:
    """Letters of a word."""
    return (
        _either((None if word is None else word + letters, needs) for word, needs in ways.items()) if letters else ways
    )


def _one_of(members: list[tuple[Any, Any]], ways: Ways) -> Ways:
    """One of several letters: spelt out where they are few."""
    if len(members) <= _MANY and all(op is ops.LITERAL and _WORD.match(chr(letter)) for op, letter in members):
        return _either(way for _, letter in members for way in _spelt(chr(letter), ways).items())
    if all(_is_between(op, value) for op, value in members):
        return _ended(ways)
    return _lost(ways)


def _is_between(op: Any, value: Any) -> bool:
    """Whether a member of a set is no part of a word."""
    if op is ops.LITERAL:
        return not _WORD.match(chr(value))
    return op is ops.CATEGORY and value in (ops.CATEGORY_NOT_WORD, ops.CATEGORY_SPACE)


def _repeated(least: int, most: Any, tree: Any, ways: Ways) -> Ways:
    for _ in range(min(least, _MANY)):
        ways = _read(tree, ways)
    if most == least and least <= _MANY:
        return ways
    for _ in range(min(int(most) - least, _MANY) if least <= _MANY else 0):
        further = _either([*ways.items(), *_read(tree, ways).items()])
        if further == ways:
            return ways
        ways = further
    return ways if int(most) - least <= _MANY and least <= _MANY else _either([*ways.items(), *_lost(ways).items()])
