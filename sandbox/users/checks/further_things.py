"""What comes beside the wished action: a fee, word to other people, strange names, things and forms."""

from __future__ import annotations

import re
from collections.abc import Iterator

from toolgym.sandbox.language.mentions import find_mentions
from toolgym.sandbox.language.prefilter import Prefiltered
from toolgym.sandbox.language.tokens import singular
from toolgym.sandbox.users.checks.own_words import ADDRESS_OF, TITLES
from toolgym.sandbox.users.checks.proposal import Proposal
from toolgym.sandbox.users.checks.skipping import only_where
from toolgym.sandbox.users.proposal_reading import AnyWish, is_left
from toolgym.sandbox.users.records import STATES
from toolgym.sandbox.users.wish import Wish

_NAME = re.compile(r"(?<![.!?:|\n] )(?<![\w|*\n-])(?<!^)[A-ZÀ-Þ][a-zà-ÿ]+(?: [A-ZÀ-Þ][a-zà-ÿ]+)+(?![\w*]*\s*[:|])")
_FEE = Prefiltered(
    r"\b(?:cancellation|service|handling|processing|restocking|change|booking|convenience|admin\w*|late|"
    r"re-?activation) (?:costs?|charges?)\b|\b(?:withh[eo]ld\w*|deduct\w*) (?:from(?! your [a-z]+)|of|\$?\d)|"
    r"\b(?:minus|less) (?:an?|the|our) |\d ?(?:%|percent) (?:[a-z-]+ )?(?:fee|charge|penalty|commission)|\b(?:fees?|"
    r"surcharges?|service charges?|penalt(?:y|ies)|commissions?|extra charges?)\b"
)
_EXTRA = re.compile(r"\b[Ee]xtra charges?\b")
_BARRED = re.compile(r"[^.;,]{0,30}?\b(?:can't|cannot|can no longer|can not|may not|no longer|won't be)\b")
_OF_A_FEE = re.compile(r"\b(?:fees?|surcharges?|penalt(?:y|ies)|commissions?)\b")
_NEAR = 6
"""Characters between an amount and what it is called: "$1.49 commission", "commission: $1.49"."""
_OWN_FEE = Prefiltered(r"\bfees?\b")
_FEE_OF = re.compile(r"\bthe \$(\d[\d.,]*\d|\d) (?:[a-z]+ ){0,2}(?:fee|charge)\b")
_NO_FEE = Prefiltered(
    r"\b(?:no|without|zero|usual|standard|regular|monthly|holding|waiv\w+|free of|any|"
    r"\$0(?:\.00)?)(?: \w+){0,2} (?:fees?|surcharges?|charges?|penalt\w+|commissions?)|(?:fees?|charges?|"
    r"commissions?|surcharges?)\W+(?:none|no\b|\$?0(?:\.00)?\b|(?:is|are|will be) (?:waived|(?:\$ ?)?0(?:\.00)?\b|"
    r"zero)|does|don't|do not|won't)"
)
_CERTIFICATE = Prefiltered(r"\b(?:from|with|by) (?:your|the|a) (?:travel )?certificates?\b")
_INSTEAD = Prefiltered(r"\b(?:store credit|coupons?|loyalty points|replacement|new one)\b")
_AS = Prefiltered(
    r"\bas (?!need|request|discuss|agree|list|sav|mention|expect|plan|want|ask|describ|stat|not|stor|record|confirm)"
    r"(?:being |reported )?([a-z]{3,}(?:ed|en))\b"
)
_DUTY = Prefiltered(r"\b(?:have|need|free|able) to\b[^.;]*$")
_BE_DONE = re.compile(r" (?:has|have|needs?|would have|will have) to be\b")
_NEWS = (
    r"(?:mailing|mailed|word|words|note|notes|messages?|e-?mails?|notifications?|notif(?:y|ied)|inform(?:ed)?|"
    r"told|notices?)"
)
_TELLS = Prefiltered(rf"\b{_NEWS}\b|\btell(?:ing)?\b|\blet(?:ting)? (?!me\b)[^.;,]*? know\b")
_HAPPENS = Prefiltered(
    r"\b(?:guests?|\w{4,}ees|invited|people|they|participants?|members?)\b[^.;]*\b(?:must|have to|has to|need to|"
    r"needs to|will be (?:told|asked|informed|notified)|(?:gets?|are|is) (?:told|informed|notified|asked))\b"
)
"""What happens to other people (guests, invitees) anyway when something changes."""
_QUIET = Prefiltered(
    rf"\b(?:no|not|nothing|without|w/o|nobody|no one|never|don't|won't)\b"
    rf"(?: \w+){{0,6}} (?:{_NEWS}|tell\w*|know)\b|\bquiet|"
    rf"\bsilent"
)


@only_where(_FEE)
def fees(proposal: Proposal, wish: AnyWish) -> Iterator[str]:
    """A fee that does not belong to the action."""
    for line in proposal.lines if _FEE.search(proposal.text) else ():
        text = _without_given(line.sentence.text, wish)
        if _FEE.search(text) and not _NO_FEE.search(text) and not _is_known_price(proposal.written(line), wish):
            yield "a fee"


def _without_given(text: str, wish: AnyWish) -> str:
    """A text without what the right calls are given and an agent sees in words: the "delivery fee" of an invoice."""
    if not isinstance(wish, Wish):
        return text
    seen = (str(value) for _, value in wish.seen if isinstance(value, str))
    for each in (each.casefold() for each in (*wish.given, *seen) if " " in each):
        text = text.replace(each, " ")
    return text


def _is_known_price(written: str, wish: AnyWish) -> bool:
    """Whether a fee belongs to the action: its world has such a sum, or the tool's description names this amount."""
    if "fee" in wish.world.money or _OWN_FEE.search(wish.asked_for):
        return True
    due = _FEE_OF.findall(written.lower())
    if due and isinstance(wish, Wish) and wish.settles and all(map(wish.is_changed_by, due)):
        return True  # "covers the $50 fee", where two bags come to that
    said = find_mentions(written, None, wish.now)
    amounts = {mention.value for mention in said if mention.kind == "money" or mention.unit == "%"}
    if isinstance(wish, Wish) and wish.person.is_shared and amounts and amounts <= wish.outcome.amounts:
        is_extra = _EXTRA.search(written) is not None or any(slot.kind == "number" for slot in wish.slots)
        if is_extra:
            return True  # "extra charge: $36.61", which is what the new one costs more
    if isinstance(wish, Wish) and _comes_with_it(written, wish):
        return all(mention.value in wish.costs for mention in said if mention.unit == "%") and all(
            not _OF_A_FEE.search(written[max(0, each.start - _NEAR) : each.end + _NEAR].lower())
            or abs(int(each.value)) in wish.outcome.amounts
            for each in said
            if each.kind == "money"
        )
    return bool(wish.costs) and amounts <= wish.costs and (bool(amounts) or ":" in written)


def _comes_with_it(written: str, wish: Wish) -> bool:
    """Whether the rows that the right calls write hold such a sum: the commission of an order."""
    held = {column for column, value in wish.outcome.shown if column.endswith("_cents") and value}
    words = {singular(word) for word in _OF_A_FEE.findall(written.lower())}
    return bool(words) and all(f"{word}_cents" in held for word in words)


@only_where(_CERTIFICATE)
def certificates(proposal: Proposal, wish: AnyWish) -> Iterator[str]:
    """Paid with something that nobody has spoken of."""
    if _CERTIFICATE.search(proposal.text) and "certificate" not in wish.known:
        yield "a certificate"


@only_where(_TELLS)
def news(proposal: Proposal, wish: AnyWish) -> Iterator[str]:
    """Word to anybody where the wish is to be done quietly."""
    if not (_TELLS.search(proposal.text) and _QUIET.search(wish.phrasing)):
        return
    for line in proposal.lines:
        text = line.sentence.text.replace("not without ", "").replace("say the word", "")
        if _TELLS.search(text) and not _QUIET.search(text):
            yield "a message to anybody"


def new_names(proposal: Proposal, wish: AnyWish) -> Iterator[str]:
    """Strange names, but not those of people for whom nothing changes: "Helena Chandra remains on it"."""
    for line in proposal.acting if wish.names_people else ():
        if _HAPPENS.search(line.sentence.text):
            continue  # "these guests must answer anew"
        for name in _strange_names(proposal.written(line), wish):
            stays = rf"{re.escape(name.casefold())}\b[^.;,]*?\b(?:remains?|stays?|keeps?|unchanged)\b"
            hears = rf"{re.escape(name.casefold())} (?:will be|gets?|is|would be) (?:told|informed|notified)\b"
            if re.search(hears, line.sentence.text) and isinstance(wish, Wish) and wish.has_seen(name):
                continue  # a guest of the event that is called off
            if name.casefold() not in wish.met and not re.search(stays, line.sentence.text):
                yield name


def _strange_names(plain: str, wish: AnyWish) -> Iterator[str]:
    """Names of two words with capitals of which nothing is known, or only a part, outside of labels."""
    for match in _NAME.finditer(plain):
        name = match.group().casefold()
        words = name.split()
        is_left = plain[: match.start()].endswith(" not ")  # "at Philadelphia, not Philadelphia Market"
        if is_left or not TITLES.isdisjoint(words) or name in wish.known or _is_state(name, wish):
            continue
        own = [re.search(rf"\b{re.escape(word)}\b", wish.known) is not None for word in words]
        beside = (rf"\b{re.escape(word)} [a-z]|[a-z] {re.escape(word)}\b" for word in words)
        if not any(own) or (not all(own) and any(re.search(each, wish.known) for each in beside)):
            yield match.group()


def _is_state(name: str, wish: AnyWish) -> bool:
    """Whether a name is that of a state which the wish has in two letters: "New York" of "Buffalo, NY"."""
    return any(name == state and re.search(rf"\b{code}\b", wish.known) for code, state in STATES.items())


_NOTHING_TO = re.compile(
    r"\bnothing (?:(?:is|will be|would be|gets) )?(?:done|happens|changes|changed|else) (?:to|with|about|on|for) "
    r"(?:the |your )?$|\bwithout (?:touching|changing|using) (?:the |your )?$"
)
"""What stands before what is left alone: "and nothing done to the card"."""


def strange_things(proposal: Proposal, wish: AnyWish) -> Iterator[str]:
    """Things of the world that the wish has nothing to do with, unless they are said to be none or to stay."""
    said = [each for each in wish.world.nouns.values() if each in proposal.text and each not in wish.asked_for]
    for noun in said:
        for line in proposal.acting if noun in wish.strangers else ():
            text = line.sentence.text
            found = re.search(rf"(?<!\bno )(?<!\bfuture )(?<!\bits last )(?<!\bits next )(?<!\bits )\b{noun}s?\b", text)
            if found is None or ADDRESS_OF.search(text[: found.start()]) or is_left(text, found.start(), found.end()):
                continue
            if _NOTHING_TO.search(text[: found.start()]) or _BARRED.match(text, found.end()):
                continue  # "its expenses can't be edited"
            if not (isinstance(wish, Wish) and wish.touches(noun)):
                yield noun


@only_where(_AS, _INSTEAD)
def other_forms(proposal: Proposal, wish: AnyWish) -> Iterator[str]:
    """What is wanted in another state or form: "as damaged", "store credit"."""
    for text in (line.sentence.text for line in proposal.acting):
        for match in _AS.finditer(text) if wish.has_reason else ():
            if match.group(1) not in wish.known and match.group(1) not in wish.own_states:
                yield match.group()
        for match in _INSTEAD.finditer(text):
            is_duty = _DUTY.search(text[: match.start()]) or _BE_DONE.match(text, match.end())
            is_own = match.group() == "replacement" and "replace" in wish.world.verbs(wish.kind)
            is_own = is_own or any(word in wish.asked_for for word in text[match.end() :].split()[:1])  # "coupon SAVE5"
            if match.group() not in f"{wish.phrasing} {wish.asked_for}" and not is_duty and not is_own:
                yield match.group()
