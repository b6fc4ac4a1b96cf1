"""How far a proposal reaches: to less or more than is wanted, with the same action, thing and values.

Whether several are meant comes from the wish's words, its lists and the right calls; the wished thing that is said to
be only a part of what is done shows that another reach is meant.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from toolgym.sandbox.language.inflection import nouns_of
from toolgym.sandbox.language.numbers import spell
from toolgym.sandbox.language.prefilter import Prefiltered
from toolgym.sandbox.language.tokens import singular
from toolgym.sandbox.users.checks.call_terms import acting_calls
from toolgym.sandbox.users.checks.closed_classes import is_part
from toolgym.sandbox.users.checks.own_words import telling_words
from toolgym.sandbox.users.checks.proposal import Proposal
from toolgym.sandbox.users.checks.skipping import only_where
from toolgym.sandbox.users.goal_words import TIMES
from toolgym.sandbox.users.proposal_reading import AnyWish, is_left
from toolgym.sandbox.users.wish import Wish

_ALL = Prefiltered(
    r"(?<![\w-])(all(?! (?:right|good|set|fine|clear)\b)|every|both|each|entire|whole|everything)\b"
    r"((?:[ -](?:of|the|your|my|our|those|these|other|else|single|one)\b)*)"
    r"((?: (?:two|three|four|five|six|\d+) of (?:the|your|my))?(?: [a-z-]+){0,4})"
)
_QUANTIFIED = re.compile(
    r"\b(?:all|both|every|each|entire|whole)(?: of)?(?: the| my| our| those| these)? ([a-z-]+(?: [a-z-]+){0,2})"
)
_UP_TO = re.compile(r"^ and\b")
"""What ends what "both" is said of at once: "shall I add both and charge it"."""
_NOT_ALL = Prefiltered(r"\bnot (?:the |your |for |cancel )?$")
_WISHED_FOR = re.compile(
    r"(?:(?: item)? (?:changes|modifications))?(?: that| which)? (?:you(?:'d| would|'ve| have)?|to be)(?: [a-z]+)? "
    r"(?:want|wish|like|need|intend|plan|asked|requested|listed|mentioned|chosen|modified|exchanged|returned|changed)\w*\b"
)
"""What limits "all items" to the wish: "all the items that you want to exchange"."""
_LISTED = Prefiltered(r"\b(?:provided|listed|included|given|mentioned|named|selected|specified|told me)\b[^.;]*$")
_LOOKED = Prefiltered(
    r"\b(?:went|gone|go|going|looked|looking|searched|checked|checking|compared|comparing|reviewed|been)"
    r"(?: through| at| over)? $"
)
"""What is only looked at: "I went through all your open orders"."""
_THERE_IS = re.compile(
    r" (?:(?:that|which) )?(?:still |is still )?(?P<what>(?:(?:you|they) (?:own|hold|have)|is|are|was|'s|in|on|open|"
    r"due|left|unpaid|outstanding)\b[^.;,()]*)"
)
_WHAT_IS = re.compile(r"\bwhat(?:'s| is| was) (?:still )?([^.;,]*)|\b(?:every cent|all|rest|completely)\b([^.;,]*)")
_WHERE = frozenset("in on from of you that to for at by with".split())
_ARE = frozenset("is are was were has have had will would get got".split())
_REST = frozenset("ones others rest remaining later following future subsequent".split())
_UNLIMITED = Prefiltered(r"\b(?:wherever|whatever|everything that i|all that i)\b")
_AFTER = frozenset("later following subsequent future remaining".split())
_PART = Prefiltered(
    r"\b(?:just|only)(?: for)? (?:the |one |a |your |of |one of )*(?:single |first |second |last )?(?!to\b)([a-z]+)\b"
)
_PARTS = frozenset("outbound return inbound way leg half part item seat".split())
_OF_WHOLE = re.compile(
    r"(?: ?[a-z-]+)?? ?(?:of|in|on) (?:the |your |this |that )?(?:(?:[a-z]+ )?#?[a-z]*-?\d|(?P<thing>[a-z]+)\b)"
)
"""A part of one thing: "all flights of BB3S74", "everything in your cart"."""
_AS_WANTED = re.compile(
    r"[^.;,]{0,20}\byou(?:'d like|'d want| would like| want(?:ed)?| asked| mentioned| named| chose)\b"
)
_MANY = Prefiltered(
    r"\b(?:all|both|every|everywhere|everything|each|whole|entire|later|follow|following|further|subsequent|series|onwards?|"
    r"after|rest|wherever|throughout|any)\b"
)
_OTHERS_STAY = Prefiltered(
    r"\b(?:keep\w*|leav\w+|drop\w*|skip\w*|hold\w* on to) the (?:rest|remainder|others|older|newer|other)\b|"
    r"\b(?:others?|rest|remaining|remainder|(?:later|following|next) (?:ones?|events?|dates?))\b[^.;]*"
    r"\b(?:stays?|remains?|carry|carries|continues?|goes on|go on|"
    r"unchanged|untouched|unaffected|kept|as (?:it|they) (?:is|are))\b"
)
_ENDING = frozenset(("cancel", "call off", "terminate", "void"))
"""Verbs after which nothing of a thing is left."""
_KEPT_PART = Prefiltered(
    r"\b(?:you|and|would|we|i(?:'d|'ll)?|while|the rest|rest of [a-z ]+|yours) (?:would |will |to |of [a-z ]+ )?"
    r"(?:keep(?:s|ing)?|stays?|remains?)\b(?! (?:in mind|as (?:it|they|is)|on (?:file|record)))|"
    r"\bkeep(?:ing)? (?:the rest|shipping)|"
    r"(?<!\bthe )\bonly (?:for )?(?!once|if|when|be|before|after|until|while|one|thing|possible|\$?\d|want|need|reason)"
    r"(?!the (?:one|order|reason|thing))(?:the |your )?[a-z]+"
)
"""What says that something of a whole stays, or goes alone."""
_KEPT_ELSE = Prefiltered(
    r"\b(?:other|others|else|unaffected|access|records?|history|copy|until|account|profile|everything|can only|"
    r"only be)\b"
)
_INSIDE_AFTER = Prefiltered(
    r"[\"'*_`)]*,? ?(?:(?:is|are) )?(?:also )?(?:included|among them|in it|inside(?: it)?|therein|"
    r"and all(?! (?:the )?(?:later|following|subsequent|future|others|after)))\b"
)
_INSIDE_BEFORE = re.compile(
    r"\b(?:including|along with|together with|which includes|that includes|with) (?:the |your |its )*(?:[a-z]+ )?$"
)
_SPAN = re.compile(r"\d (?:to|through|until|up to|–|-) [a-z]*-?\d|\ball\b")
_DENIED = Prefiltered(r"\b(?:no|without|not|instead of)\b")
"""What stands before a thing that there is not to be."""
_EVERY = Prefiltered(r"\b([Aa]ll|[Ee]very|[Bb]oth) (?:of )?(?:the |your )?([A-ZÀ-Þ][\w'-]+)")


@only_where(_ALL)
def too_much(proposal: Proposal, wish: AnyWish) -> Iterator[str]:
    """More than the one thing that is meant: "all your accounts", "the whole cart"."""
    for line in proposal.acting:
        text = line.sentence.text
        for match in _ALL.finditer(text):
            word, of, after = match.groups()
            words = _UP_TO.split(after)[0].split()
            if words and words[0] in _ARE:
                continue  # "Both are marked as read now": those that have been spoken of
            nouns = _things_of(word, words, wish)
            if not words or not (nouns or (word == "everything" and words and words[0] in _WHERE)):
                continue
            if not (_is_usual(word, of, words, nouns, wish) or _is_limited(text, match, words, wish)):
                end = words.index(nouns[0]) + 1 if nouns else 0
                yield " ".join((word + of, *words[:end])).strip()


def _things_of(word: str, words: list[str], wish: AnyWish) -> list[str]:
    """The things among the words after "all"."""
    named = [each for each in words if each not in _WHERE]
    things = [each for each in named if wish.world.is_thing(each) or each in _REST or _is_several(word, each, wish)]
    if not things and not wish.quantifiers and _is_counted(wish):
        things = [each for each in named if singular(each) in wish.asked_for.split()]  # "all" where two are missing
    return things


def _lists_parts(wish: Wish) -> bool:
    """Whether the right call is given some parts by their keys, such as the items of an order."""
    return any(isinstance(value, list) and name.endswith("_ids") for name, value in wish.arguments)


def _is_usual(word: str, of: str, words: list[str], nouns: list[str], wish: AnyWish) -> bool:
    """Whether a wish itself is about all of what is named: "all five messages", "place both orders"."""
    first = singular(nouns[0]) if nouns else ""
    if words[0] in TIMES or any(words[0] in (str(len(keys)), spell(len(keys))) for keys in wish.several):
        return True  # "each month": how often
    if _AFTER & {word, *words} and "follow" in wish.asked_for:
        return True  # "every following event"
    own = wish.goal.utterance.lower()
    is_so = "you" not in words[:-1] or words[words.index("you") + 1] in own.split()
    is_theirs = bool(nouns) and "your" not in of and first not in wish.singles and is_so
    if is_theirs and _UNLIMITED.search(own):
        return True  # "every event that you organise" for "whatever I organise"
    if word in ("whole", "entire") and first in wish.singles and isinstance(wish, Wish) and _lists_parts(wish):
        return False  # "the whole order" where some of its items are to be returned
    if word == "both" and (acting_calls(wish) if isinstance(wish, Wish) else len(wish.goal.calls)) == 2:
        return True
    if word == "every" and "you" not in words and first in wish.asked_for.split() and "all" in wish.quantifiers:
        return True
    if word == "everything" and f"{word} {words[0]}" in wish.phrasing:
        return True
    if nouns and (first in wish.counted or wish.held.are_all_meant(first)):
        return True
    if word in ("whole", "entire") and nouns and singular(nouns[-1]) in wish.singles and not wish.is_many:
        return True
    if word in ("whole", "entire") and nouns and singular(nouns[-1]) in wish.called and _is_told_by_itself(wish):
        return True  # "the whole trip", where a trip is cancelled
    if word in ("whole", "entire") and "all" in wish.quantifiers and nouns and first in own.split():
        return True  # "your whole holding" for "all of my holding"
    is_meant = word in wish.quantifiers and ("your" not in of or wish.is_many)
    return is_meant and not ("your" in of and first in wish.singles)


def _is_told_by_itself(wish: AnyWish) -> bool:
    """Whether nothing but one row and a reason tells the wish, so that no part of it may be meant alone."""
    slots = [slot for slot in wish.slots if "reason" not in slot.fact.name] if isinstance(wish, Wish) else []
    return len(slots) == 1 and bool(slots[0].table) and len(slots[0].keys) == 1


def _is_limited(text: str, match: re.Match[str], words: list[str], wish: AnyWish) -> bool:
    """Whether what stands around "all ..." limits it to the wish, or says that nothing is done to it."""
    start, end, at = match.start(), match.end(), match.start(3)
    return (
        words[:2] == ["in", "order"]  # "Is everything in order?"
        or _is_of_its_own(text, at, words, wish)
        or _AS_WANTED.match(text, match.end(1)) is not None
        or _WISHED_FOR.match(text, at + len(words[0]) + 1) is not None
        or _LISTED.search(text[:start]) is not None
        or _LOOKED.search(text[:start]) is not None
        or (match.group(1) == "everything" and _is_all_there_is(text, match.end(1), wish))
        or _NOT_ALL.search(text[:start]) is not None
        or is_left(text, start, end)
    )


def _is_of_its_own(text: str, at: int, words: list[str], wish: AnyWish) -> bool:
    """Whether all that is spoken of belongs to the wished thing, of which no part is named apart.

    Args:
        text: of the sentence, in lower case.
        at: where what follows "all" begins.
        words: those that follow it.
        wish: what is wanted.
    """
    if words[:1] in ([], ["it"], ["them"]):
        return False
    said = [word for each in _QUANTIFIED.findall(wish.asked_for) for word in each.split()]
    if words[0] in said or (words[-1] in said and not {*map(singular, words)} & _named(wish)):
        return True  # "all of your transport position" for "all of my transport holding"
    if {*map(singular, words)} & _named(wish):
        return False
    if _is_counted(wish):
        return False
    if singular(words[0]) in _PARTS and wish.singles:
        return True  # "both legs" of the one trip
    if isinstance(wish, Wish) and _is_told_by_itself(wish) and is_part(words[0], wish):
        return True  # "both flights between Miami and Denver", where a trip is cancelled
    whole = _OF_WHOLE.match(text, at)
    is_own = whole is not None and (whole["thing"] or "") in wish.asked_for.split()
    return whole is not None and (whole["thing"] is None or (is_own and wish.world.is_thing(whole["thing"])))


def _is_all_there_is(text: str, at: int, wish: AnyWish) -> bool:
    """Whether "everything that is open" is what the wish calls "what is open", or "all my shares"."""
    after = _THERE_IS.match(text, at)
    if after is None:
        return False
    said = set(after["what"].split()) - {"the", "your", "is", "that", "in", "on"}
    for match in _WHAT_IS.finditer(wish.asked_for):
        if match.group(1) is None and "you" in said:
            return True
        if said & set((match.group(1) or match.group(2) or "").replace("my", "your").split()):
            return True
    return False


def _is_counted(wish: AnyWish) -> bool:
    """Whether a wish says how many."""
    return isinstance(wish, Wish) and any(slot.kind == "number" for slot in wish.slots)


def _named(wish: AnyWish) -> set[str]:
    """The words by which the facts of a wish go."""
    return {singular(part) for fact in wish.goal.facts for part in fact.name.split("_")}


def _is_several(word: str, noun: str, wish: AnyWish) -> bool:
    """Whether what the user calls its thing is meant several times: "every mail", not "all of your holding"."""
    return noun in wish.called and (word != "all" or noun in ("money", "balance"))


@only_where(_PART)
def too_little(proposal: Proposal, wish: AnyWish) -> Iterator[str]:
    """Only a part of what is meant: "just the outbound leg"."""
    for match in (found for line in proposal.acting for found in _PART.finditer(line.sentence.text)):
        word = match.group(1)
        is_part = word in _PARTS or (wish.world.is_thing(word) and singular(word) not in wish.singles)
        if is_part and word not in wish.phrasing:
            yield match.group()


@only_where(_EVERY)
def every_such(proposal: Proposal, wish: AnyWish) -> Iterator[str]:
    """What is done to each of several things where one was meant: "all Roadmap workshops"."""
    for match in () if wish.is_many else _EVERY.finditer(proposal.plain):
        if match.group(2).lower() in telling_words(wish) and match.group(1).lower() not in wish.quantifiers:
            yield match.group()


def _ends_whole(wish: Wish) -> bool:
    """Whether one row is to end as a whole, such as an order that is cancelled."""
    rows = [slot for slot in wish.slots if slot.table]
    told = all(slot.table or "reason" in slot.fact.name for slot in wish.slots)
    ends = not _ENDING.isdisjoint(wish.world.verbs(wish.kind))
    return ends and told and len(rows) == 1 and len(rows[0].keys) == 1 and wish.is_one_call


@only_where(_KEPT_PART)
def kept_parts(proposal: Proposal, wish: Wish) -> Iterator[str]:
    """A part of what is to end as a whole, said to go alone or to stay: "only the Hoodie", "yours stays booked"."""
    if not (_KEPT_PART.search(proposal.text) and _ends_whole(wish)):
        return
    for clause in proposal.line_clauses:
        match = _KEPT_PART.search(clause)
        if match is not None and not _KEPT_ELSE.search(clause) and match.group() not in wish.asked_for:
            yield match.group()


@only_where(_DENIED)
def denied_further(proposal: Proposal, wish: Wish) -> Iterator[str]:
    """What a further call of the wish brings, said to be none: "there'd be no compensation"."""
    own = {wish.declared.tool.name} if wish.declared else set[str]()
    tools = {call.name for call in wish.goal.calls} - own if own and wish.further_verbs else set[str]()
    things = {part for name in tools for part in name.split("_")[1:]}
    things |= {noun for verb in wish.further_verbs if tools for noun in nouns_of(verb)}
    for thing in sorted(things):
        match = re.search(rf"\b(?:no|without|not|instead of)(?: an?| any| the)? {re.escape(thing)}\b", proposal.text)
        if match is not None:
            yield match.group()


def only_some(proposal: Proposal, wish: Wish) -> Iterator[str]:
    """Some of the things by their keys where more of their sort are meant."""
    for keys in wish.several:
        named = [key for key in keys if re.search(rf"\b{re.escape(key.casefold())}\b", proposal.text)]
        if named and len(named) < len(keys) and not _SPAN.search(proposal.text):
            yield f"only {' and '.join(named)}"
        for mention in proposal.named:
            rows = (wish.person.named(column, str(mention.value)) for column in mention.columns)
            if not frozenset[str]().union(*rows).isdisjoint(keys) and (
                proposal.text.startswith((" only", " alone"), mention.end)
            ):
                yield f"only {mention.text}"


@only_where(_OTHERS_STAY)
def others_left(proposal: Proposal, wish: Wish) -> Iterator[str]:
    """The rest said to stay as it is where several are meant: "the others carry on"."""
    match = _OTHERS_STAY.search(proposal.text)
    if match is not None and (wish.is_many or _MANY.search(wish.asked_for)):
        rest = " ".join(_OTHERS_STAY.sub(" ", proposal.text).split())
        if not _MANY.search(rest):
            yield match.group()


@only_where(_INSIDE_AFTER)
def as_a_part(proposal: Proposal, wish: Wish) -> Iterator[str]:
    """The wished thing named as a part of a larger one: "the folder, with list.txt in it"."""
    for mention in proposal.named if not wish.is_many else ():
        after = _INSIDE_AFTER.match(proposal.text, mention.end)
        if after is None or not wish.referred(mention):
            continue
        is_led = _INSIDE_BEFORE.search(proposal.text[: mention.start]) is not None
        if is_led or not after.group().strip().startswith(("in it", "inside")):
            yield mention.text
