"""The words of a world, by column: names and other texts that are found whole, and keys that are known by their shape.

Compiled once into tables looked up by word, so that thousands of entries cost no more than ten. Nothing here knows a
world: what the words are is passed in.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

from toolgym.sandbox.language.readings import STARTS
from toolgym.sandbox.language.tokens import Token, singular, squash, tokenize, touches

_NO_KEY = frozenset({"email", "iso", "slashes", "clock", "break"})
"""Forms that are no part of a key: a date and a time have as many figures as some."""
_END = ""
"""The key under which a table of following words keeps what ends there; no token is empty."""
_LOOSE = frozenset(" -_#./")
"""What may stand between the pieces of a key: "7641-5013-6753", "A 20817"."""


_LETTERS = re.compile(r"\d.*")
"""What comes after the letters that a key begins with."""
_ALPHABET = frozenset("abcdefghijklmnopqrstuvwxyz")


class Entry(NamedTuple):
    """A text of the world: its canonical form and every column that holds it, in the order they were declared."""

    text: str
    columns: tuple[str, ...]
    is_key: bool


class Found(NamedTuple):
    """An entry and where it ends among the tokens."""

    entry: Entry
    end: int


class Lexicon:
    """A world's terms and keys by column, compiled for looking up at a token.

    Args:
        terms: column to its texts ("Payee.name" to ["Rosa Marino"]); found as whole words in any case, their last
            word also in the plural or as a possessive, with "and" for "&".
        keys: column to keys, all of them or examples; a key of the same shape (letters that all examples share,
            figures where all have figures) is found too, also in lower case and with blanks ("a 20817").
        nouns: what the things of the world are called ("account"), which may stand between a preposition and a name.
    """

    def __init__(
        self,
        terms: Mapping[str, Iterable[str]] | None = None,
        keys: Mapping[str, Iterable[str]] | None = None,
        nouns: Iterable[str] = (),
    ):
        self.nouns = frozenset(noun.lower() for noun in nouns)
        self._words: dict[str, Any] = {}
        self._keys: dict[str, Entry] = {}
        self._shapes: dict[int, list[_Shape]] = {}
        for column, texts in (terms or {}).items():
            for text in texts:
                self._add_term(text, column, False)
        for column, values in (keys or {}).items():
            self._add_keys(column, tuple(values))
        self._has_loose_shapes = any(shape.is_loose for shapes in self._shapes.values() for shape in shapes)
        self._begins = {form for word in self._words for form in (word, *_plurals(word))} | STARTS
        self._begins |= {_LETTERS.sub("", key) for key in self._keys} | (_ALPHABET if self._has_loose_shapes else set())
        self._longest = max(map(len, self._keys), default=0)

    def beginnings(self, tokens: list[Token]) -> list[int]:
        """Where a term, a key or anything typed can begin: one look-up that most words of a sentence fail."""
        begins = self._begins
        found = [
            place
            for place, (kind, low, _, _, _) in enumerate(tokens)
            if low in begins or (kind != "word" and kind != "sign")
        ]
        if not self._has_loose_shapes:
            return found
        loose = [place for place, (_, low, _, _, text) in enumerate(tokens) if len(low) > 4 and text.isupper()]
        return sorted({*found, *loose}) if loose else found

    def term_at(self, tokens: list[Token], index: int) -> Found | None:
        """The longest term that begins at this token."""
        table = self._words
        best: Found | None = None
        position = index
        while position < len(tokens) and table:
            word = tokens[position].low
            if word in _FILLERS:
                if position == index or not _between_words(tokens, position):
                    break
                position += 1
                continue
            ends = table[word].get(_END) if word in table else None
            if ends is None and (one := table.get(singular(word))) is not None:
                ends = one.get(_END)
            if ends:
                best = Found(ends, position + 1)
            table = table.get("and" if word == "&" else word, {})
            position += 1
        return best

    def key_at(self, tokens: list[Token], index: int) -> Found | None:
        """The longest key that begins at this token, written as stored or in pieces."""
        if not self._longest or _continues(tokens, index):
            return None
        best, joined, pieces = None, "", 0
        for position in range(index, len(tokens)):
            if tokens[position].kind in _NO_KEY or (position > index and not _loosely_after(tokens, position)):
                break
            piece = squash(tokens[position].low)
            joined, pieces = joined + piece, pieces + bool(piece)
            if len(joined) > self._longest or (not piece and tokens[position].low not in _LOOSE):
                break
            entry = self._key(joined, tokens, index, position, pieces) if piece else None
            if entry and not _goes_on(tokens, position + 1):
                best = Found(entry, position + 1)
        return best

    def longest_at(self, tokens: list[Token], index: int) -> Found | None:
        """The longest term or key that begins at this token; a term where both are as long."""
        term, key = self.term_at(tokens, index), self.key_at(tokens, index)
        return key if key and (term is None or key.end > term.end) else term

    def _add_term(self, text: str, column: str, is_key: bool) -> None:
        words = ["and" if token.low == "&" else token.low for token in tokenize(text) if token.low not in _FILLERS]
        for last in _endings(words):
            table = self._words
            for word in [*words[:-1], last]:
                table = table.setdefault(word, {})
            known = table.get(_END)
            if known is None:
                table[_END] = Entry(text, (column,), is_key)
            elif column not in known.columns:
                table[_END] = known._replace(columns=(*known.columns, column))

    def _add_keys(self, column: str, keys: tuple[str, ...]) -> None:
        by_length: dict[int, list[tuple[str, str]]] = {}
        for key in keys:
            plain = squash(key)
            if not plain:  # a sign alone, such as the root of all paths, is no word
                continue
            if not any(map(str.isdigit, key)):  # "cal-mira-work" has no shape that ordinary words lack
                self._add_term(key, column, True)
                continue
            known = self._keys.get(plain)
            columns = (*known.columns, column) if known and column not in known.columns else (column,)
            self._keys[plain] = Entry(key, columns, True)
            by_length.setdefault(len(plain), []).append((key, plain))
        for length, alike in by_length.items():
            self._shapes.setdefault(length, []).append(_Shape.of(alike, column))

    def _key(self, joined: str, tokens: list[Token], first: int, last: int, pieces: int) -> Entry | None:
        known = self._keys.get(joined)
        if known is None and len(joined) not in self._shapes:
            return None
        if not _are_one(joined, tokens[first : last + 1]):
            return None
        if known:
            return known
        text = "".join(token.text for token in tokens[first : last + 1])
        for shape in self._shapes.get(len(joined), ()):
            if shape.fits(joined, text, pieces):
                return Entry(shape.written(joined), (shape.column,), True)
        return None


_FILLERS = frozenset("-_'\"“”()")
"""Signs inside a term that need not be said: "rainy-day"."""


class _Shape(NamedTuple):
    """The form that a column's keys of one length share."""

    pattern: re.Pattern[str]
    column: str
    example: str
    is_named: bool
    """Whether a constant letter begins it, so that blanks inside do no harm."""
    is_figures: bool

    @property
    def is_loose(self) -> bool:
        """Whether ordinary words have as many letters and nothing else tells them apart."""
        return not self.is_named and not self.is_figures

    @classmethod
    def of(cls, keys: list[tuple[str, str]], column: str) -> _Shape:
        """The shape of keys that have equally many letters and figures: their common signs stay, others may vary.

        Args:
            keys: each as it is written, and its letters and figures alone.
            column: that holds them.
        """
        places = [set(place) for place in zip(*(plain for _, plain in keys), strict=True)]
        parts = [_place(place) for place in places]
        figures = all(part == r"\d" for part in parts)
        return cls(re.compile("".join(parts)), column, keys[0][0], parts[0].isalpha(), figures)

    def fits(self, joined: str, text: str, pieces: int) -> bool:
        """Whether letters and figures have this shape and are not just a word or a number of that length."""
        if not self.pattern.fullmatch(joined):
            return False
        if self.is_figures:
            return len(joined) >= 8
        if self.is_named:
            return True
        whole = pieces == 1 or pieces == len(joined)
        return whole and (any(letter.isdigit() for letter in joined) or text.isupper())

    def written(self, joined: str) -> str:
        """Letters and figures as the column's keys are written, with their signs and case."""
        rest = iter(joined.upper() if self.example.isupper() else joined)
        return "".join(next(rest) if letter.isalnum() else letter for letter in self.example)


def _endings(words: list[str]) -> set[str]:
    """The forms of a term's last word: "running shoe" for "Running Shoes", but not the verb "saving" for "Savings"."""
    if not words:
        return set()
    one = singular(words[-1])
    return {words[-1]} if one.endswith("ing") else {words[-1], one}


def _plurals(word: str) -> tuple[str, ...]:
    """The forms that `singular` takes back to a word."""
    return (f"{word}s", f"{word}es", f"{word[:-1]}ies", f"{word}'s", f"{word}'", f"{word}s'")


def _place(letters: set[str]) -> str:
    if all(letter.isdigit() for letter in letters):
        return r"\d"
    if len(letters) == 1:
        return re.escape(next(iter(letters)))
    return "[a-z]" if all(letter.isalpha() for letter in letters) else r"[a-z\d]"


_BEFORE_FIGURES = frozenset("of in on at to by for is it as".split())


def _are_one(joined: str, tokens: list[Token]) -> bool:
    """Whether pieces of figures alone can be one key: long groups, unlike two numbers or a date and a time.

    Nor is a preposition before a figure one: an offer "of 108" dollars where keys are written as "of-108".
    """
    if len(tokens) > 1 and tokens[0].text in _BEFORE_FIGURES and not touches(tokens, 1):
        return False
    if len(tokens) == 1 or not joined.isdigit():
        return True
    return len(joined) >= 8 and all(len(token.low) > 2 for token in tokens if token.low[0].isdigit())


def _continues(tokens: list[Token], index: int) -> bool:
    """Whether the token is the tail of something written in one piece: the 20817 of "XA-20817"."""
    if index == 0 or not touches(tokens, index):
        return False
    before = tokens[index - 1]
    return before.low[-1].isalnum() or (before.low in "-_." and index > 1 and touches(tokens, index - 1))


def _loosely_after(tokens: list[Token], position: int) -> bool:
    """Whether a piece may go on the key before it: after one blank at most, and then no word of a sentence."""
    gap = tokens[position].start - tokens[position - 1].end
    return gap == 0 or (gap == 1 and (tokens[position].kind != "word" or len(tokens[position].low) < 3))


def _goes_on(tokens: list[Token], index: int) -> bool:
    """Whether letters or figures follow without a blank, so that the key is only a part of something."""
    if index >= len(tokens) or not touches(tokens, index):
        return False
    if tokens[index].low[0].isalnum():
        return True
    return tokens[index].low in "-_" and index + 1 < len(tokens) and touches(tokens, index + 1)


def _between_words(tokens: list[Token], position: int) -> bool:
    return position + 1 < len(tokens) and tokens[position + 1].kind in ("word", "num", "id")
