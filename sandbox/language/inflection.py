"""The forms of English verbs, and what their actions are called."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache, lru_cache
from typing import Literal

Form = Literal["base", "ing", "past", "noun"]

_IRREGULAR: dict[str, tuple[str, ...]] = {
    "pay": ("paid",),
    "send": ("sent",), "put": ("put", "putting"), "set": ("set", "setting"), "give": ("gave", "given"),
    "make": ("made",), "take": ("took", "taken"), "buy": ("bought",), "sell": ("sold",), "hold": ("held",),
    "freeze": ("froze", "frozen"), "unfreeze": ("unfroze", "unfrozen"), "split": ("split",), "get": ("got",),
    "let": ("let", "letting"), "cut": ("cut", "cutting"), "shut": ("shut", "shutting"), "find": ("found",),
    "lend": ("lent",), "spend": ("spent",), "withdraw": ("withdrew", "withdrawn"), "keep": ("kept",),
    "leave": ("left",), "begin": ("began", "begun"), "rent": ("rented",), "write": ("wrote", "written"),
    "rewrite": ("rewrote", "rewritten"), "bring": ("brought",), "hand": ("handed",), "drop": ("dropped", "dropping"),
    "undo": ("undid", "undone"), "redo": ("redid", "redone"), "do": ("did", "done"), "stop": ("stopped", "stopping"),
    "swap": ("swapped", "swapping"), "ship": ("shipped", "shipping"), "cancel": ("canceled", "canceling"),
    "transfer": ("transferred", "transferring"), "refer": ("referred", "referring"), "bid": ("bid", "bidding"),
    "submit": ("submitted", "submitting"), "permit": ("permitted", "permitting"), "lay": ("laid",), "win": ("won",),
    "plan": ("planned", "planning"), "ban": ("banned", "banning"), "tag": ("tagged", "tagging"), "choose": ("chosen",),
}  # fmt: skip
"""Past forms that are not made with -ed alone, and doubled consonants; the regular ones are added."""
_DOUBLING = re.compile(r"[^aeiou]*[aeiou][bdgklmnprt]")
"""Verbs of one short syllable, which double their last letter: \"scrapped\", \"binning\"."""
_NOUN_ENDINGS = ("ation", "ment", "al", "ion", "ition")


@lru_cache(maxsize=2048)
def forms(base: str) -> Mapping[str, Form]:
    """The forms of a verb; of several words ("set up") the first one is inflected and stands for all."""
    found: dict[str, Form] = {base: "base"}
    stem = base.removesuffix("e")
    third = base[:-1] + "ies" if base[-1:] == "y" and base[-2:-1] not in "aeiou" else base + "s"
    found[third if not base.endswith(("s", "x", "z", "ch", "sh")) else base + "es"] = "base"
    past = base[:-1] + "ied" if base[-1:] == "y" and base[-2:-1] not in "aeiou" else stem + "ed"
    found[past] = "past"
    found[stem + "ing"] = "ing"
    if _DOUBLING.fullmatch(base) and base not in _IRREGULAR:
        found |= {f"{base}{base[-1]}ed": "past", f"{base}{base[-1]}ing": "ing"}
    if base == "cancel":
        found |= {"cancelled": "past", "cancelling": "ing"}
    if base.endswith("ize"):
        found |= forms(f"{base[:-3]}ise")  # as it is spelled in Britain
    for form in _IRREGULAR.get(base, ()):
        found[form] = "ing" if form.endswith("ing") else found.get(form, "past")
    return found


@lru_cache(maxsize=2048)
def nouns_of(base: str) -> frozenset[str]:
    """What an action of this verb is called: "cancel" is a "cancellation", "pay" a "payment", "move" a "move"."""
    stem = base.removesuffix("e").removesuffix("y")
    made = {base} | {stem + ending for ending in _NOUN_ENDINGS} | {stem + "l" + ending for ending in _NOUN_ENDINGS}
    return frozenset(made | {base + ending for ending in _NOUN_ENDINGS} | {forms_ing(base)} | {stem + "ification"})


def forms_ing(base: str) -> str:
    """The form in -ing."""
    return next(form for form, kind in forms(base).items() if kind == "ing")


@lru_cache(maxsize=512)
@cache
def past_forms(bases: frozenset[str]) -> frozenset[str]:
    """The past forms and participles of verbs."""
    return frozenset(
        form
        for base in bases
        for form, kind in forms(base).items()
        if kind == "past" or (form == base and form in _IRREGULAR.get(base, ()))
    )
