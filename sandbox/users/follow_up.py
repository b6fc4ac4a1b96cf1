"""Questions with which a user makes sure before it leaves, and what answers them or takes a report back."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from functools import lru_cache

from toolgym.sandbox.language.dialogue_acts import AgentAct
from toolgym.sandbox.language.inflection import past_forms
from toolgym.sandbox.language.questions import asks_openly, is_closed
from toolgym.sandbox.language.reports import is_short_report
from toolgym.sandbox.language.senses import has
from toolgym.sandbox.language.verb_lists import DOING
from toolgym.sandbox.language.verbs import promises
from toolgym.sandbox.users.asking import is_bare

Named = tuple[frozenset[str], frozenset[str], frozenset[str]]
"""Past forms that tell of a wish, those that tell of others, and what its action is called."""

_END = re.compile(r"(?<=[.!?])\s")
_SURE = re.compile(r"\bare you (?:[a-z]+ly )?(?:sure|certain)\b|\bdo you really want\b")
"""What nobody asks who has done it."""
_RIGHT = re.compile(r", (?:is that |am i )?(?:right|correct|yes)\?\W*$")
_WANTED = re.compile(r"\b(?:that |which )?you(?:'d| would)? (?:like|want|wish|need|wanted)(?: to (?:be )?[a-z]+)?\b")
"""What is to become of a thing, in words that only say which one it is: "the pair that you'd like to exchange"."""
_MEANT = re.compile(
    r"\W*(?:(?:so|and|ok|okay|thanks),? )?(?:(?:do )?you(?:'re| are)? (?:mean|meant|talking about|referring to)|"
    r"it(?:'s| is)|that(?:'s| is| would be)|this is)\b"
)
_IS_MEANT = re.compile(r"\W*(?:(?:so|and|ok|okay|thanks),? )?(?:do )?you (?:mean|meant)\b(?!.* or )[^?]*\?\W*$")
_FEW = 8
"""Words of a question that leave no room for an order."""
_AGAIN = re.compile(r"\b(?:try|attempt) (?:it |this |that )?(?:again|once more|a second time|another time)\b|\bretry\b")
_AT_IT = re.compile(
    r"\b(?:i'm|i am|i'll|i will|let me|we're|we'll|going to)\b[^.!?]{0,30}\b(?:re)?try(?:ing)?\b(?: (?:it|this|that|"
    r"to [a-z]+ (?:it|this|that)))?(?: (?:again|once more|(?:a|one) second time|another time|one more time)|[.!\s]*$)"
)
"""What is told of a failure after which the speaker goes on: "It timed out. I'm trying again."."""
_FOUND = re.compile(
    r"\b(?:found|verified|thank|thanks|located|see|pulled|have your|got it|looked|noted|understood|welcome)\b"
)
"""What agents say on the way, to which people only nod."""


_BEFORE = re.compile(r"^\W*(?:(?:ok|okay|sure|and|but|just),? )*before (?:i|we)\b")
_MERE_YES = re.compile(r"\b(?:yep|yup|yeah|indeed|absolutely|definitely|precisely|affirmative|you got it|i meant)\b")
"""Words for a yes that stand in no request for one."""
_LEFT_OUT = re.compile(
    r"\b(?:just|only)\b(?: (?:that|this|it|the \w+))?|\bnothing (?:else|more|further|besides)\b|\bno more\b|"
    r"\bwithout (?:\w+ing|an?y?|the|that|it)\b[^.,;!?]*|\b(?:i|we) (?:won't|wouldn't|will not|would not)\b[^.,;!?]*|"
    r"\b(?:forget|ignore|never mind|sorry about)\b[^.,;!?]*|\bno (?:\w+ )?(?:fees?|charges?|costs?)\b"
)
"""What says with a yes that more than the wish is not done."""


def after_refusal(heard: AgentAct) -> AgentAct:
    """What a message says after the last of its sentences that refuse."""
    last = max((place for place, each in enumerate(heard.sentences) if each.act == "refuse"), default=-1)
    return replace(heard, sentences=heard.sentences[last + 1 :])


def says_yes(text: str) -> bool:
    """Whether a message, in lower case, answers a closed question with yes."""
    return has("yes", _END.split(text, maxsplit=1)[0])


def says_only_yes(heard: AgentAct, *, declined: bool) -> bool:
    """Whether a message answers a closed question with yes, and neither proposes nor promises anything else.

    Args:
        heard: the message.
        declined: something was declined with the question, so that the yes may say that it is left out.
    """
    if not heard.sentences or not says_yes(heard.text) or any(map(str.isdigit, heard.text)):
        return False
    first, *rest = heard.sentences
    if any(is_short_report(each.text) for each in rest):
        return False  # "✅ Exchange requested."
    plain = _LEFT_OUT.sub(" ", first.text) if declined else first.text
    is_told = all(each.act == "tell" and not promises(each.text) for each in rest)
    return is_bare(_MERE_YES.sub(" ", plain)) and (is_told or is_bare(_MERE_YES.sub(" ", heard.text)))


def says_no(text: str) -> bool:
    """Whether a message, in lower case, answers a closed question with no."""
    return has("no", _END.split(text, maxsplit=1)[0])


def takes_back(text: str, done: frozenset[str]) -> bool:
    """Whether a message says that what was reported as done was not: "it has not been cancelled after all"."""
    return bool(done) and _undone(done).search(text) is not None


@lru_cache(maxsize=256)
def _undone(done: frozenset[str]) -> re.Pattern[str]:
    words = "|".join(sorted(map(re.escape, done)))
    return re.compile(
        rf"(?:\bnot|n't|\bnever)(?: (?:actually|really|in fact|yet|been|be|get|got)){{0,3}} (?:{words})\b|"
        rf"\b(?:{words})\b[^.?!]* (?:was|has been|is|got) (?:reversed|rolled back|undone|not saved)\b"
    )


def participle(verbs: Iterable[str], wish: str) -> str:
    """How the user says that its wish is fulfilled, such as "cancelled"; "done" where no plain verb says it.

    Args:
        verbs: base forms of the wish's verbs.
        wish: its words, in lower case; a verb that stands in it is taken first.
    """
    plain = [verb for verb in sorted(verbs) if verb in DOING]
    named = [verb for verb in plain if re.search(rf"\b{verb}", wish.replace("changed my mind", ""))]
    forms = sorted(
        past_forms(frozenset(named[:1])), key=lambda form: (not form.endswith("ed"), form.endswith("n"), form)
    )
    return forms[-1] if forms else "done"


def wants_yes(heard: AgentAct) -> bool:
    """Whether a message ends with what only a yes or a no answers, so that it reports nothing."""
    last = next((each for each in reversed(heard.sentences)), None)
    return bool(heard.proposal) or (last is not None and last.act == "ask" and is_closed(last.text))


_OFFERS = re.compile(
    r"\b(?:(?:like|want) to know|(?:like|want) me to|(?:shall|should|can|may) i (?:also )?(?:tell|say))\b"
)
"""What offers to tell more, and needs no answer: "Would you like to know when it is due?"."""


_ALSO = re.compile(r"\b(?:also|as well|too|while (?:we're|i'm|you're) (?:here|at it))\b|\banything else\W*$")
"""What makes of an offer a further one, so that what it comes after is over."""


def offers_else(heard: AgentAct, acts: Callable[[str], bool]) -> bool:
    """Whether all that a message asks is whether something else than the wish shall be done.

    Args:
        heard: the message.
        acts: whether a text names the wish's action.
    """
    asking = [each.text for each in heard.sentences if each.act in ("ask", "agree")]
    return bool(asking) and all(
        has("suggests", text) and not (acts(text) or is_bare(text) or _AGAIN.search(text)) for text in asking
    )


def _says_done_and_offers(heard: AgentAct, named: Named, acts: Callable[[str], bool]) -> bool:
    """Whether a message says that what was agreed to is done, and offers something else with it."""
    if heard.refuses or not offers_else(heard, acts):
        return False
    rest = replace(heard, sentences=tuple(each for each in heard.sentences if each.act not in ("ask", "agree")))
    is_further = any(_ALSO.search(each.text) for each in heard.sentences if each.act in ("ask", "agree"))
    return rest.settles(*named) or ((is_further or heard.more) and rest.reports(*named, confirmed=True))


def asks_more(heard: AgentAct) -> bool:
    """Whether a message wants to know something, so that nothing can have been done yet."""
    asking = (each.text for each in heard.sentences if each.act == "ask")
    return any(asks_openly(text) and not _OFFERS.search(text) for text in asking)


def doubts(proposal: str) -> bool:
    """Whether a request for agreement, in lower case, asks what nobody asks who has done it: "Are you sure?"."""
    return _SURE.search(proposal) is not None


def is_on_the_way(text: str) -> bool:
    """Whether a message in lower case is one of those to which people only nod."""
    return _FOUND.search(text) is not None


def only_checks(heard: AgentAct) -> bool:
    """Whether a message asks nothing but whether a few words are right, and does nothing: "On April 1, right?"."""
    asking = [each.text for each in heard.sentences if each.act in ("ask", "agree")]
    if len(asking) != 1 or any(promises(each) and not has("looking", each) for each in heard.statements):
        return False
    words = re.findall(r"[a-z]+", _WANTED.sub(" ", asking[0]))
    is_doing = any(word in DOING or word.endswith("ed") for word in words)
    few = _FEW if _MEANT.match(asking[0]) is None else 2 * _FEW
    return len(words) <= few and not is_doing and (_RIGHT.search(asking[0]) or _IS_MEANT.match(asking[0])) is not None


def tries_again(question: str) -> bool:
    """Whether a question in lower case offers to try once more what has failed: "Shall I try again?"."""
    return "?" in question and _AGAIN.search(question) is not None


def begins_before(question: str) -> bool:
    """Whether a question in lower case comes before anything is done: "Before I block it: is anything missing?"."""
    return _BEFORE.match(question) is not None


def is_at_it(heard: AgentAct) -> bool:
    """Whether a message says that something failed and is being tried again, and asks nothing."""
    return not (heard.proposal or heard.asked or heard.more) and _AT_IT.search(heard.text) is not None


def is_handed_over(heard: AgentAct) -> bool:
    """Whether a message tells that the conversation has been handed to a person, rather than offers it."""
    return any(has("handed", each) for each in heard.statements)


def only_waits(heard: AgentAct) -> bool:
    """Whether a message asks for patience alone, and neither asks nor refuses nor names what will be done."""
    if not heard.waits or heard.proposal or heard.asked or heard.refuses:
        return False
    return not any(promises(each) and not has("looking", each) for each in heard.statements)


@dataclass(frozen=True, slots=True)
class Agreed:
    """What a user has agreed to when it hears a message.

    Attributes:
        confirmed: it has said yes.
        nearly: nothing of the last proposal was wrong, but it was not whole or not understood.
        asked_back: it has asked whether that meant the whole wish.
        is_so: the message is the whole wish, told as what is so now.
    """

    confirmed: bool
    nearly: bool
    asked_back: bool
    is_so: bool


def says_done(heard: AgentAct, named: Named, agreed: Agreed, acts: Callable[[str], bool]) -> bool:
    """Whether a message says that something was done, whichever thing it is about.

    Args:
        heard: the message.
        named: past forms that tell of the wish, those that tell of others, and what its action is called.
        agreed: what was said before.
        acts: whether a text names the wish's action.
    """
    if agreed.confirmed and _says_done_and_offers(heard, named, acts):
        return True
    if agreed.confirmed and (is_short_report(heard.text) or (agreed.is_so and not heard.refuses)):
        return True
    is_open = not agreed.nearly or heard.proposal or heard.asked or is_on_the_way(heard.text)
    if not is_open and heard.settles(*named, whole=agreed.asked_back):
        return True
    if agreed.confirmed and wants_yes(heard) and not heard.reports(named[0], confirmed=False):
        return False  # "It complained about the zip. Is 37261 right?"
    if agreed.confirmed and heard.refuses and after_refusal(heard).reports(*named, confirmed=False):
        return True  # "I got an error... wait, it went through. It is changed."
    return heard.reports(*named, confirmed=agreed.confirmed and not doubts(heard.proposal))
