"""Ears and a voice for a conversation in the page, where the speech extra is installed. The line is a clean one."""

from __future__ import annotations

from argparse import Namespace
from functools import cache
from importlib.util import find_spec
from typing import TYPE_CHECKING

from toolgym.sandbox.kit.errors import BadInput, ConfigurationError
from toolgym.sandbox.kit.message import STOP
from toolgym.sandbox.kit.task import Task
from toolgym.sandbox.runtime.extras import install
from toolgym.sandbox.runtime.settings import resolve
from toolgym.sandbox.speech.settings import SpeechSettings

if TYPE_CHECKING:
    from toolgym.sandbox.speech.engines import ASR, TTS

LARGEST = 4_000_000
"""Bytes of a recording: two minutes of 16 kHz, 16 bit, mono."""
_NEEDED = ("faster_whisper", "piper", "scipy")


def problem() -> str:
    """Why nobody can speak or be heard here; empty where both can."""
    absent = [name for name in _NEEDED if find_spec(name) is None]
    return f"To speak and listen, install the speech extra: {install('speech')}" if absent else ""


def heard(recording: bytes) -> str:
    """The words in a WAV file, as the recogniser hears them and the gym reads them back.

    Raises:
        BadInput: it is no recording, is silent, or holds no words.
        ConfigurationError: the speech extra is not installed.
    """
    _require()
    from toolgym.sandbox.speech.audio import read_wav
    from toolgym.sandbox.speech.inverse_text_normalization import read

    samples = read_wav(recording)
    text = read(_ears().transcribe(samples))
    if not text:
        raise BadInput("Nothing could be understood; say it again, nearer to the microphone.")
    return text


def spoken(text: str, task: Task) -> bytes:
    """A message as a WAV file, in the voice of the task's person.

    Raises:
        BadInput: it holds no words.
        ConfigurationError: the speech extra is not installed.
    """
    _require()
    from toolgym.sandbox.speech.audio import write_wav
    from toolgym.sandbox.speech.text_normalization import speakable
    from toolgym.sandbox.speech.voice_call import voice_for

    plain = text.replace(STOP, " ").strip()
    if not any(letter.isalnum() for letter in plain):
        raise BadInput("This message holds no words to speak.")
    voice = _voice()
    return write_wav(voice.speak(speakable(plain), voice_for(voice.voices, task)))


def _require() -> None:
    if sentence := problem():
        raise ConfigurationError(sentence)


def _settings() -> SpeechSettings:
    """Those of the environment, such as TOOLGYM_ASR and TOOLGYM_ASR_OPTIONS, or else speech mode's own."""
    return resolve(SpeechSettings, Namespace(config=None, **dict.fromkeys(SpeechSettings.model_fields)))


@cache
def _ears() -> ASR:
    from toolgym.sandbox.speech.engines import make_asr

    chosen = _settings()
    if chosen.asr == "none":
        raise ConfigurationError("TOOLGYM_ASR is none where the server runs, so that nobody listens.")
    return make_asr(chosen.asr, chosen.asr_options)


@cache
def _voice() -> TTS:
    from toolgym.sandbox.speech.engines import make_tts

    chosen = _settings()
    return make_tts(chosen.tts, chosen.tts_options)
