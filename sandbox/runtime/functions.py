"""Functions in the place of an agent, `(messages, tools) -> str | calls`, and of a user, `(messages, task) -> str`."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from pydantic import ValidationError

from toolgym.sandbox.kit.errors import InfrastructureError
from toolgym.sandbox.kit.message import STOP, Json, Message, ToolCall
from toolgym.sandbox.kit.task import Task
from toolgym.sandbox.runtime.instructions import instructions
from toolgym.sandbox.runtime.parts import Function

if TYPE_CHECKING:
    from toolgym.sandbox.runtime.roles import Briefing

_AGENT = "text, calls as a list of {name, arguments}, or an assistant message in OpenAI's form"
_USER = f"text ({STOP} in it ends the conversation), or calls as a list of {{name, arguments}}"


class FunctionAgent:
    """Plays the agent with a function.

    It is called once a step with the conversation so far and the tools, both in OpenAI's form: first a system message
    with the policy and how to work under it, then the user's messages, its own ones with their calls, and for each call
    a `tool` message with the result. A refusal is such a result too; it begins with `Error:` and ends with a code in
    brackets.

    Args:
        function: the function.

    Raises:
        BadInput: it does not take two arguments.
    """

    privileged = False

    def __init__(self, function: Function) -> None:
        self._function = function.takes("messages", "tools")

    def open(self, briefing: Briefing) -> _AgentPlayer:
        """Start an episode."""
        return _AgentPlayer(self._function, briefing)


class _AgentPlayer:
    def __init__(self, function: Function, briefing: Briefing) -> None:
        self._function, self._briefing = function, briefing
        self._system = Message(role="system", content=instructions(briefing)).to_openai()

    async def act(self, messages: Sequence[Message]) -> Message:
        """What the function answers.

        Raises:
            InfrastructureError: it returned something that is no message.
        """
        shown = [self._system, *(message.to_openai() for message in messages)]
        tools: list[dict[str, Json]] = json.loads(json.dumps(list(self._briefing.tools)))  # to do with as it likes
        returned = await self._function(shown, tools)
        try:
            return as_message("assistant", returned)
        except (ValidationError, TypeError, KeyError, AttributeError):
            raise InfrastructureError("model", self._function.odd(returned, _AGENT)) from None


class FunctionUser:
    """Plays the user with a function.

    It is called with the conversation as the user sees it, in OpenAI's form and empty at first, and with the `Task`:
    `task.scenario` says in words who the user is and what it wants.

    Args:
        function: the function.

    Raises:
        BadInput: it does not take two arguments.
    """

    def __init__(self, function: Function) -> None:
        self._function = function.takes("messages", "task")

    def open(self, task: Task, *, seed: int, tools: Sequence[dict[str, Json]] = ()) -> _UserPlayer:
        """Start an episode."""
        return _UserPlayer(self._function, task)


class _UserPlayer:
    def __init__(self, function: Function, task: Task) -> None:
        self._function, self._task = function, task

    async def reply(self, messages: Sequence[Message]) -> Message:
        """What the function answers.

        Raises:
            InfrastructureError: it returned something that is no message.
        """
        returned = await self._function([message.to_openai() for message in messages], self._task)
        try:
            return as_message("user", returned)
        except (ValidationError, TypeError, KeyError, AttributeError):
            raise InfrastructureError("user", self._function.odd(returned, _USER)) from None


def as_message(role: Any, value: Any) -> Message:
    """What a function returned, as a message.

    Args:
        role: whose message it is.
        value: a `Message`, text, one call or several, or a message in OpenAI's form (a dictionary, or the object of
            the `openai` package).

    Raises:
        ValidationError, TypeError, KeyError, AttributeError: it is none of these.
    """
    if isinstance(value, Message):
        return value
    if isinstance(value, str):
        return Message(role=role, content=value)
    if hasattr(value, "model_dump") and not isinstance(value, ToolCall):
        value = value.model_dump()
    if isinstance(value, Mapping) and ("content" in value or "tool_calls" in value):
        calls, content = value.get("tool_calls") or (), value.get("content")
        if not calls and content is None:
            raise TypeError(value)
        return Message(role=role, content=content, tool_calls=tuple(map(_call, calls)))
    several = value if isinstance(value, Sequence) else [value]
    if not several:
        raise TypeError(value)
    return Message(role=role, tool_calls=tuple(map(_call, several)))


def _call(value: Any) -> ToolCall:
    if isinstance(value, ToolCall):
        return value
    function = value.get("function", value)
    arguments = function.get("arguments") or {}
    return ToolCall(id=value.get("id") or "", name=function["name"], arguments=_read(arguments))


def _read(arguments: Any) -> Any:
    """Arguments that are the JSON text of an object, as the object; other text stays, and is refused as a call."""
    if not isinstance(arguments, str):
        return arguments
    try:
        read = json.loads(arguments)
    except ValueError:
        return arguments
    return read if isinstance(read, dict) else arguments
