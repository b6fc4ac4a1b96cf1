"""The scripted user: agenda-based, deterministic, offline. Holds goals, answers, confirms, objects, and ends.

The idea of an agenda of pending dialogue acts over a user goal of constraints and requests follows Schatzmann et al.,
"Agenda-Based User Simulation for Bootstrapping a POMDP Dialogue System" (NAACL-HLT 2007), section 2. What it cannot
understand is listed in docs/users.md.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from random import Random
from typing import Protocol

from sandbox.kit.errors import unknown
from sandbox.kit.message import STOP, Json, Message, ToolCall
from sandbox.kit.task import Goal, Task
from sandbox.language.dialogue_acts import AgentAct, parse_act
from sandbox.language.told import tells_all
from sandbox.runtime import registry
from sandbox.runtime.registry import get_domain
from sandbox.users.declared import DeclaredWishes
from sandbox.users.fact_extraction import understood
from sandbox.users.nlg_templates import PATIENCE, STYLES, Act, Style, phrase, style_of
from sandbox.users.reaction import Knowledge
from sandbox.users.untyped import UntypedWishes

_MAX_REPLIES = 60
_MAX_INSISTING = 2
_MAX_CALLS = 14
"""Calls that one message can make the user do; an episode allows 16 rounds."""
_TWICE = 2
"""How often one sentence is said."""


class UserToolDriver(Protocol):
    """How users of a domain do with their tools what an agent says; found in the group `toolgym.user_tool_drivers`."""

    def follow(self, text: str, done: Sequence[tuple[ToolCall, str]] = ()) -> Sequence[ToolCall]:
        """The next calls of the user's own tools that the agent's message asks for.

        Args:
            text: the agent's message.
            done: the calls already made for it, with their results.

        Returns:
            Calls to make now; empty when the message asks for none, or all have been made.
        """
        ...

    def report(self, call: ToolCall, result: str) -> str:
        """What the user says about a call's result."""
        ...

    def ask(self, call: ToolCall) -> str:
        """The sentence with which an agent asks for this call; `follow` understands it."""
        ...


class ScriptedUser:
    """Plays the user from a task's goals and facts. The same seed gives the same words.

    Args:
        style: `terse`, `chatty`, `polite` or `impatient`; None takes the task's persona, or draws one.
    """

    def __init__(self, style: str | None = None) -> None:
        if style is not None and style not in STYLES:
            raise unknown("style of the scripted user", style, STYLES)
        self._style = style

    def open(self, task: Task, *, seed: int, tools: Sequence[dict[str, Json]] = ()) -> _Player:
        """Start an episode."""
        driven = tools and task.domain in registry.names("user_tool_drivers")
        driver = registry.load("user_tool_drivers", task.domain) if driven else None
        return _Player(understood(task), seed, self._style, driver)


class _Player:
    """One user in one episode."""

    def __init__(self, task: Task, seed: int, style: str | None, driver: UserToolDriver | None) -> None:
        self._rng = Random(f"{seed}:{task.seed}:{task.id}")
        self._style = style_of(style or task.persona, self._rng)
        self._goals = list(task.goals) or [Goal(kind="ask", utterance=task.scenario, outcome="answered")]
        self._knowledge = _knowledge(task, self._style, self._rng)
        self._driver = driver
        self._now = (task.now or get_domain(task.domain).now).replace(tzinfo=None)
        self._idle = self._replies = 0
        self._heard: set[str] = set()
        self._spoken: Counter[str] = Counter()
        self._enter(self._goals.pop(0))

    async def reply(self, messages: Sequence[Message]) -> Message:
        """The user's next message."""
        if not messages:
            return Message(role="user", content=self._opening())
        text, done = _since_heard(messages)
        if self._driver is not None and len(done) < _MAX_CALLS:
            calls = self._driver.follow(text, done)
            if calls:
                return Message(role="user", tool_calls=tuple(calls))
        return Message(role="user", content=self._reported(text, done) if done else self._respond(text))

    # --- the agenda ---

    def _enter(self, goal: Goal) -> None:
        self._goal = goal
        self._told: list[str] = []
        self._confirmed = False
        self._insisted = 0
        self._knowledge.enter(goal)

    def _opening(self) -> str:
        self._spoken[self._goal.utterance] += 1
        return " ".join([self._word("greet"), *self._knowledge.volunteered(), self._goal.utterance])

    def _settle(self, first: list[str]) -> list[str]:
        """The current goal is over: the next one, or the end."""
        self._idle = 0
        if not self._goals:
            return [*first, self._word("thanks"), STOP]
        self._enter(self._goals.pop(0))
        return [*first, self._word("next"), self._goal.utterance]

    def _replace(self, goal: Goal, act: Act) -> list[str]:
        self._idle = 0
        self._enter(goal)
        return [self._word(act), goal.utterance]

    def _respond(self, text: str) -> str:
        heard = parse_act(text)
        self._told.append(text)
        self._replies += 1
        self._idle += 1
        parts = self._varied(self._react(heard))
        if STOP not in parts and (self._idle >= PATIENCE[self._style] or self._replies >= _MAX_REPLIES):
            parts = [self._word("give_up"), STOP]
        return " ".join(parts)

    def _varied(self, parts: list[str]) -> list[str]:
        """The same with what has been said twice put in other words, or left out."""
        fresh: list[str] = []
        for part in parts:
            if self._spoken[part] < _TWICE or part == STOP:
                fresh.append(part)
            elif part == self._goal.utterance:
                fresh += next(([other] for other in self._knowledge.stuck() if self._spoken[other] < _TWICE), [])
        self._spoken.update(fresh)
        return fresh or [self._word("stuck")]

    def _react(self, heard: AgentAct) -> list[str]:
        goal = self._goal
        if goal.outcome == "answered" and self._answered(heard):
            return self._settle([self._word("no_offer")] if heard.proposal else [])
        done = self._reported_done(heard)
        if heard.refuses and not (done and self._confirmed) and (reaction := self._hear_refusal(heard)):
            return reaction
        if done:
            return self._settle([]) if self._is_told() else self._ask_for_rest()
        if heard.proposal or (not self._confirmed and goal.outcome != "answered" and self._knowledge.proposes(heard)):
            return self._consider(heard)
        if heard.asked:
            return self._answer(heard)
        if self._confirmed and (heard.more or self._goal.outcome == "refused"):
            return self._settle([])
        if heard.waits:
            return [self._word("wait")]
        if self._confirmed:
            return [self._word("status")]
        return [self._word("missing" if goal.outcome == "answered" else "again"), goal.utterance]

    def _is_told(self) -> bool:
        """Whether all that must be told of this wish has been."""
        return tells_all(self._told, self._goal, self._now)

    def _ask_for_rest(self) -> list[str]:
        return [self._word("missing"), *(self._knowledge.asks_again() or [self._goal.utterance])]

    def _reported_done(self, heard: AgentAct) -> bool:
        if self._goal.outcome not in {"done", "refused"} or (heard.proposal and not self._confirmed):
            return False
        words = self._knowledge
        return heard.reports(words.done_words(), words.done_otherwise(), confirmed=self._confirmed)

    def _answered(self, heard: AgentAct) -> bool:
        if self._goal.must_communicate:
            return self._is_told()
        return not (heard.asked or heard.proposal or heard.refuses)

    def _hear_refusal(self, heard: AgentAct) -> list[str]:
        """React to "that is not possible"; empty where the message's question matters more."""
        goal = self._goal
        if goal.fallback is not None:
            return self._replace(goal.fallback, "accept")
        if goal.outcome != "refused" and (heard.proposal or heard.asked):
            return []
        if goal.outcome == "transferred":
            return [self._word("human")]
        # a mere apology does not satisfy where the refusal must say what it is about
        enough = goal.outcome == "refused" and self._is_told()
        self._insisted += 1
        if enough or self._insisted > (1 if goal.outcome == "refused" else _MAX_INSISTING):
            return self._settle([self._word("accept")])
        return [self._word("insist"), goal.utterance]

    def _consider(self, heard: AgentAct) -> list[str]:
        """Answer a proposal: yes only when nothing in it contradicts the goal."""
        goal = self._goal
        if goal.revised_to is not None:
            return self._replace(goal.revised_to, "change")
        reaction = self._knowledge.consider(heard)
        if not reaction.agreed:
            answers = self._knowledge.answers(heard) if heard.asked else []
            return [*reaction.sentences, *(text for text in answers if text not in reaction.sentences)]
        if not self._confirmed:
            self._idle = 0
        self._confirmed = True
        return [*reaction.sentences, *(self._knowledge.answers(heard) if heard.asked else ())]

    def _answer(self, heard: AgentAct) -> list[str]:
        answers = self._knowledge.answers(heard)
        if answers and heard.asked not in self._heard:
            self._idle = 0
            self._heard.add(heard.asked)
        return answers or [self._word("again"), self._goal.utterance]

    def _reported(self, text: str, done: Sequence[tuple[ToolCall, str]]) -> str:
        """What came of the calls, and who the user is where the message asks for that as well."""
        assert self._driver is not None
        heard = parse_act(text)
        self._told.append(text)
        self._replies += 1
        self._idle = 0
        answers = self._knowledge.answers(heard) if self._knowledge.identifies(heard) else ()
        return " ".join([*answers, *(self._driver.report(call, result) for call, result in done)])

    def _word(self, act: Act) -> str:
        return phrase(act, self._style, self._rng)


def _knowledge(task: Task, style: Style, rng: Random) -> Knowledge:
    """What the user knows: typed facts of declared goals, or facts without kinds."""
    typed = any(fact.kind is not None for goal in task.every_goal() for fact in goal.facts)
    declared = get_domain(task.domain).goals and (typed or not any(goal.facts for goal in task.every_goal()))
    return DeclaredWishes(task, style, rng) if declared else UntypedWishes(task, style, rng)


def _since_heard(messages: Sequence[Message]) -> tuple[str, list[tuple[ToolCall, str]]]:
    """The agent's last words, and the calls made since with their results."""
    index = max((index for index, message in enumerate(messages) if message.role == "assistant"), default=-1)
    text = (messages[index].content or "") if index >= 0 else ""
    results = {message.tool_call_id: message.content or "" for message in messages[index + 1 :]}
    calls = [call for message in messages[index + 1 :] for call in message.tool_calls]
    return text, [(call, results[call.id]) for call in calls if call.id in results]
