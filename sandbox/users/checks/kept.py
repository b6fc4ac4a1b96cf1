"""What a wish ends or sets going said to stay as it is or not to happen: "and leave the March 22 one open".

What is ended or made comes from the names of the right calls and from the rows that these are given.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from toolgym.sandbox.language.actions import plain_verb
from toolgym.sandbox.language.inflection import forms
from toolgym.sandbox.language.mentions import Mention
from toolgym.sandbox.language.prefilter import Prefiltered
from toolgym.sandbox.language.tokens import singular
from toolgym.sandbox.users.checks.proposal import Proposal
from toolgym.sandbox.users.slots import WishSlot, root
from toolgym.sandbox.users.wish import Wish

_STAYS = re.compile(
    r"\b(?:leav(?:e|es|ing)|keep(?:s|ing)?|kept|left|stays?|staying|remains?|remaining)\b"
    r"(?! (?:in mind|out\b|behind|track))"
)
_PARTS = re.compile(r"[,;:]| (?:and|but|while|whereas|though)\b")
_ENDS = frozenset("cancel void end empty delete remove close terminate replace withdraw revoke".split())
_AS_IT_WAS = re.compile(
    r"\b(?:open|active|running|valid|in place|in force|unpaid|standing|as (?:it|they) (?:is|are|was|were|stands?)|"
    r"untouched|unchanged|alone|on|up|live|online)\b"
)
_SOMETHING_ELSE = re.compile(
    r"\b(?:others?|other|rest|else|remaining|everything|same|description|title|text|condition)\b"
)
_FOLLOWING = r"\b(?:rest|others|later|following|future|remaining|subsequent|remainder)\b"
_REST_STAYS = re.compile(
    rf"\b(?:keep\w*|leav\w+|let\w*)\b[^.;,]*?{_FOLLOWING}[^.;,]*|"
    rf"{_FOLLOWING}[^.;,]*?\b(?:stays?|remains?|keeps?|kept|continues?|goes on|go on|carry on|untouched|"
    r"unaffected)\b[^.;,]*"
)
_ALL_BEFORE = re.compile(
    r"\b(?:all|everything|each|every)(?: [a-z-]+){0,4}? (?:before|up to(?: and including)?|until|prior to)\b"
)
_ONWARD = re.compile(r"\b(?:later|following|onwards?|rest|after|from (?:then|there|that|it) on|subsequent|all)\b")
_ONWARD_SAID = re.compile(r"\b(?:later|following|onwards?|after|from\b[^.;,]*\bon|subsequent|future|series|end)\b")
_WILL_NOT = Prefiltered(
    r"\b(?:won't|will not|would not|wouldn't|not going to|without|never|no need to) (?:then |also |be )?"
    r"(?P<verb>[a-z]+)(?: (?P<particle>up|in|out|off))?\b"
)


def kept_running(proposal: Proposal, wish: Wish) -> Iterator[str]:
    """What one of several right calls ends, said to stay: "I'd keep the Harrow Energy Fund order"."""
    ending = [call for call in wish.goal.calls if plain_verb(call.name.split("_")[0]) in _ENDS]
    if wish.is_one_call or not ending or not _STAYS.search(proposal.text):
        return
    things = {singular(part) for call in ending for part in call.name.split("_")[1:]}
    keys = {str(value) for call in ending if isinstance(call.arguments, dict) for value in call.arguments.values()}
    ended = [
        slot
        for slot in wish.slots
        if slot.table and not keys.isdisjoint(slot.keys) and wish.world.nouns[slot.table].rsplit(" ", 1)[-1] in things
    ]
    if _STAYS.search(wish.asked_for):
        return
    for line in proposal.lines:
        text, first = line.sentence.text, line.sentence.start
        for start, part in _parts(text):
            match = _STAYS.search(part)
            if match is None or _SOMETHING_ELSE.search(part):
                continue
            here = range(first + start, first + start + len(part))
            is_named = any(each.start in here and _names(each, ended, wish) for each in proposal.mentions)
            is_so = _AS_IT_WAS.search(part) and any(re.search(rf"\b{re.escape(each)}\b", part) for each in things)
            if is_named or is_so:
                yield part.strip()


def _names(mention: Mention, ended: list[WishSlot], wish: Wish) -> bool:
    return any(slot.fits(mention, wish.person) for slot in ended)


def _parts(text: str) -> Iterator[tuple[int, str]]:
    start = 0
    for match in (*_PARTS.finditer(text), None):
        end = match.start() if match else len(text)
        yield start, text[start:end]
        start = match.end() if match else end


def rest_kept(proposal: Proposal, wish: Wish) -> Iterator[str]:
    """The later ones said to stay where they are to go, too, or the earlier ones to go: a series that ends."""
    if not any(str(slot.fact.value) == "following" for slot in wish.slots):
        return
    for line in proposal.lines:
        text = line.sentence.text
        for match in _REST_STAYS.finditer(text):
            if not _ONWARD_SAID.search(text[: match.start()] + text[match.end() :]):
                yield match.group()
        for match in _ALL_BEFORE.finditer(text):
            if not _STAYS.search(text[: match.start()]) and not _STAYS.match(text[match.end() :].split(",")[0]):
                yield match.group()


def not_made(proposal: Proposal, wish: Wish) -> Iterator[str]:
    """What a further right call does, said not to be done: "and won't put up a new one"."""
    if wish.is_one_call:
        return
    own = {wish.declared.tool.name} if wish.declared else set[str]()
    names = {call.name for call in wish.goal.calls} - own
    verbs = {form for name in names for form in forms(plain_verb(name.split("_")[0]))} | set(wish.further_verbs)
    made = {root(form) for form in verbs} | {root(word) for word in wish.own_words & wish.world.doing}
    for clause in proposal.line_clauses:
        for match in _WILL_NOT.finditer(clause):
            is_new = re.search(r"\b(?:new|another) (?:one|listing|order|invoice)\b", clause[match.end() :])
            if root(match["verb"]) in made or is_new:
                yield match.group()


_AS_A_DRAFT = Prefiltered(
    r"\b(?:leav(?:e|es|ing)|keep(?:s|ing)?|sav(?:e|es|ing)|stor(?:e|es|ing)|stays?|remains?)\b[^.;,]*?\bdrafts?\b"
)
_SENDS = frozenset("finalize send deliver".split())


def kept_as_draft(proposal: Proposal, wish: Wish) -> Iterator[str]:
    """A draft said to stay one that a further call sends: "and leave it as a draft"."""
    if wish.is_one_call or _AS_A_DRAFT.search(wish.asked_for):
        return
    if not any(call.name.split("_")[0] in _SENDS for call in wish.goal.calls):
        return
    for line in proposal.lines:
        for match in _AS_A_DRAFT.finditer(line.sentence.text):
            if not re.search(r"\b(?:not|no|never|rather than|instead of)\b|n't\b", line.sentence.text[: match.end()]):
                yield match.group()
