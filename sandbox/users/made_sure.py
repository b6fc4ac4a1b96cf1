"""What an agent makes sure of before it goes on: which thing the user means, or by its key another one than it does."""

from __future__ import annotations

import re

from toolgym.sandbox.language.dialogue_acts import AgentAct
from toolgym.sandbox.users.follow_up import only_checks
from toolgym.sandbox.users.verdict import Verdict

_SO = re.compile(
    r"\b(?:has|have|'ve) been [a-z]+|\b(?:is|are)\b[^.;!?]* now\b|\b(?:is|are) now\b|"
    r"\bnow (?:has|have|shows?|reads?)\b|\b(?:went|gone) (?:out|through)\b"
)
_TO_COME = re.compile(
    r"\b(?:will|would|shall|if|once|when|confirm|yes|ok|okay|go|before|can|could|should|nothing|yet|so far|"
    r"already|fail\w*|errors?|problems?|trouble|went wrong|sorry|unfortunately|timed out|tried)\b|'ll\b|'d\b|\?"
)
"""What is told of what has not happened, or not yet."""
_WHICH_ONE = re.compile(
    r"\W*(?:(?:so|and|ok|okay|thanks),? )?(?:(?:do )?you(?:'re| are)? (?:mean|meant|talking about|referring to)|"
    r"(?:it|that|this)(?:'s| is| would be) (?:about )?(?:the|your)|is (?:it|that|this) (?:the|your))\b"
)


def says_it_is_so(heard: AgentAct, *, agreed: bool) -> bool:
    """Whether a message asks nothing and says how things are now: "The slippers are in your cart now.".

    Args:
        heard: the message.
        agreed: it was agreed to, so that asking for the next wish says so as well.
    """
    said = " ".join(each.text for each in heard.sentences if each.act != "more")
    if heard.proposal or heard.asked or not ((agreed and heard.more) or _SO.search(said)):
        return False
    return _TO_COME.search(said) is None


def makes_sure(heard: AgentAct, verdict: Verdict) -> bool:
    """Whether a message only wants to hear which thing is meant, and has it right: "You mean the red one, right?"."""
    asking = [each.text for each in heard.sentences if each.act in ("ask", "agree")]
    is_which = all(slot.table for slot in verdict.named) and all(_WHICH_ONE.match(text) for text in asking)
    is_more = verdict.asserts or verdict.beside or verdict.wrong
    return bool(verdict.named) and is_which and not is_more and only_checks(heard)


def checks_rightly(heard: AgentAct, verdict: Verdict) -> bool:
    """Whether a message asks no more than whether something of the wish is meant, and it is.

    Args:
        heard: the message.
        verdict: what came of comparing it with the wish.
    """
    is_more = verdict.asserts or verdict.beside or verdict.wrong or verdict.vague
    return bool(verdict.named) and not is_more and only_checks(heard)
