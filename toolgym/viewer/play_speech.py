"""Ears and a voice for a conversation in the page, where the speech extra is installed. The line is a clean one."""

from __future__ import annotations

from functools import cache
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any

from sandbox.kit.errors import BadInput, ConfigurationError
from sandbox.kit.message import STOP
from sandbox.kit.task import Task
from sandbox.runtime.extras import install

if TYPE_CHECKING:
    from sandbox.speech.voice_call import SpeechRuntime

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
    runtime = _runtime()
    from sandbox.speech.audio import read_wav
    from sandbox.speech.inverse_text_normalization import read

    assert runtime.asr is not None
    text = read(runtime.asr.transcribe(read_wav(recording)))
    if not text:
        raise BadInput("Nothing could be understood; say it again, nearer to the microphone.")
    return text


def spoken(text: str, task: Task) -> bytes:
    """A message as a WAV file, in the voice of the task's person.

    Raises:
        BadInput: it holds no words.
        ConfigurationError: the speech extra is not installed.
    """
    runtime = _runtime()
    from sandbox.speech.audio import write_wav
    from sandbox.speech.text_normalization import speakable
    from sandbox.speech.voice_call import voice_for

    plain = text.replace(STOP, " ").strip()
    if not any(letter.isalnum() for letter in plain):
        raise BadInput("This message holds no words to speak.")
    samples: Any = runtime.tts.speak(speakable(plain), voice_for(runtime.tts.engine.voices, task))
    return write_wav(samples[0] if isinstance(samples, tuple) else samples)


@cache
def _runtime() -> SpeechRuntime:
    if sentence := problem():
        raise ConfigurationError(sentence)
    from sandbox.speech.settings import SpeechSettings
    from sandbox.speech.voice_call import open_runtime

    return open_runtime(SpeechSettings.model_validate({}))
