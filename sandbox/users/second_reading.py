"""A proposal without what it only tells of how things are: a second reading of what was objected to at the first.

"The cycle ends on February 28. Shall I add 1 GB?" names a day that is no part of what will be done. What is taken away
is true by what an agent sees that looks things up, and what is left must be the whole wish by itself; so nothing can be
agreed to that is not said.
"""

from __future__ import annotations

import re

from sandbox.language.dialogue_acts import AgentAct, Sentence, parse_act
from sandbox.language.mentions import Mention, find_mentions
from sandbox.language.prefilter import Prefiltered
from sandbox.language.verbs import promises
from sandbox.users.comparison import Comparison
from sandbox.users.lexicon import CHOICE
from sandbox.users.slots import is_alike
from sandbox.users.verdict import Verdict
from sandbox.users.wish import Wish

_TO_COME = Prefiltered(
    r"\b(?:will|would|shall|can|could|may|might|should|must|let me|going to|about to|to be|please|if|once|after|"
    r"instead|new|becomes?|gets?|goes|moves?|then|also|as well|too|only|both|all|every|whole|not|no|without|left|"
    r"leaves?|stays?|remains?|keeps?|kept|un(?:changed|touched)|the other way)\b|"
    r"'(?:ll|d)\b|n't\b|→|->"
)
"""What tells of more than how things are, or of how much of them is meant."""
_IS = Prefiltered(
    r"\b(?:is|are|was|were|has|have|had|ends?|stands?|holds?|shows?|contains?|costs?|found|see|sits?|ships?|belongs?|"
    r"expires?|runs?|starts?|leaves?|arrives?|includes?|comes?|went|paid|placed|booked)\b|'(?:s|re|ve)\b"
)
_I_DID = re.compile(
    r"\b(?:i|we)(?:'ve| have| had)?(?: now| just| already)? (?!found|located|see|looked|checked|pulled|verified|have\b|"
    r"found\b|got\b|understand|noted|see\b)[a-z]+(?:ed|ne|nt|de|ght|ut)\b"
)
"""What the speaker has done is a matter of its own."""
_OLD = re.compile(
    r"\W*(?:the |your )?(?:current(?:ly)?|present(?:ly)?|old|now|until now|so far|before|previous(?:ly)?|today|status|"
    r"original(?:ly)?|existing|balance|price|refund|difference|total|order total|subtotal)\b[^:]*:"
)
"""The label of a line that tells how things are, or what comes of the rest."""
_BRACKETS = re.compile(r"\s*\(([^()]*)\)")
_FORMER = re.compile(
    r"\W*(?:current(?:ly)?|now|at present|previous(?:ly)?|before|formerly|until now|so far|was|were|old)\b"
)
_APART = re.compile(
    r",? (?:currently|presently|at the moment|right now|until now|so far)\b[^.;?!()\n]*?(?=[,;.?!\n]|$)"
)
_PAST = Prefiltered(
    r"\b(?:was|were|had|paid|originally|current(?:ly)?|now|at the moment|so far|until now|ends?|placed|used|today)\b"
)
"""What shows that another value than the wished one is told of how things are."""
_FROM_TO = re.compile(r" from (?P<old>[^;?!\n]{2,80}?)(?= to )")
_IN_PLACE = re.compile(r",? (?:instead of|rather than|in place of) (?P<old>[^;?!.\n]{2,60}?)(?=[,;.?!\n]|$)")
_ANY_MORE = Prefiltered(r"\b(?:any(?:thing)?|something|another|other) (?:other |else)[^?]*\?|\banything else\b[^?]*\?")
_HOW_MUCH = frozenset(("count", "number", "duration", "time"))
"""Kinds of what is told of a thing that name no other one."""


_WORD = re.compile(r"[\w'.$#-]+\w|\w")
_OBJECTED = frozenset(("wrong", "added", "other"))


def read_again(heard: AgentAct, wish: Wish, found: Comparison) -> Verdict:
    """What came of comparing; where only background was objected to, of comparing what the message proposes.

    Args:
        heard: the message.
        wish: what is wanted.
        found: the message compared with the wish.
    """
    first = found.verdict
    if first.fit not in _OBJECTED:
        return first
    kept, dropped = _parted(heard, wish)
    words = [*(each for _, each in first.wrong), *first.beside]
    if not kept or not words or not all(_is_in(each, dropped) for each in words):
        return first
    if first.wrong and not _PAST.search(dropped):
        return first
    separator = "\n" if any(each.listed for each in heard.sentences) else " "
    again = Comparison(parse_act(separator.join(kept)), wish, found.settled).verdict
    return again if again.fit == "right" else first


def _parted(heard: AgentAct, wish: Wish) -> tuple[list[str], str]:
    """What a message proposes, sentence by sentence, and what it only tells of how things are, and truly."""
    kept: list[str] = []
    dropped: list[str] = []
    for sentence in heard.sentences:
        written = heard.plain[sentence.start : sentence.end]
        if _is_background(sentence, written, wish):
            dropped.append(written)
        else:
            brief, old = _without_old(written, wish)
            kept.append(brief)
            dropped += old
    return kept, "\n".join(dropped).casefold()


def _is_in(words: str, text: str) -> bool:
    """Whether what was objected to stands in a text, as it is or as its plain words: "not instead of June 2"."""
    return words.casefold() in text or set(_WORD.findall(words.casefold())) <= set(_WORD.findall(text))


def _is_background(sentence: Sentence, written: str, wish: Wish) -> bool:
    """Whether a sentence only tells how things are."""
    text = sentence.text
    if sentence.act == "ask" and _ANY_MORE.search(text):
        return True
    if sentence.act != "tell" or _TO_COME.search(text) or promises(text) or _I_DID.search(text):
        return False
    if sentence.listed or ":" in text:
        return _OLD.match(text) is not None and _is_true(written, wish)
    return _IS.search(text) is not None and _is_true(written, wish) and not _tells_values(written, wish)


def _tells_values(written: str, wish: Wish) -> bool:
    """Whether a sentence names what the wish is to bring, so that it is part of what is proposed."""
    return any(not slot.table for slot in Comparison(parse_act(written), wish).named)


def _without_old(written: str, wish: Wish) -> tuple[str, list[str]]:
    """A sentence without what it says of how things were, and that."""
    dropped: list[str] = []

    def drop(match: re.Match[str]) -> str:
        old = match.groupdict().get("old") or match.group()
        rest = f"{match.string[: match.start()]} {match.string[match.end() :]}"
        if not _is_true(old, wish) or ("old" in match.groupdict() and not _is_replaced(old, rest, wish)):
            return match.group()
        dropped.append(match.group())
        return ""

    def drop_brackets(match: re.Match[str]) -> str:
        if _FORMER.match(match.group(1).lower()) is None or not _is_true(match.group(1), wish):
            return match.group()
        dropped.append(match.group())
        return ""

    brief = _BRACKETS.sub(drop_brackets, written)
    for pattern in (_APART, _FROM_TO, _IN_PLACE):
        brief = pattern.sub(drop, brief)
    return brief, dropped


def _mentions(text: str, wish: Wish) -> list[Mention]:
    return [*find_mentions(text, wish.person.lexicon, wish.now), *find_mentions(text, None, wish.now)]


def _is_true(text: str, wish: Wish) -> bool:
    """Whether all that a text names is what an agent sees that looks up what the wish needs; no other row or choice."""
    rows = [slot for slot in wish.slots if slot.table]
    return all(
        _is_shown(each, wish)
        and not any(column.startswith(CHOICE) for column in each.columns)
        and not any(is_alike(slot, each) and not slot.fits(each, wish.person) for slot in rows)
        for each in _mentions(text, wish)
    )


def _is_shown(mention: Mention, wish: Wish) -> bool:
    if mention.kind in _HOW_MUCH or (mention.kind == "money" and abs(int(mention.value)) in wish.outcome.amounts):
        return True
    if wish.explains(mention) or wish.shows(mention) or any(slot.fits(mention, wish.person) for slot in wish.slots):
        return True
    return wish.has_seen(mention.text)


def _is_replaced(old: str, rest: str, wish: Wish) -> bool:
    """Whether the rest of a sentence names what the wish is to bring in place of something old of the same sort."""
    values = [slot for slot in wish.slots if not slot.table]
    gone = _mentions(old, wish)
    if not gone or any(each.text.casefold() in wish.asked_for for each in gone):
        return False
    if any(slot.fits(each, wish.person) for each in gone for slot in values):
        return False
    come = [each for each in _mentions(rest, wish) if any(slot.fits(each, wish.person) for slot in values)]
    held = [slot for slot in values if isinstance(slot.fact.value, dict) and slot.words.casefold() in rest.casefold()]
    return bool(held) or any(
        {each.kind, *each.columns} & {other.kind, *other.columns} for each in gone for other in come
    )
