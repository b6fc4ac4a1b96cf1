"""The LLM agent: any OpenAI-compatible model, with native tool calls or one of the text formats.

A reply that cannot be read as a message or calls goes back to the model with the reason, a bounded number of times, and
then counts as unread; how often is noted in the trajectory (`info.agent`), as is what hints at an endpoint that is set
up wrongly. Calls that a tool refuses are the episode's business.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from toolgym.sandbox.formats import Format, FormatError, get_format
from toolgym.sandbox.formats.action import read_action
from toolgym.sandbox.formats.program import ProgramFormat, parse_program
from toolgym.sandbox.formats.stray import repaired, require_no_stray
from toolgym.sandbox.kit.errors import BadInput, Unreadable
from toolgym.sandbox.kit.message import Json, Message
from toolgym.sandbox.models.chat import WAV, sound, to_chat
from toolgym.sandbox.models.client import ChatClient, ModelGiven, client_for
from toolgym.sandbox.models.constrain import action, program, response_format
from toolgym.sandbox.models.reply import Reply, joined
from toolgym.sandbox.runtime.instructions import instructions, work
from toolgym.sandbox.runtime.roles import Briefing, Usage

NATIVE = "native"

_ATTEMPTS = 3
"""Replies asked for per step before the last one is taken as it is."""


class LLMAgent:
    """Plays the agent with a language model.

    Args:
        model: the model's settings, their fields, or its name; the environment (TOOLGYM_AGENT_MODEL, ...) fills in. Or
            a client that answers in its place.
        format: how calls are written: `native` uses the endpoint's tool calls, any other name is a text format.
        schema: sends each step's JSON schema along, for endpoints that constrain generation by it; needs the format
            `openai`, and allows one call a step, in a program up to eight.
        repair: makes the calls of a reply that cannot be read where their meaning is beyond doubt, such as those in a
            fenced block, instead of sending it back.
    """

    privileged = False
    hears = "audio"

    def __init__(
        self,
        model: ModelGiven = None,
        *,
        format: str = NATIVE,
        schema: bool = False,
        repair: bool = False,
    ) -> None:
        if schema and format != "openai":
            raise BadInput(f"The agent's option schema needs format=openai; got format={format}.")
        self._client = client_for("agent", model)
        self._format = None if format == NATIVE else get_format(format)
        self._schema, self._repair = schema, repair

    def open(self, briefing: Briefing) -> _Player:
        """Start an episode."""
        bound = program if briefing.program else action
        form = response_format("step", bound(briefing.tools)) if self._schema else None
        return _Player(self._client, self._format, form, briefing, repair=self._repair)


class _Player:
    """One agent in one episode."""

    def __init__(
        self,
        client: ChatClient,
        text_format: Format | None,
        form: dict[str, Json] | None,
        briefing: Briefing,
        *,
        repair: bool = False,
    ) -> None:
        self._client, self._format, self._form, self._seed = client, text_format, form, briefing.seed
        self._system = _text("system", system_prompt(briefing, text_format))
        self._tools = briefing.tools if text_format is None else ()
        self._names = frozenset(tool["function"]["name"] for tool in briefing.tools)
        self._program, self._repair = briefing.program, repair
        self._usage: list[Usage] = []
        self._faults: Counter[str] = Counter()
        self._noticed: Counter[str] = Counter()
        self._steps = 0

    @property
    def notes(self) -> dict[str, Json] | None:
        """How many replies could not be used, by fault, and what was odd about others; None when nothing was."""
        counted = {"unusable_replies": self._faults, "noticed": self._noticed}
        return {name: dict(sorted(counts.items())) for name, counts in counted.items() if counts} or None

    def take_usage(self) -> list[Usage]:
        """What the replies since the last call cost."""
        taken, self._usage = self._usage, []
        return taken

    async def act(self, messages: Sequence[Message]) -> Message:
        """The model's next step.

        Raises:
            Unreadable: no reply can be read, or a program cannot; how often that may happen is for the episode to say.
        """
        prompt = [self._system, *self._shown(messages)]
        problem: BadInput | None = None
        for _ in range(_ATTEMPTS):
            self._steps += 1
            reply = await self._client.complete(
                prompt, tools=self._tools, response_format=self._form, seed=self._seed + self._steps
            )
            self._usage.append(reply.usage)
            try:
                return self._read(reply)
            except BadInput as error:
                if self._program:
                    raise Unreadable(str(error), reply.raw) from None
                advice = f"[This reply was not sent. {error} Write your next step again.]"
                prompt += [_text("assistant", reply.raw.strip() or "[nothing]"), _text("user", advice)]
                problem = error
        if isinstance(problem, FormatError):
            raise problem
        return Message(role="assistant", content=reply.text, reasoning=reply.reasoning)

    def _read(self, reply: Reply) -> Message:
        """The message in a reply.

        Raises:
            BadInput: the reply holds none; the sentence is meant for the model.
        """
        self._noticed += Counter(cut=int(reply.cut), blank_arguments=reply.blank)
        if not reply.text and not reply.tool_calls:
            self._faults["empty"] += 1
            cut = " It reached the token limit before an answer began; think less." if reply.cut else ""
            raise BadInput(f"It holds neither text nor a tool call.{cut}")
        try:
            message = self._native(reply) if self._format is None else self._in_text(reply, self._format)
        except FormatError as error:
            self._faults[error.kind] += 1
            written = error.text if error is reply.fault else reply.raw
            mended = repaired(written, self._names) if self._repair and not self._program else None
            if mended is None:
                raise
            self._noticed["repaired"] += 1
            message = mended.model_copy(update={"reasoning": joined(reply.hidden_reasoning, mended.reasoning)})
        return message

    def _native(self, reply: Reply) -> Message:
        if reply.fault is not None:
            raise reply.fault
        if reply.unclosed and not reply.tool_calls:
            raise FormatError("Its thoughts never end", reply.raw, kind="unclosed_thoughts")
        message = Message(
            role="assistant", content=reply.text or None, tool_calls=reply.tool_calls, reasoning=reply.reasoning
        )
        require_no_stray(message, self._names)
        return message

    def _in_text(self, reply: Reply, text_format: Format) -> Message:
        if self._program:
            message = parse_program(reply.raw, text_format)
        else:
            message = read_action(reply.raw, text_format, self._names)
        return message.model_copy(update={"reasoning": joined(reply.hidden_reasoning, message.reasoning)})

    def _shown(self, messages: Sequence[Message]) -> list[dict[str, Json]]:
        """The conversation as the model is shown it."""
        if self._format is None:
            return [to_chat(message) for message in messages]
        return shown_as_text(messages, self._format, program=self._program)


def system_prompt(briefing: Briefing, text_format: Format | None) -> str:
    """What a model is told before an episode, in evaluation and in training; tools are listed for a text format."""
    if briefing.program and isinstance(text_format, ProgramFormat):
        return f"{work(briefing)}\n\n{text_format.program_tools(briefing.tools)}"
    told = instructions(briefing)
    if text_format is None:
        return told
    gap = "\n" if briefing.program else "\n\n"
    return f"{told}{gap}{text_format.render_tools(briefing.tools)}"


def shown_as_text(messages: Sequence[Message], text_format: Format, *, program: bool = False) -> list[dict[str, Json]]:
    """A conversation in a text format as chat messages; neighbours of one side are joined into one message."""
    nothing = text_format.no_call if program and isinstance(text_format, ProgramFormat) else "[nothing]"
    shown: list[dict[str, Json]] = []
    for message in messages:
        role = "assistant" if message.role == "assistant" else "user"
        spoken = message.audio is not None and message.audio.startswith(WAV)
        text = "" if spoken else text_format.render(message) or (nothing if role == "assistant" else "[nothing]")
        if not shown or shown[-1]["role"] != role:
            shown.append(_text(role, text))
        elif text:
            before = shown[-1]["content"]
            shown[-1]["content"] = [*before, _part(text)] if isinstance(before, list) else f"{before}\n{text}"
        if message.audio is not None and spoken:
            before = shown[-1]["content"]
            parts = before if isinstance(before, list) else [_part(before)] if before else []
            shown[-1]["content"] = [*parts, sound(message.audio)]
    return shown


def _part(text: str) -> dict[str, Json]:
    return {"type": "text", "text": text}


def _text(role: str, content: str) -> dict[str, Json]:
    return {"role": role, "content": content}
