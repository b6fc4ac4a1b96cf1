"""Whether what an agent proposes is the wish: action, things and sides are compared, and what does not fit is named.

Fails closed: a yes needs the wish's own action, each slot named rightly, and nothing beside it. Everything else is a
correction, a question or a no.
"""

from __future__ import annotations

import re
from functools import cached_property

from toolgym.sandbox.language.dialogue_acts import AgentAct
from toolgym.sandbox.language.inflection import forms
from toolgym.sandbox.language.mentions import Mention
from toolgym.sandbox.language.prefilter import Prefiltered
from toolgym.sandbox.users.additions import tells_more
from toolgym.sandbox.users.checks import BESIDE, CHANGED, CHANGED_DETAILS
from toolgym.sandbox.users.checks.proposal import Proposal
from toolgym.sandbox.users.checks.unaccounted import names_another, unaccounted
from toolgym.sandbox.users.described import describes
from toolgym.sandbox.users.exchanged import exchange_of
from toolgym.sandbox.users.lexicon import CHOICE
from toolgym.sandbox.users.parts_told import tells_parts
from toolgym.sandbox.users.placing import is_timed, look, place_all
from toolgym.sandbox.users.proposal_reading import Reading
from toolgym.sandbox.users.records import other_address, other_unit
from toolgym.sandbox.users.right_call import is_criterion, is_enough, names_all_given
from toolgym.sandbox.users.rivals import rivals
from toolgym.sandbox.users.second_reading import to_the_point, without_former
from toolgym.sandbox.users.slots import WishSlot, is_alike
from toolgym.sandbox.users.trips_told import turns_trip
from toolgym.sandbox.users.verdict import Fit, Verdict
from toolgym.sandbox.users.wish import Wish

_FREE = Prefiltered(
    r"\b(?:free of charge|for free|(?:it|they|these|those|that)(?:'s|'re| is| are) (?:all |both )?free|"
    r"is free|are free|complimentary|no (?:extra |additional )?(?:cost|"
    r"charge)|at no "
    r"(?:extra |additional )?(?:cost|charge)|without charge|nothing (?:to pay|is charged))\b|(?:charge|cost|total|"
    r"price|due)\W+\$0(?:\.00)?\b"
)
"""What says that there is nothing to pay, so that nobody needs to know with what."""
_TAKES = frozenset("take taking taken put putting bring bringing add adding added remove removing removed".split())
"""What is done where somebody takes another's place."""
_NOW = re.compile(
    r"\b(?:now|current(?:ly)?|present(?:ly)?|at the moment|so far|until now|today|stands at)\b[^.,;()]{0,30}$"
)
"""What stands before how something is at present."""
_HOW_PAID = "how would you like to pay?"


class Comparison:
    """A message compared with a wish: at once what it names, and where somebody asks for it what it is in all.

    Args:
        heard: the message.
        wish: what is wanted.
        settled: names of slots that an earlier proposal named rightly.

    Attributes:
        named: the wish's slots that it names.
        wrong: those that it contradicts, each with the words that do.
        proposal: the message as checks read it.
        settled: as given.
    """

    def __init__(self, heard: AgentAct, wish: Wish, settled: frozenset[str] = frozenset()) -> None:
        self._wish, self.settled = wish, settled
        self._verdict = verdict = Verdict("right")
        self.proposal = proposal = Proposal(heard, wish)
        reading = proposal.reading
        named: dict[str, WishSlot] = {}
        place_all(heard, reading.lines, wish, verdict, named)
        for slot in wish.slots:
            _find(slot, proposal, wish, verdict, named)
        for slot in [slot for slot in named.values() if slot.kind == "moment" and not is_timed(slot, heard, wish)]:
            del named[slot.fact.name]
        exchange = exchange_of(wish, heard.text, proposal.mentions)
        verdict.wrong += exchange.turned
        if exchange.named:
            named |= {slot.fact.name: slot for slot in exchange.named}
            reading.own = True
            said = wish.world.calling(frozenset(call.name for call in wish.goal.calls)) | _TAKES
            reading.beside = [word for word in reading.beside if word.casefold() not in said]
            reading.near = [word for word in reading.near if word.casefold() not in said]
        self.named = verdict.named = list(named.values())
        self.wrong = verdict.wrong = [each for each in verdict.wrong if not self._is_only_shown(*each)]

    def _is_only_shown(self, slot: WishSlot, words: str) -> bool:
        """Whether a figure is what a look-up shows beside the slot's own: "up to $150 (now $108.74)"."""
        wish, mentions = self._wish, self.proposal.mentions
        alike = [each for each in mentions if is_alike(slot, each)]
        if any(each.text == words and is_enough(each, slot, wish) for each in alike):
            return True
        shown = [each for each in alike if each.text == words and not slot.fits(each, wish.person)]
        own = [each for each in alike if slot.fits(each, wish.person)]
        if slot.table or slot not in self.named or not shown or not all(wish.shows(each) for each in shown):
            return False
        return is_criterion(slot, wish) or (
            all(self._is_of_now(each) for each in shown) and not any(self._is_of_now(each) for each in own)
        )

    def _is_of_now(self, mention: Mention) -> bool:
        return mention.role != "to" and _NOW.search(self.proposal.text[: mention.start]) is not None

    @cached_property
    def verdict(self) -> Verdict:
        """What came of it."""
        verdict, proposal, wish = self._verdict, self.proposal, self._wish
        heard, reading = proposal.heard, proposal.reading
        titles = {word for each in proposal.named if " " in each.text and _is_value(each) for word in each.text.split()}
        verdict.beside += [word for word in reading.beside if word[:1].islower() or word not in titles]
        if not (verdict.beside or verdict.wrong or reading.denied):
            words = BESIDE.first_found(proposal, wish) or next(wish.held.differing(reading.lines), "")
            verdict.beside += [words] if words else []
        if any(slot.is_fixed and _is_state_of(slot, wish) for slot in verdict.named):
            reading.own, reading.near = True, []  # "set the card back to active"
        verdict.asserts = reading.own
        named = {slot.fact.name: slot for slot in self.named}
        open_slots = [slot for slot in wish.needed if slot.fact.name not in named.keys() | self.settled]
        is_free = _FREE.search(heard.text) is not None
        verdict.missing = [
            slot
            for slot in open_slots
            if not wish.held.implies(verdict.named, slot)
            and not (is_free and slot.asked.search(_HOW_PAID))
            and not (reading.own and _is_only(slot, wish))
        ]
        if any(is_criterion(slot, wish) for slot in verdict.missing) and names_all_given(proposal, wish):
            verdict.missing = [slot for slot in verdict.missing if not is_criterion(slot, wish)]
        is_alone = not reading.own and _is_alone(proposal, wish, verdict)
        verdict.fit = _fit(verdict, reading, len(wish.needed), is_alone=is_alone)
        if verdict.fit == "right":
            words = CHANGED.first_found(proposal, wish) or CHANGED_DETAILS.first_found(proposal, wish)
            verdict.fit, verdict.beside = ("added", [words]) if words else ("right", verdict.beside)
        if verdict.fit == "right" and not reading.own:
            open_words = list(unaccounted(proposal, wish, strictly=not is_alone and _is_open(wish, named)))
            if open_words or names_another(heard, wish):
                verdict.fit, verdict.beside = "unclear", open_words
        return verdict


def read_again(heard: AgentAct, wish: Wish, found: Comparison) -> Verdict:
    """What came of comparing; where only background was objected to, of comparing what the message proposes.

    Args:
        heard: the message.
        wish: what is wanted.
        found: the message compared with the wish.
    """
    first = found.verdict
    if first.fit == "right" and (plan := without_former(heard)) is not None:
        return _of_the_plan(found, Comparison(plan, wish, found.settled))
    if first.fit not in ("wrong", "added", "other"):
        return first
    brief = to_the_point(heard, wish, [words for _, words in first.wrong], first.beside)
    if brief is None:
        return first
    rows = {slot.fact.name for slot in found.named if slot.table}  # which one it is, the background may tell
    again = Comparison(brief, wish, found.settled | rows)
    values = {slot.fact.name for slot in found.named} - rows
    is_whole = values <= {slot.fact.name for slot in again.named}
    is_said = again.verdict.asserts or bool(again.named)
    return again.verdict if again.verdict.fit == "right" and is_whole and is_said else first


def _of_the_plan(whole: Comparison, plan: Comparison) -> Verdict:
    """What came of comparing, where a value that only tells how it has been is none that is proposed."""
    named = {slot.fact.name for slot in plan.named}
    gone = [slot for slot in whole.named if not slot.table and slot.fact.name not in named]
    if gone and plan.verdict.fit != "right":
        return plan.verdict  # "to 786 Poplar Drive (currently: 972 Clearwater Road)"
    return whole.verdict


def _find(slot: WishSlot, proposal: Proposal, wish: Wish, verdict: Verdict, named: dict[str, WishSlot]) -> None:
    """Note whether a message names a slot, by what no single mention tells, or has it otherwise."""
    text, name = proposal.text, slot.fact.name
    partial = verdict.rows.get(name, ())
    if slot.is_wholly_named(partial):
        named[name] = slot
    look(slot, text, wish, named)
    if name not in named and (
        wish.held.is_told(slot, text)
        or (slot.table and describes(proposal.heard, slot, wish, partial))
        or tells_parts(slot, text, proposal.mentions, wish, partial)
        or tells_more(slot, text, wish)
    ):
        named[name] = slot
    if turned := turns_trip(slot, text, proposal.mentions, wish):
        verdict.wrong.append((slot, turned))
    if isinstance(slot.fact.value, dict) and "address1" in slot.fact.value:
        own_lines = " ".join(line.sentence.text for line in proposal.lines)
        differing = other_unit if name in named else other_address
        if other := differing(slot.fact.value, own_lines):
            verdict.wrong.append((slot, other))


def _is_only(slot: WishSlot, wish: Wish) -> bool:
    """Whether a row need not be named since the person has no other of its sort: "my line"."""
    mine = slot.words.casefold() in (f"my {noun}" for noun in wish.world.nouns.values())
    return mine and sum(table == slot.table for table, _ in wish.person.rows) == 1


def _is_alone(proposal: Proposal, wish: Wish, verdict: Verdict) -> bool:
    """Whether a message names all that the wish needs and nothing that another action of the world could take.

    Whatever it names must then be the wish's, in whatever sentence it stands: all of them may say what will be done.
    """
    if verdict.missing or verdict.wrong or not verdict.named or not wish.is_one_call:
        return False
    if any(slot.kind == "record" for slot in wish.slots) or _is_open(
        wish, {each.fact.name: each for each in verdict.named}
    ):
        return False
    if names_another(proposal.heard, wish) or rivals(wish.domain, wish.kind, verdict.named, proposal.text):
        return False
    return all(_is_own(mention, wish) for mention in proposal.mentions if _is_value(mention))


def _is_value(mention: Mention) -> bool:
    """Whether a mention is something that an action could be given, and no word for a choice."""
    return not (mention.columns and all(column.startswith(CHOICE) for column in mention.columns))


def _is_own(mention: Mention, wish: Wish) -> bool:
    return any(slot.fits(mention, wish.person) for slot in wish.slots) or wish.explains(mention)


def _is_open(wish: Wish, named: dict[str, WishSlot]) -> bool:
    """Whether something of the wish that is told in words alone, such as an occasion, has not been said."""
    told = (slot for slot in wish.slots if slot.kind in ("text", "choice", "record") and not slot.is_fixed)
    about = {slot.name for slot in wish.declared.about if slot.of_call is not None} if wish.declared else set()
    told = (slot for slot in told if "reason" not in slot.fact.name and slot.fact.name not in about)
    return any(slot.fact.name not in named for slot in told)


def _is_state_of(slot: WishSlot, wish: Wish) -> bool:
    """Whether a fixed choice is what the action's verb brings about: "active" of "activate"."""
    value = str(slot.fact.value)
    return any(value in forms(verb) or verb.startswith(value[:5]) for verb in wish.world.verbs(wish.kind))


def _fit(verdict: Verdict, reading: Reading, needed: int, *, is_alone: bool) -> Fit:
    if reading.denied:
        return "denied"
    if verdict.wrong:
        return "wrong"
    own = verdict.asserts
    has_value = any(slot.kind != "reference" and "reason" not in slot.fact.name for slot in verdict.named)
    is_whole = is_alone or (not verdict.missing and (has_value or reading.used))
    if verdict.beside or reading.is_other(own, is_whole):
        return "added" if own else "other"
    if (
        not own
        and not is_alone
        and not (reading.told and verdict.named)
        and (verdict.missing or (verdict.vague and not has_value) or (needed < 2 and not is_whole))
    ):
        return "unclear"
    return "open" if verdict.missing else "right"
