"""Whether a message describes the row that is meant: its words fit that one better than any other of its table.

A row named in part ("the survey mail from Gavin", "855 Thistle Lane", "starlight") is the one meant where no other fits
as well and nothing that is written as a name or a figure belongs to others alone.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import pairwise
from typing import Any

from toolgym.sandbox.language.dialogue_acts import AgentAct
from toolgym.sandbox.language.mentions import Mention, find_mentions
from toolgym.sandbox.language.tokens import singular
from toolgym.sandbox.users.checks.own_words import FREE, is_accounted
from toolgym.sandbox.users.lexicon import PersonLexicon
from toolgym.sandbox.users.slots import WishSlot
from toolgym.sandbox.users.wish import Wish

_WORD = re.compile(r"[^\W_]+")
_NAME = re.compile(r"[A-ZÀ-Þ][\w'-]*(?: [A-ZÀ-Þ][\w'-]*)+")
_ADDRESS = re.compile(r"\S+@\S+")
_PHONE = re.compile(r"[\d() +-]{7,}\d")
_LONG = 80
"""Characters from which a column's text is prose that describes nothing."""
_SHORTER = {"S": "small", "M": "medium", "L": "large"}
"""How sizes are written."""


def describes(heard: AgentAct, slot: WishSlot, wish: Wish, partial: Sequence[frozenset[str]]) -> bool:
    """Whether the words of a message single out the row that a slot refers to.

    Args:
        heard: the message.
        slot: of the wish.
        wish: what is wanted.
        partial: the rows that each of the typed mentions of it can stand for.
    """
    if len(slot.keys) != 1 or slot.twins:
        return False
    index, own = _index(slot.table, wish.person), slot.keys[0]
    if _is_keyed(heard, slot, wish):
        return True
    plain = _ADDRESS.sub(" ", heard.plain) if "@" in heard.plain else heard.plain
    told = {word: rows for word in _words(plain, wish) if (rows := index.get(word))}
    if not any(own in rows for rows in told.values()):
        return False
    if any(own not in rows and word not in wish.vocabulary for word, rows in told.items()):
        return False  # "the Tamura lamp" where another lamp is meant
    scores = Counter(key for rows in told.values() for key in rows)
    if _is_other_thing(plain, own, index, wish) or any(
        _is_other_name(name, own, index, slot) for name in _NAME.findall(heard.plain)
    ):
        return False
    for rows in partial:
        scores.update(rows)
    named = {key for other in wish.slots if other is not slot for key in other.keys}
    return all(score < scores[own] for key, score in scores.items() if key != own and key not in named)


def _is_keyed(heard: AgentAct, slot: WishSlot, wish: Wish) -> bool:
    """Whether a message gives the row's own key or number, though where it tells what has been so far, and no other."""
    mentions = find_mentions(heard.plain, wish.person.lexicon, wish.now)
    keyed = [each for each in mentions if _is_key(each) and is_of_table(each, slot.table)]
    return bool(keyed) and all(slot.rows(each, wish.person) == frozenset(slot.keys) for each in keyed)


def _is_key(mention: Mention) -> bool:
    return mention.kind in ("identifier", "phone") or _PHONE.fullmatch(mention.text) is not None


def is_of_table(mention: Mention, table: str) -> bool:
    """Whether a mention is a key or a name in a table."""
    return any(column.split(".")[0] == table for column in mention.columns)


def _is_other_thing(plain: str, own: str, index: Mapping[str, frozenset[str]], wish: Wish) -> bool:
    """Whether words of the row go on with a thing that it is not: "the Vela linen trousers" where a shirt is meant."""
    matches = list(_WORD.finditer(plain))
    for one, other in pairwise(matches):
        word, low = singular(one.group().lower()), other.group().lower()
        if plain[one.end() : other.start()] != " " or own not in index.get(word, frozenset()) or low in FREE:
            continue
        is_own = own in index.get(singular(low), frozenset()) or is_accounted(low, wish)
        if is_own or not low.isalpha() or low in wish.world.akin(wish.kind):
            continue
        if not any(each.startswith(low) and own in rows for each, rows in index.items()):  # "retro" of a retrospective
            return True
    return False


def _is_other_name(name: str, own: str, index: Mapping[str, frozenset[str]], slot: WishSlot) -> bool:
    """Whether a name of several words has one of the row's and one that it does not have: "Kei Nakamura" for Mei."""
    words = [singular(word.lower()) for word in _WORD.findall(name)]
    words = [word for word in words if word not in FREE]
    own_words = {singular(word.lower()) for word in _WORD.findall(slot.words)}
    fitting = [own in index.get(word, frozenset()) or word in own_words for word in words]
    return any(fitting) and not all(fitting)


def _words(plain: str, wish: Wish) -> Iterator[str]:
    """The words of a message that may describe something, each once."""
    seen: set[str] = set()
    for written in _WORD.findall(plain):
        if (low := written.lower()) in FREE:
            continue
        word = singular(_SHORTER.get(written, low))
        if word not in seen and not wish.world.is_thing(word):
            seen.add(word)
            yield word


def _index(table: str, person: PersonLexicon) -> Mapping[str, frozenset[str]]:
    """The rows of a table by the words in their columns."""
    if table not in person.worded:
        found: dict[str, set[str]] = {}
        for key, row in person.of_table(table).items():
            for word in _words_of(row.values()):
                found.setdefault(word, set()).add(key)
        person.worded[table] = {word: frozenset(keys) for word, keys in found.items()}
    return person.worded[table]


def _words_of(values: Any) -> Iterator[str]:
    for value in values:
        if isinstance(value, str) and len(value) < _LONG:
            yield from _words_in(value)


@lru_cache(maxsize=8192)
def _words_in(value: str) -> Sequence[str]:
    """The words of a column; many rows hold the same."""
    return tuple(singular(word.lower()) for word in _WORD.findall(value) if len(word) > 2)
