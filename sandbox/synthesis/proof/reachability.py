"""How a task's gold calls hang together: which results each call's arguments come from.

A call depends on an earlier call when one of its argument values occurs in that call's result and nowhere in what the
user says or knows. From this come a task's depth and structure (TIER section 3), and the proof that an agent that only
knows the conversation can reach every call.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from toolgym.sandbox.kit.message import Json, ToolCall
from toolgym.sandbox.kit.task import Fact, Task
from toolgym.sandbox.runtime.call_log import CallRecord
from toolgym.sandbox.runtime.registry import get_domain
from toolgym.sandbox.synthesis.proof.replay import Gold, gold_calls, gold_of

FREE = frozenset({"summary", "expression", "thought"})
"""Arguments that an agent words itself."""
ROUNDED = 50
"""Hundredths by which a percentage is rounded to a whole number."""
_MOMENT = re.compile(r"(\d{4}-\d\d-\d\d)t(\d\d:\d\d)")
_NUMBER = re.compile(r"(?<![\w.-])\d{1,9}(?![\w.-])")
_PARTS = {"half": 2, "a third": 3, "a quarter": 4}
_BESIDE = re.compile(r"\w")
"""What may not stand beside a value."""


@dataclass(frozen=True, slots=True)
class Step:
    """One gold call in its place.

    Attributes:
        call: the call.
        needs: positions of the earlier calls whose results it uses.
        missing: argument values that neither the user nor an earlier result provides.
    """

    call: ToolCall
    needs: frozenset[int]
    missing: tuple[str, ...]


_latest: dict[str, tuple[Gold, str, tuple[Step, ...]]] = {}
"""The steps that were asked for last, with what was played and told: a drawn task is shaped and then proven."""


def trace(task: Task) -> tuple[Step, ...]:
    """The gold calls with what each depends on.

    What the user can say is what every sort of user is told: situation, ticket, wishes, and facts about themselves. A
    wish's facts are what a proposal is held against. Imported tasks have them from the gold calls themselves, so they
    would say ids that nobody in the conversation knows. Where a task notes what its calls depend on
    (`toolgym.sandbox.synthesis.teaching`), that stands.
    """
    noted = task.metadata.get("needs")
    if isinstance(noted, list) and len(noted) == len(task.gold):  # of recorded calls, seen as they were made
        return tuple(Step(call, frozenset(needs), ()) for call, needs in zip(gold_calls(task), noted, strict=True))
    gold, told = gold_of(task), told_text(task)
    known = _latest.get("steps")
    if known is None or known[0] is not gold or known[1] != told:
        known = _latest["steps"] = (gold, told, tuple(_steps(task, gold.log, told)))
    return known[2]


def _steps(task: Task, log: Sequence[CallRecord], told: str) -> Iterator[Step]:
    results: list[str] = []
    for call, record in zip(gold_calls(task), log, strict=True):
        needs: set[int] = set()
        missing = []
        for name, part in told_by_nobody(task.domain, call, told):
            source = next((index for index, text in enumerate(results) if _holds(text, part)), None)
            sources = None if source is None else {source}
            if source is None and task.is_own and _is_worked_out(task, call, name):
                sources = _reckoned(part, told, results)
            if sources is None:
                missing.append(part)
            else:
                needs |= sources
        results.append(_text([record.value]))
        yield Step(call, frozenset(needs), tuple(missing))


def _is_worked_out(task: Task, call: ToolCall, name: str) -> bool:
    """Whether some goal says that an argument is worked out by the agent, or it is one of a wish's further calls, which
    no slot of the wish's own fills.
    """
    domain = task.domain
    if any(call in goal.calls[1:] for goal in task.every_goal()):
        return True
    goals = [goal for goal in get_domain(domain).goals if goal.tool.name == call.name]
    return any(goal.tool.inputs.get(own) == name for goal in goals for own in goal.worked_out)


def _reckoned(part: str, told: str, results: Sequence[str]) -> set[int] | None:
    """The results from which a number or a path can be worked out."""
    if not part.isdigit():
        return _joined(part, told, results)
    said = {int(number) for number in _NUMBER.findall(told)} | {_PARTS[word] for word in _PARTS if _holds(told, word)}
    for index, text in enumerate(results):
        shown = {int(number) for number in _NUMBER.findall(text)}
        if any(_makes(number, by, int(part)) for number in shown for by in said):
            return {index}
    return None


def _joined(part: str, told: str, results: Sequence[str]) -> set[int] | None:
    """The results that show what the user does not say of a path that is yet to be: its folder, or its last name."""
    folder, sign, name = part.rpartition("/")
    needs: set[int] = set()
    for piece in (folder, name) if sign else ():
        if not piece or _holds(told, piece):
            continue
        source = next((index for index, text in enumerate(results) if _holds(text, piece)), None)
        if source is None:
            return None
        needs.add(source)
    return needs if sign else None


def _makes(number: int, by: int, part: int) -> bool:
    """Whether a number with another one added or taken away, divided by it, or changed by so many percent, is this."""
    percents = (abs(100 * part - number * (100 + change)) <= ROUNDED for change in (by, -by))
    return abs(part - number) == by or (by > 1 and part * by == number) or (by < 100 and any(percents))


def told_text(task: Task) -> str:
    """All that the user can say, as one text."""
    themselves = [fact.value for fact in task.facts]
    # what a wish's facts hold in a known sort is told in words ("80 dollars")
    themselves += [fact.value for fact in every_fact(task) if fact.kind is not None and not fact.described]
    themselves += [value for fact in every_fact(task) for value in _unsigned(fact.known_by)]
    return _text([task.scenario, task.ticket or "", *(goal.utterance for goal in task.every_goal()), *themselves])


def told_by_nobody(domain: str, call: ToolCall, told: str) -> Iterator[tuple[str, str]]:
    """The values in a call's arguments, by argument, that neither the user says nor the tool's schema lists."""
    for name, value in (call.arguments if isinstance(call.arguments, dict) else {}).items():
        if name in FREE or _composed(domain, call, name):
            continue
        for part in _leaves(value):
            if part and not _holds(told, part) and part not in _choices(domain, call, name):
                yield name, part


def shaped(task: Task) -> Task:
    """The task with the depth and structure of its gold calls."""
    steps = trace(task)
    return task.model_copy(update={"depth": depth(steps), "structure": structure(steps)})


def depth(steps: Sequence[Step]) -> int:
    """The length of the longest chain of calls in which each needs the one before."""
    depths: list[int] = []
    for step in steps:
        depths.append(1 + max((depths[index] for index in step.needs), default=0))
    return max(depths, default=0)


def structure(steps: Sequence[Step]) -> str:
    """The shape of the calls: none, single, chain, parallel, funnel (many into one) or mixed."""
    if len(steps) < 2:
        return "single" if steps else "none"
    used = [index for step in steps for index in step.needs]
    if not used:
        return "parallel"
    if depth(steps) == len(steps):
        return "chain"
    return "funnel" if len(steps[-1].needs) > 1 and all(len(step.needs) <= 1 for step in steps[:-1]) else "mixed"


def _text(values: Iterable[Json]) -> str:
    """Values as one text in lower case."""
    texts = (value if isinstance(value, str) else json.dumps(value, ensure_ascii=False) for value in values)
    return _MOMENT.sub(r"\1t\2 \1", "\n".join(texts).lower())  # who knows a moment knows its day


def _leaves(value: Json) -> Iterator[str]:
    if isinstance(value, dict):
        for item in value.values():
            yield from _leaves(item)
    elif isinstance(value, list):
        for item in value:
            yield from _leaves(item)
    elif value is not None and not isinstance(value, bool):
        yield str(value)


def _unsigned(values: Mapping[str, Json]) -> list[Json]:
    """What a description says; people leave the sign of money out."""
    return [abs(value) if isinstance(value, int) else value for value in values.values()]


def every_fact(task: Task) -> Iterator[Fact]:
    """The facts of all wishes."""
    return (fact for goal in task.every_goal() for fact in goal.facts)


def _composed(domain: str, call: ToolCall, name: str) -> bool:
    """Whether an argument is text that the agent words itself, as its tool declares."""
    tool = get_domain(domain).tools.get(call.name)
    return tool is not None and any(shown == name and tool.kinds[own] == "free" for own, shown in tool.inputs.items())


def _choices(domain: str, call: ToolCall, name: str) -> frozenset[str]:
    """The values of an argument that its schema lists."""
    tools = get_domain(domain).tools_of(call.by)
    schema = tools[call.name].parameters["properties"].get(name, {}) if call.name in tools else {}
    return frozenset(str(value) for value in schema.get("enum", [schema["const"]] if "const" in schema else []))


def _holds(text: str, part: str) -> bool:
    """Whether a value stands in a text in lower case as words of its own; a pattern for each value would cost more."""
    wanted = part.lower()
    start = text.find(wanted)
    while start >= 0:
        end = start + len(wanted)
        if not _BESIDE.match(text[start - 1 : start]) and not _BESIDE.match(text[end : end + 1]):
            return True
        start = text.find(wanted, start + 1)
    return False
