"""A transcript with sound: one audio token stands for each utterance until the tokens are handed to verl."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from toolgym.sandbox.kit.errors import InfrastructureError
from toolgym.training.loop.builder import Chat
from toolgym.training.loop.transcript import Transcript
from toolgym.training.omni.processor import OmniAudioProcessor, Waveform


class SpokenTranscript(Transcript):
    """Tokens, mask and log-probabilities of a conversation whose user is heard.

    Args:
        builder: as for `Transcript`, like the other arguments not named here.
        messages: spoken ones are written as `UTTERANCE`.
        processor: knows how many positions an utterance takes.
        sounds: the waveforms in the order of the audio tokens; grows as messages are shown.
    """

    def __init__(
        self,
        builder: Any,
        messages: Sequence[Chat],
        *,
        tools: Sequence[Chat] | None,
        prompt_length: int,
        response_length: int,
        processor: OmniAudioProcessor,
        sounds: list[Waveform],
    ) -> None:
        self._processor, self._sounds = processor, sounds
        super().__init__(builder, messages, tools=tools, prompt_length=prompt_length, response_length=response_length)

    def taken(self, end: int) -> int:
        """How many of the model's positions the first `end` tokens take."""
        return end + sum(self._processor.count(sound) - 1 for sound in self.sounds(end))

    def media(self) -> dict[str, Any]:
        """What the rollout server gets beside the tokens."""
        return {"audio_data": self.sounds(len(self.ids))} if self._sounds else {}

    def add_reply(self, tokens: Sequence[int], log_probs: Sequence[float] | None) -> str:
        """Append a turn as sampled; an audio token in it has no sound and cannot be trained on."""
        if self._processor.audio_token_id in tokens:
            raise InfrastructureError("model", "The model wrote an audio token; the rollout server must suppress it.")
        return super().add_reply(tokens, log_probs)

    def sounds(self, end: int) -> list[Waveform]:
        """The waveforms of the first `end` tokens."""
        return self._sounds[: self.ids[:end].count(self._processor.audio_token_id)]

    def expand(
        self, tokens: Sequence[int], beside: Sequence[Any], first: int, filler: Any
    ) -> tuple[list[int], list[Any]]:
        """Tokens with their audio tokens repeated, and a list beside them with `filler` at the repetitions.

        Args:
            tokens: a stretch of the transcript.
            beside: one entry per token.
            first: how many audio tokens stand before the stretch.
            filler: the entry of a repeated audio token.
        """
        found: list[int] = []
        entries: list[Any] = []
        waiting = iter(self._sounds[first:])
        for token, entry in zip(tokens, beside, strict=True):
            extra = self._processor.count(next(waiting)) - 1 if token == self._processor.audio_token_id else 0
            found += [token] * (1 + extra)
            entries += [entry, *[filler] * extra]
        return found, entries
