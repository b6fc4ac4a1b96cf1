"""Recognition by any endpoint with OpenAI's `/v1/audio/transcriptions`."""

from __future__ import annotations

from toolgym.sandbox.speech.audio import Samples, is_silent, write_wav
from toolgym.sandbox.speech.endpoint import SpeechEndpoint


class OpenAIASR:
    """Recognises through an endpoint.

    Args:
        model: its name at the endpoint.
        base_url: the endpoint; TOOLGYM_ASR_BASE_URL, OPENAI_BASE_URL or OpenAI itself by default.
        prompt: text that shows how words are written.
        timeout: seconds one attempt may take.
        retries: further attempts.
    """

    def __init__(
        self,
        model: str = "gpt-4o-mini-transcribe",
        base_url: str | None = None,
        prompt: str = "",
        timeout: float = 60.0,
        retries: int = 5,
    ) -> None:
        self._endpoint = SpeechEndpoint("asr", base_url, timeout, retries, "model")
        self._model, self._prompt = model, prompt
        self.identity = f"openai {self._endpoint.name} {model}"

    def transcribe(self, samples: Samples) -> str:
        """The words, as the endpoint writes them.

        Raises:
            InfrastructureError: boundary `model`; no answer after all retries.
        """
        if is_silent(samples):
            return ""
        content = write_wav(samples)
        extra = {"prompt": self._prompt} if self._prompt else {}
        answer = self._endpoint.ask(
            lambda client: client.audio.transcriptions.create(
                model=self._model,
                file=("utterance.wav", content, "audio/wav"),
                language="en",
                temperature=0,
                **extra,  # type: ignore[call-overload]  # keys by name
            )
        )
        return str(answer.text).strip()
