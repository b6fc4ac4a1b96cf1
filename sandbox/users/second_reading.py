"""A proposal without what it only tells of how things are: a second reading of what was objected to at the first.

"The cycle ends on February 28. Shall I add 1 GB?" names a day that is no part of what will be done. What is taken away
is true by what an agent sees that looks things up, and what is left must be the whole wish by itself; so nothing can be
agreed to that is not said.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from toolgym.sandbox.language.dialogue_acts import AgentAct, Sentence, parse_act
from toolgym.sandbox.language.mentions import Mention, find_mentions
from toolgym.sandbox.language.prefilter import Prefiltered
from toolgym.sandbox.language.verbs import promises
from toolgym.sandbox.users.lexicon import CHOICE
from toolgym.sandbox.users.plain_wish import PlainWish
from toolgym.sandbox.users.proposal_reading import UNTOUCHED, AnyWish
from toolgym.sandbox.users.seen import is_true
from toolgym.sandbox.users.slots import is_alike
from toolgym.sandbox.users.wish import Wish

_TO_COME = Prefiltered(
    r"\b(?:will|would|shall|can|could|may(?! \d)|might|should|must|let me|going to|about to|to be|please|if|once|after|"
    r"instead|new|becomes?|gets?|goes|moves?|then|also|as well|too|only|both|all|every|whole|not|no|without|"
    r"left (?:as|for|out|alone)|leaves?|stays?|remains?|keeps?|kept|un(?:changed|touched)|the other way)\b|"
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
_MARKET = re.compile(r"\W*(?:the )?(?:commission|best (?:bid|ask|offer)|last price|market price)\b")
"""What begins a line of what the world settles by itself: "Commission 0.1 %, at least $1"."""
_NUMBERED = re.compile(r"(?:^|\n)\W*\d+[.)]\W*$")
"""What stands before a line of a numbered list to choose from: "2. GYM293, 8:40 am: $164"."""
_BRACKETS = re.compile(r"\s*\(([^()]*)\)")
_FORMER = re.compile(
    r"\W*(?:current(?:ly)?|now|at present|previous(?:ly)?|before|formerly|until now|so far|was|were|old)\b"
)
_APART = re.compile(
    r",? (?:currently|presently|at the moment|right now|until now|so far)\b"
    r"[^.;?!()\n]*?(?=[,;.?!\n]|$)"
)
_FROM_TO = re.compile(r" from (?P<old>[^;?!\n]{2,80}?)(?= to )")
_IN_PLACE = re.compile(r",? (?:instead of|rather than|in place of) (?P<old>[^;?!.\n]{2,60}?)(?=[,;.?!\n]|$)")
_WHERE = re.compile(
    r",? where (?:there(?:'s| is| are)|you (?:already )?have|(?:it|they) already (?:is|are|has|have|lies?))\b"
    r"[^.;?!()\n]*?(?=[,;.?!\n]|$)"
)
"""What lies there already: "to your cart, where there are also two blue mediums"."""
_SEES = re.compile(r"\b(?:i )?can see\b")
_ANY_MORE = Prefiltered(r"\b(?:any(?:thing)?|something|another|other) (?:other |else)[^?]*\?|\banything else\b[^?]*\?")
_PAST = Prefiltered(
    r"\b(?:was|were|had|paid|originally|current(?:ly)?|now|at the moment|so far|until now|ends?|placed|used|today|"
    r"already|been|where)\b"
)
"""What shows that another value than the wished one is told of how things are."""
_FOUND = re.compile(
    r"\W*(?:(?:hi|hello|thanks?(?: you)?|ok|okay|great)\b[^.!]*[,!.] )?"
    r"(?:i(?:'ve| have)? (?:found|located|see)|you (?:currently |already )?(?:have|hold|own))\b"
)
"""What begins with what a look-up has shown: "I found INV-10274: 1 consulting day at $640.00"."""
_HOW_MUCH = frozenset(("count", "number", "duration", "time"))
"""Kinds of what is told of a thing that name no other one."""
_IS_SO = re.compile(r"\W*(?:\S+ ){1,4}(?:is|are|was|were|has|have)\b")
"""What begins with a noun that could be a verb: "Order O-90598 is a limit order"."""
_LEFT_ALONE = Prefiltered(
    r"\bnothing to [a-z]+\b|\bi(?:'d|'ll| would| will) (?:just )?leave\b[^a-z]*(?:$|then\b|for now\b|out\b)|"
    r"\bi(?:'d|'ll| would| will) (?:just )?leave [^.;,]* (?:as it is|as they are|alone)\b"
)
"""What says that nothing happens to a thing: "Campaign check-in: nothing to swap", "The one of March 7 I'd leave"."""
_COSTS = Prefiltered(r"\b(?:fees?|surcharges?|penalt(?:y|ies)|extra|additional(?:ly)?|charge[sd]?|premium)\b")
"""What is never told by the way: "There's a fee of $20 for this."."""
_WAS_PAID = re.compile(r"\b(?:was|were|been)\b[^.;]{0,30}\b(?:paid|charged)\b")
_LAST_FIGURES = re.compile(r"\d{4}")
_PRICED = re.compile(r"\$\d|\d:\d\d|\b\d+ ?[ap]m\b")
"""What an option to choose has and a step to take has not."""
_ARTICLES = frozenset(("a", "an", "the", "to", "from"))
_FIRST = re.compile(r"([a-z]+)")
_WORD = re.compile(r"[\w'.$#-]+\w|\w")


def to_the_point(heard: AgentAct, wish: AnyWish, wrong: Iterable[str], beside: Iterable[str]) -> AgentAct | None:
    """The message without what only tells how things are, where all that was objected to stands there; else None.

    Args:
        heard: the message.
        wish: what is wanted.
        wrong: what contradicts it, in the message's words.
        beside: what was not asked for.
    """
    kept, dropped = _parted(heard, wish)
    values, words = list(wrong), list(beside)
    if not kept or not (values or words) or not all(_is_in(each, dropped) for each in (*values, *words)):
        return None
    if not all(any(_is_in(each, part) and _tells_past(part) for part in dropped.split("\n")) for each in values):
        return None
    return parse_act(("\n" if any(each.listed for each in heard.sentences) else " ").join(kept))


def _tells_past(part: str) -> bool:
    """Whether words stand in brackets, or tell how things have been, so that they are no value to be set."""
    is_old = _PAST.search(part) is not None or _MARKET.match(part) is not None or _FOUND.match(part) is not None
    return is_old or part.lstrip(" ").startswith("(")


def without_former(heard: AgentAct) -> AgentAct | None:
    """The message without brackets that say how things have been; None where it has none: "(currently: ...)"."""
    plain = _BRACKETS.sub(lambda match: "" if _FORMER.match(match[1].lower()) else match.group(), heard.plain)
    return parse_act(plain) if plain != heard.plain else None


def _parted(heard: AgentAct, wish: AnyWish) -> tuple[list[str], str]:
    """What a message proposes, sentence by sentence, and what it only tells of how things are, and truly."""
    kept: list[str] = []
    dropped: list[str] = []
    for sentence, written in _clauses(heard):
        is_option = sentence.listed and _NUMBERED.search(heard.plain[: sentence.start]) is not None
        if _is_background(sentence, written, wish, is_option=is_option):
            dropped.append(written)
        else:
            brief, old = _without_old(written, wish)
            kept.append(brief)
            dropped += old
    return kept, "\n".join(dropped).casefold()


def _clauses(heard: AgentAct) -> Iterator[tuple[Sentence, str]]:
    """Sentences with what is written there; those that tell something are parted at their semicolons."""
    for sentence in heard.sentences:
        written = heard.plain[sentence.start : sentence.end]
        if ";" not in written or sentence.act != "tell":
            yield sentence, written
            continue
        start = sentence.start
        for part in written.split(";"):
            yield sentence._replace(text=part.lower().strip(), start=start), part.strip()
            start += len(part) + 1


def _is_in(words: str, text: str) -> bool:
    """Whether what was objected to stands in a text, as it is or as its plain words: "a fee", "instead of June 2"."""
    return words.casefold() in text or set(_WORD.findall(words.casefold())) - _ARTICLES <= set(_WORD.findall(text))


def _is_background(sentence: Sentence, written: str, wish: AnyWish, *, is_option: bool) -> bool:
    """Whether a sentence only tells how things are, leaves something else alone, or lists what there is to choose."""
    text = _SEES.sub("see", sentence.text)
    if sentence.act == "ask" and _ANY_MORE.search(text):
        return True
    if sentence.act != "tell" or _COSTS.search(text):
        return False
    if UNTOUCHED.search(text) or _LEFT_ALONE.search(text):
        named = list(_mentions(written, wish))
        return bool(named) and not any(_is_own(each, wish) for each in named)
    first = _FIRST.search(text)
    is_ordered = first is not None and first[1] in wish.world.doing and not _IS_SO.match(text)
    if is_ordered or promises(text) or _I_DID.search(text) or _TO_COME.search(text):
        return False
    if is_option:
        return _PRICED.search(text) is not None and _is_true(written, wish)
    if sentence.listed or ":" in text:
        is_shown = _OLD.match(text) or _MARKET.match(text) or (not sentence.listed and _FOUND.match(text))
        return bool(is_shown) and _is_true(written, wish)
    return _IS.search(text) is not None and _is_true(written, wish)


def _without_old(written: str, wish: AnyWish) -> tuple[str, list[str]]:
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
        inner = match.group(1).lower()
        is_told = _FORMER.match(inner) is not None or (_TO_COME.search(inner) is None and any(_mentions(inner, wish)))
        if not is_told or not _is_true(match.group(1), wish):
            return match.group()
        dropped.append(match.group())
        return ""

    def drop_place(match: re.Match[str]) -> str:
        if _COSTS.search(match.group().lower()):
            return match.group()
        dropped.append(match.group())
        return ""

    brief = _WHERE.sub(drop_place, _BRACKETS.sub(drop_brackets, written))
    for pattern in (_APART, _FROM_TO, _IN_PLACE):
        brief = pattern.sub(drop, brief)
    return brief, dropped


def _mentions(text: str, wish: AnyWish) -> Iterator[Mention]:
    yield from find_mentions(text, wish.person.lexicon if isinstance(wish, Wish) else wish.terms.lexicon, wish.now)
    yield from find_mentions(text, None, wish.now)


def _is_true(text: str, wish: AnyWish) -> bool:
    """Whether all that a text names is what an agent sees that looks up what the wish needs; no other row or choice."""
    was_paid = _WAS_PAID.search(text.lower()) is not None
    return all(
        (_tells_how_much(each, wish) or (was_paid and _tells_payment(each)) or is_true(each, wish))
        and not _is_another_row(each, wish)
        and not _is_choice_of(each, wish)
        for each in _mentions(text, wish)
    )


def _tells_how_much(mention: Mention, wish: AnyWish) -> bool:
    """Whether a mention names no other thing, whatever it says: a number, an hour, a day where no day is wished."""
    if mention.kind == "date" and isinstance(wish, PlainWish):
        return not wish.is_for_a_day
    return mention.kind in _HOW_MUCH


def _tells_payment(mention: Mention) -> bool:
    """Whether a mention says how much was paid or with which card, which nobody needs to know who pays otherwise."""
    return mention.kind == "money" or _LAST_FIGURES.fullmatch(mention.text) is not None


def _is_choice_of(mention: Mention, wish: AnyWish) -> bool:
    """Whether a mention is a value of what the wish chooses, so that telling it may say what will be done."""
    if not isinstance(wish, Wish):
        return any(column.startswith(CHOICE) for column in mention.columns)
    return any(slot.is_chosen(mention, wish.person) is not None for slot in wish.slots)


def _is_another_row(mention: Mention, wish: AnyWish) -> bool:
    """Whether a mention names a row of the sort that the wish is about, and not that one."""
    if not isinstance(wish, Wish):
        return mention.kind == "identifier" and not wish.explains(mention)
    is_called = any("." in column for column in mention.columns)  # by more than the form of its key
    return any(
        not slot.fits(mention, wish.person) and (is_called or (slot.table, str(mention.value)) in wish.person.rows)
        for slot in wish.slots
        if slot.table and is_alike(slot, mention)
    )


def _is_own(mention: Mention, wish: AnyWish) -> bool:
    """Whether a mention names something of the wish itself."""
    if not isinstance(wish, Wish):
        return mention.text.casefold() in wish.asked_for
    return any(slot.fits(mention, wish.person) for slot in wish.slots)


def _is_replaced(old: str, rest: str, wish: AnyWish) -> bool:
    """Whether the rest of a sentence names what the wish is to bring in place of something old of the same sort."""
    gone = list(_mentions(old, wish))
    if not gone or any(_is_own(each, wish) or each.text.casefold() in wish.asked_for for each in gone):
        return False
    sorts = {sort for each in _mentions(rest, wish) if _is_own(each, wish) for sort in (each.kind, *each.columns)}
    return _tells_record(rest, wish) or any(sort in sorts for each in gone for sort in (each.kind, *each.columns))


def _tells_record(text: str, wish: AnyWish) -> bool:
    """Whether a text has a fact of several parts word for word, such as an address."""
    facts = [slot.words for slot in wish.slots if isinstance(slot.fact.value, dict)] if isinstance(wish, Wish) else []
    return any(words.casefold() in text.casefold() for words in facts)
