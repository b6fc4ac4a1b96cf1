"""What a domain's script for the `rules` agent works with: it speaks, listens and calls tools, as one generator.

A script is a generator function of a `DialogueContext`; it reads from top to bottom like the conversation it holds. It
sees the conversation and the tools and nothing else.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Generator, Sequence
from typing import TypeVar

from toolgym.sandbox.kit.errors import TEMPORARY, Refusal
from toolgym.sandbox.kit.message import Json, Message, ToolCall
from toolgym.sandbox.language.consent import is_yes
from toolgym.sandbox.runtime.roles import Briefing

Value = TypeVar("Value")
Script = Generator[Message, Sequence[Message], Value]
"""A piece of a dialogue: it yields messages, is sent the feedback, and returns a value."""

_ATTEMPTS = 3
"""How often a call is made that is unavailable for the moment."""
_REFUSED = re.compile(r"Error: (.*) \[(\w+)\]\Z", re.DOTALL)


class DialogueContext:
    """One conversation as its script sees it.

    Attributes:
        heard: everything the user has said, in order.
        profile: the user's, where they are known already; None where the script must find out.
        listening: what the user says is a recogniser's transcript, in which names may be misheard.
    """

    def __init__(self, opening: str, profile: Json = None, *, listening: bool = False) -> None:
        self.heard = [opening]
        self.profile = profile
        self.listening = listening

    @property
    def last(self) -> str:
        """What the user said last."""
        return self.heard[-1]

    def say(self, text: str) -> Script[str]:
        """Say something; returns the user's answer."""
        feedback = yield Message(role="assistant", content=text)
        self.heard.append(feedback[-1].content or "" if feedback else "")
        return self.last

    def confirm(self, proposal: str) -> Script[bool]:
        """Propose an action and ask for a yes or no; returns whether the user agreed. The answer is in `last`."""
        return is_yes((yield from self.say(f"{proposal} Shall I go ahead (yes/no)?")))

    def call(self, name: str, /, **arguments: Json) -> Script[Json]:
        """Call a tool, again where it was only unavailable for the moment; returns its value.

        Raises:
            Refusal: the tool refused.
        """
        call = ToolCall(name=name, arguments=arguments)
        for _ in range(_ATTEMPTS):
            feedback = yield Message(role="assistant", tool_calls=(call,))
            text = feedback[-1].content or "" if feedback else ""
            if not unavailable(text):
                break
        return _value(text)

    def call_all(self, calls: Sequence[ToolCall]) -> Script[list[Json]]:
        """Call several tools at once, again those that were only unavailable for the moment; returns their values, None
        for those that refused.
        """
        texts: dict[int, str] = {}
        open_calls = list(range(len(calls)))
        for _ in range(_ATTEMPTS):
            if not open_calls:
                break
            feedback = yield Message(role="assistant", tool_calls=tuple(calls[place] for place in open_calls))
            texts |= {place: message.content or "" for place, message in zip(open_calls, feedback, strict=False)}
            open_calls = [place for place in open_calls if unavailable(texts.get(place, ""))]
        return [_value_or_none(texts[place]) for place in sorted(texts)]


def unavailable(text: str) -> bool:
    """Whether a tool's message says that the same call can be made again."""
    refused = _REFUSED.match(text)
    return refused is not None and refused.group(2) == TEMPORARY


def _value_or_none(text: str) -> Json:
    try:
        return _value(text)
    except Refusal:
        return None


def _value(text: str) -> Json:
    """What a tool's message says.

    Raises:
        Refusal: the tool refused.
    """
    refused = _REFUSED.match(text)
    if refused:
        raise Refusal(refused.group(2), refused.group(1))
    try:
        return json.loads(text)
    except ValueError:
        return text


DomainScript = Callable[[DialogueContext], Script[None]]
"""A domain's script for the `rules` agent, in the entry-point group `toolgym.rules_agents` by the domain's name."""

_CLOSING = "Is there anything else that I can help you with?"


class ScriptPlayer:
    """Plays a script in one episode; once it is over, or was refused what it did not reckon with, a closing line.

    Args:
        script: what is played.
        briefing: what the agent was told.
    """

    def __init__(self, script: DomainScript, briefing: Briefing) -> None:
        self._script, self._briefing = script, briefing
        self._work: Script[None] | None = None
        self._read = 0

    async def act(self, messages: Sequence[Message]) -> Message:
        """The script's next message."""
        try:
            if self._work is None:
                opening, briefing = messages[-1].content or "", self._briefing
                self._work = self._script(DialogueContext(opening, briefing.profile, listening=briefing.listening))
                action = next(self._work)
            else:
                # the first unread message is the script's own last one
                action = self._work.send(messages[self._read + 1 :])
        except (StopIteration, Refusal):  # it is over, or refused what it did not reckon with
            action = Message(role="assistant", content=_CLOSING)
        self._read = len(messages)
        return action
