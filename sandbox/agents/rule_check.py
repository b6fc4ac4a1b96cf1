"""Whether a wish breaks a rule of the world, as far as what tools show can tell an agent."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Any, get_origin

from toolgym.sandbox.agents.dialogue import Script
from toolgym.sandbox.agents.seen import Seen
from toolgym.sandbox.kit.domain import Domain
from toolgym.sandbox.kit.errors import ConfigurationError, Refusal
from toolgym.sandbox.kit.goal import Goal
from toolgym.sandbox.kit.message import Json, ToolCall
from toolgym.sandbox.kit.rule import NOW, OWNER, WHOLE_SINCE, Rule, further_pages, viewed, with_pages
from toolgym.sandbox.kit.tool import Tool
from toolgym.sandbox.kit.view import View

_FREE = "As the customer asked."
_UNSEEN = (AttributeError, KeyError, StopIteration, Refusal, TypeError, ValueError, ConfigurationError)
"""What a predicate meets that asks for something no tool has shown."""


class RuleCheck:
    """Checks wishes in one conversation.

    Args:
        domain: whose rules.
        version: of the data, which says what rules hold.
        tools: the tools that are offered.
        seen: what the conversation has shown.
    """

    def __init__(self, domain: Domain, version: int, tools: Mapping[str, Tool], seen: Seen) -> None:
        self._domain, self._tools, self._seen = domain, tools, seen
        self._rules, self._reads_whole = domain.rules_at(version), version >= WHOLE_SINCE

    def broken(self, goal: Goal, values: Mapping[str, Json]) -> Script[Rule | None]:
        """The first rule that what was seen breaks, those apart that a remedy makes hold."""
        for rule in self._rules:
            if rule.applies(goal.tool) and rule.remedy is None and not (yield from self._holds(rule, goal, values)):
                return rule
        return None

    def look(self, goal: Goal, values: Mapping[str, Json]) -> Script[None]:
        """Make the look-ups of the rules that are about a wish, those for which enough is known."""
        for rule in self._rules:
            if rule.applies(goal.tool):
                yield from self._read(rule, goal, values)
                yield from self._known(rule, goal, values)

    def _read(self, rule: Rule, goal: Goal, values: Mapping[str, Json]) -> Script[None]:
        """Make the reads that show whether a rule holds, as far as what they ask for is known."""
        for tool in rule.reads:
            arguments = beside(tool, goal, values, self._seen)
            if not set(tool.parameters.get("required", ())) - set(arguments):
                yield from self._see(ToolCall(name=tool.name, arguments=arguments))

    def _holds(self, rule: Rule, goal: Goal, values: Mapping[str, Json]) -> Script[bool]:
        """Whether a rule holds, or nothing seen says that it does not."""
        yield from self._read(rule, goal, values)
        if NOW in rule.parameters:
            yield from self.look_at_clock()
        known = yield from self._known(rule, goal, values)
        try:
            return rule.allows(known)
        except _UNSEEN:
            return True

    def _known(self, rule: Rule, goal: Goal, values: Mapping[str, Json]) -> Script[dict[str, Any]]:
        """What a rule's predicate asks for, as far as it was said or seen."""
        known: dict[str, Any] = dict(rule.optional)
        checked = self._checked(goal, values)
        for name, annotation in rule.parameters.items():
            try:
                if name not in rule.looks and name not in (NOW, OWNER) and name not in goal.tool.inputs:
                    known |= {name: self._besides(goal, name, values)} if name in values else {}
                    continue
                if name not in rule.looks:
                    known[name] = self._value(goal, name, annotation, values, checked)
            except _UNSEEN:
                continue
        for name in rule.looks:
            try:
                call = rule.look(name, known)
            except _UNSEEN:
                continue
            made = [] if call is None else [call] if isinstance(call, ToolCall) else list(call)
            results = []
            for each in made:
                results.append((yield from self._whole(rule, each)))
            known[name] = None if call is None else results[0] if isinstance(call, ToolCall) else results
        return known

    def _value(self, goal: Goal, name: str, annotation: Any, values: Mapping[str, Json], checked: Any) -> Any:
        if name == NOW:
            return self.now()
        if name == OWNER:
            table = viewed(annotation)
            rows = self._seen.of(table)
            return View.seen(table, rows[self._seen.person or next(iter(rows))])
        if name not in goal.tool.references:
            return checked[name]
        table, given = goal.tool.references[name], values.get(name)
        if isinstance(given, list):
            return [View.seen(table, self._seen.rows[table, key]) for key in given]
        if given is None and get_origin(annotation) is not None and name in values:
            return None
        return None if given is None else View.seen(table, self._seen.rows[table, str(given)])

    def _besides(self, goal: Goal, name: str, values: Mapping[str, Json]) -> Any:
        """What a slot that is no parameter holds: a row as it was seen, or a value."""
        table = goal.tables.get(name)
        return values[name] if table is None else View.seen(table, self._seen.rows[table, str(values[name])])

    def _checked(self, goal: Goal, values: Mapping[str, Json]) -> Mapping[str, Any]:
        """The arguments as the tool would take them; as they were said where it would not."""
        free: dict[str, Json] = {name: _FREE for name, kind in goal.tool.kinds.items() if kind == "free"}
        given = {**free, **values, **goal.fixed}
        try:
            checked = goal.tool.validate(
                {shown: given[name] for name, shown in goal.tool.inputs.items() if name in given}
            )
        except Refusal:
            return given
        return {name: checked[shown] for name, shown in goal.tool.inputs.items()}

    def _whole(self, rule: Rule, call: ToolCall) -> Script[Json]:
        """What a rule looks at: all pages of it."""
        shown, further = (yield from self._see(call)), []
        for each in further_pages(rule, call, shown) if self._reads_whole else ():
            further.append((yield from self._see(each)))
        return with_pages(shown, further)

    def _see(self, call: ToolCall) -> Script[Json]:
        """A read's result; None where it is refused."""
        if call.name not in self._tools or not isinstance(call.arguments, dict):
            return None
        try:
            return (yield from self._seen.call(self._tools[call.name], call.arguments))
        except Refusal:
            return None

    def look_at_clock(self) -> Script[None]:
        """Look where a world shows the present: beside the row of the person whom it serves."""
        for tool in self._tools.values():
            if self._domain.owner in tool.shows and tool.kind == "read" and not tool.inputs:
                yield from self._seen.call(tool, {})

    def now(self) -> datetime:
        """The present as far as a tool has shown it.

        Raises:
            KeyError: none has.
        """
        for row in self._seen.rows.values():
            for name in ("now", "today"):
                if name in row:
                    return datetime.fromisoformat(str(row[name]))
        raise KeyError("now")


def beside(tool: Tool, goal: Goal, values: Mapping[str, Json], seen: Seen) -> dict[str, Json]:
    """A read's arguments, taken from a wish about the same things, or the person's key."""
    found: dict[str, Json] = {}
    for name, tables in tool.takes.items():
        alike = [other for other, model in goal.tables.items() if model in tables and values.get(other)]
        chosen = name if name in alike else next(iter(alike), None)
        if chosen is not None:
            found[tool.inputs[name]] = values[chosen]
        elif seen.person is not None and seen.served in tables:
            found[tool.inputs[name]] = seen.person
    return found
