"""Numbers in their roles: a number is right only for what it is said of, such as "2 missing" and "7 received"."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache

from sandbox.language.dialogue_acts import AgentAct
from sandbox.language.inflection import forms
from sandbox.language.mentions import Mention, find_mentions
from sandbox.language.numbers import spell
from sandbox.users.call_terms import call_terms
from sandbox.users.records import leaves
from sandbox.users.slots import WishSlot
from sandbox.users.wish import Wish

_SPELT = {spell(number): number for number in range(1, 21)}
_NUMBER = rf"\d+|{'|'.join(sorted(_SPELT, key=len, reverse=True))}"
_BETWEEN = r"(?: (?:pieces?|units?|items?|of (?:them|these)|is|are|was|were|as|being|marked|still|went))"
_OF = re.compile(rf"(?<!\$)\b(?P<number>{_NUMBER}) (?:out )?of (?:the |your |all |my )*(?P<all>{_NUMBER})\b(?![.,]\d)")


def misplaced(heard: AgentAct, wish: Wish) -> Iterator[str]:
    """Numbers that a proposal says of something else than the wish does."""
    terms, text = call_terms(wish), heard.text
    for word, right in terms.roles:
        for match in _in_role(word).finditer(text) if word in text else ():
            if _value(match["before"] or match["after"]) not in right:
                yield match.group()
    for thing, quantity in terms.pieces:
        for match in re.finditer(rf"\b(?P<number>{_NUMBER}) {re.escape(thing)}s?\b", text):
            if _value(match["number"]) != quantity:
                yield match.group()
    yield from _other_pieces(text, wish)
    yield from _other_amounts(heard, wish)
    for match in _OF.finditer(text) if " of " in text else ():
        if _value(match["all"]) in terms.numbers and _value(match["number"]) not in terms.numbers:
            yield match.group()


_MEASURES = (
    r"(?:quarters?|hours?|minutes?|mins?|days?|weeks?|months?|years?|percent|of|times|gb|gigs?|dollars?|cents?)\b"
)
_PIECES = re.compile(
    rf"(?<![\w.$-])(?P<number>{_NUMBER}) ?(?:pcs|pieces?|units?|x|×|times)(?![\w-])|"
    r"\b(?:qty|quantity)[ :.|*]{1,4}(?P<after>\d+)\b"
)
_PERCENT = re.compile(r"\b(?P<number>\d+(?:\.\d+)?) ?(?:%|percent\b|per cent\b)")
_OF_MONEY = re.compile(r"\b(?:fee|commission|rating|rated|tax|vat|discount|savings?|interest|charge)\w*\b")
_AND_WILL = re.compile(r"\band\b[^.;]{0,60}? (?:i|we)(?:'ll|'d| will| would) [^.;]*")


def _other_pieces(text: str, wish: Wish) -> Iterator[str]:
    """Another number of pieces than the right call lists, and a share that nobody has spoken of."""
    terms = call_terms(wish)
    right = {quantity for _, quantity in terms.pieces}
    for match in _PIECES.finditer(text) if right else ():
        if _value(match["number"] or match["after"]) not in right:
            yield match.group()
    if terms.numbers:
        verbs = "|".join(form for verb in wish.world.verbs(wish.kind) for form in forms(verb))
        counted = (
            rf"\b(?:{verbs})(?: (?:the|other|your|another|only|just|remaining))* (?P<number>{_NUMBER}) (?!{_MEASURES})"
        )
        for match in re.finditer(counted, text):
            if _value(match["number"]) not in terms.numbers and match["number"] not in wish.known:
                yield match.group().strip()
    for match in _PERCENT.finditer(text):
        clause = text[max(text.rfind(".", 0, match.start()), 0) : match.end() + 30]
        if match["number"] not in wish.known and not _OF_MONEY.search(clause):
            yield match.group()


def _other_amounts(heard: AgentAct, wish: Wish) -> Iterator[str]:
    """Amounts of which none is the one that the right call has, and one of a further action."""
    mentions = [each for each in find_mentions(heard.plain, None, wish.now) if each.kind == "money"]
    cents = call_terms(wish).cents
    strange = [each for each in mentions if not wish.explains(each) and each.value not in wish.costs]
    if cents and not any(slot.kind == "money" for slot in wish.slots):
        yield from (each.text for each in strange if not any(other.value in cents for other in mentions))
    for match in _AND_WILL.finditer(heard.text) if strange else ():
        yield from (each.text for each in strange if match.start() < each.start < match.end() and not cents)


@cache
def _in_role(word: str) -> re.Pattern[str]:
    """A number right before or after the word for its role: "2 pieces are missing", "received: 7"."""
    return re.compile(
        rf"(?<![\w.$-])(?P<before>{_NUMBER}){_BETWEEN}* {re.escape(word)}\w*|"
        rf"\b{re.escape(word)}\w*(?: (?:is|are|only|just|all))*[:=]? (?P<after>{_NUMBER})\b"
        r"(?! (?:missing|short))(?![.,]\d)"
    )


def _value(number: str) -> int:
    return int(number) if number.isdigit() else _SPELT[number]


# --- what a value is to become ---

_VALUES = ("number", "duration", "money", "date", "time")
_KINDS = ("number", "count", "duration", "money", "date", "time")
_STEP_AFTER = re.compile(r" ?(?:longer|shorter|higher|lower|later|earlier|wider|less|fewer)\b")
_STEP_BEFORE = re.compile(r"\b(?:by|another|additional|extra|further) (?:an? )?$")
_WHOLE_AFTER = re.compile(r"(?: [a-z]+){0,2},? (?:in total|altogether|all told|in all)\b")
_WHOLE_BEFORE = re.compile(r"(?:\b(?:number|count|total)\b[^.;,]*\b(?:to|at|of|is|be)|\btotal(?: of|:)|\btotalling) $")
_STEPPED = re.compile(
    r"\b(?:by|add|adding|another|more|extra|additional|further|longer|shorter|higher|lower|later|earlier)\b"
)
_BECOMES = re.compile(r"(?:\b(?:to|into|becomes?|be(?: dated)?|reads?|new date|on to)|→|->) (?:the )?$")


def turned_round(heard: AgentAct, wish: Wish) -> Iterator[str]:
    """A value said to be added where it is to be reached, or the reverse, and the old one said to be the new one."""
    slots = [slot for slot in wish.slots if slot.kind in _VALUES]
    if not slots:
        return
    text, mentions = heard.text, [m for m in find_mentions(heard.plain, None, wish.now) if m.kind in _KINDS]
    for slot in slots:
        fitting = [mention for mention in mentions if slot.fits(mention, wish.person)]
        if slot.kind in ("number", "duration", "money"):
            is_reached, is_step = _is_argument(slot, wish), _STEPPED.search(wish.goal.utterance.lower()) is not None
            for mention in fitting:
                before, end = text[: mention.start], mention.end
                step = _STEP_BEFORE.search(before) or _STEP_AFTER.match(text, end)
                whole = _WHOLE_BEFORE.search(before) or _WHOLE_AFTER.match(text, end)
                if step and is_reached and not is_step:
                    yield f"{step.group().strip()} {mention.text}"
                if whole and is_step and not (is_reached or step):
                    yield f"{mention.text} {whole.group().strip()}"
        others = [each for each in mentions if each.kind == fitting[0].kind] if fitting and not slot.twins else []
        others = [each for each in others if not any(other.fits(each, wish.person) for other in slots)]
        if any(_is_new(each, text) for each in others) and not any(_is_new(each, text) for each in fitting):
            old = next(each for each in others if _is_new(each, text))
            if wish.explains(old):
                yield f"to {old.text}"


def _is_new(mention: Mention, text: str) -> bool:
    return mention.role == "to" or _BECOMES.search(text[: mention.start]) is not None


def _is_argument(slot: WishSlot, wish: Wish) -> bool:
    """Whether the right call is given the very value."""
    given = [leaf for call in wish.goal.calls for leaf in leaves(call.arguments)]
    return str(slot.fact.value) in given
