"""What an agent's message does to a user: what it asks, proposes, reports, refuses. Keyword rules on plain English.

Recognising dialogue acts by patterns keeps the scripted user deterministic and free of models; docs/users.md says
what it cannot understand. Nothing here knows a task.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

TOPICS: dict[str, str] = {
    "email": r"e-?mail(?: address)?",
    "user_id": r"(?:user|account|customer|member|profile)(?:'s)? ?(?:id|number|name)s?|username",
    "phone_number": r"(?:tele)?phone number|mobile number|your number",
    "date_of_birth": r"date of birth|birth ?da(?:y|te)",
    "zip": r"zip(?: ?code)?|postal code|postcode",
    "name": r"(?:first|last|full|your)(?: and last)? names?|surname|\bnames?\b(?! of)|who am i (?:speaking|talking)",
    "order_id": r"order (?:id|number|no\b|#|reference)s?|(?:which|what) order|orders? (?:do|would|are|is) (?:you|it)",
    "reservation_id": (
        r"(?:reservation|booking|confirmation)(?:'s)? (?:ids?|numbers?|codes?|no\b|#|reference)|"
        r"(?:which|what) (?:reservation|booking|trip)"
    ),
    "new_items": (
        r"(?:new|replacement|desired|preferred|different|other)[\w ,/-]{0,24}?(?:items?|options?|variants?|products?|"
        r"versions?|models?)|(?:exchang\w*|swap\w*|replac\w*|chang\w*|modif\w*)[\w ,/-]{0,24}? (?:for|with|to|into)\b|"
        r"(?:which|what)[\w ,/-]{0,16} (?:options?|variants?|colou?rs?|sizes?|versions?)|instead"
    ),
    "items": r"(?:which|what)(?: \w+){0,2} (?:item|product|article)s?|items?(?: ids?| names?| numbers?)?\b|products?\b",
    "reason": r"reasons?|\bwhy\b",
    "payment": r"payments?(?: methods?)?|refund(?:ed)? (?:to|method)|credit cards?|gift cards?|paypal|pay with|to pay",
    "address": r"address(?:es)?|street|where should",
}
"""What an agent may ask for: topic and the words that ask for it; the first topic that matches a place wins."""

IDENTITY = ("email", "user_id", "phone_number", "date_of_birth", "zip", "name")
"""Topics that say who the user is."""

ACTIONS: dict[str, str] = {
    "cancel": r"cancel",
    "return": r"return",
    "exchange": r"exchang|swap",
    "modify": r"modif|chang|updat|switch|correct",
    "reserve": r"reserv(?!ation)|book(?!ing)",
    "release": r"releas|free",
    "transfer": r"transfer|human",
}
"""Things agents do, by the stems that name them."""

_SENTENCE = re.compile(r"(?<=[.!?])[\"')]*\s+")
_BULLET = re.compile(r"\s*(?:[-*•]|\d+[.)])\s+")
_REQUEST = re.compile(
    r"\bplease\b(?! (?:note|wait|hold|bear))|\blet me know\b|\bi(?:'ll| will| would|"
    r"'d)? (?:also )?(?:need|require|ask)\b|"
    r"\b(?:provide|tell me|give me|share|specify)\b"
)
_SIGNS = ("?", "yes", "confirm", "shall", "proceed")
"""Every proposal holds one of these; looking for them first is cheap."""
_PROPOSAL = re.compile(
    r"\b(?:shall|should|may|can) i (?:now |then |please )?(?:go ahead|proceed|continue|do|make|place|"
    r"submit|process|cancel|return|"
    r"exchange|modif|chang|updat|book|reserve|release|transfer|apply|use|set|switch|refund)|"
    r"\bshall i\b|\bdo you (?:want|wish|need) me to\b|\bwould you like me to\b|\bdo you (?:confirm|agree|"
    r"approve|accept)\b|"
    r"\bis (?:this|that|it|everything|all of this|all this) (?:all )?(?:correct|right|ok|okay|fine|good|what you want)|"
    r"\bare (?:these|those)[\w ]* (?:correct|right|ok|okay|fine)|\byes\s*(?:/|or)\s*no\b|"
    r"\b(?:reply|respond|answer|say|type)\b[\w ]* [\"'(]?yes\b|"
    r"\b(?:want|like|wish|ready|happy|okay|ok) (?:for me )?to (?:proceed|go ahead|continue)|"
    r"\b(?:proceed|go ahead|continue)[^.?!]*\?|\bare you (?:sure|certain|happy with|okay with|ok with)\b|"
    r"\bplease confirm\b|\bconfirm (?:that|if|whether|this|these|to proceed)\b|\b(?:can|could|would|"
    r"do) you (?:please )?confirm\b"
)
_NOT_PROPOSAL = re.compile(
    r"confirm\w*(?: me)? (?:(?:the|which|what|your|me)\b[^.?!]{0,40}?)?(?:e-?mail|name|zip|order (?:id|"
    r"number)|identity|user id|"
    r"reason|item ids?|which|what)"
)
_REFUSAL = re.compile(
    r"\b(?:cannot|can't|can not|could not|couldn't|unable|not able|impossible|not (?:possible|allowed|"
    r"permitted|eligible|"
    r"available|supported|something i can)|no longer (?:available|possible)|unavailable|out of stock|"
    r"sold out|not in stock|"
    r"isn't (?:possible|available|allowed)|aren't (?:possible|available|allowed)|against (?:our|the|"
    r"my) (?:policy|rules)|"
    r"does(?: not|n't) allow|have to (?:decline|refuse)|must (?:decline|refuse)|won't be able|already taken|is taken|"
    r"not within my|only be done by a human|beyond what i)\b"
)
_CAVEAT = re.compile(
    r"\b(?:undo|undone|revers\w+|until|unless|without (?:your|you|a|an|the|first|verif\w+)|before (?:i|we|"
    r"you)|find|locate|"
    r"verify|verified|once (?:you|i|it|this|that|confirmed|submitted|done|we)|(?:again|afterwards|later)\s*[.!,;]?$)"
)
_ASIDE = re.compile(r"\b(?:and|also|with)\b[^.?!]{0,40}?\b((?:which|what) [^.?!]+)")
_MORE = re.compile(
    r"\b(?:anything|something|what) else\b|\bany (?:other|further|more) (?:question|request|help|thing|assistance)|"
    r"\bfurther (?:assist|help)|\bassist you (?:further|with anything)"
)
_TRANSFER = re.compile(
    r"\btransfer(?:red|ring)? you\b|\btransfer (?:this|the|your)|\bhuman (?:agent|colleague)|\bput you through\b"
)
_GENERIC_DONE = re.compile(
    r"\b(?:done|complete[d]?|processed|submitted|initiated|set up|applied|arranged|successful(?:ly)?|"
    r"taken care of|all set|"
    r"(?:went|gone) through|finali[sz]ed|confirmed|recorded|scheduled|refunded|placed|requested)\b"
)
_SURELY_DONE = re.compile(
    r"\b(?:(?:has|have) (?:now |all )?been|is|are|that's|it's|all)(?: now| all)? (?:done|completed?|"
    r"taken care of|carried out|set)\b"
)
_NOT_YET = re.compile(
    r"\b(?:will|would|once|after|if|when|shall|going to|can|could|to be|before|not|cannot|unless|let me|"
    r"about to|ready to|"
    r"until|you have|you've|already)\b|n't\b|'ll\b"
)


@dataclass(frozen=True, slots=True)
class AgentAct:
    """An agent's message as a user understands it.

    Attributes:
        text: the message in lower case.
        asked: the text of its requests that are no yes/no questions about an action.
        topics: the known topics asked for, in order.
        proposal: the text of its yes/no questions about an action; empty when it proposes nothing.
        refuses: it says that something cannot be done.
        more: it asks whether there is anything else.
        transfers: it speaks of handing the conversation to a person.
        statements: its sentences that ask nothing.
    """

    text: str
    asked: str
    topics: tuple[str, ...]
    proposal: str
    refuses: bool
    more: bool
    transfers: bool
    statements: tuple[str, ...]

    def reports(self, stems: str, *, confirmed: bool) -> bool:
        """Whether a statement says that an action of these stems has been done; general words count once confirmed."""
        specific = _done_pattern(stems) if stems else None
        for sentence in self.statements:
            for pattern in (specific, _SURELY_DONE, _GENERIC_DONE if confirmed else None):
                match = pattern.search(sentence) if pattern else None
                if match and not _NOT_YET.search(sentence[: match.end()]):
                    return True
        return False

    def actions(self) -> set[str]:
        """The actions that its proposal names; where it names none ("Shall I go ahead?"), those announced before it."""
        announced = " ".join(sentence for sentence in self.statements if _ANNOUNCED.search(sentence))
        return _actions_in(self.proposal) or (_actions_in(announced) if self.proposal else set())


_TOPIC = re.compile("|".join(f"(?P<{name}>{pattern})" for name, pattern in TOPICS.items()))
_ACTION_PATTERNS = {name: re.compile(rf"\b(?:{stems})") for name, stems in ACTIONS.items()}
_ANNOUNCED = re.compile(
    r"\bi(?: would|'d| will|'ll| can| could| am going to|'m going to|'m about to)\b(?! like to know)"
)


def _actions_in(text: str) -> set[str]:
    return {name for name, pattern in _ACTION_PATTERNS.items() if pattern.search(text)}


@lru_cache(maxsize=64)
def _done_pattern(stems: str) -> re.Pattern[str]:
    auxiliaries = "have|has|had|been|is|are|was|were|now|successfully|'ve"
    return re.compile(rf"\b(?:{auxiliaries})\b(?: \S+){{0,4}}? (?:{stems})\w*ed\b")


def action_of(kind: str) -> str:
    """The action that a goal's kind names, or the kind's first word when no action is known for it."""
    words = kind.lower().split("_")
    return next((name for name, pattern in _ACTION_PATTERNS.items() for word in words if pattern.match(word)), words[0])


def _sentences(text: str) -> Iterator[tuple[str, bool]]:
    """The sentences of a text, and whether each stands in a list."""
    for line in text.split("\n"):
        bullet = _BULLET.match(line)
        for sentence in _SENTENCE.split(line[bullet.end() :] if bullet else line):
            if sentence.strip():
                yield sentence.strip(), bullet is not None


@lru_cache(maxsize=4096)
def parse_act(content: str) -> AgentAct:
    """Understand a message."""
    text = content.lower().replace("’", "'").replace("**", "")
    asked, proposed, statements, refuses, listing = [], [], [], False, False
    negative, further = _REFUSAL.search(text), _MORE.search(text)
    for sentence, listed in _sentences(text):
        listing = listing and listed
        if negative and _REFUSAL.search(sentence) and not _CAVEAT.search(sentence):
            refuses = True
        if further and _MORE.search(sentence):
            continue
        if (
            any(sign in sentence for sign in _SIGNS)
            and _PROPOSAL.search(sentence)
            and not _NOT_PROPOSAL.search(sentence)
        ):
            proposed.append(sentence)
            asked += _ASIDE.findall(sentence)
        elif listing or "?" in sentence or _REQUEST.search(sentence):
            asked.append(sentence)
            listing = listing or sentence.endswith(":")
        else:
            statements.append(sentence)
    requests = " ".join(asked)
    topics = tuple(dict.fromkeys(match.lastgroup or "" for match in _TOPIC.finditer(requests)))
    return AgentAct(
        text=text,
        asked=requests,
        topics=topics,
        proposal=" ".join(proposed),
        refuses=refuses,
        more=further is not None,
        transfers=bool(_TRANSFER.search(text)),
        statements=tuple(statements),
    )
