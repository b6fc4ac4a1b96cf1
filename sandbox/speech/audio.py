"""Audio as the gym knows it: 16 kHz mono PCM. Reads and writes WAV, changes rates, and refuses what is no speech.

Not for making or understanding speech, see `tts` and `asr`.
"""

from __future__ import annotations

import hashlib
import io
import wave

import numpy as np
from numpy.typing import NDArray
from scipy.signal import resample_poly

from toolgym.sandbox.kit.errors import BadInput

Samples = NDArray[np.int16]
"""One utterance: shape (n,), 16-bit, 16 000 a second."""

RATE = 16_000
MAX_SECONDS = 120.0
"""The longest utterance; nobody says more in one turn, and the observation space has to end somewhere."""
_FULL_SCALE = 32767
_HEADROOM = 0.9
"""What resampling may overshoot."""
_SILENCE = 1e-3
"""Root mean square, as a share of full scale, under which nothing can be heard (-60 dB)."""
_CLIPPED = 0.05
"""Share of samples at full scale from which the signal counts as destroyed."""


def seconds(samples: Samples) -> float:
    """How long an utterance lasts."""
    return len(samples) / RATE


def loudness(samples: Samples) -> float:
    """Root mean square as a share of full scale; 0 of nothing."""
    return float(np.sqrt(np.mean(np.square(samples.astype(np.float64))))) / _FULL_SCALE if len(samples) else 0.0


def is_silent(samples: Samples) -> bool:
    """Whether nothing can be heard (under -60 dB of full scale)."""
    return loudness(samples) < _SILENCE


def require_speech(samples: Samples, what: str = "The recording") -> Samples:
    """The samples, if they can be an utterance.

    Raises:
        BadInput: longer than `MAX_SECONDS`, silent, or clipped beyond use.
    """
    if seconds(samples) > MAX_SECONDS:
        raise BadInput(f"{what} lasts {seconds(samples):.0f} s; an utterance may last {MAX_SECONDS:.0f} s. Split it.")
    if is_silent(samples):
        raise BadInput(f"{what} is silent (under -60 dB of full scale); nothing can be heard in it.")
    clipped = float(np.mean(np.abs(samples.astype(np.int32)) >= _FULL_SCALE))
    if clipped > _CLIPPED:
        raise BadInput(f"{what} is clipped: {clipped:.0%} of its samples are at full scale. Record or make it quieter.")
    return samples


def to_pcm(signal: NDArray[np.floating]) -> Samples:
    """A signal in [-1, 1] as 16-bit samples; what is louder is cut off."""
    samples: Samples = np.clip(np.rint(signal * _FULL_SCALE), -_FULL_SCALE - 1, _FULL_SCALE).astype(np.int16)
    return samples


def to_float(samples: Samples) -> NDArray[np.float32]:
    """16-bit samples as float32 in [-1, 1)."""
    return (samples / np.float32(_FULL_SCALE + 1)).astype(np.float32)


def resample(signal: NDArray[np.floating], old: int, new: int) -> NDArray[np.float64]:
    """A signal at another rate, by polyphase filtering."""
    divisor = int(np.gcd(old, new))
    converted = resample_poly(signal.astype(np.float64), new // divisor, old // divisor)
    return np.asarray(converted, dtype=np.float64)


def repitched(signal: NDArray[np.floating], rate: int, pitch: float) -> Samples:
    """A voice spoken `1 / pitch` times as fast as wanted, played `pitch` times as fast: the wanted speed and pitch."""
    return to_pcm(_HEADROOM * resample(signal, round(rate * pitch / 50) * 50, RATE))


def write_wav(samples: Samples) -> bytes:
    """The bytes of a WAV file (16 kHz, mono, 16 bit)."""
    target = io.BytesIO()
    with wave.open(target, "wb") as file:
        file.setnchannels(1)
        file.setsampwidth(2)
        file.setframerate(RATE)
        file.writeframes(samples.astype("<i2").tobytes())
    return target.getvalue()


def read_wav(content: bytes, what: str = "The recording") -> Samples:
    """The samples of a 16-bit PCM WAV file at any rate, mixed to mono.

    Raises:
        BadInput: not such a file, or nothing that can be an utterance.
    """
    try:
        with wave.open(io.BytesIO(content), "rb") as file:
            channels, width, rate = file.getnchannels(), file.getsampwidth(), file.getframerate()
            frames = file.readframes(min(file.getnframes(), int(rate * (MAX_SECONDS + 1))))
    except (wave.Error, EOFError, ValueError, RuntimeError) as error:
        raise BadInput(f"{what} is no readable WAV file ({str(error) or 'it ends too early'}).") from None
    if width != 2 or not rate:
        raise BadInput(f"{what} holds {8 * width}-bit samples at {rate} Hz; a WAV file with 16-bit PCM is needed.")
    usable = len(frames) - len(frames) % (2 * channels)
    mono = np.frombuffer(frames[:usable], dtype="<i2").reshape(-1, channels).mean(axis=1)
    if rate != RATE:
        mono = resample(mono, rate, RATE)
    return require_speech(to_pcm(mono / (_FULL_SCALE + 1)), what)


def digest(samples: Samples) -> str:
    """A name made of the content: equal audio has an equal name."""
    return hashlib.blake2b(samples.astype("<i2").tobytes(), digest_size=12).hexdigest()
