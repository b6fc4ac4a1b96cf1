"""What contradicts the right calls in what a typed mention does not show: another flight, a further traveller, a half.

What is right comes from the calls' arguments and from all that the gold run sees; only names and codes of just that
form are compared, so that what is merely spoken of beside the wish stays unharmed.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import cache, lru_cache
from itertools import product

from toolgym.sandbox.language.inflection import past_forms
from toolgym.sandbox.language.mentions import find_mentions
from toolgym.sandbox.language.prefilter import Prefiltered
from toolgym.sandbox.language.tokens import singular
from toolgym.sandbox.runtime.registry import get_domain
from toolgym.sandbox.users.checks.own_words import ADDRESS_OF
from toolgym.sandbox.users.checks.proposal import Proposal
from toolgym.sandbox.users.checks.skipping import only_where
from toolgym.sandbox.users.once_a_wish import KEPT
from toolgym.sandbox.users.proposal_reading import UNTOUCHED
from toolgym.sandbox.users.records import leaves
from toolgym.sandbox.users.rivals import actions_of
from toolgym.sandbox.users.slots import WishSlot
from toolgym.sandbox.users.wish import Wish

_CODE = re.compile(r"([A-Z]{2,})(\d{2,})")
_NAME = re.compile(r"[A-ZÀ-Þ][\w'-]+ [A-ZÀ-Þ][\w'-]+")
_UNTIL_NOW = re.compile(
    r"\b(?:from|instead of|rather than|not|old|original|current|was|were|replac\w+|no)\b[^.;,]{0,30}$"
)
_HAVE = Prefiltered(r"\b(?:have|has|had)\b|'ve\b")
_NO_REFUND = Prefiltered(r"\b(?:without (?:any |a )?|no |not (?:be )?)refund\w*|\bnon-?refundable\b|\bforfeit\w*")
_HALF = Prefiltered(
    r"\b(?:half|a third|one third|a quarter|two thirds|a part|part|some) of (?:the |your |that |this )?"
    r"(?:\$|amount\b|sum\b|payment\b|balance\b)"
)
_OUT = re.compile(
    r"\b(?:out|off|remov\w+|replac\w+|old|until now|was|leav\w+|instead|current\w*|before|former|from|not)\b"
)
_TAKES_AWAY = Prefiltered(
    r"\b(?:drop|remove|delete|cancel|strike|take (?:out|off|away)|leave out)(?:ping|ing|s)? (?:the |your |that )$"
)
_TIMES_A = Prefiltered(
    r"\b(?:twice|(?:two|three|four|five|\d) times) (?:a|an|each|every|per) (?:day|week|month|year)\b"
)
_AT_ONCE = Prefiltered(
    r"\b(?:sent|sends?|ends?|stops?|starts?|begins?|leaves?|paid|goes out|go out)(?: out)? "
    r"(?:at once|right now|right away|immediately|straight away|now)\b"
)
_UN = Prefiltered(r"\bun(?!less\b|pack|til\b|der\b|it)([a-z]{4,})\b")
_ENDS = Prefiltered(r"\b(first|top|last|final|bottom) ([a-z]+)\b")
_OPPOSITE_ENDS = (frozenset(("first", "top")), frozenset(("last", "final", "bottom")))
_LEFT_WHOLE = Prefiltered(
    r"\b(?:leave|keep) (?:it|them) (?:complete|whole|unsorted|untouched|unchanged|in full|"
    r"uncut|as (?:it|they) (?:is|are))\b"
)
_ONLY = r"(?:only|alone)"
_FOR_ONE = Prefiltered(r"\b(?:only|just|alone)\b")
_WOULD_BE = Prefiltered(r"\b(?:would|will) (?:then |thereby |also )?be ([a-z]+ed)\b")

_IS_SET = re.compile(
    r"\b(?:set|updat\w+|chang\w+|edit\w*|replac\w+) (?:the |your )?(?:[a-z]+(?:'s)? ){0,2}(?:address|profile)\b"
)
_OUT_OF = Prefiltered(
    r"\b(?:remov\w+|tak(?:e|ing)|drop\w*|delet\w+|cancel\w*|exclud\w+) (?P<what>[^.;,]{3,40}?) "
    r"(?:from|off|out of) (?:the|your|this|that|it)\b"
)
_A_SECOND = Prefiltered(r"\b(?:a|one) second (?!time\b|choice\b|thought|look\b)(?:[a-z]+ )?[a-z]+\b")


def other_codes(proposal: Proposal, wish: Wish) -> Iterator[str]:
    """A code of the form of a given one, such as a flight's number, that is another one's."""
    forms = {(match[1], len(match[2])) for given in wish.given if (match := _CODE.fullmatch(given))}
    for match in _CODE.finditer(proposal.plain) if forms else ():
        code = match.group()
        if (match[1], len(match[2])) not in forms or code in wish.given or code.casefold() in wish.known:
            continue
        is_old = any(value == code for _, value in wish.outcome.shown)
        if not is_old and not _UNTIL_NOW.search(proposal.text[: match.start()]):
            yield code


def further_people(proposal: Proposal, wish: Wish) -> Iterator[str]:
    """Somebody whom the gold run shows by name, taken along where the right call lists people without them."""
    listed = [
        value for _, value in wish.arguments if isinstance(value, list) and value and all(map(_is_somebody, value))
    ]
    if not listed:
        return
    own = {" ".join(leaves(each)[:2]).casefold() for people in listed for each in people}
    shown = {str(value).casefold() for column, value in wish.seen if column in ("first_name", "last_name")}
    for match in _NAME.finditer(proposal.plain):
        name = match.group().casefold()
        if name not in own and name not in wish.known and set(name.split(" ")) <= shown:
            yield match.group()


def _is_somebody(value: object) -> bool:
    return isinstance(value, dict) and "first_name" in value


def other_codes_of_places(proposal: Proposal, wish: Wish) -> Iterator[str]:
    """Another code for the same place than the one that is named with it: "New York JFK" for "New York (LGA)"."""
    for place in (part for slot in wish.slots if slot.kind == "record" for part in leaves(slot.fact.value)):
        city, _, code = place.casefold().removesuffix(")").partition(" (")
        for match in re.finditer(rf"\b{re.escape(city)}\W{{1,3}}([a-z]{{3}})\b", proposal.text) if code else ():
            if match[1] != code and any(str(value).casefold() == match[1] for _, value in wish.seen):
                yield match.group()


@only_where(_FOR_ONE)
def for_one_alone(proposal: Proposal, wish: Wish) -> Iterator[str]:
    """One of several people said to be the only one for whom it is done, where the wish names nobody."""
    for match in _NAME.finditer(proposal.plain):
        around = proposal.text[: match.start()], proposal.text[match.end() :]
        is_one = re.search(r"\b(?:only|just)(?: for)? $", around[0]) or re.match(rf"(?:'s seat)? {_ONLY}\b", around[1])
        if is_one and match.group().casefold() not in wish.asked_for and "alone" not in wish.asked_for:
            shown = {str(value).casefold() for _, value in wish.seen}
            if set(match.group().casefold().split(" ")) <= shown:
                yield f"{match.group()} alone"


def still_listed(proposal: Proposal, wish: Wish) -> Iterator[str]:
    """Who is to be replaced, in the list of those who come afterwards."""
    sides = {slot.fact.name: " ".join(leaves(slot.fact.value)).casefold() for slot in wish.slots}
    old, new = sides.get("old", ""), " ".join(sides.get("new", "").split(" ")[:2])
    listed = [each.text for each in proposal.heard.sentences if each.listed] if old and new else []
    with_new = [text for text in listed if new in text]
    yield from (old for text in listed if with_new and old in text and new not in text and not _OUT.search(text))


@only_where(_NO_REFUND)
def no_refund(proposal: Proposal, wish: Wish) -> Iterator[str]:
    """Nothing to be paid back where the right call pays back."""
    match = _NO_REFUND.search(proposal.text)
    if match is None or "refund" in wish.asked_for:
        return
    changed = wish.outcome.changed
    is_paid = ("transaction_type", "refund") in changed
    is_paid = is_paid or any(
        column == "amount" and isinstance(value, int | float) and value < 0 for column, value in changed
    )
    if is_paid:
        yield match.group()


@only_where(_HALF)
def halves(proposal: Proposal, wish: Wish) -> Iterator[str]:
    """A part of an amount, where nobody speaks of one."""
    match = _HALF.search(proposal.text)
    if match is not None and match.group().split(" ")[0] not in wish.asked_for:
        yield match.group()


def other_targets(proposal: Proposal, wish: Wish) -> Iterator[str]:
    """The same done to what another action of the world is for: the order's address, where the profile's is meant."""
    for target, pattern in _targets(wish):
        for text in (line.sentence.text for line in proposal.acting):
            for match in pattern.finditer(text):
                if not ADDRESS_OF.search(text[: match.end()]) and target not in wish.asked_for.split("if")[0]:
                    yield match.group()


@lru_cache(maxsize=KEPT)
def _targets(wish: Wish) -> Sequence[tuple[str, Prefiltered]]:
    """What other actions of the world are for, with how the same is said to be done to it."""
    every = actions_of(wish.domain)
    mine = next((set(each.name.split("_")) for each in every if each.name == wish.kind), set[str]())
    found = []
    for theirs in (set(other.name.split("_")) for other in every):
        shared = [word for word in (mine & theirs) - wish.world.bases if not word.isdigit()]
        apart = [word for word in theirs - mine if wish.world.is_thing(word) and word not in wish.singles]
        for thing, target in product(shared if mine - theirs else (), apart):
            of = rf"\b{thing}s? (?:of|on|for|in) (?:the |your |this |that )(?:[\w#'$.-]+ ){{0,4}}?{target}\b"
            found.append((target, _to(of, rf"\b{target}(?:'s)? (?:shipping |delivery )?{thing}\b")))
    return found


@cache
def _to(of: str, whose: str) -> Prefiltered:
    return Prefiltered(f"{of}|{whose}")


@only_where(_TAKES_AWAY)
def taken_away(proposal: Proposal, wish: Wish) -> Iterator[str]:
    """A thing that the wished row holds, to be taken out of it: "I'd first drop the Throw Blanket"."""
    if not wish.is_one_call or any(slot.kind == "record" and not _is_address(slot) for slot in wish.slots):
        return
    for mention in proposal.named:
        match = _TAKES_AWAY.search(proposal.text[: mention.start])
        is_name = any(column.endswith(".name") for column in mention.columns)
        is_other = match and is_name and not any(slot.fits(mention, wish.person) for slot in wish.slots)
        is_own = match is not None and match.group().split(" ")[0] in wish.world.verbs(wish.kind)
        if match and is_other and not is_own and wish.held.explains(mention):
            yield match.group() + mention.text


def _is_address(slot: WishSlot) -> bool:
    return isinstance(slot.fact.value, dict) and "address1" in slot.fact.value


def other_fixed(proposal: Proposal, wish: Wish) -> Iterator[str]:
    """Another value of what the action itself decides, such as a right to read where one to write is wished."""
    for slot in (each for each in wish.slots if each.is_fixed and each.kind == "choice"):
        right = str(slot.fact.value).replace("_", " ")
        if match := re.search(
            rf"\b(?:outside|beyond|except for|other than|not) (?:of )?the {re.escape(right)}\b", proposal.text
        ):
            yield match.group()
        for mention in proposal.named:
            is_other = slot.is_chosen(mention, wish.person) is False and mention.role not in (
                "from",
                "instead_of",
                "not",
            )
            word = mention.text.casefold()
            if is_other and not mention.negated and word not in wish.asked_for:
                after = re.match(r" (?:rights?|access|permissions?|only)\b", proposal.text[mention.end :])
                joined = re.search(rf"\b{re.escape(right)} and $", proposal.text[: mention.start])
                if (after and right not in proposal.text) or joined:
                    yield mention.text


@only_where(_UN)
def not_so(proposal: Proposal, wish: Wish) -> Iterator[str]:
    """A word of the wish with "un" before it: "unread" where what is read is meant."""
    for match in _UN.finditer(proposal.text):
        own = re.findall(r"[a-z]+", wish.goal.utterance.lower())
        is_left = _UNTIL_NOW.search(proposal.text[: match.start()]) or re.search(
            rf"(?<!un)\b{match[1]}\b", proposal.text
        )
        if match[1] in own and match.group() not in own and not is_left:
            yield match.group()


@only_where(_TIMES_A, _AT_ONCE)
def other_times(proposal: Proposal, wish: Wish) -> Iterator[str]:
    """Several times in a span of time, or at once, where the wish says how often and when."""
    match = _TIMES_A.search(proposal.text)
    if match is not None and match.group() not in wish.asked_for:
        yield match.group()
    is_dated = any(slot.kind in ("date", "moment") for slot in wish.slots)
    for line in proposal.acting if is_dated else ():
        if (match := _AT_ONCE.search(line.sentence.text)) and match.group() not in wish.asked_for:
            yield match.group()


_WILL_DO = Prefiltered(r"\b(?:i|we)(?:'ll| will| am going to|'m going to) (?P<verb>[a-z]+)")


@only_where(_HAVE)
def done_already(proposal: Proposal, wish: Wish) -> Iterator[str]:
    """What a wish wants told that the person will do, told as done: "that you have paid" for "I will pay"."""
    for match in _WILL_DO.finditer(wish.asked_for):
        done = "|".join(map(re.escape, sorted(past_forms(frozenset((match["verb"],))))))
        told = re.search(rf"\b(?:have|has|had|'ve)(?: already)? (?:{done})\b", proposal.text) if done else None
        if told is not None:
            yield told.group()


@only_where(_ENDS, _LEFT_WHOLE)
def other_ends(proposal: Proposal, wish: Wish) -> Iterator[str]:
    """The other end of a thing than the wished one, "the first line" for the last, or all of it left as it is."""
    for end, thing in _ENDS.findall(wish.goal.utterance.lower()):
        ends = next(each for each in _OPPOSITE_ENDS if end in each)
        said = {each for each, what in _ENDS.findall(proposal.text) if what == thing}
        if said and not said & ends:
            yield f"{min(said)} {thing}"
    match = _LEFT_WHOLE.search(proposal.text)
    if match is not None and not _LEFT_WHOLE.search(wish.asked_for) and not wish.is_one_call:
        yield match.group()


@only_where(_WOULD_BE)
def done_in_exchange(proposal: Proposal, wish: Wish) -> Iterator[str]:
    """What the user tells of as something that happened, said to be done now: "it would be cancelled in exchange"."""
    others = wish.world.done_otherwise(wish.kind)
    for line in proposal.lines:
        for match in _WOULD_BE.finditer(line.sentence.text):
            told = re.search(rf"\b(?:was|were|been|is|are) {match[1]}\b", wish.goal.utterance.lower())
            if told and match[1] in others and singular(match[1]) not in wish.own_states:
                yield match.group()


def strange_targets(proposal: Proposal, wish: Wish) -> Iterator[str]:
    """What the world's vocabulary says that such a wish is not about: "change your profile's default address"."""
    strangers = get_domain(wish.domain).vocabulary.strangers
    patterns = [pattern for word, pattern in strangers.items() if word in wish.kind.split("_")]
    for clause in proposal.line_clauses if patterns else ():
        found = next((match for each in patterns if (match := re.search(each, clause, re.DOTALL))), None)
        if found is not None and _IS_SET.search(clause) and not UNTOUCHED.search(clause):
            yield clause


@only_where(_OUT_OF)
def some_taken_out(proposal: Proposal, wish: Wish) -> Iterator[str]:
    """Somebody or something taken out of the row that all is to be done to: "remove Elias Holt from the booking"."""
    for line in proposal.acting:
        for match in _OUT_OF.finditer(line.sentence.text):
            words = proposal.written(line)[match.start("what") : match.end("what")]
            said = find_mentions(words, wish.person.lexicon, wish.now)
            is_name = _NAME.search(words) is not None and words.casefold() not in wish.asked_for
            if is_name and not any(slot.fits(each, wish.person) for slot in wish.slots for each in said):
                yield match.group()


@only_where(_A_SECOND)
def a_second_one(proposal: Proposal, wish: Wish) -> Iterator[str]:
    """One more of what there is, where that is to be changed: "add a second speaker"."""
    if "second" not in wish.asked_for:
        yield from (match.group() for line in proposal.lines for match in _A_SECOND.finditer(line.sentence.text))
