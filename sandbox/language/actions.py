"""Which verbs do the same: a small thesaurus of doing, and verbs of two words ("switch off") as one.

English only and of no world: which verbs a world's actions go by is declared there; here stands what people say for
them. A word that a world declares for another action is never taken as a synonym.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache

from toolgym.sandbox.language.inflection import forms, past_forms
from toolgym.sandbox.language.tokens import Token, low_at

_SAID_FOR: Mapping[str, frozenset[str]] = {
    verb: frozenset(words.split())
    for verbs, words in (
        ("enable activate", "enable activate reactivate allow permit unlock"),
        ("allow permit let", "allow permit enable grant give let activate edit"),
        ("grant", "allow permit give let"),
        ("disable deactivate", "disable deactivate bar block stop cut"),
        ("suspend pause", "suspend pause hold deactivate"),
        ("hold", "hold reserve keep suspend pause"),
        ("freeze", "suspend lock deactivate"),
        ("lock", "freeze"),
        (
            "resume reactivate reinstate unfreeze restart",
            "resume reactivate reinstate restore activate unsuspend unpause unfreeze enable",
        ),
        ("unlock", "release open"),
        ("cancel", "scrap stop delete remove void drop skip"),
        ("drop", "cancel delete remove strike take skip"),
        ("delete", "remove drop scrap cancel"),
        ("remove", "delete drop strike take uninvite scrap"),
        ("take", "remove"),
        ("strike uninvite", "remove drop delete uninvite strike take"),
        ("void", "cancel scrap delete remove"),
        ("withdraw", "cancel revoke scrap"),
        ("stop end finish", "stop end finish cancel cut expire"),
        ("revoke unshare", "revoke unshare withdraw end stop cut remove cancel"),
        ("block", "stop lock"),
        ("return", "refund bring"),
        ("refund", "return"),
        ("exchange swap", "exchange swap replace change switch modify"),
        ("replace", "exchange swap change switch substitute put"),
        ("switch", "change swap replace"),
        ("substitute", "swap replace exchange"),
        (
            "change modify update",
            "change modify update edit adjust alter amend revise correct replace switch swap set save become read show",
        ),
        (
            "correct fix",
            "correct fix change edit adjust amend revise update set replace repair solve resolve modify become read",
        ),
        ("reprice", "change adjust update set become"),
        ("edit adjust alter amend revise", "change modify update correct edit adjust alter amend revise"),
        ("save", "add store register"),
        ("move reschedule shift push postpone", "move reschedule shift push postpone rebook transfer"),
        ("transfer", "move shift send"),
        ("ship", "send deliver forward redirect reroute"),
        ("send", "ship deliver wire remit pay give issue"),
        ("deliver redirect reroute", "send ship deliver redirect reroute forward"),
        ("forward", "send redirect"),
        ("pay wire remit", "pay send wire remit transfer"),
        ("add", "include put enter top store register insert"),
        ("put", "add place include move"),
        ("refuel top", "add credit top refuel buy book"),
        ("include insert", "add put"),
        ("book", "reserve purchase buy issue ticket make"),
        ("reserve", "book hold keep"),
        ("buy", "purchase"),
        ("purchase", "buy"),
        ("create", "make set add enter put book"),
        ("schedule plan", "create add enter put book make set"),
        ("make", "create"),
        ("set", "create add put change save make adjust"),
        ("note record write", "add enter save put include"),
        ("sort", "assign reassign classify categorise categorize recategorise recategorize"),
        ("decline refuse", "decline refuse reject"),
        ("accept", "accept attend join"),
        ("reply answer respond", "reply answer respond"),
        ("resend", "retry redeliver retrigger replay deliver attempt try send"),
        ("redeliver", "resend retry"),
        ("unpack extract", "unpack unzip extract decompress"),
        ("pack bundle", "pack bundle compress"),
        ("redeem", "apply use enter"),
        ("apply", "redeem use"),
        ("restore", "recover return bring roll revert resume reinstate"),
        ("recover rescue", "restore return bring recover"),
        ("undo", "revert restore roll"),
        ("rate review", "rate review post"),
        ("lengthen extend", "extend lengthen stretch prolong change make"),
        ("shorten", "cut trim change make"),
        ("invite", "add ask"),
        ("repeat", "recur series"),
        ("remind alert notify", "remind alert notify"),
        ("dispute contest", "contest challenge dispute report file"),
        ("upgrade", "change"),
        ("compensate", "issue give send credit"),
        ("give", "share"),
        ("assign", "set give"),
        ("close", "finish"),
        ("sell", "list"),
        ("solve repair", "fix repair solve resolve troubleshoot"),
        ("reorder", "order buy"),
    )
    for verb in verbs.split()
}
"""What people say for a verb, each word for this very action: who tops up data adds some, and who adds a payee tops up
nothing. No word leads on to the words that are said for it."""
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
    "back": {"send": "return", "bring": "return", "take": "return", "give": "return", "pay": "refund"},
    "hold": {"put": "suspend", "place": "suspend"},
}
"""Verbs of two words by the second one, which may stand some words later."""
_LIFTED = frozenset(("lift", "end", "undo", "lifting", "lifted", "remove", "removing"))
_LOCKS = frozenset(("suspension", "hold", "block", "freeze", "pause", "lock"))
_LOCKING = ("pause", "freeze", "block", "lock", "suspend", "mute", "archive", "share")
"""Verbs that "un-" turns round."""
_ANSWERING = frozenset("send sending answer answering say reply replying respond responding put".split())
_ANSWERS = {
    "no": "decline",
    "yes": "accept",
    "maybe": "respond",
    "accepted": "accept",
    "declined": "decline",
    "tentative": "respond",
    "tentatively": "respond",
}
_QUOTES = frozenset(('"', "'", "“"))
_ATTENDING = frozenset("attend attending join joining come coming participate".split())
_FORMS = {
    "switch": ("switch", "switched", "switching"), "turn": ("turn", "turned", "turning"), "put": ("put", "putting"),
    "call": ("call", "called", "calling"), "take": ("take", "taken", "taking", "took"), "shut": ("shut", "shutting"),
    "send": ("send", "sent", "sending"), "bring": ("bring", "brought", "bringing"), "place": ("place", "placed"),
    "give": ("give", "given", "giving"), "pay": ("pay", "pays", "paid", "paying"),
    "go": ("go", "goes", "going", "gone"),
}  # fmt: skip
_BASE = {form: base for base, forms in _FORMS.items() for form in forms}
_IN_TWO = _LIFTED | _ANSWERING | _ATTENDING | _BASE.keys() | {"on", "off", "un"}
"""Words without one of which there is no such verb."""
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
    said = frozenset().union(*(_SAID_FOR.get(verb, _heads(verb)) for verb in verbs))
    return (said - taken) | verbs


@lru_cache(maxsize=1024)
def _heads(verb: str) -> frozenset[str]:
    """The verbs for which one is said that has no words of its own here."""
    return frozenset(head for head, words in _SAID_FOR.items() if verb in words)


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
    if _IN_TWO.isdisjoint([token.low for token in tokens]):
        return found
    for index, token in enumerate(tokens):
        if token.low == "un" and low_at(tokens, index + 1) == "-":
            done = low_at(tokens, index + 2)
            found[index] = next((f"un{base}" for base in _LOCKING if done in forms(base)), f"un{done}")
        if token.low in _LIFTED and _LOCKS & {low_at(tokens, index + step) for step in (1, 2)}:
            found[index] = "resume"
        if token.low in _ANSWERING:
            said = {low_at(tokens, index + step) for step in range(1, 6)}
            answer = next((verb for word, verb in _ANSWERS.items() if word in said), "")
            if answer and (said & _QUOTES or said & {"for", "to"}):
                found[index] = answer
        if token.low in _ATTENDING and _denied_before(tokens, index):
            found[index] = "decline"
        elif token.low in _COMING and _is_told_to_come(tokens, index):
            found[index] = "accept"
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


_COMING = frozenset("attend attending join joining coming".split())
_TELLING = frozenset("tell telling let letting inform informing say saying confirm confirming".split())


def _is_told_to_come(tokens: list[Token], index: int) -> bool:
    """Whether somebody is to hear that the listener comes: "I'll tell them you're coming", "you will attend"."""
    before = [low_at(tokens, index - step) for step in (1, 2)]
    is_yours = before[0] in ("you're", "you'll") or (
        before[0] in ("will", "are", "be") and before[1] in ("you", "you'll")
    )
    return is_yours and any(token.low in _TELLING for token in tokens[:index])


def _denied_before(tokens: list[Token], index: int) -> bool:
    """Whether a denial stands right before: "you will not attend", "you won't be coming"."""
    before = (low_at(tokens, index - 1), low_at(tokens, index - 2) if low_at(tokens, index - 1) == "be" else "")
    return any(word in ("not", "cannot") or word.endswith("n't") for word in before)
