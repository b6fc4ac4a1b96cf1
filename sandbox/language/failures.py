"""What says that something did not happen: it failed, was turned down, or all is as it was. English only."""

from __future__ import annotations

import re

_FAILED = re.compile(
    r"\b(?:errors?|fail(?:ed|s|ure)?|wrong|problems?|trouble|snag|unsuccessful(?:ly)?|unable|timed out|"
    r"crash\w*|bounced|without (?:success|luck|result)|to no avail|awaiting|"
    r"glitch\w*|(?:was|were|got|been|is) declined|declined by|rejected|denied|refused|hiccup|outage|unavailable|"
    r"unreachable|offline|(?:system|server|service|tool|api|site|network|connection|backend|platform)s? "
    r"(?:is|was|are|seems|went|"
    r"has gone) (?:\w+ )?(?:slow|busy|unresponsive)|"
    r"(?:is|are|was|were|went) (?:\w+ly |now )?down(?! (?:to|by|from|for|as|in|on)\b)|tried to|not (?:gone|"
    r"go|went) through|in vain|"
    r"disconnected|logged out|interrupted)\b|"
    r"\bare not\b|(?<!you )\baren't\b|\b(?:has|have|had|was|were|did|do|does|is|could)(?: not|"
    r"n't)\b(?! (?:inform|notify|tell|"
    r"message|affect|any|"
    r"need|have to|roam))|"
    r"\b(?:can't|cannot|couldn't|won't let|not able|nothing (?:has|have|was|is|got|changed))\b|"
    r"\b(?:still|remains?|stays?) (?:pending|open(?! (?:un)?til| for)|active|scheduled|as (?:it|they)|unchanged|"
    r"the same|in place|on the|there)\b|"
    r"\bno (?:\w+ ){1,3}(?:left|available|remaining)\b|\b(?:unfortunately|regrettably|i'm afraid)\b|"
    r"\bno longer (?:available|possible|offered|in stock)\b|"
    r"\b(?:not|never|isn't|hasn't|haven't)(?: been)?(?: \w+)? (?:yet|done|complete[d]?|processed|changed)\b|\bno luck\b"
)
_UNTROUBLED = re.compile(
    r"\bwithout (?:any |a |further )?(?:errors?|problems?|trouble|issues?|hiccups?|snags?|hitch|glitch\w*|fuss)\b|"
    r"\b(?:['’]s|your|the|all|every|each|those|these|any|\d+|two|three|four|five)(?: \w+)? (?:failed|rejected|declined|"
    r"denied|refused) (?=[a-z]+s?\b)"
    r"(?!to|at|on|by|in|for|with|because|as|again|and|so|but|the|a|an|your|this|that|it|my)|"
    r"\b(?:apologi[sz]e|apologies|sorry)(?: again| once (?:more|again)| sincerely| very much)* for [^.;!]*|"
    r"\bnothing (?:is|was) (?:left|open|due)\b|\band (?:it )?(?:remains|stays) (?:open|active|in place)\b|"
    r"\b(?:original|rest|others?|remainder|everything else)(?: \w+){0,3}? (?:(?:was|were|is|are)(?:n't| not) "
    r"(?:touched|changed|affected|moved)|(?:stays?|remains?|(?:is|are|was|were) left) [^.;!]*)"
)
"""Words for failures that tell of none: "without any trouble", "your failed events", "the original wasn't touched"."""
_FELL_THROUGH = re.compile(r"\b(?:was|were|has been|have been|got) (?:rejected|declined|refused|denied|turned down)\b")
_AS_BEFORE = re.compile(
    r"\bas (?:it|they) (?:was|were)(?:,|\W*$)|\b(?:has|have|had|was|were|is|are)(?: not|n't) (?:been |"
    r"yet )?(?:sent|done|made|"
    r"saved|booked|submitted|changed|placed)\b|\b(?:created|changed|sent|saved|booked|done|made|found) nothing\b|"
    r"\bstopped (?:halfway|half|at|after|before)\b|\bnext (?:comes?|is|up|i)\b(?![^.;]*\b(?:january|february|"
    r"march|april|may|june|july|august|september|october|november|december)\b)|\b(?:through|done|"
    r"finished) with (?:step|part)|"
    r"\b(?:is|are) still\b|\b(?:haven't|hasn't|have not|has not|not)"
    r"(?: \w+){0,3} yet\b|"
    r"\bstill (?:has|have|had|shows?|says|reads|lists|holds?|stands?)\b|\bremains? the (?:old|same|previous)\b|"
    r"\b(?:state|status) (?:is |stays |remains )?unchanged\b|\bno change\b"
)
"""What is as it was before, whatever else has been done."""
_NO_NEWS = re.compile(
    r"\b(?:nobody|no one|none of \w+|not a (?:word|soul)|no (?:messages?|mails?|e-?mails?|notes?|"
    r"notifications?))\b[^.;]*?"
    r"\b(?:got|get|gets|went|was|were|is|has|have|had|received?|sent|told|notified|informed|learns?|hears?|heard|"
    r"knows?)\b"
    r"(?: out| been| to| an?| any| it| of)*(?: \w*(?:messages?|mails?|e-?mails?|notes?|notifications?|told|notified|"
    r"informed|sent|word))?"
)
"""That nobody was told is no failure."""


def tells_failure(text: str) -> bool:
    """Whether a sentence in lower case tells that something went wrong or was turned down."""
    return _FAILED.search(_UNTROUBLED.sub(" ", text)) is not None


def fell_through(text: str) -> bool:
    """Whether a sentence in lower case tells that a request was turned down, whatever else was done before."""
    return _FELL_THROUGH.search(_UNTROUBLED.sub(" ", text)) is not None


def is_as_before(text: str) -> bool:
    """Whether a sentence in lower case tells that something is as it was, whatever else has been done."""
    return _AS_BEFORE.search(text) is not None


def without_news(text: str) -> str:
    """A sentence in lower case without what says that nobody was told, which is no failure."""
    return _NO_NEWS.sub(" ", text)
