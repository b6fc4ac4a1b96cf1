"""A model's reply: the part of a chat completion that toolgym reads, and its text with the reasoning kept apart."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Annotated

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field
from pydantic_core import from_json

from toolgym.sandbox.formats.base import FormatError, is_blank, require_none_beside
from toolgym.sandbox.formats.thoughts import read_thoughts
from toolgym.sandbox.kit.message import Json, ToolCall
from toolgym.sandbox.kit.text import Text
from toolgym.sandbox.runtime.roles import Usage


def _joined(content: Json) -> Json:
    """The text of content that comes as a list of parts, as some endpoints send it; parts that are no text are left."""
    if not isinstance(content, list):
        return content
    texts = [part.get("text") for part in content if isinstance(part, dict)]
    return "".join(text for text in texts if isinstance(text, str))


def _counted(tokens: Json) -> int:
    """A count of tokens; 0 where an endpoint sends something else, for an answer is worth more than its count."""
    return tokens if type(tokens) is int and tokens >= 0 else 0


Content = Annotated[Text | None, BeforeValidator(_joined)]
Count = Annotated[int, BeforeValidator(_counted)]


class _Function(BaseModel):
    model_config = ConfigDict(extra="allow")

    name: Text
    arguments: Text | dict[str, Json] | None = None


class _Call(BaseModel):
    function: _Function


class _Message(BaseModel):
    content: Content = None
    refusal: Text | None = None
    reasoning_content: Text | None = None
    reasoning: Text | None = None
    tool_calls: list[_Call] | None = None


class _Choice(BaseModel):
    message: _Message
    finish_reason: str | None = None


def _object(sent: Json) -> Json:
    return sent if isinstance(sent, dict) else None


class _Details(BaseModel):
    cached_tokens: Count = 0


class _Tokens(BaseModel):
    prompt_tokens: Count = 0
    completion_tokens: Count = 0
    prompt_tokens_details: Annotated[_Details | None, BeforeValidator(_object)] = None

    @property
    def cached(self) -> int:
        """How many of the tokens read the endpoint still had from an earlier request."""
        return min(self.prompt_tokens_details.cached_tokens, self.prompt_tokens) if self.prompt_tokens_details else 0


class Completion(BaseModel):
    """What is read of a chat completion; unknown fields are ignored, missing necessary ones are a broken reply."""

    choices: list[_Choice] = Field(min_length=1)
    usage: Annotated[_Tokens | None, BeforeValidator(_object)] = None


@dataclass(frozen=True, slots=True)
class Reply:
    """One reply of a model.

    Attributes:
        text: what it says, reasoning removed; empty when it only calls tools or says nothing.
        raw: the text as received, reasoning tags included.
        tool_calls: native tool calls, without ids (the episode numbers them); arguments that are no JSON object stay
            text.
        hidden_reasoning: thoughts that came apart from the text, in `reasoning_content` or `reasoning`.
        reasoning: all its thoughts, those in `<think>` blocks included; None when there are none.
        refused: the text is a refusal, or the endpoint's filter withheld it.
        cut: the reply ended at its token limit.
        usage: what it cost.
        unclosed: thoughts are opened in the text and never closed.
        blank: how many calls say that they have no arguments in a way of their endpoint's own, such as `null`.
        fault: what is wrong with a native call that must not be made as it is; None where nothing is.
    """

    text: str
    raw: str
    tool_calls: tuple[ToolCall, ...]
    hidden_reasoning: str | None
    reasoning: str | None
    refused: bool
    cut: bool
    usage: Usage
    unclosed: bool = False
    blank: int = 0
    fault: FormatError | None = None


def read_reply(completion: Completion, usage: Usage) -> Reply:
    """The reply in a chat completion."""
    choice = completion.choices[0]
    message = choice.message
    raw = message.content or message.refusal or ""
    spoken = read_thoughts(raw, calls=False)
    hidden = message.reasoning_content or message.reasoning
    functions = [call.function for call in message.tool_calls or ()]
    return Reply(
        text=spoken.words.strip(),
        raw=raw,
        tool_calls=tuple(_call(function) for function in functions),
        hidden_reasoning=hidden,
        reasoning=joined(hidden, (spoken.thoughts or "").strip()),
        refused=bool(message.refusal) or choice.finish_reason == "content_filter",
        cut=choice.finish_reason == "length",
        usage=usage,
        unclosed=spoken.unclosed is not None,
        blank=sum(_is_odd_blank(function.arguments) for function in functions),
        fault=next(filter(None, map(_fault, functions)), None),
    )


def joined(*thoughts: str | None) -> str | None:
    """Thoughts of several places in one text; None when there are none."""
    return "\n".join(part for part in thoughts if part) or None


def _is_odd_blank(arguments: str | dict[str, Json] | None) -> bool:
    return isinstance(arguments, str) and arguments not in ("", "{}") and is_blank(arguments)


def _fault(function: _Function) -> FormatError | None:
    """Why a call must not be made: it has no arguments, but something stands beside its name."""
    if function.arguments and not (isinstance(function.arguments, str) and is_blank(function.arguments)):
        return None
    record = function.model_dump()
    try:
        require_none_beside({name: value for name, value in record.items() if value is not None}, json.dumps(record))
    except FormatError as error:
        return error
    return None


def _call(function: _Function) -> ToolCall:
    arguments = function.arguments if function.arguments is not None else {}
    if isinstance(arguments, str):
        try:
            parsed = {} if is_blank(arguments) else from_json(arguments, allow_inf_nan=False)
        except ValueError:
            parsed = None
        arguments = parsed if isinstance(parsed, dict) else arguments
    return ToolCall(name=function.name, arguments=arguments)
