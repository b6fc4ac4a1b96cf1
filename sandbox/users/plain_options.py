"""Things with options in wishes whose facts have no kinds: which line of a list, or which one offered, is the one."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence, Set

from toolgym.sandbox.kit.task import Fact
from toolgym.sandbox.language.dialogue_acts import AgentAct
from toolgym.sandbox.language.prefilter import Prefiltered
from toolgym.sandbox.language.questions import is_closed
from toolgym.sandbox.users.asking import choices, identifies
from toolgym.sandbox.users.proposal_matching import PlainVerdict

_OPTIONS = Prefiltered(
    r"\b(?:options?|variants?|versions?)(?: that)? (?:you|of the new|do you|would you)\b"
    r"(?!(?:'ve| have)? (?:got|ordered|now))"
)
_WORD = re.compile(r"[a-z0-9]+")
_THIS = Prefiltered(
    r"\b(?:is|are|would) (?:this|that|it|these|those)(?: be)? (?:the|your) (?:[a-z-]+ ){1,3}?(?:that )?you\b[^?]*\?|"
    r"\b(?:is|are|would) (?:this|that|it|these|those)(?: be)? the (?:right )?(?:one|variant|version|model|option)s?\?"
)
"""Asks whether what was just described is the one: "Is this the variant you're after?"."""


def asks_new(asked: str) -> bool:
    """Whether a request is for the options of a new thing: "The order number and the options that you'd like"."""
    return _OPTIONS.search(asked) is not None


def is_new(fact: Fact) -> bool:
    """Whether a fact is the thing that somebody wants in place of what it has."""
    return fact.name.startswith("new_")


def asks_whether_right(heard: AgentAct, verdict: PlainVerdict) -> bool:
    """Whether a message asks no more than whether the new thing that it describes is the one, and it is."""
    asking = [each.text for each in heard.sentences if each.act in ("ask", "agree")]
    if len(asking) != 1 or not _THIS.search(asking[0]) or verdict.wrong or verdict.beside:
        return False
    told = [fact for fact in verdict.told if is_new(fact)]
    return bool(told) and all(not _is_otherwise(label, value, heard.text) for label, value in _options(told))


def fitting_lines(heard: AgentAct, telling: Sequence[Set[str]]) -> list[int]:
    """The lines of a list to choose from that hold every word of one of these sets."""
    lines = [set(_WORD.findall(heard.text[start:end])) for start, end in choices(heard)]
    return [place for place, line in enumerate(lines) if any(words and words <= line for words in telling)]


def is_apart(fact: Fact, name: str, asked: str) -> bool:
    """Whether a fact is asked for beside one whose name holds its name, such as items beside new items."""
    return fact.name in asked.replace(name, " ")


def begins_with_yes(text: str) -> bool:
    """Whether a yes or a no begins the answer: "Is your broken leg the reason?"."""
    return identifies(text) or is_closed(text)


def _is_otherwise(label: str, value: str, text: str) -> bool:
    """Whether a text speaks of an option and not of this value: "size 10" where it is to be 9."""
    return label in text and value not in ("yes", "no") and not re.search(rf"(?<!\w){re.escape(value)}(?!\w)", text)


def _options(facts: Iterable[Fact]) -> Sequence[tuple[str, str]]:
    things = [thing for fact in facts if isinstance(fact.value, list) for thing in fact.value]
    held = [thing.get("options") for thing in things if isinstance(thing, Mapping)]
    pairs = [pair for each in held if isinstance(each, Mapping) for pair in each.items()]
    return [(str(label).casefold(), str(value).casefold()) for label, value in pairs]
