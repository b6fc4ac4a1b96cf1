"""Verbs of other actions that carry out the wish's own by what they are done to, or by what they bring about.

"Create spring-pictures.zip" packs files, "raise travel by $29.70" moves a limit: what a
verb is done to, the names that the right calls give and the steps by which amounts change tell which action is meant.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from toolgym.sandbox.language.inflection import forms
from toolgym.sandbox.language.mentions import find_mentions
from toolgym.sandbox.language.tokens import singular
from toolgym.sandbox.users.wish import Wish

_STEPPING = frozenset(
    form
    for verb in ("raise", "lower", "increase", "decrease", "reduce", "cut", "grow", "shrink")
    for form in forms(verb)
)
_MAKING = frozenset(
    form for verb in ("create", "make", "draw", "generate", "prepare", "issue", "open", "build") for form in forms(verb)
)
_MADE_BY = frozenset("create make add pack bundle write schedule place open issue list link".split())
"""Actions after which there is something that was not there before."""
_GIVING = frozenset(form for verb in ("give", "grant", "get", "gain") for form in forms(verb))
_RIGHTS = frozenset("access permission permissions right rights".split())
_WITHDRAWING = frozenset(form for verb in ("withdraw", "pull", "remove", "take") for form in forms(verb))
_FROM_SALE = re.compile(r"\b(?:from|off) (?:the )?(?:sale|market|marketplace)\b")
_MOVING = frozenset(form for verb in ("move", "put", "take", "keep", "place", "shift") for form in forms(verb))
_OUT_OR_ONTO = re.compile(r"\b(?:out of|from|onto|into)\b")
_ARTICLES = frozenset("a an the this your that".split())
_FOR = re.compile(r"\b(?:for|to) [a-z]+\b")


def is_aimed(verb: str, text: str, done_to: Sequence[str], wish: Wish) -> bool:
    """Whether a verb for another action is the wish's own here.

    Args:
        verb: as it is said, in lower case.
        text: of its sentence, in lower case.
        done_to: the words after it.
        wish: what is wanted.
    """
    if verb in _STEPPING:
        return any(wish.steps(each) for each in find_mentions(text, None, wish.now) if each.role == "by")
    if verb in _MAKING:
        acts = {name.split("_")[0] for name in wish.called_tools}
        return not acts.isdisjoint(_MADE_BY) and _is_made(verb, text, done_to, wish)
    if verb in _GIVING:
        return _gives_rights(text, wish)
    if verb in _WITHDRAWING and _FROM_SALE.search(text):
        return any("listing" in name.split("_") for name in wish.called_tools)
    return verb in _MOVING and _goes_there(text, wish)


def _gives_rights(text: str, wish: Wish) -> bool:
    """Whether a sentence gives somebody the rights that the right call does: "the group gets write permission"."""
    given = {part for name in wish.called_tools for part in name.split("_")}
    is_given = not given.isdisjoint(("right", "rights", "access")) and not _RIGHTS.isdisjoint(text.split())
    chosen = [slot.words.casefold().split()[0] for slot in wish.slots if slot.kind == "choice"]
    return is_given and all(each in text for each in chosen)  # "give others read access", not your group


def brings_about(text: str, wish: Wish) -> bool:
    """Whether a sentence in lower case gives the wished rights, or puts a thing where its tool's name says."""
    words = set(text.split())
    if not _GIVING.isdisjoint(words) and _gives_rights(text, wish):
        return True
    return not _MOVING.isdisjoint(words) and _goes_there(text, wish)


def _goes_there(text: str, wish: Wish) -> bool:
    tails = (name.partition("_")[2].replace("_", " ") for name in wish.called_tools)
    is_moved = _OUT_OR_ONTO.search(text) is not None
    return is_moved and any(_FOR.fullmatch(tail) is not None and tail in text.replace("-", " ") for tail in tails)


def _is_made(verb: str, text: str, done_to: Sequence[str], wish: Wish) -> bool:
    """Whether what is made is a thing of the wish's tool, or has the new name that the right call gives."""
    things = {name.rsplit("_", 1)[-1] for name in wish.called_tools}
    made = (singular(word) for word in done_to) if not _ARTICLES.isdisjoint(done_to) else ()
    if not things.isdisjoint(made) or not wish.world.aims(wish.kind, verb).isdisjoint(map(singular, done_to)):
        return True
    names = (slot.words.casefold() for slot in wish.slots if slot.fact.name in ("name", "new_name", "title", "archive"))
    after = text[text.find(verb) + len(verb) :]
    return any(name in after and after.find(name) < len(name) + _NEAR for name in names if not name.startswith("the "))


_NEAR = 60
"""Characters between a verb and the name of what is made, a folder's path among them."""
