"""Connections of the `openai` engines: any OpenAI-compatible endpoint for speech, synchronous, with its own key.

Like `toolgym.sandbox.models.settings`: OPENAI_API_KEY never travels to an address that was given explicitly.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import TypeVar

import openai

from toolgym.sandbox.kit.errors import Boundary, ConfigurationError, InfrastructureError
from toolgym.sandbox.kit.masking import masked, meet
from toolgym.sandbox.models.settings import http_url

Value = TypeVar("Value")


class SpeechEndpoint:
    """One endpoint.

    Args:
        role: `tts` or `asr`; its key is TOOLGYM_TTS_API_KEY or TOOLGYM_ASR_API_KEY.
        base_url: such as http://127.0.0.1:8000/v1; None takes TOOLGYM_TTS_BASE_URL (or ASR), then OPENAI_BASE_URL.
        timeout: seconds one attempt may take.
        retries: further attempts after 408, 409, 429, 5xx or a lost connection.
        boundary: where a failure is counted.

    Raises:
        ConfigurationError: there is neither an address nor a key.
    """

    def __init__(self, role: str, base_url: str | None, timeout: float, retries: int, boundary: Boundary) -> None:
        given = base_url or os.environ.get(f"TOOLGYM_{role.upper()}_BASE_URL")
        url = given or os.environ.get("OPENAI_BASE_URL")
        key = os.environ.get(f"TOOLGYM_{role.upper()}_API_KEY") or os.environ.get("TOOLGYM_API_KEY")
        if key is None and given is None:
            key = os.environ.get("OPENAI_API_KEY")
        if url is None and not key:
            raise ConfigurationError(
                f"The {role} engine 'openai' has no endpoint: give --{role}-options base_url=URL (or "
                f"TOOLGYM_{role.upper()}_BASE_URL), or set OPENAI_API_KEY."
            )
        if url is not None:
            try:
                http_url(url)
            except ValueError as error:
                raise ConfigurationError(f"The {role} engine's base_url {error}; got {url!r}.") from None
        self.client = openai.OpenAI(base_url=url, api_key=key or "none", timeout=timeout, max_retries=retries)
        meet(url)
        self.name = masked(str(self.client.base_url))
        self._role, self._boundary = role, boundary

    def ask(self, request: Callable[[openai.OpenAI], Value]) -> Value:
        """The answer to a request.

        Raises:
            InfrastructureError: no answer after all retries.
        """
        try:
            return request(self.client)
        except (openai.AuthenticationError, openai.PermissionDeniedError) as error:
            # the endpoint's own words may quote the key
            advice = f"set TOOLGYM_{self._role.upper()}_API_KEY in the environment"
            raise InfrastructureError(
                self._boundary, f"The {self._role} endpoint {self.name} refuses the key; {advice}."
            ) from error
        except openai.APIStatusError as error:
            said = f"answers {error.status_code}: {error.message[:300]}"
            raise InfrastructureError(self._boundary, f"The {self._role} endpoint {self.name} {said}") from error
        except openai.OpenAIError as error:
            said = f"cannot be reached: {error.__cause__ or error}"
            raise InfrastructureError(self._boundary, f"The {self._role} endpoint {self.name} {said}") from error
