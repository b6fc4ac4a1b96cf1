"""What the words of a wish, its rows and its world say, as a comparison with a message asks for it."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence, Set
from functools import lru_cache

from toolgym.sandbox.language.inflection import forms
from toolgym.sandbox.language.mentions import Mention, find_mentions
from toolgym.sandbox.runtime.registry import get_domain
from toolgym.sandbox.users.records import leaves
from toolgym.sandbox.users.wish import Wish
from toolgym.sandbox.users.world_terms import terms_of

_SHORT = 3
"""Letters of an option up to which a word may be anything."""


@lru_cache(maxsize=512)
def _said(wish: Wish) -> frozenset[tuple[str, str]]:
    words = " ".join((wish.goal.utterance, *(slot.words for slot in wish.slots)))
    return frozenset((each.kind, str(each.value)) for each in find_mentions(words, wish.person.lexicon, wish.now))


def is_of_the_wish(wish: Wish, mention: Mention) -> bool:
    """Whether the user says such a thing of its wish, or the thing that it speaks of goes by it."""
    keys = (leaf for slot in wish.slots if slot.kind == "record" for leaf in leaves(slot.fact.value))
    return str(mention.value) in keys or (mention.kind, str(mention.value)) in _said(wish)


@lru_cache(maxsize=512)
def named_in(wish: Wish) -> Mapping[str, Sequence[Mention]]:
    """By slots that refer to rows or hold several things, what the user's words for them name."""
    several = [slot for slot in wish.slots if slot.table or slot.kind in ("record", "text")]
    return {slot.fact.name: find_mentions(slot.words, wish.person.lexicon, wish.now) for slot in several}


@lru_cache(maxsize=512)
def last_words(wish: Wish) -> frozenset[str]:
    """The last words of the rows' names: the "mixer" of "Thornby mixer"."""
    return frozenset(text.rsplit(" ", 1)[-1] for _, text in wish.person.holders if " " in text)


def is_strange_name(wish: Wish, name: str) -> bool:
    """Whether a name is of somebody whom neither the wish nor its rows know."""
    own = {word for text in (wish.known, wish.met, " ".join(wish.own_keys).casefold()) for word in text.split()}
    return not any(word.casefold() in own for word in name.split())


@lru_cache(maxsize=512)
def declared_elsewhere(wish: Wish) -> frozenset[str]:
    """Forms of the verbs that the world's other goals declare."""
    goals = get_domain(wish.domain).goals
    others = [goal for goal in goals if goal.name != wish.kind and goal.tool.kind == "write"]
    verbs = {verb for goal in others for verb in (*goal.verbs, goal.tool.name.split("_")[0])}
    return frozenset(form for verb in verbs - wish.world.verbs(wish.kind) for form in forms(verb))


@lru_cache(maxsize=512)
def _options(wish: Wish) -> tuple[Sequence[Mapping[str, str]], frozenset[str]]:
    """The options of the things that are to come, and the values of those that they replace."""
    terms = terms_of(wish.domain, wish.task.data)
    new = [leaf for slot in wish.slots if slot.fact.name.startswith("new") for leaf in leaves(slot.fact.value)]
    held = {leaf for slot in wish.slots for leaf in leaves(slot.fact.value)} - set(new)
    old = {value.casefold() for each in held for value in terms.options.get(each, {}).values()}
    return [terms.options[each] for each in new if each in terms.options], frozenset(old)


@lru_cache(maxsize=32)
def _kin(domain: str, data: str) -> Mapping[frozenset[str], Mapping[str, Set[str]]]:
    """By the names of the options that things have, all values of each option among such things."""
    found: dict[frozenset[str], dict[str, set[str]]] = {}
    for options in terms_of(domain, data).options.values():
        alike = found.setdefault(frozenset(options), {label: set() for label in options})
        for label, value in options.items():
            alike[label].add(value.casefold())
    return found


def other_option(wish: Wish, text: str) -> str:
    """An option that a text in lower case names and the new things do not have, nor those that they replace."""
    new, old = _options(wish)
    kin = _kin(wish.domain, wish.task.data)
    for label in dict.fromkeys(label for each in new for label in each):
        said = re.search(rf"\b{re.escape(label)}(?:: | )(yes|no|xxl|xl|xs|s|m|l)\b(?! ?(?:→|->|to ))", text)
        if said is not None and not any(each.get(label, "").casefold() == said[1] for each in new):
            return said.group()
        wanted = {each[label].casefold() for each in new if label in each}
        if not any(value in text for value in wanted):
            values = {value for each in new if label in each for value in kin[frozenset(each)][label]}
            for value in sorted(values - old - wanted):
                if len(value) > _SHORT and re.search(rf"(?<![\w-]){re.escape(value)}(?![\w-])", text):
                    return value
    return ""
