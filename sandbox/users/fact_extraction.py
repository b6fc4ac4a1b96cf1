"""Facts for the scripted user read out of an imported task's free text and gold calls.

For tasks that say what the user knows in one text (the fact `known_info`). Everything found is in the task already;
nothing is invented. docs/users.md says what such a user cannot do.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from toolgym.sandbox.kit.message import Json, ToolCall
from toolgym.sandbox.kit.task import Fact, Goal, Task
from toolgym.sandbox.runtime.registry import get_domain

_PATTERNS = {
    "email": re.compile(r"[\w.+-]+@[\w-]+(?:\.[\w-]+)+"),
    "zip": re.compile(r"(?<![\w#])\d{5}(?!\w)"),
    "user_id": re.compile(r"\b[a-z]+_[a-z]+_\d{4}\b"),
}
_DIRECTION = re.compile(
    r"\b(?:if (?:and only if )?(?:the )?agent (?:asks|says|tells|provides|offers|refuses|insists|gives)|make sure|"
    r"when (?:the )?agent|(?:do not|don't) (?:reveal|mention|want to reveal)|"
    r"in your (?:very )?first message|prefer not to (?:reveal|mention))",
    re.IGNORECASE,
)
_PERSONS = (
    (r"\byou are\b", "I am"),
    (r"\byou're\b", "I'm"),
    (r"\byourself\b", "myself"),
    (r"\byours\b", "mine"),
    (r"\byour\b", "my"),
    (r"\b(ask|asks|for|give|gives|help|helps|let|lets|tell|tells|to|with|from) you\b", r"\1 me"),
    (r"\byou\b", "I"),
    (r"\bthe agent\b", "you"),
)
_NAME = re.compile(r"\b(?:are|name is) ([A-Z][\w'-]+) ([A-Z][\w'-]+)")
_ADDRESS = ("address1", "address2", "city", "state", "country", "zip")
_IDENTITY = ("first_name", "last_name", "zip", "email")


def understood(task: Task) -> Task:
    """The task with facts and one goal per write that the scripted user can work with; most tasks have them already."""
    known = next((str(fact.value) for fact in task.facts if fact.name == "known_info"), None)
    if known is None:
        return task
    own = tuple(fact for fact in task.facts if fact.name not in {"known_info", "unknown_info"})
    imported = get_domain(task.domain).vocabulary.imported
    goals = tuple(part for goal in task.goals for part in _split(goal, imported))
    return task.model_copy(update={"facts": own + _identity(known, task, {fact.name for fact in own}), "goals": goals})


def is_prose(task: Task) -> bool:
    """Whether prose says what the user wants and withholds, and the goals only sum it up: another benchmark's tasks."""
    return not task.is_own or any(fact.name == "known_info" for fact in task.facts)


def first_person(text: str) -> str:
    """A user's situation told to the user ("You want ...") in the user's own words, directions left out."""
    sentences = [part for part in re.split(r"(?<=[.!?])\s+", text) if part and not _DIRECTION.search(part)]
    said = " ".join(sentences) or text
    for pattern, person in _PERSONS:
        said = re.sub(pattern, person, said, flags=re.IGNORECASE)
    return re.sub(r"(^|[.!?]\s+)([a-z])", lambda match: match.group(1) + match.group(2).upper(), said)


def _identity(known: str, task: Task, have: set[str]) -> tuple[Fact, ...]:
    found: dict[str, Json] = {}
    for call in task.gold:
        if call.name.startswith("find_user") and isinstance(call.arguments, dict):
            found |= {name: call.arguments[name] for name in _IDENTITY if name in call.arguments}
    for name, pattern in _PATTERNS.items():
        match = pattern.search(known)
        if match:
            found[name] = match.group()
    full = _NAME.search(known)
    if full:
        found |= {"first_name": full.group(1), "last_name": full.group(2)}
    return tuple(Fact(name=key, value=value, on_request=True) for key, value in found.items() if key not in have)


def _split(goal: Goal, imported: Mapping[str, str]) -> Iterator[Goal]:
    """One goal for each call, so that the user waits for all of them; the wish itself is said first."""
    calls = goal.calls or (None,)
    for index, call in enumerate(calls):
        last = index == len(calls) - 1
        changes: dict[str, Json] = {
            "must_communicate": goal.must_communicate if last else (),
            "utterance": first_person(goal.utterance),
        }
        if call is not None:
            kept = tuple(fact for fact in goal.facts if fact.name not in call.arguments)
            changes |= {"kind": call.name, "calls": (call,), "facts": (*kept, *_facts(call, imported))}
            if index or not goal.utterance:
                changes["utterance"] = _reminder(call, imported)
        yield goal.model_copy(update=changes)


def _reminder(call: ToolCall, imported: Mapping[str, str]) -> str:
    words = call.name.replace("_", " ")
    about = next((name for name in imported if name.endswith("_id") and name != "user_id"), "")
    value = call.arguments.get(about) if isinstance(call.arguments, dict) else None
    named = f", {about.removesuffix('_id').replace('_', ' ')} {value}" if value else ""
    return f"There is more of what I asked for: {words}{named}."


def _facts(call: ToolCall, imported: Mapping[str, str]) -> Iterator[Fact]:
    given = call.arguments if isinstance(call.arguments, dict) else {}
    for name, fact in imported.items():
        if isinstance(given.get(name), list):
            yield Fact(name=fact, value=[{"item_id": item} for item in given[name]], on_request=True)
        elif name in given:
            yield Fact(name=fact, value=given[name], on_request=True)
    if "address1" in given:
        yield Fact(name="address", value={name: given.get(name, "") for name in _ADDRESS}, on_request=True)
