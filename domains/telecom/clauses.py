"""What a sentence to a person with a phone asks: its clauses, each ordered, asked or merely told.

Plain English and nothing of the phone but what may stand around an order; `toolgym.domains.telecom.instructions` says
what the clauses are about.
"""

import re
from collections.abc import Iterator
from typing import Literal, NamedTuple

Mood = Literal["order", "look", "told"]
"""Something is to be done or be so; something is to be looked at; neither, or it is forbidden."""

_CHANGE = (
    r"turn|switch|set|toggle|flip|put|take|pull|pop|remove|insert|re-?insert|reseat|re-seat|reset|restore|restart|"
    r"reboot|re-boot|power|connect|disconnect|disable|enable|activate|deactivate|grant|allow|give|let(?! (?:me|us)\b)|"
    r"change|choose|select|pick|pay|make|accept|approve|confirm the payment|add|exit|leave|stop|quit|ensure|be sure|"
    r"close|end|settle|use|cycle|deny|adjust|move|bring|get(?= (?:rid|out)\b)|shut"
)
_LOOK = (
    r"check|look|see|verify|tell|read|show|list|find|confirm|describe|view|report|try|run|test|perform|do|send|"
    r"let (?:me|us) know|have a|take a|measure|watch|note|inspect|review|open|visit|load|go|head|navigate|start"
)
_VERB = rf"(?:{_CHANGE}|{_LOOK})\b"
_LEAD = (
    r"(?:\W|\d+[.)]|\b(?:ok(?:ay)?|great|good|perfect|thanks?|thank you|now|next|first|then|finally|second(?:ly)?|"
    r"third|last(?:ly)?|also|and|but|or|afterwards?|after (?:that|this)|once done|so|just|please|kindly|simply|quickly|"
    r"again|go ahead and|(?:don't|do not) forget to|remember to|feel free to|step|to|(?:could|can|would|will) you|"
    r"with that done|in that case|alternatively|instead)\b)*"
)
_BEGINS = re.compile(rf"^{_LEAD}{_VERB}")
_LOOKS = re.compile(
    rf"^{_LEAD}(?:(?:can|could|would|will) you (?:please |also |now )?|(?:i'd|i would) like you to |i need you to |"
    r"(?:you )?(?:should|need to|have to|can|must) )?"
    r"(?:(?:please|now|also|kindly) )*"
    r"(?:take another look|take a (?:quick )?look|have a (?:quick )?look|"
    r"(?:check|look|see|verify|tell|read|show|list|find|confirm(?! the payment)|describe|view|report|"
    r"let (?:me|us) know|note|inspect|review|watch)\b)"
)
_CUT = re.compile(
    r"\s*(?:"
    r"(?:,|–|—|-(?= )|\band\b|\bthen\b|\bbut\b)+\s*"
    r"(?:(?:and|then|but|also|next|after that|now|just|\d+\))[ ,]+)*"
    rf"(?=please\b|{_VERB}|(?:i|we|you|it|what|which|is|are|does|has|how|tell|if|can you|could you)(?:'\w+)?\b)"
    r"|(?<!\w)(?=\d\) )|(?<=[a-z])(?:,| and) then (?=\w)|, (?=\w)"
    r")\s*"
)
_ASIDE = re.compile(
    r"\b(?:so that|so (?:we|you|it|i|the|your)\b|because|in order to|otherwise)\b.*|, (?:since|as) .*|"
    r"(?<=\w) (?:without|instead of|rather than) \w+ing\b[^,]*"
)
"""Why something is to be done, and what not to do for it."""
_SINCE = re.compile(r"\bsince (?:you|it|your)\b.*")
_LATER = re.compile(
    r"\b(?:if|should|when(?:ever)?|in case)\b.*\b(?:again|ever|later|comes back)\b(?!,? (?:please|if))|"
    r"\bin (?:the )?future\b|\bnext time\b"
)
"""What may happen some day is advice."""
_CONDITION = re.compile(r"(?<!check )(?<!see )(?<!me )(?<!know )(?<!verify )(?<!out )\b(?:if|in case)\b.*")
"""A switch is looked at before it is touched, so its condition need not be understood."""
_DONE_FIRST = re.compile(r"^\W*(?:once|when|after|as soon as) (?:you(?:'ve| have)?|it|that|this|the|your)\b")
_NOT = re.compile(
    r"\b(?:(?:do not|don't)(?! (?:forget|hesitate|worry))|never|not to|no need to|needn't|no longer need to|avoid)\b|"
    r"\b(?:without|instead of|rather than|before) (?=\w+ing\b)|\bbefore you\b"
)
_STAY = re.compile(r"\b(?:leave|keep)\b.*\b(?:on|off|enabled|disabled|as (?:it|they) (?:is|are))\b|\bcan stay\b")
_I = re.compile(
    r"\b(?:i|we)(?:'ve|'ll|'m|'re|'d| have| will| would| am| are| can| could| may| just| also| sent| see)?\b"
    r"(?!(?: would|'d)? ?(?:like|want|need|love|ask) (?:you|to ask you)\b)"
)
_I_SHALL = re.compile(
    r"\b(?:i|we)(?:'ll|'d| will| would| can| could| may| am| are|'m|'re)\b|\b(?:shall|may|can|could|let) (?:i|we|me)\b"
)
"""What follows an announcement of one's own without a word to somebody else is announced as well."""
_TO_YOU = re.compile(r"\b(?:please|(?<!send )(?<!give )(?<!for )(?<!to )you|what|which|does|how|tell me|let me know)\b")
_OFFER = re.compile(
    r"\b(?:shall|should|may|can|could) (?:i|we)\b|\bwould you like(?: me)? to\b|\bdo you want\b|\bhave you\b|"
    r"\bon (?:my|our) (?:side|end)\b|\banything else\b|\bif you(?:'d| would)? (?:like|want|wish|prefer)\b|"
    r"\bdo you (?:confirm|agree)\b|\bthank(?:s| you) for \w+ing\b|\bwould you prefer\b|\bfeel free\b"
)
_ORDER = re.compile(
    r"\bplease\b|\b(?:can|could|would|will) you\b|\byou(?:'ll| will)? (?:should|need to|have to|can|must|could|may|"
    r"might want to|want to|ought to)\b|\b(?:i|we)(?:'d| would)? (?:need|like|want|ask) you to\b|\blet's\b|"
    r"\bwould you mind\b|\bhow about\b|\btry\b|\bmake sure\b|\bensure\b|\bbe sure\b|\bcan i (?:get|ask) you to\b"
)
_MUST_BE = re.compile(
    r"\b(?:should|must|ought to|needs? to|has to|have to)(?:n't| not)? be (?:switched |turned |set )?"
    r"(?:on|off|enabled|disabled|activated|deactivated|active|granted|allowed|disconnected)\b(?! (?:now|again))"
)
_QUESTION = re.compile(
    r"^\W*(?:(?:and|so|ok(?:ay)?|now|great|also|then|but|just),? )*(?:what|which|is|are|does|do you|do they|did|how|"
    r"can you (?!please)|can it|can the|has|have the|were|was|any)\b"
)
_WANT = re.compile(r"\byou(?:'d| would)? (?:want|wish|prefer|mean|meant)\b")
"""A question of what somebody wants, which no screen shows: "Is that the line you want roaming disabled on?"."""
_SENTENCE = re.compile(r"(?<=[.!?])\s+|\n+|;|:\s+")


class Clause(NamedTuple):
    """A part of a sentence.

    Attributes:
        text: in lower case, without conditions and reasons.
        whole: with them.
        mood: what it asks.
    """

    text: str
    whole: str
    mood: Mood


def clauses(plain: str) -> Iterator[Clause]:
    """The clauses of a message in lower case, in order."""
    for sentence in _SENTENCE.split(plain):
        is_question = sentence.rstrip().endswith("?")
        is_advice = _LATER.search(sentence) is not None and not _BEGINS.match(sentence)
        before: Mood = "told"
        is_mine = False
        for part in filter(None, map(str.strip, _CUT.split(_ASIDE.sub("", sentence).strip()))):
            is_mine = is_mine and not _TO_YOU.search(part)
            mood = "told" if is_advice or is_mine else _mood(part, before, is_question=is_question)
            is_mine = is_mine or (_I_SHALL.search(part) is not None and mood == "told")
            before = mood if not _NOT.search(part) and not _CONDITION.match(part) else before
            yield Clause(_SINCE.sub("", _CONDITION.sub("", part)), part, mood)


def _mood(part: str, before: Mood, *, is_question: bool) -> Mood:
    """What a part of a sentence asks, after a part of another mood."""
    if _NOT.search(part) or _STAY.search(part) or _OFFER.search(part):
        return "told"
    if _BEGINS.match(part):
        return "look" if _LOOKS.match(part) else "order"
    if _QUESTION.match(part) and is_question:
        return "told" if _WANT.search(part) else "look"
    if _I.search(part) and not re.search(r"\bplease\b", part):
        return "told"
    if _MUST_BE.search(part) or _DONE_FIRST.match(part):
        return "order"
    if _ORDER.search(part):
        return "look" if re.search(rf"\b(?:you|please|to)(?: \w+)? (?:{_LOOK})\b", part) else "order"
    return before if not re.match(r"(?:it|that|this|they|the|your|you)\b", part) else "told"
