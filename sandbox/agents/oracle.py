"""The upper bound: an agent that is shown the task, makes its gold calls and says what must be said.

Privileged, and no model of good manners: it asks for nothing and proposes only where the user's wish changes on a
proposal.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby

from toolgym.sandbox.agents.dialogue import unavailable
from toolgym.sandbox.agents.gold_calls import GoldCalls
from toolgym.sandbox.formats.program import ProgramFormat, parse_program, program_format, render_program
from toolgym.sandbox.kit.errors import ConfigurationError
from toolgym.sandbox.kit.message import Message
from toolgym.sandbox.kit.task import Goal, Task
from toolgym.sandbox.language.text_match import first_wording
from toolgym.sandbox.language.told import is_refusal
from toolgym.sandbox.runtime.roles import AgentPlayer, Briefing
from toolgym.sandbox.synthesis.program import program_of

_CLOSING = "Everything you asked for has been settled. Is there anything else?"


class OracleAgent:
    """Plays a task's gold solution.

    Args:
        format: writes its programs in this format and reads them back, as a model's would be.
    """

    privileged = True
    hears = "nothing"

    def __init__(self, format: str | None = None) -> None:
        self._format = None if format is None else program_format(format)

    def open(self, briefing: Briefing) -> AgentPlayer:
        """Start an episode."""
        if briefing.task is None:
            raise ConfigurationError("The agent 'oracle' must be shown the task; run it with privileged=True.")
        if briefing.program:
            return _Programmer(briefing.task, self._format)
        return _Player(briefing.task, solo=briefing.ticket is not None)

    @staticmethod
    def plan(task: Task) -> Iterator[Message]:
        """The messages that solve a task in a conversation, in order."""
        return _Plan(task).messages()


class _Player:
    def __init__(self, task: Task, *, solo: bool) -> None:
        plan = _Plan(task)
        self._plan = plan.alone() if solo else plan.messages()
        self._last = _say("")

    async def act(self, messages: Sequence[Message]) -> Message:
        """The next step of the plan; a closing line once it is done."""
        self._last = self._again(messages) or next(self._plan, None) or _say(_CLOSING)
        return self._last

    def _again(self, messages: Sequence[Message]) -> Message | None:
        """The calls of the last step from the first one on that was unavailable for the moment, but those that worked
        all the same.
        """
        calls = self._last.tool_calls
        texts = [message.content or "" for message in messages[-len(calls) :]] if calls else []
        first = next((place for place, text in enumerate(texts) if unavailable(text)), None)
        if first is None:
            return None
        late = zip(calls[first:], texts[first:], strict=True)
        return Message(role="assistant", tool_calls=tuple(call for call, text in late if text.startswith("Error: ")))


class _Programmer:
    """Answers with the gold calls as a program."""

    def __init__(self, task: Task, text_format: ProgramFormat | None) -> None:
        self._task, self._format = task, text_format

    async def act(self, messages: Sequence[Message]) -> Message:
        """The program, through its text where a format is asked for."""
        program = program_of(self._task)
        if self._format is None:
            return program
        return parse_program(render_program(program, self._format), self._format)


class _Plan:
    """The messages that solve a task, in order."""

    def __init__(self, task: Task) -> None:
        self._task = task
        self._gold = GoldCalls(task)
        mentions = {text for goal in task.goals for text in goal.final.must_communicate}
        self._unsaid = [text for text in task.communicate if text not in mentions]

    def alone(self) -> Iterator[Message]:
        """The messages without a user: every call, then one report."""
        for _, calls in groupby(self._gold.rest, key=lambda call: call.by):
            yield Message(role="assistant", tool_calls=tuple(calls))
        yield _say(_told("Everything has been done.", self._task.communicate))

    def messages(self) -> Iterator[Message]:
        """The messages with a user, who is asked to make the calls of the user's own tools."""
        goals = self._task.goals
        for index, goal in enumerate(goals):
            yield from self._goal(goal, last=index == len(goals) - 1)
        if not goals:
            yield from self._calls(len(self._gold.rest))
            yield _say(_told("Everything has been done.", self._unsaid))
        yield from self._calls(len(self._gold.rest), ending=True)

    def _goal(self, goal: Goal, *, last: bool) -> Iterator[Message]:
        if goal.revised_to is not None:
            yield _say("Shall I go ahead with that?")
            yield from self._goal(goal.revised_to, last=last)
        elif goal.fallback is not None and not goal.calls:
            yield _say("I am sorry, that is not possible.")
            yield from self._goal(goal.fallback, last=last)
        else:
            yield from self._calls(len(self._gold.rest) if last else self._gold.needed(goal))
            tell = [*goal.must_communicate, *(self._unsaid if last else ())]
            handed_over = goal.outcome == "transferred" or (last and bool(self._gold.rest))
            if not handed_over or tell:
                yield _say(_told(_OUTCOMES["transferred" if handed_over else goal.outcome], tell))
            if handed_over:
                yield from self._calls(len(self._gold.rest), ending=True)

    def _calls(self, count: int, *, ending: bool = False) -> Iterator[Message]:
        """The next gold calls; those that end the episode only when it is time for them."""
        for by, found in groupby(self._gold.take(count, ending=ending), key=lambda call: call.by):
            calls = tuple(found)
            if by == "agent":
                yield Message(role="assistant", tool_calls=calls)
            else:
                yield _say(self._gold.asked_of_user(calls))


_OUTCOMES = {
    "done": "Your request has been completed.",
    "answered": "I have looked that up.",
    "refused": "I am sorry, that is not possible under our policy.",
    "transferred": "A colleague of mine has to look at this.",
}


def _told(sentence: str, tell: Sequence[str]) -> str:
    said = [_sentence(first_wording(text)) for text in tell if not is_refusal(text)]  # the sentence refuses
    return " ".join([sentence, *said])


def _sentence(text: str) -> str:
    return text if text.endswith((".", "!", "?")) else f"For your information: {text}."


def _say(text: str) -> Message:
    return Message(role="assistant", content=text)
