"""What a proposal names that neither the wish nor its rows nor its right calls explain: a place, a number, a refund.

Typed mentions alone are looked at, where they stand as something that an action is given: "in downloads", "two pieces".
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from toolgym.sandbox.language.mentions import Mention
from toolgym.sandbox.language.numbers import spell
from toolgym.sandbox.language.prefilter import Prefiltered
from toolgym.sandbox.language.tokens import singular
from toolgym.sandbox.users.checks.own_words import FREE, TITLES
from toolgym.sandbox.users.checks.proposal import Proposal
from toolgym.sandbox.users.checks.quantities import NUMBER, number_of
from toolgym.sandbox.users.lexicon import CHOICE
from toolgym.sandbox.users.proposal_reading import is_left
from toolgym.sandbox.users.wish import Wish

_WHERE = re.compile(
    r"\b(?:in|into|to|onto|under|inside|among|as)(?: the| your)?(?: (?:folder|category|label))? [\"'*`]*$"
)
_SMALL = (*(str(number) for number in range(2, 21)), *(spell(number) for number in range(20, 1, -1)))
_COUNTED = re.compile(
    rf"(?<![\w.$#,-])(?<!\d, )(?P<number>{'|'.join(_SMALL)}) (?:of (?:your|the|these|those) )?"
    r"(?!other|more|hundred|thousand|cm\b)(?:(?!for|from|to|of|in|on|and|at|cm|or|with)[a-z][a-z'-]* ){0,2}?"
    r"(?P<noun>[a-z]*[a-rt-z]s)\b"
)
_UNITS = frozenset("digits dollars cents minutes hours days weeks months years figures lines shelves".split())
_FOR_HOW_LONG = re.compile(
    rf"\bfor (?:a period of |the next |up to |a full )?(?P<number>{NUMBER})(?:-| )(?P<unit>day|week|month|year)s?\b"
)
_AT_MOST = re.compile(r"\b(?:can|may|could|at most|maximum)\b[^.;,]*$")
_REFUND = Prefiltered(r"\b(?:refund\w*|reimburs\w+|money back|credited|paid back|pay back)\b")
_ONTO = (
    r"\b(?:to|onto|on|as|via|by|through|in the form of|into|with)(?: an?| the| your)? (?:[a-z]+ )?"
    r"(?P<way>gift ?card|travel certificate|certificate|voucher|store credit|pay ?pal|bank account|credit card|"
    r"debit card|mastercard|visa|amex|american express)\b"
)
_NUMBERED_KEY = re.compile(r"(?P<sort>[a-z_]+)_\d+")
_PAID_TO = Prefiltered(_ONTO)
_CARD = frozenset(("credit card", "debit card", "mastercard", "visa", "amex", "american express"))
_INSTEAD = re.compile(r"\b(?:not|rather than|instead of|no longer|cannot|can't)\b[^.;,]{0,30}$")


def strange_places(proposal: Proposal, wish: Wish) -> Iterator[str]:
    """Another row by its name where something is to go or to lie: "in downloads", "moves to groceries"."""
    for line in proposal.acting or proposal.lines:
        first, end = line.sentence.start, line.sentence.end
        for mention in (each for each in proposal.named if first <= each.start < end):
            word = mention.text.casefold()
            is_name = mention.kind == "term" and any("." in column for column in mention.columns)
            is_name = is_name and not any(column.startswith(CHOICE) for column in mention.columns)
            if not is_name or mention.negated or mention.role in ("not", "from", "instead_of"):
                continue
            if word in FREE or word in TITLES or wish.world.is_thing(word):
                continue
            if not _WHERE.search(proposal.text[: mention.start]) or not _is_a_row(mention, wish):
                continue
            if any(slot.fits(mention, wish.person) for slot in wish.slots) or wish.explains(mention):
                continue
            if not is_left(line.sentence.text, mention.start - first, mention.end - first):
                yield mention.text


def _is_a_row(mention: Mention, wish: Wish) -> bool:
    """Whether a name is that of a row of the person's own of which the wish needs one."""
    tables = {slot.table for slot in wish.slots if slot.table}
    return any(column.split(".")[0] in tables for column in mention.columns) and not wish.person.is_shared


def strange_counts(proposal: Proposal, wish: Wish) -> Iterator[str]:
    """A number of the wish's own things, or a span of time, that nothing has: "two Moss blankets", "for 12 months"."""
    for line in proposal.acting or proposal.lines:
        text = line.sentence.text
        for match in _COUNTED.finditer(text):
            number, noun = number_of(match["number"]), match["noun"]
            is_meant = wish.repeats or noun in _UNITS or noun in wish.person.labels or _is_numbered(number, wish)
            before = text[: match.start()].split()[-1:]
            is_meant = is_meant or not wish.person.labels.isdisjoint(before)  # "size 8"
            is_left_so = is_meant or is_left(text, *match.span())
            if _is_plural(noun) and _is_thing(noun, wish) and not is_left_so:
                yield match.group()
        for match in _FOR_HOW_LONG.finditer(text):
            if _AT_MOST.search(text[: match.start()]):
                continue  # "it can stay suspended for up to six months"
            if not _is_numbered(number_of(match["number"]), wish) and not _is_told_by_tool(match["unit"], wish):
                yield match.group()


def _is_plural(noun: str) -> bool:
    return noun.endswith("s") and singular(noun) != noun


def _is_thing(noun: str, wish: Wish) -> bool:
    """Whether a plural is that of a thing which the user speaks of."""
    return re.search(rf"\b(?:{re.escape(singular(noun))}|{re.escape(noun)})\b", wish.asked_for) is not None


def _is_numbered(number: int, wish: Wish) -> bool:
    """Whether a number is said by the user, given to the right calls, held by its rows or the length of a list."""
    if any(number == length for length in _lengths(wish)):
        return True
    said = f"{wish.asked_for} {wish.phrasing} {' '.join(wish.given)}"
    if any(number_of(each) == number for each in re.findall(rf"\b(?:{NUMBER})\b", said)):
        return True
    return any(str(number) == str(value) for slot in wish.slots for value in wish.row(slot).values())


def _lengths(wish: Wish) -> Iterator[int]:
    yield from (len(keys) for keys in wish.several)
    yield from (len(value) for _, value in wish.arguments if isinstance(value, list))
    yield len(wish.goal.calls)
    yield from (len(slot.fact.value) for slot in wish.slots if isinstance(slot.fact.value, list))


def _is_told_by_tool(unit: str, wish: Wish) -> bool:
    """Whether the action has a span of its own in such a unit: "a hold runs for three days"."""
    return any(str(value) == unit for slot in wish.slots for value in wish.row(slot).values())


def refunds_elsewhere(proposal: Proposal, wish: Wish) -> Iterator[str]:
    """Money that is to go back otherwise than it was paid, where the user does not say how: "as a certificate"."""
    if wish.settles or not _REFUND.search(proposal.text):
        return
    own = {way for text in wish.held.direct for way in _ways(text)}
    called = {part for call in wish.goal.calls for part in call.name.split("_")}
    for clause in proposal.line_clauses if own else ():
        refund = _REFUND.search(clause)
        for match in _PAID_TO.finditer(clause) if refund else ():
            way = "credit card" if match["way"] in _CARD else match["way"].replace("travel ", "")
            if way not in own and way not in called and not _INSTEAD.search(clause[: match.start()]):
                yield match.group()


def _ways(text: str) -> Iterator[str]:
    """With what a key of a payment says that it was paid: "gift_card_2003258"."""
    if key := _NUMBERED_KEY.fullmatch(text.lower()):
        yield key["sort"].replace("_", " ")
