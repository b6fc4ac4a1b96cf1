"""How a fact is put into words, for tasks of every sort. Nothing that the task does not hold is ever said."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

from toolgym.sandbox.kit.task import Fact
from toolgym.sandbox.language.nlg_templates import Style, statement
from toolgym.sandbox.synthesis.value_words import fact_in_words
from toolgym.sandbox.users.topics import Topics


def sentences(facts: Sequence[Fact], topics: Topics, style: Style, rng: Random) -> list[str]:
    """Facts as sentences; a first and a last name are one."""
    by_name = {fact.name: fact for fact in facts}
    made = []
    for fact in facts:
        if fact.name == "last_name" and "first_name" in by_name:
            continue
        name, value = fact.name, fact.words or fact_in_words(fact.value)
        if fact.name == "first_name" and "last_name" in by_name:
            name, value = "name", f"{value} {fact_in_words(by_name['last_name'].value)}"
        topic = topics.by_name.get(name)
        forms = topic.says if topic else ()
        if name == "location" and value[:1].isupper():  # "I'm at home", but "I'm in Norway"
            value = f"in {value}"
        made.append(statement(name, value, style, rng, forms))
    return made


def options_of(fact: Fact) -> list[str]:
    """What the options of the things that a fact holds are called."""
    things = fact.value if isinstance(fact.value, list) else []
    held = [thing["options"] for thing in things if isinstance(thing, dict) and isinstance(thing.get("options"), dict)]
    return [str(name) for options in held for name in options]
