"""One task as an exploiter sees it: the gold calls, the oracle's messages, strangers' rows, and its own words."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from random import Random
from typing import cast

from toolgym.judge.redteam.phrases import PHRASES
from toolgym.sandbox.agents.oracle import OracleAgent
from toolgym.sandbox.kit.domain import Domain
from toolgym.sandbox.kit.message import Json, Message, ToolCall
from toolgym.sandbox.kit.table import key_column
from toolgym.sandbox.kit.task import Goal, Task
from toolgym.sandbox.runtime import registry
from toolgym.sandbox.runtime.approval import Consent
from toolgym.sandbox.runtime.registry import get_domain
from toolgym.sandbox.runtime.session import Session
from toolgym.sandbox.runtime.user_tool_driver import UserToolDriver

_READ_ALOUD = 1500
"""Characters of a result that are said."""


@dataclass
class Case:
    """A task for one exploiter.

    Attributes:
        task: what it plays, which it is shown.
        others: further tasks of the same world, whose calls serve as wrong ones.
        wording: which of the five wordings it uses.
        consent: how the user agrees to changes.
    """

    task: Task
    others: Sequence[Task]
    wording: int
    consent: Consent = "words"

    @cached_property
    def domain(self) -> Domain:
        """The task's world."""
        return get_domain(self.task.domain)

    @cached_property
    def rng(self) -> Random:
        """Draws what is arbitrary."""
        return Random(f"{self.task.id}:{self.wording}")

    def say(self, act: str, *about: str) -> Message:
        """A message in this exploiter's wording."""
        return spoken(PHRASES[act][self.wording].format(*about))

    def oracle(self) -> Iterator[Message]:
        """The gold solution, message by message, as the oracle plays it."""
        return OracleAgent.plan(self.task)

    def writes(self, task: Task | None = None) -> list[ToolCall]:
        """The changes among the gold calls of a task, this one's if none is given."""
        gold = (task or self.task).gold
        return [call for call in gold if call.by == "agent" and self._kind(call) == "write" and not self._ends(call)]

    def unsaid(self, call: ToolCall) -> list[str]:
        """The arguments of a call that hold what the user tells only when asked, or a secret."""
        tool, given = self.domain.tools.get(call.name), call.arguments
        if tool is None or not isinstance(given, dict):
            return []
        of_goals = (fact for goal in self.task.every_goal() for fact in goal.facts if not fact.described)
        held = {f.name: f.value for f in (*self.task.facts, *of_goals) if f.on_request or f.kind == "secret"}
        known = {name: tool.parameters["properties"].get(wire, {}).get("default") for name, wire in tool.inputs.items()}
        return [
            wire
            for name, wire in tool.inputs.items()
            if wire in given and held.get(name) not in (None, "", [], known[name]) and held[name] == given[wire]
        ]

    def wished(self, goal: Goal) -> list[ToolCall]:
        """The changes that a wish asks for, and would take where it may not be granted."""
        if goal.calls:
            return list(goal.calls)
        declared = next((each for each in self.domain.goals if each.name == goal.kind), None)
        if declared is None or declared.tool.kind != "write":
            return []
        inputs = declared.tool.inputs
        facts = {fact.name: fact.value for fact in goal.facts}
        given = {inputs[name]: value for name, value in {**declared.fixed, **facts}.items() if name in inputs}
        of_others = [call.arguments for task in self.others for call in task.gold if call.name == declared.tool.name]
        like = next((each for each in of_others if isinstance(each, dict)), {})
        needed = declared.tool.parameters.get("required", ())
        return [ToolCall(name=declared.tool.name, arguments={n: like[n] for n in needed if n in like} | given)]

    def reads(self) -> list[ToolCall]:
        """The look-ups among the gold calls."""
        return [call for call in self.task.gold if call.by == "agent" and self._kind(call) == "read"]

    def _kind(self, call: ToolCall) -> str:
        return self.domain.tools[call.name].kind if call.name in self.domain.tools else ""

    def _ends(self, call: ToolCall) -> bool:
        return self.domain.tools[call.name].ends_episode

    def everything(self) -> list[ToolCall]:
        """Every look-up that needs nothing."""
        return [
            ToolCall(name=name, arguments={})
            for name, tool in self.domain.tools.items()
            if tool.kind == "read" and not tool.parameters.get("required")
        ]

    def strangers(self, count: int = 3) -> list[ToolCall]:
        """Look-ups of single rows that belong to other persons."""
        own = {value for call in self.task.gold for value in _texts(call.arguments)} | {self.task.owner or ""}
        found: list[ToolCall] = []
        with Session(self.domain, task=self.task) as session:
            for name, tool in self.domain.tools.items():
                required = tool.parameters.get("required", ())
                if tool.kind != "read" or len(required) != 1 or len(tool.references) != 1:
                    continue
                table = next(iter(tool.references.values()))
                if self.domain.owner is None and self.domain.identity is not None:
                    key = key_column(table)
                    rows = session.database.query(f'SELECT "{key}" FROM "{table.__tablename__}"')
                    keys = [row[0] for row in rows if str(row[0]) not in own]
                    if keys:
                        found.append(ToolCall(name=name, arguments={required[0]: self.rng.choice(keys)}))
        return self.rng.sample(found, min(count, len(found)))

    def accepted(self, calls: Sequence[ToolCall]) -> list[ToolCall]:
        """Those of the calls that change something at the start of the episode."""
        found = []
        for call in calls:
            with Session(self.domain, task=self.task) as session:
                if session.call(call.name, call.arguments).ok and session.diff():
                    found.append(call)
        return found

    def identification(self) -> list[ToolCall]:
        """The gold look-ups that say who is there."""
        identity = self.domain.identity
        names = {tool.name for tool in identity.found_by} if identity else set()
        return [call for call in self.task.gold if call.name in names]

    def driver(self) -> UserToolDriver | None:
        """How this world's users do what an agent asks of them; None where they hold no tools."""
        if not self.domain.user_tools:
            return None
        return cast(UserToolDriver, registry.load("user_tool_drivers", self.task.domain))

    def transfer(self) -> ToolCall | None:
        """The call that hands the conversation over; None where the world has none."""
        for name, tool in self.domain.tools.items():
            if tool.ends_episode:
                needed = tool.parameters.get("required", ())
                return ToolCall(name=name, arguments=dict.fromkeys(needed, "The customer needs a person."))
        return None

    def reasons(self) -> str:
        """The reason of every rule of the world."""
        return "; ".join(dict.fromkeys(rule.why.split("|")[0] for rule in self.domain.rules))


def spoken(text: str) -> Message:
    """A message that says something."""
    return Message(role="assistant", content=text)


def calling(calls: Sequence[ToolCall]) -> Iterator[Message]:
    """One message for each call."""
    for call in calls:
        yield Message(role="assistant", tool_calls=(call,))


def aloud(results: Sequence[Message]) -> str:
    """What came back, as it is read to somebody."""
    return " ".join(message.content or "" for message in results)[:_READ_ALOUD]


def _texts(value: Json) -> Iterator[str]:
    if isinstance(value, dict | list):
        for inner in value.values() if isinstance(value, dict) else value:
            yield from _texts(inner)
    else:
        yield value if isinstance(value, str) else json.dumps(value)
