"""Things that become other variants of the same product: which options change, and what a proposal says of them.

Read from the rows of the things held and wished for; what the words around a value are for is no matter of this file.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from functools import cache

from toolgym.sandbox.language.numbers import spell
from toolgym.sandbox.language.prefilter import Prefiltered
from toolgym.sandbox.users.records import is_denied
from toolgym.sandbox.users.world_terms import WorldTerms

_SIZES = {"s": "small", "m": "medium", "l": "large", "xl": "extra large", "xs": "extra small"}
_MEASURE = re.compile(r"(\d+(?:\.\d+)?) ?([a-z]+)")
_UNIT_WORDS = {"inch": r"(?:inch(?:es)?|in|\"|'')", "cm": "c[a-z]*", "gb": "g[a-z]*", "tb": "t[a-z]*"}
_INSTEAD = r"(?:instead of|rather than|in place of|replac(?:es?|ing))"
_NEAR = r"(?: (?:an?|the|your|one|in|of|is|it|its|with|from|at|ones?)| [\w'-]+){0,3}"
_LED_TO = re.compile(rf"(?:→|->|=>|\b(?:to|into|becomes?|turns?(?: into)?)){_NEAR} $")
_GIVEN_FOR = re.compile(rf"\b(?:for|with|by){_NEAR} $")
_EXCHANGED = Prefiltered(r"\b(?:exchang|swap|trad|chang|switch|replac)\w*")
_RECEIVED = re.compile(r"\b(?:gets?|receiv\w*|sends?|sending|gives?|ships?|take|in exchange|in return)\b")
_NOT_TO = re.compile(rf"\b(?:{_INSTEAD}|from|not|was|were|compared|next|old|current)\b")
_DENIED = re.compile(rf"\b(?:{_INSTEAD}|and not|not){_NEAR} $")
_KEPT = Prefiltered(r"\b(?:keep|leave|stay|remain)\w*\b")


@dataclass(frozen=True)
class Change:
    """What one thing has and what it is to become, by the names of its options, in lower case.

    Attributes:
        name: of the product.
        old, new: values by option; those of the thing that is held, and of the one that is wished for.
    """

    name: str
    old: dict[str, str]
    new: dict[str, str]

    def changed(self) -> Iterator[tuple[str, str, str]]:
        """Each option that changes, with the value before and after."""
        yield from ((label, old, self.new[label]) for label, old in self.old.items() if self.new.get(label, old) != old)


def changes_of(terms: WorldTerms, old: Collection[str], new: Collection[str]) -> Sequence[Change]:
    """The changes of things to others of the same product; nothing where these cannot be paired."""
    found = []
    for key in old:
        product = terms.rows[key][0][1:2]
        alike = [each for each in new if terms.rows[each][0][1:2] == product]
        if len(alike) != 1 or not product:
            return ()
        names = terms.rows.get(product[0], [[product[0], product[0]]])[0]
        found.append(Change(names[1].casefold(), terms.options.get(key, {}), terms.options.get(alike[0], {})))
    return found


def are_told(changes: Sequence[Change], text: str) -> bool:
    """Whether a text in lower case tells all that changes about each thing."""
    return bool(changes) and all(_says(label, new, text) for each in changes for label, _, new in each.changed())


def _says(label: str, value: str, text: str) -> bool:
    if value in ("yes", "no"):
        return _flag(label, text) is (value == "yes")
    return re.search(_spelt(label, value), text) is not None


@cache
def _spelt(label: str, value: str) -> str:
    """A pattern of an option's value in its usual spellings: "4 slots", "slots: 4", "400 lumens", "27-inch"."""
    name = re.escape(label.removesuffix("s"))
    if value.isdigit():
        number = rf"(?:{value}|{spell(int(value))})" if int(value) < 100 else value
        return rf"(?<![\d.,$-]){number}[ -]{name}|\b{name}s?\W{{0,3}}(?:is |of |to )?{number}\b(?![.,-]\d)"
    if (measure := _MEASURE.fullmatch(value)) is not None:
        unit = _UNIT_WORDS.get(measure[2], rf"{measure[2][:1]}[a-z]*")
        return rf"(?<![\d.,$-]){re.escape(measure[1])}[ -]?{unit}"
    if value in _SIZES:
        return rf"(?<![\w'-])(?:{value}|{_SIZES[value]})(?![\w'])"
    return rf"(?<![\w.-]){re.escape(value)}".replace(r"\ ", "[ -]?") + r"(?![\w.]\w)"


def _flag(label: str, text: str) -> bool | None:
    """Whether an option is said to be there, also by its last word or shortly: "rack", "mic"; None where it is not."""
    short = next((word for word in re.findall(r"[a-z]{3,}", text) if label.startswith(word) and word != label), "")
    for name in (label, label.rsplit(" ", 1)[-1], short):
        if name and (denied := is_denied(name, text)) is not None:
            return not denied
    return None


def turned(changes: Sequence[Change], sentences: Sequence[str]) -> Iterator[str]:
    """What is said to go where it is to come: the wished value before "to" and the present one after it."""
    olds = {old for each in changes for _, old, _ in each.changed()}
    news = {new for each in changes for _, _, new in each.changed()}
    for label, old, new in (each for change in changes for each in change.changed()):
        if {old, new} & {"yes", "no"} or old in news or new in olds:
            continue
        for text in sentences:
            first, second = re.search(_spelt(label, new), text), re.search(_spelt(label, old), text)
            if first is None or second is None:
                if first is not None and _DENIED.search(text[: first.start()]) and _KEPT.search(text):
                    yield first.group()
            elif _is_turned(text, first.span(), second.span()):
                yield first.group()


def _is_turned(text: str, new: tuple[int, int], old: tuple[int, int]) -> bool:
    if new[1] <= old[0]:
        between = text[new[1] : old[0]]
        if _NOT_TO.search(between):
            return False
        is_given = _GIVEN_FOR.search(between) is not None and _EXCHANGED.search(text[: old[0]]) is not None
        return _LED_TO.search(between) is not None or (is_given and not _RECEIVED.search(text[: old[0]]))
    return _DENIED.search(text[: new[0]]) is not None and old[1] <= new[0]
