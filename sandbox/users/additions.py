"""What a proposal adds to a wish, or takes of it: "all your accounts", a fee, another sort of thing, only a part."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from sandbox.language.mentions import find_mentions
from sandbox.language.tokens import singular
from sandbox.users.proposal_reading import AnyWish, Line
from sandbox.users.wish import TIMES

_ALL = re.compile(
    r"\b(all|every|both|each|entire|whole|everything)\b((?:[ -](?:of|the|your|my|our|those|these|other|else|single|one)"
    r"\b)*)((?: [a-z-]+){0,3})"
)
_NOT_ALL = re.compile(r"\bnot (?:the |your |for |cancel )?$")
_WHERE = frozenset("in on from of you that".split())
_NAME = re.compile(r"(?<![.!?:|\n] )(?<![\w|*\n-])(?<!^)[A-ZÀ-Þ][a-zà-ÿ]+(?: [A-ZÀ-Þ][a-zà-ÿ]+)+(?![\w*]*\s*[:|])")
TITLES = frozenset(
    "mr mrs ms dr dear hi hello thanks thank great perfect please shall yes no ok okay and or the your new total from "
    "to on at in for with amount date time name reason details summary action status account order address january "
    "february march april may june july august september october november december monday tuesday wednesday thursday "
    "friday saturday sunday street avenue lane road drive apt united states usa i".split()
)
_REST = frozenset("ones others rest remaining later following future subsequent".split())
_FEE = re.compile(r"\b(?:fees?|surcharges?|service charges?|penalt(?:y|ies)|commissions?|extra charges?)\b")
_OWN_FEE = re.compile(r"\bfees?\b")
_NO_FEE = re.compile(
    r"\b(?:no|without|zero|usual|standard|regular|monthly|holding|waiv\w+|free of|any|"
    r"\$0(?:\.00)?)(?: \w+){0,2} (?:fees?|"
    r"surcharges?|charges?|penalt\w+|"
    r"commissions?)|"
    r"(?:fees?|charges?)\W+(?:none|no\b|\$?0(?:\.00)?\b|(?:is|are|will be) waived|does|don't|do not|won't)"
)
_PART = re.compile(
    r"\b(?:just|only)(?: for)? (?:the |one |a |your |of |one of )*(?:single |first |second |last )?(?!to\b)([a-z]+)\b"
)
_CERTIFICATE = re.compile(r"\b(?:from|with|by) (?:your|the|a) (?:travel )?certificates?\b")
_INSTEAD = re.compile(r"\b(?:store credit|coupons?|loyalty points|replacement|new one)\b")
_AS = re.compile(
    r"\bas (?!need|request|discuss|agree|list|sav|mention|expect|plan|want|ask|describ|stat|not|stor|record|confirm)"
    r"(?:being |reported )?([a-z]{3,}(?:ed|en))\b"
)
_DUTY = re.compile(r"\b(?:have|need|free|able) to\b[^.;]*$")
_BE_DONE = re.compile(r" (?:has|have|needs?|would have|will have) to be\b")
_PARTS = frozenset("outbound return inbound way leg half part item seat".split())
_RHYTHM = re.compile(
    r"\b(daily|weekly|monthly|yearly|annually|quarterly|recurring|(?:every|each|per|a) (?:day|week|month|year|"
    r"quarter))\b"
    r"(?! (?:\w+ )?(?:fees?|bills?|charges?|statements?|limits?|plans?|prices?|rates?|costs?)\b)"
)
_PRICE = re.compile(
    r"\b(?:costs?|fees?|charge[ds]?|prices?|rates?|comes? to)\b[^.;]*(?:\$ ?)?[\d.,]*\d,?(?: dollars?| usd)? $"
)
_NEWS = r"(?:word|words|note|notes|messages?|e-?mails?|notifications?|notif(?:y|ied)|inform(?:ed)?|told|notices?)"
_TELLS = re.compile(rf"\b{_NEWS}\b|\btell(?:ing)?\b")
_QUIET = re.compile(
    rf"\b(?:no|not|without|nobody|no one|never|don't|won't)\b(?: \w+){{0,4}} (?:{_NEWS}|tell\w*)\b|\bquiet|\bsilent"
)


def additions(lines: Sequence[Line], wish: AnyWish, plain: str) -> list[str]:
    """The words for what is not part of a wish, in lines of a message as it was written."""
    found: list[str] = []
    for line in lines:
        text = line.sentence.text
        if _FEE.search(text) and not _NO_FEE.search(text) and not _is_known_price(line, text, plain, wish):
            found.append("a fee")
        if _CERTIFICATE.search(text) and "certificate" not in wish.known:
            found.append("a certificate")
        is_quiet = _QUIET.search(text.replace("not without ", "")) is not None
        if _QUIET.search(wish.phrasing) and _TELLS.search(text) and not is_quiet:
            found.append("a message to anybody")
        if line.acting:
            if wish.names_people:
                found += strange_names(plain[line.sentence.start : line.sentence.end], wish.known)
            found += [*_too_much(text, wish), *_too_little(text, wish), *_otherwise(text, wish)]
            found += [noun for noun in wish.strangers if re.search(rf"\b{noun}s?\b", text)]
    return found


def _is_known_price(line: Line, text: str, plain: str, wish: AnyWish) -> bool:
    """Whether a fee belongs to the action: its world has such a sum, or the tool's description names this amount."""
    if "fee" in wish.world.money or _OWN_FEE.search(wish.asked_for):
        return True
    said = find_mentions(plain[line.sentence.start : line.sentence.end], None, wish.now)
    amounts = {mention.value for mention in said if mention.kind == "money" or mention.unit == "%"}
    return bool(wish.costs) and amounts <= wish.costs and (bool(amounts) or ":" in text)


def strange_names(plain: str, known: str) -> Iterator[str]:
    """Names of two words with capitals of which nothing is known, or only a part, outside of labels.

    Args:
        plain: what was said, as written.
        known: all that the wish, its rows and the person hold, in lower case.
    """
    for match in _NAME.finditer(plain):
        words = [word.casefold() for word in match.group().split()]
        is_partly = any(re.search(rf"\b{re.escape(word)} [a-z]|[a-z] {re.escape(word)}\b", known) for word in words)
        if match.group().casefold() in known or any(word in TITLES for word in words):
            continue
        if not any(word in known for word in words) or (is_partly and not all(word in known for word in words)):
            yield match.group()


def _too_much(text: str, wish: AnyWish) -> Iterator[str]:
    for match in _ALL.finditer(text):
        word, of, after = match.groups()
        words = after.split()
        if words[:1] and words[0] in TIMES:
            continue  # "each month": how often
        if words[:2] == ["in", "order"]:
            continue  # "Is everything in order?"
        nouns = [each for each in words if wish.world.is_thing(each) or each in _REST or each in ("money", "balance")]
        if not nouns and not (word == "everything" and words[:1] and words[0] in _WHERE):
            continue
        if word == "everything" and " ".join((word, *words[:1])) in wish.phrasing:
            continue
        if nouns and singular(nouns[0]) in wish.counted:
            continue
        if nouns and word in ("whole", "entire") and singular(nouns[0]) in wish.singles and not wish.is_many:
            continue
        usual = word in wish.quantifiers and ("your" not in of or wish.is_many)
        usual = usual and not ("your" in of and nouns and singular(nouns[0]) in wish.singles)
        if not usual and not _NOT_ALL.search(text[: match.start()]):
            end = words.index(nouns[0]) + 1 if nouns else 0
            yield " ".join((word + of, *words[:end])).strip()


def _too_little(text: str, wish: AnyWish) -> Iterator[str]:
    for match in _PART.finditer(text):
        word = match.group(1)
        is_part = word in _PARTS or (wish.world.is_thing(word) and singular(word) not in wish.singles)
        if is_part and word not in wish.phrasing:
            yield match.group()


def _otherwise(text: str, wish: AnyWish) -> Iterator[str]:
    """Again and again what is wanted once, or in another state or form than is wanted."""
    for match in _RHYTHM.finditer(text):
        if not (wish.repeats or match.group() in wish.asked_for or _PRICE.search(text[: match.start()])):
            yield match.group()  # "a quarter" of something is no rhythm
    for match in _AS.finditer(text):
        if wish.has_reason and match.group(1) not in wish.known and match.group(1) not in wish.own_states:
            yield match.group()
    for match in _INSTEAD.finditer(text):
        is_duty = _DUTY.search(text[: match.start()]) or _BE_DONE.match(text, match.end())
        if match.group() not in f"{wish.phrasing} {wish.asked_for}" and not is_duty:
            yield match.group()
