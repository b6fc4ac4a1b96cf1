"""Another choice in other words, and names that are nearly the right ones.

A choice's values come from the schemas of the calls that would fulfil a wish: "no longer wanted" is `not_wanted`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from difflib import SequenceMatcher
from functools import cache

from sandbox.language.dialogue_acts import AgentAct
from sandbox.language.tokens import singular
from sandbox.users.call_terms import call_terms
from sandbox.users.slots import root
from sandbox.users.wish import Wish

_NAME = re.compile(r"\b[A-ZÀ-Þ][a-zà-ÿ]{4,}\b|\b\w+[-_.]\w[\w.-]*\b")
_LIKE = 0.8
_LEFT = re.compile(
    r"\b(?:left|leave|leaving|saved?|saving|kept|keep|keeping|another time|untouched|not|no|without)\b|n't\b"
)
_CLAUSE = re.compile(r"[.;:!?\n,()|]+(?!\d)|\s[-–—]+\s")


def chosen_otherwise(heard: AgentAct, wish: Wish) -> Iterator[str]:
    """Words for another value of a choice than the right call has, and switches said to be off that it has on."""
    terms = call_terms(wish)
    for other in terms.others:
        name, value = other.split(": ", 1)
        labelled = re.search(rf"\b{name.split('_')[0]}[*_`\"]* ?[:=|][ *_`\"|]*{re.escape(value)}\b", heard.text)
        if labelled is not None and value not in wish.goal.utterance.lower():
            yield labelled.group()
        match = _denied(value).search(heard.text) if value.startswith("not ") else None
        if match is not None and match.group() not in wish.asked_for:
            yield match.group()
    for words, is_on in terms.switches:
        name = words.split(":", 1)[0].removeprefix("use ")
        if is_on and len(name) > 5:
            yield from (part for part in _CLAUSE.split(heard.text) if name in part and _LEFT.search(part))


@cache
def _denied(value: str) -> re.Pattern[str]:
    """A choice such as "not wanted" in other words: "no longer wanted", "never ordered it"."""
    stem = re.escape(root(value.removeprefix("not ").split(" ")[-1]))
    return re.compile(rf"(?:\b(?:no|not|never|no longer|nobody)\b|n't)(?: [a-z]+){{0,2}} {stem}(?:ed|d|s)?\b")


def nearly_named(heard: AgentAct, wish: Wish) -> Iterator[str]:
    """Names that are not the wish's and close to one of its that is not said: Jackson for Jacksonville."""
    own = {name for slot in wish.slots for name in _NAME.findall(slot.words)}
    for name in own:
        longer = re.search(rf"\b{re.escape(name)} (?P<more>[A-ZÀ-Þ][a-zà-ÿ]{{2,}})\b", heard.plain)
        if (
            longer is not None
            and longer["more"].casefold() not in wish.known
            and not wish.world.is_thing(longer["more"].casefold())
        ):
            yield longer.group()
    absent = [name.casefold() for name in own if name.casefold() not in heard.text]
    if not absent:
        return
    for name in _NAME.findall(heard.plain):
        said = name.casefold()
        if singular(said) in wish.known or said in wish.known:
            continue
        if any(_is_close(said, each) for each in absent):
            yield name


def _is_close(said: str, name: str) -> bool:
    is_part = min(len(said), len(name)) > 4 and (name.startswith(said) or said.startswith(name))
    return is_part or (said[0] == name[0] and SequenceMatcher(None, said, name).ratio() >= _LIKE)
