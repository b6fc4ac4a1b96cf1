"""Which of an episode's calls bring it forward, and why the others do not.

A look-up does when a right run makes it, when it finds out who the user is, when it first shows what a later call or an
answer needs, or while the thing that is sought has not been found. Nothing is needed twice.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from functools import cached_property

from toolgym.judge.scoring.conduct.private import owners
from toolgym.judge.scoring.conduct.scene import Scene, key_in, leaves
from toolgym.judge.scoring.conduct.wishes import answers
from toolgym.judge.scoring.conversation import Called
from toolgym.judge.scoring.judges.right_run import GoldReads, best_match
from toolgym.sandbox.kit.message import Json
from toolgym.sandbox.language.text_match import mentions
from toolgym.sandbox.runtime.call_log import CallRecord
from toolgym.sandbox.synthesis.proof.replay import hands_over

_IDLE = "{} found nothing that was needed."
_SHOWN = "{} showed only what it had shown before."
_SHORT = 3
"""Values of so few signs stand in many results by chance."""


class Lookups:
    """The calls of an episode, judged one by one.

    Attributes:
        right: the numbers of the writes that a right run makes too.
        reasons: for each call, why it brings nothing forward; empty where it does.
        faults: the numbers of the calls that were refused for a fault of the agent's.
    """

    def __init__(self, scene: Scene) -> None:
        self._scene = scene
        self.right = frozenset(best_match(scene))
        self.reasons: dict[int, str] = {}
        self.faults: set[int] = set()
        self._gold = GoldReads(scene)
        self._results: dict[tuple[str, str], Json] = {}
        self._since_write: set[tuple[str, str]] = set()
        self._heard = ""
        self._heard_before: dict[int, int] = {}
        self._failed: set[str] = set()
        self._found_person = False
        self._read()
        self._follow_values()

    def used(self, call: Called) -> Iterator[str]:
        """The texts among a call's arguments, in lower case."""
        return (text.lower() for text in leaves(call.record.arguments) if len(text) > _SHORT)

    @cached_property
    def needed_values(self) -> frozenset[str]:
        """The texts that the calls take that bring the episode forward, in lower case."""
        advancing = (call for call in self._scene.conversation.calls if not self.reasons[call.number])
        return frozenset(text for call in advancing for text in self.used(call))

    def _read(self) -> None:
        for event in self._scene.conversation.events:
            if isinstance(event, Called):
                self._heard_before[event.number] = len(self._heard)
                self.reasons[event.number] = self._reason(event)
                self._keep(event)
            elif not event.by_agent:
                self._heard += f"\n{event.text.lower()}"

    def _keep(self, call: Called) -> None:
        record = call.record
        if record.wrote:
            self._since_write.clear()
        if record.ok:
            self._results[_same(record)] = record.value
            self._since_write.add(_same(record))

    def _reason(self, call: Called) -> str:
        """Why a call brings nothing forward by itself; empty where it does."""
        record, tool = call.record, self._scene.tool(call)
        if record.wrote:
            return "" if call.number in self.right else f"{record.name} changed what was not to be changed."
        shown = record.ok and record.kind == "read" and self._results.get(_same(record), self) == record.value
        if shown and _same(record) in self._since_write:
            return _SHOWN.format(record.name)
        if self._gold.takes(record):
            return ""
        if not record.ok:
            return self._refused(call)
        if tool is not None and tool.ends_episode:
            return "" if hands_over(self._scene.task) else "Nothing asked for handing the conversation over."
        if record.kind == "neutral":
            return _IDLE.format(record.name)
        if shown:
            return _SHOWN.format(record.name)
        if self._finds_person(call) or self._seeks(call) or (_is_empty(record.value) and self._may_fail(call)):
            return ""
        return _IDLE.format(record.name)

    def _refused(self, call: Called) -> str:
        record = call.record
        if record.kind == "read" and self._may_fail(call):
            return ""
        self.faults.add(call.number)
        return f"{record.name} was refused: {record.message}"

    def _may_fail(self, call: Called) -> bool:
        """A look-up with what was said or seen may find nothing, once for each tool."""
        name = call.record.name
        if name in self._failed or not self._is_grounded(call):
            return False
        self._failed.add(name)
        return True

    def _finds_person(self, call: Called) -> bool:
        """Whether a call is the first to find out whom the agent speaks to."""
        identity = self._scene.domain.identity
        if identity is None or self._found_person or call.record.name not in {t.name for t in identity.found_by}:
            return False
        self._found_person = key_in(identity, call.record.value) is not None
        return self._found_person

    def _seeks(self, call: Called) -> bool:
        """Whether a call looks where a right run finds something that has not been found yet."""
        name, rules = call.record.name, set[str]() if _same(call.record) in self._results else self._shown_by_rules
        if name not in self._gold.names() | rules or not self._is_grounded(call):
            return False
        self._shown_by_rules.discard(name)
        return True

    @cached_property
    def _shown_by_rules(self) -> set[str]:
        """The look-ups that show whether the wishes may be granted: each once more than a right run looks."""
        scene = self._scene
        tools = {goal.name: goal.tool.name for goal in scene.domain.goals}
        wanted = {tools.get(goal.kind, goal.kind) for goal in scene.task.every_goal()}
        wanted |= {call.name for goal in scene.task.every_goal() for call in goal.calls}
        rules = [rule for rule in scene.domain.rules if wanted & {tool.name for tool in rule.on}]
        return {tool.name for rule in rules for tool in rule.reads}

    def _is_grounded(self, call: Called) -> bool:
        """Whether the keys that a call takes were said or seen, and lead to nobody but the person spoken to."""
        record, tool = call.record, self._scene.tool(call)
        if tool is None or record.by == "user":
            return tool is not None
        given = record.arguments if isinstance(record.arguments, dict) else {}
        taken = {tool.inputs[parameter] for parameter in tool.takes}
        identity = self._scene.domain.identity
        if identity is not None and record.name in {each.name for each in identity.found_by}:
            taken |= set(given)
        keys = [text for name in taken & set(given) for text in leaves(given[name])]
        return all(map(self._is_known, keys)) and self._is_of_person(call)

    def _is_known(self, key: str) -> bool:
        seen = (text for value in self._results.values() for text in (json.dumps(value),))
        return key.lower() in self._heard or any(key in text for text in seen) or key == self._scene.task.owner

    def _is_of_person(self, call: Called) -> bool:
        person = self._scene.person
        return person is None or all(owner == person for owner in owners(self._scene, call))

    def _follow_values(self) -> None:
        """Idle look-ups that first showed what a needed call takes, or what the user was told, were needed."""
        calls = self._scene.conversation.calls
        if not any(self._may_be_needed(call) for call in calls):
            return
        first: dict[str, int] = {}
        for call in calls:
            for text in leaves(call.record.value) if call.record.ok else ():
                first.setdefault(text.lower(), call.number)
        wanted: set[str] = set()
        for call in reversed(calls):
            if self._may_be_needed(call) and (self._shows(call, wanted, first) or self._shows_answer(call)):
                self.reasons[call.number] = ""
            if not self.reasons[call.number]:
                wanted.update(self.used(call))

    def _may_be_needed(self, call: Called) -> bool:
        return self.reasons[call.number] == _IDLE.format(call.record.name)

    def _shows(self, call: Called, wanted: set[str], first: dict[str, int]) -> bool:
        heard = self._heard[: self._heard_before[call.number]]
        texts = {text.lower() for text in leaves(call.record.value)} & wanted
        return any(first[text] == call.number and text not in heard for text in texts)

    def _shows_answer(self, call: Called) -> bool:
        """Whether a call is the first to show what had to be told and was told afterwards."""
        before = [json.dumps(c.record.value) for c in self._scene.conversation.calls if c.number < call.number]
        shown = json.dumps(call.record.value)
        later = [said.text for said in self._scene.conversation.of_agent if said.turn > call.turn]
        return any(
            mentions(text, shown) and not mentions(text, "\n".join(before)) and mentions(text, "\n".join(later))
            for text in answers(self._scene.task)
        )


def _is_empty(value: Json) -> bool:
    """Whether a result shows nothing: no rows, or a page without any."""
    return not value or (isinstance(value, dict) and value.get("items") == [])


def _same(record: CallRecord) -> tuple[str, str]:
    return record.name, json.dumps([record.by, record.arguments], sort_keys=True)
