"""What a proposal does to another part of a row than is meant, or not to all of it, or with other options.

Read from the things that a row holds and from the options of their variants; which these are, held_things tells.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from toolgym.sandbox.language.mentions import Mention, find_mentions
from toolgym.sandbox.language.prefilter import Prefiltered
from toolgym.sandbox.users.records import is_denied
from toolgym.sandbox.users.variants import are_told
from toolgym.sandbox.users.world_terms import WorldTerms

if TYPE_CHECKING:
    from toolgym.sandbox.users.held_things import HeldThings
    from toolgym.sandbox.users.proposal_reading import Line
    from toolgym.sandbox.users.wish import Wish

_IN_PASSING = re.compile(
    r"\b(?:also (?:includ|contain|had|has)\w*|contain\w*|came|come|arrived|together|along|ordered|bought|purchased)"
    r"(?: [a-z]+){0,2}(?: with)? (?:the |your |an? )?$|\b(?:order|one) (?:with|for|of) (?:the |your |an? )?$|"
    r"\b(?:except|besides|apart from|other than|not|no|keep\w*|without|and not)\b[^.;:,]*$"
)
"""What stands before a thing to which nothing is done: "the order that also included your vacuum cleaner"."""
_WHOLE_AFTER = re.compile(r"(?: and (?:the )?(?:(?!from |in |of |on )[a-z]+ ?){1,3})? order\b")
"""What follows a thing by which the whole is called: "the Yoga Mat order"."""
_NOT_DONE = Prefiltered(
    r"\b(?:will not|won't|not be|isn't|aren't|is not|are not|do not|don't|"
    r"keep\w*(?! (?:it|this) (?:simple|short|brief|easy))|remain\w*|stays?|untouched|"
    r"unchanged|leave)\b"
)
_INSTEAD = re.compile(
    r"\b(?:instead of|rather than|not|no|from(?! (?:[a-z]+ ){0,2}#?\w*\d{3})|original\w*|current\w*|was|were|old|"
    r"same)\b"
    r"(?:(?! (?:to|for|with|by|into) |[.;:]).)*$"
)
_CLAUSE = re.compile(r"[,;→]| - |->")
_COUNT = r"\d+(?:-\d+)?"
_COUNTED = re.compile(_COUNT)
"""A number, or two between which it is: "2-4" players."""
_ANY_WAY = frozenset(("single", "double", "set"))
"""Options that are ordinary words as well: "in a single request"."""
_LEAVES = re.compile(r"\b(?:leav(?:e|ing)|keep(?:ing)?) (?:the |your )?(?:[\w-]+ ){0,3}$")
_LEFT_SO = re.compile(r" (?:(?:is|are|would be|will be) )?(?:kept|left|untouched|unchanged|stays? (?:as|with|put))\b")
_WORD = re.compile(r"[a-z]+")
_SAYS_ENOUGH = 5
"""Letters of a word of a name by which a thing may be called."""
_BARE = 8
"""Words and signs of a line that only says what will be done: "Shall I exchange it?"."""


@dataclass(frozen=True)
class Options:
    """The options of the things that a wish is about, in lower case; nothing where it is about no part of a row.

    Attributes:
        rivals: values that other variants have, and neither the wished ones nor the present ones.
        changed: by values that the present things have, what the wished ones have instead.
        flags: what the wished things have or lack.
        numbers: by their names, the numbers by which the things go.
        labels: the names of all options.
    """

    rivals: frozenset[str] = frozenset()
    changed: dict[str, str] = field(default_factory=dict)
    flags: dict[str, bool] = field(default_factory=dict)
    numbers: dict[str, set[str]] = field(default_factory=dict)
    labels: frozenset[str] = frozenset()


def options_of(
    terms: WorldTerms, parts: Collection[str], new: Collection[str], old: Collection[str], asked_for: str
) -> Options:
    """The options of things.

    Args:
        terms: of the world.
        parts: keys of all the things.
        new, old: keys of those that are wished for, and of those that the row holds.
        asked_for: the words of the wish, in lower case; what they hold is no rival.
    """
    return Options(
        rivals=frozenset(value for value in _rival_values(terms, new, old) if value not in asked_for),
        changed=dict(_changed_values(terms, new, old)),
        flags={
            label: value == "yes"
            for key in new
            for label, value in terms.options.get(key, {}).items()
            if value in ("yes", "no")
        },
        numbers=_numbers(terms, parts),
        labels=frozenset(label for key in parts for label in terms.options.get(key, ())),
    )


def differing(lines: Sequence[Line], held: HeldThings, wish: Wish) -> Iterator[str]:
    """What a proposal does to another part of the row than is meant, or not to all of it, or with other options."""
    options = held.options
    texts = list(_done_in(lines)) if held.own else []
    taken = [each for name in sorted(held.others) for text in texts for each in where_named(name, text)]
    yield from (each for each in taken if not _is_own(each, held))
    listed = [line.sentence.text for line in lines if line.sentence.listed]
    if not any(name in text for name in held.others for text in listed):  # no list of all that there is
        texts += [text for text in listed if not _NOT_DONE.search(text)]
    told = {name for name in held.own for text in texts if _tells(name, text)}
    taken_up = {word for name in (*held.own, *held.others) for word in name.split(" ")}
    words = {word for text in texts for word in _WORD.findall(text)} - taken_up if told else set[str]()
    missing = [name for name in held.own - told if told and not _is_called(name, words)]
    if missing and not taken and not are_told(held.changes, " ".join(line.sentence.text for line in lines)):
        yield from (f"only {name}" for name in sorted(told))
    done = list(_done_in(lines)) if options.rivals or options.changed else []
    for value in sorted(options.rivals):
        first = value.split(" ")[0]
        for text in (each for each in done if first in each):
            for match in re.finditer(rf"(?<![\w.-]){_spelt(value)}(?![\w.]\w)", text):
                if not _INSTEAD.search(text[: match.start()]):
                    yield match.group()

    whole = " ".join(line.sentence.text for line in lines)
    yield from _strange_options(lines, held, wish)
    for old, new in options.changed.items():
        if not _is_said(new, whole) and not any(_is_said(old, text) for text in listed):
            before = (found for text in done for found in _found(old, text))
            yield from (old for found in before if not _INSTEAD.search(found))
    clauses = list(_clauses(lines)) if held.own else []
    yield from (name for name in sorted(held.own) for text in clauses if _is_left_out(name, text))
    for label, values in options.numbers.items():
        of = rf"\b{re.escape(label)}\W{{0,3}}({_COUNT})\b|\b({_COUNT})[ -]?{re.escape(label)}\b"
        for match in re.finditer(of, whole) if label in whole else ():
            if (match[1] or match[2]) not in values:
                yield match.group()
    for label, is_so in options.flags.items():
        spoken_of = {is_denied(label, text) for line in texts for text in _CLAUSE.split(line)} - {None}
        if spoken_of == {is_so}:  # it is wished and denied throughout, or the other way round
            yield f"{'no ' if is_so else ''}{label}"


def _strange_options(lines: Sequence[Line], held: HeldThings, wish: Wish) -> Iterator[str]:
    """Options that no thing of the wish has: "in blue", where there is none."""
    options = held.options
    done = list(_done_in(lines)) if options.changed else []
    for text in done:
        for each in find_mentions(text, wish.person.lexicon, wish.now):
            is_option = bool(each.columns) and all(column.endswith(".options") for column in each.columns)
            is_option &= len(each.text) > len("tb")
            is_option &= text[each.end : each.end + 1] != "-"  # "double-check"
            is_option &= str(each.value).casefold() not in options.labels | _ANY_WAY
            if is_option and not _has_option(each, text, held, wish) and not _INSTEAD.search(text[: each.start]):
                yield each.text


def _has_option(mention: Mention, text: str, held: HeldThings, wish: Wish) -> bool:
    """Whether a thing of the wish has an option, or one that the row holds as well and of which a text speaks."""
    if not held.changes or any(any(where_named(name, text)) for name in held.others):
        return held.explains(mention)
    own = " . ".join(value for each in held.changes for value in (*each.old.values(), *each.new.values()))
    return re.search(rf"\b{re.escape(str(mention.value).casefold())}\b", f"{own} . {wish.asked_for}") is not None


def _is_own(said: str, held: HeldThings) -> bool:
    """Whether one of the things that are meant is called so by its last word."""
    return any(name.rsplit(" ", 1)[-1] == said for name in held.own)


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


def where_named(name: str, text: str) -> Iterator[str]:
    """Where a thing is named, by all its words or by the last one, and not only in passing."""
    head = _head(name)
    if head not in text:
        return
    for match in re.finditer(rf"(?<![\w-])(?:{re.escape(name)}|{re.escape(head)})s?(?![\w-])", text):
        is_whole = _WHOLE_AFTER.match(text, match.end()) is not None
        if not is_whole and not _IN_PASSING.search(text[: match.start()]):
            yield match.group()


def _tells(name: str, text: str) -> bool:
    """Whether a thing is named, shortly only where its whole name is not said."""
    return any(where_named(name if name in text else name.rsplit(" ", 1)[-1], text))


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
    head = _head(name)
    if head not in clause:
        return False
    for match in re.finditer(rf"(?<![\w-])(?:{re.escape(name)}|{re.escape(head)})s?(?![\w-])", clause):
        before, after = clause[: match.start()], clause[match.end() :]
        if _LEAVES.search(before) or _LEFT_SO.match(after):
            return True
    return False


def _found(value: str, text: str) -> Iterator[str]:
    """What stands before a value, wherever it is said."""
    for match in re.finditer(rf"(?<![\w.-]){re.escape(value)}(?![\w.]\w)", text) if value in text else ():
        yield text[: match.start()]


def _is_said(value: str, text: str) -> bool:
    return any(True for _ in _found(value, text))
