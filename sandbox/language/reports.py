"""Whether an agent's sentences say that something has been done; after a yes nearly everything that is told does.

A message is read in the order of its sentences: what failed, what is still to come and what is asked are no reports,
a participle or a new state is one. Words decide little alone; whether a yes came before decides with them.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache
from typing import Literal

from toolgym.sandbox.language.at_work import at_work, goes_on, is_partly
from toolgym.sandbox.language.failures import fell_through, is_as_before, tells_failure, without_news

_NONE: frozenset[str] = frozenset()
Telling = Literal["done", "seems", "said", "failed", "coming", ""]

_STILL = re.compile(
    r"[;,] (?:but |and |so )?(?:it's|it is|they're|they are|(?:the |your |its )?[\w, -]+?(?: is| are)?) still "
    r"(?:open|active|running|(?:have|has) to (?:answer|reply|respond|accept|be approved))\b[^;.]*"
)
"""What is to be so still after most actions: "the limit is $12 now; the order is still open"."""
_REMAINDER = re.compile(r"\b(?:have|has|had|is|are|with|leaves?) (?:[a-z]+ )?\$?\d[\d.,]*(?: [a-z]+)? left\b")
"""What there still is of an amount; nobody has left anything: "and have $166.95 left"."""
_CLOSED = frozenset(
    "cancelled canceled closed ended deleted removed voided withdrawn terminated suspended blocked frozen".split()
)
"""What has been done to a thing that must not be open any more."""
_SENT = re.compile(
    r"^\W*(?!to |not )(?:[\w'-]+ ){0,3}(?:sent|saved|filed|noted|updated|recorded|stored|booked|logged|"
    r"in)\W*(?:[.!✅✔🎉]|$)|^\W*(?:(?!not|to|is|are|be|will|i|we|was|were)[\w'#-]+ ){1,3}(?:placed|created|submitted|"
    r"issued|made|added|removed|changed|moved|booked|paid|sent)[,.:;!✅✔🎉–—]|"
    r"^\W*(?!understood|agreed|noted|appreciated|located|verified|found|confirmed|sorted|unfortunate|need|wait|"
    r"not|right|"
    r"bad|good|indeed|said)[a-z]+(?:ed|ne|nt|ght|old|ut|oken|iven|aken)\W*(?:[.!,:;✅✔🎉–—-]|$)"
)
"""A report without a verb: "Yes sent." """
_CHATTER = re.compile(
    r"\b(?:thank|thanks|appreciate|patien\w+|sorry|apolog\w+|hello|hi|understand|sure|certainly|glad|happy|pleasure|"
    r"noted|got it|great|good|please|wait|check\w*|look\w*|wish|hope|recover\w*)\b"
)
"""What is said around everything and tells nothing of what was done."""
_PROMISED = re.compile(
    r"\b(?:i'll|i will|i'm going to|i am going to|i'm about to|i am about to|i shall|let me|we'll|we will|about to|"
    r"give me|bear with|hold on|hang on|please wait|stand by|one (?:moment|second|sec|minute)|a (?:moment|second|sec|"
    r"minute|few (?:moments|seconds|minutes))(?! ago)|just a (?:moment|sec)|in progress|underway|under way|"
    r"^\W*(?:i'm |we're |right |already |now )*on it\b|"
    r"will be (?:processed|handled|dealt|looked|reviewed)|waiting (?:for (?!him|her|them|you|approval|"
    r"collection|delivery|shipping|receipt)|on)|queued|"
    r"(?:i'm|i am|we're|we are) (?:now |just |currently |still )*(?:\w+ing\b)|(?:being|is|are) (?:now |just |"
    r"currently |still )*(?:processing|running|working|loading|underway|pending|being)|"
    r"(?:as soon as|once|until|unless|after) (?:i|we|you)\b|(?:is|are) (?:going|due|about|yet) to\b|"
    r"next step|to be (?:done|processed|completed)|(?<!you're )(?<!you are )ready to|plan(?:ning)? to|"
    r"trying|i'd|i would|^\W*next\b|"
    r"^\W*(?:(?:ok|okay|perfect|great|sure|right|alright|all right|got it|thanks|good)\W+)?(?:still |now )?"
    r"(?!noth|someth|anyth|everyth)[a-z]+ing (?:(?:on|again|it|that|this|now|your|the)\b|[^.]*(?:\.\.\.|…))|"
    r"in (?:the|our|a) queue|awaits?|first\W*$|^\W*need(?:s|ed)? (?:your|you|a|the)\b|in the course of|"
    r"want(?:ed)? me to|remind(?:er)? that you|try again)"
)
"""What the speaker is still to do, wherever it stands."""
_LATER = re.compile(
    r"\b(?:once(?! more| again)|after (?:that|you|i|we)|as soon as|until|unless|if|before(?!:)|when(?: you| i|"
    r" we|ever)?|"
    r"would|should|could|(?<!\d )may(?! \d| now| no longer)|might|shall|(?:(?<=\bi )|(?<=\bwe ))can|"
    r"can(?! be used|[^.;!?]* now\b| \w+ now| now| no longer|"
    r" \w+ (?:[\w-]+ ){0,6}again)|"
    r"soon|shortly|later|afterwards|tomorrow|need(?:s)? to|have to|has to|must)\b"
)
"""What is still to come where a sentence begins with it; after what is told to be so it only belongs to that."""
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
    r"taken care of|took care of|all set|all sorted|sorted|finished|in place|executed|on (?:its|their) way|through|"
    r"finali[sz]ed|confirmed|confirmation|recorded|in the system|settled|through|"
    r"you(?:'re| are) (?:now |all )?(?:re)?(?:booked|moved|scheduled|registered|upgraded|refunded))\b|✅|✔|☑|🎉"
)
_SURELY_DONE = re.compile(
    r"\b(?:(?:has|have) (?:now |all )?been|is|are|that's|it's|all)(?: now| all)? (?:done|completed?|"
    r"taken care of|carried out|set)\b|^\W*(?:done|finished|completed?)\W"
)
_PARTICIPLE = re.compile(
    r"(?:\b(?:has|have|is|are|was|were|been|got|gets|'s|'ve|i|we|now|just|already)|'ve|'s)\b(?: (?:now|just|all|also|"
    r"been|successfully|officially|already|safely|back|up))* (?!need|pleas|excit|interest|relat|call|based|"
    r"indeed|speed|"
    r"suppos|allow)\w+(?:ed|ne|de|nt|ght|id|wn|ept|old|ut|oken|iven|aken)\b"
)
_HAS_BEEN = re.compile(r"\b(?:has|have|'ve|'s)\b(?: now| all| just)? been \w|\bi(?:'ve| have) \w+(?:ed|en|nt)\b")
_FOLLOWING = re.compile(
    r"^\W*(?:(?:and|the|your|a|an) )*(?:full |partial |price )?"
    r"(?:refund|difference|confirmation|receipt|(?:return )?label)\b"
)
"""What follows from an act, whatever is done with it: "The refund was sent to your card"."""
_NO_ONE = re.compile(
    r"\b(?:no|none|nothing|neither|nobody)(?: \w+){0,2} (?:has |have |had |was |were |is |are |been )*\w+$"
)
"""Up to a participle: "no data has been added"."""
_CLAUSE = re.compile(r"\b(?:as soon as|once(?! more| again)|until|unless|while)\b[^,;.!?]*")
"""What tells when something is so, and not that it is: "as soon as the PIN has been checked"."""
_OVER = re.compile(
    r"(?<!\bi )(?<!\bwe )\b(?:can|could|will|may) no longer (?!be (?:possible|available))|"
    r"(?<!\bi )(?<!\bwe )\b(?:can't|cannot|won't|isn't|is not|aren't|are not)\b[^.;]*\bany ?more\b|\bnone (?:is|"
    r"are) left\b|"
    r"\b(?:is|are) no longer (?!available|possible|offered|pending|eligible|allowed|changeable|refundable|"
    r"in stock|able|"
    r"supported)|"
    r"(?<!\bi )(?<!\bwe )\b(?:won't|will not) (?!be (?:possible|able|available|accepted|allowed|changed|done|made)|"
    r"work|go through|accept|let|allow)"
)
"""What has come to an end, as where something was to be switched off: "it can't be used abroad any more"."""
_STANDS = re.compile(r"^\W*[\w ]*?(?:saved|booked|sent|filed|set|scheduled|made|created|added|noted|updated)\b")
"""A participle that needs no verb: "Series saved: ..."."""
_DETAIL = re.compile(r"\b(?:your|which|what|codes?|pin)\b[^?]*\?")
"""What is asked that is still needed, unlike "Where is the trip going?"."""
_FURTHER = re.compile(r"\b(?:next|do for you|help|assist)\b")
"""What asks for another wish."""
_VALUE = re.compile(r"^\W*[\w ]+: \S")
"""A bare value: "Status: filled"."""
_SPEAKER = re.compile(r"\W*(?:let me|i'll|i will|i'm|i am|we'll|we will|we're)\b")
_IF = re.compile(r"^\W*(?:if|should you|in case)\b")
"""What to do some day, if anything."""
_STATE = re.compile(
    r"\b(?:now|from now on|once (?:more|again)|(?:live|works?|working|on|active|open|usable|counts?|runs?) again|"
    r"back (?:on|in|online|up)|in effect|up to date|"
    r"straight away|good to go|no longer|already|any ?more|as of (?:now|today)|from this|effective|gone|off)\b"
)
_CONSEQUENCE = re.compile(
    r"\b(?:you(?:'ll| will)|it(?:'ll| will)|they(?:'ll| will)|will|won't|'re|is|are|has|have|had|was|were|goes|stands?|"
    r"shows?|holds?|carries|reads?|knows?|gets?|here's|here is|appears?|includes?|repeats?|takes?|runs?|becomes?|"
    r"went|came|enjoy|welcome to|'s)\b"
)
_YOU_WILL = re.compile(r"\byou(?:'ll| will)(?: \w+)? (?:get|receive|find|see|hear)\b")
_ONCE = re.compile(r"\b(?:once|when|after|if|as soon as|until)\b")
_CONSIDER = re.compile(r"\bconsider (?:it|this|that|your [\w ]+?) \w+(?:ed|ne)\b")
_NOT_YET = re.compile(
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


_SHORT_REPORT = re.compile(
    r"^\W*(?:all )?(?:(?:the |your )?(?!not\b|no\b|un)[a-z]+ )?"
    r"(?!need|fail|reject|declin|refus|block|expir|want|ask|requir|confus|agree|mistak|miss|delay|pleas|excit|"
    r"understood|noted)[a-z]+ed"
    r"(?: successfully| now| for you)?\W*$"
)


def is_short_report(text: str) -> bool:
    """Whether a text in lower case is a thing and a participle, as agents put it: "Payment scheduled."."""
    return _SHORT_REPORT.match(text) is not None


def is_report(
    sentences: Sequence[tuple[str, str]],
    done: frozenset[str],
    others: frozenset[str],
    nouns: frozenset[str] = _NONE,
    *,
    confirmed: bool,
) -> bool:
    """Whether sentences say that something has been done.

    Args:
        sentences: in lower case and in order, each with what it does, as dialogue acts name it.
        done: past forms of the verbs for it, such as "cancelled".
        others: past forms of the verbs for other actions.
        nouns: what it is called, such as "cancellation".
        confirmed: it was agreed to, so that general words and new states speak of it as well.
    """
    if not confirmed:
        return any(_says_done(text, done) for text, act in sentences if act != "ask" and not _asks(text, act))
    if any(_is_another(text, done) or is_partly(text) for text, act in sentences if not _asks(text, act)):
        return False
    if _is_at_work(sentences, done) or any(act == "refuse" and fell_through(text) for text, act in sentences[1:]):
        return False
    told = _told(sentences, done, others, nouns)
    decisive = next((each for each in told if each in ("done", "failed")), "")
    asking = [text for text, act in sentences if act == "ask" and _DETAIL.search(text)]
    if asking and not all(_FURTHER.search(text) for text in asking):
        return decisive == "done" and any(_says_done(text, done) for text, act in sentences if act != "ask")
    if decisive:
        return decisive == "done"
    # whatever is told after a yes tells that it has been done, unless something is still to come
    return "coming" not in told[: told.index("seems")] if "seems" in told else "said" in told and "coming" not in told


def settles(
    sentences: Sequence[tuple[str, str]],
    done: frozenset[str],
    others: frozenset[str],
    nouns: frozenset[str] = _NONE,
    *,
    whole: bool = False,
) -> bool:
    """Whether sentences say in so many words that what was nearly agreed to has been done; see `is_report`.

    Args:
        sentences, done, others, nouns: as there.
        whole: all of it was asked back, so that other words for what is so now do.
    """
    told = _told([each for each in sentences if each[1] != "ask"], done, others, nouns)
    if _is_at_work(sentences, done):
        return False
    if whole and not {"failed", "coming"} & set(told):
        return is_report(sentences, done, others, nouns, confirmed=True)
    is_new = any(each == "seems" for each in told) and any(_STATE.search(text) for text, _ in sentences)
    return ("done" in told or is_new) and not {"failed", "coming"} & set(told)


def _is_at_work(sentences: Sequence[tuple[str, str]], done: frozenset[str]) -> bool:
    """Whether the speaker tells of work in hand, and not after it that it is done."""
    working = at_work([text for text, _ in sentences])
    return working >= 0 and not any(_says_done(text, done) for text, _ in sentences[working + 1 :])


def _asks(text: str, act: str) -> bool:
    """Whether a sentence wants an answer; a request may tell something besides: "Sent, please allow two days"."""
    return act in ("agree", "more") or (act == "ask" and "?" in text)


def _told(
    sentences: Sequence[tuple[str, str]], done: frozenset[str], others: frozenset[str], nouns: frozenset[str]
) -> list[Telling]:
    """What each of the sentences that ask nothing tells."""
    found: list[Telling] = []
    for text, act in sentences:
        if _asks(text, act) or _COURTESY.match(text) or text.endswith(":"):
            continue
        tells = _telling(text, done, others, nouns)
        if act == "ask" and tells != "done":
            continue
        is_refused = act == "refuse" and tells in ("seems", "said", "done") and not _OVER.search(text)
        is_so = tells == "done" and (_HAS_BEEN.search(text) or _told_of(done, text))
        found.append("failed" if is_refused and not is_so else tells)
    return found


def _says_done(text: str, done: frozenset[str]) -> bool:
    text = _without_rest(text, done)
    if is_as_before(text) or goes_on(text, done):
        return False
    found = (_told_of(done, text), _SURELY_DONE.search(text))
    return any(match is not None and not _is_denied(text, match) for match in found)


def _without_rest(text: str, done: frozenset[str]) -> str:
    """A sentence without what is to be as it was after an action that closes nothing: "and the order is still open"."""
    return _STILL.sub(" ", text) if _CLOSED.isdisjoint(done) else text


def _is_another(text: str, done: frozenset[str]) -> bool:
    """Whether the speaker tells of an act of its own that nobody asked for: "I have closed your account"."""
    act = _BY_ME.search(text)
    return act is not None and act.group(1) not in done and not any(re.search(rf"\b{word}\b", text) for word in done)


def _telling(text: str, done: frozenset[str], others: frozenset[str], nouns: frozenset[str] = _NONE) -> Telling:
    """What one sentence tells after a yes."""
    if _IF.match(text):
        return ""
    text = _without_rest(without_news(text), done)
    if is_as_before(text) or goes_on(text, done):
        return "failed"
    promised = _PROMISED.search(text)
    bare = _CLAUSE.sub(lambda clause: " " * len(clause.group()), text)
    own = _told_of(done, bare)
    if own and not (promised and promised.start() < own.end()) and not _is_denied(text, own):
        return "done"
    if own and _is_of_nothing(text, own):
        return "failed"
    if tells_failure(text) or (others and _tells_other(text, others, nouns)):
        return "seems" if _OVER.search(text) and not (done and _any_of(done).search(text)) else "failed"
    coming, general = promised or _later(text), _DONE.search(bare)
    if general and not (coming and coming.start() < general.start()) and not _NOT_YET.search(text[: general.start()]):
        return "done"
    if is_short_report(text) and len(text.split()) > 1:
        return "done"
    if _CONSIDER.search(text) or (_SENT.match(text) and not coming) or (_PARTICIPLE.search(bare) and not coming):
        return "done"
    state = _STATE.search(text)
    if coming and state and state.start() < coming.start() and _is_new(text, state):
        return "seems"
    if coming and not (_YOU_WILL.search(text) and not _ONCE.search(text)):
        return "coming"
    if _STATE.search(text) or _CONSEQUENCE.search(text):
        return "seems"
    return "said" if (len(text.split()) > 2 or _VALUE.match(text)) and not _CHATTER.search(text) else ""


def _is_denied(text: str, own: re.Match[str]) -> bool:
    """Whether a participle is still to come or of nothing at all."""
    return _NOT_YET.search(text[: own.end()].replace("already", "")) is not None or _is_of_nothing(text, own)


def _is_of_nothing(text: str, own: re.Match[str]) -> bool:
    return _NO_ONE.search(text[: own.end()].rstrip(" .!✅✔🎉:")) is not None


def _later(text: str) -> re.Match[str] | None:
    """What says that something is still to come, unless it only belongs to what is told before it to be so."""
    found = _LATER.search(text)
    if found is None:
        return None
    before = text[: found.start()]
    is_told = any(each.search(before) for each in (_PARTICIPLE, _CONSEQUENCE, _STATE)) or _STANDS.match(before)
    return None if is_told and not _IF.search(before) else found


def _tells_other(text: str, others: frozenset[str], nouns: frozenset[str]) -> bool:
    """Whether a sentence tells of another action, and not of this one by its noun: "the refund has been issued"."""
    found = _told_of(others, _REMAINDER.sub(" ", text))
    own = _nouns(nouns).search(text) if nouns and found else None
    return found is not None and not (own and own.start() < found.end()) and not _FOLLOWING.match(text)


def _is_new(text: str, state: re.Match[str]) -> bool:
    """Whether words for a state say that it is so, rather than when something will be done."""
    return not _NOT_YET.search(text[: state.start()]) and not _SPEAKER.match(text, state.end())


@lru_cache(maxsize=256)
def _nouns(nouns: frozenset[str]) -> re.Pattern[str]:
    """What begins with the action's noun: "reply sent", "the cancellation went through"."""
    return re.compile(
        rf"^\W*(?:(?!i\b|we\b)[\w'-]+,? ){{0,3}}?(?:{'|'.join(sorted(map(re.escape, nouns)))})s?\b(?! (?:to|by|that)\b)"
    )


@lru_cache(maxsize=256)
def _any_of(done: frozenset[str]) -> re.Pattern[str]:
    return re.compile(rf"\b(?:{'|'.join(sorted(map(re.escape, done)))})\b")


def _told_of(forms: frozenset[str], text: str) -> re.Match[str] | None:
    """Where a sentence tells one of some past forms as done."""
    return _pattern(forms).search(text) if forms else None


@lru_cache(maxsize=1024)
def _pattern(done: frozenset[str]) -> re.Pattern[str]:
    auxiliaries = "have|has|had|been|is|are|was|were|now|successfully|just|'ve|'s|got"
    words = "|".join(sorted(re.escape(form).replace(r"\ ", r"(?: \w+){0,3} ") for form in done))
    return re.compile(
        rf"(?:\b(?:{auxiliaries})\b|'ve\b|'s\b)(?: \S+){{0,4}}? (?:{words})\b|^\W*(?:\S+ ){{0,4}}(?:{words})\W*(?:$|"
        rf"[:!✅✔🎉])|"
        rf"^\W*(?!(?:i|we|you|if|once|when|what|which|to)\b)(?:(?!(?:will|would|to be|can|could|not|be|no|shall|"
        rf"should)\b)[^\s:;.?!]+ ){{1,12}}(?:{words}):|"
        rf"^\W*(?:(?:yep|yes|yeah|ok|okay|sure|right|great|good|perfect|all right)\W+)?(?:all )?(?:{words})\b|"
        rf"^\W*(?:(?!will|to|be|can|would|i|we|you|if|"
        rf"once)[\w#'-]+:? ){{1,6}}?(?:{words})\b|\b(?:i|we) (?:just |now |also |went ahead and )?(?:{words})\b|"
        rf"✅[^.]*\b(?:{words})\b"
    )
