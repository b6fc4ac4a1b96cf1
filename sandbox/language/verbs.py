"""What an agent says that it does: verbs in all their forms, and where a word is a verb and no noun.

English only; which verbs a world's actions go by is passed in. A verb of doing that nobody declared still counts as
one, so that a promise to close something is never taken for the move that was asked for.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from functools import lru_cache
from typing import Literal, NamedTuple

from toolgym.sandbox.language.actions import further_nouns, parted
from toolgym.sandbox.language.asides import BE, CUTS, clause_around, is_aside, is_duty, is_in_another_case
from toolgym.sandbox.language.inflection import Form, forms, nouns_of
from toolgym.sandbox.language.tokens import Token, low_at, touches, words_at
from toolgym.sandbox.language.verb_lists import CARRYING, CONSENTING, DOING, HANDLING, LIGHT, NEUTRAL, SETTLING

Weight = Literal["firm", "near", "loose"]

_REPLYING = CONSENTING - frozenset("approve accept agree authorize acknowledge".split())
_SOFT = NEUTRAL | CONSENTING
_IDIOMS = (
    "take care", "make sure", "make that", "get it", "get that", "get a", "do it", "do that", "do this", "go ahead",
    "let you", "let me", "tell you", "tell me", "need your", "have your", "know if", "need a", "give me", "say the",
)  # fmt: skip
"""Promises of a neutral verb that are no action of their own, even where a world has that verb."""
_NOT_VERBS_AFTER = frozenset(
    "the a an your my our his her their this that these those of each any no every some its in on at another".split()
)
_LICENSES = frozenset(
    "i i'll i'd i'm we we'll we'd we're will would shall should can could may might to me please and then also now not "
    "just let's or , : ; - * • instead first next finally ahead never cannot can't won't don't you both it".split()
)
"""Words after which a base form is a verb; a sentence's beginning is one as well."""
_PARTICLES = frozenset("off out up down over back on away in".split())
_NOUN_FOLLOWS = frozenset(": of details summary amount request date number type id is was has will fee".split())
"""What follows a word at a sentence's beginning that is a noun: "Transfer of $80", "Payment details:"."""
_JOINING = frozenset(("and", ",", "or", ";", "+", "&", "plus"))
_OBJECTS = frozenset(
    "the a an your my our his her their its this that these those it them all any another both each every you "
    "one".split()
)
_INTRODUCES = (
    "i'll", "i will", "i'd", "i would", "i am going to", "i'm going to", "going to", "about to", "want me to",
    "like me to", "need me to", "wish me to", "for me to", "shall i", "should i", "may i", "can i", "let me", "i can",
    "i could", "we'll", "we will", "plan is to", "would be to", "ok if i", "okay if i", "fine if i", "alright if i",
)  # fmt: skip
"""What stands before the verb of a promise or an offer."""
_BY_LAST: dict[str, list[tuple[str, int]]] = {}
for _phrase in _INTRODUCES:
    _BY_LAST.setdefault(_phrase.split(" ")[-1], []).append((_phrase, _phrase.count(" ") + 1))
_ADVERBS = frozenset(
    "now then just also please first therefore thus hence next happily gladly quickly so still".split()
)
_CAVEAT = re.compile(r"\b(?:until|unless|without|before|yet)\b")


_MESSAGES = frozenset("message messages note notes email e-mail confirmation notification word copy".split())
_SPEAKERS = frozenset("i we i'll we'll i'm we're i'd will would shall".split())
_QUOTING = frozenset(("'", '"', "“"))
_RESIZED = frozenset("lowered raised increased reduced shortened extended halved doubled".split())
_OF_A_THING = frozenset("amount price total id number date type status name code value details".split())
_SUMS = frozenset("amount amounts money difference sum refund balance $".split())
_MOVING = frozenset(("move", "issue", "send", "ship"))
_STARTING = frozenset(("begin", "start"))
_GOING = frozenset("go goes going gone".split())


class Other(NamedTuple):
    """A word for another action, and how surely it is one.

    Attributes:
        text: the word.
        weight: `firm`; `near` where it may stand for the wanted action if that is named with it; `loose` where it
            decides nothing if all the rest is right.
    """

    text: str
    weight: Weight


class Use(NamedTuple):
    """A verb where it stands: its base form, the form used, and whether it is denied."""

    base: str
    form: Form
    at: int
    negated: bool


@lru_cache(maxsize=256)
def _table(bases: frozenset[str]) -> Mapping[str, tuple[str, Form]]:
    found: dict[str, tuple[str, Form]] = {}
    for base in sorted(bases):
        for form, kind in forms(base).items():
            found.setdefault(form, (base, kind))
    return found


@lru_cache(maxsize=256)
def _with_doing(known: frozenset[str]) -> Mapping[str, tuple[str, Form]]:
    return _table(known | DOING)


def own_verb(tokens: list[Token], bases: frozenset[str], negated: frozenset[int]) -> Use | None:
    """The first use of one of these verbs, else of what their action is called, anywhere in a sentence."""
    table, phrases, named = _table(bases), parted(tokens), None
    for index, token in enumerate(tokens):
        known = table.get(token.low)
        if known and low_at(tokens, index + 1) in ("card", "cards"):
            known = None  # "credit card"
        if index in phrases:
            known = (phrases[index], known[1] if known else "base") if phrases[index] in bases else None
        if known and known[1] == "base" and low_at(tokens, index - 1) in _NOT_VERBS_AFTER:
            named = named or Use(known[0], "noun", index, False)  # "your credit card"
        elif known and not words_at(tokens, index, "let me", "let us") > index:
            return Use(known[0], known[1], index, index in negated)
        if named is None and token.kind == "word" and index not in negated and index not in phrases:
            base = _noun_for(token.low, bases)
            named = Use(base, "noun", index, False) if base else None
    return named


@lru_cache(maxsize=8192)
def _noun_for(word: str, bases: frozenset[str]) -> str | None:
    """The verb whose action a word names."""
    return next((base for base in sorted(bases) if _is_called(word, base)), None)


def _is_called(word: str, base: str) -> bool:
    return word in nouns_of(base) or word in further_nouns(base)


def other_verbs(
    tokens: list[Token],
    own: frozenset[str],
    known: frozenset[str],
    nouns: frozenset[str],
    negated: frozenset[int],
    *,
    listed: bool = False,
    asks: bool = False,
    near: frozenset[str] = frozenset(),
) -> Iterator[Other]:
    """Words for other actions in a sentence that promises or proposes: declared ones, verbs of doing, unknown ones.

    Args:
        tokens: the sentence.
        own: base forms of the verbs that are wanted.
        known: base forms of the world's other verbs.
        nouns: what the world's things are called; "order" is a thing where the world has orders.
        negated: positions inside a denial; what is denied is not promised.
        listed: it is a line of a list, which may begin with a label.
        asks: it asks for agreement.
        near: other verbs that often stand for the wanted ones.
    """
    mine, phrases, table = _table(own), parted(tokens), _with_doing(known)
    label = _label_end(tokens) if listed else 0
    if tokens and tokens[-1].low == "!" and not any(token.low in _SPEAKERS for token in tokens):
        return  # "Moving to the city!"
    for index, token in enumerate(tokens):
        if token.kind != "word" or index in negated or index < label or _does_nothing(tokens, index):
            continue
        if index in phrases and asks and token.low in CONSENTING:
            continue  # "please reply 'yes' to continue"
        if index in phrases:
            aside = is_aside(tokens, index, token.low) or is_duty(tokens, index) or is_in_another_case(tokens, index)
            if phrases[index] not in own and not aside and token.low not in _GOING:
                is_of_it = low_at(tokens, index + 1) in ("it", "that", "this", "them")
                yield Other(token.text, "firm" if phrases[index] in table and not is_of_it else "loose")
            continue
        found = table.get(token.low)
        if token.low in mine or (token.low in nouns and not (found and found[0] in known and _acts_on(tokens, index))):
            continue
        base = found[0] if found else token.low
        if found is None and (base in NEUTRAL or not _is_promised(tokens, index)):
            continue  # most words
        if (
            low_at(tokens, index + 1) == ":"
            or is_aside(tokens, index, base)
            or words_at(tokens, index, *_IDIOMS) > index
        ):
            continue
        if asks and base in CONSENTING:  # "do you accept?" is no action, "before I accept the room" is one
            is_other = base in known and _is_the_speakers(tokens, index)
        elif asks and base in _SOFT:  # what people are asked to do, or what agents do anyway
            theirs = base in known - LIGHT and _is_the_speakers(tokens, index)  # "before I charge the card"
            is_other = found is not None and (theirs or _is_promised(tokens, index))
        elif found:
            is_other = _is_verb(tokens, index, found[1], nouns) and not is_duty(tokens, index)
            is_other = is_other and not (
                found[1] == "past" and (base in SETTLING or _is_of_money(tokens, index, base, known))
            )
            is_other = is_other and not (base in _STARTING and low_at(tokens, index + 1) in CUTS)
        else:
            is_other = base not in NEUTRAL and _is_promised(tokens, index)
        if is_other and not _is_of_own_noun(tokens, index, own) and not _is_message(tokens, index, base):
            yield Other(token.text, _weight(tokens, index, base, found is not None, base in known, base in near))


_SO = frozenset("empty open clear free live ready complete".split())


def _does_nothing(tokens: list[Token], index: int) -> bool:
    """Whether a word is part of a name ("server-upgrade.xlsx"), of "going to", or says how a thing is ("be empty")."""
    word, after = tokens[index].low, tokens[index + 1] if index + 1 < len(tokens) else None
    if word == "going" and after is not None and after.low == "to":
        return True
    if word == "both" or (word in _SO and low_at(tokens, index - 1) in BE):
        return True
    is_tail = touches(tokens, index) and tokens[index - 1].low in ("-", "_")
    is_head = after is not None and after.low in (".", "_") and index + 2 < len(tokens) and touches(tokens, index + 2)
    return (is_tail and low_at(tokens, index - 2) not in _PREFIXES) or (is_head and touches(tokens, index + 1))


_PREFIXES = frozenset("re un co pre de auto".split())


def _weight(tokens: list[Token], index: int, base: str, is_known: bool, is_declared: bool, is_near: bool) -> Weight:
    is_further = (
        tokens[index + 2].kind == "num" or tokens[index + 2].low.startswith("$") if index + 2 < len(tokens) else False
    )  # "and sending them 1 cent"
    if not is_known or (_is_of_it(tokens, index, base) and not is_further):
        return "loose"
    if low_at(tokens, index - 1) in _JOINING and index > 1:
        return "firm"  # "resume the line and add 2 GB"
    if is_declared:
        return "near" if is_near or base in LIGHT else "firm"
    return "loose" if is_near or base in LIGHT else "firm"


def _is_of_own_noun(tokens: list[Token], index: int, own: frozenset[str]) -> bool:
    """Whether the verb only carries a noun for the wanted action: "file a dispute", "send that response"."""
    if tokens[index].low not in _table(CARRYING):
        return False
    for at, token in enumerate(tokens[index + 1 : index + 6], index + 1):
        if token.low in _JOINING or token.low in (".", "for", "to", "from"):
            return False
        if any((_is_called(token.low, verb) and token.low not in forms(verb)) or token.low == verb for verb in own):
            return True
        if token.kind == "word" and tokens[at - 1].low in _QUOTING and any(token.low in forms(verb) for verb in own):
            return True  # "I send a 'declined'"
    return False


def _is_of_money(tokens: list[Token], index: int, base: str, known: frozenset[str]) -> bool:
    """Whether it is only the money that goes somewhere: "the refund is issued"."""
    return (base == "return" or (base in _MOVING and base not in known)) and bool(
        _SUMS & set(clause_around(tokens, index))
    )


def _is_message(tokens: list[Token], index: int, base: str) -> bool:
    """Whether it is only a message that is sent."""
    after = {low_at(tokens, index + step) for step in (1, 2, 3)}
    return base in ("send", "write", "drop", "leave", "give") and bool(after & _MESSAGES)


_OF_IT = frozenset("it that this them these everything both".split())


def _is_of_it(tokens: list[Token], index: int, base: str) -> bool:
    """Whether the verb is done to what was named before: "shall I send it?"."""
    return base in HANDLING and low_at(tokens, index + 1) in _OF_IT


def _label_end(tokens: list[Token]) -> int:
    """Where the label of a line such as "Transfer amount: $80" ends; 0 without one."""
    for index, token in enumerate(tokens[:6]):
        if token.low == ":":
            return index
    return 0


def _is_verb(tokens: list[Token], index: int, form: Form, nouns: frozenset[str]) -> bool:
    """Whether a word that can be a verb is one here."""
    before, after = low_at(tokens, index - 1), tokens[index + 1] if index + 1 < len(tokens) else None
    if form == "past":
        if before in _JOINING:
            is_short = before != "," and after is not None and after.low in ("to", "by")  # "30 min and pushed to 3 pm"
            return is_short or any(low_at(tokens, at) in BE for at in range(max(index - 4, 0), index))
        if tokens[index].low in _RESIZED and after is not None and after.low in ("to", "by"):
            return True  # "its amount lowered to $99.99"
        return before in BE and low_at(tokens, index - 2) not in ("have", "has", "already")
    if before in _NOT_VERBS_AFTER or (before == "you" and tokens[index].low in ("pay", "save")):
        return False
    if all(token.kind not in ("word", "num", "id") for token in tokens[:index]):
        return after is not None and after.low not in _NOUN_FOLLOWS
    if before in _JOINING:
        is_participle = before == "," and tokens[index].low in ("put", "set", "cut", "split")
        is_labelled = low_at(tokens, index + 2) == ":"  # "and sell title: the kettle, price: $75"
        return after is not None and not is_participle and (is_labelled or _begins_object(after, nouns))
    return before in _LICENSES or before.endswith("ly") or before.endswith("n't")


def _acts_on(tokens: list[Token], index: int) -> bool:
    """Whether a thing's name is a verb before what it is done to: "hold 1 of sku 741", "order the lamp"."""
    if low_at(tokens, index - 1) in _NOT_VERBS_AFTER:
        return False
    if low_at(tokens, index - 1) == "i":
        return True
    after = low_at(tokens, index + 1)
    if low_at(tokens, index + 2) == ":" and after not in _OF_A_THING:
        return True  # "to confirm: bid listing: the kettle"
    counts = index + 1 < len(tokens) and tokens[index + 1].kind == "num" and low_at(tokens, index + 2) == "of"
    return after in _OBJECTS or counts or after.startswith("$") or _is_promised(tokens, index)


def _begins_object(token: Token, nouns: frozenset[str]) -> bool:
    """Whether a word after a verb can begin what is done to: "the", "$80", "Rosa", "card K-98", "off"."""
    return (
        token.low in _OBJECTS
        or token.low in _PARTICLES
        or token.low in nouns
        or token.kind != "word"
        or token.text[0].isupper()
    )


def _is_promised(tokens: list[Token], index: int) -> bool:
    """Whether the word stands where the verb of a promise stands: "I'll now X", "want me to X"."""
    before = low_at(tokens, index - 1)
    if before not in _BY_LAST and before not in _ADVERBS and not before.endswith("ly"):
        return False  # most words
    if tokens[index].low in _ADVERBS or tokens[index].low.endswith("ly") or tokens[index].low == "not":
        return False
    start = index
    while start > 0 and (low_at(tokens, start - 1) in _ADVERBS or low_at(tokens, start - 1).endswith("ly")):
        start -= 1
    phrases = _BY_LAST.get(low_at(tokens, start - 1), [])
    return bool(phrases) and any(words_at(tokens, start - length, phrase) == start for phrase, length in phrases)


def _is_the_speakers(tokens: list[Token], index: int) -> bool:
    """Whether it is the speaker who does it: "before I accept the room", "you want me to accept it"."""
    return low_at(tokens, index - 1) == "i" or [low_at(tokens, index - 2), low_at(tokens, index - 1)] == ["me", "to"]


def is_the_listeners(tokens: list[Token], use: Use) -> bool:
    """Whether a verb in a request for agreement is what the listener does to agree: 'Reply "yes"', "do you accept?"."""
    if low_at(tokens, use.at - 1) == "you":
        return use.base in CONSENTING
    is_the_speakers = _is_the_speakers(tokens, use.at) or _is_promised(tokens, use.at)
    return tokens[use.at].low in _REPLYING and not is_the_speakers


@lru_cache(maxsize=1024)
def promises(text: str) -> bool:
    """Whether a sentence in lower case says what the speaker will do, or asks for leave to do it."""
    return any(words in text for words in _INTRODUCES)


def is_denied(text: str, use: Use) -> bool:
    """Whether a sentence says that its action will not be done; "I won't do it until you agree" does not."""
    return use.negated and not _CAVEAT.search(text)
