"""A rule: a sentence of the policy, the words of its refusal and a predicate on what tools show; said once.

A rule held by the tool refuses the call; one left to the agent is only written in the policy. The same predicate
decides which wishes can be granted, which must be refused, and what an agent that plays by the rules does.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property, partial
from types import ModuleType
from typing import Any, Literal, cast, get_args, get_origin, get_type_hints

from sqlalchemy.orm import DeclarativeBase

from toolgym.sandbox.kit.author_errors import broken
from toolgym.sandbox.kit.database import Database
from toolgym.sandbox.kit.errors import ConfigurationError, Refusal
from toolgym.sandbox.kit.message import Json, ToolCall
from toolgym.sandbox.kit.reference import bare
from toolgym.sandbox.kit.tool import Tool
from toolgym.sandbox.kit.view import View, tables_of

By = Literal["tool", "policy"]
Look = Callable[..., ToolCall | Sequence[ToolCall] | None]
WHOLE_SINCE = 3
"""The version of the data from which on rules look at all pages of a list; before, they looked at the first."""
OWNER, NOW = "owner", "now"
"""Parameters of a predicate that are no arguments of a tool: the session's owner, and the clock."""


@dataclass(frozen=True, eq=False)
class Rule:
    """One rule of a world.

    Attributes:
        name: the predicate's name; the refusal's code where the tool refuses.
        sentence: as the policy says it.
        why: how the refusal is worded, then further ways to say the reason, separated by `|`; the policy's sentence
            without one. Places such as `{line.status}` name what the predicate asks for.
        on: the tools that it is about.
        reads: the read tools that show whether it holds.
        by: who holds it: the tool refuses, or the agent must.
        inside: the code of the refusal where the tool itself holds it, with a code and words that a benchmark fixes.
        remedy: a tool that makes it hold, such as the one that verifies a PIN.
        since: the version of the data from which on it holds; what was published before plays without it.
        holds: the predicate; its parameters are named after the tools' (a reference as a `View`), `owner` and `now`.
            One with a default may be lacking in some of the tools.
        looks: what the predicate asks for that is no argument but the result of a read: by its parameter, the call or
            calls, made from the predicate's other parameters and earlier results; None where there is nothing to see.
    """

    name: str
    sentence: str
    why: str
    on: tuple[Tool, ...]
    reads: tuple[Tool, ...]
    by: By
    remedy: Tool | None
    holds: Callable[..., bool]
    looks: Mapping[str, Look] = field(default_factory=dict)
    inside: str = ""
    since: int = 1

    @cached_property
    def parameters(self) -> dict[str, Any]:
        """What the predicate asks for, by name, with types."""
        hints = get_type_hints(self.holds)
        return {name: hints[name] for name in inspect.signature(self.holds).parameters}

    @cached_property
    def optional(self) -> dict[str, Any]:
        """The predicate's parameters that a tool may lack, with their defaults."""
        given = inspect.signature(self.holds).parameters
        return {name: entry.default for name, entry in given.items() if entry.default is not entry.empty}

    def look(self, name: str, known: Mapping[str, Any]) -> ToolCall | Sequence[ToolCall] | None:
        """The read, or the reads, whose result the predicate asks for by this name, from what else is known."""
        return self.looks[name](**{other: known[other] for other in self._looked[name]})

    @cached_property
    def _looked(self) -> dict[str, tuple[str, ...]]:
        """What each look is made from."""
        return {name: tuple(inspect.signature(look).parameters) for name, look in self.looks.items()}

    @cached_property
    def views(self) -> dict[str, int]:
        """The parameters that are views, by how many lists they are in."""
        depths = {name: _lists_of_views(annotation) for name, annotation in self.parameters.items()}
        return {name: depth for name, depth in depths.items() if depth is not None}

    def widened(self, on: Sequence[Tool], *, since: int) -> Rule:
        """The same rule about further tools, which it was found to hold for after data had been published.

        Raises:
            ConfigurationError: the predicate asks for something that one of the tools has no such parameter for.

        Examples:
            >>> from toolgym.domains.budget.rules import no_future, no_future_corrected
            >>> no_future_corrected.name == no_future.name, no_future_corrected.on[0].name, no_future_corrected.since
            (True, 'edit_expense', 3)
        """
        return _fitting(replace(self, on=tuple(on), since=since))

    def applies(self, tool: Tool) -> bool:
        """Whether the rule is about calls of this tool."""
        return tool in self.on

    def allows(self, known: Mapping[str, Any]) -> bool:
        """Whether the rule holds for what is known, by the names of its parameters; views for references.

        Raises:
            ConfigurationError: the predicate fails; the sentence names its file and line.
        """
        try:
            return self.holds(**{name: known[name] for name in self.parameters})
        except Exception as error:  # the boundary of an author's code
            raise broken(f"The rule {self.name!r}", self.holds.__module__, error) from error

    def reason(self, known: Mapping[str, Any]) -> str:
        """`why`, with its places filled from what is known."""
        return self.why.format(**{name: known[name] for name in self.parameters})

    def require(self, database: Database, arguments: Mapping[str, Any]) -> None:
        """Refuse a call that breaks the rule.

        Raises:
            Refusal: its code is the rule's name.
        """
        if database.version < self.since:
            return
        found = known(database, self, arguments)
        if not self.allows(found):
            raise Refusal(self.name, self.reason(found).split("|", 1)[0])


def known(
    database: Database, rule: Rule, arguments: Mapping[str, Any], see: Callable[[ToolCall], Json] | None = None
) -> dict[str, Any]:
    """What a rule's predicate asks for, from a call's resolved arguments and the database.

    Args:
        database: the rows.
        rule: whose predicate.
        arguments: rows for references.
        see: makes a read call, where somebody remembers what reads show.
    """
    see = see or partial(_seen, database, rule)
    if database.version >= WHOLE_SINCE:
        see = partial(_whole, see, rule)
    found: dict[str, Any] = dict(rule.optional)
    for name, annotation in rule.parameters.items():
        if name == NOW:
            found[name] = database.now
        elif name == OWNER:
            found[name] = View(database.owner(viewed(annotation))).bound(database)
        elif name in arguments:
            found[name] = _shown(database, rule.views.get(name), arguments[name])
    for name in rule.looks:
        call = rule.look(name, found)
        if call is None:
            found[name] = None
        else:
            found[name] = see(call) if isinstance(call, ToolCall) else [see(each) for each in call]
    return found


def further_pages(rule: Rule, call: ToolCall, shown: Json) -> list[ToolCall]:
    """The reads of the pages after the first, where what a rule looks at has several: it is about all rows."""
    pages = shown.get("pages", 1) if isinstance(shown, dict) and "items" in shown else 1
    read = next((tool for tool in rule.reads if tool.name == call.name), None)
    if pages == 1 or read is None or "page" not in read.inputs or not isinstance(call.arguments, dict):
        return []
    return [ToolCall(name=call.name, arguments=call.arguments | {"page": page}) for page in range(2, pages + 1)]


def with_pages(shown: Json, further: Sequence[Json]) -> Json:
    """A first page with the items of those after it."""
    return shown | {"items": [item for page in (shown, *further) for item in page["items"]]} if further else shown


def _whole(see: Callable[[ToolCall], Json], rule: Rule, call: ToolCall) -> Json:
    shown = see(call)
    return with_pages(shown, [see(each) for each in further_pages(rule, call, shown)])


def _lists_of_views(annotation: Any) -> int | None:
    """In how many lists the views of an annotation are; None where it holds none."""
    plain = bare(annotation)[0]
    if get_origin(plain) is list:
        inner = _lists_of_views(get_args(plain)[0])
        return None if inner is None else inner + 1
    return 0 if get_origin(plain) is View else None


def _shown(database: Database, lists: int | None, value: Any) -> Any:
    """An argument as the predicate asks for it: rows as views, also in lists and where they may be left out."""
    if value is None or lists is None:
        return value
    if lists:
        return [_shown(database, lists - 1, each) for each in value]
    return View(value).bound(database)


def _seen(database: Database, rule: Rule, call: ToolCall) -> Json:
    """What a read of the rule's answers."""
    read = next(tool for tool in rule.reads if tool.name == call.name)
    return read.run(database, read.validate(call.arguments))


def viewed(annotation: Any) -> type[DeclarativeBase]:
    """The table of a `View[X]` annotation."""
    if get_origin(annotation) is not View:
        raise ConfigurationError(f"A rule's `owner` is annotated View[X] with the owner's table, not {annotation!r}.")
    return cast("type[DeclarativeBase]", get_args(annotation)[0])


def rules_in(module: ModuleType) -> list[Rule]:
    """The rules that a module declares, in their order.

    Examples:
        >>> from toolgym.domains.budget import rules
        >>> from toolgym.kit import rules_in
        >>> rules_in(rules)[0].sentence
        'Expenses are dated today or before, at most 90 days back.'
    """
    return [value for value in vars(module).values() if isinstance(value, Rule)]


def rule(
    sentence: str,
    *,
    on: Sequence[Tool],
    reads: Sequence[Tool] = (),
    why: str = "",
    by: By = "tool",
    inside: str = "",
    remedy: Tool | None = None,
    looks: Mapping[str, Look] | None = None,
    since: int = 1,
) -> Callable[[Callable[..., bool]], Rule]:
    """Declare a rule by its predicate.

    Args:
        sentence: the policy's words, a whole sentence.
        on: the tools that it is about.
        reads: the read tools that show whether it holds.
        why: how a refusal is worded, then further ways to say the reason, separated by `|`; the sentence without one.
        by: `tool`: the tool refuses a call that breaks it; `policy`: the tool would allow it, the agent must not.
        inside: the code of the refusal where the tool itself holds it (see `Rule`).
        remedy: a tool that makes it hold.
        looks: calls of `reads` whose results the predicate asks for (see `Rule`); all pages are read.
        since: the version of the data from which on it holds.

    Raises:
        ConfigurationError: the predicate asks for something that one of the tools has no such parameter for.

    Examples:
        >>> from toolgym.domains.kiosk.tools import reserve_ticket
        >>> from toolgym.kit import rule
        >>> @rule("A ticket is booked under a first and a last name.", on=[reserve_ticket])
        ... def whole_name(holder: str) -> bool:
        ...     return " " in holder
        >>> whole_name.name, whole_name.allows({"holder": "Ada"})
        ('whole_name', False)
    """

    def made(predicate: Callable[..., bool]) -> Rule:
        name = predicate.__name__
        found = Rule(
            name, sentence, why or sentence, tuple(on), tuple(reads), by, remedy, predicate, looks or {}, inside, since
        )
        return _fitting(found)

    return made


def _fitting(found: Rule) -> Rule:
    """The rule, whose tools all have what it asks for."""
    for name, annotation in found.parameters.items():
        if name not in (OWNER, NOW) and name not in found.looks:
            for entry in found.on:
                if name in entry.inputs or name not in found.optional:
                    _require_parameter(found, entry, name, annotation)
    return found


def _require_parameter(found: Rule, entry: Tool, name: str, annotation: Any) -> None:
    """A tool that a rule is about has what the rule asks for, and of that table."""
    if name not in entry.inputs:
        raise ConfigurationError(
            f"The rule {found.name} asks for {name!r}, which {entry.name} has no parameter for; a predicate's "
            f"parameters are named after its tools', besides `{OWNER}` and `{NOW}`."
        )
    table = entry.references.get(name)
    if tables_of(annotation) != (() if table is None else (table,)):
        meant = f"View[{table.__name__}]" if table else "the parameter's own type"
        raise ConfigurationError(
            f"The rule {found.name} asks for {name!r} of another type than {entry.name} has; annotate it {meant}."
        )
