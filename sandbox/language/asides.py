"""Where a verb is said aside: of what is or was, of another case, or of what somebody will have to do or may do.

Nothing of this is done now by the speaker; which verbs there are in a sentence is no matter of this file.
"""

from __future__ import annotations

import re
from itertools import pairwise

from toolgym.sandbox.language.tokens import Token, low_at

BE = frozenset("be being get getting have been is are was were gets".split())
"""What stands before a past form by which something is done to a thing: "will be closed"."""
_ABLE = frozenset("can may could might".split())
_SOME_DAY = frozenset("until unless once if when whenever after before".split())
_NOW = frozenset("currently now presently".split())
_SO_FAR = re.compile(r"\b(?:currently|presently|at present|at the moment|right now|until now|so far|still)\b")
_CHECKING = frozenset("verify check identify authenticate confirm".split())
"""What agents do before anything else; said of the past it is no action."""
_AT_ANY_TIME = frozenset("whenever anytime".split())
CUTS = frozenset(", ; : . ! ? \n ( )".split(" ")) | {""}
"""What stands between two clauses, or before the first and after the last one."""
_ON_A_DAY = frozenset("returning starting beginning ending leaving departing arriving".split())
_MONTHS = frozenset("jan feb mar apr may jun jul aug sep oct nov dec".split())
_GIVEN_THAT = frozenset("since because as given".split())
_PAUSES = frozenset(", - – — ;".split())
_DUTIES = frozenset("have has need needs asked able free likely supposed required had".split())


def is_aside(tokens: list[Token], index: int, base: str) -> bool:
    """Whether a verb says what is or was, or what the listener may do some day, and not what will be done now."""
    before, after = low_at(tokens, index - 1), low_at(tokens, index + 1)
    if base == "end" and (after in ("in", "with", "on", "at") or after.isdigit()):
        return True  # "the card that ends in 1234"
    if after in ("?", "!") and (index == 0 or before in _PAUSES):
        return True  # "Correct?", "You'd like it paused, correct?"
    if before == "-" and low_at(tokens, index - 2) == "non":
        return True  # "non-stop"
    if tokens[index].low in _ON_A_DAY and (after in ("on", "at", "from") or after[:3] in _MONTHS or after.isdigit()):
        return True  # "returning May 31", "starting March 27"
    if tokens[index].low in ("repeating", "recurring") and after in ("every", "each", "weekly", "daily", "monthly"):
        return True
    if base == "offer" and before in ("can", "could") and after in ("is", "you", "in"):
        return True  # "what I can offer is a certificate"
    if before in ("is", "are") and clause_around(tokens, index)[:1] and clause_around(tokens, index)[0] in _GIVEN_THAT:
        return True  # "since the trip is insured, I can cancel it"
    if before == "you" and low_at(tokens, index - 2) in _SOME_DAY:
        return True
    if before in ("was", "were"):
        return True
    if before == "from" and low_at(tokens, index + 1) != "the":
        return True  # "goes from suspended to active"
    clause = clause_around(tokens, index)
    if "again" in clause and _ABLE & set(clause):
        return True  # "we can open it up again"
    if {"nothing", "nobody", "none"} & set(clause) or (base in _CHECKING and before in BE):
        return True
    if before in BE and _SO_FAR.search(" ".join(clause)):
        return True
    has = {low_at(tokens, at) for at in range(max(index - 3, 0), index)} & {"has", "have"}
    return bool(has) and bool(_NOW & set(clause))


def is_duty(tokens: list[Token], index: int) -> bool:
    """Whether somebody will have to do it or be able to, such as answer again: nothing that the speaker does."""
    before, duty = low_at(tokens, index - 1), low_at(tokens, index - 2)
    if (
        before == "to"
        and (duty in _DUTIES or low_at(tokens, index - 3) == "may")
        and low_at(tokens, index - 3) not in ("i", "we", "i'll", "i'd")
    ):
        return True
    if before == "be" and (duty in _ABLE or (duty == "to" and low_at(tokens, index - 3) in _DUTIES)):
        return True  # "it can be unfrozen later", "a new one has to be ordered"
    clause = clause_around(tokens, index)
    return any(one == "you" and two in _ABLE for one, two in pairwise(clause)) or bool(_AT_ANY_TIME & set(clause))


def is_in_another_case(tokens: list[Token], index: int) -> bool:
    """Whether the verb says what would be done in another case: "if it turns up, we simply lift the freeze"."""
    return any(low_at(tokens, at) == "if" and low_at(tokens, at + 1) == "it" for at in range(index)) and (
        low_at(tokens, index - 1) in ("we", "simply", "just", "be", "can")
    )


def clause_around(tokens: list[Token], index: int) -> list[str]:
    """The words around a verb up to the next stop or comma."""
    first = next((at + 1 for at in range(index - 1, -1, -1) if tokens[at].low in CUTS), 0)
    last = next((at for at in range(index, len(tokens)) if tokens[at].low in CUTS), len(tokens))
    return [token.low for token in tokens[first:last]]
