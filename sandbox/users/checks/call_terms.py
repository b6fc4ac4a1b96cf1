"""What the calls that would fulfil a wish say of it: switches, numbers in their roles, what is given, opposite calls.

Only comparing uses this: the user never says what its facts do not hold.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache, lru_cache
from typing import Any, cast

from toolgym.sandbox.kit.message import Json
from toolgym.sandbox.language.inflection import forms
from toolgym.sandbox.runtime.registry import get_domain
from toolgym.sandbox.users.once_a_wish import KEPT
from toolgym.sandbox.users.records import leaves
from toolgym.sandbox.users.slots import WishSlot, root
from toolgym.sandbox.users.wish import Wish

_INSTEAD = re.compile(r"\b(?:instead of|rather than|otherwise)\b")
_AMOUNTS = frozenset(("amount", "price", "sum"))
"""Arguments in whole dollars."""
_WORD = re.compile(r"[a-z]+")
_SAYS_NOTHING = frozenset(
    "quantity number count id ids cents by amount minutes of at total name text reason state kind type date day "
    "address every new through first last until start end from".split()
)


@dataclass(frozen=True)
class CallTerms:
    """What stands in the right calls.

    Attributes:
        switches: what each switch says of itself when it is on, in lower case, and whether it is.
        given: beginnings of the words of arguments' names that hold a text.
        others: the values of choices that are not the right ones, such as "not wanted".
        roles: the numbers that are right for a role, by the beginning of its word: 7 received, 2 missing.
        pieces: how many of each described thing; of the one that an action takes without a description.
        numbers: all whole numbers in arguments, but for amounts.
        cents: the amounts.
        opposed: where the calls do different things: the forms of each one's verbs, and its slots' names.
    """

    switches: tuple[tuple[str, bool], ...]
    given: frozenset[str]
    others: tuple[str, ...]
    roles: tuple[tuple[str, frozenset[int]], ...]
    pieces: tuple[tuple[str, int], ...]
    numbers: frozenset[int]
    cents: frozenset[int]
    opposed: tuple[tuple[frozenset[str], frozenset[str]], ...]


@lru_cache(maxsize=KEPT)
def call_terms(wish: Wish) -> CallTerms:
    """What the right calls of a wish say."""
    switches: list[tuple[str, bool]] = []
    roles: dict[str, set[int]] = {}
    given: set[str] = set()
    others: list[str] = []
    cents: set[int] = set()
    pieces: list[tuple[str, int]] = []
    numbers: set[int] = set()
    for call in wish.goal.calls:
        values = call.arguments if isinstance(call.arguments, dict) else {}
        switches += [(words, bool(values.get(name))) for name, words in _switches(wish.domain, call.name)]
        for name, choices in choices_of(wish.domain, call.name).items():
            others += [each.replace("_", " ") for each in choices if name in values and each != values[name]]
        quantity = (defaults_of(wish.domain, call.name) | values).get("quantity")
        pieces += [("", quantity)] if isinstance(quantity, int) else []
        for name, value in values.items():
            pieces += _pieces(value)
            if isinstance(value, int) and not isinstance(value, bool):
                if name in _AMOUNTS:
                    cents.add(value * 100)
                (cents if name.endswith("_cents") else numbers).add(value)
                _add(roles, name, value, wish.world.is_thing)
            elif isinstance(value, str) and value not in ("", "no", "none") and not name.endswith("_id"):
                given |= _parts(name)
    for slot in wish.slots:
        if slot.kind == "number":
            counted = {root(word) for word in _WORD.findall(slot.words.lower())}
            _add(roles, slot.fact.name, int(float(str(slot.fact.value))), counted.__contains__)
    said = tuple((word, frozenset(found)) for word, found in roles.items())
    return CallTerms(
        tuple(switches), frozenset(given), tuple(others), said,
        tuple(pieces), frozenset(numbers), frozenset(cents), tuple(_opposed(wish)),
    )  # fmt: skip


def acting_calls(wish: Wish) -> int:
    """How many calls do more than unlock what is done, with a PIN that stands in no other one."""
    return sum(1 for call in wish.goal.calls if not set(leaves(call.arguments)) <= wish.secrets)


def _add(roles: dict[str, set[int]], name: str, value: int, is_counted: Callable[[str], bool]) -> None:
    """Note a number for the words of its name, but for those that it counts: the bags of "3 checked bags"."""
    for part in _parts(name) if not name.endswith("_cents") else ():
        if not is_counted(part):
            roles.setdefault(part, set()).add(value)


def _parts(name: str) -> frozenset[str]:
    return frozenset(root(part) for part in name.split("_") if len(part) > 3 and part not in _SAYS_NOTHING)


def _pieces(value: Json) -> Iterator[tuple[str, int]]:
    for each in value if isinstance(value, list) else ():
        if isinstance(each, dict) and isinstance(quantity := each.get("quantity"), int):
            yield from ((str(text).casefold(), quantity) for text in each.values() if isinstance(text, str))


def _opposed(wish: Wish) -> Iterator[tuple[frozenset[str], frozenset[str]]]:
    """Verbs and slots of calls of one tool that differ in what they do, as to buy and to sell."""
    calls = [call for call in wish.goal.calls if isinstance(call.arguments, dict)]
    for call in calls:
        values = cast("dict[str, Json]", call.arguments)
        rivals = [each for each in calls if each.name == call.name and each is not call]
        verbs = {
            str(values[name])
            for name in choices_of(wish.domain, call.name)
            if name in values
            and any(cast("dict[str, Json]", each.arguments).get(name) != values[name] for each in rivals)
        }
        if verbs:
            own, others = set(leaves(values)), {leaf for each in rivals for leaf in leaves(each.arguments)}
            slots = [slot.fact.name for slot in wish.slots if slot.table and _belongs(slot, wish, own - others)]
            yield frozenset(form for verb in verbs for form in forms(verb)), frozenset(slots)


def _belongs(slot: WishSlot, wish: Wish, leaves_of_call: set[str]) -> bool:
    rows = [wish.person.rows.get((slot.table, key), {}) for key in slot.keys]
    held = {
        *slot.keys,
        *(str(value) for row in rows for name, value in row.items() if name.endswith(("_id", "symbol"))),
    }
    return not held.isdisjoint(leaves_of_call)


@cache
def _schema(domain: str, tool: str) -> dict[str, Any]:
    found = get_domain(domain).tools.get(tool)
    return cast("dict[str, Any]", found.parameters.get("properties", {})) if found is not None else {}


@cache
def _switches(domain: str, tool: str) -> tuple[tuple[str, str], ...]:
    """The switches of a tool with what they say of themselves when they are on."""
    return tuple(
        (name, _INSTEAD.split(f"{name.replace('_', ' ')}: {str(schema.get('description', '')).lower()}")[0])
        for name, schema in _schema(domain, tool).items()
        if schema.get("type") == "boolean"
    )


@cache
def defaults_of(domain: str, tool: str) -> dict[str, Json]:
    """What a tool takes for each argument that it is not given."""
    return {name: schema["default"] for name, schema in _schema(domain, tool).items() if "default" in schema}


@cache
def choices_of(domain: str, tool: str) -> dict[str, tuple[str, ...]]:
    """The values of each choice of a tool."""
    schemas = {name: (schema, *schema.get("anyOf", ())) for name, schema in _schema(domain, tool).items()}
    found = {
        name: tuple(str(value) for each in parts for value in each.get("enum", ())) for name, parts in schemas.items()
    }
    return {name: values for name, values in found.items() if values}
