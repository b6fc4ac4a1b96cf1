"""Values of a goal's parameters in what a person says: amounts, days, times, choices, texts. Not for rows."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from datetime import datetime
from inspect import Parameter
from itertools import product
from typing import get_args

from sqlalchemy.orm import DeclarativeBase

from toolgym.sandbox.agents.examples import example_of, in_order
from toolgym.sandbox.agents.goal_words import preposition
from toolgym.sandbox.kit.errors import ConfigurationError
from toolgym.sandbox.kit.goal import Goal, Slot
from toolgym.sandbox.kit.message import Json
from toolgym.sandbox.kit.reference import bare
from toolgym.sandbox.kit.table import noun
from toolgym.sandbox.kit.tool import Tool
from toolgym.sandbox.language.days import Days
from toolgym.sandbox.language.mentions import Mention, find_mentions
from toolgym.sandbox.synthesis.arguments import bounds, hints, parameters

_QUOTED = re.compile(r"[\"“]([^\"”]+)[\"”]")
_PROPER = re.compile(r"(?<![.?!] )(?<!^)[A-Z][\w'-]*(?: (?:& |and |of )?[A-Z][\w'-]*)*")

_SMALL = 50
"""How many numbers are tried where a number is said together with a choice."""


def wanted(goal: Goal, owner: type[DeclarativeBase] | None = None) -> list[str]:
    """The parameters that a person brings to a goal, those first that it cannot do without.

    Args:
        goal: whose.
        owner: the table of whom the world serves; that person is meant where no slot is declared for one.
    """
    settled = {*goal.fixed, *goal.worked_out}
    names = [name for name in goal.tool.inputs if name not in settled and goal.tool.kinds[name] != "free"]
    own = {name for name in names if owner is not None and goal.tool.references.get(name) is owner}
    names = [name for name in names if name not in own or _is_declared(goal, name)]
    names += [slot.name for slot in besides(goal) if slot.of is not None]
    return sorted((name for name in names if _is_brought(goal, name)), key=lambda name: not is_required(goal, name))


def besides(goal: Goal) -> list[Slot]:
    """The slots that are no parameters: arguments are worked out from them, or rules look at them."""
    return [slot for slot in (*goal.slots, *goal.about) if slot.name not in goal.tool.inputs and not slot.fills]


def is_list(goal: Goal, name: str) -> bool:
    """Whether a parameter takes several rows."""
    if name not in goal.tool.inputs:
        return False
    schema = goal.tool.parameters["properties"][goal.tool.inputs[name]]
    return any(part.get("type") == "array" for part in (schema, *schema.get("anyOf", ())))


def _is_declared(goal: Goal, name: str) -> bool:
    return any(slot.name == name or name in slot.fills for slot in goal.slots)


def is_required(goal: Goal, name: str) -> bool:
    """Whether a goal cannot be carried out without a parameter."""
    needed = name not in goal.tool.inputs or parameters(goal.tool)[name].default is Parameter.empty
    return needed or (_is_declared(goal, name) and goal.slot(name).given == 1.0)


def _is_brought(goal: Goal, name: str) -> bool:
    if name not in goal.tool.inputs:
        return True
    return _is_declared(goal, name) or parameters(goal.tool)[name].default is Parameter.empty


def read(goal: Goal, text: str, now: datetime, only: str | None = None) -> dict[str, Json]:
    """What a text says of a goal's parameters but for references, as JSON.

    Args:
        goal: whose parameters.
        text: what was said.
        now: when.
        only: the parameter that was asked for, so that a value without more belongs to it.
    """
    found: dict[str, Json] = {}
    mentions = [mention for mention in find_mentions(text, None, now) if not mention.negated]
    names = [name for name in wanted(goal) if name not in goal.tables and not is_list(goal, name)]
    for slot in {goal.slot(name).name: goal.slot(name) for name in names if goal.slot(name).fills}.values():
        found |= _filled(goal, slot, text, mentions)
    plain = [name for name in names if not goal.slot(name).fills]
    for name in plain if only is None else [name for name in names if name == only]:
        if name not in found:
            value = _value(goal, name, text, mentions, names)
            if value is not None:
                found[name] = value
    return found


def _filled(goal: Goal, slot: Slot, text: str, mentions: list[Mention]) -> dict[str, Json]:
    """Several parameters that are one thing to a person: a span of days, a name with its number."""
    kinds = {goal.tool.kinds[name] for name in slot.fills}
    if kinds == {"date"} and len(slot.fills) == 2:
        span = next((mention.value for mention in mentions if isinstance(mention.value, Days)), None)
        return (
            {} if span is None else dict(zip(slot.fills, (span.first.isoformat(), span.last.isoformat()), strict=True))
        )
    if kinds <= {"choice", "number"}:
        return _spelled_out(goal, slot, text)
    if all(example_of(goal.tool, name) for name in slot.fills):
        return dict(in_order(goal, tuple(slot.fills), text))
    found = {name: value for name in slot.fills if (value := _text(goal, name, text)) is not None}
    return found if len(found) == len(slot.fills) else {}


def _spelled_out(goal: Goal, slot: Slot, text: str) -> dict[str, Json]:
    """The choices and small numbers whose words a text holds, such as a rhythm: "every two weeks"."""
    found: dict[str, dict[str, Json]] = {}
    for values in product(*(_few(goal.tool, name) for name in slot.fills)):
        given: dict[str, Json] = dict(zip(slot.fills, values, strict=True))
        try:
            words = slot.say(given) if slot.say is not None else ""
        except ConfigurationError:  # the world has no words for these together
            continue
        if words and re.search(rf"(?<!\w){re.escape(words)}(?!\w)", text, re.IGNORECASE):
            found[words] = given
    return found[max(found, key=len)] if found else {}


def _few(tool: Tool, name: str) -> Iterable[Json]:
    if tool.kinds[name] == "choice":
        return get_args(bare(hints(tool)[name])[0])
    low, high = bounds(tool, name)
    return range(low, min(high, low + _SMALL) + 1)


def _value(goal: Goal, name: str, text: str, mentions: list[Mention], names: list[str]) -> Json:
    kind = goal.tool.kinds[name]
    if kind == "choice":
        return _choice(goal, name, text)
    if kind == "flag":
        return None
    if kind == "text":
        said = _text(goal, name, text)
        return _day(goal, name, mentions) if said is None else said
    alike = [mention for mention in mentions if _fits(kind, mention)]
    if kind == "moment":
        return _moment(mentions)
    if not alike:
        return None
    chosen = _sided(goal, name, alike, [other for other in names if goal.tool.kinds[other] == kind])
    value = chosen.value
    return (
        value.first.isoformat()
        if isinstance(value, Days)
        else value.isoformat()
        if hasattr(value, "isoformat")
        else value
    )


def _fits(kind: str, mention: Mention) -> bool:
    return mention.kind == kind or (kind == "number" and mention.kind == "count")


def _sided(goal: Goal, name: str, alike: list[Mention], names: list[str]) -> Mention:
    """Of several mentions of one kind the one with the parameter's own preposition, or in the parameters' order."""
    side = preposition(goal, name)
    if len(names) > 1:
        return next(
            (mention for mention in alike if mention.role == side), alike[min(names.index(name), len(alike) - 1)]
        )
    return next((mention for mention in alike if side and mention.role == side), alike[-1])


def _moment(mentions: list[Mention]) -> Json:
    """The last day with a time after it."""
    day = next((mention.value for mention in reversed(mentions) if isinstance(mention.value, Days)), None)
    clock = next((mention.value for mention in reversed(mentions) if mention.kind == "time"), None)
    return None if day is None or clock is None else datetime.combine(day.first, clock).isoformat(timespec="minutes")


def _choice(goal: Goal, name: str, text: str) -> Json:
    said, words = text.casefold(), goal.slot(name).words or {}
    options = get_args(bare(hints(goal.tool)[name])[0])
    for option in (*options, *(said for said in words if said not in options)):
        ways = [*words.get(str(option), "").split("|"), str(option).replace("_", " ")]
        if any(way and re.search(rf"\b{re.escape(way.casefold())}(?:ly|s)?\b", said) for way in ways):
            return option
    return None


def _pattern(goal: Goal, name: str) -> str | None:
    schema = goal.tool.parameters["properties"][goal.tool.inputs[name]]
    return next((part["pattern"] for part in (schema, *schema.get("anyOf", ())) if "pattern" in part), None)


def _day(goal: Goal, name: str, mentions: list[Mention]) -> Json:
    """The last day that was said, where a text has to be one in ISO form."""
    pattern, days = _pattern(goal, name), [each.value for each in mentions if isinstance(each.value, Days)]
    written = days[-1].first.isoformat() if days else ""
    return written if pattern and written and re.fullmatch(pattern, written) else None


def _text(goal: Goal, name: str, text: str) -> Json:
    pattern = _pattern(goal, name)
    if pattern is not None:
        found = re.search(rf"(?<!\w){pattern.strip('^$')}(?!\w)", text)
        return found.group() if found else None
    usual = goal.slot(name).draw
    if isinstance(usual, Sequence) and all(isinstance(each, str) for each in usual):
        return max((each for each in usual if each.casefold() in text.casefold()), key=len, default=None)
    quoted = _QUOTED.search(text)
    if quoted:
        return quoted.group(1)
    proper = [match.group() for match in _PROPER.finditer(text)]
    return next((each for each in proper if each not in ("I", "PIN", "IBAN")), None)


def sides(goal: Goal, name: str) -> set[str]:
    """The words that stand before a reference in a goal's sentences."""
    before = re.compile(rf"(\w+)(?: (?:the|my|a))?(?: {noun(goal.tables[name])})? \{{{name}[}}:]")
    return {match.group(1).lower() for says in goal.says for match in before.finditer(says)}


def word_before(text: str, position: int) -> Iterator[str]:
    """The words before a position, nearest first."""
    yield from reversed(re.findall(r"[a-z]+", text[:position].lower())[-4:])
