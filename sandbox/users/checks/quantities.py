"""Numbers and amounts in their roles: one is right only for what it is said of, such as "2 missing"."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache

from toolgym.sandbox.language.mentions import Mention
from toolgym.sandbox.language.numbers import spell
from toolgym.sandbox.users.checks.call_terms import call_terms
from toolgym.sandbox.users.checks.proposal import Proposal
from toolgym.sandbox.users.conditions import tells_condition
from toolgym.sandbox.users.costs import of_pieces
from toolgym.sandbox.users.outcome import amounts_in
from toolgym.sandbox.users.wish import Wish

_SPELT = {spell(number): number for number in range(1, 21)}
NUMBER = rf"\d+|{'|'.join(sorted(_SPELT, key=len, reverse=True))}"
_BETWEEN = r"(?: (?:pieces?|units?|items?|of (?:them|these)|is|are|was|were|as|being|marked|still|went))"
_OF = re.compile(rf"(?<!\$)\b(?P<number>{NUMBER}) (?:out )?of (?:the |your |all |my )*(?P<all>{NUMBER})\b(?![.,]\d)")
_PIECES = re.compile(
    rf"(?<![\w.$-])(?P<number>{NUMBER}) ?(?:pcs|pieces?|units?|x|×|times)(?![\w-])|"
    r"\b(?:qty|quantity)[ :.|*]{1,4}(?P<after>\d+)\b"
)
_MAKES = re.compile(
    rf"\b(?:makes|making)(?: it| that| them)? (?P<number>{NUMBER})\b(?![.,]\d| (?:dollars|cents|percent)|%)"
)
_EACH = re.compile(r" ?(?:per|each|apiece|an?|every|for each|[x×*])\b")
_TIMES = re.compile(r"\d ?(?:[x×*]|times) ?$")
_AT_MOST = re.compile(r"\b(?:limit(?:ed)?|up to|at most|maximum|max|stands? at|sits? at)\b[^.;]{0,20}$")
_AS_PRICE = re.compile(
    r"\b(?:prices?|priced|costs?|totals?|differences?|refund\w*|original(?:ly)?|current(?:ly)?|new|save|saving|cheaper|"
    r"paid|worth|balance|subtotal|comes to|amounts to)\b[^.;\n]{0,60}$|\([^()\n]*$|[-+=\u2212] ?$"
)
"""What stands before what something costs, has cost or differs by, which the action itself settles."""
_AT_PRICE = re.compile(r"(?:[-–—|:(]|\bat|\bfor|\bis|\bof) ?\*{0,2}$")
"""What stands before a price where the wish only says how it is paid: "1.5 l with a glass jar at $168.74"."""
_ON_TOP = re.compile(
    r"\b(?:plus|plans?|insurance|fees?|warrant\w+|protection|covers?|coverage|tips?|deposits?|certificates?|cards?|add\w*|"
    r"includ\w*|extra|charg\w+|pay\w*|back|paid)\b[^.;\n|]{0,40}$"
)
"""What makes an amount more than a price."""
_TELLS_PRICE = re.compile(
    r"\*{0,2}(?: (?:more|less|extra|cheaper|dearer)\b|,? i\.?e\.?\b| (?:each|apiece)\b| ?\||"
    r" (?:(?:is|gets?|will be|would be|goes|comes) )?(?:refunded|credited|returned|back)\b)"
)
"""What stands after a price, or the difference of two, where the wish only says how it is paid: "$12.50 more"."""
_ABOUT = re.compile(r"(?:\b(?:about|around|roughly|approximately|nearly|almost|circa|ca\.?|some)|[~≈]) ?$")
_AT_PRESENT = re.compile(
    r"[^.;,?]*\b(?:right now|currently|at present|presently|today|at the moment|so far|until now)\b"
)


def strange_sums(proposal: Proposal, wish: Wish) -> Iterator[str]:
    """Amounts of money that neither the wish nor its right calls, their rows and results hold, nor its action costs."""
    sums = [each for each in proposal.sums if each.value] if wish.goal.calls else []
    for each in sums:  # what a wish comes to that cannot be had nobody knows
        before, end = proposal.text[: each.start], each.end
        if (
            each.value in wish.costs
            or any(slot.fits(each, wish.person) for slot in wish.slots)
            or (wish.settles and _AT_PRICE.search(before) is not None and not _ON_TOP.search(before))
            or (wish.settles and _TELLS_PRICE.match(proposal.text, end) is not None)
            or (_AT_PRESENT.match(proposal.text, end) or _AT_MOST.search(before) or _AS_PRICE.search(before))
            or tells_condition(each, proposal.text, wish)
            or (_ABOUT.search(before) and _is_near(each, wish))
            or (len(sums) > 1 and (_EACH.match(proposal.text, end) or _TIMES.search(before)))
        ):
            continue
        if (
            wish.explains(each)
            or comes_of_it(each, wish)
            or wish.outcome.columns_of(each)
            or abs(int(each.value)) in of_pieces(wish.costs, range(2, 4))
        ):
            continue
        if not (wish.is_conditional and abs(int(each.value)) in amounts_in(wish.seen)):
            yield each.text  # what the condition speaks of has been looked up


def _is_near(amount: Mention, wish: Wish) -> bool:
    """Whether an amount is one of those that the right calls show, but for a fiftieth."""
    return any(abs(abs(int(amount.value)) - each) * 50 <= each for each in wish.outcome.single_amounts)


def comes_of_it(amount: Mention, wish: Wish) -> bool:
    """Whether the right calls show an amount, or two that it is the sum or the difference of."""
    return abs(int(amount.value)) in wish.outcome.amounts


def other_amounts(proposal: Proposal, wish: Wish) -> Iterator[str]:
    """Amounts that nothing explains where none is the one that the right call has."""
    cents = call_terms(wish).cents
    if not cents or not cents.isdisjoint(each.value for each in proposal.sums):
        return
    if not any(slot.kind == "money" for slot in wish.slots):
        yield from (each.text for each in proposal.sums if each.value not in wish.costs and not wish.explains(each))


def misplaced(proposal: Proposal, wish: Wish) -> Iterator[str]:
    """Numbers that a proposal says of something else than the wish does: "2 received", of them or of a part."""
    terms, text = call_terms(wish), proposal.text
    for word, right in terms.roles:
        for match in _in_role(word).finditer(text) if word in text else ():
            if number_of(match["before"] or match["after"]) not in right:
                yield match.group()
    for match in _MAKES.finditer(text) if terms.numbers else ():
        if number_of(match["number"]) not in terms.numbers:
            yield match.group()
    for match in _OF.finditer(text) if terms.numbers and " of " in text else ():
        if number_of(match["all"]) in terms.numbers and number_of(match["number"]) not in terms.numbers:
            yield match.group()


def other_pieces(proposal: Proposal, wish: Wish) -> Iterator[str]:
    """Another number of pieces than the right call lists, of all or of one thing."""
    pieces = call_terms(wish).pieces
    right = {quantity for _, quantity in pieces}
    for match in _PIECES.finditer(proposal.text) if right else ():
        if number_of(match["number"] or match["after"]) not in right:
            yield match.group()
    for thing, quantity in (each for each in pieces if each[0]):
        for match in re.finditer(rf"\b(?P<number>{NUMBER}) {re.escape(thing)}s?\b", proposal.text):
            if number_of(match["number"]) != quantity:
                yield match.group()


@cache
def _in_role(word: str) -> re.Pattern[str]:
    """A number right before or after the word for its role: "2 pieces are missing", "received: 7"."""
    return re.compile(
        rf"(?<![\w.$-])(?P<before>{NUMBER}){_BETWEEN}* {re.escape(word)}\w*|"
        rf"\b{re.escape(word)}\w*(?: (?:is|are|only|just|all|with))*[:=]? (?P<after>{NUMBER})\b"
        r"(?! (?:missing|short))(?![.,]\d)"
    )


def number_of(number: str) -> int:
    """A number in figures or, up to twenty, in words."""
    return int(number) if number.isdigit() else _SPELT[number]


# --- what a value is to become ---

_COUNTED = ("number", "duration", "money")
_VALUES = (*_COUNTED, "date", "time")
_KINDS = (*_VALUES, "count")
_STEP_AFTER = re.compile(r" ?(?:longer|shorter|higher|lower|later|earlier|wider|less|fewer)\b")
_STEP_BEFORE = re.compile(r"\b(?:by|another|additional|extra|further) (?:an? )?$")
_WHOLE_AFTER = re.compile(r"(?: [a-z]+){0,2},? (?:in total|altogether|all told|in all)\b")
_WHOLE_BEFORE = re.compile(r"(?:\b(?:number|count|total)\b[^.;,]*\b(?:to|at|of|is|be)|\btotal(?: of|:)|\btotalling) $")
_REACHED = re.compile(
    r"\b(?:(?:limit|price|amount|total|fixed|figure)(?: of| at| is|:)|(?:to|at)) (?:a |the )?(?:price of |limit of )?$"
)
"""What stands before what something comes to, and not before that by which it changes."""
_STEPPED = re.compile(
    r"\b(?:by|add|adding|another|more|extra|additional|further|longer|shorter|higher|lower|later|earlier)\b(?! than\b)"
)
_BECOMES = re.compile(r"(?:\b(?:to|into|becomes?|be(?: dated)?|reads?|new date|on to)|→|->) (?:the )?$")


def steps(proposal: Proposal, wish: Wish) -> Iterator[str]:
    """A value said to be added where it is to be reached, or the reverse: "20 minutes longer" for 20 minutes."""
    for slot in (each for each in wish.slots if each.kind in _COUNTED):
        is_reached, is_step = str(slot.fact.value) in wish.given, _STEPPED.search(wish.goal.utterance.lower())
        if is_reached == (is_step is not None):
            continue  # either may be said
        for mention in (each for each in proposal.values if each.kind in _KINDS and slot.fits(each, wish.person)):
            before, end = proposal.text[: mention.start], mention.end
            step = _STEP_BEFORE.search(before) or _STEP_AFTER.match(proposal.text, end)
            whole = _WHOLE_BEFORE.search(before) or _WHOLE_AFTER.match(proposal.text, end)
            if step and is_reached and not is_step:
                yield f"{step.group().strip()} {mention.text}"
            whole = whole or (_REACHED.search(before) if slot.kind == "money" else None)
            if whole and is_step and not (is_reached or step):
                yield f"{mention.text} {whole.group().strip()}"


def old_values(proposal: Proposal, wish: Wish) -> Iterator[str]:
    """The present value said to be the new one: "from the 12th to the 9th" where the 12th is wanted."""
    slots = [slot for slot in wish.slots if slot.kind in _VALUES]
    for slot in (each for each in slots if not each.twins):
        fitting = [each for each in proposal.values if each.kind in _KINDS and slot.fits(each, wish.person)]
        if fitting and not any(_is_new(each, proposal) for each in fitting):
            others = (each for each in proposal.values if each.kind == fitting[0].kind and _is_new(each, proposal))
            old = next((o for o in others if not any(each.fits(o, wish.person) for each in slots)), None)
            if old is not None and wish.explains(old) and not (wish.is_given(old) or _comes_to(old, wish)):
                yield f"to {old.text}"


def _comes_to(mention: Mention, wish: Wish) -> bool:
    """Whether the right calls bring something to a value: "groceries would go to $481.75"."""
    return bool(wish.outcome.columns_of(mention, changed=True))


def _is_new(mention: Mention, proposal: Proposal) -> bool:
    return mention.role == "to" or _BECOMES.search(proposal.text[: mention.start]) is not None
