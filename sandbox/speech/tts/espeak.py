"""eSpeak NG through the C library in the package espeakng-loader (GPL-3.0-or-later): small, fast, robotic.

Also turns text into phonemes for engines that need them. Each utterance is a process of its own, see `espeak_process`.
"""

from __future__ import annotations

import re
import subprocess
import sys
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

import numpy as np

from toolgym.sandbox.kit.errors import BadInput, ConfigurationError, InfrastructureError
from toolgym.sandbox.speech.audio import Samples, repitched
from toolgym.sandbox.speech.engines import Voice, missing

_PROCESS = Path(__file__).with_name("espeak_process.py")
_SECONDS = 60.0
_WORDS_PER_MINUTE = 165
_SLOWEST, _FASTEST = 80, 450
_SPELLED_A = re.compile(r"(?<=\b[A-Z] )A\b|\bA(?= [A-Z]\b)")
"""An A among spelled letters, as in "M A R G O T"; beside words it may be the article."""


class EspeakTTS:
    """Speaks with eSpeak NG.

    Args:
        voices: names of its voices, separated by commas.
    """

    def __init__(self, voices: str = "en-us,en,en-gb-scotland") -> None:
        self.identity = f"espeak {_version()} {LETTERS}"
        self.voices = tuple(name.strip() for name in voices.split(",") if name.strip())

    def speak(self, text: str, voice: Voice) -> Samples:
        """The text as audio.

        Raises:
            BadInput: no such voice.
            InfrastructureError: boundary `user`; the library broke.
        """
        speed = min(_FASTEST, max(_SLOWEST, round(_WORDS_PER_MINUTE * voice.rate / voice.pitch)))
        rate, _, content = _run(lettered(text), "speak", voice.name, str(speed)).partition(b"\n")
        signal = np.frombuffer(content, dtype="<i2") / 32768
        return repitched(signal, int(rate), voice.pitch) if len(signal) else np.zeros(0, dtype=np.int16)


LETTERS = "eigh"
"""Names the way in which `lettered` writes letters, for identities of engines: another way is other audio."""


def lettered(text: str) -> str:
    """A text whose spelled letters eSpeak's rules of pronunciation read as letters.

    They take a single A for the article and say "uh", which recognisers drop ("Lars" becomes LRS). `eigh` is the letter
    in every English accent; `Ay` would be an I. For every engine that takes its phonemes from eSpeak NG.
    """
    return _SPELLED_A.sub(LETTERS, text)


def phonemes(text: str, voice: str = "en-us") -> str:
    """A text in the International Phonetic Alphabet, its punctuation kept."""
    _version()
    parts = [part.strip() for part in re.findall(r"[^,.;:!?]+|[,.;:!?]", lettered(text))]
    words = [part for part in parts if re.search(r"\w", part)]
    spoken = iter(_run("\n".join(words), "phonemes", voice).decode("utf-8").split("\n"))
    return "".join(f" {next(spoken)}" if re.search(r"\w", part) else part for part in parts).strip()


def _version() -> str:
    try:
        return version("espeakng-loader")
    except PackageNotFoundError:
        raise missing("espeak", ImportError(name="espeakng-loader")) from None


def _run(text: str, *arguments: str) -> bytes:
    try:
        done = subprocess.run(
            [sys.executable, str(_PROCESS), *arguments],
            input=text.encode("utf-8"),
            capture_output=True,
            timeout=_SECONDS,
        )
    except subprocess.TimeoutExpired as error:
        raise InfrastructureError("user", f"eSpeak NG gave no audio in {_SECONDS:.0f} s.") from error
    if done.returncode == 4:
        raise BadInput(
            f"eSpeak NG has no voice {arguments[1]!r}; such as en-us, en, en-gb-scotland and en-gb-x-rp do exist."
        )
    if done.returncode == 3:
        raise ConfigurationError("The library in the package espeakng-loader cannot be loaded on this machine.")
    if done.returncode:
        raise InfrastructureError("user", f"eSpeak NG ended with status {done.returncode}.")
    return done.stdout
