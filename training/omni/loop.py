"""The agent loop for users who talk: their turns, also the later ones, reach the model as sound.

The rest, and rows without speech, is `toolgym.training.loop.agent_loop`. The transcript keeps one audio token per
utterance, as vLLM takes prompts; only what is handed to verl's trainer has them repeated.
"""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from pydantic import ValidationError

from toolgym.sandbox.kit.errors import ConfigurationError, first_invalid
from toolgym.sandbox.kit.message import Message
from toolgym.sandbox.kit.task import Task
from toolgym.sandbox.runtime.roles import User
from toolgym.sandbox.speech.audio import to_float
from toolgym.sandbox.speech.settings import SpeechSettings
from toolgym.sandbox.speech.voice_call import SpeechRuntime, VoiceCall
from toolgym.training.loop.agent_loop import ToolgymLoop
from toolgym.training.loop.builder import Chat
from toolgym.training.loop.conversation import ChatCodec
from toolgym.training.loop.output import Played, TokenRewardOutput
from toolgym.training.loop.transcript import Transcript
from toolgym.training.omni.processor import UTTERANCE, OmniAudioProcessor, Waveform
from toolgym.training.omni.transcript import SpokenTranscript

_NEVER = -100.0
"""Logit bias of a token that must not be sampled."""


@lru_cache
def _runtime(written: str) -> SpeechRuntime:
    """The voices of a process."""
    try:
        return SpeechRuntime(SpeechSettings(**({"asr": "none"} | json.loads(written))))
    except ValidationError as error:
        problem = first_invalid(error)
        raise ConfigurationError(f"The speech setting {problem.where} is wrong: {problem.message}.") from None


@dataclass(frozen=True)
class SpokenChatCodec(ChatCodec):
    """Shows spoken messages as slots for sound.

    Attributes:
        voice_call: knows the recordings.
        sounds: takes the waveforms in the order they are shown.
    """

    voice_call: VoiceCall
    sounds: list[Waveform]

    def show(self, messages: Sequence[Message]) -> list[Chat]:
        """Messages of the environment as chat messages, without the words that were spoken."""
        return super().show([self._heard(message) for message in messages])

    def _heard(self, message: Message) -> Message:
        if message.audio is None:
            return message
        self.sounds.append(to_float(self.voice_call.samples(message.audio)))
        return message.model_copy(update={"content": UTTERANCE, "audio": None})


class SpeechLoop(ToolgymLoop):
    """Plays one task with a user who talks, where the row's modality is `speech`; registered as `toolgym_speech`."""

    _spoken: SpokenTranscript | None = None
    _sounds: list[Waveform] | None = None

    async def run(self, sampling_params: dict[str, Any], **row: Any) -> TokenRewardOutput:
        """Play, score, place the reward, and hand over the sound.

        Raises:
            ConfigurationError: the model hears nothing.
        """
        if row["extra_info"].get("modality") != "speech":
            return await super().run(sampling_params, **row)
        if not isinstance(self.processor, OmniAudioProcessor):
            raise ConfigurationError(
                "The model hears nothing: set actor_rollout_ref.model._target_="
                "toolgym.training.omni.model.OmniModelConfig and give it a thinker's checkpoint, or leave speech out."
            )
        silent = {**sampling_params, "logit_bias": {self.processor.audio_token_id: _NEVER}}
        found = await super().run(silent, **row)
        assert self._spoken is not None
        return _with_sound(found, self._spoken, self.processor.audio_token_id)

    async def _play(
        self, user: User | None, task: Task, shape: ChatCodec, system: list[Chat], sampling: dict[str, Any], seed: int
    ) -> Played:
        """One attempt, in a call of its own when the row is spoken."""
        if "logit_bias" not in sampling or user is None:
            return await super()._play(user, task, shape, system, sampling, seed)
        voice_call = _runtime(json.dumps(self.settings.speech, sort_keys=True)).voice_call(task, seed)
        self._sounds = []
        spoken = SpokenChatCodec(shape.reader, shape.native, voice_call, self._sounds)
        played = await super()._play(voice_call.user(user), task, spoken, system, sampling, seed)
        return dataclasses.replace(played, trajectory=await voice_call.record(played.trajectory))

    def transcript(self, messages: Sequence[Chat], tools: Sequence[Chat] | None) -> Transcript:
        """A transcript that opens with these messages."""
        if self._sounds is None:
            return super().transcript(messages, tools)
        self._spoken = SpokenTranscript(
            self.continuous_token_builder,
            messages,
            tools=tools,
            prompt_length=self.rollout_config.prompt_length,
            response_length=self.rollout_config.response_length,
            processor=self.processor,
            sounds=self._sounds,
        )
        return self._spoken


def _with_sound(found: TokenRewardOutput, transcript: SpokenTranscript, audio: int) -> TokenRewardOutput:
    """The output with every audio token repeated as the model needs it, and the waveforms."""
    prompt, _ = transcript.expand(found.prompt_ids, found.prompt_ids, 0, 0)
    log_probs = found.response_logprobs or [0.0] * len(found.response_ids)
    beside = list(zip(found.response_mask, log_probs, found.token_rewards, strict=True))
    first = found.prompt_ids.count(audio)
    response, expanded = transcript.expand(found.response_ids, beside, first, (0, 0.0, 0.0))
    changed: TokenRewardOutput = found.model_copy(
        update={
            "prompt_ids": prompt,
            "response_ids": response,
            "response_mask": [entry[0] for entry in expanded],
            "response_logprobs": [entry[1] for entry in expanded] if found.response_logprobs else None,
            "token_rewards": [entry[2] for entry in expanded],
            "multi_modal_data": {"audios": transcript.sounds(len(found.prompt_ids) + len(found.response_ids))},
        }
    )
    return changed
