"""What turns a wish round though no name or amount in a proposal is wrong: opposites, another order, exceptions.

What the other side is comes from the wish's words, the arguments of the calls that would fulfil it and their tools'
schemas (choices, switches and their descriptions), and from general antonyms.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise

from sandbox.language.antonyms import Direction, directions, opposed_to, sorted_by, words_in
from sandbox.language.dialogue_acts import AgentAct
from sandbox.language.mentions import find_mentions
from sandbox.language.prefilter import Prefiltered
from sandbox.users.call_terms import call_terms
from sandbox.users.choices_otherwise import chosen_otherwise, nearly_named
from sandbox.users.proposal_reading import Line
from sandbox.users.quantities import misplaced, turned_round
from sandbox.users.reach import overreaches
from sandbox.users.records import is_told, leaves
from sandbox.users.slots import root
from sandbox.users.wish import Wish

_CLAUSE = re.compile(r"[.;:!?\n,()|]+(?!\d)|\s[-–—]+\s|…|\b(?:but|while|whereas|though)\b")
_QUOTE = re.compile(r"[\"“]([^\"“”\n]{2,200})[\"”]")
_NOT = re.compile(r"\b(?:no|not|never|none|nothing|without|rather than|instead of|isn't|won't|don't|doesn't)\b|n't\b")
_IN_ORDER = re.compile(
    r"\b(?:all|everything)(?: is| looks?| sounds?| seems?)?(?: as it should be)? "
    r"(?:correct|right|good|set|fine|ok|okay|clear|in order|agreed|well|accurate)\b"
)
"""What asks for a yes: "All correct?"."""
_WORD = re.compile(r"[a-z]+")
_WAYS: tuple[Direction, ...] = ("up", "down")
_SORTS = ("letter", "number")
_LEFT_OUT = re.compile(
    r"\b(?:leave|leave out|without|except(?: for)?|but not|skip|spare) ([^.,;]*)|\b(?:not the|no) ([a-z]+ ?[a-z]*)"
)
_TAKES_IN = Prefiltered(
    r"\b(?:includ(?:ed|ing|es)|as well|too(?=$| (?:will|would|are|is))|even|plus|along with|together with)\b"
)
_TAKES_OUT = re.compile(
    r"\b(?:no|without(?: an?| the| any)?|minus(?: the)?|skip(?:ping|ped)?(?: the)?|omit(?:ting)?(?: the)?|"
    r"leaving out(?: the)?|excluding(?: the)?|except(?: for)?(?: the)?|dropping the) (?P<words>(?:[a-z-]+ ?){1,2})|"
    r"\b(?P<before>[a-z-]+) (?:is |are |gets? )?(?:left out|omitted|excluded|skipped)\b"
)
_OPEN = Prefiltered(
    r"\b(?:leav\w+|left|keep\w*|kept|stays?|staying|remains?|remaining)\b[^.;]*?"
    r"\b(?:open|active|running|valid|in place|in force|unpaid|standing|as (?:it|they) (?:is|are)|enabled)\b"
)
_KEEPS = Prefiltered(r"\b(?:leave|keep|stay|remain|still)\b")
_OTHERS = Prefiltered(r"\b(?:others?|rest|else|remaining|everything)\b")


def contradictions(heard: AgentAct, lines: Sequence[Line], wish: Wish) -> Iterator[str]:
    """The words of a proposal that turn the wish round.

    Args:
        heard: the message, all of whose names and amounts fit.
        lines: its sentences that say what will be done.
        wish: what is wanted.
    """
    own = f"{wish.asked_for} {wish.kind.replace('_', ' ')}"
    clauses = [part.strip() for line in lines for part in _CLAUSE.split(line.sentence.text) if part.strip()]
    yield from _opposites(heard, clauses, own, wish)
    yield from _other_order(heard.text, wish)
    yield from _swapped(heard, wish)
    yield from chosen_otherwise(heard, wish)
    yield from nearly_named(heard, wish)
    yield from misplaced(heard, wish)
    yield from turned_round(heard, wish)
    yield from overreaches(heard, lines, wish)
    yield from _half_quoted(heard, wish)
    yield from _kept(heard, wish)
    yield from _joined(heard, wish)
    for clause in clauses:
        yield from _taken_in(clause, wish.goal.utterance.lower())
        yield from _taken_out(clause, wish)
        yield from _left_open(clause, wish)


def _opposites(heard: AgentAct, clauses: Sequence[str], own: str, wish: Wish) -> Iterator[str]:
    """Antonyms of the wish's own words, where these do not stand beside them."""
    opposed = opposed_to(own)
    if not opposed or opposed.keys().isdisjoint(words_in(heard.text)):
        return
    named = {word for each in find_mentions(heard.plain, wish.person.lexicon, wish.now) if each.columns
             for word in words_in(each.text.casefold())}  # fmt: skip
    for clause in clauses:
        words = words_in(_IN_ORDER.sub("", clause))
        for word in words & opposed.keys():
            if words.isdisjoint(opposed[word]) and word not in named and not _NOT.search(clause):
                yield word.replace("-", " ")


# --- order ---


def _other_order(text: str, wish: Wish) -> Iterator[str]:
    """A list sorted the other way, or by something else."""
    said, by = directions(text), sorted_by(text)
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


# --- texts ---


def _half_quoted(heard: AgentAct, wish: Wish) -> Iterator[str]:
    """A draft of a text that says one thing of those which it is to say, and not the others."""
    texts = [slot for slot in wish.slots if slot.kind == "text"]
    if len(texts) < 2:
        return
    for call in wish.goal.calls:
        for value in leaves(call.arguments):
            inside = [slot for slot in texts if slot.words.casefold() in value.casefold()]
            for match in _QUOTE.finditer(heard.text) if len(inside) > 1 else ():
                told = [is_told(slot.fact.value, slot.words, match.group(1), wish.person.labels) for slot in inside]
                if any(told) and not all(told):
                    yield match.group()


# --- two calls that are opposites ---


def _swapped(heard: AgentAct, wish: Wish) -> Iterator[str]:
    """What is to be bought said to be sold, and the other way round."""
    opposed = call_terms(wish).opposed
    if len(opposed) < 2 or not all(slots for _, slots in opposed):
        return
    mentions = [each for each in find_mentions(heard.plain, wish.person.lexicon, wish.now) if each.columns]
    verbs = [
        (match.start(), slots)
        for verb_forms, slots in opposed
        for match in re.finditer(rf"\b(?:{'|'.join(map(re.escape, verb_forms))})\b", heard.text)
    ]
    verbs.sort(key=lambda each: each[0])
    for (start, own), (end, _) in pairwise([*verbs, (len(heard.text), frozenset())]):
        for mention in mentions:
            if start < mention.start < end:
                fitting = {slot.fact.name for slot in wish.slots if slot.table and slot.fits(mention, wish.person)}
                if fitting and fitting.isdisjoint(own):
                    yield heard.text[start : mention.end]
                if fitting:
                    break


# --- what is left out, and what is taken along ---


def _taken_in(clause: str, own: str) -> Iterator[str]:
    """What the wish leaves out, said to be taken along: "starred messages included"."""
    if not _TAKES_IN.search(clause) or _NOT.search(clause):
        return
    said = {root(word) for word in _WORD.findall(clause) if len(word) > 3}
    for match in _LEFT_OUT.finditer(own):
        left = {root(word) for word in _WORD.findall(match[1] or match[2]) if len(word) > 3}
        yield from left & said


def _taken_out(clause: str, wish: Wish) -> Iterator[str]:
    """What the right call is given, said to be missing: "no gift message"."""
    for match in _TAKES_OUT.finditer(clause):
        words = [root(word) for word in _WORD.findall(match["words"] or match["before"])]
        if match.group().strip() not in wish.asked_for and any(word in call_terms(wish).given for word in words):
            yield match.group().strip()


def _left_open(clause: str, wish: Wish) -> Iterator[str]:
    """A thing that is to be changed said to stay: "leave the old invoice open"."""
    match = _OPEN.search(clause)
    if match is None or _OTHERS.search(clause) or _NOT.search(clause) or _KEEPS.search(wish.asked_for):
        return
    words = set(_WORD.findall(match.group()))
    if words & wish.singles and words & {"old", "existing", "original", "first", "previous", "wrong"}:
        yield match.group()


_STAYS = re.compile(
    r"(?:'s [a-z]+)? (?:stays?|remains?|is kept|is left|keeps?) "
    r"(?:in place|open|active|running|standing|in force|as it is)\b(?! otherwise)"
)


def _kept(heard: AgentAct, wish: Wish) -> Iterator[str]:
    """A named thing of the wish said to stay as it is: "the Westbury Energy order stays in place"."""
    if (
        " stay" not in heard.text
        and " remain" not in heard.text
        and " is " not in heard.text
        and " keep" not in heard.text
    ):
        return
    for mention in find_mentions(heard.plain, wish.person.lexicon, wish.now):
        match = _STAYS.match(heard.text, mention.end) if mention.columns else None
        if match is not None and any(slot.table and slot.fits(mention, wish.person) for slot in wish.slots):
            yield mention.text + match.group()


def _joined(heard: AgentAct, wish: Wish) -> Iterator[str]:
    """Who is to come and who is to go named side by side: "the passengers will be Ana and Ben"."""
    sides = {slot.fact.name: " ".join(leaves(slot.fact.value)).casefold() for slot in wish.slots}
    if "old" not in sides or "new" not in sides:
        return
    for one, other in (("old", "new"), ("new", "old")):
        pair = re.search(rf"\bbe (?:\w+ )?{re.escape(sides[one])},? and {re.escape(sides[other])}\b", heard.text)
        if pair is not None:
            yield pair.group()
