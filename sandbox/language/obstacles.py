"""Whether a message says what stands in the way: in one that asks and promises nothing, any negative word may do."""

from __future__ import annotations

import re
from collections.abc import Sequence

from toolgym.sandbox.language.refusals import is_at_a_loss, offers_other, unconditional, wants_answer

_NEGATIVE = re.compile(
    r"\b(?:not|no|never|nor|neither|none|nobody|nothing|cannot|without|unable|refus\w+|declin\w+|reject\w+|"
    r"den(?:y|ied)|"
    r"un(?:fortunately|luckily|lucky|touch\w+|chang\w+|avail\w+|able)|sadly|regrettabl\w+|alas|afraid|regret|"
    r"sorry|pity|"
    r"disappoint\w*|fail\w*|however|only|must|impossible|too|closed|shut|already|expired|lapsed|ended|final|instead|"
    r"rather than|stop(?:ped|s)|ceased|locked|frozen|freeze|blocked|blacked|fixed|fully booked|full|over|past|beyond|"
    r"off limits|missed|late|limit(?:s|ed)?|max\w*|minimum|cap|more than|less than|fewer|short of|exceed\w*|"
    r"polic(?:y|ies)|"
    r"rules?|"
    r"conditions?|terms|regulations?|until|unless|shipped|delivered|transit|packed|departed|took off|gone|"
    r"(?:someone|somebody) else\w*|another (?:customer|person|account|department|profile)|different (?:customer|"
    r"account)|"
    r"registered under|belongs?|managed by|police|lack\w*|zero|errors?|reject\w*|break(?:ing)?|line\.$|"
    r"as (?:it is|they are|is)|stays?|remains?|keep|requires?|would (?:have to|need|take)|needs? to|hands|hence|"
    r"status is|"
    r"members?|hold)\b|n't\b"
)
"""What stands in the way, said in any words: enough in a message that asks and promises nothing."""
_PROMISES = re.compile(
    r"\b(?:i'll|i will|i can|(?<!wish )i could|i'd be (?:happy|glad)|let me|one moment|shortly|hold on|we'll|"
    r"bear with|"
    r"give me|in the meantime|working on|on it|i'm (?:now |just )?(?:checking|looking|pulling|going to (?!have)|"
    r"working)|"
    r"can (?:still|now)|still (?:be|possible))\b"
)
_ON_THE_WAY = re.compile(
    r"\b(?:sorry (?:to hear|for|about|that you)|no (?:problem|worries)|apologi\w+ for|not a problem|don't worry|"
    r"do not worry|no rush|yet\b.*\bn't|n't .*\byet|not .*\byet|yet (?:to|been)|only (?:thing|one|need|two)|"
    r"(?:not|n't|nothing) (?:overdue|wrong|missing|charged)|never charged|"
    r"(?:saved|done|completed?|worked|went through|sent|changed|updated|cancel+ed|booked|blocked|removed) without|"
    r"without (?:any )?(?:trouble|problem|error|issue)s?|no error)\b"
)
"""Negative words of an agent that is about its work."""
_SO_FAR = re.compile(
    r"\b(?:nothing|no(?: [a-z]+){1,3}|none)(?: [a-z]+)? (?:has been |been |gets? |is |are |needs? to be )?"
    r"[a-z]+(?:ed|en|wn|nt|et)\b|"
    r"(?:\bnot|n't|\bnever)(?: been| be| \w+ly)* (?!allow|permit|accept|support|offer|enabl|cover|includ)"
    r"[a-z]+(?:ed|en|wn|nt|ut|ld)\b|"
    r"\b(?:yet|so far)\b|\bthere(?: is|'s| are|'re) no\b"
)
"""What has not happened yet, or is not in the way."""
_ORDER = re.compile(
    r"(?:^|, |then |now |next |first )(?:please |kindly )?(?:try|turn|toggle|switch|open|check|restart|reboot|"
    r"go|make sure|"
    r"reseat|remove|reset|grant|disconnect|connect|run|look|tap|press|set|enable|disable|wait|hold|take|put|send)\b"
)
"""A request to do something, put as an order."""


def is_negative(sentence: str) -> bool:
    """Whether a sentence names anything that stands in the way, and promises nothing."""
    bare = unconditional(sentence)
    return (
        _NEGATIVE.search(bare) is not None
        and not _PROMISES.search(bare)
        and not _ON_THE_WAY.search(bare)
        and not is_at_a_loss(bare)
    )


def is_so_far(sentence: str) -> bool:
    """Whether a sentence only says what has not happened or does not stand in the way, if anything negative."""
    return not is_negative(sentence) or _SO_FAR.search(sentence) is not None


def denies(sentences: Sequence[tuple[str, str]]) -> bool:
    """Whether a message says what stands in the way and asks nothing, or only whether something else would do."""
    if any(wants_answer(act, text) and not offers_other(text) for act, text in sentences):
        return False
    if any(act == "tell" and _ORDER.search(text) for act, text in sentences):
        return False
    if sentences and (_PROMISES.search(sentences[-1][1]) or _ON_THE_WAY.search(sentences[-1][1])):
        return False
    return any(act == "refuse" or (act == "tell" and is_negative(text)) for act, text in sentences)
