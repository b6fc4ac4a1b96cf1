"""A wish in the user's own words: as an order of which only some facts are told, and in its goal's other sentences."""

from __future__ import annotations

from toolgym.sandbox.kit.sentence import filled, places, without_untold
from toolgym.sandbox.users.wish import Wish


def confirmation(wish: Wish, named: dict[str, str]) -> str:
    """The wish as an order in which only these slots are named, by their words; empty where none fits."""
    if wish.declared is None:
        return ""
    for says in wish.declared.says:
        plain = without_untold(says, named)
        text = plain.removeprefix("Please ").removesuffix(".").removesuffix("?").removesuffix(", please")
        first = text.split(" ", 1)[0].lower()
        if first in wish.declared.verbs and {name for name, _ in places(says)} == set(named):
            return filled(text[0].lower() + text[1:], named)
    return ""
