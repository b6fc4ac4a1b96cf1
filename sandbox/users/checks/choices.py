"""Another value of a choice in other words, a switch spoken of as it is not, another state than the wish brings.

A choice's values come from the schemas of the calls that would fulfil a wish: "no longer wanted" is `not_wanted`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache

from toolgym.sandbox.language.prefilter import Prefiltered
from toolgym.sandbox.users.checks.call_terms import call_terms
from toolgym.sandbox.users.checks.own_words import AS_USUAL
from toolgym.sandbox.users.checks.proposal import Proposal
from toolgym.sandbox.users.checks.skipping import only_where
from toolgym.sandbox.users.slots import root
from toolgym.sandbox.users.variants import turned
from toolgym.sandbox.users.wish import Wish

_LEFT = re.compile(
    r"\b(?:left|leave|leaving|saved?|saving|kept|keep|keeping|another time|untouched|not|no|without)\b|n't\b"
)
_NO = re.compile(r"\b(?:no|not|never|nothing|nobody|none|without|only|just|inside|internal)\b|n't\b")
_DENYING = Prefiltered(r"\b(?:no|not|never|nobody)\b|n't\b")
_STATE = Prefiltered(r"\b(?:as|to|status|state) [\"'*“]*([a-z]+)\b")
_MARKS = Prefiltered(r"\b(?:mark|set|book|record|log|advance|status|state|register|count)\w*\b")


@only_where(_DENYING)
def denied_choices(proposal: Proposal, wish: Wish) -> Iterator[str]:
    """A choice such as "not wanted", which the right call does not have, in other words: "no longer wanted"."""
    for value in call_terms(wish).others:
        match = _denied(value).search(proposal.text) if value.startswith("not ") else None
        if match is not None and match.group() not in wish.asked_for:
            yield match.group()


@cache
def _denied(value: str) -> re.Pattern[str]:
    stem = re.escape(root(value.removeprefix("not ").split(" ")[-1]))
    return re.compile(rf"(?:\b(?:no|not|never|no longer|nobody)\b|n't)(?: [a-z]+){{0,2}} {stem}(?:ed|d|s)?\b")


def switches(proposal: Proposal, wish: Wish) -> Iterator[str]:
    """A switch that the right call has on said to be off, or one that it leaves off spoken of as on."""
    for words, is_on in call_terms(wish).switches:
        name = words.split(":", 1)[0]
        if is_on:
            name = name.removeprefix("use ")
            if len(name) > 5 and name in proposal.text:
                yield from (clause for clause in proposal.clauses if name in clause and _LEFT.search(clause))
        elif name in proposal.text and not (" " in name or name in ("every", "numeric") or name in wish.asked_for):
            for clause in proposal.clauses:
                if re.search(rf"\b{name}\b", clause) and not _NO.search(clause):
                    yield clause


def turned_options(proposal: Proposal, wish: Wish) -> Iterator[str]:
    """What a thing is to become said to be what it is: "your burgundy Hoodie is exchanged for a teal one"."""
    yield from turned(wish.held.changes, [line.sentence.text for line in proposal.lines])


@only_where(_MARKS)
def other_states(proposal: Proposal, wish: Wish) -> Iterator[str]:
    """A state that is not the one which the wish's action brings: "mark it as shipped" for what is to be received."""
    for text in (line.sentence.text for line in proposal.acting if _MARKS.search(line.sentence.text)):
        for match in _STATE.finditer(text):
            word = match.group(1)
            is_state = word in wish.world.done and word not in AS_USUAL and word not in wish.world.bases
            if is_state and word not in wish.own_states and word not in wish.asked_for:
                yield match.group()
