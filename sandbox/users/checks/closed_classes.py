"""Closed classes of English words that change what is done, whatever the wish is about.

A yes needs that all of them are accounted for. Exceptions, further things, other persons, a later day, a rhythm, a
condition, another currency: each class has the words that bring it and the settings in which these words change
nothing, such as "once you confirm". What the user said itself is always accounted for.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache, lru_cache

from toolgym.sandbox.language.mentions import find_mentions
from toolgym.sandbox.language.prefilter import ByWord, Prefiltered
from toolgym.sandbox.language.tokens import singular
from toolgym.sandbox.users.checks.own_words import WORD, telling_words
from toolgym.sandbox.users.checks.proposal import Proposal
from toolgym.sandbox.users.checks.quantities import comes_of_it
from toolgym.sandbox.users.checks.skipping import only_where
from toolgym.sandbox.users.checks.word_classes import CLASSES, WordClass
from toolgym.sandbox.users.choices_said import is_chosen_so
from toolgym.sandbox.users.once_a_wish import KEPT
from toolgym.sandbox.users.proposal_reading import AnyWish
from toolgym.sandbox.users.wish import Wish

_MY = Prefiltered(r"\bmy\b")
_UNTIL = re.compile(r"\b(?:until|till|through) $")
_ENDS = Prefiltered(r"\b(?:until|till|through|last(?! \w+ digits| digits)|(?:end|ends|ending)(?! in\b)|stop)\b")
_RHYTHM = Prefiltered(
    r"\b(?:daily|weekly|monthly|yearly|annual(?:ly)?|quarterly|biweekly|fortnightly|recurring|"
    r"(?<!\bi )repeat(?!ed)\w*|(?:every|each|per|(?:(?<=\d )|(?<=dollars ))an?) (?:other |second |single )?(?:day|"
    r"week|month|year|quarter|monday|tuesday|wednesday|thursday|friday|saturday|sunday)s?)\b(?! (?:it|that|back)\b)"
)
_LATER = re.compile(r"\b(?:later|following|subsequent|future|remaining|after)\b")
_MORE = re.compile(r"\b(?:more|extra|additional|further|another)\b")
_LEFT = re.compile(r"\bwhat(?:'s| is) left\b|\brest\b|\bleft over\b|\bremain\w*\b")
_PARTS = re.compile(r"\W*(two|three|four|[234])\b(?! (?:payments|instal|rates))")
_HOW_MANY = {"two": 2, "2": 2, "three": 3, "3": 3, "four": 4, "4": 4}
_COUNTED = re.compile(r"\band (?:\d+|one|two|three|four|five|six|seven|eight|nine|ten) $")
_LETTERS = re.compile(r"[a-z]+")
_SHORT = 4
_ONLY_ONCE = Prefiltered(
    r"\bonce [^.,;!?]*\b(?:has|have|is|are)(?: been)? [a-z]+ed\b[^.;!?]*(?:\b(?:cannot|can't|can not|may not|won't|"
    r"no longer|impossible|final)\b)"
)
"""What a rule says of what is done: "once an order's items have been modified, they can't be modified again"."""
_CURRENCIES = {"€": "eur", "euro": "eur", "eur": "eur", "£": "gbp", "pound": "gbp", "gbp": "gbp", "sterling": "gbp",
               "¥": "jpy", "yen": "jpy", "franc": "chf", "chf": "chf"}  # fmt: skip
"""The codes of currencies in which a row's amounts may be."""
_OTHER = re.compile(r"(?:an)?other\b")
_WITHOUT = re.compile(r"\b(?:without|not|no|nothing|never)\b[^,;]*$")
_UNIT = re.compile(r"day|week|month|quarter|year")
_OF_MONEY = Prefiltered(r"\b(?:fees?|bills?|charges?|costs?|prices?|rates?|plans?|limits?|usage|statements?)\b")
"""What is always counted by the month: "$5 for each month on hold", "with your monthly bill"."""


def changing_words(proposal: Proposal, wish: AnyWish) -> Iterator[str]:
    """Words of a class that changes what is done, in a clause where nothing accounts for them."""
    for each in _by_word().among(proposal.words):
        if each.brings.search(proposal.text) and not _is_wished(each, proposal, wish):
            yield from _in_clauses(each, proposal, wish)


@cache
def _by_word() -> ByWord[WordClass]:
    return ByWord((each.brings.needs, each) for each in CLASSES)


def _is_wished(each: WordClass, proposal: Proposal, wish: AnyWish) -> bool:
    """Whether a wish is of the sort that such words belong to."""
    return (
        (each.unless_dated and (_ENDS.search(wish.asked_for) is not None or _ends_of_itself(proposal, wish)))
        or (each.of_several and bool(wish.is_many or wish.quantifiers))
        or (each.unless_said is not None and each.unless_said.search(wish.asked_for) is not None)
    )


def _is_of_a_title(word: str, proposal: Proposal, wish: Wish) -> bool:
    """Whether a word stands in what a row is called that an agent sees: the "survey" of the "Survey workshop"."""
    titles = (str(value).casefold() for _, value in wish.seen if isinstance(value, str) and " " in value)
    is_column = any(word == column for column, _ in wish.seen)  # "a regular membership"
    return is_column or any(word in title.split() and title in proposal.text for title in titles)


def _in_clauses(each: WordClass, proposal: Proposal, wish: AnyWish) -> Iterator[str]:
    said = _put(wish)
    for clause in proposal.clauses_with(wish) if each.with_action else proposal.clauses:
        for match in each.brings.finditer(clause):
            is_said = match.group() in said or match.group().replace("your ", "my ") in said
            is_said = is_said or ("default" in match.group() and "default address" in said)
            if _OTHER.match(match.group()) and _WITHOUT.search(clause[: match.start()]):
                continue  # "without taking it from any other category"
            if match.group().startswith("other ") and clause[: match.start()].endswith(("every ", "each ")):
                continue  # "every other week" is a rhythm
            if _LATER.search(clause[match.start() :]) and "follow" in wish.asked_for:
                continue  # "all later ones in the series"
            if is_said or (each.harmless is not None and each.harmless.search(clause)):
                continue
            if isinstance(wish, Wish) and _is_of_a_title(match.group(), proposal, wish):
                continue
            if match.group().startswith("once") and _ONLY_ONCE.search(proposal.text):
                continue
            if isinstance(wish, Wish) and (
                _is_a_difference(clause, match, wish) or _is_own(proposal, clause, match, wish)
            ):
                continue
            if not (each.unless_told and not telling_words(wish).isdisjoint(WORD.findall(clause))):
                yield match.group()


def _is_own(proposal: Proposal, clause: str, match: re.Match[str], wish: Wish) -> bool:
    """Whether the words are a value of the wish in other words: "two times" a thing, "again for seven days", "€"."""
    word = match.group()
    if (currency := _CURRENCIES.get(word.rstrip("s"))) is not None:
        return re.search(rf"\b{currency}\b", wish.known) is not None
    if word.endswith("the rest") and (_LEFT.search(wish.asked_for) or _is_difference(proposal, wish)):
        return True
    if word.startswith("split in") and (parts := _PARTS.search(clause, match.end())) is not None:
        return any(isinstance(value, list) and len(value) == _HOW_MANY[parts[1]] for _, value in wish.arguments)
    if word.startswith("other ") and (_COUNTED.search(clause[: match.start()]) and is_part(word.split()[1], wish)):
        return True  # "the order of March 10 (headphones and three other items)"
    if word.startswith("with the") and _is_asked_to_say(word.split()[-1], clause[match.end() :], wish):
        return True
    if word.startswith("one of") and any(slot.kind == "number" and slot.fact.value == 1 for slot in wish.slots):
        return True
    counted = {"twice": 2, "two times": 2, "thrice": 3}.get(word)
    if any(slot.kind == "number" and counted == slot.fact.value for slot in wish.slots):
        return True
    if word.startswith("until") and any(slot.kind == "choice" and is_chosen_so(slot, clause) for slot in wish.slots):
        return True
    if not word.endswith(" for"):
        return False
    said = find_mentions(clause, None, wish.now)
    after = next((each for each in said if 0 <= each.start - match.end() <= 1), None)
    return after is not None and any(
        slot.fits(after, wish.person) or slot.is_chosen(after, wish.person) for slot in wish.slots
    )


def _is_difference(proposal: Proposal, wish: Wish) -> bool:
    """Whether what the right call is given is the rest: what is left of one amount that is said after another one."""
    said = [abs(int(each.value)) for each in proposal.sums]
    given = {int(value) for name, value in wish.arguments if name.endswith("_cents") and isinstance(value, int)}
    return any(abs(one - other) in given and one != other for one in said for other in said)


def is_part(noun: str, wish: Wish) -> bool:
    """Whether a noun is what the wished rows consist of, such as the items of an order."""
    tables = {slot.table for slot in wish.slots if slot.table}
    own = {each for each in wish.declared.tables.values() if each.__name__ in tables} if wish.declared else set()
    called = {word for each in wish.world.with_parts(own) - own for word in wish.world.nouns[each.__name__].split(" ")}
    is_whole = bool(wish.singles) and all(slot.table or "reason" in slot.fact.name for slot in wish.slots)
    return is_whole and singular(noun) in called | {"item", "thing", "product"}


def _is_asked_to_say(noun: str, said: str, wish: Wish) -> bool:
    """Whether a wish asks for such a note itself, of which nothing but its own words and figures are said."""
    if noun not in wish.asked_for:
        return False
    known = telling_words(wish) | frozenset(WORD.findall(wish.known))
    return all(word in known or len(word) < _SHORT for word in _LETTERS.findall(said))


def _is_a_difference(clause: str, match: re.Match[str], wish: Wish) -> bool:
    """Whether what is said to be more is an amount that comes of the action: "$3.46 more", "the extra $3.46"."""
    if not _MORE.search(match.group()):
        return False
    amounts = [each for each in find_mentions(clause, None, wish.now) if each.kind == "money"]
    return any(each.start <= match.end() and match.start() <= each.end and comes_of_it(each, wish) for each in amounts)


def _ends_of_itself(proposal: Proposal, wish: AnyWish) -> bool:
    """Whether the day until which something is said to last is one that the right calls show: a hold's last day."""
    days = (each for each in proposal.values if each.kind == "date" and _UNTIL.search(proposal.text[: each.start]))
    return isinstance(wish, Wish) and any(map(wish.explains, days))


@lru_cache(maxsize=KEPT)
def _put(wish: AnyWish) -> str:
    """How such a wish is put, with its own values, by the user and by whom it speaks to."""
    said = (
        f"{wish.phrasing} {wish.asked_for} {wish.kind.replace('_', ' ').replace('certificate', 'certificate voucher')}"
    )
    for slot in wish.slots if isinstance(wish, Wish) else ():
        said = said.replace(f"{{{slot.fact.name}}}", slot.words.lower())
    return f"{said} {_MY.sub('your', said)}"


@only_where(_RHYTHM)
def rhythms(proposal: Proposal, wish: AnyWish) -> Iterator[str]:
    """What is done again and again, in a rhythm that neither the wish nor its rows nor a price account for."""
    titles = [each.text.casefold() for each in proposal.named if " " in each.text]
    for clause in proposal.clauses if _RHYTHM.search(proposal.text) else ():
        for title in titles:
            clause = clause.replace(title, " ")  # the "Quarterly briefing" is one meeting
        for match in _RHYTHM.finditer(clause):
            unit = _UNIT.search(match.group().replace("annual", "year").replace("dai", "day"))
            if match.group() in wish.asked_for or match.group() in wish.known:
                continue
            if unit is not None and unit.group() in (wish.known if wish.repeats else wish.rhythms):
                continue
            is_price = _OF_MONEY.search(clause) is not None or _is_cost(clause[: match.start()], wish)
            if not is_price and (unit is not None or not wish.repeats):
                yield match.group()


def _is_cost(before: str, wish: AnyWish) -> bool:
    """Whether words end with an amount that the action is known to cost, or that its outcome shows: "$5 a month"."""
    said = find_mentions(before, None, wish.now)
    if not said or said[-1].kind != "money" or said[-1].end < len(before) - 1:
        return False
    own = [slot for slot in wish.slots if slot.kind == "money"] if isinstance(wish, Wish) else []
    return said[-1].value in wish.costs or (not own and isinstance(wish, Wish) and wish.explains(said[-1]))
