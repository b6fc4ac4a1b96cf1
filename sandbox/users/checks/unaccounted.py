"""Words of a proposal that does not name the wish's action: what each may be that nothing of the wish has.

Unlike the other checks these find what is not understood, so that the user asks again and does not decline.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from toolgym.sandbox.language.dialogue_acts import AgentAct
from toolgym.sandbox.language.inflection import forms
from toolgym.sandbox.language.prefilter import Prefiltered
from toolgym.sandbox.language.tokens import Token, low_at, tokenize
from toolgym.sandbox.language.verb_lists import DOING
from toolgym.sandbox.users.asking import is_bare
from toolgym.sandbox.users.checks.own_words import FREE, is_accounted
from toolgym.sandbox.users.checks.proposal import Proposal
from toolgym.sandbox.users.proposal_reading import PAYS, UNTOUCHED, moves_own_money
from toolgym.sandbox.users.variants import are_told
from toolgym.sandbox.users.wish import Wish

_NO_CHANGE = Prefiltered(
    r"\b(?:does not|doesn't|do not|don't|will not|won't) change\b|\b(?:stays?|remains?) (?:where|what) (?:it|they)\b"
)
_NONE = frozenset("no nobody none nothing".split())
_EVERYBODY = frozenset("everyone everybody anyone anybody someone somebody".split())
_OPENING = frozenset(("", ".", "!", "?", ":", "\n", "|", "-", "–", "—", "*", "•", "(", '"', "=", "✅"))
_ACT_AS_LABEL = re.compile(r"\W*([a-z]+)(?: [a-z]+){0,2}:")
"""An act that is named before what it is done to: "Charge payment: ..."."""
_DOING_NOW = frozenset(form for verb in DOING for form in forms(verb) if form.endswith("ing"))
_AM = frozenset(("am", "i'm", "we're", "are"))
_BEFORE_DOING = frozenset(
    ": me will would shall should can could may might be being get gets getting i we to and then".split()
)
"""What stands before the verb that says what is done."""


def unaccounted(proposal: Proposal, wish: Wish, *, strictly: bool = False) -> Iterator[str]:
    """Words that nothing of the wish has: those that stand where the verb of what is done stands, names, and words for
    everybody; strictly all words that no proposal has around its contents.
    """
    inside = [(each.start, each.end) for each in proposal.mentions]
    akin = wish.world.akin(wish.kind)
    choices = {slot.fact.name for slot in wish.slots if slot.kind == "choice" and slot.fact.value in ("yes", "no")}
    is_told = wish.person.is_shared and (not wish.held.changes or are_told(wish.held.changes, proposal.text))
    for line in proposal.lines:
        sentence = line.sentence
        if is_bare(sentence.text) or _is_as_before(sentence.text) or _NONE & {each.low for each in line.tokens}:
            continue  # "nobody can buy it any more"
        is_closing = sentence.act == "agree" and not any(sentence.start <= at < sentence.end for at, _ in inside)
        label = sentence.start + line.label_end
        for index, token in enumerate(line.tokens):
            if token.kind != "word" or token.low in FREE or token.start < label or index in line.negated:
                continue
            if token.low in akin or any(start <= token.start < end for start, end in inside):
                continue
            if low_at(line.tokens, index - 1) in choices:
                continue  # "insurance declined"
            if is_told and token.low in PAYS and moves_own_money(token.low, sentence.text, wish):
                continue
            if is_closing and token.low not in wish.world.bases:
                continue
            is_done = (token.low in wish.world.doing or token.low in DOING) and _is_done(line.tokens, index)
            is_done |= token.low in _DOING_NOW and low_at(line.tokens, index - 1) in _AM
            counts = strictly or is_done or token.low in _EVERYBODY or _is_name(line.tokens, index, wish)
            if token.low in wish.strangers or (counts and not is_accounted(token.low, wish)):
                yield token.low


def _is_name(tokens: list[Token], index: int, wish: Wish) -> bool:
    """Whether a word is written as a name, not only as the first one of a sentence, and with no known one beside it."""
    around = [each for each in (index - 1, index + 1) if 0 <= each < len(tokens) and tokens[each].text[:1].isupper()]
    return (
        tokens[index].text[0].isupper()
        and low_at(tokens, index - 1) not in _OPENING
        and not any(tokens[each].low in FREE or tokens[each].low in wish.vocabulary for each in around)
    )


def _is_done(tokens: list[Token], index: int) -> bool:
    """Whether a word stands where what is done is told: "would X", "it gets X", "to X it"."""
    before, low = low_at(tokens, index - 1), tokens[index].low
    if before.endswith("ly") and index > 1:
        before = low_at(tokens, index - 2)
    return before in _BEFORE_DOING or before.endswith(("'ll", "'d")) or index == 0 or low in DOING


def names_another(heard: AgentAct, wish: Wish) -> bool:
    """Whether a sentence that no yes would be to names another act: "Just to check, you want to delete it."."""
    acts = (wish.world.doing | DOING) - wish.world.akin(wish.kind)
    for sentence in heard.sentences:
        tokens = tokenize(sentence.text) if sentence.act == "ask" else []
        said = [token.low for index, token in enumerate(tokens) if token.low in DOING and _is_done(tokens, index)]
        labelled = _ACT_AS_LABEL.match(sentence.text)
        said += [labelled.group(1)] if labelled else []
        if any(word in acts and not is_accounted(word, wish) for word in said):
            return True
    return False


def _is_as_before(text: str) -> bool:
    """Whether a sentence says that something stays as it is: "your default address doesn't change"."""
    return UNTOUCHED.search(text) is not None or _NO_CHANGE.search(text) is not None
