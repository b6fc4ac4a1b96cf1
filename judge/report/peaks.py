"""The outline of a recording, so that a page can draw its waveform without reading the file."""

from __future__ import annotations

import sys
import wave
from array import array
from pathlib import Path

_BARS = 200
"""Values of an outline: more than a page is wide in bars of 3 pixels."""


def peaks(path: Path) -> list[float] | None:
    """The loudest sample of each part of a 16-bit WAV file, from 0 to 1; None of any other file, or of none."""
    try:
        with wave.open(str(path), "rb") as file:
            if file.getsampwidth() != 2:
                return None
            samples = array("h", file.readframes(file.getnframes()))
    except (OSError, EOFError, ValueError, wave.Error):
        return None
    if sys.byteorder == "big":
        samples.byteswap()
    step = max(1, -(-len(samples) // _BARS))
    parts = (samples[start : start + step] for start in range(0, len(samples), step))
    return [round(max(max(part), -min(part)) / 32768, 2) for part in parts]
