"""How a fact is put into words, for tasks of every sort. Nothing that the task does not hold is ever said."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from random import Random
from typing import cast

from toolgym.sandbox.kit.message import Json
from toolgym.sandbox.kit.task import Fact
from toolgym.sandbox.users.nlg_templates import Style, statement
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


def fact_in_words(value: Json) -> str:
    """A fact's value in words: items with their options, addresses on one line."""
    if isinstance(value, list):
        words = [fact_in_words(item) for item in value]
        return words[0] if len(words) == 1 else ", ".join(words[:-1]) + f" and {words[-1]}" if words else "nothing"
    if not isinstance(value, Mapping):
        return str(value)
    if "address1" in value:
        fields = ("address1", "address2", "city", "state", "country", "zip")
        return ", ".join(str(value[field]) for field in fields if value.get(field))
    options = ", ".join(
        f"{key}: {choice}" for key, choice in cast("dict[str, Json]", value.get("options") or {}).items()
    )
    name = str(value.get("name") or (f"item {value['item_id']}" if value.get("item_id") else ""))
    if name:
        return f"the {name} ({options})" if options else f"the {name}"
    return ", ".join(f"{key}: {fact_in_words(item)}" for key, item in value.items())


def options_of(fact: Fact) -> list[str]:
    """What the options of the things that a fact holds are called."""
    things = fact.value if isinstance(fact.value, list) else []
    held = [thing["options"] for thing in things if isinstance(thing, dict) and isinstance(thing.get("options"), dict)]
    return [str(name) for options in held for name in options]
