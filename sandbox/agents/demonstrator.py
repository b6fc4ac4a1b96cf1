"""A model of good manners: it is shown the task and still behaves as an agent that knows nothing should.

It finds out whom it speaks to, asks for what is told only when asked, looks things up, names every detail before a
change and waits for the yes, acts, reports, and says why something is not possible. Its conversations are there to be
imitated, so its words vary with the seed. The state's ceiling is the oracle, which has no manners.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby
from random import Random

from toolgym.sandbox.agents.dialogue import DialogueContext, Script, ScriptPlayer
from toolgym.sandbox.agents.gold_calls import GoldCalls
from toolgym.sandbox.agents.oracle import OracleAgent
from toolgym.sandbox.agents.phrases import phrase
from toolgym.sandbox.agents.wish_words import Key, Question, WishWords, key_of
from toolgym.sandbox.kit.errors import ConfigurationError
from toolgym.sandbox.kit.message import Json, ToolCall
from toolgym.sandbox.kit.task import Goal, Task
from toolgym.sandbox.language.consent import asks_back, is_yes
from toolgym.sandbox.runtime.registry import get_domain
from toolgym.sandbox.runtime.roles import AgentPlayer, Briefing

_TIMES = 3
"""How often one thing is said before the conversation goes on without its answer."""


class DemonstratorAgent:
    """Plays a task as a careful agent would that had to find everything out."""

    privileged = True
    hears = "nothing"

    def open(self, briefing: Briefing) -> AgentPlayer:
        """Start an episode; alone with a ticket there is nobody to ask, and it works as the oracle does.

        Raises:
            ConfigurationError: it is not shown the task.
        """
        if briefing.task is None:
            raise ConfigurationError("The agent 'demonstrator' must be shown the task; run it with privileged=True.")
        if briefing.ticket is not None:
            return OracleAgent().open(briefing)
        demonstration = _Demonstration(briefing.task, Random(f"{briefing.seed}:{briefing.task.id}"))
        return ScriptPlayer(demonstration.script, briefing)


class _Demonstration:
    """One conversation."""

    def __init__(self, task: Task, rng: Random) -> None:
        self._task, self._rng = task, rng
        self._domain = get_domain(task.domain)
        self._gold = GoldCalls(task)
        self._results: list[tuple[str, Json]] = []
        self._known = list(task.facts)
        self._asked: set[Key] = set()
        mentions = {text for goal in task.goals for text in goal.final.must_communicate}
        self._unsaid = [text for text in task.communicate if text not in mentions]

    def script(self, dialogue: DialogueContext) -> Script[None]:
        """The conversation from the user's first words to the last wish."""
        self._dialogue = dialogue
        goals = self._task.goals or (Goal(kind="ask", utterance=self._task.scenario, outcome="answered"),)
        for index, goal in enumerate(goals):
            following = goals[index + 1] if index + 1 < len(goals) else None
            yield from self._wish(goal, following)
        yield from self._make(self._gold.take(len(self._gold.rest), ending=True))

    def _wish(self, goal: Goal, following: Goal | None) -> Script[None]:
        words = WishWords(self._task, goal, self._rng)
        self._known += goal.facts
        yield from self._ask(words.withheld(self._asked))
        if goal.revised_to is not None:
            yield from self._propose(words, until=goal.revised_to)
            yield from self._wish(goal.revised_to, following)
        elif goal.fallback is not None and not goal.calls:
            yield from self._look_up(self._gold.reads(self._is_known))
            yield from self._say_until((words.refused() for _ in range(_TIMES)), goal.fallback)
            yield from self._wish(goal.fallback, following)
        else:
            yield from self._fulfil(goal, words, following)

    def _fulfil(self, goal: Goal, words: WishWords, following: Goal | None) -> Script[None]:
        last = following is None
        while count := len(self._gold.rest) if last else self._gold.needed(goal) or self._gold.reads(self._is_known):
            due = self._gold.take(count)
            if not (yield from self._work(due, words)):
                yield from self._dialogue.say(phrase("left", self._rng))
                return
            if goal.calls or not due:  # what one look-up shows, the next may ask for
                break
        shown = words.shown_after()
        yield from self._look_up(self._gold.reads(lambda call: call.name in shown))
        tell = [*goal.must_communicate, *(self._unsaid if last else ())]
        handed_over = goal.outcome == "transferred" or (last and bool(self._gold.rest))
        if not handed_over or tell:
            texts = (words.reported(tell, self._results) for _ in range(_TIMES))
            yield from self._say_until(texts, following)

    # --- calls ---

    def _work(self, calls: Sequence[ToolCall], words: WishWords) -> Script[bool]:
        """Make the calls of a wish: what they need of the person is asked for first, and writes wait for a yes.

        Returns whether all were made.
        """
        agreed = False
        for by, group in groupby(calls, key=lambda call: call.by):
            made = list(group)
            if by == "user":
                yield from self._dialogue.say(self._gold.asked_of_user(made))
                continue
            for call in made:
                yield from self._ask(words.about_person(call, self._asked))
                if not agreed and self._needs_yes(call):
                    agreed = yield from self._propose(words, [each for each in calls if self._needs_yes(each)])
                    if not agreed and words.are_declared:
                        return False
                yield from self._make([call])
        return True

    def _look_up(self, count: int) -> Script[None]:
        for call in self._gold.take(count):
            yield from self._ask(WishWords(self._task, None, self._rng).about_person(call, self._asked))
            yield from self._make([call])

    def _make(self, calls: Sequence[ToolCall]) -> Script[None]:
        for call in calls:
            assert isinstance(call.arguments, dict)
            result = yield from self._dialogue.call(call.name, **call.arguments)
            self._results.append((call.name, result))

    def _needs_yes(self, call: ToolCall) -> bool:
        tool = self._domain.tools.get(call.name)
        return call.by == "agent" and tool is not None and tool.confirm

    def _is_known(self, call: ToolCall) -> bool:
        """Whether all that a look-up asks for was said or seen, so that no earlier agent could not have made it."""
        seen = "\n".join([*self._dialogue.heard, *(json.dumps(result) for _, result in self._results)])
        values = [value for fact in self._known for value in (fact.value, *fact.known_by.values())]
        known = {*map(str, values), *(text for value in values for text in _texts(value))}
        choices = set(_choices(self._domain.tools[call.name].parameters))
        known |= {text.removeprefix("-") for text in known}  # a charge of $4.06 is looked for as 406 cents
        return all(value in known or value in choices or value in seen for value in _texts(call.arguments))

    # --- words ---

    def _ask(self, questions: Sequence[Question]) -> Script[None]:
        """Ask for what the user tells only when asked."""
        for facts, text in questions:
            self._asked |= {key_of(fact) for fact in facts}
            yield from self._dialogue.say(phrase("ask", self._rng, text))

    def _propose(self, words: WishWords, calls: Sequence[ToolCall] = (), until: Goal | None = None) -> Script[bool]:
        """Propose what will be done, more plainly where the user hesitates; returns whether there was a yes."""
        for attempt in range(_TIMES if words.are_declared else 1):
            answer = yield from self._dialogue.say(words.proposal(calls, plainly=attempt > 0))
            if asks_back(answer):
                answer = yield from self._dialogue.say("Yes, exactly.")
            if is_yes(answer):
                return True
            if until is not None and self._heard(until):
                break
        return False

    def _say_until(self, texts: Iterable[str], following: Goal | None) -> Script[None]:
        """Say something, in other words where the user does not go on to the next wish."""
        for text in texts:
            yield from self._dialogue.say(text)
            if following is None or self._heard(following):
                return

    def _heard(self, goal: Goal) -> bool:
        return goal.utterance.lower() in self._dialogue.last.lower()


def _texts(value: Json) -> Iterator[str]:
    """The plain values in a call's arguments."""
    if isinstance(value, dict | list):
        for inner in value.values() if isinstance(value, dict) else value:
            yield from _texts(inner)
    else:
        yield str(value)


def _choices(schema: Json) -> Iterator[str]:
    """The values that a tool's schema itself names."""
    if isinstance(schema, dict):
        yield from map(str, schema.get("enum", ()))
    for inner in schema.values() if isinstance(schema, dict) else schema if isinstance(schema, list) else ():
        yield from _choices(inner)
