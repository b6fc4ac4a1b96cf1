"""What the rows of a wish hold, of which agents speak beside it: an order's items, what was paid with, options.

At a desk for anybody a row's words are few, so that what it consists of is looked up. These names are no strange ones.
Where the wish is about some of what a row holds, the rest is named in passing, or else taken too much.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence
from functools import partial
from typing import TYPE_CHECKING

from sandbox.language.mentions import Mention, find_mentions
from sandbox.language.prefilter import Prefiltered
from sandbox.users.records import is_called, is_denied, leaves
from sandbox.users.slots import WishSlot
from sandbox.users.variants import Change, are_told, changes_of
from sandbox.users.world_terms import WorldTerms, terms_of

if TYPE_CHECKING:
    from sandbox.users.proposal_reading import Line
    from sandbox.users.wish import Wish

_HOPS = 3
"""From an order to its items, to their variants, to what the product is called."""
_IN_PASSING = re.compile(
    r"\b(?:also (?:includ|contain|had|has)\w*|contain\w*|came|come|arrived|together|along|ordered|bought|purchased)"
    r"(?: [a-z]+){0,2}(?: with)? (?:the |your |an? )?$|\b(?:order|one) (?:with|for|of) (?:the |your |an? )?$|"
    r"\b(?:except|besides|apart from|other than|not|no|keep\w*|without|and not)\b[^.;:,]*$"
)
"""What stands before a thing to which nothing is done: "the order that also included your vacuum cleaner"."""
_WHOLE_AFTER = re.compile(r"(?: and (?:the )?[a-z ]{3,20})? order\b")
"""What follows a thing by which the whole is called: "the Yoga Mat order"."""
_NOT_DONE = Prefiltered(
    r"\b(?:will not|won't|not be|isn't|aren't|is not|are not|do not|don't|keep\w*|remain\w*|stays?|untouched|"
    r"unchanged|leave)\b"
)
_AS_PAID = Prefiltered(
    r"\b(?:original|same|existing|current|initial)(?: form of)? (?:payment|[a-z]*pal\b|(?:[a-z]+ )?card|method)|"
    r"\b(?:way|method|card|payment(?: method)?) (?:that )?(?:you|that was|was) (?:originally )?(?:paid|used)\b"
)
"""What says that money goes back to where it came from."""
_INSTEAD = re.compile(
    r"\b(?:instead of|rather than|not|no|from(?! (?:[a-z]+ ){0,2}#?\w*\d{3})|original\w*|current\w*|was|were|old|"
    r"same)\b"
    r"(?:(?! (?:to|for|with|by|into) |[.;:]).)*$"
)
_IN_WHOSE_STEAD = re.compile(r"\b(?:instead of|rather than|in place of|not|from) (?:the |your |that )?(?:[a-z]+ )?$")
_CLAUSE = re.compile(r"[,;→]| - |->")
_COUNT = r"\d+(?:-\d+)?"
_COUNTED = re.compile(_COUNT)
"""A number, or two between which it is: "2-4" players."""
_FIGURES = re.compile(r"\d{5,}")
_ANY_WAY = frozenset(("single", "double", "set"))
"""Options that are ordinary words as well: "in a single request"."""
_LAST = 4
"""Figures by which a card is called."""
_LEAVES = re.compile(r"\b(?:leav(?:e|ing)|keep(?:ing)?) (?:the |your )?(?:[\w-]+ ){0,3}$")
_LEFT_SO = re.compile(r" (?:(?:is|are|would be|will be) )?(?:kept|left|untouched|unchanged|stays? (?:as|with|put))\b")
_WORD = re.compile(r"[a-z]+")
_SAYS_ENOUGH = 5
"""Letters of a word of a name by which a thing may be called."""
_BARE = 8
"""Words and signs of a line that only says what will be done: "Shall I exchange it?"."""


class NothingHeld:
    """What is known of the rows of a wish whose facts are plain text: nothing of this sort."""

    def are_all_meant(self, thing: str) -> bool:
        """Whether all of what the wished row consists of is meant; nobody knows."""
        return False

    def is_of_another(self, text: str, words: Sequence[str]) -> bool:
        """Whether a sentence is about another thing than the wish's; nobody knows."""
        return False


class HeldThings:
    """What the rows of one wish hold, at a desk for anybody; nothing where the person's own rows show it.

    Args:
        wish: whose.
        domain: the world.
        data: its body of data.

    Attributes:
        texts: names, options and keys, in lower case.
        changes: what its things are to become, where they are to be other variants.
        direct: the keys and values in the rows of what is named by its key, such as an order's payments.
        former, former_ends: keys of the rows that it named before and is to name no longer, and their last figures.
        others: names of further things of the same row, such as the other items of an order.
    """

    def __init__(self, wish: Wish, domain: str, data: str) -> None:
        self._wish, self._terms = wish, partial(terms_of, domain, data)
        self.texts, self.direct, self.others = frozenset[str](), frozenset[str](), frozenset[str]()
        self.former, self.former_ends = frozenset[str](), frozenset[str]()
        self._compounds, self._some = frozenset[str](), False
        self._own, self._rivals = frozenset[str](), frozenset[str]()
        self._numbers = dict[str, set[str]]()
        self.changes: Sequence[Change] = ()
        self._changed, self._flags, self._labels = dict[str, str](), dict[str, bool](), frozenset[str]()
        references = [slot for slot in wish.slots if slot.table and not slot.twins]
        if not (wish.person.is_shared and references):
            return
        terms = self._terms()
        parts = {leaf for slot in wish.slots if slot.kind == "record" for leaf in leaves(slot.fact.value)}
        parts &= terms.rows.keys()
        keys = {key for slot in references for key in slot.keys}
        self.direct = frozenset(text for key in keys for row in terms.rows.get(key, ()) for text in row)
        tables = {slot.table for slot in references}
        rivals = {text for text in self.direct - keys if any((table, text) in wish.person.rows for table in tables)}
        found = _reached(terms, keys | parts, rivals)
        if all(slot.table for slot in wish.needed):  # one row is to name another one than before
            self.former = frozenset(rivals)
            ends = (text[-_LAST:] for key in rivals for row in terms.rows.get(key, ()) for text in row)
            self.former_ends = frozenset(end for end in ends if end.isdigit())
        self.texts = frozenset(text.casefold().replace("_", " ") for text in found)
        nouns = [wish.world.nouns[slot.table] for slot in references]
        self._compounds = frozenset(
            each.removeprefix(f"{one} ")
            for each in wish.world.nouns.values()
            for one in nouns
            if each.startswith(f"{one} ")
        )
        whole = (
            {table for table in wish.declared.tables.values() if table.__name__ in tables} if wish.declared else set()
        )
        self._compounds |= {wish.world.nouns[table.__name__] for table in wish.world.with_parts(whole) - whole}
        if parts:
            beside = _siblings(terms, keys, parts)
            strange = _reached(terms, beside, rivals | keys) - _reached(terms, parts, rivals | keys)
            self.others = frozenset(text.casefold() for text in strange if _is_name(text, wish))
            self._some = bool(beside)
            old = parts & self.direct
            meant = _reached(terms, old, rivals | keys)
            self._own = frozenset(text.casefold() for text in meant if _is_name(text, wish))
            self._rivals = frozenset(
                value for value in _rival_values(terms, parts - old, old) if value not in wish.asked_for
            )
            self._flags = {
                label: value == "yes"
                for key in parts - old
                for label, value in terms.options.get(key, {}).items()
                if value in ("yes", "no")
            }
            self._numbers = _numbers(terms, parts)
            self._labels = frozenset(label for key in parts for label in terms.options.get(key, ()))
            self._changed = dict(_changed_values(terms, parts - old, old))
            self.changes = changes_of(terms, sorted(old), sorted(parts - old)) if parts - old else ()

    def explains(self, mention: Mention) -> bool:
        """Whether the rows hold what is mentioned, or a key that ends so: "gift card ending in 7711863"."""
        said = str(mention.value).casefold()
        if said in self.texts or mention.text.casefold() in self.texts:
            return True
        if any(map(str.isdigit, said)) or " " in said:  # "256GB" of "256GB SSD"
            return any(re.search(rf"(?<![\w.]){re.escape(said)}", text) for text in self.texts)
        return _FIGURES.fullmatch(said) is not None and any(text.endswith(f" {said}") for text in self.texts)

    def are_all_meant(self, thing: str) -> bool:
        """Whether all of what the wished row consists of is meant: "all items" of an order that is cancelled."""
        return thing in self._compounds and not self._some

    def is_told(self, slot: WishSlot, text: str) -> bool:
        """Whether a row is told as the one that the wished row names ("your original payment") or by its sort."""
        if slot.kind == "record" and self.changes and not self.direct.issuperset(leaves(slot.fact.value)):
            return are_told(self.changes, text)
        others = [each for each in self._wish.slots if each.table and each is not slot]
        if not slot.table or not self.direct or not others:
            return False
        if not self.direct.isdisjoint(slot.keys) and _AS_PAID.search(text):
            return True
        said = (match for each in self._sorts(slot) for match in re.finditer(rf"\b{re.escape(each)}s?\b", text))
        return any(not _IN_WHOSE_STEAD.search(text[: match.start()]) for match in said)

    def _sorts(self, slot: WishSlot) -> Iterator[str]:
        """What only this one of its owner's rows is: "credit card" where there is no other."""
        person = self._wish.person
        own = person.rows.get((slot.table, slot.keys[0]), {})
        owners = [name for name in own if name.endswith("_id") and own[name] != slot.keys[0]]
        if not owners:
            return
        alike = [
            row
            for row in person.holding(slot.table, owners[0], own[owners[0]])
            if row is not own and all(row.get(name) == own[name] for name in owners)
        ]
        for name, value in own.items():
            is_sort = isinstance(value, str) and name not in owners and len(value) > 3 and value.islower()
            if is_sort and not any(map(str.isdigit, value)) and all(row.get(name) != value for row in alike):
                yield value.replace("_", " ")

    def implies(self, named: Sequence[WishSlot], slot: WishSlot) -> bool:
        """Whether a row need not be named since what was named is a part of it, such as an item of an order."""
        if not slot.table or slot.twins:
            return False
        held = [part for each in named if each.kind == "record" for part in leaves(each.fact.value) if part.isdigit()]
        rows = self._terms().rows if held else {}
        texts = {text for key in slot.keys for row in rows.get(key, ()) for text in row}
        return any(part in rows and part in texts for part in held)

    def is_of_another(self, text: str, words: Sequence[str]) -> bool:
        """Whether a sentence is about another thing of the row, or another row: "the Pet Bed will not be returned"."""
        wish = self._wish
        tables = {slot.table for slot in wish.slots if slot.table}
        own = {key for slot in wish.slots if slot.table for key in slot.keys}
        if not own.isdisjoint(words) or any(name.rsplit(" ", 1)[-1] in text for name in self._own):
            return False
        others = any((table, word) in wish.person.rows for word in words for table in tables)
        return others or any(any(_named(name, text)) for name in self.others)

    def differing(self, lines: Sequence[Line]) -> Iterator[str]:
        """What a proposal does to another part of the row than is meant, or not to all of it, or with other options."""
        texts = list(_done_in(lines)) if self._own else []
        taken = [each for name in sorted(self.others) for text in texts for each in _named(name, text)]
        yield from (each for each in taken if not self._is_own(each))
        listed = [line.sentence.text for line in lines if line.sentence.listed]
        if not any(name in text for name in self.others for text in listed):  # no list of all that there is
            texts += [text for text in listed if not _NOT_DONE.search(text)]
        told = {name for name in self._own for text in texts if _tells(name, text)}
        taken_up = {word for name in (*self._own, *self.others) for word in name.split(" ")}
        words = {word for text in texts for word in _WORD.findall(text)} - taken_up if told else set[str]()
        missing = [name for name in self._own - told if told and not _is_called(name, words)]
        if missing and not taken and not are_told(self.changes, " ".join(line.sentence.text for line in lines)):
            yield from (f"only {name}" for name in sorted(told))
        for value in sorted(self._rivals):
            for text in _done_in(lines):
                for match in re.finditer(rf"(?<![\w.-]){_spelt(value)}(?![\w.]\w)", text):
                    if not _INSTEAD.search(text[: match.start()]):
                        yield match.group()

        whole = " ".join(line.sentence.text for line in lines)
        yield from self._strange_options(lines)
        for old, new in self._changed.items():
            if not _is_said(new, whole) and not any(_is_said(old, text) for text in listed):
                before = (found for text in _done_in(lines) for found in _found(old, text))
                yield from (old for found in before if not _INSTEAD.search(found))
        yield from (name for name in sorted(self._own) for text in _clauses(lines) if _is_left_out(name, text))
        for label, values in self._numbers.items():
            for match in re.finditer(
                rf"\b{re.escape(label)}\W{{0,3}}({_COUNT})\b|\b({_COUNT})[ -]?{re.escape(label)}\b", whole
            ):
                if (match[1] or match[2]) not in values:
                    yield match.group()
        for label, is_so in self._flags.items():
            spoken_of = {is_denied(label, text) for line in texts for text in _CLAUSE.split(line)} - {None}
            if spoken_of == {is_so}:  # it is wished and denied throughout, or the other way round
                yield f"{'no ' if is_so else ''}{label}"

    def _strange_options(self, lines: Sequence[Line]) -> Iterator[str]:
        """Options that no thing of the wish has: "in blue", where there is none."""
        wish, done = self._wish, list(_done_in(lines)) if self._changed else []
        for text in done:
            for each in find_mentions(text, wish.person.lexicon, wish.now):
                is_option = bool(each.columns) and all(column.endswith(".options") for column in each.columns)
                is_option &= len(each.text) > len("tb")
                is_option &= text[each.end : each.end + 1] != "-"  # "double-check"
                is_option &= str(each.value).casefold() not in self._labels | _ANY_WAY
                if is_option and not self._has_option(each, text) and not _INSTEAD.search(text[: each.start]):
                    yield each.text

    def _has_option(self, mention: Mention, text: str) -> bool:
        """Whether a thing of the wish has an option, or one that the row holds as well and of which a text speaks."""
        if not self.changes or any(any(_named(name, text)) for name in self.others):
            return self.explains(mention)
        own = " . ".join(value for each in self.changes for value in (*each.old.values(), *each.new.values()))
        return (
            re.search(rf"\b{re.escape(str(mention.value).casefold())}\b", f"{own} . {self._wish.asked_for}") is not None
        )

    def is_own(self, word: str) -> bool:
        """Whether one of the things that are meant goes by a word."""
        return any(is_called(name, word) for name in self._own)

    def _is_own(self, said: str) -> bool:
        return any(name.rsplit(" ", 1)[-1] == said for name in self._own)


def _done_in(lines: Sequence[Line]) -> Iterator[str]:
    """The lines that say to what something is done, those of a list under such a line among them.

    Where they name nothing, such as "exchange it?" after a fragment, what stands beside them says to what.
    """
    heading, is_bare = False, not any(line.acting and len(line.tokens) > _BARE for line in lines)
    for line in lines:
        text = line.sentence.text
        if not line.sentence.listed:
            heading = line.acting and text.rstrip("*_ \n").endswith(":")
        is_done = line.acting or is_bare or (heading and line.sentence.listed)
        if is_done and not _NOT_DONE.search(text):
            yield text


def _head(name: str) -> str:
    """What a thing with a name of several words is called shortly: "keyboard"; all of it where that says little."""
    last = name.rsplit(" ", 1)[-1]
    return last if len(last) > 4 else name


def _named(name: str, text: str) -> Iterator[str]:
    """Where a thing is named, by all its words or by the last one, and not only in passing."""
    for match in re.finditer(rf"(?<![\w-])(?:{re.escape(name)}|{re.escape(_head(name))})s?(?![\w-])", text):
        is_whole = _WHOLE_AFTER.match(text, match.end()) is not None
        if not is_whole and not _IN_PASSING.search(text[: match.start()]):
            yield match.group()


def _tells(name: str, text: str) -> bool:
    """Whether a thing is named, shortly only where its whole name is not said."""
    return any(_named(name if name in text else name.rsplit(" ", 1)[-1], text))


def _is_called(name: str, words: Collection[str]) -> bool:
    """Whether a thing is called by another part of its name: the "dumbbells" of a set, the "watch" of a wristwatch."""
    first = name.split(" ")[0]
    ends = (word.removesuffix("s") for word in words if len(word) >= _SAYS_ENOUGH)
    return f"{first}s" in words or any(name.removesuffix("s").endswith(end) for end in ends)


def _rival_values(terms: WorldTerms, new: Collection[str], old: Collection[str]) -> Iterator[str]:
    """Values that neither the wished variants nor the present ones have where all variants of a thing have one."""
    rows = [terms.rows[key][0] for key in new if len(terms.rows[key][0]) > 1]
    kept = {text for key in (*new, *old) for text in terms.rows[key][0]}
    for row in rows:
        alike = [each for each in terms.by_parent.get(row[1], ()) if len(each) == len(row)]
        for place in range(2, len(row)):
            values = {each[place] for each in alike} - kept
            values -= {value for value in values if value[:1].upper() in kept}  # "medium" of "M"
            values -= {value for value in values if any(value in text for text in kept)}  # "steel" of "stainless steel"
            yield from (value.casefold() for value in values if len(value) > 2 and value not in ("yes", "none"))


def _spelt(value: str) -> str:
    """A pattern of a value whose words may be joined: "27-inch"."""
    return re.escape(value).replace(r"\ ", "[ -]?")


def _changed_values(terms: WorldTerms, new: Collection[str], old: Collection[str]) -> Iterator[tuple[str, str]]:
    """What the present things have where the wished ones of the same sort have something else."""
    for key in old:
        row = terms.rows[key][0]
        for other in (terms.rows[each][0] for each in new):
            if len(row) == len(other) > 2 and row[1] == other[1]:
                pairs = zip(row[2:], other[2:], strict=True)
                yield from ((a.casefold(), b.casefold()) for a, b in pairs if a != b and len(a) > 2 and a != "yes")


def _numbers(terms: WorldTerms, parts: Collection[str]) -> dict[str, set[str]]:
    """The numbers by which options of the wish's things go, such as the waist of trousers."""
    found: dict[str, set[str]] = {}
    for key in parts:
        for label, value in terms.options.get(key, {}).items():
            if _COUNTED.fullmatch(value):
                found.setdefault(label, set()).add(value)
    return found


def _clauses(lines: Sequence[Line]) -> Iterator[str]:
    for line in lines:
        yield from re.split(r"[,;:]| and | but ", line.sentence.text)


def _is_left_out(name: str, clause: str) -> bool:
    """Whether a thing of the wish is said to be left as it is: "leave the cap in cotton", "monitor kept"."""
    for match in re.finditer(rf"(?<![\w-])(?:{re.escape(name)}|{re.escape(_head(name))})s?(?![\w-])", clause):
        before, after = clause[: match.start()], clause[match.end() :]
        if _LEAVES.search(before) or _LEFT_SO.match(after):
            return True
    return False


def _found(value: str, text: str) -> Iterator[str]:
    """What stands before a value, wherever it is said."""
    for match in re.finditer(rf"(?<![\w.-]){re.escape(value)}(?![\w.]\w)", text):
        yield text[: match.start()]


def _is_said(value: str, text: str) -> bool:
    return any(True for _ in _found(value, text))


def _reached(terms: WorldTerms, keys: Collection[str], shut: Collection[str]) -> set[str]:
    """The texts of rows and of those that these point to, but not through some keys."""
    found, fresh = set(keys), set(keys)
    for _ in range(_HOPS):
        rows = (row for key in fresh for row in terms.rows.get(key, ())[: 1 if key in terms.people else None])
        fresh = {text for row in rows for text in row} - found
        fresh -= set(shut)
        found |= fresh
    return found


def _siblings(terms: WorldTerms, keys: Collection[str], parts: Collection[str]) -> set[str]:
    """Keys that stand where the parts stand, in rows of the same form."""
    rows = [row for key in keys for row in terms.rows.get(key, ())]
    places = {(len(row), row.index(part)) for row in rows for part in parts if part in row}
    found = {row[place] for row in rows for length, place in places if len(row) == length}
    return {text for text in found if text in terms.rows} - set(parts)


def _is_name(text: str, wish: Wish) -> bool:
    names = wish.person.names
    if text not in names:
        found = [each for each in find_mentions(text, wish.person.lexicon, wish.now) if each.value == text]
        names[text] = any(column.endswith(".name") for each in found for column in each.columns)
    return names[text]
