"""Text that agents compose in a right run: any wording is right that mentions what its slot says it must."""

from __future__ import annotations

from typing import Any

from toolgym.sandbox.kit.goal import Goal, Slot
from toolgym.sandbox.kit.reference import kind_of
from toolgym.sandbox.kit.table import column_types
from toolgym.sandbox.language.text_match import first_wording
from toolgym.sandbox.synthesis.arguments import Arguments, kind_in
from toolgym.sandbox.synthesis.sampler import Sampler
from toolgym.sandbox.synthesis.search import FREE_TEXT
from toolgym.sandbox.synthesis.value_words import spellings


def composed(sampler: Sampler, goal: Goal, arguments: Arguments) -> Arguments:
    """The arguments with text where the agent composes it; `sampler.texts` remembers what each text must mention."""
    found = dict(arguments)
    for name, value in arguments.items():
        if value != FREE_TEXT:  # of a further write, it stands in a slot of its own
            continue
        told = tuple(_spelled(sampler, goal, path, arguments) for path in goal.slot(name).mentions)
        text = f"{FREE_TEXT.rstrip('.')}: {', '.join(map(first_wording, told))}." if told else FREE_TEXT
        sampler.texts[text] = told
        found[name] = text
    return found


def _spelled(sampler: Sampler, goal: Goal, path: str, arguments: Arguments) -> str:
    """The spellings of an argument, or of a column of the row that it names (`transaction.merchant`)."""
    name, _, column = path.partition(".")
    value: Any = arguments[name]
    if column:
        kind = kind_of(column, column_types(value.model)[column])
        return spellings(kind, getattr(sampler.view(value), column))
    slot: Slot = goal.slot(name)
    plain = spellings(kind_in(goal.tool, name, value), value)
    return f"{slot.words[str(value)]}|{plain}" if slot.words and str(value) in slot.words else plain
