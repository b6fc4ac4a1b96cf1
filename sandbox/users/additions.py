"""What a proposal adds to a wish, or takes of it: "all your accounts", a fee, another sort of thing, only a part."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from sandbox.language.mentions import find_mentions
from sandbox.language.numbers import spell
from sandbox.language.prefilter import Prefiltered
from sandbox.language.tokens import singular
from sandbox.users.goal_words import TIMES
from sandbox.users.proposal_reading import UNTOUCHED, AnyWish, Line
from sandbox.users.records import STATES
from sandbox.users.wish import Wish

_ALL = Prefiltered(
    r"(?<![\w-])(all|every|both|each|entire|whole|everything)\b((?:[ -](?:of|the|your|my|our|those|these|other|else|"
    r"single|one)\b)*)((?: [a-z-]+){0,3})"
)
_QUANTIFIED = re.compile(
    r"\b(?:all|both|every|each|entire|whole)(?: of)?(?: the| my| our| those| these)? ([a-z-]+(?: [a-z-]+){0,2})"
)
_NOT_ALL = Prefiltered(r"\bnot (?:the |your |for |cancel )?$")
_WISHED_FOR = re.compile(
    r"(?:(?: item)? (?:changes|modifications))?(?: that| which)? (?:you(?:'d| would|'ve| have)?|to be)(?: [a-z]+)? "
    r"(?:want|wish|like|need|intend|plan|asked|requested|listed|mentioned|chosen|modified|exchanged|returned|changed)\w*\b"
)
"""What limits "all items" to the wish: "all the items that you want to exchange"."""
ADDRESS_OF = re.compile(
    r"\b(?:match\w*|same(?: address)? as|address(?:es)?(?: (?:that|which))?(?: (?:you|was|is))?(?: have)? "
    r"(?:used|saved|listed|from|on file)|used (?:for|in|on|with)|copied from)\b[^.;:]*$"
)
"""What stands before the thing whose address is meant: "the address used in your pending order"."""
_LISTED = Prefiltered(r"\b(?:provided|listed|included|given|mentioned|named|selected|specified|told me)\b[^.;]*$")
_WHERE = frozenset("in on from of you that to for at by with".split())
_NAME = re.compile(r"(?<![.!?:|\n] )(?<![\w|*\n-])(?<!^)[A-ZÀ-Þ][a-zà-ÿ]+(?: [A-ZÀ-Þ][a-zà-ÿ]+)+(?![\w*]*\s*[:|])")
TITLES = frozenset(
    "mr mrs ms dr dear hi hello thanks thank great perfect please shall yes no ok okay and or the your new total from "
    "to on at in for with amount date time name reason details summary action status account order address january "
    "february march april may june july august september october november december monday tuesday wednesday thursday "
    "friday saturday sunday street avenue lane road drive apt united states usa i".split()
)
_REST = frozenset("ones others rest remaining later following future subsequent".split())
_FEE = re.compile(
    r"\b(?:cancellation|service|handling|processing|restocking|change|booking|convenience|admin\w*|late|"
    r"re-?activation) "
    r"(?:costs?|charges?)\b|\b(?:withh[eo]ld\w*|deduct\w*) (?:from(?! your [a-z]+)|of|\$?\d)|"
    r"\b(?:minus|less) (?:an?|the|our) |"
    r"\d ?(?:%|percent) (?:[a-z-]+ )?(?:fee|charge|penalty|commission)|"
    r"\b(?:fees?|surcharges?|service charges?|penalt(?:y|ies)|commissions?|extra charges?)\b"
)
_OWN_FEE = Prefiltered(r"\bfees?\b")
_NO_FEE = Prefiltered(
    r"\b(?:no|without|zero|usual|standard|regular|monthly|holding|waiv\w+|free of|any|"
    r"\$0(?:\.00)?)(?: \w+){0,2} (?:fees?|"
    r"surcharges?|charges?|penalt\w+|"
    r"commissions?)|"
    r"(?:fees?|charges?|commissions?|surcharges?)\W+(?:none|no\b|\$?0(?:\.00)?\b|(?:is|are|will be) (?:waived|"
    r"(?:\$ ?)?0(?:\.00)?\b|zero)|does|don't|do not|won't)"
)
_PART = Prefiltered(
    r"\b(?:just|only)(?: for)? (?:the |one |a |your |of |one of )*(?:single |first |second |last )?(?!to\b)([a-z]+)\b"
)
_CERTIFICATE = re.compile(r"\b(?:from|with|by) (?:your|the|a) (?:travel )?certificates?\b")
_INSTEAD = Prefiltered(r"\b(?:store credit|coupons?|loyalty points|replacement|new one)\b")
_AS = re.compile(
    r"\bas (?!need|request|discuss|agree|list|sav|mention|expect|plan|want|ask|describ|stat|not|stor|record|confirm)"
    r"(?:being |reported )?([a-z]{3,}(?:ed|en))\b"
)
_DUTY = Prefiltered(r"\b(?:have|need|free|able) to\b[^.;]*$")
_BE_DONE = re.compile(r" (?:has|have|needs?|would have|will have) to be\b")
_PARTS = frozenset("outbound return inbound way leg half part item seat".split())
_NEWS = (
    r"(?:mailing|mailed|word|words|note|notes|messages?|e-?mails?|notifications?|notif(?:y|ied)|inform(?:ed)?|"
    r"told|notices?)"
)
_TELLS = Prefiltered(rf"\b{_NEWS}\b|\btell(?:ing)?\b|\blet(?:ting)? (?!me\b)[^.;,]*? know\b")
_HAPPENS = re.compile(
    r"\b(?:guests?|\w{4,}ees|invited|people|they|participants?|members?)\b[^.;]*\b(?:must|have to|has to|need to|"
    r"needs to|will be (?:told|asked|informed|notified)|(?:gets?|are|is) (?:told|informed|notified|asked))\b"
)
"""What happens to other people (guests, invitees) anyway when something changes."""
_OF_WHOLE = re.compile(
    r"(?: ?[a-z-]+)?? ?(?:of|in|on) (?:the |your |this |that )?(?:(?:[a-z]+ )?#?[a-z]*-?\d|(?P<thing>[a-z]+)\b)"
)
"""A part of one thing: "all flights of BB3S74", "everything in your cart"."""
_AS_WANTED = re.compile(
    r"[^.;,]{0,20}\byou(?:'d like|'d want| would like| want(?:ed)?| asked| mentioned| named| chose)\b"
)
_QUIET = Prefiltered(
    rf"\b(?:no|not|without|w/o|nobody|no one|never|don't|won't)\b(?: \w+){{0,6}} (?:{_NEWS}|tell\w*|know)\b|\bquiet|"
    rf"\bsilent"
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
        tells = _TELLS.search(text.replace("say the word", ""))
        if tells and not _QUIET.search(text.replace("not without ", "")) and _QUIET.search(wish.phrasing):
            found.append("a message to anybody")
        if line.acting:
            if wish.names_people:
                found += _new_names(line, plain, wish)
            found += [*_too_much(text, wish), *_too_little(text, wish), *_otherwise(text, wish)]
            strange = [noun for noun in wish.strangers if _is_meant(noun, text)]
            found += [noun for noun in strange if not (isinstance(wish, Wish) and wish.touches(noun))]
    return found


def _is_meant(noun: str, text: str) -> bool:
    """Whether a thing is spoken of that is neither said to be none nor to stay as it is."""
    found = re.search(rf"(?<!\bno )(?<!\bfuture )\b{noun}s?\b", text) if noun in text else None
    if found is None or ADDRESS_OF.search(text[: found.start()]):
        return False
    return not _is_left(text, found.start(), found.end())


def _new_names(line: Line, plain: str, wish: AnyWish) -> Iterator[str]:
    """Strange names in a line, but not those of people for whom nothing changes: "Helena Chandra remains on it"."""
    for name in strange_names(plain[line.sentence.start : line.sentence.end], wish.known):
        if name.casefold() in wish.met or _HAPPENS.search(line.sentence.text):
            continue  # "these guests must answer anew"
        if not re.search(
            rf"{re.escape(name.casefold())}\b[^.;,]*?\b(?:remains?|stays?|keeps?|unchanged)\b", line.sentence.text
        ):
            yield name


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
        if any(name == match.group().casefold() and re.search(rf"\b{code}\b", known) for code, name in STATES.items()):
            continue  # "New York" of "Buffalo, NY"
        own = [re.search(rf"\b{re.escape(word)}\b", known) is not None for word in words]
        is_partly = any(re.search(rf"\b{re.escape(word)} [a-z]|[a-z] {re.escape(word)}\b", known) for word in words)
        if match.group().casefold() in known or any(word in TITLES for word in words):
            continue
        if not any(own) or (is_partly and not all(own)):
            yield match.group()


def _too_much(text: str, wish: AnyWish) -> Iterator[str]:
    for match in _ALL.finditer(text):
        word, of, after = match.groups()
        words = after.split()
        if words[:1] and words[0] in TIMES:
            continue  # "each month": how often
        if words[:1] and any(words[0] in (str(len(keys)), spell(len(keys))) for keys in wish.several):
            continue  # "all five messages"
        if _is_of_its_own(text, match.end() - len(after), words, wish) or _AS_WANTED.match(text, match.end(1)):
            continue
        if words[:2] == ["in", "order"]:
            continue  # "Is everything in order?"
        named = [each for each in words if each not in _WHERE]
        nouns = [each for each in named if wish.world.is_thing(each) or each in _REST or _is_several(word, each, wish)]
        if not nouns and not wish.quantifiers and _is_counted(wish):
            nouns = [each for each in named if singular(each) in wish.asked_for.split()]  # "all" where two are missing
        if word == "both" and len(wish.goal.calls) == len(("one", "other")):
            continue  # "place both orders"
        if not nouns and not (word == "everything" and words[:1] and words[0] in _WHERE):
            continue
        if word == "everything" and " ".join((word, *words[:1])) in wish.phrasing:
            continue
        if nouns and singular(nouns[0]) in wish.counted:
            continue
        if nouns and word in ("whole", "entire") and singular(nouns[-1]) in wish.singles and not wish.is_many:
            continue
        if _WISHED_FOR.match(text, match.start() + len(word + of) + sum(map(len, words[:1])) + bool(words)):
            continue
        if _LISTED.search(text[: match.start()]) or (nouns and wish.held.are_all_meant(singular(nouns[0]))):
            continue
        if nouns == [] and words[:1] == ["them"] and wish.is_many:
            continue
        usual = word in wish.quantifiers and ("your" not in of or wish.is_many)
        if _is_left(text, match.start(), match.end()):
            continue
        usual = usual and not ("your" in of and nouns and singular(nouns[0]) in wish.singles)
        if not usual and not _NOT_ALL.search(text[: match.start()]):
            end = words.index(nouns[0]) + 1 if nouns else 0
            yield " ".join((word + of, *words[:end])).strip()

    for match in _ONLY_PART.finditer(text):
        if match.group(1) not in wish.asked_for:
            yield match.group()


def _is_of_its_own(text: str, at: int, words: list[str], wish: AnyWish) -> bool:
    """Whether all that is spoken of belongs to the wished thing, of which no part is named apart.

    Args:
        text: of the sentence, in lower case.
        at: where what follows "all" begins.
        words: those that follow it.
        wish: what is wanted.
    """
    if {*map(singular, words)} & _named(wish) or words[:1] in ([], ["it"], ["them"]):
        return False
    said = [word for each in _QUANTIFIED.findall(wish.asked_for) for word in each.split()]
    if words[0] in said or words[-1] in said:
        return True  # "all of your transport position" for "all of my transport holding"
    if _is_counted(wish):
        return False
    if singular(words[0]) in _PARTS and wish.singles:
        return True  # "both legs" of the one trip
    whole = _OF_WHOLE.match(text, at)
    is_own = whole is not None and (whole["thing"] or "") in wish.asked_for.split()
    return whole is not None and (whole["thing"] is None or (is_own and wish.world.is_thing(whole["thing"])))


def _is_counted(wish: AnyWish) -> bool:
    """Whether a wish says how many."""
    return isinstance(wish, Wish) and any(slot.kind == "number" for slot in wish.slots)


def _named(wish: AnyWish) -> set[str]:
    """The words by which the facts of a wish go."""
    return {singular(part) for fact in wish.goal.facts for part in fact.name.split("_")}


def _is_several(word: str, noun: str, wish: AnyWish) -> bool:
    """Whether what the user calls its thing is meant several times: "every mail", not "all of your holding"."""
    return noun in wish.called and (word != "all" or noun in ("money", "balance"))


def _is_left(text: str, start: int, end: int) -> bool:
    """Whether the clause around words says that they stay as they are."""
    first = max(text.rfind(sign, 0, start) for sign in ";,.") + 1
    last = min((at for sign in ";,." if (at := text.find(sign, end)) >= 0), default=len(text))
    return UNTOUCHED.search(text[first:last]) is not None


def _too_little(text: str, wish: AnyWish) -> Iterator[str]:
    for match in _PART.finditer(text):
        word = match.group(1)
        is_part = word in _PARTS or (wish.world.is_thing(word) and singular(word) not in wish.singles)
        if is_part and word not in wish.phrasing:
            yield match.group()


_ONLY_PART = Prefiltered(
    r"\bonly (?:drop|take|remove|cancel|change|send|return|swap|move) (?:the |one |a |your )(?!entire|whole)([a-z]+)\b"
)


def _otherwise(text: str, wish: AnyWish) -> Iterator[str]:
    """What is wanted in another state or form."""
    for match in _AS.finditer(text):
        if wish.has_reason and match.group(1) not in wish.known and match.group(1) not in wish.own_states:
            yield match.group()
    for match in _INSTEAD.finditer(text):
        is_duty = _DUTY.search(text[: match.start()]) or _BE_DONE.match(text, match.end())
        is_own = match.group() == "replacement" and "replace" in wish.world.verbs(wish.kind)
        is_own = is_own or any(word in wish.asked_for for word in text[match.end() :].split()[:1])  # "coupon SAVE5"
        if match.group() not in f"{wish.phrasing} {wish.asked_for}" and not is_duty and not is_own:
            yield match.group()
