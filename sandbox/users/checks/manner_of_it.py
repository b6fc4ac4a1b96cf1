"""How something is done otherwise than it is wished: for good, with a state of its own, under another title or reason.

What is harmless is known from the wish's words, the description of its tool and the rows' names.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from toolgym.sandbox.language.prefilter import Prefiltered
from toolgym.sandbox.language.tokens import singular
from toolgym.sandbox.users.checks.own_words import FREE, is_accounted
from toolgym.sandbox.users.checks.proposal import Proposal
from toolgym.sandbox.users.checks.skipping import only_where
from toolgym.sandbox.users.slots import root
from toolgym.sandbox.users.wish import Wish

_FINAL = Prefiltered(r"\b(?:permanently|for good|forever|irrevocably|irretrievably|for ever|once and for all)\b")
_WARNS = Prefiltered(r"\b(?:cannot|can't|not|never|no|undone|undo|restore\w*|note|aware|warn\w*)\b|n't\b")
_MAKE_IT = Prefiltered(
    r"\b(?:and|but|while|plus|then)(?: then| also)? (?:i(?:'d|'ll| will| would) )?(?:also )?"
    r"(?:make|making|set|setting|turn|turning|mark|marking|flag|flagging) (?:it|them|that) (?:as |to )?(?P<so>[a-z-]+)"
)
_LATEST = Prefiltered(
    r"\b(?:the|your|only|just) (?:(?:single|one) )?(?P<which>latest|newest|oldest|most recent|last|first|earliest|"
    r"biggest|largest|smallest|cheapest|highest|lowest|best) (?P<thing>[a-z]+)"
)
_SUPERLATIVES = frozenset(
    "latest newest oldest recent last first earliest biggest largest smallest cheapest highest lowest best one".split()
)
_AXES = (
    Prefiltered(r"\b(?:cheapest|lowest[- ]price\w*|least expensive|most expensive|dearest|costs? (?:the )?least)\b"),
    Prefiltered(r"\b(?:best|highest|top|worst|lowest)[- ]rated\b|\b(?:highest|best|lowest) rating\b"),
    Prefiltered(r"\b(?:latest|newest|oldest|earliest|most recent)\b"),
    Prefiltered(r"\b(?:fastest|quickest|shortest|slowest|longest)\b"),
)
_NO_CONTENT = frozenset("name title reason condition to on".split())
_NO_SLOT = r"\b(?:no|without(?: any)?|zero|not a) (?:[a-z]+ )?{}s?\b"


@only_where(_FINAL)
def for_good(proposal: Proposal, wish: Wish) -> Iterator[str]:
    """Done for good where it can be undone: "permanently delete" for what goes into the trash."""
    told = wish.declared.tool.description.lower() if wish.declared else ""
    own = f"{wish.asked_for} {wish.phrasing} {told}"
    if _FINAL.search(own) or re.search(r"\b(?:trash|archive|spam)\b", own) is None:
        return
    for line in proposal.acting:
        for match in _FINAL.finditer(line.sentence.text):
            if not _WARNS.search(line.sentence.text):
                yield match.group()


@only_where(_MAKE_IT)
def made_so(proposal: Proposal, wish: Wish) -> Iterator[str]:
    """A further state that the thing is given: "but make it read-only for them"."""
    for line in proposal.acting:
        for match in _MAKE_IT.finditer(line.sentence.text):
            word = match["so"]
            is_own = word in wish.own_states or root(word) in wish.asked_roots or word in wish.given
            if not is_own and word not in FREE and not (is_accounted(word, wish) and word not in wish.world.done):
                yield match.group()


@only_where(_LATEST)
def one_of_all(proposal: Proposal, wish: Wish) -> Iterator[str]:
    """The latest or the first where all of its sort are meant: "putting it on the latest mail"."""
    if not ({"every", "all", "each"} & wish.quantifiers or re.search(r"\b(?:every|all|each)\b", wish.asked_for)):
        return
    if not _SUPERLATIVES.isdisjoint(wish.asked_for.split()) or not wish.several:
        return
    for line in proposal.acting:
        for match in _LATEST.finditer(line.sentence.text):
            if wish.world.is_thing(match["thing"]) or re.search(rf"\b{singular(match['thing'])}", wish.asked_for):
                yield match.group()


@only_where(*_AXES)
def other_superlatives(proposal: Proposal, wish: Wish) -> Iterator[str]:
    """What is the best by another measure than the wished one: "from the best-rated seller" for the cheapest."""
    own = [axis for axis in _AXES if axis.search(wish.asked_for)]
    if len(own) != 1 or own[0].search(proposal.text):
        return
    for axis in _AXES:
        match = axis.search(" ".join(line.sentence.text for line in proposal.acting)) if axis is not own[0] else None
        if match is not None:
            yield match.group()


def denied_facts(proposal: Proposal, wish: Wish) -> Iterator[str]:
    """What is to be told said to be none: "no flaws" where a scratch is to be named."""
    for slot in wish.slots:
        name = slot.fact.name.replace("_", " ")
        if not isinstance(slot.fact.value, str) or slot.kind not in ("text", "record") or name in _NO_CONTENT:
            continue
        match = re.search(_NO_SLOT.format(re.escape(name)), proposal.text)
        if match is not None and match.group() not in wish.asked_for and slot.words.split(" ")[0] not in ("no", "none"):
            yield match.group()


_BECAUSE = Prefiltered(
    r"\b(?:because(?: of)?|due to|owing to|on account of|on grounds of|for|reason(?: is| would be| being)?:?|as an?|"
    r"citing)[ \"'*]+(?:the |your |an? )?(?P<what>[^.;,()?\n]*)"
)
_FAMILIES = tuple(
    Prefiltered(rf"\b(?:{words})")
    for words in (
        r"bad weather|weather|storm|snow|hurricane|blizzard|fog",
        r"health|medical|illness|sickness|sick\b|ill\b|doctor|hospital|surgery|operation|injur|"
        r"broken?[a-z ]* (?:leg|arm|foot|ankle|wrist)|(?:leg|arm|foot)\b|"
        r"flu\b|fever|pregnan|accident",
        r"(?:a )?(?:change|changed|changes) (?:of|in) (?:your )?plans?\b|plans? (?:have |has |had )?changed?\b",
        r"work\b|job\b|business reasons|meeting|conference|boss",
        r"family (?:reasons|emergency)|bereavement|funeral|wedding|death|passed away",
        r"(?:a )?schedule change|delay",
        r"(?:a )?(?:scheduling conflict|conflict)|visa\b(?! (?:card|ending))|jury duty",
    )
)
_ANY_PLANS = 2
"""Which of the families any private reason may be called by."""


@only_where(_BECAUSE)
def other_reasons(proposal: Proposal, wish: Wish) -> Iterator[str]:
    """A reason of another sort than the user's, where that is told in words: "for bad weather"."""
    reasons = [slot for slot in wish.slots if slot.fact.name == "reason" and slot.kind == "text"]
    for slot in reasons:
        own = f"{slot.words} {slot.fact.value} {wish.goal.utterance}".lower()
        for line in proposal.acting:
            for match in _BECAUSE.finditer(line.sentence.text):
                yield from _of_another_sort(match["what"], own)


def _of_another_sort(said: str, own: str) -> Iterator[str]:
    """The words of a family of reasons in what is said, where nothing of the user's own is of it."""
    for place, family in enumerate(_FAMILIES):
        match = family.match(said)
        if match is None or family.search(own):
            continue
        known = any(each.search(own) for each in (*_FAMILIES[:_ANY_PLANS], _FAMILIES[5]))
        words = {root(word) for word in match.group().split() if len(word) > 3}
        if words.isdisjoint(root(word) for word in own.split()) and (place != _ANY_PLANS or known):
            yield match.group()
