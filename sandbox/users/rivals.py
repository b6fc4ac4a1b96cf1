"""Which other actions of a world could be meant by what a proposal names: those that take just such things and values.

What names everything that a wish needs, and nothing that another action of the world could take in its stead, is that
wish in whatever words it is put. Known from the declarations alone: tables, kinds of values, names of tools.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from functools import cache
from typing import NamedTuple

from toolgym.sandbox.kit.domain import Domain
from toolgym.sandbox.language.tokens import singular
from toolgym.sandbox.runtime.registry import get_domain
from toolgym.sandbox.users.slots import WishSlot

_WORD = re.compile(r"[a-z]+")
_LIKE = {"moment": "date", "record": "text", "choice": "choice"}
_UNSAID = frozenset(("free", "secret", "flag"))

_TELLING = 2
"""Things and values from which on what else is said tells actions apart; one thing alone may be any action's."""


class Action(NamedTuple):
    """An action as it is declared.

    Attributes:
        name: the goal's, or of a tool that no goal has, the tool's.
        tool: the tool's name.
        takes: how many of each sort it can take: tables of rows, kinds of other values.
        needs: the sorts without which it is not whole.
        fixed: what it decides by itself.
        words: those of its names and its parameters.
    """

    name: str
    tool: str
    takes: Mapping[str, int]
    needs: frozenset[str]
    fixed: Mapping[str, object]
    words: frozenset[str]


@cache
def actions_of(domain: str) -> Sequence[Action]:
    """All that can be changed in an installed world."""
    return tuple(_actions(get_domain(domain)))


def _actions(domain: Domain) -> Sequence[Action]:
    found = []
    for goal in domain.goals:
        if goal.tool.kind == "write":
            names = [slot.name for slot in (*goal.slots, *goal.about)]
            sorts = [_sort(goal.tables[name].__name__ if name in goal.tables else "", "") for name in names]
            kinds = [goal.tool.kinds.get(name) or goal.slot(name).kind or "text" for name in names]
            takes = Counter(sort or _sort("", kind) for sort, kind in zip(sorts, kinds, strict=True))
            needs = frozenset(
                sort or _sort("", kind)
                for name, sort, kind in zip(names, sorts, kinds, strict=True)
                if goal.slot(name).given == 1 and kind not in _UNSAID and "reason" not in name
            )
            words = _words(goal.tool.name, goal.name, *goal.tool.kinds, *map(str, goal.fixed.values()))
            found.append(Action(goal.name, goal.tool.name, takes, needs, goal.fixed, words))
    said = {action.tool for action in found}
    for name, tool in domain.tools.items():
        if tool.kind == "write" and name not in said:
            tables = {each: table.__name__ for each, table in tool.references.items()}
            takes = Counter(_sort(tables.get(each, ""), kind) for each, kind in tool.kinds.items())
            found.append(Action(name, name, takes, frozenset(), {}, _words(name, *tool.kinds)))
    return found


def _words(*names: str) -> frozenset[str]:
    return frozenset(singular(part) for name in names for part in _WORD.findall(name.lower().replace("_", " ")))


def _sort(table: str, kind: str) -> str:
    return table or _LIKE.get(kind, kind)


def rivals(domain: str, own: str, named: Collection[WishSlot], text: str) -> Sequence[Action]:
    """The other actions that could take all that is named, and by no word of the message less than the wanted one.

    Args:
        domain: the world's name.
        own: the wanted goal's name.
        named: slots of the wish.
        text: the message in lower case.
    """
    every = actions_of(domain)
    mine = next((action for action in every if action.name == own), None)
    if mine is None:
        return every
    said = Counter(
        _sort(slot.table, slot.kind) for slot in named if not slot.is_fixed and "reason" not in slot.fact.name
    )
    words = {singular(word) for word in _WORD.findall(text)}
    return [
        action
        for action in every
        if action.name != own
        and (action.tool != mine.tool or action.fixed != mine.fixed)
        and all(action.takes.get(sort, 0) >= count for sort, count in said.items() if sort not in _UNSAID)
        and (said.total() < _TELLING or (action.needs <= said.keys() and not (mine.words - action.words) & words))
    ]
