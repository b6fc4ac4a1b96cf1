"""What happens to a voice on its way: telephone, noise, room, packet loss, speed. Seeded and composable.

Written `telephone,noise:10,loss:0.05`: effects in order. Alternatives are separated by `|`; an alternative that begins
with `PERSONA=` or `TASK=` is for that persona or task, among the others the task's seed draws.
"""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import signal

from toolgym.sandbox.kit.errors import BadInput, unknown
from toolgym.sandbox.kit.task import Task
from toolgym.sandbox.speech.audio import RATE, Samples, resample, to_float, to_pcm

Signal = NDArray[np.float64]
_FRAME = RATE // 50
_MU = 255.0
_BURST = 0.5
"""Chance that the frame after a lost one is lost as well (Gilbert's model of bursts)."""


def telephone(voice: Signal, _: float, rng: np.random.Generator) -> Signal:
    """A telephone line: 300 to 3400 Hz, 8 kHz, 8-bit mu-law (ITU-T G.711's companding curve), and back to 16 kHz."""
    band = signal.butter(4, (300, 3400), "bandpass", fs=RATE, output="sos")
    narrow = resample(np.asarray(signal.sosfilt(band, voice)), RATE, RATE // 2)
    narrow = np.clip(narrow, -1, 1)
    curve = np.sign(narrow) * np.log1p(_MU * np.abs(narrow)) / np.log1p(_MU)
    steps = np.round((curve + 1) / 2 * _MU) / _MU * 2 - 1
    return resample(np.sign(steps) * np.expm1(np.abs(steps) * np.log1p(_MU)) / _MU, RATE // 2, RATE)


def noise(voice: Signal, decibels: float, rng: np.random.Generator) -> Signal:
    """Pink background noise at a signal-to-noise ratio in decibels, over the whole utterance."""
    spectrum = np.fft.rfft(rng.standard_normal(len(voice)))
    pink = np.fft.irfft(spectrum / np.sqrt(np.maximum(np.arange(len(spectrum)), 1)), len(voice))
    power, wanted = float(np.mean(pink**2)), float(np.mean(voice**2)) / 10 ** (decibels / 10)
    return voice + pink * np.sqrt(wanted / power) if power else voice


def room(voice: Signal, decay: float, rng: np.random.Generator) -> Signal:
    """A room with a reverberation time (until -60 dB) in seconds: an echo tail of decaying noise behind the voice."""
    count = max(1, int(decay * RATE))
    tail = rng.standard_normal(count) * np.exp(-6.9 * np.arange(count) / count)
    tail *= 0.5 / np.sqrt(np.sum(tail**2))
    tail[0] = 1.0
    return np.asarray(signal.fftconvolve(voice, tail)[: len(voice)])


def loss(voice: Signal, share: float, rng: np.random.Generator) -> Signal:
    """Lost packets of 20 ms, this share of them on average, in bursts; what is lost is silent."""
    start = share * (1 - _BURST) / max(1e-9, 1 - share)
    result, lost = voice.copy(), False
    for index in range(0, len(voice), _FRAME):
        lost = bool(rng.random() < (_BURST if lost else start))
        if lost:
            result[index : index + _FRAME] = 0.0
    return result


def speed(voice: Signal, factor: float, rng: np.random.Generator) -> Signal:
    """Played faster or slower by a factor, as a tape is: the pitch changes too."""
    return resample(voice, round(100 * factor), 100)


def gain(voice: Signal, decibels: float, rng: np.random.Generator) -> Signal:
    """Louder or quieter by decibels; what exceeds full scale is clipped."""
    return voice * 10 ** (decibels / 20)


Effect = Callable[[Signal, float, np.random.Generator], Signal]
EFFECTS: dict[str, tuple[Effect, float, float, float, str]] = {
    "telephone": (telephone, 0, 0, 0, ""),
    "noise": (noise, 10, -20, 60, "dB signal to noise"),
    "room": (room, 0.4, 0.05, 5, "s of reverberation"),
    "loss": (loss, 0.05, 0, 0.9, "share of packets"),
    "speed": (speed, 1.1, 0.5, 2, "factor"),
    "gain": (gain, 0, -60, 40, "dB"),
}
"""Effect, its value when none is given, the least and the greatest, and what the value is."""


class Channel:
    """One chain of effects.

    Args:
        text: effects in order, such as `telephone,noise:10`; `clean` for none.
    """

    def __init__(self, text: str = "clean") -> None:
        self.text = text
        self._effects = [_effect(part.strip()) for part in text.split(",") if part.strip() not in {"", "clean"}]

    def carry(self, samples: Samples, seed: str) -> Samples:
        """The voice at the other end; the same for the same seed."""
        if not self._effects or not len(samples):
            return samples
        voice: Signal = to_float(samples).astype(np.float64)
        for index, (effect, value) in enumerate(self._effects):
            drawn = Random(f"{seed}:{index}").getrandbits(64)
            voice = effect(voice, value, np.random.default_rng(drawn))
        return to_pcm(voice)


def channel_for(text: str, task: Task, seed: int) -> Channel:
    """The channel of one episode: the alternative for its task, for its persona, or one drawn by the seed.

    Raises:
        BadInput: an effect that does not exist, or a value out of its range.
    """
    named: dict[str, Channel] = {}
    free: list[Channel] = []
    for part in text.split("|"):
        name, equals, rest = part.strip().rpartition("=")
        if equals:
            named[name.strip()] = Channel(rest)
        else:
            free.append(Channel(rest))
    for name in (task.id, *(word for word in task.persona.lower().split())):
        if name in named:
            return named[name]
    return Random(f"{seed}:{task.seed}:{task.id}:channel").choice(free) if free else Channel()


def _effect(text: str) -> tuple[Effect, Any]:
    name, _, given = text.partition(":")
    if name not in EFFECTS:
        raise unknown("channel effect", name, EFFECTS)
    effect, usual, least, greatest, unit = EFFECTS[name]
    try:
        value = float(given) if given else usual
    except ValueError:
        value = float("nan")
    if not least <= value <= greatest:
        takes = f"takes a number from {least:g} to {greatest:g} ({unit})" if unit else "takes no value"
        raise BadInput(f"The channel effect {name} {takes}; got {given!r}.")
    return effect, value
