"""Whether an agent is still at work: whoever tells what it is doing, or is about to do, has not done it yet.

True reports hold nearly no such sentence: what will come of the act is told of the thing or of the listener
("you'll get a mail"), what might be done some day with a condition ("just tell me and I'll lift it"). English only.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from toolgym.sandbox.language.inflection import past_forms

_BUSY = re.compile(
    r"\b(?:i'm|i am|we're|we are)(?: (?:now|just|currently|still|also|right now|busy))* (?!including|keeping|leaving|"
    r"hoping|glad|wishing|noting|looking forward|sending you|attaching (?:a|the) (?:receipt|copy|confirmation)"
    r")[a-z]+ing\b|"
    r"\bi'm (?:still |now |just )?on (?:it|the (?:next|second|third|last|other|rest))\b|"
    r"\b(?:i'll|i will|we'll|we will|let me|allow me to|"
    r"i(?:'ve| have) [^.;!?]*? and will)(?: (?:now|just|then|next|also|go ahead and|"
    r"quickly|[a-z]+ly))* (?!be\b|know\b|keep\b|follow\b|note\b|notify\b|remind\b|stay\b|leave\b|miss\b|"
    r"(?:send|e-?mail|text|let|get back to|tell|inform|update|message) (?:you|them|him|her|everyone)\b)[a-z]+|"
    r"\b(?:hold on|hang on|bear with|stand by|one (?:moment|second|sec|minute)|just a (?:moment|second|sec|minute)|"
    r"give me (?:a|one|two|another)|"
    r"please (?:hold|wait))\b|^\W*just (?!noth|someth|anyth|everyth)[a-z]+ing\b"
)
"""What the speaker does, or will do at once; what it will only say, keep or leave is none."""
_DOING = re.compile(
    r"^\W*(?:[a-z]+\W+)?(?:just |now |still |next,? )?(?:re)?(?!noth|someth|anyth|everyth)"
    r"[a-z]{3,}ing (?!is\b|was\b|has\b|"
    r"done\b|complete)[^.!?]*?(?:\bnow|\bright away|\bas we speak|\.\.\.|…)\W*$"
)
"""The same without its subject: "Resending the event now."."""
_SOME_DAY = re.compile(
    r"\b(?:if|when(?:ever)?|in case|should you|just (?:tell|say|ask|call|write|message|contact)|let (?:me|us) know|"
    r"say the word|"
    r"(?:message|contact|call) us|write to us|next time|ask (?:me|us))\b"
)
"""What makes of it an offer for some other time."""
_NEXT = re.compile(
    r"\bnext,? (?:i|we)\b(?! can)|\b(?:then|now) (?:i'll|i will|i'm going to|we'll)\b|"
    r"\b(?:still|yet) (?:to (?:go|do|come|follow)|missing|open|left)\b|\bonly (?:half|part)\b"
)
"""What comes next, or is left."""
_BEING = re.compile(r"\b(?:is|are) being (\w+(?:ed|ne|nt|de|en))\b(?![^.;]*\bfrom now on\b)")
_FOLLOWS = frozenset(
    "refunded returned credited reimbursed repaid charged debited billed sent mailed emailed shipped delivered "
    "notified informed told transferred".split()
)
"""What follows from an act that is done: "and $217 is being returned to your gift card"."""
_BY_OTHERS = re.compile(
    r"\b(?:colleague|team|specialist|department|staff|technician|manager|supervisor|office|branch|someone|somebody|they)"
    r"s?\b[^.;!?]*?(?:'ll|\bwill|\bgoing to)(?: now| then| also| be able to)* (?P<does>[a-z]+)\b"
)
"""What somebody else is to do some time: "a colleague will freeze the card within two hours"."""
_HANDED_ON = re.compile(
    r"\b(?P<did>forwarded|passed|handed|escalated|referred|submitted|sent|given|raised)\b[^.;!?]*? (?:on )?(?:to|with) "
    r"(?:the|our|an?|my) (?:[a-z]+ ){0,2}(?:team|department|colleagues?|specialists?|supervisor|manager|staff)\b"
)
"""What was handed on is still to be done by others: "I have forwarded your request to the compensation team"."""
_PARTLY = re.compile(r"\b(?:still|yet) (?:to (?:go|do|come|follow)|missing|left)\b|\bonly (?:half|part)\b")
"""What shows that it is not all done yet, whatever else is."""


def at_work(sentences: Sequence[str]) -> int:
    """The place of the last sentence, in lower case, that tells of work in hand; -1 where none does."""
    return max((place for place, text in enumerate(sentences) if _is_work(text)), default=-1)


def _is_work(text: str) -> bool:
    told = _BUSY.search(text) or _DOING.search(text)
    return told is not None and _SOME_DAY.search(text) is None


def goes_on(text: str, done: frozenset[str]) -> bool:
    """Whether a sentence in lower case tells what comes next, is being done or left to somebody else.

    Args:
        text: the sentence.
        done: past forms of the verbs for what is to be done.
    """
    being = (told.group(1) for told in _BEING.finditer(text))
    if any(not done.isdisjoint(past_forms(frozenset({told["does"]}))) for told in _BY_OTHERS.finditer(text)):
        return True
    if (handed := _HANDED_ON.search(text)) is not None and handed["did"] not in done:
        return True
    return _NEXT.search(text) is not None or any(word not in _FOLLOWS or done <= _FOLLOWS for word in being)


def is_partly(text: str) -> bool:
    """Whether a sentence in lower case tells that a part is done, or a part is still to be done."""
    return _PARTLY.search(text) is not None
