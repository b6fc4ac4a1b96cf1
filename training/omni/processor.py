"""Turns waveforms into the thinker's audio features and placeholder tokens.

Text and sound only: pictures and videos do not occur in our episodes, so that torchvision is not needed. Qwen2.5-Omni's
own processor is built around them.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from transformers import BatchFeature, PreTrainedTokenizerBase, WhisperFeatureExtractor

from toolgym.sandbox.kit.errors import BadInput, ConfigurationError

Waveform = NDArray[np.float32]
"""Samples in [-1, 1], shape (n,), 16 kHz."""

BEGIN, AUDIO, END = "<|audio_bos|>", "<|AUDIO|>", "<|audio_eos|>"
UTTERANCE = f"{BEGIN}{AUDIO}{END}"
"""How a spoken message is written in a prompt before its one `AUDIO` is repeated."""

_SHORTEST = 0.1
_EXTRACTOR = {"feature_size": 128, "sampling_rate": 16_000, "hop_length": 160, "n_fft": 400, "chunk_length": 300}
"""Qwen2.5-Omni's own settings (its preprocessor_config.json): 128 mel bins, at most 300 s."""


class OmniAudioProcessor:
    """A tokenizer and a feature extractor under the interface that verl expects of a processor.

    Args:
        tokenizer: knows the three audio tokens.
        extractor: log-mel features; Qwen2.5-Omni's settings by default.

    Raises:
        ConfigurationError: the tokenizer lacks an audio token.
    """

    def __init__(self, tokenizer: PreTrainedTokenizerBase, extractor: WhisperFeatureExtractor | None = None) -> None:
        self.tokenizer = tokenizer
        self.feature_extractor = extractor or WhisperFeatureExtractor(**_EXTRACTOR)
        self.chat_template = getattr(tokenizer, "chat_template", None)
        known = tokenizer.get_vocab()
        for token in (BEGIN, AUDIO, END):
            if token not in known:
                raise ConfigurationError(f"The tokenizer has no token {token}: is this a Qwen2.5-Omni checkpoint?")
        self.audio_token_id: int = known[AUDIO]

    def apply_chat_template(self, *args: Any, **kwargs: Any) -> Any:
        """The tokenizer's own; spoken messages are written as `UTTERANCE`."""
        if self.chat_template is not None:
            kwargs.setdefault("chat_template", self.chat_template)
        return self.tokenizer.apply_chat_template(*args, **kwargs)

    def __call__(
        self,
        text: Sequence[str] | None = None,
        audio: Sequence[Waveform] | None = None,
        return_tensors: str = "pt",
        **_: Any,
    ) -> BatchFeature:
        """Features of the waveforms, and the tokens of one text in which each `AUDIO` stands for its waveform.

        Returns:
            `input_features` (utterances, 128, frames) and `feature_attention_mask` (utterances, frames) when there is
            sound; `input_ids` and `attention_mask` when there is text.
        """
        found: dict[str, Any] = {}
        if text is not None:
            tokens = [self.expand(self.tokenizer(line, add_special_tokens=False)["input_ids"], audio) for line in text]
            found |= {"input_ids": tokens, "attention_mask": [[1] * len(line) for line in tokens]}
        if audio:
            found |= self._hear(audio)
        return BatchFeature(found).convert_to_tensors(return_tensors)

    def count(self, waveform: Waveform) -> int:
        """How many audio tokens a waveform takes: two halvings of its frames, 25 tokens a second.

        Raises:
            BadInput: shorter than 0.1 s, or longer than the feature extractor takes.
        """
        rate, longest = self.feature_extractor.sampling_rate, self.feature_extractor.chunk_length
        seconds = len(waveform) / rate
        if not _SHORTEST <= seconds <= longest:
            raise BadInput(f"An utterance takes {_SHORTEST} to {longest} seconds; this one has {seconds:.2f}.")
        frames = -(-len(waveform) // int(self.feature_extractor.hop_length))
        return ((frames - 1) // 2 + 1 - 2) // 2 + 1

    def _hear(self, audio: Sequence[Waveform]) -> dict[str, NDArray[Any]]:
        """Features and their mask; each utterance is heard alone, so that its neighbours do not change its features."""
        extractor = self.feature_extractor
        heard = []
        for waveform in audio:
            self.count(waveform)
            whole = np.pad(waveform, (0, -len(waveform) % extractor.hop_length))
            given = extractor(whole, sampling_rate=extractor.sampling_rate, padding=False, truncation=False)
            heard.append(np.asarray(given["input_features"][0], dtype=np.float32))
        width = max(features.shape[1] for features in heard)
        padded = [np.pad(features, ((0, 0), (0, width - features.shape[1]))) for features in heard]
        mask = [[1] * features.shape[1] + [0] * (width - features.shape[1]) for features in heard]
        return {"input_features": np.stack(padded), "feature_attention_mask": np.asarray(mask)}

    def expand(self, tokens: Sequence[int], audio: Sequence[Waveform] | None) -> list[int]:
        """The tokens with each audio token, or run of them, repeated as often as its waveform needs.

        A sequence that holds no audio token stays as it is: verl removes special tokens before it asks for features.

        Raises:
            BadInput: the tokens speak of more or of fewer waveforms than there are.
        """
        single = [
            token
            for index, token in enumerate(tokens)
            if token != self.audio_token_id or index == 0 or tokens[index - 1] != token
        ]
        places = single.count(self.audio_token_id)
        if not places:
            return list(tokens)
        if places != len(audio or ()):
            raise BadInput(f"The text has {places} places for sound, but there are {len(audio or ())} waveforms.")
        waiting = iter(audio or ())
        repeats = [self.count(next(waiting)) if token == self.audio_token_id else 1 for token in single]
        return [token for token, times in zip(single, repeats, strict=True) for _ in range(times)]

    def save_pretrained(self, folder: str | Path, **_: Any) -> None:
        """Write the tokenizer and the feature extractor beside a checkpoint."""
        self.tokenizer.save_pretrained(folder)
        self.feature_extractor.save_pretrained(folder)

    @classmethod
    def from_checkpoint(cls, folder: str | Path, tokenizer: PreTrainedTokenizerBase) -> OmniAudioProcessor:
        """The processor of a checkpoint's folder; Qwen2.5-Omni's settings where it has no preprocessor_config.json."""
        saved = (Path(folder) / "preprocessor_config.json").is_file()
        return cls(tokenizer, WhisperFeatureExtractor.from_pretrained(folder) if saved else None)
