"""How far a proposal reaches: to less or more than is wanted, with the same action, thing and values.

Whether several are meant comes from the wish's words, its lists and the switches of its calls; the wished thing that is
said to be only a part of what is done, or the first of several, shows that another reach is meant.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from sandbox.language.dialogue_acts import AgentAct
from sandbox.language.mentions import Mention, find_mentions
from sandbox.language.prefilter import Prefiltered
from sandbox.users.call_terms import call_terms
from sandbox.users.proposal_reading import Line
from sandbox.users.slots import root
from sandbox.users.wish import Wish

_MANY = Prefiltered(
    r"\b(?:all|both|every|everywhere|everything|each|whole|entire|later|following|further|subsequent|series|onwards?|"
    r"after|rest|wherever|throughout|any)\b"
)
_ONLY = Prefiltered(
    r"\b(?:only|just) (?:the first|this|that|one|a single)\b|\bthe first (?:one|place|occurrence|match)\b|"
    r"\bthe first [\"“']|\b(?:only|just) [^.;,]{0,40}\bitself\b|\b(?:this|that|the) one (?:only|alone)\b|"
    r"\bthe (?:most recent|newest|latest|oldest|earliest|largest|smallest)\b"
)
_OTHERS_STAY = Prefiltered(
    r"\b(?:keep\w*|leav\w+|drop\w*|skip\w*|hold\w* on to) the (?:rest|remainder|others|older|newer|other)\b|"
    r"\b(?:others?|rest|remaining|remainder)\b[^.;]*\b(?:stays?|remains?|carry|carries|continues?|goes on|go on|"
    r"unchanged|untouched|unaffected|kept|as (?:it|they) (?:is|are))\b"
)
_INSIDE_AFTER = re.compile(
    r"[\"'*_`)]*,? ?(?:(?:is|are) )?(?:also )?(?:included|among them|in it|inside(?: it)?|therein|and all)\b"
)
_INSIDE_BEFORE = re.compile(
    r"\b(?:including|along with|together with|which includes|that includes|with) (?:the |your |its )*(?:[a-z]+ )?$"
)
_AND_THEN = re.compile(r"\band (?:(?:is|are|gets?|get|then|also|it|they|will|would|be) ){1,4}(?P<done>[a-z]+ed)\b")
_DENIED = re.compile(r"\b(?:rather than|instead of|and not|but not|not)\b(?P<rest>[^.;,:!?()]*)")
_EXCHANGES = Prefiltered(r"\b(?:instead|in place of|rather than|not|replac\w*|swap\w*|switch\w*|exchang\w*|from)\b")
_NO = re.compile(r"\b(?:no|not|never|nothing|nobody|none|without|only|just|inside|internal)\b|n't\b")
_CLAUSE = re.compile(r"[.;:!?\n,()|]+(?!\d)|\s[-–—]+\s")
_WORD = re.compile(r"[a-z]+")


def overreaches(heard: AgentAct, lines: Sequence[Line], wish: Wish) -> Iterator[str]:
    """The words of a proposal that make it reach less or more far than the wish.

    Args:
        heard: the message, all of whose names and amounts fit.
        lines: its sentences that say what will be done.
        wish: what is wanted.
    """
    text, own = heard.text, wish.goal.utterance.lower()
    rest = text
    for match in _OTHERS_STAY.finditer(text):
        rest = rest.replace(match.group(), " ")
    if (_MANY.search(own) or wish.is_many) and not _MANY.search(rest):
        yield from (match.group() for match in (_ONLY.search(text),) if match and match.group() not in own)
        yield from (match.group() for match in (_OTHERS_STAY.search(text),) if match)
    mentions = [each for each in find_mentions(heard.plain, wish.person.lexicon, wish.now) if each.columns]
    if not wish.is_many:
        yield from (each.text for each in mentions if _is_part(each, text, wish))
    if not _EXCHANGES.search(own):
        yield from _denied_words(text, own, mentions)
    for line in lines:
        for match in _AND_THEN.finditer(line.sentence.text) if line.acting else ():
            if _is_further(match["done"], wish):
                yield match.group()
    yield from _switched_on(text, wish)


def _is_part(mention: Mention, text: str, wish: Wish) -> bool:
    """Whether the wished thing is named as a part of a larger one: "the folder, with list.txt in it"."""
    if not any(slot.table and slot.fits(mention, wish.person) for slot in wish.slots):
        return False
    after = _INSIDE_AFTER.match(text, mention.end)
    before = _INSIDE_BEFORE.search(text[: mention.start])
    return after is not None and (before is not None or not after.group().strip().startswith(("in it", "inside")))


def _denied_words(text: str, own: str, mentions: Sequence[Mention]) -> Iterator[str]:
    """Words of the wish that a proposal has only to deny them: "rather than in the first gap"."""
    for match in _DENIED.finditer(text):
        start, end = match.span("rest")
        if any(start <= each.start < end for each in mentions):
            continue
        elsewhere = set(_WORD.findall(text[:start] + text[end:]))
        words = [word for word in _WORD.findall(match["rest"]) if len(word) > 2 and word not in _SMALL]
        if words and all(word in own and word not in elsewhere for word in words):
            yield match.group().strip()


_SMALL = frozenset("the and for that this with will would your you are was have has been any not more".split())


def _is_further(word: str, wish: Wish) -> bool:
    """Whether a participle tells of another action or state of the world: "and is then archived"."""
    if root(word) in wish.asked_roots or word in wish.own_states:
        return False
    kinds = {slot.fact.name for slot in wish.slots}
    chosen = {name for name, value in wish.person.choices if value == word}
    return word in wish.world.done_otherwise(wish.kind) or bool(chosen - kinds)


def _switched_on(text: str, wish: Wish) -> Iterator[str]:
    """A switch that the right call leaves off, spoken of as on: "for people outside as well"."""
    for words, is_on in call_terms(wish).switches:
        name = words.split(":", 1)[0]
        if is_on or " " in name or name in ("every", "numeric") or name in wish.asked_for:
            continue
        for clause in _CLAUSE.split(text) if name in text else ():
            if re.search(rf"\b{name}\b", clause) and not _NO.search(clause):
                yield clause.strip()
