"""Speech from any endpoint with OpenAI's `/v1/audio/speech`; what it says is cached like every other engine's."""

from __future__ import annotations

import numpy as np

from toolgym.sandbox.kit.errors import BadInput, InfrastructureError
from toolgym.sandbox.speech.audio import RATE, Samples, read_wav, repitched
from toolgym.sandbox.speech.endpoint import SpeechEndpoint
from toolgym.sandbox.speech.engines import Voice

_SLOWEST, _FASTEST = 0.25, 4.0


class OpenAITTS:
    """Speaks through an endpoint; whether the same text gives the same audio is up to it.

    Args:
        model: its name at the endpoint.
        voices: the names of voices there, separated by commas.
        base_url: the endpoint; TOOLGYM_TTS_BASE_URL, OPENAI_BASE_URL or OpenAI itself by default.
        timeout: seconds one attempt may take.
        retries: further attempts.
    """

    def __init__(
        self,
        model: str = "gpt-4o-mini-tts",
        voices: str = "alloy,ash,coral,echo,sage",
        base_url: str | None = None,
        timeout: float = 60.0,
        retries: int = 5,
    ) -> None:
        self._endpoint = SpeechEndpoint("tts", base_url, timeout, retries, "user")
        self._model = model
        self.voices = tuple(name.strip() for name in voices.split(",") if name.strip())
        self.identity = f"openai {self._endpoint.name} {model}"

    def speak(self, text: str, voice: Voice) -> Samples:
        """The text as audio.

        Raises:
            InfrastructureError: boundary `user`; no answer, or one that holds no usable WAV.
        """
        speed = min(_FASTEST, max(_SLOWEST, voice.rate / voice.pitch))
        content = self._endpoint.ask(
            lambda client: (
                client.audio.speech.create(
                    model=self._model, voice=voice.name, input=text, response_format="wav", speed=speed
                ).content
            )
        )
        try:
            samples = read_wav(content, f"The answer of {self._endpoint.name}")
        except BadInput as error:
            raise InfrastructureError("user", str(error)) from error
        return samples if voice.pitch == 1 else repitched(samples.astype(np.float64) / 32768, RATE, voice.pitch)
