"""Which verbs do the same: a small thesaurus of doing, and verbs of two words ("switch off") as one.

English only and of no world: which verbs a world's actions go by is declared there; here stands what people say for
them. A word that a world declares for another action is never taken as a synonym.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache

from sandbox.language.inflection import past_forms
from sandbox.language.tokens import Token, low_at

_GENERAL = frozenset("change make put set take give ask name file show read save switch report".split())
"""Verbs that lead to no more special ones: what is changed is not stretched, but what is stretched is changed."""
_ALIKE = tuple(
    (words.split(" ")[0], frozenset(words.split()))
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
        "sort assign reassign classify categorise recategorise categorize recategorize",
        "decline refuse",
        "resend retry redeliver retrigger replay deliver attempt try",
        "revoke withdraw unshare end stop cut",
        "unpack unzip extract decompress",
        "pack bundle compress",
        "put place add",
        "redeem apply use enter",
        "hold reserve keep",
        "allow grant give let permit edit",
        "reply answer respond",
        "buy purchase",
        "restore recover return bring roll revert",
        "rate review post",
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
    "resume": frozenset(("active",)),
    "cancel": frozenset(("gone", "disappear", "disappears", "disappearing")),
    "schedule": frozenset(("appointment",)),
}
"""What an action is called where no ending makes it."""
_REPORTED: Mapping[str, frozenset[str]] = {
    "cancel": frozenset(("remove", "drop", "delete")),
    "book": frozenset(("issue",)),
}
_PARTED: Mapping[str, Mapping[str, str]] = {
    "off": {"switch": "disable", "turn": "disable", "put": "disable", "call": "cancel", "take": "remove"},
    "out": {"go": "send", "send": "send"},
    "on": {"switch": "enable", "turn": "enable"},
    "down": {"turn": "decline", "shut": "disable"},
    "back": {"send": "return", "bring": "return", "take": "return", "give": "return"},
    "hold": {"put": "suspend", "place": "suspend"},
}
"""Verbs of two words by the second one, which may stand some words later."""
_LIFTED = frozenset(("lift", "end", "undo", "lifting", "lifted", "remove", "removing"))
_LOCKS = frozenset(("suspension", "hold", "block", "freeze", "pause", "lock"))
_ANSWERING = frozenset("send sending answer answering say reply replying respond put".split())
_ANSWERS = {"no": "decline", "yes": "accept", "maybe": "respond", "tentative": "respond", "tentatively": "respond"}
_QUOTES = frozenset(('"', "'", "“"))
_ATTENDING = frozenset("attend attending join joining come coming participate".split())
_FORMS = {
    "switch": ("switch", "switched", "switching"), "turn": ("turn", "turned", "turning"), "put": ("put", "putting"),
    "call": ("call", "called", "calling"), "take": ("take", "taken", "taking", "took"), "shut": ("shut", "shutting"),
    "send": ("send", "sent", "sending"), "bring": ("bring", "brought", "bringing"), "place": ("place", "placed"),
    "give": ("give", "given", "giving"), "go": ("go", "goes", "going", "gone"),
}  # fmt: skip
_BASE = {form: base for base, forms in _FORMS.items() for form in forms}
_WORKING = frozenset("to into in on online".split())
_GO_ON = frozenset("hold carry go come move keep from now and it is be turn switch put based back later so".split())
_BEGINS = frozenset(("", ":", ".", "\n", "-", "–", "—"))
_AFTER_STATE = frozenset(("", "for", ".", "(", "?", "!", ",", "then", "please", "\n"))
"""What follows a state without a verb: "Roaming on for 212-555-0101"."""
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
    alike = frozenset().union(*(words for first, words in _ALIKE if first in verbs or words & verbs - _GENERAL))
    return (alike - taken) | verbs


@lru_cache(maxsize=1024)
def further_nouns(base: str) -> frozenset[str]:
    """Further nouns for the action of a verb."""
    return _NOUNS.get(base, frozenset())


def reported_as(verbs: frozenset[str]) -> frozenset[str]:
    """Verbs by which what these do may be reported, though a world has them for other actions."""
    return frozenset().union(*(words for verb, words in _REPORTED.items() if verb in verbs))


def plain_verb(verb: str) -> str:
    """The one word that says what a verb of two words does: "enable" for "turn on"; else its first word."""
    first, _, rest = verb.partition(" ")
    return _PARTED.get(rest.rsplit(" ", 1)[-1], {}).get(first, first) if rest else first


def parted_past(verbs: frozenset[str]) -> frozenset[str]:
    """Past forms in two words of what these verbs do, such as "turned on" of "enable"."""
    return frozenset(
        f"{form} {particle}"
        for particle in ("on", "off", "down")
        for first, base in _PARTED[particle].items()
        if base in verbs
        for form in past_forms(frozenset((first,)))
    )


def parted(tokens: list[Token]) -> dict[int, str]:
    """Verbs of two words in a sentence, as the one verb that says the same, by the position of the first word."""
    found: dict[int, str] = {}
    for index, token in enumerate(tokens):
        if token.low in _LIFTED and _LOCKS & {low_at(tokens, index + step) for step in (1, 2)}:
            found[index] = "resume"
        if token.low in _ANSWERING:
            said = {low_at(tokens, index + step) for step in range(1, 6)}
            answer = next((verb for word, verb in _ANSWERS.items() if word in said), "")
            if answer and (said & _QUOTES or said & {"for", "to"}):
                found[index] = answer
        if token.low in _ATTENDING and _denied_before(tokens, index):
            found[index] = "decline"
        base = _BASE.get(token.low, "")
        for step in range(1, _REACH + 1) if base else ():
            word = low_at(tokens, index + step)
            if word in _STOPS:
                break
            if word == "back" and base != "go" and low_at(tokens, index + step + 1) in _WORKING:
                found[index] = "resume"  # "bring it back to active"
                break
            if word in _PARTED and base in _PARTED[word]:
                found[index] = _PARTED[word][base]
                break
        if token.low in ("on", "off") and low_at(tokens, index - 1) in ("→", "->", "=>"):
            found[index] = "enable" if token.low == "on" else "disable"
        if not base and token.low not in _GO_ON and low_at(tokens, index + 1) in ("on", "off"):
            begins = low_at(tokens, index - 1) in _BEGINS or low_at(tokens, index - 2) in _BEGINS
            if begins and token.kind == "word" and low_at(tokens, index + 2) in _AFTER_STATE:
                found[index + 1] = "enable" if low_at(tokens, index + 1) == "on" else "disable"
    return found


def _denied_before(tokens: list[Token], index: int) -> bool:
    """Whether a denial stands right before: "you will not attend", "you won't be coming"."""
    before = (low_at(tokens, index - 1), low_at(tokens, index - 2) if low_at(tokens, index - 1) == "be" else "")
    return any(word in ("not", "cannot") or word.endswith("n't") for word in before)
