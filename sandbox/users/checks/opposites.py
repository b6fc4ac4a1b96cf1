"""What turns a wish round though no name or amount is wrong: opposites, another order, sides exchanged, what stays.

What the other side is comes from the wish's words, the arguments of the calls that would fulfil it and their tools'
schemas (switches and their descriptions), and from general antonyms.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from itertools import pairwise

from toolgym.sandbox.language.antonyms import Direction, directions, opposed_to, sorted_by, words_in
from toolgym.sandbox.language.prefilter import ByWord, Prefiltered
from toolgym.sandbox.language.tokens import singular
from toolgym.sandbox.users.checks.call_terms import call_terms
from toolgym.sandbox.users.checks.proposal import Proposal
from toolgym.sandbox.users.checks.skipping import only_where
from toolgym.sandbox.users.checks.word_classes import OPPOSITES, STAYS
from toolgym.sandbox.users.lexicon import CHOICE
from toolgym.sandbox.users.proposal_reading import AnyWish
from toolgym.sandbox.users.records import leaves
from toolgym.sandbox.users.slots import root
from toolgym.sandbox.users.wish import Wish

_NOT = re.compile(r"\b(?:no|not|never|none|nothing|without|rather than|instead of|isn't|won't|don't|doesn't)\b|n't\b")
_IN_ORDER = re.compile(
    r"\b(?:all|everything)(?: is| looks?| sounds?| seems?)?(?: as it should be)? "
    r"(?:correct|right|good|set|fine|ok|okay|clear|in order|agreed|well|accurate)\b"
)
"""What asks for a yes: "All correct?"."""
_OTHERS_STAY = re.compile(
    r"\b(?:(?:all|any|the|what) )*[a-z]+(?: (?:ones?|events?|dates?|occurrences?|mails?|orders?|entries|entry|parts?|"
    r"meetings?|times?|lies|is|are|comes?|came|before|it|that)){0,4} (?:(?:will|would|just) )?"
    r"(?:stays?|remains?|(?:is|are|be) (?:kept|left|not touched|untouched|unaffected)|(?:isn't|aren't) touched)\b"
)
"""What is said to be left as it is, where the wish's own are told beside it: "earlier ones stay"."""
_HALF_PAST = re.compile(r"\bhalf (?:past|an hour|hour)\b")
_CONTRAST = re.compile(r"\b(?:but|while|whereas|though)\b")
_WORD = re.compile(r"[a-z]+")
_KEPT = Prefiltered(rf"{STAYS}|\bas (?:before|booked|planned|is)\b")
_WAYS: tuple[Direction, ...] = ("up", "down")
_SORTS = ("letter", "number")
_LEFT_OUT = re.compile(
    r"\b(?:leave|leave out|without|except(?: for)?|but not|skip|spare) ([^.,;]*)|\b(?:not the|no) ([a-z]+ ?[a-z]*)"
)
_TAKES_IN = Prefiltered(
    r"\b(?:includ(?:ed|ing|es)|as well|too(?=$|[,.;]| (?:will|would|are|is))|even|plus|along with|together with)\b"
)
_TAKES_OUT = Prefiltered(
    r"\b(?:no|without(?: an?| the| any)?|minus(?: the)?|skip(?:ping|ped)?(?: the)?|omit(?:ting)?(?: the)?|"
    r"leaving out(?: the)?|excluding(?: the)?|except(?: for)?(?: the)?|dropping the) (?P<words>(?:[a-z-]+ ?){1,2})|"
    r"\b(?P<before>[a-z-]+) (?:is |are |gets? )?(?:left out|omitted|excluded|skipped)\b"
)
_OPEN = Prefiltered(
    r"\b(?:leav\w+|left|keep\w*|kept|stays?|staying|remains?|remaining)\b[^.;]*?"
    r"\b(?:open|active|running|valid|in place|in force|unpaid|standing|as (?:it|they) (?:is|are)|enabled)\b"
)
_STAYS_SO = re.compile(
    r"(?:'s [a-z]+| order)? (?:stays?|remains?|is kept|is left|keeps?) "
    r"(?:in place|open|active|running|standing|in force|as it is)\b(?! otherwise)"
)
_KEEPS = Prefiltered(r"\b(?:leave|keep|stay|remain|still)\b")
_OTHERS = Prefiltered(r"\b(?:others?|rest|else|remaining|everything)\b")
_OLD = frozenset("old existing original first previous wrong".split())
_DENIED = Prefiltered(r"\b(?:rather than|instead of|and not|but not|not)\b(?P<rest>[^.;,:!?()]*)")
_EXCHANGES = Prefiltered(r"\b(?:instead|in place of|rather than|not|replac\w*|swap\w*|switch\w*|exchang\w*|from)\b")
_SMALL = frozenset("the and for that this with will would your you are was have has been any not more".split())


@cache
def _opposed() -> ByWord[tuple[Prefiltered, Prefiltered]]:
    """The table of settings by the words of the other side."""
    pairs = [(Prefiltered(one), Prefiltered(other)) for one, other in OPPOSITES]
    return ByWord((other.needs, (one, other)) for one, other in pairs)


_IS_SO = re.compile(r"\b(?:is|are|was|were|of (?:them|these|those|which))(?: still| now| currently)? $")
"""What stands before how things are: "four mails, 3 of them unread"."""


def opposite_settings(proposal: Proposal, wish: AnyWish) -> Iterator[str]:
    """The opposite of what a wish says, by a table of settings: "with one stop" where a direct flight is wanted."""
    own = wish.asked_for
    for one, other in _opposed().among(proposal.words):
        if one.search(own) and not other.search(own) and other.search(proposal.text):
            for clause in proposal.clauses:
                match = other.search(clause)
                if match and _IS_SO.search(clause[: match.start()]):
                    continue
                if match and not _KEPT.search(other.sub("", clause)) and not one.search(clause):
                    yield match.group()


def antonyms(proposal: Proposal, wish: Wish) -> Iterator[str]:
    """Antonyms of the wish's own words, where these do not stand beside them: "earlier" for "later"."""
    opposed = opposed_to(f"{wish.asked_for} {wish.kind.replace('_', ' ')}")
    if not opposed or opposed.keys().isdisjoint(words_in(proposal.text)):
        return
    names = (each for each in proposal.named if not all(column.startswith(CHOICE) for column in each.columns))
    named = {word for each in names for word in words_in(each.text.casefold())}
    for clause in (part for each in proposal.line_clauses for part in _CONTRAST.split(each)):
        words = words_in(_HALF_PAST.sub("", _IN_ORDER.sub("", _OTHERS_STAY.sub("", clause))))
        for word in sorted(words & opposed.keys()):
            if words.isdisjoint(opposed[word]) and word not in named and not _NOT.search(clause):
                yield word.replace("-", " ")


def other_order(proposal: Proposal, wish: Wish) -> Iterator[str]:
    """A list sorted the other way, or by something else."""
    said, by = directions(proposal.text), sorted_by(proposal.text)
    if not (said or by):
        return
    own, own_by = _wished_order(wish)
    if own and said and said.isdisjoint(own):
        yield "the other way round"
    if own_by and by and by.isdisjoint(own_by):
        yield f"by {'letters' if 'letter' in by else 'number'}"


def _wished_order(wish: Wish) -> tuple[frozenset[Direction], frozenset[str]]:
    """Which way and by what a wish wants something sorted: by its words, or by the switches of its call."""
    way, by = directions(wish.asked_for), sorted_by(wish.asked_for)
    for described, is_on in call_terms(wish).switches:
        ways, sorts = directions(described), sorted_by(described)
        way |= frozenset(each for each in _WAYS if ways and (each in ways) == is_on)
        by |= frozenset(each for each in _SORTS if sorts and (each in sorts) == is_on)
    return way, by


def swapped_calls(proposal: Proposal, wish: Wish) -> Iterator[str]:
    """What is to be bought said to be sold, and the other way round."""
    opposed = call_terms(wish).opposed
    if len(opposed) < 2 or not all(slots for _, slots in opposed):
        return
    verbs = sorted(
        (match.start(), slots)
        for verb_forms, slots in opposed
        for match in re.finditer(rf"\b(?:{'|'.join(map(re.escape, verb_forms))})\b", proposal.text)
    )
    for (start, own), (end, _) in pairwise([*verbs, (len(proposal.text), frozenset[str]())]):
        inside = (each for each in proposal.named if start < each.start < end)
        for mention, fitting in ((each, {slot.fact.name for slot in wish.referred(each)}) for each in inside):
            if fitting and fitting.isdisjoint(own):
                yield proposal.text[start : mention.end]
            if fitting:
                break


_FOR_WHICH = Prefiltered(r"\b(?:rather than|instead of|in place of) (?:an? |the |your )?(?P<noun>[a-z]+)\b")
_IN_WHOSE_PLACE = re.compile(
    r"(?:[Ii]nstead of|[Ii]n place of|[Rr]eplac(?:es?|ing)) (?P<of>[A-ZÀ-Þ][\w-]+ [A-ZÀ-Þ][\w-]+)|"
    r"(?P<whose>[A-ZÀ-Þ][\w-]+ [A-ZÀ-Þ][\w-]+)'s? (?:seat|place|spot)\b"
)


def swapped_persons(proposal: Proposal, wish: Wish) -> Iterator[str]:
    """Who is to come said to go, or both named side by side: "Alejandro out, Cyrus in"."""
    sides = {slot.fact.name: " ".join(leaves(slot.fact.value)).casefold() for slot in wish.slots}
    for side, other, aside in (("old", "new", "in"), ("new", "old", "out|off")):
        if not (name := re.escape(sides.get(side, ""))):
            continue
        moved = rf"\b{name} (?:goes |is |gets |comes )?(?:{aside})\b(?=\W*(?:$|[,;.]|and\b|on\b))"
        joined = rf"|\bbe (?:\w+ )?{name},? and {re.escape(sides[other])}\b" if sides.get(other) else ""
        yield from (match.group() for match in re.finditer(moved + joined, proposal.text))
    if sides.get("old") and sides.get("new"):
        old, new = re.escape(sides["old"]), re.escape(sides["new"])
        turned = (
            rf"\b{old} (?:will |would )?(?:replaces?|takes? (?:over(?: from)?|the (?:seat|place|spot) of)|"
            rf"(?:flies|travels) instead of) {new}\b"
        )
        yield from (match.group() for match in re.finditer(turned, proposal.text))
        for match in _IN_WHOSE_PLACE.finditer(proposal.plain):
            if (name := (match["of"] or match["whose"]).casefold()) in wish.known and sides["old"] != name != sides[
                "new"
            ]:
                yield match.group()


@only_where(_TAKES_IN)
def taken_in(proposal: Proposal, wish: Wish) -> Iterator[str]:
    """What the wish leaves out, said to be taken along: "starred messages included"."""
    for clause in proposal.line_clauses if _TAKES_IN.search(proposal.text) else ():
        if _TAKES_IN.search(clause) and not _NOT.search(clause):
            said = _roots(clause)
            for match in _LEFT_OUT.finditer(wish.goal.utterance.lower()):
                yield from sorted(_roots(match[1] or match[2]) & said)


def _roots(text: str) -> set[str]:
    return {root(word) for word in _WORD.findall(text) if len(word) > 3}


@only_where(_TAKES_OUT)
def taken_out(proposal: Proposal, wish: Wish) -> Iterator[str]:
    """What the right call is given, said to be missing: "no gift message"."""
    for match in (found for clause in proposal.line_clauses for found in _TAKES_OUT.finditer(clause)):
        words = [root(word) for word in _WORD.findall(match["words"] or match["before"])]
        if match.group().strip() not in wish.asked_for and not call_terms(wish).given.isdisjoint(words):
            yield match.group().strip()


@only_where(_OPEN)
def left_open(proposal: Proposal, wish: Wish) -> Iterator[str]:
    """A thing that is to be changed said to stay: "leave the old invoice open", "your order stays in place"."""
    if not _OPEN.search(proposal.text):
        return
    for mention in proposal.named:
        match = _STAYS_SO.match(proposal.text, mention.end)
        if match is not None and wish.referred(mention):
            yield mention.text + match.group()
    for clause in proposal.line_clauses if not _KEEPS.search(wish.asked_for) else ():
        match = _OPEN.search(clause)
        words = set(_WORD.findall(match.group())) if match else set[str]()
        if (
            match
            and words & {*wish.singles, "one"}
            and words & _OLD
            and not (_OTHERS.search(clause) or _NOT.search(clause))
        ):
            yield match.group()


@only_where(_FOR_WHICH)
def denied_action(proposal: Proposal, wish: Wish) -> Iterator[str]:
    """The wished action that another one is to stand for: "a return rather than a cancellation"."""
    for match in _FOR_WHICH.finditer(proposal.text):
        is_named = " an " in match.group() or " a " in match.group()
        given = wish.declared.tool.name.split("_")[1:] if wish.declared else []
        if (
            match["noun"] in wish.world.called(wish.kind)
            or (is_named and match["noun"] in wish.world.aims(wish.kind, ""))
            or match["noun"] in {*given} - wish.singles - wish.called
        ):
            yield match.group()


@only_where(_DENIED)
def denied_words(proposal: Proposal, wish: Wish) -> Iterator[str]:
    """Words of the wish that a proposal has only to deny them: "rather than in the first gap"."""
    text, own = proposal.text, wish.goal.utterance.lower()
    for match in _DENIED.finditer(text) if not _EXCHANGES.search(own) else ():
        start, end = match.span("rest")
        inside = [each for each in proposal.named if start <= each.start < end]
        if any(wish.explains(each) and each.text.casefold() not in own for each in inside):
            continue
        elsewhere = set(_WORD.findall(text[:start] + text[end:]))
        words = [singular(word) for word in _WORD.findall(match["rest"]) if len(word) > 2 and word not in _SMALL]
        is_put = " ".join(match.group().split()[:4]) in wish.phrasing  # "those who are not in its group"
        is_own = all(word in own and word not in elsewhere and not _denies(own, word) for word in words)
        if words and is_own and not is_put:
            yield match.group().strip()


def _denies(own: str, word: str) -> bool:
    """Whether a wish itself denies a word: "it is no longer wanted"."""
    denied = re.search(rf"(?:\b(?:not|no longer|never|nobody)|n't)\b(?: [a-z]+){{0,2}} {re.escape(word)}", own)
    return denied is not None
