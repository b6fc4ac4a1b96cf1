"""What a report tells that is not the wish: another thing has been done, or more of it, and told as done."""

from __future__ import annotations

import re
from dataclasses import replace

from toolgym.sandbox.language.dialogue_acts import AgentAct, parse_act
from toolgym.sandbox.language.mentions import Mention
from toolgym.sandbox.users.checks import TOLD
from toolgym.sandbox.users.checks.own_words import is_accounted, is_other_thing
from toolgym.sandbox.users.checks.proposal import Proposal
from toolgym.sandbox.users.checks.quantities import comes_of_it
from toolgym.sandbox.users.checks.reach import too_much
from toolgym.sandbox.users.comparison import Comparison
from toolgym.sandbox.users.former import is_left_behind
from toolgym.sandbox.users.made_sure import may_be_so
from toolgym.sandbox.users.proposal_reading import Line
from toolgym.sandbox.users.right_call import is_enough
from toolgym.sandbox.users.slots import WishSlot, is_alike
from toolgym.sandbox.users.wish import Wish

_LINK = re.compile(r"\bhttps?://\S+[^\s.,;:!?)]")
_IN_WORDS = re.compile(r"[A-Za-z]{3}")
"""What the day of a month is told with: neither "3/3" nor "the 17th" need be one of another."""
_BY_ME_OR_MORE = re.compile(r"\b(?:i|we|i've|we've|all|every\w*|whole|entire|both)\b")
_ROLES = ("from ", "to ")
_FIGURES = ("money", "number", "duration", "date", "time", "moment")
_I_DID = re.compile(
    r"\b(?:i|we)(?:'ve| have)?(?: now| just| also| successfully)* (?P<done>[a-z]+) (?:your|the) "
    r"(?P<thing>(?:[a-z'-]+ ){0,2}?"
    r"[a-z'-]+)(?=[.,;!:(]| (?:for|from|to|on|in|at|of|with|and|by|as|that|which|ending|now|#)\b| [a-z]*\d| [#$]|$)"
)
"""What a speaker tells of its own act and what it was done to."""


def without_links(heard: AgentAct) -> AgentAct:
    """A message without addresses of pages, whose parts name nothing: "https://files.larkfield.example/sh-210"."""
    return parse_act(_LINK.sub("there", heard.plain)) if "://" in heard.text else heard


def may_be_otherwise(heard: AgentAct, wish: Wish) -> bool:
    """Whether a report says what it is about, what the speaker did or how much, unlike "Your request is completed."."""
    return may_be_so(heard, wish) or any(_BY_ME_OR_MORE.search(each) for each in heard.statements)


def told_instead(heard: AgentAct, wish: Wish) -> str:
    """The words of a report for what is not the wish; empty where it may well be it."""
    heard = without_links(heard)
    if not may_be_otherwise(heard, wish):
        return ""
    known = Comparison(heard, wish)
    return next((words for _, words in told_wrongly(known, wish)), "") or told_of_another(known, wish)


def told_wrongly(known: Comparison, wish: Wish) -> list[tuple[WishSlot, str]]:
    """Slots that a report has otherwise and nowhere rightly, each with the words.

    Another choice or side is none: what follows from an act goes by the words of other ones ("it may be shipped now").
    Nor is a row where the wish has two of its sort, of which each is told on its own ("Esme is off it").
    """
    tables = [slot.table for slot in wish.slots if slot.table]
    named = {slot.fact.name for slot in known.named}
    wrong = [(slot, words) for slot, words in known.wrong if slot.kind != "choice" and not words.startswith(_ROLES)]
    wrong += [(slot, words) for slot in wish.slots if slot.kind in _FIGURES for words in _figures(known, slot, wish)]
    return [(slot, words) for slot, words in wrong if slot.fact.name not in named and tables.count(slot.table) < 2]


def _figures(known: Comparison, slot: WishSlot, wish: Wish) -> list[str]:
    """Figures of a slot's sort in what a report tells where none is the slot's and nothing explains them."""
    told = [each for each in known.proposal.heard.sentences if each.act in ("tell", "refuse")]
    alike = [
        each
        for each in known.proposal.mentions
        if is_alike(slot, each)
        and (each.unit or each.kind not in ("number", "count"))
        and any(part.start <= each.start < part.end for part in told)
    ]
    is_known = any(slot.fits(each, wish.person) or wish.explains(each) or wish.shows(each) for each in alike)
    is_known = is_known or any(each.kind == "money" and comes_of_it(each, wish) for each in alike)
    is_known = is_known or any(is_enough(each, slot, wish) for each in alike)
    return [] if is_known else [each.text for each in alike]


def told_of_another(known: Comparison, wish: Wish) -> str:
    """The row or day that a report is about where it is not the wish's, or how much more was done; else empty."""
    mentions = known.proposal.mentions
    keyed = [
        each for each in mentions if each.kind == "phone" or (each.kind in ("identifier", "term") and each.columns)
    ]
    for slot in wish.slots if keyed else ():
        alike = [each for each in keyed if slot.table and (is_alike(slot, each) or _is_number(each, slot, wish))]
        alike = [each for each in alike if not (_is_former(each, slot, known, wish) or _is_column(each, wish))]
        if alike and not any(slot.fits(each, wish.person) for each in mentions) and not any(map(wish.explains, alike)):
            return alike[0].text
    days = [each.text for each in mentions if each.kind in ("date", "moment") and _IN_WORDS.search(each.text)]
    if days and set(days) <= set(known.verdict.beside):
        return days[0]
    much = "" if wish.quantifiers else next(too_much(known.proposal, wish), "")
    further = much or next(wish.held.differing(_done_lines(known, wish)), "")
    return (
        further or _other_object(known.proposal.heard.text, wish) or TOLD.first_found(_told(known.proposal, wish), wish)
    )


def _told(report: Proposal, wish: Wish) -> Proposal:
    """What a report tells, without what it asks: "T-3589 is approved. Should I mark it as shipped, too?"."""
    heard = report.heard
    told = [heard.plain[each.start : each.end] for each in heard.sentences if each.act in ("tell", "refuse")]
    return report if len(told) == len(heard.sentences) else Proposal(parse_act("\n".join(told)), wish)


def _done_lines(known: Comparison, wish: Wish) -> list[Line]:
    """The sentences of a report that tell the wish's own action as done, and not what comes of it."""
    done, heard = wish.world.done_by(wish.kind), known.proposal.heard
    each_alone = ((line, replace(heard, sentences=(line.sentence,))) for line in known.proposal.lines)
    return [line for line, alone in each_alone if alone.reports(done, confirmed=False)]


def _is_former(mention: Mention, slot: WishSlot, known: Comparison, wish: Wish) -> bool:
    """Whether a row is the one that the wished row named before, and gets its money back: "the gift card refund"."""
    is_held = slot.rows(mention, wish.person) & wish.held.former
    return bool(is_held) and is_left_behind(known.proposal.text, mention.start, mention.end)


def _is_column(mention: Mention, wish: Wish) -> bool:
    """Whether a word is what a part of the right calls' results is called: "The link is now https://..."."""
    return any(mention.text.casefold() == column for column, _ in wish.outcome.shown)


def _other_object(text: str, wish: Wish) -> str:
    """What has been done to a thing that the wish is not about: "I've deleted your account" of an event."""
    done = wish.world.done_by(wish.kind)
    for told in _I_DID.finditer(text):
        words = told["thing"].split()
        is_other = is_other_thing(words[-1], wish) or not any(is_accounted(word, wish) for word in words)
        if told["done"] in done and is_other:
            return " ".join(("your", *words))
    return ""


def _is_number(mention: Mention, slot: WishSlot, wish: Wish) -> bool:
    """Whether a mention is a phone number and the slot's row goes by one."""
    return mention.kind == "phone" and wish.has_phone(slot)
