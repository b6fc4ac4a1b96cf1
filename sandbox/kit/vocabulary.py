"""The words of a world whose tasks hold facts without kinds: what agents ask for, what users say, what acts are called.

A world that declares goals needs none: its words follow from its tables, tools and goals.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field


@dataclass(frozen=True)
class Topic:
    """Something that an agent may ask for.

    Attributes:
        name: the fact that answers; also the topic's name.
        asked: a regular expression, in lower case, of the words that ask for it.
        called: what the user calls it who does not know it, such as `the order number`; nothing is said without it.
        says: sentences that tell it, `{}` in the fact's place.
        facts: the facts that answer, where they are others than `name`; the first one known is enough.
        is_preference: who does not know it has no preference, rather than a bad memory.
        loosely: a regular expression of the words that ask for it where a request asks for nothing else.
        is_others: it is about other people than the user.
    """

    name: str
    asked: str = ""
    called: str = ""
    says: Sequence[str] = ()
    facts: Sequence[str] = ()
    is_preference: bool = False
    loosely: str = ""
    is_others: bool = False


@dataclass(frozen=True)
class Vocabulary:
    """A world's words.

    Attributes:
        topics: in the order in which they are looked for; the first that matches a place wins.
        verbs: words for what a wish of a kind asks for, by the goal's kind, beside the first word of the kind itself.
        objects: patterns that a proposal must match for wishes of a kind whose name holds a word.
        strangers: patterns that a proposal must not match for wishes of a kind whose name holds a word.
        imported: the facts that arguments of an imported task's gold calls give, by argument, in this order.
        choices: a pattern of names for exclusive choices, such as ways to pay, by the fact that holds one.
        also_called: a pattern, in lower case, of all that people call a thing or a code, by its own word.
    """

    topics: Sequence[Topic] = ()
    verbs: Mapping[str, Sequence[str]] = field(default_factory=dict)
    objects: Mapping[str, str] = field(default_factory=dict)
    strangers: Mapping[str, str] = field(default_factory=dict)
    choices: Mapping[str, str] = field(default_factory=dict)
    imported: Mapping[str, str] = field(default_factory=dict)
    also_called: Mapping[str, str] = field(default_factory=dict)
