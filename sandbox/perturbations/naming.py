"""Other names for tools and their parameters: how an agent is shown them, and how what it calls is understood.

What keeps its old name in the agent's hands does not exist: a name known by heart is refused as any unknown one is.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from copy import deepcopy
from random import Random
from typing import Any

from toolgym.sandbox.kit.message import Json, Message, ToolCall

_NOT_OFFERED = "not offered: "
"""Stands before a true name that the agent was never shown, so that the session knows nothing of that name."""
_REFUSED = re.compile(r"Error: .*\[(\w+)\]\Z", re.DOTALL)
_SYNONYMS = {
    "get": ("fetch", "read", "retrieve"),
    "find": ("locate", "look_up"),
    "search": ("query", "browse"),
    "list": ("show", "enumerate"),
    "update": ("change", "edit"),
    "modify": ("change", "alter"),
    "cancel": ("call_off", "revoke"),
    "create": ("make", "set_up"),
    "send": ("issue", "dispatch"),
    "calculate": ("compute",),
    "details": ("record", "info"),
    "id": ("key", "ref"),
}


def _joined(words: Sequence[str]) -> str:
    return "_".join(words)


def _capitals(words: Sequence[str]) -> str:
    return "".join(word.capitalize() for word in "_".join(words).split("_"))


def _camel(words: Sequence[str]) -> str:
    text = _capitals(words)
    return text[0].lower() + text[1:]


Style = Callable[[Sequence[str]], str]
_TOOL_STYLES: tuple[Style, ...] = (
    _camel,
    _capitals,
    lambda words: _joined([*words[1:], words[0]]),
    lambda words: f"api_{_joined(words)}",
)
_PARAMETER_STYLES: tuple[Style, ...] = (
    _capitals,
    lambda words: f"in_{_joined(words)}",
    lambda words: f"{_joined(words)}_value",
)


class Names:
    """The names of one episode.

    Args:
        tools: OpenAI's `tools` list with the true names.
        rng: draws the others.

    Attributes:
        tools: the shown name of every tool, by its true one.
        parameters: the shown name of every parameter, by its true one, of every tool.
    """

    def __init__(self, tools: Sequence[dict[str, Any]], rng: Random) -> None:
        bodies = {str(entry["function"]["name"]): entry["function"]["parameters"] for entry in tools}
        self.tools = _drawn(bodies, rng.choice(_TOOL_STYLES), rng)
        style = rng.choice(_PARAMETER_STYLES)
        self.parameters = {name: _drawn(body.get("properties", {}), style, rng) for name, body in bodies.items()}
        self._true = {shown: name for name, shown in self.tools.items()}

    # --- what the agent is shown ---

    def text(self, text: str) -> str:
        """Prose with the shown names of tools; a name that is a usual word is left alone."""
        return _replaced(text, {name: shown for name, shown in self.tools.items() if "_" in name})

    def entry(self, entry: dict[str, Any]) -> dict[str, Any]:
        """An entry of OpenAI's `tools` list in the shown names."""
        body = deepcopy(entry["function"])
        names, schema = self.parameters[body["name"]], body["parameters"]
        prose = {name: shown for name, shown in names.items() if "_" in name}
        for each in (body, *schema.get("properties", {}).values()):
            if isinstance(each.get("description"), str):
                each["description"] = _replaced(self.text(each["description"]), prose)
        schema["properties"] = {names[name]: value for name, value in schema.get("properties", {}).items()}
        if "required" in schema:
            schema["required"] = [names[name] for name in schema["required"]]
        return {**entry, "function": {**body, "name": self.tools[body["name"]]}}

    def shown(self, message: Message) -> Message:
        """A message as the agent sees it."""
        if message.role == "tool" and message.name is not None:
            name = message.name.removeprefix(_NOT_OFFERED)
            update = {"name": self.tools.get(message.name, name), "content": self._shown_result(message)}
            return message.model_copy(update=update)
        return _with_calls(message, self._shown_call)

    def _shown_call(self, call: ToolCall) -> ToolCall:
        names = self.parameters.get(call.name, {})
        return _renamed(call, self.tools.get(call.name, call.name.removeprefix(_NOT_OFFERED)), names)

    def _shown_result(self, message: Message) -> str | None:
        refused = _REFUSED.match(message.content or "")
        if refused is None or message.content is None:
            return message.content
        names = dict(self.tools)
        if refused[1] == "invalid_arguments":
            names |= self.parameters.get(message.name or "", {})
        before, mark, after = message.content.partition(_NOT_OFFERED)
        if not mark:
            return _replaced(message.content, names)
        called, end, rest = after.partition("'")  # what the agent called stays in its own words
        return f"{_replaced(before, names)}{called}{end}{_replaced(rest, names)}"

    # --- what the agent means ---

    def true(self, message: Message) -> Message:
        """An agent's message in true names."""
        return _with_calls(message, self._true_call)

    def _true_call(self, call: ToolCall) -> ToolCall:
        name = self._true.get(call.name)
        if name is None:
            return call.model_copy(update={"name": _NOT_OFFERED + call.name}) if call.name in self.tools else call
        names = self.parameters[name]
        back = {true: _NOT_OFFERED + true for true in names} | {shown: true for true, shown in names.items()}
        return _renamed(call, name, back)


def _drawn(names: Iterable[str], style: Style, rng: Random) -> dict[str, str]:
    """Another name for each, no two alike and none that another one had."""
    every = list(names)
    found: dict[str, str] = {}
    for name in every:
        words = [rng.choice(_SYNONYMS[word]) if word in _SYNONYMS else word for word in name.split("_")]
        shown = style(words)
        while shown in found.values() or shown in every:
            shown += "_2"
        found[name] = shown
    return found


def _replaced(text: str, names: Mapping[str, str]) -> str:
    """A text with whole words replaced."""
    if not names:
        return text
    pattern = "|".join(map(re.escape, sorted(names, key=len, reverse=True)))
    return re.sub(rf"(?<!\w)(?:{pattern})(?!\w)", lambda match: names[match[0]], text)


def _with_calls(message: Message, change: Callable[[ToolCall], ToolCall]) -> Message:
    if not message.tool_calls:
        return message
    return message.model_copy(update={"tool_calls": tuple(change(call) for call in message.tool_calls)})


def _renamed(call: ToolCall, name: str, parameters: Mapping[str, str]) -> ToolCall:
    return call.model_copy(update={"name": name, "arguments": _with_names(call.arguments, parameters)})


def _with_names(arguments: dict[str, Json] | str, names: Mapping[str, str]) -> dict[str, Json] | str:
    if isinstance(arguments, str):
        try:
            read = json.loads(arguments)
        except ValueError:
            return arguments
        if not isinstance(read, dict):
            return arguments
        arguments = read
    return {names.get(name, name): value for name, value in arguments.items()}
