"""Inspect's models in our roles: the agent, the user and the judge ask `model.generate` in place of an endpoint.

What a provider answered goes back to it as it was, with its thoughts' signatures and its own call ids.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from inspect_ai.model import ChatMessage, ChatMessageAssistant, ContentReasoning, Model, ModelOutput
from inspect_ai.tool import ToolInfo

from toolgym.judge.interop.inspect.messages import from_chat, to_inspect, tool_infos
from toolgym.sandbox.formats.thoughts import read_thoughts
from toolgym.sandbox.kit.errors import InfrastructureError
from toolgym.sandbox.kit.message import Json, ToolCall
from toolgym.sandbox.models.reply import Reply, joined
from toolgym.sandbox.models.settings import Role
from toolgym.sandbox.runtime.roles import Usage


class InspectClient:
    """Answers for a role's model in one sample.

    Args:
        model: Inspect's.
        role: who it plays.
        watch: told the conversation, the newest answer included, whenever there is one.

    Attributes:
        name: the model's name.
        failure: what the model raised last; None where nothing was.
        output: its last answer.
    """

    def __init__(self, model: Model, role: Role, watch: Callable[[list[ChatMessage]], None] | None = None) -> None:
        self._model, self._role, self._watch = model, role, watch
        self.name = str(model)
        self.failure: Exception | None = None
        self.output: ModelOutput | None = None
        self._records: list[Mapping[str, Json]] = []
        self._shown: list[ChatMessage] = []
        self._answers: list[ChatMessageAssistant] = []
        self._call_ids: dict[str, str] = {}
        self._tools: tuple[Sequence[Mapping[str, Json]], list[ToolInfo]] = ((), [])

    async def complete(
        self,
        messages: Sequence[Mapping[str, Json]],
        *,
        tools: Sequence[Mapping[str, Json]] = (),
        response_format: Mapping[str, Json] | None = None,
        seed: int | None = None,
    ) -> Reply:
        """The model's reply to a conversation; how it is sampled is Inspect's to say.

        Raises:
            InfrastructureError: boundary `model`; the provider answered with nothing at all.
        """
        self._show(messages)
        if self._tools[0] is not tools:
            self._tools = (tools, tool_infos(tools))
        try:
            self.output = await self._model.generate(list(self._shown), tools=self._tools[1])
            if self.output.empty:
                raise InfrastructureError(
                    "model", f"{self._model} gave no answer ({self.output.error or 'no reason'})."
                )
            if self._watch is not None:
                self._watch([*self._shown, self.output.message])
        except Exception as error:  # kept, so that the sample ends as Inspect's own solvers end it
            self.failure = error
            raise
        self._answers.append(self.output.message)
        return read_output(self.output, self._role)

    def _show(self, messages: Sequence[Mapping[str, Json]]) -> None:
        """The conversation in Inspect's form; what was shown before stays the same message."""
        same = 0
        for before, now in zip(self._records, messages, strict=False):
            if before != now:
                break
            same += 1
        self._shown = self._shown[:same] + [self._converted(record) for record in messages[same:]]
        self._records = list(messages)

    def _converted(self, record: Mapping[str, Json]) -> ChatMessage:
        if record["role"] == "assistant":
            own = next((answer for answer in reversed(self._answers) if _says(answer, record)), None)
            if own is not None:
                ours = (call["id"] for call in record.get("tool_calls") or ())
                self._call_ids |= dict(zip(ours, (call.id for call in own.tool_calls or ()), strict=True))
                return own
        message = from_chat(record)
        if message.tool_call_id is not None:
            message = message.model_copy(
                update={"tool_call_id": self._call_ids.get(message.tool_call_id, message.tool_call_id)}
            )
        return to_inspect(message)


def _says(answer: ChatMessageAssistant, record: Mapping[str, Json]) -> bool:
    """Whether a record of the conversation is an answer of the model."""
    made = [(call.function, _arguments(call)) for call in answer.tool_calls or ()]
    functions = [call["function"] for call in record.get("tool_calls") or ()]
    try:
        recorded = [(function["name"], json.loads(function["arguments"])) for function in functions]
    except ValueError:
        return False
    said = (answer.text.strip(), read_thoughts(answer.text, calls=False).words.strip())
    return made == recorded and (record["content"] or "").strip() in said


def _arguments(call: Any) -> dict[str, Json]:
    return {"unreadable": call.parse_error} if call.parse_error else call.arguments


def read_output(output: ModelOutput, role: Role) -> Reply:
    """What we read of a model's output."""
    message, raw = output.message, output.completion
    content = message.content if isinstance(message.content, list) else []
    hidden = "\n".join(part.reasoning for part in content if isinstance(part, ContentReasoning)) or None
    spoken = read_thoughts(raw, calls=False)
    usage = output.usage
    return Reply(
        text=spoken.words.strip(),
        raw=raw,
        tool_calls=tuple(
            ToolCall(name=call.function, arguments=call.parse_error or call.arguments)
            for call in message.tool_calls or ()
        ),
        hidden_reasoning=hidden,
        reasoning=joined(hidden, (spoken.thoughts or "").strip()),
        refused=output.stop_reason == "content_filter",
        cut=output.stop_reason in ("max_tokens", "model_length"),
        usage=Usage(
            role=role,
            prompt_tokens=usage.input_tokens if usage else 0,
            completion_tokens=usage.output_tokens if usage else 0,
            seconds=output.time or 0.0,
        ),
        unclosed=spoken.unclosed is not None,
    )
