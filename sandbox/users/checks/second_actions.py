"""A second action that stands beside the wished one: "and I'd also void the payment", "then dispatch the parcel".

What a joined verb does is told by the verb where it is no word for the wish's action, and by the thing that it is done
to where it is one, or could be any: "add a guest" is not "add a reminder", though both are added.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from toolgym.sandbox.language.actions import parted
from toolgym.sandbox.language.inflection import forms, past_forms
from toolgym.sandbox.language.prefilter import Prefiltered
from toolgym.sandbox.language.tokens import Token, low_at, singular
from toolgym.sandbox.language.verb_lists import CONSENTING, DOING, HANDLING, LIGHT, NEUTRAL
from toolgym.sandbox.users.checks.own_words import FREE, is_accounted, is_other_thing
from toolgym.sandbox.users.checks.proposal import Proposal
from toolgym.sandbox.users.checks.skipping import only_where
from toolgym.sandbox.users.proposal_reading import moves_own_money
from toolgym.sandbox.users.slots import root
from toolgym.sandbox.users.wish import Wish

_JOINING = frozenset("and plus then also ; & +".split())
_SPEAKING = frozenset("i we i'd i'll we'd we'll would will can could shall going to then also now just please".split())
_WOULD = frozenset("i'd i'll we'd we'll would will can could shall".split())
_DETERMINERS = frozenset("a an the your our another one two three some any each every both all more".split())
_DETERMINERS |= frozenset("four five six seven eight nine ten twenty fifty hundred".split())
_PARTICLES = frozenset("off in out up down".split())
_OF_IT = frozenset("it them that this these those you him her".split())
_TOLD = frozenset(
    "confirmation receipt care effect place look people everybody everyone guests message note email e-mail mail "
    "details summary word copy reference number know case record change changes request difference balance rest "
    "total cost refund money amount price payment payments".split()
)
"""What an action brings with it anyway, so that nothing else is done to it."""
_PARTING = frozenset(
    "and to from for in on at with of by as so that which who whose then or if under out off up back were is "
    "are".split()
)
_NO_VERBS = frozenset(
    "with for from to in on at of by as so that which who if under out off up back into onto until till after "
    "before than not no only even still already again yet both either neither instead without within per via "
    "over about between through leave during including inform notify tell telling informing notifying since "
    "because while when where whether like near against around is are was were be has have had".split()
)
"""What stands between "and" and a thing without being done to it."""
_ADDING = frozenset("include enclose including enclosing".split())
"""What puts a part of the wish beside the rest: "and I include a card that says ..."."""
_KEEPING = frozenset("keep leave keeping leaving".split())
"""What changes nothing: "and keep the limit"."""
_SOFT = NEUTRAL | CONSENTING
_REACH = 6
"""Words at most from a verb to the thing that it is done to."""
_NEW = Prefiltered(
    r"\b(?:(?:an?|one|the) (?:new|further|additional|fresh|replacement)|(?:a|one) second) (?:[a-z]+ )?([a-z]+)\b"
)
_AND_I = Prefiltered(
    r"\b(?:and|plus|then)\b(?: then| also| afterwards| later)* (?:i|we)(?:'ll|'d| will| would)? (?P<rest>[^.;]*)"
)
_AND_DONE = Prefiltered(
    r"\b(?:and|plus|then) (?:the |your |its )?(?:[a-z]+ )?(?P<thing>[a-z]+) (?:is|are|gets?|will be|would be) "
    r"(?:also |then )?(?:(?:turned|switched|moved|changed) (?:on|off|to)\b|"
    r"enabled|disabled|activated|cancelled|removed|deleted|closed|"
    r"blocked|added|opened)\b"
)
"""A second thing that is done without anybody named who does it: "and roaming is turned on"."""
_AND_NEW = Prefiltered(
    r"\b(?:and|plus|then) (?:an?|one) (?:new|replacement|further|second|additional|fresh) [a-z]+ "
    r"(?:is|gets|will be|would be|goes)\b"
)
_AND_FROM = Prefiltered(
    r"\b(?:and|plus|then) (?:also |then )?[a-z]+ (?:it|them|her|him) "
    r"(?:from|off|out of) (?:the |your )(?P<thing>[a-z]+)\b"
)
"""Somebody taken out of something else: "and delete her from your payees"."""
_AND_MOVES = Prefiltered(
    r"\b(?:and|plus|then) (?:the |your |its )(?P<thing>[a-z]+) (?:moves|changes|goes|switches) (?:to|into|off|on)\b"
)
_AND_THEN = Prefiltered(r"\band (?:(?:is|are|gets?|get|then|also|it|they|will|would|be) ){1,4}(?P<done>[a-z]+ed)\b")
_WORD = re.compile(r"[a-z][a-z'-]+")
_CREATED = frozenset("new another replacement second fresh again".split())
_PARTICIPLES = past_forms(DOING)
_LABELS = re.compile(r"\b([a-z]+):")


def second_actions(proposal: Proposal, wish: Wish) -> Iterator[str]:
    """A further action beside the wished one: "and I'd also void the payment", "then dispatch the parcel"."""
    own, others = wish.world.verbs(wish.kind), wish.world.rivals(wish.kind)
    mine: frozenset[str] | None = None
    for line in proposal.acting:
        if _JOINING.isdisjoint(each.low for each in line.tokens):
            continue
        phrases = parted(line.tokens)
        for index, token in enumerate(line.tokens):
            verb = phrases.get(index, token.low)
            if token.kind != "word" or index in line.negated or not _is_joined(line.tokens, index, verb in others):
                continue
            thing = _thing(line.tokens, index)
            if verb in wish.person.labels:
                continue  # "and storage 512 GB"
            if "no" in thing[:1] or (wish.world.is_thing(verb) and verb not in others | own):
                continue  # "and send no message", "and card 5799 covers it"
            if moves_own_money(verb, line.sentence.text, wish):
                continue  # "and refund whatever was paid"
            mine = mine or _own_forms(wish)
            if verb in (own if index in phrases else mine):
                counts = any(is_other_thing(word, wish) or _is_other_column(word, wish) for word in thing)
            elif verb in _ADDING:
                counts = any(_is_strange(word, wish) for word in thing)
            elif verb in _KEEPING:
                counts = any(is_other_thing(word, wish) for word in thing)
            elif verb in LIGHT or (verb in _SOFT | HANDLING and verb not in others):
                counts = any(is_other_thing(word, wish) or _is_strange(word, wish) for word in thing)
            else:
                counts = bool(thing) and not set(thing) & _TOLD
            if counts:
                yield " ".join((token.text, *thing))


def _is_other_column(word: str, wish: Wish) -> bool:
    """Whether a word is what a column is called that the wish has nothing to do with: "email" of an address's owner."""
    return word in wish.world.columns and word not in wish.asked_for and not is_accounted(word, wish)


def _own_forms(wish: Wish) -> frozenset[str]:
    """The words for the wish's own action, and with which it is put."""
    verbs = frozenset(form for verb in wish.world.verbs(wish.kind) for form in forms(verb))
    called = wish.world.calling(frozenset(call.name for call in wish.goal.calls))
    return verbs | wish.own_words | wish.world.akin(wish.kind) | called


def _is_joined(tokens: list[Token], index: int, is_known: bool) -> bool:
    """Whether a word stands where the verb of a further action stands, with what it is done to."""
    start = index
    while start > 0 and low_at(tokens, start - 1) in _SPEAKING:
        start -= 1
    between = {low_at(tokens, at) for at in range(start, index)}
    low = tokens[index].low
    if low_at(tokens, index + 1) == "ahead":
        return False  # "is that right, and shall I go ahead?"
    is_verb = low not in _SPEAKING | _DETERMINERS | _OF_IT | _NO_VERBS and not low.endswith(("'s", "ly", "ed"))
    if not is_verb or (low.endswith("s") and not low.endswith("ss")) or "to" in between:
        return False
    if not (low_at(tokens, start - 1) in _JOINING or between & _JOINING):
        return False
    at = index + 2 if low_at(tokens, index + 1) in _PARTICLES else index + 1
    begins = low_at(tokens, at) in _DETERMINERS or (at < len(tokens) and tokens[at].kind == "num")
    is_said = is_known and at < len(tokens) and tokens[at].kind == "word"
    is_said = is_said or bool(between & _WOULD)
    return begins or (is_said and low_at(tokens, at) not in _OF_IT)


def _thing(tokens: list[Token], index: int) -> list[str]:
    """The words of what a verb is done to, up to the next word that parts."""
    found = []
    for at in range(index + 1, min(index + 1 + _REACH, len(tokens))):
        if tokens[at].kind not in ("word", "num") or (tokens[at].low in _PARTING and at > index + 1):
            break
        found.append(tokens[at].low)
    return found


def _is_strange(word: str, wish: Wish) -> bool:
    """Whether a word is none of the wish's, and none that any proposal may have."""
    return word.isalpha() and word not in FREE | _TOLD and not is_accounted(word, wish)


@only_where(_AND_I, _AND_DONE, _AND_NEW, _AND_FROM, _AND_MOVES)
def joined_things(proposal: Proposal, wish: Wish) -> Iterator[str]:
    """A second thing that is joined to the wished one: "and I remove Ana from your payees", "and roaming is on"."""
    for line in proposal.lines:
        for match in _AND_I.finditer(line.sentence.text) if line.acting else ():
            words = _WORD.findall(match.group("rest"))
            if words and wish.declared is not None and words[0] in wish.declared.verbs:
                continue  # "I looked it up, and I would cancel it"
            if any(_is_second(word, wish) for word in words) or _NEW.search(match.group("rest")):
                yield match.group().strip(", ")
        if _CREATED.isdisjoint(wish.asked_for.split()):
            yield from (match.group() for match in _AND_NEW.finditer(line.sentence.text))
        for match in _AND_DONE.finditer(line.sentence.text):
            if _is_second(match["thing"], wish):
                yield match.group()
        for match in (*_AND_FROM.finditer(line.sentence.text), *_AND_MOVES.finditer(line.sentence.text)):
            if _is_second(match["thing"], wish):
                yield match.group()


def _is_second(word: str, wish: Wish) -> bool:
    if word in _PARTICIPLES:
        return False  # "what was paid", where something can be marked as paid
    return is_other_thing(word, wish) and not wish.held.are_all_meant(singular(word))


@only_where(_AND_THEN)
def further_states(proposal: Proposal, wish: Wish) -> Iterator[str]:
    """A participle that tells of another action or state of the world: "and is then archived"."""
    for match in (found for line in proposal.acting for found in _AND_THEN.finditer(line.sentence.text)):
        word = match["done"]
        if root(word) in wish.asked_roots or word in wish.own_states:
            continue
        chosen = {name for name, value in wish.person.choices if value == word}
        if word in wish.world.done_otherwise(wish.kind) or chosen - {slot.fact.name for slot in wish.slots}:
            yield match.group()


def other_labels(proposal: Proposal, wish: Wish) -> Iterator[str]:
    """The labels of what another action needs: "title: ..., category: ..., price: ..." where nothing is to be sold."""
    labels = set(_LABELS.findall(proposal.text)) if proposal.text.count(":") > 2 else set[str]()
    own = {call.name for call in wish.goal.calls}
    known = frozenset[str]().union(*(wish.world.labels.get(name, frozenset()) for name in own))
    for name, names in wish.world.labels.items() if len(labels) > 2 else ():
        if name not in own and len((labels & names) - known) > 2:
            yield ", ".join(sorted((labels & names) - known))
