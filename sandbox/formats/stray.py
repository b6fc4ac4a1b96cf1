"""Calls that stand in words: in tags, in a fence, as bare JSON or code, where nobody reads them as calls.

A model writes so where its endpoint has no parser of tool calls, or where it knows another form than it was asked for.
Such words are never meant for the user. Not for the forms themselves: each format reads its own.
"""

from __future__ import annotations

import json
import re
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass

from toolgym.sandbox.formats.base import FormatError, is_blank
from toolgym.sandbox.formats.direct import DirectFormat
from toolgym.sandbox.formats.thoughts import read_thoughts
from toolgym.sandbox.kit.message import Json, Message, ToolCall

_TAGS = re.compile(
    r"</?(?:tool_calls?|function_calls?|start_function_call|invoke|function)\b|<function=|\[TOOL_CALLS\]"
    r"|<\|(?:python_tag|tool_calls?|channel|action_start)|<｜tool",
    re.IGNORECASE,
)
"""How models mark calls in text: Hermes, Qwen, Granite, Gemma, Claude, Mistral, Llama, gpt-oss, InternLM, DeepSeek."""
_NAMES = ("name", "function", "tool", "tool_name", "action")
_ARGUMENTS = ("arguments", "parameters", "args", "input", "action_input")
_CODE = re.compile(r"^[`\s]*\[?\s*(?:functions\.)?(?P<name>\w+)\((?P<given>.*)\)\s*\]?[`\s]*$", re.MULTILINE)
"""A line that is a call as code, perhaps in a list: `[find_tickets(holder="Ada")]`."""
_VALUE = re.compile(r"[{\[]")
_DECODER = json.JSONDecoder()


@dataclass(frozen=True)
class StrayCalls:
    """What was found in words.

    Attributes:
        where: in which form, in words.
        offset: where the first one stands.
        calls: those that can be read, in order; none where the text is broken.
    """

    where: str
    offset: int
    calls: tuple[ToolCall, ...] = ()


def stray_calls(words: str, tools: Collection[str] = ()) -> StrayCalls | None:
    """The calls in words that are meant for the user; None where there are none.

    Args:
        words: what a message says, its thoughts apart.
        tools: the names of the tools that are offered; without them only what is marked as a call is taken for one.
    """
    found = list(_objects(words, tools))
    calls = tuple(call for _, call in found)
    tag = _TAGS.search(words)
    if tag is not None:
        return StrayCalls(f"marked by {tag[0]}", tag.start(), calls)
    if found:
        fenced = words.count("```", 0, found[0][0]) % 2
        return StrayCalls("in a fenced block" if fenced else "as JSON", found[0][0], calls)
    broken = _broken(words, tools)
    if broken is not None:
        return StrayCalls("as broken JSON", broken)
    code = next((match for match in _CODE.finditer(words) if match["name"] in tools), None)
    return None if code is None else StrayCalls("as code", code.start(), _from_code(words, tools))


def require_no_stray(message: Message, tools: Collection[str] = ()) -> None:
    """Refuse a message to the user that holds a call.

    Raises:
        FormatError: it does; the sentence is meant for the model.
    """
    if message.tool_calls or not message.content:
        return
    found = stray_calls(message.content, tools)
    if found is not None:
        reason = f"It holds a call {found.where}, which nobody reads as one: write calls in the form that is asked for"
        raise FormatError(reason, message.content, found.offset, kind="call_as_text")


def repaired(text: str, tools: Collection[str]) -> Message | None:
    """The calls in a text that could not be read, as far as their meaning is beyond doubt: each is of an offered tool.

    Arguments beside the name are taken for arguments. None where there is nothing to repair.
    """
    spoken = read_thoughts(text)
    found = stray_calls(spoken.words, tools)
    if found is None or not found.calls:
        return None
    if any(call.name not in tools or isinstance(call.arguments, str) for call in found.calls):
        return None
    return Message(role="assistant", tool_calls=found.calls, reasoning=spoken.thoughts)


def _objects(words: str, tools: Collection[str]) -> Iterator[tuple[int, ToolCall]]:
    """The calls among the JSON values in a text, each with its place."""
    position = 0
    while (match := _VALUE.search(words, position)) is not None:
        start = match.start()
        try:
            value, position = _DECODER.raw_decode(words, start)
        except (ValueError, RecursionError):
            position = start + 1
            continue
        yield from ((start, call) for call in _of(value, tools))


def _of(value: Json, tools: Collection[str]) -> Iterator[ToolCall]:
    """The calls that a JSON value is: one, a list, or OpenAI's message."""
    if isinstance(value, list):
        for item in value:
            yield from _of(item, tools)
    if not isinstance(value, Mapping):
        return
    inner = value.get("tool_calls") or value.get("function")
    if isinstance(inner, list | Mapping):
        yield from _of(inner, tools)
        return
    name = next((value[key] for key in _NAMES if isinstance(value.get(key), str)), None)
    given = next((value[key] for key in _ARGUMENTS if key in value), None)
    if name is None or not (name in tools or isinstance(given, Mapping)):
        return
    beside = {key: item for key, item in value.items() if key not in (*_NAMES, *_ARGUMENTS, "type", "id")}
    yield ToolCall(name=name, arguments=_arguments(given) or beside)


def _arguments(given: Json) -> dict[str, Json] | str:
    """A call's arguments; what is no object stays text."""
    if isinstance(given, Mapping):
        return dict(given)
    if given is None or (isinstance(given, str) and is_blank(given)):
        return {}
    try:
        value = json.loads(given) if isinstance(given, str) else given
    except (ValueError, RecursionError):
        value = given
    return value if isinstance(value, dict) else str(given)


def _broken(words: str, tools: Collection[str]) -> int | None:
    """Where JSON begins that is a call but for its end or a comma."""
    for match in re.finditer(r'"(?:name|function|tool)"\s*:\s*"(\w+)"', words):
        if match[1] in tools or re.search(r'"(?:arguments|parameters)"\s*:', words):
            return match.start()
    return None


def _from_code(words: str, tools: Collection[str]) -> tuple[ToolCall, ...]:
    written = (f"{m['name']}({m['given']})" for m in _CODE.finditer(words) if m["name"] in tools)
    try:
        return DirectFormat().parse(f"<tool_call>[{', '.join(written)}]</tool_call>").tool_calls
    except FormatError:
        return ()
