"""Whether an agent's sentences say that something has been done; after a yes nearly everything that is told does.

A message is read in the order of its sentences: what failed, what is still to come and what is asked are no reports,
a participle or a new state is one. Words decide little alone; whether a yes came before decides with them.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache
from typing import Literal

from sandbox.language.prefilter import Prefiltered

Telling = Literal["done", "seems", "said", "failed", "coming", ""]

_FAILED = Prefiltered(
    r"\b(?:errors?|fail(?:ed|s|ure)?|wrong|problems?|trouble|snag|unsuccessful(?:ly)?|unable|timed out|"
    r"crash\w*|bounced|without (?:success|luck|result)|to no avail|awaiting|"
    r"glitch\w*|(?:was|were|got|been|is) declined|declined by|rejected|denied|refused|hiccup|outage|unavailable|"
    r"unreachable|offline|not (?:gone|"
    r"go|went) through|in vain)\b|"
    r"\bare not\b|(?<!you )\baren't\b|\b(?:has|have|had|was|were|did|do|does|is|could)(?: not|"
    r"n't)\b(?! (?:inform|notify|tell|"
    r"message|affect|any|"
    r"need|have to|roam))|"
    r"\b(?:can't|cannot|couldn't|won't let|not able|nothing (?:has|have|was|is|got|changed))\b|"
    r"\b(?:still|remains?|stays?) (?:pending|open|active|scheduled|as (?:it|they)|unchanged|the same|in place|"
    r"on the|there)\b|"
    r"\bno (?:\w+ ){1,3}(?:left|available|remaining)\b|\b(?:unfortunately|regrettably|i'm afraid)\b|"
    r"\b(?:not|never|isn't|hasn't|haven't)(?: been)?(?: \w+)? (?:yet|done|complete[d]?|processed|changed)\b|\bno luck\b"
)
_NEXT = Prefiltered(
    r"\bnext,? (?:i|we)\b(?! can)|\b(?:then|now) (?:i'll|i will|i'm going to|we'll)\b|"
    r"\b(?:is|are) being \w+(?:ed|ne|nt|de|en)\b|"
    r"\b(?:still|yet) (?:to (?:go|do|come|follow)|missing|open|left)\b|\bonly (?:half|part)\b"
)
"""What shows that it is not all done yet, whatever else is."""
_AS_BEFORE = re.compile(
    r"\bstill (?:has|have|had|shows?|says|reads|lists|holds?|stands?)\b|\bremains? the (?:old|same|previous)\b|"
    r"\b(?:state|status) (?:is |stays |remains )?unchanged\b|\bno change\b"
)
"""What is as it was before, whatever else has been done."""
_SENT = re.compile(
    r"^\W*(?!to |not )(?:[\w'-]+ ){0,3}(?:sent|saved|filed|noted|updated|recorded|stored|booked|logged|"
    r"in)\W*(?:[.!✅✔🎉]|$)"
)
"""A report without a verb: "Yes sent." """
_CHATTER = Prefiltered(
    r"\b(?:thank|thanks|appreciate|patien\w+|sorry|apolog\w+|hello|hi|understand|sure|certainly|glad|happy|pleasure|"
    r"noted|got it|great|good|please|wait|check\w*|look\w*|wish|hope|recover\w*)\b"
)
"""What is said around everything and tells nothing of what was done."""
_COMING = Prefiltered(
    r"\b(?:i'll|i will|i'm going to|i am going to|i'm about to|i am about to|i shall|let me|we'll|we will|about to|"
    r"give me|bear with|hold on|hang on|please wait|stand by|one (?:moment|second|sec|minute)|a (?:moment|second|sec|"
    r"minute|few (?:moments|seconds|minutes))|just a (?:moment|sec)|in progress|on it|underway|under way|"
    r"will be (?:processed|handled|dealt|looked|reviewed)|waiting (?:for|on)|queued|"
    r"(?:i'm|i am|we're|we are) (?:now |just |currently |still )*(?:\w+ing\b)|(?:being|is|are) (?:now |just |"
    r"currently |"
    r"still )*(?:processing|running|working|loading|underway|pending|being)|"
    r"once|after (?:that|you|i|we)|as soon as|until|unless|if|before|when(?: you| i| we|ever)?|"
    r"would|should|could|may|might|shall|can(?! be used| \w+ now| now| no longer| \w+ (?:[\w-]+ ){0,6}again)|next step|"
    r"soon|shortly|later|afterwards|tomorrow|"
    r"to be (?:done|processed|completed)|need(?:s)? to|have to|has to|must|ready to|plan(?:ning)? to|trying|"
    r"i'd|i would|^\W*next\b|^\W*(?:still |now )?(?!noth|someth|anyth|everyth)[a-z]+ing (?:on|again|it|that|"
    r"this|now|your|the)|"
    r"in (?:the|our|a) queue|awaits?|first\W*$|^\W*need(?:s|ed)? (?:your|you|a|the)\b|in the course of|^\W*(?:updat|"
    r"process|"
    r"chang|book|send|cancel|mov|sav|apply|work|submitt|add|remov|check)ing\b[^.]*(?:\.\.\.|…)|"
    r"want(?:ed)? "
    r"me to|remind(?:er)? that you|try again)\b"
)
_COURTESY = re.compile(
    r"^\W*(?:thanks?(?: you)?|perfect|great(?: choice| news)?|good(?: news)?|excellent|understood|ok(?:ay)?|"
    r"alright|all "
    r"right|sure(?: thing)?|certainly|of course|absolutely|wonderful|got it|noted|you're welcome|lovely|awesome|right|"
    r"very well|super|no problem|my pleasure|happy to help|i understand|i see|thanks? for \w+(?: \w+){0,3}|"
    r"thank you for "
    r"\w+(?: \w+){0,3})(?:,? \w+)?\W*$"
)
_DONE = re.compile(
    r"\b(?:done|complete[d]?|processed|submitted|initiated|set up|applied|arranged|successful(?:ly)?|success|"
    r"taken care of|took care of|all set|all sorted|sorted|finished|in place|executed|on its way|through|"
    r"finali[sz]ed|confirmed|confirmation|recorded|in the system|settled|through)\b|✅|✔|☑|🎉"
)
_SURELY_DONE = Prefiltered(
    r"\b(?:(?:has|have) (?:now |all )?been|is|are|that's|it's|all)(?: now| all)? (?:done|completed?|"
    r"taken care of|carried out|set)\b|^\W*(?:done|finished|completed?)\W"
)
_PARTICIPLE = Prefiltered(
    r"(?:\b(?:has|have|is|are|was|were|been|got|gets|'s|'ve|i|we|now|just|already)|'ve|'s)\b(?: (?:now|just|all|also|"
    r"been|successfully|officially|already|safely|back|up))* (?!need|pleas|excit|interest|relat|call|based|"
    r"indeed|speed|"
    r"suppos|allow)\w+(?:ed|ne|de|nt|ght|id|wn|ept|old|ut|oken|iven|aken)\b"
)
_SPEAKER = Prefiltered(r"\W*(?:let me|i'll|i will|i'm|i am|we'll|we will|we're)\b")
_IF = re.compile(r"^\W*(?:if|should you|in case)\b")
"""What to do some day, if anything."""
_NO_NEWS = Prefiltered(
    r"\b(?:nobody|no one|none of \w+|not a (?:word|soul)|no (?:messages?|mails?|e-?mails?|notes?|"
    r"notifications?))\b[^.;]*?"
    r"\b(?:got|get|gets|went|was|were|is|has|have|had|received?|sent|told|notified|informed|learns?|hears?|heard|"
    r"knows?)\b"
    r"(?: out| been| to| an?| any| it| of)*(?: \w*(?:messages?|mails?|e-?mails?|notes?|notifications?|told|notified|"
    r"informed|sent|word))?"
)
"""That nobody was told is no failure."""
_STATE = Prefiltered(
    r"\b(?:now|from now on|once more|live again|working again|back (?:on|in|online|up)|in effect|up to date|"
    r"straight away|good to go|no longer|already|any ?more|as of (?:now|today)|from this|effective|gone|off)\b"
)
_CONSEQUENCE = Prefiltered(
    r"\b(?:you(?:'ll| will)|it(?:'ll| will)|they(?:'ll| will)|will|won't|'re|is|are|has|have|had|was|were|goes|stands?|"
    r"shows?|holds?|carries|reads?|knows?|gets?|here's|here is|appears?|includes?|repeats?|takes?|runs?|becomes?|"
    r"went|came|enjoy|welcome to|'s)\b"
)
_YOU_WILL = re.compile(r"\byou(?:'ll| will)(?: \w+)? (?:get|receive|find|see|hear)\b")
_ONCE = Prefiltered(r"\b(?:once|when|after|if|as soon as|until)\b")
_CONSIDER = re.compile(r"\bconsider (?:it|this|that|your [\w ]+?) \w+(?:ed|ne)\b")
_NOT_YET = Prefiltered(
    r"\b(?:will|would|once|after|if|when|shall|going to|can|could|to be|before|not|cannot|unless|let me|"
    r"about to|ready to|"
    r"until|you have|you've|already)\b|n't\b|'ll\b"
)


_BY_ME = re.compile(
    r"\b(?:i|we)(?:'ve| have)? (?:now |just |also |already |gone ahead and )?(closed|deleted|blocked|suspended|"
    r"cancell?ed|"
    r"terminated|removed|frozen|unsubscribed|disconnected|bought|sold|paid|refunded|erased|shut|revoked|deactivated)\b"
)
"""What no agent does by the way."""


def is_report(
    sentences: Sequence[tuple[str, bool]], done: frozenset[str], others: frozenset[str], *, confirmed: bool
) -> bool:
    """Whether sentences say that something has been done.

    Args:
        sentences: in lower case and in order, each with whether it asks for something.
        done: past forms of the verbs for it, such as "cancelled".
        others: past forms of the verbs for other actions.
        confirmed: it was agreed to, so that general words and new states speak of it as well.
    """
    if not confirmed:
        return any(_says_done(text, done) for text, asks in sentences if not asks)
    if any(_is_another(text, done) for text, asks in sentences if not asks):
        return False
    told = [_telling(text, done, others) for text, asks in sentences if not (asks or _COURTESY.match(text))]
    decisive = next((each for each in told if each in ("done", "failed")), "")
    if decisive:
        return decisive == "done"
    # whatever is told after a yes tells that it has been done, unless something is still to come
    return "coming" not in told[: told.index("seems")] if "seems" in told else "said" in told and "coming" not in told


def settles(sentences: Sequence[tuple[str, bool]], done: frozenset[str], others: frozenset[str]) -> bool:
    """Whether sentences say in so many words that what was nearly agreed to has been done.

    Args:
        sentences: in lower case and in order, each with whether it asks for something.
        done: past forms of the verbs for it, such as "cancelled".
        others: past forms of the verbs for other actions.
    """
    told = [_telling(text, done, others) for text, asks in sentences if not (asks or _COURTESY.match(text))]
    return "done" in told and not {"failed", "coming"} & set(told)


def _says_done(text: str, done: frozenset[str]) -> bool:
    if _AS_BEFORE.search(text) or _NEXT.search(text):
        return False
    patterns = (_pattern(done) if done else None, _SURELY_DONE)
    found = (pattern.search(text) for pattern in patterns if pattern)
    return any(match is not None and not _NOT_YET.search(text[: match.end()]) for match in found)


def _is_another(text: str, done: frozenset[str]) -> bool:
    """Whether the speaker tells of an act of its own that nobody asked for: "I have closed your account"."""
    act = _BY_ME.search(text)
    return act is not None and act.group(1) not in done and not any(re.search(rf"\b{word}\b", text) for word in done)


def _telling(text: str, done: frozenset[str], others: frozenset[str]) -> Telling:
    """What one sentence tells after a yes."""
    if _IF.match(text):
        return ""
    text = _NO_NEWS.sub(" ", text)
    if _AS_BEFORE.search(text) or _NEXT.search(text):
        return "failed"
    if done and (own := _pattern(done).search(text)) and not _NOT_YET.search(text[: own.end()].replace("already", "")):
        return "done"
    if _FAILED.search(text) or (others and _pattern(others).search(text)):
        return "failed"
    coming, general = _COMING.search(text), _DONE.search(text)
    if general and not (coming and coming.start() < general.start()) and not _NOT_YET.search(text[: general.start()]):
        return "done"
    if _CONSIDER.search(text) or (_SENT.match(text) and not coming) or (_PARTICIPLE.search(text) and not coming):
        return "done"
    state = _STATE.search(text)
    if coming and state and state.start() < coming.start() and _is_new(text, state):
        return "seems"
    if coming and not (_YOU_WILL.search(text) and not _ONCE.search(text)):
        return "coming"
    if _STATE.search(text) or _CONSEQUENCE.search(text):
        return "seems"
    return "said" if len(text.split()) > 2 and not _CHATTER.search(text) else ""


def _is_new(text: str, state: re.Match[str]) -> bool:
    """Whether words for a state say that it is so, rather than when something will be done."""
    return not _NOT_YET.search(text[: state.start()]) and not _SPEAKER.match(text, state.end())


@lru_cache(maxsize=256)
def _pattern(done: frozenset[str]) -> re.Pattern[str]:
    auxiliaries = "have|has|had|been|is|are|was|were|now|successfully|just|'ve|'s|got"
    words = "|".join(sorted(re.escape(form).replace(r"\ ", r"(?: \w+){0,3} ") for form in done))
    return re.compile(
        rf"(?:\b(?:{auxiliaries})\b|'ve\b|'s\b)(?: \S+){{0,4}}? (?:{words})\b|^\W*(?:\S+ ){{0,4}}(?:{words})\W*(?:$|"
        rf"[:!✅✔🎉])|"
        rf"^\W*(?:(?:yep|yes|yeah|ok|okay|sure|right|great|good|perfect|all right)\W+)?(?:all )?(?:{words})\b|"
        rf"^\W*(?:(?!will|to|be|can|would|i|we|you|if|"
        rf"once)[\w#'-]+:? ){{1,4}}?(?:{words})\b|\b(?:i|we) (?:just |now |also |went ahead and )?(?:{words})\b|"
        rf"✅[^.]*\b(?:{words})\b"
    )
