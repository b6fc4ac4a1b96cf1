"""What a domain's script for the `rules` agent works with: it speaks, listens and calls tools, as one generator.

A script is a generator function of a `DialogueContext`; it reads from top to bottom like the conversation it holds. It
sees the conversation and the tools and nothing else.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Generator, Sequence
from typing import TypeVar

from sandbox.kit.errors import Refusal
from sandbox.kit.message import Json, Message, ToolCall

Value = TypeVar("Value")
Script = Generator[Message, Sequence[Message], Value]
"""A piece of a dialogue: it yields messages, is sent the feedback, and returns a value."""

_YES = re.compile(r"\b(?:yes|yeah|yep|sure|correct|go ahead|do it|please do|that's right|that is right|exactly)\b")
_NO = re.compile(r"\b(?:no|not|don't|wait|wrong|stop|actually|change of plan|changed my mind)\b")
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
        answer = (yield from self.say(f"{proposal} Shall I go ahead (yes/no)?")).lower()
        return _YES.search(answer) is not None and _NO.search(answer) is None

    def call(self, name: str, **arguments: Json) -> Script[Json]:
        """Call a tool; returns its value.

        Raises:
            Refusal: the tool refused.
        """
        feedback = yield Message(role="assistant", tool_calls=(ToolCall(name=name, arguments=arguments),))
        text = feedback[-1].content or "" if feedback else ""
        refused = _REFUSED.match(text)
        if refused:
            raise Refusal(refused.group(2), refused.group(1))
        try:
            return json.loads(text)
        except ValueError:
            return text


DomainScript = Callable[[DialogueContext], Script[None]]
"""A domain's script for the `rules` agent, in the entry-point group `toolgym.rules_agents` by the domain's name."""
