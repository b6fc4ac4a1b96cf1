"""Which verbs do the same: a small thesaurus of doing, and verbs of two words ("switch off") as one.

English only and of no world: which verbs a world's actions go by is declared there; here stands what people say for
them. A word that a world declares for another action is never taken as a synonym.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache

from sandbox.language.tokens import Token, low_at

_ALIKE = tuple(
    frozenset(words.split())
    for words in (
        "enable activate allow permit unlock",
        "disable deactivate bar",
        "suspend pause hold deactivate",
        "resume reactivate reinstate restore unsuspend unpause unfreeze activate",
        "cancel scrap stop delete remove void",
        "cancel drop skip",
        "return refund",
        "exchange swap replace change switch",
        "change modify update edit switch swap replace set correct adjust alter amend revise save become read show",
        "modify exchange swap",
        "send ship deliver redirect reroute forward",
        "pay send wire remit transfer",
        "transfer move shift",
        "move reschedule shift push postpone rebook",
        "add top credit book refuel put include",
        "book reserve purchase buy issue ticket",
        "create add schedule book enter put make",
        "set add create schedule remind",
        "save add store register",
        "end stop finish expire",
        "decline refuse",
        "accept attend join",
        "respond reply answer",
        "lengthen extend stretch prolong change make",
        "shorten cut trim change make",
        "invite add ask",
        "remove uninvite drop strike take",
        "repeat recur series",
        "remind alert notify",
        "dispute contest challenge report file",
        "block stop",
        "upgrade downgrade",
        "compensate issue give send credit",
        "put replace name swap substitute",
        "fix repair solve resolve troubleshoot",
    )
)
_NOUNS: Mapping[str, frozenset[str]] = {
    "respond": frozenset(("response", "answer", "reply")),
    "reply": frozenset(("response", "answer", "reply")),
    "accept": frozenset(("acceptance",)),
    "remind": frozenset(("reminder", "reminders", "alert")),
    "repeat": frozenset(("series", "recurrence", "repetition")),
    "return": frozenset(("returns",)),
    "refuel": frozenset(("top-up", "refill")),
    "schedule": frozenset(("appointment",)),
}
"""What an action is called where no ending makes it."""
_PARTED: Mapping[str, Mapping[str, str]] = {
    "off": {"switch": "disable", "turn": "disable", "put": "disable", "call": "cancel", "take": "remove"},
    "on": {"switch": "enable", "turn": "enable"},
    "down": {"turn": "decline", "shut": "disable"},
    "back": {"send": "return", "bring": "return", "take": "return", "give": "return", "come": "return"},
    "hold": {"put": "suspend", "place": "suspend"},
}
"""Verbs of two words by the second one, which may stand some words later."""
_LIFTED = frozenset(("lift", "end", "undo", "lifting", "lifted", "remove", "removing"))
_LOCKS = frozenset(("suspension", "hold", "block", "freeze", "pause", "lock"))
_ANSWERING = frozenset("send sending answer answering say reply replying respond put".split())
_ANSWERS = {"no": "decline", "yes": "accept", "maybe": "respond", "tentative": "respond", "tentatively": "respond"}
_QUOTES = frozenset(('"', "'", "“"))
_FORMS = {
    "switch": ("switch", "switched", "switching"), "turn": ("turn", "turned", "turning"), "put": ("put", "putting"),
    "call": ("call", "called", "calling"), "take": ("take", "taken", "taking", "took"), "shut": ("shut", "shutting"),
    "send": ("send", "sent", "sending"), "bring": ("bring", "brought", "bringing"), "place": ("place", "placed"),
    "give": ("give", "given", "giving"), "come": ("come", "comes", "coming", "came"),
}  # fmt: skip
_BASE = {form: base for base, forms in _FORMS.items() for form in forms}
_REACH = 5
"""Words at most between the two parts."""
_STOPS = frozenset(". , ; : ? ! and or for to".split())


@lru_cache(maxsize=512)
def synonyms(verbs: frozenset[str], taken: frozenset[str]) -> frozenset[str]:
    """Verbs that do what these do.

    Args:
        verbs: in base form.
        taken: what a world calls its other actions; none of these is a synonym.
    """
    alike = frozenset().union(*(words for words in _ALIKE if words & verbs))
    return (alike - taken) | verbs


@lru_cache(maxsize=1024)
def further_nouns(base: str) -> frozenset[str]:
    """Further nouns for the action of a verb."""
    return _NOUNS.get(base, frozenset())


def parted(tokens: list[Token]) -> dict[int, str]:
    """Verbs of two words in a sentence, as the one verb that says the same, by the position of the first word."""
    found: dict[int, str] = {}
    for index, token in enumerate(tokens):
        if token.low in _LIFTED and _LOCKS & {low_at(tokens, index + step) for step in (1, 2)}:
            found[index] = "resume"
        if token.low in _ANSWERING:
            said = {low_at(tokens, index + step) for step in range(1, 6)}
            answer = next((verb for word, verb in _ANSWERS.items() if word in said), "")
            if answer and (said & _QUOTES or "for" in said):
                found[index] = answer
        base = _BASE.get(token.low, "")
        for step in range(1, _REACH + 1) if base else ():
            word = low_at(tokens, index + step)
            if word in _STOPS:
                break
            if word in _PARTED and base in _PARTED[word]:
                found[index] = _PARTED[word][base]
                break
    return found
