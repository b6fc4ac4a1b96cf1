"""The contracts of speech engines, and how one is made by name. The engines are in `tts` and `asr`."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Protocol, cast

from toolgym.sandbox.kit.errors import BadInput, ConfigurationError
from toolgym.sandbox.runtime import extras, registry
from toolgym.sandbox.speech.audio import Samples


@dataclass(frozen=True)
class Voice:
    """How one person sounds.

    Attributes:
        name: one of the engine's voices.
        rate: speed; 1 is the engine's own, smaller is slower.
        pitch: factor on the fundamental frequency; 1 is the voice's own.
    """

    name: str
    rate: float = 1.0
    pitch: float = 1.0


class TTS(Protocol):
    """A text-to-speech engine; safe to use from several threads.

    Attributes:
        identity: engine, version and settings, all that decides the audio of a text and a voice.
        voices: the names of its voices.
    """

    identity: str
    voices: tuple[str, ...]

    def speak(self, text: str, voice: Voice) -> Samples:
        """The text as audio. The same text and voice give the same bytes, as far as the engine allows it."""
        ...


class ASR(Protocol):
    """A speech recogniser; safe to use from several threads.

    Attributes:
        identity: engine, model, version and settings.
    """

    identity: str

    def transcribe(self, samples: Samples) -> str:
        """What is said, as the recogniser writes it; empty when it hears nothing."""
        ...


def make_tts(name: str, options: Mapping[str, Any] | None = None) -> TTS:
    """The engine registered as `name`.

    Raises:
        BadInput: no such engine, or a wrong option.
        ConfigurationError: its packages are not installed; says which.
    """
    return cast(TTS, _make("tts", name, options))


def make_asr(name: str, options: Mapping[str, Any] | None = None) -> ASR:
    """The recogniser registered as `name`; raises as `make_tts` does."""
    return cast(ASR, _make("asr", name, options))


def _make(group: registry.Group, name: str, options: Mapping[str, Any] | None) -> Any:
    try:
        return registry.load(group, name)(**(options or {}))
    except TypeError as error:
        raise BadInput(f"The {group} engine {name!r} does not take these options: {error}.") from error


def missing(engine: str, error: ImportError, how: str | None = None) -> ConfigurationError:
    """The error of an engine whose packages are not there; `how` installs them where no extra does."""
    if how is None:
        return extras.missing(error, f"The speech engine {engine!r}", "speech")
    return ConfigurationError(f"The speech engine {engine!r} needs the package {error.name}: {how}.")
