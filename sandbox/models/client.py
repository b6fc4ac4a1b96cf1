"""The one client for every model role: asks an endpoint, retries, counts tokens and dollars, remembers replies.

A reply that cannot be had after all retries is an infrastructure failure of boundary `model`, never an empty answer.
"""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, Protocol, runtime_checkable

from pydantic import ValidationError

from toolgym.sandbox.kit.errors import InfrastructureError, InvalidValue, first_invalid
from toolgym.sandbox.kit.message import Json
from toolgym.sandbox.models.cache import key_of, open_cache
from toolgym.sandbox.models.chat import holds_audio
from toolgym.sandbox.models.endpoint import Endpoint, endpoint_at
from toolgym.sandbox.models.reply import Completion, Reply, read_reply
from toolgym.sandbox.models.settings import ModelSettings, Role, settings_for
from toolgym.sandbox.runtime.roles import Usage

if TYPE_CHECKING:  # it loads slowly, and most runs ask no model: whoever asks one imports it
    import openai

_SUBSTITUTES = {"seed": None, "max_tokens": "max_completion_tokens"}
"""Parameters that some endpoints refuse, and what takes their place there (None: leave it out)."""

_LARGEST_SEED = 2**31 - 1
"""Servers keep seeds in 32 bits."""

_NO_AUDIO = (
    " The request holds audio; if this model takes only text, put a recogniser before it: --agent-input asr (the "
    "cascade)."
)


@runtime_checkable
class ChatClient(Protocol):
    """Whatever answers for a model: `ModelClient`, or another framework's models.

    Attributes:
        name: the model's name.
    """

    name: str

    async def complete(
        self,
        messages: Sequence[Mapping[str, Json]],
        *,
        tools: Sequence[Mapping[str, Json]] = (),
        response_format: Mapping[str, Json] | None = None,
        seed: int | None = None,
    ) -> Reply:
        """The model's reply to a conversation, as `ModelClient.complete`."""
        ...


ModelGiven = ChatClient | ModelSettings | Mapping[str, Any] | str | None
"""What a role's option `model` takes: who answers, or the settings, their fields or the name of an endpoint's model."""


def client_for(role: Role, model: ModelGiven) -> ChatClient:
    """Who answers for a role's model (BadInput where none is named)."""
    return model if isinstance(model, ChatClient) else ModelClient(settings_for(role, model))


class ModelClient:
    """Asks one role's model.

    Args:
        settings: which model, where, how.
    """

    def __init__(self, settings: ModelSettings) -> None:
        self.settings, self.name = settings, settings.model
        self._address = (*settings.address(), settings.concurrency)

    async def complete(
        self,
        messages: Sequence[Mapping[str, Json]],
        *,
        tools: Sequence[Mapping[str, Json]] = (),
        response_format: Mapping[str, Json] | None = None,
        seed: int | None = None,
    ) -> Reply:
        """The model's reply to a conversation.

        Args:
            messages: in OpenAI's chat format.
            tools: OpenAI's `tools` list.
            response_format: a JSON schema the reply must follow, as OpenAI's `response_format`, where supported.
            seed: for reproducible sampling, where supported.

        Raises:
            InfrastructureError: boundary `model`; no usable reply after all retries.
        """
        settings = self.settings
        wanted = {
            "model": settings.model,
            "messages": list(messages),
            "tools": list(tools) or None,
            "response_format": response_format,
            "temperature": settings.temperature,
            "max_tokens": settings.max_tokens,
            "seed": None if seed is None else seed % _LARGEST_SEED,
        }
        request = {name: value for name, value in wanted.items() if value is not None}
        started = time.perf_counter()
        endpoint = await endpoint_at(self._address)
        replies = open_cache(settings.cache.absolute()) if settings.cache else None
        key = key_of(endpoint.name, request) if replies is not None else ""
        stored = replies.get(key) if replies is not None else None
        if stored is not None:
            completion = Completion.model_validate_json(stored)
        else:
            completion = await self._ask(endpoint, request)
            if replies is not None:
                replies.put(key, completion.model_dump_json(exclude_none=True))
        return read_reply(completion, self._usage(completion, time.perf_counter() - started, stored is not None))

    def _usage(self, completion: Completion, seconds: float, cached: bool) -> Usage:
        tokens, price = completion.usage, self.settings.price
        read, written, known = (tokens.prompt_tokens, tokens.completion_tokens, tokens.cached) if tokens else (0, 0, 0)
        return Usage(
            role=self.settings.role,
            prompt_tokens=read,
            completion_tokens=written,
            dollars=price.dollars(read, written, known) if price and not cached else 0.0,
            seconds=seconds,
            cached=cached,
        )

    async def _ask(self, endpoint: Endpoint, request: Mapping[str, Json]) -> Completion:
        """A well-formed completion; the package retries the transport, this retries replies that are no completion."""
        import openai

        async with endpoint.limit:
            for _ in range(self.settings.retries + 1):
                try:
                    return Completion.model_validate_json(await self._send(endpoint, request))
                except ValidationError as error:
                    problem = _unusable(first_invalid(error))
                except openai.OpenAIError as error:
                    sentence = self._sentence(endpoint, error)
                    if isinstance(error, openai.APIStatusError) and holds_audio(request["messages"]):
                        sentence += _NO_AUDIO
                    raise InfrastructureError("model", sentence) from error
        raise InfrastructureError("model", f"{self._who(endpoint)} answers with {problem}.")

    async def _send(self, endpoint: Endpoint, request: Mapping[str, Json]) -> str:
        """The body of the endpoint's answer; a parameter that it refuses is sent once only."""
        import openai

        while True:
            body = self._adapted(endpoint, request)
            settings = self.settings
            client = endpoint.client.with_options(timeout=settings.timeout, max_retries=settings.retries)
            try:
                answer = await client.chat.completions.with_raw_response.create(**body)
                return answer.text
            except openai.APIStatusError as error:
                refused = _refused_parameter(error, body)
                if refused is None:
                    raise
                endpoint.rejected.add((settings.model, refused))

    def _adapted(self, endpoint: Endpoint, request: Mapping[str, Json]) -> dict[str, Json]:
        body = dict(request)
        for name, substitute in _SUBSTITUTES.items():
            if name in body and (self.settings.model, name) in endpoint.rejected:
                value = body.pop(name)
                if substitute:
                    body[substitute] = value
        return body

    def _who(self, endpoint: Endpoint) -> str:
        return f"The {self.settings.role}'s model {self.settings.model!r} at {endpoint.name}"

    def _sentence(self, endpoint: Endpoint, error: openai.OpenAIError) -> str:
        import openai

        who, settings = self._who(endpoint), self.settings
        if isinstance(error, openai.APITimeoutError):
            return f"{who} gave no answer in {settings.timeout:g} s, {settings.retries + 1} times."
        if isinstance(error, openai.APIConnectionError):
            return f"{who} cannot be reached ({settings.retries + 1} attempts): {error.__cause__ or error}"
        if isinstance(error, openai.AuthenticationError | openai.PermissionDeniedError):
            # the endpoint's own words may quote the key
            return (
                f"{who} refuses the key ({error.status_code}); set TOOLGYM_{settings.role.upper()}_API_KEY in the "
                "environment."
            )
        if isinstance(error, openai.APIStatusError):
            return f"{who} answers {error.status_code}: {error.message[:300]}"
        return f"{who} failed: {error}"


def _unusable(problem: InvalidValue) -> str:
    """What an answer is that is no chat completion."""
    if problem.kind == "json_invalid":
        return f"something else than JSON: {problem.message}"
    if problem.kind == "too_short":
        return "an empty list of choices: it generated nothing; look into its log"
    return f"JSON that is no chat completion: {problem.sentence}"


def _refused_parameter(error: openai.APIStatusError, body: Mapping[str, Json]) -> str | None:
    """The parameter with a substitute that an endpoint says it does not take."""
    if error.status_code not in {400, 422}:
        return None
    named = (name for name in _SUBSTITUTES if name in body and (error.param == name or f"'{name}'" in error.message))
    return next(named, None)
