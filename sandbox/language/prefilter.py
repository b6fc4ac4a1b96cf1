"""Patterns that are only tried on texts that hold a word which every match of theirs holds: most texts hold none.

A pattern of many words costs a try at each place of a text; a look-up of the text's words in a set costs next to
nothing. Of a pattern that is a list of ways to say something only the ways are tried whose words are there. The words
are derived from the pattern's own syntax tree, so that what matches never changes. The idea is that
of prefilters for regular expressions (Russ Cox, "Regular Expression Matching with a Trigram Index", 2012), here over
the beginnings of words.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import cached_property, lru_cache
from itertools import product
from re import _constants as ops  # type: ignore[attr-defined]  # the syntax tree has no public name
from re import _parser as parser  # type: ignore[attr-defined]
from typing import Any, Generic, TypeVar

from toolgym.sandbox.language.pieces import holds_one, pieces_of

T = TypeVar("T")
Words = frozenset[str]
Needs = tuple[Words, ...]
"""Sets of beginnings of words: every match holds one of each. None at all where nothing is known."""
_HEAD = 4
"""Letters of a word's beginning; shorter words count whole."""
_COMMON = frozenset(
    "the to you your it i is that this for and of a an not t s ll d m re ve have will can me do be are on in with as "
    "or if at by from we my was has no so".split()
)
"""Beginnings that tell little, for nearly every sentence has them."""
_FEW = 3
"""Alternatives below which trying each costs as much as trying all, and as many that are always tried do."""
_LONG = 300
"""Signs of a group above which trying each of its alternatives costs less than trying all."""
_SETS = 4
"""Sets of words kept of a pattern: those that tell most."""
_MANY = 4
"""Rounds of a repetition after which only what holds for all of them is kept."""
_WORD = re.compile(r"\w+")
_HEADS = re.compile(rf"(\w{{1,{_HEAD}}})\w*")


@lru_cache(maxsize=1024)
def heads(text: str) -> Words:
    """The beginnings of a text's words."""
    return frozenset(_HEADS.findall(text))


def may_hold(needs: Needs, words: Words) -> bool:
    """Whether a text of these beginnings of words may match what has such needs."""
    for each in needs:  # noqa: SIM110  # a generator costs three times as much
        if each.isdisjoint(words):
            return False
    return True


class ByWord(Generic[T]):
    """A list of things that are worth a look only in texts that hold some words, looked up by these words.

    Args:
        listed: each thing with the needs of what it looks for; those without needs are worth a look in any text.
    """

    def __init__(self, listed: Iterable[tuple[Needs, T]]) -> None:
        self._listed: list[tuple[T, Needs]] = []
        self._always = 0
        self._by_head: dict[str, int] = {}
        for place, (needs, thing) in enumerate(listed):
            self._listed.append((thing, needs[1:]))
            self._always |= 0 if needs else 1 << place
            for head in needs[0] if needs else ():
                self._by_head[head] = self._by_head.get(head, 0) | 1 << place

    def among(self, words: Words) -> list[T]:
        """Those that may find something in a text of these beginnings of words, in the order of the list."""
        places, by_head = self._always, self._by_head
        for word in by_head.keys() & words:
            places |= by_head[word]
        found = []
        while places:
            last = places & -places
            thing, needs = self._listed[last.bit_length() - 1]
            if not needs or may_hold(needs, words):
                found.append(thing)
            places ^= last
        return found


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
        """What every match holds."""
        return _needs(self.pattern)

    @cached_property
    def _ways(self) -> ByWord[Prefiltered] | None:
        """The alternatives that the pattern consists of, each with its own needs; None where it has groups."""
        state = parser.parse(self.pattern).state
        parts = _alternatives(self.pattern)
        if state.groups > 1 or state.flags != re.UNICODE or len(parts) < _FEW:
            return None
        ways = [(way.needs, way) for way in map(Prefiltered, parts)]
        return ByWord(ways) if sum(not needs for needs, _ in ways) < _FEW else None

    @cached_property
    def _find(self) -> Callable[[str, int], re.Match[str] | None]:
        """As `re.Pattern.search` in a text that has the words; where these are not known it looks for pieces first."""
        search, pieces = self._compiled.search, () if self.needs else pieces_of(self.pattern)
        if not pieces:
            return search

        return lambda text, start: search(text, start) if holds_one(text, pieces) else None

    def search(self, text: str, start: int = 0) -> re.Match[str] | None:
        """As `re.Pattern.search`."""
        words = heads(text)
        for each in self.needs:
            if each.isdisjoint(words):
                return None
        if self._ways is None:
            return self._find(text, start)
        best = None
        for way in self._ways.among(words):
            found = way._find(text, start)
            if found and (best is None or found.start() < best.start()):
                best = found  # where two begin at one place the first alternative wins
        return best

    def match(self, text: str, start: int = 0) -> re.Match[str] | None:
        """As `re.Pattern.match`."""
        return self._compiled.match(text, start) if may_hold(self.needs, heads(text)) else None

    def finditer(self, text: str) -> Iterator[re.Match[str]]:
        """As `re.Pattern.finditer`."""
        return self._compiled.finditer(text) if may_hold(self.needs, heads(text)) else iter(())

    def findall(self, text: str) -> list[Any]:
        """As `re.Pattern.findall`."""
        return self._compiled.findall(text) if may_hold(self.needs, heads(text)) else []

    def sub(self, new: str, text: str) -> str:
        """As `re.Pattern.sub`."""
        return self._compiled.sub(new, text) if may_hold(self.needs, heads(text)) else text


class Alternatives:
    """Named alternatives of one pattern, of which only those are tried whose words a text holds.

    Args:
        named: the patterns by name, as for `Prefiltered`; where two match at one place the first one does.
    """

    def __init__(self, named: Mapping[str, str]) -> None:
        ways = ((name, Prefiltered(pattern)) for name, pattern in named.items())
        self._ways = ByWord((way.needs, (name, way)) for name, way in ways)

    def names_in(self, text: str) -> Iterator[str]:
        """The names of what matches, from left to right and without overlaps."""
        nexts = [
            (found, name, way)
            for name, way in self._ways.among(heads(text))
            if (found := way._find(text, 0)) is not None
        ]
        while nexts:
            first, name, _ = min(nexts, key=lambda each: each[0].start())
            yield name
            end = first.end() + (first.start() == first.end())
            nexts = [
                (again, name, way)
                for found, name, way in nexts
                if (again := found if found.start() >= end else way._compiled.search(text, end)) is not None
            ]


def _alternatives(pattern: str) -> list[str]:
    """The parts of a pattern between its bars, those of a group that is all of it but for a fixed beginning and end."""
    parts = _split(pattern)
    whole = _WHOLE.match(pattern) if len(parts) == 1 and len(pattern) > _LONG else None
    if whole is None:
        return parts
    depth, end = 1, whole.end()
    for piece in _PIECE.finditer(pattern, end):
        depth += (piece.group() == "(") - (piece.group() == ")")
        end = piece.end()
        if not depth:
            break
    if pattern[end : end + 1] in _REPEATS:
        return parts
    return [f"{whole[1]}{part}{pattern[end:]}" for part in _split(pattern[whole.end() : end - 1])]


def _split(pattern: str) -> list[str]:
    """The parts of a pattern between the bars that stand in no group and no set."""
    parts, depth = [""], 0
    for part in _PIECE.findall(pattern):
        depth += (part == "(") - (part == ")")
        if part == "|" and not depth:
            parts.append("")
        else:
            parts[-1] += part
    return parts


_WHOLE = re.compile(r"((?:\\b|\^|\(\?<[!=][^()]*\))*)\(\?:")
"""What opens a group before which nothing is read."""
_REPEATS = ("*", "+", "?", "{")
_PIECE = re.compile(r"\\.|\[\^?\]?(?:\\.|[^\]\\])*\]|.", re.DOTALL)
"""An escaped letter, a set, or any other sign of a pattern."""


# --- what every match holds ---

Ways = dict[str | None, Needs]
"""What may have been read so far: the word at hand since its beginning (None: its beginning is not known), and what
each such way holds."""


def _needs(pattern: str) -> Needs:
    """What every match of a pattern holds, what tells most first."""
    tree = parser.parse(pattern)
    if tree.state.flags != re.UNICODE:
        return ()
    ways = _read(tree, {None: ()})
    return _any_of([_held(word, needs, whole=False) for word, needs in ways.items()])


def _any_of(ways: list[Needs]) -> Needs:
    """What is held whichever way it is: of each one some set."""
    found = ways[0]
    for needs in ways[1:]:
        found = _most_telling(one | other for one, other in product(found, needs))
    return found


def _most_telling(sets: Iterable[Words]) -> Needs:
    """The sets that tell most, those before which another one says all that they say left out."""
    ordered = sorted(dict.fromkeys(sets), key=lambda each: (len(each & _COMMON), len(each), sorted(each)))
    kept: list[Words] = []
    for each in ordered:
        if len(kept) < _SETS and not any(other <= each for other in kept):
            kept.append(each)
    return tuple(kept)


def _held(word: str | None, needs: Needs, *, whole: bool) -> Needs:
    """What is held with a word at hand, which is `whole` or may go on."""
    if not word or (not whole and len(word) < _HEAD):
        return needs
    return _most_telling((*needs, frozenset((word[:_HEAD],))))


def _either(ways: Iterable[tuple[str | None, Needs]]) -> Ways:
    """Ways that cannot be told apart from here on are one."""
    made: dict[str | None, list[Needs]] = {}
    for word, needs in ways:
        made.setdefault(word, []).append(needs)
    return {word: _any_of(each) for word, each in made.items()}


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
    if op in (ops.ASSERT, ops.ASSERT_NOT):  # they read nothing
        return _ended(ways) if op is ops.ASSERT_NOT and _is_no_letter(value[1]) else ways
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


def _is_no_letter(tree: Any) -> bool:
    """Whether what must not stand beside is any sign of a word: it is an edge of one."""
    return len(tree) == 1 and tree[0][0] is ops.IN and (ops.CATEGORY, ops.CATEGORY_WORD) in tree[0][1]


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
