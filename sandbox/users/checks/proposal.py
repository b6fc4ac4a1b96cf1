"""A proposal made ready for the checks: what several of them look at is found out once."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cached_property

from toolgym.sandbox.language.dialogue_acts import AgentAct
from toolgym.sandbox.language.inflection import forms
from toolgym.sandbox.language.mentions import Mention, find_mentions
from toolgym.sandbox.language.prefilter import Prefiltered, Words, heads
from toolgym.sandbox.users.proposal_reading import AnyWish, Line, read
from toolgym.sandbox.users.wish import Wish

_CLAUSE = re.compile(r"[.;:!?\n,()|]+(?!\d)|\s[-–—]+\s|…")
_INNER = re.compile(r"\(([^()]*)\)")
_LABEL = re.compile(r"^(\W*[a-z][a-z ]{2,30}):(?= )")
"""What a line is about belongs to its clause: "Holding fee: applies each month"."""
_WORD = re.compile(r"[a-z]+")
_TILL = Prefiltered(r"\btill\b")
_UNTIL = heads("until")


class Proposal:
    """A message that may propose something, read with a wish in mind.

    Args:
        heard: the message.
        wish: what is wanted.

    Attributes:
        text, plain: what it says, in lower case and as it was written.
        reading: what it does; its lines are the sentences that say what will be done.
    """

    def __init__(self, heard: AgentAct, wish: AnyWish) -> None:
        self.heard, self.text, self.plain = heard, heard.text, heard.plain
        self.reading = read(heard, wish)
        self.lines = self.reading.lines
        self._lexicon = wish.person.lexicon if isinstance(wish, Wish) else wish.terms.lexicon
        self._now = wish.now

    @cached_property
    def words(self) -> Words:
        """The beginnings of its words, in lower case and as they were written; those of its clauses are among them."""
        found = heads(self.text) | heads(self.plain)
        return found | _UNTIL if "till" in found else found

    @cached_property
    def acting(self) -> list[Line]:
        """Its lines that name an action or promise one."""
        return [line for line in self.lines if line.acting]

    @cached_property
    def mentions(self) -> tuple[Mention, ...]:
        """All that it names."""
        return find_mentions(self.plain, self._lexicon, self._now)

    @cached_property
    def named(self) -> list[Mention]:
        """The world's things and choices among that."""
        return [each for each in self.mentions if each.columns]

    @cached_property
    def values(self) -> tuple[Mention, ...]:
        """What it names, read without the world's words: amounts, counts, days, times, addresses."""
        return find_mentions(self.plain, None, self._now)

    @cached_property
    def sums(self) -> list[Mention]:
        """Its amounts of money."""
        return [each for each in self.values if each.kind == "money"]

    @cached_property
    def clauses(self) -> list[str]:
        """The clauses of its sentences, in lower case; what stands in brackets is one of its own."""
        return [clause for each in self.heard.sentences if each.act != "more" for clause in _split(each.text)]

    def clauses_with(self, wish: AnyWish) -> Iterator[str]:
        """The clauses of those sentences that have a verb of the wish's action."""
        verbs = self._verbs(wish)
        for each in self.heard.sentences:
            if each.act != "more" and not verbs.isdisjoint(_WORD.findall(each.text)):
                yield from _split(each.text)

    def _verbs(self, wish: AnyWish) -> frozenset[str]:
        own = frozenset(form for verb in wish.world.verbs(wish.kind) for form in forms(verb))
        return own | wish.world.akin(wish.kind) | wish.own_words & wish.world.doing

    @cached_property
    def line_clauses(self) -> list[str]:
        """Those of its lines."""
        return [clause for line in self.lines for clause in _split(line.sentence.text)]

    def written(self, line: Line) -> str:
        """A line as it was written."""
        return self.plain[line.sentence.start : line.sentence.end]


def _split(text: str) -> Iterator[str]:
    text = _LABEL.sub(r"\1 ", _TILL.sub("until", text))
    parts = (_INNER.sub(" ", text), *_INNER.findall(text)) if "(" in text else (text,)
    return filter(None, (clause.strip() for part in parts for clause in _CLAUSE.split(part)))
